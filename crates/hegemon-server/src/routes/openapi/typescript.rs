//! The page's types of the wire, generated from the schemas.

use std::fmt::Write as _;

use hegemon_core::PlayerId;
use hegemon_protocol::owner_number;
use serde_json::{Map, Value};

/// The module with all types.
pub(super) fn module(schemas: &Map<String, Value>) -> String {
    let mut text = String::from(
        "// The messages of the server, as its OpenAPI document describes them.\n\
         // Written by `cargo xtask generate` from the types of the server: do not edit.\n",
    );
    for (name, about, owner) in [
        (
            "NOBODY",
            "Owner of a territory that nobody has.",
            PlayerId::NOBODY,
        ),
        (
            "NEUTRAL",
            "Owner of the neutral army's territories.",
            PlayerId::NEUTRAL,
        ),
    ] {
        let number = owner_number(owner);
        let _ = write!(text, "\n/** {about} */\nexport const {name} = {number};\n");
    }
    for (name, schema) in schemas {
        text.push('\n');
        about(&mut text, schema, "");
        match schema.get("properties") {
            // A type, not an interface: it then fits where any JSON does.
            Some(_) => {
                let _ = writeln!(text, "export type {name} = {};", object(schema, ""));
            }
            None => {
                let _ = writeln!(text, "export type {name} ={};", union(schema));
            }
        }
    }
    text
}

fn about(text: &mut String, schema: &Value, indent: &str) {
    if let Some(about) = schema["description"].as_str() {
        let _ = writeln!(text, "{indent}/** {about} */");
    }
}

/// A type of its own, each choice on its own line.
fn union(schema: &Value) -> String {
    match choices(schema) {
        Some(choices)
            if choices
                .iter()
                .any(|choice| choice.get("properties").is_some()) =>
        {
            choices
                .iter()
                .map(|choice| format!("\n  | {}", written(choice, "  ")))
                .collect()
        }
        _ => format!(" {}", written(schema, "")),
    }
}

fn choices(schema: &Value) -> Option<&Vec<Value>> {
    let choices = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    choices.as_array()
}

/// A schema as a type.
fn written(schema: &Value, indent: &str) -> String {
    if let Some(target) = schema["$ref"].as_str() {
        return target.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return joined(values.iter().map(ToString::to_string));
    }
    if let Some(choices) = choices(schema) {
        return joined(choices.iter().map(|choice| written(choice, indent)));
    }
    match &schema["type"] {
        Value::Array(kinds) => joined(kinds.iter().map(|kind| of_kind(kind, schema, indent))),
        kind => of_kind(kind, schema, indent),
    }
}

fn of_kind(kind: &Value, schema: &Value, indent: &str) -> String {
    match kind.as_str() {
        Some("integer" | "number") => "number".to_owned(),
        Some("array") => array(schema, indent),
        Some("object") => object(schema, indent),
        Some(kind) => kind.to_owned(),
        None => panic!("the schema {schema} has no type"),
    }
}

fn array(schema: &Value, indent: &str) -> String {
    let item = written(&schema["items"], indent);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => {
            format!("[{}]", vec![item; least as usize].join(", "))
        }
        _ if item.contains('|') && !item.starts_with('{') => format!("({item})[]"),
        _ => item + "[]",
    }
}

/// Required fields first, in the order of the type.
fn object(schema: &Value, indent: &str) -> String {
    let names = schema["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = names.filter_map(Value::as_str).collect();
    let fields = schema["properties"]
        .as_object()
        .expect("an object has fields");
    let is_required = |name: &&String| required.contains(&name.as_str());
    let optional = fields.keys().filter(|name| !is_required(name));
    let mut text = String::from("{\n");
    let deeper = format!("{indent}  ");
    for name in required.iter().copied().chain(optional.map(String::as_str)) {
        let field = &fields[name];
        about(&mut text, field, &deeper);
        let mark = if required.contains(&name) { "" } else { "?" };
        let is_word = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let key = if is_word {
            name.to_owned()
        } else {
            format!("\"{name}\"")
        };
        let _ = writeln!(text, "{deeper}{key}{mark}: {};", written(field, &deeper));
    }
    text + indent + "}"
}

fn joined(options: impl Iterator<Item = String>) -> String {
    options.collect::<Vec<_>>().join(" | ")
}
