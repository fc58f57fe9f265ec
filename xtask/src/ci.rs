//! The steps of continuous integration, run until one fails: in order, and the last ones two at a time.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::lanes::Lanes;
use crate::{
    arrows, files, instructions, package, processors, python, report, tidy, wasm, web, workspace,
};

/// Optional formats are checked too, and every build has the schemas that only tests need, so that
/// nothing is compiled twice. The same flags in every step.
const WITH_ALL: [&str; 2] = ["--features", "hegemon/parquet,hegemon-protocol/schema"];

type Check = fn(&Path) -> Result<(), String>;

/// A named check. A new one is a new row of [`STEPS`].
struct CiStep {
    name: &'static str,
    about: &'static str,
    run: Check,
    /// Whether it leaves a core idle, so that another may run beside it.
    is_beside: bool,
}

/// Keeps a run small enough for a small machine. These builds are never debugged, and a panic names
/// its line without debug information; a run builds everything once, so incremental data is
/// useless.
const SMALL_BUILDS: [(&str, &str); 3] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_DEBUG", "none"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "none"),
];

/// Below this many gigabytes a run warns. An estimate: no run from scratch has been measured.
const NEEDED_GB: f64 = 8.0;

/// Cheap steps first, then what keeps all cores busy, then what leaves one idle, the longest of it first. Most build in the dev
/// profile with the features of the whole workspace, so that each dependency is checked once and compiled once; the program
/// without Parquet, the loops of `instructions` and the browser's crates are separate builds.
const STEPS: [CiStep; 14] = [
    in_turn("fmt", "every Rust file is formatted", fmt),
    in_turn("tidy", "the repository keeps its own rules", |_| {
        report("tidy", &tidy::check(&workspace()?))
    }),
    in_turn(
        "arrows",
        "dependencies between our crates point down",
        |_| report("arrows", &arrows::check(&workspace()?)),
    ),
    in_turn(
        "deny",
        "licences, sources and advisories of all dependencies (where cargo-deny is installed)",
        deny,
    ),
    in_turn("clippy", "no lint warns", clippy),
    in_turn(
        "package",
        "the packages of core, record and eval are complete",
        package::check,
    ),
    in_turn("test", "unit and integration tests pass", test),
    beside(
        "web",
        "the page is built as committed, its tests pass, games are played in Chromium",
        web::check,
    ),
    beside(
        "python",
        "the Python package: style, types, tests, a local Ray cluster (where Python 3.10 is installed)",
        python::check,
    ),
    beside(
        "instructions",
        "the hot loops take as many instructions as committed, within 2 %",
        instructions::check,
    ),
    beside(
        "fuzz",
        "mutated inputs for all that reads from outside, 20 seconds each",
        // The seed is always the same: longer runs, with other seeds, are a workflow of their own.
        |_| fuzz(&["--seconds", "20"]),
    ),
    beside("doctest", "examples in the documentation run", |root| {
        cargo(root, &with_all(&["test", "--doc", "--workspace"]), &[])
    }),
    beside(
        "doc",
        "the documentation builds without a warning",
        |root| {
            cargo(
                root,
                &with_all(&["doc", "--workspace", "--no-deps"]),
                &[("RUSTDOCFLAGS", "-D warnings")],
            )
        },
    ),
    beside(
        "wasm",
        "the lower crates compile for the browser and play the same there (where a toolchain has it)",
        wasm::check,
    ),
];

const fn in_turn(name: &'static str, about: &'static str, run: Check) -> CiStep {
    CiStep {
        name,
        about,
        run,
        is_beside: false,
    }
}

const fn beside(name: &'static str, about: &'static str, run: Check) -> CiStep {
    CiStep {
        name,
        about,
        run,
        is_beside: true,
    }
}

/// `cargo xtask ci` with the arguments after `ci`.
pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    if args == ["--list"] {
        for step in &STEPS {
            println!("{:<12}  {}", step.name, step.about);
        }
        return Ok(());
    }
    let (steps, root) = (select(args)?, files::root()?);
    match free_gb(&root) {
        Some(free) if free < NEEDED_GB => println!(
            "ci: {free:.1} GB are free here; a run from nothing needs about {NEEDED_GB} GB, and may fail for want of room"
        ),
        Some(free) => println!("ci: {free:.1} GB are free here"),
        None => println!("ci: how much room is free here cannot be told"),
    }
    run_steps(&steps, &root)
}

