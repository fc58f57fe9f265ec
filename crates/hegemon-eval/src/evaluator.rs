//! Linear evaluators.

use std::sync::Arc;

use hegemon_core::{Board, ByPlayer, PlayerId, State};

use crate::facts::GameFacts;
use crate::incremental_features::IncrementalFeatures;
use crate::schema::{Feature, FeatureVector, Stage};
use crate::weights::{Form, Weights};

/// `E = sum of weight * feature` for one player, and shares of the win from the
/// evaluations of all players.
///
/// Weights for scaled features include their scale, so that evaluation is one
/// product with the raw features for either form of file.
#[derive(Clone, Debug)]
pub struct Evaluator {
    facts: Arc<GameFacts>,
    /// For [`Stage::Attack`], for [`Stage::Move`], and without a mask.
    by_stage: [FeatureVector; 2],
    unmasked: FeatureVector,
    value_scale: f64,
    tempo: f64,
}

impl Evaluator {
    /// An evaluator of these weights. The variants that the weights were made
    /// for must be those of `facts`; [`Evaluator::for_game`] ensures that.
    pub fn new(facts: Arc<GameFacts>, weights: &Weights) -> Evaluator {
        let unmasked = folded(&facts, &weights.vector(), weights.form);
        let mut evaluator = Evaluator {
            facts,
            by_stage: [unmasked; 2],
            unmasked,
            value_scale: weights.value_scale,
            tempo: weights.tempo,
        };
        if weights.phase_mask {
            for (stage, vector) in [Stage::Attack, Stage::Move]
                .into_iter()
                .zip(&mut evaluator.by_stage)
            {
                for feature in Feature::ALL {
                    if !feature.is_on(stage) {
                        vector[feature] = 0.0;
                    }
                }
            }
        }
        evaluator
    }

    /// The evaluator of a weights file for a game.
    pub fn for_game(game: &hegemon_core::Game, weights: &Weights) -> Evaluator {
        let rating = weights.rating();
        let facts = GameFacts::with_variants(game, rating, weights.squared_maximum);
        Evaluator::new(Arc::new(facts), weights)
    }

    /// The facts of the game.
    pub fn facts(&self) -> &GameFacts {
        &self.facts
    }

    /// The weighted sum of raw features.
    #[inline]
    pub(crate) fn weigh(&self, raw: &FeatureVector, stage: Stage) -> f64 {
        self.by_stage[stage as usize].dot(raw)
    }

    /// The evaluation of a player's position.
    pub fn evaluate(&self, board: &Board, player: PlayerId, stage: Stage) -> f64 {
        self.weigh(&self.facts.raw_features(board, player), stage)
    }

    /// A share of the win per player: `exp(scale * E)` over the sum of it over
    /// all players still in the game. For two players this is the logistic
    /// function of `scale * (E_p - E_e)`, antisymmetric as search needs it
    /// (docs/spec/sampling.md 1.4). The player to move also gets the tempo. Masks do
    /// not apply: values of different phases are compared with each other.
    pub fn win_shares(&self, state: &State) -> ByPlayer<f64> {
        let mut features = IncrementalFeatures::default();
        features.read(&self.facts, state.board());
        let mut shares = ByPlayer::<f64>::default();
        let mut most = f64::NEG_INFINITY;
        for player in state.alive() {
            features.settle(&self.facts, player);
            let mut value = self.unmasked.dot(&features.raw(&self.facts)) * self.value_scale;
            if player == state.player() {
                value += self.tempo;
            }
            shares[player] = value;
            most = most.max(value);
        }
        let mut sum = 0.0;
        for player in state.alive() {
            shares[player] = libm::exp(shares[player] - most);
            sum += shares[player];
        }
        for player in state.alive() {
            shares[player] /= sum;
        }
        shares
    }
}

fn folded(facts: &GameFacts, weights: &FeatureVector, form: Form) -> FeatureVector {
    match form {
        Form::Raw => *weights,
        Form::Scaled => FeatureVector(std::array::from_fn(|i| weights.0[i] * facts.factors().0[i])),
    }
}
