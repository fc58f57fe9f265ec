//! CMA-ES with positive weights: N. Hansen, "The CMA Evolution Strategy: A
//! Tutorial", arXiv:1604.00772, figure 6 with the defaults of its table 1.
//!
//! Sums run in a fixed order and functions come from `libm`, so that a run is
//! the same on every machine.

use hegemon_core::Rng;

use hegemon_arena::stats::cholesky::dot;

/// A symmetric matrix, row by row.
type Matrix = Vec<Vec<f64>>;

/// Most sweeps of Jacobi's method; a dozen is typical.
const MAX_SWEEPS: usize = 100;

/// The covariance matrix has an axis of length zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Degenerate;

/// The search distribution and its memory.
#[derive(Clone, Debug)]
pub(crate) struct CmaEs {
    mean: Vec<f64>,
    step: f64,
    covariance: Matrix,
    step_path: Vec<f64>,
    covariance_path: Vec<f64>,
    generation: i32,
    rates: Rates,
    rng: Rng,
}

/// The constants of a run.
#[derive(Clone, Debug)]
struct Rates {
    n_candidates: usize,
    /// Of the better half, best first; their sum is one.
    weights: Vec<f64>,
    /// The effective number of candidates.
    effective: f64,
    step: f64,
    damping: f64,
    path: f64,
    rank_one: f64,
    rank_many: f64,
    /// Length of a standard normal vector on average.
    length: f64,
}

/// A candidate, as its distance from the mean in steps, and its value.
struct Candidate {
    distance: Vec<f64>,
    value: f64,
}

impl CmaEs {
    /// A distribution around a mean with equal steps on all axes.
    pub(crate) fn new(mean: Vec<f64>, step: f64, n_candidates: usize, seed: u64) -> CmaEs {
        let n = mean.len();
        let mut covariance = vec![vec![0.0; n]; n];
        for (i, row) in covariance.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        CmaEs {
            step,
            covariance,
            step_path: vec![0.0; n],
            covariance_path: vec![0.0; n],
            generation: 0,
            rates: Rates::new(n, n_candidates),
            rng: Rng::stream(seed, "cma-es"),
            mean,
        }
    }

    /// The centre of the distribution.
    pub(crate) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Standard deviation along each coordinate.
    pub(crate) fn deviations(&self) -> Vec<f64> {
        let diagonal = self.covariance.iter().enumerate().map(|(i, row)| row[i]);
        diagonal.map(|c| self.step * c.sqrt()).collect()
    }

    /// One generation: draws candidates, evaluates each (more is better), and
    /// moves towards the better half.
    pub(crate) fn advance(
        &mut self,
        mut value: impl FnMut(&[f64]) -> f64,
    ) -> Result<(), Degenerate> {
        let axes = PrincipalAxes::of(&self.covariance)?;
        let mut candidates: Vec<Candidate> = (0..self.rates.n_candidates)
            .map(|_| {
                let normal: Vec<f64> = self.mean.iter().map(|_| normal(&mut self.rng)).collect();
                let distance = axes.stretch(&normal);
                let value = value(&moved(&self.mean, self.step, &distance));
                Candidate { distance, value }
            })
            .collect();
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        candidates.truncate(self.rates.weights.len());
        self.learn(&axes, &candidates);
        Ok(())
    }

