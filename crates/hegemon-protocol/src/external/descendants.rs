//! The processes that a bot started, as `/proc` shows them; where there is no
//! `/proc` there are none.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};

/// Rounds of killing: each ends all children there are, and their children
/// become ours. Only a bot that forks faster than we kill needs them all.
pub(super) const MAX_ROUNDS: usize = 1000;

/// The variable by which the processes of a bot are told from all others.
const VARIABLE: &str = "HEGEMON_BOT";

/// What the environment of all processes of one bot holds. If its supervisor
/// is killed they become our children, and nothing else tells whose they were:
/// a supervisor that just starts, the browser, or in a container anything at
/// all may be a child of ours too.
#[derive(Debug)]
pub(super) struct ProcessMark(String);

impl ProcessMark {
    /// A mark that no other bot of this process has.
    pub(super) fn new() -> ProcessMark {
        static N_MARKS: AtomicU64 = AtomicU64::new(0);
        let number = N_MARKS.fetch_add(1, Ordering::Relaxed);
        ProcessMark(format!("{}-{number}", getpid()))
    }

    pub(super) fn put_on(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    fn is_on(&self, pid: Pid) -> bool {
        has_mark(pid, |mark| mark == self.0.as_bytes())
    }

    /// Kills the marked children of this process with all that they started.
    /// The supervisor, which is marked as well, must have been collected.
    pub(super) fn end_orphans(&self) {
        end_children(|pid| self.is_on(pid));
    }
}

/// Kills the processes of all bots of this program whose supervisor is gone,
/// for a program that ends at once; those that have one end with us.
pub fn end_orphans() {
    let supervisors = supervisors();
    let of_ours = format!("{}-", getpid());
    end_children(|pid| {
        !supervisors.contains(&pid) && has_mark(pid, |mark| mark.starts_with(of_ours.as_bytes()))
    });
}

/// What this program has started for its bots and not yet ended. Whoever starts
/// or ends one holds the list meanwhile.
pub(super) fn supervisors() -> MutexGuard<'static, Vec<Pid>> {
    static SUPERVISORS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn has_mark(pid: Pid, is_wanted: impl Fn(&[u8]) -> bool) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|one| {
        let value = one.strip_prefix(VARIABLE.as_bytes());
        value
            .and_then(|value| value.strip_prefix(b"="))
            .is_some_and(&is_wanted)
    })
}

/// Kills those children of this process with all that they started.
fn end_children(is_doomed: impl Fn(Pid) -> bool) {
    for _ in 0..MAX_ROUNDS {
        let processes = processes();
        let mut doomed = children_of(getpid(), &processes);
        doomed.retain(|&(pid, _)| is_doomed(pid));
        if doomed.is_empty() {
            return;
        }
        add_descendants(&mut doomed, &processes);
        // Each is ours once its parent, which stands before it, is collected.
        for pid in kill_all(doomed) {
            let _ = waitpid(Some(pid), WaitOptions::empty());
        }
    }
}

/// A process and its parent.
type Kin = (Pid, Pid);

/// Kills the children of a process.
pub(super) fn kill_children_of(parent: Pid) {
    kill_all(children_of(parent, &processes()));
}

/// Kills all that a process has started, but not the process.
pub(super) fn kill_descendants_of(root: Pid) {
    let processes = processes();
    let mut doomed = children_of(root, &processes);
    add_descendants(&mut doomed, &processes);
    kill_all(doomed);
}

fn processes() -> Vec<Kin> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries.flatten().filter_map(|entry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        Pid::from_raw(number)
    });
    pids.filter_map(|pid| Some((pid, parent_of(pid)?)))
        .collect()
}

fn children_of(parent: Pid, processes: &[Kin]) -> Vec<Kin> {
    let mut children = processes.to_vec();
    children.retain(|kin| kin.1 == parent);
    children
}

/// Appends the children of each, their children, and so on.
fn add_descendants(doomed: &mut Vec<Kin>, processes: &[Kin]) {
    let mut n_done = 0;
    // What was read while processes came and went may hold a circle.
    while n_done < doomed.len() && doomed.len() <= processes.len() {
        let children = children_of(doomed[n_done].0, processes);
        doomed.extend(children);
        n_done += 1;
    }
}

/// Kills those that still are what they were: a number may by now be somebody
/// else's. Parents come last, so that until then nobody is adopted.
fn kill_all(mut doomed: Vec<Kin>) -> Vec<Pid> {
    doomed.reverse();
    doomed.retain(|&(pid, parent)| {
        parent_of(pid) == Some(parent) && kill_process(pid, Signal::KILL).is_ok()
    });
    doomed.into_iter().rev().map(|(pid, _)| pid).collect()
}

fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything; the parent follows the state.
    let (_, rest) = stat.rsplit_once(')')?;
    Pid::from_raw(rest.split_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// SECURITY.md says what follows from it: a process that removes the mark is not found.
    #[test]
    fn a_mark_is_on_the_processes_of_its_bot_alone() {
        let (mark, other) = (ProcessMark::new(), ProcessMark::new());
        let start = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            // As if we were a bot of somebody else.
            command.args(arguments).env(VARIABLE, "1-0");
            mark.put_on(&mut command);
            command.spawn().expect("it starts")
        };
        let mut marked = start("sleep", &["60"]);
        let mut escaped = start("env", &["-u", VARIABLE, "sleep", "60"]);
        let pid = |child: &std::process::Child| Pid::from_child(child);
        // The environment of a process that has just started may not be there yet.
        while !mark.is_on(pid(&marked)) {
            std::thread::yield_now();
        }
        assert!(!other.is_on(pid(&marked)));
        // `env` is marked until it becomes the program that it starts.
        while mark.is_on(pid(&escaped)) {
            std::thread::yield_now();
        }
        for child in [&mut marked, &mut escaped] {
            child.kill().expect("ours");
            child.wait().expect("ours");
        }
    }
}
