//! The interface of a searchable game: decisions, chance, ends, and a value per
//! player.
//!
//! The shape follows OpenSpiel's `State` (decision, chance or terminal; chance
//! outcomes with exact weights), with two additions that Risk needs: the number
//! of actions may be far too large to list (888,030 recruitments), so actions
//! can be counted and drawn uniformly without a list; and [`Domain::turns_played`]
//! lets a search prefer the earlier of two wins.

use std::fmt::Debug;
use std::hash::Hash;

use hegemon_core::Rng;

use crate::values::{Player, Values};

/// What happens next in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// This player chooses an action.
    Decision(Player),
    /// Chance draws an outcome.
    Chance,
    /// The game is over.
    Terminal,
}

/// A game of up to [`crate::MAX_PLAYERS`] players with perfect information and
/// explicit chance.
///
/// `play` and `resolve` are deterministic; only the methods that take a
/// generator draw. States are never stored in a search tree: they are recreated
/// by replaying actions on a clone of the root, so `State` should be cheap to
/// clone and `play` cheap to call.
///
/// Two actions of one state that hash alike under [`crate::key_of`] (64 bits)
/// count as the same action.
pub trait Domain: Send + Sync {
    /// A position with everything that affects the rest of the game.
    type State: Clone + Send + Sync;
    /// A choice of the player to move.
    type Action: Clone + PartialEq + Hash + Debug + Send + Sync;
    /// A chance outcome.
    type Outcome: Copy + PartialEq + Debug + Send + Sync;

    /// The number of players, 1 to [`crate::MAX_PLAYERS`].
    fn n_players(&self) -> usize;

    /// Whether the state is at a decision, at chance or over.
    fn kind(&self, state: &Self::State) -> NodeKind;

    /// Appends every legal action of a decision state, each once, in a fixed
    /// order. Only called where [`Domain::n_actions`] is at most the list limit of
    /// the parameters (or nearly all actions are already in the tree).
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// The number of legal actions of a decision state. Never zero.
    fn n_actions(&self, state: &Self::State) -> u128 {
        let mut list = Vec::new();
        self.actions(state, &mut list);
        list.len() as u128
    }

    /// A legal action, every one equally likely.
    fn sample_action(&self, state: &Self::State, rng: &mut Rng) -> Self::Action {
        let mut list = Vec::new();
        self.actions(state, &mut list);
        rng.pick(&list).expect("a decision has an action").clone()
    }

    /// Appends `n` independent uniform actions. Override where preparation (a
    /// list, prefix sums) can be shared.
    fn sample_actions(
        &self,
        state: &Self::State,
        n: usize,
        rng: &mut Rng,
        out: &mut Vec<Self::Action>,
    ) {
        for _ in 0..n {
            out.push(self.sample_action(state, rng));
        }
    }

    /// Plays a legal action.
    fn play(&self, state: &mut Self::State, action: &Self::Action);

    /// Appends every possible outcome of a chance state with its positive
    /// integer weight, in a fixed order.
    fn outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Outcome, u64)>);

    /// An outcome drawn by its weight.
    fn sample_outcome(&self, state: &Self::State, rng: &mut Rng) -> Self::Outcome {
        let mut list = Vec::new();
        self.outcomes(state, &mut list);
        list[draw_weighted(&list, rng)].0
    }

    /// Applies a chance outcome.
    fn resolve(&self, state: &mut Self::State, outcome: Self::Outcome);

    /// The result of a terminal state for each player, in `[0, 1]`.
    fn utilities(&self, state: &Self::State) -> Values;

    /// Turns finished since some fixed start; never decreases during a game.
    /// Used by the discount per turn only.
    fn turns_played(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Heap bytes owned by an action beyond its own size, for memory reports.
    fn action_heap_bytes(&self, _action: &Self::Action) -> usize {
        0
    }
}

/// The index of an outcome drawn by integer weight.
///
/// # Panics
///
/// If the list is empty or its weights sum to zero.
pub fn draw_weighted<O>(outcomes: &[(O, u64)], rng: &mut Rng) -> usize {
    let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
    let mut ticket = rng.below_u64(total);
    for (idx, (_, weight)) in outcomes.iter().enumerate() {
        if ticket < *weight {
            return idx;
        }
        ticket -= weight;
    }
    unreachable!("a ticket below the total weight falls on an outcome")
}
