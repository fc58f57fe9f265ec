//! Rules: every axis with its values, and what the presets say.

use hegemon_core::Rules;
use serde_json::Value;

use super::schema::{about, fields, kind, variants};
use super::{committed, table};

/// An axis: the key that `--set` takes, and its schema.
struct Axis<'a> {
    key: String,
    schema: &'a Value,
}

pub(super) fn page() -> String {
    let schema = committed("docs/protocol.schema.json");
    let mut axes = Vec::new();
    collect("", &schema["$defs"], &schema["$defs"]["rules"], &mut axes);
    let presets = Rules::PRESETS.map(|name| {
        let rules = Rules::preset(name).expect("a preset");
        serde_json::from_str(&rules.to_json()).expect("JSON")
    });
    let rows = axes.iter().map(|axis| row(axis, &presets));
    let head = [["axis"].as_slice(), &Rules::PRESETS].concat();
    let mut text = format!(
        "Rules are data: each line below is one choice. `hegemon rules show NAME` prints a preset as a file that `--rules` takes, and \
         `--set KEY=VALUE` changes one choice. A file states only what differs from the boxed game.\n\n{}\n{}",
        preset_lines(),
        table(&head, rows)
    );
    for axis in &axes {
        text.push_str(&section(axis));
    }
    text
}

/// The key of every axis, with the words in which its values are written.
pub(crate) fn words() -> Vec<(String, Vec<String>)> {
    let schema = committed("docs/protocol.schema.json");
    let mut axes = Vec::new();
    collect("", &schema["$defs"], &schema["$defs"]["rules"], &mut axes);
    let words = axes.into_iter().map(|axis| {
        let variants = variants(axis.schema).into_iter().flatten();
        (axis.key, variants.flat_map(variant_words).collect())
    });
    words.collect()
}

fn variant_words(variant: &Value) -> Vec<String> {
    let Some((name, inner, _)) = fields(variant).into_iter().next() else {
        let listed = variant["enum"].as_array().into_iter().flatten();
        let words = listed.chain(variant.get("const")).filter_map(Value::as_str);
        return words.map(str::to_owned).collect();
    };
    let parts = fields(inner).into_iter();
    let parts = parts.map(|(part, ..)| part.to_owned());
    std::iter::once(name.to_owned()).chain(parts).collect()
}

fn preset_lines() -> String {
    let line = |name| format!("- `{name}`: {}\n", Rules::preset_about(name));
    Rules::PRESETS.map(line).concat()
}

/// An object without alternatives is a group of axes, all else is one.
fn collect<'a>(prefix: &str, types: &'a Value, schema: &'a Value, axes: &mut Vec<Axis<'a>>) {
    for (name, field, _) in fields(schema) {
        let key = format!("{prefix}{name}");
        let field = named(types, field);
        if field["properties"].is_object() {
            collect(&format!("{key}."), types, field, axes);
        } else {
            axes.push(Axis { key, schema: field });
        }
    }
}

/// The type that a field refers to, or the field itself.
fn named<'a>(types: &'a Value, field: &'a Value) -> &'a Value {
    match field["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        Some(name) => &types[name],
        None => field,
    }
}

fn row(axis: &Axis<'_>, presets: &[Value]) -> Vec<String> {
    let link = format!("[`{0}`](#{1})", axis.key, axis.key.replace('.', ""));
    let values = presets.iter().map(|rules| {
        let value = axis.key.split('.').fold(rules, |value, name| &value[name]);
        match value {
            Value::Null => "not set".to_owned(),
            value => format!("`{value}`"),
        }
    });
    std::iter::once(link).chain(values).collect()
}

fn section(axis: &Axis<'_>) -> String {
    let mut text = format!("\n## `{}`\n\n{}\n\n", axis.key, about(axis.schema));
    match variants(axis.schema) {
        None => text.push_str(&format!("Value: {}.\n", kind(axis.schema))),
        Some(variants) => {
            for variant in variants {
                text.push_str(&value_lines(variant));
            }
        }
    }
    text
}

fn value_lines(variant: &Value) -> String {
    let Some((name, inner, _)) = fields(variant).into_iter().next() else {
        return format!("- {}: {}\n", kind(variant), about(variant));
    };
    let mut text = format!("- `{name}`: {}\n", about(variant));
    let parts = fields(inner);
    if parts.is_empty() {
        text.push_str(&format!("  - {}\n", kind(inner)));
    }
    for (part, schema, _) in parts {
        text.push_str(&format!(
            "  - `{part}` ({}): {}\n",
            kind(schema),
            about(schema)
        ));
    }
    text
}
