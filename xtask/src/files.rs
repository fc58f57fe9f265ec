//! The files of the repository, read once and checked as plain values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Directories without source, skipped outside a git checkout.
const OUTPUT_DIRECTORIES: [&str; 4] = [".git", "target", "node_modules", "__pycache__"];

/// File path, relative to the root and with `/`, to its text; `None` for a file that is not UTF-8.
#[derive(Debug, Default)]
pub(crate) struct Tree(BTreeMap<String, Option<String>>);

impl Tree {
    /// Reads the files that git tracks or would track, or, outside a git checkout, all files.
    pub(crate) fn read(root: &Path) -> Result<Self, String> {
        let paths = match git_files(root) {
            Some(paths) => paths,
            None => walk(root)?,
        };
        let mut files = BTreeMap::new();
        for path in paths {
            let full = root.join(&path);
            // A deleted but unstaged file is still in git's list.
            if !full.is_file() {
                continue;
            }
            let bytes = std::fs::read(&full).map_err(|e| format!("cannot read {path}: {e}"))?;
            files.insert(path, String::from_utf8(bytes).ok());
        }
        Ok(Self(files))
    }

    /// All paths, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// All text files, sorted by path.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path)?.as_deref()
    }

    /// Directory, manifest path and manifest text of every package: `crates/*` and `xtask`.
    pub(crate) fn packages(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.texts().filter_map(|(path, text)| {
            let directory = path.strip_suffix("/Cargo.toml")?;
            let in_crates = directory
                .strip_prefix("crates/")
                .is_some_and(|d| !d.contains('/'));
            (in_crates || directory == "xtask").then_some((directory, path, text))
        })
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Tree {
    fn from(files: [(&str, &str); N]) -> Self {
        Self(
            files
                .into_iter()
                .map(|(p, t)| (p.to_owned(), Some(t.to_owned())))
                .collect(),
        )
    }
}

/// The nearest directory, from the current one upwards, that holds `xtask` and `crates`.
pub(crate) fn root() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|e| format!("no current directory: {e}"))?;
    here.ancestors()
        .find(|dir| dir.join("xtask/Cargo.toml").is_file() && dir.join("crates").is_dir())
        .map(Path::to_path_buf)
        .ok_or_else(|| format!("{} is not inside the repository", here.display()))
}

/// Cargo's target folder.
pub(crate) fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A page with another table between two marks, a blank line around it.
pub(crate) fn between_marks(page: &str, marks: [&str; 2], table: &str) -> Option<String> {
    let (head, rest) = page.split_once(marks[0])?;
    let (_, tail) = rest.split_once(marks[1])?;
    Some([head, marks[0], "\n", table, "\n", marks[1], tail].concat())
}

/// Writes a text, and makes the folder for it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    parent(path)?;
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Copies a file, and makes the folder for it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    parent(to)?;
    std::fs::copy(from, to)
        .map(|_| ())
        .map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

fn parent(path: &Path) -> Result<(), String> {
    let folder = path.parent().expect("below a folder");
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn git_files(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .ok()?;
    if !output.status.success() {
        return None;
    }
    let list = String::from_utf8(output.stdout).ok()?;
    Some(list.split_terminator('\0').map(str::to_owned).collect())
}

fn walk(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(directory) = pending.pop() {
        let fail = |e: std::io::Error| format!("cannot list `{directory}`: {e}");
        for entry in std::fs::read_dir(root.join(&directory)).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_directory = entry.file_type().map_err(fail)?.is_dir();
            let path = if directory.is_empty() {
                name.clone()
            } else {
                format!("{directory}/{name}")
            };
            if !is_directory {
                found.push(path);
            } else if !OUTPUT_DIRECTORIES.contains(&name.as_str()) {
                pending.push(path);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_git_the_walk_finds_sources_and_skips_outputs() {
        let root = std::env::temp_dir().join(format!("xtask-walk-{}", std::process::id()));
        for file in [
            "a.rs",
            "deep/er/b.md",
            "target/debug/c",
            "web/node_modules/d.js",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let mut found = walk(&root).unwrap();
        found.sort();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(found, ["a.rs", "deep/er/b.md"]);
    }

    #[test]
    fn packages_are_the_direct_children_of_crates_and_xtask() {
        let tree = Tree::from([
            ("Cargo.toml", ""),
            ("crates/one/Cargo.toml", "1"),
            ("crates/one/fixtures/Cargo.toml", "2"),
            ("fuzz/Cargo.toml", "3"),
            ("xtask/Cargo.toml", "4"),
        ]);
        let directories: Vec<&str> = tree.packages().map(|(directory, ..)| directory).collect();
        assert_eq!(directories, ["crates/one", "xtask"]);
    }
}
