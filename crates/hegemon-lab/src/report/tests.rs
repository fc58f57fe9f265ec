use std::collections::BTreeMap;

use super::*;
use crate::experiment::{Results, Scale};
use crate::other_means::RepeatableRow;
use crate::published::published;

fn empty(experiment: &'static Experiment, setting: RunSetting) -> Part {
    let results = Results {
        setting,
        program: String::new(),
        experiment: experiment.name,
        cells: BTreeMap::new(),
        seconds: BTreeMap::new(),
    };
    Part {
        experiment,
        section: (experiment.render)(&results).expect("nothing is no error"),
        n_cells: (0, 1),
        seconds: 0.0,
    }
}

fn report_of_nothing() -> Report {
    let setting = RunSetting {
        scale: Scale::Quick,
        seed: 1,
    };
    Report {
        setting,
        program: "none".to_owned(),
        making: Making::default(),
        stale: Vec::new(),
        parts: EXPERIMENTS.iter().map(|e| empty(e, setting)).collect(),
    }
}

#[test]
fn every_published_row_is_answered_exactly_once_or_in_both_forms() {
    let mut answered = report_of_nothing().answered();
    answered.sort_unstable();
    // Tables 1 to 4 of Brand and Kroon are run as the text says and as the program plays.
    let in_forms = answered.chunk_by(|a, b| a == b);
    for same in in_forms {
        let is_in_both = same[0].starts_with("000/table-");
        assert_eq!(same.len(), 1 + usize::from(is_in_both), "{}", same[0]);
    }
    answered.dedup();
    let mut expected: Vec<&str> = published().iter().map(|row| row.id.as_str()).collect();
    expected.sort_unstable();
    assert_eq!(answered, expected);
}

#[test]
fn the_command_of_a_report_names_what_was_run() {
    let mut report = report_of_nothing();
    assert_eq!(
        report.command(),
        "hegemon lab run all --scale quick --seed 1"
    );
    for part in &mut report.parts {
        part.n_cells.0 = usize::from(part.experiment.name.starts_with("003-"));
    }
    assert_eq!(
        report.command(),
        "hegemon lab run 003-policies 003-lecture --scale quick --seed 1"
    );
    for part in &mut report.parts {
        part.n_cells.0 = 1;
    }
    assert_eq!(
        report.command(),
        "hegemon lab run all --scale quick --seed 1"
    );
}

#[test]
fn a_report_of_nothing_says_so() {
    let report = report_of_nothing();
    let page = report.html();
    assert!(page.contains("not run") && !page.contains("NaN"));
    let text = report.markdown();
    for experiment in &EXPERIMENTS {
        assert!(page.contains(&format!("id=\"{}\"", experiment.name)));
        assert!(text.contains(&format!("](#{})", experiment.name)));
    }
}

#[test]
fn every_table_has_an_anchor_of_its_own_and_its_level_in_every_interval_column() {
    let report = report_of_nothing();
    let page = report.html();
    let mut anchors = Vec::new();
    for part in &report.parts {
        for table in part.tables() {
            let anchor = part.anchor(table);
            assert!(page.contains(&format!("<h3 id=\"{anchor}\">")), "{anchor}");
            assert!(page.contains(&format!("href=\"#{anchor}\"")), "{anchor}");
            anchors.push(anchor);
            for column in &table.columns {
                let is_interval = ["interval", "over blocks"]
                    .iter()
                    .any(|w| column.contains(w));
                assert!(!is_interval || column.contains("95 %"), "{column}");
            }
        }
    }
    let n = anchors.len();
    anchors.sort_unstable();
    anchors.dedup();
    assert_eq!(anchors.len(), n);
    for place in ["findings", "made", "reading", "limits", "cite", "contents"] {
        assert!(page.contains(&format!("<h2 id=\"{place}\">")), "{place}");
    }
}

#[test]
fn names_of_plots_are_unique() {
    let report = report_of_nothing();
    let mut names: Vec<&str> = report.plots().map(|plot| plot.name.as_str()).collect();
    let n = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n);
}

/// The rows that other commands make again, by experiment, as a report without results has them.
fn rows_by_other_means() -> Vec<(&'static str, Vec<RepeatableRow>)> {
    let mut report = report_of_nothing();
    report.parts.iter_mut().for_each(|part| part.n_cells.0 = 1);
    let figures = ReportFigures::of(&report);
    let rows = |experiment: &'static Experiment| {
        let OtherMeans::Rows(rows) = figures.other_means(experiment).expect("planned") else {
            return None;
        };
        Some((experiment.name, rows))
    };
    EXPERIMENTS.iter().filter_map(rows).collect()
}

#[test]
fn rows_that_are_made_again_are_rows_of_the_report() {
    let report = report_of_nothing();
    for (name, rows) in rows_by_other_means() {
        let part = report
            .parts
            .iter()
            .find(|part| part.experiment.name == name);
        let part = part.expect("a part");
        for row in rows {
            let mut tables = part.tables();
            let table = tables.find(|table| table.title == row.table);
            let table = table.unwrap_or_else(|| panic!("{name} has no table {}", row.table));
            for column in &row.columns {
                let is_it = |known: &String| known.trim_start_matches('#') == *column;
                assert!(table.columns.iter().any(is_it), "{name}: {column}");
            }
            assert!(
                !row.commands.is_empty() && !row.columns.is_empty(),
                "{row:?}"
            );
            // Some tables have rows only where there are results.
            let n_ranks = usize::from(table.columns[0] == "#");
            let of_it = |cells: &&Vec<Text>| cells[n_ranks..].starts_with(&row.row);
            let n = table.rows.iter().filter(of_it).count();
            assert!(n == 1 || table.rows.is_empty(), "{name}: {n} of {row:?}");
        }
    }
}

#[test]
fn most_sections_have_two_rows_by_other_means() {
    let two = |(_, rows): &&(&str, Vec<RepeatableRow>)| rows.len() >= 2;
    let found = rows_by_other_means();
    let with_two: Vec<&str> = found.iter().filter(two).map(|(name, _)| *name).collect();
    // What rests on a response is known only to a report with results.
    let without: Vec<&str> = EXPERIMENTS
        .iter()
        .map(|experiment| experiment.name)
        .filter(|name| !with_two.contains(name))
        .collect();
    let expected = [
        "000-speed",
        "002-drafters",
        "003-policies",
        "best-response",
        "positions",
        "luck",
        "accuracy",
    ];
    assert_eq!(without, expected);
}

#[test]
fn a_table_names_what_makes_one_of_its_rows_again() {
    let mut report = report_of_nothing();
    report.parts.iter_mut().for_each(|part| part.n_cells.0 = 1);
    report.name_other_means().expect("planned");
    let text = report.markdown();
    let one = "one row by other means: `hegemon match killbot quo evil-pixie boscoe --map classic-lux --rules lux \
               --games 12000 --seed 1`\n";
    assert!(text.contains(one));
    let many = "`hegemon hint --exam first --level fast --seed 1000` and 5 more, all run by `hegemon lab repeat hints --scale \
                quick --seed 1`\n";
    assert!(text.contains(many));
}
