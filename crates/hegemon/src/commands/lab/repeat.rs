//! `hegemon lab repeat`: rows of a report made again by other commands.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use hegemon_arena::Program;
use hegemon_lab::{
    CommandAnswer, Comparison, EXPERIMENTS, Experiment, Mixing, OtherCommand, PlannedRow,
    RepeatableRow, RepeatedRow, Repetition, Report, ReportFigures, ResultStore, chosen,
};
use serde::Serialize;

use super::SettingArgs;
use crate::inputs;
use crate::interrupt::{keep_result, keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::values;

/// Make rows of a report again by other commands, and compare
#[derive(Debug, Args)]
#[command(after_help = REPEAT_HELP)]
pub(super) struct RepeatArgs {
    /// Experiments by name; all without
    #[arg(value_name = "NAME", value_parser = values::experiment(), hide_possible_values = true)]
    names: Vec<String>,
    #[command(flatten)]
    setting: SettingArgs,
    /// The summary of a report that 'hegemon lab report' wrote, in place of a store
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    summary: Option<PathBuf>,
    /// Rows of each section
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = values::whole::<usize>(1..=1000))]
    rows: usize,
    /// Also write what was found into this file (Markdown), once all rows are made
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const REPEAT_HELP: &str = "\
The rows are made by commands that use none of the lab's stored results, such as 'hegemon match', with the same seed, and \
must have the same texts to the last digit. Of each section the cheapest rows are taken, by the times that the lab expects; \
of equal ones the first. Commands run one after another in this folder, where some need the maps and weights of a checkout. \
The exit code is 1 if a row differs or cannot be made.

Example: hegemon lab repeat --summary docs/lab/summary.json --rows 4
Example: hegemon lab repeat 001-provided company --scale smoke --store lab.db";

#[derive(Serialize)]
struct RepeatAnswer {
    program: String,
    #[serde(flatten)]
    repetition: Repetition,
    same: usize,
    differ: usize,
    failed: usize,
    interrupted: bool,
}

/// Repeats, compares and reports.
pub(super) fn run(args: &RepeatArgs) -> anyhow::Result<()> {
    inputs::check_place(args.out.as_deref())?;
    if let Some(out) = &args.out {
        inputs::check_other(out, args.summary.as_ref().unwrap_or(&args.setting.store))?;
    }
    let asked = match args.names.as_slice() {
        [] => EXPERIMENTS.iter().collect(),
        names => chosen(names)?,
    };
    let figures = figures(args, &asked)?;
    let reported: Vec<&Experiment> = asked.into_iter().filter(|one| figures.has(one)).collect();
    let is_reported = |name: &&String| reported.iter().any(|one| one.name == name.as_str());
    if let Some(name) = args.names.iter().find(|name| !is_reported(name)) {
        bail!("the report has no section {name}");
    }
    let (mut repetition, planned) = Repetition::begin(&figures, &reported, args.rows)?;
    check_folder(&planned)?;
    // What the report lacks is told before anything is made.
    let texts = planned.iter().map(|planned| figures.texts(planned));
    let texts: Vec<Vec<String>> = texts.collect::<Result<_, _>>()?;
    let stop = stop_flag();
    keep_sentence("Stopped at once: nothing was made.");
    let bar = output::progress(
        planned
            .iter()
            .map(|planned| planned.row.commands.len() as u64)
            .sum(),
    );
    let mut runner = Runner::new(stop)?;
    let mut is_interrupted = false;
    for (planned, reported) in planned.iter().zip(texts) {
        let PlannedRow { experiment, row } = planned;
        bar.set_message(format!("{}, {}", experiment.name, row.name()));
        let made = match runner.make(row, || bar.step())? {
            Made::Done(texts) => Ok(texts),
            Made::Failed(why) => Err(why),
            Made::Stopped => {
                is_interrupted = true;
                break;
            }
        };
        repetition
            .rows
            .push(RepeatedRow::of(planned, reported, made));
        keep_result(|| {
            let answer = RepeatAnswer::of(repetition.clone(), true);
            args.output.written(&answer, RepeatAnswer::text)
        });
    }
    bar.finish_and_clear();
    if let (Some(path), true) = (&args.out, is_interrupted) {
        output::warn(&format!("interrupted: {} is as it was", path.display()));
    } else if let Some(path) = &args.out {
        let page = repetition.markdown(&args.command(), &Program::current().to_string());
        inputs::write_file(path, &page)?;
    }
    let answer = RepeatAnswer::of(repetition, is_interrupted);
    args.output.print(&answer, RepeatAnswer::text)?;
    match answer.repetition.is_same() {
        true => Ok(()),
        false => bail!("{}", answer.repetition.counts()),
    }
}

