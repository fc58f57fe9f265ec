//! Rules of the repository that no compiler checks.
//!
//! Words that are forbidden everywhere are spelled in two halves here, so that this file passes.

use crate::fault::Fault;
use crate::files::Tree;
use crate::manifest;

mod book;
mod citations;
mod fault_rows;
mod phrases;
#[cfg(test)]
mod tests;
mod type_names;

pub(crate) use book::SUMMARY;

const MAX_LINES: usize = 800;

/// Source files that may be longer than [`MAX_LINES`], each with the reason.
const LONG_FILES: [(&str, &str); 0] = [];

/// The head of a generated file, which may have any length.
const GENERATED: &str = concat!("Written by `cargo xtask ", "generate`");

const SOURCE_EXTENSIONS: [&str; 5] = ["rs", "py", "ts", "svelte", "js"];

/// Macros that mark unfinished work or a forgotten print.
const LEFTOVERS: [&str; 3] = [
    concat!("to", "do!"),
    concat!("db", "g!"),
    concat!("unimple", "mented!"),
];

const BARE_IGNORE: &str = concat!("#[ig", "nore]");

/// Places that exist on one machine only.
const MACHINE_PATHS: [&str; 3] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
];

/// Settings that name a package registry; that belongs to the machine's configuration.
const REGISTRY_SETTINGS: [&str; 7] = [
    concat!("replace", "-with"),
    concat!("[sou", "rce."),
    concat!("[regi", "stries"),
    concat!("index", "-url"),
    concat!("registry", "=http"),
    concat!("sparse", "+http"),
    concat!("\"resolved\": \"", "http"),
];

/// Cargo writes a registry as `registry+ADDRESS`; the public index stands for "the default".
const LOCKED_REGISTRY: &str = concat!("registry", "+http");
const PUBLIC_INDEX: &str = concat!("registry", "+https://github.com/rust-lang/crates.io-index");

/// The commands that the README promises: the main job and all tests.
const README_COMMANDS: [&str; 2] = ["cargo run --release", "cargo xtask ci"];

/// Modules that reach outside the process. Grouped imports are rejected because they hide names.
const OUTSIDE: [&str; 5] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "use std::{",
];

/// Crates without input or output: callers pass in what they need.
const SEALED_CRATES: [&str; 4] = [
    "crates/hegemon-core/src/",
    "crates/hegemon-eval/src/",
    "crates/hegemon-search/src/",
    "crates/hegemon-bots/src/",
];

/// Unmaintained packages that were removed once.
const UNMAINTAINED: [&str; 2] = ["atomic-polyfill", "paste"];

/// Every fault of the tree, sorted by place.
pub(crate) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for path in tree.paths() {
        faults.extend(stray_name(path));
    }
    for (path, text) in tree.texts() {
        faults.extend(length(path, text));
        for (line, content) in (1..).zip(text.split_terminator('\n')) {
            let sentences = [
                leftover(path, content),
                blanks(path, content),
                machine_path(content),
                registry(content),
                outside(path, content),
                unmaintained(path, content),
            ];
            faults.extend(
                sentences
                    .into_iter()
                    .flatten()
                    .map(|s| Fault::new(path, line, s)),
            );
        }
    }
    for (path, _) in LONG_FILES {
        if !tree.paths().any(|p| p == path) {
            faults.push(Fault::new(
                path,
                1,
                "a listed exception to the file length does not exist",
            ));
        }
    }
    for (directory, path, text) in tree.packages() {
        faults.extend(package(tree, directory, path, text));
    }
    faults.extend(book::check(tree));
    faults.extend(citations::check(tree));
    faults.extend(citation_file(tree));
    faults.extend(fault_rows::check(tree));
    faults.extend(phrases::check(tree));
    faults.extend(type_names::check(tree));
    faults.extend(crate::walk::check(tree));
    faults.extend(readme(tree.text("README.md").unwrap_or_default()));
    faults.sort();
    faults
}

fn stray_name(path: &str) -> Option<Fault> {
    let is_stray = |name: &str| {
        name.starts_with("old_")
            || name.starts_with("tmp")
            || [".orig", ".bak", ".rej", "~"]
                .iter()
                .any(|end| name.ends_with(end))
    };
    let name = path.split('/').find(|name| is_stray(name))?;
    Some(Fault::new(
        path,
        1,
        format!("`{name}` is the name of a leftover; delete or rename it"),
    ))
}

fn length(path: &str, text: &str) -> Option<Fault> {
    let n_lines = text.lines().count();
    let is_listed = LONG_FILES.iter().any(|(listed, _)| *listed == path);
    let sentence = match (n_lines > MAX_LINES, is_listed) {
        (true, false) if SOURCE_EXTENSIONS.contains(&extension(path)) && !is_generated(text) => {
            format!("{n_lines} lines, more than {MAX_LINES}; split it by idea")
        }
        (false, true) => "no longer too long; take it off the list of exceptions".to_owned(),
        _ => return None,
    };
    Some(Fault::new(path, 1, sentence))
}

fn is_generated(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains(GENERATED))
}

fn leftover(path: &str, line: &str) -> Option<String> {
    if extension(path) != "rs" {
        return None;
    }
    if line.contains(BARE_IGNORE) {
        return Some("an ignored test states its reason: `#[ignore = \"...\"]`".to_owned());
    }
    let word = LEFTOVERS.into_iter().find(|word| {
        line.match_indices(word)
            .any(|(at, _)| !line[..at].ends_with(is_identifier_character))
    })?;
    Some(format!("`{word}` is left over"))
}

