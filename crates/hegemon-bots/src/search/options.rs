//! From spec strings to parameters of searches.

use std::sync::Arc;
use std::time::Duration;

use hegemon_eval::{Evaluator, Weights};
use hegemon_search::{
    Backup, Budget, Discount, Expansion, FinalMove, FirstPlay, Hooks, Leaf, MctsParams,
    OpponentModel, SampleChoice, Schedule, Target, Threads, TreePolicy, Widening,
};

use super::base::{Base, BasePlayout, BaseSuggestion};
use super::evaluate::RiskEvaluation;
use super::mcts::MctsSetup;
use super::risk::RiskGame;
use crate::bot::Seating;
use crate::registry::Parameter;
use crate::spec::{Spec, SpecError};

const fn parameter(name: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        about,
    }
}

/// How the search draws dice.
pub(crate) const CHANCE: Parameter = parameter(
    "chance",
    "true",
    "probabilities of dice in the search: true, or squared as in the paper's code",
);

/// The parameters of the tree-searching bots.
pub(crate) const MCTS_PARAMETERS: &[Parameter] = &MCTS_LIST;

const N_MCTS: usize = 35;

const MCTS_LIST: [Parameter; N_MCTS] = [
    parameter("k", "20", "samples of which the best enters the tree"),
    CHANCE,
    parameter(
        "iters",
        "2500",
        "iterations a decision; reproducible on one thread",
    ),
    parameter(
        "ms",
        "off",
        "wall time a decision in place of iters; not reproducible",
    ),
    parameter("nodes", "off", "nodes a decision in place of iters"),
    parameter(
        "policy",
        "uct",
        "uct, ucb1, eps, eps-decay, boltzmann, boltzmann-decay or puct",
    ),
    parameter("c", "1.2", "exploration of uct and puct"),
    parameter("epsilon", "0.1", "of eps; eps-decay has 1/k"),
    parameter(
        "temperature",
        "0.1",
        "of boltzmann; boltzmann-decay divides it by ln k",
    ),
    parameter(
        "prior",
        "0.1",
        "evaluation points that make a prior of puct e times larger",
    ),
    parameter(
        "fpu",
        "1.1",
        "first-play urgency; all: every action once before any twice; parent: the node's own value",
    ),
    parameter("expand", "best-of-k", "best-of-k, all or widening"),
    parameter("widen", "2", "factor of widening"),
    parameter("alpha", "0.5", "exponent of widening"),
    parameter(
        "choice",
        "best",
        "best, or a temperature to draw among the samples",
    ),
    parameter("bias", "off", "weight of progressive bias"),
    parameter("backup", "mean", "mean, minimax or mixed"),
    parameter("mix", "0.2", "weight of evaluations in mixed backups"),
    parameter(
        "actions",
        "all",
        "all (the paper), or the few that rollout looks at",
    ),
    parameter(
        "occupy",
        "search",
        "who decides occupations: search or eval",
    ),
    parameter(
        "leaf",
        "playout",
        "value of new nodes: playout, truncated or eval",
    ),
    parameter("depth", "20", "decisions of truncated playouts"),
    parameter(
        "playout",
        "simulation",
        "spec of the player that plays on beyond the tree",
    ),
    parameter(
        "cap",
        "5000",
        "decisions after which a playout is scored by territory share",
    ),
    parameter(
        "discount",
        "0.98",
        "factor for each turn to the end of the game; 1 for none",
    ),
    parameter("opponents", "maxn", "maxn, paranoid, offensive or mpmix"),
    parameter("defend", "0.2", "lead from which mpmix defends"),
    parameter(
        "attack",
        "0.2",
        "another's lead from which mpmix attacks it",
    ),
    parameter("rave", "off", "equivalence parameter of RAVE, such as 300"),
    parameter(
        "final",
        "visits",
        "the move played: most visits or best value",
    ),
    parameter("reuse", "turn", "keep the tree within a turn: turn or off"),
    parameter(
        "worlds",
        "4",
        "trees over different hidden cards; one if all is open",
    ),
    parameter(
        "threads",
        "1",
        "threads on one tree; more than one is not reproducible",
    ),
    parameter("root-threads", "1", "threads with a tree each"),
    parameter(
        "weights",
        "default",
        "name or path of the evaluation's weights",
    ),
];

/// Where `mcts-tuned` differs from `mcts`: few actions, a slim tree, short
/// playouts before the evaluation. Measured against the paper's own defaults at
/// equal iterations (docs of the search bots).
const TUNED: [(&str, &str); 8] = [
    ("actions", "few"),
    ("expand", "widening"),
    ("widen", "2"),
    ("alpha", "0.4"),
    ("c", "0.15"),
    ("leaf", "truncated"),
    ("depth", "20"),
    ("discount", "0.95"),
];

/// The parameters of `mcts-tuned`.
pub(crate) const TUNED_PARAMETERS: &[Parameter] = &tuned_list();

