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
use crate::parameter::{Cost, Parameter};
use crate::settings::Settings;
use crate::spec::SpecError;

/// How the search draws dice.
pub(crate) const CHANCE: Parameter = Parameter::word(
    "chance",
    &["true", "squared"],
    "probabilities of dice in the search: true, or squared as in the paper's code",
);

/// The weights of the evaluation.
pub(crate) const WEIGHTS: Parameter = Parameter::weights(
    "weights",
    "default",
    || Weights::builtin_names().to_vec(),
    "name or path of the evaluation's weights",
);

/// Whose lead matters to mpmix.
pub(crate) const DEFEND: Parameter =
    Parameter::real("defend", "0.2", (0.0, 1.0), "lead from which mpmix defends");
pub(crate) const ATTACK: Parameter = Parameter::real(
    "attack",
    "0.2",
    (0.0, 1.0),
    "another's lead from which mpmix attacks it",
);

/// Decisions of a playout.
pub(crate) const CAP: Parameter = Parameter::whole(
    "cap",
    "5000",
    (1, 10_000_000),
    "decisions after which a playout is scored by territory share",
);

/// Decisions of a bot per playout, as an order of magnitude.
pub(crate) const PLAYOUT: Cost = Cost::Decisions(200.0);

/// Threads of one search.
pub(crate) const MAX_THREADS: u64 = 64;

const ANY: (f64, f64) = (0.0, 1e6);
const POSITIVE: (f64, f64) = (1e-6, 1e6);
const MANY: (f64, f64) = (0.0, 1e12);
const SHARE: (f64, f64) = (0.0, 1.0);

/// The parameters of the tree-searching bots.
pub(crate) const MCTS_PARAMETERS: &[Parameter] = &MCTS_LIST;

const N_MCTS: usize = 35;

const MCTS_LIST: [Parameter; N_MCTS] = [
    Parameter::whole(
        "k",
        "20",
        (1, 10_000),
        "samples of which the best enters the tree",
    )
    .costs(Cost::Times(1.0)),
    CHANCE,
    Parameter::whole(
        "iters",
        "2500",
        (1, 1 << 40),
        "iterations a decision; reproducible on one thread",
    )
    .costs(Cost::Budget(1.0)),
    Parameter::real(
        "ms",
        "off",
        MANY,
        "wall time a decision in place of iters; not reproducible",
    )
    .or(OFF)
    .costs(Cost::Budget(20.0)),
    Parameter::real("nodes", "off", MANY, "nodes a decision in place of iters")
        .or(OFF)
        .costs(Cost::Budget(1.0)),
    Parameter::word(
        "policy",
        &[
            "uct",
            "ucb1",
            "eps",
            "eps-decay",
            "boltzmann",
            "boltzmann-decay",
            "puct",
        ],
        "uct, ucb1, eps, eps-decay, boltzmann, boltzmann-decay or puct",
    ),
    Parameter::real("c", "1.2", ANY, "exploration of uct and puct"),
    Parameter::real("epsilon", "0.1", SHARE, "of eps; eps-decay has 1/k"),
    Parameter::real(
        "temperature",
        "0.1",
        POSITIVE,
        "of boltzmann; boltzmann-decay divides it by ln k",
    ),
    Parameter::real(
        "prior",
        "0.1",
        POSITIVE,
        "evaluation points that make a prior of puct e times larger",
    ),
    Parameter::real(
        "fpu",
        "1.1",
        ANY,
        "first-play urgency; all: every action once before any twice; parent: the node's own value",
    )
    .or(&["all", "parent"]),
    Parameter::word(
        "expand",
        &["best-of-k", "all", "widening"],
        "best-of-k, all or widening",
    ),
    Parameter::real("widen", "2", (0.001, 1e6), "factor of widening"),
    Parameter::real("alpha", "0.5", (0.001, 1.0), "exponent of widening"),
    Parameter::real(
        "choice",
        "best",
        POSITIVE,
        "best, or a temperature to draw among the samples",
    )
    .or(&["best"]),
    Parameter::real("bias", "off", MANY, "weight of progressive bias").or(OFF),
    Parameter::word(
        "backup",
        &["mean", "minimax", "mixed"],
        "mean, minimax or mixed",
    ),
    Parameter::real(
        "mix",
        "0.2",
        SHARE,
        "weight of evaluations in mixed backups",
    ),
    Parameter::word(
        "actions",
        &["all", "few"],
        "all (the paper), or the few that rollout looks at",
    ),
    Parameter::word(
        "occupy",
        &["search", "eval"],
        "who decides occupations: search or eval",
    ),
    Parameter::word(
        "leaf",
        &["playout", "truncated", "eval"],
        "value of new nodes: playout, truncated or eval",
    ),
    Parameter::whole(
        "depth",
        "20",
        (1, 10_000_000),
        "decisions of truncated playouts",
    ),
    Parameter::bot(
        "playout",
        "simulation",
        "spec of the player that plays on beyond the tree",
    )
    .costs(PLAYOUT),
    CAP,
    Parameter::real(
        "discount",
        "0.98",
        (0.01, 1.0),
        "factor for each turn to the end of the game; 1 for none",
    ),
    Parameter::word("opponents", OPPONENTS, "maxn, paranoid, offensive or mpmix"),
    DEFEND,
    ATTACK,
    Parameter::real(
        "rave",
        "off",
        MANY,
        "equivalence parameter of RAVE, such as 300",
    )
    .or(OFF),
    Parameter::word(
        "final",
        &["visits", "value"],
        "the move played: most visits or best value",
    ),
    Parameter::word(
        "reuse",
        &["turn", "off"],
        "keep the tree within a turn: turn or off",
    ),
    Parameter::whole(
        "worlds",
        "4",
        (1, 1024),
        "trees over different hidden cards; one if all is open",
    ),
    Parameter::whole(
        "threads",
        "1",
        (1, MAX_THREADS),
        "threads on one tree; more than one is not reproducible",
    )
    .costs(Cost::Threads),
    Parameter::whole(
        "root-threads",
        "1",
        (1, MAX_THREADS),
        "threads with a tree each",
    )
    .costs(Cost::Threads),
    WEIGHTS,
];

