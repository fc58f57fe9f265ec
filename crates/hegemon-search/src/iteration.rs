//! One iteration of the tree search, in three parts: select, simulate, commit.
//!
//! Only the first and last touch the tree, so that threads that share a tree
//! hold its lock only briefly: new actions are chosen, played and played out in
//! between. Chance is handled here once for all policies: every outcome of a
//! chance node enters the tree together with it (Brand and Kroon 2014), and a
//! descent draws among them by their exact integer weights.

use std::collections::HashSet;

use hegemon_core::Rng;

use crate::backup::{Hop, back_up};
use crate::domain::{Domain, NodeKind, draw_weighted};
use crate::expansion::{Candidates, NewChild, Site, count_actions};
use crate::hooks::{Hooks, Trace};
use crate::key::StableBuild;
use crate::leaf::{LeafCounts, Valuer};
use crate::objective::Objective;
use crate::params::{Backup, FirstPlay, MctsParams, Threads};
use crate::policy::{Choice, Pick};
use crate::tree::{Edge, NodeId, ROOT, Step, Tree};
use crate::values::{Player, Values};

/// The tree of a game.
pub(crate) type GameTree<G> = Tree<<G as Domain>::Action, <G as Domain>::Outcome>;

/// What all iterations of one search share.
pub(crate) struct Context<'a, G: Domain> {
    pub(crate) game: &'a G,
    pub(crate) hooks: &'a Hooks<G>,
    pub(crate) params: &'a MctsParams,
    pub(crate) root_state: &'a G::State,
    pub(crate) objective: Objective,
    pub(crate) valuer: Valuer<'a, G>,
}

/// Where a descent stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DescentEnd {
    /// The game is over.
    Terminal,
    /// A node that has no estimate of its own yet, or a full tree.
    Leaf,
    /// A node that was estimated when its chance node was made.
    Estimated(Values),
    /// A chance node without its outcomes.
    Chance,
    /// A decision that adds a new action of this player.
    Grow(Player),
}

/// The outcomes of one new chance node: their range in the scratch list, and
/// the one drawn.
#[derive(Clone, Copy, Debug)]
struct Roll {
    start: usize,
    end: usize,
    drawn: usize,
}

/// The working space of one thread.
pub(crate) struct Worker<G: Domain> {
    state: G::State,
    path: Vec<Hop>,
    stop: DescentEnd,
    n_children: usize,
    n_actions: u64,
    known: Vec<u64>,
    candidates: Candidates<G::Action>,
    grown: Vec<NewChild<G::Action>>,
    chosen: usize,
    rolls: Vec<Roll>,
    outcomes: Vec<(G::Outcome, u64)>,
    estimates: Vec<Option<Values>>,
    end: Option<NodeKind>,
    values: Values,
    leaf: Option<Values>,
    trace: Trace,
    later: HashSet<(Player, u64), StableBuild>,
    weights: Vec<f64>,
    /// Default-policy calls so far.
    pub(crate) counts: LeafCounts,
}

impl<G: Domain> Worker<G> {
    pub(crate) fn new(ctx: &Context<'_, G>) -> Self {
        Worker {
            state: ctx.root_state.clone(),
            path: Vec::new(),
            stop: DescentEnd::Leaf,
            n_children: 0,
            n_actions: 0,
            known: Vec::new(),
            candidates: Candidates::default(),
            grown: Vec::new(),
            chosen: 0,
            rolls: Vec::new(),
            outcomes: Vec::new(),
            estimates: Vec::new(),
            end: None,
            values: Values::default(),
            leaf: None,
            trace: Trace::new(ctx.params.rave.is_some()),
            later: HashSet::default(),
            weights: Vec::new(),
            counts: LeafCounts::default(),
        }
    }

    /// Part 1, on the tree: descends until there is something to simulate.
    pub(crate) fn select(&mut self, ctx: &Context<'_, G>, tree: &mut GameTree<G>, rng: &mut Rng) {
        self.state.clone_from(ctx.root_state);
        self.path.clear();
        let root = Hop {
            node: ROOT,
            edge: 0,
        };
        self.path.push(root);
        self.stop = self.descend(ctx, tree, rng);
        if let DescentEnd::Grow(_) = self.stop {
            self.note_known(ctx, tree);
        }
    }

