//! Maps.

use std::sync::Arc;

use hegemon_bots::nearest;
use hegemon_core::{Map, TerritoryId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::board_svg::map_svg;
use crate::errors::{invalid, sentence, wrong_type};

/// A map: territories, their connections, and continents with their bonuses.
///
/// >>> Map("classic").n_territories
/// 42
#[pyclass(name = "Map", module = "hegemon", frozen)]
pub(crate) struct PyMap(pub(crate) Arc<Map>);

/// A map, the name of a shipped one, or a path to a file.
pub(crate) enum MapArg<'py> {
    Map(Bound<'py, PyMap>),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for MapArg<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<MapArg<'py>> {
        if let Ok(known) = object.cast::<PyMap>() {
            return Ok(MapArg::Map(known.to_owned()));
        }
        if let Ok(text) = object.extract() {
            return Ok(MapArg::Name(text));
        }
        Err(wrong_type(
            "a map is a name, a path or a hegemon.Map",
            &object,
        ))
    }
}

impl MapArg<'_> {
    pub(crate) fn map(&self) -> PyResult<Arc<Map>> {
        match self {
            MapArg::Map(map) => Ok(Arc::clone(&map.get().0)),
            MapArg::Name(name) => named(name).map(Arc::new),
        }
    }
}

fn named(name: &str) -> PyResult<Map> {
    if let Some(map) = Map::builtin(name) {
        return Ok(map);
    }
    if is_path(name) {
        let text = std::fs::read_to_string(name)
            .map_err(|error| invalid(format!("cannot read {name}: {error}")))?;
        return Map::from_json(&text)
            .map_err(|error| invalid(format!("{name} is not a map: {error}")));
    }
    let known: Vec<&str> = Map::builtin_names().collect();
    Err(unknown("map", name, &known))
}

/// Whether a name can only be a file.
pub(crate) fn is_path(name: &str) -> bool {
    let path = std::path::Path::new(name);
    name.contains(std::path::is_separator) || path.extension().is_some() || path.is_file()
}

/// The exception for a name that does not exist.
pub(crate) fn unknown(kind: &str, name: &str, known: &[&str]) -> PyErr {
    match nearest(name, known.iter().copied()) {
        Some(near) => invalid(format!(
            "there is no {kind} \"{name}\"; did you mean \"{near}\"?"
        )),
        None => invalid(format!(
            "there is no {kind} \"{name}\", only {}",
            known.join(", ")
        )),
    }
}

#[pymethods]
impl PyMap {
    /// A shipped map by its name, or the map of a JSON file.
    #[new]
    #[pyo3(signature = (name="classic"))]
    fn new(name: &str) -> PyResult<PyMap> {
        named(name).map(|map| PyMap(Arc::new(map)))
    }

    /// The map of a JSON text, in the format of the files.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyMap> {
        Map::from_json(text)
            .map(|map| PyMap(Arc::new(map)))
            .map_err(sentence)
    }

    /// The names of the shipped maps.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        Map::builtin_names().collect()
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn n_territories(&self) -> usize {
        self.0.n_territories()
    }

    /// The names of the territories, in the order of their numbers.
    #[getter]
    fn territories(&self) -> Vec<&str> {
        let map = &self.0;
        map.territories().map(|t| map.territory_name(t)).collect()
    }

    /// The continents: name, bonus, and numbers of their territories.
    #[getter]
    fn continents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for id in self.0.continents() {
            let continent = self.0.continent(id);
            let entry = PyDict::new(py);
            entry.set_item("name", self.0.continent_name(id))?;
            entry.set_item("bonus", continent.bonus)?;
            let members = continent.territories.iter();
            entry.set_item(
                "territories",
                members.map(TerritoryId::index).collect::<Vec<usize>>(),
            )?;
            list.append(entry)?;
        }
        Ok(list)
    }

    /// The number of a territory, by its name or its number.
    fn territory(&self, territory: TerritoryArg) -> PyResult<usize> {
        territory.id(&self.0).map(TerritoryId::index)
    }

    /// The numbers of the neighbours of a territory.
    fn neighbors(&self, territory: TerritoryArg) -> PyResult<Vec<usize>> {
        let id = territory.id(&self.0)?;
        let neighbors = self.0.neighbor_list(id).iter();
        Ok(neighbors.map(|t| t.index()).collect())
    }

    /// The hash that records state.
    #[getter]
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn to_json(&self) -> String {
        self.0.spec().to_json()
    }

    fn _repr_svg_(&self) -> String {
        map_svg(&self.0)
    }

    fn __repr__(&self) -> String {
        format!(
            "Map({:?}: {} territories, {} continents, {} connections)",
            self.0.name(),
            self.0.n_territories(),
            self.0.continents().len(),
            self.0.n_connections()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyMap>();
        other.is_ok_and(|other| other.get().0.hash() == self.0.hash())
    }

    fn __hash__(&self) -> u64 {
        self.0.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let maker = py.get_type::<PyMap>().getattr("from_json")?;
        Ok((maker, (self.to_json(),)))
    }
}

/// A territory by number or name.
pub(crate) enum TerritoryArg {
    Number(usize),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for TerritoryArg {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<TerritoryArg> {
        if let Ok(number) = object.extract() {
            return Ok(TerritoryArg::Number(number));
        }
        if let Ok(name) = object.extract() {
            return Ok(TerritoryArg::Name(name));
        }
        Err(wrong_type(
            "a territory is its number, from 0, or its name",
            &object,
        ))
    }
}

impl TerritoryArg {
    pub(crate) fn id(&self, map: &Map) -> PyResult<TerritoryId> {
        match self {
            TerritoryArg::Number(number) if *number < map.n_territories() => {
                Ok(TerritoryId::new(*number))
            }
            TerritoryArg::Number(number) => Err(invalid(format!(
                "there is no territory {number} on the map {}",
                map.name()
            ))),
            TerritoryArg::Name(name) => map.territory_named(name).ok_or_else(|| {
                let names: Vec<&str> = map.territories().map(|t| map.territory_name(t)).collect();
                unknown("territory", name, &names)
            }),
        }
    }
}
