//! Keeping a search in step with the game that is played.

use std::collections::VecDeque;

use hegemon_core::{Move, Node, Phase, State, View};
use hegemon_search::{Domain, Mcts};

use super::action::RiskAction;
use super::risk::RiskGame;

/// Moves of an action that are still to be played.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlannedMoves(VecDeque<Move>);

impl PlannedMoves {
    /// The next planned move, if it is legal now; a plan that went wrong is
    /// dropped.
    pub(crate) fn next(&mut self, view: View<'_>) -> Option<Move> {
        let mv = self.0.pop_front().filter(|&mv| view.is_legal(mv));
        if mv.is_none() {
            self.0.clear();
        }
        mv
    }

    /// Plans an action and returns its first move.
    pub(crate) fn start(&mut self, action: &RiskAction) -> Move {
        self.0 = action.moves().into();
        self.0.pop_front().unwrap_or(Move::End)
    }
}

/// Whether the state matches what the seat sees.
pub(crate) fn agrees(state: &State, view: View<'_>) -> bool {
    let same_cards = || {
        let mut seats = state.game().seats();
        state.hand(view.seat()) == view.hand()
            && seats.all(|seat| state.hand(seat).len() == view.n_cards(seat))
            && state.discard() == view.discard()
    };
    let same_arrivals = || {
        state.phase() != Phase::Fortify
            || state
                .board()
                .owned(view.seat())
                .iter()
                .all(|t| state.moveable(t) == view.moveable(t))
    };
    state.phase() == view.phase()
        && state.player() == view.player()
        && state.round() == view.round()
        && state.board().hash() == view.board().hash()
        && state.board() == view.board()
        && state.to_place() == view.to_place()
        && state.neutral_to_place() == view.neutral_to_place()
        && state.n_traded() == view.n_traded()
        && state.has_conquered() == view.has_conquered()
        && same_cards()
        && same_arrivals()
}

/// Advances the root of a search to what the seat sees, through one chance
/// outcome if necessary. Returns false if the tree does not contain it.
pub(crate) fn catch_up(mcts: &mut Mcts<RiskGame>, view: View<'_>) -> bool {
    if agrees(mcts.root(), view) {
        return true;
    }
    if mcts.root().node() != Node::Chance {
        return false;
    }
    let mut outcomes = Vec::new();
    mcts.game().outcomes(mcts.root(), &mut outcomes);
    let fits = outcomes.iter().find(|(outcome, _)| {
        let mut next = mcts.root().clone();
        mcts.game().resolve(&mut next, *outcome);
        agrees(&next, view)
    });
    match fits {
        Some(&(outcome, _)) => mcts.advance_outcome(outcome),
        None => false,
    }
}