fn blanks(path: &str, line: &str) -> Option<String> {
    if !["md", "rs"].contains(&extension(path)) {
        return None;
    }
    if line.contains('\t') {
        return Some("a tab; use spaces".to_owned());
    }
    line.ends_with(char::is_whitespace)
        .then(|| "white space at the end of the line".to_owned())
}

fn machine_path(line: &str) -> Option<String> {
    let found = MACHINE_PATHS.into_iter().find(|place| {
        // `a/home/b` is a relative path or the path of an address, not a place on this machine.
        let is_inner = |c: char| is_identifier_character(c) || ".-~})".contains(c);
        line.match_indices(place)
            .any(|(at, _)| !line[..at].ends_with(is_inner))
    })?;
    Some(format!(
        "`{found}` exists on one machine only; use a relative path"
    ))
}

fn registry(line: &str) -> Option<String> {
    let is_foreign_lock = line.contains(LOCKED_REGISTRY) && !line.contains(PUBLIC_INDEX);
    (is_foreign_lock
        || REGISTRY_SETTINGS
            .iter()
            .any(|setting| line.contains(setting)))
    .then(|| "names a package registry; that belongs to the machine's own settings".to_owned())
}

fn outside(path: &str, line: &str) -> Option<String> {
    let sealed = SEALED_CRATES
        .into_iter()
        .find(|source| path.starts_with(source))?;
    let inner = &path[sealed.len()..];
    if inner
        .split('/')
        .any(|part| part == "tests" || part == "tests.rs")
    {
        return None;
    }
    let found = OUTSIDE.into_iter().find(|module| line.contains(module))?;
    let name = sealed.trim_start_matches("crates/");
    let name = name.trim_end_matches("/src/");
    Some(format!(
        "`{found}` in {name}, which does no input or output"
    ))
}

fn unmaintained(path: &str, line: &str) -> Option<String> {
    let name = line.strip_prefix("name = \"")?.strip_suffix('"')?;
    (path == "Cargo.lock" && UNMAINTAINED.contains(&name)).then(|| {
        format!("`{name}` is not maintained; find out with `cargo tree -i {name}` who uses it")
    })
}

fn package(tree: &Tree, directory: &str, path: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let expected = directory.rsplit('/').next().unwrap_or(directory);
    match manifest::string(text, "package", "name") {
        Some((name, line)) if name != expected => {
            let sentence = format!("package `{name}` lives in a directory named `{expected}`");
            faults.push(Fault::new(path, line, sentence));
        }
        Some(_) => {}
        None => faults.push(Fault::new(path, 1, "the package has no name")),
    }
    if manifest::string(text, "package", "description").is_none_or(|(d, _)| d.is_empty()) {
        faults.push(Fault::new(path, 1, "the package has no description"));
    }
    if !manifest::is_true(text, "lints", "workspace") {
        faults.push(Fault::new(
            path,
            1,
            "the package does not inherit the lints of the workspace",
        ));
    }
    let mut has_root = false;
    for file in ["lib.rs", "main.rs"] {
        let file = format!("{directory}/src/{file}");
        if let Some(source) = tree.text(&file) {
            has_root = true;
            if !source.starts_with("//!") {
                faults.push(Fault::new(
                    &file,
                    1,
                    "the crate does not begin with `//!` documentation",
                ));
            }
        }
    }
    if !has_root {
        faults.push(Fault::new(
            path,
            1,
            "the package has neither `src/lib.rs` nor `src/main.rs`",
        ));
    }
    faults
}

/// `CITATION.cff` names the version of the workspace.
fn citation_file(tree: &Tree) -> Option<Fault> {
    const PATH: &str = "CITATION.cff";
    let (version, _) = manifest::string(tree.text("Cargo.toml")?, "workspace.package", "version")?;
    let lines = tree.text(PATH)?.lines();
    let cited = (1..)
        .zip(lines)
        .find_map(|(line, content)| Some((line, content.strip_prefix("version:")?.trim())));
    match cited {
        Some((_, cited)) if cited == version => None,
        Some((line, cited)) => {
            let sentence = format!("version {cited} is cited, the workspace has {version}");
            Some(Fault::new(PATH, line, sentence))
        }
        None => Some(Fault::new(PATH, 1, "names no version")),
    }
}

fn readme(text: &str) -> Vec<Fault> {
    README_COMMANDS
        .iter()
        .filter(|command| !text.contains(*command))
        .map(|command| Fault::new("README.md", 1, format!("does not show `{command}`")))
        .collect()
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// A line joined with the one after it: a line break may separate the words of a phrase.
struct JoinedLine {
    number: usize,
    /// In lower case, without the marks of a comment at the break.
    text: String,
    /// Where the first line ends in the text.
    end: usize,
}

impl JoinedLine {
    /// Where these words stand, if they begin on the first line.
    fn starts<'a>(&'a self, words: &'a str) -> impl Iterator<Item = usize> + 'a {
        let places = self.text.match_indices(words).map(|(at, _)| at);
        places.take_while(|&at| at < self.end)
    }
}

fn joined_lines(text: &str) -> impl Iterator<Item = JoinedLine> + '_ {
    let next_lines = text.lines().skip(1).chain([""]);
    let pairs = text.lines().zip(next_lines);
    (1..).zip(pairs).map(|(number, (line, next))| {
        let first = line.trim_end().to_lowercase();
        let marks = ['/', '!', '#', '*'];
        let second = next.trim_start().trim_start_matches(marks).trim_start();
        JoinedLine {
            number,
            end: first.len(),
            text: format!("{first} {}", second.to_lowercase()),
        }
    })
}

fn is_identifier_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
