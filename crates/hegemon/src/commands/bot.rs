//! `hegemon bot` and `hegemon check-bot`: the bot protocol from both sides.

use std::io;

use anyhow::bail;
use clap::Args;
use hegemon_bots::{Demand, Spec};

use super::bot_start::{self, Language};
use crate::output;
use crate::programs::ProgramLimits;
use crate::values;

/// Speak the bot protocol on the standard input and output
#[derive(Debug, Args)]
#[command(after_help = BOT_AFTER_HELP)]
pub(crate) struct BotArgs {
    /// The bot to play as
    #[arg(value_parser = values::spec(), hide_possible_values = true)]
    spec: Spec,
}

const BOT_AFTER_HELP: &str = "\
One JSON object a line; docs/protocol.md describes them. Use it to play our bots from another \
program, or to see what a bot of your own has to say.

Example: hegemon match 'cmd(hegemon bot baseline)' simulation --rules sampling --games 10";

/// Serves one bot until the input ends.
pub(crate) fn run(args: &BotArgs) -> anyhow::Result<()> {
    Demand::of(&args.spec)?;
    hegemon_protocol::serve(
        &args.spec,
        ProgramLimits::default().grants(),
        io::stdin().lock(),
        io::stdout().lock(),
    )?;
    Ok(())
}

/// Check that a program speaks the bot protocol, or start one that does
#[derive(Debug, Args)]
#[command(after_help = CHECK_AFTER_HELP)]
pub(crate) struct CheckBotArgs {
    /// The command line of the bot; with --init, the name of the new one
    #[arg(value_name = "CMD|NAME")]
    command: String,
    /// Write a complete bot of this name to start from
    #[arg(long, value_name = "LANGUAGE")]
    init: Option<Language>,
    #[command(flatten)]
    programs: ProgramLimits,
}

const CHECK_AFTER_HELP: &str = "\
Shakes hands, plays games under several rules, sends what a careful bot must survive, and says what \
passed. The exit code is 1 if a required check failed.

Example: hegemon check-bot --init python my-bot
         hegemon check-bot 'python3 my-bot.py'";

/// Where a line goes on: under what was checked.
const DETAIL: usize = 8;

/// Checks a bot and prints the report.
pub(crate) fn run_check(args: &CheckBotArgs) -> anyhow::Result<()> {
    if let Some(language) = args.init {
        return bot_start::run(language, &args.command);
    }
    let report = hegemon_protocol::check(&args.command, &args.programs.launch());
    let lines = format!("{report}");
    let lines = lines.lines().map(|line| output::wrapped(line, DETAIL));
    output::print(&lines.collect::<String>())?;
    if report.passed() {
        return Ok(());
    }
    bail!("{} does not speak the protocol well enough", args.command)
}
