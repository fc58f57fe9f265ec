//! Experiments, and the table of all of them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{MatchError, Program};
use hegemon_bots::{SpecError, bot_info, nearest};
use hegemon_core::GameError;
use hegemon_learn::beam::BeamError;
use hegemon_learn::draft::DraftTrainError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::other_means::OtherMeans;
use crate::report::Reported;
use crate::section::Section;
use crate::store::Origin;
use crate::{
    accuracy, adjustment, best_response, calibration, champion, company, equal_effort, hints,
    ladder, luck, map_trials, p000, p000_code, p001, p001_sweeps, p002, p002_drafts, p003,
    p003_lecture, p004, remade_weights, six_player, solved_positions, strength, transfer,
};

/// Errors of the lab.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum LabError {
    #[error("{}", unknown_experiment(.0))]
    UnknownExperiment(String),
    #[error("there is no scale \"{0}\"; it is smoke, quick or paper")]
    UnknownScale(String),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Draft(#[from] DraftTrainError),
    #[error(transparent)]
    Beam(#[from] BeamError),
    #[error("{path}: {reason}")]
    File { path: String, reason: String },
    #[error("the lab's store {path} cannot be used: {reason}")]
    Store { path: String, reason: String },
    #[error("the cell \"{key}\" in the store cannot be read: {reason}")]
    Damaged { key: String, reason: String },
    #[error(
        "the store has cells of programs that play differently; stale are {}. This program is \
         {program}. Compute them again in another --store, or keep them with --mix",
        stale.join("; ")
    )]
    Mixed {
        stale: Vec<String>,
        program: &'static Program,
    },
    #[error("{0}")]
    Broken(String),
}

fn unknown_experiment(name: &str) -> String {
    match nearest(name, EXPERIMENTS.iter().map(|e| e.name)) {
        Some(near) => format!("there is no experiment \"{name}\"; did you mean \"{near}\"?"),
        None => {
            format!("there is no experiment \"{name}\"; 'hegemon lab list' names them all")
        }
    }
}

/// How large the experiments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// A smoke test: all experiments in a minute or two, meaningless figures.
    Smoke,
    /// An hour on two cores.
    Quick,
    /// The sizes of the papers.
    Paper,
}

impl Scale {
    /// All scales, smallest first.
    pub const ALL: [Scale; 3] = [Scale::Smoke, Scale::Quick, Scale::Paper];

    pub fn name(self) -> &'static str {
        self.pick("smoke", "quick", "paper")
    }

    /// The value for this scale.
    pub fn pick<T>(self, smoke: T, quick: T, paper: T) -> T {
        match self {
            Scale::Smoke => smoke,
            Scale::Quick => quick,
            Scale::Paper => paper,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scale {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Scale, LabError> {
        let found = Scale::ALL.into_iter().find(|scale| scale.name() == text);
        found.ok_or_else(|| LabError::UnknownScale(text.to_owned()))
    }
}

/// Whether cells of programs that play differently may be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixing {
    /// They may not.
    Refused,
    /// They may.
    Allowed,
}

impl Mixing {
    /// Refuses stale cells, unless they are allowed.
    pub(crate) fn check(self, stale: &[Origin]) -> Result<(), LabError> {
        if self == Mixing::Allowed || stale.is_empty() {
            return Ok(());
        }
        Err(LabError::Mixed {
            stale: stale.iter().map(ToString::to_string).collect(),
            program: Program::current(),
        })
    }
}

/// What all experiments of a run share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSetting {
    /// How large.
    pub scale: Scale,
    /// Seed of everything.
    pub seed: u64,
}

/// Computes the value of a cell; `None` if it was stopped.
pub(crate) type Job = Box<dyn Fn(&AtomicBool) -> Result<Option<Value>, LabError> + Send + Sync>;

/// A step of an experiment: what is computed and stored at once.
pub struct Cell {
    /// Its name, which includes everything that its value depends on besides
    /// seed and experiment.
    pub key: String,
    /// Expected processor seconds in a release build; only their ratios matter.
    pub cost: f64,
    /// The work.
    pub(crate) job: Job,
}

impl Cell {
    /// A cell with a serialisable result.
    pub fn new<T: Serialize>(
        key: String,
        cost: f64,
        job: impl Fn(&AtomicBool) -> Result<Option<T>, LabError> + Send + Sync + 'static,
    ) -> Cell {
        let job = move |stop: &AtomicBool| {
            let value = job(stop)?;
            let to_json = |value| {
                serde_json::to_value(value).map_err(|error| LabError::Broken(error.to_string()))
            };
            value.map(to_json).transpose()
        };
        Cell {
            key,
            cost,
            job: Box::new(job),
        }
    }
}

