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

use crate::args::{Cli, Command};

/// Runs the command.
pub(crate) fn run(cli: &Cli) -> anyhow::Result<()> {
    match &cli.command {
        None => guide::run(),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Replay(args)) => replay::run(args),
        Some(Command::Match(args)) => matches::run(args),
        Some(Command::Merge(args)) => merge::run(args),
        Some(Command::Arena(args)) => arena::run(args),
        Some(Command::Sprt(args)) => sprt::run(args),
        Some(Command::Train(args)) => train::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Dataset(args)) => dataset::run(args),
        Some(Command::Analyze(args)) => analyze::run(args),
        Some(Command::Hint(args)) => hint::run(args),
        Some(Command::Analysis(args)) => analysis::run(args),
        Some(Command::Calibrate(args)) => calibrate::run(args),
        Some(Command::Odds(args)) => odds::run(args),
        Some(Command::Maps(args)) => maps::run(args),
        Some(Command::Rules(args)) => rules::run(args),
        Some(Command::Bots(args)) => bots::run(args),
        Some(Command::Bot(args)) => bot::run(args),
        Some(Command::CheckBot(args)) => bot::run_check(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Man(args)) => man::run(args),
    }
}
