//! Writing a record while a game is played.

use std::io::{self, Write};

use hegemon_core::{Event, PlayerId, State};

use crate::end::RecordEnd;
use crate::header::{FORMAT_VERSION, Header};
use crate::sum::Sum;

/// Writes a record event by event; the partial record is always readable.
#[derive(Debug)]
pub struct RecordWriter<W: Write> {
    sink: W,
    /// The current line so far.
    line: String,
    sum: Sum,
    /// Player and round of the current line.
    turn: Option<(PlayerId, u32)>,
}

impl<W: Write> RecordWriter<W> {
    /// Begins a record.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn new(sink: W, header: &Header) -> io::Result<Self> {
        let mut writer = RecordWriter {
            sink,
            line: String::new(),
            sum: Sum::default(),
            turn: None,
        };
        writer.add(&format!("hegemon-record {FORMAT_VERSION}"))?;
        writer.end_line()?;
        writer.add(&serde_json::to_string(header)?)?;
        Ok(writer)
    }

    /// Writes a part of a line.
    fn add(&mut self, part: &str) -> io::Result<()> {
        self.line.push_str(part);
        self.sink.write_all(part.as_bytes())
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.sum.add(&self.line);
        self.line.clear();
        self.sink.write_all(b"\n")
    }

    /// Writes an event that happens in this state.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn event(&mut self, before: &State, event: Event) -> io::Result<()> {
        let turn = Some((before.player(), before.round()));
        let setup = before.round() == 0 && self.turn.is_some_and(|(_, round)| round == 0);
        if self.turn == turn || setup {
            self.add(" ")?;
        } else {
            self.end_line()?;
        }
        self.turn = turn;
        self.add(&event.to_string())
    }

    /// Writes the end and returns the sink.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn finish(mut self, end: &RecordEnd) -> io::Result<W> {
        self.end_line()?;
        self.add(&end.to_string())?;
        self.end_line()?;
        let sum = self.sum.line();
        self.add(&sum)?;
        self.sink.write_all(b"\n")?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}
