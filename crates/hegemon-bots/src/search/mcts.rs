//! The bots that search a tree: MCTS(K) and MCTS Baseline of Brand and Kroon
//! 2014 and all variants of Helmert 2026.

use std::sync::Arc;

use hegemon_core::{Move, Node, Phase, Rng, State, View};
use hegemon_eval::Evaluator;
use hegemon_search::{Budget, ChildReport, Hooks, Mcts, MctsParams, ReportOf, Stop};

use super::action::RiskAction;
use super::follow::{PlannedMoves, catch_up};
use super::risk::{RiskGame, best_occupation};
use crate::bot::{Bot, Forfeit};

/// The parts of a tree-searching bot.
#[derive(Clone)]
pub struct MctsSetup {
    /// The game, and how occupations are decided in it.
    pub game: RiskGame,
    /// Evaluation, playouts, suggestion.
    pub hooks: Hooks<RiskGame>,
    /// Parameters of the search.
    pub params: MctsParams,
    /// Budget of one decision.
    pub budget: Budget,
    /// Keep the subtree of the move played for the rest of the turn.
    pub reuse: bool,
    /// Number of complete states drawn from the view, each with its own tree
    /// and an equal share of the budget. One if nothing is hidden.
    pub worlds: usize,
    /// Decides occupations where the tree does not.
    pub occupier: Option<Arc<Evaluator>>,
    /// Ends a search early.
    pub stop: Stop,
}

/// A bot that searches a tree at each decision.
pub struct MctsBot {
    setup: MctsSetup,
    rng: Rng,
    trees: Vec<Mcts<RiskGame>>,
    plan: PlannedMoves,
}

impl MctsBot {
    /// A bot with its own stream of randomness.
    pub fn new(setup: MctsSetup, rng: Rng) -> MctsBot {
        MctsBot {
            setup,
            rng,
            trees: Vec::new(),
            plan: PlannedMoves::default(),
        }
    }

    /// Searches at the decision of a view and reports each tree. The trees stay
    /// where they are: [`Bot::choose`] moves them on.
    pub fn search(&mut self, view: View<'_>) -> Vec<ReportOf<RiskGame>> {
        self.meet(view);
        let share = share_of(self.setup.budget, self.trees.len());
        let (stop, rng) = (&self.setup.stop, &mut self.rng);
        let mut reports = Vec::with_capacity(self.trees.len());
        for tree in &mut self.trees {
            if !reports.is_empty() && stop.is_raised() {
                break;
            }
            reports.push(tree.search(share, rng));
        }
        reports
    }

    /// Advances the trees to the view, or starts new ones.
    fn meet(&mut self, view: View<'_>) {
        let hidden = view.game().rules().has_cards() || view.mission().is_some();
        let n_trees = if hidden { self.setup.worlds.max(1) } else { 1 };
        let kept = self.setup.reuse
            && self.trees.len() == n_trees
            && self.trees.iter_mut().all(|tree| catch_up(tree, view));
        if kept {
            return;
        }
        self.trees.clear();
        for _ in 0..n_trees {
            let root: State = view.sample_state(&mut self.rng);
            let MctsSetup {
                game,
                hooks,
                params,
                ..
            } = self.setup.clone();
            let stop = self.setup.stop.clone();
            self.trees
                .push(Mcts::new(game, hooks, params, root).with_stop(stop));
        }
    }

    fn decide(&mut self, view: View<'_>) -> Option<RiskAction> {
        let mut reports = self.search(view);
        let action = if reports.len() == 1 {
            reports.pop()?.best
        } else {
            most_visited(reports)
        }?;
        if self.setup.stop.is_raised() {
            // Copying a large subtree would take too long now.
            self.trees.clear();
        }
        for tree in &mut self.trees {
            tree.advance(&action);
        }
        self.forget_ended_turn(view);
        Some(action)
    }

    /// A tree is useless for the next turn, so its memory is freed.
    fn forget_ended_turn(&mut self, view: View<'_>) {
        let is_over = |tree: &Mcts<RiskGame>| match tree.root().node() {
            Node::Decision(player) => player != view.seat(),
            Node::Chance => tree.root().phase() != Phase::Battle,
            Node::Terminal => true,
        };
        if self.trees.iter().all(is_over) {
            self.trees = Vec::new();
        }
    }

    /// Moves the trees along a move that needed no search.
    fn follow(&mut self, view: View<'_>, action: &RiskAction) {
        let kept = self.trees.iter_mut().all(|tree| catch_up(tree, view));
        if !kept || matches!(action, RiskAction::Play(Move::Place { .. })) {
            self.trees.clear();
        }
        for tree in &mut self.trees {
            tree.advance(action);
        }
    }
}

/// A share of a budget for one of `n` trees.
fn share_of(budget: Budget, n: usize) -> Budget {
    match budget {
        Budget::Iterations(total) => Budget::Iterations((total / n as u64).max(1)),
        Budget::Time(total) => Budget::Time(total / n as u32),
        Budget::Nodes(total) => Budget::Nodes((total / n).max(1)),
    }
}

/// The action with the most visits in all reports, the first on ties.
fn most_visited(reports: Vec<ReportOf<RiskGame>>) -> Option<RiskAction> {
    let mut sums: Vec<ChildReport<RiskAction>> = Vec::new();
    for child in reports.into_iter().flat_map(|report| report.children) {
        match sums.iter_mut().find(|known| known.action == child.action) {
            Some(known) => known.visits += child.visits,
            None => sums.push(child),
        }
    }
    let most = sums.iter().map(|child| child.visits).max()?;
    sums.into_iter()
        .find(|child| child.visits == most)
        .map(|child| child.action)
}

impl Bot for MctsBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(mv) = self.plan.next(view) {
            return Ok(mv);
        }
        if let (Phase::Occupy, Some(evaluator)) = (view.phase(), &self.setup.occupier) {
            // The tree's states are already past this decision.
            let state = view.sample_state(&mut self.rng);
            let armies = best_occupation(evaluator, &state);
            return Ok(Move::Occupy { armies });
        }
        if view.n_legal_moves() == 1 {
            let mv = only_move(view);
            self.follow(view, &RiskAction::Play(mv));
            return Ok(mv);
        }
        match self.decide(view) {
            Some(action) => Ok(self.plan.start(&action)),
            None => Ok(only_move(view)),
        }
    }
}

/// The first legal move.
pub(crate) fn only_move(view: View<'_>) -> Move {
    view.legal_groups()
        .first()
        .and_then(|group| group.nth(0))
        .unwrap_or(Move::End)
}
