//! The lab: published tables and figures, run again. Cells may be computed elsewhere.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use hegemon_lab::{
    CellName, DoneCell, EXPERIMENTS, Format, LabError, Mixing, Report, ResultStore, RunProgress,
    RunSetting, SOLVED_POSITIONS, Scale, chosen, experiment, run_cell, run_cells,
    run_cells_elsewhere,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::errors::{invalid, sentence};
use crate::watch::{Watch, n_threads};

/// The experiments of the lab: name, paper, what it shows.
///
/// >>> lab.experiments()[0]["name"]
/// '000-pool'
#[pyfunction]
pub(crate) fn experiments(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    EXPERIMENTS
        .iter()
        .map(|experiment| {
            let entry = PyDict::new(py);
            entry.set_item("name", experiment.name)?;
            entry.set_item("paper", experiment.paper)?;
            entry.set_item("what", experiment.what)?;
            Ok(entry)
        })
        .collect()
}

/// The solved endings that come with the lab, as JSON.
#[pyfunction]
pub(crate) fn solved_endings() -> &'static str {
    SOLVED_POSITIONS
}

fn setting_of(scale: &str, seed: u64) -> PyResult<RunSetting> {
    let scale: Scale = scale.parse().map_err(sentence)?;
    Ok(RunSetting { scale, seed })
}

/// Computes the cells that a store lacks, and returns a summary as JSON. `compute(cells)`
/// computes them elsewhere: it gets pairs of experiment and key, and gives, in any order, the
/// number of a cell in that list with what `lab_cell` makes of it.
#[pyfunction]
#[pyo3(signature = (store, names, *, scale, seed=1, mix=false, threads=None, progress=None,
                    compute=None))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn run_lab(
    py: Python<'_>,
    store: PathBuf,
    names: Vec<String>,
    scale: &str,
    seed: u64,
    mix: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    compute: Option<Py<PyAny>>,
) -> PyResult<String> {
    let setting = setting_of(scale, seed)?;
    let experiments = chosen(&names).map_err(sentence)?;
    if let Some(obstacle) = experiments.iter().find_map(|e| e.obstacle()) {
        return Err(invalid(obstacle));
    }
    let mixing = if mix {
        Mixing::Allowed
    } else {
        Mixing::Refused
    };
    let watch = RefCell::new(Watch::new(progress));
    let (watch, summary) = py.detach(move || {
        let stop = AtomicBool::new(false);
        let report = |progress: &RunProgress<'_>| {
            let (done, of) = (progress.n_done as u64, progress.n_cells as u64);
            watch.borrow_mut().see(&stop, done, of);
        };
        let run = || {
            let store = ResultStore::open_or_create(&store)?;
            match &compute {
                None => {
                    let threads = n_threads(threads);
                    run_cells(
                        &experiments,
                        setting,
                        &store,
                        mixing,
                        threads,
                        &stop,
                        report,
                    )
                }
                Some(compute) => {
                    run_cells_elsewhere(&experiments, setting, &store, mixing, report, |c, d| {
                        computed_elsewhere(compute, c, d).map_err(|error| {
                            watch.borrow_mut().fail(error, &stop);
                            LabError::Broken("the cells were not computed elsewhere".to_owned())
                        })
                    })
                }
            }
        };
        let summary = run();
        (watch, summary)
    });
    let summary = watch.into_inner().end(summary)?;
    Ok(json!({
        "known": summary.n_known,
        "done": summary.n_done,
        "missing": summary.n_missing,
    })
    .to_string())
}

fn computed_elsewhere(
    compute: &Py<PyAny>,
    cells: &[CellName],
    consume: &mut dyn FnMut(DoneCell) -> bool,
) -> PyResult<()> {
    Python::attach(|py| {
        let names = cells.iter().map(|cell| (cell.experiment, cell.key.clone()));
        let names: Vec<(&str, String)> = names.collect();
        let mut is_done = vec![false; cells.len()];
        for item in compute.bind(py).call1((names,))?.try_iter()? {
            let (number, (text, seconds)): (usize, (String, f64)) = item?.extract()?;
            if is_done.get(number) != Some(&false) {
                return Err(invalid(format!("cell {number} came back unasked")));
            }
            is_done[number] = true;
            if !consume((number, Ok(Some(text)), seconds)) {
                break;
            }
        }
        Ok(())
    })
}

/// Computes a cell: its value as JSON, and the processor seconds that it took.
#[pyfunction]
pub(crate) fn lab_cell(
    py: Python<'_>,
    name: &str,
    key: &str,
    scale: &str,
    seed: u64,
) -> PyResult<(String, f64)> {
    let setting = setting_of(scale, seed)?;
    let experiment = experiment(name).map_err(sentence)?;
    let never = AtomicBool::new(false);
    let (text, seconds) = py
        .detach(|| run_cell(experiment, setting, key, &never))
        .map_err(sentence)?;
    let text = text.ok_or_else(|| invalid("the cell was stopped"))?;
    Ok((text, seconds))
}

/// Writes the report of what a store holds as HTML and Markdown, and returns the files.
#[pyfunction]
#[pyo3(signature = (store, out, *, scale, seed=1, mix=false))]
pub(crate) fn lab_report(
    py: Python<'_>,
    store: PathBuf,
    out: PathBuf,
    scale: &str,
    seed: u64,
    mix: bool,
) -> PyResult<Vec<PathBuf>> {
    let setting = setting_of(scale, seed)?;
    let mixing = if mix {
        Mixing::Allowed
    } else {
        Mixing::Refused
    };
    py.detach(|| {
        let store = ResultStore::open(&store)?;
        Report::new(&store, setting, mixing)?.write(&out, Format::Both)
    })
    .map_err(|error: LabError| sentence(error))
}
