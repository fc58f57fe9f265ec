//! The simulation policy of Brand and Kroon 2014, section 3.1.1
//! (docs/spec/sampling.md 5.5).

use hegemon_core::{Game, Near, Rng, TerritoryId, View};

use super::active::Active;
use super::pieces::pick_frontier;

/// All armies on one random frontier territory; from the active territory
/// attack once the first neighbour that would more likely fall than not; move
/// in a random number; equalise the strongest and the weakest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulation;

/// A neighbour that would more likely fall than not.
#[derive(Clone, Copy)]
pub(super) struct Prey<'g> {
    territory: TerritoryId,
    /// By fighters: the most defenders that more likely fall than not.
    beaten: &'g [u32],
}

impl<'g> Active<'g> for Simulation {
    type Tables = &'g [u32];
    type Target = Prey<'g>;

    #[inline]
    fn tables(game: &'g Game) -> &'g [u32] {
        game.battles().beaten()
    }

    #[inline]
    fn base(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId> {
        pick_frontier(view, rng)
    }

    #[inline(always)]
    fn target(
        view: View<'_>,
        beaten: &'g [u32],
        from: TerritoryId,
        _rng: &mut Rng,
    ) -> Option<Prey<'g>> {
        let board = view.board();
        let fighters = board.armies(from).saturating_sub(1);
        let territory = match (view.map().near(from), beaten.get(fighters as usize)) {
            (Some(near), Some(&most)) if view.map().most_neighbors() <= 6 => {
                first_beaten::<6>(view, near, most)
            }
            (Some(near), Some(&most)) => first_beaten::<{ Near::N }>(view, near, most),
            _ => first_that_falls(view, from, fighters),
        }?;
        Some(Prey { territory, beaten })
    }

    #[inline]
    fn territory(prey: Prey<'g>) -> TerritoryId {
        prey.territory
    }

    /// Neighbours before it do not fall to fewer fighters either, so it stays
    /// the first.
    #[inline]
    fn insists(prey: Prey<'g>, fighters: u32, defenders: u32, _rng: &mut Rng) -> bool {
        let most = prey.beaten.get(fighters as usize);
        most.is_some_and(|&most| defenders <= most)
    }

    #[inline]
    fn move_in(view: View<'_>, rng: &mut Rng) -> u32 {
        let fewest = view.fewest_to_occupy();
        fewest + rng.below(view.most_to_occupy() + 1 - fewest)
    }
}

/// The first enemy with at most this many armies. Always checks all neighbours,
/// because a branch on the first match would be mispredicted.
#[inline(always)]
fn first_beaten<const N: usize>(view: View<'_>, near: Near, most: u32) -> Option<TerritoryId> {
    let board = view.board();
    let mut beaten = 0;
    for n in 0..N {
        let to = near.nth(n);
        let is_beaten = (board.owner(to) != view.seat()) & (board.armies(to) <= most);
        beaten |= usize::from(is_beaten) << n;
    }
    (beaten != 0).then(|| near.nth(beaten.trailing_zeros() as usize))
}

/// The first neighbour that falls, one by one: for territories with many
/// neighbours and for armies beyond the table.
#[cold]
fn first_that_falls(view: View<'_>, from: TerritoryId, fighters: u32) -> Option<TerritoryId> {
    let (board, battles) = (view.board(), view.game().battles());
    let mut near = view.map().neighbor_list(from).iter().copied();
    near.find(|&to| {
        board.owner(to) != view.seat() && fighters >= battles.force_for_even(board.armies(to))
    })
}
