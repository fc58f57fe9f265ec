//! The rules engine of hegemon: maps, rules, states, moves, chance and the exact
//! law of battle. No input or output, no clock, no ambient randomness.
//!
//! ```
//! use hegemon_core::{Game, Map, Node, Rng, Rules};
//!
//! let map = Map::builtin("classic").expect("shipped with the crate");
//! let rules = Rules::preset("lux").expect("shipped with the crate");
//! let game = Game::new(map, rules, 4).expect("lux rules suit four players");
//!
//! // A game is a pure function of its seeds: here every move is random.
//! let mut state = game.deal(42);
//! let (mut dice, mut mover) = (Rng::stream(42, "dice"), Rng::stream(42, "mover"));
//! for _ in 0..100 {
//!     match state.node() {
//!         Node::Decision(_) => {
//!             let moves = state.legal_moves();
//!             let mv = *mover.pick(&moves).expect("a decision has a legal move");
//!             state.play(mv).expect("listed, so legal");
//!         }
//!         Node::Chance => state.resolve_sampled(&mut dice),
//!         Node::Terminal => break,
//!     }
//! }
//! assert_eq!(state.hash64(), state.recompute_hash64());
//! ```
//!
//! Start at [`Game`] and [`State`]; [`battle`] can be used on its own.
#![deny(missing_docs)]
#![warn(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless
)]
#![cfg_attr(
    test,
    allow(clippy::cast_possible_truncation, reason = "tests count small things")
)]

mod assault;
pub mod battle;
mod board;
mod card;
mod chance;
mod domination;
mod event;
mod game;
mod ids;
mod json;
mod legal;
mod map;
mod map_fault;
mod moves;
mod narrow;
mod neighborhood;
mod notation_serde;
mod perft;
mod position;
mod rng;
pub mod rules;
mod scan;
#[cfg(feature = "schema")]
mod schema;
mod setup;
mod state;
mod syntax;
mod termination;
mod territory_set;
mod turn;
mod view;

pub use assault::Assailant;
pub use board::Board;
pub use card::{Card, Hand, is_set};
pub use chance::{ResolveError, Streams};
pub use domination::OneWay;
pub use event::{Event, EventError};
pub use game::{Game, GameError, Mission};
pub use ids::{
    ByPlayer, ContinentId, MAX_CONTINENTS, MAX_MISSIONS, MAX_PLAYERS, MAX_TERRITORIES, N_OWNERS,
    PlayerId, TerritoryId,
};
pub use json::{field_fault, from_json};
pub use legal::PlayError;
pub use map::{
    Continent, ContinentSpec, Map, MapSpec, MissionContinents, TerritorySpec, is_visible,
};
pub use map_fault::{MapError, MapFault};
pub use moves::{Move, MoveGroup, NotationError, Outcome};
pub use neighborhood::Near;
pub use perft::{Perft, perft, perft_while};
pub use rng::{Rng, fnv1a, mix};
pub use rules::{Rules, RulesError};
pub use setup::{PositionError, Setup};
pub use state::{Elimination, Ending, GameResult, Node, Phase, State};
pub use syntax::{json_fault, json_line_fault, plain_fault, toml_fault};
pub use termination::{ForfeitKind, Termination, TerminationError};
pub use territory_set::TerritorySet;
pub use view::View;
