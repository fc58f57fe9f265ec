//! Quaint phrases that were replaced by plain English and must not come back.
//!
//! They are spelled in two halves here, so that this file passes.

use crate::fault::Fault;
use crate::files::Tree;
use crate::tidy::joined_lines;

/// Phrases in lower case, each with what to write instead.
const PHRASES: [(&str, &str); 3] = [
    (
        concat!("so ", "many"),
        "name the number, or write `this many`",
    ),
    (concat!("loses ", "nobody"), "write `no losses`"),
    (
        concat!("lets ", "chance"),
        "write `applies a chance outcome`",
    ),
];

/// Every phrase of the list, also where a line break separates its words.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.texts() {
        for line in joined_lines(text) {
            for (phrase, advice) in PHRASES {
                if line.starts(phrase).next().is_some() {
                    faults.push(Fault::new(
                        path,
                        line.number,
                        format!("`{phrase}`: {advice}"),
                    ));
                }
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<String> {
        let tree = Tree::from([(path, text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_quaint_phrase_is_found_with_its_line() {
        for (phrase, advice) in PHRASES {
            let text = format!("//! Armies.\n\n/// The attacker {phrase} at first.\n");
            let expected = format!("a.rs:3: `{phrase}`: {advice}");
            assert_eq!(faults("a.rs", &text), [expected]);
        }
        let capital = format!("S{} armies.\n", &PHRASES[0].0[1..]);
        assert_eq!(faults("docs/a.md", &capital).len(), 1);
        assert!(faults("a.rs", "/// This many; no losses; chance applies.\n").is_empty());
    }

    #[test]
    fn a_phrase_is_found_across_a_line_break() {
        let broken = PHRASES[0].0.replace(' ', "\n    /// ");
        let text = format!("    /// Keeps {broken} laws.\n");
        let expected = format!("a.rs:1: `{}`: {}", PHRASES[0].0, PHRASES[0].1);
        assert_eq!(faults("a.rs", &text), [expected]);
    }
}
