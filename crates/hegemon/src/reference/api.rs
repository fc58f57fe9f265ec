//! The API of `hegemon play`: its routes, then the types they take and give.

use serde_json::Value;

use super::schema::{about, kind, section};
use super::{committed, table};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

pub(super) fn page() -> String {
    let document = committed("crates/hegemon-server/openapi.json");
    let mut text = format!(
        "{}\n\nA running server gives the OpenAPI document itself at `/api/openapi.json`.\n\n## Routes\n",
        document["info"]["description"]
            .as_str()
            .expect("a description")
    );
    for (path, route) in sorted(&document["paths"]) {
        for method in METHODS {
            if route[method].is_object() {
                text.push_str(&operation(method, path, &route[method]));
            }
        }
    }
    text.push_str("\n## Types\n");
    for (name, schema) in sorted(&document["components"]["schemas"]) {
        text.push_str(&format!("\n### {name}\n\n{}", section(schema)));
    }
    text
}

fn sorted(object: &Value) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = object
        .as_object()
        .expect("an object")
        .iter()
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    entries.sort_unstable_by_key(|(name, _)| *name);
    entries
}

fn operation(method: &str, path: &str, route: &Value) -> String {
    let summary = route["summary"].as_str().unwrap_or_default();
    let mut text = format!("\n### `{} {path}`\n\n{summary}.\n\n", method.to_uppercase());
    if let Some(parameters) = route["parameters"].as_array() {
        let rows = parameters.iter().map(|parameter| {
            let name = parameter["name"].as_str().unwrap_or_default();
            let place = parameter["in"].as_str().unwrap_or_default();
            [
                format!("`{name}` ({place})"),
                kind(&parameter["schema"]),
                about(parameter).to_owned(),
            ]
        });
        text.push_str(&(table(&["parameter", "type", "meaning"], rows) + "\n"));
    }
    if route["requestBody"].is_object() {
        text.push_str(&format!("Body: {}.\n\n", content(&route["requestBody"])));
    }
    let rows = sorted(&route["responses"])
        .into_iter()
        .map(|(status, answer)| [status.to_owned(), about(answer).to_owned(), content(answer)]);
    text + &table(&["status", "meaning", "body"], rows)
}

/// The type of a body, or the kind of its bytes.
fn content(holder: &Value) -> String {
    let Some(kinds) = holder["content"].as_object() else {
        return String::new();
    };
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(name, body)| match name.as_str() {
            "application/json" => kind(&body["schema"]),
            name => format!("`{name}`"),
        })
        .collect();
    kinds.join(" or ")
}
