//! Policies: players that use only the view and their own memory. They play as
//! bots and inside searches.

use std::convert::Infallible;
use std::sync::Arc;

use hegemon_core::battle::Losses;
use hegemon_core::{Game, Move, PlayerId, Rng, State, TerritoryId, View};

use crate::play_on::{Seats, play_on};

/// A player that needs only the view, its memory and a generator.
pub trait Policy {
    /// A legal move at the decision that the view shows.
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move;

    /// Makes this decision and possibly more of the same seat, at most `most`,
    /// including the dice between them. Returns how many decisions were made.
    ///
    /// A policy may play its whole turn in one loop here; moves and draws must equal
    /// those of [`Policy::choose`] and single outcomes. `game` is the game of the
    /// state, borrowed separately so that its tables remain accessible while the state
    /// changes.
    #[inline]
    fn play_on(
        &mut self,
        _game: &Game,
        state: &mut State,
        _most: u32,
        draws: &mut impl Draws,
    ) -> u32
    where
        Self: Sized,
    {
        decide(self, state, draws)
    }
}

/// One decision, without the chance that may follow it.
#[inline]
pub(crate) fn decide(policy: &mut impl Policy, state: &mut State, draws: &mut impl Draws) -> u32 {
    let mv = policy.choose(View::of_mover(state), draws.mover());
    debug_assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
    state.play_unchecked(mv);
    1
}

/// Where a policy and its dice draw from: one stream in a playout, one each in
/// a game.
pub trait Draws {
    /// The stream of the seat that moves.
    fn mover(&mut self) -> &mut Rng;

    /// The random stream for the dice.
    fn dice(&mut self) -> &mut Rng;

    /// Called when a run of attacks on a territory begins.
    #[inline]
    fn on_assault(&mut self, _before: &State, _to: TerritoryId) {}

    /// Called with the losses of each attack and the forces before it.
    #[inline]
    fn on_losses(&mut self, _fighters: u32, _defenders: u32, _losses: Losses) {}
}

impl Draws for Rng {
    #[inline]
    fn mover(&mut self) -> &mut Rng {
        self
    }

    #[inline]
    fn dice(&mut self) -> &mut Rng {
        self
    }
}

/// Plays a state to its end with one policy in all seats; at most `cap`
/// decisions. Returns how many were made.
///
/// The policy must keep no memory of a seat between decisions; a [`Policy`]
/// that does needs one instance per seat.
#[inline]
pub fn playout(state: &mut State, policy: &mut impl Policy, rng: &mut Rng, cap: u32) -> u32 {
    let game = Arc::clone(state.game());
    let mut seats = OnePolicy {
        game: &game,
        policy,
        rng,
        cap,
    };
    play_on(state, &mut seats, |_, n| n >= cap).0
}

/// One policy in all seats, and one generator for everything.
struct OnePolicy<'a, P> {
    game: &'a Game,
    policy: &'a mut P,
    rng: &'a mut Rng,
    cap: u32,
}

impl<P: Policy> Seats for OnePolicy<'_, P> {
    type Failure = Infallible;

    #[inline(always)]
    fn decide(&mut self, _: PlayerId, state: &mut State, n: u32) -> Result<u32, Infallible> {
        Ok(self
            .policy
            .play_on(self.game, state, self.cap - n, self.rng))
    }

    #[inline(always)]
    fn chance(&mut self, state: &mut State) {
        state.resolve_sampled(self.rng);
    }
}
