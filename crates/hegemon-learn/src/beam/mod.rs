//! Agents of 29 numbers, evolved: stochastic beam search (Gillenwater 2022;
//! docs/spec/beam.md 3) and CMA-ES.
//!
//! A run is a pure function of [`BeamTraining`], regardless of the number of
//! threads and of stops and resumes. Its folder holds
//!
//! | file | content |
//! |---|---|
//! | `checkpoint.json` | everything that the rest of the run depends on, after every generation |
//! | `history.jsonl` | parameters, then mean and band of every characteristic by generation |
//! | `weights.toml` | the champion, once the run is complete |
//!
//! [`category_page`] draws histories, [`findings`] compares them with the paper.

mod cma;
mod evolution;
mod findings;
mod history;
mod mutation;
mod plot;
mod tables;
#[cfg(test)]
mod tests;
mod tournament;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::Program;
use hegemon_bots::beam::{BeamWeights, Category, Characteristics};
use hegemon_core::{GameError, Map, Rules, fnv1a, mix};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::checkpoint::{CheckpointError, claim, write_whole};

pub use findings::{Finding, FindingRow, findings, findings_table};
pub use history::{Generation, History};
pub use mutation::MutationParams;
pub use plot::category_page;
pub use tables::{Consume, GamesBySeats, SEATS, Sample, TableGame, ThreadVenue, Venue};
pub use tournament::{Standings, games_per_tournament};

/// Name of the checkpoint in a run's folder.
pub const CHECKPOINT_FILE: &str = "checkpoint.json";
/// Name of the history in a run's folder.
pub const HISTORY_FILE: &str = "history.jsonl";
/// Name of the weights in a run's folder.
pub const WEIGHTS_FILE: &str = "weights.toml";

/// What to evolve and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct BeamTraining {
    /// Name of a shipped map.
    pub map: String,
    pub rules: Rules,
    /// Agents in a generation.
    pub population: usize,
    /// Generations. CMA-ES plays the same number of games in its own
    /// generations.
    pub generations: u32,
    pub method: BeamMethod,
    /// Part of the population that survives a tournament.
    pub survivors: f64,
    pub mutation: MutationParams,
    /// Generations from one measurement of the champion to the next.
    pub measure_every: u32,
    /// Games of a measurement, against three initial agents.
    pub measure_games: u64,
    /// Games of each survivor in the playoff that finds the champion at the
    /// end.
    pub playoff_games: u32,
    /// Games against the start agent that measure the result.
    pub final_games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads; the result does not depend on it.
    #[serde(skip, default = "one")]
    pub n_threads: usize,
    /// The command to name in the weights file.
    #[serde(skip)]
    pub command: String,
}

fn one() -> usize {
    1
}

/// How to evolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeamMethod {
    /// Stochastic beam search: the paper's.
    Beam,
    /// Covariance matrix adaptation, with the same number of games.
    CmaEs {
        /// Candidates in a generation.
        candidates: usize,
        /// Games of each candidate.
        games: u64,
    },
}

impl BeamMethod {
    /// The default CMA-ES settings.
    pub const CMA_ES: BeamMethod = BeamMethod::CmaEs {
        candidates: 16,
        games: 48,
    };
}

impl Default for BeamTraining {
    /// The paper's run.
    fn default() -> BeamTraining {
        BeamTraining {
            map: "classic".to_owned(),
            rules: Rules::preset("beam").expect("a preset"),
            population: 256,
            generations: 1500,
            method: BeamMethod::Beam,
            survivors: 0.25,
            mutation: MutationParams::default(),
            measure_every: 10,
            measure_games: 400,
            playoff_games: 400,
            final_games: 4000,
            seed: 1,
            n_threads: 1,
            command: String::new(),
        }
    }
}

impl BeamTraining {
    /// Most agents that survive a tournament.
    pub fn n_survivors(&self) -> usize {
        let share = self.population as f64 * self.survivors;
        (share.floor() as usize).clamp(1, self.population)
    }

