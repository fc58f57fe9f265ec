//! Reads a position of the map `line4` and reports everything wrong with it:
//! `cargo run --example check_position -- 'board=a3b0c1 phase=dance'`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use hegemon_core::{Game, Map, Rules, State};

fn main() {
    let text = std::env::args().nth(1);
    let text = text.unwrap_or_else(|| "board=a3a1b0n2 phase=attack player=0 place=3".to_owned());
    let map = Map::builtin("line4").expect("shipped with the crate");
    let rules = Rules::preset("sampling").expect("shipped with the crate");
    let game = Game::new(map, rules, 2).expect("these rules are for two");
    println!("{text}");
    match State::from_position(&game, &text) {
        Ok(state) => {
            for mv in state.legal_moves() {
                println!("  {mv}");
            }
        }
        Err(error) => {
            for fault in &error.faults {
                println!("  {fault}");
            }
        }
    }
}
