//! The baseline player of Brand and Kroon 2014, section 3.2.3
//! (docs/spec/sampling.md 5.6).

use hegemon_core::{Move, Phase, Rng, TerritoryId, View};

use super::pieces::{Ties, elsewhere, equalise, weakest};
use crate::policy::Policy;

/// All armies where they weigh most against the neighbours; attack the weakest
/// neighbour of the active territory until nothing can be attacked; move in
/// everything; fortify as the simulation policy does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Baseline;

impl Policy for Baseline {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        match view.phase() {
            Phase::Attack => attack(view, rng),
            Phase::Occupy => Move::Occupy {
                armies: view.most_to_occupy(),
            },
            Phase::Reinforce => match heaviest(view, rng) {
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

#[inline]
fn attack(view: View<'_>, rng: &mut Rng) -> Move {
    let Some(from) = view.last() else {
        return Move::End;
    };
    let board = view.board();
    if board.armies(from) < 2 {
        return Move::End;
    }
    match weakest(board, board.enemy_neighbors(view.map(), from), rng) {
        Some(to) => Move::Attack {
            from,
            to,
            with: *view.attack_range(from).end(),
        },
        None => Move::End,
    }
}
