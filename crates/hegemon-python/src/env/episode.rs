//! One game for learners, a step at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hegemon_bots::{Grants, Spec, check};
use hegemon_core::{Game, PlayerId};
use numpy::{PyArray1, PyArrayMethods as _};
use pyo3::prelude::*;

use super::observation::Layout;
use super::seated_game::{SeatedGame, Seats};
use crate::bots::spec_of;
use crate::errors::{IllegalMoveError, invalid, sentence};
use crate::game::{GameArg, PyGame};
use crate::state::PyState;
use crate::watch::Halt;

/// A game with bots in some seats, stepped by actions.
#[pyclass(name = "Episode", module = "hegemon._hegemon", frozen)]
pub(crate) struct PyEpisode {
    game: Arc<Game>,
    layout: Layout,
    seats: Vec<Option<Spec>>,
    grants: Grants,
    seated: Mutex<SeatedGame>,
}

#[pymethods]
impl PyEpisode {
    /// `seats` has a bot for every seat, or `None` where actions are asked for.
    #[new]
    #[pyo3(signature = (game, seats, seed=0))]
    fn new(
        py: Python<'_>,
        game: GameArg<'_>,
        seats: Vec<Option<Bound<'_, PyAny>>>,
        seed: u64,
    ) -> PyResult<PyEpisode> {
        let game = game.game();
        if seats.len() != game.n_players() {
            return Err(invalid(format!(
                "{} seats for a game of {}",
                seats.len(),
                game.n_players()
            )));
        }
        let spec = |seat: &Option<Bound<'_, PyAny>>| seat.as_ref().map(spec_of).transpose();
        let seats = seats.iter().map(spec).collect::<PyResult<Vec<_>>>()?;
        let grants = Grants::with(hegemon_protocol::HostLoader::default());
        for spec in seats.iter().flatten() {
            check(spec, &game, &grants).map_err(sentence)?;
        }
        let seated = deal(py, &game, &seats, seed, &grants)?;
        Ok(PyEpisode {
            layout: Layout::new(&game),
            seated: Mutex::new(seated),
            game,
            seats,
            grants,
        })
    }

    /// Deals the game of another seed.
    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        let seated = deal(py, &self.game, &self.seats, seed, &self.grants)?;
        *self.lock() = seated;
        Ok(())
    }

    /// Takes a step of the player to move. Returns the move that it completed, in notation.
    fn step(&self, py: Python<'_>, action: i64) -> PyResult<Option<String>> {
        if self.lock().is_cut() {
            return Err(interrupted());
        }
        let halt = Halt::new();
        let taken = py.detach(|| {
            let action = usize::try_from(action).map_err(|_| ())?;
            self.lock().take(action, &halt)
        });
        halt.end()?;
        let mv = taken.map_err(|()| {
            IllegalMoveError::new_err(format!("action {action} is not legal here"))
        })?;
        Ok(mv.map(|mv| mv.to_string()))
    }

    /// The player to move; `None` when the game is over.
    #[getter]
    fn player(&self) -> Option<usize> {
        let seated = self.lock();
        (!seated.is_over()).then(|| seated.state().player().index())
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.lock().is_over()
    }

    /// How the game ended, in a word; `None` before the end.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.lock().termination().map(|end| end.to_string())
    }

    /// What the game was worth to every seat.
    fn utilities(&self) -> Vec<f64> {
        let utilities = self.lock().utilities();
        utilities.as_slice()[..self.layout.n_players].to_vec()
    }

    /// What a seat sees.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<f32>>> {
        if seat >= self.layout.n_players {
            return Err(invalid(format!("there is no seat {seat}")));
        }
        let out = PyArray1::zeros(py, [self.layout.len()], false);
        let mut row = out.readwrite();
        self.layout.write(
            self.lock().dialogue(),
            PlayerId::new(seat),
            row.as_slice_mut()?,
        );
        Ok(out)
    }

    /// Which actions the player to move may take.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let seated = self.lock();
        let out = PyArray1::zeros(py, [seated.dialogue().space().len()], false);
        if !seated.is_over() {
            let mut row = out.readwrite();
            let row = row.as_slice_mut()?;
            seated
                .dialogue()
                .for_each_action(|action| row[action] = true);
        }
        Ok(out)
    }

    #[getter]
    fn game(&self) -> PyGame {
        PyGame::of(Arc::clone(&self.game))
    }

    /// A copy of the state.
    #[getter]
    fn state(&self) -> PyState {
        PyState::of(self.lock().state().clone())
    }
}

/// Deals a game and plays to the first step that is asked for, unless Ctrl-C comes.
fn deal(
    py: Python<'_>,
    game: &Arc<Game>,
    seats: &Seats,
    seed: u64,
    grants: &Grants,
) -> PyResult<SeatedGame> {
    let halt = Halt::new();
    let seated = py.detach(|| SeatedGame::deal(game, seats, seed, grants, &halt));
    halt.end()?;
    seated.map_err(sentence)
}

/// The exception for a game that Ctrl-C left in the middle of a step.
pub(crate) fn interrupted() -> PyErr {
    invalid("the last step was stopped in the middle: reset before the next one")
}

impl PyEpisode {
    /// Nothing is held while a thread waits for the interpreter, so this never waits for long.
    fn lock(&self) -> MutexGuard<'_, SeatedGame> {
        self.seated.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
