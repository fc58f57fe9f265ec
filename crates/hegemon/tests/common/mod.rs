//! The program as a process, in its own folder.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Child;
use std::process::Command;

pub(crate) fn hegemon(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hegemon"));
    command.args(arguments).current_dir(folder);
    command
}

pub(crate) fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = hegemon(folder, arguments)
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command that must fail with one sentence that has these words.
pub(crate) fn refused(folder: &Path, line: &str, words: &str) {
    let arguments: Vec<&str> = line.split(' ').collect();
    let output = hegemon(folder, &arguments).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{line}");
    assert!(errors.contains(words), "{line}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{line}: {errors}");
    let is_steering = |c: char| c.is_control() && c != '\n';
    assert!(!errors.contains(is_steering), "{line}: {errors:?}");
    assert!(!errors.contains("panicked"), "{line}: {errors}");
}

/// Runs a command that must succeed; what it printed.
pub(crate) fn run(folder: &Path, line: &str) -> String {
    succeed(folder, &line.split(' ').collect::<Vec<_>>())
}

/// A folder that is removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hegemon-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("writable");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Sends a signal to the program.
#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.expect("a kill command").success());
}
