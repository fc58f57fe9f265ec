//! Environments for learners: actions, observations, single games and many at once.

mod action_space;
mod batch;
mod dialogue;
mod episode;
mod observation;
mod seated_game;
mod steps;

pub(crate) use batch::PyBatch;
pub(crate) use episode::PyEpisode;
pub(crate) use steps::{PySteps, encoding};
