//! Long commands on a terminal of 60 and of 80 columns: a bar with an estimate before the first
//! result, what Ctrl-C says, the result so far, and the next step.
//!
//! `script` of util-linux makes the terminal; without it nothing is looked at.
#![cfg(target_os = "linux")]

mod common;

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use common::{Folder, succeed};

/// How long a busy machine may take for anything.
const PATIENCE: Duration = Duration::from_secs(120);
/// Ctrl-C.
const INTERRUPT: &[u8] = b"\x03";

/// A command on a terminal of its own.
struct Terminal {
    child: Child,
    pieces: Receiver<Vec<u8>>,
    /// All that was shown.
    shown: String,
    begun: Instant,
}

impl Terminal {
    /// Starts a command; none where no terminal can be made.
    fn start(folder: &Folder, columns: u16, arguments: &[&str]) -> Option<Terminal> {
        let words = arguments.iter().map(|word| format!("'{word}'"));
        let words: Vec<String> = words.collect();
        let line = format!(
            "stty cols {columns} rows 24; exec '{}' {}",
            env!("CARGO_BIN_EXE_hegemon"),
            words.join(" ")
        );
        let mut child = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--flush",
                "--command",
                &line,
                "/dev/null",
            ])
            .current_dir(&folder.0)
            .env("TERM", "xterm")
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut output = child.stdout.take().expect("piped");
        let (sender, pieces) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n) = output.read(&mut buffer) {
                if n == 0 || sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Some(Terminal {
            child,
            pieces,
            shown: String::new(),
            begun: Instant::now(),
        })
    }

    /// Reads on until the screen fulfils a condition.
    fn until(&mut self, what: &str, is_it: impl Fn(&str) -> bool) {
        let mut bytes = self.shown.clone().into_bytes();
        while !is_it(&self.shown) {
            let left = PATIENCE.saturating_sub(self.begun.elapsed());
            let piece = self.pieces.recv_timeout(left);
            bytes.extend(piece.unwrap_or_else(|_| panic!("no {what}: {}", self.shown)));
            self.shown = String::from_utf8_lossy(&bytes).into_owned();
        }
    }

    fn interrupt(&mut self) {
        let keys = self.child.stdin.as_mut().expect("piped");
        keys.write_all(INTERRUPT).expect("it listens");
        keys.flush().expect("it listens");
    }

    /// Reads to the end; the lines that stand after the last bar, and the exit status.
    fn end(mut self) -> (Vec<String>, i32) {
        while let Ok(piece) = self.pieces.recv_timeout(PATIENCE) {
            self.shown += &String::from_utf8_lossy(&piece);
        }
        let status = self.child.wait().expect("started");
        let shown = plain(&self.shown);
        let lines = shown.lines().map(|line| {
            // What was written over before the line ended is gone.
            let last = line.trim_end_matches('\r').rsplit('\r').next();
            last.unwrap_or_default().trim_end().to_owned()
        });
        (lines.collect(), status.code().unwrap_or(-1))
    }
}

/// The text without what steers the terminal.
fn plain(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown.chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            text.push(c);
            continue;
        }
        for c in rest.by_ref().skip(1) {
            if c.is_ascii_alphabetic() {
                break;
            }
        }
    }
    text
}

/// A frame of the bar that says what is left.
fn has_estimate(shown: &str) -> bool {
    shown.contains(" left")
}

/// The bars that were shown, each as one line.
fn bars(shown: &str) -> Vec<String> {
    let shown = plain(shown);
    let frames = shown.split(['\r', '\n']);
    // The terminal shows the key behind the bar.
    let frames = frames.map(|frame| frame.trim_end_matches("^C").trim_end());
    let bars = frames.filter(|frame| frame.starts_with(['░', '█']));
    bars.map(str::to_owned).collect()
}

/// The number of things done that a bar tells.
fn n_done(bar: &str) -> u64 {
    let counts = bar.split_whitespace().find_map(|word| word.split_once('/'));
    counts.and_then(|(done, _)| done.parse().ok()).unwrap_or(0)
}

/// A command that would take long, and what it is to say when it is interrupted.
struct Long {
    line: &'static str,
    /// How much must be done before it can be stopped with a result.
    least: u64,
    /// Words of the result so far.
    result: &'static str,
    /// Words of the next step.
    next: &'static str,
}

