//! Every parameter of the tree search, in one place.
//!
//! Sources: Brand and Kroon 2014 (UCT with c, first-play urgency, best-of-K
//! expansion, given action first); Helmert 2026 (epsilon-greedy, Boltzmann,
//! UCB1, minimax backups; docs/spec/sampling.md 6.2 and 6.4); Rosin 2011 (PUCT,
//! in the form of Silver et al. 2017); Chaslot et al. 2008 (progressive bias,
//! widening); Gelly and Silver 2011 (RAVE); Lanctot et al. 2014 (mixed
//! backups); Zuckerman and Felner 2011 (MP-Mix).

use crate::values::Player;

/// A number that may decrease with the count `k` of choices made at a node (`k
/// = N + 1` at a node with `N` visits).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// Always the same.
    Constant(f64),
    /// `c / k`.
    OverK(f64),
    /// `c / sqrt(k)`.
    OverSqrtK(f64),
    /// `c / ln(k)`, with `k` at least 2.
    OverLnK(f64),
}

impl Schedule {
    /// The value at the `k`-th choice.
    pub fn at(self, k: u32) -> f64 {
        let k = f64::from(k.max(1));
        match self {
            Schedule::Constant(c) => c,
            Schedule::OverK(c) => c / k,
            Schedule::OverSqrtK(c) => c / k.sqrt(),
            Schedule::OverLnK(c) => c / libm::log(k.max(2.0)),
        }
    }
}

/// How a child is chosen at a decision in the tree. `v` is the child's value
/// for the player who chooses, `n` its visits, `N` those of the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreePolicy {
    /// Largest `v + sqrt(2 ln N / n)`.
    Ucb1,
    /// Largest `v + c sqrt(ln N / n)`.
    Uct {
        /// Weight of exploration; the paper's is 1.2.
        c: f64,
    },
    /// A best child with probability `1 - epsilon`, else one of the others
    /// uniformly. A constant epsilon is not asymptotically optimal.
    EpsilonGreedy {
        /// Constant, or decreasing with the visits of the node.
        epsilon: Schedule,
    },
    /// Probability proportional to `exp(v / temperature)`. A constant
    /// temperature is not asymptotically optimal.
    Boltzmann {
        /// Constant, or decreasing with the visits of the node.
        temperature: Schedule,
    },
    /// Largest `v + c P sqrt(N) / (1 + n)` with the prior `P` of
    /// [`crate::Evaluate::priors`].
    Puct {
        /// Weight of the prior.
        c: f64,
    },
}

/// The value of an unvisited action, which decides when a node widens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlay {
    /// Each action is visited once before any twice (the lecture).
    VisitAll,
    /// A fixed urgency: a node adds a new action when no child's urgency
    /// reaches it (the paper: 1.1).
    Urgency(f64),
    /// The node's own value for the mover, less a reduction (as Leela Chess
    /// Zero and KataGo do with PUCT).
    Parent {
        /// Subtracted from the node's value.
        reduction: f64,
    },
}

/// Which of the evaluated samples enters the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleChoice {
    /// The best one (the paper).
    Best,
    /// One with probability proportional to `exp(value / temperature)` (the
    /// paper's future work).
    Boltzmann {
        /// In units of the evaluation.
        temperature: f64,
    },
}

/// How actions enter the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expansion {
    /// All actions at once, as unvisited children. With more than
    /// [`MctsParams::list_limit`], uniform samples one at a time.
    AllSuccessors,
    /// The best of `k` uniform samples among the actions not yet in the tree.
    BestOfK {
        /// Samples; 1 is plain random expansion.
        k: usize,
        /// Take `max(u / 2, 1)` samples when half of the `u` actions left is
        /// fewer than `k` (the paper does).
        halve: bool,
        /// Which sample is taken.
        choice: SampleChoice,
    },
}

/// Progressive widening: a node of `N` visits holds at most `ceil(c * N^alpha)`
/// children. Replaces [`FirstPlay`] as the growth rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Factor.
    pub c: f64,
    /// Exponent, 0 to 1.
    pub alpha: f64,
}

/// How results change the estimates on the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backup {
    /// The mean of all results below a node.
    Mean,
    /// The best child for the chooser at decisions (max^n), the weighted mean
    /// at chance nodes, the mean of its results at a leaf. Every outcome of a
    /// new chance node gets a default estimate at once.
    Minimax,
    /// Selection by `(1 - alpha) * mean + alpha * minimax of evaluations`.
    Mixed {
        /// Weight of the evaluations.
        alpha: f64,
    },
}

/// Whom an offensive search attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// This player.
    Player(Player),
    /// The opponent with the highest evaluation at the root.
    Leader,
}

