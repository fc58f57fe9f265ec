//! What a position and a move are worth: luck and skill of a record, hints, chances by
//! rollouts, campaigns, threat.

use std::collections::BTreeSet;

use hegemon_analysis::{
    AnalysisParams, Campaign, CampaignGoal, CampaignOdds, Level, analyze, hints, threat,
};
use hegemon_bots::{Judge, Stop};
use hegemon_core::{State, TerritoryId};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{invalid, sentence};
use crate::map::{TerritoryArg, unknown};
use crate::record::PyRecord;
use crate::state::{PyState, seat_of};
use crate::watch::{Watch, n_threads};

/// The most rollouts of a question.
const MAX_ROLLOUTS: u32 = 1_000_000;

fn level_of(level: &str) -> PyResult<Level> {
    level.parse().map_err(sentence)
}

fn check_rollouts(n: u32) -> PyResult<()> {
    if (1..=MAX_ROLLOUTS).contains(&n) {
        Ok(())
    } else {
        Err(invalid(format!(
            "there are 1 to {MAX_ROLLOUTS} rollouts, not {n}"
        )))
    }
}

/// Asks a judge of the state's game; Ctrl-C ends it.
fn judged<T: Send>(
    py: Python<'_>,
    state: &State,
    question: impl FnOnce(&Judge, &Stop) -> T + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    let judge = Judge::new(state.game(), &stop).map_err(sentence)?;
    let mut watch = Watch::new(None);
    let answer = py.detach(|| watch.over(&stop, |_| question(&judge, &stop)));
    watch.end::<T, String>(Ok(answer))
}

/// Analyses a record, and returns it as JSON.
#[pyfunction]
#[pyo3(signature = (record, *, level="normal", seed=1, threads=None, progress=None))]
pub(crate) fn analyze_record(
    py: Python<'_>,
    record: PyRef<'_, PyRecord>,
    level: &str,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let stop = Stop::new();
    let params = AnalysisParams {
        level: level_of(level)?,
        n_threads: n_threads(threads),
        seed,
        stop: stop.clone(),
        // A record does not tell.
        stand_ins: BTreeSet::new(),
    };
    let record = record.record();
    let mut watch = Watch::new(progress);
    let found = py.detach(|| watch.over(&stop, |tell| analyze(record, &params, tell)));
    let found = watch.end(found)?;
    serde_json::to_string(&found).map_err(sentence)
}

/// The best plans of a decision, as JSON.
#[pyfunction]
#[pyo3(signature = (state, *, level="normal", plans=3, seed=1))]
pub(crate) fn hint_at(
    py: Python<'_>,
    state: PyRef<'_, PyState>,
    level: &str,
    plans: usize,
    seed: u64,
) -> PyResult<String> {
    let level = level_of(level)?;
    if !(1..=20).contains(&plans) {
        return Err(invalid(format!("there are 1 to 20 plans, not {plans}")));
    }
    let state = state.state();
    let found = judged(py, state, |judge, _| {
        hints(judge, state, &judge.strangers(), level, plans, seed)
    })?;
    let found = found.ok_or_else(|| invalid("the position waits for no decision of a player"))?;
    serde_json::to_string(&found).map_err(sentence)
}

/// The chance of every seat to win, by rollouts, and their standard errors.
///
/// >>> state = Game("duel6", "sampling", players=2).deal(1)
/// >>> chances, errors = rollouts(state, 20)
/// >>> round(sum(chances), 6), len(errors)
/// (1.0, 2)
#[pyfunction]
#[pyo3(signature = (state, n=200, *, seed=1))]
pub(crate) fn rollouts(
    py: Python<'_>,
    state: PyRef<'_, PyState>,
    n: u32,
    seed: u64,
) -> PyResult<(Vec<f64>, Vec<f64>)> {
    check_rollouts(n)?;
    let state = state.state();
    let found = judged(py, state, |judge, _| {
        judge.rollouts(state, &judge.strangers(), n, seed)
    })?;
    let n_players = state.game().n_players();
    let by_seat = |values: &[f64]| values[..n_players].to_vec();
    Ok((
        by_seat(found.chances.as_slice()),
        by_seat(found.errors.as_slice()),
    ))
}

