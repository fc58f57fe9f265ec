//! The arguments as given. Each command declares its own in its module.

use clap::{Command, CommandFactory, FromArgMatches as _, Parser, Subcommand};

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

impl Cli {
    /// The arguments of this process.
    ///
    /// # Errors
    ///
    /// If they are wrong or ask for help.
    pub(crate) fn read() -> Result<Cli, clap::Error> {
        let mut command = taking_negative(Cli::command());
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// A negative number after an option is its value, and refused as such; to the parser it is
/// otherwise another option, which there is not.
fn taking_negative(command: Command) -> Command {
    command
        .mut_args(|arg| match arg.get_action().takes_values() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
        .mut_subcommands(taking_negative)
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
