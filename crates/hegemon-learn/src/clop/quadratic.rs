//! Quadratic functions on the cube.

use hegemon_arena::stats::cholesky::{Cholesky, dot};

/// Which terms a quadratic has: 1, `x_i`, `x_i^2` and, with correlations, all
/// `x_i x_j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) n_dims: usize,
    pub(crate) has_correlations: bool,
}

impl Shape {
    /// Number of coefficients.
    pub(crate) fn n_terms(self) -> usize {
        let n = self.n_dims;
        if self.has_correlations {
            (n + 1) * (n + 2) / 2
        } else {
            2 * n + 1
        }
    }

    /// Appends the monomials of `x`, in the order of the coefficients.
    pub(crate) fn push_terms(self, x: &[f64], terms: &mut Vec<f64>) {
        terms.push(1.0);
        terms.extend_from_slice(x);
        for (i, &xi) in x.iter().enumerate() {
            if self.has_correlations {
                terms.extend(x[..=i].iter().map(|xj| xi * xj));
            } else {
                terms.push(xi * xi);
            }
        }
    }

    /// The value at `x` without a list of terms.
    pub(crate) fn value(self, coefficients: &[f64], x: &[f64]) -> f64 {
        let n = self.n_dims;
        let (linear, squares) = coefficients[1..].split_at(n);
        let mut sum = coefficients[0] + dot(linear, x);
        let mut at = 0;
        for (i, &xi) in x.iter().enumerate() {
            if self.has_correlations {
                sum += xi * dot(&squares[at..=at + i], &x[..=i]);
                at += i + 1;
            } else {
                sum += squares[i] * xi * xi;
            }
        }
        sum
    }

    /// The maximum, if the form is negative definite and the maximum is in the
    /// cube.
    pub(crate) fn peak(self, coefficients: &[f64]) -> Option<Vec<f64>> {
        let n = self.n_dims;
        let (linear, squares) = coefficients[1..].split_at(n);
        let mut curvature = vec![0.0; n * n];
        for i in 0..n {
            if self.has_correlations {
                let row = i * (i + 1) / 2;
                for j in 0..i {
                    curvature[i * n + j] = -squares[row + j];
                }
                curvature[i * n + i] = -2.0 * squares[row + i];
            } else {
                curvature[i * n + i] = -2.0 * squares[i];
            }
        }
        let peak = Cholesky::new(&curvature, n)?.solve(linear);
        peak.iter()
            .all(|x| (-1.0..=1.0).contains(x))
            .then_some(peak)
    }
}
