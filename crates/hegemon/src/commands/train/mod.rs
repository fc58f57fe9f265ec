//! `hegemon train`: training of evaluators and agents.

mod beam;
mod correction;
mod draft;
mod value;
mod weights;

use clap::{Args, Subcommand};

/// Train evaluators and agents
#[derive(Debug, Args)]
#[command(
    after_help = "Example: hegemon train weights --method clop --rules sampling --games 4000 --out my.toml"
)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(Debug, Subcommand)]
enum TrainCommand {
    Weights(weights::WeightsArgs),
    Draft(draft::DraftArgs),
    Beam(beam::BeamArgs),
    Value(value::ValueArgs),
    Correction(correction::CorrectionArgs),
}

/// Runs the subcommand.
pub(crate) fn run(args: &TrainArgs) -> anyhow::Result<()> {
    match &args.command {
        TrainCommand::Weights(args) => weights::run(args),
        TrainCommand::Draft(args) => draft::run(args),
        TrainCommand::Beam(args) => beam::run(args),
        TrainCommand::Value(args) => value::run(args),
        TrainCommand::Correction(args) => correction::run(args),
    }
}
