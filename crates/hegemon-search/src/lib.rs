//! Game search for hegemon: Monte Carlo tree search, expectiminimax and an
//! exact solver over one small [`Domain`] trait.
//!
//! The trait covers decisions, chance and ends, with a value per player. The
//! same drivers therefore run tic-tac-toe, Nim, a one-front battle, random
//! trees and Risk, and their results on small games can be compared with the
//! exact answer.
//!
//! * [`Mcts`]: tree policies, expansions, backups, opponent models, leaf values,
//!   budgets and threads that combine freely through [`MctsParams`].
//! * [`Expectiminimax`]: fixed depth, sampled width, sound pruning at chance.
//! * [`solve`]: exact values of every reachable state by value iteration.
//!
//! Knowledge of a game is supplied through [`Evaluate`], [`Playout`] and
//! [`Suggest`].
//!
//! # Examples
//!
//! One heap of matches, take one to three, the last match wins:
//!
//! ```
//! use hegemon_core::Rng;
//! use hegemon_search::{Budget, Domain, Hooks, Mcts, MctsParams, NodeKind, Player, Values};
//!
//! struct Heap;
//!
//! impl Domain for Heap {
//!     type State = (u8, u8); // matches, player to move
//!     type Action = u8;
//!     type Outcome = (); // no chance
//!
//!     fn n_players(&self) -> usize {
//!         2
//!     }
//!     fn kind(&self, &(matches, mover): &(u8, u8)) -> NodeKind {
//!         match matches {
//!             0 => NodeKind::Terminal,
//!             _ => NodeKind::Decision(Player(mover)),
//!         }
//!     }
//!     fn actions(&self, state: &(u8, u8), out: &mut Vec<u8>) {
//!         out.extend(1..=state.0.min(3));
//!     }
//!     fn play(&self, state: &mut (u8, u8), taken: &u8) {
//!         *state = (state.0 - taken, 1 - state.1);
//!     }
//!     fn outcomes(&self, _: &(u8, u8), _: &mut Vec<((), u64)>) {}
//!     fn resolve(&self, _: &mut (u8, u8), _: ()) {}
//!     fn utilities(&self, state: &(u8, u8)) -> Values {
//!         Values::win(Player(1 - state.1))
//!     }
//! }
//!
//! let mut mcts = Mcts::new(Heap, Hooks::default(), MctsParams::paper(1), (7, 0));
//! let report = mcts.search(Budget::Iterations(5_000), &mut Rng::from_seed(1));
//! assert_eq!(report.best, Some(3), "leaves four");
//! assert!(report.values[Player(0)] > 0.8);
//! ```

#![deny(missing_docs)]

mod backup;
mod budget;
mod clock;
mod domain;
mod expansion;
mod expectiminimax;
pub mod games;
mod hooks;
mod iteration;
mod key;
mod leaf;
mod mcts;
mod objective;
mod parallel;
mod params;
mod policy;
mod report;
mod solver;
mod stop;
mod tree;
mod values;
mod workers;

pub use budget::Budget;
pub use domain::{Domain, NodeKind, draw_weighted};
pub use expectiminimax::{EmmChild, EmmParams, EmmReport, Expectiminimax, Pruning};
pub use hooks::{
    Evaluate, Hooks, NoEvaluation, Playout, PlayoutEnd, Suggest, Trace, UniformPlayout,
    expected_value,
};
pub use key::{StableBuild, StableHasher, key_of};
pub use mcts::Mcts;
pub use objective::Objective;
pub use params::{
    Backup, Discount, Expansion, FinalMove, FirstPlay, Leaf, MctsParams, OpponentModel,
    SampleChoice, Schedule, Target, Threads, Ties, TreePolicy, Widening,
};
pub use report::{ChildReport, ReportOf, SearchReport};
pub use solver::{Enumerable, Solution, SolveError, SolverParams, solve};
pub use stop::Stop;
pub use tree::Step;
pub use values::{MAX_PLAYERS, Player, Values};
pub use workers::run_all;