/// Some commands read files of the repository.
fn check_folder(planned: &[PlannedRow]) -> anyhow::Result<()> {
    const FOLDERS: [&str; 2] = ["crates/hegemon-lab/data", "weights"];
    let commands = planned.iter().flat_map(|planned| &planned.row.commands);
    let commands: Vec<String> = commands.map(ToString::to_string).collect();
    for folder in FOLDERS {
        let is_read = |command: &String| command.contains(&format!("{folder}/"));
        if commands.iter().any(is_read) && !Path::new(folder).is_dir() {
            bail!("some commands read files in {folder}: run this in a checkout of the repository");
        }
    }
    Ok(())
}

/// The figures of the report that is repeated.
fn figures(args: &RepeatArgs, asked: &[&'static Experiment]) -> anyhow::Result<ReportFigures> {
    let (setting, mixing) = (args.setting.setting(), args.setting.mixing());
    if let Some(path) = &args.summary {
        return Ok(ReportFigures::read(path, setting, mixing)?);
    }
    let store = ResultStore::open(&args.setting.store)?;
    args.setting.check_stored(&store)?;
    let report = Report::of(&store, setting, mixing, asked)?;
    Ok(ReportFigures::of(&report))
}

/// What became of commands.
enum Made<T> {
    Done(T),
    /// The sentence with which one failed.
    Failed(String),
    Stopped,
}

/// Runs commands of this program, and keeps the last answers: rows of one table often share them.
struct Runner {
    stop: &'static AtomicBool,
    program: PathBuf,
    folder: PathBuf,
    last: Vec<(OtherCommand, CommandAnswer)>,
}

impl Drop for Runner {
    fn drop(&mut self) {
        // What is left of a folder for temporary files does not matter.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Runner {
    fn new(stop: &'static AtomicBool) -> anyhow::Result<Runner> {
        let name = format!("hegemon-repeat-{}", std::process::id());
        let runner = Runner {
            stop,
            program: std::env::current_exe().context("this program has no file")?,
            folder: std::env::temp_dir().join(name),
            last: Vec::new(),
        };
        inputs::make_folder(&runner.folder)?;
        Ok(runner)
    }

    /// The texts of a row by its commands.
    fn make(
        &mut self,
        row: &RepeatableRow,
        mut step: impl FnMut(),
    ) -> anyhow::Result<Made<Vec<String>>> {
        let is_known = |command: &OtherCommand| self.last.iter().any(|(known, _)| known == command);
        if row.commands.iter().all(is_known) {
            row.commands.iter().for_each(|_| step());
        } else {
            self.last.clear();
            for (number, command) in row.commands.iter().enumerate() {
                match self.answer(number, command)? {
                    Made::Done(answer) => self.last.push((command.clone(), answer)),
                    Made::Failed(why) => return Ok(Made::Failed(why)),
                    Made::Stopped => return Ok(Made::Stopped),
                }
                step();
            }
        }
        let answers = row.commands.iter().filter_map(|command| {
            let found = self.last.iter().find(|(known, _)| known == command);
            found.map(|(_, answer)| answer.clone())
        });
        Ok(match row.texts(&answers.collect::<Vec<_>>()) {
            Ok(texts) => Made::Done(texts),
            Err(error) => Made::Failed(error.to_string()),
        })
    }

    fn answer(&self, number: usize, command: &OtherCommand) -> anyhow::Result<Made<CommandAnswer>> {
        let folder = self.folder.join(number.to_string());
        // Of the commands of another row.
        let _ = std::fs::remove_dir_all(&folder);
        inputs::make_folder(&folder)?;
        let (arguments, out) = command.arguments(&folder);
        let mut child = Command::new(&self.program)
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("this program cannot be started again")?;
        let printed = read_on(child.stdout.take());
        let errors = read_on(child.stderr.take());
        let Some(is_success) = wait(&mut child, self.stop)? else {
            return Ok(Made::Stopped);
        };
        let [json, errors] = [printed, errors].map(|text| text.join().unwrap_or_default());
        Ok(match is_success {
            true => Made::Done(CommandAnswer { json, out }),
            false => Made::Failed(format!("'{command}' failed: {}", errors.trim_end())),
        })
    }
}

/// Reads a stream to its end on a thread of its own.
fn read_on(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        // What cannot be read is missing in the answer, and its reader says so.
        if let Some(mut stream) = stream {
            let _ = stream.read_to_string(&mut text);
        }
        text
    })
}

