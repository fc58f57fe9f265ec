//! Time for a turn, shared out over its decisions.

use std::time::{Duration, Instant};

use hegemon_core::{Phase, View};

/// Decisions that the rest of a turn is taken to have.
const DECISIONS_LEFT: u32 = 5;
/// Looks a second before any was timed.
const FIRST_RATE: f64 = 10_000.0;

/// The time of a turn. Unused, it does nothing and reads no clock.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnClock {
    round: Option<u32>,
    left: Duration,
    /// When the decision under way began, and when it must end.
    running: Option<(Instant, Instant)>,
    n_looks: u64,
    /// Looks a second.
    rate: f64,
}

impl TurnClock {
    /// Begins a decision; `limit` is the time of the whole turn. Returns how many
    /// looks it has time for.
    pub(super) fn begin(&mut self, view: View<'_>, limit: Duration) -> u64 {
        let is_setup = matches!(view.phase(), Phase::Claim | Phase::Setup | Phase::Capital);
        if is_setup || self.round != Some(view.round()) {
            self.left = limit;
        }
        self.round = Some(view.round());
        let share = self.left / DECISIONS_LEFT;
        let now = now();
        self.running = Some((now, now + share));
        self.n_looks = 0;
        let rate = if self.rate > 0.0 {
            self.rate
        } else {
            FIRST_RATE
        };
        // A little less, so that the last round of halving is not cut short.
        (0.9 * rate * share.as_secs_f64()) as u64
    }

    pub(super) fn count(&mut self, n_looks: u64) {
        self.n_looks += n_looks;
    }

    pub(super) fn is_up(&self) -> bool {
        self.running.is_some_and(|(_, end)| now() >= end)
    }

    pub(super) fn end(&mut self) {
        if let Some((begin, _)) = self.running.take() {
            let taken = begin.elapsed();
            self.left = self.left.saturating_sub(taken);
            if self.n_looks > 0 {
                let rate = self.n_looks as f64 / taken.as_secs_f64().max(1e-6);
                self.rate = if self.rate > 0.0 {
                    0.5 * (self.rate + rate)
                } else {
                    rate
                };
            }
        }
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "a turn by the clock was asked for; play is then not reproducible, and says so"
)]
fn now() -> Instant {
    Instant::now()
}
