//! Games: a map, rules and a number of players.

use std::sync::Arc;

use hegemon_core::Game;
use pyo3::prelude::*;

use crate::errors::sentence;
use crate::map::{MapArg, PyMap};
use crate::rules::{PyRules, RulesArg};
use crate::state::PyState;

/// A map, rules and a number of players.
///
/// >>> Game("classic", "lux", players=3).deal(7).phase
/// 'setup'
#[pyclass(name = "Game", module = "hegemon", frozen)]
pub(crate) struct PyGame(Arc<Game>);

/// A game.
pub(crate) struct GameArg<'py>(Bound<'py, PyGame>);

impl<'py> FromPyObject<'_, 'py> for GameArg<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<GameArg<'py>> {
        Ok(GameArg(object.cast::<PyGame>()?.to_owned()))
    }
}

impl GameArg<'_> {
    pub(crate) fn game(&self) -> Arc<Game> {
        Arc::clone(&self.0.get().0)
    }
}

impl PyGame {
    pub(crate) fn of(game: Arc<Game>) -> PyGame {
        PyGame(game)
    }
}

/// The game of a map, rules and a number of players; by default, the fewest that the rules
/// allow.
pub(crate) fn resolve(
    map: Option<&MapArg<'_>>,
    rules: Option<&RulesArg<'_>>,
    players: Option<usize>,
) -> PyResult<Arc<Game>> {
    let map = match map {
        Some(map) => map.map()?,
        None => MapArg::Name("classic".to_owned()).map()?,
    };
    let rules = match rules {
        Some(rules) => rules.rules()?,
        None => RulesArg::Name("classic".to_owned()).rules()?,
    };
    let players = players.unwrap_or(usize::from(rules.players[0]));
    Game::new((*map).clone(), rules, players).map_err(sentence)
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (map=None, rules=None, players=None))]
    fn new(
        map: Option<MapArg<'_>>,
        rules: Option<RulesArg<'_>>,
        players: Option<usize>,
    ) -> PyResult<PyGame> {
        resolve(map.as_ref(), rules.as_ref(), players).map(PyGame)
    }

    /// The state before the deal; the first events are chance.
    fn start(&self) -> PyState {
        PyState::of(self.0.start())
    }

    /// The state after the deal of a seed.
    fn deal(&self, seed: u64) -> PyState {
        PyState::of(self.0.deal(seed))
    }

    #[getter]
    fn map(&self) -> PyMap {
        PyMap(Arc::new(self.0.map().clone()))
    }

    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.0.rules().clone())
    }

    #[getter]
    fn players(&self) -> usize {
        self.0.n_players()
    }

    /// Hash of map, rules and number of players.
    #[getter]
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyGame>();
        other.is_ok_and(|other| other.get().0.hash() == self.0.hash())
    }

    fn __hash__(&self) -> u64 {
        self.0.hash()
    }

    fn __repr__(&self) -> String {
        format!(
            "Game({:?}, {} players, {})",
            self.0.map().name(),
            self.0.n_players(),
            PyRules(self.0.rules().clone()).repr()
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, pyo3::types::PyType>, (PyMap, PyRules, usize)) {
        let parts = (self.map(), self.rules(), self.players());
        (py.get_type::<PyGame>(), parts)
    }
}
