//! `hegemon man`: the manual page, in roff.

use anyhow::Context;
use clap::{Args, CommandFactory};

use crate::args::Cli;
use crate::inputs;
use crate::output;

/// Print the manual page of hegemon or of one command
#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon man odds | man -l -")]
pub(crate) struct ManArgs {
    /// A command; without one, the page of hegemon
    command: Option<String>,
}

/// Prints the page.
pub(crate) fn run(args: &ManArgs) -> anyhow::Result<()> {
    let mut cli = Cli::command();
    cli.build();
    let page_of = match &args.command {
        None => cli,
        Some(name) => {
            let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
            let found = cli.find_subcommand(name).cloned();
            found.with_context(|| inputs::unknown("command", name, &names, "hegemon --help"))?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(page_of)
        .source(concat!("hegemon ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    output::print(&String::from_utf8(page)?)
}
