//! How a game stopped, by its rules or by a forfeit, and the resulting places.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::ids::{ByPlayer, MAX_PLAYERS, PlayerId};
use crate::narrow::Narrow as _;
use crate::state::{Ending, Node, State};

/// How a game stopped. Written as one word: the name of the ending, or
/// `forfeit:SEAT:KIND` with the seat counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// By its rules.
    Rules(Ending),
    /// A player forfeited.
    Forfeit {
        /// Its seat.
        seat: PlayerId,
        /// Why.
        kind: ForfeitKind,
    },
}

/// Why a player forfeited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForfeitKind {
    /// It chose an illegal move.
    IllegalMove,
    /// Its answer was not a move.
    Garbage,
    /// It stopped running.
    Crash,
    /// It took too long.
    Timeout,
}

impl ForfeitKind {
    /// All kinds.
    pub const ALL: [ForfeitKind; 4] = [
        ForfeitKind::IllegalMove,
        ForfeitKind::Garbage,
        ForfeitKind::Crash,
        ForfeitKind::Timeout,
    ];

    /// The kind as one word.
    pub fn name(self) -> &'static str {
        match self {
            ForfeitKind::IllegalMove => "illegal-move",
            ForfeitKind::Garbage => "garbage",
            ForfeitKind::Crash => "crash",
            ForfeitKind::Timeout => "timeout",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<ForfeitKind> {
        ForfeitKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

impl Termination {
    /// How the game ended by its rules; `None` if it is not over.
    pub fn of(state: &State) -> Option<Termination> {
        state.ending().map(Termination::Rules)
    }

    /// The ending or the kind of forfeit as one word, without the seat.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Rules(ending) => ending.name(),
            Termination::Forfeit { kind, .. } => kind.name(),
        }
    }

    /// Who forfeited, if that ended the game.
    pub fn loser(self) -> Option<PlayerId> {
        match self {
            Termination::Rules(_) => None,
            Termination::Forfeit { seat, .. } => Some(seat),
        }
    }

    /// The placement by seat, from 1, for this ending in the last state; `None`
    /// if a game in that state cannot have ended this way. Players in first
    /// place share the win.
    ///
    /// The player who forfeits is last; all others still in the game are first.
    pub fn places(self, last: &State) -> Option<ByPlayer<u8>> {
        match self {
            Termination::Rules(ending) => last.places_after(ending),
            Termination::Forfeit { seat, .. } => {
                (last.node() == Node::Decision(seat)).then(|| places_without(last, seat))
            }
        }
    }
}

fn places_without(state: &State, loser: PlayerId) -> ByPlayer<u8> {
    let n_players: u8 = state.game().n_players().narrow();
    ByPlayer::from_fn(|p| match state.elimination(p) {
        _ if p.index() >= usize::from(n_players) => 0,
        _ if p == loser => n_players,
        None => 1,
        Some(elimination) => n_players - 1 - elimination.order,
    })
}

const FORFEIT: &str = "forfeit:";

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rules(ending) => f.write_str(ending.name()),
            Termination::Forfeit { seat, kind } => {
                write!(f, "{FORFEIT}{}:{}", seat.index(), kind.name())
            }
        }
    }
}

/// The text is not a termination.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is not how a game ends")]
pub struct TerminationError(pub String);

impl FromStr for Termination {
    type Err = TerminationError;

    fn from_str(text: &str) -> Result<Termination, TerminationError> {
        let parse = || match text.strip_prefix(FORFEIT) {
            None => Ending::from_name(text).map(Termination::Rules),
            Some(rest) => {
                let (seat, kind) = rest.split_once(':')?;
                let seat = PlayerId::seats(MAX_PLAYERS).find(|p| p.to_string() == seat)?;
                let kind = ForfeitKind::from_name(kind)?;
                Some(Termination::Forfeit { seat, kind })
            }
        };
        parse().ok_or_else(|| TerminationError(text.to_owned()))
    }
}

crate::by_notation!(Termination);
