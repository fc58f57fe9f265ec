//! The game on the wire.

use std::sync::Arc;

use hegemon_bots::Seating;
use hegemon_core::rules::Victory;
use hegemon_core::{
    ContinentId, ContinentSpec, Game, MAX_PLAYERS, Map, MapSpec, Mission, PlayerId, Rules,
    TerritoryId, TerritorySpec,
};
use serde::{Deserialize, Serialize};

use crate::ProtocolError;

/// A game that begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct NewGameDto {
    /// The map.
    pub map: MapDto,
    /// The rules.
    pub rules: Rules,
    /// How many seats there are.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = MAX_PLAYERS)))]
    pub n_players: usize,
    /// The bot's seat.
    #[cfg_attr(feature = "schema", schemars(with = "PlayerId"))]
    pub seat: usize,
    /// Seed for the bot's own random numbers: 64 bits in decimal digits, for
    /// many languages cannot hold them in a number.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Seed"))]
    pub seed: String,
    /// The secret missions by number; empty if the game has none.
    #[serde(default)]
    pub missions: Vec<MissionDto>,
}

/// A map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Map")
)]
pub struct MapDto {
    /// Its name.
    pub name: String,
    /// The continents, by number.
    pub continents: Vec<ContinentDto>,
    /// The territories, by number.
    pub territories: Vec<TerritoryDto>,
    /// Continents that missions of this map ask for: names, or * for any
    /// further one.
    #[serde(default)]
    pub missions: Vec<Vec<String>>,
}

/// A continent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ContinentDto {
    /// Its name.
    pub name: String,
    /// Armies a turn for holding all of it.
    pub bonus: u16,
    /// Its territories.
    pub territories: Vec<TerritoryId>,
}

/// A territory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct TerritoryDto {
    /// Its name.
    pub name: String,
    /// Its continent.
    pub continent: ContinentId,
    /// Its neighbours.
    pub neighbors: Vec<TerritoryId>,
}

/// A secret mission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Mission")
)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MissionDto {
    /// Hold continents.
    Continents {
        /// The named ones.
        continents: Vec<ContinentId>,
        /// How many others besides.
        n_further: usize,
    },
    /// Hold territories.
    Territories {
        /// How many.
        n: usize,
        /// With at least this many armies on each.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        armies: u32,
    },
    /// Eliminate a player.
    Eliminate {
        /// Whom.
        player: PlayerId,
    },
}

impl NewGameDto {
    /// What a seat is told about its game.
    pub fn new(seating: &Seating<'_>) -> NewGameDto {
        let game = seating.game;
        let missions = match game.rules().victory {
            Victory::Missions => game.missions().iter().map(MissionDto::new).collect(),
            _ => Vec::new(),
        };
        NewGameDto {
            map: MapDto::new(game.map()),
            rules: game.rules().clone(),
            n_players: game.n_players(),
            seat: seating.seat.index(),
            seed: seating.seed.to_string(),
            missions,
        }
    }

    /// The game.
    ///
    /// # Errors
    ///
    /// If map, rules and players make no game.
    pub fn game(&self) -> Result<Arc<Game>, ProtocolError> {
        let map = self.map.map()?;
        Game::new(map, self.rules.clone(), self.n_players)
            .map_err(|error| ProtocolError(error.to_string()))
    }

    /// The bot's seat and seed.
    ///
    /// # Errors
    ///
    /// If there is no such seat or the seed is not a number of 64 bits.
    pub fn seat_and_seed(&self) -> Result<(PlayerId, u64), ProtocolError> {
        if self.seat >= self.n_players.min(MAX_PLAYERS) {
            let (seat, n) = (self.seat, self.n_players);
            return Err(ProtocolError(format!(
                "there is no seat {seat} in a game of {n}"
            )));
        }
        let seed = self.seed.parse().map_err(|_| {
            ProtocolError(format!("the seed \"{}\" is not a whole number", self.seed))
        })?;
        Ok((PlayerId::new(self.seat), seed))
    }
}

impl MapDto {
    /// A map for the wire; colours and positions stay behind.
    pub fn new(map: &Map) -> MapDto {
        MapDto {
            name: map.name().to_owned(),
            continents: map
                .continents()
                .map(|c| ContinentDto {
                    name: map.continent_name(c).to_owned(),
                    bonus: map.continent(c).bonus,
                    territories: map.continent(c).territories.iter().collect(),
                })
                .collect(),
            territories: map
                .territories()
                .map(|t| TerritoryDto {
                    name: map.territory_name(t).to_owned(),
                    continent: map.continent_of(t),
                    neighbors: map.neighbor_list(t).to_vec(),
                })
                .collect(),
            missions: map.spec().missions.clone(),
        }
    }

    /// The map.
    ///
    /// # Errors
    ///
    /// If a number names nothing or the map is not valid.
    pub fn map(&self) -> Result<Map, ProtocolError> {
        let continents = self.continents.iter().map(|continent| ContinentSpec {
            name: continent.name.clone(),
            bonus: continent.bonus,
            color: "#808080".to_owned(),
        });
        let territories = self.territories.iter().map(|territory| {
            let continent = self.continents.get(territory.continent.index());
            let continent = continent.ok_or_else(|| wrong("continent", territory))?;
            let connections: Option<Vec<String>> = territory
                .neighbors
                .iter()
                .map(|t| Some(self.territories.get(t.index())?.name.clone()))
                .collect();
            Ok(TerritorySpec {
                name: territory.name.clone(),
                continent: continent.name.clone(),
                connections: connections.ok_or_else(|| wrong("neighbour", territory))?,
                position: [0.0, 0.0],
            })
        });
        let spec = MapSpec {
            name: self.name.clone(),
            continents: continents.collect(),
            territories: territories.collect::<Result<_, ProtocolError>>()?,
            missions: self.missions.clone(),
        };
        Map::new(spec).map_err(|error| ProtocolError(error.to_string()))
    }
}

fn wrong(what: &str, territory: &TerritoryDto) -> ProtocolError {
    ProtocolError(format!("a {what} of \"{}\" does not exist", territory.name))
}

impl MissionDto {
    fn new(mission: &Mission) -> MissionDto {
        match mission {
            Mission::Continents(wanted) => MissionDto::Continents {
                continents: wanted.named.clone(),
                n_further: wanted.n_further,
            },
            Mission::Territories { n, armies } => MissionDto::Territories {
                n: *n,
                armies: *armies,
            },
            Mission::Eliminate(player) => MissionDto::Eliminate { player: *player },
        }
    }
}
