//! Who sits where, and the secrets that open a seat.

use hegemon_core::is_visible;
use serde::{Deserialize, Serialize};

use crate::clients::Client;
use crate::error::ApiError;

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatKind {
    /// A person at the screen that made the game.
    Human,
    /// A person elsewhere, by invitation.
    Remote,
    /// A bot.
    Bot,
}

/// Who makes the moves of a person's seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Hands {
    /// Who sits there.
    #[default]
    Own,
    /// A bot, until the person is back.
    StandIn,
    /// A bot, for good.
    Resigned,
}

impl Hands {
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde calls it with a reference"
    )]
    fn are_own(&self) -> bool {
        *self == Hands::Own
    }
}

/// Letters of a game's name in links.
const ID_LENGTH: usize = 10;

/// Longest name of a player.
pub(crate) const MAX_NAME: usize = 40;

/// A name that a player may have.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn fitting_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("A name has at least one letter.".to_owned());
    }
    if name.chars().count() > MAX_NAME {
        return Err(format!("A name has at most {MAX_NAME} letters."));
    }
    if !name.chars().all(is_visible) {
        let message = "A name has no characters that are invisible or turn others around.";
        return Err(message.to_owned());
    }
    Ok(name.to_owned())
}

/// A seat of a game, as it is stored. Never sent as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// Who plays.
    pub kind: SeatKind,
    /// The name shown.
    pub name: String,
    /// The bot's spec.
    pub spec: Option<String>,
    /// Milliseconds that the bot may think about a move.
    pub limit_ms: Option<u64>,
    /// Name of the host's bot that plays, instead of a spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_bot: Option<String>,
    /// Hash of the token; whoever reads the store cannot take a seat with it.
    pub token_hash: Option<String>,
    /// Hash of the token's hash and the client that alone may open the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maker_hash: Option<String>,
    /// Who makes a person's moves.
    #[serde(default, skip_serializing_if = "Hands::are_own")]
    pub hands: Hands,
    /// The colour, where it is not that of the seat's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<usize>,
    /// Whether a person is invited who has not been here yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_awaited: bool,
}

impl Seat {
    /// Whether a person plays.
    pub(crate) fn is_person(&self) -> bool {
        self.kind != SeatKind::Bot
    }

    /// Whether a person makes its moves.
    pub(crate) fn waits_for_person(&self) -> bool {
        self.is_person() && self.hands == Hands::Own
    }

    /// What stands for the seat in the header of a record.
    pub(crate) fn record_name(&self) -> String {
        match (&self.host_bot, &self.spec) {
            (Some(name), _) => format!("host:{name}"),
            (None, Some(spec)) => spec.clone(),
            (None, None) => "human".to_owned(),
        }
    }

    /// From now on only this client may open the seat. A game remembers no
    /// address, but knows it again.
    pub(crate) fn stay_with(&mut self, client: Client) {
        self.maker_hash = self.hash_of(client);
    }

    /// Whether a client may open the seat, if it has the token.
    pub(crate) fn may_open(&self, client: Client) -> bool {
        self.maker_hash.is_none() || self.maker_hash == self.hash_of(client)
    }

    fn hash_of(&self, client: Client) -> Option<String> {
        let token_hash = self.token_hash.as_ref()?;
        let both = format!("{token_hash} {client}");
        Some(blake3::hash(both.as_bytes()).to_hex().to_string())
    }

    fn opens_with(&self, hash: &blake3::Hash) -> bool {
        let own = self.token_hash.as_deref();
        let own = own.and_then(|hex| blake3::Hash::from_hex(hex).ok());
        // Hashes compare in constant time.
        own.is_some_and(|own| own == *hash)
    }
}

/// The seat that a token opens.
pub(crate) fn seat_of(seats: &[Seat], token: &str) -> Option<usize> {
    let hash = blake3::hash(token.as_bytes());
    // Every seat is looked at, so that the time says nothing.
    let matches = seats.iter().map(|seat| seat.opens_with(&hash));
    let found: Vec<bool> = matches.collect();
    found.iter().position(|&opens| opens)
}

/// A new token and the hash of it that is stored.
pub(crate) fn new_token() -> Result<(String, String), ApiError> {
    let mut secret = [0; 20];
    fill(&mut secret)?;
    let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let hash = blake3::hash(token.as_bytes()).to_hex().to_string();
    Ok((token, hash))
}

/// A new name for a game, short enough for a link.
pub(crate) fn new_game_id() -> Result<String, ApiError> {
    let mut bytes = [0; ID_LENGTH];
    fill(&mut bytes)?;
    Ok(id_letters(&bytes))
}

/// The first of these bytes as a name for a game.
pub(crate) fn id_letters(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
    bytes.iter().take(ID_LENGTH).map(letter).collect()
}

/// A seed that nobody can guess.
pub(crate) fn new_seed() -> Result<u64, ApiError> {
    let mut bytes = [0; 8];
    fill(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn fill(bytes: &mut [u8]) -> Result<(), ApiError> {
    getrandom::fill(bytes)
        .map_err(|_| ApiError::internal("the operating system gave no random numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(token_hash: Option<String>) -> Seat {
        Seat {
            kind: SeatKind::Human,
            name: "Ann".to_owned(),
            spec: None,
            limit_ms: None,
            host_bot: None,
            token_hash,
            maker_hash: None,
            hands: Hands::Own,
            color: None,
            is_awaited: false,
        }
    }

    #[test]
    fn a_token_opens_its_own_seat_only() {
        let (first, first_hash) = new_token().expect("random numbers");
        let (second, second_hash) = new_token().expect("random numbers");
        let seats = [
            person(Some(first_hash)),
            person(None),
            person(Some(second_hash)),
        ];
        assert_eq!(seat_of(&seats, &first), Some(0));
        assert_eq!(seat_of(&seats, &second), Some(2));
        assert_eq!(seat_of(&seats, ""), None);
        assert_eq!(seat_of(&seats, &first[1..]), None);
    }

    #[test]
    fn names_and_seeds_do_not_repeat() {
        assert_ne!(
            new_game_id().expect("random"),
            new_game_id().expect("random")
        );
        assert_ne!(new_seed().expect("random"), new_seed().expect("random"));
    }
}
