//! One process that speaks the protocol, in a process group of its own.
//!
//! All pipes are non-blocking. Of what the bot answers nothing is read but when
//! an answer is waited for, so a flood fills the pipe and no memory, and nothing
//! can hang us. Its error output is read to the end and forgotten but for the
//! last of it, so that a bot may write there as much as it likes.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use hegemon_bots::{Forfeit, ForfeitKind, Stop};
use hegemon_core::{fnv1a, is_visible};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};

use super::descendants::{ProcessMark, kill_descendants_of, supervisors};
use super::supervisor::keep_end;
use super::{BotProgram, now};
use crate::answer::{excerpt, garbage};
use crate::{FromBot, PROTOCOL_VERSION, ToBot};

/// The longest line that a bot may write, in bytes.
const MAX_LINE: usize = 64 * 1024;
/// Bytes that may wait to be read by the bot beyond one message.
const MAX_UNREAD: usize = 1024 * 1024;
/// Bytes of its error output that are kept.
pub(super) const MAX_TAIL: usize = 2048;
/// Bytes of its error output that wait to be taken.
const MAX_UNTAKEN: usize = 16 * 1024;
/// Bytes of its error output that are read before we look at its answers again.
const MAX_DRAIN: usize = 1024 * 1024;
/// How often we look whether a process that says nothing still runs, and
/// whether we are to stop.
const GLANCE: Duration = Duration::from_millis(40);
/// How long a process that closed its output may take to exit, so that its
/// status can be told.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// How long a supervisor may take to end a bot and all that it started.
const END_LIMIT: Duration = Duration::from_secs(2);
/// The signal of a process that has used up its processor time.
const SIGXCPU: i32 = 24;

/// A running bot.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Written by us, not yet taken by the pipe.
    outgoing: Vec<u8>,
    /// Written by the bot, not yet used.
    incoming: Vec<u8>,
    tail: Vec<u8>,
    /// The last of its error output that nobody has taken yet.
    untaken: Vec<u8>,
    name: String,
    /// Name and version, as a spec can hold them.
    identity: Option<String>,
    wants_events: bool,
    is_supervised: bool,
    mark: ProcessMark,
    cpu_s: Option<u32>,
}

impl Process {
    /// Starts a command and exchanges hellos. What a program wrote that fails at this is logged for
    /// the seat of this seed: nobody can ask the process any more.
    pub(crate) fn start(program: &BotProgram, seed: Option<u64>) -> Result<Process, Forfeit> {
        let mut process = Process::spawn(program)?;
        let greeted = process.greet(program);
        if let (Err(_), Some(seed)) = (&greeted, seed) {
            let words = process.take_error_output();
            program.launch.log.add(seed, &words);
        }
        greeted.map(|()| process)
    }

