//! The battle law against published values and against slow, obvious twins.

mod chains;
mod golden;
mod oracle;
mod properties;
mod sampling;
mod twins;

use super::{BattleLaw, BattleMode, DiceRule};

const V1_1: DiceRule = DiceRule {
    defender_second_from: 3,
    ..DiceRule::OFFICIAL
};
const CAPITAL: DiceRule = DiceRule::OFFICIAL.with_defender_bonus(1);
const ZOMBIES: DiceRule = DiceRule {
    ties_to_attacker: true,
    ..DiceRule::OFFICIAL
};
const ONE_DIE: DiceRule = DiceRule {
    attacker_max: 2,
    defender_max: 1,
    ..DiceRule::OFFICIAL
};
const WALLED_CAPITAL: DiceRule = DiceRule::OFFICIAL.with_defender_bonus(2);

const RULES: [DiceRule; 6] = [
    DiceRule::OFFICIAL,
    V1_1,
    CAPITAL,
    ZOMBIES,
    ONE_DIE,
    WALLED_CAPITAL,
];
const MODES: [BattleMode; 3] = [
    BattleMode::Sequential,
    BattleMode::Groups,
    BattleMode::Balanced,
];

fn laws() -> impl Iterator<Item = BattleLaw> {
    let modes = |dice| MODES.map(|mode| BattleLaw { dice, mode });
    RULES.into_iter().flat_map(modes)
}

fn sequential(dice: DiceRule) -> BattleLaw {
    BattleLaw::new(dice, BattleMode::Sequential)
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected}"
    );
}
