//! Rules.

use hegemon_core::Rules;
use pyo3::prelude::*;

use crate::errors::{invalid, sentence, wrong_type};
use crate::map::{is_path, unknown};

/// The rules of a game.
///
/// >>> Rules("lux").players
/// (2, 6)
#[pyclass(name = "Rules", module = "hegemon", frozen)]
pub(crate) struct PyRules(pub(crate) Rules);

/// Rules, the name of a preset, or a path to a file.
pub(crate) enum RulesArg<'py> {
    Rules(Bound<'py, PyRules>),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for RulesArg<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<RulesArg<'py>> {
        if let Ok(known) = object.cast::<PyRules>() {
            return Ok(RulesArg::Rules(known.to_owned()));
        }
        if let Ok(text) = object.extract() {
            return Ok(RulesArg::Name(text));
        }
        Err(wrong_type(
            "rules are a name, a path or hegemon.Rules",
            &object,
        ))
    }
}

impl RulesArg<'_> {
    pub(crate) fn rules(&self) -> PyResult<Rules> {
        match self {
            RulesArg::Rules(rules) => Ok(rules.get().0.clone()),
            RulesArg::Name(name) => named(name),
        }
    }
}

fn named(name: &str) -> PyResult<Rules> {
    if let Some(rules) = Rules::preset(name) {
        return Ok(rules);
    }
    if !is_path(name) {
        return Err(unknown("rules preset", name, &Rules::PRESETS));
    }
    let text = std::fs::read_to_string(name)
        .map_err(|error| invalid(format!("cannot read {name}: {error}")))?;
    let rules = if name.to_lowercase().ends_with(".json") {
        Rules::from_json(&text)
    } else {
        Rules::from_toml(&text)
    };
    rules.map_err(|error| invalid(format!("the rules {name} cannot be used: {error}")))
}

#[pymethods]
impl PyRules {
    /// A preset by its name, or the rules of a TOML or JSON file.
    #[new]
    #[pyo3(signature = (name="classic"))]
    fn new(name: &str) -> PyResult<PyRules> {
        named(name).map(PyRules)
    }

    /// Rules of a JSON text.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyRules> {
        Rules::from_json(text).map(PyRules).map_err(sentence)
    }

    /// Rules of a TOML text.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<PyRules> {
        Rules::from_toml(text).map(PyRules).map_err(sentence)
    }

    /// The names of the presets.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        Rules::PRESETS.to_vec()
    }

    /// Fewest and most players.
    #[getter]
    fn players(&self) -> (u8, u8) {
        self.0.players.into()
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn to_toml(&self) -> String {
        self.0.to_toml()
    }

    fn __repr__(&self) -> String {
        self.repr()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyRules>();
        other.is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        hegemon_core::fnv1a(self.0.to_json().as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let maker = py.get_type::<PyRules>().getattr("from_json")?;
        Ok((maker, (self.to_json(),)))
    }
}

impl PyRules {
    pub(crate) fn repr(&self) -> String {
        let preset = Rules::PRESETS
            .into_iter()
            .find(|name| Rules::preset(name).as_ref() == Some(&self.0));
        match preset {
            Some(name) => format!("Rules({name:?}: {})", Rules::preset_about(name)),
            None => format!("Rules({})", self.0.to_json()),
        }
    }
}
