//! The documents quote the lab only from the summary of its store.

use std::fs;
use std::path::{Path, PathBuf};

use hegemon_lab::{
    EXPERIMENTS, Mixing, PlannedRow, RepeatedRow, Repetition, ReportFigures, RunSetting, Scale,
    Summaries,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README and everything in docs, but the report itself.
fn documents() -> Vec<PathBuf> {
    let mut all = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs")).expect("docs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "md") {
            all.push(path);
        }
    }
    all.sort();
    all
}

#[test]
fn every_marked_figure_is_the_summarys() {
    let summaries = Summaries::read(&root().join("docs/lab/summary.json")).expect("sound");
    let mut n_quotes = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("text");
        n_quotes += text.matches("<!-- /lab -->").count();
        let filled = summaries.fill(&text);
        let filled = filled.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(
            filled == text,
            "{} quotes figures that are not in docs/lab/summary.json; run 'hegemon lab docs'",
            path.display()
        );
    }
    assert!(n_quotes > 0, "no document quotes the lab");
}

/// The page of `lab repeat` is of the summary of today: every row in it says what the summary says.
#[test]
fn the_rows_made_again_are_those_of_the_summary() {
    let setting = RunSetting {
        scale: Scale::Quick,
        seed: 1,
    };
    let summary = root().join("docs/lab/summary.json");
    let figures = ReportFigures::read(&summary, setting, Mixing::Allowed).expect("sound");
    let all: Vec<_> = EXPERIMENTS.iter().collect();
    let (_, planned) = Repetition::begin(&figures, &all, 2).expect("planned");
    // Section, row, columns and what is reported of them.
    let first = |line: &str| -> Vec<String> {
        let cells = line.trim().split(" | ").take(4);
        cells.map(str::to_owned).collect()
    };
    let line = |row: &PlannedRow| {
        let reported = figures.texts(row).expect("in the report");
        let same = RepeatedRow::of(row, reported.clone(), Ok(reported));
        first(&same.line())
    };
    let known: Vec<Vec<String>> = planned.iter().map(line).collect();
    let page = fs::read_to_string(root().join("docs/lab/repeated.md")).expect("text");
    let (_, rows) = page
        .split_once("|---|---|---|---|---|---|\n")
        .expect("rows");
    let (rows, _) = rows.split_once("\n\n").expect("an end");
    assert!(rows.lines().count() > 30, "few rows were made again");
    for row in rows.lines() {
        assert!(
            known.contains(&first(row)),
            "docs/lab/repeated.md is not of docs/lab/summary.json; run the command that it names: {row}"
        );
    }
}

/// Sections with figures that are no experiment's of the lab, and whence they are. A section that
/// is not here quotes the lab, shows the output of a command in a block, or has no results.
const OTHER_FIGURES: [(&str, &str, &str); 19] = [
    (
        "analysis.md",
        "Hints in obvious positions",
        "chances that the program said in single positions",
    ),
    (
        "beam.md",
        "Findings",
        "eight runs of `train beam` at the size of the paper, with their seeds",
    ),
    (
        "champion.md",
        "Choices",
        "trials that led to the settings, each with its seed",
    ),
    (
        "champion.md",
        "How far looks go, and what they count",
        "trials that led to the settings, each with its seed",
    ),
    (
        "champion.md",
        "Duels without cards: `sampling`",
        "trials that led to the settings, each with its seed",
    ),
    (
        "champion.md",
        "Battles in groups: `beam`",
        "trials that led to the settings, each with its seed",
    ),
    (
        "champion.md",
        "Plans of goals",
        "trials that led to the settings, each with its seed",
    ),
    (
        "champion.md",
        "Nets",
        "trials that led to the settings, each with its seed",
    ),
    (
        "champion.md",
        "Other trials",
        "trials that led to the settings, each with its seed",
    ),
    (
        "draft.md",
        "Training: the paper's run again",
        "the variance of a training run",
    ),
    (
        "draft.md",
        "Who is strongest after the draft",
        "matches, with the commands that play them",
    ),
    (
        "draft.md",
        "A better learner",
        "matches, with the commands that play them",
    ),
    (
        "goal-uct.md",
        "The learned evaluation",
        "trials, each with its seed",
    ),
    (
        "goal-uct.md",
        "Measured",
        "matches and tests of an earlier program, with their commands",
    ),
    (
        "performance.md",
        "Arena overhead",
        "instructions, counted by callgrind",
    ),
    (
        "performance.md",
        "Threads",
        "instructions, counted by callgrind",
    ),
    (
        "play.md",
        "At the table",
        "the deviation of a rating, a definition",
    ),
    (
        "python.md",
        "Learning: a masked PPO",
        "a training run in Python",
    ),
    (
        "testing.md",
        "Changes that the tests should notice",
        "mutation testing",
    ),
];

