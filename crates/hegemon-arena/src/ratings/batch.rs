//! The maximum-likelihood core that Bradley-Terry and Plackett-Luce share.
//!
//! Both models are sums over *choices*: from a set `C` of players one is taken with probability
//! `exp(theta_i) / sum_C exp(theta_j)`. So `log L = sum_i w_i theta_i - sum_C n_C ln sum_C
//! exp(theta_j)`, where `w_i` counts how often i was taken and `n_C` how often the choice was from
//! C. These are sufficient statistics: they add over games, and a fit costs the same for a thousand
//! games and for a million.
//!
//! The log-likelihood is concave; it is maximised by Newton's method with step halving. It has a
//! finite maximum when the graph "i was taken while j was there" is strongly connected (D. R.
//! Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004), or
//! with a prior of virtual draws against an average player (R. Coulom, BayesElo).
//!
//! Covariances are those of the model, with games taken as independent given the ratings. Playing
//! one deal under all seat orders usually makes the true errors smaller, which leaves the intervals
//! cautious.

use std::collections::BTreeMap;

use thiserror::Error;

use super::ELO_PER_NAT;
use crate::stats::cholesky::Cholesky;
use crate::stats::{Interval, Z95, normal_cdf};

const MAX_ITERATIONS: usize = 500;
/// Convergence: no log-strength moves further than this.
const STEP_TOLERANCE: f64 = 1e-10;
/// Below this a Newton step must shrink quadratically; one that does not is rounding noise of many
/// games.
const NOISE_STEP: f64 = 1e-5;
/// The longest Newton step for one log-strength; beyond it the quadratic model is worthless.
const MAX_STEP: f64 = 4.0;

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingFitParams {
    /// Virtual draws of every player against a fixed average player. 0 gives the pure maximum
    /// likelihood, which does not exist for players that won or lost everything.
    pub prior_draws: f64,
}

impl RatingFitParams {
    /// Pure maximum likelihood.
    pub const NO_PRIOR: Self = Self { prior_draws: 0.0 };
}

impl Default for RatingFitParams {
    fn default() -> Self {
        Self { prior_draws: 1.0 }
    }
}

/// Why there is no fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RatingFitError {
    /// Some group of players never won against, or never met, the rest: without a prior the
    /// difference is unbounded.
    #[error(
        "without a prior some ratings are unbounded: a group of players never beat the others or never met them"
    )]
    Unbounded,
    /// The prior is negative or not a number.
    #[error("the number of virtual draws must be finite and not negative")]
    BadPrior,
    /// Newton's method did not converge, which finite counts should not cause.
    #[error("the fit did not converge")]
    NotConverged,
}

/// Ratings on the Elo scale with mean 0 and their joint covariance.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRatings {
    elo: Vec<f64>,
    /// Row-major, in squared Elo points, of the ratings centred to mean 0.
    covariance: Vec<f64>,
}

impl BatchRatings {
    /// How many players.
    pub fn n_players(&self) -> usize {
        self.elo.len()
    }

    /// All ratings in Elo points; their mean is 0.
    pub fn elo(&self) -> &[f64] {
        &self.elo
    }

    /// The covariance of the ratings of players `i` and `j`, in squared Elo points.
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        self.covariance[i * self.n_players() + j]
    }

    /// The standard error of player `i`'s rating relative to the mean of the pool.
    pub fn std_error(&self, i: usize) -> f64 {
        self.covariance(i, i).max(0.0).sqrt()
    }

    /// The 95 % interval of player `i`'s rating relative to the mean of the pool.
    pub fn interval95(&self, i: usize) -> Interval {
        Interval::around(self.elo[i], Z95 * self.std_error(i))
    }

    /// How much stronger `i` is than `j`, with the standard error of that difference.
    pub fn difference(&self, i: usize, j: usize) -> (f64, f64) {
        let variance = self.covariance(i, i) + self.covariance(j, j) - 2.0 * self.covariance(i, j);
        (self.elo[i] - self.elo[j], variance.max(0.0).sqrt())
    }

    /// The likelihood of superiority of `i` over `j`, from the covariance of both; 1/2 for a player
    /// against itself.
    pub fn los(&self, i: usize, j: usize) -> f64 {
        let (difference, std_error) = self.difference(i, j);
        if i == j || std_error == 0.0 {
            0.5
        } else {
            normal_cdf(difference / std_error)
        }
    }
}

