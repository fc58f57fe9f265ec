//! A game: map, rules, number of players, and everything derived from them.

use std::fmt;
use std::sync::Arc;

use crate::battle::{BattleLaw, BattleTable, Rolls};
use crate::board::Board;
use crate::ids::{ContinentId, MAX_CONTINENTS, PlayerId};
use crate::map::{Map, MissionContinents};
use crate::narrow::{Narrow as _, whole};
use crate::rng::{Rng, fnv1a, mix};
use crate::rules::{Attack, CardScheme, InitialArmies, Rules, RulesError, Start, Victory};
use crate::state::{Node, State};

/// Everything that does not change while playing. States share it.
///
/// ```
/// use hegemon_core::{Game, Map, Node, Rules};
/// let game = Game::new(
///     Map::builtin("classic").expect("shipped"),
///     Rules::preset("lux").expect("shipped"),
///     3,
/// ).expect("lux rules suit three players");
/// let state = game.deal(1);
/// assert!(matches!(state.node(), Node::Decision(_)));
/// ```
///
/// Threads that play many short games should have a clone each: all states of a
/// game share one reference count, and threads would contend for it.
#[derive(Clone, Debug)]
pub struct Game {
    map: Map,
    rules: Rules,
    n_players: usize,
    initial_armies: u32,
    /// Continent bonuses by round, until they stop growing.
    bonuses: Vec<[u32; MAX_CONTINENTS]>,
    missions: Vec<Mission>,
    battles: Arc<BattleTable>,
    capital_battles: Arc<BattleTable>,
    has_extra_die: bool,
    rolls: Option<Rolls>,
    unclaimed: Board,
    hash: u64,
}

/// A secret mission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mission {
    /// Hold these continents.
    Continents(MissionContinents),
    /// Hold `n` territories with at least `armies` on each.
    Territories {
        /// Number of territories.
        n: usize,
        /// Fewest armies on each.
        armies: u32,
    },
    /// Eliminate this player; if that is the player itself, or another player
    /// does it, hold the usual number of territories instead.
    Eliminate(PlayerId),
}

/// Why map, rules and number of players do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameError {
    /// The rules contradict each other.
    Rules(RulesError),
    /// The rules are for another number of players.
    Players {
        /// The requested number.
        asked: usize,
        /// Fewest and most that the rules allow.
        allowed: [u8; 2],
    },
    /// There are fewer territories than players.
    MapTooSmall {
        /// Territories of the map.
        territories: usize,
        /// Players.
        players: usize,
    },
    /// The armies at the start do not cover the territories.
    TooFewArmies {
        /// Initial armies per player.
        armies: u32,
        /// Most territories a player may get.
        territories: usize,
    },
    /// The armies at the start exceed what a player may have in all.
    BeyondSupply {
        /// Initial armies per player.
        armies: u32,
        /// Most armies of a player.
        supply: u16,
    },
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Rules(error) => error.fmt(f),
            GameError::Players {
                asked,
                allowed: [fewest, most],
            } if fewest == most => {
                write!(f, "these rules are for {fewest} players, not for {asked}")
            }
            GameError::Players {
                asked,
                allowed: [fewest, most],
            } => {
                write!(
                    f,
                    "these rules are for {fewest} to {most} players, not for {asked}"
                )
            }
            GameError::MapTooSmall {
                territories,
                players,
            } => {
                write!(
                    f,
                    "{territories} territories are too few for {players} players"
                )
            }
            GameError::TooFewArmies {
                armies,
                territories,
            } => write!(
                f,
                "{armies} armies at the start do not cover the {territories} territories of a player"
            ),
            GameError::BeyondSupply { armies, supply } => write!(
                f,
                "{armies} armies at the start are more than the supply of {supply}"
            ),
        }
    }
}

impl std::error::Error for GameError {}

