//! Published and independently computed values.

use super::*;
use crate::battle::{BattleTable, Exchange, ForceError, WEIGHT_TOTAL};

#[test]
fn the_six_known_exchanges() {
    let weights = |a, d| {
        let law = Exchange::of(a, d, false);
        let weights: Vec<u32> = law.outcomes().map(|(_, weight)| weight).collect();
        (weights, law.total())
    };
    assert_eq!(weights(3, 2), (vec![2890, 2611, 2275], 7776));
    assert_eq!(weights(3, 1), (vec![855, 441], 1296));
    assert_eq!(weights(2, 2), (vec![295, 420, 581], 1296));
    assert_eq!(weights(2, 1), (vec![125, 91], 216));
    assert_eq!(weights(1, 2), (vec![55, 161], 216));
    assert_eq!(weights(1, 1), (vec![15, 21], 36));
}

#[test]
fn mean_losses_of_the_six_known_exchanges() {
    let known = [
        (3, 2, 0.920910, 1.079090),
        (3, 1, 0.340278, 0.659722),
        (2, 2, 1.220679, 0.779321),
        (2, 1, 0.421296, 0.578704),
        (1, 2, 0.745370, 0.254630),
        (1, 1, 0.583333, 0.416667),
    ];
    for (a, d, attacker, defender) in known {
        let round = BattleLaw::default().round(a, d);
        let lost = round.outcomes().fold((0.0, 0.0), |sum, (losses, p)| {
            (
                sum.0 + p * f64::from(losses.attacker),
                sum.1 + p * f64::from(losses.defender),
            )
        });
        close(lost.0, attacker, 5e-7);
        close(lost.1, defender, 5e-7);
    }
}

#[rustfmt::skip]
const OSBORNE: [[f64; 10]; 10] = [
    [0.4167, 0.1061, 0.0270, 0.0069, 0.0018, 0.0004, 0.0001, 0.0000, 0.0000, 0.0000],
    [0.7542, 0.3627, 0.2061, 0.0913, 0.0491, 0.0214, 0.0113, 0.0049, 0.0026, 0.0011],
    [0.9164, 0.6560, 0.4703, 0.3150, 0.2059, 0.1337, 0.0837, 0.0535, 0.0328, 0.0208],
    [0.9715, 0.7855, 0.6416, 0.4765, 0.3586, 0.2525, 0.1815, 0.1234, 0.0862, 0.0572],
    [0.9903, 0.8898, 0.7694, 0.6383, 0.5062, 0.3968, 0.2974, 0.2240, 0.1616, 0.1183],
    [0.9967, 0.9340, 0.8569, 0.7449, 0.6377, 0.5207, 0.4233, 0.3295, 0.2578, 0.1934],
    [0.9989, 0.9666, 0.9099, 0.8337, 0.7364, 0.6401, 0.5355, 0.4456, 0.3569, 0.2868],
    [0.9996, 0.9803, 0.9468, 0.8878, 0.8184, 0.7296, 0.6429, 0.5474, 0.4640, 0.3799],
    [0.9999, 0.9901, 0.9670, 0.9298, 0.8729, 0.8076, 0.7261, 0.6464, 0.5581, 0.4799],
    [1.0000, 0.9942, 0.9811, 0.9539, 0.9163, 0.8611, 0.7998, 0.7240, 0.6501, 0.5676],
];

#[test]
fn osbornes_table() {
    let table = BattleTable::for_law(BattleLaw::default());
    for (a, row) in (1..).zip(OSBORNE) {
        for (d, expected) in (1..).zip(row) {
            close(table.win(a, d), expected, 5.0001e-5);
        }
    }
}

#[test]
fn equal_forces() {
    let known = [
        (10, 0.5676),
        (12, 0.5843),
        (15, 0.6052),
        (20, 0.6334),
        (25, 0.6565),
        (30, 0.6761),
    ];
    for (n, win) in known {
        close(BattleLaw::default().win_probability(n, n), win, 5e-5);
    }
}

