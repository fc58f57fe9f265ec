//! Positions that anybody may send.

use std::sync::Arc;

use hegemon_core::{Game, MAX_PLAYERS, PlayerId, Rules, State};
use hegemon_record::{GameRecord, RecordError, Replay};
use serde::Deserialize;
use serde_json::Value;

use crate::analysis_wire::Awaited;
use crate::error::{ApiError, sentence};
use crate::new_game::{map_named, read_rules};
use crate::offers::Offers;
use crate::tables::usual_laws;

/// Most armies in a territory: battles of more take long.
const MAX_ARMIES: u32 = 1000;

/// A position of a game.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    /// Name of the map.
    map: String,
    /// Name of a preset, or all rules.
    #[cfg_attr(test, schemars(with = "crate::new_game::RequestedRules"))]
    rules: Value,
    /// Number of players.
    players: usize,
    /// The position as a line of text.
    text: String,
}

impl PositionRequest {
    /// The state, if it is one that is answered about.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with it.
    pub(crate) fn state(&self, offers: &Offers) -> Result<State, ApiError> {
        if !(2..=MAX_PLAYERS).contains(&self.players) {
            let message = format!("\"players\" is a number from 2 to {MAX_PLAYERS}.");
            return Err(ApiError::bad_request("bad-position", message));
        }
        let map = map_named(&self.map, offers)?;
        let (rules, _) = read_rules(&self.rules)?;
        check_law(&rules)?;
        let game = Game::new(map, rules, self.players)
            .map_err(|error| ApiError::bad_request("bad-game", sentence(&error.to_string())))?;
        read(&game, &self.text)
    }

    /// The same, if a player decides there.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with it.
    pub(crate) fn decision(&self, offers: &Offers) -> Result<State, ApiError> {
        let state = self.state(offers)?;
        check_decision(&state)?;
        Ok(state)
    }
}

/// Whether a record that was sent may be analysed: as a position that is answered about, at
/// every event.
///
/// # Errors
///
/// A sentence that says why not.
pub(crate) fn check_record(record: &GameRecord) -> Result<(), ApiError> {
    let broken = |error: RecordError| ApiError::bad_request("bad-record", error.to_string());
    let mut replay = Replay::new(record).map_err(broken)?;
    check_law(replay.state().game().rules())?;
    loop {
        if let Some(hordes) = Hordes::of(replay.state()) {
            let place = match hordes {
                Hordes::OnBoard => "in a territory",
                Hordes::ToPlace => "to place",
            };
            let message =
                format!("Games with more than {MAX_ARMIES} armies {place} are not analysed here.");
            return Err(ApiError::bad_request("bad-record", message));
        }
        if replay.step().map_err(broken)?.is_none() {
            return Ok(());
        }
    }
}

/// Each law of battle has tables of megabytes.
fn check_law(rules: &Rules) -> Result<(), ApiError> {
    if usual_laws().contains(&rules.battle.law()) {
        return Ok(());
    }
    let message = "Positions and games are answered about with the dice of a preset only.";
    Err(ApiError::bad_request("bad-rules", message))
}

/// The state of a game to begin with, where these people play.
///
/// # Errors
///
/// A sentence that says what is wrong with it.
pub(crate) fn to_play_on(
    game: &Arc<Game>,
    text: &str,
    people: &[PlayerId],
) -> Result<State, ApiError> {
    if people.len() > 1 {
        // Who sends a position knows everybody's cards.
        let message = "A game from a position is played by one person against bots.";
        return Err(ApiError::bad_request("bad-position", message));
    }
    let state = read(game, text)?;
    check_decision(&state)?;
    if let Some(player) = people.iter().find(|player| !state.is_alive(**player)) {
        let number = player.index() + 1;
        let message = format!("Player {number} has lost in this position; take another seat.");
        return Err(ApiError::bad_request("bad-position", message));
    }
    Ok(state)
}

fn read(game: &Arc<Game>, text: &str) -> Result<State, ApiError> {
    let wrong = |what: &str| {
        let message = sentence(&format!("the position is wrong: {what}"));
        ApiError::bad_request("bad-position", message)
    };
    let state = State::from_position(game, text).map_err(|error| wrong(&error.to_string()))?;
    match Hordes::of(&state) {
        None => Ok(state),
        Some(Hordes::OnBoard) => Err(wrong(&format!(
            "here a territory has at most {MAX_ARMIES} armies"
        ))),
        Some(Hordes::ToPlace) => Err(wrong(&format!(
            "here a player has at most {MAX_ARMIES} armies to place"
        ))),
    }
}

/// More armies than are answered about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hordes {
    /// In one territory: battles take long.
    OnBoard,
    /// In reserve: every army that is placed may be an event.
    ToPlace,
}

impl Hordes {
    fn of(state: &State) -> Option<Hordes> {
        let is_more = |armies: u32| armies > MAX_ARMIES;
        let mut territories = state.game().map().territories();
        if territories.any(|t| is_more(state.board().armies(t))) {
            return Some(Hordes::OnBoard);
        }
        let setup = state.setup();
        let neutral = setup.neutral_to_place.saturating_add(setup.neutral_reserve);
        let mut reserves = state.game().seats().map(|seat| setup.reserve[seat]);
        let waits = is_more(setup.to_place) || is_more(neutral) || reserves.any(is_more);
        waits.then_some(Hordes::ToPlace)
    }
}

fn check_decision(state: &State) -> Result<(), ApiError> {
    let decides = Awaited::of(state) == Awaited::Player;
    decides.then_some(()).ok_or_else(|| {
        let message = "The position waits for no decision of a player.";
        ApiError::bad_request("bad-position", message)
    })
}
