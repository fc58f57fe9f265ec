//! The bots of Lux Delux (the Sillysoft SDK of 2009), written from their
//! specified behaviour.
//!
//! Each bot is a combination of shared pieces, named in `kind.rs`: a draft, a
//! placing, the steps of an attack, a rule for moving in and one for
//! fortifying. Where the original calls a procedure that gives many orders,
//! placings and fortifications are planned at once and given one by one; the
//! attack, which depends on the dice, is an interpreter that stops after each order.
//!
//! Order matters: territories, continents and neighbours are scanned in map
//! order, and "best" means the first best, unless a comment says otherwise. The
//! map `classic-lux` has Lux's own numbering.
//!
//! `examples/lux_fidelity.rs` compares the bots with measurements of the
//! originals.

mod attack;
mod bot;
mod cards;
mod clusters;
mod draft;
mod fortify;
mod list;
mod memory;
mod move_in;
mod paths;
mod place;
mod scene;
mod styles;

pub use bot::{LuxBot, LuxOptions};
pub use styles::{LUX_BOTS, LuxInfo, LuxKind};

#[cfg(test)]
mod tests;
