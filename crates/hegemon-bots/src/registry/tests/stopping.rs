//! Searches that would go on for days, and positions to stop them in. The
//! example `stop_latency`, which measures them, is built with this file too: all
//! that is not public in both places comes from the module above.

use std::sync::Arc;

use hegemon_core::{Game, Move, Node, Rng, State, View};

use super::{Baseline, Grants, Policy, Seating, Stop, build};

/// Specs that would search for days, at least one for every searching bot.
pub(super) const ENDLESS: &str = include_str!("../endless.txt");

/// The first decision with a choice in each phase of a game: placing, attacking
/// and so on.
pub(super) fn positions(game: &Arc<Game>) -> Vec<State> {
    let (mut state, mut rng) = (game.deal(1), Rng::from_seed(2));
    let mut found: Vec<State> = Vec::new();
    while state.node() != Node::Terminal && state.round() <= 8 {
        if state.node() == Node::Chance {
            state.resolve_sampled(&mut rng);
            continue;
        }
        let is_new = found.iter().all(|known| known.phase() != state.phase());
        if is_new && state.legal_moves().len() > 1 {
            found.push(state.clone());
        }
        let mv = Baseline.choose(View::of_mover(&state), &mut rng);
        state.play_unchecked(mv);
    }
    found
}

/// What a fresh bot chooses with these grants, whose stop handle `begin` may
/// change once the bot is built.
pub(super) fn choice(
    text: &str,
    state: &State,
    grants: &Grants,
    begin: impl FnOnce(&Stop),
) -> Move {
    let seating = Seating {
        game: state.game(),
        seat: state.player(),
        seed: 1,
        grants,
    };
    let mut bot = build(&text.parse().expect(text), &seating).expect(text);
    begin(&grants.stop);
    let mv = bot.choose(View::of_mover(state)).expect("no forfeit");
    assert!(
        state.is_legal(mv),
        "{text}: {mv} in {}",
        state.to_position()
    );
    mv
}
