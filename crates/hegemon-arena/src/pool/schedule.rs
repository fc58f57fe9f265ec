//! Who plays whom next: at random first, then by the z-score rule of Brand and Kroon 2014,
//! with a floor for every pair.

use hegemon_core::Rng;

use super::game_row::NewRow;
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
        self.begin_block(&block.lineup);
        for (bots, game) in block.seated() {
            self.rate(&bots, &game.places);
        }
    }

    /// The same from the rows of a block, of which there is at least one.
    pub(super) fn add_rows(&mut self, rows: &[NewRow]) {
        self.begin_block(rows[0].bots());
        for row in rows {
            self.rate(row.bots(), row.places());
        }
    }

    /// Counts a block with these bots.
    fn begin_block(&mut self, bots: &[usize]) {
        self.n_blocks += 1;
        let n = self.ratings.len();
        for &a in bots {
            for &b in bots {
                self.together[a * n + b] += 1;
            }
        }
    }

    /// Rates a game with these bots in its seats.
    fn rate(&mut self, bots: &[usize], places: &[u8]) {
        if let (&[first, second], &[a, b]) = (bots, places) {
            let result = PairResult::from_ranks(a.into(), b.into());
            (self.ratings[first], self.ratings[second]) = rate_game(
                &self.ratings[first],
                &self.ratings[second],
                result,
                &Glicko2Params::FROZEN,
            );
            return;
        }
        let before: Vec<Glicko2Rating> = bots.iter().map(|&bot| self.ratings[bot]).collect();
        let ranks: Vec<u32> = places.iter().map(|&place| place.into()).collect();
        let after = rate_ranking(&before, &ranks, &Glicko2Params::FROZEN);
        for (&bot, rating) in bots.iter().zip(after.unwrap_or(before)) {
            self.ratings[bot] = rating;
        }
    }

    /// Blocks so far.
    pub(super) fn n_blocks(&self) -> u64 {
        self.n_blocks
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

    /// Draws the line-ups of the next wave from the bots that are in.
    pub(super) fn draw_wave(
        &self,
        active: &[bool],
        n_seats: usize,
        floor: u64,
        n_blocks: u64,
        rng: &mut Rng,
    ) -> Vec<Vec<usize>> {
        let mut counts = self.together.clone();
        let n = self.ratings.len();
        let mut weights = lineup_weights(&self.ratings, n_seats);
        weights.retain(|lineup| lineup.players.iter().all(|&bot| active[bot]));
        let mut wave = Vec::new();
        let mut forced = Vec::new();
        // Counts only grow: once all pairs have met often enough, they have.
        let mut is_below = true;
        for _ in 0..n_blocks {
            if is_below {
                let rarest: Vec<u64> = weights
                    .iter()
                    .map(|lineup| rarest_pair(&lineup.players, |a, b| counts[a * n + b]))
                    .collect();
                is_below = rarest.iter().any(|&n| n < floor);
                forced.clone_from(&weights);
                force_floor(&mut forced, &rarest, floor);
            }
            let lineups = if is_below { &forced } else { &weights };
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
