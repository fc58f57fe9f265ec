//! The attack phase searched with goals (paper 001, Lozano and Bratz).
//!
//! A [`Goal`] proposes attacks and plays them by default; `phase.rs` makes one
//! attack phase with one goal a game of `hegemon-search`; [`Valuation`] says what
//! a state is worth where the attacks end; [`GoalBot`] grows one tree a goal and
//! executes the best.

mod ahead;
mod aim;
mod bot;
mod other_phases;
mod phase;
mod planner;
#[cfg(test)]
mod tests;
mod value;

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::{fnv1a, mix};
use hegemon_eval::{Contest, ContestWeights};
use hegemon_search::Budget;

pub use aim::{Goal, GoalKinds};
pub use bot::GoalBot;
pub use planner::{Battles, Eval, GoalParams};
pub use value::Valuation;

use crate::bot::{Bot, Seating};
use crate::loader::Grants;
use crate::registry::{self, BotInfo, Parameter};
use crate::spec::{Spec, SpecError};

/// Who plays the other phases where no base is named: the strongest Lux bot of
/// our arena.
const BASE: &str = "killbot";

/// The weights of the learned evaluation.
const WEIGHTS: &str = "contest-lux";

/// The bot of paper 001.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "goal-uct",
    about: "searches the attack phase with one tree a goal, a base bot for the rest",
    source: "paper 001",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "base",
        default: BASE,
        about: "spec of the bot that plays the phases not searched",
    },
    Parameter {
        name: "iters",
        default: "30",
        about: "iterations of each goal's tree; reproducible",
    },
    Parameter {
        name: "ms",
        default: "off",
        about: "wall time a turn in place of iters; not reproducible",
    },
    Parameter {
        name: "c",
        default: "0.1",
        about: "exploration: value + c * sqrt(2 ln N / n)",
    },
    Parameter {
        name: "goals",
        default: "all",
        about: "continent+eliminate+deny+card or some of them; all",
    },
    Parameter {
        name: "battles",
        default: "exact",
        about: "exact (means over the exact law) or sampled (the paper)",
    },
    Parameter {
        name: "phases",
        default: "all",
        about: "what is decided by search: attack (the paper) or all, placement and fortify too",
    },
    Parameter {
        name: "eval",
        default: "learned",
        about: "value of a state: income (the paper), held or learned",
    },
    Parameter {
        name: "weights",
        default: WEIGHTS,
        about: "name or path of the contest weights of eval=learned",
    },
    Parameter {
        name: "odds",
        default: "0.5",
        about: "least odds at which goals propose attacks",
    },
    Parameter {
        name: "gain",
        default: "0",
        about: "what a goal must gain over stopping, in thousandths of the value's range",
    },
    Parameter {
        name: "ahead",
        default: "32",
        about: "times that each candidate is played on to the next turn before one is chosen; 0: never (the paper)",
    },
    Parameter {
        name: "compare",
        default: "4",
        about: "candidates that are played on, those with the best trees",
    },
    Parameter {
        name: "horizon",
        default: "1",
        about: "rounds that are played on",
    },
    Parameter {
        name: "rivals",
        default: "base",
        about: "who the others are taken for in looks ahead: names joined by +, one drawn for each; base: the base",
    },
    Parameter {
        name: "threads",
        default: "1",
        about: "threads that grow trees; changes nothing under iters",
    },
];

fn build(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let base: Spec = spec.value("base").unwrap_or(BASE).parse()?;
    // A stream of its own: searching more must not change the base's draws.
    let base_seating = Seating {
        seed: mix(seating.seed ^ fnv1a(b"goal base")),
        ..*seating
    };
    let params = params(spec, base.clone(), seating.grants)?;
    for rival in params.rivals.iter().filter(|rival| **rival != base) {
        registry::check(rival, seating.game, seating.grants)?;
    }
    let base = registry::build(&base, &base_seating)?;
    Ok(Box::new(GoalBot::new(params, base, seating.rng())))
}

fn params(spec: &Spec, base: Spec, grants: &Grants) -> Result<GoalParams, SpecError> {
    let budget = match spec.value("ms") {
        None | Some("off") => Budget::Iterations(spec.number("iters", 30, 1..=100_000_000)?),
        Some(_) if spec.value("iters").is_some() => {
            return Err(spec.bad_value("ms", "either ms or iters, not both"));
        }
        Some(_) => Budget::Time(Duration::from_millis(spec.number(
            "ms",
            1000,
            1..=3_600_000,
        )?)),
    };
    let goals = spec.value("goals").unwrap_or("all");
    let goals = GoalKinds::parse(goals)
        .ok_or_else(|| spec.bad_value("goals", "all, or some of continent+eliminate+deny+card"))?;
    let battles = match spec.value("battles") {
        None | Some("exact") => Battles::Exact,
        Some("sampled") => Battles::Sampled,
        Some(_) => return Err(spec.bad_value("battles", "exact or sampled")),
    };
    let eval = match spec.value("eval") {
        Some("income") => Eval::Income,
        Some("held") => Eval::Held,
        None | Some("learned") => Eval::Learned(Arc::new(contest(spec, grants)?)),
        Some(_) => return Err(spec.bad_value("eval", "income, held or learned")),
    };
    let all_phases = match spec.value("phases") {
        None | Some("all") => true,
        Some("attack") => false,
        Some(_) => return Err(spec.bad_value("phases", "attack or all")),
    };
    Ok(GoalParams {
        all_phases,
        budget,
        exploration: spec.number("c", 0.1, 0.0..=1000.0)?,
        goals,
        battles,
        eval,
        odds: spec.number("odds", 0.5, 0.0..=1.0)?,
        gain: spec.number("gain", 0.0, -1000.0..=1000.0)? / 1000.0,
        ahead: spec.number("ahead", 32, 0..=1_000_000)?,
        n_compared: spec.number("compare", 4, 1..=1000)?,
        horizon: spec.number("horizon", 1, 1..=1000)?,
        rivals: rivals(spec, &base)?,
        base,
        grants: grants.clone(),
        threads: spec.number("threads", 1, 1..=256)?,
    })
}

/// The bots that the others may be: the base, or those that are named.
fn rivals(spec: &Spec, base: &Spec) -> Result<Vec<Spec>, SpecError> {
    match spec.value("rivals") {
        None | Some("base") => Ok(vec![base.clone()]),
        Some(names) => names.split('+').map(str::parse).collect(),
    }
}

fn contest(spec: &Spec, grants: &Grants) -> Result<Contest, SpecError> {
    let name = spec.value("weights").unwrap_or(WEIGHTS);
    let weights = ContestWeights::load(name, &|path| grants.weights(path))
        .map_err(|error| spec.bad_value("weights", &error.to_string()))?;
    Ok(Contest::new(&weights))
}
