//! A game once more: map, rules, clock and bots are those of the game before, its people sit where
//! they sat, with their names, colours and tokens, and find the new game from the old one.

use std::sync::Arc;

use axum::http::StatusCode;
use hegemon_core::Game;
use hegemon_record::Header;
use serde::Deserialize;

use crate::clients::Client;
use crate::error::{ApiError, sentence};
use crate::levels::{BotLevel, level_above};
use crate::new_game::{PreparedGame, check_host_bot, checked_spec};
use crate::offers::Offers;
use crate::seats::{Hands, Seat, id_letters, new_game_id, new_seed};
use crate::store::{NewGame, SavedGame};
use crate::tables::Tables;

/// A request to play a game once more that is over. It names nothing else, so that whoever asks first
/// decides nothing for the others.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RematchRequest {
    /// Token of one of its people; none for a game of bots alone.
    #[serde(default)]
    token: Option<String>,
    /// Whether each bot of a level is one level harder; only where one person plays.
    #[serde(default)]
    harder: bool,
}

/// The game before a rematch.
#[derive(Debug)]
pub(crate) struct FormerGame {
    stored: SavedGame,
    is_harder: bool,
}

impl FormerGame {
    /// The game that a client wants to play once more.
    ///
    /// # Errors
    ///
    /// If it is none of theirs, goes on, or is to be harder for several people.
    pub(crate) async fn find(
        id: &str,
        request: &RematchRequest,
        client: Client,
        tables: &Tables,
    ) -> Result<FormerGame, ApiError> {
        let former = FormerGame {
            stored: tables.stored(id).await?,
            is_harder: request.harder,
        };
        let seat = match &request.token {
            Some(token) => tables.seat(id, client, token).await?,
            None => None,
        };
        if seat.is_none() && former.n_people() > 0 {
            let message = "Only who sat at a game may ask for a rematch.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, "wrong-token", message));
        }
        if former.stored.result.is_none() {
            let message = "The game goes on; a rematch comes after it.";
            return Err(ApiError::bad_request("bad-rematch", message));
        }
        if former.is_harder && former.n_people() != 1 {
            let message = "Only who plays alone against bots may have harder ones.";
            return Err(ApiError::bad_request("bad-rematch", message));
        }
        Ok(former)
    }

    fn n_people(&self) -> usize {
        n_people(&self.stored)
    }

    /// The level that a bot is to have; none if it stays what it is.
    fn level_for(&self, seat: &Seat) -> Option<&'static BotLevel> {
        let spec = seat.spec.as_deref().filter(|_| self.is_harder)?;
        level_above(spec)
    }

    /// Names of those who stay what they are, wherever they sit.
    fn kept_names(&self) -> Vec<String> {
        let seats = self.stored.seats.iter();
        let kept = seats.filter(|seat| seat.is_person() || self.level_for(seat).is_none());
        kept.map(|seat| seat.name.clone()).collect()
    }

    /// The name of the one rematch of its people; none for one person, who may have as many as
    /// they like.
    pub(crate) fn shared_rematch(&self) -> Option<String> {
        shared_rematch(&self.stored)
    }

    /// The game once more, with another seed.
    ///
    /// # Errors
    ///
    /// If a bot of it cannot play here any more.
    pub(crate) fn prepare(&self, offers: &Offers) -> Result<PreparedGame, ApiError> {
        let former = &self.stored;
        // The map is that of the stored game: one that was sent is not kept elsewhere.
        let game = former.header.game();
        let game =
            game.map_err(|error| ApiError::bad_request("bad-game", sentence(&error.to_string())))?;
        let mut names = self.kept_names();
        let mut seats: Vec<Seat> = Vec::new();
        for seat in &former.seats {
            let seat = if seat.is_person() {
                same_person(seat)
            } else {
                let bot = match self.level_for(seat) {
                    Some(level) => harder(seat, level, &mut names),
                    None => seat.clone(),
                };
                check_bot(&bot, &game, offers)?;
                bot
            };
            seats.push(seat);
        }
        let players = seats.iter().map(Seat::record_name).collect();
        let mut header = Header::new(&game, players, new_seed()?);
        header.names = seats.iter().map(|seat| seat.name.clone()).collect();
        header.position.clone_from(&former.header.position);
        let new_game = NewGame {
            id: self.shared_rematch().map_or_else(new_game_id, Ok)?,
            header,
            rules_name: former.rules_name.clone(),
            seats,
            turn_seconds: former.turn_seconds,
        };
        Ok(PreparedGame {
            game,
            // Its people have theirs already.
            tokens: vec![None; new_game.seats.len()],
            new_game,
        })
    }
}

/// A person on the seat that they had.
fn same_person(seat: &Seat) -> Seat {
    Seat {
        // The seed is drawn, so that nobody need stay where the first game was made.
        maker_hash: None,
        hands: Hands::Own,
        // Whoever asked first is there first.
        is_awaited: true,
        ..seat.clone()
    }
}

/// A bot of another level, under its name, which nobody else has.
fn harder(bot: &Seat, level: &BotLevel, names: &mut Vec<String>) -> Seat {
    let is_taken = |name: &String| {
        let name = name.to_lowercase();
        names.iter().any(|other| other.to_lowercase() == name)
    };
    let numbered = (2..).map(|n| format!("{} {n}", level.name));
    let mut free = std::iter::once(level.name.clone()).chain(numbered);
    let name = free.find(|name| !is_taken(name)).unwrap_or_default();
    names.push(name.clone());
    Seat {
        name,
        spec: Some(level.spec.clone()),
        limit_ms: Some(level.limit_ms),
        ..bot.clone()
    }
}

/// Whether a bot may still play: what the host offers and what the page accepts may have changed
/// since the game was made.
fn check_bot(bot: &Seat, game: &Arc<Game>, offers: &Offers) -> Result<(), ApiError> {
    match (&bot.host_bot, &bot.spec) {
        (Some(name), _) => check_host_bot(name, offers),
        (None, Some(spec)) => checked_spec(spec, game).map(|_| ()),
        (None, None) => Err(ApiError::internal("a bot has no spec")),
    }
}

/// See [`FormerGame::shared_rematch`]. The name follows from the game's own, so that everybody
/// finds the same one, however often the server was started since.
pub(crate) fn shared_rematch(game: &SavedGame) -> Option<String> {
    let text = format!("rematch of {}", game.id);
    (n_people(game) > 1).then(|| id_letters(blake3::hash(text.as_bytes()).as_bytes()))
}

fn n_people(game: &SavedGame) -> usize {
    game.seats.iter().filter(|seat| seat.is_person()).count()
}
