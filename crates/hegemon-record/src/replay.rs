//! Replaying a record state by state.

use std::sync::Arc;

use hegemon_core::{Ending, Event, Game, Node, State, Streams, Termination};

use crate::end::RecordEnd;
use crate::error::{RecordError, RecordFault};
use crate::header::Header;
use crate::reader::GameRecord;

/// Steps through a record; every event is checked before it is applied.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a GameRecord,
    state: State,
    /// The streams that chance draws from, if the record uses them.
    streams: Option<Streams>,
    next: usize,
}

impl<'a> Replay<'a> {
    /// Starts before the first event.
    ///
    /// # Errors
    ///
    /// If the header describes no game.
    pub fn new(record: &'a GameRecord) -> Result<Replay<'a>, RecordError> {
        let game: Arc<Game> = record.game().map_err(|fault| fault.at(2))?;
        let state = record.header.start(&game).map_err(|fault| fault.at(2))?;
        Ok(Replay {
            record,
            state,
            streams: record.header.streams(),
            next: 0,
        })
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Number of events applied.
    pub fn position(&self) -> usize {
        self.next
    }

    /// Applies the next event; `None` at the end of the events.
    ///
    /// # Errors
    ///
    /// If the event is not possible in the state before it, or not what the
    /// seed gives.
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
        if self.state.apply(event).is_err() {
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
    /// At the first event that is not possible, or if the end differs.
    pub fn finish(mut self) -> Result<State, RecordError> {
        while self.step()?.is_some() {}
        let claimed = &self.record.end;
        let replayed = match claimed.termination {
            // The final state shows that the rules ended the game.
            Termination::Rules(Ending::RoundCap) if !self.record.has_cap_in_rules() => {
                RecordEnd::broken_off(&self.state, self.record.header.rules.end.round_cap)
            }
            Termination::Rules(_) => RecordEnd::of(&self.state),
            forfeit => RecordEnd::by(&self.state, forfeit),
        };
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

/// The first format of games whose rules have the round cap.
const FIRST_WITH_CAP: u32 = 3;

impl GameRecord {
    fn has_cap_in_rules(&self) -> bool {
        self.format >= FIRST_WITH_CAP
    }

    /// The game as it was played: up to format 2 the runner enforced the round
    /// cap, not the rules.
    fn game(&self) -> Result<Arc<Game>, RecordFault> {
        if self.has_cap_in_rules() {
            return self.header.game();
        }
        let mut header = Header::clone(&self.header);
        header.rules.end.round_cap = u32::MAX;
        header.game()
    }

    /// Replays the whole record and returns its last state.
    ///
    /// # Errors
    ///
    /// If the record does not replay to the end that it states.
    pub fn verify(&self) -> Result<State, RecordError> {
        Replay::new(self)?.finish()
    }
}
