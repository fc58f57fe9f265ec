//! States and their chance.

use std::sync::Arc;

use hegemon_core::{Event, Node, Outcome, PlayerId, State, Streams, Termination, View};
use hegemon_protocol::owner_number;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board_svg::state_svg;
use crate::errors::{IllegalMoveError, invalid, sentence};
use crate::game::{GameArg, PyGame};
use crate::map::PyMap;
use crate::moves::{MoveArg, PyMove, card_number, in_words};
use crate::view::PyView;

/// A state of a game: at a decision of one player, at chance, or over.
///
/// >>> state = Game("duel6", "sampling", players=2).deal(1)
/// >>> state.play(state.legal_moves()[0])
/// >>> State(state.game, state.position) == state
/// True
#[pyclass(name = "State", module = "hegemon")]
pub(crate) struct PyState {
    state: State,
}

impl PyState {
    pub(crate) fn of(state: State) -> PyState {
        PyState { state }
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }
}

/// A seat of the game.
pub(crate) fn seat_of(state: &State, seat: usize) -> PyResult<PlayerId> {
    let n_players = state.game().n_players();
    if seat < n_players {
        Ok(PlayerId::new(seat))
    } else {
        Err(invalid(format!(
            "there is no seat {seat} in a game of {n_players}"
        )))
    }
}

/// The owner of every territory: a seat, -1 for nobody, -2 for the neutral army.
pub(crate) fn owners<'py>(py: Python<'py>, state: &State) -> Bound<'py, PyArray1<i8>> {
    let map = state.game().map();
    let owners = map.territories().map(|t| state.board().owner(t));
    PyArray1::from_vec(py, owners.map(owner_number).collect())
}

/// The armies on every territory.
pub(crate) fn armies<'py>(py: Python<'py>, state: &State) -> Bound<'py, PyArray1<i64>> {
    let map = state.game().map();
    let armies = map
        .territories()
        .map(|t| i64::from(state.board().armies(t)));
    PyArray1::from_vec(py, armies.collect())
}

#[pymethods]
impl PyState {
    /// The state of a position string.
    #[new]
    fn new(game: GameArg<'_>, position: &str) -> PyResult<PyState> {
        State::from_position(&game.game(), position)
            .map(PyState::of)
            .map_err(sentence)
    }

    #[getter]
    fn game(&self) -> PyGame {
        PyGame::of(Arc::clone(self.state.game()))
    }

    #[getter]
    fn map(&self) -> PyMap {
        PyMap(Arc::new(self.state.game().map().clone()))
    }

    /// The state as text, which `State(game, text)` reads.
    #[getter]
    fn position(&self) -> String {
        self.state.to_position()
    }

