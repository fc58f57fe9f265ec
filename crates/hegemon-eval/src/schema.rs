//! The features by name. The order is that of the weights of Brand and Kroon
//! (2014); the definitions are Wolf's (M. Wolf, *An Intelligent Artificial
//! Player for the Game of Risk*, TU Darmstadt 2005), as far as secondary
//! sources give them (docs/spec/sampling.md 1).

use std::ops::{Index, IndexMut};

use hegemon_core::Phase;

/// How many features there are.
pub const N_FEATURES: usize = 13;

/// Version of the features. Any change of a value requires a new name.
pub const FEATURE_SCHEMA: &str = "wolf-13/1";

/// One of Wolf's features of a player's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// Share of all armies.
    Armies,
    /// Mean of the army and territory share of the strongest enemy, negative.
    BestEnemy,
    /// Share of the own territories with more than one army.
    MoreThanOneArmy,
    /// Share of the own territories without an enemy neighbour.
    Hinterland,
    /// Own armies over the sum of armies times distance to an enemy.
    DistanceToFrontier,
    /// Threats to the borders of the own continents, weighted, negative.
    ContinentSafety,
    /// Threats of the player to the borders of enemy continents, weighted.
    ContinentThreat,
    /// Armies a turn of all enemies, negative.
    EnemyReinforcement,
    /// Continents that enemies hold, negative.
    EnemyContinents,
    /// The best odds of any attack.
    MaximumThreat,
    /// Share of the territories.
    OccupiedTerritories,
    /// Armies a turn.
    OwnReinforcement,
    /// Continents that the player holds.
    OwnContinents,
}

/// What the player is doing; Wolf disables some features by stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Attacking and occupying.
    Attack,
    /// Placing and fortifying (and everything else).
    Move,
}

impl Stage {
    /// The stage that a phase belongs to.
    pub fn of(phase: Phase) -> Stage {
        match phase {
            Phase::Attack | Phase::Battle | Phase::Occupy => Stage::Attack,
            _ => Stage::Move,
        }
    }
}

impl Feature {
    /// All features in the order of the weights.
    pub const ALL: [Feature; N_FEATURES] = [
        Feature::Armies,
        Feature::BestEnemy,
        Feature::MoreThanOneArmy,
        Feature::Hinterland,
        Feature::DistanceToFrontier,
        Feature::ContinentSafety,
        Feature::ContinentThreat,
        Feature::EnemyReinforcement,
        Feature::EnemyContinents,
        Feature::MaximumThreat,
        Feature::OccupiedTerritories,
        Feature::OwnReinforcement,
        Feature::OwnContinents,
    ];

    /// The feature's index in a vector.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The feature's name in weights files.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Armies => "armies",
            Feature::BestEnemy => "best-enemy",
            Feature::MoreThanOneArmy => "more-than-one-army",
            Feature::Hinterland => "hinterland",
            Feature::DistanceToFrontier => "distance-to-frontier",
            Feature::ContinentSafety => "continent-safety",
            Feature::ContinentThreat => "continent-threat",
            Feature::EnemyReinforcement => "enemy-reinforcement",
            Feature::EnemyContinents => "enemy-continents",
            Feature::MaximumThreat => "maximum-threat",
            Feature::OccupiedTerritories => "occupied-territories",
            Feature::OwnReinforcement => "own-reinforcement",
            Feature::OwnContinents => "own-continents",
        }
    }

    /// The feature with this name.
    pub fn from_name(name: &str) -> Option<Feature> {
        Feature::ALL
            .into_iter()
            .find(|feature| feature.name() == name)
    }

    /// Whether Wolf's player uses the feature in this stage
    /// (docs/spec/sampling.md 1.4, last column).
    pub fn is_on(self, stage: Stage) -> bool {
        match self {
            Feature::MoreThanOneArmy | Feature::ContinentSafety | Feature::ContinentThreat => true,
            Feature::DistanceToFrontier | Feature::MaximumThreat => stage == Stage::Move,
            _ => stage == Stage::Attack,
        }
    }
}

/// One number per feature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeatureVector(pub [f64; N_FEATURES]);

impl FeatureVector {
    /// The sum of products with another vector.
    #[inline]
    pub fn dot(&self, other: &FeatureVector) -> f64 {
        let mut sum = 0.0;
        for (mine, theirs) in self.0.iter().zip(&other.0) {
            sum += mine * theirs;
        }
        sum
    }

    /// The differences to another vector.
    pub fn minus(&self, other: &FeatureVector) -> FeatureVector {
        FeatureVector(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl Index<Feature> for FeatureVector {
    type Output = f64;
    #[inline]
    fn index(&self, feature: Feature) -> &f64 {
        &self.0[feature.index()]
    }
}

impl IndexMut<Feature> for FeatureVector {
    #[inline]
    fn index_mut(&mut self, feature: Feature) -> &mut f64 {
        &mut self.0[feature.index()]
    }
}
