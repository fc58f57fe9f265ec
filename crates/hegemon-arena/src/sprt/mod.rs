//! The generalised sequential probability ratio test over blocks, and Elo with its error.
//!
//! A block (for two players: a deal with the sides swapped) has a score in [0, 1]. The test
//! compares two hypotheses on the mean score (logistic Elo) or on mean over deviation (normalised
//! Elo); the law of the score is otherwise free and replaced by its maximum-likelihood estimate
//! under each hypothesis, see [`likelihood`].
//!
//! Sources: M. Van den Bergh, "Comments on normalized Elo" and "The generalized sequential
//! probability ratio test" (fishtest documentation); A. Wald, "Sequential tests of statistical
//! hypotheses" (1945), for the bounds. The tests carry known values of `Disservin/fastchess` and
//! counts of `official-stockfish/fishtest`. No correction for overshoot over the bounds is made,
//! which errs on the safe side.

use thiserror::Error;

mod counts;
pub mod likelihood;

#[cfg(test)]
mod tests;

pub use counts::{BlockCounts, Pentanomial, ScoreCounts, Trinomial, score_from_difference};
pub use likelihood::{llr_approximate, llr_from_scores};

use crate::stats::{Interval, Z95, normal_cdf};

/// Normalised Elo points per unit of mean over deviation of one game, `800 / ln 10`.
pub const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// What the Elo of a hypothesis means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EloModel {
    /// The mean score is `1 / (1 + 10^(-elo/400))`.
    Logistic,
    /// The mean score exceeds 1/2 by `elo ln(10)/800` deviations of one game: the same effort at
    /// every share of draws.
    Normalized,
}

/// The settings of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtParams {
    /// The chance to accept H1 when H0 holds.
    pub alpha: f64,
    /// The chance to accept H0 when H1 holds.
    pub beta: f64,
    /// What `elo0` and `elo1` mean.
    pub model: EloModel,
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
}

impl Default for SprtParams {
    /// Normalised 0 against 5 at 5 % errors.
    fn default() -> Self {
        Self {
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
            elo0: 0.0,
            elo1: 5.0,
        }
    }
}

/// Why a test cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SprtError {
    /// An error rate is not inside (0, 1), or both together reach 1.
    #[error("alpha and beta must be above 0 and together below 1")]
    ErrorRates,
    /// `elo0` is not below `elo1`, or one is not finite.
    #[error("elo0 must be below elo1, both finite")]
    Hypotheses,
}

/// A valid test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    params: SprtParams,
}

/// The decision so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Play on.
    Continue,
    /// The difference is at most `elo0`.
    AcceptH0,
    /// The difference is at least `elo1`.
    AcceptH1,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtStatus {
    /// Whether to stop.
    pub decision: Decision,
    /// The log-likelihood ratio of H1 over H0.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
}

impl Sprt {
    /// Checks the settings.
    ///
    /// # Errors If the error rates or the hypotheses are invalid.
    pub fn new(params: SprtParams) -> Result<Self, SprtError> {
        let SprtParams {
            alpha,
            beta,
            elo0,
            elo1,
            ..
        } = params;
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::ErrorRates);
        }
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses);
        }
        Ok(Self { params })
    }

    /// The settings.
    pub fn params(&self) -> &SprtParams {
        &self.params
    }

    /// `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`.
    pub fn bounds(&self) -> (f64, f64) {
        let SprtParams { alpha, beta, .. } = self.params;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log-likelihood ratio of H1 over H0; 0 for no block.
    pub fn llr(&self, counts: &impl BlockCounts) -> f64 {
        let SprtParams {
            model, elo0, elo1, ..
        } = self.params;
        llr_from_scores(&counts.cells(), counts.games_per_block(), model, elo0, elo1)
    }

    /// The status of the test.
    pub fn status(&self, counts: &impl BlockCounts) -> SprtStatus {
        let (lower, upper) = self.bounds();
        let llr = self.llr(counts);
        let decision = if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        };
        SprtStatus {
            decision,
            llr,
            lower,
            upper,
        }
    }
}

/// A difference of strength from block scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloEstimate {
    /// How many blocks.
    pub n_blocks: f64,
    /// The mean score of a block.
    pub score: f64,
    /// Logistic Elo at the mean score; infinite at 0 and 1.
    pub elo: f64,
    /// What depends on the spread of the scores; `None` while all blocks scored the same.
    pub spread: Option<EloSpread>,
}

/// The part of an [`EloEstimate`] that needs a positive variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloSpread {
    /// The 95 % interval of the mean score, not clipped.
    pub score_ci95: Interval,
    /// The 95 % interval of the logistic Elo; an end is infinite where the score's interval leaves
    /// (0, 1).
    pub elo_ci95: Interval,
    /// Half the width of `elo_ci95`, the number behind the customary plus-minus sign.
    pub elo_error: f64,
    /// Normalised Elo.
    pub nelo: f64,
    /// Half the width of its 95 % interval.
    pub nelo_error: f64,
    /// The likelihood of superiority, `Phi((score - 1/2) / standard error)`.
    pub los: f64,
}

/// Elo, normalised Elo and likelihood of superiority with their errors; `None` for no block.
pub fn elo_estimate(counts: &impl BlockCounts) -> Option<EloEstimate> {
    let cells = counts.cells();
    let n: f64 = cells.iter().map(|(_, n)| n).sum();
    if n <= 0.0 {
        return None;
    }
    let score = cells.iter().map(|(a, n)| a * n).sum::<f64>() / n;
    let variance = cells
        .iter()
        .map(|(a, n)| n * (a - score).powi(2))
        .sum::<f64>()
        / n;
    let spread = (variance > 0.0).then(|| {
        let std_error = (variance / n).sqrt();
        let score_ci95 = Interval::around(score, Z95 * std_error);
        let elo_ci95 = Interval {
            low: score_to_elo(score_ci95.low),
            high: score_to_elo(score_ci95.high),
        };
        let per_game = counts.games_per_block();
        EloSpread {
            score_ci95,
            elo_ci95,
            elo_error: elo_ci95.half_width(),
            nelo: (score - 0.5) / (per_game * variance).sqrt() * NELO_PER_SIGMA,
            nelo_error: Z95 * NELO_PER_SIGMA / (per_game * n).sqrt(),
            los: normal_cdf((score - 0.5) / std_error),
        }
    });
    Some(EloEstimate {
        n_blocks: n,
        score,
        elo: score_to_elo(score),
        spread,
    })
}

/// `1 / (1 + 10^(-elo/400))`.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// `-400 log10(1/score - 1)`, infinite at and beyond 0 and 1.
pub fn score_to_elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}
