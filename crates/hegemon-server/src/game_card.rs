//! What does not change during a game.

use std::sync::Arc;

use hegemon_bots::observes;
use hegemon_core::{Game, State};

use crate::store::SavedGame;

/// What does not change during a game.
#[derive(Debug)]
pub(crate) struct GameCard {
    /// The game as it was stored.
    pub stored: SavedGame,
    /// Map, rules and number of players.
    pub game: Arc<Game>,
    /// The state before the first event.
    pub start: State,
    /// Names by seat.
    pub names: Arc<[String]>,
}

impl GameCard {
    /// Whether a bot wants to be told what happens.
    pub(crate) fn has_watchers(&self) -> bool {
        let specs = self
            .stored
            .seats
            .iter()
            .filter_map(|seat| seat.spec.as_deref());
        let mut specs = specs.filter_map(|spec| spec.parse().ok());
        specs.any(|spec| observes(&spec))
    }
}
