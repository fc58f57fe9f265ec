//! The walk of one game in ARCHITECTURE names a function for every hop; each must exist.

use crate::fault::Fault;
use crate::files::Tree;

const DOCUMENT: &str = "ARCHITECTURE.md";
const SECTION: &str = "## One game, hop by hop";

/// Functions of the walk that do not exist, or that there is no walk.
pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let Some(text) = tree.text(DOCUMENT) else {
        return Vec::new();
    };
    let lines = (1..).zip(text.lines());
    let section = lines
        .skip_while(|(_, line)| *line != SECTION)
        .skip(1)
        .take_while(|(_, line)| !line.starts_with("## "));
    let mut n_hops = 0;
    let mut faults = Vec::new();
    for (number, line) in section {
        for path in line.split('`').skip(1).step_by(2) {
            let Some((package, function)) = path.split_once("::") else {
                continue;
            };
            n_hops += 1;
            if !exists(tree, package, function) {
                let sentence = format!("there is no function {path}");
                faults.push(Fault::new(DOCUMENT, number, sentence));
            }
        }
    }
    if n_hops == 0 {
        let sentence = format!("the section \"{SECTION}\" names no function");
        faults.push(Fault::new(DOCUMENT, 1, sentence));
    }
    faults
}

/// Whether a package has this function, or this type with this function in one file.
fn exists(tree: &Tree, package: &str, function: &str) -> bool {
    let folder = format!("crates/{}/src/", package.replace('_', "-"));
    let (owner, name) = match function.split_once("::") {
        Some((owner, name)) => (Some(owner), name),
        None => (None, function),
    };
    let is_defined = |line: &str| {
        let rest = line
            .trim_start()
            .strip_prefix("pub ")
            .unwrap_or(line.trim_start());
        let is_named = rest
            .strip_prefix("fn ")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(['(', '<']));
        // A function by itself begins its line, one of a type does not.
        is_named && line.starts_with(' ') == owner.is_some()
    };
    let is_of = |line: &str, owner: &str| {
        let is_block = line.starts_with("impl") || line.starts_with("pub trait ");
        is_block
            && line
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == owner)
    };
    tree.texts()
        .filter(|(path, _)| path.starts_with(&folder) && path.ends_with(".rs"))
        .any(|(_, text)| {
            let has_owner = owner.is_none_or(|owner| text.lines().any(|line| is_of(line, owner)));
            has_owner && text.lines().any(is_defined)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(walk: &str) -> Tree {
        let code = "pub fn play_on<S>(state: &mut State) {\n}\nimpl<T> State<T> {\n    pub fn \
                    apply(&mut self) {\n    }\n}\n";
        let text = format!("# A\n\n{SECTION}\n\n{walk}\n\n## Next\n\n`x::y`\n");
        Tree::from([
            (DOCUMENT, text.as_str()),
            ("crates/hegemon-core/src/state.rs", code),
        ])
    }

    #[test]
    fn a_hop_names_a_function_that_exists() {
        assert_eq!(
            check(&tree(
                "`hegemon_core::State::apply`, `hegemon_core::play_on`"
            )),
            []
        );
        for missing in [
            "hegemon_core::State::resolve",
            "hegemon_core::Map::apply",
            "hegemon_core::apply",
            "hegemon_bots::play_on",
        ] {
            let faults = check(&tree(&format!("`{missing}`")));
            let expected = Fault::new(DOCUMENT, 5, format!("there is no function {missing}"));
            assert_eq!(faults, [expected]);
        }
        assert_eq!(check(&tree("nothing")).len(), 1);
    }
}
