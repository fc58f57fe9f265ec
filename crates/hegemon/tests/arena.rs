//! `hegemon arena` and `hegemon match` as processes: killed, resumed, compared.

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::{Folder, hegemon, refused, run, succeed};

const ADD: [&str; 7] = [
    "arena",
    "add",
    "baseline",
    "simulation",
    "angry",
    "--rules",
    "sampling",
];
const RUN: [&str; 5] = ["arena", "run", "--games", "1000", "--json"];

#[test]
fn a_killed_run_goes_on_to_the_same_store() {
    let whole = Folder::new("whole");
    succeed(&whole.0, &ADD);
    succeed(&whole.0, &RUN);
    let expected = succeed(&whole.0, &["arena", "export"]);
    assert_eq!(expected.lines().count(), 1001);

    let killed = Folder::new("killed");
    succeed(&killed.0, &ADD);
    for _ in 0..3 {
        let mut run = hegemon(&killed.0, &RUN)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // The end must be the same for any time of the kill; the pause only
        // makes it likely that something was stored.
        std::thread::sleep(Duration::from_millis(60));
        let _ = run.kill();
        let _ = run.wait();
    }
    succeed(&killed.0, &RUN);
    assert_eq!(succeed(&killed.0, &["arena", "export"]), expected);
    let show = succeed(&killed.0, &["arena", "show", "--json"]);
    let standing: serde_json::Value = serde_json::from_str(&show).expect("JSON");
    assert_eq!(standing["games"], 1000);
    assert_eq!(standing["rows"][2]["spec"], "simulation");
}

#[test]
fn a_match_answers_in_json_whatever_the_threads() {
    let folder = Folder::new("match");
    let run = |threads: &str| {
        let text = succeed(
            &folder.0,
            &[
                "match",
                "baseline",
                "simulation",
                "--rules",
                "sampling",
                "--games",
                "200",
                "--seed",
                "1",
                "--threads",
                threads,
                "--json",
            ],
        );
        let mut answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for key in ["seconds", "games_per_s"] {
            assert!(answer[key].take().is_number(), "{key}");
        }
        answer
    };
    let answer = run("1");
    assert_eq!(answer, run("2"));
    assert_eq!(answer["games"], 200);
    for key in [
        "spec",
        "wins",
        "share",
        "ci95",
        "adjusted_share",
        "adjusted_ci95",
    ] {
        assert!(!answer["players"][0][key].is_null(), "{key}");
    }
    assert_eq!(answer["endings"]["conquest"], 200);
}

#[test]
fn records_are_written_and_bad_input_is_a_sentence() {
    let folder = Folder::new("records");
    succeed(
        &folder.0,
        &[
            "match",
            "baseline",
            "simulation",
            "--rules",
            "sampling",
            "--games",
            "4",
            "--records",
            "r",
        ],
    );
    let n_records = std::fs::read_dir(folder.0.join("r")).expect("made").count();
    assert_eq!(n_records, 4);
    for (arguments, words) in [
        (
            vec!["match", "baseline", "simlation"],
            "did you mean \"simulation\"?",
        ),
        (
            vec!["match", "baseline", "simulation", "--rules", "samplin"],
            "did you mean \"sampling\"?",
        ),
        (
            vec!["match", "baseline", "simulation", "--map", "clasic"],
            "did you mean \"classic\"?",
        ),
        (
            vec!["match", "baseline", "baseline(x=1)"],
            "has no parameter \"x\"",
        ),
        (
            vec![
                "match", "baseline", "baseline", "baseline", "--rules", "sampling",
            ],
            "for 2 players",
        ),
        (vec!["arena", "show"], "there is no pool"),
        (
            vec![
                "sprt",
                "baseline",
                "simulation",
                "--elo0",
                "5",
                "--elo1",
                "5",
            ],
            "elo",
        ),
    ] {
        let output = hegemon(&folder.0, &arguments)
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{arguments:?}"
        );
        assert!(errors.to_lowercase().contains(words), "{errors}");
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    }
}