/// Gigabytes free for build output, by `df`.
fn free_gb(root: &Path) -> Option<f64> {
    let output = files::target(root);
    let existing = output.ancestors().find(|folder| folder.is_dir())?;
    let said = Command::new("df").arg("-Pk").arg(existing).output().ok()?;
    available_gb(std::str::from_utf8(&said.stdout).ok()?)
}

/// The fourth column of the second line of `df -Pk`.
fn available_gb(table: &str) -> Option<f64> {
    let cell = table.lines().nth(1)?.split_whitespace().nth(3)?;
    let kibibytes: f64 = cell.parse().ok()?;
    Some(kibibytes * 1024.0 / 1e9)
}

fn run_steps(steps: &[&CiStep], root: &Path) -> Result<(), String> {
    let start = Instant::now();
    // A single one is run here: as a process of its own it would only start another.
    let (beside, in_turn): (Vec<&CiStep>, Vec<&CiStep>) = steps
        .iter()
        .partition(|step| step.is_beside && steps.len() > 1);
    let lanes = match beside[..] {
        [] => None,
        _ => Some(Lanes::new(root)?),
    };
    for (i, step) in in_turn.iter().enumerate() {
        println!(
            "== [{}/{}] {}: {}",
            i + 1,
            steps.len(),
            step.name,
            step.about
        );
        run_step(step, root)?;
    }
    let names: Vec<&str> = beside.iter().map(|step| step.name).collect();
    lanes.map_or(Ok(()), |lanes| lanes.run(&names))?;
    let seconds = start.elapsed().as_secs_f64();
    if steps.len() > 1 {
        println!("ci: all {} steps passed in {seconds:.1} s", steps.len());
    }
    Ok(())
}

fn run_step(step: &CiStep, root: &Path) -> Result<(), String> {
    let (start, used) = (Instant::now(), processors::of_children());
    (step.run)(root).map_err(|sentence| format!("ci: step `{}` failed: {sentence}", step.name))?;
    let cost = processors::of_children()
        .zip(used)
        .map(|(now, before)| format!(", {:.1} s of processors", now - before));
    println!(
        "== {} passed in {:.1} s{}",
        step.name,
        start.elapsed().as_secs_f64(),
        cost.unwrap_or_default()
    );
    Ok(())
}

/// The steps that the arguments ask for, in the order of [`STEPS`].
fn select(args: &[&str]) -> Result<Vec<&'static CiStep>, String> {
    let mut wanted = Vec::new();
    for pair in args.chunks(2) {
        match pair {
            ["--only", name] if STEPS.iter().any(|step| step.name == *name) => wanted.push(*name),
            ["--only", name] => {
                return Err(format!(
                    "ci: there is no step `{name}`; `cargo xtask ci --list` names them"
                ));
            }
            ["--only"] => return Err("ci: `--only` needs the name of a step".to_owned()),
            _ => return Err(format!("ci: unknown argument `{}`", pair[0])),
        }
    }
    Ok(STEPS
        .iter()
        .filter(|step| wanted.is_empty() || wanted.contains(&step.name))
        .collect())
}

/// `cargo xtask fuzz`: the driver of hegemon-fuzz, in the dev profile with its checks.
pub(crate) fn fuzz(args: &[&str]) -> Result<(), String> {
    let root = files::root()?;
    // With the features of the whole workspace, as the tests are built: nothing is compiled twice.
    cargo(
        &root,
        &with_all(&["build", "--workspace", "--bin", "fuzz"]),
        &[],
    )?;
    let driver = files::target(&root).join("debug/fuzz");
    let status = Command::new(&driver)
        .args(args)
        .current_dir(&root)
        .status()
        .map_err(|e| format!("cannot start {}: {e}", driver.display()))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("fuzz: ended with {status}"))
    }
}

fn fmt(root: &Path) -> Result<(), String> {
    needs(
        root,
        "fmt",
        "rustfmt is missing: run `rustup component add rustfmt`",
    )?;
    cargo(root, &["fmt", "--all", "--check"], &[])
}

/// Advisories need a database from the network; the rest is checked even without.
fn deny(root: &Path) -> Result<(), String> {
    if !is_installed(root, "deny") {
        println!("cargo-deny is not installed: deny.toml is NOT checked here");
        return Ok(());
    }
    cargo(root, &["deny", "check", "licenses", "bans", "sources"], &[])?;
    if cargo(root, &["deny", "fetch"], &[]).is_err() {
        println!("the advisory database cannot be reached: advisories are NOT checked here");
        return Ok(());
    }
    cargo(
        root,
        &["deny", "check", "--disable-fetch", "advisories"],
        &[],
    )
}