    /// Games of all tournaments, if every game has one winner.
    pub fn n_tournament_games(&self) -> u64 {
        let each = games_per_tournament(self.population, self.n_survivors());
        each * u64::from(self.generations)
    }

    /// The games of two, three and four players.
    ///
    /// # Errors
    ///
    /// If the map does not exist or the rules do not fit it.
    pub fn tables(&self) -> Result<GamesBySeats, BeamError> {
        let unknown = || BeamError::UnknownMap(self.map.clone());
        let map = Map::builtin(&self.map).ok_or_else(unknown)?;
        GamesBySeats::new(&map, &self.rules).map_err(BeamError::Game)
    }

    fn check(&self) -> Result<(), BeamError> {
        if self.population < 4 {
            return Err(BeamError::Params("a population has at least 4 agents"));
        }
        if !(self.survivors > 0.0 && self.survivors < 1.0) {
            return Err(BeamError::Params("some agents survive, but not all"));
        }
        if self.generations == 0 {
            return Err(BeamError::Params("a run has at least one generation"));
        }
        if let BeamMethod::CmaEs { candidates, games } = self.method
            && (candidates < 4 || games == 0)
        {
            let few = "CMA-ES needs 4 candidates and a game for each at least";
            return Err(BeamError::Params(few));
        }
        Ok(())
    }

    /// Whether both name the same run; threads and command do not matter.
    fn is_same_run(&self, other: &BeamTraining) -> bool {
        let same = BeamTraining {
            n_threads: other.n_threads,
            command: other.command.clone(),
            ..self.clone()
        };
        same == *other
    }

    /// Seed of one part of the run.
    fn seed_of(&self, label: &str, number: u64) -> u64 {
        mix(mix(self.seed ^ fnv1a(label.as_bytes())).wrapping_add(number))
    }

    fn sample<'a>(&self, n_games: u64, label: &'a str) -> Sample<'a> {
        Sample {
            n_games,
            seed: self.seed,
            label,
        }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamProgress<'a> {
    /// Generations done.
    pub generation: u32,
    /// Generations in all.
    pub n_generations: u32,
    /// Games of tournaments (or candidates) so far.
    pub n_games: u64,
    /// Share of the current champion in games of four against three start
    /// agents, if it was measured in this generation; 0.25 is even.
    pub share: Option<f64>,
    /// The generation as the history has it.
    pub row: &'a Generation,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolved {
    /// The best agent of the playoff among the last survivors and their mean
    /// (CMA-ES: the mean of the distribution).
    pub champion: Characteristics,
    /// The mean of the last survivors.
    pub mean: Characteristics,
    /// The champion's share in games of four against three start agents.
    pub share: f64,
    /// Half the width of the 95 % interval of the share.
    pub margin: f64,
    /// Games of tournaments (or candidates).
    pub n_games: u64,
}

