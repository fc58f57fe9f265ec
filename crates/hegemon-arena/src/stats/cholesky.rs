//! Cholesky factorisation of small dense matrices, for normal equations,
//! information matrices and Newton's method.

/// Pivots below this share of their diagonal count as zero where variables may
/// be dropped.
const PIVOT_TOLERANCE: f64 = 1e-11;

/// `A = L L'` of a symmetric matrix, row-major; only the lower triangle of `A`
/// is read.
///
/// ```
/// use hegemon_arena::stats::cholesky::Cholesky;
/// let factor = Cholesky::new(&[4.0, 0.0, 2.0, 5.0], 2).expect("positive definite");
/// assert_eq!(factor.solve(&[8.0, 12.0]), [1.0, 2.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Cholesky {
    n: usize,
    l: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix. `None` if it is not positive definite.
    pub fn new(a: &[f64], n: usize) -> Option<Cholesky> {
        let factor = Cholesky::factor(a, n, |pivot, _| pivot.is_finite() && pivot > 0.0);
        let is_full = (0..n).all(|j| factor.l[j * n + j] > 0.0);
        is_full.then_some(factor)
    }

    /// Factors a positive semidefinite matrix. A variable whose pivot vanishes
    /// (constant, or a combination of earlier ones) is dropped: its solution is 0.
    pub fn dropping(a: &[f64], n: usize) -> Cholesky {
        Cholesky::factor(a, n, |pivot, diagonal| {
            pivot > PIVOT_TOLERANCE * diagonal.abs()
        })
    }

    fn factor(a: &[f64], n: usize, is_kept: impl Fn(f64, f64) -> bool) -> Cholesky {
        debug_assert_eq!(a.len(), n * n);
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let rest = a[i * n + j] - dot(&l[i * n..i * n + j], &l[j * n..j * n + j]);
                if i > j {
                    l[i * n + j] = divided(rest, l[j * n + j]);
                } else if is_kept(rest, a[i * n + i]) {
                    l[i * n + i] = rest.sqrt();
                }
            }
        }
        Cholesky { n, l }
    }

    /// The solution of `A x = b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (n, l) = (self.n, &self.l);
        let mut x = b.to_vec();
        for i in 0..n {
            x[i] = divided(x[i] - dot(&l[i * n..i * n + i], &x[..i]), l[i * n + i]);
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
            x[i] = divided(x[i] - dot, l[i * n + i]);
        }
        x
    }

    /// The inverse of `A`, row-major; meaningful if no variable was dropped.
    pub fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        let mut inverse = vec![0.0; n * n];
        for j in 0..n {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            for (i, x) in self.solve(&unit).into_iter().enumerate() {
                inverse[i * n + j] = x;
            }
        }
        inverse
    }
}

/// The quotient, 0 for a variable that was dropped.
fn divided(x: f64, pivot: f64) -> f64 {
    if pivot > 0.0 { x / pivot } else { 0.0 }
}

/// The scalar product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Adds `weight * u u'` to the lower triangle of `a`.
pub fn add_outer(a: &mut [f64], u: &[f64], weight: f64) {
    let n = u.len();
    for (i, &ui) in u.iter().enumerate() {
        let factor = weight * ui;
        for (entry, &uj) in a[i * n..=i * n + i].iter_mut().zip(u) {
            *entry += factor * uj;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_inverts() {
        let a = [4.0, 2.0, 0.4, 2.0, 5.0, 1.0, 0.4, 1.0, 3.0];
        let factor = Cholesky::new(&a, 3).expect("positive definite");
        let x = factor.solve(&[1.0, -2.0, 0.5]);
        for (i, b) in [1.0, -2.0, 0.5].into_iter().enumerate() {
            assert!((dot(&a[3 * i..3 * i + 3], &x) - b).abs() < 1e-12);
        }
        let inverse = factor.inverse();
        for i in 0..3 {
            for j in 0..3 {
                let entry: f64 = (0..3).map(|k| a[3 * i + k] * inverse[3 * k + j]).sum();
                assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!(Cholesky::new(&[1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(Cholesky::new(&[0.0], 1).is_none());
        assert!(Cholesky::new(&[f64::NAN], 1).is_none());
    }

    #[test]
    fn dependent_and_constant_variables_are_dropped() {
        // The second variable is twice the first, the third is constant.
        let a = [1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0];
        assert!(Cholesky::new(&a, 3).is_none());
        let x = Cholesky::dropping(&a, 3).solve(&[3.0, 6.0, 0.0]);
        assert_eq!(x, [3.0, 0.0, 0.0]);
    }

    /// What is above the diagonal is not a number here, and the scales differ by 18 orders.
    #[test]
    fn only_the_lower_triangle_is_read_and_a_pivot_is_small_only_beside_its_own_diagonal() {
        const ABOVE: f64 = f64::NAN;
        let x = Cholesky::dropping(&[4.0, ABOVE, 2.0, 5.0], 2).solve(&[8.0, 12.0]);
        assert_eq!(x, [1.0, 2.0]);
        let scales = [1e9, ABOVE, ABOVE, 0.0, 1e-9, ABOVE, 0.0, 0.0, 1.0];
        let x = Cholesky::dropping(&scales, 3).solve(&[2e9, 3e-9, 4.0]);
        for (x, expected) in x.into_iter().zip([2.0, 3.0, 4.0]) {
            assert!((x - expected).abs() < 1e-12, "{x}");
        }
    }

    /// A copy of a variable with a relative error of 1e-12 is dropped, with one of 1e-10 it is not.
    #[test]
    fn a_variable_is_dropped_below_the_tolerance_whatever_its_scale() {
        for scale in [1e-8, 1.0, 1e8] {
            let copy = |error: f64| {
                let a = [scale, scale, scale, scale * (1.0 + error)];
                Cholesky::dropping(&a, 2).solve(&[scale, scale * (1.0 + error)])
            };
            assert_eq!(copy(1e-12)[1], 0.0);
            assert!((copy(1e-10)[1] - 1.0).abs() < 1e-3, "{scale}");
        }
    }

    #[test]
    fn outer_products_fill_the_lower_triangle() {
        let mut a = [0.0; 4];
        add_outer(&mut a, &[2.0, 3.0], 0.5);
        assert_eq!(a, [2.0, 0.0, 3.0, 4.5]);
    }
}
