//! Citations: a section of the specification exists, a paper is named by author and year.
//!
//! The README of the specification states the form. Rejected words are spelled in two halves here.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::Fault;
use crate::files::Tree;
use crate::tidy::{
    JoinedLine, SOURCE_EXTENSIONS, extension, is_identifier_character, joined_lines,
};

const FOLDER: &str = concat!("docs/sp", "ec/");

/// Files whose citations must name a section; in Markdown a link to the whole file is fine.
const SECTION_NEEDED: [&str; 1] = ["toml"];

/// The old form of citing a paper by number: the word, then three digits.
const NUMBERED: [&str; 3] = ["paper ", "papers ", "lecture "];

/// How sections were cited before the specification was in the repository: the word, then a digit.
const OLD_FORMS: [&str; 3] = [
    concat!("sp", "ec "),
    concat!("lux_", "bots "),
    concat!("sampling_", "mcts "),
];

/// Separators between two sections of one citation.
const JOINS: [&str; 3] = [", ", " and ", " to "];

/// The numbers of the sections of each file of the specification, by path.
struct Sections<'a>(BTreeMap<&'a str, BTreeSet<&'a str>>);

/// Every unresolved citation.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let sections = Sections::of(tree);
    let mut faults = Vec::new();
    for (path, text) in tree.texts() {
        for (line, content) in (1..).zip(text.lines()) {
            let sentences = sections.unresolved(path, content);
            faults.extend(sentences.into_iter().map(|s| Fault::new(path, line, s)));
        }
        let old_forms =
            joined_lines(text).filter_map(|line| Some((line.number, old_form(path, &line)?)));
        faults.extend(old_forms.map(|(line, sentence)| Fault::new(path, line, sentence)));
    }
    faults
}

impl<'a> Sections<'a> {
    fn of(tree: &'a Tree) -> Self {
        let files = tree.texts().filter(|(path, _)| path.starts_with(FOLDER));
        Self(
            files
                .map(|(path, text)| (path, text.lines().filter_map(heading_number).collect()))
                .collect(),
        )
    }

    /// A sentence for each citation in a line that names no file or no section that exists.
    fn unresolved(&self, path: &str, line: &str) -> Vec<String> {
        let mut sentences = Vec::new();
        for (at, _) in line.match_indices(FOLDER) {
            let cited = citation(&line[at..]);
            if cited.file == FOLDER {
                continue;
            }
            let Some(known) = self.0.get(cited.file) else {
                sentences.push(format!("`{}` does not exist", cited.file));
                continue;
            };
            if cited.sections.is_empty() && needs_section(path) {
                sentences.push(format!(
                    "a citation of `{}` names its section on the same line",
                    cited.file
                ));
            }
            let missing = cited.sections.iter().filter(|n| !known.contains(*n));
            sentences.extend(missing.map(|n| format!("`{}` has no section {n}", cited.file)));
        }
        sentences
    }
}

fn needs_section(path: &str) -> bool {
    let extension = extension(path);
    SOURCE_EXTENSIONS.contains(&extension) || SECTION_NEEDED.contains(&extension)
}

/// A file of the specification and the sections of it that a text names.
struct Citation<'a> {
    file: &'a str,
    sections: Vec<&'a str>,
}

/// The citation that a text begins with.
fn citation(text: &str) -> Citation<'_> {
    let is_name = |c: char| is_identifier_character(c) || "-./".contains(c);
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let file = text[..end].trim_end_matches('.');
    let mut sections = Vec::new();
    let mut rest = text[file.len()..].strip_prefix(' ');
    while let Some(number) = rest.and_then(section_number) {
        sections.push(number);
        let after = &rest.unwrap_or_default()[number.len()..];
        rest = JOINS.iter().find_map(|join| after.strip_prefix(join));
    }
    Citation { file, sections }
}

/// The section number that a text begins with: digits, joined by full stops.
fn section_number(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    is_number.then_some(number)
}

/// The number of a heading such as `## 7. The bots` or `### 7.11 Pixie`.
fn heading_number(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    if title.len() == line.len() {
        return None;
    }
    section_number(title.trim_start())
}

