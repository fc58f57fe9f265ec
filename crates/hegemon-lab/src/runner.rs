//! Runs cells in parallel, the longest first, and stores each when it is done.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use hegemon_arena::Program;

use crate::experiment::{Cell, Experiment, LabError, Mixing, RunSetting};
use crate::store::{DamagedCell, ResultStore};

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress<'a> {
    /// Cells done in this run.
    pub n_done: usize,
    /// Cells that were missing.
    pub n_cells: usize,
    /// Part of the expected work that is done.
    pub share: f64,
    /// Estimated time for the rest.
    pub left: Option<Duration>,
    /// The experiment of the cell that was done last, or comes first.
    pub experiment: &'a str,
}

/// Summary of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// Cells that were there already.
    pub n_known: usize,
    /// Cells computed now.
    pub n_done: usize,
    /// Cells still missing because the run was stopped.
    pub n_missing: usize,
    /// Damaged cells, which are computed again.
    pub damaged: Vec<DamagedCell>,
}

/// A cell to compute, as another process can find it.
#[derive(Clone, Debug, PartialEq)]
pub struct CellName {
    pub experiment: &'static str,
    pub key: String,
}

/// A computed cell: its number in the list, its value as JSON (`None` if it was
/// stopped), and the processor seconds it took.
pub type DoneCell = (usize, Result<Option<String>, LabError>, f64);

/// Computes one cell; `None` if it was stopped. The second number is the processor
/// seconds it took.
///
/// # Errors
///
/// If there is no such cell, or it fails.
pub fn run_cell(
    experiment: &Experiment,
    setting: RunSetting,
    key: &str,
    stop: &AtomicBool,
) -> Result<(Option<String>, f64), LabError> {
    let cells = (experiment.plan)(setting)?;
    let found = cells.iter().find(|cell| cell.key == key);
    let cell = found
        .ok_or_else(|| LabError::Broken(format!("{} has no cell \"{key}\"", experiment.name)))?;
    let (text, seconds) = timed(cell, stop);
    Ok((text?, seconds))
}

fn timed(cell: &Cell, stop: &AtomicBool) -> (Result<Option<String>, LabError>, f64) {
    let begun = ThreadTime::now();
    let value = (cell.job)(stop);
    let text = value.map(|value| value.map(|value| value.to_string()));
    (text, begun.elapsed().as_secs_f64())
}

