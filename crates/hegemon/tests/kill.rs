//! Long commands repeatedly killed with SIGKILL at seeded moments and resumed:
//! nothing that was shown is lost, nothing is counted twice, and the result
//! equals that of an uninterrupted run.
//!
//! `HEGEMON_KILLS` sets how often each command is killed; a few times by default.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Folder, hegemon, succeed};
use hegemon_core::Rng;

fn n_kills() -> u32 {
    let asked = std::env::var("HEGEMON_KILLS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(3)
}

/// Starts a command and kills it after a while; returns whether it had ended
/// before.
fn kill_after(folder: &Path, arguments: &[&str], pause: Duration) -> bool {
    let mut child = hegemon(folder, arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(pause);
    let ended = child.try_wait().expect("a child").is_some();
    let _ = child.kill();
    let status = child.wait().expect("a child");
    assert!(!ended || status.success(), "{arguments:?} failed by itself");
    ended
}

/// When a test looks at a command's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Nothing was done yet: the folder is empty.
    Begun,
    /// It was just killed.
    Killed,
    /// It has finished.
    Ended,
}

/// Kills a command the requested number of times, at moments within its
/// uninterrupted running time, and then runs it to its end. A command that
/// finishes earlier starts again in an empty folder.
fn disturb(
    folder: &Path,
    arguments: &[&str],
    whole: Duration,
    seed: u64,
    mut look: impl FnMut(Moment),
) {
    let mut rng = Rng::stream(seed, "kill");
    let (mut n_killed, mut has_ended) = (0, true);
    while n_killed < n_kills() {
        if has_ended {
            std::fs::remove_dir_all(folder).expect("ours");
            std::fs::create_dir_all(folder).expect("writable");
            look(Moment::Begun);
        }
        // Short ones more often: the beginning is where files are made.
        let pause = whole.mul_f64(rng.unit().powi(2));
        has_ended = kill_after(folder, arguments, pause);
        if has_ended {
            look(Moment::Ended);
        } else {
            look(Moment::Killed);
            n_killed += 1;
        }
    }
    succeed(folder, arguments);
    look(Moment::Ended);
}

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let bytes = std::fs::read(&path).expect("readable");
        found.insert(name.into_owned(), bytes);
    }
    found
}

/// An uninterrupted run, and how long it took.
fn undisturbed(folder: &Path, arguments: &[&str]) -> Duration {
    let begun = Instant::now();
    succeed(folder, arguments);
    begun.elapsed()
}

#[test]
fn an_arena_killed_again_and_again_loses_and_doubles_nothing() {
    let add = "arena add baseline simulation angry --rules sampling";
    let add: Vec<&str> = add.split(' ').collect();
    let run = "arena run --games 3000 --threads 2 --json";
    let run: Vec<&str> = run.split(' ').collect();
    let whole = Folder::new("kill-arena-whole");
    succeed(&whole.0, &add);
    let time = undisturbed(&whole.0, &run);
    let expected = succeed(&whole.0, &["arena", "export"]);

    let show = |folder: &Folder| succeed(&folder.0, &["arena", "show", "--json"]);
    let standing = show(&whole);

    let killed = Folder::new("kill-arena");
    let mut shown = String::new();
    disturb(&killed.0, &run, time, 1, |moment| {
        if moment == Moment::Begun {
            succeed(&killed.0, &add);
            shown.clear();
            return;
        }
        let now = succeed(&killed.0, &["arena", "export"]);
        assert!(now.starts_with(&shown), "games that were shown are gone");
        assert!(expected.starts_with(&now), "other games were played");
        shown = now;
        let report = succeed(&killed.0, &["arena", "check"]);
        assert!(report.contains("games are sound"), "{report}");
        if moment == Moment::Ended {
            assert_eq!(shown, expected);
            assert_eq!(show(&killed), standing);
        }
    });
}

/// Trains with a checkpoint, uninterrupted in one folder and killed in another;
/// the final content of `out` must be the same.
fn check_training(name: &str, command: &str, seed: u64) {
    let arguments: Vec<&str> = command.split(' ').collect();
    let make_out = |folder: &Folder| {
        std::fs::create_dir_all(folder.0.join("out")).expect("writable");
    };
    let whole = Folder::new(&format!("kill-{name}-whole"));
    make_out(&whole);
    let time = undisturbed(&whole.0, &arguments);
    let expected = files(&whole.0.join("out"));
    assert!(!expected.is_empty(), "{name} wrote nothing");
    let killed = Folder::new(&format!("kill-{name}"));
    disturb(&killed.0, &arguments, time, seed, |moment| match moment {
        Moment::Begun => make_out(&killed),
        Moment::Killed => {}
        Moment::Ended => {
            let found = files(&killed.0.join("out"));
            let names = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
                files.keys().cloned().collect()
            };
            assert_eq!(names(&found), names(&expected));
            for (file, bytes) in &expected {
                assert!(found[file] == *bytes, "{name}: {file}");
            }
        }
    });
}

#[test]
fn a_draft_training_killed_again_and_again_learns_the_same() {
    let command = "train draft --bot angry --drafts 400 --games 4 --seed 3 --threads 2 \
                   --checkpoint drafts.log --out out";
    check_training("draft", command, 2);
}

#[test]
fn a_tuning_killed_again_and_again_finds_the_same_weights() {
    let command = "train weights --method clop --rules sampling --games 240 --match-games 40 \
                   --seed 3 --threads 2 --checkpoint tuning.json --out out/weights.toml";
    check_training("weights", command, 3);
}

#[test]
fn an_evolution_killed_again_and_again_comes_to_the_same_champion() {
    let command = "train beam --population 16 --generations 12 --seed 3 --threads 2 --out out";
    check_training("beam", command, 4);
}

#[test]
fn a_lab_killed_again_and_again_computes_every_cell_once() {
    let run =
        "lab run 002-tournament 003-policies 000-code --scale smoke --seed 5 --threads 2 --json";
    let run: Vec<&str> = run.split(' ').collect();
    let whole = Folder::new("kill-lab-whole");
    let time = undisturbed(&whole.0, &run);
    let killed = Folder::new("kill-lab");
    let cells = |folder: &Folder| -> BTreeMap<(String, String), String> {
        let path = folder.0.join("lab.db");
        if !path.exists() {
            return BTreeMap::new();
        }
        let connection = rusqlite::Connection::open(path).expect("a store");
        let mut query = connection
            .prepare("SELECT experiment, key, value FROM cells")
            .expect("its table");
        let rows = query.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)));
        rows.expect("readable")
            .collect::<Result<_, _>>()
            .expect("readable")
    };
    let expected = cells(&whole);
    let mut shown = BTreeMap::new();
    disturb(&killed.0, &run, time, 5, |moment| {
        if moment == Moment::Begun {
            shown.clear();
            return;
        }
        let now = cells(&killed);
        for (cell, value) in &shown {
            assert_eq!(now.get(cell), Some(value), "{cell:?} is gone or another");
        }
        shown = now;
        if moment == Moment::Ended {
            assert_eq!(shown, expected);
            let again = succeed(&killed.0, &run);
            let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
            assert_eq!(again["done"], 0);
            assert_eq!(again["known"], expected.len());
        }
    });
}
