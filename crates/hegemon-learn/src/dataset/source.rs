//! Sources and sinks of rows: games played now, records, files.

use std::fmt::Display;
use std::fs::File;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use hegemon_arena::{
    GameNumber, GameSetup, Match, Observer as _, Plan, Played, Unfinished, deal_seed, header_of,
    play_blocks, play_game,
};
use hegemon_bots::SpecError;
use hegemon_core::Event;
use hegemon_record::{GameRecord, RecordError, Replay};
use thiserror::Error;

use super::chain::RowChain;
use super::collect::RowCollector;
use super::csv_file::{CsvReader, CsvWriter};
use super::parquet_file::{ParquetReader, ParquetWriter};
use super::row::{Columns, Row};

/// A data set that cannot be written or read.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum DatasetError {
    #[error("{path}: {message}")]
    Io { path: PathBuf, message: String },
    #[error("{0} is not a data set of this program")]
    NotADataset(PathBuf),
    #[error("{0} must end in .parquet or .csv")]
    Extension(PathBuf),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{path}: {error}")]
    Record { path: PathBuf, error: RecordError },
}

impl DatasetError {
    pub(super) fn io(path: &Path, error: &impl Display) -> DatasetError {
        DatasetError::Io {
            path: path.to_owned(),
            message: error.to_string(),
        }
    }

    pub(super) fn not_a_dataset(path: &Path) -> DatasetError {
        DatasetError::NotADataset(path.to_owned())
    }
}

/// Plays the games of a match, each with its own deal, and delivers their rows
/// game by game, in order. No records are written.
///
/// # Errors
///
/// If a spec cannot be used, or the first error of `consume`.
pub fn play_rows(
    games: &Match,
    stop: &AtomicBool,
    consume: impl FnMut(Vec<Row>) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    play_row_range(games, 0..games.n_blocks(), stop, consume)
}

/// The same for the blocks with these numbers, so that many processes can share the work.
///
/// # Errors
///
/// As [`play_rows`].
pub fn play_row_range(
    games: &Match,
    blocks: Range<u64>,
    stop: &AtomicBool,
    mut consume: impl FnMut(Vec<Row>) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    games.check()?;
    let n_orders = games.block_size();
    play_blocks(
        &games.grounds(),
        blocks,
        stop,
        |block| {
            let deal_seed = deal_seed(games.seed, "dataset", block);
            Ok(Plan::rotated(deal_seed, games.specs.clone()))
        },
        |setup, number| play(setup, number, n_orders),
        |_, games| {
            games.into_iter().try_for_each(&mut consume)?;
            Ok(ControlFlow::Continue(()))
        },
    )
}

fn play(
    setup: &GameSetup<'_>,
    number: GameNumber,
    n_orders: u64,
) -> Result<(Played, Vec<Row>), DatasetError> {
    let mut collector = RowCollector::new();
    let played = play_game(setup, &mut collector)?;
    let game = number.block * n_orders + number.game;
    let rows = collector.rows(game, &header_of(setup), &played);
    Ok((played, rows))
}

/// The rows of a recorded game.
///
/// # Errors
///
/// If the record does not replay.
pub fn rows_of_record(game: u64, record: &GameRecord) -> Result<Vec<Row>, RecordError> {
    let mut replay = Replay::new(record)?;
    let mut collector = RowCollector::new();
    let (mut rounds, mut n_moves) = (0, 0);
    for &(event, _) in &record.events {
        collector.on_event(replay.state(), event);
        rounds = replay.state().round();
        n_moves += u32::from(matches!(event, Event::Move(_)));
        replay.step()?;
    }
    let last = replay.finish()?;
    let played = Played::of(&last, record.end.termination, record.header.seed);
    let Some(played) = played else {
        return Ok(Vec::new());
    };
    let played = Played {
        rounds,
        n_moves,
        ..played
    };
    Ok(collector.rows(game, &record.header, &played))
}

/// A row with the checksum that it carries; older files have none.
pub(super) struct Summed {
    pub(super) row: Row,
    pub(super) sum: Option<u64>,
}

/// Writes a data set; the file extension selects the format. The file has a
/// temporary name until it is complete, and is removed if the writer does not
/// complete it.
pub struct RowWriter {
    path: PathBuf,
    sink: Sink,
    draft: Unfinished,
    chain: RowChain,
    /// The most recent row, held back until it is known whether it is the last.
    waiting: Option<Row>,
}

enum Sink {
    Csv(Box<CsvWriter>),
    Parquet(Box<ParquetWriter>),
}

