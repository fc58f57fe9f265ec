//! A minimal `Cargo.toml` reader for the checks, line by line so that faults have line numbers.

/// A `key = value` line with its table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) table: &'a str,
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
    pub(crate) line: usize,
}

/// A dependency as the manifest names it, by package and not by local name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dependency<'a> {
    pub(crate) package: &'a str,
    /// Used by tests, examples and benches only.
    pub(crate) is_dev: bool,
    pub(crate) line: usize,
}

/// All entries in file order; a table header with no entry is not seen.
pub(crate) fn entries(text: &str) -> impl Iterator<Item = Entry<'_>> {
    let mut table = "";
    (1..).zip(text.lines()).filter_map(move |(line, raw)| {
        let content = raw.trim();
        if content.starts_with('#') {
            return None;
        }
        if let Some(header) = content.strip_prefix('[') {
            table = header.split(']').next().unwrap_or_default().trim();
            return None;
        }
        let (key, value) = content.split_once('=')?;
        Some(Entry {
            table,
            key: key.trim().trim_matches('"'),
            value: value.trim(),
            line,
        })
    })
}

/// The string value of `key` in `table`, and its line.
pub(crate) fn string<'a>(text: &'a str, table: &str, key: &str) -> Option<(&'a str, usize)> {
    let entry = entries(text).find(|e| e.table == table && e.key == key)?;
    Some((quoted(entry.value)?, entry.line))
}

/// Whether `key` is `true` in `table`, written in either of TOML's two ways.
pub(crate) fn is_true(text: &str, table: &str, key: &str) -> bool {
    let dotted = format!("{table}.{key}");
    entries(text).any(|e| {
        let here = (e.table == table && e.key == key) || (e.table.is_empty() && e.key == dotted);
        here && e.value.starts_with("true")
    })
}

/// All dependencies of every kind: normal, build, dev, and those of one target.
pub(crate) fn dependencies(text: &str) -> Vec<Dependency<'_>> {
    let mut found: Vec<Dependency<'_>> = Vec::new();
    let mut open_table = "";
    for entry in entries(text) {
        let (kind, own_table) = match entry.table.rsplit_once("dependencies.") {
            Some((kind, name)) => (kind, Some(name)),
            None => match entry.table.strip_suffix("dependencies") {
                Some(kind) => (kind, None),
                None => continue,
            },
        };
        let is_dev = kind.ends_with("dev-");
        let renamed = match own_table {
            Some(_) => (entry.key == "package")
                .then(|| quoted(entry.value))
                .flatten(),
            None => entry
                .value
                .split_once("package")
                .and_then(|(_, rest)| quoted(rest)),
        };
        if let Some(name) = own_table {
            if open_table == entry.table {
                if let (Some(package), Some(last)) = (renamed, found.last_mut()) {
                    last.package = package;
                }
                continue;
            }
            open_table = entry.table;
            let package = renamed.unwrap_or(name.trim_matches('"'));
            found.push(Dependency {
                package,
                is_dev,
                line: entry.line,
            });
        } else {
            let name = entry
                .key
                .split('.')
                .next()
                .unwrap_or(entry.key)
                .trim_matches('"');
            found.push(Dependency {
                package: renamed.unwrap_or(name),
                is_dev,
                line: entry.line,
            });
        }
    }
    found
}

/// The first text between double quotes.
fn quoted(value: &str) -> Option<&str> {
    value.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(&str, bool, usize)> {
        dependencies(text)
            .iter()
            .map(|d| (d.package, d.is_dev, d.line))
            .collect()
    }

    #[test]
    fn every_way_to_write_a_dependency_is_seen() {
        let text = r#"
[package]
name = "x"
[dependencies]
a.workspace = true
b = { path = "../b" }
"c" = "1"
local = { version = "1", package = "d" }
# e = "1"
[dependencies.f]
version = "1"
features = ["g"]
[dependencies.local-h]
version = "1"
package = "h"
[target.'cfg(unix)'.dependencies]
i = "1"
[build-dependencies]
j = "1"
[dev-dependencies]
k = "1"
[dev-dependencies.l]
version = "1"
[features]
m = []
"#;
        let expected = [
            ("a", false, 5),
            ("b", false, 6),
            ("c", false, 7),
            ("d", false, 8),
            ("f", false, 11),
            ("h", false, 14),
            ("i", false, 17),
            ("j", false, 19),
            ("k", true, 21),
            ("l", true, 23),
        ];
        assert_eq!(names(text), expected);
    }

    #[test]
    fn strings_are_found_in_their_own_table_only() {
        let text = "[other]\nname = \"no\"\n[package]\nname = \"yes\" # comment\n";
        assert_eq!(string(text, "package", "name"), Some(("yes", 4)));
        assert_eq!(string(text, "package", "description"), None);
    }

    #[test]
    fn a_true_key_may_be_dotted() {
        assert!(is_true("[lints]\nworkspace = true\n", "lints", "workspace"));
        assert!(is_true("lints.workspace = true\n", "lints", "workspace"));
        assert!(!is_true(
            "[lints]\nworkspace = false\n",
            "lints",
            "workspace"
        ));
        assert!(!is_true(
            "[package]\nworkspace = true\n",
            "lints",
            "workspace"
        ));
    }
}
