//! The native half of the Python package `hegemon`: `python/` has the other half, the tests
//! and the documentation.
//!
//! Values of the Rust crates are wrapped one to one; reports cross as JSON, which they have
//! anyway. The interpreter is released while games are played.
#![allow(
    clippy::needless_pass_by_value,
    reason = "PyO3 hands arguments over by value"
)]

mod analysis;
mod board_svg;
mod bots;
mod dataset;
mod env;
mod errors;
mod game;
mod lab;
mod map;
mod matches;
mod moves;
mod odds;
mod ratings;
mod record;
mod rules;
mod state;
mod training;
mod value;
mod view;
mod watch;

/// The module `hegemon._hegemon`.
#[pyo3::pymodule]
mod _hegemon {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::{analyze_record, campaign_odds, hint_at, rollouts, threat_to};
    #[pymodule_export]
    use crate::bots::{PyBot, registry};
    #[pymodule_export]
    use crate::dataset::{join_datasets, read_dataset, write_dataset};
    #[pymodule_export]
    use crate::env::{PyBatch, PyEpisode, PySteps, encoding};
    #[pymodule_export]
    use crate::errors::{HegemonError, IllegalMoveError};
    #[pymodule_export]
    use crate::game::PyGame;
    #[pymodule_export]
    use crate::lab::{experiments, lab_cell, lab_report, run_lab, solved_endings};
    #[pymodule_export]
    use crate::map::PyMap;
    #[pymodule_export]
    use crate::matches::{
        match_part, match_size, merge_match, play, play_jobs, play_match, run_pool, serve, sprt,
        standing,
    };
    #[pymodule_export]
    use crate::moves::PyMove;
    #[pymodule_export]
    use crate::odds::{PyChainOdds, PyOdds, chain_odds, odds, smallest_force};
    #[pymodule_export]
    use crate::ratings::fit_rankings;
    #[pymodule_export]
    use crate::record::PyRecord;
    #[pymodule_export]
    use crate::rules::PyRules;
    #[pymodule_export]
    use crate::state::{PyChance, PyState};
    #[pymodule_export]
    use crate::training::{draft_lines, play_beam_games, train_beam, train_draft};
    #[pymodule_export]
    use crate::value::PyValue;
    #[pymodule_export]
    use crate::view::PyView;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        hegemon_record::Program::announce(hegemon_record::Program {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: option_env!("HEGEMON_COMMIT").map(Into::into),
            signature: include_str!("../../hegemon/SIGNATURE").trim().parse().ok(),
        });
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
