//! Maps: [`MapSpec`] is the content of a file, [`Map`] is validated for use in
//! a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{ContinentId, MAX_CONTINENTS, MAX_MISSIONS, MAX_TERRITORIES, TerritoryId};
use crate::map_fault::{MapError, MapFault};
use crate::neighborhood::{Near, NeighborWords};
use crate::rng::fnv1a;
use crate::syntax::json_fault;
use crate::territory_set::TerritorySet;

/// A map as written in a JSON file (the format of Gillenwater 2022), not yet
/// validated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSpec {
    /// Name of the map.
    pub name: String,
    /// The continents, in scan order.
    pub continents: Vec<ContinentSpec>,
    /// The territories, in scan order.
    pub territories: Vec<TerritorySpec>,
    /// Continents to conquer in secret missions; `"*"` is any other one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missions: Vec<Vec<String>>,
}

/// A continent as written in a map file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContinentSpec {
    /// Unique name.
    pub name: String,
    /// Armies a turn for holding all of it.
    pub bonus: u16,
    /// Colour for drawings, `#rrggbb`.
    #[serde(alias = "colour")]
    pub color: String,
}

/// A territory as written in a map file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerritorySpec {
    /// Unique name.
    pub name: String,
    /// Name of its continent.
    pub continent: String,
    /// Names of its neighbours, in scan order.
    pub connections: Vec<String>,
    /// Where it is drawn.
    pub position: [f64; 2],
}

impl MapSpec {
    /// Reads the JSON text of a map file.
    ///
    /// # Errors
    ///
    /// If the text is not JSON of this shape; the message has line and column.
    pub fn from_json(text: &str) -> Result<MapSpec, MapError> {
        serde_json::from_str(text).map_err(|error| MapError {
            faults: vec![MapFault::Syntax(json_fault(text, &error))],
        })
    }

    /// The JSON text of the map.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// A valid map. The order of territories and of neighbours in the file is the
/// order of every scan and tie-break.
///
/// ```
/// use hegemon_core::Map;
/// let map = Map::builtin("classic").expect("shipped");
/// assert_eq!(map.n_territories(), 42);
/// assert_eq!(map.n_connections(), 83);
/// ```
#[derive(Clone, Debug)]
pub struct Map {
    spec: MapSpec,
    hash: u64,
    all: TerritorySet,
    neighbor_sets: [TerritorySet; MAX_TERRITORIES],
    /// For maps that fit one machine word.
    neighbor_words: Option<NeighborWords>,
    neighbor_lists: Vec<Vec<TerritoryId>>,
    near: Option<Vec<Near>>,
    most_neighbors: usize,
    continent_of: Vec<ContinentId>,
    continents: Vec<Continent>,
    /// The low words of the continents' territories, for maps that fit one word
    /// and have at most this many continents; unused entries are sets that
    /// nobody can hold.
    continent_words: Option<[u64; 8]>,
    mission_continents: Vec<MissionContinents>,
}

/// A continent of a valid map.
#[derive(Clone, Debug)]
pub struct Continent {
    /// Its territories.
    pub territories: TerritorySet,
    /// Those of them with a neighbour outside.
    pub borders: TerritorySet,
    /// Armies a turn for holding all of it, before growth.
    pub bonus: u16,
}

/// Continents that a mission asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissionContinents {
    /// The named ones.
    pub named: Vec<ContinentId>,
    /// Number of additional continents of the player's choice.
    pub n_further: usize,
}

impl Map {
    /// Validates a map.
    ///
    /// # Errors
    ///
    /// All faults at once, with the names concerned.
    pub fn new(spec: MapSpec) -> Result<Map, MapError> {
        let faults = find_faults(&spec);
        if faults.is_empty() {
            Ok(build(spec))
        } else {
            Err(MapError { faults })
        }
    }

    /// Reads and validates the JSON text of a map.
    ///
    /// # Errors
    ///
    /// As [`MapSpec::from_json`] and [`Map::new`].
    pub fn from_json(text: &str) -> Result<Map, MapError> {
        Map::new(MapSpec::from_json(text)?)
    }

