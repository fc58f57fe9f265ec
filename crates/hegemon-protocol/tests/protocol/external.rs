//! `cmd(...)` bots: good ones, bad ones, and those that are not there.

use std::time::{Duration, Instant};

use hegemon_bots::{ForfeitKind, Grants, Seating, Spec, Stop, build, introduced};
use hegemon_core::rules::Victory;
use hegemon_core::{PlayerId, View};
use hegemon_protocol::external::Launch;
use hegemon_protocol::{HostLoader, check};

use crate::table::{example, game, play, root, seat};

/// Says hello and then does something else.
fn after_hello(script: &str) -> String {
    let hello = r#"{"type":"hello","protocol":1,"name":"sh"}"#;
    format!("read -r line; echo '{hello}'; {script}")
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a time-out takes is what is tested"
)]
fn now() -> Instant {
    Instant::now()
}

fn forfeit_of(command: &str) -> (ForfeitKind, String) {
    let game = game("sampling", "classic", 2, Victory::Conquest);
    let spec = format!("cmd({command})");
    let (seat, forfeit) = play(&game, &[&spec, "random"], 1).expect_err(command);
    assert_eq!(seat, PlayerId::new(0), "{forfeit}");
    (forfeit.kind, forfeit.message)
}

fn refusal_of(command: &str) -> String {
    let game = game("sampling", "classic", 2, Victory::Conquest);
    let spec: Spec = format!("cmd({command})").parse().expect("well formed");
    let seating = Seating {
        game: &game,
        seat: PlayerId::new(0),
        seed: 1,
        grants: &Grants::with(HostLoader::default()),
    };
    let error = build(&spec, &seating).err().expect("refused");
    error.to_string()
}

#[test]
fn a_command_that_never_worked_is_refused_in_a_sentence() {
    assert!(refusal_of("").contains("needs a command"));
    let missing = refusal_of("./no-such-bot --x");
    assert!(missing.contains("status 127"), "{missing}");
    assert!(missing.contains("not found"), "{missing}");
    let yes = refusal_of("yes");
    assert!(yes.contains("garbage"), "{yes}");
    let silent = refusal_of("start-ms=50: sleep 1000");
    assert!(silent.contains("no hello within 50 ms"), "{silent}");
    let other = r#"read -r line; echo '{"type":"hello","protocol":9,"name":"x"}'; cat"#;
    assert!(refusal_of(other).contains("protocol 9"));
}

