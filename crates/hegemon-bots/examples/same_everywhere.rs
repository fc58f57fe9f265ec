//! Plays games of several bots and compares a hash of all states with a number
//! that must be the same on every machine: a 32-bit processor, a browser,
//! another compiler. `cargo xtask wasm` runs it as WebAssembly.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use hegemon_bots::{Grants, Seating, Spec, build};
use hegemon_core::{Game, Map, Node, Rules, Streams, View, mix};

/// The expected hash of all games.
const EXPECTED: u64 = 0x8c79_3a07_02d2_6bb0;

/// Map, rules and players: every rules preset, small and large maps, searches
/// with a budget of iterations.
const GAMES: [(&str, &str, &[&str]); 5] = [
    ("duel6", "classic", &["simulation", "baseline", "killbot"]),
    (
        "archipelago80",
        "lux",
        &["baseline", "pixie", "vulture", "goal-uct(iters=8,ahead=2)"],
    ),
    (
        "classic",
        "sampling",
        &["mcts(k=4,iters=8,cap=200)", "greedy(samples=10)"],
    ),
    (
        "classic-lux",
        "draft",
        &[
            "boscoe",
            "drafted(base=angry,draft=uct(sims=20))",
            "cluster",
        ],
    ),
    (
        "classic",
        "beam",
        &["beam", "baseline", "shaft", "rollout(playouts=2,cap=200)"],
    ),
];

fn main() {
    let sum = GAMES.iter().fold(0, |sum, (map, rules, players)| {
        mix(sum ^ played(map, rules, players))
    });
    println!("{sum:#018x}");
    assert_eq!(sum, EXPECTED, "play differs from that of other machines");
}

/// A hash of the states of a game, up to a limit of moves.
fn played(map: &str, rules: &str, players: &[&str]) -> u64 {
    let map = Map::builtin(map).expect("shipped");
    let rules = Rules::preset(rules).expect("shipped");
    let game = Game::new(map, rules, players.len()).expect("rules fit");
    let grants = Grants::sealed();
    let seated = game.seats().zip(players).map(|(seat, spec)| {
        let spec: Spec = spec.parse().expect("a spec");
        let seating = Seating {
            game: &game,
            seat,
            seed: 7,
            grants: &grants,
        };
        build(&spec, &seating).expect("a bot that suits the game")
    });
    let mut bots: Vec<_> = seated.collect();
    let mut streams = Streams::with_dice(5, 7);
    let mut state = game.start();
    let mut sum = 0;
    for _ in 0..300 {
        sum = mix(sum ^ state.hash64());
        match state.node() {
            Node::Decision(player) => {
                let mv = bots[player.index()].choose(View::of_mover(&state));
                let mv = mv.expect("a bot of ours does not give up");
                state.play(mv).expect("legal");
            }
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve(outcome).expect("drawn");
            }
            Node::Terminal => break,
        }
    }
    sum
}