    /// The built-in map with this name.
    pub fn builtin(name: &str) -> Option<Map> {
        let (_, text) = BUILTIN.iter().find(|(known, _)| *known == name)?;
        Map::from_json(text).ok()
    }

    /// The built-in maps on which play is measured and nets are trained. Others are data
    /// alone: a new map changes no figure and no signature.
    pub const REFERENCE: [&str; 6] = [
        "classic",
        "classic-lux",
        "archipelago80",
        "line4",
        "triangle3",
        "duel6",
    ];

    /// The built-in reference maps.
    pub fn references() -> impl Iterator<Item = Map> {
        Map::REFERENCE.into_iter().filter_map(Map::builtin)
    }

    /// Names of the built-in maps.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// The map's name.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The spec that the map was built from.
    pub fn spec(&self) -> &MapSpec {
        &self.spec
    }

    /// Hash of everything that play depends on (not of colours and positions).
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// How many territories there are.
    #[inline]
    pub fn n_territories(&self) -> usize {
        self.continent_of.len()
    }

    /// How many undirected connections there are.
    pub fn n_connections(&self) -> usize {
        self.neighbor_lists.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// All territories.
    #[inline]
    pub fn all(&self) -> TerritorySet {
        self.all
    }

    /// All territories in map order.
    pub fn territories(&self) -> impl ExactSizeIterator<Item = TerritoryId> + Clone + use<> {
        (0..self.n_territories()).map(TerritoryId::within)
    }

    /// All continents in map order.
    pub fn continents(&self) -> impl ExactSizeIterator<Item = ContinentId> + Clone + use<> {
        (0..self.continents.len()).map(ContinentId::within)
    }

    /// The neighbours of a territory as a set.
    #[inline]
    pub fn neighbors(&self, territory: TerritoryId) -> TerritorySet {
        self.neighbor_sets[territory.index()]
    }

    /// The neighbours of a territory in the order of the file.
    #[inline]
    pub fn neighbor_list(&self, territory: TerritoryId) -> &[TerritoryId] {
        &self.neighbor_lists[territory.index()]
    }

    /// The neighbours at a fixed length; `None` on a map where some territory
    /// has more.
    #[inline]
    pub fn near(&self, territory: TerritoryId) -> Option<Near> {
        self.near.as_ref()?.get(territory.index()).copied()
    }

    /// The most neighbours that a territory has.
    #[inline]
    pub fn most_neighbors(&self) -> usize {
        self.most_neighbors
    }

    /// All territories with a neighbour in the set.
    #[inline]
    pub fn neighbors_of_all(&self, set: TerritorySet) -> TerritorySet {
        if let Some(words) = &self.neighbor_words {
            return TerritorySet::from_words(words.of_all::<8>(set.low_word()), 0);
        }
        let sets = set.iter().map(|territory| self.neighbors(territory));
        sets.fold(TerritorySet::EMPTY, |all, neighbors| all | neighbors)
    }

    /// All territories reachable from `start` inside `within`, `start`
    /// included.
    #[inline]
    pub fn reachable(&self, start: TerritoryId, within: TerritorySet) -> TerritorySet {
        if let Some(words) = &self.neighbor_words {
            let (start, within) = (TerritorySet::of(start).low_word(), within.low_word());
            let reached = if self.n_territories() <= 48 {
                words.reachable::<6>(start, within)
            } else {
                words.reachable::<8>(start, within)
            };
            return TerritorySet::from_words(reached, 0);
        }
        let mut reached = TerritorySet::of(start);
        let mut fresh = reached;
        while let Some(next) = fresh.first() {
            fresh.remove(next);
            let found = (self.neighbors(next) & within) - reached;
            reached |= found;
            fresh |= found;
        }
        reached
    }

    /// Whether two territories are connected directly.
    #[inline]
    pub fn are_neighbors(&self, a: TerritoryId, b: TerritoryId) -> bool {
        self.neighbors(a).contains(b)
    }

    /// The continent of a territory.
    #[inline]
    pub fn continent_of(&self, territory: TerritoryId) -> ContinentId {
        self.continent_of[territory.index()]
    }

    /// The sum of the bonuses of all continents inside the set; branch-free.
    #[inline]
    pub(crate) fn sum_held(&self, set: TerritorySet, bonuses: &[u32; MAX_CONTINENTS]) -> u32 {
        let held = |is_held: bool, bonus: u32| if is_held { bonus } else { 0 };
        if let Some(words) = &self.continent_words {
            let missing = !set.low_word();
            let paid = words.iter().zip(bonuses);
            return paid
                .map(|(word, &bonus)| held(word & missing == 0, bonus))
                .sum();
        }
        let continents = self.continents.iter().zip(bonuses);
        continents
            .map(|(continent, &bonus)| held(set.is_superset(continent.territories), bonus))
            .sum()
    }

    /// Facts about a continent.
    #[inline]
    pub fn continent(&self, continent: ContinentId) -> &Continent {
        &self.continents[continent.index()]
    }

    /// The continents that the map file's missions require.
    pub fn mission_continents(&self) -> &[MissionContinents] {
        &self.mission_continents
    }

    /// The name of a territory.
    pub fn territory_name(&self, territory: TerritoryId) -> &str {
        &self.spec.territories[territory.index()].name
    }

    /// The name of a continent.
    pub fn continent_name(&self, continent: ContinentId) -> &str {
        &self.spec.continents[continent.index()].name
    }

    /// The territory with this name, ignoring case.
    pub fn territory_named(&self, name: &str) -> Option<TerritoryId> {
        self.territories()
            .find(|&t| self.territory_name(t).eq_ignore_ascii_case(name))
    }
}

const BUILTIN: [(&str, &str); 14] = [
    ("classic", include_str!("../maps/classic.json")),
    ("classic-lux", include_str!("../maps/classic-lux.json")),
    ("archipelago80", include_str!("../maps/archipelago80.json")),
    ("ring24", include_str!("../maps/ring24.json")),
    ("isthmus30", include_str!("../maps/isthmus30.json")),
    ("hub31", include_str!("../maps/hub31.json")),
    ("islands40", include_str!("../maps/islands40.json")),
    ("twoworlds48", include_str!("../maps/twoworlds48.json")),
    ("rivers56", include_str!("../maps/rivers56.json")),
    ("honeycomb61", include_str!("../maps/honeycomb61.json")),
    ("empires110", include_str!("../maps/empires110.json")),
    ("line4", include_str!("../maps/line4.json")),
    ("triangle3", include_str!("../maps/triangle3.json")),
    ("duel6", include_str!("../maps/duel6.json")),
];

/// Index of every name; duplicates are faults.
fn index_names<'a>(
    names: impl Iterator<Item = &'a str>,
    duplicate: impl Fn(String) -> MapFault,
    faults: &mut Vec<MapFault>,
) -> BTreeMap<&'a str, usize> {
    let mut index = BTreeMap::new();
    for (n, name) in names.enumerate() {
        if index.contains_key(name) {
            faults.push(duplicate(name.to_owned()));
        } else {
            index.insert(name, n);
        }
    }
    index
}

