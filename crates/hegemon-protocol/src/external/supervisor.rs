//! A supervisor stands between us and each bot, so that no bot outlives us,
//! however we end.
//!
//! It is this program, started a second time. The bot inherits its input and
//! output, and so speaks with us directly. The supervisor drains the bot's
//! error output: it passes on as much as we read and buffers the newest part of the
//! rest. It waits for one of two things: the bot
//! exits, or the reader of its own error output (us) is gone, even by a signal
//! that cannot be caught. Then it kills all that is left. On Linux it adopts
//! every descendant whose parent has died, so that a bot which starts a session
//! of its own is found as well. A bot that kills its supervisor comes to us in
//! the same way.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process,
    kill_process_group, setrlimit, wait,
};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr};

use super::descendants::{MAX_ROUNDS, kill_children_of};
use super::process::{MAX_TAIL, set_nonblocking};

/// First argument of a program that is to be a supervisor; the second is the
/// command line of the bot.
const ARGUMENT: &str = "--supervise-bot";

/// What `ps` shows.
const NAME: &str = "bot-supervisor";

/// How often we look whether our parent still is the one that started us.
const GLANCE: Duration = Duration::from_millis(250);

/// A program that can be a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervisor {
    program: PathBuf,
}

impl Supervisor {
    /// This program, whose `main` begins with [`Supervisor::run_if_asked`].
    pub fn this_program() -> Option<Supervisor> {
        // The link still works when the file has been replaced by a newer one.
        let link = PathBuf::from("/proc/self/exe");
        let program = if link.exists() {
            link
        } else {
            std::env::current_exe().ok()?
        };
        Some(Supervisor { program })
    }

    /// Plays the supervisor if the arguments of this program ask for it; `main`
    /// then returns what this returns.
    pub fn run_if_asked() -> Option<ExitCode> {
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next()? != ARGUMENT {
            return None;
        }
        Some(supervise(&arguments.next()?))
    }

    /// What starts a supervisor of a command line.
    pub(super) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg0(NAME).args([ARGUMENT, line]);
        command
    }
}

/// Runs a command line until it exits or nobody reads our error output.
fn supervise(line: &OsStr) -> ExitCode {
    match start(line) {
        Ok(mut bot) => {
            let mut tail = Tail::of(&mut bot);
            let status = tail.watch(Pid::from_child(&bot), getppid());
            end_children(Pid::from_child(&bot));
            tail.say_last_words();
            status.map_or(ExitCode::FAILURE, leave_like)
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(127)
        }
    }
}

/// Starts the bot and lets go of its pipes: only the bot decides when they end.
fn start(line: &OsStr) -> io::Result<Child> {
    #[cfg(target_os = "linux")]
    {
        adopt_orphans()?;
        // A bot may stop us; the end of our parent then lets us go on.
        rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
    }
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let mut bot = Command::new("sh");
    bot.arg("-c").arg(line);
    let bot = bot.process_group(0).stderr(Stdio::piped()).spawn()?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    set_nonblocking(&stderr())?;
    Ok(bot)
}

/// Makes descendants of this process its children when their parent dies.
#[cfg(target_os = "linux")]
pub(super) fn adopt_orphans() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(getpid()))?)
}

/// The end of what the bot wrote to its error output and nobody has taken yet.
struct Tail {
    pipe: Option<ChildStderr>,
    bytes: Vec<u8>,
}

impl Tail {
    fn of(bot: &mut Child) -> Tail {
        let pipe = bot.stderr.take();
        Tail {
            pipe: pipe.filter(|pipe| set_nonblocking(pipe).is_ok()),
            bytes: Vec::new(),
        }
    }

    /// Waits for the end of the bot, none if ours comes first.
    fn watch(&mut self, bot: Pid, parent: Option<Pid>) -> Option<WaitStatus> {
        // Where the kernel has no such handle, glances must do.
        #[cfg(target_os = "linux")]
        let handle = rustix::process::pidfd_open(bot, rustix::process::PidfdFlags::empty()).ok();
        #[cfg(not(target_os = "linux"))]
        let handle: Option<std::os::fd::OwnedFd> = None;
        let patience = Timespec::try_from(GLANCE).ok();
        loop {
            if let Some(status) = reap(bot) {
                self.drain();
                return Some(status);
            }
            let reader = stderr();
            let mut pipes = vec![PollFd::new(&reader, PollFlags::empty())];
            pipes.extend(handle.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
            pipes.extend(self.pipe.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
            // An interrupted wait is a short wait.
            let _ = poll(&mut pipes, patience.as_ref());
            let is_cut = !pipes[0].revents().is_empty();
            if is_cut || getppid() != parent {
                return None;
            }
            self.drain();
            self.pass_on();
        }
    }

    /// Takes what is in the pipe, so that the bot never waits for us; a flood
    /// in portions, so that we see its end.
    fn drain(&mut self) {
        let mut chunk = [0; 64 * 1024];
        for _ in 0..16 {
            let Some(pipe) = &mut self.pipe else { return };
            match pipe.read(&mut chunk) {
                Ok(n) if n > 0 => keep_end(&mut self.bytes, &chunk[..n], MAX_TAIL),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                _ => self.pipe = None,
            }
        }
    }

    /// Says what was kept to whoever started us, as much as is taken without waiting.
    fn pass_on(&mut self) {
        while !self.bytes.is_empty() {
            match io::stderr().write(&self.bytes) {
                Ok(0) => return,
                Ok(n) => drop(self.bytes.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Says the rest, as far as the reader takes it soon.
    fn say_last_words(&mut self) {
        let reader = stderr();
        let mut pipe = [PollFd::new(&reader, PollFlags::OUT)];
        let patience = Timespec::try_from(GLANCE).ok();
        let _ = poll(&mut pipe, patience.as_ref());
        self.pass_on();
    }
}

/// Appends to a buffer that keeps the last `most` bytes.
pub(crate) fn keep_end(buffer: &mut Vec<u8>, more: &[u8], most: usize) {
    buffer.extend_from_slice(&more[more.len().saturating_sub(most)..]);
    buffer.drain(..buffer.len().saturating_sub(most));
}

/// Collects children that have ended; the status if the bot is one of them.
fn reap(bot: Pid) -> Option<WaitStatus> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == bot => return Some(status),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return None,
        }
    }
}

/// Kills all descendants: first the bot's group, then whoever left it. Only
/// our own children are killed by number, and only we collect them, so that a
/// number cannot mean somebody else by now.
fn end_children(bot: Pid) {
    let _ = kill_process_group(bot, Signal::KILL);
    for _ in 0..MAX_ROUNDS {
        kill_children_of(getpid());
        // Waits for one, then takes the others that have ended.
        if wait(WaitOptions::empty()).is_err() {
            return;
        }
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
    }
}

/// Ends this process as the bot ended, so that the reason can be told.
fn leave_like(status: WaitStatus) -> ExitCode {
    if let Some(number) = status.terminating_signal() {
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        let _ = setrlimit(Resource::Core, none);
        if let Some(signal) = Signal::from_named_raw(number) {
            // The first may only remove the handler of Rust's runtime.
            for _ in 0..2 {
                let _ = kill_process(getpid(), signal);
            }
        }
        return ExitCode::from(u8::try_from(128 + number).unwrap_or(u8::MAX));
    }
    let code = status.exit_status().unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
