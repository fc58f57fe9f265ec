//! The fast law against the slow one.

use super::oracle::{self, Battles, Fraction};
use super::*;
use crate::battle::{Exchange, Losses, MAX_ATTACKER_DICE, MAX_DEFENDER_DICE};
use std::collections::BTreeMap;

#[test]
fn exchanges_count_every_roll() {
    for ties in [false, true] {
        for a in 1..=MAX_ATTACKER_DICE {
            for d in 1..=MAX_DEFENDER_DICE {
                let law = Exchange::of(a, d, ties);
                let weights = law.outcomes().map(|(losses, w)| (losses, w.into()));
                let counted = oracle::exchange(a, d, ties);
                assert_eq!(weights.collect::<BTreeMap<Losses, u128>>(), counted);
                assert_eq!(law.total(), 6u32.pow(u32::from(a + d)));
            }
        }
    }
}

#[test]
fn exact_win_probabilities() {
    let known = [
        (1, 1, 5, 12),
        (1, 2, 275, 2592),
        (2, 1, 1955, 2592),
        (2, 2, 235, 648),
        (3, 1, 342035, 373248),
        (3, 2, 6610505, 10077696),
        (3, 3, 511817135, 1088391168),
        (5, 4, 1166853115687865, 1828079220031488),
    ];
    let mut twin = Battles::new(DiceRule::OFFICIAL);
    for (a, d, top, bottom) in known {
        let exact = Fraction(top, bottom);
        assert_eq!(twin.win(a, d), exact);
        close(
            BattleLaw::default().win_probability(a, d),
            exact.value(),
            1e-15,
        );
    }
}

#[test]
fn survivors_of_three_against_two() {
    let known = [
        ((3, 0), Fraction(1445, 3888)),
        ((2, 0), Fraction(326375, 1679616)),
        ((1, 0), Fraction(906815, 10077696)),
        ((0, 1), Fraction(1269541, 10077696)),
        ((0, 2), Fraction(366275, 1679616)),
    ];
    let mut ends = BTreeMap::new();
    Battles::new(DiceRule::OFFICIAL).ends((3, 2), 0, Fraction::ONE, &mut ends);
    assert_eq!(ends, known.into_iter().collect());
    let law = BattleLaw::default().distribution(3, 2);
    let order = law.outcomes().iter().map(|o| (o.fighters, o.defenders));
    assert!(order.eq(known.iter().map(|&(left, _)| left)));
    for ((a, d), p) in known {
        close(law.probability(a, d), p.value(), 1e-15);
    }
}

#[test]
fn whole_battles_by_recursion() {
    for rule in RULES {
        let mut twin = Battles::new(rule);
        for (a, d) in (0..=5).flat_map(|a| (0..=4).map(move |d| (a, d))) {
            close(
                sequential(rule).win_probability(a, d),
                twin.win(a, d).value(),
                1e-14,
            );
            for reserve in 0..=3 {
                let mut ends = BTreeMap::new();
                twin.ends((a, d), reserve, Fraction::ONE, &mut ends);
                let law = sequential(rule).distribution_until(a, d, reserve);
                assert_eq!(
                    law.outcomes().len(),
                    ends.len(),
                    "{a} v {d} until {reserve}"
                );
                for ((fighters, defenders), p) in ends {
                    close(law.probability(fighters, defenders), p.value(), 1e-14);
                }
            }
        }
    }
}

