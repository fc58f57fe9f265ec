//! The documents quote the lab only from the summary of its store.

use std::fs;
use std::path::{Path, PathBuf};

use hegemon_lab::Summaries;

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
