//! Hot loops for profilers.
use std::time::Instant;
use hegemon_bots::policy::{Policy, playout};
use hegemon_bots::rules::{Baseline, Simulation};
use hegemon_core::{Game, Map, Node, PlayerId, Rng, Rules};

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap();
    let n: u64 = args.next().unwrap().parse().unwrap();
    let game = Game::new(Map::builtin("classic").unwrap(), Rules::preset("sampling").unwrap(), 2).unwrap();
    let mut rng = Rng::from_seed(1);
    let mut sum = 0u64;
    let clock = Instant::now();
    for seed in 0..n {
        match name.as_str() {
            "deal" => { sum = sum.wrapping_add(game.deal(seed).hash64()); }
            "playouts" => {
                let mut state = game.deal(seed);
                playout(&mut state, &mut Simulation, &mut rng, u32::MAX);
                sum = sum.wrapping_add(state.hash64());
            }
            _ => {
                let mut state = game.deal(seed);
                loop {
                    match state.node() {
                        Node::Decision(player) => {
                            if player == PlayerId::new(0) {
                                Baseline.play_on(&mut state, u32::MAX, &mut rng);
                            } else {
                                Simulation.play_on(&mut state, u32::MAX, &mut rng);
                            }
                        }
                        Node::Chance => state.resolve_sampled(&mut rng),
                        Node::Terminal => break,
                    }
                }
                sum = sum.wrapping_add(state.hash64());
            }
        }
    }
    println!("{name}: {:.0}/s sum {sum:x}", n as f64 / clock.elapsed().as_secs_f64());
}
