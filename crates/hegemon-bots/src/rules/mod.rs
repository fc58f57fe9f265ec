//! Bots that follow a few rules: the players of paper 000, section 3.

pub(crate) mod pieces;

mod baseline;
mod random;
mod simulation;

pub use baseline::Baseline;
pub use random::Random;
pub use simulation::Simulation;
