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
    /// A line of a file is not of the format.
    Line {
        number: usize,
        reason: String,
    },
    /// This many more faults, which are not named.
    More(usize),
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

/// A name or other word, quoted for a message: unprintable characters are escaped, and a text
/// too long for a name is truncated.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(MAX_NAME) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}...", &self.0[..end]),
        }
    }
}

impl fmt::Display for MapFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapFault::Syntax(message) => write!(f, "not a map file: {message}"),
            MapFault::Line { number, reason } => write!(f, "line {number}: {reason}"),
            MapFault::More(n) => write!(f, "and {n} more"),
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
                    "{} has more connections than a map has territories",
                    Quoted(name)
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
                    "{} cannot be a name: names have 1 to {MAX_NAME} printable characters, a letter \
                     or digit among them, the first and last of them no space",
                    Quoted(name)
                )
            }
            MapFault::BadColor { continent, color } => {
                write!(
                    f,
                    "the colour {} of {} is not of the form #rrggbb",
                    Quoted(color),
                    Quoted(continent)
                )
            }
            MapFault::DuplicateTerritory(name) => {
                write!(f, "two territories are called {}", Quoted(name))
            }
            MapFault::DuplicateContinent(name) => {
                write!(f, "two continents are called {}", Quoted(name))
            }
            MapFault::UnknownContinent {
                territory,
                continent,
            } => {
                write!(
                    f,
                    "{} lies in {}, which is not a continent of the map",
                    Quoted(territory),
                    Quoted(continent)
                )
            }
            MapFault::UnknownNeighbor {
                territory,
                neighbor,
            } => {
                write!(
                    f,
                    "{} connects to {}, which is not a territory of the map",
                    Quoted(territory),
                    Quoted(neighbor)
                )
            }
            MapFault::SelfConnection(name) => write!(f, "{} connects to itself", Quoted(name)),
            MapFault::DuplicateConnection {
                territory,
                neighbor,
            } => {
                write!(f, "{} lists {} twice", Quoted(territory), Quoted(neighbor))
            }
            MapFault::OneWayConnection { from, to } => {
                write!(
                    f,
                    "{} connects to {}, but not the other way round",
                    Quoted(from),
                    Quoted(to)
                )
            }
            MapFault::EmptyContinent(name) => {
                write!(f, "continent {} has no territory", Quoted(name))
            }
            MapFault::NonFinitePosition(name) => {
                write!(f, "the position of {} is not a finite number", Quoted(name))
            }
            MapFault::Disconnected { unreachable } => {
                write!(
                    f,
                    "the board is not connected: no way to {}",
                    unreachable
                        .iter()
                        .map(|name| Quoted(name).to_string())
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            MapFault::UnknownMissionContinent(name) => {
                write!(
                    f,
                    "a mission names {}, which is not a continent of the map",
                    Quoted(name)
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