/// The most characters of a name.
pub(crate) const MAX_NAME: usize = 64;

/// Whether a name is safe to print and recognisable to a person: at least one
/// visible letter or digit, no control characters (so no escape sequences), no
/// bidirectional or invisible characters, no space at the ends.
fn is_name(name: &str) -> bool {
    name.chars().take(MAX_NAME + 1).count() <= MAX_NAME
        && name.trim() == name
        && name.chars().all(is_visible)
        && name.chars().any(char::is_alphanumeric)
}

/// Whether a character is visible and does not affect its neighbours: not a
/// control character, and not one that changes the text direction.
pub fn is_visible(c: char) -> bool {
    !c.is_control() && !is_invisible(c)
}

/// Characters that are invisible or affect their neighbours: Unicode's
/// default-ignorable ones (fillers count as letters there), line separators,
/// and the empty braille cell.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_color(color: &str) -> bool {
    let digits = color.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Counts above the limits. If there are any, validation stops here, so that a
/// huge file costs no more than reading it.
fn find_excesses(spec: &MapSpec) -> Vec<MapFault> {
    let mut faults = Vec::new();
    if spec.territories.len() > MAX_TERRITORIES {
        faults.push(MapFault::TooManyTerritories(spec.territories.len()));
    }
    if spec.continents.len() > MAX_CONTINENTS {
        faults.push(MapFault::TooManyContinents(spec.continents.len()));
    }
    if spec.missions.len() > MAX_MISSIONS {
        faults.push(MapFault::TooManyMissions(spec.missions.len()));
    }
    let too_long = spec.missions.iter().map(Vec::len).max();
    if let Some(n) = too_long.filter(|&n| n > MAX_CONTINENTS) {
        faults.push(MapFault::TooLongMission(n));
    }
    let crowded = spec
        .territories
        .iter()
        .find(|t| t.connections.len() > MAX_TERRITORIES);
    if let Some(territory) = crowded {
        faults.push(MapFault::TooManyConnections(territory.name.clone()));
    }
    faults
}

