//! Replaying a record state by state.

use std::sync::Arc;

use hegemon_core::{Game, Node, State, Streams};

use crate::end::End;
use crate::error::{RecordError, RecordFault};
use crate::reader::{Event, GameRecord};

/// Steps through a record; every event is checked before it happens.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a GameRecord,
    state: State,
    /// What chance draws from, where the record says so.
    streams: Option<Streams>,
    next: usize,
}

impl<'a> Replay<'a> {
    /// Stands before the first event.
    ///
    /// # Errors
    ///
    /// If the header describes no game.
    pub fn new(record: &'a GameRecord) -> Result<Replay<'a>, RecordError> {
        let game: Arc<Game> = record.header.game().map_err(|fault| fault.at(2))?;
        Ok(Replay {
            record,
            state: game.start(),
            streams: record.header.streams(),
            next: 0,
        })
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How many events have happened.
    pub fn position(&self) -> usize {
        self.next
    }

    /// Lets the next event happen; `None` at the end of the events.
    ///
    /// # Errors
    ///
    /// If the event is not possible in the state before it, or not what the
    /// seed brings.
    pub fn step(&mut self) -> Result<Option<Event>, RecordError> {
        let Some(&(event, line)) = self.record.events.get(self.next) else {
            return Ok(None);
        };
        let drawn = match (&mut self.streams, event) {
            (Some(streams), Event::Outcome(_)) if self.state.node() == Node::Chance => {
                Some(Event::Outcome(streams.draw(&self.state)))
            }
            _ => None,
        };
        let happened = match event {
            Event::Move(mv) => self.state.play(mv).is_ok(),
            Event::Outcome(outcome) => self.state.resolve(outcome).is_ok(),
        };
        if !happened {
            return Err(RecordFault::IllegalEvent(event.to_string()).at(line));
        }
        if let Some(drawn) = drawn.filter(|&drawn| drawn != event) {
            return Err(RecordFault::OtherChance {
                claimed: event.to_string(),
                drawn: drawn.to_string(),
            }
            .at(line));
        }
        self.next += 1;
        Ok(Some(event))
    }

    /// Replays the rest and compares the end with what the record says.
    ///
    /// # Errors
    ///
    /// At the first event that is not possible, or if the end is another.
    pub fn finish(mut self) -> Result<State, RecordError> {
        while self.step()?.is_some() {}
        let claimed = &self.record.end;
        let replayed = End::replayed(&self.state, &claimed.termination);
        if replayed.as_ref() == Some(claimed) {
            return Ok(self.state);
        }
        Err(RecordFault::OtherEnd {
            claimed: claimed.to_string(),
            replayed: replayed.map_or("no end".to_owned(), |end| end.to_string()),
        }
        .at(self.record.end_line))
    }
}

impl GameRecord {
    /// Replays the whole record and returns its last state.
    ///
    /// # Errors
    ///
    /// If the record does not replay to the end that it states.
    pub fn verify(&self) -> Result<State, RecordError> {
        Replay::new(self)?.finish()
    }
}
