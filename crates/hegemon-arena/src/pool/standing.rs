//! The standing of a pool: ratings with intervals, cross table, p-values.

use std::collections::{BTreeMap, BTreeSet};

use hegemon_bots::titles;
use hegemon_core::PlayerId;
use hegemon_record::Program;
use serde::Serialize;

use super::schedule::RatingState;
use super::store::{Pool, PoolError};
use crate::played::Played;
use crate::ratings::pairing::p_value;
use crate::ratings::plackett_luce::{RankingTable, fit};
use crate::ratings::{RatingFitError, RatingFitParams};

/// The standing of a pool.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The programs that played.
    pub programs: Vec<Program>,
    /// Games in the store.
    pub games: u64,
    /// The bots, best first.
    pub rows: Vec<RatedBot>,
    /// Head-to-head results, in the order of the rows.
    pub cross: Vec<Vec<HeadToHead>>,
    /// One-sided p-value that the row's Glicko rating is above the column's
    /// only by chance (the paper's Table 2).
    pub p_values: Vec<Vec<f64>>,
    /// Likelihood that the row is stronger than the column, from the
    /// covariance of the batch fit.
    pub superiority: Vec<Vec<f64>>,
    /// Games by how they ended.
    pub endings: BTreeMap<String, u64>,
}

/// A bot of the standing.
#[derive(Clone, Debug, Serialize)]
pub struct RatedBot {
    pub spec: String,
    /// What tables call it, see [`hegemon_bots::titles`].
    pub title: String,
    /// Games played.
    pub games: u64,
    /// Share of the wins.
    pub share: f64,
    /// Mean placement.
    pub mean_place: f64,
    /// Games lost by forfeit.
    pub forfeits: u64,
    /// Rating from all games at once (Plackett-Luce; Bradley-Terry for two),
    /// mean 0.
    pub elo: f64,
    /// Its 95 % interval.
    pub elo_ci95: [f64; 2],
    /// Glicko rating as in the paper.
    pub glicko: f64,
    pub deviation: f64,
}

/// Games of a row with a column.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct HeadToHead {
    /// Games in which both took part.
    pub games: u64,
    /// Points of the row: 1 for placing above the column, 1/2 for a tie.
    pub points: f64,
}

impl Pool {
    /// The standing by what is stored now.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn standing(&self) -> Result<Standing, PoolError> {
        let (specs, active) = (self.specs()?, self.active()?);
        let (n, titles) = (specs.len(), titles(&specs));
        let mut sums = Sums::new(n);
        let mut programs = BTreeSet::new();
        for block in self.blocks()? {
            // Games with a bot that was taken out do not count.
            if !block.lineup.iter().all(|&bot| active[bot]) {
                continue;
            }
            sums.rating_state.add(&block);
            for (bots, game) in block.seated() {
                sums.add(&bots, game);
            }
            programs.insert(block.block.program);
        }
        let fitted = fit(&sums.rankings, &RatingFitParams::default()).map_err(no_ratings)?;
        let mut best: Vec<usize> = (0..n).filter(|&bot| active[bot]).collect();
        best.sort_by(|&a, &b| fitted.elo()[b].total_cmp(&fitted.elo()[a]));
        let ratings = sums.rating_state.ratings();
        let row = |&bot: &usize| {
            let interval = fitted.interval95(bot);
            let games = sums.games[bot];
            RatedBot {
                spec: specs[bot].to_string(),
                title: titles[bot].clone(),
                games,
                share: sums.scores[bot] / games.max(1) as f64,
                mean_place: sums.places[bot] / games.max(1) as f64,
                forfeits: sums.forfeits[bot],
                elo: fitted.elo()[bot],
                elo_ci95: [interval.low, interval.high],
                glicko: ratings[bot].rating,
                deviation: ratings[bot].deviation,
            }
        };
        let table = |cell: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            best.iter()
                .map(|&a| best.iter().map(|&b| cell(a, b)).collect())
                .collect()
        };
        Ok(Standing {
            programs: programs.into_iter().collect(),
            games: sums.n_games,
            rows: best.iter().map(row).collect(),
            cross: best
                .iter()
                .map(|&a| best.iter().map(|&b| sums.cells[a * n + b]).collect())
                .collect(),
            p_values: table(&|a, b| p_value(&ratings[a], &ratings[b])),
            superiority: table(&|a, b| fitted.los(a, b)),
            endings: sums.endings,
        })
    }
}

fn no_ratings(error: RatingFitError) -> PoolError {
    PoolError::Ratings(error.to_string())
}

struct Sums {
    n_games: u64,
    rating_state: RatingState,
    rankings: RankingTable,
    games: Vec<u64>,
    scores: Vec<f64>,
    places: Vec<f64>,
    forfeits: Vec<u64>,
    cells: Vec<HeadToHead>,
    endings: BTreeMap<String, u64>,
}

impl Sums {
    fn new(n: usize) -> Sums {
        Sums {
            n_games: 0,
            rating_state: RatingState::new(n),
            rankings: RankingTable::new(n),
            games: vec![0; n],
            scores: vec![0.0; n],
            places: vec![0.0; n],
            forfeits: vec![0; n],
            cells: vec![HeadToHead::default(); n * n],
            endings: BTreeMap::new(),
        }
    }

    fn add(&mut self, bots: &[usize], game: &Played) {
        self.n_games += 1;
        *self
            .endings
            .entry(game.termination.name().to_owned())
            .or_default() += 1;
        let ranks: Vec<u32> = game.places.iter().map(|&place| u32::from(place)).collect();
        // Line-ups come from the pool itself, so every number is known.
        let recorded = self.rankings.record(bots, &ranks);
        debug_assert!(recorded.is_ok());
        if let Some(loser) = game.termination.loser() {
            self.forfeits[bots[loser.index()]] += 1;
        }
        let n = self.games.len();
        for (seat, &bot) in bots.iter().enumerate() {
            self.games[bot] += 1;
            self.scores[bot] += game.score(PlayerId::new(seat));
            self.places[bot] += f64::from(game.places[seat]);
            for (other_seat, &other) in bots.iter().enumerate().filter(|&(s, _)| s != seat) {
                let cell = &mut self.cells[bot * n + other];
                cell.games += 1;
                cell.points += match game.places[seat].cmp(&game.places[other_seat]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
    }
}
