//! A line of a game's log: an event of the game, or a note beside it.

use std::fmt;
use std::str::FromStr;

use hegemon_core::{Event, Move};

/// What the log of a game holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogEntry {
    /// A move or an outcome.
    Event(Event),
    /// A move that a bot made for a person.
    StandIn(Move),
    /// Something about a seat that is not part of the game.
    Note {
        seat: usize,
        /// The sentence.
        text: String,
    },
}

impl LogEntry {
    /// What happened in the game; none for a note.
    pub(crate) fn event(&self) -> Option<Event> {
        match self {
            LogEntry::Event(event) => Some(*event),
            LogEntry::StandIn(mv) => Some(Event::Move(*mv)),
            LogEntry::Note { .. } => None,
        }
    }
}

/// Notation of an event, `~MOVE` of a stand-in, or `!SEAT SENTENCE`. Has no line break.
impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogEntry::Event(event) => event.fmt(f),
            LogEntry::StandIn(mv) => write!(f, "~{mv}"),
            LogEntry::Note { seat, text } => write!(f, "!{seat} {}", text.replace('\n', " ")),
        }
    }
}

/// The text is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an entry of a game's log")]
pub(crate) struct EntryError(String);

impl FromStr for LogEntry {
    type Err = EntryError;

    fn from_str(text: &str) -> Result<LogEntry, EntryError> {
        let wrong = || EntryError(text.to_owned());
        if let Some(note) = text.strip_prefix('!') {
            let (seat, text) = note.split_once(' ').ok_or_else(wrong)?;
            let seat = seat.parse().map_err(|_| wrong())?;
            let text = text.to_owned();
            return Ok(LogEntry::Note { seat, text });
        }
        if let Some(mv) = text.strip_prefix('~') {
            return mv.parse().map(LogEntry::StandIn).map_err(|_| wrong());
        }
        text.parse().map(LogEntry::Event).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in [
            "a4>9x3",
            "B1:1",
            "end",
            "~a4>9x3",
            "F2",
            "!3 Bo took too long.",
        ] {
            assert_eq!(text.parse::<LogEntry>().expect(text).to_string(), text);
        }
        for text in ["", "!", "!x y", "~", "~B1:1", "nonsense", "Z9"] {
            assert!(text.parse::<LogEntry>().is_err(), "{text:?}");
        }
    }
}
