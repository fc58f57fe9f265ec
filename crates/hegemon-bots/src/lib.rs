//! Bots: the [`Bot`] trait, the registry of spec strings, and every bot.
//!
//! A bot is built from a spec string that is also its name in every table:
//!
//! ```
//! use hegemon_bots::{Seating, Spec, build};
//! use hegemon_core::{Game, Map, PlayerId, Rules, View};
//!
//! let map = Map::builtin("classic").expect("shipped");
//! let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
//! let spec: Spec = "baseline".parse().expect("well formed");
//! let state = game.deal(1);
//! let seating = Seating { game: &game, seat: state.player(), seed: 1 };
//! let mut bot = build(&spec, &seating).expect("baseline plays any game");
//! let mv = bot.choose(View::of_mover(&state)).expect("baseline never forfeits");
//! assert!(state.is_legal(mv));
//! ```

pub mod beam;
mod bot;
pub mod draft;
#[cfg(unix)]
pub mod external;
pub mod goal;
pub mod lux;
pub mod policy;
pub mod protocol;
mod registry;
pub mod rules;
pub mod search;
mod spec;

pub use bot::{Bot, Forfeit, ForfeitKind, PolicyBot, Seating, Watched};
pub use registry::{BotInfo, Parameter, bot_info, bots, build, check};
pub use spec::{Spec, SpecError, nearest};