fn find_faults(spec: &MapSpec) -> Vec<MapFault> {
    let mut faults = find_excesses(spec);
    if !faults.is_empty() {
        return faults;
    }
    if let n @ 0..=1 = spec.territories.len() {
        faults.push(MapFault::TooFewTerritories(n));
    }
    let continent_names = spec.continents.iter().map(|c| &c.name);
    let territory_names = spec.territories.iter().map(|t| &t.name);
    for name in [&spec.name]
        .into_iter()
        .chain(continent_names)
        .chain(territory_names)
        .filter(|name| !is_name(name))
    {
        faults.push(MapFault::UnprintableName(name.clone()));
    }
    for continent in spec.continents.iter().filter(|c| !is_color(&c.color)) {
        faults.push(MapFault::BadColor {
            continent: continent.name.clone(),
            color: continent.color.clone(),
        });
    }
    let continents = index_names(
        spec.continents.iter().map(|c| c.name.as_str()),
        MapFault::DuplicateContinent,
        &mut faults,
    );
    let territories = index_names(
        spec.territories.iter().map(|t| t.name.as_str()),
        MapFault::DuplicateTerritory,
        &mut faults,
    );
    for territory in &spec.territories {
        check_territory(spec, territory, &continents, &territories, &mut faults);
    }
    for continent in &spec.continents {
        if !spec
            .territories
            .iter()
            .any(|t| t.continent == continent.name)
        {
            faults.push(MapFault::EmptyContinent(continent.name.clone()));
        }
    }
    check_connected(spec, &territories, &mut faults);
    for name in spec.missions.iter().flatten() {
        if name != "*" && !continents.contains_key(name.as_str()) {
            faults.push(MapFault::UnknownMissionContinent(name.clone()));
        }
    }
    faults
}

fn check_territory(
    spec: &MapSpec,
    territory: &TerritorySpec,
    continents: &BTreeMap<&str, usize>,
    territories: &BTreeMap<&str, usize>,
    faults: &mut Vec<MapFault>,
) {
    let name = &territory.name;
    if !continents.contains_key(territory.continent.as_str()) {
        faults.push(MapFault::UnknownContinent {
            territory: name.clone(),
            continent: territory.continent.clone(),
        });
    }
    if territory.position.iter().any(|x| !x.is_finite()) {
        faults.push(MapFault::NonFinitePosition(name.clone()));
    }
    for (n, neighbor) in territory.connections.iter().enumerate() {
        if neighbor == name {
            faults.push(MapFault::SelfConnection(name.clone()));
        } else if territory.connections[..n].contains(neighbor) {
            faults.push(MapFault::DuplicateConnection {
                territory: name.clone(),
                neighbor: neighbor.clone(),
            });
        } else if let Some(&other) = territories.get(neighbor.as_str()) {
            if !spec.territories[other].connections.contains(name) {
                faults.push(MapFault::OneWayConnection {
                    from: name.clone(),
                    to: neighbor.clone(),
                });
            }
        } else {
            faults.push(MapFault::UnknownNeighbor {
                territory: name.clone(),
                neighbor: neighbor.clone(),
            });
        }
    }
}

