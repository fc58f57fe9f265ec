//! The commands of the book. What a page shows is what the program prints; what it tells to run runs, with few games;
//! of the rest, command and options exist.
//!
//! The kind of a fenced block says which: `console` has commands after `$` with their output, `sh` is run,
//! `sh long` takes too long, waits for somebody or needs more than this program, so it is only looked up.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "what could not be run here is said")]

mod common;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Folder;

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        const PAGES: &[&str] = &[$($path),*];
        $(
            #[test]
            fn $name() {
                check($path);
            }
        )*
    };
}

pages! {
    readme: "README.md",
    contributing: "CONTRIBUTING.md",
    example_bots: "examples/bots/README.md",
    analysis: "docs/analysis.md",
    arena: "docs/arena.md",
    beam: "docs/beam.md",
    bot_javascript: "docs/bot-javascript.md",
    bot_python: "docs/bot-python.md",
    bot_rust: "docs/bot-rust.md",
    champion: "docs/champion.md",
    dataset: "docs/dataset.md",
    formats: "docs/formats.md",
    goal_uct: "docs/goal-uct.md",
    lab: "docs/lab.md",
    maps: "docs/maps.md",
    performance: "docs/performance.md",
    play: "docs/play.md",
    python: "docs/python.md",
    releasing: "docs/releasing.md",
    reproduce: "docs/reproduce.md",
    scale: "docs/scale.md",
    search: "docs/search.md",
    start: "docs/start.md",
    testing: "docs/testing.md",
    theory: "docs/theory.md",
    web: "web/README.md",
}

/// Pages that a command writes.
const GENERATED: [&str; 3] = [
    "docs/reference/",
    "docs/lab/report.md",
    "docs/lab/repeated.md",
];

/// Games of a command that is only run to see that it runs: whole blocks of two, three, four or six seats.
const FEW_GAMES: &str = "12";

/// What commands may read, as if they were started at the top of a checkout: copies, since a command may write.
const AT_THE_TOP: [&str; 1] = ["examples/bots"];

const NOTE: &str = "the output differs; UPDATE_DOCS=1 writes it anew";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Commands with what they print.
    Console,
    /// Commands that are run.
    Run,
    /// Commands that are looked up.
    Long,
}

