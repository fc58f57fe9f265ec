//! Each rule on small made-up files: one that keeps it and one that breaks it.

use super::*;

/// The faults of a repository of these files, but for the README that it lacks.
fn faults<const N: usize>(files: [(&str, &str); N]) -> Vec<String> {
    let tree = Tree::from(files);
    check(&tree)
        .iter()
        .map(ToString::to_string)
        .filter(|fault| !fault.starts_with("README.md:1: does not show"))
        .collect()
}

#[track_caller]
fn clean(path: &str, text: &str) {
    assert_eq!(faults([(path, text)]), [""; 0]);
}

#[track_caller]
fn broken(path: &str, text: &str, expected: &str) {
    assert_eq!(faults([(path, text)]), [expected]);
}

#[test]
fn a_source_file_ends_at_the_line_limit() {
    let full = "x\n".repeat(MAX_LINES);
    clean("web/a.ts", &full);
    let over = "x\n".repeat(MAX_LINES + 1);
    broken(
        "web/a.ts",
        &over,
        "web/a.ts:1: 801 lines, more than 800; split it by idea",
    );
    clean("maps/a.json", &over);
    clean("web/a.ts", &format!("// {GENERATED} from types.\n{over}"));
}

#[test]
fn leftover_macros_are_found_at_their_line() {
    for word in LEFTOVERS {
        let text = format!("fn f() {{\n    {word}();\n}}\n");
        broken("a.rs", &text, &format!("a.rs:2: `{word}` is left over"));
        clean("a.rs", &format!("my_{word}();\n"));
        clean("notes.md", &text);
    }
}

#[test]
fn an_ignored_test_needs_a_reason() {
    let bare = format!("// {BARE_IGNORE}\n");
    broken(
        "a.rs",
        &bare,
        "a.rs:1: an ignored test states its reason: `#[ignore = \"...\"]`",
    );
    clean("a.rs", "#[ignore = \"takes an hour\"]\n");
}

#[test]
fn names_of_leftovers_are_strays_in_any_directory() {
    for path in [
        "a.rs.orig",
        "docs/b.bak",
        "old_engine/c.json",
        "tmp.txt",
        "x/tmp2/d",
        "e.md~",
    ] {
        assert_eq!(faults([(path, "")]).len(), 1, "{path}");
    }
    for path in ["origin.json", "docs/attempt.md", "threshold_1.json"] {
        clean(path, "");
    }
}

#[test]
fn blanks_matter_in_rust_and_markdown_only() {
    broken(
        "a.md",
        "good\nbad \n",
        "a.md:2: white space at the end of the line",
    );
    broken(
        "a.md",
        "bad\r\n",
        "a.md:1: white space at the end of the line",
    );
    broken("a.rs", "\tlet x;\n", "a.rs:1: a tab; use spaces");
    clean("a.txt", "\tindented \n");
}

#[test]
fn machine_paths_are_found_and_relative_ones_left_alone() {
    for place in MACHINE_PATHS {
        for before in ["", "see ", "`", "\"", "file://", "--out="] {
            let found = faults([("a.txt", format!("{before}{place}x\n").as_str())]);
            assert_eq!(found.len(), 1, "{before}{place}");
        }
        for before in ["https://example.org", "..", "docs", "{root}"] {
            clean("a.txt", &format!("{before}{place}x\n"));
        }
    }
}

#[test]
fn registries_are_the_affair_of_the_machine() {
    for setting in REGISTRY_SETTINGS {
        assert_eq!(faults([("config.toml", setting)]).len(), 1, "{setting}");
    }
    clean("Cargo.lock", &format!("source = \"{PUBLIC_INDEX}\"\n"));
    let mirror = format!("source = \"{LOCKED_REGISTRY}://mirror.example.org/index\"\n");
    assert_eq!(faults([("Cargo.lock", mirror.as_str())]).len(), 1);
}

