//! Crates that are ready for a registry: each package is complete by itself.
//!
//! Cargo builds a package only when it is verified, which takes minutes. That nothing is left out, and that no source
//! includes a file from elsewhere, is checked without.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::fault::Fault;
use crate::files::Tree;
use crate::{ci, manifest, report, workspace};

/// What every package has besides its own files.
const EXPECTED: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

const INCLUDES: [&str; 2] = ["include_str!(\"", "include_bytes!(\""];

/// `cargo xtask package`: packs the crates that say `publish = true`, and checks what is inside.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let tree = workspace()?;
    let crates: Vec<&str> = published(&tree).collect();
    let mut faults = Vec::new();
    for directory in &crates {
        let args = ["package", "--list", "--allow-dirty", "-p", name(directory)];
        let list = ci::cargo_output(root, &args, &[])?;
        faults.extend(left_out(&tree, directory, &list));
        faults.extend(foreign_includes(&tree, directory));
    }
    report("package", &faults)?;
    let mut args = vec![
        "package",
        "--quiet",
        "--allow-dirty",
        "--no-verify",
        "--offline",
    ];
    args.extend(crates.iter().flat_map(|directory| ["-p", name(directory)]));
    ci::cargo(root, &args, &[])
}

/// The folders of the crates to be published.
fn published(tree: &Tree) -> impl Iterator<Item = &str> {
    let packages = tree.packages();
    let published = packages.filter(|(_, _, text)| manifest::is_true(text, "package", "publish"));
    published.map(|(directory, ..)| directory)
}

/// A directory has the name of its package.
fn name(directory: &str) -> &str {
    directory.rsplit('/').next().unwrap_or(directory)
}

/// Files of the crate that its package lacks, by the list that cargo gives.
fn left_out(tree: &Tree, directory: &str, list: &str) -> Vec<Fault> {
    let packed: BTreeSet<&str> = list.lines().collect();
    let prefix = format!("{directory}/");
    let own = tree.paths().filter_map(|path| path.strip_prefix(&prefix));
    own.chain(EXPECTED)
        .filter(|file| !packed.contains(file))
        .map(|file| {
            let sentence = format!("the package has no {file}");
            Fault::new(&format!("{directory}/Cargo.toml"), 1, sentence)
        })
        .collect()
}

/// Sources that include a file from outside the crate's folder.
fn foreign_includes(tree: &Tree, directory: &str) -> Vec<Fault> {
    let prefix = format!("{directory}/");
    let mut faults = Vec::new();
    for (path, text) in tree.texts() {
        if !path.starts_with(&prefix) || !path.ends_with(".rs") {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            let included = INCLUDES.iter().find_map(|mark| line.split_once(mark));
            let file = included.and_then(|(_, rest)| rest.split('"').next());
            if let Some(file) = file
                && !target(path, file).starts_with(directory)
            {
                let sentence = format!("includes {file}, which is not in the package");
                faults.push(Fault::new(path, number, sentence));
            }
        }
    }
    faults
}

/// The path of a file that a source names relative to itself.
fn target(source: &str, file: &str) -> PathBuf {
    let mut path = PathBuf::from(source);
    path.pop();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        Tree::from([
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\npublish = true\n",
            ),
            ("crates/a/maps/m.json", "{}\n"),
            (
                "crates/a/src/b/c.rs",
                "const A: &str = include_str!(\"../../maps/m.json\");\n\
                 const B: &[u8] = include_bytes!(\"../../../d/m.json\");\n",
            ),
            (
                "crates/d/Cargo.toml",
                "[package]\nname = \"d\"\npublish.workspace = true\n",
            ),
            ("crates/d/m.json", "{}\n"),
        ])
    }

    #[test]
    fn only_what_says_so_is_published() {
        assert_eq!(published(&tree()).collect::<Vec<_>>(), ["crates/a"]);
    }

    #[test]
    fn a_file_that_a_package_lacks_is_named() {
        let whole = "Cargo.toml\nLICENSE-APACHE\nLICENSE-MIT\nREADME.md\nmaps/m.json\nsrc/b/c.rs\n";
        assert_eq!(left_out(&tree(), "crates/a", whole), []);
        let faults = left_out(&tree(), "crates/a", &whole.replace("maps/m.json\n", ""));
        let expected = "crates/a/Cargo.toml:1: the package has no maps/m.json";
        assert_eq!(
            faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [expected]
        );
    }

    #[test]
    fn a_source_includes_only_files_of_its_package() {
        let faults = foreign_includes(&tree(), "crates/a");
        let expected =
            "crates/a/src/b/c.rs:2: includes ../../../d/m.json, which is not in the package";
        assert_eq!(
            faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [expected]
        );
    }
}
