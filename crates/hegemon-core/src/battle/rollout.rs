//! Battles fought out round by round.

use super::exchange::{Exchange, Losses};
use super::groups::Pairing;
use super::law::{BattleLaw, BattleMode};
use crate::Rng;

/// Rolls the dice of one round; both sides must have an army.
#[inline]
pub(super) fn round(law: BattleLaw, fighters: u32, defenders: u32, rng: &mut Rng) -> Losses {
    match law.mode {
        BattleMode::Sequential | BattleMode::Balanced => {
            Exchange::between(law.dice, fighters, defenders).sample(rng)
        }
        BattleMode::Groups => Pairing::of(law.dice, fighters, defenders).sample(law.dice, rng),
    }
}

/// Fights until a side is eliminated or at most `reserve` fighters are left.
pub(super) fn battle(
    law: BattleLaw,
    fighters: u32,
    defenders: u32,
    reserve: u32,
    rng: &mut Rng,
) -> Losses {
    if fighters <= reserve || defenders == 0 {
        return Losses::default();
    }
    if law.mode == BattleMode::Balanced {
        // Balancing applies to the battle as a whole: there are no rounds to roll.
        let end = law.outcomes_until(fighters, defenders, reserve).draw(rng);
        return Losses {
            attacker: fighters - end.fighters,
            defender: defenders - end.defenders,
        };
    }
    let mut losses = Losses::default();
    while fighters - losses.attacker > reserve && losses.defender < defenders {
        let rest = (fighters - losses.attacker, defenders - losses.defender);
        let lost = round(law, rest.0, rest.1, rng);
        losses.attacker += lost.attacker;
        losses.defender += lost.defender;
    }
    losses
}