/// A document without what is quoted from the lab, generated, or the output of a command.
fn own_words(document: &str) -> String {
    let mut text = document.to_owned();
    for (open, close) in [
        ("<!-- lab ", "<!-- /lab -->"),
        ("<!-- tests -->", "<!-- end of tests -->"),
        ("<!-- coverage -->", "<!-- end of coverage -->"),
        ("```", "```"),
    ] {
        text = without(&text, open, close);
    }
    text
}

fn without(text: &str, open: &str, close: &str) -> String {
    let Some((before, after)) = text.split_once(open) else {
        return text.to_owned();
    };
    let (_, after) = after.split_once(close).expect("a part that ends");
    before.to_owned() + &without(after, open, close)
}

/// Headings with the text up to the next one.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut all = vec![("", String::new())];
    for line in text.lines() {
        if line.starts_with('#') {
            all.push((line.trim_start_matches(['#', ' ']), String::new()));
        } else if let Some((_, body)) = all.last_mut() {
            *body += line;
            body.push('\n');
        }
    }
    all
}

/// Whether a text has a measured share, `12.3 %`, or a spread, `± 1` or `(1.2 to 3.4)`.
fn has_result(text: &str) -> bool {
    let ends_in_decimal = |before: &str| {
        let word = before.trim_end().rsplit([' ', '(', '|']).next();
        word.is_some_and(|word| word.contains('.') && word.ends_with(|c: char| c.is_ascii_digit()))
    };
    let is_spread = |inside: &str| {
        let ends = inside.split_once(" to ");
        let is_number = |text: &str| {
            let text = text.trim_start_matches(['-', '−']);
            !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.')
        };
        ends.is_some_and(|(low, high)| is_number(low) && is_number(high))
    };
    let is_share = text
        .match_indices('%')
        .any(|(at, _)| ends_in_decimal(&text[..at]));
    let brackets = text
        .split('(')
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    is_share || text.contains("± ") || brackets.map(|(inside, _)| inside).any(is_spread)
}

#[test]
fn results_are_quoted_from_the_lab_but_where_it_is_said_whence_they_are() {
    let mut found = Vec::new();
    for path in documents() {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name").to_owned();
        let text = own_words(&fs::read_to_string(&path).expect("text"));
        let with_results = sections(&text)
            .into_iter()
            .filter(|(_, body)| has_result(body));
        found.extend(with_results.map(|(heading, _)| (name.clone(), heading.to_owned())));
    }
    let listed: Vec<(String, String)> = OTHER_FIGURES
        .iter()
        .map(|(name, heading, _)| ((*name).to_owned(), (*heading).to_owned()))
        .collect();
    let unknown: Vec<_> = found.iter().filter(|one| !listed.contains(one)).collect();
    assert!(
        unknown.is_empty(),
        "results that are not quoted from the lab: {unknown:#?}"
    );
    let gone: Vec<_> = listed.iter().filter(|one| !found.contains(one)).collect();
    assert!(gone.is_empty(), "sections without such results: {gone:#?}");
}

#[test]
fn results_are_told_from_other_numbers() {
    for text in [
        "it wins 12.3 % of",
        "| 4.5% |",
        "gains 3 ± 1",
        "x (−1.2 to 30)",
    ] {
        assert!(has_result(text), "{text}");
    }
    for text in [
        "at 95 %",
        "(4 to 5 players)",
        "version 1.2",
        "80 % of (many)",
    ] {
        assert!(!has_result(text), "{text}");
    }
}
