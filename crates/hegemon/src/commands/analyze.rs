//! `hegemon analyze`: luck and skill of a recorded game.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::Args;
use hegemon_analysis::{
    AnalysisParams, CostlyDecision, GameAnalysis, Level, Mark, PlayerTotals, Point, PuzzleEntry,
    PuzzleFile, analyze, costly_decisions,
};
use hegemon_bots::{Judge, Stop};
use hegemon_record::{GameRecord, Program};

use crate::inputs::{self, ThreadCount};
use crate::interrupt::silent_stop_flag;
use crate::output::{self, Column, OutputArgs};
use crate::values;

/// Luck and skill of a recorded game: who won by what
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct AnalyzeArgs {
    /// The record; with --puzzles any number of them
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// Write the decisions that cost most, as puzzles, to this file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    puzzles: Option<PathBuf>,
    /// How thorough: fast, normal or deep
    #[arg(long, default_value_t = Level::Normal)]
    level: Level,
    /// How many mistakes and rolls to show; --json has all
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = values::whole::<usize>(1..=10_000))]
    show: usize,
    /// Seed of all samples
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Luck is the win chance after a roll, card or deal minus its mean under the exact law. Skill is the win chance \
of the best candidate found minus that of the move made; a loss of 2 points is an inaccuracy (?!), of 5 an \
error (?), of 10 a blunder (??), if it is two standard errors above zero. Accuracy is the share of their \
chance to win that a player's decisions kept. Ctrl-C prints what there is. \
docs/analysis.md says more.

Example: hegemon match killbot quo angry --rules lux --games 6 --records games
         hegemon analyze games/game-0000001.hgr";

/// Analyses the record, or cuts puzzles from several.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    if let Some(out) = &args.puzzles {
        return cut_puzzles(args, out);
    }
    let [path] = args.records.as_slice() else {
        bail!("one record at a time, but for --puzzles");
    };
    let analysis = analysis_of(args, path, &inputs::record(path)?, &Stop::new())?;
    args.output.print(&analysis, |found| text(found, args.show))
}

/// A puzzle is certain if what was given away is this many standard errors above zero.
const SURE: f64 = 4.0;

/// Writes the decisions that cost most, at most `show` of a game.
fn cut_puzzles(args: &AnalyzeArgs, out: &Path) -> anyhow::Result<()> {
    inputs::check_place(Some(out))?;
    // All are read first: a bad one is told before the others are analysed.
    let records = args.records.iter().map(|path| inputs::record(path));
    let records: Vec<GameRecord> = records.collect::<anyhow::Result<_>>()?;
    let stop = Stop::new();
    let mut puzzles = Vec::new();
    for (path, record) in args.records.iter().zip(&records) {
        let found = puzzles_of(args, path, record, &stop);
        if stop.is_raised() {
            bail!("interrupted; {} is as it was", out.display());
        }
        puzzles.extend(found?);
    }
    let file = PuzzleFile {
        made_by: format!(
            "hegemon {}; records analysed at level {}, seed {}",
            Program::current(),
            args.level,
            args.seed
        ),
        puzzles,
    };
    inputs::write_file(out, &(serde_json::to_string_pretty(&file)? + "\n"))?;
    let n = output::count(file.puzzles.len(), "puzzle", "puzzles");
    output::print(&format!("{n} in {}\n", out.display()))
}

/// The puzzles of a record, the costliest first.
fn puzzles_of(
    args: &AnalyzeArgs,
    path: &Path,
    record: &GameRecord,
    stop: &Stop,
) -> anyhow::Result<Vec<PuzzleEntry>> {
    let analysis = analysis_of(args, path, record, stop)?;
    let mut costly = costly_decisions(record, &analysis)?;
    costly.sort_by(|a, b| b.skill.loss.total_cmp(&a.skill.loss));
    let Some(first) = costly.first() else {
        return Ok(Vec::new());
    };
    let judge = Judge::new(first.before.game(), stop)?;
    let is_sure = |found: &CostlyDecision<'_>| found.skill.loss > SURE * found.skill.error;
    let confirmed = costly
        .iter()
        .filter(|found| is_sure(found))
        .filter_map(|found| {
            stop_if_asked(stop);
            found
                .confirmed(&judge, args.level, args.seed)
                .filter(is_sure)
        });
    let puzzle = |decision: CostlyDecision<'_>| {
        let point = &analysis.points[decision.point];
        let id = format!("{}-{}", record.header.seed, point.n_events);
        PuzzleEntry::new(id, &decision, &analysis.players[point.seat])
    };
    Ok(confirmed.take(args.show).filter_map(puzzle).collect())
}

fn stop_if_asked(stop: &Stop) {
    if silent_stop_flag().load(Ordering::SeqCst) {
        stop.raise();
    }
}

fn analysis_of(
    args: &AnalyzeArgs,
    path: &Path,
    record: &GameRecord,
    stop: &Stop,
) -> anyhow::Result<GameAnalysis> {
    let params = AnalysisParams {
        level: args.level,
        n_threads: args.threads.n(),
        seed: args.seed,
        stop: stop.clone(),
        // A record does not tell.
        stand_ins: BTreeSet::new(),
    };
    let bar = output::progress(0);
    let progress = |n_done: usize, n_all: usize| {
        bar.set_length(n_all as u64);
        bar.set_position(n_done as u64);
        stop_if_asked(stop);
    };
    let analysis = analyze(record, &params, &progress);
    bar.finish_and_clear();
    analysis.with_context(|| path.display().to_string())
}

