//! The net: two hidden layers of rectified units, one output a player.
//!
//! The first layer is a sum of rows, one row of weights for each input, so that
//! inputs that are zero cost nothing; an owned territory adds two rows. To the
//! output of a player comes a linear function of its own numbers, the same for all.

use std::sync::{Arc, OnceLock};

use hegemon_core::{ByPlayer, MAX_PLAYERS, MAX_TERRITORIES, Map, PlayerId, State};

use super::correction::Correction;
use super::file::ValueFile;
use super::inputs::{Beholder, N_DENSE, N_PLAYER_INPUTS, ValueInputs, by_seat};
use crate::weights_file::WeightsError;

/// Hidden units come in multiples of this, the floats of a vector register.
pub(super) const LANES: usize = 8;
/// Sums of the first layer that are kept in registers at a time: eight of them.
const WIDE: usize = 8 * LANES;
/// Most rows that count at a time.
const MAX_ROWS: usize = N_DENSE + 2 * MAX_TERRITORIES;
/// Most units of a hidden layer.
pub(super) const MAX_UNITS: usize = 512;

/// The sizes of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetShape {
    /// Territories that are inputs; none if the net knows no map.
    pub n_territories: usize,
    /// Units of the first hidden layer.
    pub first: usize,
    /// Units of the second.
    pub second: usize,
}

impl NetShape {
    /// Rows of the first layer.
    pub fn n_rows(&self) -> usize {
        N_DENSE + 2 * MAX_PLAYERS * self.n_territories
    }

    /// The row of an owned territory, and of the logarithm of its armies.
    #[inline]
    pub fn territory_rows(territory: usize, place: usize) -> (usize, usize) {
        let owned = N_DENSE + 2 * (MAX_PLAYERS * territory + place);
        (owned, owned + 1)
    }

    /// Calls `visit` with each row that counts and its factor.
    #[inline]
    pub fn for_each_row(&self, inputs: &ValueInputs, mut visit: impl FnMut(usize, f32)) {
        for (row, &number) in inputs.dense.iter().enumerate() {
            if number != 0.0 {
                visit(row, number);
            }
        }
        let board = inputs.owners.iter().zip(&inputs.ln_armies);
        for (territory, (&owner, &ln_armies)) in board.take(self.n_territories).enumerate() {
            if owner != ValueInputs::NOBODY {
                let (owned, armies) = NetShape::territory_rows(territory, usize::from(owner));
                visit(owned, 1.0);
                visit(armies, ln_armies);
            }
        }
    }

    /// Whether the layers can be computed: not too large, in whole vectors.
    pub(super) fn is_sound(&self) -> bool {
        let fits = |n: usize| n > 0 && n.is_multiple_of(LANES) && n <= MAX_UNITS;
        fits(self.first) && fits(self.second)
    }
}

/// The numbers of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct NetWeights {
    /// The sizes.
    pub shape: NetShape,
    /// Rows of the first layer, `shape.first` numbers each.
    pub rows: Vec<f32>,
    /// Biases of the first layer.
    pub first_bias: Vec<f32>,
    /// For each unit of the second layer the weights of the first.
    pub second: Vec<f32>,
    /// Biases of the second layer.
    pub second_bias: Vec<f32>,
    /// For each place in turn order the weights of the second layer.
    pub output: Vec<f32>,
    /// Biases of the outputs.
    pub output_bias: Vec<f32>,
    /// What a player's own numbers add to its output.
    pub own: Vec<f32>,
    /// What is made of the chances afterwards, if anything.
    pub correction: Option<Correction>,
}

impl NetWeights {
    /// Weights of these sizes, all zero.
    pub fn zero(shape: NetShape) -> NetWeights {
        NetWeights {
            shape,
            rows: vec![0.0; shape.n_rows() * shape.first],
            first_bias: vec![0.0; shape.first],
            second: vec![0.0; shape.first * shape.second],
            second_bias: vec![0.0; shape.second],
            output: vec![0.0; MAX_PLAYERS * shape.second],
            output_bias: vec![0.0; MAX_PLAYERS],
            own: vec![0.0; N_PLAYER_INPUTS],
            correction: None,
        }
    }

    /// All parts in the order of the file.
    pub fn parts(&self) -> [&Vec<f32>; 7] {
        [
            &self.rows,
            &self.first_bias,
            &self.second,
            &self.second_bias,
            &self.output,
            &self.output_bias,
            &self.own,
        ]
    }