/// The sufficient statistics.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choices {
    n_players: usize,
    /// `w_i`.
    taken: Vec<f64>,
    /// `n_C` by sorted players; a player may occur twice in one set.
    sets: BTreeMap<Box<[u32]>, f64>,
    /// Row-major: `i` was taken while `j` was there.
    beats: Vec<bool>,
}

impl Choices {
    pub(super) fn new(n_players: usize) -> Self {
        Self {
            n_players,
            taken: vec![0.0; n_players],
            sets: BTreeMap::new(),
            beats: vec![false; n_players * n_players],
        }
    }

    pub(super) fn n_players(&self) -> usize {
        self.n_players
    }

    /// Adds `weight` choices from the sorted `set`, each candidate taken equally often.
    pub(super) fn add(&mut self, candidates: &[u32], set: &[u32], weight: f64) {
        debug_assert!(set.is_sorted());
        // A choice among copies of one player says nothing.
        if set.first() == set.last() || weight <= 0.0 {
            return;
        }
        for &i in candidates {
            self.taken[i as usize] += weight / candidates.len() as f64;
            for &j in set {
                self.beats[i as usize * self.n_players + j as usize] = true;
            }
        }
        match self.sets.get_mut(set) {
            Some(n) => *n += weight,
            None => {
                self.sets.insert(set.into(), weight);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        debug_assert_eq!(self.n_players, other.n_players);
        self.taken
            .iter_mut()
            .zip(&other.taken)
            .for_each(|(a, b)| *a += b);
        self.beats
            .iter_mut()
            .zip(&other.beats)
            .for_each(|(a, b)| *a |= b);
        for (set, weight) in &other.sets {
            *self.sets.entry(set.clone()).or_insert(0.0) += weight;
        }
    }

    pub(super) fn fit(&self, params: &RatingFitParams) -> Result<BatchRatings, RatingFitError> {
        let n = self.n_players;
        let prior = params.prior_draws;
        if !prior.is_finite() || prior < 0.0 {
            return Err(RatingFitError::BadPrior);
        }
        if n < 2 {
            return Ok(BatchRatings {
                elo: vec![0.0; n],
                covariance: vec![0.0; n],
            });
        }
        if prior == 0.0 && !self.is_strongly_connected() {
            return Err(RatingFitError::Unbounded);
        }
        let mut theta = vec![0.0; n];
        let mut value = self.log_posterior(&theta, prior);
        let mut previous = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let (gradient, information) = self.derivatives(&theta, prior);
            let mut step = Cholesky::dropping(&information, n).solve(&gradient);
            let longest = step.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
            if longest > MAX_STEP {
                step.iter_mut().for_each(|s| *s *= MAX_STEP / longest);
            }
            let mut scale = 1.0;
            loop {
                let next: Vec<f64> = theta
                    .iter()
                    .zip(&step)
                    .map(|(t, s)| t + scale * s)
                    .collect();
                let next_value = self.log_posterior(&next, prior);
                // Near the maximum the gain is lost in rounding; a full step is then right.
                if next_value >= value || longest * scale < NOISE_STEP {
                    (theta, value) = (next, next_value);
                    break;
                }
                scale /= 2.0;
            }
            if longest <= STEP_TOLERANCE || (longest < NOISE_STEP && longest > previous / 2.0) {
                return Ok(self.ratings(&theta, prior));
            }
            previous = longest;
        }
        Err(RatingFitError::NotConverged)
    }

    fn ratings(&self, theta: &[f64], prior: f64) -> BatchRatings {
        let n = self.n_players;
        let mean = theta.iter().sum::<f64>() / n as f64;
        let (_, information) = self.derivatives(theta, prior);
        let mut covariance = Cholesky::dropping(&information, n).inverse();
        // Centring on both sides: the covariance of theta minus its mean.
        for _ in 0..2 {
            for row in covariance.chunks_mut(n) {
                let mean = row.iter().sum::<f64>() / n as f64;
                row.iter_mut().for_each(|x| *x -= mean);
            }
            covariance = (0..n * n)
                .map(|e| covariance[(e % n) * n + e / n])
                .collect();
        }
        BatchRatings {
            elo: theta.iter().map(|t| (t - mean) * ELO_PER_NAT).collect(),
            covariance: covariance
                .into_iter()
                .map(|c| c * ELO_PER_NAT * ELO_PER_NAT)
                .collect(),
        }
    }

    fn log_posterior(&self, theta: &[f64], prior: f64) -> f64 {
        let mut value: f64 = self.taken.iter().zip(theta).map(|(w, t)| w * t).sum();
        for (set, weight) in &self.sets {
            let top = set
                .iter()
                .map(|&i| theta[i as usize])
                .fold(f64::NEG_INFINITY, f64::max);
            value -= weight
                * (top
                    + set
                        .iter()
                        .map(|&i| (theta[i as usize] - top).exp())
                        .sum::<f64>()
                        .ln());
        }
        // A draw against strength 0: half of ln p and half of ln (1 - p).
        value
            - prior
                * theta
                    .iter()
                    .map(|t| t.abs() / 2.0 + (-t.abs()).exp().ln_1p())
                    .sum::<f64>()
    }

    /// The gradient and the negative Hessian, row-major, of the log-posterior. Without a prior the
    /// Hessian is made regular along the common shift, which leaves steps and centred covariances
    /// as they are.
    fn derivatives(&self, theta: &[f64], prior: f64) -> (Vec<f64>, Vec<f64>) {
        let n = self.n_players;
        let mut gradient = self.taken.clone();
        let mut information = vec![0.0; n * n];
        let mut p = Vec::new();
        for (set, weight) in &self.sets {
            let top = set
                .iter()
                .map(|&i| theta[i as usize])
                .fold(f64::NEG_INFINITY, f64::max);
            p.clear();
            p.extend(set.iter().map(|&i| (theta[i as usize] - top).exp()));
            let sum: f64 = p.iter().sum();
            p.iter_mut().for_each(|p| *p /= sum);
            for (&i, &pi) in set.iter().zip(&p) {
                gradient[i as usize] -= weight * pi;
                let row = &mut information[i as usize * n..][..n];
                row[i as usize] += weight * pi;
                for (&j, &pj) in set.iter().zip(&p) {
                    row[j as usize] -= weight * pi * pj;
                }
            }
        }
        for i in 0..n {
            let p = 1.0 / (1.0 + (-theta[i]).exp());
            gradient[i] += prior * (0.5 - p);
            information[i * n + i] += prior * p * (1.0 - p);
        }
        if prior == 0.0 {
            let shift = (0..n).map(|i| information[i * n + i]).sum::<f64>() / (n * n) as f64;
            information.iter_mut().for_each(|x| *x += shift);
        }
        (gradient, information)
    }

    fn is_strongly_connected(&self) -> bool {
        let n = self.n_players;
        let reaches_all = |edge: &dyn Fn(usize, usize) -> bool| {
            let mut seen = vec![false; n];
            let mut open = vec![0];
            seen[0] = true;
            while let Some(i) = open.pop() {
                for (j, seen) in seen.iter_mut().enumerate() {
                    if !*seen && edge(i, j) {
                        *seen = true;
                        open.push(j);
                    }
                }
            }
            seen.into_iter().all(|s| s)
        };
        reaches_all(&|i, j| self.beats[i * n + j]) && reaches_all(&|i, j| self.beats[j * n + i])
    }
}
