//! Blocks: the unit of every comparison. One deal played under all seat orders
//! is one observation, so deal and seat luck cancel out.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
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
const HAND_OVER: Duration = Duration::from_millis(2);

/// How many blocks a thread may run ahead of the first that is not finished:
/// results are buffered until it is their turn.
const MAX_AHEAD: u64 = 1 << 14;

/// Works on blocks in parallel and delivers the results in order, so that the
/// output does not depend on the number of threads. Stops early when `stop` is
/// set or `consume` breaks.
pub fn run_blocks<T: Send>(
    n_threads: usize,
    blocks: std::ops::Range<u64>,
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
    blocks: std::ops::Range<u64>,
    stop: &AtomicBool,
    hire: impl Fn() -> W + Sync,
    mut consume: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    if n_threads <= 1 {
        let work = hire();
        // Only the caller's thread, so that its processor time covers everything.
        for block in blocks {
            if stop.load(Ordering::Relaxed) || consume(block, work(block)).is_break() {
                return;
            }
        }
        return;
    }
    let next = AtomicU64::new(blocks.start);
    let consumed = AtomicU64::new(blocks.start);
    let done = AtomicBool::new(false);
    let (sender, receiver) = mpsc::sync_channel::<(u64, Vec<T>)>(4 * n_threads);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            let sender = sender.clone();
            let (next, consumed, done, hire) = (&next, &consumed, &done, &hire);
            let end = blocks.end;
            scope.spawn(move || {
                let work = hire();
                let mut size = 1;
                while !done.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let first = next.fetch_add(size, Ordering::Relaxed);
                    if first >= end {
                        return;
                    }
                    // Wait for a slow block before the results of others fill the memory.
                    while first > consumed.load(Ordering::Relaxed) + MAX_AHEAD {
                        if done.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        std::thread::sleep(HAND_OVER);
                    }
                    let clock = Instant::now();
                    let results = (first..end.min(first + size)).map(&work).collect();
                    size = next_size(size, clock.elapsed());
                    if sender.send((first, results)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = blocks.start;
        for (first, results) in receiver {
            early.insert(first, results);
            while let Some(results) = early.remove(&expected) {
                for result in results {
                    if !done.load(Ordering::Relaxed) && consume(expected, result).is_break() {
                        done.store(true, Ordering::Relaxed);
                    }
                    expected += 1;
                }
                consumed.store(expected, Ordering::Relaxed);
            }
        }
    });
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
}
