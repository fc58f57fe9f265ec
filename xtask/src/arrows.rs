//! Dependencies between our crates point down only.

use crate::fault::Fault;
use crate::files::Tree;
use crate::manifest::{self, Dependency};

/// Each of our crates and those of our crates that it may use, lowest first.
///
/// This is the workspace table of `ARCHITECTURE.md`; every crate must be listed here.
const ALLOWED: [(&str, &[&str]); 15] = [
    ("hegemon-core", &[]),
    ("hegemon-record", &["hegemon-core"]),
    ("hegemon-eval", &["hegemon-core"]),
    ("hegemon-search", &["hegemon-eval", "hegemon-core"]),
    (
        "hegemon-bots",
        &["hegemon-search", "hegemon-eval", "hegemon-core"],
    ),
    ("hegemon-protocol", &["hegemon-bots", "hegemon-core"]),
    (
        "hegemon-analysis",
        &[
            "hegemon-bots",
            "hegemon-search",
            "hegemon-eval",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon-arena",
        &[
            "hegemon-analysis",
            "hegemon-protocol",
            "hegemon-bots",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon-learn",
        &[
            "hegemon-arena",
            "hegemon-bots",
            "hegemon-eval",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon-lab",
        &[
            "hegemon-learn",
            "hegemon-arena",
            // Calibration, luck, hints and accuracy are measured, too.
            "hegemon-analysis",
            "hegemon-bots",
            // The lecture's tree policies are run on games that no bot plays.
            "hegemon-search",
            // The draft evaluator scores the drafts of Figure 5(a) of Gibson, Desai and Zhao 2010.
            "hegemon-eval",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon-server",
        &[
            "hegemon-arena",
            // The page shows luck, skill, hints and the odds of campaigns.
            "hegemon-analysis",
            // The page gets maps, views and questions in the bot protocol's form.
            "hegemon-protocol",
            "hegemon-bots",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon-fuzz",
        &[
            "hegemon-server",
            "hegemon-protocol",
            "hegemon-bots",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon-python",
        &[
            "hegemon-lab",
            "hegemon-learn",
            "hegemon-arena",
            "hegemon-analysis",
            "hegemon-protocol",
            "hegemon-bots",
            "hegemon-search",
            "hegemon-eval",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    (
        "hegemon",
        &[
            "hegemon-server",
            "hegemon-lab",
            "hegemon-learn",
            "hegemon-arena",
            "hegemon-analysis",
            "hegemon-protocol",
            "hegemon-bots",
            "hegemon-search",
            "hegemon-eval",
            "hegemon-record",
            "hegemon-core",
        ],
    ),
    ("xtask", &[]),
];

/// Every edge that the table does not allow, and every crate that it does not name.
pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (directory, path, text) in tree.packages() {
        let name = directory.rsplit('/').next().unwrap_or(directory);
        if allowed(name).is_none() {
            let sentence = format!("`{name}` is not in the table of allowed dependencies");
            faults.push(Fault::new(path, 1, sentence));
            continue;
        }
        for dependency in manifest::dependencies(text) {
            if let Some(sentence) = objection(name, &dependency) {
                faults.push(Fault::new(path, dependency.line, sentence));
            }
        }
    }
    // A rename in the root manifest would hide an edge from the lines read above.
    let root = tree.text("Cargo.toml").unwrap_or_default();
    for entry in manifest::entries(root) {
        if entry.table == "workspace.dependencies"
            && let Some((_, rest)) = entry.value.split_once("crates/")
            && rest.split('"').next() != Some(entry.key)
        {
            let sentence = format!("`{}` gives a crate of ours a second name", entry.key);
            faults.push(Fault::new("Cargo.toml", entry.line, sentence));
        }
    }
    faults
}

fn objection(name: &str, dependency: &Dependency<'_>) -> Option<String> {
    let package = dependency.package;
    if !is_ours(package) || package == name {
        return None;
    }
    if dependency.is_dev {
        (!is_lower(package, name)).then(|| {
            format!("`{name}` may not use `{package}`, not even in tests: it is not below it")
        })
    } else {
        (!allowed(name)?.contains(&package))
            .then(|| format!("`{name}` may not depend on `{package}`"))
    }
}

fn is_ours(package: &str) -> bool {
    package == "xtask" || package == "hegemon" || package.starts_with("hegemon-")
}

fn allowed(name: &str) -> Option<&'static [&'static str]> {
    ALLOWED
        .iter()
        .find(|(crate_name, _)| *crate_name == name)
        .map(|(_, uses)| *uses)
}

/// Whether `lower` is reachable from `upper` along allowed arrows.
fn is_lower(lower: &str, upper: &str) -> bool {
    allowed(upper)
        .unwrap_or_default()
        .iter()
        .any(|next| *next == lower || is_lower(lower, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;

    fn sentences(tree: &Tree) -> Vec<String> {
        check(tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_workspace_itself_points_down() {
        let tree = Tree::read(&files::root().unwrap()).unwrap();
        assert!(tree.packages().count() > 1);
        assert_eq!(sentences(&tree), [""; 0]);
    }

    #[test]
    fn an_arrow_up_is_a_fault_at_its_line() {
        let tree = Tree::from([(
            "crates/hegemon-core/Cargo.toml",
            "[dependencies]\nserde = \"1\"\nhegemon-bots.workspace = true\n",
        )]);
        assert_eq!(
            sentences(&tree),
            ["crates/hegemon-core/Cargo.toml:3: `hegemon-core` may not depend on `hegemon-bots`"]
        );
    }

    #[test]
    fn an_arrow_down_past_the_table_is_a_fault_except_in_tests() {
        let text = |table| format!("[{table}]\nhegemon-search.workspace = true\n");
        let path = "crates/hegemon-arena/Cargo.toml";
        let normal = sentences(&Tree::from([(path, text("dependencies").as_str())]));
        assert_eq!(normal.len(), 1, "{normal:?}");
        let dev = sentences(&Tree::from([(path, text("dev-dependencies").as_str())]));
        assert_eq!(dev, [""; 0]);
    }

    #[test]
    fn a_test_may_not_point_up_either() {
        let tree = Tree::from([(
            "crates/hegemon-core/Cargo.toml",
            "[dev-dependencies]\nhegemon-eval.workspace = true\n",
        )]);
        assert_eq!(sentences(&tree).len(), 1);
    }

    #[test]
    fn renaming_hides_nothing() {
        let tree = Tree::from([
            (
                "Cargo.toml",
                "[workspace.dependencies]\nrules = { path = \"crates/hegemon-core\" }\n",
            ),
            (
                "crates/hegemon-core/Cargo.toml",
                "[dependencies]\nsneaky = { path = \"../hegemon-eval\", package = \"hegemon-eval\" }\n",
            ),
        ]);
        assert_eq!(
            sentences(&tree),
            [
                "crates/hegemon-core/Cargo.toml:2: `hegemon-core` may not depend on `hegemon-eval`",
                "Cargo.toml:2: `rules` gives a crate of ours a second name",
            ]
        );
    }

    #[test]
    fn a_crate_outside_the_table_is_a_fault() {
        let tree = Tree::from([("crates/hegemon-extra/Cargo.toml", "")]);
        assert_eq!(sentences(&tree).len(), 1);
    }

    #[test]
    fn the_table_lists_each_crate_after_all_that_it_uses() {
        for (i, (name, uses)) in ALLOWED.iter().enumerate() {
            for used in *uses {
                let found = ALLOWED[..i].iter().any(|(earlier, _)| earlier == used);
                assert!(found, "{name} uses {used}, which is not before it");
            }
        }
    }
}