/// A fenced block of commands.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// Line of its fence, from 1.
    line: usize,
    kind: Kind,
    text: String,
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn page_text(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The blocks of a page, and the lines of commands that are in a block without a kind.
fn blocks(text: &str) -> (Vec<Block>, Vec<usize>) {
    let (mut blocks, mut unmarked) = (Vec::new(), Vec::new());
    let mut open: Option<(usize, Option<Kind>, String)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let inner = line.trim_start();
        if let Some(info) = inner.strip_prefix("```") {
            open = match open.take() {
                None => Some((number, kind(info), String::new())),
                Some((line, Some(kind), text)) => {
                    blocks.push(Block { line, kind, text });
                    None
                }
                Some(_) => None,
            };
        } else if let Some((_, kind, text)) = &mut open {
            if kind.is_none() && is_command(inner.trim_start_matches("$ ")) {
                unmarked.push(number);
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    (blocks, unmarked)
}

fn kind(info: &str) -> Option<Kind> {
    match info {
        "console" => Some(Kind::Console),
        "sh" => Some(Kind::Run),
        "sh long" => Some(Kind::Long),
        _ => None,
    }
}

fn is_command(line: &str) -> bool {
    ["hegemon ", "cargo run ", "cargo xtask "]
        .iter()
        .any(|start| line.starts_with(start))
}

fn check(page: &str) {
    let text = page_text(page);
    let (blocks, unmarked) = blocks(&text);
    assert!(
        unmarked.is_empty(),
        "{page}:{unmarked:?}: commands in a block that is neither `console` nor `sh` nor `sh long`"
    );
    let folder = Scratch::new(page);
    for block in &blocks {
        let place = format!("{page}:{}", block.line);
        match block.kind {
            Kind::Console => folder.compare(page, &place, &block.text),
            Kind::Run => folder.run(&place, &block.text),
            Kind::Long => folder.look_up(&place, &block.text),
        }
    }
}

/// A folder in which the commands of a page run one after another.
struct Scratch(Folder);

impl Scratch {
    fn new(page: &str) -> Scratch {
        let folder = Folder::new(&format!("book-{}", page.replace('/', "-")));
        for name in AT_THE_TOP {
            copy_files(&root().join(name), &folder.0.join(name));
        }
        let program = env!("CARGO_BIN_EXE_hegemon");
        let few = format!(
            "n=$#; last=\nwhile [ $n -gt 0 ]; do\n  a=$1; shift; n=$((n - 1))\n  \
             if [ \"$last\" = --games ] && [ \"$a\" -gt {FEW_GAMES} ]; then a={FEW_GAMES}; fi\n  \
             set -- \"$@\" \"$a\"; last=$a\ndone\nexec '{program}' \"$@\""
        );
        let help = format!("exec '{program}' \"$@\" --help");
        let whole = format!("exec '{program}' \"$@\"");
        for (name, script) in [("few", few), ("help", help), ("whole", whole)] {
            let place = folder.0.join(".programs").join(name);
            std::fs::create_dir_all(&place).expect("writable");
            let file = place.join("hegemon");
            std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("writable");
            let may_run = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&file, may_run).expect("ours");
        }
        Scratch(folder)
    }

    /// A shell that finds one of the three programs.
    fn shell(&self, program: &str, script: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let ours = self.0.0.join(".programs").join(program);
        let mut shell = Command::new("sh");
        shell
            .args(["-e", "-c", script])
            .current_dir(&self.0.0)
            .env("PATH", format!("{}:{path}", ours.display()))
            .env("HEGEMON_STORE", self.0.0.join("games.db"));
        shell
    }

    fn compare(&self, page: &str, place: &str, text: &str) {
        let mut shown = String::new();
        for line in commands_of(text, "$ ") {
            let output = self.shell("whole", &line).output().expect("a shell");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{place}: {line}: {errors}");
            let printed = String::from_utf8(output.stdout).expect("text");
            shown.push_str(&format!("$ {line}\n"));
            for line in printed.lines() {
                shown.push_str(line.trim_end());
                shown.push('\n');
            }
        }
        if shown != text && std::env::var_os("UPDATE_DOCS").is_some() {
            let old = page_text(page);
            std::fs::write(root().join(page), old.replacen(text, &shown, 1)).expect("writable");
        } else {
            assert_eq!(shown, text, "{place}: {NOTE}");
        }
    }

    fn run(&self, place: &str, text: &str) {
        for tool in ["python3", "node"] {
            if text.contains(&format!("{tool} ")) && !is_installed(tool) {
                eprintln!("{place}: {tool} is not installed: NOT run");
                return;
            }
        }
        if text.contains(".parquet") && !cfg!(feature = "parquet") {
            eprintln!("{place}: this build has no Parquet: NOT run");
            return;
        }
        let output = self.shell("few", text).output().expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place}: {text}{errors}");
    }

    /// Other programs are none of ours, and nothing is written.
    fn look_up(&self, place: &str, text: &str) {
        let mut assignments = String::new();
        for line in commands_of(text, "") {
            let line = line.replace("cargo run --release -- ", "hegemon ");
            if let Some(rest) = line.strip_prefix("cargo xtask ") {
                assert!(is_chore(rest), "{place}: there is no chore `{rest}`");
            }
            if is_assignment(&line) {
                assignments.push_str(&format!("{line}\n"));
            }
            if line.starts_with("hegemon ") {
                let command = line.split(" > ").next().unwrap_or(&line);
                let script = format!("{assignments}{command}");
                let output = self.shell("help", &script).output().expect("a shell");
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{place}: {line}: {errors}");
            }
        }
    }
}

/// `NAME=VALUE`.
fn is_assignment(line: &str) -> bool {
    let is_of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_of_a_name))
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("writable");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name");
        std::fs::copy(&path, to.join(name)).expect("a file");
    }
}

/// The commands after a mark, one that ends in `\` together with the next line.
fn commands_of(text: &str, mark: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let command = if goes_on {
            Some(line)
        } else {
            line.trim_start().strip_prefix(mark)
        };
        let Some(command) = command else { continue };
        match commands.last_mut() {
            Some(last) if goes_on => *last = format!("{last}\n{command}"),
            _ => commands.push(command.to_owned()),
        }
        goes_on = command.ends_with('\\');
    }
    commands
}

fn is_installed(tool: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output();
    found.is_ok_and(|output| output.status.success())
}

/// Whether `cargo xtask help` has the first word of the line.
fn is_chore(line: &str) -> bool {
    let help = page_text("xtask/src/main.rs");
    let name = line.split_whitespace().next().unwrap_or_default();
    help.lines().any(|line| {
        line.strip_prefix("  ")
            .and_then(|line| line.split_whitespace().next())
            .is_some_and(|word| word == name)
    })
}