#[test]
fn the_rule_of_the_v1_1_program() {
    let known = [
        (2, 2, 0.5096),
        (3, 3, 0.5246),
        (5, 4, 0.6966),
        (5, 5, 0.5619),
        (10, 10, 0.6061),
    ];
    for (a, d, win) in known {
        close(sequential(V1_1).win_probability(a, d), win, 5e-5);
    }
}

#[test]
fn expected_losses() {
    let known = [
        (3, 2, 1.406, 1.438),
        (5, 4, 2.851, 3.115),
        (5, 5, 3.369, 3.557),
        (10, 10, 7.308, 8.237),
    ];
    for (a, d, attacker, defender) in known {
        let lost = BattleLaw::default().expected_losses(a, d);
        close(lost.0, attacker, 5e-4);
        close(lost.1, defender, 5e-4);
    }
}

#[test]
fn forces_for_even_chances() {
    let table = BattleTable::for_law(BattleLaw::default());
    let forces: Vec<u32> = (0..=10).map(|d| table.force_for_even(d)).collect();
    assert_eq!(forces, [0, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]);
    assert_eq!(table.force_for_even(20), 18);
    assert_eq!(table.force_for_even(30), 27);
}

#[test]
fn balanced_blitz() {
    let balanced = |dice| BattleLaw::new(dice, BattleMode::Balanced);
    let three_two = Exchange::of(3, 2, false);
    close(
        f64::from(three_two.weight(2)) / 7776.0,
        0.292566872427984,
        1e-15,
    );

    let lost_12 = |law: BattleLaw| law.distribution(30, 15).probability(18, 0);
    close(lost_12(sequential(CAPITAL)), 0.0222128001707278, 1e-15);
    close(lost_12(balanced(CAPITAL)), 0.0100282888709122, 1e-15);

    close(
        sequential(ZOMBIES).win_probability(300, 800),
        0.889733,
        5e-7,
    );

    let official = balanced(DiceRule::OFFICIAL);
    assert_eq!(official.smallest_force(50, 0.8), Ok(49));
    for (n, win) in [(5, 0.5101), (10, 0.6094), (20, 0.7133), (50, 0.8635)] {
        close(official.win_probability(n, n), win, 5e-5);
    }
}

#[test]
fn hardly_a_chance_is_none_when_balanced() {
    let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Balanced);
    assert_eq!(law.win_probability(1, 3), 0.0);
    assert_eq!(law.win_probability(10, 2), 1.0);
    assert_eq!(law.distribution(1, 3).win(), 0.0);
    // 5 v 2 is won with probability 0.89; sharpened, defeat is within the cut.
    assert_eq!(law.smallest_force(2, 1.0), Ok(5));
}

#[test]
fn forces_out_of_reach() {
    let law = BattleLaw::default();
    assert_eq!(law.smallest_force(0, 1.0), Ok(0));
    assert_eq!(law.smallest_force(4, 0.0), Ok(0));
    assert_eq!(law.smallest_force(4, 1.5), Err(ForceError::Chance(1.5)));
    assert!(matches!(
        law.smallest_force(4, f64::NAN),
        Err(ForceError::Chance(_))
    ));
    let certain = ForceError::OutOfReach {
        defenders: 4,
        chance: 1.0,
    };
    assert_eq!(law.smallest_force(4, 1.0), Err(certain));
}

/// More than 1,024 defenders have no table of rows: the force is found by bisection.
#[test]
fn forces_against_many_groups_are_the_smallest() {
    let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
    for chance in [0.1, 0.5, 0.999] {
        let force = law.smallest_force(1025, chance).expect("within reach");
        assert!(law.win_probability(force, 1025) >= chance);
        assert!(law.win_probability(force - 1, 1025) < chance);
    }
}

#[test]
fn big_battles() {
    let law = BattleLaw::default();
    let win = law.win_probability(1000, 1000);
    close(law.distribution(1000, 1000).win(), win, 1e-11);
    assert!(win > 0.99);
    let weights = law.outcomes(300, 280);
    let sum: u64 = weights.as_slice().iter().map(|o| o.weight).sum();
    assert_eq!(sum, WEIGHT_TOTAL);
}