/// What the store holds of an experiment.
#[derive(Debug)]
pub struct Results {
    /// Scale and seed.
    pub setting: RunSetting,
    /// The programs that computed the cells.
    pub program: String,
    /// Name of the experiment.
    pub experiment: &'static str,
    /// Values by key.
    pub cells: BTreeMap<String, Value>,
    /// Processor seconds by key.
    pub seconds: BTreeMap<String, f64>,
}

impl Results {
    /// The value of a cell, if it is done.
    ///
    /// # Errors
    ///
    /// If it has an unexpected type.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, LabError> {
        let Some(value) = self.cells.get(key) else {
            return Ok(None);
        };
        let damaged = |error: serde_json::Error| LabError::Damaged {
            key: key.to_owned(),
            reason: error.to_string(),
        };
        T::deserialize(value).map(Some).map_err(damaged)
    }
}

/// An experiment of the lab.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    pub paper: &'static str,
    /// The table or figure.
    pub what: &'static str,
    /// Bots without which it cannot run.
    pub needs: &'static [&'static str],
    /// Its cells.
    pub plan: fn(RunSetting) -> Result<Vec<Cell>, LabError>,
    /// Renders its section of a report. Must cope with missing cells.
    pub render: fn(&Results) -> Result<Section, LabError>,
    /// What other commands make again of its section. A command may name what the report says, as a response that was
    /// picked.
    pub other_means: fn(RunSetting, &Reported<'_>) -> Result<OtherMeans, LabError>,
}

impl Experiment {
    /// Why it cannot run in this build, if it cannot.
    pub fn obstacle(&self) -> Option<String> {
        let missing = self.needs.iter().find(|bot| bot_info(bot).is_err())?;
        Some(format!(
            "{} cannot run: this build has no bot \"{missing}\"",
            self.name
        ))
    }

    /// Expected processor seconds at a scale.
    ///
    /// # Errors
    ///
    /// If it cannot be planned.
    pub fn cost(&self, scale: Scale) -> Result<f64, LabError> {
        let cells = (self.plan)(RunSetting { scale, seed: 1 })?;
        Ok(cells.iter().map(|cell| cell.cost).sum())
    }
}

/// The experiment with this name.
///
/// # Errors
///
/// If there is none; the error suggests the nearest name.
pub fn experiment(name: &str) -> Result<&'static Experiment, LabError> {
    let found = EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name);
    found.ok_or_else(|| LabError::UnknownExperiment(name.to_owned()))
}

/// The experiments with these names, each once; "all" names every one.
///
/// # Errors
///
/// If one does not exist.
pub fn chosen(names: &[String]) -> Result<Vec<&'static Experiment>, LabError> {
    if names.iter().any(|name| name == "all") {
        return Ok(EXPERIMENTS.iter().collect());
    }
    let mut chosen: Vec<&'static Experiment> = Vec::new();
    for name in names {
        let found = experiment(name)?;
        if !chosen.iter().any(|other| other.name == found.name) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

/// All experiments, in the order of the report.
pub static EXPERIMENTS: [Experiment; 39] = [
    p000::POOL,
    p000::POOL_CODE,
    p000::SAMPLES,
    p000::SAMPLES_CODE,
    p000_code::CODE,
    p000::SPEED,
    p001::PROVIDED,
    p001::GOALS,
    p001_sweeps::SWEEPS,
    p002::WEIGHTS,
    p002::DRAFTERS,
    p002::TOURNAMENT,
    p002_drafts::DRAFTS,
    p003::POLICIES,
    p003_lecture::LECTURE,
    p004::EVOLUTION,
    ladder::SAMPLING,
    ladder::LUX,
    ladder::DRAFT,
    ladder::BEAM,
    ladder::CLASSIC,
    six_player::SIX,
    strength::STRENGTH,
    equal_effort::EQUAL_EFFORT,
    transfer::TRANSFER,
    best_response::BEST_RESPONSE,
    company::COMPANY,
    solved_positions::POSITIONS,
    remade_weights::WEIGHTS,
    champion::KNOWN,
    champion::FIELDS,
    champion::STRANGERS,
    champion::EFFORT,
    calibration::CALIBRATION,
    luck::LUCK,
    adjustment::ADJUSTMENT,
    hints::HINTS,
    accuracy::ACCURACY,
    map_trials::MAPS,
];