impl Game {
    /// Combines map, rules and number of players.
    ///
    /// # Errors
    ///
    /// If the rules contradict each other, the map or the number of players.
    pub fn new(map: Map, rules: Rules, n_players: usize) -> Result<Arc<Game>, GameError> {
        rules.validate().map_err(GameError::Rules)?;
        let [fewest, most] = rules.players;
        if !(usize::from(fewest)..=usize::from(most)).contains(&n_players) {
            return Err(GameError::Players {
                asked: n_players,
                allowed: rules.players,
            });
        }
        let n_parties = n_players + usize::from(rules.neutral && n_players == 2);
        if map.n_territories() < n_parties {
            let territories = map.n_territories();
            return Err(GameError::MapTooSmall {
                territories,
                players: n_parties,
            });
        }
        let initial_armies = initial_armies(&map, &rules, n_players);
        let most_territories = map.n_territories().div_ceil(n_parties);
        if (initial_armies as usize) < most_territories {
            return Err(GameError::TooFewArmies {
                armies: initial_armies,
                territories: most_territories,
            });
        }
        if initial_armies > u32::from(rules.supply) {
            return Err(GameError::BeyondSupply {
                armies: initial_armies,
                supply: rules.supply,
            });
        }
        let law = rules.battle.law();
        let has_extra_die = matches!(
            rules.victory,
            Victory::Capitals {
                extra_die: true,
                ..
            }
        );
        let capital_law = BattleLaw {
            dice: rules
                .battle
                .dice
                .with_defender_bonus(u8::from(has_extra_die)),
            ..law
        };
        let hash = mix(map.hash() ^ mix(fnv1a(rules.to_json().as_bytes()) + n_players as u64));
        Ok(Arc::new(Game {
            bonuses: growing_bonuses(&map, &rules),
            missions: missions(&map, n_players),
            battles: BattleTable::for_law(law),
            capital_battles: BattleTable::for_law(capital_law),
            rolls: rolls(&rules),
            unclaimed: Board::unclaimed(&map),
            has_extra_die,
            initial_armies,
            n_players,
            hash,
            map,
            rules,
        }))
    }

    /// The map.
    #[inline]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many seats there are.
    #[inline]
    pub fn n_players(&self) -> usize {
        self.n_players
    }

    /// The seats in order.
    pub fn seats(
        &self,
    ) -> impl DoubleEndedIterator<Item = PlayerId> + ExactSizeIterator + Clone + use<> {
        PlayerId::seats(self.n_players)
    }

    /// Whether the neutral army takes part.
    pub fn has_neutral(&self) -> bool {
        self.rules.neutral && self.n_players == 2
    }

    /// Whether territories are drafted.
    pub fn has_draft(&self) -> bool {
        self.rules.start == Start::Draft && !self.has_neutral()
    }

    /// Armies of each player at the start, one on each territory included.
    pub fn initial_armies(&self) -> u32 {
        self.initial_armies
    }

    /// What the continent pays in this round (the first is 1).
    #[inline]
    pub fn bonus(&self, continent: ContinentId, round: u32) -> u32 {
        self.bonuses(round)[continent.index()]
    }

    /// What all continents pay in this round, in map order; 0 beyond them.
    #[inline]
    pub(crate) fn bonuses(&self, round: u32) -> &[u32; MAX_CONTINENTS] {
        let row = (round.max(1) as usize - 1).min(self.bonuses.len() - 1);
        &self.bonuses[row]
    }

    /// The secret missions of the game, by number.
    pub fn missions(&self) -> &[Mission] {
        &self.missions
    }

    /// The number of missions, in the type of a mission number.
    pub(crate) fn n_missions(&self) -> u8 {
        self.missions.len().narrow()
    }

    /// Territories that a player needs if another player eliminated its victim.
    pub(crate) fn mission_territories(&self) -> usize {
        share_of(self.map.n_territories(), 4)
    }

    /// Exact odds of the game's battles.
    #[inline]
    pub fn battles(&self) -> &BattleTable {
        &self.battles
    }

    /// Whether capitals are defended with one more die.
    #[inline]
    pub fn has_extra_die(&self) -> bool {
        self.has_extra_die
    }

    /// Exact odds of battles for a capital.
    #[inline]
    pub fn capital_battles(&self) -> &BattleTable {
        &self.capital_battles
    }