    fn descend(
        &mut self,
        ctx: &Context<'_, G>,
        tree: &mut GameTree<G>,
        rng: &mut Rng,
    ) -> DescentEnd {
        let full = tree.n_nodes() >= ctx.params.max_nodes;
        let mut node = ROOT;
        loop {
            let kind = self.kind_of(ctx, tree, node);
            let edge = match kind {
                NodeKind::Terminal => return DescentEnd::Terminal,
                NodeKind::Chance if tree.edges(node).is_empty() => {
                    return if full {
                        DescentEnd::Leaf
                    } else {
                        DescentEnd::Chance
                    };
                }
                NodeKind::Chance => draw_outcome(tree, node, rng),
                NodeKind::Decision(_) if tree.node(node).visits == 0 && node != ROOT => {
                    let waiting = tree.node(node).has_backed;
                    return if waiting && ctx.params.backup == Backup::Minimax {
                        DescentEnd::Estimated(tree.backed(node))
                    } else {
                        DescentEnd::Leaf
                    };
                }
                NodeKind::Decision(mover) => match self.pick(ctx, tree, node, mover, full, rng) {
                    Pick::Grow if full => return DescentEnd::Leaf,
                    Pick::Grow => return DescentEnd::Grow(mover),
                    Pick::Child(idx) => idx,
                },
            };
            if let Threads::Tree { virtual_loss, .. } = ctx.params.threads {
                tree.edge_mut(node, edge).pending += virtual_loss;
            }
            node = tree.edges(node)[edge as usize].child;
            self.path.push(Hop { node, edge });
            match tree.step(node) {
                Step::Action(action) => ctx.game.play(&mut self.state, action),
                Step::Outcome(outcome) => ctx.game.resolve(&mut self.state, *outcome),
                Step::Root => unreachable!("the root is nobody's child"),
            }
        }
    }

    fn kind_of(&self, ctx: &Context<'_, G>, tree: &mut GameTree<G>, node: NodeId) -> NodeKind {
        *tree
            .node_mut(node)
            .kind
            .get_or_insert_with(|| ctx.game.kind(&self.state))
    }

    fn pick(
        &mut self,
        ctx: &Context<'_, G>,
        tree: &GameTree<G>,
        node: NodeId,
        mover: Player,
        full: bool,
        rng: &mut Rng,
    ) -> Pick {
        let edges = tree.edges(node);
        let choice = Choice {
            params: ctx.params,
            edges,
            amaf: tree.amaf(node),
            visits: tree.node(node).visits,
            own_value: match ctx.params.first_play {
                FirstPlay::Parent { .. } => ctx.objective.score(mover, &tree.mean(node)),
                _ => 0.0,
            },
            can_grow: !full && (edges.len() as u64) < tree.node(node).n_actions,
        };
        choice.pick(&mut self.weights, rng)
    }

    /// Copies what the expansion needs, so that it can run without the tree.
    fn note_known(&mut self, ctx: &Context<'_, G>, tree: &GameTree<G>) {
        let node = self.path[self.path.len() - 1].node;
        let edges = tree.edges(node);
        self.n_children = edges.len();
        self.n_actions = tree.node(node).n_actions;
        self.known.clear();
        if ctx.params.unique_children {
            self.known.extend(edges.iter().map(|edge| edge.key));
            self.known.sort_unstable();
        }
    }

    /// Part 2, without the tree: expands, draws chance, estimates the leaf.
    pub(crate) fn simulate(&mut self, ctx: &Context<'_, G>, rng: &mut Rng) {
        self.grown.clear();
        self.rolls.clear();
        self.outcomes.clear();
        self.estimates.clear();
        self.trace.clear();
        self.leaf = None;
        self.end = None;
        match self.stop {
            DescentEnd::Terminal => {
                self.values = ctx.valuer.utility(&self.state);
                self.leaf = Some(self.values);
                return;
            }
            DescentEnd::Estimated(values) => {
                self.values = values;
                return;
            }
            DescentEnd::Grow(mover) => self.grow(ctx, mover, rng),
            DescentEnd::Chance | DescentEnd::Leaf => {}
        }
        if self.stop != DescentEnd::Leaf {
            while ctx.game.kind(&self.state) == NodeKind::Chance {
                self.roll(ctx, rng);
            }
            self.end = Some(ctx.game.kind(&self.state));
        }
        let mixed = matches!(ctx.params.backup, Backup::Mixed { .. });
        if mixed && ctx.game.kind(&self.state) != NodeKind::Chance {
            self.leaf = Some(ctx.valuer.evaluation(&self.state));
        }
        self.values = ctx
            .valuer
            .estimate(&mut self.state, rng, &mut self.trace, &mut self.counts);
    }

