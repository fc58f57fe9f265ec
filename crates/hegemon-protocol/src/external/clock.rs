//! The clock of time-outs.

use std::time::Instant;

/// The time.
#[expect(
    clippy::disallowed_methods,
    reason = "the time-out of a foreign process is a matter of the clock"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
