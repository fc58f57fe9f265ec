//! Moves.

use hegemon_core::{Card, Map, Move, TerritoryId};
use pyo3::prelude::*;

use crate::errors::{invalid, sentence, wrong_type};

/// A decision of a player, in the notation of records.
///
/// >>> Move("a4>9x3").kind, Move.attack(4, 9, 3)
/// ('attack', Move('a4>9x3'))
#[pyclass(name = "Move", module = "hegemon", frozen, eq, hash, ord)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PyMove(pub(crate) Move);

/// A move, or its notation.
pub(crate) enum MoveArg<'py> {
    Move(Bound<'py, PyMove>),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for MoveArg<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<MoveArg<'py>> {
        if let Ok(known) = object.cast::<PyMove>() {
            return Ok(MoveArg::Move(known.to_owned()));
        }
        if let Ok(text) = object.extract() {
            return Ok(MoveArg::Text(text));
        }
        Err(wrong_type(
            "a move is a hegemon.Move or its notation",
            &object,
        ))
    }
}

impl MoveArg<'_> {
    pub(crate) fn get(&self) -> PyResult<Move> {
        match self {
            MoveArg::Move(mv) => Ok(mv.get().0),
            MoveArg::Text(text) => text.parse().map_err(sentence),
        }
    }
}

fn id(number: usize) -> PyResult<TerritoryId> {
    let small = u8::try_from(number).ok();
    small
        .and_then(|number| TerritoryId::try_from(number).ok())
        .ok_or_else(|| invalid(format!("there is no territory {number}")))
}

#[pymethods]
impl PyMove {
    #[new]
    fn new(text: &str) -> PyResult<PyMove> {
        text.parse().map(PyMove).map_err(sentence)
    }

    /// Takes a free territory in the draft.
    #[staticmethod]
    fn claim(territory: usize) -> PyResult<PyMove> {
        let territory = id(territory)?;
        Ok(PyMove(Move::Claim { territory }))
    }

    /// Names the capital.
    #[staticmethod]
    fn capital(territory: usize) -> PyResult<PyMove> {
        let territory = id(territory)?;
        Ok(PyMove(Move::Capital { territory }))
    }

    /// Puts armies on a territory.
    #[staticmethod]
    fn place(territory: usize, armies: u32) -> PyResult<PyMove> {
        let territory = id(territory)?;
        Ok(PyMove(Move::Place { territory, armies }))
    }

    /// Attacks a neighbour: `armies` are the dice of an exchange, or the armies of a battle.
    #[staticmethod]
    fn attack(source: usize, target: usize, armies: u32) -> PyResult<PyMove> {
        let (from, to, with) = (id(source)?, id(target)?, armies);
        Ok(PyMove(Move::Attack { from, to, with }))
    }

    /// Moves into the territory just conquered.
    #[staticmethod]
    fn occupy(armies: u32) -> PyMove {
        PyMove(Move::Occupy { armies })
    }

    /// Moves armies at the end of the turn.
    #[staticmethod]
    fn fortify(source: usize, target: usize, armies: u32) -> PyResult<PyMove> {
        let (from, to) = (id(source)?, id(target)?);
        Ok(PyMove(Move::Fortify { from, to, armies }))
    }

    /// Ends the phase.
    #[staticmethod]
    fn end() -> PyMove {
        PyMove(Move::End)
    }

    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            Move::Claim { .. } => "claim",
            Move::Capital { .. } => "capital",
            Move::Trade { .. } => "trade",
            Move::Place { .. } => "place",
            Move::Attack { .. } => "attack",
            Move::Occupy { .. } => "occupy",
            Move::Fortify { .. } => "fortify",
            Move::End => "end",
        }
    }

    /// The territory that is claimed, named, placed on, attacked or moved to.
    #[getter]
    fn target(&self) -> Option<usize> {
        match self.0 {
            Move::Claim { territory }
            | Move::Capital { territory }
            | Move::Place { territory, .. } => Some(territory.index()),
            Move::Attack { to, .. } | Move::Fortify { to, .. } => Some(to.index()),
            Move::Trade { bonus, .. } => bonus.map(TerritoryId::index),
            Move::Occupy { .. } | Move::End => None,
        }
    }

    /// Where the armies of an attack or a fortification come from.
    #[getter]
    fn source(&self) -> Option<usize> {
        match self.0 {
            Move::Attack { from, .. } | Move::Fortify { from, .. } => Some(from.index()),
            _ => None,
        }
    }

    /// How many armies, or dice.
    #[getter]
    fn armies(&self) -> Option<u32> {
        match self.0 {
            Move::Place { armies, .. } | Move::Occupy { armies } | Move::Fortify { armies, .. } => {
                Some(armies)
            }
            Move::Attack { with, .. } => Some(with),
            _ => None,
        }
    }

    /// The cards of a traded set: numbers of territories, `None` for a wild card.
    #[getter]
    fn cards(&self) -> Option<Vec<Option<usize>>> {
        match self.0 {
            Move::Trade { cards, .. } => Some(cards.iter().map(card_number).collect()),
            _ => None,
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (py.get_type::<PyMove>(), (self.0.to_string(),))
    }
}

/// A card as the number of its territory; `None` for a wild card.
pub(crate) fn card_number(card: &Card) -> Option<usize> {
    match card {
        Card::Territory(territory) => Some(territory.index()),
        Card::Wild => None,
    }
}

/// A move in words, with the names of the map.
pub(crate) fn in_words(mv: Move, map: &Map) -> String {
    let name = |t: TerritoryId| {
        if t.index() < map.n_territories() {
            map.territory_name(t).to_owned()
        } else {
            format!("territory {t}")
        }
    };
    match mv {
        Move::Claim { territory } => format!("claim {}", name(territory)),
        Move::Capital { territory } => format!("make {} the capital", name(territory)),
        Move::Trade { .. } => "trade a set of cards".to_owned(),
        Move::Place { territory, armies } => format!("place {armies} on {}", name(territory)),
        Move::Attack { from, to, with } => {
            format!("attack {} from {} with {with}", name(to), name(from))
        }
        Move::Occupy { armies } => format!("move in with {armies}"),
        Move::Fortify { from, to, armies } => {
            format!("move {armies} from {} to {}", name(from), name(to))
        }
        Move::End => "end the phase".to_owned(),
    }
}