impl RowWriter {
    /// Starts a file for games of `n_players`. `notes` go into the metadata of
    /// a Parquet file.
    ///
    /// # Errors
    ///
    /// If the extension is unknown or the file cannot be created.
    pub fn create(
        path: &Path,
        n_players: usize,
        notes: &[(&str, String)],
    ) -> Result<RowWriter, DatasetError> {
        let io = |error: &dyn Display| DatasetError::io(path, &error);
        let columns = Columns::new(n_players);
        let draft = Unfinished::of(path).map_err(|error| io(&error))?;
        draft.sweep();
        let file = || File::create(draft.draft()).map_err(|error| io(&error));
        let sink = match extension(path) {
            "csv" => {
                let csv = CsvWriter::create(file()?, &columns);
                Sink::Csv(Box::new(csv.map_err(|error| io(&error))?))
            }
            "parquet" => {
                let parquet = ParquetWriter::create(file()?, &columns, notes);
                Sink::Parquet(Box::new(parquet.map_err(|error| io(&error))?))
            }
            _ => return Err(DatasetError::Extension(path.to_owned())),
        };
        Ok(RowWriter {
            path: path.to_owned(),
            sink,
            draft,
            chain: RowChain::new(n_players),
            waiting: None,
        })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&mut self, row: Row) -> Result<(), DatasetError> {
        let sum = self.chain.sum();
        self.chain.add(&row);
        match self.waiting.replace(row) {
            Some(before) => self.put(before, sum),
            None => Ok(()),
        }
    }

    fn put(&mut self, row: Row, sum: u64) -> Result<(), DatasetError> {
        match &mut self.sink {
            Sink::Csv(csv) => csv
                .write(&row, sum)
                .map_err(|e| DatasetError::io(&self.path, &e)),
            Sink::Parquet(file) => file
                .write(row, sum)
                .map_err(|e| DatasetError::io(&self.path, &e)),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(), DatasetError> {
        if let Some(last) = self.waiting.take() {
            self.put(last, self.chain.last_sum())?;
        }
        match self.sink {
            Sink::Csv(csv) => csv.finish().map_err(|e| DatasetError::io(&self.path, &e)),
            Sink::Parquet(file) => file.finish().map_err(|e| DatasetError::io(&self.path, &e)),
        }?;
        let finished = self.draft.finish();
        finished.map_err(|e| DatasetError::io(&self.path, &e))
    }
}

/// Reads a data set row by row, and rejects damaged rows.
pub struct RowReader {
    path: PathBuf,
    file: Opened,
    chain: RowChain,
    n_rows: u64,
    /// Whether the row read last is the last of the file.
    has_ended: bool,
}

enum Opened {
    Csv(Box<CsvReader>),
    Parquet(Box<ParquetReader>),
}

impl RowReader {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not a data set.
    pub fn open(path: &Path) -> Result<RowReader, DatasetError> {
        let file = match extension(path) {
            "csv" => Opened::Csv(Box::new(CsvReader::open(path)?)),
            "parquet" => Opened::Parquet(Box::new(ParquetReader::open(path)?)),
            _ => return Err(DatasetError::Extension(path.to_owned())),
        };
        let n_players = file.columns().n_players();
        Ok(RowReader {
            path: path.to_owned(),
            file,
            chain: RowChain::new(n_players),
            n_rows: 0,
            has_ended: false,
        })
    }

    /// The file's columns.
    pub fn columns(&self) -> &Columns {
        self.file.columns()
    }

    /// The next row; the error is a sentence.
    fn next_row(&mut self) -> Result<Option<Row>, String> {
        let next = match &mut self.file {
            Opened::Csv(csv) => csv.next_row(),
            Opened::Parquet(file) => file.next_row(),
        }?;
        let has_sums = self.columns().has_sum();
        let Some(Summed { row, sum }) = next else {
            if has_sums && !self.has_ended {
                return Err(format!("it was cut off after {} rows", self.n_rows));
            }
            return Ok(None);
        };
        self.n_rows += 1;
        self.chain.add(&row);
        if has_sums {
            let is_last = sum == Some(self.chain.last_sum());
            if self.has_ended || !(is_last || sum == Some(self.chain.sum())) {
                let n = self.n_rows;
                return Err(format!("row {n} is damaged or out of order"));
            }
            self.has_ended = is_last;
        }
        Ok(Some(row))
    }
}

impl Opened {
    fn columns(&self) -> &Columns {
        match self {
            Opened::Csv(csv) => csv.columns(),
            Opened::Parquet(file) => file.columns(),
        }
    }
}

impl Iterator for RowReader {
    type Item = Result<Row, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_row();
        next.map_err(|message| DatasetError::Io {
            path: self.path.clone(),
            message,
        })
        .transpose()
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}
