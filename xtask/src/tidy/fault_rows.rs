//! Rows of `docs/faults.md`: a promise is only as good as the test that it names.

use std::collections::BTreeSet;

use crate::fault::Fault;
use crate::files::Tree;
use crate::tidy::{extension, is_identifier_character};

const PATH: &str = "docs/faults.md";

/// The heading of the tables that promise something.
const HEADING: &str = "| fault | promise | test |";

/// The same where the tests are those of the page.
const PAGE_HEADING: &str = "| fault | promise | test of the page |";

/// A fault for every row that names no test, or one that does not exist.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let functions = functions(tree);
    let mut faults = Vec::new();
    let mut heading = "";
    for (line, content) in (1..).zip(tree.text(PATH).unwrap_or_default().lines()) {
        if !content.starts_with('|') || [HEADING, PAGE_HEADING].contains(&content) {
            heading = content;
            continue;
        }
        if !heading.starts_with('|') || content.starts_with("|---") {
            continue;
        }
        let cells = content.trim_end_matches([' ', '|']);
        let tests = cells.rsplit(" | ").next().unwrap_or_default();
        let is_page = heading == PAGE_HEADING;
        let names: Vec<&str> = match is_page {
            true => quoted(tests).collect(),
            false => test_names(tests).collect(),
        };
        if names.is_empty() {
            faults.push(Fault::new(PATH, line, "the row names no test"));
        }
        let exists = |name: &str| match is_page {
            true => is_page_test(tree, name),
            false => functions.contains(name),
        };
        let missing = names.into_iter().filter(|name| !exists(name));
        faults.extend(
            missing.map(|name| Fault::new(PATH, line, format!("there is no test `{name}`"))),
        );
    }
    faults
}

/// What stands in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Whether a test of the page begins so: `FILE: TITLE`, where the file is `FILE.test.mjs` or `FILE.test.ts`.
fn is_page_test(tree: &Tree, name: &str) -> bool {
    let Some((file, title)) = name.split_once(": ") else {
        return false;
    };
    let is_of_file = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let ending = name.strip_prefix(file).unwrap_or_default();
        path.starts_with("web/") && [".test.mjs", ".test.ts"].contains(&ending)
    };
    let begins = |text: &str| {
        ['"', '`']
            .iter()
            .any(|mark| text.contains(&format!("{mark}{title}")))
    };
    let mut files = tree.texts().filter(|(path, _)| is_of_file(path));
    files.any(|(_, text)| begins(text))
}

/// The last word of each name in backticks. A test is a sentence; a word alone is a crate or a file.
fn test_names(cell: &str) -> impl Iterator<Item = &str> {
    quoted(cell)
        .filter_map(|name| name.rsplit([' ', ':']).next())
        .filter(|name| name.contains('_'))
}

/// The names of all functions, and of the tests that a file runs by a table of names.
fn functions(tree: &Tree) -> BTreeSet<&str> {
    let sources = tree.texts().filter(|(path, _)| extension(path) == "rs");
    let starts = |text: &'_ str, mark: &'static str| -> Vec<usize> {
        let ends = text.match_indices(mark).map(|(at, _)| at + mark.len());
        ends.collect()
    };
    sources
        .flat_map(|(path, text)| {
            let mut names = starts(text, "fn ");
            if path.contains("/tests/") {
                names.extend(starts(text, "\""));
            }
            names.into_iter().map(|at| &text[at..])
        })
        .map(|rest| {
            let end = rest.find(|c| !is_identifier_character(c));
            &rest[..end.unwrap_or(rest.len())]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(row: &str) -> Vec<String> {
        let text =
            format!("{HEADING}\n|---|---|---|\n{row}\n\n| other | table |\n|---|---|\n| a | b |\n");
        let source = "#[test]\nfn nothing_is_lost() {}\n";
        let tree = Tree::from([(PATH, text.as_str()), ("crates/a/tests/b.rs", source)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rows_of_the_page_name_its_tests() {
        let faults = |cell: &str| {
            let text = format!("{PAGE_HEADING}\n|---|---|---|\n| a | b | {cell} |\n");
            let source = "test(`nothing is lost, on a ${size}`, async () => {});";
            let tree = Tree::from([
                (PATH, text.as_str()),
                ("web/e2e/people.test.mjs", source),
                ("docs/people.test.mjs", "\"all is lost"),
            ]);
            check(&tree)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(faults("`people: nothing is lost`"), [""; 0]);
        for name in ["people: all is lost", "story: nothing is lost", "people"] {
            let fault = format!("docs/faults.md:3: there is no test `{name}`");
            assert_eq!(faults(&format!("`{name}`")), [fault]);
        }
        assert_eq!(
            faults("none yet"),
            ["docs/faults.md:3: the row names no test"]
        );
    }

    #[test]
    fn every_row_names_a_test_that_exists() {
        for name in [
            "nothing_is_lost",
            "b::nothing_is_lost",
            "b: nothing_is_lost",
            "a b nothing_is_lost",
        ] {
            assert_eq!(
                faults(&format!("| `a_b` x | y | `a` `{name}`; more words |")),
                [""; 0]
            );
        }
        assert_eq!(
            faults("| x | y | `a` `b::all_is_lost` |"),
            ["docs/faults.md:3: there is no test `all_is_lost`"]
        );
        assert_eq!(
            faults("| x | y | none yet |"),
            ["docs/faults.md:3: the row names no test"]
        );
    }
}