    fn greet(&mut self, program: &BotProgram) -> Result<(), Forfeit> {
        let hello = ToBot::Hello {
            protocol: PROTOCOL_VERSION,
            program: concat!("hegemon ", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        let limit = program.command.start_limit;
        let answer = self
            .ask(&hello.to_line(), now() + limit, &Stop::never())
            .map_err(|mut forfeit| {
                if forfeit.kind == ForfeitKind::Timeout {
                    forfeit.message = format!("no hello within {} ms", limit.as_millis());
                }
                forfeit
            })?;
        match serde_json::from_str(&answer) {
            Ok(FromBot::Hello {
                protocol: PROTOCOL_VERSION,
                name,
                version,
                events,
            }) => {
                self.identity = identity(&name, version.as_deref());
                self.name = name;
                self.wants_events = events;
            }
            Ok(FromBot::Hello { protocol, .. }) => {
                return Err(garbage(&format!(
                    "it speaks protocol {protocol}, not {PROTOCOL_VERSION}"
                )));
            }
            _ => {
                return Err(garbage(&format!(
                    "it answered the hello with \"{}\"",
                    excerpt(&answer)
                )));
            }
        }
        match program.not_as_said(self.identity()) {
            None => Ok(()),
            Some(sentence) => Err(garbage(&sentence)),
        }
    }

    fn spawn(program: &BotProgram) -> Result<Process, Forfeit> {
        let failed = |error: &dyn std::fmt::Display| Forfeit {
            kind: ForfeitKind::Crash,
            message: format!("it cannot be started: {error}"),
        };
        let is_supervised = program.launch.supervisor.is_some();
        #[cfg(target_os = "linux")]
        if is_supervised {
            super::supervisor::adopt_orphans().map_err(|error| failed(&error))?;
        }
        let mark = ProcessMark::new();
        let mut starter = program.starter();
        mark.put_on(&mut starter);
        let mut started = supervisors();
        let mut child = starter
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| failed(&error))?;
        started.push(Pid::from_child(&child));
        drop(started);
        let process = Process {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            tail: Vec::new(),
            untaken: Vec::new(),
            name: String::new(),
            identity: None,
            wants_events: false,
            is_supervised,
            mark,
            cpu_s: program.launch.limits.cpu_s,
        };
        process
            .make_pipes_nonblocking()
            .map_err(|error| failed(&error))?;
        Ok(process)
    }

    fn make_pipes_nonblocking(&self) -> rustix::io::Result<()> {
        if let (Some(stdin), Some(stdout), Some(stderr)) = (&self.stdin, &self.stdout, &self.stderr)
        {
            set_nonblocking(stdin)?;
            set_nonblocking(stdout)?;
            set_nonblocking(stderr)?;
        }
        Ok(())
    }

    /// What the bot calls itself.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Name and version, as a spec can hold them; none if it has no name.
    pub(crate) fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }

