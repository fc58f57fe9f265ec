//! A net with one hidden layer that sees every territory, trained on the win
//! shares of the drafts by Adam (Kingma and Ba 2015).

use hegemon_core::{Map, PlayerId, Rng};
use hegemon_eval::draft::{DraftEvaluator, DraftFacts, DraftNetShape, DraftWeights, NetDraft};

use super::{DraftProgress, DraftRow, DraftTrainError, Quality, unsigned_file};

/// Settings of the net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetParams {
    /// Hidden units, a multiple of 8.
    pub n_hidden: usize,
    /// Most passes over the data; the best one on a tenth of the drafts is kept.
    pub n_epochs: u32,
    /// Drafts per step.
    pub batch: usize,
    /// Initial learning rate; it falls to zero along a cosine.
    pub rate: f64,
    /// How fast weights decay.
    pub decay: f64,
    /// Seed of the first weights and of the order.
    pub seed: u64,
}

impl Default for NetParams {
    fn default() -> NetParams {
        NetParams {
            n_hidden: 32,
            n_epochs: 12,
            batch: 32,
            rate: 2e-3,
            decay: 0.3,
            seed: 1,
        }
    }
}

/// One draft in ten selects the pass to keep, and another one in ten measures
/// the result.
const N_PARTS: usize = 10;
const CHOOSING: usize = 8;
const MEASURING: usize = 9;

/// Fits a net; returns it with its quality on a tenth of the drafts that neither
/// the training nor the choice of the pass saw.
///
/// # Errors
///
/// If the rows do not belong to the map.
pub fn fit_net(
    map: &Map,
    rows: &[DraftRow],
    params: &NetParams,
    mut progress: impl FnMut(&DraftProgress),
) -> Result<(NetDraft, Quality), DraftTrainError> {
    if params.n_hidden == 0 || !params.n_hidden.is_multiple_of(8) {
        return Err(DraftTrainError::Params(
            "hidden units must be a multiple of 8".to_owned(),
        ));
    }
    let n_players = rows.first().map_or(0, |row| row.wins.len());
    let facts = DraftFacts::new(map, n_players);
    let shape = DraftNetShape::new(&facts);
    let samples: Vec<DraftSample> = rows
        .iter()
        .map(|row| DraftSample::new(&facts, &shape, row))
        .collect();
    let part = |number: usize| (number..rows.len()).step_by(N_PARTS);
    let choosing: Vec<&DraftSample> = part(CHOOSING).map(|n| &samples[n]).collect();
    let mut order: Vec<usize> = (0..rows.len()).filter(|n| n % N_PARTS < CHOOSING).collect();
    let mut rng = Rng::stream(params.seed, "draft net");
    let mut trainer = Trainer::new(shape.n_rows(), params.n_hidden, &mut rng);
    let mut best = (f64::INFINITY, trainer.weights.clone());
    for epoch in 0..params.n_epochs {
        rng.shuffle(&mut order);
        let n_batches = order.len().div_ceil(params.batch.max(1));
        for (number, batch) in order.chunks(params.batch.max(1)).enumerate() {
            let done =
                (f64::from(epoch) + number as f64 / n_batches as f64) / f64::from(params.n_epochs);
            let rate = params.rate * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * done));
            for &sample in batch {
                trainer.learn(&samples[sample]);
            }
            trainer.step(rate as f32, params.decay as f32, batch.len());
        }
        let loss = choosing
            .iter()
            .map(|sample| trainer.loss(sample))
            .sum::<f64>()
            / choosing.len().max(1) as f64;
        if loss < best.0 {
            best = (loss, trainer.weights.clone());
        }
        progress(&DraftProgress::Fitting {
            n_epochs: epoch + 1,
            of: params.n_epochs,
            loss,
        });
    }
    let net = to_file(map, params.n_hidden, &best.1);
    let quality = quality(map, n_players, &net, part(MEASURING).map(|n| &rows[n]))?;
    Ok((net, quality))
}

/// A draft as the net sees it.
struct DraftSample {
    /// Rows that are on, for each player.
    rows: Vec<Vec<u32>>,
    shares: Vec<f32>,
}

impl DraftSample {
    fn new(facts: &DraftFacts, shape: &DraftNetShape, row: &DraftRow) -> DraftSample {
        let rows_of = |player: PlayerId| {
            let mut rows = Vec::new();
            shape.for_each_row(facts, &row.owners, player, |on| rows.push(on as u32));
            rows
        };
        let players = || PlayerId::seats(facts.n_players());
        DraftSample {
            rows: players().map(rows_of).collect(),
            shares: players().map(|player| row.share(player) as f32).collect(),
        }
    }
}

/// Input rows, then the bias, then the output.
#[derive(Clone)]
struct Trainer {
    n_hidden: usize,
    weights: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    n_steps: i32,
    /// Of the players of a sample: hidden units and outputs.
    hidden: Vec<f32>,
    outputs: Vec<f32>,
}