/// The number after a mark.
fn number_after(text: &str, mark: &str) -> u64 {
    let (_, rest) = text
        .split_once(mark)
        .unwrap_or_else(|| panic!("no {mark} in {text}"));
    let end = rest.find(|c: char| !c.is_ascii_digit());
    let digits = &rest[..end.unwrap_or(rest.len())];
    digits.parse().expect("a number")
}

/// The script for a Slurm array, with a loop in place of Slurm.
#[test]
fn the_parts_of_an_array_make_the_whole_match() {
    const GAMES_OF_A_BLOCK: u64 = 6;
    const N_TASKS: u64 = 4;
    let (blocks, _) = blocks(&page_text("docs/python.md"));
    let script = blocks.iter().find(|block| block.text.contains("#SBATCH"));
    let script = &script.expect("a script for an array").text;
    let (games, share) = (
        number_after(script, "games="),
        number_after(script, "blocks="),
    );
    let n_tasks = number_after(script, "--array=0-") + 1;
    assert_eq!(n_tasks * share * GAMES_OF_A_BLOCK, games, "{script}");

    let few = N_TASKS * GAMES_OF_A_BLOCK;
    let script = script
        .replace(&format!("games={games}"), &format!("games={few}"))
        .replace(&format!("blocks={share}"), "blocks=1");
    let scratch = Scratch::new("array");
    let run = |script: &str, task: u64| {
        let mut shell = scratch.shell("whole", script);
        let output = shell.env("SLURM_ARRAY_TASK_ID", task.to_string()).output();
        let output = output.expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}{errors}");
        String::from_utf8(output.stdout).expect("text")
    };
    for task in 0..N_TASKS {
        run(&script, task);
    }
    let whole = script.split("--blocks").next().expect("a match");
    let whole = whole.trim_end_matches([' ', '\\', '\n']);
    let (merged, whole) = (run("hegemon merge part-*.json", 0), run(whole, 0));
    // Below it stands how fast it was.
    assert!(whole.starts_with(&merged), "{merged}\n{whole}");
    assert!(
        merged.contains(&format!("{few} in {N_TASKS} blocks")),
        "{merged}"
    );
}

fn markdown(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            markdown(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let inner = path.strip_prefix(root()).expect("below the top");
            found.insert(inner.to_str().expect("text").to_owned());
        }
    }
}

#[test]
fn every_page_with_commands_is_checked() {
    let mut pages =
        BTreeSet::from(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(String::from));
    markdown(&root().join("docs"), &mut pages);
    for page in &pages {
        let is_generated = GENERATED.iter().any(|start| page.starts_with(start));
        if is_generated || PAGES.contains(&page.as_str()) {
            continue;
        }
        let (blocks, unmarked) = blocks(&page_text(page));
        assert!(
            blocks.is_empty() && unmarked.is_empty(),
            "{page} has commands: add it to the list"
        );
    }
}

#[test]
fn blocks_are_found_by_their_kind() {
    let page = "a\n```console\n$ hegemon odds 5 4\n63 %\n```\n```\nhegemon play\n```\n   ```sh long\n   hegemon play\n   ```\n";
    let (blocks, unmarked) = blocks(page);
    assert_eq!(unmarked, [7]);
    let kinds: Vec<(usize, Kind)> = blocks
        .iter()
        .map(|block| (block.line, block.kind))
        .collect();
    assert_eq!(kinds, [(2, Kind::Console), (9, Kind::Long)]);
    assert_eq!(commands_of(&blocks[0].text, "$ "), ["hegemon odds 5 4"]);
    assert_eq!(commands_of("a \\\n  b\nc\n", ""), ["a \\\n  b", "c"]);
}

#[test]
fn an_option_that_does_not_exist_is_found() {
    let scratch = Scratch::new("looked-up");
    let fails = |line: &str| {
        !scratch
            .shell("help", line)
            .output()
            .expect("a shell")
            .status
            .success()
    };
    assert!(fails("hegemon match quo random --gamse 5"));
    assert!(fails("hegemon mach quo random"));
    assert!(!fails("hegemon match quo random --games 5 | head -n 1"));
    assert!(is_chore("ci --list") && !is_chore("cl"));
    assert!(is_assignment("G='quo'") && !is_assignment("hegemon rules show lux=3"));
}
