//! One word for one meaning: types that a whole crate or its users see have names of their own.
//!
//! A type that only its module sees (`pub(super)` or private) may have a short name: nobody reads it next to the other.

use std::collections::BTreeMap;

use crate::fault::Fault;
use crate::files::Tree;
use crate::tidy::is_identifier_character;

const KINDS: [&str; 4] = ["struct ", "enum ", "trait ", "type "];

/// Names that two types may have, each with the reason.
const SHARED: [(&str, &str); 3] = [
    (
        "Player",
        "the Python package seats Python's players, the search counts the players of any game",
    ),
    (
        "Seats",
        "the Python environments list who sits where, the loop of a game asks its seats to move",
    ),
    (
        "Watch",
        "the Python package watches a long call, the champion watches the others' moves",
    ),
];

/// A fault for every type whose name another has, and for every exception that is not needed.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut places: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for (path, text) in tree.texts().filter(|(path, _)| is_source(path)) {
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(name) = declared(line) {
                places.entry(name).or_default().push((path, number));
            }
        }
    }
    let mut faults = Vec::new();
    for (name, places) in places {
        let [first, others @ ..] = places.as_slice() else {
            continue;
        };
        let is_listed = SHARED.iter().any(|(listed, _)| *listed == name);
        if is_listed && others.is_empty() {
            let sentence =
                format!("`{name}` has its name alone; take it off the list of exceptions");
            faults.push(Fault::new(first.0, first.1, sentence));
        }
        for (path, number) in others.iter().filter(|_| !is_listed) {
            let sentence = format!("`{name}` is also a type in {}; rename one", first.0);
            faults.push(Fault::new(path, *number, sentence));
        }
    }
    faults
}

/// Whether a file is part of a crate and not of its tests.
fn is_source(path: &str) -> bool {
    let is_test = |part: &str| part == "tests" || part == "tests.rs";
    path.starts_with("crates/")
        && path.contains("/src/")
        && path.ends_with(".rs")
        && !path.split('/').any(is_test)
}

/// The type that a line declares for its whole crate or for everybody.
fn declared(line: &str) -> Option<&str> {
    let visible = ["pub ", "pub(crate) "];
    let rest = visible.iter().find_map(|mark| line.strip_prefix(mark))?;
    let rest = KINDS.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c| !is_identifier_character(c));
    Some(&rest[..end.unwrap_or(rest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(first: &str, second: &str) -> Vec<String> {
        let tree = Tree::from([
            ("crates/a/src/lib.rs", first),
            ("crates/b/src/c/d.rs", second),
            ("crates/b/src/c/tests.rs", first),
            ("crates/b/tests/e.rs", first),
        ]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn two_types_that_crates_see_have_two_names() {
        let first = "//! Words.\n\npub struct Word(u8);\n";
        for second in [
            "pub enum Word {\n",
            "pub(crate) type Word<'a> = &'a str;\n",
            "pub trait Word: Clone {\n",
        ] {
            let expected =
                "crates/b/src/c/d.rs:1: `Word` is also a type in crates/a/src/lib.rs; rename one";
            assert_eq!(faults(first, second), [expected]);
        }
        for second in [
            "pub(super) enum Word {\n",
            "struct Word;\n",
            "pub struct Words;\n",
            "pub fn word() -> Word {\n",
            "    pub struct Word;\n",
            "/// pub struct Word;\n",
        ] {
            assert_eq!(faults(first, second), [""; 0], "{second}");
        }
    }

    #[test]
    fn an_exception_is_needed() {
        let (name, _) = SHARED[0];
        let declared = format!("pub struct {name};\n");
        assert_eq!(faults(&declared, &declared), [""; 0]);
        let expected = format!(
            "crates/a/src/lib.rs:1: `{name}` has its name alone; take it off the list of exceptions"
        );
        assert_eq!(faults(&declared, ""), [expected]);
    }
}
