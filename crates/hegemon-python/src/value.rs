//! What a position is worth.

use std::sync::Arc;

use hegemon_core::{Map, PlayerId};
use hegemon_eval::value::{Beholder, ValueFile, ValueNet};
use pyo3::prelude::*;

use crate::errors::{invalid, sentence};
use crate::map::{MapArg, PyMap};
use crate::state::{PyState, seat_of};

/// The chances of the players to win, as the champion's net sees them.
///
/// >>> state = Game("classic", "lux", players=3).deal(7)
/// >>> round(sum(Value("classic").chances(state)), 6)
/// 1.0
#[pyclass(name = "Value", module = "hegemon", frozen)]
pub(crate) struct PyValue {
    net: Arc<ValueNet>,
    map: Arc<Map>,
    /// The text of the weights file; none for the shipped net.
    weights: Option<String>,
}

/// The parts of [`PyValue`], and what makes it of them.
type Reduced<'py> = (Bound<'py, PyAny>, (PyMap, Option<String>));

#[pymethods]
impl PyValue {
    /// The shipped net for a map, or the net of a weights file.
    #[new]
    #[pyo3(signature = (map=None, weights=None))]
    fn new(map: Option<MapArg<'_>>, weights: Option<&str>) -> PyResult<PyValue> {
        let map = map.unwrap_or(MapArg::Name("classic".to_owned())).map()?;
        let read = |path| {
            std::fs::read_to_string(path)
                .map_err(|error| invalid(format!("cannot read {path}: {error}")))
        };
        PyValue::of(map, weights.map(read).transpose()?)
    }

    /// How `pickle` makes it again.
    #[staticmethod]
    fn _of(map: MapArg<'_>, weights: Option<String>) -> PyResult<PyValue> {
        PyValue::of(map.map()?, weights)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let maker = py.get_type::<PyValue>().getattr("_of")?;
        Ok((maker, (PyMap(Arc::clone(&self.map)), self.weights.clone())))
    }

    /// The chance of every seat to win. `viewer` is the seat whose own cards count; without
    /// one, only how many cards each has. `champions` are the seats that play on like the
    /// champion.
    #[pyo3(signature = (state, *, viewer=None, champions=vec![]))]
    fn chances(
        &self,
        state: PyRef<'_, PyState>,
        viewer: Option<usize>,
        champions: Vec<usize>,
    ) -> PyResult<Vec<f64>> {
        let state = state.state();
        if state.game().map().hash() != self.map.hash() {
            return Err(invalid(format!(
                "this value is of the map {}, and the state of {}",
                self.map.name(),
                state.game().map().name()
            )));
        }
        let viewer: Option<PlayerId> = viewer.map(|seat| seat_of(state, seat)).transpose()?;
        let mut bits = 0;
        for seat in champions {
            bits |= 1u8 << seat_of(state, seat)?.index();
        }
        let beholder = Beholder {
            viewer,
            champions: bits,
        };
        let chances = self.net.chances(state, beholder);
        Ok(chances.as_slice()[..state.game().n_players()].to_vec())
    }

    fn __repr__(&self) -> String {
        format!("Value({:?})", self.map.name())
    }
}

impl PyValue {
    fn of(map: Arc<Map>, weights: Option<String>) -> PyResult<PyValue> {
        let net = match &weights {
            None => ValueNet::for_map(&map),
            Some(text) => {
                let file = ValueFile::from_toml(text).map_err(sentence)?;
                Arc::new(ValueNet::new(&file, &map).map_err(sentence)?)
            }
        };
        Ok(PyValue { net, map, weights })
    }
}
