//! The simulation policy of paper 000, section 3.1.1 (spec 5.5).

use hegemon_core::{Move, Rng, State, TerritoryId, View};

use super::active::{self, Active};
use super::pieces::pick_frontier;
use crate::policy::{Draws, Policy};

/// All armies on one random frontier territory; attack from the active
/// territory once the first neighbour that would more likely fall than not;
/// move in a random number; level the strongest with the weakest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulation;

impl Policy for Simulation {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        active::choose::<Self>(view, rng)
    }

    #[inline]
    fn play_on(&mut self, state: &mut State, most: u32, draws: &mut impl Draws) -> u32 {
        active::play_on(self, state, most, draws)
    }
}

/// A neighbour that would more likely fall than not.
#[derive(Clone, Copy)]
pub(super) struct Prey {
    territory: TerritoryId,
    /// Fewest fighters with a chance above one half, by defenders.
    forces: &'static [u32],
}

impl Active for Simulation {
    type Target = Prey;

    #[inline]
    fn base(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId> {
        pick_frontier(view, rng)
    }

    #[inline]
    fn target(view: View<'_>, from: TerritoryId, _rng: &mut Rng) -> Option<Prey> {
        let board = view.board();
        let fighters = board.armies(from).saturating_sub(1);
        let battles = view.game().battles();
        let forces = battles.forces_for_even();
        let falls = |to: TerritoryId| {
            let defenders = board.armies(to);
            let force = match forces.get(defenders as usize) {
                Some(&force) => force,
                None => battles.force_for_even(defenders),
            };
            (board.owner(to) != view.seat()) & (fighters >= force)
        };
        // All neighbours are looked at: which is the first is hard to predict.
        let found = match view.map().near(from) {
            Some(near) => {
                let bits = (0..).zip(near);
                let falling = bits.fold(0u32, |all, (n, &to)| all | u32::from(falls(to)) << n);
                near.get(falling.trailing_zeros() as usize).copied()
            }
            None => view.map().neighbor_list(from).iter().copied().find(|&to| falls(to)),
        };
        found.map(|territory| Prey { territory, forces })
    }

    #[inline]
    fn territory(prey: Prey) -> TerritoryId {
        prey.territory
    }

    /// Neighbours before it do not fall to fewer fighters either, so it is still
    /// the first.
    #[inline]
    fn insists(prey: Prey, fighters: u32, defenders: u32, _rng: &mut Rng) -> bool {
        let force = prey.forces.get(defenders as usize);
        force.is_some_and(|&force| fighters >= force)
    }

    #[inline]
    fn move_in(view: View<'_>, rng: &mut Rng) -> u32 {
        let fewest = view.fewest_to_occupy();
        fewest + rng.below(view.most_to_occupy() + 1 - fewest)
    }
}
