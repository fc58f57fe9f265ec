//! Records of games.

use std::path::PathBuf;

use hegemon_record::{GameRecord, Replay};
use pyo3::prelude::*;

use crate::errors::{invalid, sentence};
use crate::game::PyGame;
use crate::state::PyState;

/// A recorded game: who played, every event, and the end.
///
/// >>> record = play(["baseline", "random"], rules="sampling", seed=3)
/// >>> record.verify().is_over, record.players
/// (True, ['baseline', 'random'])
#[pyclass(name = "Record", module = "hegemon", frozen)]
pub(crate) struct PyRecord {
    text: String,
    record: GameRecord,
}

impl PyRecord {
    pub(crate) fn of(text: String) -> PyResult<PyRecord> {
        let record = GameRecord::parse(&text).map_err(sentence)?;
        Ok(PyRecord { text, record })
    }

    pub(crate) fn record(&self) -> &GameRecord {
        &self.record
    }
}

#[pymethods]
impl PyRecord {
    /// The record of a text.
    #[new]
    fn new(text: String) -> PyResult<PyRecord> {
        PyRecord::of(text)
    }

    /// Reads a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<PyRecord> {
        let shown = path.display();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| invalid(format!("cannot read {shown}: {error}")))?;
        PyRecord::of(text).map_err(|error| invalid(format!("{shown}: {}", plain(&error))))
    }

    /// Writes a file, which gets its name when it is complete.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        hegemon_arena::write_whole(&path, self.text.as_bytes())
            .map_err(|error| invalid(format!("cannot write {}: {error}", path.display())))
    }

    /// The record as text.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn players(&self) -> Vec<String> {
        self.record.header.players.clone()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.record.header.seed
    }

    #[getter]
    fn program(&self) -> String {
        self.record.header.program.to_string()
    }

    #[getter]
    fn game(&self) -> PyResult<PyGame> {
        self.record.header.game().map(PyGame::of).map_err(sentence)
    }

    /// Every move and outcome, in notation.
    #[getter]
    fn events(&self) -> Vec<String> {
        let events = self.record.events.iter();
        events.map(|(event, _)| event.to_string()).collect()
    }

    /// How the game ended, in a word.
    #[getter]
    fn ending(&self) -> String {
        self.record.end.termination.to_string()
    }

    /// The share of the win of every seat.
    #[getter]
    fn scores(&self) -> Vec<f64> {
        self.record.end.score.clone()
    }

    /// Replays the game and returns its last state; an error if it does not end as it says.
    fn verify(&self, py: Python<'_>) -> PyResult<PyState> {
        py.detach(|| self.record.verify())
            .map(PyState::of)
            .map_err(sentence)
    }

    /// The states of the game: before the first event, and after each.
    fn states(&self, py: Python<'_>) -> PyResult<Vec<PyState>> {
        py.detach(|| {
            let mut replay = Replay::new(&self.record)?;
            let mut states = vec![PyState::of(replay.state().clone())];
            while replay.step()?.is_some() {
                states.push(PyState::of(replay.state().clone()));
            }
            Ok(states)
        })
        .map_err(|error: hegemon_record::RecordError| sentence(error))
    }

    fn __len__(&self) -> usize {
        self.record.events.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "Record({}, {}, seed {}, {} events, {})",
            self.record.header.map,
            self.record.header.players.join(" v "),
            self.record.header.seed,
            self.record.events.len(),
            self.ending()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (py.get_type::<PyRecord>(), (self.text.clone(),))
    }
}

/// The sentence of an exception without its type.
fn plain(error: &PyErr) -> String {
    Python::attach(|py| error.value(py).to_string())
}
