//! When a search stops. Only this module and [`crate::Stop`] read a clock, and
//! only with the feature `clock`.

use std::time::Duration;

use crate::clock::Moment;
use crate::stop::Stop;

/// How much a search may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many iterations; reproducible.
    Iterations(u64),
    /// This much wall time; not reproducible.
    Time(Duration),
    /// Until the tree holds this many nodes, or 64 times as many iterations
    /// were made (a complete tree stops growing); reproducible.
    Nodes(usize),
}

impl Budget {
    /// The share of thread `idx` of `threads` with trees of their own.
    pub(crate) fn share(self, idx: usize, threads: usize) -> Budget {
        let part = |total: u64| {
            let (idx, threads) = (idx as u64, threads as u64);
            total / threads + u64::from(idx < total % threads)
        };
        match self {
            Budget::Iterations(n) => Budget::Iterations(part(n)),
            Budget::Time(time) => Budget::Time(time),
            Budget::Nodes(n) => Budget::Nodes(part(n as u64) as usize),
        }
    }
}

/// Measures one search against its budget.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    budget: Budget,
    started: Option<Moment>,
    stop: Stop,
}

impl Meter {
    pub(crate) fn start(budget: Budget, stop: &Stop) -> Meter {
        let timed = matches!(budget, Budget::Time(_));
        Meter {
            budget,
            started: timed.then(Moment::now),
            stop: stop.clone(),
        }
    }

    /// Whether another iteration may start. A search that is timed or stopped
    /// makes at least one.
    #[inline]
    pub(crate) fn allows(&self, iterations: u64, nodes: usize) -> bool {
        if iterations > 0 && self.stop.is_raised() {
            return false;
        }
        match self.budget {
            Budget::Iterations(n) => iterations < n,
            Budget::Nodes(n) => nodes < n && iterations < 64 * n as u64,
            Budget::Time(time) => {
                iterations == 0 || self.elapsed().is_some_and(|elapsed| elapsed < time)
            }
        }
    }

    /// The meter of thread `idx` of `threads` with trees of their own, from now.
    pub(crate) fn share(&self, idx: usize, threads: usize) -> Meter {
        Meter::start(self.budget.share(idx, threads), &self.stop)
    }

    /// Time since the start, for timed searches.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        self.started.and_then(|start| start.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let shares: Vec<Budget> = (0..3).map(|i| Budget::Iterations(11).share(i, 3)).collect();
        assert_eq!(
            shares,
            [4, 4, 3].map(Budget::Iterations),
            "eleven iterations on three threads"
        );
    }

    #[test]
    #[cfg(feature = "clock")]
    fn only_time_budgets_read_the_clock() {
        assert!(
            Meter::start(Budget::Iterations(3), &Stop::never())
                .elapsed()
                .is_none()
        );
        assert!(
            Meter::start(Budget::Time(Duration::ZERO), &Stop::never())
                .elapsed()
                .is_some()
        );
    }
}
