//! Bots that search: Risk as a game of `hegemon-search`, the uniform samplers,
//! and the players of Brand and Kroon 2014 built on them.
//!
//! | Bot | Does |
//! |---|---|
//! | `mcts` | MCTS(K) with every variant as a parameter |
//! | `mcts-baseline` | the same, the baseline player's action tried first |
//! | `mcts-tuned` | the same with settings of our own: few actions, short playouts |
//! | `emm` | expectiminimax of a few plies |
//! | `greedy` | one ply |
//! | `rollout` | improves any other bot by playouts of it |

mod action;
mod base;
mod candidates;
mod emm;
mod evaluate;
mod follow;
mod mcts;
mod options;
mod probe;
mod risk;
mod rollout;
mod sampling;

#[cfg(test)]
mod tests;

use hegemon_search::{EmmParams, OpponentModel, Pruning};

pub use action::{Allocation, RiskAction};
pub use base::{Base, BasePlayout, BaseSuggestion};
pub use candidates::candidates;
pub use emm::{EmmBot, GreedyBot};
pub use evaluate::RiskEvaluation;
pub(crate) use evaluate::grouped;
pub use mcts::{MctsBot, MctsSetup};
pub use probe::{Effort, SearchProbe};
pub use risk::RiskGame;
pub use rollout::{RolloutBot, RolloutParams};
pub use sampling::{MovePool, for_each_allocation, n_allocations, sample_allocation};

use crate::bot::{Bot, Seating};
use crate::registry::{BotInfo, Parameter};
use crate::spec::{Spec, SpecError};
use options::{MCTS_PARAMETERS, TUNED_PARAMETERS};

/// The searching bots.
pub(crate) const SEARCH_BOTS: [BotInfo; 6] = [
    BotInfo {
        name: "mcts",
        about: "tree search that takes in the best of k sampled actions",
        source: "Brand and Kroon 2014, sections 3.1 and 3.2; Helmert 2026",
        parameters: MCTS_PARAMETERS,
        build: build_mcts,
    },
    BotInfo {
        name: "mcts-baseline",
        about: "the same with the baseline player's action first at each node",
        source: "Brand and Kroon 2014, section 3.2.4",
        parameters: MCTS_PARAMETERS,
        build: build_mcts_baseline,
    },
    BotInfo {
        name: "mcts-tuned",
        about: "tree search over few actions with short playouts and evaluation",
        source: "our own settings of mcts",
        parameters: TUNED_PARAMETERS,
        build: build_mcts_tuned,
    },
    BotInfo {
        name: "emm",
        about: "expectiminimax over a few sampled actions, leaves evaluated",
        source: "Brand and Kroon 2014, section 3.2.2",
        parameters: EMM_PARAMETERS,
        build: build_emm,
    },
    BotInfo {
        name: "greedy",
        about: "the best of some sampled actions by evaluation",
        source: "Brand and Kroon 2014, the training player (docs/spec/sampling.md 5.6)",
        parameters: GREEDY_PARAMETERS,
        build: build_greedy,
    },
    BotInfo {
        name: "rollout",
        about: "improves a base bot: each candidate move is tried by its playouts",
        source: "Tesauro and Galperin 1996, with sequential halving",
        parameters: ROLLOUT_PARAMETERS,
        build: build_rollout,
    },
];

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: "default",
    about: "name or path of the evaluation's weights",
};

const EMM_PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "depth",
        default: "5",
        about: "plies from the root, decisions and rolls alike",
    },
    Parameter {
        name: "width",
        default: "10",
        about: "children of a decision",
    },
    Parameter {
        name: "samples",
        default: "50",
        about: "samples of which each child is the best",
    },
    Parameter {
        name: "opponents",
        default: "paranoid",
        about: "paranoid (pruned), maxn, offensive or mpmix",
    },
    Parameter {
        name: "defend",
        default: "0.2",
        about: "lead from which mpmix defends",
    },
    Parameter {
        name: "attack",
        default: "0.2",
        about: "another's lead from which mpmix attacks it",
    },
    options::CHANCE,
    WEIGHTS,
];

const GREEDY_PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "samples",
        default: "500",
        about: "actions looked at",
    },
    WEIGHTS,
];

const ROLLOUT_PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "base",
        default: "baseline",
        about: "spec of the bot that plays the playouts",
    },
    Parameter {
        name: "playouts",
        default: "60",
        about: "playouts a candidate, on average",
    },
    Parameter {
        name: "halving",
        default: "2",
        about: "one candidate in so many survives each round",
    },
    Parameter {
        name: "discount",
        default: "0.95",
        about: "factor for each turn to the end of the game; 1 for none",
    },
    Parameter {
        name: "cap",
        default: "5000",
        about: "decisions after which a playout is scored by territory share",
    },
];

fn build_mcts(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let setup = options::mcts_setup(spec, seating, None)?;
    Ok(Box::new(MctsBot::new(setup, seating.rng())))
}

fn build_mcts_baseline(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let setup = options::mcts_setup(spec, seating, Some(Base::Baseline))?;
    Ok(Box::new(MctsBot::new(setup, seating.rng())))
}

fn build_mcts_tuned(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let setup = options::mcts_setup(&options::tuned(spec), seating, None)?;
    Ok(Box::new(MctsBot::new(setup, seating.rng())))
}

fn build_emm(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let opponents = options::opponents(spec, "paranoid")?;
    let defaults = EmmParams::default();
    let params = EmmParams {
        depth: spec.number("depth", defaults.depth, 1..=100)?,
        width: spec.number("width", defaults.width, 1..=10_000)?,
        samples: spec.number("samples", defaults.samples, 1..=100_000)?,
        pruning: match opponents {
            OpponentModel::Paranoid => defaults.pruning,
            _ => Pruning::None,
        },
        opponents,
        ..defaults
    };
    let (evaluator, game) = (
        options::evaluator(spec, seating)?,
        options::game(spec, seating)?,
    );
    Ok(Box::new(EmmBot::new(
        game,
        evaluator,
        params,
        seating.rng(),
    )))
}

fn build_greedy(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let samples = spec.number("samples", 500, 1..=1_000_000)?;
    let (evaluator, game) = (
        options::evaluator(spec, seating)?,
        RiskGame::new(seating.game),
    );
    Ok(Box::new(GreedyBot::new(
        game,
        evaluator,
        samples,
        seating.rng(),
    )))
}

fn build_rollout(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let params = RolloutParams {
        base: options::base(spec, "base", "baseline", seating)?,
        playouts: spec.number("playouts", 60, 1..=1_000_000)?,
        halving: spec.number("halving", 2, 2..=1000)?,
        discount: options::discount(spec, 0.95)?,
        cap: spec.number("cap", 5000, 1..=10_000_000)?,
    };
    let game = RiskGame::new(seating.game);
    Ok(Box::new(RolloutBot::new(params, game, seating.rng())))
}
