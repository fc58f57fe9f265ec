//! A small dense Cholesky factorisation for normal equations and information matrices.

/// Pivots below this share of their original diagonal count as zero.
const PIVOT_TOLERANCE: f64 = 1e-11;

/// `A = L L'` of a symmetric positive semidefinite matrix, row-major.
///
/// A variable whose pivot vanishes (constant, or a combination of earlier ones) is dropped: its
/// solution is 0.
#[derive(Debug, Clone)]
pub(crate) struct Cholesky {
    n: usize,
    l: Vec<f64>,
}

impl Cholesky {
    pub(crate) fn new(a: &[f64], n: usize) -> Self {
        debug_assert_eq!(a.len(), n * n);
        let mut l = vec![0.0; n * n];
        for j in 0..n {
            let pivot = a[j * n + j] - (0..j).map(|k| l[j * n + k] * l[j * n + k]).sum::<f64>();
            if pivot.is_nan() || pivot <= PIVOT_TOLERANCE * a[j * n + j].abs() {
                continue;
            }
            let root = pivot.sqrt();
            l[j * n + j] = root;
            for i in j + 1..n {
                let dot: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
                l[i * n + j] = (a[i * n + j] - dot) / root;
            }
        }
        Self { n, l }
    }

    #[cfg(test)]
    pub(crate) fn is_full_rank(&self) -> bool {
        (0..self.n).all(|j| self.l[j * self.n + j] > 0.0)
    }

    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.n;
        let mut x = b.to_vec();
        for i in 0..n {
            let pivot = self.l[i * n + i];
            let dot: f64 = (0..i).map(|k| self.l[i * n + k] * x[k]).sum();
            x[i] = if pivot > 0.0 {
                (x[i] - dot) / pivot
            } else {
                0.0
            };
        }
        for i in (0..n).rev() {
            let pivot = self.l[i * n + i];
            let dot: f64 = (i + 1..n).map(|k| self.l[k * n + i] * x[k]).sum();
            x[i] = if pivot > 0.0 {
                (x[i] - dot) / pivot
            } else {
                0.0
            };
        }
        x
    }

    /// The inverse, row-major; meaningful at full rank.
    pub(crate) fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        let mut inverse = vec![0.0; n * n];
        let mut unit = vec![0.0; n];
        for j in 0..n {
            unit[j] = 1.0;
            for (i, x) in self.solve(&unit).into_iter().enumerate() {
                inverse[i * n + j] = x;
            }
            unit[j] = 0.0;
        }
        inverse
    }
}
