//! Bots that are programs, as the command line starts them.

use clap::Args;
use hegemon_bots::{Grants, Spec, SpecError, introduced};
#[cfg(unix)]
use hegemon_protocol::external::{BotLimits, Launch, Supervisor};
use hegemon_protocol::{ErrorLog, HostLoader};

use crate::values;

/// Resource limits of bot programs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ProgramLimits {
    /// Address space for each process of a cmd(...) bot
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u32>(1..=u64::from(u32::MAX)))]
    bot_memory: Option<u32>,
    /// Processor time for each process of a cmd(...) bot in a game
    #[arg(long, value_name = "SECONDS", value_parser = values::whole::<u32>(1..=u64::from(u32::MAX)))]
    bot_cpu: Option<u32>,
}

impl ProgramLimits {
    /// Bots on the command line have the user's own permissions.
    pub(crate) fn grants(self) -> Grants {
        self.logged_grants(&ErrorLog::default())
    }

    /// The specs with the names and versions that their programs state.
    ///
    /// # Errors
    ///
    /// If a program cannot be started.
    pub(crate) fn introduced(self, specs: &[Spec]) -> Result<Vec<Spec>, SpecError> {
        let grants = self.grants();
        specs.iter().map(|spec| introduced(spec, &grants)).collect()
    }

    /// The same, and what the programs write to their error output goes to a log.
    pub(crate) fn logged_grants(self, log: &ErrorLog) -> Grants {
        Grants::with(HostLoader {
            #[cfg(unix)]
            launch: Launch {
                log: log.clone(),
                ..self.launch()
            },
        })
    }

    /// How programs are started.
    #[cfg(unix)]
    pub(crate) fn launch(self) -> Launch {
        Launch {
            supervisor: Supervisor::this_program(),
            limits: BotLimits {
                memory_mib: self.bot_memory,
                cpu_s: self.bot_cpu,
            },
            log: ErrorLog::default(),
        }
    }
}
