//! A match that several processes share, and the start of a bot, on the command line.

mod common;

use common::{Folder, hegemon, succeed};

const MATCH: &str = "match baseline random --rules sampling --games 40 --seed 3 --threads 1";

fn run(folder: &Folder, line: &str) -> String {
    succeed(&folder.0, &line.split(' ').collect::<Vec<_>>())
}

fn refusal(folder: &Folder, line: &str) -> String {
    let arguments: Vec<&str> = line.split(' ').collect();
    let output = hegemon(&folder.0, &arguments).output().expect("it starts");
    assert!(!output.status.success(), "{line}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The answer without what depends on the clock.
fn answer(text: &str) -> serde_json::Value {
    let mut answer: serde_json::Value = serde_json::from_str(text).expect("JSON");
    for timed in ["seconds", "games_per_s"] {
        answer.as_object_mut().expect("an object").remove(timed);
    }
    answer
}

#[test]
fn parts_give_the_match_to_the_last_digit() {
    let folder = Folder::new("parts");
    for (n, blocks) in ["12..20", "0..5", "5..12", "3..6"].iter().enumerate() {
        run(
            &folder,
            &format!("{MATCH} --blocks {blocks} --out part-{n}.json"),
        );
    }
    let merged = "merge part-0.json part-1.json part-2.json part-3.json --json";
    let (merged, whole) = (
        run(&folder, merged),
        run(&folder, &format!("{MATCH} --json")),
    );
    assert_eq!(answer(&merged), answer(&whole));
    let text = run(&folder, "merge part-1.json part-2.json part-0.json");
    assert!(text.contains("40 in 20 blocks, seed 3"), "{text}");

    let missing = refusal(&folder, "merge part-0.json part-1.json");
    assert!(missing.contains("7 of 20 blocks are missing"), "{missing}");
    let other = MATCH.replace("--seed 3", "--seed 4");
    run(&folder, &format!("{other} --blocks 5..12 --out other.json"));
    let strange = refusal(&folder, "merge part-0.json other.json");
    assert!(
        strange.contains("other.json: part 2 is of another match"),
        "{strange}"
    );
}

#[test]
fn ranges_that_are_none_are_refused() {
    let folder = Folder::new("ranges");
    for range in ["5..5", "7..2", "5", "a..b", "..3"] {
        let sentence = refusal(&folder, &format!("{MATCH} --blocks {range} --out x.json"));
        assert!(sentence.contains("a range of blocks such as"), "{sentence}");
    }
    let beyond = refusal(&folder, &format!("{MATCH} --blocks 20..30 --out x.json"));
    assert!(beyond.contains("there is no block 20"), "{beyond}");
    assert!(!folder.0.join("x.json").exists());
}

#[test]
fn a_bot_is_started_in_every_language_and_never_written_over() {
    let folder = Folder::new("init");
    for (language, file) in [
        ("python", "my-bot.py"),
        ("javascript", "my-bot.js"),
        ("rust", "my-bot/src/main.rs"),
    ] {
        let told = run(&folder, &format!("check-bot --init {language} my-bot"));
        assert!(told.contains("hegemon check-bot '"), "{told}");
        let text = std::fs::read_to_string(folder.0.join(file)).expect("written");
        assert!(
            text.contains("my-bot") && !text.contains("example."),
            "{text}"
        );
        let again = refusal(&folder, &format!("check-bot --init {language} my-bot"));
        assert!(again.contains("already exists"), "{again}");
    }
    for name in ["My-Bot", "../bot", "7up", "a;b"] {
        let sentence = refusal(&folder, &format!("check-bot --init python {name}"));
        assert!(sentence.contains("is not a name for a bot"), "{sentence}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_python_start_keeps_to_the_protocol() {
    let folder = Folder::new("init-check");
    run(&folder, "check-bot --init python my-bot");
    let checked = succeed(&folder.0, &["check-bot", "python3 my-bot.py"]);
    let longest = checked.lines().map(|line| line.chars().count()).max();
    assert!(longest.is_some_and(|n| n <= 80), "{checked}");
}
