//! Tests of the Lux bots: the vectors of docs/spec/lux.md 11, behaviour on
//! hand-made positions, and legality under all rules.

mod behaviour;
mod legality;
mod pieces;
mod pins;
mod vectors;

use std::sync::Arc;

use hegemon_core::{Game, Map, Node, PlayerId, Rng, Rules, State, Streams, View};

use super::{LuxBot, LuxKind, LuxOptions};
use crate::policy::Policy;

fn game(map: &str, preset: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin(map).expect("shipped");
    Game::new(map, Rules::preset(preset).expect("shipped"), n_players).expect("a game")
}

/// Bots by name, one a seat.
fn seats(names: &[&str]) -> Vec<LuxBot> {
    let kind = |name: &&str| LuxKind::named(name).expect("a Lux bot");
    names
        .iter()
        .map(|name| LuxBot::new(kind(name), LuxOptions::default()))
        .collect()
}

/// Plays until `stop` says so or the game is over, every move checked.
fn play(state: &mut State, bots: &mut [LuxBot], seed: u64, stop: impl Fn(&State) -> bool) {
    let mut streams = Streams::new(seed);
    let mut rng = Rng::stream(seed, "bots");
    while !stop(state) {
        match state.node() {
            Node::Decision(player) => {
                let before = state.to_position();
                let bot = &mut bots[player.index()];
                let mv = bot.choose(View::of_mover(state), &mut rng);
                let name = bot.kind().name();
                state
                    .play(mv)
                    .unwrap_or_else(|error| panic!("{name}: {error} at {before}"));
            }
            Node::Chance => {
                let outcome = streams.draw(state);
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => return,
        }
    }
}

/// Armies beyond one on a seat's territories, as `territory=armies`.
fn piles(state: &State, seat: usize) -> String {
    let board = state.board();
    let piles: Vec<String> = board
        .owned(PlayerId::new(seat))
        .iter()
        .filter(|&t| board.armies(t) > 1)
        .map(|t| format!("{t}={}", board.armies(t)))
        .collect();
    piles.join(" ")
}
