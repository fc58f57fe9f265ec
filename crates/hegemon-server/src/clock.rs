//! The time of a turn, where it is limited.

use std::time::Duration;

use hegemon_core::PlayerId;
use tokio::time::{Instant, sleep_until};

/// Whose turn it is, and in which round.
pub(crate) type Turn = (PlayerId, u32);

/// The clock of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableClock {
    limit: Option<Duration>,
    turn: Option<Turn>,
    ends: Option<Instant>,
    is_up: bool,
}

impl TableClock {
    /// A clock that gives each turn this many seconds, or stands still.
    pub(crate) fn new(turn_seconds: Option<u32>) -> TableClock {
        TableClock {
            limit: turn_seconds.map(|seconds| Duration::from_secs(u64::from(seconds))),
            turn: None,
            ends: None,
            is_up: false,
        }
    }

    /// A turn continues, or another one begins. The clock stands still unless `runs`, and then starts
    /// over: while nobody is there, no time is lost.
    pub(crate) fn wind(&mut self, turn: Option<Turn>, runs: bool) {
        if turn != self.turn {
            (self.turn, self.ends, self.is_up) = (turn, None, false);
        }
        if !runs || self.is_up {
            self.ends = None;
        } else if self.ends.is_none() {
            self.ends = self.limit.map(|limit| Instant::now() + limit);
        }
    }

    /// The turn has its whole time once more, unless it is over.
    pub(crate) fn begin_anew(&mut self) {
        self.ends = None;
    }

    /// The time of this turn is over.
    pub(crate) fn run_down(&mut self) {
        (self.ends, self.is_up) = (None, true);
    }

    /// Whether the time of this turn is over.
    pub(crate) fn is_up(&self) -> bool {
        self.is_up
    }

    /// Whose time runs, and until when.
    pub(crate) fn runs(&self) -> Option<(PlayerId, Instant)> {
        Some((self.turn?.0, self.ends?))
    }

    /// Waits until the time of this turn is over; for ever if it does not run.
    pub(crate) async fn ends(&self) {
        match self.ends {
            Some(ends) => sleep_until(ends).await,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: Turn = (PlayerId::new(0), 1);
    const BEN: Turn = (PlayerId::new(1), 1);

    #[test]
    fn each_turn_has_its_time_and_a_pause_begins_it_anew() {
        let mut clock = TableClock::new(Some(30));
        clock.wind(Some(ANN), true);
        let first = clock.runs();
        assert!(first.is_some_and(|(player, _)| player == ANN.0));
        clock.wind(Some(ANN), true);
        assert_eq!(clock.runs(), first, "moves of a turn do not wind it");
        clock.wind(Some(ANN), false);
        assert_eq!(clock.runs(), None, "nobody is there");
        clock.wind(Some(ANN), true);
        assert!(clock.runs() >= first);
        clock.begin_anew();
        assert_eq!(clock.runs(), None);
        clock.wind(Some(ANN), true);
        assert!(clock.runs() >= first);
        clock.run_down();
        clock.begin_anew();
        clock.wind(Some(ANN), true);
        assert!(clock.is_up() && clock.runs().is_none());
        clock.wind(Some(BEN), true);
        assert!(!clock.is_up() && clock.runs().is_some());
    }

    #[test]
    fn without_a_limit_it_stands() {
        let mut clock = TableClock::new(None);
        clock.wind(Some(ANN), true);
        assert_eq!(clock.runs(), None);
    }
}
