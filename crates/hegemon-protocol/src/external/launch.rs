//! How programs are started: under a supervisor, within limits.

use std::process;

use hegemon_bots::Command;

use super::Supervisor;
use crate::ErrorLog;

/// A program: what is run, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotProgram {
    pub(crate) command: Command,
    pub(crate) launch: Launch,
}

/// How bots that are programs are started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Who watches over each of them. Without one, a bot that does not notice
    /// the end of its input outlives a program that is killed, and so does
    /// whatever leaves its process group.
    pub supervisor: Option<Supervisor>,
    /// What the system lets them use.
    pub limits: BotLimits,
    /// Where what they write to their error output is kept for their authors.
    pub log: ErrorLog,
}

/// What the system lets each process of a bot use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BotLimits {
    /// Address space, in MiB.
    pub memory_mib: Option<u32>,
    /// Processor time in a game, in seconds.
    pub cpu_s: Option<u32>,
}

impl BotProgram {
    /// What is wrong with the name and version that a process of it states, if anything.
    pub(super) fn not_as_said(&self, stated: Option<&str>) -> Option<String> {
        let expected = self.command.identity.as_deref()?;
        (stated != Some(expected)).then(|| match stated {
            Some(stated) => format!("it is \"{stated}\" now, not \"{expected}\""),
            None => format!("it no longer says that it is \"{expected}\""),
        })
    }

    /// What starts it.
    pub(super) fn starter(&self) -> process::Command {
        let line = self.launch.limits.shell_line(&self.command.line);
        match &self.launch.supervisor {
            Some(supervisor) => supervisor.command(&line),
            None => {
                let mut command = process::Command::new("sh");
                command.args(["-c", &line]);
                command
            }
        }
    }
}

impl BotLimits {
    /// The command line with its limits set first. The shell sets them, so that
    /// they hold before the first instruction of the bot.
    fn shell_line(self, line: &str) -> String {
        let mut words = Vec::new();
        if let Some(mib) = self.memory_mib {
            words.push(format!("ulimit -v {}", u64::from(mib) * 1024));
        }
        if let Some(seconds) = self.cpu_s {
            // The first limit is a signal with a name, the second cannot be caught.
            let last = u64::from(seconds) + 1;
            words.push(format!("ulimit -S -t {seconds} && ulimit -H -t {last}"));
        }
        if words.is_empty() {
            return line.to_owned();
        }
        // A line of its own: whatever the command is, it cannot be part of it.
        format!("{{ {}; }} || exit 126\n{line}", words.join(" && "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stand_before_the_command() {
        let none = BotLimits::default();
        assert_eq!(none.shell_line("./bot"), "./bot");
        let both = BotLimits {
            memory_mib: Some(512),
            cpu_s: Some(10),
        };
        assert_eq!(
            both.shell_line("a; b"),
            "{ ulimit -v 524288 && ulimit -S -t 10 && ulimit -H -t 11; } || exit 126\na; b"
        );
    }
}