/// Waits for a process and says whether it succeeded; ends it and says nothing if that is asked for.
fn wait(child: &mut Child, stop: &AtomicBool) -> anyhow::Result<Option<bool>> {
    const EVERY: Duration = Duration::from_millis(20);
    loop {
        if stop.load(Ordering::SeqCst) {
            // It may have ended by itself.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        thread::sleep(EVERY);
    }
}

impl RepeatArgs {
    /// The command that does the same again, for the file.
    fn command(&self) -> String {
        let mut command = "hegemon lab repeat".to_owned();
        for name in &self.names {
            command += &format!(" {name}");
        }
        let setting = self.setting.setting();
        command += &format!(" --scale {} --seed {}", setting.scale, setting.seed);
        command += &match &self.summary {
            Some(path) => format!(" --summary {}", path.display()),
            None => format!(" --store {}", self.setting.store.display()),
        };
        if self.rows != 2 {
            command += &format!(" --rows {}", self.rows);
        }
        if self.setting.mixing() == Mixing::Allowed {
            command += " --mix";
        }
        match &self.out {
            Some(path) => format!("{command} --out {}", path.display()),
            None => command,
        }
    }
}

impl RepeatAnswer {
    fn of(repetition: Repetition, interrupted: bool) -> RepeatAnswer {
        RepeatAnswer {
            program: Program::current().to_string(),
            same: repetition.n_rows(Comparison::Same),
            differ: repetition.n_rows(Comparison::Differs),
            failed: repetition.n_rows(Comparison::Failed),
            interrupted,
            repetition,
        }
    }

    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("section"),
            Column::Text("row"),
            Column::Text("reported"),
            Column::Text("repeated"),
            Column::Text("result"),
        ]);
        let rows = &self.repetition.rows;
        for row in rows {
            table.add_row(output::row([
                row.section.to_owned(),
                row.row.clone(),
                row.reported.join("; "),
                row.repeated.join("; "),
                row.comparison.word().to_owned(),
            ]));
        }
        let mut text = match rows.is_empty() {
            true => String::new(),
            false => output::table_text(&table) + "\n",
        };
        for row in rows {
            if let Some(failure) = &row.failure {
                text += &output::wrapped(&format!("{}, {}: {failure}", row.section, row.row), 2);
            }
        }
        for one in &self.repetition.without {
            text += &output::wrapped(&format!("{}: {}", one.section, one.why), 2);
        }
        if self.interrupted {
            text += "Interrupted: these are the rows that were made by then.\n";
        }
        text + &format!("{}.\n", self.repetition.counts())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use hegemon_lab::{OtherMeans, RunSetting, Scale};

    use super::*;
    use crate::args::Cli;

    #[test]
    fn every_command_of_the_lab_is_one_of_this_program() {
        let summary = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab/summary.json");
        let setting = RunSetting {
            scale: Scale::Quick,
            seed: 1,
        };
        let figures = ReportFigures::read(&summary, setting, Mixing::Allowed).expect("a summary");
        for experiment in &EXPERIMENTS {
            let OtherMeans::Rows(rows) = figures.other_means(experiment).expect("planned") else {
                continue;
            };
            for row in rows {
                let planned = PlannedRow { experiment, row };
                figures.texts(&planned).expect("a row of the report");
                for command in &planned.row.commands {
                    let (arguments, _) = command.arguments(Path::new("out"));
                    let words = ["hegemon".to_owned()].into_iter().chain(arguments);
                    let parsed = Cli::try_parse_from(words);
                    assert!(parsed.is_ok(), "{command}: {:?}", parsed.err());
                }
            }
        }
    }
}