#[test]
fn shell_bots_forfeit_for_the_right_reason() {
    use ForfeitKind::{Crash, Garbage, IllegalMove, Timeout};
    let answer = |text: &str| {
        after_hello(&format!(
            "read -r line; while read -r line; do echo '{text}'; done"
        ))
    };
    let cases = [
        (after_hello("exit 3"), Crash, "status 3"),
        (after_hello("echo oh no >&2; exit 1"), Crash, "oh no"),
        (after_hello("kill -11 $$"), Crash, "signal 11"),
        (
            after_hello("exec >&-; sleep 1000"),
            Crash,
            "closed its output",
        ),
        (
            after_hello("read -r line; echo '{\"type\":\"error\",\"message\":\"tired\"}'; cat >&2"),
            Crash,
            "tired",
        ),
        (
            format!("move-ms=100: {}", after_hello("cat >&2")),
            Timeout,
            "within 100 ms",
        ),
        (
            format!("game-ms=100: {}", after_hello("sleep 1000")),
            Timeout,
            "whole game",
        ),
        (
            after_hello("read -r line; read -r line; yes"),
            Garbage,
            "not a message",
        ),
        (
            after_hello("read -r line; read -r line; tr '\\n' x </dev/zero"),
            Garbage,
            "more than 65536 bytes",
        ),
        (
            // In one piece with the hello, so that it is there before the question.
            r#"read -r line; printf '%s\n' '{"type":"hello","protocol":1,"name":"sh"}' '{"type":"move","move":"o1"}'; cat >&2"#
                .to_owned(),
            Garbage,
            "spoke out of turn",
        ),
        (
            answer(r#"{"type":"move","move":"jump"}"#),
            Garbage,
            "not a move",
        ),
        (
            answer(r#"{"type":"move","move":"o1"}"#),
            IllegalMove,
            "o1 in the reinforce phase",
        ),
    ];
    for (command, kind, words) in cases {
        let begin = now();
        let (found, message) = forfeit_of(&command);
        assert_eq!(found, kind, "{command}: {message}");
        assert!(message.contains(words), "{command}: {message}");
        assert!(now() - begin < Duration::from_secs(60), "{command}");
    }
}

#[test]
fn processes_are_used_again_until_they_misbehave() {
    let Some(bot) = example("python3", "bot.py") else {
        return;
    };
    let starts = std::env::temp_dir().join(format!("hegemon-starts-{}", std::process::id()));
    let n_starts = || {
        let text = std::fs::read_to_string(&starts).unwrap_or_default();
        text.lines().count()
    };
    let game = game("lux", "duel6", 2, Victory::Conquest);
    let spec = format!("cmd(echo x >>'{}'; exec {bot})", starts.display());
    for seed in 0..5 {
        play(&game, &[&spec, "random"], seed).expect("nobody forfeits");
    }
    assert_eq!(n_starts(), 1, "one process plays one game after the other");
    play(&game, &[&spec, &spec], 5).expect("nobody forfeits");
    assert_eq!(n_starts(), 2, "two seats need two processes");
    std::fs::remove_file(&starts).expect("it was written");

    // A process that ends with its game costs nobody a game.
    let once = format!(
        "cmd(echo x >>'{}'; sed -u /game_over/q | {bot})",
        starts.display()
    );
    for seed in 0..3 {
        play(&game, &[&once, "random"], seed).expect("nobody forfeits");
    }
    assert_eq!(n_starts(), 3);
    std::fs::remove_file(&starts).expect("it was written");
}

#[test]
fn a_raised_stop_ends_the_wait() {
    let game = game("sampling", "classic", 2, Victory::Conquest);
    let command = format!("move-ms=600000: {}", after_hello("cat >&2"));
    let spec: Spec = format!("cmd({command})").parse().expect("well formed");
    let grants = Grants {
        stop: Stop::new(),
        ..Grants::with(HostLoader::default())
    };
    let seating = Seating {
        game: &game,
        seat: PlayerId::new(0),
        seed: 1,
        grants: &grants,
    };
    let mut bot = build(&spec, &seating).expect("it says hello");
    grants.stop.arm(Duration::from_millis(100));
    let state = game.deal(1);
    let forfeit = bot.choose(View::of_mover(&state)).expect_err("no answer");
    assert_eq!(forfeit.kind, ForfeitKind::Timeout);
    assert!(forfeit.message.contains("told to stop"), "{forfeit}");
}

#[test]
fn a_line_may_be_as_long_as_the_limit() {
    let game = game("sampling", "duel6", 2, Victory::Conquest);
    let state = game.deal(1);
    let first = state.legal_moves()[0];
    let answer = format!(r#"{{"type":"move","move":"{first}"}}"#);
    let choose = |length: usize| {
        let blanks = length - answer.len();
        let script =
            format!("read -r line; read -r line; printf '%s%{blanks}s\\n' '{answer}' ''; cat >&2");
        let spec = format!("cmd({})", after_hello(&script));
        seat(&spec, &game, state.player(), 1).choose(View::of_mover(&state))
    };
    assert_eq!(choose(65_536), Ok(first));
    let forfeit = choose(65_537).expect_err("a longer one");
    assert!(
        forfeit.message.contains("more than 65536 bytes"),
        "{forfeit}"
    );
}

#[test]
fn a_bot_is_held_to_the_name_and_version_that_it_states() {
    let grants = Grants::with(HostLoader::default());
    let hello = r#"{"type":"hello","protocol":1,"name":"my bot","version":"1.2"}"#;
    let line = format!("read -r line; echo '{hello}'; cat >&2");
    let spec: Spec = format!("cmd({line})").parse().expect("well formed");
    // The second time it is known from the first.
    for _ in 0..2 {
        let stated = introduced(&spec, &grants).expect("it says hello");
        assert_eq!(
            stated.to_string(),
            format!("cmd(as=\"my bot 1.2\": {line})")
        );
    }
    let other = refusal_of(&format!("as=\"my bot 1.1\": {line}"));
    assert!(
        other.contains("it is \"my bot 1.2\" now, not \"my bot 1.1\""),
        "{other}"
    );
}

#[test]
fn a_bot_may_trade_cards_in_any_order() {
    let Some(bot) = example("python3", "bot.py") else {
        return;
    };
    let backwards = r#"sed -u 's/"t\([0-9w]*\)\.\([0-9w]*\)\.\([0-9w]*\)/"t\3.\2.\1/'"#;
    let spec = format!("cmd({bot} | {backwards})");
    let game = game("classic", "classic", 3, Victory::Conquest);
    let end = play(&game, &[&spec, &spec, &spec], 1).expect("nobody forfeits");
    assert!(end.n_traded() > 0, "no set was traded");
}

#[test]
fn the_example_bots_pass_and_beat_random() {
    for (interpreter, file) in [("python3", "bot.py"), ("node", "bot.js")] {
        let text = std::fs::read_to_string(root().join("examples/bots").join(file));
        let n_lines = text.expect(file).lines().count();
        assert!(n_lines < 80, "{file} has {n_lines} lines");
        let Some(command) = example(interpreter, file) else {
            continue;
        };
        let report = check(&command, &Launch::default());
        assert!(report.checks.iter().all(|check| check.passed), "{report}");
        let spec = format!("cmd({command})");
        for (preset, n_players) in [("sampling", 2), ("lux", 3)] {
            let game = game(preset, "classic", n_players, Victory::Conquest);
            let mut specs = vec!["random"; n_players];
            specs[0] = &spec;
            let wins: f64 = (0..10)
                .map(|seed| play(&game, &specs, seed).expect("nobody forfeits"))
                .map(|end| end.score(PlayerId::new(0)))
                .sum();
            assert!(wins >= 9.0, "{file} won {wins} of 10 under {preset}");
        }
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let failed = |command: &str| {
        let report = check(command, &Launch::default());
        assert!(!report.passed(), "{report}");
        assert!(report.to_string().contains("FAILED"));
        let names = report.checks.into_iter().filter(|check| !check.passed);
        names.map(|check| check.name).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(failed("./no-such-bot"), "hello");
    assert_eq!(failed(""), "hello");
    assert!(failed(&after_hello("exit 0")).starts_with("silence, unknown messages"));
    let Some(bot) = example("python3", "misbehaving.py") else {
        return;
    };
    assert!(failed(&format!("{bot} --illegal 0.05")).contains("game: "));
    let Some(bot) = example("python3", "bot.py") else {
        return;
    };
    assert_eq!(failed(&format!("{bot}; sleep 60")), "end of input");
    assert!(failed(&format!("{bot} | sed -u p")).contains("silence"));
}

/// Its word and its hello come in one piece, so that it is there before the question.
#[test]
fn the_checker_tells_who_speaks_unasked() {
    let hello = r#"{"type":"hello","protocol":1,"name":"sh"}"#;
    let script = format!("read -r line; printf '%s\\n' '{hello}' 'me first'; cat >&2");
    let report = check(&script, &Launch::default());
    let silence = report.checks.iter().find(|check| check.name == "silence");
    let silence = silence.expect("it said hello");
    assert_eq!(silence.detail, "it answered new_game with \"me first\"");
    assert!(!silence.passed);
}
