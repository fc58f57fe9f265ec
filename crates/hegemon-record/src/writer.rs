//! Writing a record while a game is played.

use std::io::{self, Write};

use hegemon_core::{Move, Outcome, PlayerId, State};

use crate::header::{FORMAT_VERSION, Header};
use crate::reader::{End, Event};

/// Writes a record event by event; what was written is readable at any moment.
#[derive(Debug)]
pub struct RecordWriter<W: Write> {
    sink: W,
    /// Whose turn the line so far belongs to.
    turn: Option<(PlayerId, u32)>,
}

impl<W: Write> RecordWriter<W> {
    /// Begins a record.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn new(mut sink: W, header: &Header) -> io::Result<Self> {
        let header = serde_json::to_string(header)?;
        writeln!(sink, "hegemon-record {FORMAT_VERSION}")?;
        write!(sink, "{header}")?;
        Ok(RecordWriter { sink, turn: None })
    }

    /// Writes a move made in this state.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn play(&mut self, before: &State, mv: Move) -> io::Result<()> {
        self.event(before, Event::Move(mv))
    }

    /// Writes an outcome that came in this state.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn resolve(&mut self, before: &State, outcome: Outcome) -> io::Result<()> {
        self.event(before, Event::Outcome(outcome))
    }

    fn event(&mut self, before: &State, event: Event) -> io::Result<()> {
        let turn = Some((before.player(), before.round()));
        let setup = before.round() == 0 && self.turn.is_some_and(|(_, round)| round == 0);
        let separator = if self.turn == turn || setup {
            ' '
        } else {
            '\n'
        };
        self.turn = turn;
        write!(self.sink, "{separator}{event}")
    }

    /// Writes the end and gives the sink back.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn finish(mut self, end: &End) -> io::Result<W> {
        write!(self.sink, "\n{end}\n")?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}