    fn learn(&mut self, axes: &PrincipalAxes, best: &[Candidate]) {
        let rates = &self.rates;
        let mut shift = vec![0.0; self.mean.len()];
        for (weight, candidate) in rates.weights.iter().zip(best) {
            add(&mut shift, *weight, &candidate.distance);
        }
        self.mean = moved(&self.mean, self.step, &shift);
        self.generation += 1;

        let grow = |rate: f64| (rate * (2.0 - rate) * rates.effective).sqrt();
        scale(&mut self.step_path, 1.0 - rates.step);
        add(&mut self.step_path, grow(rates.step), &axes.whiten(&shift));
        let length = dot(&self.step_path, &self.step_path).sqrt() / rates.length;
        let age = 1.0 - libm::pow(1.0 - rates.step, f64::from(2 * self.generation));
        let n = self.mean.len() as f64;
        // A long path means that steps are too short; the matrix update is
        // paused.
        let is_settled = length / age.sqrt() < 1.4 + 2.0 / (n + 1.0);

        scale(&mut self.covariance_path, 1.0 - rates.path);
        if is_settled {
            add(&mut self.covariance_path, grow(rates.path), &shift);
        }
        let lost = if is_settled {
            0.0
        } else {
            rates.rank_one * rates.path * (2.0 - rates.path)
        };
        let kept = 1.0 + lost - rates.rank_one - rates.rank_many;
        self.covariance.iter_mut().for_each(|row| scale(row, kept));
        add_square(&mut self.covariance, rates.rank_one, &self.covariance_path);
        for (weight, candidate) in rates.weights.iter().zip(best) {
            add_square(
                &mut self.covariance,
                rates.rank_many * weight,
                &candidate.distance,
            );
        }
        self.step *= libm::exp(rates.step / rates.damping * (length - 1.0));
    }
}

