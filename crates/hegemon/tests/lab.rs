//! `hegemon lab` as a process: everything at the smallest scale, stopped and
//! resumed, on different numbers of threads.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use common::{Folder, hegemon, succeed};
use hegemon_lab::{EXPERIMENTS, Experiment, published};

fn run(threads: &str) -> [&str; 9] {
    [
        "lab",
        "run",
        "all",
        "--scale",
        "smoke",
        "--seed",
        "5",
        "--threads",
        threads,
    ]
}

/// Every file of the report, without what depends on the clock.
fn report(folder: &Path) -> BTreeMap<String, String> {
    let arguments = [
        "lab", "report", "--scale", "smoke", "--seed", "5", "--out", "report",
    ];
    let printed = succeed(folder, &arguments);
    assert!(printed.contains("report.html") && printed.contains("report.md"));
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("report")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        // The day of a run is the clock's too.
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.contains("\"days\""))
            .collect();
        files.insert(name, without_times(&lines.join("\n")));
    }
    files
}

fn without_times(text: &str) -> String {
    const OPEN: &str = "<span class=\"timed\">";
    // In JSON the marks have their quotes escaped.
    let text = text.replace("\\\"", "\"");
    let mut parts = text.split(OPEN);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, after) = part.split_once("</span>").expect("a span ends");
        kept += "(time)";
        kept += after;
    }
    kept
}

