//! How many games this process plays and has played, for whoever shows a
//! progress: a block may take minutes, and a game of it is worth knowing of.
//! Nothing that is played depends on it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Games of some threads, in cache lines of their own: counters that all threads share would
/// wander from core to core with every short game.
#[derive(Debug)]
#[repr(align(128))]
struct Counts {
    begun: AtomicU64,
    ended: AtomicU64,
    /// Games of the blocks that are being played.
    due: AtomicU64,
}

const N_COUNTS: usize = 64;

static COUNTS: [Counts; N_COUNTS] = [const {
    Counts {
        begun: AtomicU64::new(0),
        ended: AtomicU64::new(0),
        due: AtomicU64::new(0),
    }
}; N_COUNTS];

thread_local! {
    static OWN: &'static Counts = {
        static N_THREADS: AtomicUsize = AtomicUsize::new(0);
        &COUNTS[N_THREADS.fetch_add(1, Ordering::Relaxed) % N_COUNTS]
    };
}

/// A game under way; it ends when this is dropped.
#[derive(Debug)]
pub struct GameUnderWay(&'static Counts);

impl GameUnderWay {
    /// A game begins.
    #[must_use]
    pub fn begin() -> GameUnderWay {
        let own = OWN.with(|own| *own);
        own.begun.fetch_add(1, Ordering::Relaxed);
        GameUnderWay(own)
    }
}

impl Drop for GameUnderWay {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// The games of a block that are still to be played: blocks are finished even if the run is to
/// stop.
pub(crate) struct DueGames {
    counts: &'static Counts,
    n: u64,
}

impl DueGames {
    /// A block of this many games begins.
    pub(crate) fn begin(n: u64) -> DueGames {
        let counts = OWN.with(|own| *own);
        counts.due.fetch_add(n, Ordering::Relaxed);
        DueGames { counts, n }
    }

    /// One of them has been played.
    pub(crate) fn play(&mut self) {
        self.n -= 1;
        self.counts.due.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for DueGames {
    fn drop(&mut self) {
        self.counts.due.fetch_sub(self.n, Ordering::Relaxed);
    }
}

/// Games that this process plays on even if it is to stop: the rest of all blocks, or what is
/// played without blocks.
pub fn games_to_finish() -> u64 {
    let due = |counts: &Counts| counts.due.load(Ordering::Relaxed);
    games_under_way().max(COUNTS.iter().map(due).sum())
}

/// Games that this process has played to their end.
pub fn games_played() -> u64 {
    let ended = |counts: &Counts| counts.ended.load(Ordering::Relaxed);
    COUNTS.iter().map(ended).sum()
}

/// Games that this process plays at the moment.
pub fn games_under_way() -> u64 {
    // Read in this order, no game is counted that has not begun.
    let ended = games_played();
    let begun = |counts: &Counts| counts.begun.load(Ordering::Relaxed);
    COUNTS.iter().map(begun).sum::<u64>().saturating_sub(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_under_way_until_it_is_played() {
        let played = games_played();
        let game = GameUnderWay::begin();
        assert!(games_under_way() >= 1);
        drop(game);
        assert!(games_played() > played);
    }

    #[test]
    fn games_of_a_block_are_due_until_they_are_played() {
        let mut block = DueGames::begin(1000);
        assert!(games_to_finish() >= 1000);
        (0..999).for_each(|_| block.play());
        drop(block);
        let mut given_up = DueGames::begin(1_000_000);
        given_up.play();
        drop(given_up);
        assert!(games_to_finish() < 999_999);
    }

    #[test]
    fn games_of_all_threads_are_counted() {
        let played = games_played();
        std::thread::scope(|scope| {
            for _ in 0..2 * N_COUNTS {
                scope.spawn(GameUnderWay::begin);
            }
        });
        assert!(games_played() >= played + 2 * N_COUNTS as u64);
    }
}
