//! The reference pages of the book, made of what the program has: rules, bots, commands, messages, API; and the pictures of
//! its theory.
//!
//! Compiled for tests only. `cargo xtask generate` writes the pages, and a test fails when one is stale.

mod api;
mod bots;
mod commands;
mod figures;
mod protocol;
pub(crate) mod rules;
mod schema;

use std::path::PathBuf;

use serde_json::Value;

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

/// A committed schema, itself made of the types.
fn committed(path: &str) -> Value {
    let text = std::fs::read_to_string(file(path)).expect("a committed file");
    serde_json::from_str(&text).expect("JSON")
}

/// Compares a page with what it should say.
fn compare(name: &str, title: &str, source: &str, body: &str) {
    let text = format!(
        "<!-- Written by `cargo xtask generate` from {source}: do not change it by hand. -->\n# {title}\n\n{}\n",
        body.trim_end()
    );
    compare_file(&format!("docs/reference/{name}.md"), &text);
}

/// Compares a file with what it should be; with `UPDATE_DOCS=1` writes it.
fn compare_file(path: &str, text: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file(path), text).expect("writable");
    } else {
        let written = std::fs::read_to_string(file(path)).unwrap_or_default();
        assert!(
            written == text,
            "{path} is stale: run `cargo xtask generate`"
        );
    }
}

/// A Markdown table.
fn table<R: AsRef<[String]>>(head: &[&str], rows: impl IntoIterator<Item = R>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head_cells: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let mut text = line(&head_cells) + &"|---".repeat(head.len()) + "|\n";
    for row in rows {
        let cells: Vec<String> = row.as_ref().iter().map(|cell| in_a_cell(cell)).collect();
        text.push_str(&line(&cells));
    }
    text
}

/// Text that stays in its cell.
fn in_a_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[test]
fn the_rules_page_is_what_the_rules_say() {
    compare("rules", "Rules", "`Rules` and its presets", &rules::page());
}

#[test]
fn the_bots_page_is_what_the_registry_says() {
    compare("bots", "Bots", "the registry of bots", &bots::page());
}

#[test]
fn the_commands_page_is_what_the_arguments_say() {
    compare(
        "commands",
        "Commands",
        "the arguments of the program",
        &commands::page(),
    );
}

#[test]
fn the_protocol_page_is_what_its_schema_says() {
    compare(
        "protocol",
        "Messages of the bot protocol",
        "docs/protocol.schema.json",
        &protocol::page(),
    );
}

#[test]
fn the_api_page_is_what_the_openapi_document_says() {
    compare(
        "api",
        "The API of the page",
        "crates/hegemon-server/openapi.json",
        &api::page(),
    );
}

#[test]
fn the_pictures_of_the_theory_are_what_the_laws_say() {
    compare_file("docs/theory-battle.svg", &figures::battle());
    compare_file("docs/theory-chain.svg", &figures::campaign());
}

#[test]
fn a_cell_has_one_line_and_no_bar() {
    let text = table(&["a", "b"], [["x|y".to_owned(), "1\n2".to_owned()]]);
    assert_eq!(text, "| a | b |\n|---|---|\n| x\\|y | 1 2 |\n");
}
