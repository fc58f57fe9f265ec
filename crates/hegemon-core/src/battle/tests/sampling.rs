//! Samples follow the law.

use super::*;
use crate::Rng;
use crate::battle::{BattleTable, Exchange, Losses, WEIGHT_TOTAL};
use std::collections::BTreeMap;

const N_DRAWS: u32 = 40_000;

/// Chi-square of the counts, with the number of classes; classes expected to
/// hold fewer than ten draws are merged.
fn chi_square(counts: &BTreeMap<Losses, u32>, law: &BTreeMap<Losses, f64>) -> (f64, usize) {
    assert!(counts.keys().all(|losses| law.contains_key(losses)));
    let (mut rare, mut chi2, mut n_classes) = ((0.0, 0.0), 0.0, 0);
    for (losses, p) in law {
        let expected = p * f64::from(N_DRAWS);
        let found = f64::from(counts.get(losses).copied().unwrap_or(0));
        if expected < 10.0 {
            rare = (rare.0 + expected, rare.1 + found);
        } else {
            chi2 += (found - expected).powi(2) / expected;
            n_classes += 1;
        }
    }
    if rare.0 > 1.0 {
        chi2 += (rare.1 - rare.0).powi(2) / rare.0;
        n_classes += 1;
    }
    (chi2, n_classes)
}

/// Fixed seeds; the bound is five standard deviations above the mean.
fn has_law(
    law: impl Iterator<Item = (Losses, f64)>,
    name: &str,
    mut draw: impl FnMut(&mut Rng) -> Losses,
) {
    let mut rng = Rng::stream(20, name);
    let mut counts = BTreeMap::new();
    for _ in 0..N_DRAWS {
        *counts.entry(draw(&mut rng)).or_default() += 1;
    }
    let (chi2, n_classes) = chi_square(&counts, &law.collect());
    let freedom = n_classes as f64 - 1.0;
    let bound = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(chi2 <= bound, "{name}: {chi2} of {freedom}");
}

fn ends(law: BattleLaw, a: u32, d: u32, reserve: u32) -> Vec<(Losses, f64)> {
    let ends = law.distribution_until(a, d, reserve);
    let losses = ends.outcomes().iter().map(|o| {
        let losses = Losses {
            attacker: a - o.fighters,
            defender: d - o.defenders,
        };
        (losses, o.probability)
    });
    losses.collect()
}

#[test]
fn every_point_of_every_exchange() {
    for (a, d) in [(1, 1), (2, 1), (3, 2), (3, 3)] {
        let law = Exchange::of(a, d, false);
        let mut counts: BTreeMap<Losses, u32> = BTreeMap::new();
        for point in 0..law.total() {
            *counts.entry(law.at(point)).or_default() += 1;
        }
        assert_eq!(counts, law.outcomes().collect());
    }
}

#[test]
fn every_edge_of_the_weights() {
    for law in laws() {
        let weights = law.outcomes(9, 7);
        let mut end = 0;
        for outcome in weights.as_slice() {
            assert_eq!(weights.at(end), *outcome);
            end += outcome.weight;
            assert_eq!(weights.at(end - 1), *outcome);
        }
        assert_eq!(end, WEIGHT_TOTAL);
    }
}

#[test]
fn weights_agree_with_the_law() {
    for law in laws() {
        for (a, d) in [(1, 1), (3, 2), (10, 12), (47, 31), (96, 96), (150, 200)] {
            let (exact, weights) = (law.distribution(a, d), law.outcomes(a, d));
            let sum: u64 = weights.as_slice().iter().map(|o| o.weight).sum();
            assert_eq!(sum, WEIGHT_TOTAL);
            for outcome in weights.as_slice() {
                assert!(outcome.weight > 0);
                let p = exact.probability(outcome.fighters, outcome.defenders);
                let share = outcome.weight as f64 / WEIGHT_TOTAL as f64;
                close(share, p, 1.0 / (1u64 << 50) as f64);
            }
        }
    }
}

#[test]
fn rounds_have_the_law() {
    for law in laws() {
        let table = BattleTable::for_law(law);
        for (a, d) in [(1, 1), (3, 2), (14, 9)] {
            has_law(law.round(a, d).outcomes(), "round", |rng| {
                table.sample_round(a, d, rng)
            });
        }
    }
}

#[test]
fn battles_have_the_law() {
    for law in laws() {
        let table = BattleTable::for_law(law);
        for (a, d) in [(1, 2), (3, 2), (14, 9)] {
            let exact = ends(law, a, d, 0);
            has_law(exact.into_iter(), "battle", |rng| table.sample(a, d, rng));
        }
    }
}

#[test]
fn battles_beyond_the_table_have_the_law() {
    for mode in [BattleMode::Sequential, BattleMode::Groups] {
        let law = BattleLaw::new(DiceRule::OFFICIAL, mode);
        let exact = ends(law, 97, 7, 0);
        has_law(exact.into_iter(), "big", |rng| law.sample(97, 7, rng));
    }
}

#[test]
fn battles_with_a_reserve_have_the_law() {
    for mode in MODES {
        let law = BattleLaw::new(DiceRule::OFFICIAL, mode);
        let table = BattleTable::for_law(law);
        let exact = ends(law, 9, 8, 4);
        has_law(exact.into_iter(), "reserve", |rng| {
            table.sample_until(9, 8, 4, rng)
        });
    }
}

#[test]
fn a_balanced_giant_is_drawn_with_one_word() {
    let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Balanced);
    let mut rng = Rng::from_seed(5);
    let mut other = rng.clone();
    let losses = law.sample(120, 100, &mut rng);
    let end = law.outcomes(120, 100).draw(&mut other);
    assert_eq!(losses.attacker, 120 - end.fighters);
    assert_eq!(rng, other);
}

#[test]
fn samples_do_not_depend_on_the_cache() {
    // A law that no other test uses, so that its table starts empty.
    let dice = DiceRule {
        attacker_max: 2,
        ..WALLED_CAPITAL
    };
    let table = BattleTable::for_law(sequential(dice));
    let draw = || {
        let mut rng = Rng::from_seed(9);
        let sizes = [(5, 5), (96, 96), (97, 3), (5, 5), (0, 4), (4, 0)];
        sizes.map(|(a, d)| table.sample(a, d, &mut rng))
    };
    let cold = draw();
    assert_eq!(draw(), cold);
    assert_eq!(cold[4..], [Losses::default(); 2]);
}
