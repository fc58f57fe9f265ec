//! Samplers against chi-square, the adapter against the rules, search against
//! the exact solver, and every bot in every kind of game.

mod exact;
mod samplers;
mod whole_games;

use std::sync::Arc;

use hegemon_core::{Game, Map, Node, Rng, Rules, State};

pub(crate) fn game(map: &str, preset: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin(map).expect("shipped");
    Game::new(map, Rules::preset(preset).expect("shipped"), n_players).expect("a game")
}

/// A state some random moves into a game.
pub(crate) fn random_state(game: &Arc<Game>, seed: u64, n_steps: u32) -> State {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.deal(seed);
    for _ in 0..n_steps {
        match state.node() {
            Node::Chance => state.resolve_sampled(&mut rng),
            Node::Terminal => break,
            Node::Decision(_) => {
                let moves = state.legal_moves();
                state.play_unchecked(*rng.pick(&moves).expect("a move"));
            }
        }
    }
    state
}
