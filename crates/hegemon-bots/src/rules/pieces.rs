//! Decisions that several rule bots share.

use hegemon_core::rules::Fortify;
use hegemon_core::{Board, Move, Rng, TerritoryId, TerritorySet, View};

/// A uniformly random member of a set.
#[inline]
pub(crate) fn pick(set: TerritorySet, rng: &mut Rng) -> Option<TerritoryId> {
    if set.is_empty() {
        None
    } else {
        set.nth(rng.below(set.len() as u32) as usize)
    }
}

/// A uniformly random territory of the seat with an enemy neighbour.
///
/// Most territories usually qualify, so rejection sampling is faster than
/// listing them, and equally uniform.
#[inline]
pub(crate) fn pick_frontier(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId> {
    let own = view.board().owned(view.seat());
    for _ in 0..4 {
        let territory = pick(own, rng)?;
        if !own.is_superset(view.map().neighbors(territory)) {
            return Some(territory);
        }
    }
    pick(view.board().frontier(view.map(), view.seat()), rng)
}

/// Picks uniformly among ties in one pass.
#[derive(Default)]
pub(crate) struct TiePicker(u32);

impl TiePicker {
    /// Resets for a strictly better candidate.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.0 = 1;
    }

    /// Whether an equal candidate replaces the one kept.
    #[inline]
    pub(crate) fn replaces(&mut self, rng: &mut Rng) -> bool {
        self.0 += 1;
        rng.below(self.0) == 0
    }
}

/// Moves for the phases that Brand and Kroon 2014 do not have, so that their
/// players play under any rules: claim and place at random, trade whenever
/// possible.
pub(crate) fn elsewhere(view: View<'_>, rng: &mut Rng) -> Move {
    use hegemon_core::{MoveGroup, Phase};
    let groups = view.legal_groups();
    match view.phase() {
        // A trade comes before the group that ends trading.
        Phase::Trade => match groups.first() {
            Some(MoveGroup::Trade(mv)) => *mv,
            _ => Move::End,
        },
        Phase::Setup if view.to_place() > 0 => {
            let own = view.board().owned(view.seat());
            let territory = pick_frontier(view, rng).or_else(|| pick(own, rng));
            match territory {
                Some(territory) => Move::Place {
                    territory,
                    armies: view.to_place(),
                },
                None => Move::End,
            }
        }
        _ => {
            let moves = view.legal_moves();
            rng.pick(&moves).copied().unwrap_or(Move::End)
        }
    }
}

/// The manoeuvre of Brand and Kroon 2014: from the strongest territory to a
/// random one of the weakest in its region, so that both are equal; the source
/// keeps the odd army. Under rules with adjacent moves only neighbours count.
#[inline(always)]
pub(crate) fn equalise(view: View<'_>, rng: &mut Rng) -> Move {
    let board = view.board();
    let own = board.owned(view.seat());
    let Some(from) = strongest(board, own) else {
        return Move::End;
    };
    let reach = match view.game().rules().fortify {
        Fortify::OneConnected => view.map().reachable(from, own),
        _ => view.map().neighbors(from) & own,
    } - TerritorySet::of(from);
    let Some(to) = weakest(board, reach, rng) else {
        return Move::End;
    };
    let difference = board.armies(from).saturating_sub(board.armies(to));
    match (difference / 2).min(view.moveable(from)) {
        0 => Move::End,
        armies => Move::Fortify { from, to, armies },
    }
}

/// The first territory with the most armies.
#[inline]
fn strongest(board: &Board, set: TerritorySet) -> Option<TerritoryId> {
    board.with_armies(set, board.most_armies(set)).first()
}

/// A random one of the territories with the fewest armies.
#[inline]
pub(crate) fn weakest(board: &Board, set: TerritorySet, rng: &mut Rng) -> Option<TerritoryId> {
    pick(board.with_armies(set, board.fewest_armies(set)), rng)
}