    fn grow(&mut self, ctx: &Context<'_, G>, mover: Player, rng: &mut Rng) {
        if self.n_actions == 0 {
            self.n_actions = count_actions(ctx.game, &self.state);
        }
        let site = Site {
            game: ctx.game,
            hooks: ctx.hooks,
            state: &self.state,
            mover,
            n_actions: self.n_actions,
            known: &self.known,
            list_limit: ctx.params.list_limit,
        };
        self.chosen = site.expand(
            ctx.params,
            self.n_children,
            rng,
            &mut self.candidates,
            &mut self.grown,
        );
        match self.grown.get(self.chosen) {
            Some(child) => ctx.game.play(&mut self.state, &child.action),
            // The game counts more actions than it lists: none is left.
            None => self.stop = DescentEnd::Leaf,
        }
    }

    /// Draws at a new chance node. Backups that weight outcomes also need an
    /// estimate of those not drawn.
    fn roll(&mut self, ctx: &Context<'_, G>, rng: &mut Rng) {
        let start = self.outcomes.len();
        ctx.game.outcomes(&self.state, &mut self.outcomes);
        let end = self.outcomes.len();
        let drawn = draw_weighted(&self.outcomes[start..], rng);
        if ctx.params.backup != Backup::Mean {
            for idx in 0..end - start {
                let estimate = (idx != drawn).then(|| {
                    let mut other = self.state.clone();
                    ctx.game.resolve(&mut other, self.outcomes[start + idx].0);
                    self.default_estimate(ctx, other, rng)
                });
                self.estimates.push(estimate);
            }
        }
        let outcome = self.outcomes[start + drawn].0;
        ctx.game.resolve(&mut self.state, outcome);
        self.rolls.push(Roll { start, end, drawn });
    }

    fn default_estimate(
        &mut self,
        ctx: &Context<'_, G>,
        mut state: G::State,
        rng: &mut Rng,
    ) -> Values {
        if matches!(ctx.params.backup, Backup::Mixed { .. }) {
            ctx.valuer.settle_chance(&mut state, rng);
            return ctx.valuer.evaluation(&state);
        }
        let mut unheard = Trace::new(false);
        ctx.valuer
            .estimate(&mut state, rng, &mut unheard, &mut self.counts)
    }

    /// Part 3, on the tree: adds the new nodes and backs up the result.
    pub(crate) fn commit(&mut self, ctx: &Context<'_, G>, tree: &mut GameTree<G>) {
        self.lift_virtual_loss(ctx, tree);
        let site = self.path[self.path.len() - 1].node;
        if self.n_actions > 0 && matches!(self.stop, DescentEnd::Grow(_)) {
            tree.node_mut(site).n_actions = self.n_actions;
            self.insert_children(ctx, tree, site);
        } else if self.stop == DescentEnd::Leaf
            && self.end.is_none()
            && self.was_exhausted(tree, site)
        {
            tree.node_mut(site).n_actions = tree.edges(site).len() as u64;
        }
        for idx in 0..self.rolls.len() {
            self.insert_outcomes(ctx, tree, self.rolls[idx]);
        }
        let last = self.path[self.path.len() - 1].node;
        if self.end.is_some() {
            tree.node_mut(last).kind = self.end;
        }
        let (backup, objective) = (ctx.params.backup, ctx.objective);
        back_up(tree, &self.path, &self.values, self.leaf, backup, objective);
        if ctx.params.rave.is_some() {
            self.back_up_amaf(ctx, tree);
        }
        self.n_actions = 0;
    }

