//! Commands: what `--help` prints, for every command in turn.

use clap::{Command, CommandFactory};

use crate::args::Cli;

/// Columns of a help text, whatever the terminal of the person who makes the page.
const WIDTH: usize = 100;

pub(super) fn page() -> String {
    let mut cli = Cli::command().term_width(WIDTH);
    cli.build();
    let mut text = "What `--help` prints, for every command.\n".to_owned();
    for command in cli.get_subcommands() {
        if command.get_name() != "help" {
            add(&mut text, command, 2);
        }
    }
    text
}

fn add(text: &mut String, command: &Command, depth: usize) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let help = plain(command).render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    text.push_str(&format!(
        "\n{} {name}\n\n```text\n{}\n```\n",
        "#".repeat(depth),
        lines.join("\n")
    ));
    for inner in command.get_subcommands() {
        if inner.get_name() != "help" {
            add(text, inner, depth + 1);
        }
    }
}

/// Without what the environment of this process says.
fn plain(command: &Command) -> Command {
    let command = command.clone().term_width(WIDTH);
    command.mut_args(|argument| argument.hide_env_values(true))
}
