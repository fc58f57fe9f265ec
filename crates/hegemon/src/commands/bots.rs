//! `hegemon bots`: the registry.

use clap::Args;
use hegemon_bots::{BotInfo, bot_info, bots};
use serde::Serialize;

use crate::output::{self, Column, OutputArgs};
use crate::values;

/// List the bots with their parameters, defaults and sources
#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon bots baseline")]
pub(crate) struct BotsArgs {
    /// Show this bot in detail
    #[arg(value_parser = values::bot_name(), hide_possible_values = true)]
    name: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Prints the list or one bot.
pub(crate) fn run(args: &BotsArgs) -> anyhow::Result<()> {
    match &args.name {
        None => args
            .output
            .print(&bots().map(BotSheet::of).collect(), list_text),
        Some(name) => args
            .output
            .print(&BotSheet::of(bot_info(name)?), BotSheet::text),
    }
}

/// The description of a bot.
#[derive(Serialize)]
struct BotSheet {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    parameters: Vec<ParameterLine>,
}

#[derive(Serialize)]
struct ParameterLine {
    name: &'static str,
    default: &'static str,
    range: String,
    about: &'static str,
}

impl BotSheet {
    fn of(info: &BotInfo) -> BotSheet {
        let parameters = info.parameters.iter().map(|parameter| ParameterLine {
            name: parameter.name,
            default: parameter.default,
            range: parameter.range(),
            about: parameter.about,
        });
        BotSheet {
            name: info.name,
            about: info.about,
            source: info.source,
            parameters: parameters.collect(),
        }
    }

    /// The parameters with names, as they are written in a spec.
    fn defaults(&self) -> Vec<String> {
        let named = self.parameters.iter().filter(|line| !line.name.is_empty());
        named
            .map(|line| format!("{}={}", line.name, line.default))
            .collect()
    }

    /// The bot's purpose and source; on the next line, its parameters.
    fn summary(&self) -> String {
        let summary = format!("{} ({})", self.about, self.source);
        match self.defaults().join(", ") {
            none if none.is_empty() => summary,
            defaults => format!("{summary}\n{defaults}"),
        }
    }

    fn text(&self) -> String {
        let spec = match self.parameters.first() {
            None => self.name.to_owned(),
            Some(first) if first.name.is_empty() => format!("{}(...)", self.name),
            Some(first) => format!(
                "{name} or, for example, {name}({}={})",
                first.name,
                first.default,
                name = self.name
            ),
        };
        let head = output::wrapped(&format!("{}: {}", self.name, self.about), 2) + "\n";
        let facts = output::facts([("source", self.source.to_owned()), ("spec", spec)]);
        if self.parameters.is_empty() {
            return head + &facts;
        }
        let mut table = output::table([
            Column::Text("parameter"),
            Column::Text("default"),
            Column::Text("range"),
            Column::Text("what it does"),
        ]);
        for line in &self.parameters {
            let name = if line.name.is_empty() {
                "(no name)"
            } else {
                line.name
            };
            let cells = [name, line.default, &line.range, line.about];
            table.add_row(output::row(cells.map(str::to_owned)));
        }
        format!("{head}{facts}\n{}", output::table_text(&table))
    }
}

fn list_text(list: &Vec<BotSheet>) -> String {
    let mut table = output::table([
        Column::Text("bot"),
        Column::Text("what it does, its source, its parameters with defaults"),
    ]);
    for bot in list {
        table.add_row(output::row([bot.name.to_owned(), bot.summary()]));
    }
    output::table_text(&table)
}
