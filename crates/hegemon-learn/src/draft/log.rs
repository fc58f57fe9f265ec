//! The drafts played so far, on disk: a header line, then one line per draft with its checksum.
//! A line cut off when the program was killed is played again.

use std::fs::{self, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use hegemon_arena::check_place;
use hegemon_core::PlayerId;

use super::{DraftRow, DraftTraining};
use crate::checkpoint::{CheckpointError, sum_of, write_whole};

/// Replaces the owners of a draft that a drafter forfeited.
const FORFEITED: &str = "forfeited";

/// The rows of a run as lines of text, which keep every number to the last digit.
#[derive(Clone, Copy, Debug)]
pub struct RowForm {
    n_players: usize,
    n_territories: usize,
    n_games: u32,
}

impl RowForm {
    /// The form of the rows of a run.
    pub fn of(params: &DraftTraining) -> RowForm {
        RowForm {
            n_players: params.game.n_players(),
            n_territories: params.game.map().n_territories(),
            n_games: params.n_games,
        }
    }

    /// The line of a row, without its line break.
    pub fn line(number: usize, row: &DraftRow) -> String {
        let owners: String = row
            .owners
            .iter()
            .map(|owner| char::from(b'0' + owner.index() as u8))
            .collect();
        let owners = if row.is_drafted() { &owners } else { FORFEITED };
        let wins: String = row.wins.iter().map(|wins| format!(" {wins}")).collect();
        let line = format!("{number} {owners} {}{wins}", row.n_forfeits);
        format!("{line} {}", sum_of(&line))
    }

    /// The row of a line, if it has this number and is undamaged.
    pub fn row(&self, number: usize, line: &str) -> Option<DraftRow> {
        let (line, sum) = line.rsplit_once(' ')?;
        if sum_of(line) != sum {
            return None;
        }
        let mut words = line.split(' ');
        if words.next()?.parse::<usize>().ok()? != number {
            return None;
        }
        let owner = |byte: u8| {
            let owner = usize::from(byte.checked_sub(b'0')?);
            (owner < self.n_players).then(|| PlayerId::new(owner))
        };
        let owners: Vec<PlayerId> = match words.next()? {
            FORFEITED => Vec::new(),
            digits => digits.bytes().map(owner).collect::<Option<_>>()?,
        };
        let n_forfeits = words.next()?.parse().ok()?;
        let wins: Vec<f64> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let is_whole = owners.len() == self.n_territories && wins.len() == self.n_players;
        let is_forfeited = owners.is_empty() && wins.is_empty() && n_forfeits > 0;
        (is_whole || is_forfeited).then_some(DraftRow {
            owners,
            wins,
            n_games: if is_whole { self.n_games } else { 0 },
            n_forfeits,
        })
    }
}

/// A file of drafts.
#[derive(Clone, Debug)]
pub struct DraftLog {
    path: PathBuf,
    header: String,
    form: RowForm,
    /// Number of bytes of complete lines.
    end: u64,
}

impl DraftLog {
    /// The log of a run. The number of drafts is not in its header: a run may be
    /// made longer.
    pub fn new(path: &Path, params: &DraftTraining) -> DraftLog {
        DraftLog {
            path: path.to_owned(),
            header: format!(
                "hegemon drafts 2 game={:016x} bot={} games={} seed={}{}",
                params.game.hash(),
                params.bot,
                params.n_games,
                params.seed,
                params
                    .drafter
                    .as_ref()
                    .map_or(String::new(), |d| format!(" drafter={d}"))
            ),
            form: RowForm::of(params),
            end: 0,
        }
    }

    /// The drafts in the file, at most `n`; none if there is no file. Anything
    /// after them is dropped when rows are added.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or belongs to another run.
    pub fn read(&mut self, n: usize) -> Result<Vec<DraftRow>, CheckpointError> {
        let read = check_place(&self.path).and_then(|()| fs::read_to_string(&self.path));
        let text = match read {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(self.io(source)),
        };
        // Anything after the last line break is a truncated line.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines();
        match lines.next() {
            None => return Ok(Vec::new()),
            Some(line) if line != self.header => {
                let reason = "it was made with other parameters";
                return Err(CheckpointError::content(&self.path, reason));
            }
            Some(_) => {}
        }
        self.end = self.header.len() as u64 + 1;
        let mut rows = Vec::new();
        for (number, line) in lines.take(n).enumerate() {
            let Some(row) = self.form.row(number, line) else {
                let reason = format!("line {} is wrong", number + 2);
                return Err(CheckpointError::content(&self.path, reason));
            };
            rows.push(row);
            self.end += line.len() as u64 + 1;
        }
        Ok(rows)
    }

    /// Adds rows after those that were read or added; `n_before` is how many
    /// these are.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn append(&mut self, n_before: usize, rows: &[DraftRow]) -> Result<(), CheckpointError> {
        if self.end == 0 {
            let header = format!("{}\n", self.header);
            write_whole(&self.path, &header)?;
            self.end = header.len() as u64;
        }
        let lines: String = rows
            .iter()
            .enumerate()
            .map(|(n, row)| RowForm::line(n_before + n, row) + "\n")
            .collect();
        let write = || -> io::Result<()> {
            let mut file = OpenOptions::new().write(true).open(&self.path)?;
            file.set_len(self.end)?;
            file.seek(io::SeekFrom::Start(self.end))?;
            file.write_all(lines.as_bytes())?;
            file.sync_data()
        };
        write().map_err(|source| self.io(source))?;
        self.end += lines.len() as u64;
        Ok(())
    }

    fn io(&self, source: io::Error) -> CheckpointError {
        CheckpointError::Io {
            path: self.path.clone(),
            source,
        }
    }
}
