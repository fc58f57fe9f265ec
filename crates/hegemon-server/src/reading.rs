//! What others send as JSON or as a query, and what is wrong with it in our own
//! words: no sentence of a library reaches a person.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use hegemon_core::field_fault;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::ApiError;

/// A value of its JSON text. `what` begins the sentence, such as `The request`.
///
/// # Errors
///
/// A sentence that names the field.
pub(crate) fn from_json<T: DeserializeOwned>(what: &str, text: &[u8]) -> Result<T, String> {
    hegemon_core::from_json(what, text).map_err(|fault| fault + ".")
}

/// One of several kinds of value: the field `tag` names it, and the others
/// belong to it. Read by serde as a whole, a fault would not name its field.
///
/// # Errors
///
/// As [`from_json`].
pub(crate) fn tagged<T: DeserializeOwned>(what: &str, tag: &str, text: &[u8]) -> Result<T, String> {
    let mut fields: Map<String, Value> = from_json(what, text)?;
    let kind = match fields.remove(tag) {
        Some(Value::String(kind)) => kind,
        Some(_) => return Err(fault(what, tag, "its value is of the wrong kind")),
        None => return Err(fault(what, ".", &format!("missing field `{tag}`"))),
    };
    let whole = Map::from_iter([(kind.clone(), Value::Object(fields))]);
    serde_path_to_error::deserialize(Value::Object(whole)).map_err(|error| {
        let path = error.path().to_string();
        let field = path.strip_prefix(&kind).unwrap_or(&path);
        let field = field.strip_prefix('.').unwrap_or(field);
        let field = if field.is_empty() { "." } else { field };
        fault(what, field, &error.inner().to_string())
    })
}

/// The values of a query, or a sentence that names the field.
///
/// # Errors
///
/// If a value is missing or wrong.
pub(crate) fn query<T>(query: Result<Query<T>, QueryRejection>) -> Result<Query<T>, ApiError> {
    query.map_err(|error| {
        let text = error.body_text();
        let said = text.strip_prefix("Failed to deserialize query string: ");
        let said = said.unwrap_or(&text);
        // Only a name stands before the colon of a field's fault.
        let (field, said) = match said.split_once(": ") {
            Some((field, said)) if !field.contains(' ') => (field, said),
            _ => (".", said),
        };
        let said = match said.contains("not `true` or `false`") {
            true => "it is neither \"true\" nor \"false\"",
            false => said,
        };
        ApiError::bad_request("bad-query", fault("The query", field, said))
    })
}

fn fault(what: &str, field: &str, said: &str) -> String {
    field_fault(what, field, said) + "."
}
