//! The bot protocol: one JSON object a line on a program's stdin and stdout.
//!
//! `docs/protocol.md` explains it, `docs/protocol.schema.json` fixes it and is
//! written by the types (feature `schema`). Here
//! are the wire types, our own side of it ([`serve`]), the other side
//! (`external`: programs that play as `cmd(...)`, and who watches over them),
//! the compliance checker (`check`), and the loader of a host on which bots may
//! read files and start programs ([`HostLoader`]).
//!
//! Wire types hold anything; [`NewGameDto::game`] and [`ViewDto::state`] check
//! what they say.

mod answer;
#[cfg(unix)]
mod check;
mod error_log;
#[cfg(unix)]
pub mod external;
mod game;
mod host;
mod messages;
#[cfg(feature = "schema")]
pub mod schema;
mod server;
mod view;

pub use answer::read_move;
#[cfg(unix)]
pub use check::{Check, CheckReport, check};
pub use error_log::ErrorLog;
pub use game::{ContinentDto, MapDto, MissionDto, NewGameDto, TerritoryDto};
pub use host::HostLoader;
pub use messages::{BudgetDto, ChooseDto, EventDto, FromBot, GameOverDto, ToBot};
pub use server::{BotServer, Host, MakeBot, serve, serve_host};
pub use view::{EliminationDto, FrontDto, GroupDto, ViewDto, owner_number};

/// The version of the protocol that this program speaks.
pub const PROTOCOL_VERSION: u32 = 1;

/// A `choose` message lists at most this many legal moves one by one.
pub const MAX_LISTED_MOVES: usize = 200;

/// How a game ended that was not played to its end.
pub const ABANDONED: &str = "abandoned";

/// What cannot be understood in a message, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProtocolError(pub String);
