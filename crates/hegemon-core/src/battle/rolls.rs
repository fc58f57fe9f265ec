//! The exchanges of one dice rule, by the forces that meet.

use super::dice::{DiceRule, MAX_ATTACKER_DICE, MAX_DEFENDER_DICE};
use super::exchange::{Exchange, Losses};
use crate::Rng;

const ATTACK: usize = MAX_ATTACKER_DICE as usize;
const DEFENCE: usize = MAX_DEFENDER_DICE as usize;

/// A dice rule precomputed for every force, so that finding the dice is a
/// lookup. Larger forces use the table's last entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rolls {
    /// By fighters and defenders; an empty side counts as one army.
    by_force: [[Roll; DEFENCE + 1]; ATTACK + 1],
    attacker_max: u32,
}

/// What an exchange needs to be drawn, in half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Roll {
    comparisons: u32,
    total: u32,
    ends: [u32; ATTACK],
}

impl Rolls {
    /// The table of a rule; `None` if the rule still distinguishes between
    /// numbers of defenders above [`MAX_DEFENDER_DICE`].
    pub(crate) fn of(rule: DiceRule) -> Option<Rolls> {
        let roll = |fighters: u32, defenders: u32| {
            let exchange = Exchange::between(rule, fighters.max(1), defenders.max(1));
            Roll {
                comparisons: exchange.comparisons(),
                total: exchange.total(),
                ends: exchange.ends(),
            }
        };
        (rule.full_defence() <= u32::from(MAX_DEFENDER_DICE)).then(|| Rolls {
            by_force: [0, 1, 2, 3].map(|fighters| [0, 1, 2, 3, 4].map(|d| roll(fighters, d))),
            attacker_max: u32::from(rule.attacker_max),
        })
    }

    /// The number of dice that `fighters` roll.
    #[inline]
    pub(crate) fn dice(&self, fighters: u32) -> u32 {
        fighters.min(self.attacker_max)
    }

    /// The exchange of these forces, neither of them empty.
    #[inline]
    pub(crate) fn of_forces(&self, fighters: u32, defenders: u32) -> &Roll {
        &self.by_force[(fighters as usize).min(ATTACK)][(defenders as usize).min(DEFENCE)]
    }
}

impl Roll {
    /// Rolls the dice: the same draw as [`Exchange::sample`].
    #[inline]
    pub(crate) fn sample(&self, rng: &mut Rng) -> Losses {
        let point = rng.below(self.total);
        let attacker = self.ends.iter().map(|&end| u32::from(point >= end)).sum();
        Losses {
            attacker,
            defender: self.comparisons - attacker,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_draw_as_the_exchanges_of_the_rule_do() {
        let rules = [
            DiceRule::OFFICIAL,
            DiceRule::OFFICIAL.with_defender_bonus(1),
            DiceRule {
                defender_second_from: 3,
                ..DiceRule::OFFICIAL
            },
            DiceRule {
                attacker_max: 2,
                ties_to_attacker: true,
                ..DiceRule::OFFICIAL
            },
        ];
        let mut rng = Rng::from_seed(1);
        for rule in rules {
            let rolls = Rolls::of(rule).expect("four defenders tell all");
            for fighters in 1..9 {
                for defenders in 1..9 {
                    assert_eq!(
                        rolls.dice(fighters),
                        u32::from(rule.dice(fighters, defenders).0)
                    );
                    for _ in 0..50 {
                        let mut other = rng.clone();
                        let losses = rolls.of_forces(fighters, defenders).sample(&mut rng);
                        let exchange = Exchange::between(rule, fighters.max(1), defenders.max(1));
                        assert_eq!(losses, exchange.sample(&mut other));
                        assert_eq!(rng, other);
                    }
                }
            }
        }
    }

    #[test]
    fn a_rule_of_many_defenders_has_no_table() {
        let rule = DiceRule {
            defender_second_from: 5,
            ..DiceRule::OFFICIAL
        };
        assert!(Rolls::of(rule).is_none());
    }
}
