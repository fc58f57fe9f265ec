//! Weights are named by a shipped name or by the path of a file. This crate
//! opens no file: whoever loads weights says how a path is read.

/// Reads the text of the file with a path, or says why not.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Whether a name of weights is the path of a file: it has a slash in it or ends
/// in `.toml`.
pub fn is_weights_path(name: &str) -> bool {
    name.contains(['/', '\\'])
        || std::path::Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "toml")
}

/// The text of the file, or `None` if the word is no path.
pub(crate) fn read(name_or_path: &str, read: ReadFile<'_>) -> Option<Result<String, String>> {
    is_weights_path(name_or_path).then(|| read(name_or_path))
}

/// What a file says of its program that does not name it.
pub fn before_provenance() -> String {
    "made before provenance".to_owned()
}
