//! `hegemon rules`: the presets.

use clap::{Args, Subcommand};
use hegemon_core::Rules;
use serde::Serialize;

use crate::inputs;
use crate::output::{self, Column, OutputArgs};
use crate::values;

/// List and show rules
#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon rules show lux > my-rules.toml")]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// List the presets
    #[command(after_help = "Example: hegemon rules list")]
    List {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Print rules as TOML, which can be changed and given to --rules
    #[command(after_help = "Example: hegemon rules show beam")]
    Show {
        /// Rules: a preset, or a TOML or JSON file
        #[arg(value_name = "NAME|FILE", value_parser = values::rules(), hide_possible_values = true)]
        rules: String,
        #[command(flatten)]
        output: OutputArgs,
    },
}

/// Runs the subcommand.
pub(crate) fn run(args: &RulesArgs) -> anyhow::Result<()> {
    match &args.command {
        RulesCommand::List { output } => output.print(&list()?, |list| list_text(list)),
        RulesCommand::Show { rules, output } => {
            output.print(&inputs::rules(rules)?, Rules::to_toml)
        }
    }
}

/// A line of the list.
#[derive(Serialize)]
struct RulesLine {
    name: &'static str,
    players: [u8; 2],
    about: &'static str,
}

fn list() -> anyhow::Result<Vec<RulesLine>> {
    let line = |name| {
        let players = inputs::rules(name)?.players;
        Ok(RulesLine {
            name,
            players,
            about: Rules::preset_about(name),
        })
    };
    Rules::PRESETS.into_iter().map(line).collect()
}

fn list_text(list: &[RulesLine]) -> String {
    let mut table = output::table([
        Column::Text("preset"),
        Column::Text("players"),
        Column::Text("what it is"),
    ]);
    for line in list {
        let players = match line.players {
            [fewest, most] if fewest == most => fewest.to_string(),
            [fewest, most] => format!("{fewest}-{most}"),
        };
        table.add_row(output::row([
            line.name.to_owned(),
            players,
            line.about.to_owned(),
        ]));
    }
    output::table_text(&table)
}
