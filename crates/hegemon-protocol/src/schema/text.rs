//! Schemas as text that people read.

use serde_json::{Map, Value};

/// Longest line that holds a whole object or list.
const WIDTH: usize = 110;

/// Keywords in the order in which people want to read them; others follow.
const ORDER: [&str; 29] = [
    "$schema",
    "$id",
    "openapi",
    "info",
    "title",
    "version",
    "name",
    "in",
    "summary",
    "description",
    "$ref",
    "type",
    "const",
    "enum",
    "minimum",
    "maximum",
    "pattern",
    "parameters",
    "requestBody",
    "schema",
    "properties",
    "items",
    "minItems",
    "maxItems",
    "required",
    "anyOf",
    "oneOf",
    "paths",
    "$defs",
];

/// A schema as JSON text. Fields of an object stand in the order in which it
/// lists the required ones, which is that of the type.
pub fn to_text(schema: &Value) -> String {
    let mut text = String::new();
    write(&mut text, schema, "", &[]);
    text + "\n"
}

/// Writes a value; `first` names the keys that come first.
fn write(text: &mut String, value: &Value, indent: &str, first: &[&str]) {
    let short = one_line(value, first);
    let column = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
    let is_leaf = !matches!(value, Value::Object(_) | Value::Array(_));
    if is_leaf || column + short.len() < WIDTH {
        text.push_str(&short);
        return;
    }
    let deeper = format!("{indent}  ");
    let (open, close) = if value.is_array() {
        ("[", "]")
    } else {
        ("{", "}")
    };
    text.push_str(open);
    for (n, (key, item, first)) in parts(value, first).into_iter().enumerate() {
        text.push_str(if n > 0 { ",\n" } else { "\n" });
        text.push_str(&deeper);
        text.push_str(&key);
        write(text, item, &deeper, &first);
    }
    text.push('\n');
    text.push_str(indent);
    text.push_str(close);
}

fn one_line(value: &Value, first: &[&str]) -> String {
    let (open, close) = match value {
        Value::Array(_) => ("[", "]"),
        Value::Object(_) => ("{", "}"),
        leaf => return leaf.to_string(),
    };
    let parts = parts(value, first);
    let written = parts
        .iter()
        .map(|(key, item, first)| format!("{key}{}", one_line(item, first)));
    [open, &written.collect::<Vec<_>>().join(", "), close].concat()
}

/// What a list or an object is made of: the key as it is written, the value, and
/// which of the value's own keys come first.
fn parts<'a>(value: &'a Value, first: &[&str]) -> Vec<(String, &'a Value, Vec<&'a str>)> {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| (String::new(), item, Vec::new()))
            .collect(),
        Value::Object(fields) => {
            let mut keys: Vec<&String> = fields.keys().collect();
            keys.sort_by_key(|key| rank(key, first));
            let part = |key: &'a String| {
                let own = match key.as_str() {
                    "properties" => required(fields),
                    _ => Vec::new(),
                };
                (
                    format!("{}: ", Value::from(key.as_str())),
                    &fields[key],
                    own,
                )
            };
            keys.into_iter().map(part).collect()
        }
        _ => Vec::new(),
    }
}

fn rank(key: &str, first: &[&str]) -> usize {
    let place = |list: &[&str]| list.iter().position(|&known| known == key);
    match place(first) {
        Some(place) => place,
        None if first.is_empty() => place(&ORDER).unwrap_or(ORDER.len()),
        None => first.len(),
    }
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
