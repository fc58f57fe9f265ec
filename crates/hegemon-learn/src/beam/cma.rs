//! CMA-ES at as many games (the `cmaes` crate).
//!
//! A candidate plays games of four against the last means of the distribution,
//! the start agent at first, on deals that all candidates of a generation share.
//! The state of the optimiser is a function of the values it was told, so a
//! checkpoint holds these, and a resumed run tells them again.

use std::cell::RefCell;

use cmaes::{CMAESOptions, DVector, Mode, TerminationReason, Weights};
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
    /// Told in a run that was stopped.
    known: Vec<f64>,
    /// Told so far.
    told: Vec<f64>,
    rivals: Vec<Characteristics>,
}

impl Objective<'_> {
    fn share(&mut self, point: &DVector<f64>) -> f64 {
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

    fn begin(&mut self, params: &BeamTraining, generation: u32, mean: &DVector<f64>) {
        self.sample.seed = params.seed_of("cma-es games", u64::from(generation));
        if generation > 0 && generation.is_multiple_of(RENEW_EVERY) {
            self.rivals.push(agent_at(mean));
            let n_old = self.rivals.len().saturating_sub(N_RIVALS);
            self.rivals.drain(..n_old);
        }
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
    let path = run.folder.map(|folder| folder.join(CHECKPOINT_FILE));
    let history_path = run.folder.map(|folder| folder.join(HISTORY_FILE));
    let mut state = Checkpoint {
        version: VERSION,
        params: params.clone(),
        generation: 0,
        history_bytes: 0,
        shares: Vec::new(),
    };
    let mut history = None;
    if let (Some(path), Some(history_path)) = (&path, &history_path) {
        history = Some(match read_checkpoint::<Checkpoint>(path)? {
            Some(saved) if saved.version == VERSION && params.is_same_run(&saved.params) => {
                state = saved;
                HistoryWriter::resume(history_path, state.history_bytes)?
            }
            Some(_) => {
                let reason = "its parameters differ";
                return Err(CheckpointError::content(path, reason).into());
            }
            None => HistoryWriter::begin(history_path, params)?,
        });
    }
    let objective = RefCell::new(Objective {
        tables: run.tables,
        sample: params.sample(games, "candidate", run.stop),
        known: std::mem::take(&mut state.shares),
        told: Vec::new(),
        rivals: vec![Characteristics::INITIAL],
    });
    let mut mean = DVector::from_element(N_CHARACTERISTICS, 0.0);
    let mut optimiser = CMAESOptions::new(mean.clone(), FIRST_STEP)
        .mode(Mode::Maximize)
        .weights(Weights::Positive)
        .population_size(candidates)
        .seed(params.seed_of("cma-es", 0))
        .build(|point: &DVector<f64>| objective.borrow_mut().share(point))
        .map_err(|error| BeamError::CmaEs(format!("{error:?}")))?;
    let n_generations = n_generations(params, candidates, games);
    let games_each = candidates as u64 * games;
    for generation in 0..n_generations {
        objective.borrow_mut().begin(params, generation, &mean);
        // Noise may look like convergence; only a broken matrix ends a run.
        let end = optimiser.next();
        if end.is_some_and(|end| end.reasons.contains(&TerminationReason::PosDefCov)) {
            return Err(BeamError::CmaEs("the matrix degenerated".to_owned()));
        }
        mean.clone_from(optimiser.mean());
        if generation < state.generation {
            continue;
        }
        let deviations = optimiser.covariance_matrix().diagonal().map(f64::sqrt);
        let spread = deviations * (TENTH * optimiser.sigma());
        let champion = agent_at(&mean);
        let share = run.measured(generation, n_generations, &champion);
        if run.is_stopped() {
            return Ok(None);
        }
        let n_games = u64::from(generation + 1) * games_each;
        let row = Generation {
            generation,
            n_games,
            mean: champion.0,
            low: agent_at(&(&mean - &spread)).0,
            high: agent_at(&(&mean + &spread)).0,
            share,
        };
        state.generation = generation + 1;
        if let (Some(history), Some(path)) = (&mut history, &path) {
            history.line(&row)?;
            state.history_bytes = history.n_bytes();
            state.shares.clone_from(&objective.borrow().told);
            write_checkpoint(path, &state)?;
        }
        (run.progress)(&Progress {
            generation: generation + 1,
            n_generations,
            n_games,
            share,
            row: &row,
        });
    }
    let champion = agent_at(&mean);
    let n_games = u64::from(n_generations) * games_each;
    Ok(run.finish(champion, champion, n_games))
}
