//! What a person asks a game to do, and why it is refused.

use hegemon_core::{Move, TerritoryId};

use crate::company::{SeatCommand, SeatCommandError};
use crate::session::MoveError;

/// What a person asks a game to do.
#[derive(Clone, Debug)]
pub(crate) enum PlayerCommand {
    /// This move.
    Move(Move),
    /// Attack until.
    Attack {
        /// Where the armies come from.
        from: TerritoryId,
        /// What they attack.
        to: TerritoryId,
        /// Stop at this many armies.
        until: u32,
    },
    /// A hint, which the log tells.
    TakeHint,
    /// A command about the seats, whoever is to move.
    Seat(SeatCommand),
}

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub(crate) enum CommandError {
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("The game has moved on; look at the new state.")]
    Stale,
    #[error("The game is over.")]
    Over,
    #[error("Too many messages wait for this game.")]
    Crowded,
    #[error(transparent)]
    Seat(#[from] SeatCommandError),
    #[error("This cannot be stored at the moment.")]
    Unstored,
}

impl CommandError {
    /// The error as one word.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            CommandError::Move(MoveError::Illegal(_)) => "illegal-move",
            CommandError::Move(MoveError::NotYourTurn) => "not-your-turn",
            CommandError::Stale => "stale",
            CommandError::Over => "over",
            CommandError::Crowded => "too-fast",
            CommandError::Seat(error) => error.code(),
            CommandError::Unstored => "internal",
        }
    }
}
