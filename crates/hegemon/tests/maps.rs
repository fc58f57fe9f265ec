//! `hegemon maps import`, `export` and `check`, and `hegemon doctor`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn hegemon(folder: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hegemon"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("COLUMNS", "80")
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn succeeds(folder: &Path, line: &str) -> String {
    let output = hegemon(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// The sentence of a line that fails.
fn sentence(folder: &Path, line: &str) -> String {
    let output = hegemon(folder, line);
    assert!(!output.status.success(), "{line}");
    assert_eq!(text(&output.stdout), "", "{line}");
    text(&output.stderr).to_owned()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("writable");
    folder
}

#[test]
fn a_map_goes_out_and_comes_back() {
    let folder = folder("maps-convert");
    succeeds(&folder, "maps export ring24 --out ring.map");
    let again: Value =
        serde_json::from_str(&succeeds(&folder, "maps import ring.map --json")).expect("JSON");
    assert_eq!(again["territories"], 24);
    assert_eq!(again["file"], "ring.json");
    let sheet = |map: &str| -> Value {
        let shown = succeeds(&folder, &format!("maps show {map} --json"));
        serde_json::from_str(&shown).expect("JSON")
    };
    assert_eq!(
        sheet("ring.json")["territories"],
        sheet("ring24")["territories"]
    );
    let cards = "[missions]\n0 0 0 1 3 0 Take two.\n0 9 1 0 0 0 Occupy.\n";
    fs::write(folder.join("ring.cards"), cards).expect("writable");
    succeeds(
        &folder,
        "maps import ring.map --cards ring.cards --out with.json",
    );
    let missions = &sheet("with.json")["missions"];
    assert_eq!(*missions, serde_json::json!([["Harbour", "Woods"]]));
}

#[test]
fn faults_of_a_foreign_map_are_sentences() {
    let folder = folder("maps-faults");
    let good = succeeds(&folder, "maps export line4");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
    write("one-way.map", &good.replace("\n4 3\n", "\n4\n"));
    let said = sentence(&folder, "maps import one-way.map");
    assert!(said.contains("not the other way round"), "{said}");
    assert!(!folder.join("one-way.json").exists());
    succeeds(&folder, "maps import one-way.map --both-ways");
    write("bad.map", &good.replace("4 3", "4 9"));
    let said = sentence(&folder, "maps import bad.map");
    assert!(said.contains("there is no country 9"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    write(
        "worse.map",
        &good
            .replace("4 3", "4 9")
            .replace("[borders]\n1", "[borders]\n7"),
    );
    let said = sentence(&folder, "maps import worse.map");
    assert!(said.contains("worse.map cannot be used:\n"), "{said}");
    assert!(said.contains(": there is no country 7"), "{said}");
    assert!(said.contains(": there is no country 9"), "{said}");
    assert_eq!(said.lines().count(), 3, "{said}");
    let map = hegemon_core::Map::builtin("line4")
        .expect("shipped")
        .spec()
        .to_json();
    write("odd.json", &map.replace("\"West\"", "\"[West\""));
    let said = sentence(&folder, "maps export odd.json --out odd.map");
    assert!(
        said.contains("odd.json cannot be written in this format"),
        "{said}"
    );
    assert!(!folder.join("odd.map").exists());
    let said = sentence(&folder, "maps import line.map");
    assert!(said.contains("cannot read line.map"), "{said}");
    write("same.map", &good);
    let said = sentence(&folder, "maps import same.map --out same.map");
    assert!(said.contains("the file that is read"), "{said}");
}

#[test]
fn a_check_has_intervals_and_names_faults() {
    let folder = folder("maps-check");
    let line = "maps check ring24 --rules lux --players 2 --bot killbot --games 20";
    let shown = succeeds(&folder, line);
    for wanted in ["ring24 has no fault", "order of play", "Harbour", "rounds"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    let long = shown.lines().find(|line| line.chars().count() > 80);
    assert_eq!(long, None);
    let answer: Value =
        serde_json::from_str(&succeeds(&folder, &format!("{line} --json"))).expect("JSON");
    let shares: f64 = (0..2)
        .filter_map(|n| answer["order"][n]["share"].as_f64())
        .sum();
    assert!((shares - 1.0).abs() < 1e-9, "{answer}");
    assert_eq!(answer["continents"].as_array().map(Vec::len), Some(6));
    fs::write(folder.join("bad.json"), "{\"name\": \"x\"}").expect("writable");
    let said = sentence(&folder, "maps check bad.json");
    assert!(said.contains("has a fault"), "{said}");
}

#[test]
fn the_doctor_says_what_is_here() {
    let folder = folder("doctor");
    let answer = succeeds(&folder, "doctor --seconds 0.01 --json");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let findings = answer["findings"].as_array().expect("a list");
    assert_eq!(findings[0]["what"], "program");
    assert!(
        findings
            .iter()
            .all(|one| one["said"].as_str().is_some_and(|said| !said.is_empty()))
    );
    assert!(
        answer["speeds"][0][1]
            .as_f64()
            .is_some_and(|speed| speed > 0.0),
        "{answer}"
    );
    fs::write(folder.join("notes.db"), "no store at all").expect("writable");
    let output = Command::new(env!("CARGO_BIN_EXE_hegemon"))
        .args(["doctor", "--seconds", "0.01"])
        .env("HEGEMON_STORE", folder.join("notes.db"))
        .output()
        .expect("the program starts");
    let said: Vec<&str> = text(&output.stdout).split_whitespace().collect();
    let said = said.join(" ");
    assert!(said.contains("is not a store of this program"), "{said}");
    let page = succeeds(&folder, "doctor --seconds 0.01");
    assert!(!page.contains('\u{1b}'), "no colours in a pipe");
    let output = Command::new(env!("CARGO_BIN_EXE_hegemon"))
        .args(["doctor", "--seconds", "0.01", "--json"])
        .env("HEGEMON_STORE", folder.join("elsewhere.db"))
        .output()
        .expect("the program starts");
    let said = text(&output.stdout);
    assert!(
        said.contains("elsewhere.db"),
        "where 'hegemon play' keeps games: {said}"
    );
}
