//! Processes that wait for their next game. Starting an interpreter takes
//! longer than many a game.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hegemon_bots::Forfeit;

use super::{BotLimits, BotProgram, Process, now};
use crate::answer::garbage;

/// Most idle processes of one command.
const MAX_IDLE: usize = 16;

/// How long idle processes may take to notice that their input has ended.
const FAREWELL: Duration = Duration::from_millis(500);

/// By command line and limits.
type Pool = BTreeMap<(String, BotLimits), Entry>;

static POOL: Mutex<Pool> = Mutex::new(Pool::new());

#[derive(Default)]
struct Entry {
    /// Whether the command has said hello once.
    works: bool,
    /// The name and version that it stated last.
    identity: Option<String>,
    idle: Vec<Process>,
}

/// Starts a command that has never worked, for the seat of this seed, and returns the name and
/// version that it stated.
pub(super) fn try_out(program: &BotProgram, seed: Option<u64>) -> Result<Option<String>, Forfeit> {
    let known = || {
        let pool = lock();
        let entry = pool.get(&key(program)).filter(|entry| entry.works)?;
        Some(entry.identity.clone())
    };
    if let Some(identity) = known() {
        return match program.not_as_said(identity.as_deref()) {
            None => Ok(identity),
            Some(sentence) => Err(garbage(&sentence)),
        };
    }
    let process = Process::start(program, seed)?;
    let identity = process.identity().map(str::to_owned);
    keep(program, process);
    Ok(identity)
}

/// An idle process of the command, if one waits.
pub(super) fn take_idle(program: &BotProgram) -> Option<Process> {
    let key = key(program);
    loop {
        let mut process = lock().get_mut(&key)?.idle.pop()?;
        // One that died or chattered after its last game is ended here: that
        // game is over and this one has not begun.
        if process.is_quiet() && program.not_as_said(process.identity()).is_none() {
            return Some(process);
        }
    }
}

/// Keeps a process that has behaved for the next game.
pub(crate) fn keep(program: &BotProgram, process: Process) {
    let mut pool = lock();
    let entry = pool.entry(key(program)).or_default();
    entry.works = true;
    entry.identity = process.identity().map(str::to_owned);
    if entry.idle.len() < MAX_IDLE {
        entry.idle.push(process);
    } else {
        // Killing takes a moment: not while others wait for the pool.
        drop(pool);
        drop(process);
    }
}

/// Ends all external bots that wait for a game. A program calls this before it
/// exits: bots that do not notice the end of their input would outlive it.
pub fn stop_idle() {
    stop_idle_of(|_| true);
}

/// Ends those that wait and whose command line is one of these.
pub(crate) fn stop_idle_of(is_wanted: impl Fn(&str) -> bool) {
    let mut idle: Vec<Process> = lock()
        .iter_mut()
        .filter(|((line, _), _)| is_wanted(line))
        .flat_map(|(_, entry)| std::mem::take(&mut entry.idle))
        .collect();
    idle.iter_mut().for_each(Process::close_input);
    let deadline = now() + FAREWELL;
    for process in &mut idle {
        process.wait_for_exit(deadline);
    }
}

/// A panic elsewhere leaves the pool as it was.
fn lock() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(program: &BotProgram) -> (String, BotLimits) {
    (program.command.line.clone(), program.launch.limits)
}
