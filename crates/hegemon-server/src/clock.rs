//! The time of a turn, where it is limited.

use std::time::Duration;

use hegemon_core::PlayerId;
use tokio::time::{Instant, sleep_until};

/// Whose turn it is, and in which round.
pub(crate) type Turn = (PlayerId, u32);

/// What a clock is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Stand still: a bot is to move, or nobody is there.
    Stand,
    /// Stand still because somebody is invited who has not come, but not for ever: they may never
    /// come, and then nobody's time would ever run.
    Wait,
    /// Run.
    Run,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockFace {
    /// It stands still.
    Stands,
    /// It waits for somebody who is invited until then.
    Waits(Instant),
    /// The time of a player runs until then.
    Runs(PlayerId, Instant),
}

/// The clock of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableClock {
    limit: Option<Duration>,
    /// How long it waits in all for people who are invited.
    patience: Duration,
    turn: Option<Turn>,
    ends: Option<Instant>,
    /// Until when it waits; for the whole game, so that it waits once.
    waits: Option<Instant>,
    is_waiting: bool,
    is_up: bool,
}

impl TableClock {
    /// A clock that gives each turn this many seconds, or stands still, and waits this long for
    /// people who are invited.
    pub(crate) fn new(turn_seconds: Option<u32>, patience: Duration) -> TableClock {
        TableClock {
            limit: turn_seconds.map(|seconds| Duration::from_secs(u64::from(seconds))),
            patience,
            turn: None,
            ends: None,
            waits: None,
            is_waiting: false,
            is_up: false,
        }
    }

    /// A turn continues, or another one begins. A clock that stood still starts over: while nobody
    /// is there, no time is lost.
    pub(crate) fn wind(&mut self, turn: Option<Turn>, pace: Pace) {
        if turn != self.turn {
            (self.turn, self.ends, self.is_up) = (turn, None, false);
        }
        let now = Instant::now();
        self.is_waiting = pace == Pace::Wait
            && self.limit.is_some()
            && *self.waits.get_or_insert(now + self.patience) > now;
        if pace == Pace::Stand || self.is_waiting || self.is_up {
            self.ends = None;
        } else if self.ends.is_none() {
            self.ends = self.limit.map(|limit| now + limit);
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

    /// What it shows.
    pub(crate) fn face(&self) -> ClockFace {
        match (self.turn, self.ends, self.waits) {
            (Some((player, _)), Some(ends), _) => ClockFace::Runs(player, ends),
            (_, None, Some(until)) if self.is_waiting => ClockFace::Waits(until),
            _ => ClockFace::Stands,
        }
    }

    /// Waits until the time of this turn is over; for ever if it does not run.
    pub(crate) async fn ends(&self) {
        wait_until(self.ends).await;
    }

    /// Waits until nobody who is invited is waited for any longer.
    pub(crate) async fn waits(&self) {
        wait_until(self.waits.filter(|_| self.is_waiting)).await;
    }
}

async fn wait_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: Turn = (PlayerId::new(0), 1);
    const BEN: Turn = (PlayerId::new(1), 1);
    const MINUTE: Duration = Duration::from_secs(60);

    /// Whose time runs, and until when.
    fn runs(clock: &TableClock) -> Option<(PlayerId, Instant)> {
        match clock.face() {
            ClockFace::Runs(player, ends) => Some((player, ends)),
            _ => None,
        }
    }

    #[test]
    fn each_turn_has_its_time_and_a_pause_begins_it_anew() {
        let mut clock = TableClock::new(Some(30), MINUTE);
        clock.wind(Some(ANN), Pace::Run);
        let first = runs(&clock);
        assert!(first.is_some_and(|(player, _)| player == ANN.0));
        clock.wind(Some(ANN), Pace::Run);
        assert_eq!(runs(&clock), first, "moves of a turn do not wind it");
        clock.wind(Some(ANN), Pace::Stand);
        assert_eq!(clock.face(), ClockFace::Stands, "nobody is there");
        clock.wind(Some(ANN), Pace::Run);
        assert!(runs(&clock) >= first);
        clock.begin_anew();
        assert_eq!(runs(&clock), None);
        clock.wind(Some(ANN), Pace::Run);
        assert!(runs(&clock) >= first);
        clock.run_down();
        clock.begin_anew();
        clock.wind(Some(ANN), Pace::Run);
        assert!(clock.is_up() && runs(&clock).is_none());
        clock.wind(Some(BEN), Pace::Run);
        assert!(!clock.is_up() && runs(&clock).is_some());
    }

    #[test]
    fn without_a_limit_it_stands() {
        let mut clock = TableClock::new(None, MINUTE);
        for pace in [Pace::Run, Pace::Wait] {
            clock.wind(Some(ANN), pace);
            assert_eq!(clock.face(), ClockFace::Stands);
        }
    }

    #[test]
    fn it_waits_for_the_invited_once_and_then_runs_without_them() {
        let mut clock = TableClock::new(Some(30), MINUTE);
        clock.wind(Some(ANN), Pace::Wait);
        let first = clock.face();
        assert!(matches!(first, ClockFace::Waits(_)), "{first:?}");
        clock.wind(Some(BEN), Pace::Wait);
        assert_eq!(
            clock.face(),
            first,
            "another turn is no reason to wait longer"
        );
        clock.wind(Some(BEN), Pace::Run);
        assert!(runs(&clock).is_some(), "they have come");
        let mut hasty = TableClock::new(Some(30), Duration::ZERO);
        hasty.wind(Some(ANN), Pace::Wait);
        assert!(runs(&hasty).is_some(), "nobody waits for ever");
    }
}
