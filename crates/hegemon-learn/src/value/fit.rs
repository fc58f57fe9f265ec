//! Fitting a net to rows: stochastic gradients of the log-loss, by Adam (Kingma and
//! Ba 2015) with decoupled decay and a rate that falls along a cosine.
//!
//! A batch is cut into a fixed number of parts whose gradients are summed in order,
//! so that the result does not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hegemon_core::{MAX_PLAYERS, Rng};
use hegemon_eval::value::{NetShape, NetWeights, ValueInputs};

use super::rows::Rows;

/// How a net is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitParams {
    /// Sizes of the hidden layers.
    pub hidden: [usize; 2],
    /// Territories that are inputs.
    pub n_territories: usize,
    /// Passes over all rows.
    pub epochs: u32,
    /// Rows of a batch.
    pub batch: usize,
    /// The largest step.
    pub rate: f64,
    /// Decay of the weights with each step, times the rate.
    pub decay: f64,
    /// Seed of the first weights and of the order of rows.
    pub seed: u64,
}

impl Default for FitParams {
    fn default() -> FitParams {
        FitParams {
            hidden: [128, 32],
            n_territories: 0,
            epochs: 6,
            batch: 4096,
            rate: 2e-3,
            decay: 1e-4,
            seed: 1,
        }
    }
}

/// Parts of a batch.
const N_PARTS: usize = 16;
/// Steps over which the rate rises.
const WARM_UP: f64 = 100.0;
const MOMENTUM: f32 = 0.9;
const SPREAD: f32 = 0.999;
const TINY: f32 = 1e-8;

/// Fits a net to the rows with these numbers. `tell` is called after each pass with how many
/// there were and the mean loss, and says whether to go on; none if it did not.
pub fn fit(
    rows: &Rows,
    chosen: &[u32],
    params: &FitParams,
    n_threads: usize,
    mut tell: impl FnMut(u32, f64) -> bool,
) -> Option<NetWeights> {
    let shape = NetShape {
        n_territories: params.n_territories,
        first: params.hidden[0],
        second: params.hidden[1],
    };
    let mut rng = Rng::stream(params.seed, "value net");
    let mut adam = Adam::new(first_weights(shape, &mut rng));
    let mut order = chosen.to_vec();
    let n_batches = order.len().div_ceil(params.batch.max(1));
    let n_steps = (n_batches * params.epochs as usize).max(1) as f64;
    let parts: Vec<Mutex<Part>> = (0..N_PARTS).map(|_| Mutex::new(Part::new(shape))).collect();
    for epoch in 0..params.epochs {
        rng.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(params.batch.max(1)) {
            loss += gradients(&adam.weights, rows, batch, &parts, n_threads);
            let step = f64::from(adam.n_steps);
            let cosine = 0.5 * (1.0 + libm::cos(std::f64::consts::PI * step / n_steps));
            let rate = params.rate * cosine * ((step + 1.0) / WARM_UP).min(1.0);
            adam.step(&parts, batch.len(), rate as f32, params.decay as f32);
        }
        if !tell(epoch + 1, loss / order.len().max(1) as f64) {
            return None;
        }
    }
    Some(adam.weights)
}

/// Uniform first weights, wider for layers with fewer inputs (He et al. 2015); most
/// rows of the first layer are zero in any position.
fn first_weights(shape: NetShape, rng: &mut Rng) -> NetWeights {
    let mut weights = NetWeights::zero(shape);
    let mut draw = |part: &mut Vec<f32>, n_inputs: f64| {
        let width = libm::sqrt(6.0 / n_inputs);
        for weight in part {
            *weight = (width * (2.0 * rng.unit() - 1.0)) as f32;
        }
    };
    draw(&mut weights.rows, 600.0);
    draw(&mut weights.second, shape.first as f64);
    draw(&mut weights.output, 4.0 * shape.second as f64);
    weights
}

/// The gradient of a part of a batch, with room to work in.
struct Part {
    gradient: NetWeights,
    loss: f64,
    inputs: ValueInputs,
    first: Vec<f32>,
    second: Vec<f32>,
    first_error: Vec<f32>,
    second_error: Vec<f32>,
}

impl Part {
    fn new(shape: NetShape) -> Part {
        Part {
            gradient: NetWeights::zero(shape),
            loss: 0.0,
            inputs: Rows::blank(),
            first: vec![0.0; shape.first],
            second: vec![0.0; shape.second],
            first_error: vec![0.0; shape.first],
            second_error: vec![0.0; shape.second],
        }
    }

    fn clear(&mut self) {
        self.loss = 0.0;
        for part in self.gradient.parts_mut() {
            part.fill(0.0);
        }
    }

