//! What each bot does on fixed seeds, pinned once its fidelity was shown: a
//! change here changes play, and needs a new comparison with the reference
//! (`examples/lux_fidelity.rs`).

use hegemon_core::{Node, Rng, Streams, View, fnv1a};

use super::{game, seats};
use crate::lux::LUX_BOTS;
use crate::policy::Policy;

/// A hash of the first decisions of the bot against a quo and an angry, in a
/// drafted game without cards and a dealt one with them.
fn signature(name: &str) -> u64 {
    let mut text = String::new();
    for preset in ["draft", "lux"] {
        let game = game("classic-lux", preset, 3);
        for seed in 1..4 {
            let mut bots = seats(&[name, "quo", "angry"]);
            let mut state = game.deal(seed);
            let mut streams = Streams::new(seed);
            let mut rng = Rng::stream(seed, "bots");
            for _ in 0..600 {
                match state.node() {
                    Node::Terminal => break,
                    Node::Chance => {
                        let outcome = streams.draw(&state);
                        state.resolve_unchecked(outcome);
                    }
                    Node::Decision(player) => {
                        let bot = &mut bots[player.index()];
                        let mv = bot.choose(View::of_mover(&state), &mut rng);
                        text += &format!("{mv} ");
                        state.play(mv).expect("legal");
                    }
                }
            }
        }
    }
    fnv1a(text.as_bytes())
}

const PINS: [(&str, u64); 17] = [
    ("angry", 0xec4e7c89d86c151f),
    ("stinky", 0xb947f629c67f96c1),
    ("communist", 0x47145746f85d0116),
    ("trotsky", 0xc8233da2ce3f1a2e),
    ("cluster", 0xa0e4fff95c79123e),
    ("shaft", 0x715c5188c68b128e),
    ("quo", 0xce267e8be78c0ae8),
    ("yakool", 0x38c71a9b1c2cc950),
    ("boscoe", 0xe248fcf9e03ce8db),
    ("bort", 0x73f71573459ec9cf),
    ("pixie", 0xf1d72911a37fa94d),
    ("evil-pixie", 0xf1de257b72cfe4f9),
    ("better-pixie", 0x0e9d2c7be0f4b2e0),
    ("vulture", 0x56decc99ed52eb74),
    ("killbot", 0x0af696f5a225a27f),
    ("boring", 0x2a798d8a08427a4d),
    ("empty", 0xc6ffb3d929c6a4ff),
];

#[test]
fn first_decisions_are_pinned() {
    let found: Vec<String> = LUX_BOTS
        .iter()
        .map(|info| format!("    (\"{}\", {:#018x}),", info.name, signature(info.name)))
        .collect();
    let pinned: Vec<String> = PINS
        .iter()
        .map(|(name, pin)| format!("    (\"{name}\", {pin:#018x}),"))
        .collect();
    assert_eq!(found.join("\n"), pinned.join("\n"));
}
