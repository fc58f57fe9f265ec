//! The program as a process, in a folder of its own.

use std::path::{Path, PathBuf};
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
