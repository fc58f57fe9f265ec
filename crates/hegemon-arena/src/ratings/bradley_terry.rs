//! Bradley-Terry ratings from a table of wins.
//!
//! `P(i beats j) = g_i / (g_i + g_j)`, Elo = 400 log10 g, a draw is half a win for each.
//!
//! Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika
//! 39 (1952); D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of
//! Statistics 32 (2004); intervals from the inverse negative Hessian under the sum-zero constraint.

use super::batch::Choices;
use super::{BatchRatings, PairResult, RankingError, RatingFitError, RatingFitParams};

/// Wins of every player over every other; additive.
#[derive(Debug, Clone, PartialEq)]
pub struct WinTable {
    n_players: usize,
    /// Row-major: wins of row over column, draws as halves.
    wins: Vec<f64>,
}

impl WinTable {
    /// No games among `n_players` players.
    pub fn new(n_players: usize) -> Self {
        Self {
            n_players,
            wins: vec![0.0; n_players * n_players],
        }
    }

    /// How many players.
    pub fn n_players(&self) -> usize {
        self.n_players
    }

    /// Records one game.
    ///
    /// # Errors
    /// If a player does not exist.
    pub fn record(
        &mut self,
        first: usize,
        second: usize,
        result: PairResult,
    ) -> Result<(), RankingError> {
        let score = result.score();
        self.add_wins(first, second, score)?;
        self.add_wins(second, first, 1.0 - score)
    }

    /// Adds `n_wins` wins of `winner` over `loser`; halves are draws. Games of a player against
    /// itself are ignored.
    ///
    /// # Errors
    /// If a player does not exist, or the count is negative or not a number.
    pub fn add_wins(
        &mut self,
        winner: usize,
        loser: usize,
        n_wins: f64,
    ) -> Result<(), RankingError> {
        if let Some(&player) = [winner, loser].iter().find(|&&p| p >= self.n_players) {
            return Err(RankingError::UnknownPlayer {
                player,
                n_players: self.n_players,
            });
        }
        if !n_wins.is_finite() || n_wins < 0.0 {
            return Err(RankingError::OutOfRange);
        }
        if winner != loser {
            self.wins[winner * self.n_players + loser] += n_wins;
        }
        Ok(())
    }

    /// Adds all games of another table.
    ///
    /// # Panics
    /// If the numbers of players differ.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(
            self.n_players, other.n_players,
            "merged tables have the same players"
        );
        self.wins
            .iter_mut()
            .zip(&other.wins)
            .for_each(|(a, b)| *a += b);
    }

    /// Wins of `i` over `j`, draws as halves.
    ///
    /// # Panics
    /// If a player does not exist.
    pub fn wins(&self, i: usize, j: usize) -> f64 {
        assert!(
            i < self.n_players && j < self.n_players,
            "the player exists"
        );
        self.wins[i * self.n_players + j]
    }

    /// Games between `i` and `j`.
    ///
    /// # Panics
    /// If a player does not exist.
    pub fn games(&self, i: usize, j: usize) -> f64 {
        self.wins(i, j) + self.wins(j, i)
    }
}

/// Fits the ratings.
///
/// With a prior every table has a fit: one player, no games, disconnected groups (their difference
/// then has a large error), players that won or lost everything.
///
/// # Errors
/// [`RatingFitError::Unbounded`] without a prior when the maximum is not finite or not unique;
/// [`RatingFitError::BadPrior`].
pub fn fit(table: &WinTable, params: &RatingFitParams) -> Result<BatchRatings, RatingFitError> {
    let mut choices = Choices::new(table.n_players);
    for i in 0..table.n_players {
        for j in i + 1..table.n_players {
            let pair = [i as u32, j as u32];
            choices.add(&pair[..1], &pair, table.wins(i, j));
            choices.add(&pair[1..], &pair, table.wins(j, i));
        }
    }
    choices.fit(params)
}
