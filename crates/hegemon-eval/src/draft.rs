//! The value of a draft for each player (Gibson, Desai and Zhao 2010;
//! docs/spec/lux.md 8.2).
//!
//! The features of a player's territories are (i) how many it has in each
//! continent, (ii) when it plays, (iii) how many territories of others border on
//! its own and (iv) how many pairs of its own are neighbours. A linear function
//! of them, with a weight for every count, is the merit `f`; the share of a
//! player is its merit, at least 0, over the sum of all merits (`V` of the
//! paper). A small net that sees every territory learns better.
//!
//! Players are numbered in the order of play here: player 0 drafts and plays
//! first, whichever seat that is.

use hegemon_core::{
    ByPlayer, MAX_CONTINENTS, MAX_PLAYERS, MAX_TERRITORIES, Map, N_OWNERS, PlayerId, TerritorySet,
};
use thiserror::Error;

pub use crate::draft_net::DraftNetShape;
use crate::draft_net::Net;
pub use crate::draft_weights::{
    ContinentWeights, DRAFT_SCHEMA, DraftWeights, LinearDraft, NetDraft,
};

/// Facts derived from the map and the number of players.
#[derive(Clone, Debug)]
pub struct DraftFacts {
    n_players: usize,
    n_territories: usize,
    n_continents: usize,
    continent_of: [u8; MAX_TERRITORIES],
    /// The territories of each continent.
    lands: [TerritorySet; MAX_CONTINENTS],
    /// The neighbours of each territory.
    neighbors: [TerritorySet; MAX_TERRITORIES],
}

/// The features of all players of a draft.
#[derive(Clone, Debug)]
pub struct DraftFeatures {
    counts: [[u8; MAX_CONTINENTS]; N_OWNERS],
    enemy_neighbors: [u16; N_OWNERS],
    friendly_pairs: [u16; N_OWNERS],
}

impl DraftFeatures {
    /// Territories of a player in a continent, by its number on the map.
    #[inline]
    pub fn count(&self, player: PlayerId, continent: usize) -> usize {
        usize::from(self.counts[player.index()][continent])
    }

    /// Distinct territories that border on the player's and are not its own.
    #[inline]
    pub fn enemy_neighbors(&self, player: PlayerId) -> u32 {
        u32::from(self.enemy_neighbors[player.index()])
    }

    /// Pairs of neighbours that are both the player's.
    #[inline]
    pub fn friendly_pairs(&self, player: PlayerId) -> u32 {
        u32::from(self.friendly_pairs[player.index()])
    }
}

impl DraftFacts {
    /// The facts of a map for `n_players` players.
    pub fn new(map: &Map, n_players: usize) -> DraftFacts {
        let mut facts = DraftFacts {
            n_players,
            n_territories: map.n_territories(),
            n_continents: map.continents().len(),
            continent_of: [0; MAX_TERRITORIES],
            lands: [TerritorySet::EMPTY; MAX_CONTINENTS],
            neighbors: [TerritorySet::EMPTY; MAX_TERRITORIES],
        };
        for t in map.territories() {
            let continent = map.continent_of(t).index();
            facts.continent_of[t.index()] = continent as u8;
            facts.lands[continent].insert(t);
            facts.neighbors[t.index()] = map.neighbors(t);
        }
        facts
    }

    /// Number of players.
    pub fn n_players(&self) -> usize {
        self.n_players
    }

    /// Number of territories.
    pub fn n_territories(&self) -> usize {
        self.n_territories
    }

    /// Number of continents.
    pub fn n_continents(&self) -> usize {
        self.n_continents
    }

    /// Number of territories of a continent.
    pub fn size(&self, continent: usize) -> usize {
        self.lands[continent].len()
    }

    /// The continent of a territory, both by their numbers on the map.
    #[inline]
    pub(crate) fn continent_of(&self, territory: usize) -> usize {
        usize::from(self.continent_of[territory])
    }

