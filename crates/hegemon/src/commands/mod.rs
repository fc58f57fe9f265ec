//! The commands, one module each.

pub(crate) mod analysis;
pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod bot;
mod bot_start;
pub(crate) mod bots;
pub(crate) mod calibrate;
pub(crate) mod completions;
pub(crate) mod dataset;
pub(crate) mod doctor;
mod guide;
pub(crate) mod hint;
pub(crate) mod lab;
pub(crate) mod man;
pub(crate) mod maps;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod odds;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod sprt;
pub(crate) mod train;

use crate::args::{Cli, CliCommand};

/// Runs the command.
pub(crate) fn run(cli: &Cli) -> anyhow::Result<()> {
    match &cli.command {
        None => guide::run(),
        Some(CliCommand::Play(args)) => play::run(args),
        Some(CliCommand::Replay(args)) => replay::run(args),
        Some(CliCommand::Match(args)) => matches::run(args),
        Some(CliCommand::Merge(args)) => merge::run(args),
        Some(CliCommand::Arena(args)) => arena::run(args),
        Some(CliCommand::Sprt(args)) => sprt::run(args),
        Some(CliCommand::Train(args)) => train::run(args),
        Some(CliCommand::Lab(args)) => lab::run(args),
        Some(CliCommand::Dataset(args)) => dataset::run(args),
        Some(CliCommand::Analyze(args)) => analyze::run(args),
        Some(CliCommand::Hint(args)) => hint::run(args),
        Some(CliCommand::Analysis(args)) => analysis::run(args),
        Some(CliCommand::Calibrate(args)) => calibrate::run(args),
        Some(CliCommand::Odds(args)) => odds::run(args),
        Some(CliCommand::Maps(args)) => maps::run(args),
        Some(CliCommand::Rules(args)) => rules::run(args),
        Some(CliCommand::Bots(args)) => bots::run(args),
        Some(CliCommand::Bot(args)) => bot::run(args),
        Some(CliCommand::CheckBot(args)) => bot::run_check(args),
        Some(CliCommand::Perft(args)) => perft::run(args),
        Some(CliCommand::Bench(args)) => bench::run(args),
        Some(CliCommand::Doctor(args)) => doctor::run(args),
        Some(CliCommand::Completions(args)) => completions::run(args),
        Some(CliCommand::Man(args)) => man::run(args),
    }
}