    /// Adds the gradient of one row.
    fn add(&mut self, weights: &NetWeights, rows: &Rows, row: usize) {
        let Part {
            gradient,
            inputs,
            first,
            second,
            first_error,
            second_error,
            ..
        } = self;
        rows.read(row, inputs);
        weights.first_sums(inputs, first);
        first.iter_mut().for_each(|x| *x = x.max(0.0));
        weights.second_sums(first, second);
        second.iter_mut().for_each(|x| *x = x.max(0.0));
        let chances = weights.chances(inputs, second);
        second_error.fill(0.0);
        let (n_first, n_second) = (first.len(), second.len());
        for (place, target) in rows.target(row).iter().enumerate().take(MAX_PLAYERS) {
            if !inputs.is_alive(place) {
                continue;
            }
            if *target > 0.0 {
                let chance = chances[place].max(1e-9);
                self.loss -= f64::from(*target) * libm::log(f64::from(chance));
            }
            let error = chances[place] - target;
            gradient.output_bias[place] += error;
            add_scaled(&mut gradient.own, inputs.player(place), error);
            let span = place * n_second..(place + 1) * n_second;
            add_scaled(&mut gradient.output[span.clone()], second, error);
            add_scaled(second_error, &weights.output[span], error);
        }
        first_error.fill(0.0);
        for unit in 0..n_second {
            if second[unit] <= 0.0 {
                continue;
            }
            let error = second_error[unit];
            gradient.second_bias[unit] += error;
            let span = unit * n_first..(unit + 1) * n_first;
            add_scaled(&mut gradient.second[span.clone()], first, error);
            add_scaled(first_error, &weights.second[span], error);
        }
        for (error, x) in first_error.iter_mut().zip(&*first) {
            if *x <= 0.0 {
                *error = 0.0;
            }
        }
        add_scaled(&mut gradient.first_bias, first_error, 1.0);
        let rows = &mut gradient.rows;
        weights.shape.for_each_row(inputs, |row, factor| {
            add_scaled(
                &mut rows[row * n_first..(row + 1) * n_first],
                first_error,
                factor,
            );
        });
    }
}

#[inline]
fn add_scaled(to: &mut [f32], from: &[f32], factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Fills the parts with the gradients of a batch; returns the sum of the losses.
fn gradients(
    weights: &NetWeights,
    rows: &Rows,
    batch: &[u32],
    parts: &[Mutex<Part>],
    n_threads: usize,
) -> f64 {
    let size = batch.len().div_ceil(parts.len()).max(1);
    let next = AtomicUsize::new(0);
    let run = || loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let Some(part) = parts.get(n) else { return };
        let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
        part.clear();
        let begin = (n * size).min(batch.len());
        for row in &batch[begin..(begin + size).min(batch.len())] {
            part.add(weights, rows, *row as usize);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..n_threads {
            scope.spawn(run);
        }
        run();
    });
    let loss = |part: &Mutex<Part>| part.lock().unwrap_or_else(PoisonError::into_inner).loss;
    parts.iter().map(loss).sum()
}

/// The optimiser's memory.
struct Adam {
    weights: NetWeights,
    mean: NetWeights,
    square: NetWeights,
    n_steps: u32,
}

impl Adam {
    fn new(weights: NetWeights) -> Adam {
        let zero = NetWeights::zero(weights.shape);
        Adam {
            weights,
            mean: zero.clone(),
            square: zero,
            n_steps: 0,
        }
    }

    fn step(&mut self, parts: &[Mutex<Part>], n_rows: usize, rate: f32, decay: f32) {
        self.n_steps += 1;
        let parts: Vec<_> = parts
            .iter()
            .map(|part| part.lock().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let bias = |factor: f32| 1.0 - libm::powf(factor, self.n_steps as f32);
        let (mean_bias, square_bias) = (bias(MOMENTUM), bias(SPREAD));
        let scale = 1.0 / n_rows.max(1) as f32;
        let gradients: Vec<_> = parts.iter().map(|part| part.gradient.parts()).collect();
        let weights = self.weights.parts_mut().into_iter();
        let memory = self
            .mean
            .parts_mut()
            .into_iter()
            .zip(self.square.parts_mut());
        for (n, (weights, (means, squares))) in weights.zip(memory).enumerate() {
            for (k, weight) in weights.iter_mut().enumerate() {
                let sum: f32 = gradients.iter().map(|gradient| gradient[n][k]).sum();
                let gradient = scale * sum;
                means[k] += (1.0 - MOMENTUM) * (gradient - means[k]);
                squares[k] += (1.0 - SPREAD) * (gradient * gradient - squares[k]);
                let spread = (squares[k] / square_bias).sqrt() + TINY;
                *weight -= rate * (means[k] / mean_bias / spread + decay * *weight);
            }
        }
    }
}
