//! One readable game for each preset, compared with its file in
//! `tests/playthroughs/`. To rewrite the files, after reading the difference:
//! `HEGEMON_UPDATE=1 cargo test -p hegemon-core --test playthroughs`.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::game_with;
use common::mover::Mover;
use hegemon_core::rules::InitialArmies;
use hegemon_core::{Node, Rng, Rules, State, Streams};

const MAX_ROUND: u32 = 5;

/// Seeds whose games show trades, or come to an end.
const SEEDS: [(&str, u64); 5] = [
    ("classic", 6),
    ("sampling", 10),
    ("lux", 12),
    ("draft", 3),
    ("beam", 4),
];

fn playthrough(name: &str, seed: u64) -> String {
    let game = game_with("duel6", name, 2, |r| {
        // Few armies make a short text.
        r.initial_armies = InitialArmies::ByPlayers([8; 5]);
    });
    let mut text = format!(
        "# preset {name} with 8 initial armies on duel6, two players, seed {seed}\n\
         # state, number of legal moves, choice or outcome\n"
    );
    let mut streams = Streams::new(seed);
    let mut rng = Rng::stream(seed, "mover");
    let mover = Mover {
        zeal: 0.75,
        trade: 0.75,
    };
    let mut state = game.start();
    while state.round() <= MAX_ROUND && state.node() != Node::Terminal {
        let _ = writeln!(text, "\n{}", state.to_position());
        step(&mut state, mover, &mut streams, &mut rng, &mut text);
    }
    let _ = writeln!(text, "\n{}", state.to_position());
    if let Some(result) = state.result() {
        let scores = &result.score.as_slice()[..2];
        let _ = writeln!(text, "{}: scores {scores:?}", result.ending);
    }
    text
}

fn step(state: &mut State, mover: Mover, streams: &mut Streams, rng: &mut Rng, text: &mut String) {
    match state.node() {
        Node::Decision(player) => {
            let mv = mover.choose(state, rng);
            let _ = writeln!(
                text,
                "  player {player} has {} moves: {mv}",
                state.n_legal_moves()
            );
            state.play(mv).expect("chosen from the legal groups");
        }
        Node::Chance => {
            let outcome = streams.draw(state);
            let mut weight = 0;
            state.for_each_outcome(|o, w| weight += if o == outcome { w } else { 0 });
            let total = state.chance_total();
            let _ = writeln!(text, "  chance: {outcome} ({weight} of {total})");
            state.resolve(outcome).expect("drawn, so possible");
        }
        Node::Terminal => {}
    }
}

#[test]
fn games_read_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    assert_eq!(SEEDS.map(|(name, _)| name), Rules::PRESETS);
    for (name, seed) in SEEDS {
        let path = folder.join(format!("{name}.txt"));
        let text = playthrough(name, seed);
        if std::env::var_os("HEGEMON_UPDATE").is_some() {
            std::fs::write(&path, &text).expect("the file can be written");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let difference = stored
            .lines()
            .zip(text.lines())
            .position(|(old, new)| old != new);
        assert_eq!(
            stored,
            text,
            "{} differs (first in line {:?}); see the head of this test for how to renew it",
            path.display(),
            difference.map(|n| n + 1),
        );
    }
}
