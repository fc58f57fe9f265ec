//! The delay between its deadline and each search's answer, the worst over positions
//! of several phases: `cargo run --release -p hegemon-bots --example stop_latency
//! [MS]`, where MS is the time limit of each search.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

#[path = "../src/registry/tests/stopping.rs"]
mod stopping;

use std::sync::Arc;
use std::time::{Duration, Instant};

use hegemon_bots::policy::Policy;
use hegemon_bots::rules::Baseline;
use hegemon_bots::{Grants, Seating, Stop, build};
use hegemon_core::{Game, Map, Rules, State};
use stopping::{ENDLESS, choice, positions};

const HELP: &str = "\
The delay between its deadline and each search's answer, the worst over positions of several phases.

  MS  the time limit of each search in milliseconds (100)

Example:
  stop_latency 100";

fn main() {
    if std::env::args().any(|argument| argument == "--help" || argument == "-h") {
        println!("{HELP}");
        return;
    }
    let limit = std::env::args().nth(1).and_then(|ms| ms.parse().ok());
    let limit = Duration::from_millis(limit.unwrap_or(100));
    let games = ["classic", "lux"].map(game);
    let positions: Vec<State> = games.iter().flat_map(positions).collect();
    println!(
        "{} positions, {} ms a thought",
        positions.len(),
        limit.as_millis()
    );
    let mut worst_of_all = Duration::ZERO;
    for spec in ENDLESS.lines() {
        let late = positions.iter().map(|state| lateness(spec, state, limit));
        let worst = late.max().unwrap_or_default();
        worst_of_all = worst_of_all.max(worst);
        println!(
            "{:>7.1} ms late at worst: {spec}",
            worst.as_secs_f64() * 1e3
        );
    }
    println!(
        "{:>7.1} ms late at worst of all",
        worst_of_all.as_secs_f64() * 1e3
    );
}

fn game(rules: &str) -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    Game::new(map, Rules::preset(rules).expect("shipped"), 4).expect("a game")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the example measures with a clock"
)]
fn lateness(spec: &str, state: &State, limit: Duration) -> Duration {
    let grants = Grants {
        stop: Stop::new(),
        max_nodes: Some(50_000),
        ..Grants::sealed()
    };
    let mut start = Instant::now();
    choice(spec, state, &grants, |stop| {
        start = Instant::now();
        stop.arm(limit);
    });
    start.elapsed().saturating_sub(limit)
}
