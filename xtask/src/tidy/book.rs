//! The book: every page of `docs` is in its summary, and every link of every page leads somewhere.

use std::collections::BTreeSet;

use crate::fault::Fault;
use crate::files::Tree;
use crate::links::{anchors, is_foreign, links, resolve};

pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";

/// Pages that are missing in the summary or in it twice, and links that lead nowhere.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = summary(tree);
    for (path, text) in tree.texts() {
        if path.ends_with(".md") {
            faults.extend(broken_links(tree, path, text));
        }
    }
    faults
}

fn summary(tree: &Tree) -> Vec<Fault> {
    let Some(text) = tree.text(SUMMARY) else {
        return Vec::new();
    };
    let mut named = BTreeSet::new();
    let mut faults = Vec::new();
    for link in links(text) {
        if !named.insert(resolve(SUMMARY, link.target)) {
            let sentence = format!("`{}` is in the book twice", link.target);
            faults.push(Fault::new(SUMMARY, link.line, sentence));
        }
    }
    let pages = tree.paths().filter(|path| is_page(path));
    let missing = pages.filter(|path| !named.contains(*path));
    faults.extend(missing.map(|path| Fault::new(path, 1, format!("is not in {SUMMARY}"))));
    faults
}

fn is_page(path: &str) -> bool {
    path.starts_with("docs/") && path.ends_with(".md") && path != SUMMARY
}

fn broken_links(tree: &Tree, path: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for link in links(text) {
        if is_foreign(link.target) {
            continue;
        }
        let (target, name) = link.target.split_once('#').unwrap_or((link.target, ""));
        let file = if target.is_empty() {
            path.to_owned()
        } else {
            resolve(path, target)
        };
        if !exists(tree, &file) {
            let sentence = format!("a link leads to `{file}`, which does not exist");
            faults.push(Fault::new(path, link.line, sentence));
        } else if !name.is_empty()
            && tree.text(&file).is_some_and(|page| {
                file.ends_with(".md") && !anchors(page).iter().any(|known| known == name)
            })
        {
            let sentence = format!("a link leads to `#{name}`, which {file} does not have");
            faults.push(Fault::new(path, link.line, sentence));
        }
    }
    faults
}

/// A file, or a folder with files.
fn exists(tree: &Tree, path: &str) -> bool {
    let folder = format!("{path}/");
    tree.paths()
        .any(|known| known == path || known.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(tree: &Tree) -> Vec<String> {
        check(tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_page_is_in_the_summary_once() {
        let tree = Tree::from([
            (SUMMARY, "- [A](a.md)\n- [A](a.md)\n- [R](../README.md)\n"),
            ("README.md", "# R\n"),
            ("docs/a.md", "# A\n"),
            ("docs/b.md", "# B\n"),
        ]);
        assert_eq!(
            sentences(&tree),
            [
                "docs/SUMMARY.md:2: `a.md` is in the book twice",
                "docs/b.md:1: is not in docs/SUMMARY.md"
            ]
        );
    }

    #[test]
    fn links_lead_to_files_folders_and_headings() {
        let tree = Tree::from([
            (
                "README.md",
                "# R\n[a](docs/a.md#one) [b](docs/a.md#two) [c](docs/) [d](x.md) [e](#r) [f](https://x.y/z)\n",
            ),
            ("docs/a.md", "## One\n"),
        ]);
        let faults: Vec<Fault> = ["README.md"]
            .iter()
            .flat_map(|path| broken_links(&tree, path, tree.text(path).expect("there")))
            .collect();
        let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "README.md:2: a link leads to `#two`, which docs/a.md does not have",
                "README.md:2: a link leads to `x.md`, which does not exist"
            ]
        );
    }
}