#[test]
fn two_runs_with_one_seed_give_one_report_that_holds_everything() {
    let whole = Folder::new("lab-whole");
    succeed(&whole.0, &run("2"));
    let expected = report(&whole.0);
    let page = &expected["report.html"];
    let (findings, _) = page.split_once("id=\"made\"").expect("findings come first");
    for Experiment { name, .. } in &EXPERIMENTS {
        assert!(page.contains(&format!("<section id=\"{name}\">")));
        let link = format!("<li><a href=\"#{name}\">");
        assert!(findings.contains(&link), "{name} says nothing");
    }
    let escaped = |text: &str| text.replace('<', "&lt;");
    for row in published() {
        let cells = format!(
            "<td>{}</td><td class=\"n\">{}</td>",
            escaped(&row.what),
            escaped(&row.to_string())
        );
        assert!(
            page.contains(&cells),
            "{} is not in the report: {cells}",
            row.id
        );
        assert!(expected["report.md"].contains(&format!("| {} |", escaped(&row.what))));
    }
    let is_number_gone = |word: &str| matches!(word, "NaN" | "inf");
    let words = page.split(|c: char| !c.is_alphanumeric());
    assert_eq!(words.filter(|word| is_number_gone(word)).count(), 0);

    let killed = Folder::new("lab-killed");
    let mut first = hegemon(&killed.0, &run("2"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // The report must be the same for any time of the kill; the pause only makes
    // it likely that something was stored.
    std::thread::sleep(Duration::from_millis(500));
    let _ = first.kill();
    let _ = first.wait();
    succeed(&killed.0, &run("1"));
    assert_eq!(report(&killed.0), expected);
    let again = succeed(&killed.0, &run("1"));
    assert!(again.contains("0 computed"), "{again}");
    documents_are_filled(&whole.0);
}

fn documents_are_filled(folder: &Path) {
    let marked = "<!-- lab 001-provided/all-four = `quo` | wins, % -->?<!-- /lab -->";
    std::fs::write(folder.join("text.md"), marked).expect("writable");
    let arguments = ["lab", "docs", "text.md", "--summary", "report/summary.json"];
    let check = [&arguments[..], &["--check"]].concat();
    let refused = hegemon(folder, &check).output().expect("it starts");
    assert!(!refused.status.success());
    let words = String::from_utf8_lossy(&refused.stderr);
    assert!(
        words.contains("text.md quotes figures that are not in"),
        "{words}"
    );
    assert!(succeed(folder, &arguments).contains("text.md filled"));
    let filled = std::fs::read_to_string(folder.join("text.md")).expect("text");
    assert!(!filled.contains("-->?<"), "{filled}");
    assert!(succeed(folder, &check).contains("All figures are those of the summary."));
}

#[test]
fn a_wrong_question_is_answered_with_a_sentence() {
    let folder = Folder::new("lab-wrong");
    let cases: [(&[&str], &str); 4] = [
        (&["lab", "run", "000-pol"], "did you mean \"000-pool\"?"),
        (
            &["lab", "run", "all", "--scale", "huge"],
            "there is no scale \"huge\"",
        ),
        (
            &["lab", "report"],
            "it does not exist; 'hegemon lab run' makes one",
        ),
        (
            &["lab", "report", "--store", "no.db"],
            "it is no store of the lab",
        ),
    ];
    std::fs::write(folder.0.join("no.db"), "this is no database, only a text").expect("writable");
    for (arguments, words) in cases {
        let output = hegemon(&folder.0, arguments).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
        assert_eq!(errors.trim().lines().count(), 1, "{errors}");
    }
}

#[test]
fn the_list_names_every_experiment() {
    let folder = Folder::new("lab-list");
    let list = succeed(&folder.0, &["lab", "list"]);
    for experiment in &EXPERIMENTS {
        assert!(list.contains(experiment.name), "{}", experiment.name);
    }
}

/// A newcomer runs one experiment and types what is printed at the end.
#[test]
fn a_run_names_the_command_that_reports_it_alone() {
    let folder = Folder::new("lab-next");
    let run = "lab run 003-lecture --scale smoke --seed 7 --store one.db";
    let said = succeed(&folder.0, &run.split(' ').collect::<Vec<_>>());
    let (_, next) = said.split_once("Next: hegemon ").expect("a next step");
    let next: Vec<&str> = next.split_whitespace().collect();
    let said = succeed(&folder.0, &next);
    assert!(said.contains("published numbers"), "{said}");
    let report = folder.0.join("lab-report/report.md");
    let report = std::fs::read_to_string(report).expect("written");
    let command = "hegemon lab run 003-lecture --scale smoke --seed 7";
    assert!(report.contains(command) && !report.contains("000-pool"));
}

/// Sections whose commands need no file of a checkout: matches, blocks of matches, a training, and none at all.
const REPEATED: [&str; 7] = [
    "001-provided",
    "002-tournament",
    "002-weights",
    "best-response",
    "company",
    "maps",
    "000-speed",
];

#[test]
fn rows_are_made_again_and_a_wrong_figure_is_noticed() {
    let folder = Folder::new("lab-repeat");
    let setting = ["--scale", "smoke", "--seed", "7"];
    let of = |command: &'static str, more: &[&'static str]| -> Vec<&'static str> {
        [&["lab", command], &REPEATED[..], &setting[..], more].concat()
    };
    succeed(&folder.0, &of("run", &[]));
    succeed(&folder.0, &of("report", &["--out", "report"]));
    let said = succeed(&folder.0, &of("repeat", &["--out", "again.md"]));
    assert!(
        said.contains("11 of 11 rows are the same, 0 differ."),
        "{said}"
    );
    assert!(said.contains("000-speed: no other means"), "{said}");
    assert!(
        said.lines().all(|line| line.chars().count() <= 80),
        "{said}"
    );
    let page = std::fs::read_to_string(folder.0.join("again.md")).expect("written");
    assert!(
        page.contains("| 001-provided | All four: killbot |"),
        "{page}"
    );

    let summary = folder.0.join("report/summary.json");
    let text = std::fs::read_to_string(&summary).expect("written");
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    value["tables"]["001-provided/all-four"]["rows"][1][1] = "99.9".into();
    std::fs::write(&summary, value.to_string()).expect("writable");
    let summary = ["--summary", "report/summary.json"];
    let first = ["lab", "repeat", REPEATED[0]];
    let wrong = [&first[..], &setting[..], &summary[..], &["--json"]].concat();
    let output = hegemon(&folder.0, &wrong).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("1 of 2 rows are the same, 1 differ"),
        "{errors}"
    );
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["rows"][1]["comparison"], "differs");
    assert_eq!(found["rows"][1]["reported"][0], "99.9");

    // A report from anywhere starts no program of its own, and no file that is read is written.
    let response = "best-response/the-best-response-to-each-agent";
    value["tables"][response]["rows"][0][2] = "`cmd(touch started)`".into();
    value["tables"]["company/killbot-against-quo-by-their-company"]["rows"] = [(); 0].into();
    let file = folder.0.join("report/summary.json");
    std::fs::write(&file, value.to_string()).expect("writable");
    let at = |names: &[&'static str], more: &[&'static str]| {
        [&["lab", "repeat"], names, &summary[..], more].concat()
    };
    let other = at(&["001-provided"], &["--seed", "8", "--scale", "smoke"]);
    let smoke =
        |names: &[&'static str], more: &[&'static str]| at(names, &[&setting, more].concat());
    for (command, sentence) in [
        (other, "give that --scale and --seed"),
        (smoke(&["best-response"], &[]), "is none of the responses"),
        (smoke(&["company"], &[]), "there is no row"),
        (smoke(&["luck"], &[]), "the report has no section luck"),
        (smoke(&["000-speed"], &[]), "0 of 0 rows"),
        (
            smoke(&["001-provided"], &["--out", "report/summary.json"]),
            "is the file that is read",
        ),
    ] {
        let output = hegemon(&folder.0, &command).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(sentence),
            "{command:?}: {errors}"
        );
    }
    assert!(!folder.0.join("started").exists());
    let kept = std::fs::read_to_string(&file).expect("still there");
    assert_eq!(kept, value.to_string());
}
