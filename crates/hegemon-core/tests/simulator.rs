//! A simulator for any map, rules and number of players: random games in which
//! every node and every edge is checked.

mod common;

use std::sync::Arc;

use common::events::Events;
use common::invariants::{check_move_edge, check_node, check_outcome_edge};
use common::mover::Mover;
use common::random_map::random_map;
use common::random_rules::random_rules;
use common::{between, one_of, preset};
use hegemon_core::{Game, Map, Node, Rng, Rules};

/// Plays one game of at most `max_edges` moves and outcomes, checking all.
fn simulate(game: &Arc<Game>, rng: &mut Rng, max_edges: u32, events: &mut Events) -> u32 {
    let mover = Mover::random(rng);
    let mut state = game.start();
    for edge in 0..max_edges {
        check_node(&state, rng);
        let before = state.clone();
        match state.node() {
            Node::Decision(_) => {
                let mv = mover.choose(&state, rng);
                state.play(mv).expect("chosen from the legal groups");
                check_move_edge(&before, mv, &state);
                events.count_move(&before, mv, &state);
            }
            Node::Chance => {
                let outcome = state.sample(rng);
                state.resolve(outcome).expect("drawn, so possible");
                check_outcome_edge(&before, outcome, &state);
                events.count_outcome(&before, outcome, &state);
            }
            Node::Terminal => return edge,
        }
    }
    max_edges
}

#[test]
fn random_rules_on_random_maps() {
    let mut events = Events::default();
    let mut n_edges = 0;
    for seed in 0..1500 {
        let mut rng = Rng::stream(seed, "simulator");
        let most = one_of(&mut rng, &[8, 8, 20, 70]);
        let n = between(&mut rng, 4, most) as usize;
        let map = random_map(&mut rng, n);
        let n_players = between(&mut rng, 2, 6.min(n as u32)) as usize;
        let rules = random_rules(&mut rng, &map, n_players);
        assert_eq!(
            Rules::from_toml(&rules.to_toml()).as_ref(),
            Ok(&rules),
            "seed {seed}"
        );
        assert_eq!(
            Rules::from_json(&rules.to_json()).as_ref(),
            Ok(&rules),
            "seed {seed}"
        );
        let game = Game::new(map, rules, n_players).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        n_edges += simulate(&game, &mut rng, 700, &mut events);
    }
    assert!(n_edges > 200_000, "{n_edges} edges");
    for (name, n) in events.named() {
        assert!(n > 0, "no {name} in {n_edges} edges");
    }
}

#[test]
fn presets_on_reference_maps() {
    let mut events = Events::default();
    for name in Rules::PRESETS {
        for map_name in Map::REFERENCE {
            let map = Map::builtin(map_name).expect("shipped");
            let mut rules = preset(name);
            rules.end.turn_limit = Some(6);
            let [fewest, most] = rules.players.map(usize::from);
            for n_players in fewest..=most {
                // Preset and map need not fit: that is an error, not a panic.
                let Ok(game) = Game::new(map.clone(), rules.clone(), n_players) else {
                    continue;
                };
                let mut rng = Rng::stream(n_players as u64, map_name);
                simulate(&game, &mut rng, 150, &mut events);
            }
        }
    }
    assert!(events.eliminations > 0);
}
