//! One broken rule at one place.

use std::fmt;

/// Prints as `path:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    path: String,
    line: usize,
    sentence: String,
}

impl Fault {
    /// `line` counts from 1; a fault of a whole file is at line 1.
    pub(crate) fn new(path: &str, line: usize, sentence: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            sentence: sentence.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.sentence)
    }
}
