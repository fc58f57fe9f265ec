//! The course of a run: every characteristic in every generation.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use hegemon_bots::beam::{Characteristics, Key, N_CHARACTERISTICS};
use serde::{Deserialize, Serialize};

use super::BeamTraining;
use crate::checkpoint::CheckpointError;

/// Quantiles of the population at the ends of the band.
const BAND: [f64; 2] = [0.1, 0.9];

/// A generation in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// Games played so far.
    pub n_games: u64,
    /// Mean of each characteristic over the population.
    pub mean: [f64; N_CHARACTERISTICS],
    /// The lower decile of the population.
    pub low: [f64; N_CHARACTERISTICS],
    /// The upper decile of the population.
    pub high: [f64; N_CHARACTERISTICS],
    /// Share of the champion in games of four against three start agents, if it
    /// was measured; 0.25 is even.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub share: Option<f64>,
}

impl Generation {
    /// The generation of a population.
    pub(super) fn of(generation: u32, n_games: u64, agents: &[Characteristics]) -> Generation {
        let mut row = Generation {
            generation,
            n_games,
            mean: mean(agents).0,
            low: [0.0; N_CHARACTERISTICS],
            high: [0.0; N_CHARACTERISTICS],
            share: None,
        };
        for key in Key::all() {
            let mut values: Vec<f64> = agents.iter().map(|agent| agent[key]).collect();
            values.sort_by(f64::total_cmp);
            let at = |part: f64| values[((values.len() - 1) as f64 * part).round() as usize];
            row.low[key.index()] = at(BAND[0]);
            row.high[key.index()] = at(BAND[1]);
        }
        row
    }
}

/// The mean agent of a population.
pub(super) fn mean(agents: &[Characteristics]) -> Characteristics {
    let mut sum = Characteristics([0.0; N_CHARACTERISTICS]);
    for agent in agents {
        for key in Key::all() {
            sum[key] += agent[key];
        }
    }
    for key in Key::all() {
        sum[key] /= agents.len() as f64;
    }
    sum.clamped()
}

/// A history file: what was run, then a line for each generation.
#[derive(Clone, Debug)]
pub struct History {
    /// What was run.
    pub params: BeamTraining,
    /// All generations.
    pub generations: Vec<Generation>,
}

impl History {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not a history.
    pub fn read(path: &Path) -> Result<History, CheckpointError> {
        let text = fs::read_to_string(path).map_err(|source| CheckpointError::Io {
            path: path.to_owned(),
            source,
        })?;
        let mut lines = text.lines();
        let wrong = |error: serde_json::Error| CheckpointError::content(path, error.to_string());
        let params = serde_json::from_str(lines.next().unwrap_or_default()).map_err(wrong)?;
        let rows = lines.map(|line| serde_json::from_str(line).map_err(wrong));
        Ok(History {
            params,
            generations: rows.collect::<Result<_, _>>()?,
        })
    }

    /// Mean of a characteristic over the part of the run from `from` to `to`,
    /// both shares of its length.
    pub fn level(&self, key: Key, from: f64, to: f64) -> f64 {
        let n = self.generations.len();
        let end = ((n as f64 * to).round() as usize).clamp(1, n);
        let start = ((n as f64 * from).round() as usize).min(end - 1);
        let part = &self.generations[start..end];
        part.iter().map(|row| row.mean[key.index()]).sum::<f64>() / part.len() as f64
    }
}

/// Appends to a history file, after its first `known` bytes when resuming.
pub(super) struct HistoryWriter<'a> {
    path: &'a Path,
    n_bytes: u64,
}

impl<'a> HistoryWriter<'a> {
    pub(super) fn begin(
        path: &'a Path,
        params: &BeamTraining,
    ) -> Result<HistoryWriter<'a>, CheckpointError> {
        let mut writer = HistoryWriter { path, n_bytes: 0 };
        writer.truncate()?;
        writer.line(params)?;
        Ok(writer)
    }

    /// Continues after the bytes that a checkpoint covers.
    pub(super) fn resume(
        path: &'a Path,
        n_bytes: u64,
    ) -> Result<HistoryWriter<'a>, CheckpointError> {
        let writer = HistoryWriter { path, n_bytes };
        let len = fs::metadata(path).map(|data| data.len()).unwrap_or(0);
        if len < n_bytes {
            return Err(CheckpointError::content(path, "it lacks generations"));
        }
        writer.truncate()?;
        Ok(writer)
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    fn truncate(&self) -> Result<(), CheckpointError> {
        let open = || -> std::io::Result<()> {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            hegemon_arena::check_place(self.path)?;
            let file = OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(false)
                .open(self.path)?;
            file.set_len(self.n_bytes)
        };
        open().map_err(|source| self.error(source))
    }

    pub(super) fn line(&mut self, value: &impl Serialize) -> Result<(), CheckpointError> {
        let mut text = serde_json::to_string(value)
            .map_err(|error| CheckpointError::content(self.path, error.to_string()))?;
        text.push('\n');
        let append = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().append(true).open(self.path)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()
        };
        append().map_err(|source| self.error(source))?;
        self.n_bytes += text.len() as u64;
        Ok(())
    }

    fn error(&self, source: std::io::Error) -> CheckpointError {
        CheckpointError::Io {
            path: self.path.to_owned(),
            source,
        }
    }
}
