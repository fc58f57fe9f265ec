//! Builds the page, checks it and tests it in a real browser.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::passes;
use crate::{files, programs};

/// Older ones cannot run the build tools.
const OLDEST_NODE: u32 = 20;

/// Names under which distributions install Chromium. The first is the engine without the windows of a desktop: the same pages
/// for half of the processor time.
const CHROMIUM: [&str; 4] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
];

/// `cargo xtask web` with the arguments after `web`.
pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    let root = files::root()?;
    match args {
        [] => check(&root),
        ["--build"] => {
            install(&root.join("web"))?;
            npm(&root.join("web"), &["run", "build"])
        }
        _ => Err(format!("web: unknown argument `{}`", args[0])),
    }
}

/// The checks of continuous integration for the page.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let web = root.join("web");
    install(&web)?;
    build_unchanged(&web)?;
    npm(&web, &["run", "check"])?;
    npm(&web, &["test"])?;
    let geometry = web.join("geometry");
    if geometry.join("package.json").is_file() {
        install(&geometry)?;
        npm(&geometry, &["test"])?;
    }
    try_out(root, &web)
}

/// Builds the page and compares it with the committed one, which the program embeds.
fn build_unchanged(web: &Path) -> Result<(), String> {
    let committed = contents(&web.join("dist"))?;
    npm(web, &["run", "build"])?;
    let built = contents(&web.join("dist"))?;
    match first_difference(&committed, &built) {
        None => Ok(()),
        Some(name) => Err(format!(
            "web/dist is not what its source builds (first difference: {name}); it has been built anew, commit it"
        )),
    }
}

/// Plays whole games in a browser against the debug build of the program.
fn try_out(root: &Path, web: &Path) -> Result<(), String> {
    let browser = chromium()?;
    // With the features of the whole workspace, as the tests are built: nothing is compiled twice.
    let build = ["build", "--workspace", "--bin", "hegemon"];
    crate::ci::cargo(root, &crate::ci::with_all(&build), &[])?;
    passes(
        Command::new("npm")
            .args(["run", "e2e"])
            .current_dir(web)
            .env("HEGEMON_BIN", files::target(root).join("debug/hegemon"))
            .env("CHROMIUM", browser),
        "npm run e2e",
    )
}

/// Node and the packages of the lock file.
fn install(folder: &Path) -> Result<(), String> {
    node()?;
    let (lock, installed) = (
        folder.join("package-lock.json"),
        folder.join("node_modules/.package-lock.json"),
    );
    if is_newer(&installed, &lock) {
        return Ok(());
    }
    // Not `npm ci`: it requires the optional packages of every platform in the lock file, including
    // those that a registry lacks. This installs the locked versions and does not change the lock
    // file.
    npm(folder, &["install", "--no-save", "--no-audit", "--no-fund"])
}

fn node() -> Result<(), String> {
    if version("node").is_none() || version("npm").is_none() {
        programs::install(&["nodejs", "npm"], "Node and npm are needed for the page")?;
    }
    let found = version("node").ok_or("node was installed but does not run")?;
    match major(&found) {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => Err(format!(
            "node {found} is too old for the page's tools; install version {OLDEST_NODE} or later"
        )),
    }
}

/// The path of a Chromium, installed if possible.
fn chromium() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return Ok(path.into());
    }
    let find = || CHROMIUM.iter().find_map(|name| programs::on_path(name));
    if let Some(path) = find() {
        return Ok(path);
    }
    let install = |name| {
        let packages = [name, "fonts-dejavu-core"];
        programs::install(&packages, "Chromium is needed to try the page out")
    };
    // Older systems have only the whole browser.
    install(CHROMIUM[0]).or_else(|_| install(CHROMIUM[1]))?;
    find().ok_or_else(|| "chromium was installed but is not on the path".to_owned())
}

fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// `v20.20.2` is 20.
fn major(version: &str) -> Option<u32> {
    version
        .trim_start_matches('v')
        .split('.')
        .next()?
        .parse()
        .ok()
}

fn is_newer(path: &Path, other: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    matches!((modified(path), modified(other)), (Some(a), Some(b)) if a >= b)
}

fn npm(folder: &Path, args: &[&str]) -> Result<(), String> {
    let line = format!("npm {}", args.join(" "));
    passes(Command::new("npm").args(args).current_dir(folder), &line)
}

/// Every file below a folder by its name; none if there is no folder.
fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else {
            continue;
        };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let bytes =
                std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path);
            found.insert(name.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(found)
}

/// The first name whose content differs or that only one side has.
fn first_difference<'a>(
    left: &'a BTreeMap<String, Vec<u8>>,
    right: &'a BTreeMap<String, Vec<u8>>,
) -> Option<&'a str> {
    let mut names: Vec<&String> = left.keys().chain(right.keys()).collect();
    names.sort();
    names
        .into_iter()
        .find(|name| left.get(*name) != right.get(*name))
        .map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
        files.iter().map(own).collect()
    }

    #[test]
    fn a_difference_is_a_changed_a_new_or_a_missing_file() {
        let committed = folder(&[("a", "1"), ("b", "2")]);
        assert_eq!(first_difference(&committed, &committed), None);
        for (built, name) in [
            (folder(&[("a", "1"), ("b", "3")]), "b"),
            (folder(&[("a", "1"), ("b", "2"), ("c", "")]), "c"),
            (folder(&[("b", "2")]), "a"),
        ] {
            assert_eq!(first_difference(&committed, &built), Some(name));
        }
    }

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("nonsense"), None);
    }

    #[test]
    fn an_unknown_argument_is_refused() {
        assert_eq!(
            run(&["--fast"]).unwrap_err(),
            "web: unknown argument `--fast`"
        );
    }
}