    /// The features of a draft: the owner of each territory, [`PlayerId::NOBODY`]
    /// where it is free. A free neighbour counts as an enemy one, as in the
    /// authors' program.
    pub fn features(&self, owners: &[PlayerId]) -> DraftFeatures {
        debug_assert_eq!(owners.len(), self.n_territories);
        let mut features = DraftFeatures {
            counts: [[0; MAX_CONTINENTS]; N_OWNERS],
            enemy_neighbors: [0; N_OWNERS],
            friendly_pairs: [0; N_OWNERS],
        };
        // A word at a time: in a hot loop a bit of a word is set faster than a
        // territory of a set.
        let mut words = [[0u64; 2]; N_OWNERS];
        for (half, owners) in owners.chunks(64).enumerate() {
            let mut bit = 1;
            for owner in owners {
                words[owner.index()][half % 2] |= bit;
                bit <<= 1;
            }
        }
        for (owner, [low, high]) in words.into_iter().enumerate() {
            if low | high == 0 {
                continue;
            }
            let own = TerritorySet::from_bits(u128::from(high) << 64 | u128::from(low));
            // With a constant high word the compiler leaves its half out.
            let (around, n_friends) = if high == 0 {
                self.border(TerritorySet::from_bits(low.into()))
            } else {
                self.border(own)
            };
            features.enemy_neighbors[owner] = (around - own).len() as u16;
            features.friendly_pairs[owner] = (n_friends / 2) as u16;
            let lands = &self.lands[..self.n_continents];
            for (count, &land) in features.counts[owner].iter_mut().zip(lands) {
                *count = (land & own).len() as u8;
            }
        }
        features
    }

    /// All neighbours of some territories, and how many of these are among them,
    /// counted for each.
    #[inline(always)]
    fn border(&self, own: TerritorySet) -> (TerritorySet, usize) {
        let (mut around, mut n_friends) = (TerritorySet::EMPTY, 0);
        own.iter().for_each(|t| {
            let neighbors = self.neighbors[t.index()];
            around |= neighbors;
            n_friends += (neighbors & own).len();
        });
        (around, n_friends)
    }
}

/// Why weights do not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum DraftMismatch {
    #[error("the draft weights are for {weights} players, the game has {game}")]
    Players { weights: usize, game: usize },
    #[error("the draft weights are for another map: {0}")]
    Map(String),
    #[error("the draft weights are not whole: {0}")]
    Shape(String),
}

/// A linear merit with its weights in one row.
#[derive(Clone, Debug)]
struct Linear {
    /// The weight of each place in the order of play, intercept included.
    seats: [f64; MAX_PLAYERS],
    enemy_neighbor: f64,
    friendly_pair: f64,
    /// Where the counts of each continent begin in `by_count`.
    starts: [usize; MAX_CONTINENTS],
    by_count: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Model {
    Linear(Box<Linear>),
    Net(Net),
}

/// Evaluates drafts of a map for a number of players.
///
/// ```
/// use hegemon_core::{Map, PlayerId};
/// use hegemon_eval::draft::{DraftEvaluator, DraftWeights};
/// let map = Map::builtin("classic-lux").expect("shipped");
/// let weights = DraftWeights::builtin("draft-authors").expect("shipped");
/// let evaluator = DraftEvaluator::new(&map, 3, &weights, true).expect("for this map");
/// let owners: Vec<PlayerId> = (0..42).map(|t| PlayerId::new(t % 3)).collect();
/// let shares = evaluator.shares(&owners);
/// assert!((shares.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct DraftEvaluator {
    facts: DraftFacts,
    model: Model,
}

impl DraftEvaluator {
    /// The evaluator of a weights file. Without the intercept it reproduces the
    /// example that the paper prints; the paper's experiments used it.
    ///
    /// # Errors
    ///
    /// If the weights are for another map or number of players.
    pub fn new(
        map: &Map,
        n_players: usize,
        weights: &DraftWeights,
        has_intercept: bool,
    ) -> Result<DraftEvaluator, DraftMismatch> {
        if weights.players != n_players {
            let players = weights.players;
            return Err(DraftMismatch::Players {
                weights: players,
                game: n_players,
            });
        }
        let facts = DraftFacts::new(map, n_players);
        let model = match (&weights.linear, &weights.net) {
            (Some(linear), None) => {
                Model::Linear(Box::new(Linear::new(map, &facts, linear, has_intercept)?))
            }
            (None, Some(net)) => Model::Net(Net::new(map, &facts, net)?),
            _ => {
                let message = "one of [linear] and [net] is needed".to_owned();
                return Err(DraftMismatch::Shape(message));
            }
        };
        Ok(DraftEvaluator { facts, model })
    }