/// Why a run failed.
#[derive(Debug, Error)]
pub enum BeamError {
    /// The map is not shipped.
    #[error("there is no map \"{0}\"")]
    UnknownMap(String),
    /// Map and rules do not fit together.
    #[error("{0}")]
    Game(GameError),
    /// The parameters are invalid.
    #[error("{0}")]
    Params(&'static str),
    /// The folder cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The matrix of CMA-ES broke down.
    #[error("CMA-ES: the matrix degenerated")]
    CmaEs,
}

/// Runs a training, or resumes the one in the folder. `None` if stopped; the
/// folder then holds all generations that were complete.
///
/// # Errors
///
/// If the parameters are invalid, or the folder cannot be written or holds
/// another run.
pub fn run(
    params: &BeamTraining,
    folder: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&BeamProgress<'_>),
) -> Result<Option<Evolved>, BeamError> {
    let tables = params.tables()?;
    let here = tables::ThreadVenue {
        tables: &tables,
        n_threads: params.n_threads,
        stop,
    };
    run_at(&here, params, folder, stop, progress)
}

/// The same with its games played at a venue.
///
/// # Errors
///
/// As [`run`].
pub fn run_at(
    venue: &dyn Venue,
    params: &BeamTraining,
    folder: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&BeamProgress<'_>),
) -> Result<Option<Evolved>, BeamError> {
    params.check()?;
    let claim_folder = |folder: &Path| claim(folder, &folder.join(".lock"));
    let _claim = folder.map(claim_folder).transpose()?;
    let mut run = Run {
        params,
        venue,
        folder,
        stop,
        progress,
    };
    let evolved = match params.method {
        BeamMethod::Beam => evolution::evolve(&mut run)?,
        BeamMethod::CmaEs { candidates, games } => cma::adapt(&mut run, candidates, games)?,
    };
    if let (Some(evolved), Some(folder)) = (&evolved, folder) {
        let text = evolved.weights(params).to_toml();
        write_whole(&folder.join(WEIGHTS_FILE), &text)?;
    }
    Ok(evolved)
}

/// Draws the curves of a complete run into its folder, and writes what they tell
/// beside the paper's findings, together with other runs.
///
/// # Errors
///
/// If a history cannot be read, or the folder cannot be written to.
pub fn write_pages(folder: &Path, others: &[PathBuf]) -> Result<(), CheckpointError> {
    let folders = std::iter::once(folder).chain(others.iter().map(PathBuf::as_path));
    let histories = folders
        .map(|folder| History::read(&folder.join(HISTORY_FILE)))
        .collect::<Result<Vec<_>, _>>()?;
    for category in Category::ALL {
        let path = folder.join(format!("{}.svg", category.name()));
        write_whole(&path, &category_page(category, &histories))?;
    }
    let rows = findings(&histories);
    write_whole(&folder.join("findings.md"), &findings_table(&rows))
}

impl Evolved {
    /// The champion as a weights file.
    pub fn weights(&self, params: &BeamTraining) -> BeamWeights {
        let method = match params.method {
            BeamMethod::Beam => "stochastic beam search,",
            BeamMethod::CmaEs { .. } => "CMA-ES at the games of",
        };
        BeamWeights {
            about: format!(
                "{method} {} generations of {} agents: {} games, seed {}",
                params.generations, params.population, self.n_games, params.seed
            ),
            trained_by: params.command.clone(),
            program: Program::current().to_string(),
            strength: format!(
                "{:.1} % +- {:.1} of games of four against three start agents ({} games; level is 25 %)",
                100.0 * self.share,
                100.0 * self.margin,
                params.final_games
            ),
            values: self.champion,
        }
    }
}

/// A run in progress.
struct Run<'a> {
    params: &'a BeamTraining,
    venue: &'a dyn Venue,
    folder: Option<&'a Path>,
    stop: &'a AtomicBool,
    progress: &'a mut dyn FnMut(&BeamProgress<'_>),
}

impl Run<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The champion's share, in the generations that are measured.
    fn measured(
        &self,
        generation: u32,
        n_generations: u32,
        agent: &Characteristics,
    ) -> Option<f64> {
        let is_last = generation + 1 == n_generations;
        let every = self.params.measure_every;
        if self.params.measure_games == 0 || !(is_last || generation.is_multiple_of(every.max(1))) {
            return None;
        }
        Some(self.share(agent, self.params.measure_games, "measure"))
    }

    fn share(&self, agent: &Characteristics, n_games: u64, label: &str) -> f64 {
        let sample = self.params.sample(n_games, label);
        sample.share(self.venue, agent, &[Characteristics::INITIAL])
    }

    /// The result with its champion measured; `None` if stopped.
    fn finish(
        &self,
        champion: Characteristics,
        mean: Characteristics,
        n_games: u64,
    ) -> Option<Evolved> {
        let n = self.params.final_games.max(1);
        let share = self.share(&champion, n, "final");
        let margin = 1.96 * (share * (1.0 - share) / n as f64).sqrt();
        (!self.is_stopped()).then_some(Evolved {
            champion,
            mean,
            share,
            margin,
            n_games,
        })
    }
}