/// A paper by number, or a section by the name that it had outside the repository.
fn old_form(path: &str, line: &JoinedLine) -> Option<String> {
    let starts_with_digits = |text: &str, n: usize| {
        text.len() >= n && text.bytes().take(n).all(|byte| byte.is_ascii_digit())
    };
    let cites = |word: &str, n_digits: usize| {
        line.starts(word).any(|at| {
            // The names of experiments have hyphens.
            !line.text[..at].ends_with(|c| is_identifier_character(c) || c == '-')
                && starts_with_digits(&line.text[at + word.len()..], n_digits)
        })
    };
    if NUMBERED.iter().any(|word| cites(word, 3)) {
        return Some("cite a paper by author and year, as in docs/papers.md".to_owned());
    }
    let is_text = extension(path) == "md" || needs_section(path);
    (is_text && OLD_FORMS.iter().any(|word| cites(word, 1)))
        .then(|| format!("cite a section by file and number, as in `{FOLDER}README.md`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str =
        "# Title\n\n## 7. The bots\n\n### 7.1 Angry\n\n### 7.11 Pixie\n\n## 8. Draft\n";

    /// The faults of one file beside a specification of four sections.
    fn faults(path: &str, text: &str) -> Vec<String> {
        let spec = format!("{FOLDER}lux.md");
        let tree = Tree::from([(spec.as_str(), SPEC), (path, text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    fn none(path: &str, text: &str) {
        assert_eq!(faults(path, text), [""; 0], "{text}");
    }

    #[test]
    fn a_citation_of_sections_that_exist_is_fine() {
        for sections in [
            "7",
            "7.1",
            "7.11.",
            "7.1, 7.11",
            "7.1 to 7.11",
            "7, 7.1 and 8)",
            "8: yes",
        ] {
            none("a.rs", &format!("//! Pixie ({FOLDER}lux.md {sections}\n"));
        }
        none("a.rs", &format!("// {FOLDER}lux.md 7.1, row 2\n"));
    }

    #[test]
    fn a_citation_of_a_missing_section_fails_at_its_line() {
        let text = format!("//! Bots.\n//! Pixie ({FOLDER}lux.md 7.12).\n");
        let expected = format!("a.rs:2: `{FOLDER}lux.md` has no section 7.12");
        assert_eq!(faults("a.rs", &text), [expected]);
        for sections in ["7.1, 7.2", "7.1 and 9", "7.1 to 7.4", "9"] {
            let text = format!("# {FOLDER}lux.md {sections}\n");
            assert_eq!(faults("weights/a.toml", &text).len(), 1, "{sections}");
        }
    }

    #[test]
    fn a_citation_of_a_missing_file_fails() {
        let expected = format!("docs/a.md:1: `{FOLDER}chess.md` does not exist");
        assert_eq!(
            faults("docs/a.md", &format!("see {FOLDER}chess.md 1\n")),
            [expected]
        );
    }

    #[test]
    fn code_names_the_section_on_the_line_of_the_file() {
        let text = format!("//! Pixie ({FOLDER}lux.md\n//! 7.11).\n");
        assert_eq!(faults("a.rs", &text).len(), 1);
        none("a.md", &format!("[the bots]({FOLDER}lux.md) in {FOLDER}\n"));
    }

    #[test]
    fn a_paper_has_a_name() {
        let expected = "README.md:1: cite a paper by author and year, as in docs/papers.md";
        for word in ["paper ", "Papers ", "lecture "] {
            assert_eq!(faults("README.md", &format!("of {word}002.\n")), [expected]);
        }
        none("README.md", "the paper of 2002, in a newspaper 002\n");
        none("README.md", "lab run 003-lecture 004-evolution\n");
    }

    #[test]
    fn sections_outside_the_repository_are_not_cited() {
        for word in OLD_FORMS {
            assert_eq!(
                faults("a.rs", &format!("/// Pixie ({word}7.11)\n")).len(),
                1
            );
            none("a.rs", &format!("/// a {word}of a bot\n"));
            let broken = word.replace(' ', "\n    /// ");
            let found = faults("a.rs", &format!("    /// Pixie ({broken}7.11)\n"));
            assert_eq!(found.len(), 1, "{broken}");
            assert!(found[0].starts_with("a.rs:1: "), "{found:?}");
        }
    }
}
