//! Exact odds of battles.

use hegemon_core::battle::{BattleLaw, MAX_FIGHTERS, chain};
use pyo3::prelude::*;

use crate::errors::{invalid, sentence};
use crate::rules::RulesArg;

/// The most armies of a question: beyond it an answer would take minutes.
const MAX_ARMIES: u32 = 20_000;

fn law_of(rules: Option<&RulesArg<'_>>) -> PyResult<BattleLaw> {
    let Some(rules) = rules else {
        return Ok(BattleLaw::default());
    };
    Ok(rules.rules()?.battle.law())
}

fn check_size(armies: &[u32]) -> PyResult<()> {
    match armies.iter().find(|&&n| n > MAX_ARMIES) {
        Some(n) => Err(invalid(format!(
            "a battle has at most {MAX_ARMIES} armies on a side, not {n}"
        ))),
        None => Ok(()),
    }
}

/// How a battle ends, exactly.
#[pyclass(name = "Odds", module = "hegemon", frozen, get_all)]
pub(crate) struct PyOdds {
    /// The chance that the attacker wins.
    win: f64,
    /// The mean losses of the attacker and of the defender.
    losses: (f64, f64),
    /// Every end: fighters left, defenders left, probability.
    ends: Vec<(u32, u32, f64)>,
    fighters: u32,
    defenders: u32,
}

#[pymethods]
impl PyOdds {
    fn __repr__(&self) -> String {
        format!(
            "Odds({} v {}: win {:.6}, mean losses {:.3} and {:.3})",
            self.fighters, self.defenders, self.win, self.losses.0, self.losses.1
        )
    }
}

/// The odds of a battle fought to the end. `fighters` are the attacking armies without the
/// one that stays behind.
///
/// >>> round(odds(5, 4).win, 6)
/// 0.638295
#[pyfunction]
#[pyo3(signature = (fighters, defenders, *, rules=None, reserve=0))]
pub(crate) fn odds(
    py: Python<'_>,
    fighters: u32,
    defenders: u32,
    rules: Option<RulesArg<'_>>,
    reserve: u32,
) -> PyResult<PyOdds> {
    check_size(&[fighters, defenders])?;
    let law = law_of(rules.as_ref())?;
    Ok(py.detach(|| {
        let distribution = law.distribution_until(fighters, defenders, reserve);
        let ends = distribution.outcomes().iter();
        PyOdds {
            win: distribution.win(),
            losses: distribution.expected_losses(),
            ends: ends
                .map(|end| (end.fighters, end.defenders, end.probability))
                .collect(),
            fighters,
            defenders,
        }
    }))
}

/// How a chain of conquests goes, exactly.
#[pyclass(name = "ChainOdds", module = "hegemon", frozen, get_all)]
pub(crate) struct PyChainOdds {
    /// The chance to conquer all.
    success: f64,
    /// The chance to conquer at least the first n, for every n from 0.
    prefixes: Vec<f64>,
    /// The chance to conquer all with exactly n fighters left, for every n from 0.
    survivors: Vec<f64>,
}

#[pymethods]
impl PyChainOdds {
    fn __repr__(&self) -> String {
        format!(
            "ChainOdds({} territories: success {:.6})",
            self.prefixes.len() - 1,
            self.success
        )
    }
}

/// The odds of conquering territories one after another, leaving garrisons (one army in each
/// by default).
///
/// >>> chain_odds(8, [2, 2]).success > chain_odds(8, [2, 2], garrisons=[3]).success
/// True
#[pyfunction]
#[pyo3(signature = (fighters, defenders, *, garrisons=vec![], rules=None))]
pub(crate) fn chain_odds(
    py: Python<'_>,
    fighters: u32,
    defenders: Vec<u32>,
    garrisons: Vec<u32>,
    rules: Option<RulesArg<'_>>,
) -> PyResult<PyChainOdds> {
    check_size(&[fighters])?;
    check_size(&defenders)?;
    let law = law_of(rules.as_ref())?;
    let found = py
        .detach(|| chain(law, fighters, &defenders, &garrisons))
        .map_err(sentence)?;
    Ok(PyChainOdds {
        success: found.success(),
        prefixes: (0..=defenders.len()).map(|n| found.prefix(n)).collect(),
        survivors: found.survivors().to_vec(),
    })
}

/// The fewest fighters that win with at least this chance.
///
/// >>> smallest_force(10, 0.5)
/// 10
#[pyfunction]
#[pyo3(signature = (defenders, chance, *, rules=None))]
pub(crate) fn smallest_force(
    py: Python<'_>,
    defenders: u32,
    chance: f64,
    rules: Option<RulesArg<'_>>,
) -> PyResult<u32> {
    check_size(&[defenders.min(MAX_FIGHTERS)])?;
    let law = law_of(rules.as_ref())?;
    py.detach(|| law.smallest_force(defenders, chance))
        .map_err(sentence)
}
