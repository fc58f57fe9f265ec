//! Monte Carlo tree search over any [`Domain`].
//!
//! Kocsis and Szepesvári 2006 (UCT); Brand and Kroon 2014 (sampled expansion,
//! chance nodes, reuse within a turn); Helmert 2026 (policies and backups). All
//! variants run through one driver; see [`MctsParams`] for the choices.

use hegemon_core::Rng;

use crate::backup::estimate;
use crate::budget::{Budget, Meter};
use crate::domain::{Domain, NodeKind};
use crate::hooks::Hooks;
use crate::iteration::{Context, GameTree};
use crate::key::key_of;
use crate::leaf::Valuer;
use crate::objective::Objective;
use crate::parallel::{self, Effort};
use crate::params::{Backup, FinalMove, MctsParams};
use crate::report::{ChildReport, ReportOf};
use crate::stop::Stop;
use crate::tree::{NodeId, ROOT, Step, Tree};
use crate::values::Values;

/// A search whose root can advance with the game, keeping the subtree.
///
/// # Examples
///
/// Search, play, and keep the subtree (see the crate's example for a whole game):
///
/// ```
/// use hegemon_core::Rng;
/// use hegemon_search::{Budget, Domain, Hooks, Mcts, MctsParams};
///
/// fn play_one_move<G: Domain>(mcts: &mut Mcts<G>, rng: &mut Rng) -> Option<G::Action> {
///     let report = mcts.search(Budget::Iterations(2_500), rng);
///     let action = report.best?;
///     mcts.advance(&action); // and `advance_outcome` after a roll
///     Some(action)
/// }
/// ```
pub struct Mcts<G: Domain> {
    game: G,
    hooks: Hooks<G>,
    params: MctsParams,
    root: G::State,
    origin_turns: u32,
    settled: Option<Objective>,
    stop: Stop,
    trees: Vec<GameTree<G>>,
}

impl<G: Domain> Mcts<G> {
    /// A search with an empty tree at `root`.
    pub fn new(game: G, hooks: Hooks<G>, params: MctsParams, root: G::State) -> Self {
        let mut mcts = Mcts {
            origin_turns: 0,
            game,
            hooks,
            params,
            root,
            settled: None,
            stop: Stop::never(),
            trees: Vec::new(),
        };
        mcts.plant();
        mcts
    }

    /// The same search, which ends early when this handle is raised. It still
    /// makes one iteration, so that there is a move.
    pub fn with_stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// The game searched.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The parameters.
    pub fn params(&self) -> &MctsParams {
        &self.params
    }

    /// The state at the root.
    pub fn root(&self) -> &G::State {
        &self.root
    }

    /// Nodes in all trees.
    pub fn n_nodes(&self) -> usize {
        self.trees.iter().map(Tree::n_nodes).sum()
    }

    /// Visits of the root, all trees together.
    pub fn root_visits(&self) -> u64 {
        self.trees
            .iter()
            .map(|tree| u64::from(tree.node(ROOT).visits))
            .sum()
    }

    /// Discards the tree and starts at another state.
    pub fn reset(&mut self, root: G::State) {
        self.root = root;
        self.plant();
    }

    fn plant(&mut self) {
        self.trees = vec![self.empty_tree(); parallel::n_trees(self.params.threads)];
        self.origin_turns = self.game.turns_played(&self.root);
        self.settled = None;
    }

    fn empty_tree(&self) -> GameTree<G> {
        let with_backed = self.params.backup != Backup::Mean;
        let with_amaf = self.params.rave.is_some();
        Tree::new(self.game.n_players(), with_backed, with_amaf)
    }

    /// Moves the root along an action and keeps the subtree; without one, starts
    /// an empty tree there. Returns whether a subtree was kept.
    pub fn advance(&mut self, action: &G::Action) -> bool {
        let key = key_of(action);
        self.game.play(&mut self.root, action);
        self.reroot(|tree| {
            let edges = tree.edges(ROOT).iter();
            edges
                .filter(|edge| edge.key == key)
                .map(|edge| edge.child)
                .find(|&child| matches!(tree.step(child), Step::Action(_)))
        })
    }

    /// Moves the root along a chance outcome, as [`Mcts::advance`] does.
    pub fn advance_outcome(&mut self, outcome: G::Outcome) -> bool {
        self.game.resolve(&mut self.root, outcome);
        self.reroot(|tree| {
            let mut children = tree.edges(ROOT).iter().map(|edge| edge.child);
            children.find(|&child| *tree.step(child) == Step::Outcome(outcome))
        })
    }

    fn reroot(&mut self, find: impl Fn(&GameTree<G>) -> Option<NodeId>) -> bool {
        let tops: Vec<Option<NodeId>> = self.trees.iter().map(find).collect();
        if tops.iter().all(Option::is_none) {
            self.plant();
            return false;
        }
        let game = &self.game;
        let kept = self.trees.iter().zip(tops).map(|(tree, top)| match top {
            Some(top) => tree.subtree(top, &|action| game.action_heap_bytes(action)),
            None => self.empty_tree(),
        });
        self.trees = kept.collect();
        true
    }