fn clippy(root: &Path) -> Result<(), String> {
    needs(
        root,
        "clippy",
        "clippy is missing: run `rustup component add clippy`",
    )?;
    cargo(
        root,
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            WITH_ALL[0],
            WITH_ALL[1],
            "--",
            "-D",
            "warnings",
        ],
        &[],
    )
}

pub(crate) fn with_all<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &WITH_ALL].concat()
}

fn test(root: &Path) -> Result<(), String> {
    if is_installed(root, "nextest") {
        cargo(root, &with_all(&["nextest", "run", "--workspace"]), &[])?;
    } else {
        println!("cargo-nextest is not installed; using `cargo test`");
        cargo(
            root,
            &with_all(&["test", "--workspace", "--lib", "--bins", "--tests"]),
            &[],
        )?;
    }
    // A build without Parquet has a helpful message. Its other features are those of all builds, so that little is compiled.
    let line = "test --workspace --features hegemon-protocol/schema --test faults without_parquet";
    let args: Vec<&str> = line.split(' ').collect();
    cargo(root, &args, &[])
}

fn needs(root: &Path, subcommand: &str, sentence: &str) -> Result<(), String> {
    if is_installed(root, subcommand) {
        Ok(())
    } else {
        Err(sentence.to_owned())
    }
}

fn is_installed(root: &Path, subcommand: &str) -> bool {
    cargo_command(root)
        .args([subcommand, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs cargo with its output passed through.
pub(crate) fn cargo(root: &Path, args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    let line = args.join(" ");
    let status = cargo_command(root)
        .args(args)
        .envs(env.iter().copied())
        .status()
        .map_err(|e| format!("cannot start `cargo {line}`: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`cargo {line}` ended with {status}"))
    }
}

/// What cargo prints.
pub(crate) fn cargo_output(
    root: &Path,
    args: &[&str],
    env: &[(&str, &str)],
) -> Result<String, String> {
    let line = args.join(" ");
    let run = cargo_command(root)
        .args(args)
        .envs(env.iter().copied())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot start `cargo {line}`: {e}"))?;
    if !run.status.success() {
        return Err(format!("`cargo {line}` ended with {}", run.status));
    }
    String::from_utf8(run.stdout).map_err(|_| format!("`cargo {line}` printed no text"))
}

/// The cargo that started us, in the root of the repository. Environment variables override the
/// build settings.
fn cargo_command(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let unset = SMALL_BUILDS
        .into_iter()
        .filter(|(name, _)| std::env::var_os(name).is_none());
    command.envs(unset).current_dir(root);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(args: &[&str]) -> Result<Vec<&'static str>, String> {
        select(args).map(|steps| steps.iter().map(|step| step.name).collect())
    }

    #[test]
    fn without_arguments_every_step_runs() {
        assert_eq!(names(&[]).unwrap().len(), STEPS.len());
    }

    #[test]
    fn only_selects_in_table_order() {
        assert_eq!(
            names(&["--only", "test", "--only", "fmt"]).unwrap(),
            ["fmt", "test"]
        );
    }

    #[test]
    fn bad_arguments_are_refused_with_a_sentence() {
        assert!(
            names(&["--only", "nonsense"])
                .unwrap_err()
                .contains("no step `nonsense`")
        );
        assert!(names(&["--only"]).unwrap_err().contains("needs the name"));
        assert!(
            names(&["--fast", "yes"])
                .unwrap_err()
                .contains("unknown argument `--fast`")
        );
    }

    #[test]
    fn the_first_failure_stops_the_run_and_is_named() {
        let good = in_turn("good", "", |_| Ok(()));
        let bad = in_turn("bad", "", |_| Err("it broke".to_owned()));
        let never = in_turn("never", "", |_| unreachable!());
        let error = run_steps(&[&good, &bad, &never], Path::new(".")).unwrap_err();
        assert_eq!(error, "ci: step `bad` failed: it broke");
    }

    #[test]
    fn free_room_is_read_from_df() {
        let table = "Filesystem 1024-blocks Used Available Capacity Mounted on\n\
                     /dev/vda 263174212 180000000 9765625 95% /\n";
        assert_eq!(available_gb(table), Some(10.0));
        assert_eq!(available_gb("df: no such file\n"), None);
        assert!(free_gb(Path::new(".")).is_none_or(|free| free > 0.0));
    }

    #[test]
    fn step_names_are_unique() {
        for (i, step) in STEPS.iter().enumerate() {
            assert!(
                STEPS[..i].iter().all(|earlier| earlier.name != step.name),
                "{}",
                step.name
            );
        }
    }
}
