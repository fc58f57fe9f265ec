//! The value: each living player's chance to win, at any point of a turn.
//!
//! [`ValueInputs`] are the numbers that describe a position to a net, [`ValueNet`]
//! turns them into chances, [`ValueFile`] is the file that holds a net with the card
//! that says how it was made. The same bits on every machine: sums are taken in a
//! fixed order and the few functions come from `libm`.
//!
//! A net either knows a map, with an input for each territory and player, or knows
//! no map and sees numbers of players alone; the second kind serves every map.

mod correction;
mod file;
mod inputs;
mod net;
#[cfg(test)]
mod tests;

pub use correction::{ByAlive, Correction, N_ALIVE, N_FACTS};
pub use file::{ValueCard, ValueFile};
pub use inputs::{Beholder, N_DENSE, N_PLAYER_INPUTS, N_TABLE_INPUTS, VALUE_SCHEMA, ValueInputs};
pub use net::{NetShape, NetWeights, ValueNet};
