//! A game once more: its people sit where they sat, with their names, colours and tokens, and
//! find the new game from the old one.

use axum::http::StatusCode;
use serde::Deserialize;

use crate::clients::Client;
use crate::error::ApiError;
use crate::seats::{Seat, id_letters, new_game_id};
use crate::store::SavedGame;
use crate::tables::Tables;

/// A game that is over and is played once more.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RematchRequest {
    /// Its name in links.
    game: String,
    /// Token of one of its people.
    token: String,
}

/// The game before a rematch.
#[derive(Debug)]
pub(crate) struct FormerGame(SavedGame);

impl FormerGame {
    /// The game that a client wants to play once more.
    ///
    /// # Errors
    ///
    /// If it is none of theirs, or goes on.
    pub(crate) async fn find(
        request: &RematchRequest,
        client: Client,
        tables: &Tables,
    ) -> Result<FormerGame, ApiError> {
        let stored = tables.stored(&request.game).await?;
        let seat = tables.seat(&request.game, client, &request.token).await?;
        if seat.is_none() {
            let message = "Only who sat at a game may ask for a rematch.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, "wrong-token", message));
        }
        if stored.result.is_none() {
            let message = "The game goes on; a rematch comes after it.";
            return Err(ApiError::bad_request("bad-rematch", message));
        }
        Ok(FormerGame(stored))
    }

    /// Its name in links.
    pub(crate) fn id(&self) -> &str {
        &self.0.id
    }

    /// The name of the one rematch of its people; none for one person, who may have as many as
    /// they like.
    pub(crate) fn shared_rematch(&self) -> Option<String> {
        shared_rematch(&self.0)
    }

    /// The name of a new rematch.
    ///
    /// # Errors
    ///
    /// If the operating system gives no random numbers.
    pub(crate) fn rematch_id(&self) -> Result<String, ApiError> {
        self.shared_rematch().map_or_else(new_game_id, Ok)
    }

    /// Puts its people on the same seats of a new game.
    ///
    /// # Errors
    ///
    /// If they would sit elsewhere.
    pub(crate) fn seat_again(&self, seats: &mut [Seat]) -> Result<(), ApiError> {
        let former = &self.0.seats;
        let kinds = |seats: &[Seat]| seats.iter().map(|seat| seat.kind).collect::<Vec<_>>();
        if kinds(seats) != kinds(former) {
            let message = "In a rematch people and bots have the seats that they had.";
            return Err(ApiError::bad_request("bad-rematch", message));
        }
        for (seat, former) in seats.iter_mut().zip(former) {
            seat.color = former.color;
            if seat.is_person() {
                seat.name.clone_from(&former.name);
                seat.token_hash.clone_from(&former.token_hash);
                // Whoever asked first is there first.
                seat.is_awaited = true;
            }
        }
        Ok(())
    }
}

/// See [`FormerGame::shared_rematch`]. The name follows from the game's own, so that everybody
/// finds the same one, however often the server was started since.
pub(crate) fn shared_rematch(game: &SavedGame) -> Option<String> {
    let n_people = game.seats.iter().filter(|seat| seat.is_person()).count();
    let text = format!("rematch of {}", game.id);
    (n_people > 1).then(|| id_letters(blake3::hash(text.as_bytes()).as_bytes()))
}
