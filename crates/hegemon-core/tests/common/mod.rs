//! What the integration tests share: random maps and rules, a random mover,
//! the invariants of every node, and a tally of rare events.
#![allow(
    dead_code,
    reason = "every test binary compiles the module and uses a part of it"
)]

pub(crate) mod events;
pub(crate) mod invariants;
pub(crate) mod mover;
pub(crate) mod random_map;
pub(crate) mod random_rules;

use std::sync::Arc;

use hegemon_core::{Game, Map, PlayerId, Rng, Rules, State, TerritoryId};

/// A number from `low` to `high`, both included.
pub(crate) fn between(rng: &mut Rng, low: u32, high: u32) -> u32 {
    low + rng.below(high - low + 1)
}

/// A random element.
pub(crate) fn one_of<T: Clone>(rng: &mut Rng, items: &[T]) -> T {
    rng.pick(items).expect("something to pick").clone()
}

pub(crate) fn seat(index: usize) -> PlayerId {
    PlayerId::new(index)
}

pub(crate) fn territory(index: usize) -> TerritoryId {
    TerritoryId::new(index)
}

/// A game on a shipped map.
pub(crate) fn game(map: &str, rules: Rules, n_players: usize) -> Arc<Game> {
    let map = Map::builtin(map).expect("a shipped map");
    Game::new(map, rules, n_players).expect("map, rules and players fit together")
}

pub(crate) fn preset(name: &str) -> Rules {
    Rules::preset(name).expect("a preset")
}

/// A game by a preset with some changes.
pub(crate) fn game_with(
    map: &str,
    base: &str,
    n_players: usize,
    change: impl FnOnce(&mut Rules),
) -> Arc<Game> {
    let mut rules = preset(base);
    change(&mut rules);
    game(map, rules, n_players)
}

/// The state that a position text describes.
pub(crate) fn position(game: &Arc<Game>, text: &str) -> State {
    State::from_position(game, text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Plays moves and outcomes in notation (outcomes have upper-case letters).
pub(crate) fn play_all(state: &mut State, line: &str) {
    for word in line.split_whitespace() {
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            let outcome = word.parse().expect("an outcome");
            state.resolve(outcome).unwrap_or_else(|error| {
                panic!("{error}: {}", state.to_position());
            });
        } else {
            let mv = word.parse().expect("a move");
            state.play(mv).unwrap_or_else(|error| {
                panic!("{error}: {}", state.to_position());
            });
        }
    }
}

/// The legal moves in notation, one space between.
pub(crate) fn moves_text(state: &State) -> String {
    let moves: Vec<String> = state
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    moves.join(" ")
}
