//! Syntax errors of TOML or JSON as one sentence on one line: the libraries'
//! messages span lines and mention Rust internals.

/// Describes a TOML error.
///
/// ```
/// use hegemon_core::toml_fault;
/// let text = "name = \"a\"\nsize = [";
/// let error = toml::from_str::<toml::Table>(text).expect_err("a bracket is open");
/// let sentence = toml_fault(text, &error);
/// assert!(sentence.ends_with("at line 2 column 9"), "{sentence}");
/// ```
pub fn toml_fault(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let place = before.map(|before| {
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        (line, column)
    });
    sentence(text, error.message(), place)
}

/// Describes a JSON error.
pub fn json_fault(text: &str, error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = (error.line(), error.column());
    let suffix = format!(" at line {} column {}", place.0, place.1);
    let bare = message.strip_suffix(&suffix).unwrap_or(&message);
    // Values that were not read from a text have no line.
    sentence(text, bare, (place.0 > 0).then_some(place))
}

fn sentence(text: &str, message: &str, place: Option<(usize, usize)>) -> String {
    if text.trim().is_empty() {
        return "it is empty".to_owned();
    }
    let words: Vec<&str> = message.split_whitespace().collect();
    let plain = plain(&words.join(" "));
    match place {
        Some((line, column)) => format!("{plain} at line {line} column {column}"),
        None => plain,
    }
}

/// A serde message in plain words.
fn plain(message: &str) -> String {
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|prefix| message.strip_prefix(prefix)?.split_once(", expected "));
    if let Some((found, expected)) = found {
        let expected = expected.strip_prefix("struct ").unwrap_or(expected);
        return format!("there is {found}, where {expected} should be").replace('`', "\"");
    }
    if message.starts_with("EOF while parsing") {
        return "it ends too early".to_owned();
    }
    let plain = match message.strip_prefix("missing field ") {
        Some(field) => format!("there is no {field}"),
        None => message.replacen("unknown variant ", "unknown value ", 1),
    };
    plain.replace('`', "\"")
}

#[cfg(test)]
mod tests {
    use crate::{MapSpec, Rules};

    #[test]
    fn a_fault_of_a_text_is_one_line_in_plain_words() {
        let map = |text: &str| MapSpec::from_json(text).expect_err("no map").to_string();
        let rules = |text: &str| Rules::from_toml(text).expect_err("no rules").to_string();
        let cases = [
            (map(" \n"), "it is empty"),
            (map("{\"name\":"), "it ends too early at line 1 column 8"),
            (
                map("{\"name\":\n 5}"),
                "there is integer \"5\", where a string should be at line 2 column 2",
            ),
            (map("{}"), "there is no \"name\" at line 1 column 2"),
            (rules("[end]\nturn = 5"), "unknown field \"turn\""),
            (rules("[end]\n  turn = 5"), "at line 2 column 3"),
            (rules("start = \"now\""), "unknown value \"now\""),
            (rules("end = 5"), "where End should be at line 1 column 7"),
            (rules("x = ["), "at line 1 column 6"),
        ];
        for (sentence, words) in cases {
            assert!(sentence.contains(words), "{sentence}: {words}");
            assert!(!sentence.contains(['\n', '`']), "{sentence}");
        }
    }
}
