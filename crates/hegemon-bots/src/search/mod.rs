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
mod halving;
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
pub(crate) use base::whole_action;
pub use base::{Base, BasePlayout, BaseSuggestion};
pub use candidates::candidates;
pub use emm::{EmmBot, GreedyBot, LeafView};
pub use evaluate::RiskEvaluation;
pub(crate) use follow::PlannedMoves;
pub(crate) use halving::{Trial, halve};
pub(crate) use mcts::only_move;
pub use mcts::{MctsBot, MctsSetup};
pub(crate) use options::MAX_THREADS;
pub use probe::{ProbeEffort, SearchProbe};
pub use risk::RiskGame;
pub use rollout::{RolloutBot, RolloutParams};

pub use sampling::{MovePool, for_each_allocation, n_allocations, sample_allocation};

use crate::bot::{Bot, Seating};
use crate::parameter::{Cost, Parameter};
use crate::registry::BotInfo;
use crate::settings::Settings;
use crate::spec::SpecError;
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
        build: build_mcts,
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

const EMM_PARAMETERS: &[Parameter] = &[
    Parameter::whole(
        "depth",
        "5",
        (1, 100),
        "plies from the root, decisions and rolls alike",
    )
    .costs(Cost::Doubles),
    Parameter::whole("width", "10", (1, 10_000), "children of a decision").costs(Cost::Times(1.0)),
    Parameter::whole(
        "samples",
        "50",
        (1, 10_000),
        "samples of which each child is the best",
    )
    .costs(Cost::Times(1.0)),
    Parameter::word(
        "opponents",
        &["paranoid", "maxn", "offensive", "mpmix"],
        "paranoid (pruned), maxn, offensive or mpmix",
    ),
    options::DEFEND,
    options::ATTACK,
    options::CHANCE,
    Parameter::word(
        "leaf",
        &["each", "mover"],
        "whose share a leaf is worth: each player's own, or the mover's for all as in the paper's code",
    ),
    options::WEIGHTS,
];

const GREEDY_PARAMETERS: &[Parameter] = &[
    Parameter::whole("samples", "500", (1, 100_000), "actions looked at").costs(Cost::Times(1.0)),
    options::WEIGHTS,
];

const ROLLOUT_PARAMETERS: &[Parameter] = &[
    Parameter::bot(
        "base",
        "baseline",
        "spec of the bot that plays the playouts",
    )
    .costs(options::PLAYOUT),
    Parameter::whole(
        "playouts",
        "60",
        (1, 1_000_000),
        "playouts a candidate, on average",
    )
    .costs(Cost::Times(10.0)),
    Parameter::whole(
        "halving",
        "2",
        (2, 1000),
        "one candidate in this many survives each round",
    ),
    Parameter::real(
        "discount",
        "0.95",
        (0.01, 1.0),
        "factor for each turn to the end of the game; 1 for none",
    ),
    options::CAP,
];

fn build_mcts(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let setup = options::mcts_setup(settings, seating, None)?;
    Ok(Box::new(MctsBot::new(setup, seating.rng())))
}

fn build_mcts_baseline(
    settings: &Settings<'_>,
    seating: &Seating<'_>,
) -> Result<Box<dyn Bot>, SpecError> {
    let setup = options::mcts_setup(settings, seating, Some(Base::Baseline))?;
    Ok(Box::new(MctsBot::new(setup, seating.rng())))
}

fn build_emm(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let opponents = options::opponents(settings);
    let defaults = EmmParams::default();
    let params = EmmParams {
        depth: settings.whole("depth"),
        width: settings.whole("width"),
        samples: settings.whole("samples"),
        pruning: match opponents {
            OpponentModel::Paranoid => defaults.pruning,
            _ => Pruning::None,
        },
        opponents,
        ..defaults
    };
    let evaluator = options::evaluator(settings, seating)?;
    let game = options::game(settings, seating);
    let stop = seating.grants.stop.clone();
    let leaf = settings.choice(
        "leaf",
        &[("each", LeafView::Each), ("mover", LeafView::Mover)],
    );
    let bot = EmmBot::new(game, (evaluator, leaf), params, stop, seating.rng());
    Ok(Box::new(bot))
}

fn build_greedy(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let evaluator = options::evaluator(settings, seating)?;
    let game = RiskGame::new(seating.game);
    let samples = settings.whole("samples");
    let bot = GreedyBot::new(game, evaluator, samples, seating.rng());
    Ok(Box::new(bot.with_stop(seating.grants.stop.clone())))
}

fn build_rollout(
    settings: &Settings<'_>,
    seating: &Seating<'_>,
) -> Result<Box<dyn Bot>, SpecError> {
    let params = RolloutParams {
        base: options::base(settings, "base", seating)?,
        playouts: settings.whole("playouts"),
        halving: settings.whole("halving"),
        discount: options::discount(settings),
        cap: settings.whole("cap"),
        stop: seating.grants.stop.clone(),
    };
    let game = RiskGame::new(seating.game);
    Ok(Box::new(RolloutBot::new(params, game, seating.rng())))
}
