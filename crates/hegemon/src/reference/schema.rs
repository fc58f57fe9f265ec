//! A JSON schema as Markdown: the type of a value in a few words, the fields of an object as a table.

use serde_json::{Map, Value};

use super::table;

/// What the schema says about itself.
pub(super) fn about(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

/// The type in a few words; a named one links to its section.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(constant) = schema.get("const") {
        return format!("`{constant}`");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    if let Some(variants) = variants(schema) {
        let mut kinds: Vec<String> = variants.iter().map(kind).collect();
        kinds.dedup();
        return kinds.join(" or ");
    }
    match &schema["type"] {
        Value::String(name) => plain(name, schema),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            let kinds: Vec<String> = names.map(|name| plain(name, schema)).collect();
            kinds.join(" or ")
        }
        _ => "any value".to_owned(),
    }
}

/// The alternatives of a schema, if it has some.
pub(super) fn variants(schema: &Value) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema[key].as_array())
}

fn plain(name: &str, schema: &Value) -> String {
    let (least, most) = (schema.get("minimum"), schema.get("maximum"));
    match name {
        "array" => list(schema),
        "object" if schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        "string" if schema["pattern"].is_string() => {
            format!(
                "string like `{}`",
                schema["pattern"].as_str().unwrap_or_default()
            )
        }
        "integer" | "number" => match (least, most) {
            (Some(least), Some(most)) => format!("{name}, {least} to {most}"),
            (Some(least), None) => format!("{name} from {least}"),
            (None, Some(most)) => format!("{name} up to {most}"),
            (None, None) => name.to_owned(),
        },
        _ => name.to_owned(),
    }
}

fn list(schema: &Value) -> String {
    if let Some(items) = schema["prefixItems"].as_array() {
        let kinds: Vec<String> = items.iter().map(kind).collect();
        return format!("list of {}", kinds.join(", then "));
    }
    let items = kind(&schema["items"]);
    match (&schema["minItems"], &schema["maxItems"]) {
        (Value::Number(least), Value::Number(most)) if least == most => {
            format!("list of {least}: {items}")
        }
        _ => format!("list of {items}"),
    }
}

/// The fields of an object in the order of the type: the required ones as declared, then the others.
pub(super) fn fields(schema: &Value) -> Vec<(&str, &Value, bool)> {
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let first = required.iter().filter_map(|name| {
        let (name, field) = properties.get_key_value(*name)?;
        Some((name.as_str(), field, true))
    });
    first.chain(optional(properties, &required)).collect()
}

fn optional<'a>(
    properties: &'a Map<String, Value>,
    required: &[&str],
) -> impl Iterator<Item = (&'a str, &'a Value, bool)> {
    let mut rest: Vec<_> = properties
        .iter()
        .filter(|(name, _)| !required.contains(&name.as_str()))
        .map(|(name, field)| (name.as_str(), field, false))
        .collect();
    rest.sort_unstable_by_key(|(name, ..)| *name);
    rest.into_iter()
}

/// A type with its fields, those of objects inside it with dotted names.
pub(super) fn section(schema: &Value) -> String {
    let mut text = format!("{}\n\n", about(schema));
    if let Some(variants) = variants(schema) {
        for variant in variants {
            text.push_str(&alternative(variant));
        }
        return text;
    }
    let mut rows = Vec::new();
    add_rows("", schema, &mut rows);
    if rows.is_empty() {
        text + &format!("Type: {}.\n", kind(schema))
    } else {
        text + &field_table(&rows)
    }
}

fn field_table(rows: &[[String; 3]]) -> String {
    table(&["field", "type", "meaning"], rows)
}

/// One of several forms: a word, or an object that a constant field marks.
fn alternative(variant: &Value) -> String {
    let mut rows = Vec::new();
    add_rows("", variant, &mut rows);
    let about = about(variant);
    if rows.is_empty() {
        return format!("- {}{}\n", kind(variant), said(about));
    }
    let mark = fields(variant)
        .into_iter()
        .find_map(|(_, field, _)| field["const"].as_str());
    let name = mark.map_or("an object".to_owned(), |mark| format!("`{mark}`"));
    format!("\n**{name}**{}\n\n{}\n", said(about), field_table(&rows))
}

fn said(about: &str) -> String {
    if about.is_empty() {
        String::new()
    } else {
        format!(": {about}")
    }
}

fn add_rows(prefix: &str, schema: &Value, rows: &mut Vec<[String; 3]>) {
    for (name, field, is_required) in fields(schema) {
        let path = format!("{prefix}{name}");
        let mark = if is_required { "" } else { " (optional)" };
        rows.push([
            format!("`{path}`{mark}"),
            kind(field),
            about(field).to_owned(),
        ]);
        add_rows(&format!("{path}."), field, rows);
        add_rows(&format!("{path}[]."), &field["items"], rows);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_type_is_said_in_a_few_words() {
        for (schema, words) in [
            (
                json!({"type": "integer", "minimum": 1, "maximum": 6}),
                "integer, 1 to 6",
            ),
            (json!({"type": ["string", "null"]}), "string or null"),
            (json!({"$ref": "#/$defs/GameLine"}), "[GameLine](#gameline)"),
            (
                json!({"type": "array", "items": {"type": "boolean"}}),
                "list of boolean",
            ),
            (json!({"enum": ["a", "b"]}), "`\"a\"`, `\"b\"`"),
        ] {
            assert_eq!(kind(&schema), words);
        }
    }

    #[test]
    fn fields_of_inner_objects_have_dotted_names() {
        let inner = json!({"properties": {"b": {"type": "integer"}}, "required": ["b"]});
        let schema = json!({"properties": {"a": inner, "c": {"type": "array", "items": inner}}});
        let mut rows = Vec::new();
        add_rows("", &schema, &mut rows);
        let names: Vec<&str> = rows.iter().map(|[name, ..]| name.as_str()).collect();
        assert_eq!(
            names,
            ["`a` (optional)", "`a.b`", "`c` (optional)", "`c[].b`"]
        );
    }
}