/// Chances of this many rounds are shown.
const MAX_ROUNDS: usize = 20;

fn points(p: f64) -> String {
    format!("{:+.1}", 100.0 * p)
}

fn text(found: &GameAnalysis, show: usize) -> String {
    let mut text = format!(
        "{} on {}: luck and skill in points of win chance\n\n",
        output::count(found.players.len(), "player", "players"),
        found.map
    );
    text += &totals_text(&found.totals);
    text.push('\n');
    text += &chances_text(found);
    text += &mistakes_text(found, show);
    text += &rolls_text(found, show.div_ceil(2));
    text.push('\n');
    let judged = match found.n_judged == found.n_decisions {
        true => format!("all {} were judged", found.n_decisions),
        false => format!(
            "interrupted: {} of {} were judged",
            found.n_judged, found.n_decisions
        ),
    };
    text + &output::facts([
        ("decisions", judged),
        ("level", format!("{}, seed {}", found.level, found.seed)),
    ])
}

fn totals_text(totals: &[PlayerTotals]) -> String {
    let mut table = output::table([
        Column::Text("player"),
        Column::Number("result"),
        Column::Number("dice"),
        Column::Number("cards"),
        Column::Number("deal"),
        Column::Number("adjusted"),
        Column::Number("accuracy"),
        Column::Number("lost"),
        Column::Number("?!"),
        Column::Number("?"),
        Column::Number("??"),
    ]);
    for player in totals {
        let accuracy = player.accuracy.map(|a| format!("{:.1}", 100.0 * a));
        table.add_row(output::row([
            format!("{} {}", player.seat + 1, player.player),
            format!("{:.0}", 100.0 * player.result),
            points(player.dice_luck),
            points(player.cards_luck),
            points(player.deal_luck),
            format!("{:.1}", 100.0 * player.adjusted),
            accuracy.unwrap_or_else(|| "-".to_owned()),
            format!("{:.1}", 100.0 * player.loss),
            player.inaccuracies.to_string(),
            player.errors.to_string(),
            player.blunders.to_string(),
        ]));
    }
    output::table_text(&table)
}

/// The chances at the end of some rounds.
fn chances_text(found: &GameAnalysis) -> String {
    let mut ends: Vec<&Point> = Vec::new();
    for point in &found.points {
        match ends.last_mut() {
            Some(last) if last.round == point.round => *last = point,
            _ => ends.push(point),
        }
    }
    let step = ends.len().div_ceil(MAX_ROUNDS).max(1);
    let last = ends.len().saturating_sub(1);
    let mut text = "win chance in percent after each round\n".to_owned();
    let shown = ends.iter().enumerate();
    for (n, point) in shown.filter(|(n, _)| n % step == 0 || *n == last) {
        let chances = point.chances.iter().map(|p| format!("{:>7.1}", 100.0 * p));
        let chances: String = chances.collect();
        let error = point.errors.as_ref().map(|errors| {
            let largest = errors.iter().copied().fold(0.0, f64::max);
            format!("   ± {:.1}", 100.0 * largest)
        });
        let round = match n {
            0 if point.round == 0 => "setup".to_owned(),
            _ => point.round.to_string(),
        };
        text += &format!("{round:>6}{chances}{}\n", error.unwrap_or_default());
    }
    text
}

fn mistakes_text(found: &GameAnalysis, show: usize) -> String {
    let marked = found.points.iter().filter_map(|point| {
        let skill = point.skill.as_ref()?;
        Some((point, skill, skill.mark?))
    });
    let mut marked: Vec<_> = marked.collect();
    marked.sort_by(|(_, a, _), (_, b, _)| b.loss.total_cmp(&a.loss));
    if marked.is_empty() {
        return "\nno decision is marked\n".to_owned();
    }
    let mut text = "\nlargest mistakes\n".to_owned();
    for (point, skill, mark) in marked.into_iter().take(show) {
        let done = format!(
            "  round {}, player {} {}: {} ({} ± {:.1})",
            point.round,
            point.seat + 1,
            Mark::sign(mark),
            skill.done,
            points(-skill.loss),
            100.0 * skill.error
        );
        text += &output::wrapped(&done, 6);
        text += &output::wrapped(&format!("      better: {}", skill.best_words), 8);
    }
    text
}

/// The luckiest rolls, cards and deals for whoever they were lucky for.
fn rolls_text(found: &GameAnalysis, show: usize) -> String {
    let lucky = found.points.iter().filter_map(|point| {
        let (_, luck) = point.luck.as_ref()?;
        let most = (0..luck.len()).max_by(|a, b| luck[*a].total_cmp(&luck[*b]))?;
        let least = (0..luck.len()).min_by(|a, b| luck[*a].total_cmp(&luck[*b]))?;
        Some((point, (most, luck[most]), (least, luck[least])))
    });
    let mut lucky: Vec<_> = lucky.collect();
    lucky.sort_by(|(_, (_, a), _), (_, (_, b), _)| b.total_cmp(a));
    let mut text = "\nluckiest events\n".to_owned();
    for (point, (most, gain), (least, loss)) in lucky.into_iter().take(show) {
        let line = format!(
            "  round {}: {} (player {} {}, player {} {})",
            point.round,
            point.words,
            most + 1,
            points(gain),
            least + 1,
            points(loss)
        );
        text += &output::wrapped(&line, 6);
    }
    text
}
