//! A random mover that makes progress, and garbage moves.

use std::ops::{ControlFlow, RangeInclusive};

use hegemon_core::{
    Card, MAX_TERRITORIES, Move, MoveGroup, Outcome, Phase, PlayerId, Rng, State, TerritoryId,
    TerritorySet,
};

use super::{between, one_of};

/// How likely the mover goes on rather than ends a phase. Uniform choice over
/// moves alone would place armies for ever and hardly conquer anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    pub(crate) zeal: f64,
    /// The same for trading cards; a low value makes hands grow large.
    pub(crate) trade: f64,
}

impl Mover {
    pub(crate) fn random(rng: &mut Rng) -> Mover {
        Mover {
            zeal: one_of(rng, &[0.5, 0.8, 0.95]),
            trade: one_of(rng, &[0.0, 0.1, 0.7]),
        }
    }

    /// Picks a legal move: a group first, then a move of it.
    pub(crate) fn choose(self, state: &State, rng: &mut Rng) -> Move {
        // Reservoir sampling over the groups: no list is made.
        let mut chosen = MoveGroup::End;
        let mut n_active = 0;
        let mut may_end = false;
        state.for_each_group(|group| {
            if group == MoveGroup::End {
                may_end = true;
            } else {
                n_active += 1;
                if rng.below(n_active) == 0 {
                    chosen = group;
                }
            }
            ControlFlow::Continue(())
        });
        let go_on = if state.phase() == Phase::Trade {
            self.trade
        } else {
            self.zeal
        };
        if may_end && !rng.chance(go_on) {
            chosen = MoveGroup::End;
        }
        move_of(&chosen, rng)
    }
}

/// A move of the group: any target; the most, the least or any number.
fn move_of(group: &MoveGroup, rng: &mut Rng) -> Move {
    match group {
        MoveGroup::Claim(set) => Move::Claim {
            territory: target(*set, rng),
        },
        MoveGroup::Capital(set) => Move::Capital {
            territory: target(*set, rng),
        },
        MoveGroup::Trade(mv) => *mv,
        MoveGroup::Place(set, range) => Move::Place {
            territory: target(*set, rng),
            armies: count(range, rng),
        },
        MoveGroup::Attack(from, set, range) => Move::Attack {
            from: *from,
            to: target(*set, rng),
            with: count(range, rng),
        },
        MoveGroup::Occupy(range) => Move::Occupy {
            armies: count(range, rng),
        },
        MoveGroup::Fortify(from, set, range) => Move::Fortify {
            from: *from,
            to: target(*set, rng),
            armies: count(range, rng),
        },
        MoveGroup::End => Move::End,
    }
}

fn target(set: TerritorySet, rng: &mut Rng) -> TerritoryId {
    let n = rng.below(set.len() as u32) as usize;
    set.nth(n).expect("below the size of the set")
}

fn count(range: &RangeInclusive<u32>, rng: &mut Rng) -> u32 {
    match rng.below(4) {
        0 => *range.start(),
        1 => between(rng, *range.start(), *range.end()),
        _ => *range.end(),
    }
}

/// A move that is probably not legal: any kind, any territory (mostly of the
/// map), any number (mostly small).
pub(crate) fn garbage_move(state: &State, rng: &mut Rng) -> Move {
    match rng.below(8) {
        0 => Move::Claim {
            territory: any_territory(state, rng),
        },
        1 => Move::Capital {
            territory: any_territory(state, rng),
        },
        2 => {
            let mut cards = [
                any_card(state, rng),
                any_card(state, rng),
                any_card(state, rng),
            ];
            if rng.chance(0.8) {
                cards.sort();
            }
            let bonus = rng.chance(0.5).then(|| any_territory(state, rng));
            Move::Trade { cards, bonus }
        }
        3 => Move::Place {
            territory: any_territory(state, rng),
            armies: any_number(state, rng),
        },
        4 => Move::Attack {
            from: any_territory(state, rng),
            to: any_territory(state, rng),
            with: any_number(state, rng),
        },
        5 => Move::Occupy {
            armies: any_number(state, rng),
        },
        6 => Move::Fortify {
            from: any_territory(state, rng),
            to: any_territory(state, rng),
            armies: any_number(state, rng),
        },
        _ => Move::End,
    }
}