    /// The same to be changed.
    pub fn parts_mut(&mut self) -> [&mut Vec<f32>; 7] {
        [
            &mut self.rows,
            &mut self.first_bias,
            &mut self.second,
            &mut self.second_bias,
            &mut self.output,
            &mut self.output_bias,
            &mut self.own,
        ]
    }

    /// The first layer before it is rectified.
    #[inline]
    pub fn first_sums(&self, inputs: &ValueInputs, sums: &mut [f32]) {
        let mut rows = [(0, 0.0); MAX_ROWS];
        let mut n_rows = 0;
        self.shape.for_each_row(inputs, |row, factor| {
            rows[n_rows] = (row * self.shape.first, factor);
            n_rows += 1;
        });
        sums.copy_from_slice(&self.first_bias);
        let mut unit = 0;
        let (wide, rest) = sums.as_chunks_mut::<WIDE>();
        for sums in wide {
            self.add_rows(&rows[..n_rows], unit, sums);
            unit += WIDE;
        }
        for sums in rest.as_chunks_mut::<LANES>().0 {
            self.add_rows(&rows[..n_rows], unit, sums);
            unit += LANES;
        }
    }

    /// Adds rows, given by where they begin, to the sums of `N` units from `unit` on. The
    /// sums stay in registers until all rows are added, each in the order of the rows.
    #[inline(always)]
    fn add_rows<const N: usize>(&self, rows: &[(usize, f32)], unit: usize, sums: &mut [f32; N]) {
        let mut kept = *sums;
        for &(start, factor) in rows {
            let weights = &self.rows[start + unit..][..N];
            for (sum, weight) in kept.iter_mut().zip(weights) {
                *sum += factor * weight;
            }
        }
        *sums = kept;
    }

    /// The second layer before it is rectified, of a rectified first.
    #[inline]
    pub fn second_sums(&self, first: &[f32], sums: &mut [f32]) {
        for (unit, sum) in sums.iter_mut().enumerate() {
            let weights = &self.second[unit * first.len()..(unit + 1) * first.len()];
            *sum = self.second_bias[unit] + dot(first, weights);
        }
    }

    /// The output of each place in turn order, of a rectified second layer; those out of
    /// the game have none.
    #[inline]
    fn outputs(&self, inputs: &ValueInputs, second: &[f32]) -> [f32; MAX_PLAYERS] {
        let mut outputs = [0.0; MAX_PLAYERS];
        for (place, output) in outputs.iter_mut().enumerate() {
            if inputs.is_alive(place) {
                let weights = &self.output[place * second.len()..(place + 1) * second.len()];
                let own: f32 = products(inputs.player(place), &self.own).sum();
                *output = self.output_bias[place] + dot(second, weights) + own;
            }
        }
        outputs
    }

    /// The chance of each place in turn order, of a rectified second layer and without a
    /// correction; those out of the game have none.
    #[inline]
    pub fn chances(&self, inputs: &ValueInputs, second: &[f32]) -> [f32; MAX_PLAYERS] {
        softmax(inputs, &self.outputs(inputs, second))
    }

    /// Runs `then` with the rectified second layer.
    #[inline]
    fn with_second<R>(&self, inputs: &ValueInputs, then: impl FnOnce(&[f32]) -> R) -> R {
        let (mut first, mut second) = ([0.0; MAX_UNITS], [0.0; MAX_UNITS]);
        let first = &mut first[..self.shape.first];
        let second = &mut second[..self.shape.second];
        self.first_sums(inputs, first);
        rectify(first);
        self.second_sums(first, second);
        rectify(second);
        then(second)
    }

    /// The output of each place in turn order with the chance made of it, both without a
    /// correction.
    pub fn uncorrected(&self, inputs: &ValueInputs) -> [[f32; MAX_PLAYERS]; 2] {
        let outputs = self.with_second(inputs, |second| self.outputs(inputs, second));
        [outputs, softmax(inputs, &outputs)]
    }

    /// The chance of each place in turn order.
    pub fn evaluate(&self, inputs: &ValueInputs) -> [f32; MAX_PLAYERS] {
        let [mut outputs, chances] = self.uncorrected(inputs);
        let Some(correction) = &self.correction else {
            return chances;
        };
        correction.apply(inputs, &mut outputs, &chances);
        softmax(inputs, &outputs)
    }
}

