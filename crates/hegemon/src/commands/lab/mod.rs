//! `hegemon lab`: every published table and figure, run again.

mod repeat;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand, ValueEnum};
use hegemon_lab::{
    EXPERIMENTS, Experiment, Format, Mixing, Report, ResultStore, RunSetting, RunSummary, Scale,
    Summaries, chosen, run_cells,
};
use serde::Serialize;

use crate::inputs::ThreadCount;
use crate::interrupt::{keep_result, keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::values;

/// Re-run the tables and figures of the papers
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

const AFTER_HELP: &str = "\
Example: hegemon lab run all --scale smoke && hegemon lab report --scale smoke --out lab-report";

#[derive(Debug, Subcommand)]
enum LabCommand {
    List(ListArgs),
    Run(RunArgs),
    Report(ReportArgs),
    Docs(DocsArgs),
    Repeat(repeat::RepeatArgs),
}

/// List the experiments with their cost at each scale
#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon lab list")]
struct ListArgs {
    #[command(flatten)]
    output: OutputArgs,
}

/// Run or resume experiments
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
struct RunArgs {
    /// Experiments by name, or all
    #[arg(required = true, value_name = "NAME", value_parser = values::experiment(), hide_possible_values = true)]
    names: Vec<String>,
    #[command(flatten)]
    setting: SettingArgs,
    #[command(flatten)]
    threads: ThreadCount,
    #[command(flatten)]
    output: OutputArgs,
}

const RUN_HELP: &str = "\
An experiment consists of cells. Each is stored when it is done, and what is stored is not computed \
again, so a run that was stopped goes on where it was. Results depend on scale and seed, not on the \
number of threads.

Example: hegemon lab run 002-tournament 003-policies --scale quick --seed 1";

/// Write the report of what was run
#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
struct ReportArgs {
    /// Experiments by name; all without
    #[arg(value_name = "NAME", value_parser = values::experiment(), hide_possible_values = true)]
    names: Vec<String>,
    #[command(flatten)]
    setting: SettingArgs,
    /// Folder for the report
    #[arg(long, value_name = "DIR", default_value = "lab-report")]
    out: PathBuf,
    /// One HTML page, Markdown with pictures, or both
    #[arg(long, value_enum, default_value_t = FormatName::Both)]
    format: FormatName,
    #[command(flatten)]
    output: OutputArgs,
}

const REPORT_HELP: &str = "\
Scale, seed and store are those of the run.

Example: hegemon lab report --scale quick --out docs/lab --format both
Example: hegemon lab report 003-lecture --scale smoke --store smoke.db --out lecture";

/// Fill the marked parts of documents with figures of a report
#[derive(Debug, Args)]
#[command(after_help = DOCS_HELP)]
struct DocsArgs {
    /// Markdown files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The summary that 'hegemon lab report' writes; those in the folders beside it can be quoted, too
    #[arg(long, value_name = "FILE", default_value = "docs/lab/summary.json")]
    summary: PathBuf,
    /// Change nothing; fail if a file would change
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    output: OutputArgs,
}

const DOCS_HELP: &str = "\
A part begins with <!-- lab QUOTE --> and ends with <!-- /lab -->. The quote is an experiment (its \
takeaway), EXPERIMENT/TABLE (a table), EXPERIMENT/TABLE | COLUMN | COLUMN (some columns), \
EXPERIMENT/TABLE = ROW | COLUMN (a number), EXPERIMENT/TABLE # 1 (the first sentence under it), or made \
(how the figures were made). FOLDER: QUOTE quotes the report in a folder beside the summary.

Example: hegemon lab docs README.md docs/*.md";

/// The setting and the store of a run.
#[derive(Debug, Args)]
struct SettingArgs {
    /// How large: smoke (minutes), quick (an hour on two cores), paper (the papers' sizes)
    #[arg(long, default_value_t = Scale::Quick)]
    scale: Scale,
    /// Seed of everything
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    /// The file of computed results
    #[arg(long, value_name = "FILE", default_value = "lab.db")]
    store: PathBuf,
    /// Allow cells of programs that play differently
    #[arg(long)]
    mix: bool,
}

impl SettingArgs {
    fn mixing(&self) -> Mixing {
        if self.mix {
            Mixing::Allowed
        } else {
            Mixing::Refused
        }
    }

    fn setting(&self) -> RunSetting {
        RunSetting {
            scale: self.scale,
            seed: self.seed,
        }
    }

    /// Refuses a store that holds nothing of the setting.
    fn check_stored(&self, store: &ResultStore) -> anyhow::Result<()> {
        let setting = self.setting();
        let stored = store.settings()?;
        if stored.contains(&setting) {
            return Ok(());
        }
        let names: Vec<String> = stored
            .iter()
            .map(|other| format!("--scale {} --seed {}", other.scale, other.seed))
            .collect();
        bail!(
            "{} holds nothing of --scale {} --seed {}; it has {}",
            self.store.display(),
            setting.scale,
            setting.seed,
            if names.is_empty() {
                "nothing".to_owned()
            } else {
                names.join(" and ")
            }
        );
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    Html,
    Md,
    Both,
}

/// Lists, runs or reports.
pub(crate) fn run(args: &LabArgs) -> anyhow::Result<()> {
    match &args.command {
        LabCommand::List(args) => list(args),
        LabCommand::Run(args) => run_experiments(args),
        LabCommand::Report(args) => report(args),
        LabCommand::Docs(args) => docs(args),
        LabCommand::Repeat(args) => repeat::run(args),
    }
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    paper: &'static str,
    what: &'static str,
    /// Expected processor seconds at smoke, quick and paper scale.
    seconds: [f64; 3],
    obstacle: Option<String>,
}

impl Listed {
    fn of(experiment: &Experiment) -> anyhow::Result<Listed> {
        let mut seconds = [0.0; 3];
        let obstacle = experiment.obstacle();
        if obstacle.is_none() {
            for (seconds, scale) in seconds.iter_mut().zip(Scale::ALL) {
                *seconds = experiment.cost(scale)?;
            }
        }
        Ok(Listed {
            name: experiment.name,
            paper: experiment.paper,
            what: experiment.what,
            seconds,
            obstacle,
        })
    }
}

fn list(args: &ListArgs) -> anyhow::Result<()> {
    let listed = EXPERIMENTS
        .iter()
        .map(Listed::of)
        .collect::<anyhow::Result<Vec<_>>>()?;
    args.output.print(&listed, |listed| list_text(listed))
}

fn list_text(listed: &[Listed]) -> String {
    let mut table = output::table([
        Column::Text("experiment"),
        Column::Text("of"),
        Column::Number("smoke"),
        Column::Number("quick"),
        Column::Number("paper"),
    ]);
    let mut sums = [0.0; 3];
    for one in listed {
        let what = format!("{}: {}", one.paper, one.what);
        let costs = match one.obstacle {
            Some(_) => ["not here".to_owned(), String::new(), String::new()],
            None => one.seconds.map(duration_text),
        };
        let [smoke, quick, paper] = costs;
        table.add_row(output::row([
            one.name.to_owned(),
            what,
            smoke,
            quick,
            paper,
        ]));
        for (sum, seconds) in sums.iter_mut().zip(one.seconds) {
            *sum += seconds;
        }
    }
    let [smoke, quick, paper] = sums.map(duration_text);
    let all = ["all".to_owned(), String::new(), smoke, quick, paper];
    table.add_row(output::row(all));
    let mut text = output::table_text(&table);
    text += "\nRough processor time on one core; cells run on all cores.\n";
    for obstacle in listed.iter().filter_map(|one| one.obstacle.as_ref()) {
        text += &format!("{obstacle}.\n");
    }
    text
}

fn duration_text(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "< 1 s".to_owned(),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[derive(Serialize)]
struct RunAnswer {
    /// Experiments that were asked for.
    names: Vec<&'static str>,
    #[serde(skip)]
    setting: RunSetting,
    known: usize,
    done: usize,
    missing: usize,
    /// Damaged cells, which are computed again.
    damaged: Vec<String>,
    obstacles: Vec<String>,
    seconds: f64,
    store: PathBuf,
}

fn run_experiments(args: &RunArgs) -> anyhow::Result<()> {
    let asked = chosen(&args.names)?;
    let names: Vec<&'static str> = asked.iter().map(|experiment| experiment.name).collect();
    let obstacles: Vec<String> = asked.iter().filter_map(|e| e.obstacle()).collect();
    let runnable: Vec<&'static Experiment> = asked
        .into_iter()
        .filter(|e| e.obstacle().is_none())
        .collect();
    if let (Some(obstacle), true) = (obstacles.first(), runnable.is_empty()) {
        bail!("{obstacle}");
    }
    let store = ResultStore::open_or_create(&args.setting.store)?;
    let bar = output::share_progress();
    keep_sentence("Stopped at once; finished cells are stored, and the same command goes on.");
    let start = Instant::now();
    let summary: RunSummary = run_cells(
        &runnable,
        args.setting.setting(),
        &store,
        args.setting.mixing(),
        args.threads.n(),
        stop_flag(),
        |progress| {
            bar.set_position((1000.0 * progress.share) as u64);
            bar.set_message(format!(
                "{} left, {} of {} cells, {}",
                left_text(progress.left),
                progress.n_done,
                progress.n_cells,
                progress.experiment
            ));
            keep_result(|| {
                let sentence = format!(
                    "Stopped at once: {} cells were computed, {} are missing.\n",
                    progress.n_done,
                    progress.n_cells - progress.n_done
                );
                Ok(sentence + &output::next_step(GOING_ON))
            });
        },
    )?;
    bar.finish_and_clear();
    let answer = RunAnswer {
        names,
        setting: args.setting.setting(),
        known: summary.n_known,
        done: summary.n_done,
        missing: summary.n_missing,
        damaged: summary.damaged.iter().map(ToString::to_string).collect(),
        obstacles,
        seconds: start.elapsed().as_secs_f64(),
        store: args.setting.store.clone(),
    };
    args.output.print(&answer, RunAnswer::text)
}

/// What one does after a run that was stopped.
const GOING_ON: &str = "the same command goes on; 'hegemon lab report' tells what there is";

fn left_text(left: Option<Duration>) -> String {
    left.map_or_else(|| "?".to_owned(), |left| duration_text(left.as_secs_f64()))
}

impl RunAnswer {
    fn text(&self) -> String {
        let mut text = output::facts([
            (
                "cells",
                format!("{} computed, {} were there already", self.done, self.known),
            ),
            ("time", duration_text(self.seconds)),
            ("store", self.store.display().to_string()),
        ]);
        for obstacle in &self.obstacles {
            text += &format!("{obstacle}.\n");
        }
        for cell in &self.damaged {
            text += &format!("The cell {cell} was damaged and removed, to be computed again.\n");
        }
        if self.missing > 0 {
            text += &format!("Stopped with {} cells missing.\n", self.missing);
            text += &output::next_step(GOING_ON);
        } else {
            text += &output::next_step(&self.report_command());
        }
        text
    }

    /// The command that reports exactly what was run.
    fn report_command(&self) -> String {
        let mut command = "hegemon lab report".to_owned();
        if self.names.len() < EXPERIMENTS.len() {
            command += &format!(" {}", self.names.join(" "));
        }
        let RunSetting { scale, seed } = self.setting;
        let store = self.store.display();
        command + &format!(" --scale {scale} --seed {seed} --store {store}")
    }
}

#[derive(Serialize)]
struct ReportAnswer {
    /// How many published numbers agree.
    verdict: String,
    files: Vec<PathBuf>,
}

fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let store = ResultStore::open(&args.setting.store)?;
    let setting = args.setting.setting();
    args.setting.check_stored(&store)?;
    let format = match args.format {
        FormatName::Html => Format::Html,
        FormatName::Md => Format::Markdown,
        FormatName::Both => Format::Both,
    };
    let mixing = args.setting.mixing();
    let report = if args.names.is_empty() {
        Report::new(&store, setting, mixing)?
    } else {
        Report::of(&store, setting, mixing, &chosen(&args.names)?)?
    };
    let answer = ReportAnswer {
        verdict: report.verdict(),
        files: report.write(&args.out, format)?,
    };
    args.output.print(&answer, |answer| {
        let names = answer
            .files
            .iter()
            .map(|path| format!("{}\n", path.display()));
        names.collect::<String>() + "\n" + &output::wrapped(&answer.verdict, 0)
    })
}

#[derive(Serialize)]
struct DocsAnswer {
    /// Files that were changed, or that would be.
    changed: Vec<PathBuf>,
}

fn docs(args: &DocsArgs) -> anyhow::Result<()> {
    let read = |path: &PathBuf| {
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
    };
    let summaries = Summaries::read(&args.summary)?;
    let mut changed = Vec::new();
    for path in &args.files {
        let text = read(path)?;
        let filled = summaries
            .fill(&text)
            .with_context(|| path.display().to_string())?;
        if filled == text {
            continue;
        }
        if !args.check {
            hegemon_arena::write_whole(path, filled.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        changed.push(path.clone());
    }
    if let (true, Some(first)) = (args.check, changed.first()) {
        bail!(
            "{} quotes figures that are not in {}",
            first.display(),
            args.summary.display()
        );
    }
    args.output.print(&DocsAnswer { changed }, |answer| {
        let line = |path: &PathBuf| format!("{} filled\n", path.display());
        match answer.changed.as_slice() {
            [] => "All figures are those of the summary.\n".to_owned(),
            changed => changed.iter().map(line).collect(),
        }
    })
}
