//! The baseline player of Brand and Kroon 2014, section 3.2.3
//! (docs/spec/sampling.md 5.6).

use hegemon_core::{Game, Near, Rng, TerritoryId, TerritorySet, View};

use super::active::Active;
use super::pieces::{TiePicker, weakest};

/// All armies where their ratio to the neighbours is best; attack the weakest
/// neighbour of the active territory until nothing can be attacked; move in
/// everything; fortify as the simulation policy does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Baseline;

/// The weakest neighbour.
#[derive(Clone, Copy)]
pub(super) struct Weakest {
    territory: TerritoryId,
    /// The fewest armies of the other enemies around.
    others: u32,
}

impl<'g> Active<'g> for Baseline {
    type Tables = ();
    type Target = Weakest;

    #[inline]
    fn tables(_game: &'g Game) {}

    #[inline]
    fn base(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId> {
        heaviest(view, rng)
    }

    #[inline(always)]
    fn target(view: View<'_>, (): (), from: TerritoryId, rng: &mut Rng) -> Option<Weakest> {
        let board = view.board();
        if board.armies(from) < 2 {
            return None;
        }
        let enemies = board.enemy_neighbors(view.map(), from);
        let territory = weakest(board, enemies, rng)?;
        let others = board.fewest_armies(enemies - TerritorySet::of(territory));
        Some(Weakest { territory, others })
    }

    #[inline]
    fn territory(weakest: Weakest) -> TerritoryId {
        weakest.territory
    }

    /// A unique weakest neighbour needs no random pick.
    #[inline]
    fn insists(weakest: Weakest, fighters: u32, defenders: u32, rng: &mut Rng) -> bool {
        let is_only = fighters > 0 && defenders < weakest.others;
        if is_only {
            rng.below(1);
        }
        is_only
    }

    #[inline]
    fn move_in(view: View<'_>, _rng: &mut Rng) -> u32 {
        view.most_to_occupy()
    }
}

/// The frontier territory with the largest ratio of its armies after placing to
/// all enemy armies around it; ties at random.
#[inline]
fn heaviest(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId> {
    let (board, map) = (view.board(), view.map());
    let hostile = board.armies_of(map.all() - board.owned(view.seat()));
    let mut best = None;
    let (mut best_own, mut best_enemy) = (0u64, 1u64);
    let mut ties = TiePicker::default();
    for territory in board.frontier(map, view.seat()) {
        let own = u64::from(board.armies(territory) + view.to_place());
        let hostile = |t: TerritoryId| u32::from(hostile[t.index()]);
        let enemy: u32 = match map.near(territory) {
            Some(near) => (0..Near::N).map(|n| hostile(near.nth(n))).sum(),
            None => map
                .neighbor_list(territory)
                .iter()
                .map(|&t| hostile(t))
                .sum(),
        };
        let enemy = u64::from(enemy);
        let (ratio, best_ratio) = (own * best_enemy, best_own * enemy);
        if ratio > best_ratio {
            ties.restart();
        } else if ratio < best_ratio || !ties.replaces(rng) {
            continue;
        }
        (best, best_own, best_enemy) = (Some(territory), own, enemy);
    }
    best
}