impl Rates {
    fn new(n_dimensions: usize, n_candidates: usize) -> Rates {
        let n = n_dimensions as f64;
        let n_candidates = n_candidates.max(2);
        let middle = libm::log((n_candidates as f64 + 1.0) / 2.0);
        let mut weights: Vec<f64> = (1..=n_candidates / 2)
            .map(|rank| middle - libm::log(rank as f64))
            .collect();
        let sum: f64 = weights.iter().sum();
        scale(&mut weights, 1.0 / sum);
        let effective = 1.0 / dot(&weights, &weights);
        let step = (effective + 2.0) / (n + effective + 5.0);
        let overshoot = ((effective - 1.0) / (n + 1.0)).sqrt() - 1.0;
        let rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + effective);
        let gain = 2.0 * (effective - 2.0 + 1.0 / effective);
        let rank_many = gain / ((n + 2.0) * (n + 2.0) + effective);
        Rates {
            n_candidates,
            weights,
            effective,
            step,
            damping: 1.0 + 2.0 * overshoot.max(0.0) + step,
            path: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            rank_one,
            rank_many: rank_many.min(1.0 - rank_one),
            length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// Principal axes of a symmetric matrix.
struct PrincipalAxes {
    /// Unit vectors, one a column.
    directions: Matrix,
    /// Roots of the eigenvalues.
    lengths: Vec<f64>,
}

impl PrincipalAxes {
    /// By Jacobi's method: rotate each pair of axes until the matrix is
    /// diagonal.
    fn of(matrix: &Matrix) -> Result<PrincipalAxes, Degenerate> {
        let n = matrix.len();
        let mut left = matrix.clone();
        let mut directions = vec![vec![0.0; n]; n];
        for (i, row) in directions.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        for _ in 0..MAX_SWEEPS {
            let mixed: f64 = (0..n).map(|i| dot(&left[i][..i], &left[i][..i])).sum();
            let size: f64 = (0..n).map(|i| left[i][i] * left[i][i]).sum();
            if mixed <= 1e-30 * size {
                break;
            }
            for i in 0..n {
                for j in i + 1..n {
                    rotate(&mut left, &mut directions, i, j);
                }
            }
        }
        let lengths: Vec<f64> = (0..n).map(|i| left[i][i].sqrt()).collect();
        if lengths.iter().all(|length| length.is_normal()) {
            Ok(PrincipalAxes {
                directions,
                lengths,
            })
        } else {
            Err(Degenerate)
        }
    }

    /// Maps a standard normal vector to this distribution.
    fn stretch(&self, vector: &[f64]) -> Vec<f64> {
        let long: Vec<f64> = vector
            .iter()
            .zip(&self.lengths)
            .map(|(v, l)| v * l)
            .collect();
        self.directions.iter().map(|row| dot(row, &long)).collect()
    }

    /// Maps a vector of this distribution to a standard normal one, by the
    /// inverse root of the matrix.
    fn whiten(&self, vector: &[f64]) -> Vec<f64> {
        let mut short = vec![0.0; vector.len()];
        for (row, v) in self.directions.iter().zip(vector) {
            add(&mut short, *v, row);
        }
        for (s, length) in short.iter_mut().zip(&self.lengths) {
            *s /= length;
        }
        self.directions.iter().map(|row| dot(row, &short)).collect()
    }
}

/// Rotates axes `i` and `j` so that their off-diagonal entry vanishes.
fn rotate(matrix: &mut Matrix, directions: &mut Matrix, i: usize, j: usize) {
    if matrix[i][j] == 0.0 {
        return;
    }
    let theta = (matrix[j][j] - matrix[i][i]) / (2.0 * matrix[i][j]);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |row: &mut [f64]| {
        let (a, b) = (row[i], row[j]);
        row[i] = cosine * a - sine * b;
        row[j] = sine * a + cosine * b;
    };
    matrix.iter_mut().for_each(|row| turn(row));
    let (upper, lower) = matrix.split_at_mut(j);
    for (a, b) in upper[i].iter_mut().zip(&mut lower[0]) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
    directions.iter_mut().for_each(|row| turn(row));
}

/// A standard normal number (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.unit())).sqrt();
    radius * libm::cos(2.0 * std::f64::consts::PI * rng.unit())
}

fn moved(from: &[f64], factor: f64, direction: &[f64]) -> Vec<f64> {
    let mut to = from.to_vec();
    add(&mut to, factor, direction);
    to
}

fn add(sum: &mut [f64], factor: f64, vector: &[f64]) {
    for (s, v) in sum.iter_mut().zip(vector) {
        *s += factor * v;
    }
}

fn add_square(matrix: &mut Matrix, factor: f64, vector: &[f64]) {
    for (row, v) in matrix.iter_mut().zip(vector) {
        add(row, factor * v, vector);
    }
}

fn scale(vector: &mut [f64], factor: f64) {
    vector.iter_mut().for_each(|v| *v *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long and tilted hill with its top at 1, 2, 3, ...
    fn hill(point: &[f64]) -> f64 {
        let off: Vec<f64> = point
            .iter()
            .zip(1..)
            .map(|(x, i)| x - f64::from(i))
            .collect();
        let tilted = off
            .windows(2)
            .map(|pair| (pair[0] - pair[1]) * (pair[0] - pair[1]));
        -(1000.0 * tilted.sum::<f64>() + dot(&off, &off))
    }

    #[test]
    fn it_climbs_a_tilted_hill() {
        let mut search = CmaEs::new(vec![0.0; 6], 2.0, 12, 1);
        for _ in 0..400 {
            search.advance(hill).expect("a sound matrix");
        }
        assert!(hill(search.mean()) > -1e-9, "{:?}", search.mean());
        assert!(search.deviations().iter().all(|d| *d < 1e-3));
    }

    #[test]
    fn the_same_seed_gives_the_same_run() {
        let run = |seed| {
            let mut search = CmaEs::new(vec![0.0; 4], 1.0, 8, seed);
            for _ in 0..20 {
                search.advance(hill).expect("a sound matrix");
            }
            search.mean().to_vec()
        };
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
    }

    #[test]
    fn axes_give_the_matrix_back() {
        let matrix = vec![
            vec![4.0, 1.0, 0.5],
            vec![1.0, 3.0, -0.25],
            vec![0.5, -0.25, 2.0],
        ];
        let axes = PrincipalAxes::of(&matrix).expect("positive");
        for (i, row) in matrix.iter().enumerate() {
            for (j, expected) in row.iter().enumerate() {
                let found: f64 = (0..3)
                    .map(|k| {
                        let length = axes.lengths[k];
                        axes.directions[i][k] * length * length * axes.directions[j][k]
                    })
                    .sum();
                assert!((found - expected).abs() < 1e-12, "{i} {j}: {found}");
            }
        }
        // The root and its inverse undo each other, up to a rotation.
        let vector = [1.0, -2.0, 0.5];
        let white = axes.whiten(&axes.stretch(&vector));
        assert!((dot(&white, &white) - dot(&vector, &vector)).abs() < 1e-12);
    }

    #[test]
    fn a_flat_matrix_is_refused() {
        assert!(PrincipalAxes::of(&vec![vec![1.0, 1.0], vec![1.0, 1.0]]).is_err());
        assert!(PrincipalAxes::of(&vec![vec![f64::NAN]]).is_err());
    }
}
