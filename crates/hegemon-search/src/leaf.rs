//! The value of a new node: playout, truncated playout, or evaluation, with the
//! discount per turn.

use hegemon_core::Rng;

use crate::domain::{Domain, NodeKind};
use crate::hooks::{Hooks, PlayoutEnd, Trace};
use crate::params::{Discount, Leaf};
use crate::values::Values;

/// What leaf values depend on besides the state.
pub(crate) struct Valuer<'a, G: Domain> {
    pub(crate) game: &'a G,
    pub(crate) hooks: &'a Hooks<G>,
    pub(crate) leaf: Leaf,
    pub(crate) discount: Option<Discount>,
    /// [`Domain::turns_played`] at the tree's first root.
    pub(crate) origin_turns: u32,
}

/// Counts of default-policy calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeafCounts {
    /// Playouts or evaluations made.
    pub(crate) estimates: u64,
    /// Playouts cut at the safety cap.
    pub(crate) capped: u64,
}

impl<G: Domain> Valuer<'_, G> {
    fn discounted(&self, values: Values, turns_played: u32) -> Values {
        let Some(discount) = self.discount else {
            return values;
        };
        let n = self.game.n_players();
        let neutral = discount.neutral.unwrap_or(1.0 / n as f64);
        let turns = turns_played.saturating_sub(self.origin_turns);
        values.drawn_to(n, neutral, libm::pow(discount.per_turn, f64::from(turns)))
    }

    /// The utilities of a terminal state.
    pub(crate) fn utility(&self, state: &G::State) -> Values {
        self.discounted(self.game.utilities(state), self.game.turns_played(state))
    }

    /// The evaluation of a state that is not at chance.
    pub(crate) fn evaluation(&self, state: &G::State) -> Values {
        if self.game.kind(state) == NodeKind::Terminal {
            return self.utility(state);
        }
        let values = self.hooks.evaluate.values(self.game, state);
        self.discounted(values, self.game.turns_played(state))
    }

    /// Draws outcomes until the state is not at chance.
    pub(crate) fn settle_chance(&self, state: &mut G::State, rng: &mut Rng) {
        while self.game.kind(state) == NodeKind::Chance {
            let outcome = self.game.sample_outcome(state, rng);
            self.game.resolve(state, outcome);
        }
    }

    /// The default estimate of a state, which is consumed.
    pub(crate) fn estimate(
        &self,
        state: &mut G::State,
        rng: &mut Rng,
        trace: &mut Trace,
        counts: &mut LeafCounts,
    ) -> Values {
        self.settle_chance(state, rng);
        if self.game.kind(state) == NodeKind::Terminal {
            return self.utility(state);
        }
        counts.estimates += 1;
        let limit = match self.leaf {
            Leaf::Evaluation => return self.evaluation(state),
            Leaf::Truncated { decisions } => decisions,
            Leaf::Playout { cap } => cap,
        };
        let playout = &self.hooks.playout;
        match playout.play_out(self.game, state, limit, rng, trace) {
            PlayoutEnd::Finished {
                values,
                turns_played,
            } => self.discounted(values, turns_played),
            PlayoutEnd::Cut => {
                counts.capped += u64::from(matches!(self.leaf, Leaf::Playout { .. }));
                self.settle_chance(state, rng);
                self.evaluation(state)
            }
        }
    }
}
