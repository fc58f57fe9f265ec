//! Bots: the [`Bot`] trait, the registry of spec strings, and every bot.
//!
//! A bot is built from a spec string that is also its name in every table:
//!
//! ```
//! use hegemon_bots::{Grants, Seating, Spec, build};
//! use hegemon_core::{Game, Map, PlayerId, Rules, View};
//!
//! let map = Map::builtin("classic").expect("shipped");
//! let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
//! let spec: Spec = "baseline".parse().expect("well formed");
//! let state = game.deal(1);
//! let grants = Grants::sealed();
//! let seating = Seating { game: &game, seat: state.player(), seed: 1, grants: &grants };
//! let mut bot = build(&spec, &seating).expect("baseline plays any game");
//! let mv = bot.choose(View::of_mover(&state)).expect("baseline never forfeits");
//! assert!(state.is_legal(mv));
//! ```

pub mod beam;
mod bot;
mod champion;
mod command;
mod demand;
pub mod draft;
mod fickle;
pub mod goal;
mod loader;
pub mod lux;
mod parameter;
mod play_on;
pub mod policy;
mod registry;
pub mod rules;
pub mod search;
mod settings;
mod spec;

pub use bot::{Bot, Forfeit, PolicyBot, Seating, Watched, tell_all};
pub use champion::{
    ContinentForecast, Forecast, Guess, Inquiry, Judge, Judged, Judgement, Looks, Rollouts, Watch,
    met_in_training,
};
pub use command::{Command, introduced};
pub use demand::{Demand, MAX_SPEC_THREADS};
pub use hegemon_core::ForfeitKind;
pub use hegemon_search::Stop;
pub use loader::{Grants, LoadError, Loader, Sealed};
pub use parameter::{Capability, Cost, Kind, Parameter};
pub use play_on::{Seats, legal_choice, play_on};
pub use registry::{BotInfo, bot_info, bots, build, check, observes, settings};
pub use settings::Settings;
pub use spec::{
    Argument, MAX_SPEC_BYTES, MAX_SPEC_DEPTH, MAX_SPEC_VALUES, Spec, SpecError, Value, nearest,
    public_titles, titles,
};
