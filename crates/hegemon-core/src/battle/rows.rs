//! The recurrence of battles fought exchange after exchange.
//!
//! Both directions walk rows of equal fighters. An exchange costs at most three
//! of them, so four rows are all the memory a battle of any size needs. Within
//! a row the dice are the same for all but the first few numbers of defenders;
//! the long part is plain multiply-and-add over slices.

use super::dice::DiceRule;
use super::distribution::BattleEnd;
use super::exchange::Exchange;
use crate::narrow::Narrow as _;

/// Rows in reach of one exchange.
const N_ROWS: usize = 4;

/// 2^-1000. Below it a probability counts as zero: without this, subnormal
/// numbers would appear at the edges of big battles, and each is a hundred times
/// slower.
const TINY: f64 = 9.332636185032189e-302;

fn flush(mass: f64) -> f64 {
    if mass < TINY { 0.0 } else { mass }
}

/// Win probabilities row after row: first that of no fighters, then of one, and
/// so on; each row by defenders from zero to a limit.
pub(super) struct WinRows {
    rule: DiceRule,
    /// The newest row first.
    rows: [Vec<f64>; N_ROWS],
    fighters: u32,
}

impl WinRows {
    pub(super) fn new(rule: DiceRule, max_defenders: u32) -> WinRows {
        let mut rows: [Vec<f64>; N_ROWS] =
            std::array::from_fn(|_| vec![0.0; max_defenders as usize + 1]);
        rows[0][0] = 1.0;
        WinRows {
            rule,
            rows,
            fighters: 0,
        }
    }

    pub(super) fn row(&self) -> &[f64] {
        &self.rows[0]
    }

    /// Computes the row of one more fighter.
    pub(super) fn advance(&mut self) {
        self.fighters += 1;
        self.rows.rotate_right(1);
        let [row, older @ ..] = &mut self.rows;
        row.fill(0.0);
        row[0] = 1.0;
        let edge = (self.rule.full_defence() as usize).min(row.len());
        for defenders in 1..edge {
            let law = Exchange::between(self.rule, self.fighters, defenders.narrow());
            let p = law.probabilities();
            let compared = law.comparisons() as usize;
            let lost = (1..=compared).map(|x| p[x] * older[x - 1][defenders + x - compared]);
            row[defenders] = lost.sum::<f64>() + p[0] * row[defenders - compared];
        }
        if edge < row.len() {
            let law = Exchange::between(self.rule, self.fighters, edge.narrow());
            pull(row, older, law, edge);
        }
    }
}

/// Fills `row[edge..]`, where one law holds throughout.
fn pull(row: &mut [f64], older: &[Vec<f64>], law: &Exchange, edge: usize) {
    let p = law.probabilities();
    let compared = law.comparisons() as usize;
    let len = row.len();
    for x in 1..=compared {
        let shift = compared - x;
        let source = &older[x - 1][edge - shift..len - shift];
        for (cell, &win) in row[edge..].iter_mut().zip(source) {
            *cell += p[x] * win;
        }
    }
    for defenders in edge..len {
        row[defenders] = flush(row[defenders] + p[0] * row[defenders - compared]);
    }
}

/// Every outcome of a battle, in no particular order. The attacker starts with
/// `n` fighters with probability `start[n]` and stops as soon as no more than
/// `reserve` are left.
pub(super) fn spread(
    rule: DiceRule,
    start: &[f64],
    defenders: u32,
    reserve: u32,
) -> Vec<BattleEnd> {
    let len = defenders as usize + 1;
    let mut rows: [Vec<f64>; N_ROWS] = std::array::from_fn(|_| vec![0.0; len]);
    let mut outcomes = Vec::new();
    for (fighters, &mass) in start.iter().enumerate().rev() {
        let fighters = fighters.narrow();
        rows[0][len - 1] += mass;
        let goes_on = fighters > reserve;
        if goes_on {
            push(rule, fighters, &mut rows);
        }
        let n_ends = if goes_on { 1 } else { len };
        let ends = rows[0][..n_ends].iter().enumerate();
        let possible = ends.filter(|&(_, &probability)| probability > 0.0);
        outcomes.extend(possible.map(|(defenders, &probability)| BattleEnd {
            fighters,
            defenders: defenders.narrow(),
            probability,
        }));
        rows.rotate_left(1);
        rows[N_ROWS - 1].fill(0.0);
    }
    outcomes
}

/// Moves the mass of the first row to where one exchange leads, until all that
/// stays in it is victory.
fn push(rule: DiceRule, fighters: u32, rows: &mut [Vec<f64>; N_ROWS]) {
    let [row, below @ ..] = rows;
    let edge = (rule.full_defence() as usize).min(row.len());
    if edge < row.len() {
        let law = Exchange::between(rule, fighters, edge.narrow());
        push_full(row, below, law, edge);
    }
    for defenders in (1..edge).rev() {
        let law = Exchange::between(rule, fighters, defenders.narrow());
        let p = law.probabilities();
        let compared = law.comparisons() as usize;
        let mass = row[defenders];
        row[defenders - compared] += p[0] * mass;
        for x in 1..=compared {
            below[x - 1][defenders + x - compared] += p[x] * mass;
        }
    }
}

/// The part of [`push`] where one law holds throughout.
fn push_full(row: &mut [f64], below: &mut [Vec<f64>], law: &Exchange, edge: usize) {
    let p = law.probabilities();
    let compared = law.comparisons() as usize;
    let len = row.len();
    for defenders in (edge..len).rev() {
        let mass = flush(row[defenders]);
        row[defenders] = mass;
        row[defenders - compared] += p[0] * mass;
    }
    for x in 1..=compared {
        let shift = compared - x;
        let target = &mut below[x - 1][edge - shift..len - shift];
        for (cell, &mass) in target.iter_mut().zip(&row[edge..]) {
            *cell += p[x] * mass;
        }
    }
}
