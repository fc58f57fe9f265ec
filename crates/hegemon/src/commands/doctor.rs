//! `hegemon doctor`: what is here, what is missing, and how fast this machine is.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;
use hegemon_core::{Map, Rules};
use serde::Serialize;

use super::{bench, play};
use crate::output::{self, OutputArgs, grouped};
use crate::paint::Paint;
use crate::provenance::this_program;
use crate::values;

/// Tell what is installed, what is missing, and how fast this machine is
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DoctorArgs {
    /// Seconds for each measurement of speed
    #[arg(long, value_name = "S", default_value_t = 0.5, value_parser = values::seconds())]
    seconds: f64,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Nothing is changed. Everything but the program itself is needed only for what its line says.

Example: hegemon doctor";

/// What is known about one thing.
#[derive(Serialize)]
struct Finding {
    what: &'static str,
    state: Health,
    said: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Health {
    Good,
    Missing,
    Bad,
}

#[derive(Serialize)]
struct Answer {
    findings: Vec<Finding>,
    /// By name, how many a second on one thread.
    speeds: Vec<(&'static str, f64)>,
}

/// What is measured, and how many of them somebody waits for.
const SPEEDS: [(&str, &str, f64); 2] = [
    (
        "games",
        "a match of 10,000 games of baseline v simulation",
        10_000.0,
    ),
    ("mcts_iterations", "a move of mcts(iters=2500)", 2500.0),
];

/// Looks, measures, and says.
pub(crate) fn run(args: &DoctorArgs) -> anyhow::Result<()> {
    let mut findings = vec![program(), processor(), store(), port()];
    findings.extend(PROGRAMS.map(program_here));
    findings.push(package());
    let speeds = SPEEDS
        .iter()
        .map(|(name, ..)| Ok((*name, bench::speed(name, args.seconds)?)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let answer = Answer { findings, speeds };
    let paint = Paint::on(&std::io::stdout());
    args.output.print(&answer, |answer| answer.text(paint))
}

fn finding(what: &'static str, state: Health, said: impl Into<String>) -> Finding {
    Finding {
        what,
        state,
        said: said.into(),
    }
}

fn program() -> Finding {
    let maps = Map::builtin_names().count();
    let bots = hegemon_bots::bots().count();
    let said = format!(
        "{}; {maps} maps, {} sets of rules, {bots} bots and their nets are built in",
        this_program(),
        Rules::PRESETS.len()
    );
    if cfg!(debug_assertions) {
        let slow = "a debug build, many times slower: build it with --release";
        return finding("program", Health::Bad, format!("{said}; {slow}"));
    }
    finding("program", Health::Good, said)
}

fn processor() -> Finding {
    let n = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = output::count(n, "thread", "threads");
    finding(
        "processor",
        Health::Good,
        format!("{}, {cores}; all commands use them", std::env::consts::ARCH),
    )
}

/// Where the page keeps games.
fn store() -> Finding {
    let what = "games of the page";
    let named = std::env::var_os("HEGEMON_STORE").filter(|name| !name.is_empty());
    let path = match named.map_or_else(play::default_store, |name| Ok(std::path::absolute(name)?)) {
        Ok(path) => path,
        Err(error) => return finding(what, Health::Missing, format!("{error:#}")),
    };
    let shown = path.display();
    let is_there = match hegemon_server::is_store(&path) {
        Ok(is_there) => is_there,
        Err(error) => return finding(what, Health::Bad, error.to_string()),
    };
    // The nearest folder that exists must be writable.
    let folder = path.ancestors().skip(1).find(|folder| folder.is_dir());
    let is_writable = folder
        .and_then(|folder| folder.metadata().ok())
        .is_some_and(|facts| !facts.permissions().readonly());
    match (is_there, is_writable) {
        (true, _) => finding(what, Health::Good, format!("in {shown}")),
        (false, true) => finding(what, Health::Good, format!("none yet; will be in {shown}")),
        (false, false) => finding(
            what,
            Health::Bad,
            format!("cannot be kept in {shown}; name a file with 'hegemon play --store'"),
        ),
    }
}

fn port() -> Finding {
    let what = "port of the page";
    match TcpListener::bind(("127.0.0.1", play::PORT)) {
        Ok(_) => finding(what, Health::Good, format!("{} is free", play::PORT)),
        Err(_) => finding(
            what,
            Health::Missing,
            format!(
                "{} is in use; 'hegemon play --port 0' takes another",
                play::PORT
            ),
        ),
    }
}

/// The first line that a program prints.
fn said_by(program: &str, words: &[&str]) -> Option<String> {
    let run = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let run = run.ok().filter(|run| run.status.success())?;
    let text = String::from_utf8_lossy(&run.stdout);
    text.lines().next().map(|line| line.trim().to_owned())
}

/// Other programs: what they are, how they are called, what they are for.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("Python", "python3", "bots, environments and jobs in Python"),
    (
        "Node.js",
        "node",
        "bots in JavaScript, and the page's own build",
    ),
    ("Rust", "cargo", "bots in Rust, and builds from the source"),
    ("C compiler", "cc", "builds from the source"),
];

fn program_here((what, name, purpose): (&'static str, &str, &str)) -> Finding {
    match said_by(name, &["--version"]) {
        Some(version) => finding(what, Health::Good, version),
        None => finding(what, Health::Missing, format!("no {name}, for {purpose}")),
    }
}

fn package() -> Finding {
    let what = "Python package";
    let ask = "import hegemon; print(hegemon.__version__, 'in', hegemon.__path__[0])";
    match said_by("python3", &["-c", ask]) {
        Some(version) => finding(what, Health::Good, version),
        None if Path::new("python/pyproject.toml").is_file() => finding(
            what,
            Health::Missing,
            "not installed; 'pip install ./python' here builds it",
        ),
        None => finding(
            what,
            Health::Missing,
            "not installed; 'pip install ./python' in the source builds it",
        ),
    }
}

impl Answer {
    fn text(&self, paint: Paint) -> String {
        let mut text = String::new();
        for Finding { what, state, said } in &self.findings {
            let mark = match state {
                Health::Good => paint.green("ok     "),
                Health::Missing => paint.yellow("missing"),
                Health::Bad => paint.red("bad    "),
            };
            text += &output::wrapped(&format!("{mark} {what}: {said}"), 8);
        }
        text.push('\n');
        text += &paint.bold("Speed on one thread\n");
        for ((name, rate), (_, wait, amount)) in self.speeds.iter().zip(SPEEDS) {
            let rate = rate.max(1e-9);
            let line = format!(
                "  {} {} a second: {wait} takes {}",
                grouped(rate as u64),
                name.replace('_', " "),
                duration(amount / rate)
            );
            text += &output::wrapped(&line, 4);
        }
        text
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.1} ms", 1000.0 * s),
        s if s < 120.0 => format!("{s:.1} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}
