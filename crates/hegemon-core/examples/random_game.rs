//! A game of random moves, and how it ended: `cargo run --example random_game -- 7`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use hegemon_core::{Game, Map, Node, Rng, Rules};

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(42);
    let map = Map::builtin("classic").expect("shipped with the crate");
    let mut rules = Rules::preset("lux").expect("shipped with the crate");
    rules.end.turn_limit = Some(20);
    let game = Game::new(map, rules, 3).expect("lux rules suit three players");

    let mut state = game.deal(seed);
    let (mut dice, mut mover) = (Rng::stream(seed, "dice"), Rng::stream(seed, "mover"));
    let mut n_moves = 0;
    loop {
        match state.node() {
            Node::Decision(_) => {
                let moves = state.legal_moves();
                let mv = *mover.pick(&moves).expect("a decision has a legal move");
                state.play(mv).expect("listed, so legal");
                n_moves += 1;
            }
            Node::Chance => state.resolve_sampled(&mut dice),
            Node::Terminal => break,
        }
    }
    let result = state.result().expect("the game is over");
    println!(
        "{n_moves} moves, {} rounds, {}",
        state.round(),
        result.ending
    );
    for seat in game.seats() {
        println!(
            "player {seat}: place {}, score {}",
            result.place[seat], result.score[seat]
        );
    }
}