/// Checks that every territory is reachable from the first one.
fn check_connected(
    spec: &MapSpec,
    territories: &BTreeMap<&str, usize>,
    faults: &mut Vec<MapFault>,
) {
    let mut reached = vec![false; spec.territories.len()];
    let mut queue = vec![0];
    while let Some(index) = queue.pop() {
        let Some(seen) = reached.get_mut(index) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        let connections = spec.territories[index].connections.iter();
        queue.extend(connections.filter_map(|name| territories.get(name.as_str())));
    }
    let unreachable: Vec<String> = spec
        .territories
        .iter()
        .zip(&reached)
        .filter(|(_, reached)| !**reached)
        .map(|(territory, _)| territory.name.clone())
        .collect();
    if !unreachable.is_empty() {
        faults.push(MapFault::Disconnected { unreachable });
    }
}

fn continent_words(n_territories: usize, continents: &[Continent]) -> Option<[u64; 8]> {
    let mut words = [u64::MAX; 8];
    for (n, continent) in continents.iter().enumerate() {
        *words.get_mut(n)? = continent.territories.low_word();
    }
    // Bit 63 must be free.
    (n_territories < 64).then_some(words)
}

/// Turns a spec without faults into a map.
fn build(spec: MapSpec) -> Map {
    let territory = |name: &String| {
        spec.territories
            .iter()
            .position(|t| t.name == *name)
            .map(TerritoryId::new)
    };
    let continent = |name: &String| {
        spec.continents
            .iter()
            .position(|c| c.name == *name)
            .map(ContinentId::new)
    };
    let neighbor_lists: Vec<Vec<TerritoryId>> = spec
        .territories
        .iter()
        .map(|t| t.connections.iter().filter_map(territory).collect())
        .collect();
    let neighbor_sets: [TerritorySet; MAX_TERRITORIES] = std::array::from_fn(|t| {
        let list = neighbor_lists.get(t).into_iter().flatten();
        list.copied().collect()
    });
    let continent_of: Vec<ContinentId> = spec
        .territories
        .iter()
        .filter_map(|t| continent(&t.continent))
        .collect();
    let continents = build_continents(&spec, &continent_of, &neighbor_sets);
    let mission_continents = spec
        .missions
        .iter()
        .map(|names| MissionContinents {
            named: names.iter().filter_map(continent).collect(),
            n_further: names.iter().filter(|name| *name == "*").count(),
        })
        .collect();
    Map {
        hash: hash_of(&spec),
        all: TerritorySet::first_n(spec.territories.len()),
        neighbor_words: NeighborWords::of(&neighbor_sets[..spec.territories.len()]),
        near: (0..)
            .zip(&neighbor_lists)
            .map(|(t, list)| Near::of(TerritoryId::new(t), list))
            .collect(),
        most_neighbors: neighbor_lists.iter().map(Vec::len).max().unwrap_or(0),
        neighbor_sets,
        neighbor_lists,
        continent_of,
        continent_words: continent_words(spec.territories.len(), &continents),
        continents,
        mission_continents,
        spec,
    }
}

fn build_continents(
    spec: &MapSpec,
    continent_of: &[ContinentId],
    neighbor_sets: &[TerritorySet],
) -> Vec<Continent> {
    (0..spec.continents.len())
        .map(|index| {
            let territories: TerritorySet = (0..continent_of.len())
                .filter(|&t| continent_of[t].index() == index)
                .map(TerritoryId::new)
                .collect();
            let borders = territories
                .iter()
                .filter(|t| !territories.is_superset(neighbor_sets[t.index()]))
                .collect();
            Continent {
                territories,
                borders,
                bonus: spec.continents[index].bonus,
            }
        })
        .collect()
}

fn hash_of(spec: &MapSpec) -> u64 {
    let mut text = String::new();
    for continent in &spec.continents {
        text += &format!("{}={};", continent.name, continent.bonus);
    }
    for territory in &spec.territories {
        text += &format!(
            "{}@{}:{};",
            territory.name,
            territory.continent,
            territory.connections.join(",")
        );
    }
    for mission in &spec.missions {
        text += &mission.join("+");
        text.push(';');
    }
    fnv1a(text.as_bytes())
}
