//! Blocks: the unit of every comparison. One deal played under all seat orders
//! is one observation, so deal and seat luck cancel out.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use hegemon_core::{fnv1a, mix};

/// The seat orders of a block: entry `s` of an order is the index of the player
/// in seat `s`. All permutations up to three players, else all rotations.
///
/// ```
/// use hegemon_arena::seat_orders;
/// assert_eq!(seat_orders(2), [[0, 1], [1, 0]]);
/// assert_eq!(seat_orders(3).len(), 6);
/// assert_eq!(seat_orders(5).len(), 5);
/// ```
pub fn seat_orders(n_players: usize) -> Vec<Vec<usize>> {
    let rotation = |shift: usize| {
        (0..n_players)
            .map(|seat| (seat + shift) % n_players)
            .collect()
    };
    let mut orders: Vec<Vec<usize>> = (0..n_players).map(rotation).collect();
    if n_players == 3 {
        let mirrored: Vec<Vec<usize>> = orders
            .iter()
            .map(|order| order.iter().rev().copied().collect())
            .collect();
        orders.extend(mirrored);
    }
    orders
}

/// The most seat orders of a block: those of three players, and of six.
pub(crate) const MAX_ORDERS: usize = 6;

/// Seed of the deal of a block.
pub fn deal_seed(seed: u64, label: &str, block: u64) -> u64 {
    mix(mix(seed ^ fnv1a(label.as_bytes())).wrapping_add(block))
}

/// Seed of dice, cards and bots of a game in a block.
pub fn game_seed(deal_seed: u64, game: u64) -> u64 {
    mix(deal_seed ^ mix(game + 1))
}

/// Blocks shorter than this are handed over in batches: waking another thread
/// costs as much as a short game. It also bounds the work lost on a stop.
const HAND_OVER: Duration = Duration::from_millis(8);

/// How long somebody sleeps who waits for others, before looking again.
const PATIENCE: Duration = Duration::from_millis(2);

/// How many blocks a thread may run ahead of the first that is not finished:
/// results are buffered until it is their turn.
const MAX_AHEAD: u64 = 1 << 14;

/// Works on blocks in parallel and delivers the results in order, so that the
/// output does not depend on the number of threads. Stops early when `stop` is
/// set or `consume` breaks.
pub fn run_blocks<T: Send>(
    n_threads: usize,
    blocks: Range<u64>,
    stop: &AtomicBool,
    work: impl Fn(u64) -> T + Sync,
    consume: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    run_blocks_by(n_threads, blocks, stop, || &work, consume);
}

/// The same with one worker per thread, made by `hire`: threads share nothing
/// that a worker owns.
pub fn run_blocks_by<T: Send, W: Fn(u64) -> T>(
    n_threads: usize,
    blocks: Range<u64>,
    stop: &AtomicBool,
    hire: impl Fn() -> W + Sync,
    mut consume: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    if n_threads <= 1 {
        // Only the caller's thread, so that its processor time covers everything.
        let work = hire();
        for block in blocks {
            if stop.load(Ordering::Relaxed) || consume(block, work(block)).is_break() {
                return;
            }
        }
        return;
    }
    let agenda = Agenda::new(blocks, Arc::new(()));
    agenda.close();
    let hire = || {
        let work = hire();
        move |(): &(), block, results: &mut Vec<T>| results.push(work(block))
    };
    run_agenda(n_threads, &agenda, stop, hire, |blocks, results| {
        let mut results = blocks.zip(results);
        results.try_for_each(|(block, result)| consume(block, result))
    });
}

/// Blocks to play. More may be added while the first are played, as soon as
/// their results tell which; they share a context, such as a wave of a pool.
#[derive(Debug)]
pub(crate) struct Agenda<C> {
    open: Mutex<Open<C>>,
    extended: Condvar,
}

#[derive(Debug)]
struct Open<C> {
    /// Blocks that nobody works on yet.
    blocks: Range<u64>,
    context: Arc<C>,
    is_closed: bool,
}

impl<C> Agenda<C> {
    pub(crate) fn new(blocks: Range<u64>, context: Arc<C>) -> Agenda<C> {
        Agenda {
            open: Mutex::new(Open {
                blocks,
                context,
                is_closed: false,
            }),
            extended: Condvar::new(),
        }
    }

