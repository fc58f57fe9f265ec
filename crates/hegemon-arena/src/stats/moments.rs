//! Running mean, variance and covariance; mergeable.

use super::MeanEstimate;

/// Running count, mean and variance of a stream of numbers (Welford), mergeable in any order (Chan
/// et al.).
///
/// Equality is bitwise on the accumulated numbers: the same observations in another order may
/// differ in the last digits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    n: u64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    m2: f64,
}

impl Moments {
    /// Adds one observation.
    pub fn push(&mut self, x: f64) {
        self.n += 1;
        let d = x - self.mean;
        self.mean += d / self.n as f64;
        self.m2 += d * (x - self.mean);
    }

    /// Adds all observations of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        let n = (self.n + other.n) as f64;
        let d = other.mean - self.mean;
        self.m2 += other.m2 + d * d * (self.n as f64 * other.n as f64 / n);
        self.mean += d * (other.n as f64 / n);
        self.n += other.n;
    }

    /// How many observations.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The mean; `None` for no observation.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// The unbiased sample variance; `None` below two observations.
    pub fn variance(&self) -> Option<f64> {
        (self.n > 1).then(|| self.m2 / (self.n - 1) as f64)
    }

    /// The mean with its 95 % interval; `None` for no observation, no interval for one.
    pub fn estimate(&self) -> Option<MeanEstimate> {
        let n = self.n as f64;
        self.mean()
            .map(|mean| MeanEstimate::new(self.n, mean, self.variance().map(|v| v / n), n - 1.0))
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(iter: I) -> Self {
        let mut moments = Self::default();
        iter.into_iter().for_each(|x| moments.push(x));
        moments
    }
}

/// Running means and covariances of a stream of vectors of one fixed length, mergeable.
///
/// Equality is bitwise, as for [`Moments`].
#[derive(Debug, Clone, PartialEq)]
pub struct CoMoments {
    n: u64,
    mean: Vec<f64>,
    /// Sums of products of deviations, row-major, symmetric.
    c: Vec<f64>,
}

impl CoMoments {
    /// An empty accumulator for vectors of length `dim`.
    pub fn new(dim: usize) -> Self {
        Self {
            n: 0,
            mean: vec![0.0; dim],
            c: vec![0.0; dim * dim],
        }
    }

    /// Adds one observation.
    ///
    /// # Panics
    /// If `x` does not have the accumulator's dimension.
    pub fn push(&mut self, x: &[f64]) {
        let dim = self.dim();
        assert_eq!(
            x.len(),
            dim,
            "the observation has the accumulator's dimension"
        );
        self.n += 1;
        let n = self.n as f64;
        let weight = (n - 1.0) / n;
        for (i, row) in self.c.chunks_exact_mut(dim.max(1)).enumerate() {
            let deviation = x[i] - self.mean[i];
            for ((c, x), mean) in row.iter_mut().zip(x).zip(&self.mean) {
                *c += deviation * (x - mean) * weight;
            }
        }
        for (mean, x) in self.mean.iter_mut().zip(x) {
            *mean += (x - *mean) / n;
        }
    }

    /// Adds all observations of another accumulator.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn merge(&mut self, other: &Self) {
        let dim = self.dim();
        assert_eq!(other.dim(), dim, "merged accumulators have one dimension");
        if other.n == 0 {
            return;
        }
        let n = (self.n + other.n) as f64;
        let weight = self.n as f64 * other.n as f64 / n;
        let d: Vec<f64> = other
            .mean
            .iter()
            .zip(&self.mean)
            .map(|(b, a)| b - a)
            .collect();
        for i in 0..dim {
            for j in 0..dim {
                self.c[i * dim + j] += other.c[i * dim + j] + d[i] * d[j] * weight;
            }
            self.mean[i] += d[i] * (other.n as f64 / n);
        }
        self.n += other.n;
    }

    /// How many observations.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The length of the observed vectors.
    pub fn dim(&self) -> usize {
        self.mean.len()
    }

    /// The mean of coordinate `i`; `None` for no observation.
    pub fn mean(&self, i: usize) -> Option<f64> {
        (self.n > 0).then(|| self.mean[i])
    }

    /// The unbiased covariance of coordinates `i` and `j`; `None` below two observations.
    pub fn covariance(&self, i: usize, j: usize) -> Option<f64> {
        (self.n > 1).then(|| self.c[i * self.dim() + j] / (self.n - 1) as f64)
    }

    /// The correlation of coordinates `i` and `j`; `None` when either does not vary.
    pub fn correlation(&self, i: usize, j: usize) -> Option<f64> {
        let (vi, vj) = (self.covariance(i, i)?, self.covariance(j, j)?);
        (vi > 0.0 && vj > 0.0)
            .then(|| self.c[i * self.dim() + j] / (self.n - 1) as f64 / (vi * vj).sqrt())
    }
}
