//! Chains of conquests against recursion on single battles.

use super::*;
use crate::battle::{ChainError, chain};
use std::collections::BTreeMap;

/// Conquers what is left of the chain from every end of the first battle in
/// turn. Returns nothing; adds the probabilities of each number of conquests and
/// of each number of survivors at the end.
struct Walk<'a> {
    law: BattleLaw,
    defenders: &'a [u32],
    garrisons: &'a [u32],
    prefixes: Vec<f64>,
    survivors: BTreeMap<u32, f64>,
}

impl Walk<'_> {
    fn go(&mut self, idx: usize, fighters: u32, p: f64) {
        self.prefixes[idx] += p;
        if idx == self.defenders.len() {
            *self.survivors.entry(fighters).or_default() += p;
            return;
        }
        let stay = if idx == 0 { 0 } else { self.garrisons[idx - 1] };
        if fighters <= stay {
            return;
        }
        let ends = self.law.distribution(fighters - stay, self.defenders[idx]);
        for end in ends.outcomes().iter().filter(|end| end.defenders == 0) {
            self.go(idx + 1, end.fighters, p * end.probability);
        }
    }
}

fn check(law: BattleLaw, fighters: u32, defenders: &[u32], garrisons: &[u32]) {
    let mut walk = Walk {
        law,
        defenders,
        garrisons,
        prefixes: vec![0.0; defenders.len() + 1],
        survivors: BTreeMap::new(),
    };
    walk.go(0, fighters, 1.0);
    let found = chain(law, fighters, defenders, garrisons).expect("garrisons stand");
    for (n, &p) in walk.prefixes.iter().enumerate() {
        close(found.prefix(n), p, 1e-12);
    }
    let mut mean = 0.0;
    for (&left, &p) in &walk.survivors {
        close(found.survivors()[left as usize], p, 1e-12);
        mean += f64::from(left) * p;
    }
    close(found.survivors().iter().sum(), found.success(), 1e-12);
    close(found.expected_survivors(), mean, 1e-12);
}

#[test]
fn chains_by_recursion() {
    for law in laws() {
        check(law, 1, &[1], &[1]);
        check(law, 6, &[2, 1, 2], &[1, 1, 1]);
        check(law, 15, &[3, 2, 4, 1], &[1, 3, 2, 1]);
        check(law, 4, &[1, 1, 1, 1, 1], &[1, 1, 1, 1, 1]);
        check(law, 9, &[2, 0, 3], &[2, 1, 1]);
        check(law, 9, &[2, 3], &[12, 1]);
        check(law, 0, &[1], &[1]);
    }
}

#[test]
fn garrisons_are_one_unless_given() {
    let law = BattleLaw::default();
    let ones = chain(law, 12, &[2, 3, 2], &[1, 1, 1]);
    assert_eq!(chain(law, 12, &[2, 3, 2], &[]), ones);
    assert_eq!(chain(law, 12, &[2, 3, 2], &[1]), ones);
    // The last one keeps all the survivors anyway.
    assert_eq!(chain(law, 12, &[2, 3, 2], &[1, 1, 9]), ones);
}

#[test]
fn senseless_chains() {
    let law = BattleLaw::default();
    let empty = ChainError::EmptyGarrison { idx: 1 };
    assert_eq!(chain(law, 5, &[1, 1], &[1, 0]), Err(empty));
    let many = ChainError::TooManyGarrisons {
        garrisons: 2,
        territories: 1,
    };
    assert_eq!(chain(law, 5, &[1], &[1, 1]), Err(many));
}

#[test]
fn nobody_walks_into_an_empty_territory() {
    let walked = |fighters| chain(BattleLaw::default(), fighters, &[0], &[]);
    assert_eq!(walked(0).map(|c| c.success()), Ok(0.0));
    assert_eq!(walked(1).map(|c| c.success()), Ok(1.0));
}
