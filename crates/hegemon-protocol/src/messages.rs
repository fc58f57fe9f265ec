//! The messages, both ways.

use hegemon_core::{Event, GameResult, View};
use serde::{Deserialize, Serialize};

use super::game::NewGameDto;
use super::view::{GroupDto, ViewDto};
use super::{ABANDONED, MAX_LISTED_MOVES};

/// A message to a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot {
    /// The first message; a bot answers with its own `hello`.
    Hello {
        /// Version of the protocol.
        #[cfg_attr(feature = "schema", schemars(extend("const" = super::PROTOCOL_VERSION)))]
        protocol: u32,
        /// Name and version of the program that speaks.
        program: String,
    },
    /// A game begins; no answer.
    NewGame(Box<NewGameDto>),
    /// The bot must move; it answers with a `move`.
    Choose(Box<ChooseDto>),
    /// Something happens in the game; no answer. Only for bots that asked for it in
    /// their `hello`.
    Event(Box<EventDto>),
    /// The game is over; no answer.
    GameOver(GameOverDto),
    /// A message of a later version; a bot passes over it.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A message from a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBot {
    /// The answer to `hello`.
    Hello {
        /// Version of the protocol.
        #[cfg_attr(feature = "schema", schemars(extend("const" = super::PROTOCOL_VERSION)))]
        protocol: u32,
        /// Name of the bot.
        name: String,
        /// Its version: tables show both, and another version is another bot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// Whether it wants to be told what happens between its decisions.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        events: bool,
    },
    /// The answer to `choose`.
    Move {
        /// The number of the question, where the bot repeats it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        /// The move, in notation.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Move"))]
        mv: String,
    },
    /// The bot cannot go on.
    Error {
        /// Why, in a sentence.
        message: String,
    },
}

/// A question for a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ChooseDto {
    /// Number of the question.
    pub id: u64,
    /// What the seat sees.
    pub view: ViewDto,
    /// The legal moves, in groups.
    #[serde(default)]
    pub groups: Vec<GroupDto>,
    /// How many moves are legal.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub n_moves: usize,
    /// The legal moves one by one; null if there are more than 200.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<crate::schema::Move>>")
    )]
    pub moves: Option<Vec<String>>,
    /// The time for the answer.
    #[serde(default)]
    pub budget: BudgetDto,
}

/// Something that happens in a game and that the bot's seat may know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct EventDto {
    /// What the seat saw before.
    pub view: ViewDto,
    /// What happens: a move of `view.player`, or an outcome of chance, in notation.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub event: Event,
}

/// The time for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct BudgetDto {
    /// Milliseconds for this move.
    pub move_ms: u64,
    /// Milliseconds left for all moves of the game.
    pub game_ms: u64,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct GameOverDto {
    /// How it ended.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::EndingName"))]
    pub ending: String,
    /// Share of the win by seat; null if the game was abandoned.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0, max = 1))))]
    pub scores: Option<Vec<f64>>,
    /// Placement by seat, from 1; null if the game was abandoned.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 1, max = hegemon_core::MAX_PLAYERS))))]
    pub places: Option<Vec<u8>>,
}

impl ToBot {
    /// The message as one line of JSON, without the line break.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl FromBot {
    /// The message as one line of JSON, without the line break.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl ChooseDto {
    /// The question at the decision that the view shows.
    pub fn new(id: u64, view: View<'_>, budget: BudgetDto) -> ChooseDto {
        let n_moves = view.n_legal_moves();
        let moves = (n_moves <= MAX_LISTED_MOVES)
            .then(|| view.legal_moves().iter().map(ToString::to_string).collect());
        ChooseDto {
            id,
            view: ViewDto::new(view),
            groups: view.legal_groups().iter().map(GroupDto::new).collect(),
            n_moves,
            moves,
            budget,
        }
    }
}

impl GameOverDto {
    /// The result of a game that was played to its end.
    pub fn new(result: &GameResult, n_players: usize) -> GameOverDto {
        GameOverDto {
            ending: result.ending.name().to_owned(),
            scores: Some(result.score.as_slice()[..n_players].to_vec()),
            places: Some(result.place.as_slice()[..n_players].to_vec()),
        }
    }

    /// The end of a game that was not.
    pub fn abandoned() -> GameOverDto {
        GameOverDto {
            ending: ABANDONED.to_owned(),
            scores: None,
            places: None,
        }
    }
}