    /// What it has written to its error output since this was last asked, or the end of it.
    pub(crate) fn take_error_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.untaken)
    }

    /// Whether the bot wants to be told what happens.
    pub(crate) fn wants_events(&self) -> bool {
        self.wants_events
    }

    /// Sends a line that needs no answer; it may arrive with the next question.
    pub(crate) fn tell(&mut self, line: &str) {
        // A bot that does not read loses what comes next, and its next answer
        // will be late.
        if self.outgoing.len() <= MAX_UNREAD {
            self.outgoing.extend_from_slice(line.as_bytes());
            self.outgoing.push(b'\n');
        }
        self.flush();
    }

    /// Sends a question and waits for the line that answers it.
    pub(crate) fn ask(
        &mut self,
        line: &str,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<String, Forfeit> {
        if !self.is_quiet() && !self.incoming.is_empty() {
            let said = excerpt(&String::from_utf8_lossy(&self.incoming));
            // Giving up is the one thing that may be said unasked.
            return match self.take_line()? {
                Some(line) if is_error(&line) => Ok(line),
                _ => Err(garbage(&format!("it spoke out of turn: \"{said}\""))),
            };
        }
        self.tell(line);
        self.hear(deadline, stop)
    }

    /// Waits for a line.
    pub(crate) fn hear(&mut self, deadline: Instant, stop: &Stop) -> Result<String, Forfeit> {
        loop {
            self.flush();
            if let Some(line) = self.take_line()? {
                return Ok(line);
            }
            if self.has_ended() {
                // What it wrote last may still be in the pipe.
                self.exchange(Duration::ZERO);
                return match self.take_line()? {
                    Some(line) => Ok(line),
                    None => Err(self.crash()),
                };
            }
            let left = deadline.saturating_duration_since(now());
            if left.is_zero() || stop.is_raised() {
                return Err(Forfeit {
                    kind: ForfeitKind::Timeout,
                    message: "no answer in time".to_owned(),
                });
            }
            self.exchange(left.min(GLANCE));
        }
    }

    /// Whether the bot is alive and has said nothing that was not asked for.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.exchange(Duration::ZERO);
        self.incoming.is_empty() && !self.has_ended()
    }

    /// Whether there will be no more answers. Children of a dead process can
    /// keep its output open.
    fn has_ended(&self) -> bool {
        self.stdout.is_none() || self.exit_status().is_some()
    }

    /// Closes the bot's input; a bot then ends.
    pub(crate) fn close_input(&mut self) {
        self.flush();
        self.stdin = None;
    }

    /// Waits until the process has exited; whether it did, and well. What it
    /// writes meanwhile is thrown away.
    pub(crate) fn wait_for_exit(&mut self, deadline: Instant) -> Option<bool> {
        loop {
            if let Some(status) = self.exit_status() {
                return Some(status.exit_status() == Some(0));
            }
            let left = deadline.saturating_duration_since(now());
            if left.is_zero() {
                return None;
            }
            self.exchange(left.min(Duration::from_millis(5)));
            self.incoming.clear();
        }
    }

    /// The first whole line that has come.
    fn take_line(&mut self) -> Result<Option<String>, Forfeit> {
        let end = self.incoming.iter().position(|&byte| byte == b'\n');
        if end.unwrap_or(self.incoming.len()) > MAX_LINE {
            return Err(garbage(&format!("a line of more than {MAX_LINE} bytes")));
        }
        Ok(end.map(|end| {
            let line: Vec<u8> = self.incoming.drain(..=end).collect();
            String::from_utf8_lossy(&line[..end]).into_owned()
        }))
    }

    /// Waits until a pipe is ready, and moves what it has.
    fn exchange(&mut self, patience: Duration) {
        let mut pipes = Vec::with_capacity(3);
        if let Some(stdout) = &self.stdout {
            pipes.push(PollFd::new(stdout, PollFlags::IN));
        }
        if let Some(stderr) = &self.stderr {
            pipes.push(PollFd::new(stderr, PollFlags::IN));
        }
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty()) {
            pipes.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let patience = Timespec::try_from(patience).unwrap_or(Timespec {
            tv_sec: 1,
            tv_nsec: 0,
        });
        // An interrupted wait is a short wait; callers look at the clock.
        let _ = poll(&mut pipes, Some(&patience));
        self.flush();
        self.drain_errors();
        if let Some(stdout) = &mut self.stdout
            && self.incoming.len() <= MAX_LINE
            && !receive(stdout, &mut self.incoming)
        {
            self.stdout = None;
        }
    }

    /// Takes all that is in the pipe of its error output.
    fn drain_errors(&mut self) {
        let mut chunk = Vec::new();
        let mut n_read = 0;
        while let Some(stderr) = self.stderr.as_mut().filter(|_| n_read < MAX_DRAIN) {
            chunk.clear();
            if !receive(stderr, &mut chunk) {
                self.stderr = None;
            }
            if chunk.is_empty() {
                return;
            }
            n_read += chunk.len();
            keep_end(&mut self.tail, &chunk, MAX_TAIL);
            keep_end(&mut self.untaken, &chunk, MAX_UNTAKEN);
        }
    }

    /// Gives the pipe what it takes without waiting.
    fn flush(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while !self.outgoing.is_empty() {
            match stdin.write(&self.outgoing) {
                Ok(n) => {
                    self.outgoing.drain(..n);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The bot closed its input; whether it is alive shows when its
                // output is read.
                Err(_) => {
                    self.outgoing.clear();
                    self.stdin = None;
                    return;
                }
            }
        }
    }

    /// Why its output ended.
    fn crash(&mut self) -> Forfeit {
        self.wait_for_exit(now() + LAST_WORDS);
        self.exchange(Duration::ZERO);
        let mut message = match self.exit_status() {
            Some(status) => match (status.exit_status(), status.terminating_signal()) {
                (code, signal) if self.cpu_s.is_some() && is_out_of_time(code, signal) => {
                    let seconds = self.cpu_s.unwrap_or_default();
                    format!("its {seconds} s of processor time are used up")
                }
                (Some(code), _) => format!("it exited with status {code}"),
                (_, Some(signal)) => format!("it was killed by signal {signal}"),
                _ => "it stopped".to_owned(),
            },
            None => "it closed its output".to_owned(),
        };
        let tail = String::from_utf8_lossy(&self.tail);
        if let Some(last) = tail.lines().rfind(|line| !line.trim().is_empty()) {
            message.push_str(": ");
            message.push_str(&excerpt(last));
        }
        Forfeit {
            kind: ForfeitKind::Crash,
            message,
        }
    }

    /// The exit status, without reaping: until then no other process group can
    /// get the same number, so that killing it hits nobody else.
    fn exit_status(&self) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok()?
    }
}

/// Most characters of a bot's name and version together.
const MAX_IDENTITY: usize = 60;

