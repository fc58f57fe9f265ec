//! The arguments as given. Each command declares its own in its module.

use clap::{Parser, Subcommand};

use crate::commands::{
    analysis, analyze, arena, bench, bot, bots, calibrate, completions, dataset, doctor, hint, lab,
    man, maps, matches, merge, odds, perft, play, replay, rules, sprt, train,
};
use crate::provenance::VERSION;

/// An open laboratory for computer Risk.
#[derive(Debug, Parser)]
#[command(name = "hegemon", version = VERSION.as_str(), max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
}

const AFTER_HELP: &str = "\
Example: hegemon odds 5 4

'hegemon' alone prints a short guide.";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    Play(play::PlayArgs),
    Replay(replay::ReplayArgs),
    Match(matches::MatchArgs),
    Merge(merge::MergeArgs),
    Arena(arena::ArenaArgs),
    Sprt(sprt::SprtArgs),
    Train(train::TrainArgs),
    Lab(lab::LabArgs),
    Dataset(dataset::DatasetArgs),
    Analyze(analyze::AnalyzeArgs),
    Hint(hint::HintArgs),
    Analysis(analysis::AnalysisArgs),
    Calibrate(calibrate::CalibrateArgs),
    Odds(odds::OddsArgs),
    Maps(maps::MapsArgs),
    Rules(rules::RulesArgs),
    Bots(bots::BotsArgs),
    Bot(bot::BotArgs),
    CheckBot(bot::CheckBotArgs),
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}
