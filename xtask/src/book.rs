//! The book of the project, made by mdBook of `docs` and the pages at the top of the repository.
//!
//! In the repository the pages are plain Markdown whose links lead to files. In the book they lie in one folder, so
//! links are rewritten, and what leads out of the book is left as plain text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files::{self, Tree, copy, write};
use crate::links::{is_foreign, links, resolve};
use crate::tidy::SUMMARY;

/// The table of contents is beside every page, and no page itself.
const CONTENTS: &str = "SUMMARY.md";

/// `cargo xtask book`: returns the folder with the HTML.
pub(crate) fn make(root: &Path) -> Result<PathBuf, String> {
    let stage = files::target(root).join("book-source");
    let n_pages = gather(root, &stage)?;
    let built = Command::new("mdbook").arg("build").arg(&stage).status();
    match built {
        Ok(status) if status.success() => {
            let place = stage.join("book");
            println!("book: {n_pages} pages in {}", place.display());
            Ok(place)
        }
        Ok(status) => Err(format!("book: mdbook ended with {status}")),
        Err(_) => Err(
            "book: mdbook is not installed (`cargo install mdbook`); the pages can be read as they are, from docs/SUMMARY.md"
                .to_owned(),
        ),
    }
}

/// Copies the pages with their pictures; returns how many pages there are.
fn gather(root: &Path, stage: &Path) -> Result<usize, String> {
    let tree = Tree::read(root)?;
    let places = places(&tree);
    let _ = std::fs::remove_dir_all(stage);
    copy(&root.join("book.toml"), &stage.join("book.toml"))?;
    for (path, place) in &places {
        let to = stage.join("docs").join(place);
        match tree.text(path) {
            Some(text) if path.ends_with(".md") => write(&to, &rewritten(path, text, &places))?,
            _ => copy(&root.join(path), &to)?,
        }
    }
    Ok(places.keys().filter(|path| path.ends_with(".md")).count() - 1)
}

/// Where each file lies in the book, by its path in the repository.
fn places(tree: &Tree) -> BTreeMap<String, String> {
    let summary = tree.text(SUMMARY).unwrap_or_default();
    let outer = links(summary)
        .into_iter()
        .map(|link| resolve(SUMMARY, link.target));
    let inner = tree
        .paths()
        .filter(|path| path.starts_with("docs/"))
        .map(str::to_owned);
    let place = |path: String| {
        // mdBook makes an index of a README, but leaves the links to it alone.
        let place = path.strip_prefix("docs/").unwrap_or(&path);
        let place = place.replace("README.md", "index.md");
        (path, place)
    };
    outer.chain(inner).map(place).collect()
}

/// A page with its links as they are in the book.
fn rewritten(path: &str, text: &str, places: &BTreeMap<String, String>) -> String {
    let mut page = text.to_owned();
    // From the last on, so that the places of the others stay; an inner link comes before the one around it.
    for link in links(text).iter().rev() {
        if is_foreign(link.target) || link.target.starts_with('#') {
            continue;
        }
        let (target, name) = link.target.split_once('#').unwrap_or((link.target, ""));
        let changed = match places.get(&resolve(path, target)) {
            Some(place) if place != CONTENTS => {
                let mark = if name.is_empty() { "" } else { "#" };
                let to = relative(&places[path], place);
                page[link.start..link.end].replacen(
                    &format!("]({})", link.target),
                    &format!("]({to}{mark}{name})"),
                    1,
                )
            }
            _ => link.text.to_owned(),
        };
        page.replace_range(link.start..link.end, &changed);
    }
    page
}

/// The way from one page of the book to another.
fn relative(from: &str, to: &str) -> String {
    let up = "../".repeat(from.matches('/').count());
    format!("{up}{to}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_place_in_the_book_or_become_text() {
        let tree = Tree::from([
            (SUMMARY, "[R](../README.md)\n- [A](a.md)\n- [S](sub/s.md)\n"),
            (
                "README.md",
                "[A](docs/a.md#x) ![P](docs/p.svg) [L](LICENSE) [C](docs/SUMMARY.md)\n",
            ),
            (
                "docs/a.md",
                "[R](../README.md) [code](../crates/x.rs) [out](https://x.y) [h](#h)\n",
            ),
            ("docs/p.svg", "<svg/>"),
            ("docs/sub/s.md", "[A](../a.md)\n"),
        ]);
        let places = places(&tree);
        let page = |path: &str| rewritten(path, tree.text(path).expect("there"), &places);
        assert_eq!(page("README.md"), "[A](a.md#x) ![P](p.svg) L C\n");
        assert_eq!(
            page("docs/a.md"),
            "[R](index.md) code [out](https://x.y) [h](#h)\n"
        );
        assert_eq!(page("docs/sub/s.md"), "[A](../a.md)\n");
        assert_eq!(
            page(SUMMARY),
            "[R](index.md)\n- [A](a.md)\n- [S](sub/s.md)\n"
        );
    }
}
