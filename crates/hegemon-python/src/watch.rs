//! Long calls: stopped by Ctrl-C, told to a function.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use hegemon_bots::Stop;
use pyo3::prelude::*;

use crate::errors::sentence;

/// How often a long call looks for Ctrl-C and reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// How long a call at least and at most waits at a time for work on another thread.
const FIRST_WAIT: Duration = Duration::from_micros(20);
const LAST_WAIT: Duration = Duration::from_millis(2);

/// Stops a long call on Ctrl-C, and reports its progress to a function.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    last: Option<Instant>,
    error: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Watch {
        Watch {
            progress,
            last: None,
            error: None,
        }
    }

    /// Called from the thread that made the call, while the interpreter is not held. A total of
    /// zero is not known yet.
    pub(crate) fn see(&mut self, stop: &AtomicBool, done: u64, total: u64) {
        let is_last = total > 0 && done >= total;
        let is_due = is_last || self.last.is_none_or(|last| last.elapsed() > REPORT_EVERY);
        if self.error.is_some() || !is_due {
            return;
        }
        self.last = Some(Instant::now());
        let seen = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) if total > 0 => progress.call1(py, (done, total)).map(drop),
                _ => Ok(()),
            }
        });
        if let Err(error) = seen {
            self.error = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Notes what Python raised, which stops the call.
    pub(crate) fn fail(&mut self, error: PyErr, stop: &AtomicBool) {
        self.error.get_or_insert(error);
        stop.store(true, Ordering::Relaxed);
    }

    /// Does work on another thread that ends soon after the handle is raised, and watches
    /// from this one: only the thread that made the call hears Ctrl-C.
    pub(crate) fn over<T: Send>(
        &mut self,
        stop: &Stop,
        work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> T + Send,
    ) -> T {
        let (done, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let tell = |n_done: usize, n_all: usize| {
            done.fetch_max(n_done, Ordering::Relaxed);
            total.store(n_all, Ordering::Relaxed);
        };
        let now = |n: &AtomicUsize| n.load(Ordering::Relaxed) as u64;
        std::thread::scope(|scope| {
            let work = scope.spawn(|| work(&tell));
            let raised = AtomicBool::new(false);
            let mut wait = FIRST_WAIT;
            while !work.is_finished() {
                std::thread::sleep(wait);
                wait = LAST_WAIT.min(wait * 2);
                let (n_done, n_all) = (now(&done), now(&total));
                if n_all == 0 || n_done < n_all {
                    self.see(&raised, n_done, n_all);
                }
                if raised.load(Ordering::Relaxed) {
                    stop.raise();
                }
            }
            self.see(&raised, now(&done), now(&total));
            match work.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// The result, unless the call was stopped.
    pub(crate) fn end<T, E: std::fmt::Display>(self, result: Result<T, E>) -> PyResult<T> {
        match self.error {
            Some(error) => Err(error),
            None => result.map_err(sentence),
        }
    }
}

/// Ctrl-C for work that is done by the thread that made the call, alone or with others: a look
/// costs no more than the time of day until the next one is due.
pub(crate) struct Halt {
    caller: ThreadId,
    begin: Instant,
    /// Milliseconds from the beginning.
    next_look: AtomicU64,
    is_raised: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Halt {
    pub(crate) fn new() -> Halt {
        Halt {
            caller: std::thread::current().id(),
            begin: Instant::now(),
            next_look: AtomicU64::new(REPORT_EVERY.as_millis() as u64),
            is_raised: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Whether the call is to end. Called while the interpreter is not held.
    pub(crate) fn is_raised(&self) -> bool {
        let now = self.begin.elapsed().as_millis() as u64;
        let is_due = now >= self.next_look.load(Ordering::Relaxed);
        // Only the thread that made the call hears Ctrl-C.
        if is_due && std::thread::current().id() == self.caller {
            let next = now + REPORT_EVERY.as_millis() as u64;
            self.next_look.store(next, Ordering::Relaxed);
            if let Err(error) = hear() {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                self.is_raised.store(true, Ordering::Relaxed);
            }
        }
        self.is_raised.load(Ordering::Relaxed)
    }

    /// What Ctrl-C raised, if it did.
    pub(crate) fn end(self) -> PyResult<()> {
        let error = self.error.into_inner();
        error
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Ok(()), Err)
    }
}

/// Raises what Ctrl-C has raised since. Called while the interpreter is not held.
fn hear() -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        Ok(())
    })
}

/// Does work that cannot be stopped on a thread of its own, while other threads of Python run.
/// Ctrl-C ends the call and leaves that thread to come to its end alone.
pub(crate) fn aside<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = std::sync::mpsc::channel();
    // Nobody may be there to receive it.
    let worker = std::thread::spawn(move || drop(sender.send(work())));
    let received = py.detach(move || {
        loop {
            match receiver.recv_timeout(REPORT_EVERY) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Timeout) => hear()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    });
    match received {
        Ok(Some(result)) => Ok(result),
        Ok(None) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => Err(sentence("the work ended without a result")),
        },
        Err(error) => Err(error),
    }
}

pub(crate) fn n_threads(asked: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.unwrap_or_else(cores).clamp(1, 256)
}
