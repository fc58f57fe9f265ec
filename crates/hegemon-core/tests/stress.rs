//! Many games without a check at every node. The tests report what occurred: a
//! change of these numbers is a change of play, and a zero is a blind spot.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use common::events::Events;
use common::mover::{Mover, garbage_move, garbage_outcome, near_miss};
use common::random_map::random_map;
use common::random_rules::random_rules;
use common::{between, preset};
use hegemon_core::{Game, Map, Node, Rng, Rules, State};

/// Offers garbage to a node: rejected input must change nothing.
fn offer_garbage(state: &State, mover: Mover, rng: &mut Rng) {
    let mut same = state.clone();
    for _ in 0..3 {
        if let Node::Decision(_) = state.node() {
            let legal = mover.choose(state, rng);
            let mv = if rng.chance(0.5) {
                garbage_move(state, rng)
            } else {
                near_miss(state, legal, rng)
            };
            assert_eq!(same.play(mv).is_ok(), state.is_legal(mv));
        } else {
            assert!(same.play(garbage_move(state, rng)).is_err());
            let outcome = garbage_outcome(state, rng);
            assert_eq!(same.resolve(outcome).is_ok(), state.is_possible(outcome));
        }
        if same != *state {
            // The garbage was legal after all.
            assert_eq!(same.hash64(), same.recompute_hash64());
            same = state.clone();
        }
    }
}

fn play_with_garbage(game: &Arc<Game>, rng: &mut Rng, events: &mut Events) {
    let mover = Mover::random(rng);
    let mut state = game.start();
    loop {
        if rng.chance(0.2) {
            offer_garbage(&state, mover, rng);
        }
        let before = state.clone();
        match state.node() {
            Node::Decision(_) => {
                let mv = mover.choose(&state, rng);
                state.play_unchecked(mv);
                events.count_move(&before, mv, &state);
            }
            Node::Chance => {
                let outcome = state.sample(rng);
                state.resolve_unchecked(outcome);
                events.count_outcome(&before, outcome, &state);
            }
            Node::Terminal => break,
        }
        assert_eq!(state.hash64(), state.recompute_hash64());
    }
}

#[test]
fn random_rules_with_garbage() {
    let mut events = Events::default();
    for seed in 0..4_000 {
        let mut rng = Rng::stream(seed, "stress");
        let n = between(&mut rng, 4, 16) as usize;
        let map = random_map(&mut rng, n);
        let n_players = between(&mut rng, 2, 6.min(n as u32)) as usize;
        let rules = random_rules(&mut rng, &map, n_players);
        let game = Game::new(map, rules, n_players).expect("rules fit the map");
        play_with_garbage(&game, &mut rng, &mut events);
    }
    let expected = Events {
        eliminations: 3796,
        hand_captures: 1189,
        forced_trades: 574,
        mid_turn_trades: 139,
        wild_trades: 919,
        limited_incomes: 13_344,
        reshuffles: 446,
        shared_wins: 713,
        conquests: 567,
        missions: 522,
        capitals: 668,
        turn_limits: 2051,
        early_stops: 192,
    };
    assert!(expected.named().iter().all(|(_, n)| *n > 0));
    assert_eq!(events, expected, "met:\n{events}");
}

/// Plays one game as cheaply as possible; returns how it ended.
fn play_out(game: &Arc<Game>, seed: u64) -> &'static str {
    let mut rng = Rng::stream(seed, "stress");
    let mover = Mover {
        zeal: 0.9,
        trade: 0.3,
    };
    let mut state = game.start();
    loop {
        match state.node() {
            Node::Decision(_) => {
                let mv = mover.choose(&state, &mut rng);
                state.play_unchecked(mv);
            }
            Node::Chance => state.resolve_sampled(&mut rng),
            Node::Terminal => break,
        }
    }
    assert_eq!(state.hash64(), state.recompute_hash64());
    state.result().expect("the game is over").ending.name()
}

/// Turn limits for games that may not end otherwise: random movers take long
/// on a large map.
fn with_turn_limit(name: &str, map: &Map) -> Rules {
    let mut rules = preset(name);
    let limit = if map.n_territories() > 10 { 30 } else { 100 };
    rules.end.turn_limit = Some(rules.end.turn_limit.unwrap_or(limit).min(limit));
    rules
}

/// How the ten thousand games end.
const ENDINGS: &str = "\
beam on classic: conquest 34 turn-limit 441
beam on duel6: conquest 928
beam on line4: conquest 557
beam on triangle3: conquest 371
classic on classic: conquest 6 turn-limit 474
classic on duel6: conquest 932
classic on line4: conquest 559
classic on triangle3: conquest 373
draft on classic: conquest 88 turn-limit 387
draft on duel6: conquest 928
draft on line4: conquest 557
draft on triangle3: conquest 371
lux on classic: conquest 67 turn-limit 408
lux on duel6: conquest 932
lux on line4: conquest 560
lux on triangle3: conquest 372
sampling on classic: conquest 23 turn-limit 72
sampling on duel6: conquest 187
sampling on line4: conquest 186
sampling on triangle3: conquest 187
";

#[test]
fn ten_thousand_games_of_the_presets() {
    let mut table = Vec::new();
    for name in Rules::PRESETS {
        for map_name in ["triangle3", "line4", "duel6", "classic"] {
            let map = Map::builtin(map_name).expect("shipped");
            let rules = with_turn_limit(name, &map);
            for n_players in 2..=6 {
                if let Ok(game) = Game::new(map.clone(), rules.clone(), n_players) {
                    table.push((name, map_name, game));
                }
            }
        }
    }
    let mut endings: BTreeMap<(&str, &str), BTreeMap<&str, u32>> = BTreeMap::new();
    // Four tiny games for each on the classic map.
    let tiny: Vec<_> = table
        .iter()
        .filter(|(_, map, _)| *map != "classic")
        .collect();
    let large: Vec<_> = table
        .iter()
        .filter(|(_, map, _)| *map == "classic")
        .collect();
    for n in 0..10_000 {
        let (name, map, game) = if n % 5 == 4 {
            large[n / 5 % large.len()]
        } else {
            tiny[n % tiny.len()]
        };
        let ending = play_out(game, n as u64);
        *endings
            .entry((name, map))
            .or_default()
            .entry(ending)
            .or_default() += 1;
    }
    let mut report = String::new();
    for ((name, map), by_ending) in &endings {
        let _ = write!(report, "{name} on {map}:");
        for (ending, n) in by_ending {
            let _ = write!(report, " {ending} {n}");
        }
        report.push('\n');
    }
    assert_eq!(report, ENDINGS);
}
