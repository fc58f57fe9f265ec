//! Shaft's forward sweep (docs/spec/lux.md 7.6): a front that advances as long
//! as that does not lengthen it.

use hegemon_core::{TerritoryId, TerritorySet};

use super::Order;
use crate::lux::list::List;
use crate::lux::scene::Scene;

/// A sweep from one border, stopped after an order.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    seen: List,
    seen_set: TerritorySet,
    front: List,
    stage: SweepStage,
    /// Whether the current advance moved the front.
    has_advanced: bool,
}

#[derive(Clone, Copy, Debug)]
enum SweepStage {
    Over,
    /// The first attack, from the border.
    Opening(TerritoryId),
    /// Attacks on what was seen: which of them, from which neighbour.
    Closing {
        at: usize,
        door: usize,
    },
    /// The front moves: which of its territories.
    Moving {
        at: usize,
    },
}

/// What the next territory of the front does.
enum SweepTurn {
    Stays,
    Leaves,
    GoesTo(TerritoryId),
}

impl Sweep {
    pub(super) fn idle() -> Sweep {
        Sweep {
            seen: List::EMPTY,
            seen_set: TerritorySet::EMPTY,
            front: List::EMPTY,
            stage: SweepStage::Over,
            has_advanced: false,
        }
    }

    /// A sweep from the border, if a dry run leaves a front of one territory.
    pub(super) fn new(scene: &Scene<'_>, border: TerritoryId) -> Sweep {
        let mut sweep = Sweep::idle();
        let hostile = scene.hostile(border);
        let Some(first) = scene
            .adj(border)
            .iter()
            .copied()
            .find(|&t| hostile.contains(t))
        else {
            return sweep;
        };
        sweep.reset(scene, border);
        sweep.front = sweep.seen;
        while sweep.advance_dry(scene) {}
        if sweep.front.len() == 1 {
            sweep.reset(scene, border);
            sweep.front = [first].into_iter().collect();
            sweep.stage = SweepStage::Opening(border);
        }
        sweep
    }

    fn reset(&mut self, scene: &Scene<'_>, border: TerritoryId) {
        self.seen_set = scene.hostile(border);
        let hostile = self.seen_set;
        self.seen = scene
            .adj(border)
            .iter()
            .copied()
            .filter(|&t| hostile.contains(t))
            .collect();
    }

    fn advance_dry(&mut self, scene: &Scene<'_>) -> bool {
        let mut has_advanced = false;
        let mut at = 0;
        while let Some(&q) = self.front.get(at) {
            at += 1;
            has_advanced |= self.take_turn(scene, q);
        }
        has_advanced
    }

    fn turn_of(&self, scene: &Scene<'_>, q: TerritoryId) -> SweepTurn {
        let onward = scene.hostile(q) - self.seen_set;
        match onward.len() {
            0 => SweepTurn::Leaves,
            1 => onward.first().map_or(SweepTurn::Leaves, SweepTurn::GoesTo),
            _ => SweepTurn::Stays,
        }
    }

    /// Processes one territory of the front; returns whether it advanced.
    fn take_turn(&mut self, scene: &Scene<'_>, q: TerritoryId) -> bool {
        match self.turn_of(scene, q) {
            SweepTurn::Stays => false,
            SweepTurn::Leaves => {
                self.front.remove(q);
                false
            }
            SweepTurn::GoesTo(next) => {
                self.front.remove(q);
                self.front.push(next);
                self.seen.push(next);
                self.seen_set.insert(next);
                true
            }
        }
    }

    pub(super) fn next(&mut self, scene: &Scene<'_>) -> Option<Order> {
        loop {
            match self.stage {
                SweepStage::Over => return None,
                SweepStage::Opening(border) => {
                    self.stage = SweepStage::Closing { at: 0, door: 0 };
                    self.has_advanced = false;
                    if scene.armies(border) > 1 {
                        return order(border, *self.seen.first()?);
                    }
                }
                SweepStage::Closing { at, door } => {
                    if let Some(order) = self.close(scene, at, door) {
                        return Some(order);
                    }
                }
                SweepStage::Moving { at } => {
                    if let Some(order) = self.advance(scene, at) {
                        return Some(order);
                    }
                }
            }
        }
    }

    /// The next attack on what was seen and is outnumbered.
    fn close(&mut self, scene: &Scene<'_>, at: usize, door: usize) -> Option<Order> {
        let (mut at, mut door) = (at, door);
        while let Some(&target) = self.seen.get(at) {
            if !scene.is_mine(target) {
                while let Some(&from) = scene.adj(target).get(door) {
                    door += 1;
                    if scene.is_mine(from) && scene.armies(from) > scene.armies(target) {
                        self.stage = SweepStage::Closing { at, door };
                        return order(from, target);
                    }
                }
            }
            at += 1;
            door = 0;
        }
        self.stage = SweepStage::Moving { at: 0 };
        None
    }

    /// The next attack of an advancing front. The attack is decided before the
    /// front changes, and does not change what it does.
    fn advance(&mut self, scene: &Scene<'_>, at: usize) -> Option<Order> {
        let mut at = at;
        while let Some(&q) = self.front.get(at) {
            at += 1;
            let turn = self.turn_of(scene, q);
            self.has_advanced |= self.take_turn(scene, q);
            if let SweepTurn::GoesTo(next) = turn
                && scene.is_mine(q)
                && scene.armies(q) > 1
            {
                self.stage = SweepStage::Moving { at };
                return order(q, next);
            }
        }
        self.stage = if self.has_advanced {
            SweepStage::Closing { at: 0, door: 0 }
        } else {
            SweepStage::Over
        };
        self.has_advanced = false;
        None
    }
}

fn order(from: TerritoryId, to: TerritoryId) -> Option<Order> {
    Some(Order {
        from,
        to,
        move_in: None,
    })
}
