//! Drives the fuzz targets with a seeded mutator, on a stable compiler.
//!
//! Each target runs in its own process, so that a stack overflow is found like
//! any other crash: the current input is always in a file.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person who runs it"
)]

mod worker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use hegemon_fuzz::{FuzzTarget, TARGETS, target};
use serde::{Deserialize, Serialize};

/// Feed mutated inputs to everything that reads from outside
#[derive(Clone, Debug, Parser)]
#[command(
    name = "fuzz",
    after_help = "Example: fuzz --target records --inputs 1000000 --threads 16"
)]
struct Arguments {
    /// A target, or all of them
    #[arg(long, default_value = "all")]
    target: String,
    /// Inputs per target
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    inputs: Option<u64>,
    /// Seconds per target [default: 60, unless --inputs is given]
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Seed of all inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads for each target
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Targets at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Longest time for one input: processor time, or wall-clock time if other
    /// threads do the work
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    slow: f64,
    /// Largest size of the process
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Folder for inputs that crash
    #[arg(long, value_name = "DIR", default_value = "target/fuzz-crashes")]
    out: PathBuf,
    /// Run the target once, on this file
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Fuzz one target in this process
    #[arg(long, hide = true)]
    alone: bool,
}

/// The result of a target.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Report {
    inputs: u64,
    seconds: f64,
    /// Number of different traces.
    traces: usize,
    /// A sentence for each kind of crash.
    crashes: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command; returns whether nothing was found.
fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let targets: Vec<&'static FuzzTarget> = match arguments.target.as_str() {
        "all" => TARGETS.iter().collect(),
        name => vec![target(name).with_context(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            format!("there is no target {name}; there are {}", names.join(", "))
        })?],
    };
    if arguments.threads == 0 || arguments.jobs == 0 {
        bail!("at least one thread and one job are needed");
    }
    if let Some(file) = &arguments.replay {
        let [target] = targets[..] else {
            bail!("--replay needs --target");
        };
        let input = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        println!("{:?}", (target.run)(&input));
        return Ok(true);
    }
    fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make {}", arguments.out.display()))?;
    if arguments.alone {
        let report = worker::fuzz(targets[0], arguments)?;
        hegemon_fuzz::clean_up();
        println!("{}", serde_json::to_string(&report)?);
        return Ok(true);
    }
    Ok(fuzz_all(&targets, arguments))
}

/// Fuzzes targets, several at a time; returns whether nothing was found.
fn fuzz_all(targets: &[&'static FuzzTarget], arguments: &Arguments) -> bool {
    println!(
        "{:<10} {:>10} {:>8} {:>9} {:>7} {:>8}",
        "target", "inputs", "seconds", "per s", "traces", "crashes"
    );
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = fuzz_apart(target, arguments).unwrap_or_else(|error| Report {
                        crashes: vec![format!("{error:#}")],
                        ..Report::default()
                    });
                    println!(
                        "{:<10} {:>10} {:>8.1} {:>9.0} {:>7} {:>8}",
                        target.name,
                        report.inputs,
                        report.seconds,
                        report.inputs as f64 / report.seconds.max(1e-9),
                        report.traces,
                        report.crashes.len()
                    );
                    let crashes = report.crashes.into_iter();
                    let crashes = crashes.map(|crash| format!("{}: {crash}", target.name));
                    found.lock().expect("no panic").extend(crashes);
                }
            });
        }
    });
    let found = found.into_inner().expect("no panic");
    for crash in &found {
        println!("{crash}");
    }
    found.is_empty()
}

/// Fuzzes a target in its own process.
fn fuzz_apart(target: &FuzzTarget, arguments: &Arguments) -> anyhow::Result<Report> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--alone", "--target", target.name]);
    let numbers = [
        ("--inputs", arguments.inputs),
        ("--seconds", arguments.seconds),
        ("--seed", Some(arguments.seed)),
        ("--threads", Some(arguments.threads as u64)),
        ("--memory", Some(arguments.memory)),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            command.args([name, &number.to_string()]);
        }
    }
    command.args(["--slow", &arguments.slow.to_string(), "--out"]);
    let start = Instant::now();
    let output = command
        .arg(&arguments.out)
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    match serde_json::from_str(text.trim()) {
        Ok(report) if output.status.success() => Ok(report),
        _ => Ok(Report {
            seconds: start.elapsed().as_secs_f64(),
            crashes: vec![format!(
                "the process ended with {}; one of {}",
                output.status,
                keep_inputs_under_way(target, &arguments.out).join(", ")
            )],
            ..Report::default()
        }),
    }
}

/// The file with a thread's current input.
fn under_way(out: &Path, target: &FuzzTarget, thread: usize) -> PathBuf {
    out.join(format!("{}.{thread}.current", target.name))
}

/// Keeps the inputs that were being processed when a process ended.
fn keep_inputs_under_way(target: &FuzzTarget, out: &Path) -> Vec<String> {
    let mut kept = Vec::new();
    for thread in 0.. {
        let Ok(bytes) = fs::read(under_way(out, target, thread)) else {
            return kept;
        };
        let Some((input, _)) = worker::split_input(&bytes) else {
            continue;
        };
        kept.extend(worker::keep(out, target, input));
    }
    kept
}

/// How long a target is fuzzed.
fn limits(arguments: &Arguments) -> (u64, Duration) {
    match (arguments.inputs, arguments.seconds) {
        (Some(inputs), _) => (inputs, Duration::MAX),
        (None, seconds) => (u64::MAX, Duration::from_secs(seconds.unwrap_or(60))),
    }
}
