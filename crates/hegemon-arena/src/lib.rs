//! arena.