/// Fighters, defenders, and the dice of the pairs they form.
type Round = (u32, u32, &'static [(u8, u8)]);

#[test]
fn rounds_of_groups_count_every_roll() {
    let official: [Round; 9] = [
        (1, 5, &[(1, 2)]),
        (3, 9, &[(3, 2)]),
        (9, 1, &[(3, 1)]),
        (4, 2, &[(3, 2)]),
        (4, 3, &[(3, 2), (1, 1)]),
        (4, 4, &[(3, 2), (1, 2)]),
        (5, 3, &[(3, 2), (2, 1)]),
        (6, 3, &[(3, 2), (3, 1)]),
        (5, 9, &[(3, 2), (2, 2)]),
    ];
    for (a, d, pairs) in official {
        let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
        check_round(law, a, d, pairs);
    }
    let v1_1 = BattleLaw::new(V1_1, BattleMode::Groups);
    check_round(v1_1, 7, 2, &[(3, 1), (3, 1)]);
    check_round(v1_1, 4, 3, &[(3, 2), (1, 1)]);
    let zombies = BattleLaw::new(ZOMBIES, BattleMode::Groups);
    check_round(zombies, 4, 4, &[(3, 2), (1, 2)]);
}

fn check_round(law: BattleLaw, a: u32, d: u32, pairs: &[(u8, u8)]) {
    let counted = oracle::groups(pairs, law.dice.ties_to_attacker);
    let round = law.round(a, d);
    let (weights, total) = round.weights().expect("small rounds are exact");
    assert_eq!(total, counted.values().sum::<u128>());
    let found = round.outcomes().map(|(losses, _)| losses);
    let found: BTreeMap<Losses, u128> = found.zip(weights.iter().copied()).collect();
    assert_eq!(found, counted, "{a} v {d}");
    for ((_, p), &weight) in round.outcomes().zip(weights) {
        close(p, weight as f64 / total as f64, 1e-16);
    }
}

#[test]
fn big_rounds_have_no_integers_but_a_law() {
    let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
    assert!(law.round(27, 18).weights().is_some());
    let round = law.round(300, 200);
    assert!(round.weights().is_none());
    assert_eq!(round.comparisons(), 200);
    close(round.outcomes().map(|(_, p)| p).sum(), 1.0, 1e-12);
    let mean: f64 = round
        .outcomes()
        .map(|(losses, p)| f64::from(losses.attacker) * p)
        .sum();
    close(mean, 100.0 * 7161.0 / 7776.0, 1e-9);
}

/// Battles in groups by recursion on [`BattleLaw::round`], proven above.
fn group_win(law: BattleLaw, a: u32, d: u32, known: &mut BTreeMap<(u32, u32), f64>) -> f64 {
    if d == 0 || a == 0 {
        return if d == 0 { 1.0 } else { 0.0 };
    }
    if let Some(&win) = known.get(&(a, d)) {
        return win;
    }
    let round = law.round(a, d);
    let win = round
        .outcomes()
        .map(|(lost, p)| p * group_win(law, a - lost.attacker, d - lost.defender, known))
        .sum();
    known.insert((a, d), win);
    win
}

#[test]
fn whole_battles_in_groups() {
    for dice in RULES {
        let law = BattleLaw::new(dice, BattleMode::Groups);
        let table = crate::battle::BattleTable::for_law(law);
        let mut known = BTreeMap::new();
        for (a, d) in (0..=24).flat_map(|a| (0..=24).map(move |d| (a, d))) {
            let win = group_win(law, a, d, &mut known);
            close(law.win_probability(a, d), win, 1e-13);
            close(table.win(a, d), win, 1e-13);
        }
    }
}

/// The same for three defenders as for a sequential battle while one pair fights.
#[test]
fn one_pair_of_groups_is_an_exchange() {
    let groups = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
    for a in 0..=9 {
        for d in 0..=2 {
            close(
                groups.win_probability(a, d),
                BattleLaw::default().win_probability(a, d),
                1e-14,
            );
        }
    }
    assert!(groups.win_probability(9, 6) != BattleLaw::default().win_probability(9, 6));
}

/// What bisection relies on.
#[test]
fn one_more_fighter_never_hurts() {
    for dice in RULES {
        let table = crate::battle::BattleTable::for_law(BattleLaw::new(dice, BattleMode::Groups));
        for (a, d) in (1..=128).flat_map(|a| (1..=128).map(move |d| (a, d))) {
            let more = table.win(a, d) - table.win(a - 1, d);
            assert!(more > -1e-13, "{dice:?}: {a} v {d} by {more}");
        }
    }
}

#[test]
fn the_decisive_round_costs_the_attacker_nothing() {
    for law in laws() {
        for (a, d) in (1..=9).flat_map(|a| (1..=9).map(move |d| (a, d))) {
            let round = law.round(a, d);
            let decisive = round.outcomes().filter(|(lost, _)| lost.defender == d);
            assert!(decisive.into_iter().all(|(lost, _)| lost.attacker == 0));
        }
    }
    assert_eq!(DiceRule::OFFICIAL.min_occupy(2), 2);
}