const OFF: &[&str] = &["off"];

/// Models of what other players want, the usual one first.
const OPPONENTS: &[&str] = &["maxn", "paranoid", "offensive", "mpmix"];

/// Where `mcts-tuned` differs from `mcts`: few actions, a narrow tree, short
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

/// The evaluator of the `weights` parameter.
pub(crate) fn evaluator(
    settings: &Settings<'_>,
    seating: &Seating<'_>,
) -> Result<Arc<Evaluator>, SpecError> {
    let name = settings.weights("weights").unwrap_or_default();
    let weights = Weights::load(name, &|path| seating.grants.weights(path))
        .map_err(|error| settings.bad_value("weights", &error.to_string()))?;
    Ok(Arc::new(Evaluator::for_game(seating.game, &weights)))
}

/// The game to search, with the `chance` parameter.
pub(crate) fn game(settings: &Settings<'_>, seating: &Seating<'_>) -> RiskGame {
    let game = RiskGame::new(seating.game);
    if settings.word("chance") == "squared" {
        game.with_squared_chances()
    } else {
        game
    }
}

/// The base policy of a parameter that holds a bot.
pub(crate) fn base(
    settings: &Settings<'_>,
    key: &str,
    seating: &Seating<'_>,
) -> Result<Base, SpecError> {
    Base::new(settings.declared_bot(key), seating.game, seating.grants)
}

/// The discount of a parameter; none at 1.
pub(crate) fn discount(settings: &Settings<'_>) -> Option<Discount> {
    let per_turn = settings.real("discount");
    let neutral = None;
    (per_turn < 1.0).then_some(Discount { per_turn, neutral })
}

/// The budget: `ms`, `nodes` or `iters`.
fn budget(settings: &Settings<'_>) -> Budget {
    if let Some(ms) = settings.real_or_word("ms") {
        return Budget::Time(Duration::from_micros((ms * 1e3) as u64));
    }
    if let Some(nodes) = settings.real_or_word("nodes") {
        return Budget::Nodes(nodes as usize);
    }
    Budget::Iterations(settings.whole("iters"))
}

fn tree_policy(settings: &Settings<'_>) -> TreePolicy {
    let c = settings.real("c");
    let epsilon = |epsilon| TreePolicy::EpsilonGreedy { epsilon };
    let boltzmann = |temperature| TreePolicy::Boltzmann { temperature };
    let warm = settings.real("temperature");
    let policies = [
        ("uct", TreePolicy::Uct { c }),
        ("ucb1", TreePolicy::Ucb1),
        ("eps", epsilon(Schedule::Constant(settings.real("epsilon")))),
        ("eps-decay", epsilon(Schedule::OverK(1.0))),
        ("boltzmann", boltzmann(Schedule::Constant(warm))),
        ("boltzmann-decay", boltzmann(Schedule::OverLnK(warm))),
        ("puct", TreePolicy::Puct { c }),
    ];
    settings.choice("policy", &policies)
}

