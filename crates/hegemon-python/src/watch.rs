//! Long calls: stopped by Ctrl-C, told to a function.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hegemon_bots::Stop;
use pyo3::prelude::*;

use crate::errors::sentence;

/// How often a long call looks for Ctrl-C and reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// How long a call waits at least that is done on another thread.
const LOOK_EVERY: Duration = Duration::from_millis(2);

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

    /// Called from the thread that made the call, while the interpreter is not held.
    pub(crate) fn see(&mut self, stop: &AtomicBool, done: u64, total: u64) {
        let is_due = done >= total || self.last.is_none_or(|last| last.elapsed() > REPORT_EVERY);
        if self.error.is_some() || !is_due {
            return;
        }
        self.last = Some(Instant::now());
        let seen = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, (done, total)).map(drop),
                None => Ok(()),
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
        let (done, total) = (AtomicUsize::new(0), AtomicUsize::new(1));
        let tell = |n_done: usize, n_all: usize| {
            done.fetch_max(n_done, Ordering::Relaxed);
            total.store(n_all, Ordering::Relaxed);
        };
        let now = |n: &AtomicUsize| n.load(Ordering::Relaxed) as u64;
        std::thread::scope(|scope| {
            let work = scope.spawn(|| work(&tell));
            let raised = AtomicBool::new(false);
            while !work.is_finished() {
                std::thread::sleep(LOOK_EVERY);
                let (n_done, n_all) = (now(&done), now(&total));
                if n_done < n_all {
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

pub(crate) fn n_threads(asked: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.unwrap_or_else(cores).clamp(1, 256)
}
