//! What can be wrong with a record.

use thiserror::Error;

/// A record that cannot be used, and the faulty line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: RecordFault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
#[non_exhaustive]
pub enum RecordFault {
    #[error("this is not a hegemon record")]
    NotARecord,
    #[error("the record is empty")]
    Empty,
    #[error("the record has format {found}; this program reads up to {known}")]
    FutureVersion { found: u32, known: u32 },
    #[error("the header cannot be read: {0}")]
    Header(String),
    #[error("the map \"{0}\" is not known and not part of the record")]
    UnknownMap(String),
    #[error("the map \"{0}\" is not the one that was played on")]
    OtherMap(String),
    #[error("map, rules and players make no game: {0}")]
    Game(String),
    #[error("\"{0}\" is not an event")]
    BadEvent(String),
    #[error("{0} is not possible here")]
    IllegalEvent(String),
    #[error("the record goes on after the end")]
    AfterEnd,
    #[error("the record is cut off: it has no end")]
    Truncated,
    #[error("the end cannot be read: {0}")]
    BadEnd(String),
    #[error("this is not text")]
    NotText,
    #[error("the line was changed after it was written; its checksum differs")]
    Damaged,
    #[error("the seed gives {drawn}, the record says {claimed}")]
    OtherChance { claimed: String, drawn: String },
    #[error("the end says {claimed}, the replay {replayed}")]
    OtherEnd { claimed: String, replayed: String },
}

impl RecordFault {
    /// Attaches the line number.
    pub(crate) fn at(self, line: usize) -> RecordError {
        RecordError { line, fault: self }
    }
}
