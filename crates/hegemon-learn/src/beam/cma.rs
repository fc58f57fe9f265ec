//! CMA-ES at as many games (the `cmaes` crate).
//!
//! A candidate plays games of four against the last means of the distribution,
//! the start agent at first, on deals that all candidates of a generation share.
//! The state of the optimiser is a function of the values it was told, so a
//! checkpoint holds these, and a resumed run tells them again.

use cmaes::{CMAES, CMAESOptions, DVector, Mode, ObjectiveFunction, TerminationReason};
use hegemon_bots::beam::{Characteristics, Key, N_CHARACTERISTICS};
use serde::{Deserialize, Serialize};

use super::history::{Generation, HistoryWriter};
use super::{BeamError, BeamTraining, CHECKPOINT_FILE, Evolved, HISTORY_FILE, Progress, Run};
use super::{Sample, Tables};
use crate::checkpoint::{CheckpointError, read_checkpoint, write_checkpoint};

/// Version of checkpoints; raised when they change.
const VERSION: u32 = 1;
/// Step at the start, in adjustments: the multiplier of the first generation.
const FIRST_STEP: f64 = 2.0;
/// Rivals: so many means, a new one every so many generations.
const N_RIVALS: usize = 3;
const RENEW_EVERY: u32 = 5;
/// A tenth of a normal law is beyond so many deviations.
const TENTH: f64 = 1.2816;

/// All that the rest of a run depends on.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    params: BeamTraining,
    /// Generations done.
    generation: u32,
    history_bytes: u64,
    /// Shares of all candidates so far.
    shares: Vec<f64>,
}

/// The share of a candidate.
struct Objective<'a> {
    tables: &'a Tables,
    sample: Sample<'a>,
    /// Told before.
    known: Vec<f64>,
    /// Told in this run, the known ones included.
    told: Vec<f64>,
    rivals: Vec<Characteristics>,
}

impl ObjectiveFunction for &mut Objective<'_> {
    fn evaluate(&mut self, point: &DVector<f64>) -> f64 {
        let share = match self.known.get(self.told.len()) {
            Some(&share) => share,
            None => {
                let agent = agent_at(point);
                self.tables.share(&agent, &self.rivals, &self.sample)
            }
        };
        self.told.push(share);
        share
    }
}

/// Coordinates count adjustments from the start agent.
fn agent_at(point: &DVector<f64>) -> Characteristics {
    let mut agent = Characteristics::INITIAL;
    for key in Key::all() {
        agent[key] += key.data().adjustment * point[key.index()];
    }
    agent.clamped()
}

/// Generations of CMA-ES that play as many games as the tournaments would.
fn n_generations(params: &BeamTraining, candidates: usize, games: u64) -> u32 {
    let each = candidates as u64 * games;
    (params.n_tournament_games() / each).max(1) as u32
}

pub(super) fn adapt(
    run: &mut Run<'_>,
    candidates: usize,
    games: u64,
) -> Result<Option<Evolved>, BeamError> {
    let params = run.params;
    let paths = run
        .folder
        .map(|folder| (folder.join(CHECKPOINT_FILE), folder.join(HISTORY_FILE)));
    let mut state = Checkpoint {
        version: VERSION,
        params: params.clone(),
        generation: 0,
        history_bytes: 0,
        shares: Vec::new(),
    };
    let mut history = None;
    if let Some((path, history_path)) = &paths {
        if let Some(saved) = read_checkpoint::<Checkpoint>(path)? {
            let same = BeamTraining {
                n_threads: saved.params.n_threads,
                command: saved.params.command.clone(),
                ..params.clone()
            };
            if saved.version != VERSION || saved.params != same {
                return Err(CheckpointError::content(path, "its parameters differ").into());
            }
            state = saved;
            history = Some(HistoryWriter::resume(history_path, state.history_bytes)?);
        } else {
            history = Some(HistoryWriter::begin(history_path, params)?);
        }
    }
    let n_generations = n_generations(params, candidates, games);
    let mut objective = Objective {
        tables: run.tables,
        sample: params.sample(games, "", run.stop),
        known: std::mem::take(&mut state.shares),
        told: Vec::new(),
        rivals: vec![Characteristics::INITIAL],
    };
    let mut mean = DVector::from_element(N_CHARACTERISTICS, 0.0);
    let mut optimiser = CMAESOptions::new(mean.clone(), FIRST_STEP)
        .mode(Mode::Maximize)
        .population_size(candidates)
        .seed(params.seed_of("cma-es", 0))
        .build(ObjectiveCell(&mut objective))
        .map_err(|error| BeamError::CmaEs(format!("{error:?}")))?;
    let mut n_told = 0;
    for generation in 0..n_generations {
        optimiser_seed(&mut optimiser, params, generation, &mean);
        let reasons = optimiser.next().map(|data| data.reasons).unwrap_or_default();
        if reasons.contains(&TerminationReason::PosDefCov) {
            return Err(BeamError::CmaEs("the covariance matrix degenerated".into()));
        }
        mean = optimiser.mean().clone();
        n_told += candidates;
        if generation < state.generation {
            continue;
        }
        if run.is_stopped() {
            return Ok(None);
        }
        let _ = n_told;
        let _ = &mut history;
    }
    let champion = agent_at(&mean);
    Ok(run.finish(champion, champion, u64::from(n_generations) * candidates as u64 * games))
}
