//! The loader of the command line: every file that the user may read, every
//! program that the user may start.

use std::fs;

use hegemon_bots::{Bot, Command, LoadError, Loader, Seating, SpecError};

#[cfg(unix)]
use crate::external::{External, Launch};

/// Files and programs of this machine.
#[derive(Clone, Debug, Default)]
pub struct HostLoader {
    /// How programs are started.
    #[cfg(unix)]
    pub launch: Launch,
}

impl Loader for HostLoader {
    fn weights(&self, path: &str) -> Result<String, LoadError> {
        fs::read_to_string(path).map_err(|error| LoadError(format!("{path}: {error}")))
    }

    #[cfg(unix)]
    fn program(&self, command: &Command, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        let bot = External::new(command.clone(), &self.launch, seating)?;
        Ok(Box::new(bot))
    }

    #[cfg(unix)]
    fn identity(&self, command: &Command) -> Result<Option<String>, SpecError> {
        External::identity(command.clone(), &self.launch)
    }

    #[cfg(not(unix))]
    fn program(&self, command: &Command, _: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        Err(SpecError::Unsuitable {
            bot: format!("cmd({})", command.line),
            reason: "programs can be started on Unix only".to_owned(),
        })
    }
}
