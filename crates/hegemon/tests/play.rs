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
            ["--port", "0", "--arena", &name(&text_file)],
            "is not a pool of this program",
        ),
        (
            ["--host", "nowhere", "--store", &name(&store)],
            "--host takes an address in numbers",
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

/// Asks a server and returns its whole answer.
fn ask(address: &str, request: &str) -> String {
    let (line, body) = request.split_once('\n').unwrap_or((request, ""));
    let length = body.len();
    let mut stream = TcpStream::connect(address).expect("connects");
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .expect("writes");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("reads");
    answer
}

/// A program of one's own is offered by its name, a map beside the shipped ones.
#[test]
fn own_bots_and_maps_are_offered_by_name() {
    let folder = folder("offers");
    let store = folder.join("games.db");
    let map = folder.join("map.json");
    let shipped = include_str!("../../../maps/duel6.json");
    std::fs::write(&map, shipped.replacen("duel6", "my isles", 1)).expect("writes");
    let own = concat!("Mine=cmd(", env!("CARGO_BIN_EXE_hegemon"), " bot killbot)");
    let mut child = play(&["--port", "0", "--store", store.to_str().expect("text")])
        .args(["--bot", own, "--map", map.to_str().expect("text")])
        .spawn()
        .expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    let address = first
        .strip_prefix("hegemon is at http://")
        .expect("an address");
    let address = address.trim_end_matches('/');
    assert!(ask(address, "GET /api/host-bots").contains("[\"Mine\"]"));
    assert!(ask(address, "GET /api/maps").contains("my isles"));
    let game = r#"{"map":"my isles","rules":"lux","seats":[{"kind":"bot","host_bot":"Mine"},{"kind":"bot","level":"recruit"}]}"#;
    let made = ask(address, &format!("POST /api/games\n{game}"));
    assert!(made.starts_with("HTTP/1.1 201"), "{made}");
    assert!(!made.contains("cmd("), "nobody hears what it is: {made}");
    // The program plays: the game goes on to its end without a note of failure.
    let id = made.split("\"id\":\"").nth(1).expect("an id");
    let id = id.split('"').next().expect("an id");
    while !ask(address, &format!("GET /api/games/{id}")).contains("\"status\":\"over\"") {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let replay = ask(address, &format!("GET /api/games/{id}/record"));
    assert!(replay.contains("host:Mine"), "{replay}");
    signal(&child, "INT");
    assert!(child.wait().expect("ends").success());

    for (arguments, sentence) in [
        (["--bot", "Mine"], "NAME=SPEC"),
        (["--bot", "\u{202e}x=killbot"], "a name has"),
        (["--bot", "Mine=nonsense("], "Mine=nonsense("),
        (["--bot", "Mine=nobot"], "there is no bot"),
        (["--bot", "Mine=quo(x=1)"], "no parameter"),
        (["--bot", "Mine=greedy(weights=no.toml)"], "no.toml"),
        (["--map", "nowhere.json"], "nowhere.json"),
    ] {
        let output = play(&arguments).output().expect("runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && error.contains(sentence),
            "{error}"
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn games_of_a_match_are_shown_by_one_command() {
    let folder = folder("replay");
    let hegemon = || Command::new(env!("CARGO_BIN_EXE_hegemon"));
    let games = folder.join("games");
    let output = hegemon()
        .args([
            "match", "killbot", "quo", "--rules", "sampling", "--games", "2",
        ])
        .arg("--records")
        .arg(&games)
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("Next: hegemon replay "), "{said}");
    let mut child = hegemon()
        .arg("replay")
        .arg(&games)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    let address = first
        .strip_prefix("2 games are at http://")
        .expect("an address");
    let address = address.split('/').next().expect("an address");
    assert!(ask(address, "GET /api/records").contains("game-0000001.hgr"));
    let replay = ask(address, "GET /api/records/game-0000002.hgr/replay");
    assert!(replay.starts_with("HTTP/1.1 200"), "{replay:.200}");
    for name in [
        "..%2Fgames%2Fgame-0000001.hgr",
        "game-9.hgr",
        "%2Fetc%2Fpasswd",
    ] {
        let answer = ask(address, &format!("GET /api/records/{name}/replay"));
        assert!(answer.starts_with("HTTP/1.1 404"), "{name}: {answer}");
    }
    signal(&child, "INT");
    assert!(child.wait().expect("ends").success());
    let _ = std::fs::remove_dir_all(&games);
    std::fs::create_dir_all(&games).expect("a folder");
    std::fs::write(games.join("notes.txt"), "no game").expect("writable");
    let mut other = hegemon();
    let other = other.arg("replay").arg(games.join("notes.txt"));
    let other = other.output().expect("runs");
    assert!(!other.status.success(), "what is no record is refused");
    let error = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(error.contains("notes.txt"), "{error}");
    let empty = hegemon().arg("replay").arg(&games).output().expect("runs");
    let error = String::from_utf8_lossy(&empty.stderr).into_owned();
    assert!(error.contains("has no records"), "{error}");
    let _ = std::fs::remove_dir_all(folder);
}
