//! Plackett-Luce ratings from complete rankings of games with any number of players.
//!
//! A ranking is a chain of choices: the winner is taken from all players, the second from the rest,
//! and so on, each with probability proportional to its strength. For two players this is
//! Bradley-Terry.
//!
//! Ties: the log-likelihood is averaged over all orders of the tied players. This makes a tie of
//! two a half win for each, as in Bradley-Terry, keeps the log-likelihood concave and the
//! statistics additive. In a random order of `m` tied players every subset of size `s` is what
//! remains at one stage with probability `1 / binomial(m, s)`.
//!
//! Sources: R. L. Plackett, "The analysis of permutations", Applied Statistics 24 (1975); R. D.
//! Luce, "Individual choice behavior" (1959); D. R. Hunter, Annals of Statistics 32 (2004), section
//! 5.

use super::batch::Choices;
use super::{BatchRatings, RankingError, RatingFitError, RatingFitParams};

/// The most players of one game; a tie of all of them costs `2^n` choices.
pub const MAX_GAME_PLAYERS: usize = 8;

/// The choices of any number of rankings; additive, of a size that does not grow with the number of
/// games.
#[derive(Debug, Clone, PartialEq)]
pub struct RankingTable {
    choices: Choices,
    n_games: u64,
}

impl RankingTable {
    /// No games among `n_players` players.
    pub fn new(n_players: usize) -> Self {
        Self {
            choices: Choices::new(n_players),
            n_games: 0,
        }
    }

    /// How many players.
    pub fn n_players(&self) -> usize {
        self.choices.n_players()
    }

    /// How many games were recorded.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Records one game: the rank of each of `players`, the smaller the better, equal ranks are
    /// ties. A player may hold several seats.
    ///
    /// # Errors
    /// If a player does not exist, there is not one rank per player, or there are more than
    /// [`MAX_GAME_PLAYERS`].
    pub fn record(&mut self, players: &[usize], ranks: &[u32]) -> Result<(), RankingError> {
        let order = self.order(players, ranks)?;
        let mut rest = order.as_slice();
        while let Some(&(rank, _)) = rest.first() {
            let (tied, worse) = rest.split_at(rest.partition_point(|&(r, _)| r == rank));
            self.add_stages(tied, worse);
            rest = worse;
        }
        self.n_games += 1;
        Ok(())
    }

    /// Records only who won: one choice from all players, which firsts who tie share. The order of
    /// the others says nothing.
    ///
    /// # Errors
    /// As for [`record`](Self::record).
    pub fn record_win(&mut self, players: &[usize], ranks: &[u32]) -> Result<(), RankingError> {
        let order = self.order(players, ranks)?;
        let n_first = order.partition_point(|&(rank, _)| rank == order[0].0);
        let firsts: Vec<u32> = order[..n_first].iter().map(|&(_, player)| player).collect();
        let mut set: Vec<u32> = order.iter().map(|&(_, player)| player).collect();
        set.sort_unstable();
        self.choices.add(&firsts, &set, 1.0);
        self.n_games += 1;
        Ok(())
    }

    /// Rank and player, best first, of a sound game.
    fn order(&self, players: &[usize], ranks: &[u32]) -> Result<Vec<(u32, u32)>, RankingError> {
        let n_players = self.n_players();
        if players.len() != ranks.len() {
            return Err(RankingError::RankCount {
                n_players: players.len(),
                n_ranks: ranks.len(),
            });
        }
        if players.len() > MAX_GAME_PLAYERS {
            return Err(RankingError::TooManyPlayers {
                n_players: players.len(),
                max: MAX_GAME_PLAYERS,
            });
        }
        if let Some(&player) = players.iter().find(|&&p| p >= n_players) {
            return Err(RankingError::UnknownPlayer { player, n_players });
        }
        let mut order: Vec<(u32, u32)> = ranks
            .iter()
            .zip(players)
            .map(|(&r, &p)| (r, p as u32))
            .collect();
        order.sort_unstable();
        Ok(order)
    }

    /// Adds all games of another table.
    ///
    /// # Panics
    /// If the numbers of players differ.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(
            self.n_players(),
            other.n_players(),
            "merged tables have the same players"
        );
        self.choices.merge(&other.choices);
        self.n_games += other.n_games;
    }

    /// The choices among `tied` players in all orders while `worse` remain.
    fn add_stages(&mut self, tied: &[(u32, u32)], worse: &[(u32, u32)]) {
        let m = tied.len() as u32;
        let (mut candidates, mut set) = (Vec::new(), Vec::new());
        for subset in 1u32..1 << m {
            candidates.clear();
            candidates.extend(
                (0..tied.len())
                    .filter(|k| subset >> k & 1 == 1)
                    .map(|k| tied[k].1),
            );
            set.clear();
            set.extend_from_slice(&candidates);
            set.extend(worse.iter().map(|&(_, p)| p));
            set.sort_unstable();
            self.choices
                .add(&candidates, &set, 1.0 / binomial(m, subset.count_ones()));
        }
    }
}

/// Fits the ratings; the same remarks as for [`bradley_terry::fit`](super::bradley_terry::fit)
/// hold.
///
/// # Errors
/// [`RatingFitError::Unbounded`] without a prior when the maximum is not finite or not unique;
/// [`RatingFitError::BadPrior`].
pub fn fit(table: &RankingTable, params: &RatingFitParams) -> Result<BatchRatings, RatingFitError> {
    table.choices.fit(params)
}

fn binomial(n: u32, k: u32) -> f64 {
    (0..k)
        .map(|i| f64::from(n - i) / f64::from(i + 1))
        .product()
}
