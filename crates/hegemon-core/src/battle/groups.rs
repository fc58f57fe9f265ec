//! Battles in groups (Gillenwater, stochastic beam search).
//!
//! In a round the attackers stand in groups of three, the defenders in groups of
//! two, a smaller group last; the first group meets the first, and so on. Groups
//! without a partner do not fight in that round. All pairs of a round compare a
//! fixed number of dice, so the defender's losses alone determine the outcome.

use super::dice::DiceRule;
use super::distribution::BattleEnd;
use super::exchange::{Exchange, Losses};
use crate::Rng;
use crate::narrow::Narrow;
use std::collections::BTreeMap;

/// 2^-100. Branches less likely than this are not followed: a round of a big
/// battle has thousands of outcomes and only the middle ever occurs. The total
/// dropped in the largest battle is far below the last digit of a sum near one,
/// and below the last unit of a weight.
const NEGLIGIBLE: f64 = 7.888609052210118e-31;

/// The pairs of groups in one round.
///
/// The size of the groups is the number of dice the rule allows each side as a
/// whole, so a defender limited to one die fights in groups of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pairing {
    /// Dice of the full groups, attacker's and defender's.
    full: (u8, u8),
    n_full: u32,
    /// The last pair if one of its groups is smaller.
    last: Option<(u8, u8)>,
}

impl Pairing {
    /// Both sides must have an army.
    pub(super) fn of(rule: DiceRule, fighters: u32, defenders: u32) -> Pairing {
        let full = rule.dice(fighters, defenders);
        let attack = fighters.div_ceil(full.0.into());
        let defence = defenders.div_ceil(full.1.into());
        let n_pairs = attack.min(defence);
        let last = (
            group(fighters, full.0, n_pairs),
            group(defenders, full.1, n_pairs),
        );
        let is_full = last == full;
        Pairing {
            full,
            n_full: if is_full { n_pairs } else { n_pairs - 1 },
            last: (!is_full).then_some(last),
        }
    }

    /// The dice of each pair.
    pub(super) fn pairs(self) -> impl Iterator<Item = (u8, u8)> {
        std::iter::repeat_n(self.full, self.n_full as usize).chain(self.last)
    }

    /// The armies lost in the round by both sides together.
    pub(super) fn comparisons(self) -> u32 {
        let compared = |(attacking, defending): (u8, u8)| u32::from(attacking.min(defending));
        self.n_full * compared(self.full) + self.last.map_or(0, compared)
    }

    /// Rolls the dice of all pairs, one draw for each.
    pub(super) fn sample(self, rule: DiceRule, rng: &mut Rng) -> Losses {
        let mut losses = Losses::default();
        for (attacking, defending) in self.pairs() {
            let pair = Exchange::of(attacking, defending, rule.ties_to_attacker).sample(rng);
            losses.attacker += pair.attacker;
            losses.defender += pair.defender;
        }
        losses
    }
}

/// The size of the group with this number, counted from one.
fn group(armies: u32, size: u8, number: u32) -> u8 {
    (armies - (number - 1) * u32::from(size))
        .min(size.into())
        .narrow()
}

/// Mass on neighbouring integers from `low` on.
#[derive(Clone, Debug, Default)]
struct Band {
    low: usize,
    mass: Vec<f64>,
}

impl Band {
    /// Adds `factor` times `mass`, the first of it at `low`.
    fn add(&mut self, low: usize, factor: f64, mass: &[f64]) {
        self.cover(low, low + mass.len());
        let target = &mut self.mass[low - self.low..];
        for (cell, &part) in target.iter_mut().zip(mass) {
            *cell += factor * part;
        }
    }

    fn cover(&mut self, low: usize, end: usize) {
        if self.mass.is_empty() {
            self.low = low;
        }
        if low < self.low {
            let missing = self.low - low;
            self.mass.splice(0..0, std::iter::repeat_n(0.0, missing));
            self.low = low;
        }
        let len = self.mass.len().max(end - self.low);
        self.mass.resize(len, 0.0);
    }

    /// Drops the negligible ends.
    fn trim(&mut self) {
        let counts = |&mass: &f64| mass >= NEGLIGIBLE;
        let Some(first) = self.mass.iter().position(counts) else {
            return;
        };
        let last = self.mass.iter().rposition(counts).unwrap_or(first);
        self.mass.truncate(last + 1);
        self.mass.drain(..first);
        self.low += first;
    }
}

/// The law of the defender's losses in one pair; without a pair there are no
/// losses.
fn pair_losses(dice: Option<(u8, u8)>, ties_to_attacker: bool) -> impl Iterator<Item = f64> {
    let (p, compared) = dice.map_or(([1.0, 0.0, 0.0, 0.0], 0), |(attacking, defending)| {
        let law = Exchange::of(attacking, defending, ties_to_attacker);
        (law.probabilities(), law.comparisons() as usize)
    });
    (0..=compared).map(move |lost| p[compared - lost])
}

/// The laws of the defender's losses in 0, 1, 2, ... equal pairs, computed on
/// demand.
struct Powers {
    ties_to_attacker: bool,
    /// One ladder for each kind of pair; there are never more than a few.
    ladders: Vec<((u8, u8), Vec<Band>)>,
}

