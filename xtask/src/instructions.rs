//! Instruction counts of the hot loops, measured by callgrind and compared with the committed ones:
//! unlike times they are the same on a busy machine, so a slow-down shows in a diff.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files;

/// Where the counts are kept: a line for each loop.
const FILE: &str = "docs/instructions.txt";
/// The loops by program, with the number of units counted. The pool of `arena_loops` is not among
/// them: three runs of one program differed by 1.4 %, since its threads meet differently each time.
const LOOPS: [(&str, &str, u64); 12] = [
    ("hot_loops", "deals", 2000),
    ("hot_loops", "playouts", 500),
    ("hot_loops", "bare_games", 500),
    ("hot_loops", "mcts_100_iterations", 20),
    ("hot_loops", "draft_100_simulations", 30),
    ("hot_loops", "lux_games", 40),
    ("hot_loops", "champion_decisions", 16),
    ("hot_loops", "goal_uct_decisions", 16),
    ("hot_loops", "evolution_games", 20),
    ("arena_loops", "bare_1000_games", 1),
    ("arena_loops", "arena_1000_games", 1),
    ("arena_loops", "match_1000_games", 1),
];
/// How far a count may change before it must be committed.
const TOLERANCE: f64 = 0.02;

/// `cargo xtask instructions` with the arguments after it.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let bless = match args {
        [] => false,
        ["--bless"] => true,
        _ => return Err("instructions: the only argument is `--bless`".to_owned()),
    };
    let path = root.join(FILE);
    let compiler = compiler()?;
    if bless {
        let text = table(&compiler, &count_all(root)?);
        return std::fs::write(&path, text).map_err(|error| format!("{FILE}: {error}"));
    }
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{FILE}: {error}"))?;
    let committed = parse(&text)?;
    if committed.compiler != compiler {
        println!(
            "instructions: {FILE} is of {}, this is {compiler}: nothing to compare",
            committed.compiler
        );
        return Ok(());
    }
    let faults = compare(&committed.counts, &count_all(root)?);
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "instructions: {}; if that is meant, run `cargo xtask instructions --bless`",
        faults.join("; ")
    ))
}

/// The step of CI: skipped where there is no valgrind.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let found = Command::new("valgrind").arg("--version").output();
    if found.is_err() {
        println!("instructions: valgrind is not installed: not compared");
        return Ok(());
    }
    run(root, &[])
}

struct Committed {
    compiler: String,
    counts: Vec<(String, u64)>,
}

fn parse(text: &str) -> Result<Committed, String> {
    let mut committed = Committed {
        compiler: String::new(),
        counts: Vec::new(),
    };
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("#", rest)) if rest.starts_with("rustc") => {
                committed.compiler = rest.to_owned();
            }
            Some(("#", _)) => {}
            Some((name, count)) => {
                let count = count.trim().parse();
                let count = count.map_err(|_| format!("{FILE}: no count in `{line}`"))?;
                committed.counts.push((name.to_owned(), count));
            }
            None => {}
        }
    }
    Ok(committed)
}

fn table(compiler: &str, counts: &[(String, u64)]) -> String {
    let mut text = format!(
        "# Instructions of a unit of each hot loop (docs/performance.md).\n\
         # Made by `cargo xtask instructions --bless` with the profiling profile, which is a release with its symbols.\n# {compiler}\n"
    );
    for (name, count) in counts {
        // A string can always be written to.
        let _ = writeln!(text, "{name:<22} {count:>10}");
    }
    text
}

/// A sentence for every loop whose count changed too much.
fn compare(committed: &[(String, u64)], counted: &[(String, u64)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, count) in counted {
        let Some((_, before)) = committed.iter().find(|(known, _)| known == name) else {
            faults.push(format!("{name} is not in {FILE}"));
            continue;
        };
        let change = *count as f64 / *before as f64 - 1.0;
        println!(
            "{name:<22} {before:>10} {count:>10} {:>+7.2} %",
            100.0 * change
        );
        if change.abs() > TOLERANCE {
            faults.push(format!("{name} moved by {:+.1} %", 100.0 * change));
        }
    }
    faults
}

fn count_all(root: &Path) -> Result<Vec<(String, u64)>, String> {
    let folder = build(root, &[])?;
    let count = |&(program, name, n): &(&str, &str, u64)| {
        let program = folder.join(program);
        // Not the null device: as root, callgrind would replace it.
        let profile = program.with_extension("callgrind");
        let log = callgrind(&program, name, n, &profile)?;
        let all = collected(&log);
        let all = all.ok_or_else(|| format!("instructions: no count of {name}: {log}"))?;
        Ok((name.to_owned(), all / n))
    };
    LOOPS.iter().map(count).collect()
}

/// Callgrind's profile of a loop.
pub(crate) fn profile(root: &Path, name: &str) -> Result<String, String> {
    let known = LOOPS.iter().find(|(_, known, _)| *known == name);
    let &(program, name, n) = known.ok_or_else(|| format!("flame: there is no loop `{name}`"))?;
    // The picture has the files of the lines.
    let env = [("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only")];
    let program = build(root, &env)?.join(program);
    let file = program.with_extension("callgrind");
    callgrind(&program, name, n, &file)?;
    std::fs::read_to_string(&file).map_err(|error| format!("flame: {error}"))
}

/// Builds the programs with the loops, together: features of their dependencies would otherwise
/// differ. Returns their folder.
fn build(root: &Path, env: &[(&str, &str)]) -> Result<PathBuf, String> {
    let line = "build --profile profiling -p hegemon-bots --example hot_loops -p hegemon-arena \
                --example arena_loops";
    let args: Vec<&str> = line.split_whitespace().collect();
    crate::ci::cargo(root, &args, env)?;
    Ok(files::target(root).join("profiling/examples"))
}

/// Runs `n` units of a loop; returns valgrind's log.
fn callgrind(program: &Path, name: &str, n: u64, out: &Path) -> Result<String, String> {
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg("--toggle-collect=*_loops::measured*")
        .arg(program)
        .args([name, &n.to_string()])
        .output()
        .map_err(|error| format!("instructions: valgrind: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The count in a line like `==1== Collected : 123456`.
fn collected(log: &str) -> Option<u64> {
    let line = log.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.map_err(|error| format!("instructions: rustc: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pairs: &[(&str, u64)]) -> Vec<(String, u64)> {
        pairs
            .iter()
            .map(|&(name, n)| (name.to_owned(), n))
            .collect()
    }

    #[test]
    fn a_table_reads_back() {
        let made = counts(&[("deals", 4213), ("lux_games", 600_000)]);
        let read = parse(&table("rustc 1.0", &made)).expect("well formed");
        assert_eq!(read.compiler, "rustc 1.0");
        assert_eq!(read.counts, made);
        assert!(parse("deals many").is_err());
    }

    #[test]
    fn a_move_of_more_than_two_percent_is_a_fault() {
        let committed = counts(&[("deals", 1000), ("playouts", 1000)]);
        assert!(compare(&committed, &counts(&[("deals", 1019), ("playouts", 981)])).is_empty());
        assert_eq!(compare(&committed, &counts(&[("deals", 1021)])).len(), 1);
        assert_eq!(compare(&committed, &counts(&[("deals", 979)])).len(), 1);
        assert_eq!(compare(&committed, &counts(&[("new", 1)])).len(), 1);
    }

    #[test]
    fn the_count_is_read_from_the_log() {
        assert_eq!(
            collected("==7== Events : Ir\n==7== Collected : 123456\n"),
            Some(123_456)
        );
        assert_eq!(collected("==7== killed"), None);
    }
}
