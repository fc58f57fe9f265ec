//! bots.
