//! Facts derived from map and rules alone.

use hegemon_core::battle::approximate::NormalOdds;
use hegemon_core::{Board, Game, MAX_TERRITORIES, PlayerId, TerritoryId, TerritorySet};

use crate::incremental_features::IncrementalFeatures;
use crate::schema::{Feature, FeatureVector, N_FEATURES};

/// What "borders" means in the continent rating `(15 + bonus - 4 * borders) /
/// size`. The sources on Wolf's thesis disagree (docs/spec/sampling.md 1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RatingRule {
    /// Border territories: all ratings of the classic map are positive.
    #[default]
    Territories,
    /// Border edges, as in the authors' program.
    Edges,
}

/// A continent as the features see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContinentFacts {
    pub(crate) territories: TerritorySet,
    pub(crate) borders: TerritorySet,
    pub(crate) bonus: u32,
    pub(crate) rating: f64,
}

/// What the features need of a game, computed once.
#[derive(Clone, Debug)]
pub struct GameFacts {
    pub(crate) n_territories: usize,
    pub(crate) n_players: usize,
    pub(crate) neighbors: Box<[TerritorySet; MAX_TERRITORIES]>,
    pub(crate) continents: Vec<ContinentFacts>,
    pub(crate) divisor: u32,
    pub(crate) minimum: u32,
    pub(crate) odds: NormalOdds,
    /// The second term of Continent Safety is the square of the maximum.
    pub(crate) squared_maximum: bool,
    /// `scaled = factor * raw`.
    factors: FeatureVector,
}

impl GameFacts {
    /// The facts of a game, borders counted as territories.
    pub fn new(game: &Game) -> GameFacts {
        GameFacts::with_variants(game, RatingRule::default(), false)
    }

    /// The facts with a choice of the continent rating and of the second term
    /// of Continent Safety (`squared_maximum`: as in the program of Brand and
    /// Kroon 2014).
    ///
    /// Odds are those of common battles: a capital's extra die is not counted.
    /// Bonuses are those of the map: growth is not counted.
    pub fn with_variants(game: &Game, rule: RatingRule, squared_maximum: bool) -> GameFacts {
        let map = game.map();
        let mut neighbors = Box::new([TerritorySet::EMPTY; MAX_TERRITORIES]);
        for territory in map.territories() {
            neighbors[territory.index()] = map.neighbors(territory);
        }
        let continents: Vec<ContinentFacts> = map
            .continents()
            .map(|id| {
                let continent = map.continent(id);
                let (inside, borders) = (continent.territories, continent.borders);
                let n_borders = match rule {
                    RatingRule::Territories => borders.len(),
                    RatingRule::Edges => borders
                        .iter()
                        .map(|t| (map.neighbors(t) - inside).len())
                        .sum(),
                };
                let rating = (15.0 + f64::from(continent.bonus) - 4.0 * n_borders as f64)
                    / inside.len() as f64;
                ContinentFacts {
                    territories: inside,
                    borders,
                    bonus: u32::from(continent.bonus),
                    rating,
                }
            })
            .collect();
        let income = game.rules().income;
        let mut facts = GameFacts {
            n_territories: map.n_territories(),
            n_players: game.n_players(),
            neighbors,
            continents,
            divisor: u32::from(income.divisor),
            minimum: u32::from(income.minimum),
            odds: NormalOdds::new(game.battles()),
            squared_maximum,
            factors: FeatureVector([1.0; N_FEATURES]),
        };
        facts.factors = facts.scale();
        facts
    }

    /// The largest income a player can have: all territories and continents.
    pub fn largest_income(&self) -> u32 {
        let bonuses: u32 = self.continents.iter().map(|c| c.bonus).sum();
        self.minimum.max(self.n_territories as u32 / self.divisor) + bonuses
    }

    /// The ratings of the continents, in map order.
    pub fn ratings(&self) -> impl Iterator<Item = f64> + '_ {
        self.continents.iter().map(|c| c.rating)
    }

    /// The largest values of Continent Safety and Continent Threat:
    /// `sum of rating * (borders + 1)` and `sum of rating * borders`.
    pub fn continent_scales(&self) -> (f64, f64) {
        let sum = |extra: f64| {
            let terms = self.continents.iter();
            terms
                .map(|c| c.rating.abs() * (c.borders.len() as f64 + extra))
                .sum()
        };
        (sum(1.0), sum(0.0))
    }

    /// The factors that turn raw features into scaled ones, each in `[0, 1]`
    /// (docs/spec/sampling.md 1.4; with several enemies the sum of their
    /// incomes has its own bound). With [`RatingRule::Edges`] ratings may be
    /// negative, and then the continent features are in `[-1, 1]`.
    pub fn factors(&self) -> &FeatureVector {
        &self.factors
    }

    fn scale(&self) -> FeatureVector {
        let inverse = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        let (safety, threat) = self.continent_scales();
        let n_continents = self.continents.len() as f64;
        let n_enemies = self.n_players as u32 - 1;
        let own = f64::from(self.largest_income());
        let enemies = own + f64::from(self.minimum * n_enemies.saturating_sub(1));
        let mut factors = FeatureVector([1.0; N_FEATURES]);
        factors[Feature::BestEnemy] = -1.0;
        factors[Feature::ContinentSafety] = -inverse(safety);
        factors[Feature::ContinentThreat] = inverse(threat);
        factors[Feature::EnemyReinforcement] = -inverse(enemies);
        factors[Feature::EnemyContinents] = -inverse(n_continents);
        factors[Feature::OwnReinforcement] = inverse(own);
        factors[Feature::OwnContinents] = inverse(n_continents);
        factors
    }

    /// Wolf's raw features of a player's position.
    pub fn raw_features(&self, board: &Board, player: PlayerId) -> FeatureVector {
        let mut features = IncrementalFeatures::default();
        features.read(self, board);
        features.settle(self, player);
        features.raw(self)
    }

    /// The features scaled to `[0, 1]`; those that Wolf counts negative keep
    /// their size but lose their sign.
    pub fn scaled_features(&self, board: &Board, player: PlayerId) -> FeatureVector {
        let raw = self.raw_features(board, player);
        FeatureVector(std::array::from_fn(|i| raw.0[i] * self.factors.0[i]))
    }

    /// The income per turn of a player with these territories, without cards; 0
    /// without a territory.
    #[inline]
    pub(crate) fn income(&self, own: TerritorySet) -> u32 {
        if own.is_empty() {
            return 0;
        }
        let mut income = self.minimum.max(own.len() as u32 / self.divisor);
        for continent in &self.continents {
            if own.is_superset(continent.territories) {
                income += continent.bonus;
            }
        }
        income
    }

    #[inline]
    pub(crate) fn neighbors_of(&self, territory: TerritoryId) -> TerritorySet {
        self.neighbors[territory.index()]
    }
}
