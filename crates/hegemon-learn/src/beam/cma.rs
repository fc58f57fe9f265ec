//! CMA-ES with the same number of games.
//!
//! A candidate plays games of four against recent means of the distribution, at
//! first the initial agent, on deals shared by all candidates of a generation.
//! The state of the optimiser is a function of the values it received, so a
//! checkpoint stores these, and a resumed run replays them.

use hegemon_bots::beam::{Characteristics, Key, N_CHARACTERISTICS};
use serde::{Deserialize, Serialize};

use super::history::{Generation, HistoryWriter};
use super::tables::{Sample, Venue};
use super::{BeamError, BeamProgress, BeamTraining, CHECKPOINT_FILE, Evolved, HISTORY_FILE, Run};
use crate::checkpoint::{CheckpointError, read_checkpoint, write_checkpoint};
use crate::cma_es::{CmaEs, Degenerate};

/// Version of checkpoints; raised when they, or the optimiser, change.
const VERSION: u32 = 2;
/// Initial step, in adjustments: the multiplier of the first generation.
const FIRST_STEP: f64 = 2.0;
/// Number of earlier means kept as rivals.
const N_RIVALS: usize = 3;
const RENEW_EVERY: u32 = 5;
/// Deviations beyond which a normal law has a tenth of its mass.
const TENTH: f64 = 1.2816;

/// Everything that the rest of a run depends on.
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
struct BeamObjective<'a> {
    venue: &'a dyn Venue,
    sample: Sample<'a>,
    /// Values from an earlier, stopped run.
    known: Vec<f64>,
    /// Values so far.
    told: Vec<f64>,
    rivals: Vec<Characteristics>,
}

impl BeamObjective<'_> {
    fn share(&mut self, point: &[f64]) -> f64 {
        let share = match self.known.get(self.told.len()) {
            Some(&share) => share,
            None => {
                let agent = agent_at(point);
                self.sample.share(self.venue, &agent, &self.rivals)
            }
        };
        self.told.push(share);
        share
    }

    fn begin(&mut self, params: &BeamTraining, generation: u32, mean: &[f64]) {
        self.sample.seed = params.seed_of("cma-es games", u64::from(generation));
        if generation > 0 && generation.is_multiple_of(RENEW_EVERY) {
            self.rivals.push(agent_at(mean));
            let n_old = self.rivals.len().saturating_sub(N_RIVALS);
            self.rivals.drain(..n_old);
        }
    }
}

/// Coordinates count adjustments from the start agent.
fn agent_at(point: &[f64]) -> Characteristics {
    let mut agent = Characteristics::INITIAL;
    for key in Key::all() {
        agent[key] += key.data().adjustment * point[key.index()];
    }
    agent.clamped()
}

/// Generations of CMA-ES that play the same number of games as the tournaments.
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
    let mut objective = BeamObjective {
        venue: run.venue,
        sample: params.sample(games, "candidate"),
        known: std::mem::take(&mut state.shares),
        told: Vec::new(),
        rivals: vec![Characteristics::INITIAL],
    };
    let start = vec![0.0; N_CHARACTERISTICS];
    let mut optimiser = CmaEs::new(start, FIRST_STEP, candidates, params.seed_of("cma-es", 0));
    let n_generations = n_generations(params, candidates, games);
    let games_each = candidates as u64 * games;
    for generation in 0..n_generations {
        objective.begin(params, generation, optimiser.mean());
        optimiser
            .advance(|point| objective.share(point))
            .map_err(|Degenerate| BeamError::CmaEs)?;
        if generation < state.generation {
            continue;
        }
        let mean = optimiser.mean();
        let deviations = optimiser.deviations();
        let edge = |side: f64| -> Vec<f64> {
            let pairs = mean.iter().zip(&deviations);
            pairs.map(|(m, d)| m + side * TENTH * d).collect()
        };
        let champion = agent_at(mean);
        let share = run.measured(generation, n_generations, &champion);
        if run.is_stopped() {
            return Ok(None);
        }
        let n_games = u64::from(generation + 1) * games_each;
        let row = Generation {
            generation,
            n_games,
            mean: champion.0,
            low: agent_at(&edge(-1.0)).0,
            high: agent_at(&edge(1.0)).0,
            share,
        };
        state.generation = generation + 1;
        if let (Some(history), Some(path)) = (&mut history, &path) {
            history.line(&row)?;
            state.history_bytes = history.n_bytes();
            state.shares.clone_from(&objective.told);
            write_checkpoint(path, &state)?;
        }
        (run.progress)(&BeamProgress {
            generation: generation + 1,
            n_generations,
            n_games,
            share,
            row: &row,
        });
    }
    let champion = agent_at(optimiser.mean());
    let n_games = u64::from(n_generations) * games_each;
    Ok(run.finish(champion, champion, n_games))
}
