//! `hegemon play` as a process: its address, Ctrl-C, and what goes wrong.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

mod common;

use common::signal;

fn play(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hegemon"));
    command
        .arg("play")
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("hegemon-play-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Starts on a free port; returns the process and where it listens.
fn started(store: &str) -> (Child, String) {
    let mut child = play(&["--port", "0", "--store", store])
        .spawn()
        .expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    let url = first
        .strip_prefix("hegemon is at http://")
        .expect("an address");
    (child, url.trim_end_matches('/').to_owned())
}

/// Makes a game of a person and a bot.
fn make_game(address: &str) {
    let body = r#"{"map":"classic","rules":"classic","seats":[{"kind":"human","name":"Ann"},{"kind":"bot","level":"recruit"}]}"#;
    let mut stream = TcpStream::connect(address).expect("connects");
    let length = body.len();
    write!(
        stream,
        "POST /api/games HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .expect("writes");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("reads");
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
}

/// SIGTERM once ended it in the middle.
#[test]
fn sigterm_stops_it_and_leaves_no_log() {
    let folder = folder("term");
    let store = folder.join("games.db");
    let (mut child, address) = started(store.to_str().expect("text"));
    make_game(&address);
    let log_len = || {
        let log = std::fs::metadata(folder.join("games.db-wal"));
        log.map_or(0, |facts| facts.len())
    };
    assert!(log_len() > 0, "the game is in the log");
    signal(&child, "TERM");
    assert_eq!(child.wait().expect("ends").code(), Some(0));
    assert_eq!(log_len(), 0);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn ctrl_c_stops_it_and_games_stay() {
    let folder = folder("stop");
    let store = folder.join("deep/games.db");
    let store = store.to_str().expect("text");
    let (mut child, address) = started(store);
    make_game(&address);

    let second = play(&["--port", "0", "--store", store])
        .output()
        .expect("runs");
    let error = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(error.contains("another server uses the store"), "{error}");

    signal(&child, "INT");
    assert!(child.wait().expect("ends").success());

    let (mut child, address) = started(store);
    let mut stream = TcpStream::connect(&address).expect("connects");
    write!(
        stream,
        "GET /api/games HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .expect("writes");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("reads");
    assert!(answer.contains("\"Ann\""), "{answer}");
    child.kill().expect("ends");
    child.wait().expect("ends");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn mistakes_get_a_sentence() {
    let folder = folder("mistakes");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let store = folder.join("games.db");
    let text_file = folder.join("notes.txt");
    std::fs::write(
        &text_file,
        "no store at all, but long enough to be looked at",
    )
    .expect("writes");
    let name = |path: &PathBuf| path.to_str().expect("text").to_owned();
    for (arguments, sentence) in [
        (
            ["--port", &port, "--store", &name(&store)],
            "is in use; name another one with --port",
        ),
        (
            ["--port", "0", "--store", &name(&text_file)],
            "is not a store of this program",
        ),
        (
            ["--port", "0", "--arena", &name(&folder.join("no.db"))],
            "there is no pool at",
        ),
        (
            ["--host", "nowhere", "--store", &name(&store)],
            "invalid value 'nowhere'",
        ),
    ] {
        let output = play(&arguments).output().expect("runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && error.contains(sentence),
            "{arguments:?}: {error}"
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}
