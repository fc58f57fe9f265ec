//! What others send as JSON or as a query, and what is wrong with it in our own
//! words: no sentence of a library reaches a person.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use hegemon_core::plain_fault;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use crate::error::ApiError;

/// A value of its JSON text. `what` begins the sentence, such as `The request`.
///
/// # Errors
///
/// A sentence that names the field.
pub(crate) fn from_json<T: DeserializeOwned>(what: &str, text: &[u8]) -> Result<T, String> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let inner = error.inner();
        let field = error.path().to_string();
        if inner.is_data() {
            let place = format!(" at line {} column {}", inner.line(), inner.column());
            let said = inner.to_string();
            fault(what, &field, said.strip_suffix(&place).unwrap_or(&said))
        } else if serde_json::from_slice::<IgnoredAny>(text).is_ok() {
            // A number where one of several words belongs is an error of syntax to the library.
            fault(what, &field, "its value is of the wrong kind")
        } else {
            not_json(what, inner)
        }
    })?;
    reader.end().map_err(|error| not_json(what, &error))?;
    Ok(value)
}

/// One of several kinds of message: the field `type` names it, and the others
/// belong to it. Read by serde as a whole, a fault would not name its field.
///
/// # Errors
///
/// As [`from_json`].
pub(crate) fn tagged<T: DeserializeOwned>(what: &str, text: &[u8]) -> Result<T, String> {
    let mut fields: Map<String, Value> = from_json(what, text)?;
    let kind = match fields.remove("type") {
        Some(Value::String(kind)) => kind,
        Some(_) => return Err(fault(what, "type", "its value is of the wrong kind")),
        None => return Err(fault(what, ".", "missing field `type`")),
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

fn not_json(what: &str, error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    format!("{what} is not JSON: it goes wrong at line {line} column {column}.")
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

/// A sentence about a field; `.` is the whole.
fn fault(what: &str, field: &str, said: &str) -> String {
    let said = plain_fault(said);
    match field {
        "." => format!("{what} is wrong: {said}."),
        field => format!("{what} is wrong at \"{field}\": {said}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_field_in_plain_words() {
        let read = |text: &str| {
            let read = from_json::<Vec<(u8, String)>>("The list", text.as_bytes());
            read.expect_err("wrong")
        };
        for (text, sentence) in [
            (
                "[[1, 2]]",
                "The list is wrong at \"[0][1]\": there is the number 2, where a text should be.",
            ),
            (
                "[[1, \"a\"], [300, \"b\"]]",
                "The list is wrong at \"[1][0]\": there is the number 300, where a whole number \
                 from 0 that fits should be.",
            ),
            (
                "{}",
                "The list is wrong: there is a group of values, where a list should be.",
            ),
            (
                "[[1,",
                "The list is not JSON: it goes wrong at line 1 column 4.",
            ),
            (
                "[] x",
                "The list is not JSON: it goes wrong at line 1 column 4.",
            ),
        ] {
            assert_eq!(read(text), sentence);
        }
    }
}