/// What a campaign takes: a continent by its name, all that a seat owns, or territories in
/// order.
#[derive(FromPyObject)]
pub(crate) enum TakeArg {
    Seat(usize),
    Continent(String),
    Route(Vec<TerritoryArg>),
}

impl TakeArg {
    fn goal(&self, state: &State) -> PyResult<CampaignGoal> {
        let map = state.game().map();
        match self {
            TakeArg::Seat(seat) => Ok(CampaignGoal::Player(seat_of(state, *seat)?)),
            TakeArg::Continent(name) => {
                let same = |c: &_| map.continent_name(*c).eq_ignore_ascii_case(name.trim());
                let found = map.continents().find(same);
                found.map(CampaignGoal::Continent).ok_or_else(|| {
                    let names: Vec<&str> =
                        map.continents().map(|c| map.continent_name(c)).collect();
                    unknown("continent", name, &names)
                })
            }
            TakeArg::Route(route) => {
                let ids = route.iter().map(|territory| territory.id(map));
                Ok(CampaignGoal::Route(ids.collect::<PyResult<_>>()?))
            }
        }
    }
}

/// The odds of a campaign, as JSON.
#[pyfunction]
#[pyo3(signature = (state, take, *, source=None, garrison=1, armies=None, need=None))]
pub(crate) fn campaign_odds(
    py: Python<'_>,
    state: PyRef<'_, PyState>,
    take: TakeArg,
    source: Option<TerritoryArg>,
    garrison: u32,
    armies: Option<u32>,
    need: Option<f64>,
) -> PyResult<String> {
    let state = state.state();
    let from = match source {
        Some(source) => source.id(state.game().map())?,
        None => largest_stack(state)?,
    };
    let goal = take.goal(state)?;
    let found = py.detach(|| {
        let mut campaign = Campaign::new(state, from, &goal, garrison)?;
        if let Some(armies) = armies {
            campaign = campaign.with_armies(armies);
        }
        if let Some(chance) = need {
            let armies = campaign.armies_for(chance)?;
            campaign = campaign.with_armies(armies);
        }
        campaign.odds()
    });
    let found = found.map_err(|error: hegemon_analysis::CampaignError| sentence(error))?;
    Ok(campaign_json(from, &found).to_string())
}

fn largest_stack(state: &State) -> PyResult<TerritoryId> {
    let own = state.board().owned(state.player());
    let largest = own.iter().max_by_key(|t| state.board().armies(*t));
    largest.ok_or_else(|| invalid("the player to move owns nothing; say where it begins"))
}

fn campaign_json(from: TerritoryId, odds: &CampaignOdds) -> Value {
    let step = |step: &hegemon_analysis::CampaignStep| {
        json!({
            "territory": step.territory.index(),
            "source": step.from.index(),
            "defenders": step.defenders,
            "moves_on": step.moves_on,
            "garrison": step.garrison,
            "taken": step.taken,
        })
    };
    json!({
        "source": from.index(),
        "armies": odds.armies,
        "chance": odds.chance,
        "is_exact": odds.is_exact,
        "losses": odds.losses,
        "by_armies": odds.by_armies,
        "steps": odds.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

/// The chance that each territory of a seat holds until its next turn: its number, the
/// chance, and the ends of the 95 % interval.
#[pyfunction]
#[pyo3(signature = (state, *, seat=None, rollouts=1000, seed=1))]
pub(crate) fn threat_to(
    py: Python<'_>,
    state: PyRef<'_, PyState>,
    seat: Option<usize>,
    rollouts: u32,
    seed: u64,
) -> PyResult<Vec<(usize, f64, f64, f64)>> {
    check_rollouts(rollouts)?;
    let state = state.state();
    let seat = seat.map_or(Ok(state.player()), |seat| seat_of(state, seat))?;
    let found = judged(py, state, |judge, stop| {
        threat(judge, state, seat, &judge.strangers(), rollouts, seed, stop)
    })?;
    let tuple = |held: &hegemon_analysis::Held| {
        let [low, high] = held.ci95;
        (held.territory.index(), held.chance, low, high)
    };
    Ok(found.held.iter().map(tuple).collect())
}
