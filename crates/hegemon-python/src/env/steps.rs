//! A state whose moves and outcomes are numbered actions, for algorithms that search.

use std::sync::Arc;

use hegemon_core::{Card, Node, Outcome, PlayerId, State};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;

use super::action_space::{ActionSpace, MoveStep};
use super::dialogue::{Chosen, Dialogue};
use super::observation::Layout;
use super::seated_game::utilities_of;
use crate::errors::{IllegalMoveError, invalid};
use crate::game::{GameArg, PyGame};
use crate::state::PyState;

/// How `pickle` makes it again.
type Reduced<'py> = (Bound<'py, pyo3::types::PyType>, (PyGame, PyState, Vec<i64>));

/// A state with the part of a move chosen so far. At chance, actions number the outcomes.
#[pyclass(name = "Steps", module = "hegemon._hegemon")]
#[derive(Clone)]
pub(crate) struct PySteps {
    dialogue: Dialogue,
    layout: Layout,
    /// The actions of the move that is not whole yet.
    begun: Vec<i64>,
}

#[pymethods]
impl PySteps {
    /// The beginning of a game, or any state of it with the first actions of a move.
    #[new]
    #[pyo3(signature = (game, state=None, begun=vec![]))]
    fn new(
        game: GameArg<'_>,
        state: Option<PyRef<'_, PyState>>,
        begun: Vec<i64>,
    ) -> PyResult<PySteps> {
        let game = game.game();
        let state = state.map_or_else(|| game.start(), |state| state.state().clone());
        if state.game().hash() != game.hash() {
            return Err(invalid("the state is of another game"));
        }
        let mut steps = PySteps {
            dialogue: Dialogue::new(state),
            layout: Layout::new(&game),
            begun: Vec::new(),
        };
        begun
            .into_iter()
            .try_for_each(|action| steps.take(action))
            .map(|()| steps)
    }

    fn clone(&self) -> PySteps {
        Clone::clone(self)
    }

    #[getter]
    fn is_chance(&self) -> bool {
        self.at().node() == Node::Chance
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.at().node() == Node::Terminal
    }

    /// The player to move; `None` at chance and at the end.
    #[getter]
    fn player(&self) -> Option<usize> {
        match self.at().node() {
            Node::Decision(player) => Some(player.index()),
            _ => None,
        }
    }

    /// The legal actions in rising order; at chance, the numbers of the outcomes.
    fn actions(&self) -> Vec<usize> {
        if self.is_chance() {
            return (0..self.outcomes().len()).collect();
        }
        let mut actions = Vec::new();
        self.dialogue.for_each_action(|action| actions.push(action));
        actions.sort_unstable();
        actions
    }

    /// The outcomes and their weights, and the sum of all weights.
    fn chances(&self) -> (Vec<(String, u64)>, u64) {
        let outcomes = self.outcomes().into_iter();
        let outcomes = outcomes.map(|(outcome, weight)| (outcome.to_string(), weight));
        (outcomes.collect(), self.at().chance_total())
    }

    /// Takes an action: a step of the player to move, or an outcome by its number.
    fn take(&mut self, action: i64) -> PyResult<()> {
        let illegal = || IllegalMoveError::new_err(format!("action {action} is not legal here"));
        let number = usize::try_from(action).map_err(|_| illegal())?;
        if self.is_chance() {
            let outcome = self.outcomes().get(number).ok_or_else(illegal)?.0;
            self.dialogue
                .change(|state| state.resolve_unchecked(outcome));
            return Ok(());
        }
        match self.dialogue.take(number).map_err(|()| illegal())? {
            Some(mv) => {
                self.begun.clear();
                self.dialogue.change(|state| state.play_unchecked(mv));
            }
            None => self.begun.push(action),
        }
        Ok(())
    }

    /// What an action means, in words.
    fn describe(&self, action: usize) -> PyResult<String> {
        if self.is_chance() {
            let outcomes = self.outcomes();
            let outcome = outcomes.get(action);
            return outcome
                .map(|(outcome, _)| outcome.to_string())
                .ok_or_else(|| invalid(format!("there is no outcome {action}")));
        }
        describe_action(self.at(), self.dialogue.chosen(), action)
            .ok_or_else(|| invalid(format!("there is no action {action}")))
    }

    /// What the game was worth to every seat; zero before the end.
    fn utilities(&self) -> Vec<f64> {
        utilities_of(self.at())
    }

    /// What a seat sees.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<f32>>> {
        if seat >= self.layout.n_players {
            return Err(invalid(format!("there is no seat {seat}")));
        }
        let out = PyArray1::zeros(py, [self.layout.len()], false);
        self.layout.write(
            &self.dialogue,
            PlayerId::new(seat),
            out.readwrite().as_slice_mut()?,
        );
        Ok(out)
    }

    /// A copy of the state.
    #[getter]
    fn state(&self) -> PyState {
        PyState::of(self.at().clone())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let parts = (self.game(), self.state(), self.begun.clone());
        (py.get_type::<PySteps>(), parts)
    }

    #[getter]
    fn game(&self) -> PyGame {
        PyGame::of(Arc::clone(self.at().game()))
    }
}

impl PySteps {
    fn at(&self) -> &State {
        self.dialogue.state()
    }

    fn outcomes(&self) -> Vec<(Outcome, u64)> {
        let mut outcomes = Vec::new();
        self.at()
            .for_each_outcome(|outcome, weight| outcomes.push((outcome, weight)));
        outcomes
    }
}

/// An action in words; `None` if there is none with this number.
fn describe_action(state: &State, chosen: &Chosen, action: usize) -> Option<String> {
    let map = state.game().map();
    let space = ActionSpace::new(map.n_territories());
    Some(match space.step(action)? {
        MoveStep::End => "end".to_owned(),
        MoveStep::Territory(t) => map.territory_name(t).to_owned(),
        MoveStep::Target(t) => format!("> {}", map.territory_name(t)),
        MoveStep::Card(Card::Territory(t)) => format!("card {}", map.territory_name(t)),
        MoveStep::Card(Card::Wild) => "wild card".to_owned(),
        MoveStep::Amount(k) => match chosen {
            Chosen::Amount { low, high, .. } if (*high - *low) < 16 => {
                format!("x{}", high.saturating_sub(u32::try_from(k).unwrap_or(0)))
            }
            _ => format!("amount {k} from the top"),
        },
    })
}

/// The number of actions, names of numbers of territories and of the table, connections.
type Encoding<'py> = (usize, Vec<String>, Vec<String>, Bound<'py, PyArray2<i64>>);

/// The sizes and the names of an observation, the number of actions, and the connections of
/// the map as pairs of numbers.
#[pyfunction]
pub(crate) fn encoding<'py>(py: Python<'py>, game: GameArg<'_>) -> PyResult<Encoding<'py>> {
    let game = game.game();
    let layout = Layout::new(&game);
    let map = game.map();
    let mut edges: Vec<[i64; 2]> = Vec::new();
    for from in map.territories() {
        for to in map.neighbors(from) {
            edges.push([from.index() as i64, to.index() as i64]);
        }
    }
    let ends = |end: usize| edges.iter().map(|edge| edge[end]).collect::<Vec<i64>>();
    let edges =
        PyArray2::from_vec2(py, &[ends(0), ends(1)]).map_err(|error| invalid(error.to_string()))?;
    let n_actions = ActionSpace::new(layout.n_territories).len();
    Ok((n_actions, layout.node_names(), layout.global_names(), edges))
}
