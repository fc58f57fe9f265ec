//! `hegemon match`: bots against each other.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, ValueEnum};
use hegemon_arena::{Adjust, Match, MatchReport, PlayerReport};
use hegemon_bots::Spec;
use serde::Serialize;

use crate::inputs::{self, GameChoice, Threads};
use crate::interrupt::stop_flag;
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;

/// Play bots against each other and tell who is better
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MatchArgs {
    /// The players: specs such as baseline or 'mcts(k=20)'; 'hegemon bots' lists them
    #[arg(required = true, num_args = 2..=6, value_name = "SPEC")]
    specs: Vec<Spec>,
    #[command(flatten)]
    game: GameChoice,
    /// Play at least this many games; the last block is played to its end
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = inputs::games)]
    games: u64,
    /// Seed of deals, dice, cards and bots
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write a record of every game into this folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// The luck that the adjusted share is without
    #[arg(long, value_enum, default_value_t = Luck::Dice)]
    adjust: Luck,
    #[command(flatten)]
    programs: ProgramLimits,
    #[command(flatten)]
    output: OutputArgs,
}

/// [`Adjust`] by its names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Luck {
    /// Of the dice in armies: costs next to nothing.
    Dice,
    /// Of dice, cards and deals in win chance: sharper, but a net judges every outcome.
    Value,
}

impl From<Luck> for Adjust {
    fn from(luck: Luck) -> Adjust {
        match luck {
            Luck::Dice => Adjust::Dice,
            Luck::Value => Adjust::Value,
        }
    }
}

const AFTER_HELP: &str = "\
Games are played in blocks: one deal under all seat orders (all permutations for up to \
three players, else all rotations). Intervals are computed over blocks. The adjusted \
share takes out what the dice gave beyond the exact odds; with --adjust value, what dice, cards and deals gave in \
win chance (docs/analysis.md). The result depends on the \
seed alone, not on the number of threads. Ctrl-C ends the match with what there is.

Example: hegemon match baseline simulation --rules sampling --games 2000 --seed 1";

/// Plays the match.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let bot_match = Match {
        game: args.game.resolve(Some(args.specs.len()))?,
        specs: args.specs.clone(),
        n_games: args.games,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: args.programs.grants(),
        records: args.records.clone(),
    };
    bot_match.check()?;
    if let Some(folder) = &args.records {
        inputs::make_folder(folder)?;
    }
    let bar = output::progress(bot_match.n_blocks() * bot_match.block_size());
    let stop = stop_flag();
    let start = Instant::now();
    let report = bot_match.run_adjusted(args.adjust.into(), stop, |tally| {
        bar.set_position(tally.n_games());
        if tally.n_games() % 256 < bot_match.block_size() || args.games < 5_000 {
            let shares: Vec<String> = tally
                .shares()
                .map(|share| format!("{:.1} %", 100.0 * share))
                .collect();
            bar.set_message(shares.join(" "));
        }
    })?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let answer = MatchAnswer {
        seconds,
        games_per_s: report.games as f64 / seconds,
        seed: args.seed,
        map: bot_match.game.map().name().to_owned(),
        interrupted: stop.load(Ordering::SeqCst),
        report,
    };
    args.output.print(&answer, MatchAnswer::text)
}

#[derive(Serialize)]
struct MatchAnswer {
    #[serde(flatten)]
    report: MatchReport,
    seed: u64,
    map: String,
    interrupted: bool,
    seconds: f64,
    games_per_s: f64,
}

impl MatchAnswer {
    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("player"),
            Column::Number("wins"),
            Column::Number("share"),
            Column::Number("95 %"),
            Column::Number("adjusted"),
            Column::Number("95 %"),
            Column::Number("place"),
        ]);
        for player in &self.report.players {
            table.add_row(output::row(player_cells(player)));
        }
        let mut text = output::table_text(&table);
        text.push('\n');
        text += &output::facts(self.facts());
        if self.interrupted {
            text += "\nInterrupted: these are the blocks that were finished.\n";
        }
        text
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let report = &self.report;
        let endings: Vec<String> = report
            .endings
            .iter()
            .map(|(how, n)| format!("{how} {n}"))
            .collect();
        let seats: Vec<String> = report
            .players
            .iter()
            .map(|player| {
                let shares: Vec<String> = player
                    .share_by_seat
                    .iter()
                    .map(|share| format!("{:.1}", 100.0 * share))
                    .collect();
                shares.join(" ")
            })
            .collect();
        let mut facts = vec![
            (
                "games",
                format!(
                    "{} in {} blocks, seed {}, map {}",
                    output::grouped(report.games),
                    output::grouped(report.blocks),
                    self.seed,
                    self.map
                ),
            ),
            ("endings", endings.join(", ")),
            ("rounds", format!("{:.1} on average", report.mean_rounds)),
            ("by seat", format!("{} %", seats.join(" | "))),
        ];
        if let Some(factor) = report.adjustment_factor {
            facts.push(("adjustment", format!("worth {factor:.2} times the games")));
        }
        facts.push(("program", report.program.to_string()));
        facts.push((
            "speed",
            format!(
                "{:.2} s, {:.0} games a second",
                self.seconds, self.games_per_s
            ),
        ));
        facts
    }
}

fn player_cells(player: &PlayerReport) -> [String; 7] {
    let share = |share: f64| format!("{:.2} %", 100.0 * share);
    let interval = |[low, high]: [f64; 2]| format!("{:.2}-{:.2}", 100.0 * low, 100.0 * high);
    [
        player.spec.clone(),
        format!("{}", output::rounded(player.wins, 1)),
        share(player.share),
        interval(player.ci95),
        player.adjusted_share.map_or_else(String::new, share),
        player.adjusted_ci95.map_or_else(String::new, interval),
        format!("{:.2}", player.mean_place),
    ]
}
