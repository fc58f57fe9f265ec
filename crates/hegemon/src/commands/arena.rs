//! `hegemon arena`: a pool of bots in one SQLite file.

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use hegemon_arena::pool::{Pool, PoolError, PoolSettings, RunParams, Standing, check, repair};
use hegemon_bots::{Spec, titles};
use hegemon_core::Map;
use serde::Serialize;

use crate::inputs::{GameChoice, ThreadCount};
use crate::interrupt::{keep_result, keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Rate a pool of bots that is kept in one file
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ArenaArgs {
    /// The file of the pool
    #[arg(long, value_name = "FILE", default_value = DEFAULT_STORE, global = true)]
    store: PathBuf,
    #[command(subcommand)]
    command: ArenaCommand,
}

const DEFAULT_STORE: &str = "arena.db";

const AFTER_HELP: &str = "\
Killing a run loses at most the games in flight; the next run goes on. The store depends \
on the seed alone, not on the number of threads or on interruptions.

Example:
  hegemon arena add baseline simulation random --rules sampling
  hegemon arena run --games 2000
  hegemon arena show";

#[derive(Debug, Subcommand)]
enum ArenaCommand {
    /// Add bots; the first call creates the pool with its map, rules and seed
    Add(AddArgs),
    /// Take bots out; their games stay in the file and no longer count
    Remove(RemoveArgs),
    /// Play games until the pool has the requested number
    Run(RunArgs),
    /// Show ratings with intervals, the cross table and p-values
    Show(ShowArgs),
    /// Write all games as CSV or JSON to the standard output
    Export(ExportArgs),
    /// Look for damaged rows, and play damaged games again
    Check(CheckArgs),
}

#[derive(Debug, Args)]
#[command(after_help = ADD_HELP)]
struct AddArgs {
    /// Specs of the bots
    #[arg(required = true, value_name = "SPEC", value_parser = values::spec(), hide_possible_values = true)]
    specs: Vec<Spec>,
    #[command(flatten)]
    game: GameChoice,
    /// Seats of a game [default: 2, or those of the pool]
    #[arg(long, value_name = "N", value_parser = values::players())]
    players: Option<usize>,
    /// Seed of schedule, deals, dice and bots [default: 1, or that of the pool]
    #[arg(long, value_parser = values::seed())]
    seed: Option<u64>,
    #[command(flatten)]
    programs: ProgramLimits,
    #[command(flatten)]
    output: OutputArgs,
}

const ADD_HELP: &str = "\
A pool keeps the map, rules, players and seed that it was made with: later calls need not give them, and may give \
no others.

Example: hegemon arena add killbot quo random --rules lux";

#[derive(Debug, Args)]
#[command(after_help = REMOVE_HELP)]
struct RemoveArgs {
    /// The bots, as 'hegemon arena show' prints them; cmd(COMMAND) is all versions of a program
    #[arg(required = true, value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
}

const REMOVE_HELP: &str = "\
A bot that was taken out is drawn no more, and no game in which it sat counts for anybody. 'hegemon arena add' \
takes it in again, with its games.

Example: hegemon arena remove random";

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon arena run --games 2000")]
struct RunArgs {
    /// Play until the pool has this many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = values::games())]
    games: u64,
    /// First play at least this many blocks for every pair of bots
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = values::whole::<u64>(0..=1_000_000_000))]
    floor: u64,
    #[command(flatten)]
    threads: ThreadCount,
    #[command(flatten)]
    programs: ProgramLimits,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon arena show --brief")]
