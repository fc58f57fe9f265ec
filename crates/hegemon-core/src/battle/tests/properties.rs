//! What must hold for every law and every battle.

use super::*;
use crate::battle::{BattleTable, DiceRuleError, force};
use proptest::prelude::*;

fn any_law() -> impl Strategy<Value = BattleLaw> {
    let dice = (1..=3u8, 1..=4u8, 2..=5u32, any::<bool>());
    (dice, 0..MODES.len()).prop_map(
        |((attacker_max, defender_max, from, ties), mode)| BattleLaw {
            dice: DiceRule {
                attacker_max,
                defender_max,
                defender_second_from: from,
                ties_to_attacker: ties,
            },
            mode: MODES[mode],
        },
    )
}

/// Tables live as long as the process, so those questions keep to a few laws.
fn known_law() -> impl Strategy<Value = BattleLaw> {
    proptest::sample::select(laws().collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn a_law_is_a_law(law in any_law(), a in 0..60u32, d in 0..60u32, reserve in 0..70u32) {
        let ends = law.distribution_until(a, d, reserve);
        let sum: f64 = ends.outcomes().iter().map(|o| o.probability).sum();
        prop_assert!((sum - 1.0).abs() < 1e-12);
        for end in ends.outcomes() {
            prop_assert!(end.probability > 0.0);
            prop_assert!(end.fighters <= a && end.defenders <= d);
            prop_assert!(end.defenders == 0 || end.fighters <= reserve || a <= reserve);
        }
        for pair in ends.outcomes().windows(2) {
            let key = |n: usize| (pair[n].defenders, std::cmp::Reverse(pair[n].fighters));
            prop_assert!(key(0) < key(1));
        }
    }

    #[test]
    fn all_ways_to_the_chance_agree(law in known_law(), a in 0..60u32, d in 0..60u32) {
        let win = law.win_probability(a, d);
        prop_assert!((law.distribution(a, d).win() - win).abs() < 1e-12);
        prop_assert!((BattleTable::for_law(law).win(a, d) - win).abs() < 1e-12);
        if law.mode != BattleMode::Groups {
            prop_assert_eq!(BattleTable::for_law(law).win(a, d), win);
        }
    }

    #[test]
    fn forces_are_the_smallest(law in known_law(), d in 1..40u32, chance in 0.01..0.99f64) {
        let force = law.smallest_force(d, chance).expect("within reach");
        prop_assert!(law.win_probability(force, d) >= chance - 1e-12);
        prop_assert!(law.win_probability(force - 1, d) < chance + 1e-12);
        let even = BattleTable::for_law(law).force_for_even(d);
        prop_assert!(law.win_probability(even, d) > 0.5 - 1e-12);
        prop_assert!(law.win_probability(even - 1, d) <= 0.5 + 1e-12);
    }

    #[test]
    fn laws_survive_text(law in any_law()) {
        let text = serde_json::to_string(&law).expect("writes");
        prop_assert_eq!(serde_json::from_str::<BattleLaw>(&text).expect("reads"), law);
        prop_assert_eq!(law.dice.check(), Ok(law.dice));
    }
}

#[test]
fn dice_out_of_range() {
    let mut rule = DiceRule::OFFICIAL;
    rule.attacker_max = 4;
    assert_eq!(rule.check(), Err(DiceRuleError::Attacker(4)));
    rule = DiceRule::OFFICIAL.with_defender_bonus(9);
    assert_eq!(rule.check(), Err(DiceRuleError::Defender(11)));
    rule = DiceRule {
        defender_second_from: 1,
        ..DiceRule::OFFICIAL
    };
    assert_eq!(rule.check(), Err(DiceRuleError::SecondDie(1)));
}

#[test]
fn beyond_the_tables_the_answers_go_on() {
    for mode in MODES {
        let law = BattleLaw::new(DiceRule::OFFICIAL, mode);
        let table = BattleTable::for_law(law);
        assert!(table.win(256, 257) >= table.win(255, 257));
        assert!(table.win(257, 256) >= table.win(256, 256));
        let forces = [512, 513].map(|d| table.force_for_even(d));
        assert!(forces[0] <= forces[1] && forces[1] <= forces[0] + 2);
        // Remembered, forgotten for another one in its place, computed again.
        for d in [513, 513, 513 + 256, 513] {
            let again = table.force_for_even(d);
            assert_eq!(force::above_even(law, d), Some(again), "{d}");
        }
    }
}
