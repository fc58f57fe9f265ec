//! The weights of CLOP: which samples still count.

use serde::{Deserialize, Serialize};

use crate::clop::quadratic::Shape;
use crate::clop::regression::Design;

/// The smallest logarithm of a weight: a weight is never zero.
const MIN_LN_WEIGHT: f64 = -700.0;
/// Rounds continue while each reduces the total weight below this share of it.
const TOTAL_SHARE: f64 = 0.99;

/// `x -> exp((q(x) - mean) / scale)`, one factor of the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightFunction {
    pub(crate) coefficients: Vec<f64>,
    mean: f64,
    scale: f64,
}

impl WeightFunction {
    fn ln_weight(&self, value: f64) -> f64 {
        ((value - self.mean) / self.scale).clamp(MIN_LN_WEIGHT, 0.0)
    }
}

/// The weight of every point: the least of 1 and all weight functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Localisation {
    pub(crate) functions: Vec<WeightFunction>,
}

/// The result of a localisation.
#[derive(Clone, Debug)]
pub(crate) struct Localised {
    pub(crate) localisation: Localisation,
    /// By sample.
    pub(crate) weights: Vec<f64>,
    /// Total weight before the first and after every round.
    #[cfg_attr(not(test), allow(dead_code, reason = "an invariant of the tests"))]
    pub(crate) totals: Vec<f64>,
}

impl Localisation {
    /// Logarithm of the weight at a point of the cube.
    pub(crate) fn ln_weight(&self, shape: Shape, x: &[f64]) -> f64 {
        let ln_weights = self
            .functions
            .iter()
            .map(|function| function.ln_weight(shape.value(&function.coefficients, x)));
        ln_weights.fold(0.0, f64::min)
    }

    /// Starts from equal weights and narrows them round by round.
    ///
    /// `locality` is Coulom's H; without `max_rounds` the last function, which
    /// changed almost nothing, is dropped.
    pub(crate) fn find(
        design: &Design,
        n_terms: usize,
        law: crate::clop::regression::OutcomeLaw,
        n_points: usize,
        locality: f64,
        max_rounds: Option<u32>,
    ) -> Localised {
        let mut functions = Vec::new();
        let mut ln_weights = vec![0.0; n_points];
        let mut weights = vec![1.0; n_points];
        let mut totals = vec![n_points as f64];
        let mut coefficients = vec![0.0; n_terms];
        let mut total = n_points as f64;
        loop {
            let (mean, deviation) = law.constant_rating(design.total(&weights));
            coefficients = design.fit(&weights, &coefficients);
            let function = WeightFunction {
                coefficients: coefficients.clone(),
                mean,
                scale: locality * deviation,
            };
            let values = design.values(&coefficients);
            for (ln_weight, value) in ln_weights.iter_mut().zip(values) {
                *ln_weight = f64::min(*ln_weight, function.ln_weight(value));
            }
            functions.push(function);
            for (weight, &ln_weight) in weights.iter_mut().zip(&ln_weights) {
                *weight = libm::exp(ln_weight);
            }
            let new_total: f64 = weights.iter().sum();
            totals.push(new_total);
            let has_fallen = new_total < TOTAL_SHARE * total;
            total = new_total;
            if !has_fallen {
                if max_rounds.is_none() {
                    functions.pop();
                }
                break;
            }
            if max_rounds.is_some_and(|max| functions.len() >= max as usize) {
                break;
            }
        }
        Localised {
            localisation: Localisation { functions },
            weights,
            totals,
        }
    }
}