fn first_play(settings: &Settings<'_>) -> FirstPlay {
    match settings.real_or_word("fpu") {
        Some(urgency) => FirstPlay::Urgency(urgency),
        None => settings.choice(
            "fpu",
            &[
                ("all", FirstPlay::VisitAll),
                ("parent", FirstPlay::Parent { reduction: 0.0 }),
            ],
        ),
    }
}

fn expansion(settings: &Settings<'_>) -> (Expansion, Option<Widening>) {
    let choice = match settings.real_or_word("choice") {
        None => SampleChoice::Best,
        Some(temperature) => SampleChoice::Boltzmann { temperature },
    };
    let best_of_k = Expansion::BestOfK {
        k: settings.whole("k"),
        halve: true,
        choice,
    };
    let widening = Widening {
        c: settings.real("widen"),
        alpha: settings.real("alpha"),
    };
    let kinds = [
        ("best-of-k", (best_of_k, None)),
        ("all", (Expansion::AllSuccessors, None)),
        ("widening", (best_of_k, Some(widening))),
    ];
    settings.choice("expand", &kinds)
}

fn leaf(settings: &Settings<'_>) -> Leaf {
    let leaves = [
        (
            "playout",
            Leaf::Playout {
                cap: settings.whole("cap"),
            },
        ),
        (
            "truncated",
            Leaf::Truncated {
                decisions: settings.whole("depth"),
            },
        ),
        ("eval", Leaf::Evaluation),
    ];
    settings.choice("leaf", &leaves)
}

pub(crate) fn opponents(settings: &Settings<'_>) -> OpponentModel {
    let models = [
        ("maxn", OpponentModel::MaxN),
        ("paranoid", OpponentModel::Paranoid),
        ("offensive", OpponentModel::Offensive(Target::Leader)),
        (
            "mpmix",
            OpponentModel::MpMix {
                defend: settings.real("defend"),
                attack: settings.real("attack"),
            },
        ),
    ];
    settings.choice("opponents", &models)
}

fn threads(settings: &Settings<'_>) -> Result<Threads, SpecError> {
    match (settings.whole("threads"), settings.whole("root-threads")) {
        (1, 1) => Ok(Threads::One),
        (threads, 1) => Ok(Threads::Tree {
            threads,
            virtual_loss: 1,
        }),
        (1, threads) => Ok(Threads::Root(threads)),
        _ => Err(settings.bad_value("root-threads", "1, where threads is more than 1")),
    }
}

fn params(settings: &Settings<'_>) -> Result<MctsParams, SpecError> {
    let (expansion, widening) = expansion(settings);
    let alpha = settings.real("mix");
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
        tree_policy: tree_policy(settings),
        first_play: first_play(settings),
        expansion,
        widening,
        progressive_bias: settings.real_or_word("bias"),
        rave: settings.real_or_word("rave"),
        backup: settings.choice("backup", &backups),
        opponents: opponents(settings),
        leaf: leaf(settings),
        discount: discount(settings),
        final_move: settings.choice("final", &finals),
        threads: threads(settings)?,
        ..MctsParams::paper(1)
    })
}

/// The setup from the spec of a tree-searching bot. `suggest` is the player
/// whose action is tried first.
pub(crate) fn mcts_setup(
    settings: &Settings<'_>,
    seating: &Seating<'_>,
    suggest: Option<Base>,
) -> Result<MctsSetup, SpecError> {
    let evaluator = evaluator(settings, seating)?;
    let mut params = params(settings)?;
    params.suggested_first = suggest.is_some();
    let worlds: usize = settings.whole("worlds");
    let n_trees = worlds * settings.whole::<usize>("root-threads");
    params.max_nodes = seating.grants.nodes_of_tree(n_trees, params.max_nodes);
    let is_searched = settings.word("occupy") == "search";
    let occupier = (!is_searched).then(|| Arc::clone(&evaluator));
    let mut game = self::game(settings, seating);
    if settings.word("actions") == "few" {
        game = game.with_few_actions();
    }
    if let Some(occupier) = &occupier {
        game = game.with_occupier(Arc::clone(occupier));
    }
    let playout = BasePlayout {
        base: base(settings, "playout", seating)?,
        shares_at_limit: matches!(params.leaf, Leaf::Playout { .. }),
        stop: seating.grants.stop.clone(),
    };
    let evaluation = RiskEvaluation::new(evaluator).with_prior_scale(settings.real("prior"));
    let hooks = Hooks {
        evaluate: Arc::new(evaluation),
        playout: Arc::new(playout),
        suggest: suggest.map(|base| Arc::new(BaseSuggestion(base)) as _),
    };
    Ok(MctsSetup {
        game,
        hooks,
        params,
        budget: budget(settings),
        reuse: settings.word("reuse") == "turn",
        worlds,
        occupier,
        stop: seating.grants.stop.clone(),
    })
}
