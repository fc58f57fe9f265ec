//! Programs that a step needs: found, installed where Debian's package manager may be used, and run.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Installs packages if permitted; otherwise explains what to do.
pub(crate) fn install(packages: &[&str], why: &str) -> Result<(), String> {
    let list = packages.join(" ");
    if on_path("apt-get").is_none() || !is_root() {
        return Err(format!(
            "{why}: install {list} (Debian: `apt-get install {list}` as root)"
        ));
    }
    println!("{why}; installing {list}");
    let quiet = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null());
        passes(&mut command, &format!("apt-get {}", args.join(" ")))
    };
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    // The package lists of a fresh machine may be empty or old.
    quiet(&install).or_else(|_| quiet(&["update"]).and_then(|()| quiet(&install)))
}

/// Runs a command with its output passed through.
pub(crate) fn passes(command: &mut Command, line: &str) -> Result<(), String> {
    let status = command
        .status()
        .map_err(|e| format!("cannot start `{line}`: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{line}` ended with {status}"))
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Where the system finds a program.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}