impl Trainer {
    fn new(n_rows: usize, n_hidden: usize, rng: &mut Rng) -> Trainer {
        let n = (n_rows + 2) * n_hidden;
        let mut weights = vec![0.0f32; n];
        let mut draw = |scale: f64| (scale * (2.0 * rng.unit() - 1.0)) as f32;
        weights[..n_rows * n_hidden]
            .iter_mut()
            .for_each(|w| *w = draw(0.15));
        weights[(n_rows + 1) * n_hidden..]
            .iter_mut()
            .for_each(|w| *w = draw(0.3));
        Trainer {
            n_hidden,
            gradient: vec![0.0; n],
            mean: vec![0.0; n],
            square: vec![0.0; n],
            weights,
            n_steps: 0,
            hidden: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Start of bias and output.
    fn ends(&self) -> (usize, usize) {
        (
            self.weights.len() - 2 * self.n_hidden,
            self.weights.len() - self.n_hidden,
        )
    }

    /// Win shares of the players.
    fn forward(&mut self, sample: &DraftSample) {
        let n = self.n_hidden;
        let (bias, output) = self.ends();
        self.hidden.clear();
        self.outputs.clear();
        for rows in &sample.rows {
            let first = self.hidden.len();
            self.hidden.extend_from_slice(&self.weights[bias..bias + n]);
            let units = &mut self.hidden[first..];
            for &row in rows {
                let row = row as usize * n;
                for (unit, weight) in units.iter_mut().zip(&self.weights[row..row + n]) {
                    *unit += weight;
                }
            }
            let mut sum = 0.0;
            for (unit, weight) in units.iter_mut().zip(&self.weights[output..]) {
                *unit = unit.max(0.0);
                sum += *unit * weight;
            }
            self.outputs.push(sum);
        }
        let most = self
            .outputs
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        self.outputs
            .iter_mut()
            .for_each(|o| *o = libm::expf(*o - most));
        let sum: f32 = self.outputs.iter().sum();
        self.outputs.iter_mut().for_each(|o| *o /= sum);
    }

    fn loss(&mut self, sample: &DraftSample) -> f64 {
        self.forward(sample);
        let pairs = self.outputs.iter().zip(&sample.shares);
        pairs
            .map(|(&p, &share)| -f64::from(share) * libm::log(f64::from(p).max(1e-9)))
            .sum()
    }

    /// Adds the gradient of a sample.
    fn learn(&mut self, sample: &DraftSample) {
        self.forward(sample);
        let n = self.n_hidden;
        let (bias, output) = self.ends();
        let mut back = vec![0.0f32; n];
        for (player, rows) in sample.rows.iter().enumerate() {
            let error = self.outputs[player] - sample.shares[player];
            let units = &self.hidden[player * n..(player + 1) * n];
            for (h, &unit) in units.iter().enumerate() {
                self.gradient[output + h] += error * unit;
                back[h] = if unit > 0.0 {
                    error * self.weights[output + h]
                } else {
                    0.0
                };
            }
            let all = rows.iter().map(|&row| row as usize * n).chain([bias]);
            for row in all {
                for (sum, part) in self.gradient[row..row + n].iter_mut().zip(&back) {
                    *sum += part;
                }
            }
        }
    }

    /// One step of Adam with decoupled decay.
    fn step(&mut self, rate: f32, decay: f32, n_samples: usize) {
        const BETA: (f32, f32) = (0.9, 0.999);
        self.n_steps += 1;
        let scale = 1.0 / n_samples.max(1) as f32;
        let unbias = |beta: f32| 1.0 / (1.0 - libm::powf(beta, self.n_steps as f32));
        let (unbias_mean, unbias_square) = (unbias(BETA.0), unbias(BETA.1));
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let gradient = self.gradient[i] * scale;
            self.gradient[i] = 0.0;
            self.mean[i] = BETA.0 * self.mean[i] + (1.0 - BETA.0) * gradient;
            self.square[i] = BETA.1 * self.square[i] + (1.0 - BETA.1) * gradient * gradient;
            let spread = (self.square[i] * unbias_square).sqrt() + 1e-8;
            *weight -= rate * (self.mean[i] * unbias_mean / spread + decay * *weight);
        }
    }
}

fn to_file(map: &Map, n_hidden: usize, weights: &[f32]) -> NetDraft {
    // Five digits are more than the training determines, and keep the file short.
    let rounded =
        |part: &[f32]| -> Vec<f32> { part.iter().map(|w| (w * 1e5).round() / 1e5).collect() };
    let bias = weights.len() - 2 * n_hidden;
    NetDraft {
        hidden: n_hidden,
        territories: map
            .territories()
            .map(|t| map.territory_name(t).to_owned())
            .collect(),
        continents: map
            .continents()
            .map(|k| map.continent_name(k).to_owned())
            .collect(),
        bias: rounded(&weights[bias..bias + n_hidden]),
        output: rounded(&weights[bias + n_hidden..]),
        input: rounded(&weights[..bias]),
    }
}

fn quality<'a>(
    map: &Map,
    n_players: usize,
    net: &NetDraft,
    rows: impl Iterator<Item = &'a DraftRow>,
) -> Result<Quality, DraftTrainError> {
    let file = DraftWeights {
        net: Some(net.clone()),
        ..unsigned_file("draft-net", map, n_players)
    };
    let evaluator = DraftEvaluator::new(map, n_players, &file, true)?;
    let mut pairs = Vec::new();
    for row in rows {
        let shares = evaluator.shares(&row.owners);
        let players = PlayerId::seats(n_players);
        pairs.extend(players.map(|p| (100.0 * shares[p], 100.0 * row.share(p))));
    }
    Ok(Quality::of(&pairs))
}
