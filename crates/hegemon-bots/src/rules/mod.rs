//! Bots that follow a few rules: the players of Brand and Kroon
//! 2014, section 3.

pub(crate) mod pieces;

mod active;
mod baseline;
pub(crate) mod program;
mod random;
mod simulation;
#[cfg(test)]
mod tests;

pub use baseline::Baseline;
pub use program::ProgramPolicy;
pub use random::Random;
pub use simulation::Simulation;

use hegemon_core::{Game, Move, Rng, State, View};

use crate::policy::{Draws, Policy};
use crate::spec::Spec;

/// Any of these bots as one policy, without dynamic dispatch: they play the
/// shortest games, and a loop over this type is compiled as one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulePolicy {
    /// [`Simulation`].
    Simulation,
    /// [`Baseline`].
    Baseline,
}

impl RulePolicy {
    /// The policy of a spec, if it is one of these.
    pub fn of(spec: &Spec) -> Option<RulePolicy> {
        if !spec.arguments.is_empty() {
            return None;
        }
        match spec.name.as_str() {
            "simulation" => Some(RulePolicy::Simulation),
            "baseline" => Some(RulePolicy::Baseline),
            _ => None,
        }
    }
}

impl Policy for RulePolicy {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        match self {
            RulePolicy::Simulation => Simulation.choose(view, rng),
            RulePolicy::Baseline => Baseline.choose(view, rng),
        }
    }

    #[inline]
    fn play_on(
        &mut self,
        game: &Game,
        state: &mut State,
        most: u32,
        draws: &mut impl Draws,
    ) -> u32 {
        match self {
            RulePolicy::Simulation => Simulation.play_on(game, state, most, draws),
            RulePolicy::Baseline => Baseline.play_on(game, state, most, draws),
        }
    }
}
