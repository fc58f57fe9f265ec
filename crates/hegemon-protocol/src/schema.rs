//! The JSON schema of the messages, generated from their types and doc comments.
//!
//! `docs/protocol.schema.json` is what [`protocol`] says; a test compares them.
//! Servers describe what they take from the protocol with the same words
//! ([`plain`], [`to_text`]).

mod text;

use std::borrow::Cow;

use hegemon_core::{Ending, Phase};
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::{ABANDONED, FromBot, PROTOCOL_VERSION, ToBot};

pub use text::to_text;

macro_rules! word {
    ($(#[$about:meta])* $type:ident, $inline:literal, $schema:expr) => {
        $(#[$about])*
        pub(crate) struct $type;

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                $inline
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

word! {
    /// A move.
    Move, false, json_schema!({
        "description": "A move in notation.",
        "type": "string",
        "pattern": r"^(c[0-9]+|k[0-9]+|t([0-9]+|w)\.([0-9]+|w)\.([0-9]+|w)(\+[0-9]+)?|p[0-9]+x[0-9]+|a[0-9]+>[0-9]+x[0-9]+|o[0-9]+|f[0-9]+>[0-9]+x[0-9]+|end)$",
    })
}
word! {
    /// A card.
    Card, false, json_schema!({
        "description": "Number of the card's territory, or w for a wild card.",
        "type": "string",
        "pattern": "^([0-9]+|w)$",
    })
}
word! {
    /// A seed.
    Seed, true, json_schema!({"type": "string", "pattern": "^[0-9]+$"})
}
word! {
    /// The phase of a view.
    PhaseName, true, json_schema!({"type": "string", "enum": Phase::ASKING.map(Phase::name)})
}
word! {
    /// How a game ended, or that it was broken off.
    EndingName, true, {
        let names = Ending::all().map(Ending::name).chain([ABANDONED]);
        json_schema!({"type": "string", "enum": names.collect::<Vec<_>>()})
    }
}

/// The phases in which chance decides something that a seat is told of.
const CHANCE: [Phase; 5] = [
    Phase::First,
    Phase::Deal,
    Phase::Scatter,
    Phase::Battle,
    Phase::Draw,
];

/// The schema of all messages. Its definitions have the names of the messages'
/// fields: lower case, with underscores.
pub fn protocol() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.with_transform(plain).into_generator();
    generator.subschema_for::<ToBot>();
    generator.subschema_for::<FromBot>();
    let mut definitions = generator.take_definitions(true);
    // Events are told when chance decides, too.
    let phases = &mut definitions["View"]["properties"]["phase"]["enum"];
    let phases = phases.as_array_mut().expect("a list");
    phases.extend(CHANCE.map(|phase| Value::from(phase.name())));
    let mut messages = Map::new();
    for (sender, side) in [("ToBot", "host"), ("FromBot", "bot")] {
        for message in options(&mut definitions, sender) {
            let name = match message["properties"]["type"]["const"].as_str() {
                Some("hello") => format!("{side}_hello"),
                // The move itself has a definition too.
                Some("move") => "move_answer".to_owned(),
                name => name.unwrap_or_default().to_owned(),
            };
            let target = format!("#/$defs/{name}");
            messages.insert(name, std::mem::replace(message, json!({"$ref": target})));
        }
    }
    definitions.append(&mut messages);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/hegemon/protocol.schema.json",
        "title": format!("Hegemon bot protocol, version {PROTOCOL_VERSION}"),
        "description": "One message: a line on the stdin or stdout of a bot. \
            Fields that are not named here are to be ignored.",
        "anyOf": [{"$ref": "#/$defs/ToBot"}, {"$ref": "#/$defs/FromBot"}],
        "$defs": lower_names(definitions),
    });
    lower_references(&mut schema);
    schema
}

/// The messages of one side.
fn options<'a>(
    definitions: &'a mut Map<String, Value>,
    sender: &str,
) -> impl Iterator<Item = &'a mut Value> {
    let options = definitions.get_mut(sender).map(|side| &mut side["oneOf"]);
    options.and_then(Value::as_array_mut).into_iter().flatten()
}

fn lower_names(definitions: Map<String, Value>) -> Map<String, Value> {
    let lower = |(name, schema): (String, Value)| (snake_case(&name), schema);
    definitions.into_iter().map(lower).collect()
}

fn lower_references(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(target) if name == "$ref" => {
                        let (path, last) = target.rsplit_once('/').unwrap_or(("", target));
                        *target = format!("{path}/{}", snake_case(last));
                    }
                    _ => lower_references(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(lower_references),
        _ => {}
    }
}

/// `ToBot` is `to_bot`.
fn snake_case(name: &str) -> String {
    let mut lower = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !lower.is_empty() {
            lower.push('_');
        }
        lower.push(letter.to_ascii_lowercase());
    }
    lower
}

/// Takes out of a schema what says nothing to its readers: our widths of
/// numbers, defaults of what is always written, that what may be absent may be
/// null, and of each comment all but its first paragraph, which is about the
/// thing and not about the code. Nor does it forbid the fields of later versions.
pub fn plain(schema: &mut Schema) {
    for keyword in ["format", "default", "title", "additionalProperties"] {
        schema.remove(keyword);
    }
    absent_not_null(schema);
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let about = text.split("\n\n").next().unwrap_or_default();
        *text = about
            .replace('\n', " ")
            .replace("[`", "`")
            .replace("`]", "`");
    }
    transform_subschemas(&mut plain as &mut dyn Transform, schema);
}

fn absent_not_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &String| {
        let names = required.as_array();
        names.is_some_and(|names| names.iter().any(|known| known == name))
    };
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        if !is_required(name)
            && let Some([kind, Value::String(null)]) =
                property["type"].as_array().map(Vec::as_slice)
            && null == "null"
        {
            property["type"] = kind.clone();
        }
    }
}
