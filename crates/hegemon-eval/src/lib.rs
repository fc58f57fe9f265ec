//! Position evaluation: Wolf's thirteen features, linear evaluators over them,
//! and weights files.
//!
//! * [`Feature`] names the features; [`FEATURE_SCHEMA`] is their version.
//! * [`GameFacts`] holds facts derived from map and rules alone.
//! * [`Evaluator`] is a linear function of the features of one player, and
//!   gives a share of the win per player.
//! * [`Batch`] evaluates many moves of one position fast: what a move does not
//!   change is computed once.
//! * [`Weights`] is a weights file.
//! * [`draft`] evaluates drafts.
//! * [`player_features()`] estimates each player's prospects for the next turns,
//!   and [`WinShareModel`] turns them into shares of the win.
//!
//! ```
//! use hegemon_core::{Game, Map, Rules};
//! use hegemon_eval::{Evaluator, Feature, GameFacts, Weights};
//! use std::sync::Arc;
//!
//! let map = Map::builtin("classic").expect("shipped");
//! let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
//! let state = game.deal(1);
//! let weights = Weights::builtin("default").expect("shipped");
//! let evaluator = Evaluator::new(Arc::new(GameFacts::new(&game)), &weights);
//!
//! let features = evaluator.facts().scaled_features(state.board(), state.player());
//! assert_eq!(features[Feature::OccupiedTerritories], 0.5);
//! let shares = evaluator.win_shares(&state);
//! assert!((shares.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-9);
//! ```

#![deny(missing_docs)]

mod batch;
pub mod draft;
mod draft_net;
#[cfg(test)]
mod draft_tests;
mod draft_weights;
mod evaluator;
mod facts;
mod incremental_features;
mod player_features;
mod schema;
pub mod value;
mod weights;
mod weights_file;
mod win_share;
mod win_share_weights;

#[cfg(test)]
mod tests;

pub use batch::Batch;
pub use evaluator::Evaluator;
pub use facts::{GameFacts, RatingRule};
pub use player_features::{PlayerFeatures, card_worth, expected_income, player_features, win_odds};
pub use schema::{FEATURE_SCHEMA, Feature, FeatureVector, N_FEATURES, Stage};
pub use weights::{Form, Weights};
pub use weights_file::{ReadFile, WeightsError, before_provenance, is_weights_path};
pub use win_share::{
    N_WIN_SHARE_FEATURES, WIN_SHARE_FEATURES, WIN_SHARE_SCHEMA, WinShareModel, win_share_features,
};
pub use win_share_weights::WinShareWeights;
