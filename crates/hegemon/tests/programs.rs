//! Bots that are programs, under the real command line.

#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::io::{BufRead as _, Read as _};
use std::process::Stdio;
use std::time::Duration;

use common::{Folder, hegemon, succeed};

/// Says hello, ignores what can be ignored, starts a child in its own session,
/// writes both process ids to `$1`, and never moves.
const STUBBORN: &str = r#"read -r line; echo '{"type":"hello","protocol":1,"name":"stubborn"}'
trap '' TERM INT HUP PIPE
setsid sh -c 'echo $$ >>"$0"; while :; do sleep 1000; done' "$1" &
echo $$ >>"$1"; while :; do sleep 1000; done"#;

/// The processes of bots that have started.
fn bots(folder: &Folder) -> Vec<u32> {
    let roll = fs::read_to_string(folder.0.join("roll")).unwrap_or_default();
    roll.lines().filter_map(|line| line.parse().ok()).collect()
}

fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}

fn wait_until(mut holds: impl FnMut() -> bool, sentence: &str) {
    for _ in 0..3000 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{sentence}");
}

/// Sends signals to `hegemon` while a bot thinks.
fn no_bot_outlives(signals: &[&str]) {
    let folder = Folder::new(&format!("programs-{}", signals.join("-")));
    fs::write(folder.0.join("stubborn.sh"), STUBBORN).expect("writable");
    let spec = "cmd(move-ms=600000: sh stubborn.sh roll)";
    let mut hegemon = hegemon(&folder.0, &["match", spec, "random"])
        .args(["--rules", "sampling", "--games", "2", "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("hegemon");
    wait_until(|| bots(&folder).len() == 2, "the bot does not start");
    let bots = bots(&folder);
    assert!(bots.iter().all(|pid| runs(*pid)), "{bots:?}");
    for signal in signals {
        common::signal(&hegemon, signal);
        // Two equal signals at once count as one.
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(!hegemon.wait().expect("started").success());
    wait_until(
        || bots.iter().all(|pid| !runs(*pid)),
        "a bot was left behind",
    );
}

#[test]
fn killing_hegemon_leaves_no_bot_behind() {
    no_bot_outlives(&["KILL"]);
}

#[test]
fn terminating_hegemon_leaves_no_bot_behind() {
    // The first one allows the current games to finish.
    no_bot_outlives(&["TERM", "TERM"]);
}

#[test]
fn a_second_signal_of_another_kind_means_now_too() {
    no_bot_outlives(&["TERM", "INT"]);
}

#[test]
fn interrupting_hegemon_twice_leaves_no_bot_behind() {
    no_bot_outlives(&["INT", "INT"]);
}

/// Says hello, kills its supervisor, and runs forever.
const PARRICIDE: &str = r#"read -r line; echo '{"type":"hello","protocol":1,"name":"parricide"}'
trap '' TERM INT HUP PIPE
kill -KILL $PPID
setsid sh -c 'echo $$ >>"$0"; while :; do sleep 1000; done' "$1" &
echo $$ >>"$1"; while :; do sleep 1000; done"#;

/// Only `hegemon` knows of a bot whose supervisor is gone, and it waits for
/// another.
#[test]
fn a_second_signal_ends_a_bot_that_killed_its_supervisor() {
    let folder = Folder::new("programs-parricide");
    fs::write(folder.0.join("stubborn.sh"), STUBBORN).expect("writable");
    fs::write(folder.0.join("parricide.sh"), PARRICIDE).expect("writable");
    let stubborn = "cmd(move-ms=600000: sh stubborn.sh roll)";
    // Without a shell between them its parent is the supervisor.
    let parricide = "cmd(move-ms=600000: exec sh parricide.sh roll)";
    let mut hegemon = hegemon(&folder.0, &["match", stubborn, parricide])
        .args(["--rules", "sampling", "--games", "2", "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hegemon");
    wait_until(|| bots(&folder).len() == 4, "the bots do not start");
    let bots = bots(&folder);
    let mut errors = std::io::BufReader::new(hegemon.stderr.take().expect("piped"));
    common::signal(&hegemon, "TERM");
    let mut line = String::new();
    errors.read_line(&mut line).expect("readable");
    assert_eq!(line, "finishing 2 games; Ctrl-C again stops\n");
    assert!(bots.iter().all(|pid| runs(*pid)), "{bots:?}");
    common::signal(&hegemon, "INT");
    assert_eq!(hegemon.wait().expect("started").code(), Some(130));
    line.clear();
    errors.read_to_string(&mut line).expect("readable");
    assert_eq!(line, "", "one line is said");
    wait_until(
        || bots.iter().all(|pid| !runs(*pid)),
        "a bot was left behind",
    );
}

/// `perft` was silent for half a minute once, and Ctrl-C lost what it had counted.
#[test]
fn a_long_count_says_how_far_it_is_and_can_be_ended() {
    let folder = Folder::new("programs-perft");
    let mut hegemon = hegemon(&folder.0, &["perft", "--depth", "7"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hegemon");
    let mut errors = std::io::BufReader::new(hegemon.stderr.take().expect("piped"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("readable");
    assert!(
        line.starts_with("depth ") && line.contains(" steps"),
        "{line}"
    );
    common::signal(&hegemon, "INT");
    let mut answer = String::new();
    let mut output = hegemon.stdout.take().expect("piped");
    output.read_to_string(&mut answer).expect("readable");
    assert!(hegemon.wait().expect("started").success());
    assert!(
        answer.contains("Interrupted: these are the depths"),
        "{answer}"
    );
    assert!(
        answer
            .lines()
            .any(|line| line.trim_start().starts_with("3 ")),
        "{answer}"
    );
}

#[test]
fn limits_of_bots_are_kept() {
    let hungry = "cmd(read -r line; echo '{\"type\":\"hello\",\"protocol\":1,\"name\":\"hungry\"}'; \
         head -c 500000000 /dev/zero | tail -n 1 >/dev/null || exit 7; cat >/dev/null)";
    let folder = Folder::new("programs-limits");
    let few = ["--rules", "sampling", "--games", "2", "--threads", "1"];
    let limited = [
        &["match", hungry, "random", "--bot-memory", "200"][..],
        &few,
    ]
    .concat();
    let text = succeed(&folder.0, &limited);
    assert!(text.contains("crash 2"), "{text}");
    let mut zero = hegemon(&folder.0, &["match", "random", "random", "--bot-cpu", "0"]);
    assert!(!zero.output().expect("it starts").status.success());
}

#[test]
fn the_standing_says_who_lost_by_forfeit() {
    let clumsy = "cmd(read -r line; echo '{\"type\":\"hello\",\"protocol\":1,\"name\":\"clumsy\"}'; \
         read -r line; exit 3)";
    let folder = Folder::new("programs-forfeits");
    let add = ["arena", "add", clumsy, "random", "--rules", "sampling"];
    succeed(&folder.0, &add);
    succeed(&folder.0, &["arena", "run", "--games", "4"]);
    let show = succeed(&folder.0, &["arena", "show"]);
    let said = "forfeits: clumsy 4; 'hegemon check-bot' shows why";
    assert!(show.contains(said), "{show}");
    let show = succeed(&folder.0, &["arena", "show", "--json"]);
    let standing: serde_json::Value = serde_json::from_str(&show).expect("JSON");
    let rows = standing["rows"].as_array().expect("rows");
    let forfeits: Vec<_> = rows.iter().map(|row| &row["forfeits"]).collect();
    assert_eq!(forfeits, [0, 4]);
}

/// Plays as `baseline`, and states the name and the version that the file `version` holds.
const VERSIONED: &str = r#"hello="{\"type\":\"hello\",\"protocol\":1,\"name\":\"my bot\",\"version\":\"$(cat version)\"}"
"$HEGEMON" bot baseline | sed -u "1s/.*/$hello/""#;

#[test]
fn a_program_is_called_by_what_it_states_and_a_new_version_is_a_new_bot() {
    let folder = Folder::new("programs-versions");
    fs::write(folder.0.join("bot.sh"), VERSIONED).expect("writable");
    let state = |version: &str| fs::write(folder.0.join("version"), version).expect("writable");
    let run = |args: &[&str]| {
        let mut hegemon = hegemon(&folder.0, args);
        hegemon.env("HEGEMON", env!("CARGO_BIN_EXE_hegemon"));
        let output = hegemon.output().expect("hegemon");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text(&output.stdout) + &text(&output.stderr)
    };
    state("1.2");
    let program = "cmd(sh bot.sh)";
    let short = ["--rules", "sampling", "--set", "end.turn-limit=3"];
    run(&[&["arena", "add", program, "random", "baseline"], &short[..]].concat());
    run(&["arena", "run", "--games", "12"]);
    let before = run(&["arena", "show", "--brief"]);
    assert!(
        before.contains("my bot 1.2") && !before.contains("cmd("),
        "{before}"
    );

    state("1.3");
    let said = run(&["arena", "run", "--games", "24"]);
    assert!(said.contains("my bot 1.3 is another version"), "{said}");
    let after = run(&["arena", "show", "--brief"]);
    for name in ["my bot 1.2", "my bot 1.3", "24 games"] {
        assert!(after.contains(name), "{name}: {after}");
    }
    let again = run(&["arena", "run", "--games", "30"]);
    assert!(!again.contains("another version"), "{again}");
    run(&["arena", "remove", "my bot 1.2"]);
    let left = run(&["arena", "show", "--brief"]);
    assert!(!left.contains("my bot 1.2"), "{left}");

    let two = ["--games", "2"];
    let played = run(&[&["match", program, "random"], &short[..], &two].concat());
    assert!(played.contains("my bot 1.3"), "{played}");
    let old = "cmd(as=\"my bot 1.2\": sh bot.sh)";
    let refused = run(&[&["match", old, "random"], &short[..], &two].concat());
    let sentence = "it is \"my bot 1.3\" now, not \"my bot 1.2\"";
    assert!(refused.contains(sentence), "{refused}");
}

/// The first signal tells how many games are finished yet, the second prints what there is.
#[test]
fn a_second_signal_prints_the_result_so_far() {
    let folder = Folder::new("programs-result");
    fs::write(folder.0.join("stubborn.sh"), STUBBORN).expect("writable");
    let spec = "cmd(move-ms=600000: sh stubborn.sh roll)";
    let mut hegemon = hegemon(&folder.0, &["match", spec, "random"])
        .args(["--rules", "sampling", "--games", "2", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("hegemon");
    wait_until(|| bots(&folder).len() == 2, "the bot does not start");
    for _ in 0..2 {
        common::signal(&hegemon, "INT");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(hegemon.wait().expect("started").code(), Some(130));
    let mut said = String::new();
    let mut output = hegemon.stdout.take().expect("piped");
    output.read_to_string(&mut said).expect("readable");
    assert_eq!(
        said,
        "Stopped before a block was finished, so there is no result.\n"
    );
}