/// The assumed goals of the players. The root player is the one to move at the
/// root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OpponentModel {
    /// Each maximises its own value.
    MaxN,
    /// All others minimise the root player's value.
    Paranoid,
    /// The root player minimises the target's value, the others play max^n.
    Offensive(Target),
    /// Chosen at the root by evaluated lead: paranoid when the root player
    /// leads by at least `defend`, offensive against another leader whose lead
    /// is at least `attack`, else max^n.
    MpMix {
        /// Lead over the second from which the root player defends.
        defend: f64,
        /// Lead of another player from which it is attacked.
        attack: f64,
    },
}

/// Where the value of a new node comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A playout to the end. At `cap` decisions it is cut, evaluated and
    /// counted in the report.
    Playout {
        /// Safety limit in decisions.
        cap: u32,
    },
    /// A playout of a fixed number of decisions, then the evaluation.
    Truncated {
        /// Decisions played.
        decisions: u32,
    },
    /// The evaluation alone.
    Evaluation,
}

/// A discount per turn: `neutral + per_turn^turns * (value - neutral)`. Without
/// one, a player that is winning anyway has no reason to attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discount {
    /// Factor for each turn between the root and the end, for instance 0.98.
    pub per_turn: f64,
    /// The value that distant results tend to; `1 / n_players` if not given.
    pub neutral: Option<f64>,
}

/// The rule for the move that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// Most visits, ties at random (seeded).
    MostVisits,
    /// Best value for the mover among visited children.
    BestValue,
}

/// How ties between urgencies are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first child.
    First,
    /// A random one.
    Random,
}

/// Number of threads and how they share trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threads {
    /// One. Bit-reproducible under an iteration budget.
    One,
    /// Independent trees with their own random streams, added up at the root.
    /// The budget of iterations or nodes is split; bit-reproducible under an
    /// iteration budget.
    Root(usize),
    /// One tree behind a lock; expansion and playout run outside it. Not
    /// reproducible.
    Tree {
        /// Number of threads.
        threads: usize,
        /// Lost visits that an unfinished iteration adds along its path.
        virtual_loss: u32,
    },
}

/// All parameters of the tree search. The default is the paper's MCTS(20).
#[derive(Clone, Debug, PartialEq)]
pub struct MctsParams {
    /// Choice among the children of a decision.
    pub tree_policy: TreePolicy,
    /// Value of unvisited actions.
    pub first_play: FirstPlay,
    /// How actions enter the tree.
    pub expansion: Expansion,
    /// Growth by a schedule instead of `first_play`.
    pub widening: Option<Widening>,
    /// Progressive bias: adds `w * h / (n + 1)` to a child's urgency, `h` being
    /// the evaluation of its action for the mover.
    pub progressive_bias: Option<f64>,
    /// The first child of each node is the suggested action.
    pub suggested_first: bool,
    /// Never the same action twice under a node. The paper does not check this
    /// for recruitments, which loses the guarantee to keep exploring.
    pub unique_children: bool,
    /// RAVE: values are mixed with all-moves-as-first values at weight
    /// `sqrt(k / (3 n + k))`; this is `k`, about 100 to 1000.
    pub rave: Option<f64>,
    /// How results are backed up.
    pub backup: Backup,
    /// What other players want.
    pub opponents: OpponentModel,
    /// Value of new nodes.
    pub leaf: Leaf,
    /// Discount per turn.
    pub discount: Option<Discount>,
    /// How the move to play is chosen.
    pub final_move: FinalMove,
    /// Equal urgencies.
    pub ties: Ties,
    /// Threads.
    pub threads: Threads,
    /// The tree stops growing at this many nodes (iterations go on).
    pub max_nodes: usize,
    /// Up to this many legal actions are listed; more are sampled.
    pub list_limit: usize,
}

impl Default for MctsParams {
    fn default() -> Self {
        MctsParams::paper(20)
    }
}

impl MctsParams {
    /// MCTS(K) of Brand and Kroon 2014: UCT with c = 1.2, first-play urgency
    /// 1.1, best of K samples, playouts, mean backups, most visits.
    pub fn paper(k: usize) -> MctsParams {
        MctsParams {
            tree_policy: TreePolicy::Uct { c: 1.2 },
            first_play: FirstPlay::Urgency(1.1),
            expansion: Expansion::BestOfK {
                k,
                halve: true,
                choice: SampleChoice::Best,
            },
            widening: None,
            progressive_bias: None,
            suggested_first: false,
            unique_children: true,
            rave: None,
            backup: Backup::Mean,
            opponents: OpponentModel::MaxN,
            leaf: Leaf::Playout { cap: 5_000 },
            discount: None,
            final_move: FinalMove::MostVisits,
            ties: Ties::Random,
            threads: Threads::One,
            max_nodes: 4_000_000,
            list_limit: 256,
        }
    }

    /// The framework of Helmert 2026: every successor visited once in order,
    /// then the tree policy; mean backups.
    pub fn lecture(tree_policy: TreePolicy) -> MctsParams {
        MctsParams {
            tree_policy,
            first_play: FirstPlay::VisitAll,
            expansion: Expansion::AllSuccessors,
            ties: Ties::First,
            ..MctsParams::paper(1)
        }
    }
}
