//! Counts of block scores; additive.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::ratings::PairResult;

/// Counts of blocks by score.
pub trait BlockCounts {
    /// `(score, count)` of every possible score, including those never seen.
    fn cells(&self) -> Vec<(f64, f64)>;

    /// How many games of one player against another a block represents; sets the scale of
    /// normalised Elo.
    fn games_per_block(&self) -> f64;
}

/// Pairs of games on one deal with the sides swapped, by the points of the first player: LL, LD, WL
/// or DD, WD, WW.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Records a pair, both results seen by the first player.
    pub fn record(&mut self, first: PairResult, second: PairResult) {
        self.0[half_points(first) + half_points(second)] += 1;
    }

    /// How many pairs.
    pub fn n_pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs seen by the other player.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl BlockCounts for Pentanomial {
    fn cells(&self) -> Vec<(f64, f64)> {
        even_cells(&self.0)
    }

    fn games_per_block(&self) -> f64 {
        2.0
    }
}

/// Single games by the result of the first player: losses, draws, wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Trinomial(pub [u64; 3]);

impl Trinomial {
    /// Records one game.
    pub fn record(&mut self, result: PairResult) {
        self.0[half_points(result)] += 1;
    }

    /// How many games.
    pub fn n_games(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same games seen by the other player.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl BlockCounts for Trinomial {
    fn cells(&self) -> Vec<(f64, f64)> {
        even_cells(&self.0)
    }

    fn games_per_block(&self) -> f64 {
        1.0
    }
}

/// Blocks whose score is any number in [0, 1], for more than two seats.
///
/// Two scores that differ in the last digit are two cells, which does not harm the test.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreCounts {
    games_per_block: f64,
    /// By the bits of the score; for scores in [0, 1] they sort like the numbers.
    counts: BTreeMap<u64, u64>,
}

impl ScoreCounts {
    /// No blocks; see [`BlockCounts::games_per_block`].
    pub fn new(games_per_block: u32) -> Self {
        Self {
            games_per_block: f64::from(games_per_block.max(1)),
            counts: BTreeMap::new(),
        }
    }

    /// Records one block; the score is clamped to [0, 1].
    ///
    /// # Panics
    /// If the score is not a number.
    pub fn record(&mut self, score: f64) {
        assert!(!score.is_nan(), "a block has a score");
        // Adding 0 turns a negative zero into a positive one.
        *self
            .counts
            .entry((score.clamp(0.0, 1.0) + 0.0).to_bits())
            .or_insert(0) += 1;
    }

    /// Adds all blocks of another table.
    ///
    /// # Panics
    /// If the blocks differ in size.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(
            self.games_per_block, other.games_per_block,
            "merged blocks have one size"
        );
        for (&score, n) in &other.counts {
            *self.counts.entry(score).or_insert(0) += n;
        }
    }

    /// How many blocks.
    pub fn n_blocks(&self) -> u64 {
        self.counts.values().sum()
    }
}

impl BlockCounts for ScoreCounts {
    fn cells(&self) -> Vec<(f64, f64)> {
        self.counts
            .iter()
            .map(|(&score, &n)| (f64::from_bits(score), n as f64))
            .collect()
    }

    fn games_per_block(&self) -> f64 {
        self.games_per_block
    }
}

/// Maps a difference of two players' points in `-bound ..= bound` to a score in [0, 1]; equal
/// points give 1/2.
pub fn score_from_difference(difference: f64, bound: f64) -> f64 {
    (0.5 + difference / (2.0 * bound)).clamp(0.0, 1.0)
}

fn half_points(result: PairResult) -> usize {
    match result {
        PairResult::Loss => 0,
        PairResult::Draw => 1,
        PairResult::Win => 2,
    }
}

fn even_cells(counts: &[u64]) -> Vec<(f64, f64)> {
    let last = (counts.len() - 1) as f64;
    counts
        .iter()
        .enumerate()
        .map(|(i, &n)| (i as f64 / last, n as f64))
        .collect()
}