    /// Searches from the root until the budget is spent.
    pub fn search(&mut self, budget: Budget, rng: &mut Rng) -> ReportOf<G> {
        // 1. Settle what the players want; a tree grown for another objective is invalid.
        let objective = self.settle();
        if self.settled.is_some_and(|before| before != objective) {
            self.plant();
        }
        self.settled = Some(objective);
        // 2. Iterate.
        let meter = Meter::start(budget, &self.stop);
        let mut trees = std::mem::take(&mut self.trees);
        let ctx = self.context(objective);
        let effort = parallel::run(&ctx, &mut trees, &meter, rng);
        self.trees = trees;
        // 3. Add up and choose.
        self.report(objective, &effort, rng)
    }

    fn context(&self, objective: Objective) -> Context<'_, G> {
        Context {
            game: &self.game,
            hooks: &self.hooks,
            params: &self.params,
            root_state: &self.root,
            objective,
            valuer: Valuer {
                game: &self.game,
                hooks: &self.hooks,
                leaf: self.params.leaf,
                discount: self.params.discount,
                origin_turns: self.origin_turns,
            },
        }
    }

    fn settle(&self) -> Objective {
        let NodeKind::Decision(root_player) = self.game.kind(&self.root) else {
            return self.settled.unwrap_or(Objective::MaxN);
        };
        let n_players = self.game.n_players();
        Objective::settle(self.params.opponents, root_player, n_players, || {
            self.hooks.evaluate.values(&self.game, &self.root)
        })
    }

    fn report(&self, objective: Objective, effort: &Effort, rng: &mut Rng) -> ReportOf<G> {
        let mut children = self.merged_children(objective);
        let best = self.final_move(&children, rng);
        children.sort_by_key(|child| std::cmp::Reverse(child.visits));
        ReportOf::<G> {
            best,
            children,
            line: self.line(),
            values: self.root_values(),
            objective,
            iterations: effort.iterations,
            estimates: effort.counts.estimates,
            capped: effort.counts.capped,
            nodes: self.n_nodes(),
            bytes: self.trees.iter().map(Tree::bytes).sum(),
        }
    }

    /// The root estimate, trees weighted by their visits.
    fn root_values(&self) -> Values {
        let total = self.root_visits().max(1) as f64;
        let mut values = Values::default();
        for tree in &self.trees {
            let weight = f64::from(tree.node(ROOT).visits) / total;
            values.add_scaled(&estimate(tree, ROOT, self.params.backup), weight);
        }
        values
    }

    /// The children of the root, summed over all trees by action.
    fn merged_children(&self, objective: Objective) -> Vec<ChildReport<G::Action>> {
        let NodeKind::Decision(mover) = self.game.kind(&self.root) else {
            return Vec::new();
        };
        let mut children: Vec<ChildReport<G::Action>> = Vec::new();
        for (tree_idx, tree) in self.trees.iter().enumerate() {
            for edge in tree.edges(ROOT) {
                let Step::Action(action) = tree.step(edge.child) else {
                    continue;
                };
                let mut values = Values::default();
                if edge.visits > 0 {
                    let own = estimate(tree, edge.child, self.params.backup);
                    values.add_scaled(&own, f64::from(edge.visits));
                }
                let before = (tree_idx > 0)
                    .then(|| children.iter_mut().find(|child| child.action == *action))
                    .flatten();
                if let Some(child) = before {
                    child.visits += u64::from(edge.visits);
                    child.values.add_scaled(&values, 1.0);
                } else {
                    children.push(ChildReport {
                        action: action.clone(),
                        visits: u64::from(edge.visits),
                        value: 0.0,
                        values,
                    });
                }
            }
        }
        for child in &mut children {
            if child.visits > 0 {
                child.values = child.values.scaled(1.0 / child.visits as f64);
                child.value = objective.score(mover, &child.values);
            }
        }
        children
    }

    fn final_move(&self, children: &[ChildReport<G::Action>], rng: &mut Rng) -> Option<G::Action> {
        let worth = |child: &ChildReport<G::Action>| match self.params.final_move {
            FinalMove::MostVisits => child.visits as f64,
            FinalMove::BestValue => child.value,
        };
        let visited = || children.iter().filter(|child| child.visits > 0);
        let best = visited().map(worth).fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<_> = visited().filter(|child| worth(child) == best).collect();
        // A unique best draws nothing, so that resuming a search equals a longer one.
        let chosen = match ties.len() {
            0 | 1 => ties.first(),
            _ => rng.pick(&ties),
        };
        chosen.map(|child| child.action.clone())
    }

    /// The most visited line of the most visited tree.
    fn line(&self) -> Vec<Step<G::Action, G::Outcome>> {
        let mut line = Vec::new();
        let busiest = self.trees.iter().max_by_key(|tree| tree.node(ROOT).visits);
        let Some(tree) = busiest else {
            return line;
        };
        let mut node = ROOT;
        while let Some(edge) = tree.edges(node).iter().max_by_key(|edge| edge.visits) {
            if edge.visits == 0 {
                break;
            }
            line.push(tree.step(edge.child).clone());
            node = edge.child;
        }
        line
    }
}
