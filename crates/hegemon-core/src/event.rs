//! Events of a game: player moves and chance outcomes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::ids::PlayerId;
use crate::moves::{Move, NotationError, Outcome};
use crate::state::{Phase, State};

/// An event of a game, in the notation of moves and outcomes: outcomes begin
/// with a capital letter, moves do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A player moves.
    Move(Move),
    /// Chance decides.
    Outcome(Outcome),
}

/// An event that is not possible here; the state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{event} is not possible in the {} phase here", phase.name())]
pub struct EventError {
    /// The rejected event.
    pub event: Event,
    /// The phase at the time.
    pub phase: Phase,
}

impl Event {
    /// Whether a seat may know of the event, which happens after `before`: cards and
    /// missions are shown to nobody but who gets them.
    pub fn is_seen_by(&self, seat: PlayerId, before: &State) -> bool {
        match self {
            Event::Outcome(Outcome::Draw(_)) => before.player() == seat,
            Event::Outcome(Outcome::Mission(_)) => false,
            _ => true,
        }
    }
}

impl State {
    /// Applies an event: a legal move or a possible outcome.
    ///
    /// # Errors
    ///
    /// If the event is not possible; the state is then unchanged.
    ///
    /// ```
    /// use hegemon_core::{Event, Game, Map, Rules};
    /// let map = Map::builtin("duel6").expect("shipped");
    /// let game = Game::new(map, Rules::preset("lux").expect("shipped"), 2).expect("a game");
    /// let mut state = game.deal(5);
    /// let event = Event::Move(state.legal_moves()[0]);
    /// state.apply(event).expect("listed, so legal");
    /// assert!("Z9".parse::<Event>().is_err());
    /// ```
    pub fn apply(&mut self, event: Event) -> Result<(), EventError> {
        let applied = match event {
            Event::Move(mv) => self.play(mv).is_ok(),
            Event::Outcome(outcome) => self.resolve(outcome).is_ok(),
        };
        let phase = self.phase();
        applied.then_some(()).ok_or(EventError { event, phase })
    }

    /// Applies an event that is known to be possible.
    #[inline]
    pub fn apply_unchecked(&mut self, event: Event) {
        match event {
            Event::Move(mv) => self.play_unchecked(mv),
            Event::Outcome(outcome) => self.resolve_unchecked(outcome),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Move(mv) => mv.fmt(f),
            Event::Outcome(outcome) => outcome.fmt(f),
        }
    }
}

impl FromStr for Event {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Event, NotationError> {
        if text.starts_with(|c: char| c.is_ascii_uppercase()) {
            text.parse().map(Event::Outcome)
        } else {
            text.parse().map(Event::Move)
        }
    }
}

crate::by_notation!(Event);
