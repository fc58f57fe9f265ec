//! `hegemon check-bot --init`: the first version of a bot of one's own.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;

use crate::inputs;

/// A language that a bot can be started in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// One file, standard library only
    Python,
    /// A folder for cargo
    Rust,
    /// One file for Node, without packages
    Javascript,
}

const PYTHON: &str = include_str!("../../../../examples/bots/bot.py");
const RUST: &str = include_str!("../../../../examples/bots/bot.rs");
const JAVASCRIPT: &str = include_str!("../../../../examples/bots/bot.js");

/// What was written, and how to run it.
pub(crate) struct BotScaffold {
    /// The file or folder.
    pub(crate) path: PathBuf,
    /// What builds it, if that is needed.
    pub(crate) build: Option<String>,
    /// The command line of the bot.
    pub(crate) command: String,
}

impl BotScaffold {
    /// Writes a bot with this name into a folder.
    ///
    /// # Errors
    ///
    /// If the name cannot be one of a program, something of that name is there, or it cannot be
    /// written.
    pub(crate) fn write(
        folder: &Path,
        language: Language,
        name: &str,
    ) -> anyhow::Result<BotScaffold> {
        check_name(name)?;
        let (path, command) = match language {
            Language::Python => (format!("{name}.py"), format!("python3 {name}.py")),
            Language::Javascript => (format!("{name}.js"), format!("node {name}.js")),
            Language::Rust => (name.to_owned(), format!("./{name}/target/release/{name}")),
        };
        let place = folder.join(&path);
        if place.exists() {
            bail!("{path} already exists and was not changed");
        }
        match language {
            Language::Python => write(&place, &named(PYTHON, "example.py", name))?,
            Language::Javascript => write(&place, &named(JAVASCRIPT, "example.js", name))?,
            Language::Rust => {
                inputs::make_folder(&place.join("src"))?;
                write(&place.join("Cargo.toml"), &manifest(name))?;
                write(&place.join("src/main.rs"), &named(RUST, "example.rs", name))?;
            }
        }
        let manifest = format!("cargo build --release --manifest-path {path}/Cargo.toml");
        Ok(BotScaffold {
            build: (language == Language::Rust).then_some(manifest),
            path: PathBuf::from(path),
            command,
        })
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    inputs::write_file(path, text)
}

fn named(text: &str, old: &str, name: &str) -> String {
    text.replace(old, name)
}

/// A workspace of its own, so that it builds inside any other.
fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nserde_json = \"1\"\n\n[workspace]\n"
    )
}

/// Cargo, Python and the shell all take such a name as it is.
fn check_name(name: &str) -> anyhow::Result<()> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    if starts_well && name.len() <= 64 && name.chars().all(is_letter) {
        return Ok(());
    }
    bail!("\"{name}\" is not a name for a bot: it has lower-case letters, digits, - and _")
}

/// Says what was written and what to do next.
pub(crate) fn run(language: Language, name: &str) -> anyhow::Result<()> {
    let here = std::env::current_dir().context("there is no current folder")?;
    let start = BotScaffold::write(&here, language, name)?;
    let mut lines = vec![format!("wrote {}", start.path.display()), String::new()];
    if let Some(build) = &start.build {
        lines.push(format!("build it:  {build}"));
    }
    let command = &start.command;
    lines.push(format!("check it:  hegemon check-bot '{command}'"));
    lines.push(format!(
        "play it:   hegemon match 'cmd({command})' random --rules lux --games 20"
    ));
    crate::output::print(&(lines.join("\n") + "\n"))
}
