//! Ratings from results.

use hegemon_arena::ratings::RatingFitParams;
use hegemon_arena::ratings::plackett_luce::{RankingTable, fit};
use pyo3::prelude::*;

use crate::errors::{invalid, sentence};

/// The most players: the fit keeps a number for every pair.
const MAX_PLAYERS: usize = 2000;

/// Fits Elo ratings to rankings (Plackett and Luce). Every game is a list of players and a
/// list of their places. Returns rating, and low and high end of its 95 % interval, by player.
#[pyfunction]
#[pyo3(signature = (n_players, games, *, prior_draws=1.0))]
pub(crate) fn fit_rankings(
    py: Python<'_>,
    n_players: usize,
    games: Vec<(Vec<usize>, Vec<u32>)>,
    prior_draws: f64,
) -> PyResult<Vec<(f64, f64, f64)>> {
    if n_players > MAX_PLAYERS {
        return Err(invalid(format!(
            "at most {MAX_PLAYERS} players can be rated together, not {n_players}"
        )));
    }
    py.detach(|| {
        let mut table = RankingTable::new(n_players);
        for (players, places) in &games {
            table.record(players, places).map_err(sentence)?;
        }
        let fitted = fit(&table, &RatingFitParams { prior_draws }).map_err(sentence)?;
        let rows = (0..n_players).map(|player| {
            let interval = fitted.interval95(player);
            (fitted.elo()[player], interval.low, interval.high)
        });
        Ok(rows.collect())
    })
}
