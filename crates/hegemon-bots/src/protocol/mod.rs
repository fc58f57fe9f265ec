//! The bot protocol: one JSON object a line on a program's stdin and stdout.
//!
//! `docs/protocol.md` explains it, `docs/protocol.schema.json` fixes it. Here
//! are the wire types, our own side of it ([`serve`]) and the compliance
//! checker ([`check`]); `cmd(...)` bots are its other side.
//!
//! Wire types hold anything; [`NewGameDto::game`] and [`ViewDto::state`] check
//! what they say.

#[cfg(unix)]
mod check;
mod game;
mod messages;
mod server;
mod view;

#[cfg(unix)]
pub use check::{Check, CheckReport, check};
pub use game::{ContinentDto, MapDto, MissionDto, NewGameDto, TerritoryDto};
pub use messages::{BudgetDto, ChooseDto, FromBot, GameOverDto, ToBot};
pub use server::{Server, serve};
pub use view::{EliminationDto, FrontDto, GroupDto, ViewDto, owner_number};

/// The version of the protocol that this program speaks.
pub const PROTOCOL_VERSION: u32 = 1;

/// Up to so many legal moves are listed one by one in a `choose` message.
pub const MAX_LISTED_MOVES: usize = 200;

/// How a game ended that was not played to its end.
pub const ABANDONED: &str = "abandoned";

/// What cannot be understood in a message, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProtocolError(pub String);