#[test]
fn core_and_bots_stay_inside_the_process_but_their_tests_may_read_files() {
    let text = "use std::fs;\n";
    broken(
        "crates/hegemon-core/src/map.rs",
        text,
        "crates/hegemon-core/src/map.rs:1: `std::fs` in hegemon-core, which does no input or output",
    );
    broken(
        "crates/hegemon-bots/src/search/options.rs",
        "let child = std::process::Command::new(name);\n",
        "crates/hegemon-bots/src/search/options.rs:1: `std::process` in hegemon-bots, \
         which does no input or output",
    );
    broken(
        "crates/hegemon-eval/src/weights.rs",
        "use std::{fs, io};\n",
        "crates/hegemon-eval/src/weights.rs:1: `use std::{` in hegemon-eval, \
         which does no input or output",
    );
    clean("crates/hegemon-protocol/src/external/host.rs", text);
    clean("crates/hegemon-core/src/map/tests.rs", text);
    clean("crates/hegemon-core/tests/maps.rs", text);
    clean("crates/hegemon-arena/src/store.rs", text);
}

#[test]
fn the_lock_file_names_no_unmaintained_package() {
    for name in UNMAINTAINED {
        let line = format!("name = \"{name}\"\n");
        assert_eq!(faults([("Cargo.lock", line.as_str())]).len(), 1, "{name}");
        clean("other.lock", &line);
    }
    clean("Cargo.lock", "name = \"pastey\"\n");
    let root = crate::files::root().expect("inside the repository");
    let tree = Tree::read(&root).expect("readable");
    let lock = tree.text("Cargo.lock").expect("committed");
    let found: Vec<_> = lock
        .lines()
        .filter_map(|line| unmaintained("Cargo.lock", line))
        .collect();
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_good_package_has_no_fault() {
    let manifest = "[package]\nname = \"one\"\ndescription = \"One\"\n[lints]\nworkspace = true\n";
    let files = [
        ("crates/one/Cargo.toml", manifest),
        ("crates/one/src/lib.rs", "//! One.\n"),
    ];
    assert_eq!(faults(files), [""; 0]);
}

#[test]
fn all_faults_of_a_package_come_at_once() {
    let files = [
        ("crates/one/Cargo.toml", "[package]\nname = \"two\"\n"),
        ("crates/one/src/main.rs", "fn main() {}\n"),
    ];
    assert_eq!(
        faults(files),
        [
            "crates/one/Cargo.toml:1: the package does not inherit the lints of the workspace",
            "crates/one/Cargo.toml:1: the package has no description",
            "crates/one/Cargo.toml:2: package `two` lives in a directory named `one`",
            "crates/one/src/main.rs:1: the crate does not begin with `//!` documentation",
        ]
    );
}

#[test]
fn the_readme_shows_both_commands() {
    let good = "cargo run --release -- play\ncargo xtask ci\n";
    assert_eq!(check(&Tree::from([("README.md", good)])), []);
    let missing = check(&Tree::from([("README.md", "cargo xtask ci\n")]));
    assert_eq!(missing.len(), 1);
    assert_eq!(
        missing[0].to_string(),
        "README.md:1: does not show `cargo run --release`"
    );
    assert_eq!(check(&Tree::from([])).len(), 2);
}

#[test]
fn the_citation_names_the_version_of_the_workspace() {
    let manifest = "[workspace.package]\nversion = \"1.2.3\"\n";
    let faults_of = |cited: &str| faults([("Cargo.toml", manifest), ("CITATION.cff", cited)]);
    assert_eq!(faults_of("cff-version: 1.2.0\nversion: 1.2.3\n"), [""; 0]);
    assert_eq!(
        faults_of("cff-version: 1.2.0\nversion: 1.2.2\n"),
        ["CITATION.cff:2: version 1.2.2 is cited, the workspace has 1.2.3"]
    );
    assert_eq!(
        faults_of("title: x\n"),
        ["CITATION.cff:1: names no version"]
    );
}