/// What the program prints on a page of 60 columns.
fn on_a_narrow_page(folder: &Folder, arguments: &[&str]) -> String {
    let output = hegemon(&folder.0, arguments).env("COLUMNS", "60").output();
    let output = output.expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn tables_fit_sixty_columns_and_split_no_number() {
    let folder = Folder::new("narrow");
    let bots = ["killbot", "better-pixie", "evil-pixie", "quo", "boscoe"];
    let add = ["arena", "add"].into_iter().chain(bots);
    let add: Vec<&str> = add.chain(["--players", "3", "--rules", "lux"]).collect();
    succeed(&folder.0, &add);
    succeed(&folder.0, &["arena", "run", "--games", "60"]);
    let standing = succeed(&folder.0, &["arena", "show", "--json"]);
    let standing: serde_json::Value = serde_json::from_str(&standing).expect("JSON");
    let show = on_a_narrow_page(&folder, &["arena", "show"]);
    for row in standing["rows"].as_array().expect("rows") {
        let number = |value: &serde_json::Value| format!("{:.0}", value.as_f64().expect("one"));
        let [low, high] = [0, 1].map(|end| number(&row["elo_ci95"][end]));
        assert!(show.contains(&format!("{low} to {high}")), "{show}");
    }
    let games = ["--rules", "lux", "--games", "12"];
    let played: Vec<&str> = ["match", "goal-uct(iters=2)", "killbot", "quo"]
        .into_iter()
        .chain(games)
        .collect();
    let table = on_a_narrow_page(&folder, &played);
    for text in [
        show,
        table,
        on_a_narrow_page(&folder, &["lab", "list"]),
        on_a_narrow_page(&folder, &["sprt", "killbot", "random", "--rules", "lux"]),
    ] {
        for line in text.lines() {
            assert!(line.chars().count() <= 60, "{line}\n\n{text}");
        }
    }
}

#[test]
fn a_bot_is_taken_out_of_a_pool_by_its_name() {
    let folder = Folder::new("remove");
    succeed(&folder.0, &ADD);
    succeed(&folder.0, &["arena", "run", "--games", "40"]);
    let removed = succeed(&folder.0, &["arena", "remove", "angry"]);
    assert!(
        removed.contains("1 taken out; the pool has 2 bots"),
        "{removed}"
    );
    let show = succeed(&folder.0, &["arena", "show", "--brief"]);
    assert!(!show.contains("angry"), "{show}");
    let unknown = hegemon(&folder.0, &["arena", "remove", "killbot"]).output();
    let unknown = unknown.expect("the program starts");
    assert!(!unknown.status.success());
    let errors = String::from_utf8_lossy(&unknown.stderr);
    assert!(errors.contains("the pool has no bot killbot"), "{errors}");
}

#[test]
fn what_is_not_given_is_that_of_the_pool() {
    let folder = Folder::new("of-the-pool");
    let add = |more: &str| format!("arena add {more}");
    let first = "killbot quo --map ring24 --rules lux --players 3 --seed 9";
    run(&folder.0, &add(first));
    for more in [
        "random --rules lux",
        "angry --map ring24",
        "baseline --players 3",
        "boscoe --seed 9 --map ring24 --rules lux",
        "better-pixie",
    ] {
        let said = run(&folder.0, &add(more));
        assert!(said.contains("1 added"), "{more}: {said}");
    }
    for (more, words) in [
        ("evil-pixie --rules classic", "another set of rules"),
        ("evil-pixie --set income.growth=6", "another set of rules"),
        ("evil-pixie --map classic", "another map"),
        (
            "evil-pixie --rules lux --players 2",
            "--players 2: the pool was made with 3",
        ),
        (
            "evil-pixie --rules lux --seed 1",
            "--seed 1: the pool was made with 9",
        ),
    ] {
        refused(&folder.0, &add(more), words);
    }
    let said = run(&folder.0, "arena run --games 24 --json");
    assert!(said.contains("\"games\": 24"), "{said}");
    let game = run(&folder.0, "arena export --format json");
    let game: serde_json::Value =
        serde_json::from_str(game.lines().next().expect("a game")).expect("JSON");
    assert_eq!(game["players"].as_array().map(Vec::len), Some(3));
}

/// Commands that may run for hours, with so little to do that they come to their end.
const SHORT: [&str; 9] = [
    "match killbot quo --rules lux --games 4",
    "sprt killbot random --rules lux",
    "arena add killbot quo boscoe --players 3 --rules lux",
    "arena run --games 12",
    "dataset play killbot quo boscoe --rules lux --games 6 --out games.csv",
    "train weights --method clop --rules sampling --games 40 --match-games 8 --out weights.toml",
    "train draft --bot angry --drafts 20 --games 1 --out draft",
    "train beam --population 8 --generations 1 --out beam",
    "lab run 003-lecture --scale smoke",
];

#[test]
fn whatever_may_run_for_hours_ends_by_naming_the_next_step() {
    let folder = Folder::new("next-step");
    std::fs::create_dir_all(folder.0.join("draft")).expect("writable");
    for line in SHORT {
        let arguments: Vec<&str> = line.split(' ').collect();
        let said = on_a_narrow_page(&folder, &arguments);
        let last = said.rsplit("\n\n").next().unwrap_or_default();
        assert!(last.starts_with("Next: "), "{line}: {said}");
        for row in said.lines() {
            assert!(row.chars().count() <= 60, "{line}: {row}\n\n{said}");
        }
    }
}
