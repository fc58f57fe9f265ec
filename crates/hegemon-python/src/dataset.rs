//! Data sets: games as tables.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::{Match, Program};
use hegemon_bots::Spec;
use hegemon_learn::dataset::{ColumnKind, Row, RowReader, RowWriter, play_row_range};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bots::{grants, spec_of};
use crate::errors::{invalid, sentence};
use crate::game::GameArg;

/// Plays games and writes their rows. With `blocks`, only those of these blocks. Returns how
/// many rows there are.
#[pyfunction]
#[pyo3(signature = (path, game, bots, *, games, seed=1, threads=1, blocks=None))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn write_dataset(
    py: Python<'_>,
    path: PathBuf,
    game: GameArg<'_>,
    bots: Vec<Bound<'_, PyAny>>,
    games: u64,
    seed: u64,
    threads: usize,
    blocks: Option<(u64, u64)>,
) -> PyResult<u64> {
    let specs = bots.iter().map(spec_of).collect::<PyResult<Vec<Spec>>>()?;
    let game = game.game();
    if specs.len() != game.n_players() {
        return Err(invalid(format!(
            "{} bots for a game of {}",
            specs.len(),
            game.n_players()
        )));
    }
    let of = Match {
        game,
        specs,
        n_games: games.max(1),
        seed,
        n_threads: threads.clamp(1, 256),
        grants: grants(),
        records: None,
    };
    let (first, end) = blocks.unwrap_or((0, of.n_blocks()));
    let mut writer = RowWriter::create(&path, of.specs.len(), &notes()).map_err(sentence)?;
    let stop = AtomicBool::new(false);
    let (mut n_rows, mut interrupt) = (0, None);
    py.detach(|| {
        play_row_range(&of, first..end.min(of.n_blocks()), &stop, |rows| {
            let signals = Python::attach(|py| {
                py.check_signals()?;
                Ok(())
            });
            if let Err(error) = signals {
                interrupt = Some(error);
                stop.store(true, Ordering::Relaxed);
            }
            n_rows += rows.len() as u64;
            rows.into_iter().try_for_each(|row| writer.write(row))
        })
    })
    .map_err(sentence)?;
    match interrupt {
        Some(error) => Err(error),
        None => {
            writer.finish().map_err(sentence)?;
            Ok(n_rows)
        }
    }
}

fn notes() -> [(&'static str, String); 1] {
    [("hegemon.program", Program::current().to_string())]
}

/// Writes the rows of several data sets into one, in order. Returns how many there are.
#[pyfunction]
pub(crate) fn join_datasets(py: Python<'_>, path: PathBuf, parts: Vec<PathBuf>) -> PyResult<u64> {
    py.detach(|| {
        let mut n_players = None;
        for part in &parts {
            let n = RowReader::open(part)
                .map_err(sentence)?
                .columns()
                .n_players();
            if *n_players.get_or_insert(n) != n {
                return Err(invalid(
                    "the parts are of games for different numbers of players",
                ));
            }
        }
        let n_players = n_players.ok_or_else(|| invalid("there is no part to join"))?;
        let mut writer = RowWriter::create(&path, n_players, &notes()).map_err(sentence)?;
        let mut n_rows = 0;
        for part in &parts {
            for row in RowReader::open(part).map_err(sentence)? {
                writer.write(row.map_err(sentence)?).map_err(sentence)?;
                n_rows += 1;
            }
        }
        writer.finish().map_err(sentence)?;
        Ok(n_rows)
    })
}

/// The columns of a data set by name: arrays of numbers, lists of texts.
#[pyfunction]
pub(crate) fn read_dataset(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let read = py.detach(|| {
        let reader = RowReader::open(&path)?;
        let columns = reader.columns().clone();
        let rows = reader.collect::<Result<Vec<Row>, _>>()?;
        Ok((columns, rows))
    });
    let (columns, rows) =
        read.map_err(|error: hegemon_learn::dataset::DatasetError| sentence(error))?;
    let of_kind = |wanted: ColumnKind| {
        let known = columns.iter().filter(move |(_, kind)| *kind == wanted);
        known.map(|(name, _)| name).collect::<Vec<&str>>()
    };
    let dict = PyDict::new(py);
    let whole: Vec<[u64; 6]> = rows.iter().map(Row::whole).collect();
    // The last whole column of a file is its checksum, which the reader has used up.
    for (n, name) in of_kind(ColumnKind::Whole).iter().take(6).enumerate() {
        let column = whole.iter().map(|row| row[n]).collect();
        dict.set_item(name, PyArray1::from_vec(py, column))?;
    }
    for (n, name) in of_kind(ColumnKind::Text).iter().enumerate() {
        let column: Vec<&str> = rows.iter().map(|row| row.text()[n]).collect();
        dict.set_item(name, column)?;
    }
    let real: Vec<Vec<f64>> = rows.iter().map(|row| row.real().collect()).collect();
    for (n, name) in of_kind(ColumnKind::Real).iter().enumerate() {
        let column = real.iter().map(|row| row[n]).collect();
        dict.set_item(name, PyArray1::from_vec(py, column))?;
    }
    Ok(dict)
}
