//! How much is allowed, and counting it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How much the server takes on. A client is an address; see `docs/play.md`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Open connections that are not sockets.
    pub connections: usize,
    /// The same of one client.
    pub connections_per_client: usize,
    /// Time for the head of a request to come, and again for its body.
    pub request_time: Duration,
    /// Time from the head of a request until its answer has been taken.
    pub answer_time: Duration,
    /// Requests of one client; those that open a seat do not count.
    pub requests: Rate,
    /// Open sockets, all games together.
    pub sockets: usize,
    /// Of these, sockets that only people with a seat may have.
    pub sockets_for_seats: usize,
    /// Sockets of one client that only watch.
    pub watchers_per_client: usize,
    /// Sockets of one client with a seat. Beyond, one that has been silent for
    /// a minute is closed for a new one.
    pub seats_per_client: usize,
    /// Games in memory at a time.
    pub games: usize,
    /// Of these, games of bots alone that are not over.
    pub bot_games: usize,
    /// The same of one client.
    pub bot_games_per_client: usize,
    /// Bots of the host that have a seat in a game in memory: each may be a
    /// process.
    pub host_bots: usize,
    /// The same of games that are there because of one client.
    pub host_bots_per_client: usize,
    /// How long somebody is away before others may let a bot play for them.
    pub grace: Duration,
    /// How long somebody may leave a move unmade before others may let a bot play for them.
    pub idle: Duration,
    /// How long the clock of a turn waits for people who are invited and have not come.
    pub awaiting: Duration,
    /// Fewest seconds of a turn that a game may ask for.
    pub shortest_turn: u32,
    /// Laws of battle, besides those of the presets, of games in memory.
    pub odd_laws: usize,
    /// The same of games that are there because of one client.
    pub odd_laws_per_client: usize,
    /// Games made at once, and again after a while, by everybody together.
    pub new_games: Rate,
    /// The same by one client.
    pub new_games_per_client: Rate,
    /// Bytes that come over one socket, whatever they mean: a message in a million
    /// empty pieces is no message until it ends.
    pub socket_bytes: Rate,
    /// Records, replays and odds that are worked on or waited for at a time.
    pub labours: usize,
    /// The same of one client.
    pub labours_per_client: usize,
    /// Bytes of records that are being sent, all together.
    pub uploads: usize,
    /// The same of one client.
    pub uploads_per_client: usize,
    /// Messages of one socket.
    pub messages: Rate,
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of an uploaded record.
    pub record: usize,
    /// Bytes of a socket's message.
    pub message: usize,
    /// Time that a bot may think about a move if its level says nothing.
    pub thinking: Duration,
    /// Bytes of the store beyond which no game is made. From three quarters of
    /// it on, games make room: of bots alone the oldest that are over or have
    /// stood still for a week, then those of people at which nobody has sat down
    /// within an hour, then unfinished ones that nobody has opened for 30 days.
    pub store: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1024,
            connections_per_client: 256,
            request_time: Duration::from_secs(10),
            answer_time: Duration::from_secs(30),
            requests: Rate {
                burst: 400.0,
                per_second: 50.0,
            },
            sockets: 1024,
            sockets_for_seats: 256,
            watchers_per_client: 256,
            seats_per_client: 64,
            games: 512,
            bot_games: 256,
            bot_games_per_client: 64,
            host_bots: 48,
            host_bots_per_client: 16,
            grace: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            awaiting: Duration::from_secs(300),
            // Enough to make a move.
            shortest_turn: 10,
            odd_laws: 8,
            odd_laws_per_client: 2,
            new_games: Rate {
                burst: 400.0,
                per_second: 5.0,
            },
            socket_bytes: Rate {
                burst: 512.0 * 1024.0,
                per_second: 16.0 * 1024.0,
            },
            new_games_per_client: Rate {
                burst: 100.0,
                per_second: 0.1,
            },
            labours: 6,
            labours_per_client: 3,
            uploads: 16 << 20,
            uploads_per_client: 4 << 20,
            messages: Rate {
                burst: 60.0,
                per_second: 20.0,
            },
            body: 64 << 10,
            record: 1 << 20,
            message: 4 << 10,
            thinking: Duration::from_secs(20),
            store: 80 << 20,
        }
    }
}

/// A burst, and a rate per second in the long run.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// In the long run.
    pub per_second: f64,
}

impl Rate {
    /// As good as no limit.
    pub const UNLIMITED: Rate = Rate {
        burst: 1e9,
        per_second: 1e9,
    };
}

/// Counts what a rate allows.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: Rate,
    left: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn new(rate: Rate) -> Bucket {
        Bucket {
            rate,
            left: rate.burst,
            filled: Instant::now(),
        }
    }

    /// Takes one, if there is one.
    pub(crate) fn take(&mut self) -> bool {
        self.take_many(1)
    }

    /// Takes this many, if there are as many.
    pub(crate) fn take_many(&mut self, n: usize) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.filled).as_secs_f64() * self.rate.per_second;
        self.left = (self.left + gained).min(self.rate.burst);
        self.filled = now;
        let wanted = n as f64;
        let is_left = self.left >= wanted;
        if is_left {
            self.left -= wanted;
        }
        is_left
    }
}

/// Some of a limited number of things; given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    counter: Arc<AtomicUsize>,
    n: usize,
}

impl Permit {
    /// Takes one of `most`; `None` if all are taken.
    pub(crate) fn take(counter: &Arc<AtomicUsize>, most: usize) -> Option<Permit> {
        let counter = Arc::clone(counter);
        let mut permit = Permit { counter, n: 0 };
        permit.grow(1, most).then_some(permit)
    }

    /// Takes `n` more of `most`; false, and no more, if there are too few.
    pub(crate) fn grow(&mut self, n: usize, most: usize) -> bool {
        let fits = |all: usize| (most.saturating_sub(all) >= n).then(|| all + n);
        let taken = self
            .counter
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits);
        if taken.is_ok() {
            self.n += n;
        }
        taken.is_ok()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.counter.fetch_sub(self.n, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties() {
        let mut bucket = Bucket::new(Rate {
            burst: 3.0,
            per_second: 0.0,
        });
        let taken = (0..5).filter(|_| bucket.take()).count();
        assert_eq!(taken, 3);
    }

    #[test]
    fn permits_come_back() {
        let counter = Arc::new(AtomicUsize::new(0));
        let first = Permit::take(&counter, 1);
        assert!(first.is_some());
        assert!(Permit::take(&counter, 1).is_none());
        drop(first);
        assert!(Permit::take(&counter, 1).is_some());
    }
}
