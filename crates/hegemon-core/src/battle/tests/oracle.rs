//! Slow and obvious: every roll counted, every state by recursion.

use crate::battle::{DiceRule, Losses};
use std::collections::BTreeMap;

/// A reduced fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction(pub(super) u128, pub(super) u128);

impl Fraction {
    pub(super) const ZERO: Fraction = Fraction(0, 1);
    pub(super) const ONE: Fraction = Fraction(1, 1);

    pub(super) fn new(top: u128, bottom: u128) -> Fraction {
        let by = gcd(top, bottom);
        Fraction(top / by, bottom / by)
    }

    pub(super) fn plus(self, other: Fraction) -> Fraction {
        let by = gcd(self.1, other.1);
        Fraction::new(
            self.0 * (other.1 / by) + other.0 * (self.1 / by),
            self.1 / by * other.1,
        )
    }

    pub(super) fn times(self, other: Fraction) -> Fraction {
        let (a, b) = (
            Fraction::new(self.0, other.1),
            Fraction::new(other.0, self.1),
        );
        Fraction(a.0 * b.0, a.1 * b.1)
    }

    pub(super) fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All ordered rolls of some dice.
fn rolls(n_dice: u8) -> impl Iterator<Item = [u8; 16]> {
    (0..6u32.pow(n_dice.into())).map(move |mut code| {
        let mut roll = [0; 16];
        for die in &mut roll[..n_dice.into()] {
            *die = (code % 6) as u8;
            code /= 6;
        }
        roll
    })
}

/// Compares two hands die by die.
fn compare(ours: &mut [u8], theirs: &mut [u8], ties_to_attacker: bool) -> Losses {
    ours.sort_unstable_by(|a, b| b.cmp(a));
    theirs.sort_unstable_by(|a, b| b.cmp(a));
    let mut losses = Losses::default();
    for (our, their) in ours.iter().zip(theirs.iter()) {
        if our > their || (our == their && ties_to_attacker) {
            losses.defender += 1;
        } else {
            losses.attacker += 1;
        }
    }
    losses
}

/// Counts the ordered rolls of one exchange by outcome.
pub(super) fn exchange(a: u8, d: u8, ties_to_attacker: bool) -> BTreeMap<Losses, u128> {
    groups(&[(a, d)], ties_to_attacker)
}

/// Counts the ordered rolls of several pairs by their common outcome, rolling
/// all dice of all pairs together.
pub(super) fn groups(pairs: &[(u8, u8)], ties_to_attacker: bool) -> BTreeMap<Losses, u128> {
    let n_dice = pairs.iter().map(|&(a, d)| a + d).sum();
    let mut counts = BTreeMap::new();
    for mut roll in rolls(n_dice) {
        let mut dice = &mut roll[..];
        let mut all = Losses::default();
        for &(a, d) in pairs {
            let (ours, rest) = dice.split_at_mut(a.into());
            let (theirs, rest) = rest.split_at_mut(d.into());
            dice = rest;
            let losses = compare(ours, theirs, ties_to_attacker);
            all.attacker += losses.attacker;
            all.defender += losses.defender;
        }
        *counts.entry(all).or_default() += 1;
    }
    counts
}

/// Whole battles exchange by exchange, in fractions.
pub(super) struct Battles {
    rule: DiceRule,
    exchanges: BTreeMap<(u8, u8), Vec<(Losses, Fraction)>>,
}

impl Battles {
    pub(super) fn new(rule: DiceRule) -> Battles {
        Battles {
            rule,
            exchanges: BTreeMap::new(),
        }
    }

    fn exchange(&mut self, a: u32, d: u32) -> Vec<(Losses, Fraction)> {
        let (a, d) = self.rule.dice(a, d);
        let ties = self.rule.ties_to_attacker;
        let law = || {
            let total = 6u128.pow(u32::from(a + d));
            let counts = exchange(a, d, ties).into_iter();
            counts
                .map(|(losses, count)| (losses, Fraction::new(count, total)))
                .collect()
        };
        self.exchanges.entry((a, d)).or_insert_with(law).clone()
    }

    pub(super) fn win(&mut self, a: u32, d: u32) -> Fraction {
        if d == 0 {
            return Fraction::ONE;
        }
        if a == 0 {
            return Fraction::ZERO;
        }
        let law = self.exchange(a, d);
        law.into_iter().fold(Fraction::ZERO, |sum, (lost, p)| {
            sum.plus(p.times(self.win(a - lost.attacker, d - lost.defender)))
        })
    }

    /// Adds the law of what is left, times `p`, to `ends`.
    pub(super) fn ends(
        &mut self,
        (a, d): (u32, u32),
        reserve: u32,
        p: Fraction,
        ends: &mut BTreeMap<(u32, u32), Fraction>,
    ) {
        if a <= reserve || d == 0 {
            let end = ends.entry((a, d)).or_insert(Fraction::ZERO);
            *end = end.plus(p);
            return;
        }
        for (lost, q) in self.exchange(a, d) {
            let left = (a - lost.attacker, d - lost.defender);
            self.ends(left, reserve, p.times(q), ends);
        }
    }
}