/// Shares that add up to one for those still in the game.
#[inline]
fn softmax(inputs: &ValueInputs, outputs: &[f32; MAX_PLAYERS]) -> [f32; MAX_PLAYERS] {
    let mut largest = f32::NEG_INFINITY;
    for (place, output) in outputs.iter().enumerate() {
        if inputs.is_alive(place) {
            largest = largest.max(*output);
        }
    }
    let mut chances = [0.0; MAX_PLAYERS];
    let mut total = 0.0;
    for (place, chance) in chances.iter_mut().enumerate() {
        if inputs.is_alive(place) {
            *chance = libm::expf(outputs[place] - largest);
            total += *chance;
        }
    }
    chances.map(|chance| chance / total.max(f32::MIN_POSITIVE))
}

fn products<'a>(a: &'a [f32], b: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
    a.iter().zip(b).map(|(a, b)| a * b)
}

/// A product of vectors in whole registers: eight sums side by side, then these in order.
#[inline]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// Negative sums become zero.
#[inline]
pub(super) fn rectify(sums: &mut [f32]) {
    for sum in sums {
        *sum = sum.max(0.0);
    }
}

/// A net that fits a map, ready to evaluate.
///
/// ```
/// use hegemon_core::{Game, Map, Rules};
/// use hegemon_eval::value::{Beholder, ValueNet};
/// let map = Map::builtin("classic").expect("shipped");
/// let net = ValueNet::for_map(&map);
/// let game = Game::new(map, Rules::preset("lux").expect("shipped"), 4).expect("a game");
/// let chances = net.chances(&game.deal(1), Beholder::default());
/// assert!((chances.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-5);
/// ```
#[derive(Clone, Debug)]
pub struct ValueNet {
    weights: NetWeights,
}

impl ValueNet {
    /// The net of a file, its territories brought into the order of the map.
    ///
    /// # Errors
    ///
    /// If the net knows another map.
    pub fn new(file: &ValueFile, map: &Map) -> Result<ValueNet, WeightsError> {
        let mut weights = file.weights.clone();
        if file.territories.is_empty() {
            return Ok(ValueNet { weights });
        }
        if file.territories.len() != map.n_territories() {
            return Err(WeightsError::Map(map.name().to_owned()));
        }
        let n = file.weights.shape.first;
        let rows_of = |t: usize| {
            let (start, _) = NetShape::territory_rows(t, 0);
            start * n..(start + 2 * MAX_PLAYERS) * n
        };
        for territory in map.territories() {
            let name = map.territory_name(territory);
            let there = file.territories.iter().position(|known| known == name);
            let there = there.ok_or_else(|| WeightsError::Map(map.name().to_owned()))?;
            weights.rows[rows_of(territory.index())]
                .copy_from_slice(&file.weights.rows[rows_of(there)]);
        }
        Ok(ValueNet { weights })
    }

    /// The shipped net for a map: the one that knows it, or the one that needs none. Those
    /// who ask for the same map as the net was made for share one.
    pub fn for_map(map: &Map) -> Arc<ValueNet> {
        static SHARED: [OnceLock<Arc<ValueNet>>; ValueFile::N_BUILTIN] =
            [const { OnceLock::new() }; ValueFile::N_BUILTIN];
        for (name, shared) in ValueFile::builtin_names().iter().zip(&SHARED) {
            let Some(file) = ValueFile::builtin(name) else {
                continue;
            };
            let names = map.territories().map(|t| map.territory_name(t));
            if file.territories.is_empty() || file.territories.iter().map(String::as_str).eq(names)
            {
                let net = || {
                    let weights = file.weights.clone();
                    Arc::new(ValueNet { weights })
                };
                return Arc::clone(shared.get_or_init(net));
            }
            if let Ok(net) = ValueNet::new(file, map) {
                return Arc::new(net);
            }
        }
        unreachable!("a shipped net knows no map")
    }

    /// Every player's chance to win. A state that is over is worth its result.
    pub fn chances(&self, state: &State, beholder: Beholder) -> ByPlayer<f64> {
        if let Some(result) = state.result() {
            return result.score;
        }
        let inputs = ValueInputs::new(state, beholder);
        by_seat(state, &self.weights.evaluate(&inputs))
    }

    /// The chance of one player, who sees the own cards and takes nobody for a champion.
    pub fn chance(&self, state: &State, me: PlayerId) -> f64 {
        let beholder = Beholder {
            viewer: Some(me),
            champions: 0,
        };
        self.chances(state, beholder)[me]
    }
}
