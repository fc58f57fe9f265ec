//! The delay between its deadline and each search's answer, the worst over positions
//! of several phases: `cargo run --release -p hegemon-bots --example stop_latency
//! [MS]`, where MS is the time limit of each search.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::time::{Duration, Instant};

use hegemon_bots::policy::Policy;
use hegemon_bots::rules::Baseline;
use hegemon_bots::{Grants, Seating, Stop, build};
use hegemon_core::{Game, Map, Node, Rng, Rules, State, View};

/// The specs of the test that stops them: they would think for days.
const ENDLESS: &str = include_str!("../src/registry/endless.txt");

fn main() {
    let limit = std::env::args().nth(1).and_then(|ms| ms.parse().ok());
    let limit = Duration::from_millis(limit.unwrap_or(100));
    let positions: Vec<State> = ["classic", "lux"].into_iter().flat_map(positions).collect();
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

/// The first decision with a choice in each phase of a game.
fn positions(rules: &str) -> Vec<State> {
    let map = Map::builtin("classic").expect("shipped");
    let game = Game::new(map, Rules::preset(rules).expect("shipped"), 4).expect("a game");
    let (mut state, mut rng) = (game.deal(1), Rng::from_seed(2));
    let mut found: Vec<State> = Vec::new();
    while state.node() != Node::Terminal && state.round() <= 8 {
        if state.node() == Node::Chance {
            state.resolve_sampled(&mut rng);
            continue;
        }
        let is_new = found.iter().all(|known| known.phase() != state.phase());
        if is_new && state.legal_moves().len() > 1 {
            found.push(state.clone());
        }
        let mv = Baseline.choose(View::of_mover(&state), &mut rng);
        state.play_unchecked(mv);
    }
    found
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
    let seating = Seating {
        game: state.game(),
        seat: state.player(),
        seed: 1,
        grants: &grants,
    };
    let mut bot = build(&spec.parse().expect(spec), &seating).expect(spec);
    let start = Instant::now();
    grants.stop.arm(limit);
    let mv = bot.choose(View::of_mover(state)).expect("no forfeit");
    let taken = start.elapsed();
    assert!(state.is_legal(mv), "{spec}: {mv}");
    taken.saturating_sub(limit)
}
