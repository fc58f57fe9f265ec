//! Weights are named by a shipped name or a file path. This crate opens no
//! files: the caller passes a function that reads a path.

/// Reads the text of the file at a path, or returns the reason it cannot.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Whether a name of weights is a file path: it contains a slash or ends in
/// `.toml`.
pub fn is_weights_path(name: &str) -> bool {
    name.contains(['/', '\\'])
        || std::path::Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "toml")
}

/// The text of the file, or `None` if the name is not a path.
pub(crate) fn read(name_or_path: &str, read: ReadFile<'_>) -> Option<Result<String, String>> {
    is_weights_path(name_or_path).then(|| read(name_or_path))
}

/// The program named for a file that does not name one.
pub fn before_provenance() -> String {
    "made before provenance".to_owned()
}
