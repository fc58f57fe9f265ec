//! Access to files and other programs. The caller decides what a bot may access
//! by the loader it passes in; nothing else in this crate opens a file or
//! starts a process.

use std::fmt;
use std::sync::Arc;

use hegemon_search::Stop;
use thiserror::Error;

use crate::bot::{Bot, Seating};
use crate::command::Command;
use crate::spec::SpecError;

/// Provides files and programs to a bot being built.
pub trait Loader: fmt::Debug + Send + Sync {
    /// The text of the weights file with this path.
    ///
    /// # Errors
    ///
    /// If it must not or cannot be read.
    fn weights(&self, path: &str) -> Result<String, LoadError>;

    /// A bot that is another program.
    ///
    /// # Errors
    ///
    /// If it must not or cannot be started.
    fn program(&self, command: &Command, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError>;

    /// The name and version that a program states, in a form that a spec can hold; none if it
    /// states none.
    ///
    /// # Errors
    ///
    /// If it must not or cannot be started.
    fn identity(&self, _command: &Command) -> Result<Option<String>, SpecError> {
        Ok(None)
    }
}

/// Why a file was not read, in words that are safe to show to the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct LoadError(pub String);

/// Denies all access: for bots requested by untrusted users.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sealed;

impl Loader for Sealed {
    fn weights(&self, _path: &str) -> Result<String, LoadError> {
        Err(LoadError("no file may be read here".to_owned()))
    }

    fn program(
        &self,
        _command: &Command,
        _seating: &Seating<'_>,
    ) -> Result<Box<dyn Bot>, SpecError> {
        Err(SpecError::Unsuitable {
            bot: "cmd".to_owned(),
            reason: "no program may be started here".to_owned(),
        })
    }
}

/// What the caller grants a bot and all bots inside it.
#[derive(Clone, Debug)]
pub struct Grants {
    /// Files and programs.
    pub loader: Arc<dyn Loader>,
    /// When to stop searching.
    pub stop: Stop,
    /// Most nodes of all trees of a bot together; `None` for the search's own
    /// limit.
    pub max_nodes: Option<usize>,
}

impl Grants {
    /// No files, no programs, no time limit.
    pub fn sealed() -> Grants {
        Grants::with(Sealed)
    }

    /// Access through this loader, no time limit.
    pub fn with(loader: impl Loader + 'static) -> Grants {
        Grants {
            loader: Arc::new(loader),
            stop: Stop::never(),
            max_nodes: None,
        }
    }

    /// Most nodes of each of `n_trees` if the search allows `most`.
    pub(crate) fn nodes_of_tree(&self, n_trees: usize, most: usize) -> usize {
        let share = self.max_nodes.map(|nodes| nodes / n_trees.max(1));
        share.map_or(most, |nodes| nodes.clamp(1, most))
    }

    /// The text of a weights file, or why it cannot be read.
    pub(crate) fn weights(&self, path: &str) -> Result<String, String> {
        self.loader.weights(path).map_err(|error| error.to_string())
    }
}