const LONG: [Long; 9] = [
    Long {
        line: "match killbot quo --rules lux --games 1000000 --threads 1",
        least: 0,
        result: "Interrupted: these are the blocks that were finished.",
        next: "hegemon sprt 'killbot' 'quo' --rules lux",
    },
    Long {
        line: "sprt quo boscoe --rules lux --field killbot killbot --elo0 0 --elo1 0.01 --threads 1",
        least: 0,
        result: "undecided between quo and",
        next: "the same command plays the same games and goes on",
    },
    Long {
        line: "arena run --games 100000 --threads 1",
        least: 0,
        result: "interrupted, run again to continue",
        next: "hegemon arena run",
    },
    Long {
        line: "dataset play killbot quo boscoe --rules lux --games 100000 --threads 1 --out games.csv",
        least: 0,
        result: "the games finished by then are in the file",
        next: "hegemon dataset report games.csv",
    },
    Long {
        line: "train weights --method clop --rules sampling --games 400000 --threads 1 --checkpoint c.json",
        least: 0,
        result: "these are the weights found by then",
        next: "the same command goes on where it was",
    },
    Long {
        line: "train draft --bot angry --drafts 1000000 --games 1 --threads 1",
        least: 20,
        result: "these are the drafts played by then",
        next: "with --checkpoint FILE a run that is stopped can",
    },
    Long {
        line: "train beam --generations 100000 --population 16 --threads 1 --out beam",
        least: 0,
        result: "after generation ",
        next: "the same command goes on where it was",
    },
    Long {
        line: "train value --games 10000000 --threads 1 --out value",
        least: 0,
        result: "stopped ",
        next: "the same command goes on where it was",
    },
    Long {
        line: "lab run 002-tournament --scale paper --threads 1",
        least: 0,
        result: "cells missing.",
        next: "the same command goes on; 'hegemon lab report'",
    },
];

fn watch(long: &Long, columns: u16) {
    let folder = Folder::new(&format!("terminal-{columns}"));
    let add = [
        "arena",
        "add",
        "killbot",
        "quo",
        "boscoe",
        "--players",
        "3",
        "--rules",
        "lux",
    ];
    succeed(&folder.0, &add);
    let arguments: Vec<&str> = long.line.split(' ').collect();
    let Some(mut terminal) = Terminal::start(&folder, columns, &arguments) else {
        return;
    };
    terminal.until("bar", |shown| !bars(shown).is_empty());
    terminal.until("estimate", has_estimate);
    // Something is to be told of: a block, or some games.
    let is_under_way = |shown: &str| {
        let bars = bars(shown);
        bars.len() > 8 && bars.last().is_some_and(|bar| n_done(bar) >= long.least)
    };
    terminal.until("progress", is_under_way);
    terminal.interrupt();
    terminal.until("answer to Ctrl-C", |shown| {
        shown.contains("Ctrl-C again stops")
    });
    let frames = bars(&terminal.shown);
    let (lines, status) = terminal.end();
    let text = lines.join("\n");
    assert_eq!(status, 0, "{}\n{text}", long.line);
    let said = lines
        .iter()
        .position(|line| line.contains("Ctrl-C again stops"));
    let said = said.unwrap_or_else(|| panic!("{text}"));
    let after = lines[said..].join(" ");
    let after = after.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_first = |words: &str| lines[said].trim_start_matches("^C").starts_with(words);
    assert!(is_first("finishing ") || is_first("stopping;"), "{text}");
    assert!(after.contains(long.result), "{}: {text}", long.line);
    assert!(
        after.contains(&format!("Next: {}", long.next)),
        "{}: {text}",
        long.line
    );
    let columns = usize::from(columns);
    for line in frames.iter().chain(&lines[said..]) {
        assert!(
            line.chars().count() <= columns,
            "{}: {line}\n{text}",
            long.line
        );
    }
}

#[test]
fn long_commands_tell_how_long_and_end_with_what_there_is_on_sixty_columns() {
    LONG.iter().for_each(|long| watch(long, 60));
}

#[test]
fn long_commands_tell_how_long_and_end_with_what_there_is_on_eighty_columns() {
    LONG.iter().for_each(|long| watch(long, 80));
}

/// Games that take minutes each: there is a bar with an estimate nevertheless.
#[test]
fn a_bar_has_an_estimate_although_no_game_ends() {
    let folder = Folder::new("terminal-slow");
    let slow = "champion(ms=60000)";
    let line = [
        "match",
        slow,
        slow,
        "--rules",
        "classic",
        "--games",
        "96",
        "--threads",
        "1",
    ];
    let Some(mut terminal) = Terminal::start(&folder, 60, &line) else {
        return;
    };
    terminal.until("bar", |shown| !bars(shown).is_empty());
    terminal.until("estimate", has_estimate);
    terminal.interrupt();
    terminal.until("answer", |shown| {
        shown.contains("finishing 2 games; Ctrl-C again stops")
    });
    terminal.interrupt();
    let (lines, status) = terminal.end();
    let text = lines.join("\n");
    assert_eq!(status, 130, "{text}");
    assert!(
        text.contains("Stopped before a block was finished"),
        "{text}"
    );
}

/// Recorders of terminals make such.
#[test]
fn a_terminal_without_a_size_is_taken_for_eighty_columns() {
    let folder = Folder::new("terminal-no-size");
    for line in [&["maps", "list"][..], &["rules", "list"]] {
        let Some(terminal) = Terminal::start(&folder, 0, line) else {
            return;
        };
        let (lines, status) = terminal.end();
        let widest = lines.iter().map(|line| line.chars().count()).max();
        assert_eq!(status, 0, "{lines:?}");
        assert!(
            widest.is_some_and(|columns| (50..=80).contains(&columns)),
            "{lines:#?}"
        );
    }
}