const fn tuned_list() -> [Parameter; N_MCTS] {
    let mut list = MCTS_LIST;
    let mut i = 0;
    while i < N_MCTS {
        let mut j = 0;
        while j < TUNED.len() {
            if same(list[i].name, TUNED[j].0) {
                list[i].default = TUNED[j].1;
            }
            j += 1;
        }
        i += 1;
    }
    list
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The spec with the values of `mcts-tuned` written out.
pub(crate) fn tuned(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    for (key, value) in TUNED {
        if spec.value(key).is_none() {
            spec.parameters.push((key.to_owned(), value.to_owned()));
        }
    }
    spec
}

/// A number that may be switched off.
fn optional(spec: &Spec, key: &str) -> Result<Option<f64>, SpecError> {
    match spec.value(key) {
        None | Some("off") => Ok(None),
        Some(_) => spec.number(key, 0.0, 0.0..=1e12).map(Some),
    }
}

/// One of a few words; the first is the default.
fn word<T: Copy>(spec: &Spec, key: &str, words: &[(&str, T)]) -> Result<T, SpecError> {
    let Some(text) = spec.value(key) else {
        return Ok(words[0].1);
    };
    let found = words.iter().find(|(known, _)| *known == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        spec.bad_value(key, &format!("one of {}", names.join(", ")))
    })
}

/// The evaluator of the `weights` parameter.
pub(crate) fn evaluator(spec: &Spec, seating: &Seating<'_>) -> Result<Arc<Evaluator>, SpecError> {
    let name = spec.value("weights").unwrap_or("default");
    let weights = Weights::load(name, &|path| seating.grants.weights(path))
        .map_err(|error| spec.bad_value("weights", &error.to_string()))?;
    Ok(Arc::new(Evaluator::for_game(seating.game, &weights)))
}

/// The game to search, with the `chance` parameter.
pub(crate) fn game(spec: &Spec, seating: &Seating<'_>) -> Result<RiskGame, SpecError> {
    let game = RiskGame::new(seating.game);
    let is_squared = word(spec, "chance", &[("true", false), ("squared", true)])?;
    Ok(if is_squared {
        game.with_squared_chances()
    } else {
        game
    })
}

/// The base policy of a parameter that holds a spec.
pub(crate) fn base(
    spec: &Spec,
    key: &str,
    default: &str,
    seating: &Seating<'_>,
) -> Result<Base, SpecError> {
    let text = spec.value(key).unwrap_or(default);
    Base::new(&text.parse()?, seating.game, seating.grants)
}

/// The discount of a parameter; none at 1.
pub(crate) fn discount(spec: &Spec, default: f64) -> Result<Option<Discount>, SpecError> {
    let per_turn = spec.number("discount", default, 0.01..=1.0)?;
    let neutral = None;
    Ok((per_turn < 1.0).then_some(Discount { per_turn, neutral }))
}

/// The budget: `ms`, `nodes` or `iters`.
fn budget(spec: &Spec) -> Result<Budget, SpecError> {
    if let Some(ms) = optional(spec, "ms")? {
        return Ok(Budget::Time(Duration::from_micros((ms * 1e3) as u64)));
    }
    if let Some(nodes) = optional(spec, "nodes")? {
        return Ok(Budget::Nodes(nodes as usize));
    }
    Ok(Budget::Iterations(spec.number(
        "iters",
        2500,
        1..=1 << 40,
    )?))
}

fn tree_policy(spec: &Spec) -> Result<TreePolicy, SpecError> {
    let c = spec.number("c", 1.2, 0.0..=1e6)?;
    let epsilon = spec.number("epsilon", 0.1, 0.0..=1.0)?;
    let warm = spec.number("temperature", 0.1, 1e-6..=1e6)?;
    let policies = [
        ("uct", TreePolicy::Uct { c }),
        ("ucb1", TreePolicy::Ucb1),
        (
            "eps",
            TreePolicy::EpsilonGreedy {
                epsilon: Schedule::Constant(epsilon),
            },
        ),
        (
            "eps-decay",
            TreePolicy::EpsilonGreedy {
                epsilon: Schedule::OverK(1.0),
            },
        ),
        (
            "boltzmann",
            TreePolicy::Boltzmann {
                temperature: Schedule::Constant(warm),
            },
        ),
        (
            "boltzmann-decay",
            TreePolicy::Boltzmann {
                temperature: Schedule::OverLnK(warm),
            },
        ),
        ("puct", TreePolicy::Puct { c }),
    ];
    word(spec, "policy", &policies)
}

fn first_play(spec: &Spec) -> Result<FirstPlay, SpecError> {
    match spec.value("fpu") {
        Some("all") => Ok(FirstPlay::VisitAll),
        Some("parent") => Ok(FirstPlay::Parent { reduction: 0.0 }),
        _ => spec.number("fpu", 1.1, 0.0..=1e6).map(FirstPlay::Urgency),
    }
}

