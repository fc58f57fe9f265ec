//! Who plays whom next: at random first, then by the z-score rule of Brand and Kroon 2014,
//! with a floor for every pair.

use hegemon_core::Rng;

use super::store::StoredBlock;
use crate::ratings::PairResult;
use crate::ratings::glicko2::{Glicko2Params, Glicko2Rating, rate_game, rate_ranking};
use crate::ratings::pairing::{choose, force_floor, lineup_weights};

/// Ratings and pair counts after some blocks.
#[derive(Clone, Debug)]
pub(super) struct RatingState {
    ratings: Vec<Glicko2Rating>,
    /// Blocks played by each pair of bots, by `i * n + j`.
    together: Vec<u64>,
    n_blocks: u64,
}

impl RatingState {
    pub(super) fn new(n_bots: usize) -> RatingState {
        RatingState {
            ratings: vec![Glicko2Rating::FROZEN; n_bots],
            together: vec![0; n_bots * n_bots],
            n_blocks: 0,
        }
    }

    pub(super) fn add(&mut self, block: &StoredBlock) {
        self.n_blocks += 1;
        let n = self.ratings.len();
        for &a in &block.lineup {
            for &b in &block.lineup {
                self.together[a * n + b] += 1;
            }
        }
        for (bots, game) in block.seated() {
            if let ([first, second], [a, b]) = (&*bots, &*game.places) {
                let result = PairResult::from_ranks(u32::from(*a), u32::from(*b));
                (self.ratings[*first], self.ratings[*second]) = rate_game(
                    &self.ratings[*first],
                    &self.ratings[*second],
                    result,
                    &Glicko2Params::FROZEN,
                );
                continue;
            }
            let before: Vec<Glicko2Rating> = bots.iter().map(|&bot| self.ratings[bot]).collect();
            let ranks: Vec<u32> = game.places.iter().map(|&place| u32::from(place)).collect();
            let after = rate_ranking(&before, &ranks, &Glicko2Params::FROZEN);
            for (&bot, rating) in bots.iter().zip(after.unwrap_or(before)) {
                self.ratings[bot] = rating;
            }
        }
    }

    /// Glicko ratings as in the paper: one period per game, no volatility.
    pub(super) fn ratings(&self) -> &[Glicko2Rating] {
        &self.ratings
    }

    /// Blocks of the next wave: few at first, so that ratings soon guide the
    /// schedule, then more, so that waves cost little time.
    pub(super) fn wave_size(&self) -> u64 {
        (self.n_blocks / 4).clamp(16, 4096)
    }

    /// Draws the line-ups of the next wave.
    pub(super) fn draw_wave(
        &self,
        n_seats: usize,
        floor: u64,
        n_blocks: u64,
        rng: &mut Rng,
    ) -> Vec<Vec<usize>> {
        let mut counts = self.together.clone();
        let n = self.ratings.len();
        let weights = lineup_weights(&self.ratings, n_seats);
        let mut wave = Vec::new();
        for _ in 0..n_blocks {
            let rarest: Vec<u64> = weights
                .iter()
                .map(|lineup| rarest_pair(&lineup.players, |a, b| counts[a * n + b]))
                .collect();
            let mut forced = Vec::new();
            let lineups = if rarest.iter().any(|&n| n < floor) {
                forced.clone_from(&weights);
                force_floor(&mut forced, &rarest, floor);
                &forced
            } else {
                &weights
            };
            let Some(chosen) = choose(lineups, rng.unit()) else {
                break;
            };
            for &a in &chosen.players {
                for &b in &chosen.players {
                    counts[a * n + b] += 1;
                }
            }
            let mut lineup = chosen.players.clone();
            rng.shuffle(&mut lineup);
            wave.push(lineup);
        }
        wave
    }
}

fn rarest_pair(players: &[usize], count: impl Fn(usize, usize) -> u64) -> u64 {
    let pairs = players
        .iter()
        .flat_map(|&a| players.iter().map(move |&b| (a, b)));
    pairs
        .filter(|(a, b)| a != b)
        .map(|(a, b)| count(a, b))
        .min()
        .unwrap_or(0)
}