    fn was_exhausted(&self, tree: &GameTree<G>, site: NodeId) -> bool {
        self.n_actions > 0 && self.grown.is_empty() && !tree.edges(site).is_empty()
    }

    fn lift_virtual_loss(&self, ctx: &Context<'_, G>, tree: &mut GameTree<G>) {
        if let Threads::Tree { virtual_loss, .. } = ctx.params.threads {
            for pair in self.path.windows(2) {
                tree.edge_mut(pair[0].node, pair[1].edge).pending -= virtual_loss;
            }
        }
    }

    fn insert_children(&mut self, ctx: &Context<'_, G>, tree: &mut GameTree<G>, site: NodeId) {
        if self.grown.len() > 1 {
            tree.node_mut(site).n_actions = self.grown.len() as u64;
            tree.reserve_edges(site, self.grown.len());
        }
        let mut chosen = 0;
        for (idx, child) in self.grown.drain(..).enumerate() {
            // Another thread may have added the same action meanwhile.
            let present = if ctx.params.unique_children {
                tree.find(site, child.key)
            } else {
                None
            };
            let place = present.unwrap_or_else(|| {
                let heap = ctx.game.action_heap_bytes(&child.action);
                let node = tree.add_node(Step::Action(child.action), heap);
                let edge = Edge {
                    prior: child.prior,
                    bias: child.bias,
                    ..Edge::new(child.key, node)
                };
                tree.push_edge(site, edge)
            });
            if idx == self.chosen {
                chosen = place;
            }
        }
        let node = tree.edges(site)[chosen as usize].child;
        self.path.push(Hop { node, edge: chosen });
    }

    fn insert_outcomes(&mut self, ctx: &Context<'_, G>, tree: &mut GameTree<G>, roll: Roll) {
        let site = self.path[self.path.len() - 1].node;
        tree.node_mut(site).kind = Some(NodeKind::Chance);
        if tree.edges(site).is_empty() {
            tree.reserve_edges(site, roll.end - roll.start);
            for idx in roll.start..roll.end {
                let (outcome, weight) = self.outcomes[idx];
                let node = tree.add_node(Step::Outcome(outcome), 0);
                tree.push_edge(site, Edge::new(weight, node));
                tree.node_mut(site).n_actions += weight;
                if ctx.params.backup != Backup::Mean
                    && let Some(values) = &self.estimates[idx]
                {
                    tree.set_backed(node, values);
                }
            }
        }
        let edge = roll.drawn as u32;
        let node = tree.edges(site)[roll.drawn].child;
        self.path.push(Hop { node, edge });
    }

    /// Credits each action that its player also played later (all moves as
    /// first) at every decision of the path.
    fn back_up_amaf(&mut self, ctx: &Context<'_, G>, tree: &mut GameTree<G>) {
        self.later.clear();
        self.later.extend(self.trace.moves());
        for depth in (0..self.path.len()).rev() {
            let node = self.path[depth].node;
            let Some(NodeKind::Decision(mover)) = tree.node(node).kind else {
                continue;
            };
            if let Some(next) = self.path.get(depth + 1) {
                let key = tree.edges(node)[next.edge as usize].key;
                self.later.insert((mover, key));
            }
            let score = ctx.objective.score(mover, &self.values) as f32;
            let later = &self.later;
            let (edges, amaf) = tree.edges_and_amaf(node);
            for (edge, stats) in edges.iter().zip(amaf) {
                if later.contains(&(mover, edge.key)) {
                    stats.visits += 1;
                    stats.mean += (score - stats.mean) / stats.visits as f32;
                }
            }
        }
    }
}

/// An outcome edge of a chance node, drawn by weight.
fn draw_outcome<A: Clone, O: Copy>(tree: &Tree<A, O>, node: NodeId, rng: &mut Rng) -> u32 {
    let mut ticket = rng.below_u64(tree.node(node).n_actions);
    let edges = tree.edges(node);
    for (idx, edge) in edges.iter().enumerate() {
        if ticket < edge.key {
            return idx as u32;
        }
        ticket -= edge.key;
    }
    unreachable!("a ticket below the total weight falls on an outcome")
}
