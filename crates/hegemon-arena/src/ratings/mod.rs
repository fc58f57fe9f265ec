//! Ratings as pure functions of results.
//!
//! * [`glicko2`]: sequential, for scheduling while a pool runs; [`pairing`] turns it into draw
//!   weights and p-values.
//! * [`bradley_terry`], [`plackett_luce`]: batch fits with covariances, for publication. They do
//!   not depend on the order of the games.

use thiserror::Error;

mod batch;
pub mod bradley_terry;
pub mod glicko2;
pub mod pairing;
pub mod plackett_luce;

#[cfg(test)]
mod tests;

pub use batch::{BatchRatings, RatingFitError, RatingFitParams};

/// Elo points per unit of log-odds, `400 / ln 10`.
pub const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The result of a game between two players, seen by the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairResult {
    /// The first player won.
    Win,
    /// Neither won.
    Draw,
    /// The second player won.
    Loss,
}

impl PairResult {
    /// 1, 1/2 or 0.
    pub fn score(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }

    /// The result seen by the other player.
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// The result of a player with rank `own` against one with rank `other`; the smaller rank is
    /// the better.
    pub fn from_ranks(own: u32, other: u32) -> Self {
        match own.cmp(&other) {
            std::cmp::Ordering::Less => Self::Win,
            std::cmp::Ordering::Equal => Self::Draw,
            std::cmp::Ordering::Greater => Self::Loss,
        }
    }
}

/// A game result that cannot be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RankingError {
    /// A player index is not below the number of players.
    #[error("player {player} does not exist, there are {n_players}")]
    UnknownPlayer {
        /// The index given.
        player: usize,
        /// How many players the table has.
        n_players: usize,
    },
    /// There is not exactly one rank per player.
    #[error("{n_players} players with {n_ranks} ranks")]
    RankCount {
        /// How many players the game had.
        n_players: usize,
        /// How many ranks came with it.
        n_ranks: usize,
    },
    /// More players in one game than the tie formula allows.
    #[error("{n_players} players in one game, at most {max} are supported")]
    TooManyPlayers {
        /// How many players the game had.
        n_players: usize,
        /// The most accepted.
        max: usize,
    },
    /// A score or a count that is negative or not a number, or a score above 1.
    #[error("the score or count is out of range")]
    OutOfRange,
}
