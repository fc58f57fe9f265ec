//! Quadratic logistic regression with a Gaussian prior: Newton's method.

use crate::clop::quadratic::Shape;
use crate::law::{ln_logistic, logistic};
use hegemon_arena::stats::cholesky::{Cholesky, add_outer, dot};

/// The step below which Newton's method has converged.
const STEP_TOLERANCE: f64 = 1e-5;
/// Most Newton steps.
const MAX_STEPS: usize = 100;
/// Most halvings of one step; beyond them the step changes nothing.
const MAX_HALVINGS: usize = 40;

/// Outcomes at one point, possibly weighted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Counts {
    pub(crate) losses: f64,
    pub(crate) draws: f64,
    pub(crate) wins: f64,
}

/// The law of outcomes given a rating: `P(win) = f(r - d)`, `P(loss) = f(-r - d)`,
/// a draw as likely as their product, up to a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OutcomeLaw {
    /// The parameter `d`.
    pub(crate) draw: f64,
}

impl OutcomeLaw {
    /// Log-likelihood of the outcomes.
    fn ln_likelihood(self, counts: Counts, rating: f64) -> f64 {
        (counts.wins + counts.draws) * ln_logistic(rating - self.draw)
            + (counts.losses + counts.draws) * ln_logistic(-rating - self.draw)
    }

    /// Its slope in the rating.
    fn slope(self, counts: Counts, rating: f64) -> f64 {
        (counts.wins + counts.draws) * logistic(self.draw - rating)
            - (counts.losses + counts.draws) * logistic(self.draw + rating)
    }

    /// Minus its second derivative in the rating.
    fn information(self, counts: Counts, rating: f64) -> f64 {
        let (win, loss) = (rating - self.draw, -rating - self.draw);
        (counts.wins + counts.draws) * logistic(win) * logistic(-win)
            + (counts.losses + counts.draws) * logistic(loss) * logistic(-loss)
    }

    /// The constant rating that fits best and its standard deviation.
    pub(crate) fn constant_rating(self, counts: Counts) -> (f64, f64) {
        let (c0, c1, c2) = (counts.losses, counts.wins, counts.draws);
        let g = libm::exp(-self.draw);
        let gap = c1 - c0;
        let root = (gap * gap + 4.0 * g * g * (c0 + c2) * (c1 + c2)).sqrt();
        // Of the two equal forms of the positive root, the one that does not cancel.
        let ratio = if gap >= 0.0 {
            (gap + root) / (2.0 * g * (c0 + c2))
        } else {
            2.0 * g * (c1 + c2) / (root - gap)
        };
        let rating = libm::log(ratio);
        (rating, 1.0 / self.information(counts, rating).sqrt())
    }
}

/// Points with their outcomes, ready for regression.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    shape: Shape,
    law: OutcomeLaw,
    prior_precision: f64,
    /// Monomials, a row for each point.
    terms: Vec<f64>,
    counts: Vec<Counts>,
}

impl Design {
    pub(crate) fn new<'a>(
        shape: Shape,
        law: OutcomeLaw,
        prior_precision: f64,
        points: impl Iterator<Item = (&'a [f64], Counts)>,
    ) -> Design {
        let mut design = Design {
            shape,
            law,
            prior_precision,
            terms: Vec::new(),
            counts: Vec::new(),
        };
        for (x, counts) in points {
            shape.push_terms(x, &mut design.terms);
            design.counts.push(counts);
        }
        design
    }

    fn rows(&self) -> impl Iterator<Item = (&[f64], Counts)> {
        let rows = self.terms.chunks_exact(self.shape.n_terms());
        rows.zip(self.counts.iter().copied())
    }

    /// Sums of the outcomes under weights.
    pub(crate) fn total(&self, weights: &[f64]) -> Counts {
        let mut total = Counts {
            losses: 0.0,
            draws: 0.0,
            wins: 0.0,
        };
        for (counts, w) in self.counts.iter().zip(weights) {
            total.losses += w * counts.losses;
            total.draws += w * counts.draws;
            total.wins += w * counts.wins;
        }
        total
    }

    /// Values of a quadratic at all points.
    pub(crate) fn values(&self, coefficients: &[f64]) -> Vec<f64> {
        self.rows()
            .map(|(terms, _)| dot(terms, coefficients))
            .collect()
    }

    /// Logarithm of the posterior density, up to a constant.
    fn ln_posterior(&self, weights: &[f64], coefficients: &[f64]) -> f64 {
        let prior = -0.5 * self.prior_precision * dot(coefficients, coefficients);
        let data: f64 = self
            .rows()
            .zip(weights)
            .map(|((terms, counts), w)| {
                w * self.law.ln_likelihood(counts, dot(terms, coefficients))
            })
            .sum();
        prior + data
    }

    /// The most likely quadratic under weights, sought from `start`.
    pub(crate) fn fit(&self, weights: &[f64], start: &[f64]) -> Vec<f64> {
        let mut current = start.to_vec();
        let mut best = self.ln_posterior(weights, &current);
        for _ in 0..MAX_STEPS {
            let Some(step) = self.newton_step(weights, &current) else {
                break;
            };
            let mut factor = 1.0;
            let taken = (0..MAX_HALVINGS).find_map(|_| {
                let pairs = current.iter().zip(&step);
                let next: Vec<f64> = pairs.map(|(b, s)| b + factor * s).collect();
                factor *= 0.5;
                let value = self.ln_posterior(weights, &next);
                (value > best).then_some((next, value))
            });
            let Some((next, value)) = taken else { break };
            (current, best) = (next, value);
            if step.iter().all(|s| s.abs() < STEP_TOLERANCE) {
                break;
            }
        }
        current
    }

    fn newton_step(&self, weights: &[f64], coefficients: &[f64]) -> Option<Vec<f64>> {
        let m = self.shape.n_terms();
        let mut gradient: Vec<f64> = coefficients
            .iter()
            .map(|b| -self.prior_precision * b)
            .collect();
        let mut information = vec![0.0; m * m];
        for i in 0..m {
            information[i * m + i] = self.prior_precision;
        }
        for ((terms, counts), &w) in self.rows().zip(weights) {
            let rating = dot(terms, coefficients);
            let slope = w * self.law.slope(counts, rating);
            for (sum, term) in gradient.iter_mut().zip(terms) {
                *sum += slope * term;
            }
            let curvature = w * self.law.information(counts, rating);
            add_outer(&mut information, terms, curvature);
        }
        Cholesky::new(&information, m).map(|factor| factor.solve(&gradient))
    }
}
