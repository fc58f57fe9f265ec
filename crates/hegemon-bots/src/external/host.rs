//! The loader of the command line: every file that the user may read, every
//! program that the user may start.

use std::fs;

use super::External;
use crate::bot::{Bot, Seating};
use crate::command::Command;
use crate::loader::{LoadError, Loader};
use crate::spec::SpecError;

/// Files and programs of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostLoader;

impl Loader for HostLoader {
    fn weights(&self, path: &str) -> Result<String, LoadError> {
        fs::read_to_string(path).map_err(|error| LoadError(format!("{path}: {error}")))
    }

    fn program(&self, command: &Command, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        Ok(Box::new(External::new(command.clone(), seating)?))
    }
}
