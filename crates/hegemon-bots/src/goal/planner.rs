//! Plans of an attack phase: one tree per goal, equal shares of the budget.

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::{Move, Rng, State, mix};
use hegemon_eval::WinShareModel;
use hegemon_search::{
    Backup, Budget, FinalMove, Hooks, Leaf, Mcts, MctsParams, NoEvaluation, TreePolicy, run_all,
};

use super::goals::{Goal, GoalKinds};
use super::lookahead::Lookahead;
use super::phase::{AttackPhase, BattleEnds, DefaultStrategy};
use super::value::Valuation;
use crate::loader::Grants;
use crate::spec::Spec;

/// How battles are treated in the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Battles {
    /// The value of an attack is the mean over its ends by their exact weights,
    /// and that of a decision its best child's.
    Exact,
    /// Outcomes are drawn, and values are means of the draws (the paper).
    Sampled,
}

/// How states are valued.
#[derive(Clone, Debug)]
pub enum Eval {
    /// [`Valuation::Income`].
    Income,
    /// [`Valuation::Held`].
    Held,
    /// [`Valuation::Learned`].
    Learned(Arc<WinShareModel>),
}

/// Parameters of the bot.
#[derive(Clone, Debug)]
pub struct GoalParams {
    /// Budget of one plan, all trees together; iterations are per tree.
    pub budget: Budget,
    /// Weight of exploration: value + c * sqrt(2 ln N / n).
    pub exploration: f64,
    /// The goals pursued.
    pub goals: GoalKinds,
    /// How battles are treated.
    pub battles: Battles,
    /// How states are valued.
    pub eval: Eval,
    /// Whether placement and fortification are decided too (else the base does).
    pub all_phases: bool,
    /// The least odds at which goals propose attacks.
    pub odds: f64,
    /// Least gain of a goal over stopping, in the value's units.
    pub gain: f64,
    /// Lookaheads per candidate before one is chosen; 0 uses the trees' values
    /// alone (the paper).
    pub ahead: u32,
    /// Number of goals or placements compared by lookahead, those with the best
    /// trees.
    pub n_compared: usize,
    /// Rounds of a lookahead.
    pub horizon: u32,
    /// The bot for the player's own turns in a lookahead.
    pub base: Spec,
    /// Possible opponents in a lookahead; at least one.
    pub rivals: Vec<Spec>,
    /// The resources they may use, and when all must stop.
    pub grants: Grants,
    /// Threads that grow trees.
    pub threads: usize,
}

/// A goal with its next move and its expected value.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalPlan {
    pub(super) goal: Goal,
    pub(super) mv: Move,
    pub(super) value: f64,
}

/// Grows trees.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) params: GoalParams,
    /// The lookahead, if enabled.
    pub(super) lookahead: Option<Lookahead>,
    ends: Arc<BattleEnds>,
}

impl Planner {
    pub(super) fn new(params: GoalParams) -> Planner {
        let lookahead = (params.ahead > 0).then(|| Lookahead {
            base: params.base.clone(),
            rivals: params.rivals.clone(),
            grants: params.grants.clone(),
            n_samples: params.ahead,
            n_rounds: params.horizon,
        });
        Planner {
            params,
            lookahead,
            ends: Arc::default(),
        }
    }

    /// How the states of a turn are valued.
    pub(super) fn valuation(&self, state: &State) -> Valuation {
        let scale = Valuation::scale_of(state);
        match &self.params.eval {
            Eval::Income => Valuation::Income {
                scale,
                n_traded: state.n_traded(),
            },
            Eval::Held => Valuation::Held { scale },
            Eval::Learned(model) => Valuation::Learned(Arc::clone(model)),
        }
    }

    /// The attack phase of a state with a goal.
    pub(super) fn phase(
        &self,
        state: &State,
        goal: Goal,
        valuation: &Arc<Valuation>,
    ) -> AttackPhase {
        AttackPhase {
            me: state.player(),
            goal,
            valuation: Arc::clone(valuation),
            ends: Arc::clone(&self.ends),
            few_ends: self.params.battles == Battles::Exact,
            // Income does not depend on where armies are: all occupations are
            // equal.
            tries_occupations: !matches!(self.params.eval, Eval::Income),
            odds: self.params.odds,
        }
    }

    /// The time of the `n`-th plan of a turn: half of what is left. Iterations
    /// are per tree.
    pub(super) fn budget(&self, n_plans: u32) -> Budget {
        match self.params.budget {
            Budget::Time(turn) => Budget::Time(turn / (2 << n_plans.min(8))),
            budget => budget,
        }
    }

    /// One tree per goal, each with its own stream, so that the number of
    /// threads changes nothing.
    pub(super) fn plans(
        &self,
        state: &State,
        goals: &[Goal],
        valuation: &Arc<Valuation>,
        budget: Budget,
        seed: u64,
    ) -> Vec<Option<GoalPlan>> {
        let budget = self.share(budget, goals.len());
        let grow = |(n, goal): (usize, &Goal)| {
            if self.params.grants.stop.is_raised() {
                return None;
            }
            let mut rng = Rng::from_seed(mix(seed ^ n as u64));
            self.grow(state, *goal, valuation, budget, &mut rng)
        };
        if self.params.threads < 2 || goals.len() < 2 {
            return goals.iter().enumerate().map(grow).collect();
        }
        let size = goals.len().div_ceil(self.params.threads);
        let numbered: Vec<(usize, &Goal)> = goals.iter().enumerate().collect();
        let jobs = numbered
            .chunks(size)
            .map(|part| || part.iter().copied().map(grow).collect::<Vec<_>>());
        run_all(jobs.collect()).into_iter().flatten().collect()
    }

    /// A tree's share of a plan's budget: iterations are per tree; the trees of
    /// one thread grow one after another.
    fn share(&self, budget: Budget, n_trees: usize) -> Budget {
        match budget {
            Budget::Time(plan) => {
                let rounds = n_trees.div_ceil(self.params.threads.max(1)).max(1) as u32;
                Budget::Time((plan / rounds).max(Duration::from_micros(200)))
            }
            budget => budget,
        }
    }

    fn grow(
        &self,
        state: &State,
        goal: Goal,
        valuation: &Arc<Valuation>,
        budget: Budget,
        rng: &mut Rng,
    ) -> Option<GoalPlan> {
        let is_exact = self.params.battles == Battles::Exact;
        let game = self.phase(state, goal, valuation);
        let c = self.params.exploration * std::f64::consts::SQRT_2;
        let params = MctsParams {
            backup: if is_exact {
                Backup::Minimax
            } else {
                Backup::Mean
            },
            leaf: Leaf::Playout { cap: u32::MAX },
            final_move: FinalMove::MostVisits,
            ..MctsParams::lecture(TreePolicy::Uct { c })
        };
        let params = MctsParams {
            max_nodes: self
                .params
                .grants
                .nodes_of_tree(self.params.threads, params.max_nodes),
            ..params
        };
        let hooks = Hooks {
            evaluate: Arc::new(NoEvaluation),
            playout: Arc::new(DefaultStrategy),
            suggest: None,
        };
        let root = game.root(state.clone());
        let stop = self.params.grants.stop.clone();
        let mut mcts = Mcts::new(game, hooks, params, root).with_stop(stop);
        let report = mcts.search(budget, rng);
        let mv = report.best?;
        let child = report.children.iter().find(|child| child.action == mv)?;
        Some(GoalPlan {
            goal,
            mv,
            value: child.value,
        })
    }
}
