//! `hegemon match`: bots against each other.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hegemon_arena::{Adjust, Match, MatchPart, MatchReport, PlayerReport, has_records};
use hegemon_bots::{Spec, titles};
use serde::Serialize;

use crate::inputs::{self, GameChoice, ThreadCount};
use crate::interrupt::{keep_result, keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Play bots against each other and tell who is better
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MatchArgs {
    /// The players: specs such as baseline or 'mcts(k=20)'; 'hegemon bots' lists them
    #[arg(required = true, num_args = 2..=6, value_name = "SPEC", value_parser = values::spec(), hide_possible_values = true)]
    specs: Vec<Spec>,
    #[command(flatten)]
    game: GameChoice,
    /// Play at least this many games; the last block is played to its end
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = values::games())]
    games: u64,
    /// Seed of deals, dice, cards and bots
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// Write a record of every game into this folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// The luck that the adjusted share is without
    #[arg(long, value_enum, default_value_t = AdjustBy::Dice)]
    adjust: AdjustBy,
    /// Play only the blocks from A up to, but without, B, for 'hegemon merge'
    #[arg(long, value_name = "A..B", value_parser = inputs::block_range, requires = "out",
        conflicts_with = "adjust")]
    blocks: Option<Range<u64>>,
    /// Write the played blocks to this file
    #[arg(long, value_name = "FILE", requires = "blocks")]
    out: Option<PathBuf>,
    #[command(flatten)]
    programs: ProgramLimits,
    #[command(flatten)]
    output: OutputArgs,
}

/// [`Adjust`] by its names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum AdjustBy {
    /// Of the dice in armies: costs next to nothing.
    Dice,
    /// Of dice, cards and deals in win chance: sharper, but a net judges every outcome.
    Value,
    /// The same, each roll judged by short rollouts: sharper again, for bots that search.
    Lookahead,
}

impl From<AdjustBy> for Adjust {
    fn from(luck: AdjustBy) -> Adjust {
        match luck {
            AdjustBy::Dice => Adjust::Dice,
            AdjustBy::Value => Adjust::Value,
            AdjustBy::Lookahead => Adjust::Lookahead,
        }
    }
}

const AFTER_HELP: &str = "\
Games are played in blocks: one deal under all seat orders (all permutations for up to \
three players, else all rotations). Intervals are computed over blocks. The adjusted \
share takes out what the dice gave beyond the exact odds; with --adjust value, what dice, cards and deals gave in \
win chance, and --adjust lookahead looks further (docs/analysis.md). The result depends on the \
seed alone, not on the number of threads. Ctrl-C ends the match with what there is.

Many machines can share a match: each plays some of its blocks, all with the same other arguments, and \
'hegemon merge' puts the files together.

Example: hegemon match baseline simulation --rules sampling --games 2000 --seed 1
         hegemon match baseline simulation --rules sampling --games 2000 --blocks 0..500 --out part-0.json";

/// Plays the match.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let bot_match = Match {
        game: args.game.resolve(Some(args.specs.len()))?,
        specs: args.programs.introduced(&args.specs)?,
        n_games: args.games,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: args.programs.grants(),
        records: args.records.clone(),
    };
    bot_match.check()?;
    if let Some(folder) = &args.records {
        inputs::make_folder(folder)?;
        // Blocks of one match may share a folder.
        if args.blocks.is_none() && has_records(folder) {
            bail!(
                "{} has records of games already; give --records a folder without any",
                folder.display()
            );
        }
    }
    if let (Some(blocks), Some(out)) = (&args.blocks, &args.out) {
        return run_part(args, &bot_match, blocks, out);
    }
    let bar = output::game_progress(0, bot_match.n_blocks() * bot_match.block_size());
    let stop = stop_flag();
    let start = Instant::now();
    keep_sentence("Stopped before a block was finished, so there is no result.");
    let answer = |report: MatchReport| {
        let seconds = start.elapsed().as_secs_f64();
        MatchAnswer {
            speed: Some(Speed {
                seconds,
                games_per_s: report.games as f64 / seconds,
            }),
            seed: args.seed,
            map: bot_match.game.map().name().to_owned(),
            interrupted: stop.load(Ordering::SeqCst),
            report,
            next: Some(next_step(args)),
        }
    };
    let report = bot_match.run_adjusted(args.adjust.into(), stop, |tally| {
        if tally.n_games() % 256 < bot_match.block_size() || args.games < 5_000 {
            let shares: Vec<String> = tally
                .shares()
                .map(|share| format!("{:.1} %", 100.0 * share))
                .collect();
            bar.set_message(shares.join(" "));
            keep_result(|| {
                let mut answer = answer(tally.report(&bot_match.specs));
                answer.interrupted = true;
                args.output.written(&answer, MatchAnswer::text)
            });
        }
    })?;
    bar.finish_and_clear();
    args.output.print(&answer(report), MatchAnswer::text)
}

/// What one does with a match: looks at its games, or asks for certainty.
fn next_step(args: &MatchArgs) -> String {
    match (&args.records, args.specs.as_slice()) {
        (Some(folder), _) => format!("hegemon replay {}", folder.display()),
        (None, [a, b]) => {
            let options = args.game.options();
            format!("hegemon sprt '{a}' '{b}'{options} tests which one is better")
        }
        (None, _) => "--records DIR keeps the games for 'hegemon replay DIR'".to_owned(),
    }
}