impl Powers {
    fn new(rule: DiceRule) -> Powers {
        Powers {
            ties_to_attacker: rule.ties_to_attacker,
            ladders: Vec::new(),
        }
    }

    fn of(&mut self, dice: (u8, u8), n_pairs: u32) -> &Band {
        let known = self.ladders.iter().position(|&(kind, _)| kind == dice);
        let idx = known.unwrap_or_else(|| {
            let certain = Band {
                low: 0,
                mass: vec![1.0],
            };
            self.ladders.push((dice, vec![certain]));
            self.ladders.len() - 1
        });
        let ladder = &mut self.ladders[idx].1;
        while ladder.len() <= n_pairs as usize {
            let one = pair_losses(Some(dice), self.ties_to_attacker);
            let next = one_more_pair(&ladder[ladder.len() - 1], one);
            ladder.push(next);
        }
        &ladder[n_pairs as usize]
    }

    /// The law of the defender's losses in a round, in parts: a factor and the
    /// law of the full pairs, shifted by the losses of the last pair.
    fn round(&mut self, pairing: Pairing) -> impl Iterator<Item = (usize, f64, &[f64])> {
        let last = pair_losses(pairing.last, self.ties_to_attacker);
        let full = self.of(pairing.full, pairing.n_full);
        last.enumerate()
            .map(|(lost, p)| (full.low + lost, p, &full.mass[..]))
    }
}

fn one_more_pair(band: &Band, pair: impl Iterator<Item = f64>) -> Band {
    let mut sum = Band::default();
    for (lost, p) in pair.enumerate() {
        sum.add(band.low + lost, p, &band.mass);
    }
    sum.trim();
    sum
}

/// Every end of a battle; the contract is that of [`super::rows::spread`].
///
/// Mass is indexed by the total armies of both sides, which every round lowers.
pub(super) fn spread(
    rule: DiceRule,
    start: &[f64],
    defenders: u32,
    reserve: u32,
) -> Vec<BattleEnd> {
    let mut powers = Powers::new(rule);
    let mut levels: BTreeMap<u32, Band> = BTreeMap::new();
    for (fighters, &mass) in start.iter().enumerate().filter(|&(_, &mass)| mass > 0.0) {
        let level = levels
            .entry(Narrow::<u32>::narrow(fighters) + defenders)
            .or_default();
        level.add(fighters, mass, &[1.0]);
    }
    let mut outcomes = Vec::new();
    while let Some((total, level)) = levels.pop_last() {
        for (idx, &probability) in level.mass.iter().enumerate() {
            let fighters = (level.low + idx).narrow();
            let defenders = total - fighters;
            if defenders > 0 && fighters > reserve && probability >= NEGLIGIBLE {
                let pairing = Pairing::of(rule, fighters, defenders);
                let left = total - pairing.comparisons();
                let target = levels.entry(left).or_default();
                scatter(target, &mut powers, pairing, fighters, probability);
            } else if probability > 0.0 && (defenders == 0 || fighters <= reserve) {
                outcomes.push(BattleEnd {
                    fighters,
                    defenders,
                    probability,
                });
            }
        }
    }
    outcomes
}

/// Fights one round from one state.
fn scatter(target: &mut Band, powers: &mut Powers, pairing: Pairing, fighters: u32, mass: f64) {
    // The attacker loses every comparison that the defender does not.
    let fewest = (fighters - pairing.comparisons()) as usize;
    for (lost, p, law) in powers.round(pairing) {
        target.add(fewest + lost, mass * p, law);
    }
}

/// Win probabilities row after row, as [`super::rows::WinRows`]; but a round may
/// cost any number of armies, so all the rows must be kept.
pub(super) struct GroupRows {
    rule: DiceRule,
    powers: Powers,
    rows: Vec<Vec<f64>>,
}

impl GroupRows {
    pub(super) fn new(rule: DiceRule, max_defenders: u32) -> GroupRows {
        let mut none = vec![0.0; max_defenders as usize + 1];
        none[0] = 1.0;
        GroupRows {
            rule,
            powers: Powers::new(rule),
            rows: vec![none],
        }
    }

    pub(super) fn row(&self) -> &[f64] {
        &self.rows[self.rows.len() - 1]
    }

    pub(super) fn advance(&mut self) {
        let fighters = self.rows.len();
        let len = self.row().len();
        self.rows.push(vec![0.0; len]);
        self.rows[fighters][0] = 1.0;
        for defenders in 1..len {
            self.rows[fighters][defenders] = self.win(fighters, defenders);
        }
    }

    fn win(&mut self, fighters: usize, defenders: usize) -> f64 {
        let pairing = Pairing::of(self.rule, fighters.narrow(), defenders.narrow());
        let fewest = fighters - pairing.comparisons() as usize;
        let mut win = 0.0;
        for (low, factor, law) in self.powers.round(pairing) {
            let ends = (low..).zip(law);
            let wins = ends.map(|(lost, &p)| p * self.rows[fewest + lost][defenders - lost]);
            win += factor * wins.sum::<f64>();
        }
        win
    }
}
