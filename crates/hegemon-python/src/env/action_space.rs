//! The fixed list of actions of a map: a move is cut into steps that each pick one of them.

use hegemon_core::{Card, MAX_TERRITORIES, TerritoryId};

/// How many actions pick an amount.
pub(crate) const N_AMOUNTS: usize = 16;

/// The numbers of the actions on a map with this many territories:
///
/// | action | meaning |
/// |---|---|
/// | 0 | end the phase |
/// | 1 + t | territory t: to claim, to place on, to make the capital, to attack or move from |
/// | 1 + T + t | territory t as a target, or as the one that gets a set's bonus |
/// | 1 + 2 T + t | the card of territory t; t = T is a wild card |
/// | 2 + 3 T + k | an amount, counted from the most downwards |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ActionSpace {
    n_territories: usize,
}

/// One action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveStep {
    End,
    Territory(TerritoryId),
    Target(TerritoryId),
    Card(Card),
    /// The number of the amount, from the most downwards.
    Amount(usize),
}

impl ActionSpace {
    pub(crate) fn new(n_territories: usize) -> ActionSpace {
        debug_assert!(n_territories <= MAX_TERRITORIES);
        ActionSpace { n_territories }
    }

    /// How many actions there are.
    pub(crate) fn len(self) -> usize {
        2 + 3 * self.n_territories + N_AMOUNTS
    }

    /// The number of a step.
    #[inline]
    pub(crate) fn number(self, step: MoveStep) -> usize {
        let n = self.n_territories;
        match step {
            MoveStep::End => 0,
            MoveStep::Territory(t) => 1 + t.index(),
            MoveStep::Target(t) => 1 + n + t.index(),
            MoveStep::Card(Card::Territory(t)) => 1 + 2 * n + t.index(),
            MoveStep::Card(Card::Wild) => 1 + 3 * n,
            MoveStep::Amount(k) => 2 + 3 * n + k,
        }
    }

    /// The step with this number.
    #[inline]
    pub(crate) fn step(self, number: usize) -> Option<MoveStep> {
        let n = self.n_territories;
        let Some(place) = number.checked_sub(1) else {
            return Some(MoveStep::End);
        };
        Some(match place {
            t if t < n => MoveStep::Territory(TerritoryId::new(t)),
            t if t < 2 * n => MoveStep::Target(TerritoryId::new(t - n)),
            t if t < 3 * n => MoveStep::Card(Card::Territory(TerritoryId::new(t - 2 * n))),
            t if t == 3 * n => MoveStep::Card(Card::Wild),
            t if t <= 3 * n + N_AMOUNTS => MoveStep::Amount(t - 3 * n - 1),
            _ => return None,
        })
    }
}
