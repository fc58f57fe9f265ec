//! The greedy drafter of Gibson, Desai and Zhao 2010: the pick after which its
//! own share is largest, as if the draft ended there.

use hegemon_core::{Map, Move, PlayerId, Rng, TerritorySet, View};
use hegemon_eval::draft::DraftEvaluator;

use super::board::DraftBoard;
use crate::policy::Policy;
use crate::rules::pieces::pick;

/// Looks one pick ahead.
#[derive(Clone, Debug)]
pub struct GreedyDrafter {
    evaluator: DraftEvaluator,
}

impl GreedyDrafter {
    /// A drafter that maximises this evaluator's shares.
    pub fn new(evaluator: DraftEvaluator) -> GreedyDrafter {
        GreedyDrafter { evaluator }
    }

    /// All best picks. Ties prefer the fewest free territories around all of
    /// the player's.
    pub fn best(&self, map: &Map, draft: &DraftBoard) -> TerritorySet {
        let mut owners = draft.owners.clone();
        let held = |owner: PlayerId| -> TerritorySet {
            map.territories()
                .filter(|t| draft.owners[t.index()] == owner)
                .collect()
        };
        let (own, free) = (held(draft.mover), held(PlayerId::NOBODY));
        let mut best = TerritorySet::EMPTY;
        let (mut most, mut fewest) = (f64::NEG_INFINITY, usize::MAX);
        for t in free {
            owners[t.index()] = draft.mover;
            let share = self.evaluator.shares(&owners)[draft.mover];
            owners[t.index()] = PlayerId::NOBODY;
            let mine = own | TerritorySet::of(t);
            let around = mine
                .iter()
                .fold(TerritorySet::EMPTY, |a, t| a | map.neighbors(t));
            let n_free = ((around & free) - mine).len();
            if share > most || (share == most && n_free < fewest) {
                (most, fewest) = (share, n_free);
                best = TerritorySet::EMPTY;
            }
            if share == most && n_free == fewest {
                best.insert(t);
            }
        }
        best
    }
}

impl Policy for GreedyDrafter {
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        let best = self.best(view.map(), &DraftBoard::of(view));
        pick(best, rng).map_or(Move::End, |territory| Move::Claim { territory })
    }
}
