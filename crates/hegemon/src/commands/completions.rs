//! `hegemon completions`: shell completion scripts.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "Example: hegemon completions bash > ~/.local/share/bash-completion/completions/hegemon"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hegemon", &mut script);
    output::print(&String::from_utf8(script)?)
}
