//! Control variates with cross-fitting.
//!
//! A block gives `y` (whose mean we want) and covariates `x` whose expectation is known to be 0,
//! for example the luck of the dice: actual minus expected outcome of every battle under the exact
//! law. `y - b x` has the mean of `y` for every fixed `b`, and the least variance at `b = Var(x)^-1
//! Cov(x, y)`.
//!
//! A slope fitted on the same blocks would bias the mean by O(1/n). So the blocks are cut into two
//! folds, and each fold uses the slope of the *other* one: given that slope the fold's adjusted
//! mean is exactly unbiased, and the spread of its adjusted values is an honest estimate of its
//! error.
//!
//! Sources: S. S. Lavenberg and P. D. Welch, "A perspective on the use of control variables to
//! increase the efficiency of Monte Carlo simulations", Management Science 27 (1981), for several
//! covariates; A. N. Avramidis and J. R. Wilson, "A splitting scheme for control variates",
//! Operations Research Letters 14 (1993), for the splitting.

use super::cholesky::Cholesky;
use super::{CoMoments, MeanEstimate};

/// The most covariates accepted.
pub const MAX_COVARIATES: usize = 6;

/// Accumulates blocks `(y, x1 .. xk)`; additive, so that results do not depend on threads.
///
/// A block's fold is the parity of its number, which must not depend on its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlVariate {
    /// Coordinate 0 is `y`, then the covariates.
    folds: [CoMoments; 2],
}

/// Plain and adjusted estimates of the mean of `y` side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlledEstimate {
    /// The mean of `y` and its interval.
    pub plain: MeanEstimate,
    /// The mean of `y - b x`, cross-fitted, and its interval. Equal to `plain` while the slopes
    /// cannot be fitted.
    pub adjusted: MeanEstimate,
    /// The slopes used, averaged over the folds by their number of blocks.
    pub slope: Vec<f64>,
    /// Variance of the plain mean over variance of the adjusted mean: how many times fewer blocks
    /// the adjusted estimate needs for the same interval. Below 1 when the covariates only add
    /// noise; `None` when either is unknown or 0.
    pub factor: Option<f64>,
}

impl ControlVariate {
    /// An empty accumulator for `n_covariates` covariates.
    ///
    /// # Panics
    /// If `n_covariates` exceeds [`MAX_COVARIATES`].
    pub fn new(n_covariates: usize) -> Self {
        assert!(
            n_covariates <= MAX_COVARIATES,
            "at most {MAX_COVARIATES} covariates"
        );
        let fold = CoMoments::new(n_covariates + 1);
        Self {
            folds: [fold.clone(), fold],
        }
    }

    /// Adds block number `block_idx` with value `y` and covariates `x`, each of expectation 0.
    ///
    /// # Panics
    /// If `x` does not have the declared number of covariates.
    pub fn push(&mut self, block_idx: u64, y: f64, x: &[f64]) {
        assert_eq!(x.len(), self.n_covariates(), "one value per covariate");
        let mut point = [0.0; MAX_COVARIATES + 1];
        point[0] = y;
        point[1..=x.len()].copy_from_slice(x);
        self.folds[(block_idx % 2) as usize].push(&point[..=x.len()]);
    }

    /// Adds all blocks of another accumulator.
    ///
    /// # Panics
    /// If the numbers of covariates differ.
    pub fn merge(&mut self, other: &Self) {
        for (fold, other) in self.folds.iter_mut().zip(&other.folds) {
            fold.merge(other);
        }
    }

    /// How many covariates each block has.
    pub fn n_covariates(&self) -> usize {
        self.folds[0].dim() - 1
    }

    /// How many blocks were added.
    pub fn n(&self) -> u64 {
        self.folds[0].n() + self.folds[1].n()
    }

    /// Both estimates; `None` for no block.
    pub fn estimate(&self) -> Option<ControlledEstimate> {
        let k = self.n_covariates();
        let mut all = self.folds[0].clone();
        all.merge(&self.folds[1]);
        let n = all.n() as f64;
        let plain = MeanEstimate::new(
            all.n(),
            all.mean(0)?,
            all.covariance(0, 0).map(|v| v / n),
            n - 1.0,
        );
        let unadjusted = ControlledEstimate {
            plain,
            adjusted: plain,
            slope: vec![0.0; k],
            factor: None,
        };

        let [Some(slope0), Some(slope1)] = [0, 1].map(|f| fit_slope(&self.folds[f])) else {
            return Some(unadjusted);
        };
        let (mut mean, mut variance, mut slope) = (0.0, 0.0, vec![0.0; k]);
        for (fold, b) in self.folds.iter().zip([&slope1, &slope0]) {
            let share = fold.n() as f64 / n;
            let Some((fold_mean, fold_variance)) = adjusted_moments(fold, b) else {
                return Some(unadjusted);
            };
            mean += share * fold_mean;
            variance += share * share * fold_variance / fold.n() as f64;
            slope.iter_mut().zip(b).for_each(|(s, b)| *s += share * b);
        }
        let adjusted = MeanEstimate::new(all.n(), mean, Some(variance), n - 2.0);
        let factor = match (plain.std_error, adjusted.std_error) {
            (Some(p), Some(a)) if p > 0.0 && a > 0.0 => Some((p / a).powi(2)),
            _ => None,
        };
        Some(ControlledEstimate {
            plain,
            adjusted,
            slope,
            factor,
        })
    }
}

/// The least-squares slopes of one fold; `None` while there are too few blocks for a residual.
fn fit_slope(fold: &CoMoments) -> Option<Vec<f64>> {
    let k = fold.dim() - 1;
    if fold.n() < k as u64 + 2 {
        return None;
    }
    let covariance = |i, j| fold.covariance(i, j).unwrap_or(0.0);
    let xx: Vec<f64> = (0..k * k)
        .map(|e| covariance(e / k + 1, e % k + 1))
        .collect();
    let xy: Vec<f64> = (0..k).map(|i| covariance(i + 1, 0)).collect();
    Some(Cholesky::dropping(&xx, k).solve(&xy))
}

/// Mean and variance of `y - b x` in one fold.
fn adjusted_moments(fold: &CoMoments, b: &[f64]) -> Option<(f64, f64)> {
    let coefficient = |i: usize| if i == 0 { 1.0 } else { -b[i - 1] };
    let (mut mean, mut variance) = (0.0, 0.0);
    for i in 0..fold.dim() {
        mean += coefficient(i) * fold.mean(i)?;
        for j in 0..fold.dim() {
            variance += coefficient(i) * coefficient(j) * fold.covariance(i, j)?;
        }
    }
    Some((mean, variance.max(0.0)))
}
