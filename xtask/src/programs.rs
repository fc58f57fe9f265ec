//! Programs that a step needs: found, installed where Debian's package manager may be used, and run.

use std::path::{Path, PathBuf};
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

/// What the compiler in use says of itself.
pub(crate) struct Compiler {
    pub(crate) host: String,
    /// The major version of its LLVM.
    pub(crate) llvm: String,
    /// The folder of the libraries of all its targets.
    pub(crate) libraries: PathBuf,
}

impl Compiler {
    /// None if it does not run.
    pub(crate) fn in_use() -> Option<Compiler> {
        let ask = |args: &[&str]| {
            let said = Command::new("rustc").args(args).output().ok()?;
            String::from_utf8(said.stdout).ok()
        };
        let version = ask(&["-vV"])?;
        let line = |key| version.lines().find_map(|line| line.strip_prefix(key));
        let sysroot = ask(&["--print", "sysroot"])?;
        Some(Compiler {
            host: line("host: ")?.to_owned(),
            llvm: line("LLVM version: ")?.split('.').next()?.to_owned(),
            libraries: Path::new(sysroot.trim()).join("lib/rustlib"),
        })
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
