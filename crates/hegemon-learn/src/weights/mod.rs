//! Training of the weights of a linear evaluation.
//!
//! Three methods: logistic regression on the positions of games between given
//! bots (uses every position, so it comes first), and CLOP or SPSA on the
//! results of a training player, by default the Greedy player of Brand and
//! Kroon 2014. Multiplying all weights by a constant changes no comparison, so
//! tuners keep the largest weight fixed, and every vector is brought to the
//! same norm at the end.
//!
//! A run is a pure function of [`TrainParams`], regardless of the number of
//! threads and of stops and resumes.

mod agent;
mod positions;
mod regression;
mod strength;
#[cfg(test)]
mod tests;
mod tuning;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::Program;
use hegemon_bots::{Grants, Spec, SpecError};
use hegemon_core::{Game, GameError, mix};
use hegemon_eval::{Feature, FeatureVector, Form, GameFacts, N_FEATURES, Weights};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::checkpoint::{CheckpointError, claim_checkpoint, read_checkpoint, write_checkpoint};
use crate::clop::ClopParams;
use crate::logistic::FitError;
use crate::tuner::{AnyTuner, Tuner as _};

pub use positions::{Collector, Decided, Position, PositionLog};
pub use regression::{
    FittedWeights, RegressionModel, RegressionParams, WeightsCalibration, calibrate, fit_weights,
};
pub use strength::Strength;

/// Euclidean norm of trained vectors.
pub const NORM: f64 = 10.0;
/// Version of checkpoints; raised when they change.
const CHECKPOINT_VERSION: u32 = 1;

/// What to train and how.
#[derive(Clone, Debug)]
pub struct TrainParams {
    /// Map, rules and number of players.
    pub game: Arc<Game>,
    /// The method with its settings.
    pub method: Method,
    /// The player that is trained and measured; any bot that takes `weights`.
    pub agent: Spec,
    pub opponent: Spec,
    /// Where tuners start; form and phase mask of the result.
    pub start: Weights,
    /// Games to train on.
    pub n_games: u64,
    /// Games of the match that measures the result; 0 for none.
    pub n_match_games: u64,
    /// Turns of each player after which a game is scored, if the rules set no
    /// limit: poor weights may never attack.
    pub turn_limit: u32,
    /// Trials (or blocks of games) between checkpoints. The result depends on
    /// it, since all trials of a batch are chosen before any of them is known.
    pub batch: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads; the result does not depend on it.
    pub n_threads: usize,
    /// The resources the players may use.
    pub grants: Grants,
    /// The command to name in the header.
    pub command: String,
}

/// How to train.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Regression on the positions of games.
    Logistic {
        /// The line-ups, one spec for each seat, used in turn. Empty: the agent
        /// with the start weights, in turn against itself and against the
        /// opponent.
        line_ups: Vec<Vec<String>>,
        /// How far the weights of the agent are drawn from the start weights in each
        /// block, in sizes of the weight. Players with identical weights show little
        /// about those weights.
        noise: f64,
        regression: RegressionParams,
    },
    /// Confident local optimisation against the opponent.
    Clop {
        /// Settings.
        params: ClopParams,
        trials: Trials,
    },
    /// Simultaneous perturbation.
    Spsa {
        /// Learning rate at the end, 0.002 in fishtest for tens of thousands of
        /// pairs.
        r_end: f64,
        /// Perturbation at the end, where every range is 2 long.
        c_end: f64,
        /// Whether the two sides play each other instead of the opponent.
        is_duel: bool,
        trials: Trials,
    },
}

/// Settings of a tuner's trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trials {
    /// Half the width of every range, in sizes of the start weight (small ones
    /// have a little more).
    pub span: f64,
    /// Whether a trial is one deal played in every seat (a pair of games for two
    /// players), not one game.
    pub is_pair: bool,
    /// Names of the features whose weights are tuned; empty for all. The
    /// largest start weight is never tuned.
    pub features: Vec<String>,
}

impl Default for Trials {
    fn default() -> Trials {
        Trials {
            span: 1.0,
            is_pair: true,
            features: Vec::new(),
        }
    }
}

