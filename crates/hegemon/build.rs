//! Records the commit that the program or the Python package is built from, for
//! these two crates alone. A build outside git has none.

use std::path::Path;
use std::process::Command;

/// The sources that affect play; the version mentions uncommitted changes here.
const SOURCES: [&str; 4] = ["crates", "maps", "Cargo.toml", "Cargo.lock"];

fn main() {
    println!("cargo::rerun-if-changed=Cargo.toml");
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=HEGEMON_COMMIT={commit}");
    }
}

fn commit() -> Option<String> {
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        watch(Path::new(&path));
    }
    // Inside an unrelated repository this file is not tracked.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let root = git(&["rev-parse", "--show-toplevel"])?;
    for name in SOURCES {
        watch(&Path::new(&root).join(name));
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = SOURCES.map(|name| format!(":/{name}"));
    let status = ["status", "--porcelain", "--"].into_iter();
    let status: Vec<&str> = status.chain(changes.iter().map(String::as_str)).collect();
    let is_clean = git(&status)?.is_empty();
    Some(if is_clean {
        commit
    } else {
        format!("{commit} with changes")
    })
}

/// Watching a missing file would force a rebuild every time.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
