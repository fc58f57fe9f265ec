//! What can be wrong with a map.

use std::fmt;

use crate::ids::{MAX_CONTINENTS, MAX_MISSIONS, MAX_TERRITORIES};
use crate::map::MAX_NAME;

/// One thing that is wrong with a map.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
#[non_exhaustive]
pub enum MapFault {
    Syntax(String),
    TooFewTerritories(usize),
    TooManyTerritories(usize),
    TooManyContinents(usize),
    TooManyMissions(usize),
    TooManyConnections(String),
    TooLongMission(usize),
    UnprintableName(String),
    BadColor {
        continent: String,
        color: String,
    },
    DuplicateTerritory(String),
    DuplicateContinent(String),
    UnknownContinent {
        territory: String,
        continent: String,
    },
    UnknownNeighbor {
        territory: String,
        neighbor: String,
    },
    SelfConnection(String),
    DuplicateConnection {
        territory: String,
        neighbor: String,
    },
    OneWayConnection {
        from: String,
        to: String,
    },
    EmptyContinent(String),
    NonFinitePosition(String),
    Disconnected {
        unreachable: Vec<String>,
    },
    UnknownMissionContinent(String),
}

impl fmt::Display for MapFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapFault::Syntax(message) => write!(f, "not a map file: {message}"),
            MapFault::TooFewTerritories(n) => {
                write!(f, "the map has {n} territories; at least 2 are needed")
            }
            MapFault::TooManyTerritories(n) => {
                write!(
                    f,
                    "the map has {n} territories; at most {MAX_TERRITORIES} are possible"
                )
            }
            MapFault::TooManyContinents(n) => {
                write!(
                    f,
                    "the map has {n} continents; at most {MAX_CONTINENTS} are possible"
                )
            }
            MapFault::TooManyMissions(n) => {
                write!(
                    f,
                    "the map has {n} missions; at most {MAX_MISSIONS} are possible"
                )
            }
            MapFault::TooManyConnections(name) => {
                write!(
                    f,
                    "\"{name}\" has more connections than a map has territories"
                )
            }
            MapFault::TooLongMission(n) => {
                write!(
                    f,
                    "a mission asks for {n} continents; at most {MAX_CONTINENTS} are possible"
                )
            }
            MapFault::UnprintableName(name) => {
                write!(
                    f,
                    "{name:?} cannot be a name: names have 1 to {MAX_NAME} printable characters, \
                     the first and last of them no space"
                )
            }
            MapFault::BadColor { continent, color } => {
                write!(
                    f,
                    "the colour {color:?} of \"{continent}\" is not of the form #rrggbb"
                )
            }
            MapFault::DuplicateTerritory(name) => {
                write!(f, "two territories are called \"{name}\"")
            }
            MapFault::DuplicateContinent(name) => {
                write!(f, "two continents are called \"{name}\"")
            }
            MapFault::UnknownContinent {
                territory,
                continent,
            } => {
                write!(
                    f,
                    "\"{territory}\" lies in \"{continent}\", which is not a continent of the map"
                )
            }
            MapFault::UnknownNeighbor {
                territory,
                neighbor,
            } => {
                write!(
                    f,
                    "\"{territory}\" connects to \"{neighbor}\", which is not a territory of the map"
                )
            }
            MapFault::SelfConnection(name) => write!(f, "\"{name}\" connects to itself"),
            MapFault::DuplicateConnection {
                territory,
                neighbor,
            } => {
                write!(f, "\"{territory}\" lists \"{neighbor}\" twice")
            }
            MapFault::OneWayConnection { from, to } => {
                write!(
                    f,
                    "\"{from}\" connects to \"{to}\", but not the other way round"
                )
            }
            MapFault::EmptyContinent(name) => write!(f, "continent \"{name}\" has no territory"),
            MapFault::NonFinitePosition(name) => {
                write!(f, "the position of \"{name}\" is not a finite number")
            }
            MapFault::Disconnected { unreachable } => {
                write!(
                    f,
                    "the board is not connected: no way to \"{}\"",
                    unreachable.join("\", \"")
                )
            }
            MapFault::UnknownMissionContinent(name) => {
                write!(
                    f,
                    "a mission names \"{name}\", which is not a continent of the map"
                )
            }
        }
    }
}

/// Everything that is wrong with a map, at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    /// The faults, in the order of the file.
    pub faults: Vec<MapFault>,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for MapError {}
