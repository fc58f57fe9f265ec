//! `hegemon dataset`: games as tables, and statistics on them.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use hegemon_arena::Match;
use hegemon_bots::Spec;
use hegemon_learn::dataset::{
    BANDS, CorrelationReport, RowReader, RowWriter, TurnPhase, correlation_plot, correlations,
    fit_win_share, play_rows, rows_of_record,
};
use hegemon_record::Program;
use serde::Serialize;

use crate::inputs::{self, GameChoice, ThreadCount};
use crate::interrupt::{keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Write games as tables for other programs, and report what goes with winning
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DatasetArgs {
    #[command(subcommand)]
    job: Job,
}

const AFTER_HELP: &str = "\
A data set has a row for each phase of each turn: the state before and after it as numbers, the moves, the \
seed, and who won. Files are Parquet or CSV by their names. docs/dataset.md has the columns.

Example: hegemon dataset play killbot quo evil-pixie boscoe --rules lux --games 500 --out games.csv
         hegemon dataset report games.csv --plot games.svg";

#[derive(Debug, Subcommand)]
enum Job {
    /// Play games and write their rows
    Play(PlayArgs),
    /// Write the rows of recorded games
    Read(ReadArgs),
    /// Correlation of every feature with winning
    Report(ReportArgs),
    /// Fit the evaluation of goal-uct(eval=learned) to the winners
    Fit(FitArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: hegemon dataset play killbot quo --rules lux --games 500 --out games.csv"
)]
struct PlayArgs {
    /// The players
    #[arg(required = true, num_args = 2..=6, value_name = "SPEC", value_parser = values::spec(), hide_possible_values = true)]
    specs: Vec<Spec>,
    #[command(flatten)]
    game: GameChoice,
    /// Play at least this many games; the last block is played to its end
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = values::games())]
    games: u64,
    /// Seed of deals, dice, cards and bots
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// The file to write: FILE.parquet or FILE.csv
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon dataset read games --out games.csv")]
struct ReadArgs {
    /// Folder of records (*.hgr), as 'hegemon match --records' writes them
    #[arg(value_name = "DIR")]
    records: PathBuf,
    /// The file to write: FILE.parquet or FILE.csv
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon dataset report games.csv --phase attack")]
struct ReportArgs {
    /// The data set
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The phase of the table; --json and the plot have all
    #[arg(long, value_enum, default_value_t = PhaseName::Attack)]
    phase: PhaseName,
    /// Write the picture to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon dataset fit games.csv --out weights.toml")]
struct FitArgs {
    /// The data set
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The states after this phase are fitted
    #[arg(long, value_enum, default_value_t = PhaseName::Attack)]
    phase: PhaseName,
    /// Precision of the prior around zero
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = values::factor())]
    precision: f64,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PhaseName {
    Cards,
    Place,
    Attack,
    Fortify,
}

impl PhaseName {
    fn phase(self) -> TurnPhase {
        match self {
            PhaseName::Cards => TurnPhase::Cards,
            PhaseName::Place => TurnPhase::Place,
            PhaseName::Attack => TurnPhase::Attack,
            PhaseName::Fortify => TurnPhase::Fortify,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &DatasetArgs) -> anyhow::Result<()> {
    match &args.job {
        Job::Play(args) => play(args),
        Job::Read(args) => read(args),
        Job::Report(args) => report(args),
        Job::Fit(args) => fit(args),
    }
}

/// Summary of the written file.
#[derive(Serialize)]
struct Written {
    file: String,
    games: u64,
    rows: u64,
    interrupted: bool,
}

impl Written {
    fn text(&self) -> String {
        let mut facts = vec![
            ("file", self.file.clone()),
            ("games", output::grouped(self.games)),
            ("rows", output::grouped(self.rows)),
        ];
        if self.interrupted {
            facts.push((
                "interrupted",
                "the games finished by then are in the file".to_owned(),
            ));
        }
        let next = format!("hegemon dataset report {}", self.file);
        output::facts(facts) + &output::next_step(&next)
    }
}

/// A file with a temporary name until it is complete, so that an interrupted or
/// failed run never destroys an older one.
struct Draft {
    path: PathBuf,
    writer: RowWriter,
    games: u64,
    rows: u64,
}

impl Draft {
    fn create(path: &Path, n_players: usize) -> anyhow::Result<Draft> {
        let name = path.file_name().and_then(|name| name.to_str());
        name.with_context(|| format!("{} is not a file name", path.display()))?;
        let notes = [
            ("hegemon.program", Program::current().to_string()),
            ("hegemon.command", inputs::command_line()),
        ];
        let writer = RowWriter::create(path, n_players, &notes)?;
        Ok(Draft {
            path: path.to_owned(),
            writer,
            games: 0,
            rows: 0,
        })
    }

    fn finish(self, interrupted: bool) -> anyhow::Result<Written> {
        self.writer.finish()?;
        Ok(Written {
            file: self.path.display().to_string(),
            games: self.games,
            rows: self.rows,
            interrupted,
        })
    }
}

fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let games = Match {
        game: args.game.resolve(Some(args.specs.len()))?,
        specs: args.specs.clone(),
        n_games: args.games,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: ProgramLimits::default().grants(),
        records: None,
    };
    // From here on a signal leaves no unfinished file.
    let stop = stop_flag();
    keep_sentence("Stopped at once: nothing is written.");
    let mut draft = Draft::create(&args.out, args.specs.len())?;
    let bar = output::game_progress(0, games.n_blocks() * games.block_size());
    play_rows(&games, stop, |rows| {
        draft.games += 1;
        for row in rows {
            draft.rows += 1;
            draft.writer.write(row)?;
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let written = draft.finish(stop.load(Ordering::SeqCst))?;
    args.output.print(&written, Written::text)
}

fn read(args: &ReadArgs) -> anyhow::Result<()> {
    let files = record_files(&args.records)?;
    let bar = output::progress(files.len() as u64);
    let stop = stop_flag();
    let mut draft: Option<(Draft, usize)> = None;
    for path in &files {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let name = path.display().to_string();
        let record = inputs::record(path)?;
        let n_players = record.header.players.len();
        if draft.is_none() {
            draft = Some((Draft::create(&args.out, n_players)?, n_players));
        }
        let Some((draft, first)) = &mut draft else {
            continue;
        };
        if *first != n_players {
            bail!("{name} has {n_players} players, the records before it {first}");
        }
        let rows = rows_of_record(draft.games, &record).with_context(|| name.clone())?;
        draft.games += 1;
        bar.set_position(draft.games);
        for row in rows {
            draft.rows += 1;
            draft.writer.write(row)?;
        }
    }
    bar.finish_and_clear();
    let Some((draft, _)) = draft else {
        bail!("{} has no records (*.hgr)", args.records.display());
    };
    let written = draft.finish(stop.load(Ordering::SeqCst))?;
    args.output.print(&written, Written::text)
}

/// The records of a folder by name.
fn record_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        // Files whose name starts with a dot are still being written.
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && path.extension().is_some_and(|e| e == "hgr") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn report(args: &ReportArgs) -> anyhow::Result<()> {
    inputs::check_place(args.plot.as_deref())?;
    let report = correlations(|| RowReader::open(&args.file))?;
    if let Some(path) = &args.plot {
        inputs::write_file(path, &correlation_plot(&report))?;
    }
    let phase = args.phase.phase().name();
    let next = format!(
        "hegemon dataset fit {} --out weights.toml",
        args.file.display()
    );
    args.output.print(&report, |report| {
        report_text(report, phase) + &output::next_step(&next)
    })
}

/// Columns of a page on which the correlation over all rounds has its interval.
const WITH_AN_INTERVAL: u16 = 78;

/// Columns of a page on which every correlation has one.
const WITH_INTERVALS: u16 = 126;

fn report_text(report: &CorrelationReport, phase: &str) -> String {
    let width = output::page_width();
    let has_interval = |n: usize| match n {
        0 => width >= WITH_AN_INTERVAL,
        _ => width >= WITH_INTERVALS,
    };
    let mut table = output::table([
        Column::Text("feature"),
        Column::Number("all rounds"),
        Column::Number("1-3"),
        Column::Number("4-8"),
        Column::Number("9-15"),
        Column::Spare("16-"),
    ]);
    let cells: Vec<_> = report.cells.iter().filter(|c| c.phase == phase).collect();
    for all in cells.iter().filter(|c| c.rounds == BANDS[0].0) {
        let mut row = vec![all.feature.clone()];
        for (n, (band, ..)) in BANDS.into_iter().enumerate() {
            let found = cells
                .iter()
                .find(|c| c.rounds == band && c.feature == all.feature);
            row.push(match found.and_then(|c| Some((c.r?, c.ci95?))) {
                Some((r, [low, high])) if has_interval(n) => {
                    format!("{r:.2} ({low:.2} to {high:.2})")
                }
                Some((r, _)) => format!("{r:.2}"),
                None => "-".to_owned(),
            });
        }
        if row[1..].iter().any(|cell| cell != "-") {
            table.add_row(output::row(row));
        }
    }
    let intervals = match has_interval(1) {
        true => "95 %, each game one observation".to_owned(),
        false => format!(
            "95 %, each game one observation; a page of {WITH_INTERVALS} columns and --json have all"
        ),
    };
    let facts = [
        ("phase", phase.to_owned()),
        ("games", output::grouped(report.n_games)),
        ("rows", output::grouped(report.n_rows)),
        ("intervals", intervals),
    ];
    format!("{}\n{}", output::table_text(&table), output::facts(facts))
}

/// The fitted weights.
#[derive(Serialize)]
struct Fitted {
    weights: Vec<(String, f64, f64)>,
    rows: usize,
    games: u64,
    held_out_loss: f64,
    even_loss: f64,
}

fn fit(args: &FitArgs) -> anyhow::Result<()> {
    inputs::check_place(args.out.as_deref())?;
    let rows = RowReader::open(&args.file)?;
    let fit = fit_win_share(rows, args.phase.phase(), args.precision)?;
    if let Some(path) = &args.out {
        let mut file = fit.weights_file();
        file.trained_by = inputs::command_line();
        file.program = Program::current().to_string();
        inputs::write_file(path, &file.to_toml())?;
    }
    let answer = Fitted {
        weights: fit
            .table()
            .map(|(name, weight, error)| (name.to_owned(), weight, error))
            .collect(),
        rows: fit.n_rows,
        games: fit.n_games,
        held_out_loss: fit.held_out_loss,
        even_loss: fit.even_loss,
    };
    let next = match &args.out {
        Some(file) => format!(
            "hegemon match 'goal-uct(eval=learned,weights={})' goal-uct killbot --rules lux",
            file.display()
        ),
        None => {
            "--out FILE writes the weights for 'goal-uct(eval=learned,weights=FILE)'".to_owned()
        }
    };
    args.output
        .print(&answer, |fitted| fitted.text() + &output::next_step(&next))
}

impl Fitted {
    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("feature"),
            Column::Number("weight"),
            Column::Number("std error"),
        ]);
        for (name, weight, error) in &self.weights {
            let cells = [name.clone(), format!("{weight:.3}"), format!("{error:.3}")];
            table.add_row(output::row(cells));
        }
        let facts = [
            (
                "fitted",
                format!("{} rows of {} games", self.rows, self.games),
            ),
            ("held-out loss", format!("{:.4}", self.held_out_loss)),
            ("equal shares", format!("{:.4}", self.even_loss)),
        ];
        format!("{}\n{}", output::table_text(&table), output::facts(facts))
    }
}
