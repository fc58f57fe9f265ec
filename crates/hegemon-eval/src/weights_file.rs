//! Weights are named by a shipped name or by the path of a file.

use std::io;
use std::path::Path;

/// The text of the file, or `None` if the word is no path: a path has a slash in
/// it or ends in `.toml`.
pub(crate) fn read(name_or_path: &str) -> Option<io::Result<String>> {
    let path = Path::new(name_or_path);
    let is_path = name_or_path.contains('/') || path.extension().is_some_and(|e| e == "toml");
    is_path.then(|| std::fs::read_to_string(path))
}