/// Plays some blocks and writes them to a file.
fn run_part(
    args: &MatchArgs,
    bot_match: &Match,
    blocks: &Range<u64>,
    out: &Path,
) -> anyhow::Result<()> {
    let n_blocks = bot_match.n_blocks();
    if blocks.start >= n_blocks {
        bail!(
            "the match has blocks 0 to {}, so there is no block {}",
            n_blocks - 1,
            blocks.start
        );
    }
    inputs::check_place(Some(out))?;
    let n_wanted = blocks.end.min(n_blocks) - blocks.start;
    let bar = output::progress(n_wanted);
    let stop = stop_flag();
    keep_sentence("Stopped at once: nothing is written.");
    let part = MatchPart::play(bot_match, blocks.clone(), stop, |n| bar.set_position(n))?;
    bar.finish_and_clear();
    inputs::write_file(out, &part.to_text())?;
    let answer = PartAnswer {
        file: out.display().to_string(),
        blocks: part.blocks.len() as u64,
        of: n_blocks,
        interrupted: stop.load(Ordering::SeqCst),
    };
    args.output.print(&answer, PartAnswer::text)
}

#[derive(Serialize)]
struct PartAnswer {
    file: String,
    blocks: u64,
    of: u64,
    interrupted: bool,
}

impl PartAnswer {
    fn text(&self) -> String {
        let mut facts = vec![
            ("file", self.file.clone()),
            (
                "blocks",
                format!(
                    "{} of {}",
                    output::grouped(self.blocks),
                    output::grouped(self.of)
                ),
            ),
        ];
        if self.interrupted {
            facts.push(("interrupted", "the file has the finished blocks".to_owned()));
        }
        let next = "hegemon merge FILE... puts the files of all blocks together";
        output::facts(facts) + &output::next_step(next)
    }
}

/// What a match and a merge print.
#[derive(Serialize)]
pub(super) struct MatchAnswer {
    #[serde(flatten)]
    pub(super) report: MatchReport,
    pub(super) seed: u64,
    pub(super) map: String,
    pub(super) interrupted: bool,
    /// Not of a merge.
    #[serde(flatten)]
    pub(super) speed: Option<Speed>,
    /// What to do with it.
    #[serde(skip)]
    pub(super) next: Option<String>,
}

/// How long a match took.
#[derive(Serialize)]
pub(super) struct Speed {
    seconds: f64,
    games_per_s: f64,
}

impl MatchAnswer {
    pub(super) fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("player"),
            Column::Spare("wins"),
            Column::Number("share"),
            Column::Number("95 %"),
            Column::Number("adjusted"),
            Column::Number("95 %"),
            Column::Spare("place"),
        ]);
        for (name, player) in self.names().into_iter().zip(&self.report.players) {
            table.add_row(output::row(player_cells(name, player)));
        }
        let mut text = output::table_text(&table);
        text.push('\n');
        text += &output::facts(self.facts());
        if self.interrupted {
            text += "\nInterrupted: these are the blocks that were finished.\n";
        }
        if let Some(next) = &self.next {
            text += &output::next_step(next);
        }
        text
    }

    /// What the table calls the players; those of Python have no specs.
    fn names(&self) -> Vec<String> {
        let players = self.report.players.iter();
        let specs: Result<Vec<Spec>, _> = players.map(|player| player.spec.parse()).collect();
        let written = || self.report.players.iter().map(|player| player.spec.clone());
        specs.map_or_else(|_| written().collect(), |specs| titles(&specs))
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
                    "{} in {}, seed {}, map {}",
                    output::grouped(report.games),
                    output::blocks(report.blocks),
                    self.seed,
                    self.map
                ),
            ),
            ("endings", endings.join(", ")),
        ];
        let named = self.names().into_iter().zip(&report.players);
        facts.extend(output::forfeits(
            named.map(|(name, player)| ((name, &player.spec), player.forfeits)),
        ));
        facts.extend([
            ("rounds", format!("{:.1} on average", report.mean_rounds)),
            ("by seat", format!("{} %", seats.join(" | "))),
        ]);
        if let Some(factor) = report.adjustment_factor {
            facts.push(("adjustment", format!("worth {factor:.2} times the games")));
        }
        facts.push(("program", report.program.to_string()));
        if let Some(speed) = &self.speed {
            let text = format!(
                "{:.2} s, {:.0} games a second",
                speed.seconds, speed.games_per_s
            );
            facts.push(("speed", text));
        }
        facts
    }
}

fn player_cells(name: String, player: &PlayerReport) -> [String; 7] {
    let share = |share: f64| format!("{:.2} %", 100.0 * share);
    let interval = |[low, high]: [f64; 2]| format!("{:.2}-{:.2}", 100.0 * low, 100.0 * high);
    [
        name,
        format!("{}", output::rounded(player.wins, 1)),
        share(player.share),
        interval(player.ci95),
        player.adjusted_share.map_or_else(String::new, share),
        player.adjusted_ci95.map_or_else(String::new, interval),
        format!("{:.2}", player.mean_place),
    ]
}
