//! Policies: players that only look at the view and their own memory. They are
//! bots, and they play inside searches.

use hegemon_core::{Move, Node, Rng, State, View};

/// A way to play that needs no more than the view, its memory and a generator.
pub trait Policy {
    /// A legal move at the decision that the view shows.
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move;
}

/// Plays a state to its end with one policy in all seats; at most `cap`
/// decisions. Returns how many were made.
///
/// The policy must keep no memory of a seat between decisions; [`Policy`]s that
/// do are played by one instance a seat.
#[inline]
pub fn playout(state: &mut State, policy: &mut impl Policy, rng: &mut Rng, cap: u32) -> u32 {
    let mut n_decisions = 0;
    loop {
        match state.node() {
            Node::Decision(_) if n_decisions < cap => {
                n_decisions += 1;
                let mv = policy.choose(View::of_mover(state), rng);
                debug_assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
                state.play_unchecked(mv);
            }
            Node::Chance => state.resolve_sampled(rng),
            _ => return n_decisions,
        }
    }
}