    #[getter]
    fn phase(&self) -> &'static str {
        self.state.phase().name()
    }

    /// Whose turn it is, also at chance; `None` at the end.
    #[getter]
    fn player(&self) -> Option<usize> {
        (!self.is_over()).then(|| self.state.player().index())
    }

    #[getter]
    fn is_chance(&self) -> bool {
        self.state.node() == Node::Chance
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.state.node() == Node::Terminal
    }

    /// The round, from 1; 0 during the setup.
    #[getter]
    fn round(&self) -> u32 {
        self.state.round()
    }

    /// Armies that the player must still place.
    #[getter]
    fn to_place(&self) -> u32 {
        self.state.to_place()
    }

    /// The players still in the game.
    #[getter]
    fn alive(&self) -> Vec<usize> {
        self.state.alive().map(PlayerId::index).collect()
    }

    /// The owner of every territory: a seat, -1 for nobody, -2 for the neutral army.
    #[getter]
    fn owners<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        owners(py, &self.state)
    }

    /// The armies on every territory.
    #[getter]
    fn armies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        armies(py, &self.state)
    }

    /// A player's income if its turn started now, without cards.
    fn income(&self, player: usize) -> PyResult<u32> {
        Ok(self.state.income(seat_of(&self.state, player)?))
    }

    /// A player's cards: numbers of territories, `None` for a wild card.
    fn hand(&self, player: usize) -> PyResult<Vec<Option<usize>>> {
        let hand = self.state.hand(seat_of(&self.state, player)?);
        Ok(hand.cards().map(|card| card_number(&card)).collect())
    }

    /// All legal moves; none at chance and at the end.
    fn legal_moves(&self) -> Vec<PyMove> {
        self.state.legal_moves().into_iter().map(PyMove).collect()
    }

    fn is_legal(&self, mv: MoveArg<'_>) -> PyResult<bool> {
        Ok(self.state.is_legal(mv.get()?))
    }

    /// Plays a legal move.
    fn play(&mut self, mv: MoveArg<'_>) -> PyResult<()> {
        let mv = mv.get()?;
        self.state
            .play(mv)
            .map_err(|error| IllegalMoveError::new_err(error.to_string()))
    }

    /// The possible outcomes with their probabilities; none unless at chance.
    fn outcomes(&self) -> Vec<(String, f64)> {
        let total = self.state.chance_total() as f64;
        let mut outcomes = Vec::new();
        self.state.for_each_outcome(|outcome, weight| {
            outcomes.push((outcome.to_string(), weight as f64 / total));
        });
        outcomes
    }

    /// Lets an outcome happen.
    fn resolve(&mut self, outcome: &str) -> PyResult<()> {
        let outcome: Outcome = outcome.parse().map_err(sentence)?;
        self.state
            .resolve(outcome)
            .map_err(|error| IllegalMoveError::new_err(error.to_string()))
    }

    /// Draws outcomes until a player is to move or the game is over; returns them.
    fn draw(&mut self, mut chance: PyRefMut<'_, PyChance>) -> Vec<String> {
        let mut drawn = Vec::new();
        while self.state.node() == Node::Chance {
            let outcome = chance.streams.draw(&self.state);
            self.state.resolve_unchecked(outcome);
            drawn.push(outcome.to_string());
        }
        drawn
    }

    /// Applies a move or an outcome in the notation of records.
    fn apply(&mut self, event: &str) -> PyResult<()> {
        let event: Event = event.parse().map_err(sentence)?;
        self.state
            .apply(event)
            .map_err(|error| IllegalMoveError::new_err(error.to_string()))
    }

    /// A move in words, with the names of the map.
    fn describe(&self, mv: MoveArg<'_>) -> PyResult<String> {
        Ok(in_words(mv.get()?, self.state.game().map()))
    }

    /// What a seat sees; by default, what the player to move sees.
    #[pyo3(signature = (seat=None))]
    fn view(&self, seat: Option<usize>) -> PyResult<PyView> {
        let seat = match seat {
            Some(seat) => seat_of(&self.state, seat)?,
            None => View::of_mover(&self.state).seat(),
        };
        Ok(PyView::of(self.state.clone(), seat))
    }

    /// How the game ended: `ending`, and by seat `scores` and `places`. `None` before.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(result) = self.state.result() else {
            return Ok(None);
        };
        let n = self.state.game().n_players();
        let dict = PyDict::new(py);
        let ending = Termination::of(&self.state).map(|end| end.to_string());
        dict.set_item("ending", ending)?;
        dict.set_item("scores", result.score.as_slice()[..n].to_vec())?;
        let places: Vec<u32> = result.place.as_slice()[..n]
            .iter()
            .map(|&place| u32::from(place))
            .collect();
        dict.set_item("places", places)?;
        Ok(Some(dict))
    }

    /// A 64-bit hash of everything that equality compares.
    #[getter]
    fn hash(&self) -> u64 {
        self.state.hash64()
    }

    fn copy(&self) -> PyState {
        PyState::of(self.state.clone())
    }

    fn __copy__(&self) -> PyState {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyState {
        self.copy()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.extract::<PyRef<'_, PyState>>();
        other.is_ok_and(|other| other.state == self.state)
    }

    fn _repr_svg_(&self) -> String {
        state_svg(&self.state)
    }

    fn __repr__(&self) -> String {
        let whose = match self.state.node() {
            Node::Decision(player) => format!("player {player} to move"),
            Node::Chance => "at chance".to_owned(),
            Node::Terminal => "over".to_owned(),
        };
        let board = self.state.board();
        let held: Vec<String> = self
            .state
            .game()
            .seats()
            .map(|p| format!("{}x{}", board.n_owned(p), board.total_armies(p)))
            .collect();
        format!(
            "State({}, round {}, {}, {whose}, territories x armies {})",
            self.state.game().map().name(),
            self.state.round(),
            self.phase(),
            held.join(" ")
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, pyo3::types::PyType>, (PyGame, String)) {
        (py.get_type::<PyState>(), (self.game(), self.position()))
    }
}

/// The chance of a seed: its deal, its dice and its cards.
///
/// >>> state = Game("duel6", "sampling", players=2).start()
/// >>> len(state.draw(Chance(5))) > 0, state == state.game.deal(5)
/// (True, True)
#[pyclass(name = "Chance", module = "hegemon")]
#[derive(Clone)]
pub(crate) struct PyChance {
    streams: Streams,
    seed: u64,
}

#[pymethods]
impl PyChance {
    #[new]
    fn new(seed: u64) -> PyChance {
        PyChance {
            streams: Streams::new(seed),
            seed,
        }
    }

    /// A copy, which goes on as this one does.
    fn copy(&self) -> PyChance {
        self.clone()
    }

    fn __copy__(&self) -> PyChance {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyChance {
        self.clone()
    }

    fn __repr__(&self) -> String {
        format!("Chance({})", self.seed)
    }
}