/// Name and version as one text that can stand between quotes; whatever may not becomes a blank,
/// and so does what cannot be seen. Of what is too long a digest stays, so that another version
/// is another text.
fn identity(name: &str, version: Option<&str>) -> Option<String> {
    let printable = |text: &str| {
        let is_kept = |c: char| is_visible(c) && c != '"';
        let kept = text.chars().map(|c| if is_kept(c) { c } else { ' ' });
        let kept: String = kept.collect();
        kept.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (name, version) = (printable(name), printable(version.unwrap_or_default()));
    // Some say their version in their name as well.
    let is_said = name.split(' ').next_back() == Some(version.as_str());
    let stated = match version.is_empty() || is_said {
        true => name,
        false => format!("{name} {version}").trim_start().to_owned(),
    };
    if stated.chars().count() <= MAX_IDENTITY {
        return (!stated.is_empty()).then_some(stated);
    }
    let digest = format!(" {:06x}", fnv1a(stated.as_bytes()) >> 40);
    let head: String = stated.chars().take(MAX_IDENTITY - digest.len()).collect();
    Some(head.trim_end().to_owned() + &digest)
}

/// Whether a process ended because of its processor time; a shell tells of the
/// signal of its child by a status.
fn is_out_of_time(code: Option<i32>, signal: Option<i32>) -> bool {
    signal == Some(SIGXCPU) || code == Some(128 + SIGXCPU)
}

/// Reads and writes of the pipe no longer wait.
pub(super) fn set_nonblocking(pipe: &impl std::os::fd::AsFd) -> rustix::io::Result<()> {
    ioctl_fionbio(pipe, true)
}

fn is_error(line: &str) -> bool {
    matches!(serde_json::from_str(line), Ok(FromBot::Error { .. }))
}

/// Reads what is there; false if there will never be more.
fn receive(pipe: &mut impl Read, buffer: &mut Vec<u8>) -> bool {
    let mut chunk = [0; 64 * 1024];
    match pipe.read(&mut chunk) {
        Ok(0) => false,
        Ok(n) => {
            buffer.extend_from_slice(&chunk[..n]);
            true
        }
        Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let pid = Pid::from_child(&self.child);
        // A supervisor whose error output nobody reads ends the bot.
        (self.stdin, self.stdout, self.stderr) = (None, None, None);
        if self.is_supervised {
            // Its bot may have stopped it.
            let _ = kill_process(pid, Signal::CONT);
            if self.wait_for_exit(now() + END_LIMIT).is_none() {
                kill_descendants_of(pid);
            }
        }
        // Either fails only if there is nothing left to end.
        let _ = kill_process_group(pid, Signal::KILL);
        // Once it is collected its number may be that of another.
        supervisors().retain(|known| *known != pid);
        let _ = self.child.wait();
        if self.is_supervised {
            // Its bot may have killed it.
            self.mark.end_orphans();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name of sixty letters once took the place of the version, and so did one that ends
    /// like it: a new version was no new entry.
    #[test]
    fn another_version_is_another_identity() {
        let long = "n".repeat(80);
        let versions = ["1", "2", "11", "1.0", &long, &format!("{long}x")];
        for name in ["bot", "bot1", "bot11", "bot 2", &long] {
            let all: Vec<_> = versions
                .iter()
                .map(|version| identity(name, Some(version)).expect("a name"))
                .collect();
            for (n, one) in all.iter().enumerate() {
                assert!(one.chars().count() <= MAX_IDENTITY, "{one}");
                assert!(!all[..n].contains(one), "{name}: {one}");
            }
        }
        assert_eq!(identity("bot 2", Some("2")).as_deref(), Some("bot 2"));
        assert_eq!(identity("bot", None).as_deref(), Some("bot"));
        assert_eq!(identity("", Some("")), None);
    }

    #[test]
    fn an_identity_shows_all_that_it_holds() {
        let hidden = "a\u{ad}b\u{1b}[2J\u{3164}\"c\u{202e}\u{e0041}";
        assert_eq!(
            identity(hidden, Some(" 1\n")).as_deref(),
            Some("a b [2J c 1")
        );
    }
}
