//! Analyses of games as files, and the analysis server, when something goes wrong.
#![cfg(unix)]

mod common;

use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use common::{Folder, hegemon, refused, run, signal};

#[test]
fn puzzles_of_a_bad_record_or_half_a_game_replace_nothing() {
    let folder = Folder::new("half-puzzles");
    let games = "match killbot quo shaft vulture --rules lux --games 4 --records games";
    run(&folder.0, games);
    let (puzzles, sound) = (folder.0.join("p.json"), "games/game-0000001.hgr");
    std::fs::write(&puzzles, "old").expect("a file");
    std::fs::write(folder.0.join("bad.hgr"), "bad").expect("a file");
    let line = format!("analyze {sound} bad.hgr --puzzles p.json --level fast");
    refused(&folder.0, &line, "bad.hgr");
    let line = ["analyze", sound, "--puzzles", "p.json", "--level", "deep"];
    let mut child = hegemon(&folder.0, &line)
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // Before it hears signals this ends it, which leaves the file as well.
    std::thread::sleep(Duration::from_secs(1));
    signal(&child, "INT");
    assert!(!child.wait().expect("a child").success());
    assert_eq!(std::fs::read_to_string(&puzzles).expect("a file"), "old");
}

/// A reply that cannot be written ends the program, and the rest of a line that is too long is
/// no request.
#[test]
fn the_analysis_server_loses_no_reply_in_silence_and_obeys_no_half_line() {
    let folder = Folder::new("analysis-server");
    let serve = |input: &str, output: Stdio| {
        let mut child = hegemon(&folder.0, &["analysis", "--threads", "1"])
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut pipe = child.stdin.take().expect("piped");
        // Whoever is gone takes no more.
        let _ = pipe.write_all(input.as_bytes());
        drop(pipe);
        child.wait_with_output().expect("it ends")
    };
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    if let Ok(full) = full {
        let output = serve("{}\n", full.into());
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write a reply"));
    }
    let input = "x".repeat(16 << 20) + "{\"cancel\":\"q\"}\n{\"cancel\":\"r\"}\n";
    let output = serve(&input, Stdio::piped());
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("16 MiB") && said.contains("\"r\"") && !said.contains("\"q\""));
}
