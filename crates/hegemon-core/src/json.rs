//! Values that others send as JSON, and what is wrong with them in plain words, with the name of
//! the field.

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::syntax::plain_fault;

/// A value of its JSON text. `what` begins the sentence, such as `the query`.
///
/// ```
/// use hegemon_core::from_json;
/// let fault = from_json::<Vec<u8>>("the list", b"[1, \"x\"]").expect_err("a text");
/// assert_eq!(
///     fault,
///     "the list is wrong at \"[1]\": there is the text \"x\", where a whole number from 0 that fits should be"
/// );
/// ```
///
/// # Errors
///
/// What is wrong: a sentence without its full stop.
pub fn from_json<T: DeserializeOwned>(what: &str, text: &[u8]) -> Result<T, String> {
    // The way to a field is followed only where there is a fault: it takes time.
    serde_json::from_slice(text).map_err(|error| fault_of::<T>(what, text, &error))
}

/// What is wrong with a text that could not be read.
fn fault_of<T: DeserializeOwned>(what: &str, text: &[u8], found: &serde_json::Error) -> String {
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(text) {
        let (line, column) = (error.line(), error.column());
        return format!("{what} is not JSON: it goes wrong at line {line} column {column}");
    }
    let mut reader = serde_json::Deserializer::from_slice(text);
    let again = serde_path_to_error::deserialize::<_, T>(&mut reader).err();
    let field = again.map_or_else(|| ".".to_owned(), |error| error.path().to_string());
    if !found.is_data() {
        // A number where one of several words belongs is an error of syntax to the library.
        return field_fault(what, &field, "its value is of the wrong kind");
    }
    let place = format!(" at line {} column {}", found.line(), found.column());
    let said = found.to_string();
    field_fault(what, &field, said.strip_suffix(&place).unwrap_or(&said))
}

/// What serde says of a field, as a sentence without its full stop; the field `.` is the whole.
pub fn field_fault(what: &str, field: &str, said: &str) -> String {
    let said = plain_fault(said);
    match field {
        "." => format!("{what} is wrong: {said}"),
        field => format!("{what} is wrong at \"{field}\": {said}"),
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
                "The list is wrong at \"[0][1]\": there is the number 2, where a text should be",
            ),
            (
                "[[1, \"a\"], [300, \"b\"]]",
                "The list is wrong at \"[1][0]\": there is the number 300, where a whole number \
                 from 0 that fits should be",
            ),
            (
                "{}",
                "The list is wrong: there is a group of values, where a list should be",
            ),
            (
                "[[1,",
                "The list is not JSON: it goes wrong at line 1 column 4",
            ),
            (
                "[] x",
                "The list is not JSON: it goes wrong at line 1 column 4",
            ),
        ] {
            assert_eq!(read(text), sentence);
        }
    }
}
