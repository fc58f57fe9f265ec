//! Errors become Python exceptions with the same sentence.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    hegemon,
    HegemonError,
    PyValueError,
    "Something that was given cannot be used; the text says what and why."
);
create_exception!(
    hegemon,
    IllegalMoveError,
    HegemonError,
    "A move, outcome or action that is not possible here; nothing has changed."
);

/// The exception with the sentence of an error.
pub(crate) fn sentence(error: impl Display) -> PyErr {
    HegemonError::new_err(error.to_string())
}

/// The exception with a sentence of our own.
pub(crate) fn invalid(text: impl Into<String>) -> PyErr {
    HegemonError::new_err(text.into())
}

/// The exception for an argument of a type that nothing can be made of.
pub(crate) fn wrong_type(wanted: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let name = given.get_type().qualname();
    let name = name.map_or_else(|_| "this".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{wanted}, not {name}"))
}
