//! The header: all inputs that determine a game.

use std::sync::Arc;

use hegemon_core::{Game, MAX_PLAYERS, Map, MapSpec, Rules, State, Streams};
use serde::{Deserialize, Serialize};

use crate::error::RecordFault;
use crate::program::Program;

/// The format that this program writes.
pub const FORMAT_VERSION: u32 = 3;

/// Most characters of a player's name, which is repeated with every event.
const MAX_NAME: usize = 64;

/// Most bytes of a player's spec string.
const MAX_SPEC: usize = 4096;

/// Where the outcomes of a recorded game come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chance {
    /// From the named streams of the seed: a replay draws them again. A change
    /// to the streams needs a new variant.
    Streams,
    /// From elsewhere: a replay checks only that they are possible.
    #[default]
    Elsewhere,
}

/// Map, rules, players and seed of a recorded game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name of the map.
    pub map: String,
    /// Hash of the map, in hexadecimal.
    pub map_hash: String,
    /// The map itself, if it is not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map_spec: Option<MapSpec>,
    pub rules: Rules,
    /// Spec strings by seat.
    pub players: Vec<String>,
    /// Names of the players by seat, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Seed of dice, cards and bots.
    pub seed: u64,
    /// Seed of the deal, if different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal_seed: Option<u64>,
    /// The position that the game begins with, if it was not dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Where deals, dice and cards come from. Records of the first format do not state it.
    #[serde(default)]
    pub chance: Chance,
    /// The program that wrote the record.
    pub program: Program,
}

impl Header {
    /// The header of a game that is about to be played with the streams of
    /// the seed.
    pub fn new(game: &Game, players: Vec<String>, seed: u64) -> Header {
        let map = game.map();
        let ships = Map::builtin(map.name()).is_some_and(|known| known.hash() == map.hash());
        Header {
            map: map.name().to_owned(),
            map_hash: format!("{:016x}", map.hash()),
            map_spec: (!ships).then(|| map.spec().clone()),
            rules: game.rules().clone(),
            players,
            names: Vec::new(),
            seed,
            deal_seed: None,
            position: None,
            chance: Chance::Streams,
            program: Program::current().clone(),
        }
    }

    /// Checks the players' texts, which other programs will display.
    ///
    /// # Errors
    ///
    /// If there are too many, or one is too long or not printable.
    pub(crate) fn check_texts(&self) -> Result<(), RecordFault> {
        let fault = |message: &str| Err(RecordFault::Header(message.to_owned()));
        if self.players.len() > MAX_PLAYERS || self.names.len() > self.players.len() {
            return fault("there are more players or names than seats");
        }
        let is_name = |name: &String| {
            let n_chars = name.chars().take(MAX_NAME + 1).count();
            (1..=MAX_NAME).contains(&n_chars) && !name.chars().any(char::is_control)
        };
        if !self.names.iter().all(is_name) {
            return fault("a name has 1 to 64 printable characters");
        }
        let is_spec = |spec: &String| spec.len() <= MAX_SPEC && !spec.contains(char::is_control);
        if !self.players.iter().all(is_spec) {
            return fault("a player has at most 4096 bytes and no control characters");
        }
        Ok(())
    }

    /// The streams that outcomes are drawn from; `None` if they come from
    /// elsewhere.
    pub fn streams(&self) -> Option<Streams> {
        let deal_seed = self.deal_seed.unwrap_or(self.seed);
        (self.chance == Chance::Streams).then(|| Streams::with_dice(deal_seed, self.seed))
    }

    /// The game that the header describes.
    ///
    /// # Errors
    ///
    /// If the map is unknown or differs, or the parts do not form a game.
    pub fn game(&self) -> Result<Arc<Game>, RecordFault> {
        let map =
            match &self.map_spec {
                Some(spec) => Map::new(spec.clone())
                    .map_err(|error| RecordFault::Header(error.to_string()))?,
                None => Map::builtin(&self.map)
                    .ok_or_else(|| RecordFault::UnknownMap(self.map.clone()))?,
            };
        if format!("{:016x}", map.hash()) != self.map_hash {
            return Err(RecordFault::OtherMap(self.map.clone()));
        }
        Game::new(map, self.rules.clone(), self.players.len())
            .map_err(|error| RecordFault::Game(error.to_string()))
    }

    /// The state before the first event of the game that the header describes.
    ///
    /// # Errors
    ///
    /// If the position is none of this game.
    pub fn start(&self, game: &Arc<Game>) -> Result<State, RecordFault> {
        let Some(text) = &self.position else {
            return Ok(game.start());
        };
        State::from_position(game, text)
            .map_err(|error| RecordFault::Header(format!("the position is wrong: {error}")))
    }
}