/// The progress of a run.
#[derive(Clone, Debug)]
pub enum TrainingProgress<'a> {
    /// After a batch of training games.
    Training {
        /// Games so far.
        n_games: u64,
        /// Games planned.
        of: u64,
        /// Share won so far, if an agent plays.
        score: Option<f64>,
        /// The current weights, if known before the end.
        weights: Option<&'a FeatureVector>,
    },
    /// After a block of the match that measures the result.
    Measuring {
        /// Games so far.
        n_games: u64,
        /// Games planned.
        of: u64,
        /// Share won so far.
        score: f64,
    },
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedWeights {
    /// The weights, with a header.
    pub weights: Weights,
    /// Games trained on.
    pub n_games: u64,
    /// Whether the run was completed. If not, it can be resumed, and the
    /// weights are those when it was stopped.
    pub is_complete: bool,
    /// The regression, if that was the method.
    pub fit: Option<FittedWeights>,
    /// The match against the opponent, if one was played.
    pub strength: Option<Strength>,
}

/// Why a run failed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum TrainError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error("{0}")]
    Params(String),
}

/// Trains weights. Resumes from the checkpoint if there is one, and writes it
/// after every batch. When `stop` is set, the batch is finished first.
///
/// # Errors
///
/// If the parameters cannot be used, a bot cannot be built, or the checkpoint
/// cannot be written or belongs to another run.
pub fn run(
    params: &TrainParams,
    mut progress: impl FnMut(&TrainingProgress<'_>),
    stop: &AtomicBool,
    checkpoint: Option<&Path>,
) -> Result<TrainedWeights, TrainError> {
    let training = Training::new(params)?;
    let _claim = checkpoint.map(claim_checkpoint).transpose()?;
    let mut state = training.resume(checkpoint)?;
    let mut positions = training.logged(&state, checkpoint)?;
    while training.n_games_of(&state) < params.n_games && !stop.load(Ordering::Relaxed) {
        match &mut state.work {
            Work::Tuning(tuner) => training.tune_batch(tuner, state.n_batches)?,
            Work::Positions { n_games, n_logged } => {
                let (found, played) = training.collect_batch(*n_games)?;
                if let Some(path) = checkpoint {
                    PositionLog::beside(path).append(*n_logged, &found)?;
                }
                *n_games += played;
                *n_logged += found.len() as u64;
                positions.extend(found);
            }
        }
        state.n_batches += 1;
        if let Some(path) = checkpoint {
            write_checkpoint(path, &state)?;
        }
        training.report(&state, &mut progress);
    }
    training.finish(&state, &positions, progress, stop)
}

/// The content of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunState {
    version: u32,
    run: RunId,
    n_batches: u64,
    work: Work,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Work {
    Tuning(AnyTuner),
    Positions { n_games: u64, n_logged: u64 },
}

/// Everything that determines the course of a run. The number of games is not
/// included unless a schedule depends on it: a run may be extended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunId {
    game: String,
    method: Method,
    agent: String,
    opponent: String,
    start: String,
    batch: u64,
    seed: u64,
    scheduled_games: Option<u64>,
}

/// A run with its constant parts.
struct Training<'a> {
    params: &'a TrainParams,
    /// The game, with a turn limit if needed.
    game: Arc<Game>,
    facts: Arc<GameFacts>,
    id: RunId,
    /// Start weights, scaled form, at the norm.
    start: FeatureVector,
}

