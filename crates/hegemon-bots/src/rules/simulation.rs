//! The simulation policy of Brand and Kroon 2014, section 3.1.1
//! (docs/spec/sampling.md 5.5).

use hegemon_core::{Move, Phase, Rng, View};

use super::pieces::{elsewhere, equalise, pick_frontier};
use crate::policy::Policy;

/// All armies on one random frontier territory; attack from the active
/// territory once the first neighbour that would more likely fall than not;
/// move in a random number; level the strongest with the weakest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulation;

impl Policy for Simulation {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        match view.phase() {
            Phase::Attack => attack(view),
            Phase::Occupy => occupy(view, rng),
            Phase::Reinforce => match pick_frontier(view, rng) {
                Some(territory) => Move::Place {
                    territory,
                    armies: view.to_place(),
                },
                None => elsewhere(view, rng),
            },
            Phase::Fortify => equalise(view, rng),
            _ => elsewhere(view, rng),
        }
    }
}

#[inline]
fn attack(view: View<'_>) -> Move {
    let Some(from) = view.last() else {
        return Move::End;
    };
    let board = view.board();
    let fighters = board.armies(from).saturating_sub(1);
    let battles = view.game().battles();
    for &to in view.map().neighbor_list(from) {
        if board.owner(to) != view.seat() && fighters >= battles.force_for_even(board.armies(to)) {
            return Move::Attack {
                from,
                to,
                with: *view.attack_range(from).end(),
            };
        }
    }
    Move::End
}

#[inline]
fn occupy(view: View<'_>, rng: &mut Rng) -> Move {
    let fewest = view.fewest_to_occupy();
    let most = view.most_to_occupy();
    Move::Occupy {
        armies: fewest + rng.below(most + 1 - fewest),
    }
}
