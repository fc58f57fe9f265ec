//! Exact odds of battles.

use hegemon_core::battle::{BattleLaw, BattleMode, MAX_FIGHTERS, chain};
use pyo3::prelude::*;

use crate::errors::{invalid, sentence};
use crate::rules::RulesArg;
use crate::watch::aside;

/// Pairs of fighters and defenders that are computed without listening for Ctrl-C: milliseconds.
const FEW_PAIRS: u64 = 1 << 20;

/// The most pairs of a chain: beyond it an answer would take longer than half a minute.
const MAX_PAIRS: u64 = 10 * (MAX_FIGHTERS as u64).pow(2);

fn law_of(rules: Option<&RulesArg<'_>>) -> PyResult<BattleLaw> {
    let Some(rules) = rules else {
        return Ok(BattleLaw::default());
    };
    Ok(rules.rules()?.battle.law())
}

fn check_size(armies: &[u32]) -> PyResult<()> {
    match armies.iter().find(|&&n| n > MAX_FIGHTERS) {
        Some(n) => Err(invalid(format!(
            "a battle has at most {MAX_FIGHTERS} armies on a side, not {n}"
        ))),
        None => Ok(()),
    }
}

/// Answers a question of this many pairs, while other threads of Python run.
fn answer<T: Send + 'static>(
    py: Python<'_>,
    n_pairs: u64,
    question: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if n_pairs <= FEW_PAIRS {
        Ok(py.detach(question))
    } else {
        aside(py, question)
    }
}

fn chain_pairs(law: BattleLaw, fighters: u32, defenders: &[u32]) -> u64 {
    let defenders: u64 = defenders.iter().copied().map(u64::from).sum();
    let n_pairs = u64::from(fighters) * defenders;
    match law.mode {
        BattleMode::Sequential | BattleMode::Groups => n_pairs,
        // Every likely number of fighters is a battle of its own; about one in 64 is likely.
        BattleMode::Balanced => n_pairs.saturating_mul(u64::from(fighters / 64).max(1)),
    }
}

type Ends = Vec<(u32, u32, f64)>;

/// The parts of [`PyOdds`], and what makes it of them.
type Reduced<'py> = (Bound<'py, PyAny>, (u32, u32, f64, (f64, f64), Ends));

/// How a battle ends, exactly.
#[pyclass(name = "Odds", module = "hegemon", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct PyOdds {
    /// The chance that the attacker wins.
    win: f64,
    /// The mean losses of the attacker and of the defender.
    losses: (f64, f64),
    /// Every end: fighters left, defenders left, probability.
    ends: Ends,
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

    /// How `pickle` makes it again.
    #[staticmethod]
    fn _of(fighters: u32, defenders: u32, win: f64, losses: (f64, f64), ends: Ends) -> PyOdds {
        PyOdds {
            win,
            losses,
            ends,
            fighters,
            defenders,
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let maker = py.get_type::<PyOdds>().getattr("_of")?;
        let ends = self.ends.clone();
        let parts = (self.fighters, self.defenders, self.win, self.losses, ends);
        Ok((maker, parts))
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
    let n_pairs = u64::from(fighters) * u64::from(defenders);
    answer(py, n_pairs, move || {
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
    })
}

/// The parts of [`PyChainOdds`], and what makes it of them.
type ReducedChain<'py> = (Bound<'py, PyAny>, (f64, Vec<f64>, Vec<f64>));

/// How a chain of conquests goes, exactly.
#[pyclass(name = "ChainOdds", module = "hegemon", frozen, get_all, eq)]
#[derive(PartialEq)]
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

    /// How `pickle` makes it again.
    #[staticmethod]
    fn _of(success: f64, prefixes: Vec<f64>, survivors: Vec<f64>) -> PyChainOdds {
        PyChainOdds {
            success,
            prefixes,
            survivors,
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<ReducedChain<'py>> {
        let maker = py.get_type::<PyChainOdds>().getattr("_of")?;
        let parts = (self.success, self.prefixes.clone(), self.survivors.clone());
        Ok((maker, parts))
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
    let (n_battles, n_pairs) = (defenders.len(), chain_pairs(law, fighters, &defenders));
    if n_pairs > MAX_PAIRS {
        return Err(invalid(format!(
            "a chain of {n_battles} battles with {fighters} fighters would take more than half a minute; ask for fewer armies"
        )));
    }
    let found = answer(py, n_pairs, move || {
        chain(law, fighters, &defenders, &garrisons)
    })?;
    let found = found.map_err(sentence)?;
    Ok(PyChainOdds {
        success: found.success(),
        prefixes: (0..=n_battles).map(|n| found.prefix(n)).collect(),
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
    check_size(&[defenders])?;
    let law = law_of(rules.as_ref())?;
    let n_pairs = u64::from(defenders).pow(2);
    answer(py, n_pairs, move || law.smallest_force(defenders, chance))?.map_err(sentence)
}
