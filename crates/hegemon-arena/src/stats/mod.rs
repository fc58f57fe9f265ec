//! Interval statistics over blocks: shares, means, running moments, control variates.
//!
//! One observation is a *block*: one deal played under all its seat orders. Games inside a block
//! are dependent, blocks are not, so every interval here counts blocks.
//!
//! Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
//! JASA 22 (1927); B. P. Welford, "Note on a method for calculating corrected sums of squares and
//! products", Technometrics 4 (1962); T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae
//! and a pairwise algorithm for computing sample variances", Stanford STAN-CS-79-773 (1979), for
//! merging; control variates in [`control`].

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

pub mod cholesky;
pub mod control;
mod moments;

#[cfg(test)]
pub(crate) mod test_rng;
#[cfg(test)]
mod tests;

pub use control::{ControlVariate, ControlledEstimate, MAX_COVARIATES};
pub use moments::{CoMoments, Moments};

/// The two-sided 95 % quantile of the standard normal law.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A closed interval `low ..= high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end, never below `low`.
    pub high: f64,
}

impl Interval {
    /// The interval `centre - half_width ..= centre + half_width`.
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    /// Whether `x` is inside, ends included.
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// Half the distance between the ends.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// A mean with what is known of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanEstimate {
    /// Number of observations, at least 1.
    pub n: u64,
    /// The estimate.
    pub mean: f64,
    /// The standard error; `None` when one observation (or one per fold) says nothing about the
    /// spread.
    pub std_error: Option<f64>,
    /// The 95 % interval by Student's t; `None` together with `std_error`.
    pub ci95: Option<Interval>,
}

impl MeanEstimate {
    pub(crate) fn new(
        n: u64,
        mean: f64,
        variance_of_mean: Option<f64>,
        degrees_of_freedom: f64,
    ) -> Self {
        let std_error = variance_of_mean.map(|v| v.max(0.0).sqrt());
        let ci95 =
            std_error.map(|se| Interval::around(mean, t_quantile95(degrees_of_freedom) * se));
        Self {
            n,
            mean,
            std_error,
            ci95,
        }
    }
}

/// Wilson's score interval for a share of `successes` out of `n` at normal quantile `z`; the full
/// range for `n = 0`.
///
/// `successes` may be fractional (a draw is half a success). Values outside `0 ..= n` are clamped.
pub fn wilson(successes: f64, n: f64, z: f64) -> Interval {
    if n.is_nan() || n <= 0.0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let p = (successes / n).clamp(0.0, 1.0);
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // The exact ends at p = 0 and p = 1 are 0 and 1; rounding must not move them inwards.
    let low = if p == 0.0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let high = if p == 1.0 {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    Interval { low, high }
}

/// [`wilson`] at 95 %.
pub fn wilson95(successes: f64, n: f64) -> Interval {
    wilson(successes, n, Z95)
}

/// The 95 % interval of a share in [0, 1] that is the mean of block scores, never outside [0, 1]
/// and never of width 0; the full range for no block.
///
/// Wilson's interval with as many trials as would give the observed error of the mean, at Student's
/// quantile; with the number of blocks while all scores are equal (E. L. Korn and B. I. Graubard,
/// Survey Methodology 24, 1998, for the effective sample size).
pub fn share_ci95(scores: &Moments) -> Interval {
    let n = scores.n() as f64;
    let share = scores.mean().unwrap_or(0.5).clamp(0.0, 1.0);
    match scores.variance() {
        Some(variance) if variance > 0.0 && share > 0.0 && share < 1.0 => {
            let n_effective = share * (1.0 - share) * n / variance;
            wilson(share * n_effective, n_effective, t_quantile95(n - 1.0))
        }
        _ => wilson95(share * n, n),
    }
}

/// `Phi(z)`, the standard normal distribution function.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// `1 - Phi(z)` without cancellation in the upper tail.
pub fn normal_sf(z: f64) -> f64 {
    0.5 * erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The two-sided 95 % quantile of Student's t; infinite for no degree of freedom.
pub fn t_quantile95(degrees_of_freedom: f64) -> f64 {
    if degrees_of_freedom > 1e6 {
        return Z95;
    }
    match StudentsT::new(0.0, 1.0, degrees_of_freedom) {
        Ok(t) => t.inverse_cdf(0.975),
        Err(_) => f64::INFINITY,
    }
}
