//! Learning: tuners, regression on outcomes, and the training of evaluators.
//!
//! A tuner proposes parameter values and receives the results of games
//! ([`Tuner`]); [`Clop`] and [`Spsa`] are tuners. [`logistic`] fits a linear
//! evaluation to labelled positions instead. [`weights`] trains the weights of
//! the players. [`dataset`] writes games phase by phase and learns from them.
//!
//! ```
//! use hegemon_core::Rng;
//! use hegemon_learn::{Clop, ClopParams, TrialResult, TunedParameter, Space, Tuner};
//!
//! let space = Space::new(vec![TunedParameter::linear("x", 0.0, 10.0)]).expect("a range");
//! let mut clop = Clop::new(space, ClopParams::default());
//! for game in 0..200 {
//!     let trial = clop.ask(&mut Rng::from_seed(game));
//!     let distance = trial.point[0] - 7.0;
//!     let wins = Rng::from_seed(!game).chance((1.0 - 0.02 * distance * distance).max(0.0));
//!     clop.tell(&trial, &[if wins { TrialResult::Win } else { TrialResult::Loss }]);
//! }
//! assert!((clop.estimate().point[0] - 7.0).abs() < 2.0);
//! ```

pub mod beam;
mod checkpoint;
mod clop;
mod cma_es;
pub mod dataset;
pub mod draft;
mod law;
pub mod logistic;
mod space;
mod spsa;
pub mod svg;
mod tuner;
pub mod value;
pub mod weights;

pub use checkpoint::{CheckpointError, read_checkpoint, write_checkpoint};
pub use clop::{Clop, ClopParams};
pub use space::{ParameterScale, Space, SpaceError, TunedParameter};
pub use spsa::{Spsa, SpsaParams};
pub use tuner::{AnyTuner, Estimate, TrialResult, Tuner, TuningTrial};
