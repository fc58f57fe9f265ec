//! A handle that lets the caller end a search early.
//!
//! Every search checks it at each iteration and inside its playouts, and then
//! returns the best move found so far. Without such a handle nothing is checked
//! and no clock is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::Moment;

/// No deadline.
const NONE: u64 = u64::MAX;

/// A flag and a deadline that all copies of a handle share.
///
/// ```
/// use std::time::Duration;
/// use hegemon_search::Stop;
///
/// let stop = Stop::new();
/// let inside = stop.clone();
/// assert!(!inside.is_raised());
/// stop.raise();
/// assert!(inside.is_raised());
/// stop.arm(Duration::from_secs(60));
/// assert!(!inside.is_raised());
/// assert!(!Stop::never().is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<Signal>>);

#[derive(Debug)]
struct Signal {
    is_raised: AtomicBool,
    /// Microseconds after `made`, or [`NONE`].
    deadline: AtomicU64,
    made: Moment,
}

impl Stop {
    /// A handle that is never raised.
    pub const fn never() -> Stop {
        Stop(None)
    }

    /// Whether it can never be raised, so that checks can be skipped.
    pub fn is_never(&self) -> bool {
        self.0.is_none()
    }

    /// A handle that is not raised and has no deadline.
    #[allow(
        clippy::new_without_default,
        reason = "the default is never to stop, which costs nothing"
    )]
    pub fn new() -> Stop {
        Stop(Some(Arc::new(Signal {
            is_raised: AtomicBool::new(false),
            deadline: AtomicU64::new(NONE),
            made: Moment::now(),
        })))
    }

    /// Ends the current search, and every later one until the handle is armed
    /// again.
    pub fn raise(&self) {
        if let Some(signal) = &self.0 {
            signal.is_raised.store(true, Ordering::Relaxed);
        }
    }

    /// Clears the flag and sets a deadline `limit` from now.
    pub fn arm(&self, limit: Duration) {
        if let Some(signal) = &self.0 {
            let now = signal.made.elapsed().unwrap_or_default();
            let end = now.saturating_add(limit).as_micros();
            let end = u64::try_from(end).unwrap_or(NONE);
            signal.deadline.store(end, Ordering::Relaxed);
            signal.is_raised.store(false, Ordering::Relaxed);
        }
    }

    /// Whether the search should end now.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|signal| signal.is_raised())
    }
}

impl Signal {
    fn is_raised(&self) -> bool {
        if self.is_raised.load(Ordering::Relaxed) {
            return true;
        }
        let deadline = self.deadline.load(Ordering::Relaxed);
        let is_over = |now| now >= Duration::from_micros(deadline);
        let is_late = deadline != NONE && self.made.elapsed().is_none_or(is_over);
        if is_late {
            // Past the deadline there is no need to read the clock again.
            self.is_raised.store(true, Ordering::Relaxed);
        }
        is_late
    }
}

#[cfg(all(test, feature = "clock"))]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_raises_it() {
        let stop = Stop::new();
        stop.arm(Duration::ZERO);
        assert!(stop.is_raised() && stop.clone().is_raised());
        stop.arm(Duration::from_secs(3600));
        assert!(!stop.is_raised());
        stop.arm(Duration::MAX);
        assert!(!stop.is_raised());
    }
}
