//! Logistic regression on outcomes.
//!
//! Chess programmers call it Texel's method: label every position of many games
//! with the final result and minimise the cross entropy of `f(E(s))`. For a
//! linear `E` that is logistic regression, fitted here by Newton's method
//! (iteratively reweighted least squares) with a Gaussian prior. Standard errors
//! are robust against the dependence of positions within a game (K.-Y. Liang and
//! S. L. Zeger, "Longitudinal data analysis using generalized linear models",
//! Biometrika 73, 1986).

mod dataset;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::law::{ln_logistic, logistic};
use hegemon_arena::stats::cholesky::{Cholesky, add_outer, dot};

pub use dataset::{Dataset, LabelledPosition};

/// Most steps.
const MAX_STEPS: u32 = 100;
/// Most halvings of a step.
const MAX_HALVINGS: u32 = 40;
/// The step below which the method has converged, in prior or unit scale.
const STEP_TOLERANCE: f64 = 1e-9;

/// The normal prior of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prior {
    pub mean: f64,
    /// One over its variance.
    pub precision: f64,
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Coefficients by column.
    pub coefficients: Vec<f64>,
    /// Their standard errors, with each group as one observation.
    pub std_errors: Vec<f64>,
    /// Mean cross entropy on the fitted rows, in nats.
    pub log_loss: f64,
    /// Newton steps taken.
    pub n_steps: u32,
}

/// Data that cannot be fitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum FitError {
    #[error("there are no positions to fit")]
    Empty,
    #[error("the columns are not independent; give every coefficient a prior")]
    Singular,
}

/// Fits the model with one prior for each column.
///
/// # Errors
///
/// If there are no rows, or columns without a prior depend on each other.
///
/// # Panics
///
/// If there is not one prior for each column.
pub fn fit(data: &Dataset, priors: &[Prior]) -> Result<Fit, FitError> {
    assert_eq!(priors.len(), data.n_columns(), "a prior for each column");
    if data.n_rows() == 0 {
        return Err(FitError::Empty);
    }
    let mut current: Vec<f64> = priors.iter().map(|prior| prior.mean).collect();
    let mut best = ln_posterior(data, priors, &current);
    let mut n_steps = 0;
    while n_steps < MAX_STEPS {
        let (gradient, information) = derivatives(data, priors, &current);
        let factor = Cholesky::new(&information, priors.len()).ok_or(FitError::Singular)?;
        let step = factor.solve(&gradient);
        n_steps += 1;
        let mut share = 1.0;
        let taken = (0..MAX_HALVINGS).find_map(|_| {
            let pairs = current.iter().zip(&step);
            let next: Vec<f64> = pairs.map(|(b, s)| b + share * s).collect();
            share *= 0.5;
            let value = ln_posterior(data, priors, &next);
            (value > best).then_some((next, value))
        });
        let Some((next, value)) = taken else { break };
        (current, best) = (next, value);
        if step.iter().all(|s| s.abs() < STEP_TOLERANCE) {
            break;
        }
    }
    Ok(Fit {
        std_errors: std_errors(data, priors, &current)?,
        log_loss: log_loss(data, &current),
        coefficients: current,
        n_steps,
    })
}

/// Weighted mean of the cross entropy of a model on some rows, in nats; 0 for no
/// rows.
pub fn log_loss(data: &Dataset, coefficients: &[f64]) -> f64 {
    -ln_likelihood(data, coefficients) / total_weight(data)
}

/// Mean cross entropy of the best constant, in nats: what a model must beat.
pub fn log_loss_of_constant(data: &Dataset) -> f64 {
    let wins: f64 = data.rows().map(|row| row.weight * row.label).sum();
    let share = wins / total_weight(data);
    let part = |p: f64| if p > 0.0 { -p * libm::log(p) } else { 0.0 };
    part(share) + part(1.0 - share)
}

/// The sum of the weights; 1 for no rows, so that empty means are 0.
fn total_weight(data: &Dataset) -> f64 {
    let total = data.total_weight();
    if total > 0.0 { total } else { 1.0 }
}

fn ln_likelihood(data: &Dataset, coefficients: &[f64]) -> f64 {
    data.rows()
        .map(|row| {
            let value = dot(row.features, coefficients);
            let (win, loss) = (row.label, 1.0 - row.label);
            row.weight * (win * ln_logistic(value) + loss * ln_logistic(-value))
        })
        .sum()
}

fn ln_posterior(data: &Dataset, priors: &[Prior], coefficients: &[f64]) -> f64 {
    let squares = coefficients
        .iter()
        .zip(priors)
        .map(|(b, prior)| prior.precision * (b - prior.mean) * (b - prior.mean));
    ln_likelihood(data, coefficients) - 0.5 * squares.sum::<f64>()
}

/// Gradient and information (minus the Hessian, lower triangle) of the posterior.
fn derivatives(data: &Dataset, priors: &[Prior], coefficients: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = priors.len();
    let mut gradient: Vec<f64> = coefficients
        .iter()
        .zip(priors)
        .map(|(b, prior)| -prior.precision * (b - prior.mean))
        .collect();
    let mut information = vec![0.0; n * n];
    for (i, prior) in priors.iter().enumerate() {
        information[i * n + i] = prior.precision;
    }
    for row in data.rows() {
        let p = logistic(dot(row.features, coefficients));
        let residual = row.weight * (row.label - p);
        for (sum, x) in gradient.iter_mut().zip(row.features) {
            *sum += residual * x;
        }
        let curvature = row.weight * p * (1.0 - p);
        add_outer(&mut information, row.features, curvature);
    }
    (gradient, information)
}

/// The sandwich estimate: information inverse, variance of the groups' scores,
/// information inverse.
fn std_errors(
    data: &Dataset,
    priors: &[Prior],
    coefficients: &[f64],
) -> Result<Vec<f64>, FitError> {
    let n = priors.len();
    let (_, information) = derivatives(data, priors, coefficients);
    let bread = Cholesky::new(&information, n)
        .ok_or(FitError::Singular)?
        .inverse();
    let mut filling = vec![0.0; n * n];
    let mut score = vec![0.0; n];
    let mut group = None;
    for row in data.rows() {
        if group != Some(row.group) {
            add_outer(&mut filling, &score, 1.0);
            score.fill(0.0);
            group = Some(row.group);
        }
        let residual = row.weight * (row.label - logistic(dot(row.features, coefficients)));
        for (sum, x) in score.iter_mut().zip(row.features) {
            *sum += residual * x;
        }
    }
    add_outer(&mut filling, &score, 1.0);
    let entry = |i: usize, j: usize| filling[i.max(j) * n + i.min(j)];
    let variance = |k: usize| -> f64 {
        let line = &bread[k * n..(k + 1) * n];
        (0..n)
            .map(|i| line[i] * (0..n).map(|j| entry(i, j) * line[j]).sum::<f64>())
            .sum()
    };
    Ok((0..n).map(|k| variance(k).max(0.0).sqrt()).collect())
}
