//! Maximum-likelihood laws of a block score under a hypothesis.
//!
//! Source: M. Van den Bergh, "Comments on normalized Elo", proposition 1.1 (given mean) and section
//! 4.1 (given mean over deviation). Cells never seen get 0.001 of a count, as fishtest and
//! fastchess do, so that every mean inside (0, 1) is possible.

use super::{EloModel, NELO_PER_SIGMA, elo_to_score};

/// The count of an empty cell.
const EMPTY_CELL: f64 = 1e-3;
/// Rounds of the fixed-point iteration for normalised Elo; ten or so usually suffice.
const MAX_ROUNDS: usize = 200;

/// The log-likelihood ratio of `elo1` over `elo0` for `(score, count)` cells with scores in [0, 1];
/// 0 for no block.
///
/// The scores 0 and 1 are added as empty cells where missing. Also 0, so that a test continues,
/// when a hypothesis is so extreme (hundreds of normalised Elo points) that no law can be fitted to
/// it.
pub fn llr_from_scores(
    cells: &[(f64, f64)],
    games_per_block: f64,
    model: EloModel,
    elo0: f64,
    elo1: f64,
) -> f64 {
    if cells.iter().map(|(_, n)| n).sum::<f64>() <= 0.0 {
        return 0.0;
    }
    let law = Law::new(cells);
    let fit = |elo: f64| match model {
        EloModel::Logistic => law.with_mean(elo_to_score(elo)),
        EloModel::Normalized => law.with_t(elo / NELO_PER_SIGMA * games_per_block.sqrt()),
    };
    let (Some(p0), Some(p1)) = (fit(elo0), fit(elo1)) else {
        return 0.0;
    };
    law.total
        * law
            .shares
            .iter()
            .zip(p0.iter().zip(&p1))
            .map(|(h, (p0, p1))| h * (p1 / p0).ln())
            .sum::<f64>()
}

/// The quick normal approximation of the logistic ratio, `N (s1 - s0)(2 m - s0 - s1) / (2 var)`; 0
/// for no spread.
pub fn llr_approximate(cells: &[(f64, f64)], elo0: f64, elo1: f64) -> f64 {
    let n: f64 = cells.iter().map(|(_, n)| n).sum();
    let mean = cells.iter().map(|(a, n)| a * n).sum::<f64>() / n;
    let variance = cells
        .iter()
        .map(|(a, n)| n * (a - mean).powi(2))
        .sum::<f64>()
        / n;
    let (s0, s1) = (elo_to_score(elo0), elo_to_score(elo1));
    if variance > 0.0 {
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    } else {
        0.0
    }
}

/// An observed law: scores and their shares, all positive.
struct Law {
    scores: Vec<f64>,
    shares: Vec<f64>,
    total: f64,
}

impl Law {
    fn new(cells: &[(f64, f64)]) -> Self {
        let mut scores: Vec<f64> = cells.iter().map(|(a, _)| *a).collect();
        let mut counts: Vec<f64> = cells
            .iter()
            .map(|(_, n)| if *n > 0.0 { *n } else { EMPTY_CELL })
            .collect();
        for end in [0.0, 1.0] {
            if !scores.contains(&end) {
                scores.push(end);
                counts.push(EMPTY_CELL);
            }
        }
        let total: f64 = counts.iter().sum();
        let shares = counts.into_iter().map(|n| n / total).collect();
        Self {
            scores,
            shares,
            total,
        }
    }

    /// The most likely law with mean `s`; `None` for a mean of 0 or 1.
    fn with_mean(&self, s: f64) -> Option<Vec<f64>> {
        let deviations: Vec<f64> = self.scores.iter().map(|a| a - s).collect();
        self.tilted(&deviations)
    }

    /// The most likely law whose mean exceeds 1/2 by `t` deviations; `None` when `t` is too
    /// extreme.
    fn with_t(&self, t: f64) -> Option<Vec<f64>> {
        let n = self.scores.len() as f64;
        let mut p = vec![1.0 / n; self.scores.len()];
        let mut next = self.tilted(&self.phi(&p, t))?;
        for _ in 0..MAX_ROUNDS {
            let change = p
                .iter()
                .zip(&next)
                .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            if change < 1e-13 {
                break;
            }
            if let Some(after) = self.tilted(&self.phi(&next, t)) {
                (p, next) = (next, after);
            } else {
                // Too narrow a law has no root; the last one had, so go only halfway.
                next.iter_mut()
                    .zip(&p)
                    .for_each(|(next, p)| *next = (*next + p) / 2.0);
            }
        }
        Some(next)
    }

    /// The constraint "mean - 1/2 = t sigma", linearised at the law `p`.
    fn phi(&self, p: &[f64], t: f64) -> Vec<f64> {
        let mean: f64 = self.scores.iter().zip(p).map(|(a, p)| a * p).sum();
        let sigma = self
            .scores
            .iter()
            .zip(p)
            .map(|(a, p)| p * (a - mean).powi(2))
            .sum::<f64>()
            .sqrt();
        self.scores
            .iter()
            .map(|a| a - 0.5 - t * sigma / 2.0 * (1.0 + ((mean - a) / sigma).powi(2)))
            .collect()
    }

    /// `p_i = h_i / (1 + theta phi_i)` with `sum p_i phi_i = 0`; `None` unless there are `phi` on
    /// both sides of 0.
    fn tilted(&self, phi: &[f64]) -> Option<Vec<f64>> {
        let (low, high) = phi
            .iter()
            .fold((0.0, 0.0), |(l, h): (f64, f64), x| (l.min(*x), h.max(*x)));
        if !(low < 0.0 && high > 0.0) {
            return None;
        }
        // The sum falls strictly from plus to minus infinity over this interval, so bisection
        // cannot fail.
        let (mut left, mut right) = (-1.0 / high, -1.0 / low);
        let mut theta = 0.0;
        loop {
            let slope: f64 = self
                .shares
                .iter()
                .zip(phi)
                .map(|(h, x)| h * x / (1.0 + theta * x))
                .sum();
            *(if slope > 0.0 { &mut left } else { &mut right }) = theta;
            let middle = left + (right - left) / 2.0;
            if slope == 0.0 || middle <= left || middle >= right {
                break;
            }
            theta = middle;
        }
        Some(
            self.shares
                .iter()
                .zip(phi)
                .map(|(h, x)| h / (1.0 + theta * x))
                .collect(),
        )
    }
}
