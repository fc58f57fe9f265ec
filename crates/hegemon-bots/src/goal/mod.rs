//! The attack phase searched with goals (Lozano and Bratz 2012;
//! docs/spec/goals.md 2).
//!
//! A [`Goal`] proposes attacks and has a default strategy; `phase.rs` turns one
//! attack phase with one goal into a domain of `hegemon-search`; [`Valuation`]
//! gives the value of a state after the attacks; [`GoalBot`] grows one tree per
//! goal and executes the best.

mod bot;
mod goals;
mod lookahead;
mod phase;
mod place_and_fortify;
mod planner;
#[cfg(test)]
mod tests;
mod value;

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::{fnv1a, mix};
use hegemon_eval::{WinShareModel, WinShareWeights};
use hegemon_search::Budget;

pub use bot::GoalBot;
pub use goals::{Goal, GoalKinds};
pub use planner::{Battles, Eval, GoalParams};
pub use value::Valuation;

use crate::bot::{Bot, Seating};
use crate::loader::Grants;
use crate::parameter::{Cost, Parameter};
use crate::registry::{self, BotInfo};
use crate::search::MAX_THREADS;
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};

/// The bot of Lozano and Bratz 2012.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "goal-uct",
    about: "searches with one tree a goal; the defaults are ours (all phases, learned values), the paper searched the attack phase alone",
    source: "Lozano and Bratz 2012",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    // The strongest Lux bot of our arena.
    Parameter::bot(
        "base",
        "killbot",
        "spec of the bot that plays the phases not searched",
    ),
    Parameter::whole(
        "iters",
        "30",
        (1, 100_000_000),
        "iterations of each goal's tree; reproducible",
    )
    .costs(Cost::Budget(1.0)),
    Parameter::whole(
        "ms",
        "off",
        (1, 3_600_000),
        "wall time a turn in place of iters; not reproducible",
    )
    .or(&["off"])
    .costs(Cost::Budget(20.0)),
    Parameter::real(
        "c",
        "0.1",
        (0.0, 1000.0),
        "exploration: value + c * sqrt(2 ln N / n)",
    ),
    Parameter::words(
        "goals",
        GoalKinds::NAMES,
        "continent+eliminate+deny+card or some of them; all",
    ),
    Parameter::word(
        "battles",
        &["exact", "sampled"],
        "exact (means over the exact law) or sampled (the paper)",
    ),
    Parameter::word(
        "phases",
        &["all", "attack"],
        "what is decided by search: attack (the paper) or all, placement and fortify too",
    ),
    Parameter::word(
        "eval",
        &["learned", "income", "held"],
        "value of a state: income (the paper), held or learned",
    ),
    Parameter::weights(
        "weights",
        "contest-lux",
        || WinShareWeights::builtin_names().to_vec(),
        "name or path of the contest weights of eval=learned",
    ),
    Parameter::real(
        "odds",
        "0.5",
        (0.0, 1.0),
        "least odds at which goals propose attacks",
    ),
    Parameter::real(
        "gain",
        "0",
        (-1000.0, 1000.0),
        "what a goal must gain over stopping, in thousandths of the value's range",
    ),
    Parameter::whole(
        "ahead",
        "32",
        (0, 1_000_000),
        "times that each candidate is played on to the next turn before one is chosen; 0: never (the paper)",
    )
    .costs(Cost::Times(1.0)),
    Parameter::whole(
        "compare",
        "4",
        (1, 1000),
        "candidates that are played on, those with the best trees",
    )
    .costs(Cost::Times(1.0)),
    Parameter::whole("horizon", "1", (1, 1000), "rounds that are played on")
        .costs(Cost::Times(1.0)),
    Parameter::bots(
        "rivals",
        "base",
        "who the others are taken for in looks ahead: names joined by +, one drawn for each; base: the base",
    )
    .or(&["base"])
    .costs(ROUND),
    Parameter::whole(
        "threads",
        "1",
        (1, MAX_THREADS),
        "threads that grow trees; changes nothing under iters",
    )
    .costs(Cost::Threads),
];

/// Decisions of the others in a round, as an order of magnitude.
const ROUND: Cost = Cost::Decisions(50.0);

fn build(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let base = settings.declared_bot("base");
    // A separate stream: searching more must not change the base's draws.
    let base_seating = Seating {
        seed: mix(seating.seed ^ fnv1a(b"goal base")),
        ..*seating
    };
    let params = params(settings, base, seating.grants)?;
    for rival in params.rivals.iter().filter(|rival| *rival != base) {
        registry::check(rival, seating.game, seating.grants)?;
    }
    let base = registry::build(base, &base_seating)?;
    Ok(Box::new(GoalBot::new(params, base, seating.rng())))
}

fn params(settings: &Settings<'_>, base: &Spec, grants: &Grants) -> Result<GoalParams, SpecError> {
    let budget = match settings.whole_or_word("ms") {
        None => Budget::Iterations(settings.whole("iters")),
        Some(_) if settings.is_given("iters") => {
            return Err(settings.bad_value("ms", "either ms or iters, not both"));
        }
        Some(ms) => Budget::Time(Duration::from_millis(ms)),
    };
    let battles = [("exact", Battles::Exact), ("sampled", Battles::Sampled)];
    let eval = match settings.word("eval") {
        "income" => Eval::Income,
        "held" => Eval::Held,
        _ => Eval::Learned(Arc::new(win_share_model(settings, grants)?)),
    };
    Ok(GoalParams {
        all_phases: settings.word("phases") == "all",
        budget,
        exploration: settings.real("c"),
        goals: GoalKinds::of(&settings.words("goals")),
        battles: settings.choice("battles", &battles),
        eval,
        odds: settings.real("odds"),
        gain: settings.real("gain") / 1000.0,
        ahead: settings.whole("ahead"),
        n_compared: settings.whole("compare"),
        horizon: settings.whole("horizon"),
        rivals: match settings.bots("rivals") {
            None => vec![base.clone()],
            Some(rivals) => rivals.to_vec(),
        },
        base: base.clone(),
        grants: grants.clone(),
        threads: settings.whole("threads"),
    })
}

fn win_share_model(settings: &Settings<'_>, grants: &Grants) -> Result<WinShareModel, SpecError> {
    let name = settings.weights("weights").unwrap_or_default();
    let weights = WinShareWeights::load(name, &|path| grants.weights(path))
        .map_err(|error| settings.bad_value("weights", &error.to_string()))?;
    Ok(WinShareModel::new(&weights))
}