struct ShowArgs {
    /// Leave out cross table and p-values
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon arena export > games.csv")]
struct ExportArgs {
    /// The format
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon arena check --repair")]
struct CheckArgs {
    /// The file of the pool, if not that of --store
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Play damaged and lost games again: they follow from schedule and seed
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    programs: ProgramLimits,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExportFormat {
    /// One line per game.
    Csv,
    /// One JSON object per line and game.
    Json,
}

/// Runs the subcommand.
pub(crate) fn run(args: &ArenaArgs) -> anyhow::Result<()> {
    match &args.command {
        ArenaCommand::Add(add) => run_add(&args.store, add),
        ArenaCommand::Remove(remove) => run_remove(&args.store, remove),
        ArenaCommand::Run(run) => run_games(&args.store, run),
        ArenaCommand::Show(show) => run_show(&args.store, show),
        ArenaCommand::Export(export) => run_export(&args.store, export),
        ArenaCommand::Check(check) => {
            let file = check.file.as_ref().unwrap_or(&args.store);
            run_check(file, check)
        }
    }
}

#[derive(Serialize)]
struct AddAnswer {
    added: usize,
    bots: usize,
}

fn run_add(store: &Path, args: &AddArgs) -> anyhow::Result<()> {
    let specs = args.programs.introduced(&args.specs)?;
    let mut pool = if has_content(store) {
        let pool = Pool::open(store)?;
        check_given("--players", args.players, pool.settings().n_players)?;
        check_given("--seed", args.seed, pool.settings().seed)?;
        let (map, rules) = (args.game.given_map()?, args.game.given_rules()?);
        pool.check_game(map.as_ref().map(Map::spec), rules.as_ref())?;
        pool
    } else {
        let n_players = args.players.unwrap_or(2);
        let game = args.game.resolve(Some(n_players))?;
        // A misspelt bot must not leave an empty pool behind.
        for spec in &specs {
            hegemon_bots::check(spec, &game, &args.programs.grants())?;
        }
        let settings = PoolSettings {
            map: game.map().spec().clone(),
            rules: game.rules().clone(),
            n_players,
            seed: args.seed.unwrap_or(1),
        };
        Pool::open_or_create(store, &settings)?
    };
    let added = pool.add(&specs, &args.programs.grants())?;
    let answer = AddAnswer {
        added,
        bots: n_bots(&pool)?,
    };
    args.output.print(&answer, |answer| {
        format!(
            "{} added; the pool has {}\n{}",
            answer.added,
            output::count(answer.bots, "bot", "bots"),
            next_command(store, "run --games 1000")
        )
    })
}

/// Refuses a setting that is not that of the pool.
fn check_given<T: PartialEq + Display + Copy>(
    option: &str,
    given: Option<T>,
    of_pool: T,
) -> anyhow::Result<()> {
    match given.filter(|given| *given != of_pool) {
        Some(given) => bail!(
            "{option} {given}: the pool was made with {of_pool}; leave the option out, or make another pool with --store"
        ),
        None => Ok(()),
    }
}

#[derive(Serialize)]
struct RemoveAnswer {
    removed: usize,
    bots: usize,
}

fn run_remove(store: &Path, args: &RemoveArgs) -> anyhow::Result<()> {
    let mut pool = Pool::open(store)?;
    let removed = pool.remove(&named(&pool, &args.bots)?)?;
    let answer = RemoveAnswer {
        removed,
        bots: n_bots(&pool)?,
    };
    args.output.print(&answer, |answer| {
        format!(
            "{} taken out; the pool has {}\n{}",
            answer.removed,
            output::count(answer.bots, "bot", "bots"),
            next_command(store, "show")
        )
    })
}

/// The bots of a pool that are meant by their titles, their specs, or the commands of programs.
fn named(pool: &Pool, bots: &[String]) -> anyhow::Result<Vec<Spec>> {
    let known = pool.specs()?;
    let titles = titles(&known);
    let mut found = Vec::new();
    for bot in bots {
        let spec: Option<Spec> = bot.parse().ok();
        let is_meant = |known: &Spec, title: &String| {
            title == bot
                || spec
                    .as_ref()
                    .is_some_and(|spec| spec == known || *spec == known.without_identity())
        };
        let all = known.iter().zip(&titles);
        let meant: Vec<&Spec> = all
            .filter(|(known, title)| is_meant(known, title))
            .map(|(known, _)| known)
            .collect();
        if meant.is_empty() {
            return Err(PoolError::UnknownBot(bot.clone()).into());
        }
        found.extend(meant.into_iter().cloned());
    }
    Ok(found)
}

/// An empty file counts as missing.
fn has_content(store: &Path) -> bool {
    store.metadata().is_ok_and(|file| file.len() > 0)
}

/// Bots that the pool still plays with.
fn n_bots(pool: &Pool) -> anyhow::Result<usize> {
    Ok(pool.active()?.into_iter().filter(|is_in| *is_in).count())
}

/// Games that the pool has.
fn n_games(pool: &Pool) -> anyhow::Result<u64> {
    let blocks = pool.blocks()?;
    Ok(blocks
        .iter()
        .map(|stored| stored.seated().count() as u64)
        .sum())
}

#[derive(Serialize)]
struct RunAnswer {
    games: u64,
    interrupted: bool,
    /// How many games were wanted.
    #[serde(skip)]
    wanted: u64,
}

fn run_games(store: &Path, args: &RunArgs) -> anyhow::Result<()> {
    let mut pool = Pool::open(store)?;
    for spec in pool.renew(&args.programs.grants())? {
        let title = spec.title();
        output::announce(&format!(
            "{title} is another version of its program, and new in the pool"
        ));
    }
    let params = RunParams {
        n_games: args.games,
        floor: args.floor,
        n_threads: args.threads.n(),
        grants: args.programs.grants(),
    };
    let n_before = n_games(&pool)?;
    let bar = output::game_progress(n_before, args.games);
    keep_sentence(&format!("the pool still has {n_before} games"));
    let stop = stop_flag();
    let games = pool.run(&params, stop, |progress| {
        let best = progress
            .ratings
            .iter()
            .zip(progress.specs)
            .max_by(|a, b| a.0.rating.total_cmp(&b.0.rating));
        if let Some((rating, spec)) = best {
            bar.set_message(format!("{} {:.0}", spec.title(), rating.rating));
        }
        keep_result(|| {
            let answer = RunAnswer {
                games: progress.n_games,
                interrupted: true,
                wanted: args.games,
            };
            args.output.written(&answer, |answer| answer.text(store))
        });
    })?;
    bar.finish_and_clear();
    let answer = RunAnswer {
        games,
        interrupted: stop.load(Ordering::SeqCst),
        wanted: args.games,
    };
    args.output.print(&answer, |answer| answer.text(store))
}

impl RunAnswer {
    fn text(&self, store: &Path) -> String {
        let (how, next) = match self.interrupted {
            true => (
                "; interrupted, run again to continue",
                format!("run --games {}", self.wanted),
            ),
            false => ("", "show".to_owned()),
        };
        let pool = format!("the pool has {} games{how}", output::grouped(self.games));
        output::wrapped(&pool, 2) + &next_command(store, &next)
    }
}

/// The next step with a pool.
fn next_command(store: &Path, command: &str) -> String {
    output::next_step(&pool_command(store, command))
}

/// A command with a pool, in a form that can be typed.
fn pool_command(store: &Path, command: &str) -> String {
    let file = match store == Path::new(DEFAULT_STORE) {
        true => String::new(),
        false => format!(" --store {}", store.display()),
    };
    format!("hegemon arena{file} {command}")
}

fn run_show(store: &Path, args: &ShowArgs) -> anyhow::Result<()> {
    let pool = Pool::open(store)?;
    let standing = pool.standing()?;
    if standing.rows.is_empty() {
        bail!("the pool has no bots yet; 'hegemon arena add SPEC...' adds some");
    }
    args.output.print(&standing, |standing| {
        let mut text = ratings_text(standing);
        if !args.brief {
            text += "\nPoints of the row against the column in percent (games):\n";
            text += &cross_text(standing, |row, column| {
                let cell = standing.cross[row][column];
                if cell.games == 0 {
                    return "-".to_owned();
                }
                format!(
                    "{:.0} ({})",
                    100.0 * cell.points / cell.games as f64,
                    cell.games
                )
            });
            text += "\nOne-sided p-value that the row is above only by chance:\n";
            text += &cross_text(standing, |row, column| {
                format!("{:.4}", standing.p_values[row][column])
            });
        }
        text
    })
}

fn ratings_text(standing: &Standing) -> String {
    let mut table = output::table([
        Column::Number("#"),
        Column::Text("bot"),
        Column::Number("Elo"),
        Column::Number("95 %"),
        Column::Spare("Glicko"),
        Column::Spare("RD"),
        Column::Number("share"),
        Column::Spare("place"),
        Column::Number("games"),
    ]);
    for (n, row) in standing.rows.iter().enumerate() {
        let [low, high] = row.elo_ci95;
        table.add_row(output::row([
            (n + 1).to_string(),
            row.title.clone(),
            format!("{:.0}", row.elo),
            format!("{low:.0} to {high:.0}"),
            format!("{:.0}", row.glicko),
            format!("{:.0}", row.deviation),
            format!("{:.1} %", 100.0 * row.share),
            format!("{:.2}", row.mean_place),
            output::grouped(row.games),
        ]));
    }
    let endings: Vec<String> = standing
        .endings
        .iter()
        .map(|(how, n)| format!("{how} {n}"))
        .collect();
    let summary = format!(
        "{} games: {}",
        output::grouped(standing.games),
        endings.join(", ")
    );
    let mut text = output::table_text(&table) + "\n" + &output::wrapped(&summary, 2);
    let bots = standing.rows.iter();
    let lost = output::forfeits(bots.map(|row| ((&row.title, &row.spec), row.forfeits)));
    if let Some((what, who)) = lost {
        text += &output::wrapped(&format!("{what}: {who}"), 2);
    }
    text
}

/// A square table whose columns are numbered as the rows of the ratings; in parts
/// where the page is too narrow for all columns.
fn cross_text(standing: &Standing, cell: impl Fn(usize, usize) -> String) -> String {
    let n = standing.rows.len();
    let cells = |row: usize, columns: &[usize]| -> Vec<String> {
        let text = |&column: &usize| match column == row {
            true => String::new(),
            false => cell(row, column),
        };
        columns.iter().map(text).collect()
    };
    let all: Vec<usize> = (0..n).collect();
    let longest = all.iter().flat_map(|&row| cells(row, &all));
    let width = longest.map(|text| text.len()).max().unwrap_or(0).max(2);
    let n_fitting = usize::from(output::page_width()) / (width + 2);
    let parts = all.chunks(n_fitting.saturating_sub(1).max(1));
    let part = |columns: &[usize]| {
        let line = |first: String, cells: Vec<String>| {
            let cells = std::iter::once(first).chain(cells);
            let cells: Vec<String> = cells.map(|cell| format!("{cell:>width$}")).collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        let numbers = columns.iter().map(|column| (column + 1).to_string());
        let head = line("#".to_owned(), numbers.collect());
        let rows = all.iter();
        let rows = rows.map(|&row| line((row + 1).to_string(), cells(row, columns)));
        head + &rows.collect::<String>()
    };
    parts.map(part).collect::<Vec<_>>().join("\n")
}

fn run_check(store: &Path, args: &CheckArgs) -> anyhow::Result<()> {
    let report = if args.repair {
        repair(store, &args.programs.grants())?
    } else {
        check(store)?
    };
    args.output.print(&report, |report| {
        let mut text = String::new();
        for damage in &report.damages {
            let _ = writeln!(text, "{damage}");
        }
        let _ = writeln!(text, "{} games are sound", output::grouped(report.games));
        if report.repaired > 0 {
            let _ = writeln!(text, "{} of them were played again", report.repaired);
        }
        text
    })?;
    if !report.damages.is_empty() && !args.repair {
        bail!(
            "{} is damaged in {}; '{}' plays damaged games again",
            store.display(),
            output::count(report.damages.len(), "place", "places"),
            pool_command(store, "check --repair")
        );
    }
    Ok(())
}

#[derive(Serialize)]
struct ExportedGame<'a> {
    wave: u64,
    block: u64,
    game: usize,
    players: Vec<&'a str>,
    scores: Vec<f64>,
    places: &'a [u8],
    ending: &'a str,
    rounds: u32,
    moves: u32,
    hash: String,
    program: &'a str,
}

fn run_export(store: &Path, args: &ExportArgs) -> anyhow::Result<()> {
    let pool = Pool::open(store)?;
    let specs: Vec<String> = pool.specs()?.iter().map(ToString::to_string).collect();
    if let ExportFormat::Csv = args.format {
        output::print("wave,block,game,players,scores,places,ending,rounds,moves,hash,program\n")?;
    }
    for stored in pool.blocks()? {
        let program = stored.block.program.to_string();
        for (n, (bots, game)) in stored.seated().enumerate() {
            let exported = ExportedGame {
                wave: stored.wave,
                block: stored.block.number,
                game: n,
                players: bots.iter().map(|&bot| specs[bot].as_str()).collect(),
                scores: game.scores(),
                places: &game.places,
                ending: game.termination.name(),
                rounds: game.rounds,
                moves: game.n_moves,
                hash: format!("{:016x}", game.hash),
                program: &program,
            };
            output::print(&exported.line(args.format))?;
        }
    }
    Ok(())
}

impl ExportedGame<'_> {
    fn line(&self, format: ExportFormat) -> String {
        let joined = |items: Vec<String>| items.join(";");
        match format {
            ExportFormat::Json => serde_json::to_string(self).unwrap_or_default() + "\n",
            ExportFormat::Csv => format!(
                "{},{},{},\"{}\",{},{},{},{},{},{},\"{}\"\n",
                self.wave,
                self.block,
                self.game,
                self.players.join(";").replace('"', "\"\""),
                joined(self.scores.iter().map(f64::to_string).collect()),
                joined(self.places.iter().map(u8::to_string).collect()),
                self.ending,
                self.rounds,
                self.moves,
                self.hash,
                self.program,
            ),
        }
    }
}