fn expansion(spec: &Spec) -> Result<(Expansion, Option<Widening>), SpecError> {
    let k = spec.number("k", 20, 1..=100_000)?;
    let choice = match spec.value("choice") {
        None | Some("best") => SampleChoice::Best,
        Some(_) => SampleChoice::Boltzmann {
            temperature: spec.number("choice", 1.0, 1e-6..=1e6)?,
        },
    };
    let best_of_k = Expansion::BestOfK {
        k,
        halve: true,
        choice,
    };
    let widening = Widening {
        c: spec.number("widen", 2.0, 0.001..=1e6)?,
        alpha: spec.number("alpha", 0.5, 0.001..=1.0)?,
    };
    let kinds = [
        ("best-of-k", (best_of_k, None)),
        ("all", (Expansion::AllSuccessors, None)),
        ("widening", (best_of_k, Some(widening))),
    ];
    word(spec, "expand", &kinds)
}

fn leaf(spec: &Spec) -> Result<Leaf, SpecError> {
    let cap = spec.number("cap", 5000, 1..=10_000_000)?;
    let decisions = spec.number("depth", 20, 1..=10_000_000)?;
    let leaves = [
        ("playout", Leaf::Playout { cap }),
        ("truncated", Leaf::Truncated { decisions }),
        ("eval", Leaf::Evaluation),
    ];
    word(spec, "leaf", &leaves)
}

pub(crate) fn opponents(spec: &Spec, default: &str) -> Result<OpponentModel, SpecError> {
    let models = [
        ("maxn", OpponentModel::MaxN),
        ("paranoid", OpponentModel::Paranoid),
        ("offensive", OpponentModel::Offensive(Target::Leader)),
        (
            "mpmix",
            OpponentModel::MpMix {
                defend: spec.number("defend", 0.2, 0.0..=1.0)?,
                attack: spec.number("attack", 0.2, 0.0..=1.0)?,
            },
        ),
    ];
    let first = models
        .iter()
        .position(|(name, _)| *name == default)
        .unwrap_or(0);
    let mut models = models;
    models.swap(0, first);
    word(spec, "opponents", &models)
}

fn threads(spec: &Spec) -> Result<Threads, SpecError> {
    let shared = spec.number("threads", 1, 1..=256)?;
    let apart = spec.number("root-threads", 1, 1..=256)?;
    match (shared, apart) {
        (1, 1) => Ok(Threads::One),
        (threads, 1) => Ok(Threads::Tree {
            threads,
            virtual_loss: 1,
        }),
        (1, threads) => Ok(Threads::Root(threads)),
        _ => Err(spec.bad_value("root-threads", "1, where threads is more than 1")),
    }
}

fn params(spec: &Spec) -> Result<MctsParams, SpecError> {
    let (expansion, widening) = expansion(spec)?;
    let alpha = spec.number("mix", 0.2, 0.0..=1.0)?;
    let backups = [
        ("mean", Backup::Mean),
        ("minimax", Backup::Minimax),
        ("mixed", Backup::Mixed { alpha }),
    ];
    let finals = [
        ("visits", FinalMove::MostVisits),
        ("value", FinalMove::BestValue),
    ];
    Ok(MctsParams {
        tree_policy: tree_policy(spec)?,
        first_play: first_play(spec)?,
        expansion,
        widening,
        progressive_bias: optional(spec, "bias")?,
        rave: optional(spec, "rave")?,
        backup: word(spec, "backup", &backups)?,
        opponents: opponents(spec, "maxn")?,
        leaf: leaf(spec)?,
        discount: discount(spec, 0.98)?,
        final_move: word(spec, "final", &finals)?,
        threads: threads(spec)?,
        ..MctsParams::paper(1)
    })
}

/// Everything that the spec of a tree-searching bot says. `suggest` is the
/// player whose action is tried first.
pub(crate) fn mcts_setup(
    spec: &Spec,
    seating: &Seating<'_>,
    suggest: Option<Base>,
) -> Result<MctsSetup, SpecError> {
    let evaluator = evaluator(spec, seating)?;
    let mut params = params(spec)?;
    params.suggested_first = suggest.is_some();
    let searched = word(spec, "occupy", &[("search", true), ("eval", false)])?;
    let occupier = (!searched).then(|| Arc::clone(&evaluator));
    let mut game = self::game(spec, seating)?;
    if word(spec, "actions", &[("all", false), ("few", true)])? {
        game = game.with_few_actions();
    }
    if let Some(occupier) = &occupier {
        game = game.with_occupier(Arc::clone(occupier));
    }
    let playout = BasePlayout {
        base: base(spec, "playout", "simulation", seating)?,
        shares_at_limit: matches!(params.leaf, Leaf::Playout { .. }),
    };
    let prior_scale = spec.number("prior", 0.1, 1e-6..=1e6)?;
    let hooks = Hooks {
        evaluate: Arc::new(RiskEvaluation::new(evaluator).with_prior_scale(prior_scale)),
        playout: Arc::new(playout),
        suggest: suggest.map(|base| Arc::new(BaseSuggestion(base)) as _),
    };
    Ok(MctsSetup {
        game,
        hooks,
        params,
        budget: budget(spec)?,
        reuse: word(spec, "reuse", &[("turn", true), ("off", false)])?,
        worlds: spec.number("worlds", 4, 1..=1024)?,
        occupier,
    })
}