    /// The dice of runs of attacks, where an attack is one exchange, all
    /// territories use the same dice, and only a conquest ends the run.
    #[inline]
    pub(crate) fn rolls(&self) -> Option<&Rolls> {
        self.rolls.as_ref()
    }

    /// Whether a run of attacks ([`State::assault`]) is a run of single exchanges
    /// of dice that only a conquest cuts short.
    #[inline]
    pub fn has_plain_rolls(&self) -> bool {
        self.rolls.is_some()
    }

    /// The board at the very start.
    pub(crate) fn unclaimed(&self) -> &Board {
        &self.unclaimed
    }

    /// Hash of map, rules and number of players.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The state at the very start.
    pub fn start(self: &Arc<Self>) -> State {
        State::start(Arc::clone(self))
    }

    /// Value of the next set of cards, if it has one of each symbol.
    pub fn next_set_worth(&self, n_traded: u32) -> u32 {
        match &self.rules.cards.scheme {
            CardScheme::Fixed(by_kind) => u32::from(by_kind[3]),
            scheme => scheme.set_worth([crate::Card::Wild; 3], n_traded),
        }
    }

    /// The state at the first decision, with the deal of this seed.
    pub fn deal(self: &Arc<Self>, seed: u64) -> State {
        let mut rng = Rng::stream(seed, "deal");
        let mut state = self.start();
        while state.node() == Node::Chance {
            state.resolve_deal(&mut rng);
        }
        state
    }
}

fn rolls(rules: &Rules) -> Option<Rolls> {
    let has_extra_die = matches!(
        rules.victory,
        Victory::Capitals {
            extra_die: true,
            ..
        }
    );
    let stops_early = rules.end.early_stop.is_some();
    let is_plain = rules.battle.attack == Attack::Roll && !has_extra_die && !stops_early;
    is_plain.then(|| Rolls::of(rules.battle.dice)).flatten()
}

fn initial_armies(map: &Map, rules: &Rules, n_players: usize) -> u32 {
    match rules.initial_armies {
        InitialArmies::ByPlayers(table) => u32::from(table[n_players - 2]),
        InitialArmies::Lux => {
            let size = map.n_territories() as f64 / 42.0;
            let armies = (1.0 + (size - 1.0) / 2.0) * (50 - 5 * n_players) as f64;
            whole(armies.round())
                .try_into()
                .expect("a map has few territories")
        }
    }
}

/// `floor(bonus * (1 + p/100)^(round - 1))`, until every bonus exceeds what a
/// player may hold. The power uses repeated multiplication, so that it is the
/// same on every machine.
fn growing_bonuses(map: &Map, rules: &Rules) -> Vec<[u32; MAX_CONTINENTS]> {
    let most = u32::from(rules.supply);
    let rate = 1.0 + f64::from(rules.income.growth) / 100.0;
    let mut rows = Vec::new();
    let mut power = 1.0;
    loop {
        let mut row = [0; MAX_CONTINENTS];
        for (paid, c) in row.iter_mut().zip(map.continents()) {
            let bonus = whole((f64::from(map.continent(c).bonus) * power).floor());
            *paid = u32::try_from(bonus).unwrap_or(most).min(most);
        }
        let settled = row.iter().all(|&bonus| bonus == 0 || bonus == most);
        rows.push(row);
        if rules.income.growth == 0 || settled {
            return rows;
        }
        power *= rate;
    }
}

/// `sevenths` of the territories, rounded up: 24 and 18 of 42 in the box.
fn share_of(n_territories: usize, sevenths: usize) -> usize {
    (n_territories * sevenths).div_ceil(7)
}

fn missions(map: &Map, n_players: usize) -> Vec<Mission> {
    let n = map.n_territories();
    let continents = map
        .mission_continents()
        .iter()
        .cloned()
        .map(Mission::Continents);
    continents
        .chain([
            Mission::Territories {
                n: share_of(n, 4),
                armies: 1,
            },
            Mission::Territories {
                n: share_of(n, 3),
                armies: 2,
            },
        ])
        .chain(PlayerId::seats(n_players).map(Mission::Eliminate))
        .collect()
}
