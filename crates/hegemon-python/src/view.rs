//! What a seat sees.

use std::sync::Arc;

use hegemon_core::{PlayerId, Rng, State, View};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::board_svg::state_svg;
use crate::game::PyGame;
use crate::map::PyMap;
use crate::moves::{MoveArg, PyMove, card_number, in_words};
use crate::state::{PyState, armies, owners, seat_of};

/// A state as one seat sees it: its own cards, and only the number of the others'.
///
/// >>> view = Game("classic", "lux", players=3).deal(7).view(1)
/// >>> view.seat, view.hand
/// (1, [])
#[pyclass(name = "View", module = "hegemon", frozen)]
pub(crate) struct PyView {
    state: State,
    seat: PlayerId,
}

impl PyView {
    pub(crate) fn of(state: State, seat: PlayerId) -> PyView {
        PyView { state, seat }
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn get(&self) -> View<'_> {
        View::new(&self.state, self.seat)
    }
}

#[pymethods]
impl PyView {
    /// Whose view it is.
    #[getter]
    fn seat(&self) -> usize {
        self.seat.index()
    }

    #[getter]
    fn game(&self) -> PyGame {
        PyGame::of(Arc::clone(self.state.game()))
    }

    #[getter]
    fn map(&self) -> PyMap {
        PyMap(Arc::new(self.state.game().map().clone()))
    }

    #[getter]
    fn phase(&self) -> &'static str {
        self.get().phase().name()
    }

    /// Whose turn it is.
    #[getter]
    fn player(&self) -> usize {
        self.get().player().index()
    }

    /// The round, from 1; 0 during the setup.
    #[getter]
    fn round(&self) -> u32 {
        self.get().round()
    }

    /// Armies that the player must still place.
    #[getter]
    fn to_place(&self) -> u32 {
        self.get().to_place()
    }

    /// The players still in the game.
    #[getter]
    fn alive(&self) -> Vec<usize> {
        self.get().alive().map(PlayerId::index).collect()
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

    /// The seat's own cards: numbers of territories, `None` for a wild card.
    #[getter]
    fn hand(&self) -> Vec<Option<usize>> {
        let hand = self.get().hand();
        hand.cards().map(|card| card_number(&card)).collect()
    }

    /// How many cards a player holds.
    fn n_cards(&self, player: usize) -> PyResult<usize> {
        Ok(self.get().n_cards(seat_of(&self.state, player)?))
    }

    /// A player's income if its turn started now, without cards.
    fn income(&self, player: usize) -> PyResult<u32> {
        Ok(self.get().income(seat_of(&self.state, player)?))
    }

    /// The attacking and the conquered territory, when armies are to move in.
    #[getter]
    fn front(&self) -> Option<(usize, usize)> {
        let front = self.get().front();
        front.map(|(from, to)| (from.index(), to.index()))
    }

    /// The legal moves, if it is this seat's decision.
    fn legal_moves(&self) -> Vec<PyMove> {
        self.get().legal_moves().into_iter().map(PyMove).collect()
    }

    fn is_legal(&self, mv: MoveArg<'_>) -> PyResult<bool> {
        Ok(self.get().is_legal(mv.get()?))
    }

    /// A move in words, with the names of the map.
    fn describe(&self, mv: MoveArg<'_>) -> PyResult<String> {
        Ok(in_words(mv.get()?, self.state.game().map()))
    }

    /// A state that this seat cannot tell from the true one: hidden cards and missions are
    /// redrawn, every completion equally likely.
    fn sample_state(&self, seed: u64) -> PyState {
        let mut rng = Rng::stream(seed, "sample state");
        PyState::of(self.get().sample_state(&mut rng))
    }

    fn _repr_svg_(&self) -> String {
        state_svg(&self.state)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PyState, usize))> {
        let maker = py.get_type::<PyState>().getattr("view")?;
        Ok((maker, (PyState::of(self.state.clone()), self.seat())))
    }

    fn __repr__(&self) -> String {
        format!(
            "View(seat {}, {}, round {}, {}, player {} to move)",
            self.seat,
            self.state.game().map().name(),
            self.round(),
            self.phase(),
            self.player()
        )
    }
}