    /// Adds the next `n_blocks`, when all before them have been delivered.
    pub(crate) fn extend(&self, n_blocks: u64, context: Arc<C>) {
        let mut open = self.lock();
        debug_assert!(open.blocks.is_empty() && !open.is_closed);
        open.blocks.end += n_blocks;
        open.context = context;
        self.extended.notify_all();
    }

    /// There will be no more.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.extended.notify_all();
    }

    /// Takes up to `most` of the next blocks, fewer towards the end, so that
    /// the threads finish together. Waits for more; none if there will be none
    /// or `is_over`.
    fn claim(
        &self,
        most: u64,
        n_threads: usize,
        is_over: impl Fn() -> bool,
    ) -> Option<(Range<u64>, Arc<C>)> {
        let mut open = self.lock();
        while open.blocks.is_empty() {
            if open.is_closed || is_over() {
                return None;
            }
            let waited = self.extended.wait_timeout(open, PATIENCE);
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let left = open.blocks.end - open.blocks.start;
        let n = most.min(left / (2 * n_threads as u64)).max(1);
        let first = open.blocks.start;
        open.blocks.start += n;
        Some((first..first + n, Arc::clone(&open.context)))
    }

    /// Nothing panics with the lock held, so what it guards is sound.
    fn lock(&self) -> MutexGuard<'_, Open<C>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works on an agenda until it is closed and done, `stop` is set or `consume`
/// breaks. A worker adds the results of its blocks to a batch, and `consume` sees
/// the batches in order. It may extend the agenda; if it has not closed it, it must
/// extend it at the latest with the last block.
pub(crate) fn run_agenda<B: Default + Send, C: Send + Sync, W: Fn(&C, u64, &mut B)>(
    n_threads: usize,
    agenda: &Agenda<C>,
    stop: &AtomicBool,
    hire: impl Fn() -> W + Sync,
    mut consume: impl FnMut(Range<u64>, B) -> ControlFlow<()>,
) {
    if n_threads <= 1 {
        let work = hire();
        while !stop.load(Ordering::Relaxed)
            && let Some((blocks, context)) = agenda.claim(1, 1, || true)
        {
            let mut batch = B::default();
            work(&context, blocks.start, &mut batch);
            if consume(blocks, batch).is_break() {
                return;
            }
        }
        return;
    }
    let consumed = AtomicU64::new(agenda.lock().blocks.start);
    let done = AtomicBool::new(false);
    let is_over = || done.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
    let mut expected = consumed.load(Ordering::Relaxed);
    let (sender, receiver) = mpsc::sync_channel::<(Range<u64>, B)>(4 * n_threads);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            let sender = sender.clone();
            let (consumed, is_over, hire) = (&consumed, &is_over, &hire);
            let done = &done;
            scope.spawn(move || {
                let _guard = EndOnPanic(done);
                let work = hire();
                let mut size = 1;
                while !is_over()
                    && let Some((blocks, context)) = agenda.claim(size, n_threads, is_over)
                {
                    // Wait for a slow block before the results of others fill the memory.
                    while blocks.start > consumed.load(Ordering::Relaxed) + MAX_AHEAD {
                        if is_over() {
                            return;
                        }
                        std::thread::sleep(PATIENCE);
                    }
                    let clock = Instant::now();
                    let mut batch = B::default();
                    for block in blocks.clone() {
                        work(&context, block, &mut batch);
                    }
                    if blocks.end - blocks.start == size {
                        size = next_size(size, clock.elapsed());
                    }
                    if sender.send((blocks, batch)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let _guard = EndOnPanic(&done);
        let mut early = BTreeMap::new();
        for (blocks, batch) in receiver {
            early.insert(blocks.start, (blocks.end, batch));
            while let Some((end, batch)) = early.remove(&expected) {
                if !done.load(Ordering::Relaxed) && consume(expected..end, batch).is_break() {
                    done.store(true, Ordering::Relaxed);
                }
                expected = end;
                consumed.store(expected, Ordering::Relaxed);
            }
        }
    });
}

/// Ends the work of all threads if one panics: the others would wait forever
/// for blocks that follow from its results.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The next batch size, after a batch of `size` blocks took this long.
fn next_size(size: u64, took: Duration) -> u64 {
    match took {
        _ if took > HAND_OVER => (size / 2).max(1),
        _ if took < HAND_OVER / 4 => (size * 2).min(MAX_AHEAD / 8),
        _ => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_sits_everywhere_equally_often() {
        for n in 2..=6 {
            let orders = seat_orders(n);
            assert!(orders.len() <= MAX_ORDERS);
            for seat in 0..n {
                for player in 0..n {
                    let times = orders.iter().filter(|order| order[seat] == player).count();
                    assert_eq!(times * n, orders.len());
                }
            }
        }
    }

    #[test]
    fn only_short_blocks_are_handed_over_together() {
        assert_eq!(next_size(1, 10 * HAND_OVER), 1);
        assert_eq!(next_size(1, HAND_OVER / 2), 1);
        assert_eq!(next_size(8, HAND_OVER / 10), 16);
        assert_eq!(next_size(16, 2 * HAND_OVER), 8);
    }

    #[test]
    fn a_slow_block_does_not_let_the_others_fill_the_memory() {
        let farthest = AtomicU64::new(0);
        let work = |block| {
            if block == 0 {
                std::thread::sleep(Duration::from_millis(300));
                return farthest.load(Ordering::Relaxed);
            }
            farthest.fetch_max(block, Ordering::Relaxed)
        };
        let mut seen_by_first = 0;
        run_blocks(
            2,
            0..20 * MAX_AHEAD,
            &AtomicBool::new(false),
            work,
            |block, seen| {
                if block == 0 {
                    seen_by_first = seen;
                }
                ControlFlow::Continue(())
            },
        );
        // One extra batch may be in flight.
        assert!(seen_by_first < 2 * MAX_AHEAD, "{seen_by_first}");
    }

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for n_threads in [1, 2, 5] {
            let mut seen = Vec::new();
            run_blocks(
                n_threads,
                3..200,
                &AtomicBool::new(false),
                |b| b * b,
                |b, square| {
                    assert_eq!(square, b * b);
                    seen.push(b);
                    if b == 150 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            assert_eq!(seen, (3..=150).collect::<Vec<_>>());
        }
    }

    /// Each wave is known only when the one before has been delivered.
    #[test]
    fn waves_that_follow_from_results_come_in_order_on_any_number_of_threads() {
        for n_threads in [1, 2, 5] {
            let agenda = Agenda::new(3..10, Arc::new(1));
            let mut seen = Vec::new();
            run_agenda(
                n_threads,
                &agenda,
                &AtomicBool::new(false),
                || |wave: &u64, block, batch: &mut Vec<(u64, u64)>| batch.push((*wave, block)),
                |blocks, batch| {
                    let wave = batch[0].0;
                    assert!(blocks.clone().eq(batch.iter().map(|&(_, block)| block)));
                    seen.extend(batch);
                    if blocks.end == 3 + 7 * wave {
                        match wave {
                            50 => agenda.close(),
                            _ => agenda.extend(7, Arc::new(wave + 1)),
                        }
                    }
                    ControlFlow::Continue(())
                },
            );
            let expected: Vec<(u64, u64)> = (3..3 + 7 * 50).map(|b| ((b - 3) / 7 + 1, b)).collect();
            assert_eq!(seen, expected, "{n_threads} threads");
        }
    }

    /// It must not leave the others waiting for the next wave.
    #[test]
    fn a_panic_ends_the_run() {
        for panics_at_work in [true, false] {
            let run = || {
                let agenda = Agenda::new(0..8, Arc::new(()));
                run_agenda(
                    3,
                    &agenda,
                    &AtomicBool::new(false),
                    || {
                        |(): &(), block, (): &mut ()| {
                            assert!(!panics_at_work || block != 5, "at work");
                        }
                    },
                    |blocks, ()| {
                        assert!(!blocks.contains(&6), "at the results");
                        ControlFlow::Continue(())
                    },
                );
            };
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }

    #[test]
    fn who_waits_for_the_next_wave_sees_a_stop() {
        let stop = AtomicBool::new(false);
        let agenda = Agenda::new(0..1, Arc::new(()));
        let mut n_seen = 0;
        run_agenda(
            2,
            &agenda,
            &stop,
            || |(): &(), _, _: &mut ()| (),
            |_, ()| {
                n_seen += 1;
                stop.store(true, Ordering::Relaxed);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(n_seen, 1);
    }
}