impl<'a> Training<'a> {
    fn new(params: &'a TrainParams) -> Result<Training<'a>, TrainError> {
        if params.batch == 0 || params.n_games == 0 || params.turn_limit == 0 {
            let message = "batch, games and turn limit must be at least 1";
            return Err(TrainError::Params(message.to_owned()));
        }
        let game = with_an_end(&params.game, params.turn_limit)?;
        agent::check_agent(&params.agent, &game, &params.grants)?;
        hegemon_bots::check(&params.opponent, &game, &params.grants)?;
        let start = &params.start;
        let facts = GameFacts::with_variants(&game, start.rating(), start.squared_maximum);
        let start = at_norm(&scaled_vector(&facts, &params.start)).ok_or_else(|| {
            TrainError::Params("the start weights are all zero or not numbers".to_owned())
        })?;
        if let Method::Clop { trials, .. } | Method::Spsa { trials, .. } = &params.method {
            let is_unknown = |name: &&String| Feature::from_name(name).is_none();
            if let Some(name) = trials.features.iter().find(is_unknown) {
                let message = format!("there is no feature \"{name}\"");
                return Err(TrainError::Params(message));
            }
        }
        let has_schedule = matches!(params.method, Method::Spsa { .. });
        let id = RunId {
            game: format!("{:016x}", game.hash()),
            method: params.method.clone(),
            agent: params.agent.to_string(),
            opponent: params.opponent.to_string(),
            start: params.start.to_toml(),
            batch: params.batch,
            seed: params.seed,
            scheduled_games: has_schedule.then_some(params.n_games),
        };
        Ok(Training {
            params,
            game,
            facts: Arc::new(facts),
            id,
            start,
        })
    }

    fn resume(&self, checkpoint: Option<&Path>) -> Result<RunState, TrainError> {
        let fresh = || -> Result<RunState, TrainError> {
            Ok(RunState {
                version: CHECKPOINT_VERSION,
                run: self.id.clone(),
                n_batches: 0,
                work: match &self.params.method {
                    Method::Logistic { .. } => Work::Positions {
                        n_games: 0,
                        n_logged: 0,
                    },
                    _ => Work::Tuning(self.new_tuner()?),
                },
            })
        };
        let Some(path) = checkpoint else {
            return fresh();
        };
        let Some(state) = read_checkpoint::<RunState>(path)? else {
            return fresh();
        };
        if state.version != CHECKPOINT_VERSION {
            let reason = format!("it has version {}", state.version);
            return Err(CheckpointError::content(path, reason).into());
        }
        if state.run != self.id {
            let reason = "it was made with other parameters";
            return Err(CheckpointError::content(path, reason).into());
        }
        Ok(state)
    }

    fn logged(
        &self,
        state: &RunState,
        checkpoint: Option<&Path>,
    ) -> Result<Vec<Position>, TrainError> {
        match (&state.work, checkpoint) {
            (Work::Positions { n_logged, .. }, Some(path)) => {
                Ok(PositionLog::beside(path).read(*n_logged)?)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn n_games_of(&self, state: &RunState) -> u64 {
        match &state.work {
            Work::Tuning(tuner) => tuner.estimate().n_games,
            Work::Positions { n_games, .. } => *n_games,
        }
    }

    fn report(&self, state: &RunState, progress: &mut impl FnMut(&TrainingProgress<'_>)) {
        let of = self.params.n_games;
        match &state.work {
            Work::Tuning(tuner) => {
                let estimate = tuner.estimate();
                progress(&TrainingProgress::Training {
                    n_games: estimate.n_games,
                    of,
                    score: Some(estimate.score),
                    weights: Some(&self.vector_at(&estimate.point)),
                });
            }
            Work::Positions { n_games, .. } => progress(&TrainingProgress::Training {
                n_games: *n_games,
                of,
                score: None,
                weights: None,
            }),
        }
    }

    fn finish(
        &self,
        state: &RunState,
        positions: &[Position],
        progress: impl FnMut(&TrainingProgress<'_>),
        stop: &AtomicBool,
    ) -> Result<TrainedWeights, TrainError> {
        let params = self.params;
        let n_games = self.n_games_of(state);
        let mut has_mask = params.start.phase_mask;
        let mut fit = None;
        let vector = match (&state.work, &params.method) {
            (Work::Tuning(tuner), _) => self.vector_at(&tuner.estimate().point),
            (Work::Positions { .. }, Method::Logistic { regression, .. }) => {
                has_mask = regression.has_phase_mask;
                let fitted =
                    fit_weights(positions, regression, self.game.n_players(), params.seed)?;
                let vector = FeatureVector(fitted.weights);
                fit = Some(fitted);
                vector
            }
            (Work::Positions { .. }, _) => unreachable!("only regression collects positions"),
        };
        let vector = at_norm(&vector).unwrap_or(vector);
        let mut weights = self.weights_of(&vector);
        weights.phase_mask = has_mask;
        let is_complete = n_games >= params.n_games && !stop.load(Ordering::Relaxed);
        let calibration = if is_complete || !positions.is_empty() {
            self.calibration(&weights, positions)?
        } else {
            None
        };
        if let Some(calibration) = calibration {
            weights.value_scale = calibration.value_scale;
            weights.tempo = calibration.tempo;
        }
        let strength = if is_complete && params.n_match_games > 0 {
            Some(self.measure(&weights, progress, stop)?)
        } else {
            None
        };
        self.write_header(&mut weights, n_games, fit.as_ref(), strength.as_ref());
        let is_complete = is_complete && !stop.load(Ordering::Relaxed);
        Ok(TrainedWeights {
            weights,
            n_games,
            is_complete,
            fit,
            strength,
        })
    }

    fn write_header(
        &self,
        weights: &mut Weights,
        n_games: u64,
        fit: Option<&FittedWeights>,
        strength: Option<&Strength>,
    ) {
        let params = self.params;
        let method = match &params.method {
            Method::Logistic { .. } => "logistic regression on positions",
            Method::Clop { .. } => "CLOP",
            Method::Spsa { .. } => "SPSA",
        };
        let plural = if n_games == 1 { "" } else { "s" };
        weights.about = format!("{method}, {n_games} game{plural}");
        if let Some(fit) = fit {
            weights.about += &format!(
                ", {} positions; held-out log-loss {:.4}, of a constant {:.4}",
                fit.n_positions, fit.held_out_log_loss, fit.constant_log_loss
            );
        }
        weights.map = format!("{:016x}", params.game.map().hash());
        weights.rules = rules_name(&params.game);
        weights.trained_by = format!("{} (seed {})", params.command, params.seed);
        weights.program = Program::current().to_string();
        weights.strength = strength.map_or("not measured".to_owned(), ToString::to_string);
    }

    /// A weights file for a scaled vector, otherwise as the start.
    fn weights_of(&self, vector: &FeatureVector) -> Weights {
        let mut weights = self.params.start.clone();
        weights.form = Form::Scaled;
        weights.set_vector(vector);
        weights
    }
}

/// The name of the preset that a game's rules are, or `custom`.
fn rules_name(game: &Game) -> String {
    let is_same = |name: &&&str| {
        hegemon_core::Rules::preset(name).is_some_and(|rules| rules == *game.rules())
    };
    let preset = hegemon_core::Rules::PRESETS.iter().find(is_same);
    preset.map_or("custom".to_owned(), |name| (*name).to_owned())
}

/// The game with a turn limit, if its rules have none.
fn with_an_end(game: &Arc<Game>, turn_limit: u32) -> Result<Arc<Game>, GameError> {
    let mut rules = game.rules().clone();
    if rules.end.turn_limit.is_some() {
        return Ok(Arc::clone(game));
    }
    rules.end.turn_limit = Some(turn_limit);
    if rules.end.tie_breaks.is_empty() {
        rules.end.tie_breaks = vec![
            hegemon_core::rules::TieBreak::Territories,
            hegemon_core::rules::TieBreak::Armies,
        ];
    }
    Game::new(game.map().clone(), rules, game.n_players())
}

/// Weights for scaled features, for either form of file.
fn scaled_vector(facts: &GameFacts, weights: &Weights) -> FeatureVector {
    let mut vector = weights.vector();
    if weights.form == Form::Raw {
        for feature in Feature::ALL {
            let factor = facts.factors()[feature];
            vector[feature] = if factor == 0.0 {
                0.0
            } else {
                vector[feature] / factor
            };
        }
    }
    vector
}

/// The vector with the norm of all trained ones; `None` if it has no direction.
fn at_norm(vector: &FeatureVector) -> Option<FeatureVector> {
    let norm = vector.dot(vector).sqrt();
    if !(norm.is_finite() && norm > 0.0) {
        return None;
    }
    Some(FeatureVector(std::array::from_fn(|i| {
        vector.0[i] * (NORM / norm)
    })))
}

/// The feature with the largest weight, which tuners leave alone.
fn anchor(vector: &FeatureVector) -> Feature {
    let largest = (0..N_FEATURES).max_by(|&a, &b| {
        let size = |i: usize| vector.0[i].abs();
        size(a).total_cmp(&size(b)).then(b.cmp(&a))
    });
    Feature::ALL[largest.unwrap_or(0)]
}

/// The seed of a numbered part of a run.
fn part_seed(seed: u64, number: u64) -> u64 {
    mix(seed ^ mix(number))
}
