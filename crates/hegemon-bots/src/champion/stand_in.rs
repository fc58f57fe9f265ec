//! Who may sit in a seat of a look ahead. Most stand-ins are policies that are made
//! in a few nanoseconds; any other bot is built from its spec.

use std::sync::Arc;

use hegemon_core::{Game, Move, PlayerId, Rng, State, View};

use crate::beam::{self, BeamPolicy};
use crate::bot::{Bot, Seating};
use crate::loader::Grants;
use crate::lux::{LuxBot, LuxKind, LuxOptions};
use crate::policy::Policy;
use crate::registry;
use crate::rules::{Baseline, Simulation};
use crate::search::{RiskAction, whole_action};
use crate::spec::{Spec, SpecError};

/// A way to play for a seat.
#[derive(Clone, Debug)]
pub(super) enum StandIn {
    Lux(LuxKind),
    Beam(Arc<BeamPolicy>),
    Baseline,
    Simulation,
    Other(Spec, Grants),
}

impl StandIn {
    /// The stand-in of a spec.
    ///
    /// # Errors
    ///
    /// If the bot of the spec cannot play the game.
    pub(super) fn new(
        spec: &Spec,
        game: &Arc<Game>,
        grants: &Grants,
    ) -> Result<StandIn, SpecError> {
        registry::check(spec, game, grants)?;
        if spec.name == beam::INFO.name {
            let policy = beam::policy(&registry::settings(spec)?, game, grants)?;
            return Ok(StandIn::Beam(Arc::new(policy)));
        }
        let plain = spec.arguments.is_empty().then_some(spec.name.as_str());
        Ok(match (plain, plain.and_then(LuxKind::named)) {
            (_, Some(kind)) => StandIn::Lux(kind),
            (Some("baseline"), _) => StandIn::Baseline,
            (Some("simulation"), _) => StandIn::Simulation,
            _ => StandIn::Other(spec.clone(), grants.clone()),
        })
    }

    /// A player who has seen nothing of the game yet.
    pub(super) fn player(
        &self,
        game: &Arc<Game>,
        seat: PlayerId,
        rng: &mut Rng,
    ) -> Option<StandInPlayer> {
        Some(match self {
            StandIn::Lux(kind) => StandInPlayer::Lux(LuxBot::new(*kind, LuxOptions::default())),
            StandIn::Beam(policy) => StandInPlayer::Beam(Box::new(BeamPolicy::clone(policy))),
            StandIn::Baseline => StandInPlayer::Baseline,
            StandIn::Simulation => StandInPlayer::Simulation,
            StandIn::Other(spec, grants) => {
                let seating = Seating {
                    game,
                    seat,
                    seed: rng.word(),
                    grants,
                };
                StandInPlayer::Other(registry::build(spec, &seating).ok()?)
            }
        })
    }

    /// The action of a fresh player at the decision of a state.
    pub(super) fn action(&self, state: &State, rng: &mut Rng) -> Option<RiskAction> {
        let mut player = self.player(state.game(), state.player(), rng)?;
        whole_action(state, |state| player.choose(View::of_mover(state), rng))
    }
}

/// A stand-in at play in one seat.
#[allow(
    clippy::large_enum_variant,
    reason = "most are Lux bots, made by the thousand: no allocation for each"
)]
pub(super) enum StandInPlayer {
    Lux(LuxBot),
    Beam(Box<BeamPolicy>),
    Baseline,
    Simulation,
    Other(Box<dyn Bot>),
}

impl StandInPlayer {
    /// A move; none if the bot gives up.
    #[inline]
    pub(super) fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Option<Move> {
        Some(match self {
            StandInPlayer::Lux(policy) => policy.choose(view, rng),
            StandInPlayer::Beam(policy) => policy.choose(view, rng),
            StandInPlayer::Baseline => Baseline.choose(view, rng),
            StandInPlayer::Simulation => Simulation.choose(view, rng),
            StandInPlayer::Other(bot) => bot.choose(view).ok()?,
        })
    }

    /// Makes one decision; none if the bot gives up. Returns how many were made.
    #[inline]
    pub(super) fn play(&mut self, state: &mut State, rng: &mut Rng) -> Option<u32> {
        let mv = self.choose(View::of_mover(state), rng);
        state.play_unchecked(mv.filter(|mv| state.is_legal(*mv))?);
        Some(1)
    }

    /// Makes one decision or more of the same turn, the same as [`StandInPlayer::play`]
    /// with dice of the same stream between them. Returns how many were made.
    #[inline]
    pub(super) fn play_on(&mut self, game: &Game, state: &mut State, rng: &mut Rng) -> Option<u32> {
        match self {
            StandInPlayer::Baseline => Some(Baseline.play_on(game, state, u32::MAX, rng)),
            StandInPlayer::Simulation => Some(Simulation.play_on(game, state, u32::MAX, rng)),
            _ => self.play(state, rng),
        }
    }
}
