//! The tuner interface: ask for a trial, tell its results.

use hegemon_core::Rng;
use serde::{Deserialize, Serialize};

use crate::clop::Clop;
use crate::spsa::Spsa;

/// Searches for the parameter values that win most.
///
/// A tuner holds no generator: the caller passes one for every trial, made from
/// the run's seed and the trial's number. Together with the tuner's own
/// serialised state that makes a run resumable to the bit. Several trials may
/// be requested before results of the first are reported.
pub trait Tuner {
    /// The next trial.
    fn ask(&mut self, rng: &mut Rng) -> TuningTrial;

    /// The point of the next trial.
    fn next_point(&mut self, rng: &mut Rng) -> Vec<f64> {
        self.ask(rng).point
    }

    /// Reports the results of a trial, from the view of its point.
    fn tell(&mut self, trial: &TuningTrial, results: &[TrialResult]);

    /// The best point so far.
    fn estimate(&self) -> Estimate;
}

/// Something to try: parameter values, in their own units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningTrial {
    /// Number of the trial, from 0.
    pub number: u64,
    /// The values to play with.
    pub point: Vec<f64>,
    /// The values to play against; `None`: the common opponent of all trials.
    pub rival: Option<Vec<f64>>,
}

/// How one game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrialResult {
    /// The point lost.
    Loss,
    /// Neither won.
    Draw,
    /// The point won.
    Win,
}

impl TrialResult {
    /// The result of a share of the win: less than, exactly or more than half.
    pub fn of_score(score: f64) -> TrialResult {
        match score.total_cmp(&0.5) {
            std::cmp::Ordering::Less => TrialResult::Loss,
            std::cmp::Ordering::Equal => TrialResult::Draw,
            std::cmp::Ordering::Greater => TrialResult::Win,
        }
    }

    /// Share of the win.
    pub fn score(self) -> f64 {
        match self {
            TrialResult::Loss => 0.0,
            TrialResult::Draw => 0.5,
            TrialResult::Win => 1.0,
        }
    }
}

/// The current estimate of a tuner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The values, in their own units.
    pub point: Vec<f64>,
    /// Games reported so far.
    pub n_games: u64,
    /// Share won over all games; too low for [`point`](Estimate::point) because
    /// the search plays poor points too, so not a measure of its strength.
    pub score: f64,
    /// Maximum of the fitted surface, if there is one inside the ranges.
    pub peak: Option<Vec<f64>>,
}

/// A tuner of any kind, for checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnyTuner {
    /// Confident local optimisation.
    Clop(Clop),
    /// Simultaneous perturbation.
    Spsa(Spsa),
}

impl Tuner for AnyTuner {
    fn ask(&mut self, rng: &mut Rng) -> TuningTrial {
        match self {
            AnyTuner::Clop(tuner) => tuner.ask(rng),
            AnyTuner::Spsa(tuner) => tuner.ask(rng),
        }
    }

    fn tell(&mut self, trial: &TuningTrial, results: &[TrialResult]) {
        match self {
            AnyTuner::Clop(tuner) => tuner.tell(trial, results),
            AnyTuner::Spsa(tuner) => tuner.tell(trial, results),
        }
    }

    fn estimate(&self) -> Estimate {
        match self {
            AnyTuner::Clop(tuner) => tuner.estimate(),
            AnyTuner::Spsa(tuner) => tuner.estimate(),
        }
    }
}
