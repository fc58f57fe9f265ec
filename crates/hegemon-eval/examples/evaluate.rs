//! The features of a dealt position and what each adds to the evaluation:
//! `cargo run --example evaluate -- 7`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::sync::Arc;

use hegemon_core::{Game, Map, Rules};
use hegemon_eval::{Evaluator, Feature, GameFacts, Weights};

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok());
    let map = Map::builtin("classic").expect("shipped with hegemon-core");
    let rules = Rules::preset("sampling").expect("shipped with hegemon-core");
    let game = Game::new(map, rules, 2).expect("these rules are for two");
    let state = game.deal(seed.unwrap_or(1));
    let weights = Weights::builtin("default").expect("shipped with the crate");
    let evaluator = Evaluator::new(Arc::new(GameFacts::new(&game)), &weights);

    println!("{:<26} {:>8} {:>8}", "feature", "value", "weight");
    let features = evaluator
        .facts()
        .scaled_features(state.board(), state.player());
    for feature in Feature::ALL {
        let (value, weight) = (features[feature], weights.vector()[feature]);
        println!("{:<26} {value:>8.4} {weight:>8.4}", feature.name());
    }
    let shares = evaluator.win_shares(&state);
    for seat in game.seats() {
        println!("player {seat}: {:.3} of the win", shares[seat]);
    }
}
