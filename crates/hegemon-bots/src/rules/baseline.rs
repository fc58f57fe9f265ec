//! The baseline player of paper 000, section 3.2.3 (spec 5.6).

use hegemon_core::{Move, Rng, State, TerritoryId, View};

use super::active::{self, Active};
use super::pieces::{Ties, pick};
use crate::policy::{Draws, Policy};

/// All armies where they weigh most against the neighbours; attack the weakest
/// neighbour of the active territory until nothing can be attacked; move in
/// everything; fortify as the simulation policy does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Baseline;

impl Policy for Baseline {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        active::choose::<Self>(view, rng)
    }

    #[inline]
    fn play_on(&mut self, state: &mut State, most: u32, draws: &mut impl Draws) -> u32 {
        active::play_on(self, state, most, draws)
    }
}

/// The weakest neighbour.
#[derive(Clone, Copy)]
pub(super) struct Weakest {
    territory: TerritoryId,
    /// The fewest armies of the other enemies around.
    others: u32,
}

impl Active for Baseline {
    type Target = Weakest;

    #[inline]
    fn base(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId> {
        heaviest(view, rng)
    }

    #[inline]
    fn target(view: View<'_>, from: TerritoryId, rng: &mut Rng) -> Option<Weakest> {
        let board = view.board();
        if board.armies(from) < 2 {
            return None;
        }
        let enemies = board.enemy_neighbors(view.map(), from);
        let fewest = enemies.iter().map(|t| board.armies(t)).min()?;
        let weakest = enemies.iter().filter(|&t| board.armies(t) == fewest).collect();
        let territory = pick(weakest, rng)?;
        let others = enemies.iter().filter(|&t| t != territory);
        let others = others.map(|t| board.armies(t)).min().unwrap_or(u32::MAX);
        Some(Weakest { territory, others })
    }

    #[inline]
    fn territory(weakest: Weakest) -> TerritoryId {
        weakest.territory
    }

    /// The only weakest one is picked out of one.
    #[inline]
    fn insists(weakest: Weakest, _fighters: u32, defenders: u32, rng: &mut Rng) -> bool {
        let is_only = defenders < weakest.others;
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
    let mut best = None;
    let (mut best_own, mut best_enemy) = (0u64, 1u64);
    let mut ties = Ties::default();
    for territory in board.owned(view.seat()) {
        let enemies = board.enemy_neighbors(map, territory);
        if enemies.is_empty() {
            continue;
        }
        let own = u64::from(board.armies(territory) + view.to_place());
        let enemy: u64 = enemies.iter().map(|t| u64::from(board.armies(t))).sum();
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
