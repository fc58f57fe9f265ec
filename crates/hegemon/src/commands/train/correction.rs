//! `hegemon train correction`: makes the chances of a net come true as often as they are
//! said, without training it again.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use hegemon_eval::value::ValueFile;
use hegemon_learn::value::{CheckLine, CorrectionPlan, correct};
use serde::Serialize;

use super::value::checks_text;
use crate::inputs::{self, ThreadCount};
use crate::interrupt::{keep_sentence, stop_flag};
use crate::output::{self, OutputArgs};
use crate::values;

/// Correct the chances of a value net by games that it has not learned from
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CorrectionArgs {
    /// The net: a shipped name or a file
    #[arg(value_name = "NET")]
    net: String,
    /// Games of the players that nets may learn from; a fifth is only checked
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = values::whole::<u64>(1..=20_000_000))]
    games: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// Write the corrected net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
A correction multiplies the outputs of the net by a factor and adds a multiple of the chance itself, both linear in \
a few facts of the table: cards, growth, limits, the round, who is alive. It is the one with the least log-loss. A \
correction that the net had before is dropped. The last step of training a value does the same.

Example: hegemon train correction value-classic --games 2000 --out value.toml";

/// Plays, corrects, and writes the net.
pub(crate) fn run(args: &CorrectionArgs) -> anyhow::Result<()> {
    inputs::check_place(Some(&args.out))?;
    let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let file = ValueFile::load(&args.net, &read)?;
    let plan = CorrectionPlan {
        games: args.games,
        seed: args.seed,
        n_threads: args.threads.n(),
        command: inputs::command_line(),
    };
    let bar = output::progress(args.games);
    keep_sentence("Stopped; nothing was written.");
    let mut n_played = 0;
    let corrected = correct(&file, &plan, stop_flag(), |n_games| {
        n_played = n_games;
        bar.set_position(n_games);
    });
    bar.finish_and_clear();
    let Some(corrected) = corrected else {
        anyhow::bail!("stopped after {} games", output::grouped(n_played));
    };
    inputs::write_file(&args.out, &corrected.file.to_toml())?;
    let answer = CorrectionAnswer {
        out: args.out.display().to_string(),
        games: args.games,
        seed: args.seed,
        before: corrected.before,
        after: corrected.after,
    };
    args.output.print(&answer, CorrectionAnswer::text)
}

#[derive(Serialize)]
struct CorrectionAnswer {
    out: String,
    games: u64,
    seed: u64,
    before: Vec<CheckLine>,
    after: Vec<CheckLine>,
}

impl CorrectionAnswer {
    fn text(&self) -> String {
        let before = checks_text("before", &self.before);
        let after = checks_text("after", &self.after);
        before + &after + &output::facts([("written", self.out.clone())])
    }
}
