//! How games per second scale with the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hegemon_arena::Match;
use hegemon_bots::{Grants, Spec};
use serde::Serialize;

use super::measure::{pool_games, sampling};
use crate::output::{self, Column, OutputArgs, grouped, rounded};

/// The speeds with a number of threads.
#[derive(Debug, Serialize)]
struct Scaling {
    threads: usize,
    match_games_per_s: f64,
    /// Fraction of linear scaling.
    match_of_linear: f64,
    arena_games_per_s: f64,
    arena_of_linear: f64,
}

/// Measures `match` and `arena` with 1, 2, 4, ... threads and with all cores.
pub(super) fn run(seconds: f64, output: OutputArgs) -> anyhow::Result<()> {
    let most = std::thread::available_parallelism()?.get();
    let counts = thread_counts(most);
    let bar = output::progress(counts.len() as u64);
    let mut rows: Vec<Scaling> = Vec::new();
    for threads in counts {
        bar.set_message(format!("{threads} threads"));
        let in_match = match_speed(threads, seconds)?;
        let in_arena = arena_speed(threads)?;
        let (one_match, one_arena) = rows.first().map_or((in_match, in_arena), |one| {
            (one.match_games_per_s, one.arena_games_per_s)
        });
        rows.push(Scaling {
            threads,
            match_games_per_s: rounded(in_match, 1),
            match_of_linear: rounded(in_match / one_match / threads as f64, 3),
            arena_games_per_s: rounded(in_arena, 1),
            arena_of_linear: rounded(in_arena / one_arena / threads as f64, 3),
        });
        bar.step();
    }
    bar.finish_and_clear();
    output.print(&rows, |rows| text(rows))
}

/// Powers of two up to `most`, and `most` itself.
fn thread_counts(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |n| Some(n * 2));
    let mut counts: Vec<usize> = powers.take_while(|&n| n < most).collect();
    counts.push(most);
    counts
}

/// Games per second of a match of the two fastest bots.
fn match_speed(n_threads: usize, seconds: f64) -> anyhow::Result<f64> {
    let bot_match = Match {
        game: sampling()?,
        specs: ["baseline", "simulation"].map(Spec::plain).to_vec(),
        n_games: u64::MAX / 2,
        seed: 1,
        n_threads,
        grants: Grants::sealed(),
        records: None,
    };
    let (stop, clock) = (AtomicBool::new(false), Instant::now());
    let duration = Duration::from_secs_f64(seconds);
    let report = bot_match.run(&stop, |_| {
        if clock.elapsed() >= duration {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(report.games as f64 / clock.elapsed().as_secs_f64())
}

/// The same in a pool, which stores its games.
fn arena_speed(n_threads: usize) -> anyhow::Result<f64> {
    let clock = Instant::now();
    let game = sampling()?;
    let n = pool_games(&game, 1, n_threads, 100_000 * n_threads as u64)?;
    Ok(n as f64 / clock.elapsed().as_secs_f64())
}

fn text(rows: &[Scaling]) -> String {
    let mut table = output::table([
        Column::Number("threads"),
        Column::Number("match, games/s"),
        Column::Number("of linear"),
        Column::Number("arena, games/s"),
        Column::Number("of linear"),
    ]);
    for row in rows {
        table.add_row(output::row([
            row.threads.to_string(),
            grouped(row.match_games_per_s.round() as u64),
            format!("{:.3}", row.match_of_linear),
            grouped(row.arena_games_per_s.round() as u64),
            format!("{:.3}", row.arena_of_linear),
        ]));
    }
    output::table_text(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_all() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(2), [1, 2]);
        assert_eq!(thread_counts(16), [1, 2, 4, 8, 16]);
        assert_eq!(thread_counts(12), [1, 2, 4, 8, 12]);
    }
}
