//! CLOP: confident local optimisation for noisy black-box parameter tuning.
//!
//! Source: R. Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box
//! Parameter Tuning", Advances in Computer Games 13 (2011). The logit of the
//! win rate is modelled by a quadratic; samples that the regression puts
//! significantly below the mean lose weight, so the model becomes local around
//! the optimum. New points are drawn in proportion to the weight.
//!
//! What the paper leaves open is as in the author's tool
//! (docs/spec/sampling.md 3.3): the prior, H = 3 with an exponent that is not
//! squared, at most 7 rounds, refreshes at every tenth more games.

mod localisation;
mod quadratic;
mod regression;
#[cfg(test)]
mod tests;

use hegemon_core::Rng;
use serde::{Deserialize, Serialize};

use crate::clop::localisation::Localisation;
use crate::clop::quadratic::Shape;
use crate::clop::regression::{Counts, Design, OutcomeLaw};
use crate::space::Space;
use crate::tuner::{Estimate, TrialResult, Tuner, TuningTrial};

/// Below this many wins or losses, all weights are 1.
const MIN_EACH: u64 = 2;

/// Settings of CLOP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClopParams {
    /// Whether the quadratic has mixed terms. Without them it has `2n + 1`
    /// coefficients instead of `(n + 1)(n + 2) / 2`.
    pub has_correlations: bool,
    /// H: by how many standard deviations a sample must be below the mean to
    /// lose a factor e of its weight.
    pub locality: f64,
    /// Precision of the Gaussian prior of every coefficient.
    pub prior_precision: f64,
    /// Rating advantage worth a draw, in Elo; 0 where there are no draws.
    pub draw_elo: f64,
    /// Metropolis steps for a sample, for each dimension.
    pub n_sweeps: u32,
    /// Most rounds of localisation; `None`: until the weights are stable.
    pub max_rounds: Option<u32>,
}

impl Default for ClopParams {
    fn default() -> ClopParams {
        ClopParams {
            has_correlations: true,
            locality: 3.0,
            prior_precision: 0.01,
            draw_elo: 0.0,
            n_sweeps: 100,
            max_rounds: Some(7),
        }
    }
}

/// The CLOP tuner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clop {
    space: Space,
    params: ClopParams,
    n_asked: u64,
    n_games: u64,
    samples: Vec<ClopSample>,
    localisation: Localisation,
    /// Where the next walk of the sampler starts.
    walker: Option<Vec<f64>>,
    /// The result, counted from 0, after which to localise again.
    next_refresh: u64,
}

/// A point of the cube with its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ClopSample {
    x: Vec<f64>,
    losses: u32,
    draws: u32,
    wins: u32,
    weight: f64,
}

impl ClopSample {
    fn counts(&self) -> Counts {
        Counts {
            losses: f64::from(self.losses),
            draws: f64::from(self.draws),
            wins: f64::from(self.wins),
        }
    }
}

impl Clop {
    /// A tuner without data.
    pub fn new(space: Space, params: ClopParams) -> Clop {
        Clop {
            space,
            params,
            n_asked: 0,
            n_games: 0,
            samples: Vec::new(),
            localisation: Localisation::default(),
            walker: None,
            next_refresh: 0,
        }
    }

