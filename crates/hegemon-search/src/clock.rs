//! Time, for budgets and deadlines only. Without the feature `clock` there is
//! none: a timed search then makes one iteration, and a deadline counts as
//! reached, so that a bot answers at once instead of never.

use std::time::Duration;

#[cfg(all(feature = "clock", target_family = "wasm", target_os = "unknown"))]
compile_error!(
    "this platform has no clock, and reading it would panic: build hegemon-search and hegemon-bots with default-features = false"
);

/// A starting point for measuring time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    #[cfg(feature = "clock")]
    at: std::time::Instant,
}

impl Moment {
    /// Reads the clock, if there is one.
    #[cfg_attr(
        feature = "clock",
        allow(
            clippy::disallowed_methods,
            reason = "a deadline or time budget needs the clock; nothing else reads it"
        )
    )]
    pub(crate) fn now() -> Moment {
        Moment {
            #[cfg(feature = "clock")]
            at: std::time::Instant::now(),
        }
    }

    /// Time since then; `None` without a clock.
    #[cfg(feature = "clock")]
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        Some(self.at.elapsed())
    }

    /// Time since then; `None` without a clock.
    #[cfg(not(feature = "clock"))]
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        None
    }
}