/// A legal move with one part changed: the hardest kind of garbage.
pub(crate) fn near_miss(state: &State, legal: Move, rng: &mut Rng) -> Move {
    let other = any_territory(state, rng);
    let off_by_one = |n: u32, rng: &mut Rng| {
        if rng.chance(0.5) {
            n + 1
        } else {
            n.saturating_sub(1)
        }
    };
    match legal {
        Move::Claim { .. } => Move::Claim { territory: other },
        Move::Capital { .. } => Move::Capital { territory: other },
        Move::Trade { mut cards, bonus } => {
            if rng.chance(0.5) {
                cards[rng.below(3) as usize] = any_card(state, rng);
                cards.sort();
                Move::Trade { cards, bonus }
            } else {
                let bonus = rng.chance(0.7).then_some(other);
                Move::Trade { cards, bonus }
            }
        }
        Move::Place { territory, armies } => match rng.below(2) {
            0 => Move::Place {
                territory: other,
                armies,
            },
            _ => Move::Place {
                territory,
                armies: off_by_one(armies, rng),
            },
        },
        Move::Attack { from, to, with } => match rng.below(3) {
            0 => Move::Attack {
                from: other,
                to,
                with,
            },
            1 => Move::Attack {
                from,
                to: other,
                with,
            },
            _ => Move::Attack {
                from,
                to,
                with: off_by_one(with, rng),
            },
        },
        Move::Occupy { armies } => Move::Occupy {
            armies: off_by_one(armies, rng),
        },
        Move::Fortify { from, to, armies } => match rng.below(3) {
            0 => Move::Fortify {
                from: other,
                to,
                armies,
            },
            1 => Move::Fortify {
                from,
                to: other,
                armies,
            },
            _ => Move::Fortify {
                from,
                to,
                armies: off_by_one(armies, rng),
            },
        },
        Move::End => garbage_move(state, rng),
    }
}

/// An outcome that probably cannot happen.
pub(crate) fn garbage_outcome(state: &State, rng: &mut Rng) -> Outcome {
    match rng.below(6) {
        0 => Outcome::First(PlayerId::new(rng.below(8) as usize)),
        1 => Outcome::Deal(any_territory(state, rng)),
        2 => Outcome::Scatter(any_territory(state, rng)),
        3 => Outcome::Mission(rng.below(256) as u8),
        4 => Outcome::Battle {
            attacker_losses: any_number(state, rng),
            defender_losses: any_number(state, rng),
        },
        _ => Outcome::Draw(any_card(state, rng)),
    }
}

fn any_territory(state: &State, rng: &mut Rng) -> TerritoryId {
    let most = if rng.chance(0.05) {
        MAX_TERRITORIES
    } else {
        state.game().map().n_territories()
    };
    let n = most as u32;
    TerritoryId::new(rng.below(n) as usize)
}

fn any_card(state: &State, rng: &mut Rng) -> Card {
    let hand = state.hand(state.player());
    if !hand.is_empty() && rng.chance(0.7) {
        return hand
            .nth(rng.below(hand.len() as u32) as usize)
            .expect("a card of the hand");
    }
    if rng.chance(0.2) {
        Card::Wild
    } else {
        Card::Territory(any_territory(state, rng))
    }
}

fn any_number(state: &State, rng: &mut Rng) -> u32 {
    match rng.below(10) {
        0 => rng.word() as u32,
        1 => u32::MAX,
        2 => state.to_place(),
        3 => state.board().armies(TerritoryId::new(0)),
        _ => rng.below(5),
    }
}