    /// The parameters that are tuned.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Weights of all points told so far, in order; each in `(0, 1]`.
    pub fn weights(&self) -> impl Iterator<Item = f64> + '_ {
        self.samples.iter().map(|sample| sample.weight)
    }

    fn shape(&self) -> Shape {
        Shape {
            n_dims: self.space.n_dims(),
            has_correlations: self.params.has_correlations,
        }
    }

    fn law(&self) -> OutcomeLaw {
        OutcomeLaw {
            draw: self.params.draw_elo * std::f64::consts::LN_10 / 400.0,
        }
    }

    fn refresh(&mut self) {
        let (mut losses, mut wins) = (0, 0);
        for sample in &self.samples {
            losses += u64::from(sample.losses);
            wins += u64::from(sample.wins);
        }
        if losses < MIN_EACH || wins < MIN_EACH {
            return;
        }
        let localised = self.localise();
        self.localisation = localised.localisation;
        for (sample, weight) in self.samples.iter_mut().zip(localised.weights) {
            sample.weight = weight;
        }
    }

    fn localise(&self) -> localisation::Localised {
        let points = self.samples.iter().map(|s| (s.x.as_slice(), s.counts()));
        let (shape, law) = (self.shape(), self.law());
        let design = Design::new(shape, law, self.params.prior_precision, points);
        Localisation::find(
            &design,
            shape.n_terms(),
            law,
            self.samples.len(),
            self.params.locality,
            self.params.max_rounds,
        )
    }

    /// A point of the cube with density in proportion to the weight, by
    /// Metropolis steps in one coordinate at a time.
    fn sample(&mut self, rng: &mut Rng) -> Vec<f64> {
        let n_dims = self.space.n_dims();
        let uniform = |rng: &mut Rng| 2.0 * rng.unit() - 1.0;
        let mut x = match self.walker.take() {
            Some(x) => x,
            None => (0..n_dims).map(|_| uniform(rng)).collect(),
        };
        let shape = self.shape();
        let mut ln_weight = self.localisation.ln_weight(shape, &x);
        for _ in 0..self.params.n_sweeps as usize * n_dims {
            let i = rng.below(n_dims as u32) as usize;
            let old = std::mem::replace(&mut x[i], uniform(rng));
            let proposed = self.localisation.ln_weight(shape, &x);
            if proposed >= ln_weight || rng.chance(libm::exp(proposed - ln_weight)) {
                ln_weight = proposed;
            } else {
                x[i] = old;
            }
        }
        self.walker = Some(x.clone());
        x
    }

    /// The weighted mean of all points, on the cube; its centre before the first.
    fn mean_point(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.space.n_dims()];
        let mut total = 0.0;
        for sample in &self.samples {
            // A point that was played twice counts twice.
            let games = f64::from(sample.losses + sample.draws + sample.wins);
            let weight = sample.weight * games;
            total += weight;
            for (sum, x) in sum.iter_mut().zip(&sample.x) {
                *sum += weight * x;
            }
        }
        if total > 0.0 {
            sum.iter_mut().for_each(|x| *x /= total);
        }
        sum
    }
}

impl Tuner for Clop {
    fn ask(&mut self, rng: &mut Rng) -> TuningTrial {
        let x = self.sample(rng);
        let number = self.n_asked;
        self.n_asked += 1;
        TuningTrial {
            number,
            point: self.space.values(&x),
            rival: None,
        }
    }

    fn tell(&mut self, trial: &TuningTrial, results: &[TrialResult]) {
        if results.is_empty() {
            return;
        }
        // Back from the values: a whole number is at the centre of its cell.
        let x = self.space.coordinates(&trial.point);
        let count = |wanted: TrialResult| results.iter().filter(|o| **o == wanted).count() as u32;
        let weight = libm::exp(self.localisation.ln_weight(self.shape(), &x));
        self.samples.push(ClopSample {
            x,
            losses: count(TrialResult::Loss),
            draws: count(TrialResult::Draw),
            wins: count(TrialResult::Win),
            weight,
        });
        self.n_games += results.len() as u64;
        let last = self.n_games - 1;
        if last >= self.next_refresh {
            self.refresh();
            while self.next_refresh <= last {
                self.next_refresh += 1 + self.next_refresh / 10;
            }
        }
    }

    fn estimate(&self) -> Estimate {
        let score: f64 = self
            .samples
            .iter()
            .map(|s| f64::from(s.wins) + 0.5 * f64::from(s.draws))
            .sum();
        let peak = self.localisation.functions.last();
        let peak = peak.and_then(|function| self.shape().peak(&function.coefficients));
        Estimate {
            point: self.space.values(&self.mean_point()),
            n_games: self.n_games,
            score: score / self.n_games.max(1) as f64,
            peak: peak.map(|x| self.space.values(&x)),
        }
    }
}