    /// The facts of the map.
    pub fn facts(&self) -> &DraftFacts {
        &self.facts
    }

    /// The merit of each player's territories: `f` of the paper, or the log odds
    /// of a net.
    pub fn merits(&self, owners: &[PlayerId]) -> ByPlayer<f64> {
        match &self.model {
            Model::Linear(linear) => linear.merits(&self.facts, owners),
            Model::Net(net) => net.merits(&self.facts, owners),
        }
    }

    /// The value of the draft for each player, as a share of the win: `V` of the
    /// paper. All 0 if no merit is positive.
    #[inline]
    pub fn shares(&self, owners: &[PlayerId]) -> ByPlayer<f64> {
        let mut shares = self.merits(owners);
        let n_players = self.facts.n_players;
        match self.model {
            Model::Linear(_) => shares.0[..n_players]
                .iter_mut()
                .for_each(|v| *v = v.max(0.0)),
            Model::Net(_) => crate::draft_net::exponentiate(&mut shares.0[..n_players]),
        }
        let sum: f64 = shares.0[..n_players].iter().sum();
        if sum > 0.0 {
            shares.0[..n_players].iter_mut().for_each(|v| *v /= sum);
        }
        shares
    }
}

impl Linear {
    fn new(
        map: &Map,
        facts: &DraftFacts,
        weights: &LinearDraft,
        has_intercept: bool,
    ) -> Result<Linear, DraftMismatch> {
        if weights.seats.len() != facts.n_players {
            return Err(DraftMismatch::Shape(
                "one seat weight a player is needed".to_owned(),
            ));
        }
        let intercept = if has_intercept {
            weights.intercept
        } else {
            0.0
        };
        let mut linear = Linear {
            seats: [0.0; MAX_PLAYERS],
            enemy_neighbor: weights.enemy_neighbor,
            friendly_pair: weights.friendly_pair,
            starts: [0; MAX_CONTINENTS],
            by_count: Vec::new(),
        };
        for (mine, seat) in linear.seats.iter_mut().zip(&weights.seats) {
            *mine = intercept + seat;
        }
        if weights.continents.len() != facts.n_continents {
            let message = format!("it has {} continents", weights.continents.len());
            return Err(DraftMismatch::Map(message));
        }
        for continent in map.continents() {
            let name = map.continent_name(continent);
            let named = |known: &&ContinentWeights| known.name.eq_ignore_ascii_case(name);
            let found = weights.continents.iter().find(named);
            let found = found.ok_or_else(|| DraftMismatch::Map(format!("it lacks {name}")))?;
            if found.weights.len() != facts.size(continent.index()) + 1 {
                return Err(DraftMismatch::Map(format!("{name} has another size")));
            }
            linear.starts[continent.index()] = linear.by_count.len();
            linear.by_count.extend(&found.weights);
        }
        Ok(linear)
    }

    #[inline]
    fn merits(&self, facts: &DraftFacts, owners: &[PlayerId]) -> ByPlayer<f64> {
        let features = facts.features(owners);
        let mut merits = ByPlayer::<f64>::default();
        for player in PlayerId::seats(facts.n_players) {
            let counts = &features.counts[player.index()][..facts.n_continents];
            let mut merit = self.seats[player.index()];
            for (&count, &start) in counts.iter().zip(&self.starts) {
                merit += self.by_count[start + usize::from(count)];
            }
            merit += self.enemy_neighbor * f64::from(features.enemy_neighbors(player));
            merit += self.friendly_pair * f64::from(features.friendly_pairs(player));
            merits[player] = merit;
        }
        merits
    }
}