/// Computes the cells of some experiments that the store lacks.
///
/// # Errors
///
/// If a cell fails, the store cannot be written, or another process computes
/// cells for it; all cells done by then are stored. Also, before anything is
/// computed, if the store has cells of these experiments by a program that plays
/// differently.
pub fn run_cells(
    experiments: &[&'static Experiment],
    setting: RunSetting,
    store: &ResultStore,
    mixing: Mixing,
    n_threads: usize,
    stop: &AtomicBool,
    progress: impl FnMut(&RunProgress<'_>),
) -> Result<RunSummary, LabError> {
    run_cells_by(
        experiments,
        setting,
        store,
        mixing,
        Some(n_threads),
        progress,
        |cells, consume| {
            for_each_done(cells, n_threads, stop, consume);
            Ok(())
        },
    )
}

/// The same with cells that `compute` computes, maybe elsewhere: it gets the cells,
/// the longest first, and delivers each when it is done, until it is told `false`.
///
/// # Errors
///
/// As [`run_cells`], and those of `compute`.
pub fn run_cells_elsewhere(
    experiments: &[&'static Experiment],
    setting: RunSetting,
    store: &ResultStore,
    mixing: Mixing,
    progress: impl FnMut(&RunProgress<'_>),
    compute: impl FnOnce(&[CellName], &mut dyn FnMut(DoneCell) -> bool) -> Result<(), LabError>,
) -> Result<RunSummary, LabError> {
    run_cells_by(
        experiments,
        setting,
        store,
        mixing,
        None,
        progress,
        |cells, consume| {
            let name = |(experiment, cell): &(&'static str, Cell)| CellName {
                experiment,
                key: cell.key.clone(),
            };
            compute(&cells.iter().map(name).collect::<Vec<_>>(), consume)
        },
    )
}

fn run_cells_by(
    experiments: &[&'static Experiment],
    setting: RunSetting,
    store: &ResultStore,
    mixing: Mixing,
    n_threads: Option<usize>,
    mut progress: impl FnMut(&RunProgress<'_>),
    compute: impl FnOnce(
        &[(&'static str, Cell)],
        &mut dyn FnMut(DoneCell) -> bool,
    ) -> Result<(), LabError>,
) -> Result<RunSummary, LabError> {
    let _lock = store.lock()?;
    let damaged = store.remove_damaged()?;
    let mut stale = store.origins(setting)?;
    stale.retain(|origin| {
        let is_asked = experiments.iter().any(|e| e.name == origin.experiment);
        is_asked && origin.signature != Program::current().signature
    });
    mixing.check(&stale)?;
    let mut cells: Vec<(&'static str, Cell)> = Vec::new();
    let mut n_known = 0;
    for experiment in experiments {
        for cell in (experiment.plan)(setting)? {
            if store.has(experiment.name, setting, &cell.key)? {
                n_known += 1;
            } else {
                cells.push((experiment.name, cell));
            }
        }
    }
    // Long cells first: what is left at the end is small.
    cells.sort_by(|(_, a), (_, b)| b.cost.total_cmp(&a.cost).then_with(|| a.key.cmp(&b.key)));
    let total: f64 = cells.iter().map(|(_, cell)| cell.cost).sum();
    let begun = Instant::now();
    let (mut n_done, mut work_done) = (0, 0.0);
    if let Some((experiment, _)) = cells.first() {
        // Costs are seconds on one core.
        let rough = n_threads.map(|n| total / n as f64);
        progress(&RunProgress {
            n_done,
            n_cells: cells.len(),
            share: 0.0,
            left: rough.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            experiment,
        });
    }
    let mut failure = None;
    let computed = compute(&cells, &mut |(number, text, seconds)| {
        let (experiment, cell) = &cells[number];
        let stored = text.and_then(|text| match text {
            Some(text) => store
                .put_text(experiment, setting, &cell.key, &text, seconds)
                .map(|()| true),
            None => Ok(false),
        });
        match stored {
            Ok(true) => {
                n_done += 1;
                work_done += cell.cost;
                let pace = begun.elapsed().as_secs_f64() / work_done.max(1e-9);
                progress(&RunProgress {
                    n_done,
                    n_cells: cells.len(),
                    share: work_done / total.max(1e-9),
                    left: Duration::try_from_secs_f64(pace * (total - work_done).max(0.0)).ok(),
                    experiment,
                });
            }
            Ok(false) => {}
            Err(error) => {
                failure.get_or_insert(error);
                return false;
            }
        }
        true
    });
    if let Some(error) = failure {
        return Err(error);
    }
    computed?;
    Ok(RunSummary {
        n_known,
        n_done,
        n_missing: cells.len() - n_done,
        damaged,
    })
}

/// Computes the cells in order and delivers each when done, until `consume`
/// returns false.
fn for_each_done(
    cells: &[(&'static str, Cell)],
    n_threads: usize,
    stop: &AtomicBool,
    consume: &mut dyn FnMut(DoneCell) -> bool,
) {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel::<DoneCell>();
    std::thread::scope(|scope| {
        for _ in 0..n_threads.max(1) {
            let (sender, next, failed) = (sender.clone(), &next, &failed);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, cell)) = cells.get(number) else {
                        return;
                    };
                    let (text, seconds) = timed(cell, stop);
                    if sender.send((number, text, seconds)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for done in receiver {
            if !consume(done) {
                failed.store(true, Ordering::Relaxed);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::experiment::{EXPERIMENTS, Scale};
    use crate::report::Report;

    #[test]
    fn cells_of_programs_that_play_differently_are_not_mixed() {
        let path = std::env::temp_dir().join(format!("hegemon-mix-{}.db", std::process::id()));
        let store = ResultStore::open_or_create(&path).expect("a new file");
        let experiment = &EXPERIMENTS[0];
        let setting = RunSetting {
            scale: Scale::Smoke,
            seed: 1,
        };
        let put = |key: &str| store.put(experiment.name, setting, key, &Value::Null, 0.1);
        put("ours").expect("stored");
        put("other").expect("stored");
        // Nothing is computed: the run is over before it begins.
        let stop = AtomicBool::new(true);
        let run = |mixing| {
            run_cells(&[experiment], setting, &store, mixing, 1, &stop, |_| ()).map(|_| ())
        };
        run(Mixing::Refused).expect("all of one program");
        Report::new(&store, setting, Mixing::Refused).expect("all of one program");
        store.pretend("other", "0.0.9, commit ab, signature 7", 7);
        let refused = run(Mixing::Refused)
            .expect_err("two signatures")
            .to_string();
        let stale = format!(
            "{}: 1 cells of 0.0.9, commit ab, signature 7",
            experiment.name
        );
        assert!(refused.contains(&stale), "{refused}");
        let report = Report::new(&store, setting, Mixing::Refused);
        assert!(matches!(report, Err(LabError::Mixed { .. })));
        run(Mixing::Allowed).expect("told to");
        let report = Report::new(&store, setting, Mixing::Allowed).expect("told to");
        assert!(report.markdown().contains(&stale));
        // A store entirely of one other program is equally stale.
        store.pretend("ours", "0.0.9, commit ab, signature 7", 7);
        let report = Report::new(&store, setting, Mixing::Refused);
        assert!(matches!(report, Err(LabError::Mixed { .. })));
        std::fs::remove_file(&path).expect("removable");
    }

    fn some_cells(name: &str) -> (std::path::PathBuf, RunSetting) {
        let path = std::env::temp_dir().join(format!("hegemon-{name}-{}.db", std::process::id()));
        let store = ResultStore::open_or_create(&path).expect("a new file");
        let setting = RunSetting {
            scale: Scale::Smoke,
            seed: 1,
        };
        for key in ["one", "other"] {
            let put = store.put(EXPERIMENTS[0].name, setting, key, &Value::from(12.5), 0.1);
            put.expect("stored");
        }
        (path, setting)
    }

    #[test]
    fn a_damaged_cell_is_named_and_computed_again() {
        let (path, setting) = some_cells("cells");
        let change = |sql: &str| {
            let connection = rusqlite::Connection::open(&path).expect("an SQLite file");
            assert_eq!(connection.execute(sql, []), Ok(1), "{sql}");
        };
        let changes = [
            "value = '12.6'",
            "seconds = 0.2",
            "signature = 7",
            "program = 'mine'",
            "day = '1999-12-31'",
            "processor = 'mine'",
            "key = 'third'",
            "scale = 'huge'",
            "seed = 2",
            "sum = ''",
        ];
        for assignment in changes {
            change(&format!(
                "UPDATE cells SET {assignment} WHERE key = 'other'"
            ));
            let store = ResultStore::open(&path).expect("a store");
            let damaged = store.damaged().expect("readable");
            assert_eq!(damaged.len(), 1, "{assignment}");
            let named = damaged[0].to_string();
            assert!(named.contains(EXPERIMENTS[0].name), "{named}");
            for error in [
                Report::new(&store, setting, Mixing::Allowed).map(|_| ()),
                store.settings().map(|_| ()),
            ] {
                let error = error.expect_err(assignment).to_string();
                assert!(error.contains(&named), "{error}");
            }
            let stop = AtomicBool::new(true);
            let run = |mixing| {
                run_cells(
                    &[&EXPERIMENTS[0]],
                    setting,
                    &store,
                    mixing,
                    1,
                    &stop,
                    |_| (),
                )
            };
            assert_eq!(run(Mixing::Refused).expect("removed").damaged, damaged);
            store.check_cells().expect("sound again");
            let put = store.put(
                EXPERIMENTS[0].name,
                setting,
                "other",
                &Value::from(12.5),
                0.1,
            );
            put.expect("computed again");
        }
        std::fs::remove_file(&path).expect("removable");
    }

    #[test]
    fn a_flipped_bit_in_a_store_is_noticed_or_changes_nothing() {
        let (path, setting) = some_cells("bits");
        let experiment = &EXPERIMENTS[0];
        let read = || -> Result<_, LabError> {
            let store = ResultStore::open(&path)?;
            store.check_cells()?;
            let results = store.results(experiment, setting)?;
            let seconds = store.seconds(experiment.name, setting)?;
            Ok((results.cells, results.program, seconds.to_bits()))
        };
        let expected = read().expect("sound");
        let bytes = std::fs::read(&path).expect("there");
        // One page of 4096 bytes has the cells; most of it is empty.
        let (mut n_refused, mut n_lost) = (0, 0);
        for bit in (0..bytes.len() * 8).step_by(7) {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, flipped).expect("writable");
            match read() {
                Ok(found) if found == expected => {}
                // A lost cell is computed again.
                Ok(found) => {
                    n_lost += 1;
                    let is_known = |(key, value)| expected.0.get(key) == Some(value);
                    assert!(found.0.iter().all(is_known), "bit {bit}");
                }
                Err(_) => n_refused += 1,
            }
        }
        assert!(n_refused > 100, "{n_refused}");
        assert!(n_lost < 100, "{n_lost}");
        std::fs::remove_file(&path).expect("removable");
    }

    #[test]
    fn a_store_of_an_older_format_is_taken_over() {
        let undated = "ALTER TABLE cells DROP COLUMN day; ALTER TABLE cells DROP COLUMN processor;";
        let unsummed = format!("{undated} ALTER TABLE cells DROP COLUMN sum;");
        for (format, lacks) in [(3, undated), (2, unsummed.as_str())] {
            let (path, setting) = some_cells(&format!("format-{format}"));
            let connection = rusqlite::Connection::open(&path).expect("an SQLite file");
            let older =
                format!("{lacks} UPDATE lab SET format = {format}; PRAGMA user_version = {format}");
            connection.execute_batch(&older).expect("sound SQL");
            drop(connection);
            for _ in 0..2 {
                let store = ResultStore::open(&path).expect("taken over");
                store.check_cells().expect("sound");
                let results = store.results(&EXPERIMENTS[0], setting).expect("readable");
                assert_eq!(results.cells.len(), 2);
                let making = store.making(setting).expect("readable");
                assert_eq!(making, crate::making::Making::default());
            }
            std::fs::remove_file(&path).expect("removable");
        }
    }

    #[test]
    fn days_and_processors_are_written_down() {
        let (path, setting) = some_cells("making");
        let making = ResultStore::open(&path)
            .and_then(|store| store.making(setting))
            .expect("readable");
        let (first, last) = making.days.clone().expect("today");
        assert!(first.starts_with("20") && first <= last, "{first}");
        assert_eq!(making.processors.len(), 1);
        std::fs::remove_file(&path).expect("removable");
    }
}
