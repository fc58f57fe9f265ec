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

/// Describes a JSON error of one line of a longer text, whose number the caller
/// knows.
pub fn json_line_fault(line: &str, error: &serde_json::Error) -> String {
    json_fault(line, error).replace(" at line 1 column ", " at column ")
}

fn sentence(text: &str, message: &str, place: Option<(usize, usize)>) -> String {
    if text.trim().is_empty() {
        return "it is empty".to_owned();
    }
    let words: Vec<&str> = message.split_whitespace().collect();
    let plain = plain_fault(&words.join(" "));
    match place {
        Some((line, column)) => format!("{plain} at line {line} column {column}"),
        None => plain,
    }
}

/// What the JSON library says of a text that is none, and what it means.
const SYNTAX: [(&str, &str); 4] = [
    ("expected value", "there is no value where one should be"),
    ("expected ident", "there is no value where one should be"),
    ("trailing characters", "something follows the end"),
    (
        "key must be a string",
        "there is no name in quotes where one should be",
    ),
];

/// A message of serde in plain words, without names of Rust types.
///
/// ```
/// use hegemon_core::plain_fault;
/// let message = "invalid type: integer `5`, expected a string";
/// assert_eq!(plain_fault(message), "there is the number 5, where a text should be");
/// ```
pub fn plain_fault(message: &str) -> String {
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|prefix| message.strip_prefix(prefix)?.split_once(", expected "));
    if let Some((found, expected)) = found {
        let (found, expected) = (plain_found(found), plain_expected(expected));
        return format!("there is {found}, where {expected} should be").replace('`', "\"");
    }
    if message.starts_with("EOF while parsing") {
        return "it ends too early".to_owned();
    }
    // What the standard library says of numbers in a text.
    if message.contains("float literal") || message.contains("float from") {
        return "it is not a number".to_owned();
    }
    if ["digit found", "integer from", "number too"]
        .iter()
        .any(|words| message.contains(words))
    {
        return "it is not a whole number that fits".to_owned();
    }
    let known = SYNTAX.iter().find(|(theirs, _)| message == *theirs);
    if let Some((_, ours)) = known {
        return (*ours).to_owned();
    }
    let plain = match message.strip_prefix("missing field ") {
        Some(field) => format!("there is no {field}"),
        None => message
            .replacen("unknown variant ", "unknown value ", 1)
            .replacen("duplicate field ", "there are two of ", 1),
    };
    plain.replace('`', "\"")
}

/// What serde found, such as ``integer `5` `` or `sequence`.
fn plain_found(found: &str) -> String {
    let kinds = [
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("string ", "the text "),
        ("character ", "the text "),
        ("boolean ", ""),
    ];
    let value = kinds.iter().find_map(|(kind, plain)| {
        let value = found.strip_prefix(kind)?;
        Some(format!("{plain}{}", value.replace('`', "")))
    });
    value.unwrap_or_else(|| match found {
        "null" | "unit value" => "nothing".to_owned(),
        "unit variant" => "a word".to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "a group of values".to_owned(),
        _ if found.bytes().all(|byte| byte.is_ascii_digit()) => format!("a list of {found}"),
        _ => found.to_owned(),
    })
}

/// What serde expected, such as `u8`, `struct Rules` or the words of a reader of ours.
fn plain_expected(expected: &str) -> String {
    let is_type = |prefixes: &[&str]| {
        let mut prefixes = prefixes.iter();
        prefixes.any(|prefix| expected.starts_with(prefix))
    };
    let plain = match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number from 0 that fits",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number that fits",
        "f32" | "f64" => "a number",
        "a string" | "str" | "string" | "borrowed string" | "a character" => "a text",
        "a boolean" | "bool" => "true or false",
        "a sequence" => "a list",
        "a map" => "a group of values",
        // How JSON writes the kinds of an enumeration.
        "string or map" | "variant identifier" => "one of its words",
        "unit" | "unit variant" => "one of its words",
        _ if is_type(&[
            "struct ",
            "internally tagged enum ",
            "adjacently tagged enum ",
        ]) =>
        {
            "a group of values"
        }
        _ if is_type(&["enum ", "unit variant "]) => "one of its words",
        _ if is_type(&["tuple ", "a tuple ", "an array of length "]) => {
            "a list of the right length"
        }
        _ if is_type(&["unit ", "newtype "]) => "another value",
        _ => expected,
    };
    plain.to_owned()
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
                "there is the number 5, where a text should be at line 2 column 2",
            ),
            (
                map("{\"name\": null}"),
                "there is nothing, where a text should be",
            ),
            (map("{}"), "there is no \"name\" at line 1 column 2"),
            (rules("[end]\nturn = 5"), "unknown field \"turn\""),
            (rules("[end]\n  turn = 5"), "at line 2 column 3"),
            (rules("start = \"now\""), "unknown value \"now\""),
            (
                rules("end = 5"),
                "where a group of values should be at line 1 column 7",
            ),
            (
                rules("players = [300, 2]"),
                "the number 300, where a whole number from 0 that fits",
            ),
            (rules("x = ["), "at line 1 column 6"),
        ];
        for (sentence, words) in cases {
            assert!(sentence.contains(words), "{sentence}: {words}");
            assert!(!sentence.contains(['\n', '`']), "{sentence}");
        }
    }

    #[test]
    fn names_of_types_are_not_shown() {
        for (expected, plain) in [
            ("unit struct RulesVersion", "another value"),
            ("newtype struct PlayerId", "another value"),
            ("struct Rules", "a group of values"),
            ("enum Attack", "one of its words"),
            ("tuple struct Pair", "a list of the right length"),
            ("a colour like #0072b2", "a colour like #0072b2"),
        ] {
            assert_eq!(super::plain_expected(expected), plain);
        }
        assert_eq!(super::plain_found("unit variant"), "a word");
        for text in ["no JSON", "{} {}", "{name: 1}"] {
            let error = serde_json::from_str::<serde_json::Value>(text).expect_err("no JSON");
            let plain = super::json_fault(text, &error);
            let (said, place) = plain.split_once(" at line 1 column ").expect("a place");
            assert!(said.contains(' ') && !said.contains("expected"), "{plain}");
            assert!(
                super::SYNTAX.iter().any(|(_, ours)| *ours == said),
                "{plain}"
            );
            assert!(place.parse::<u32>().is_ok());
        }
    }
}
