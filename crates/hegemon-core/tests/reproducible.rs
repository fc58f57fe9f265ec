//! Same seed, same game: twice, on two threads, and in every version.

mod common;

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use common::mover::Mover;
use common::{game, game_with, preset};
use hegemon_core::{Event, Game, Node, Rng, Rules, State, Streams, mix};

/// A game of at most 400 moves and outcomes; every state goes into the sum.
fn signature(game: &Arc<Game>, seed: u64) -> u64 {
    let mut streams = Streams::new(seed);
    let mut rng = Rng::stream(seed, "mover");
    let mover = Mover {
        zeal: 0.85,
        trade: 0.4,
    };
    let mut state = game.start();
    let mut sum = 0;
    for _ in 0..400 {
        sum = mix(sum ^ state.hash64());
        match state.node() {
            Node::Decision(_) => {
                let mv = mover.choose(&state, &mut rng);
                state.play(mv).expect("chosen from the legal groups");
            }
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve(outcome).expect("drawn, so possible");
            }
            Node::Terminal => break,
        }
    }
    sum
}

fn games() -> Vec<(&'static str, Arc<Game>)> {
    Rules::PRESETS
        .iter()
        .map(|&name| {
            let n_players = if name == "sampling" { 2 } else { 3 };
            (name, game("classic", preset(name), n_players))
        })
        .collect()
}

#[test]
fn what_is_possible_goes_the_same_way_unchecked() {
    for (name, game) in games() {
        let (mut streams, mut rng) = (Streams::new(3), Rng::from_seed(3));
        let mut checked = game.start();
        let mut unchecked = checked.clone();
        for _ in 0..200 {
            let event = match checked.node() {
                Node::Decision(_) => {
                    Event::Move(*rng.pick(&checked.legal_moves()).expect("a move"))
                }
                Node::Chance => Event::Outcome(streams.draw(&checked)),
                Node::Terminal => break,
            };
            checked.apply(event).expect("possible");
            unchecked.apply_unchecked(event);
            assert_eq!(checked, unchecked, "{name}: {event}");
        }
    }
}

#[test]
fn states_are_found_by_their_hash() {
    let hash = |state: &State| BuildHasherDefault::<DefaultHasher>::default().hash_one(state);
    let game = game("classic", preset("classic"), 3);
    let [one, same, other] = [1, 1, 2].map(|seed| game.deal(seed));
    assert_eq!(hash(&one), hash(&same));
    assert_ne!(hash(&one), hash(&other));
}

#[test]
fn deals_are_equal_by_seed() {
    for (name, game) in games() {
        for seed in 0..20 {
            assert_eq!(game.deal(seed), game.deal(seed), "{name}");
            assert_eq!(game.deal(seed).hash64(), game.deal(seed).hash64(), "{name}");
        }
    }
    let dealt: Vec<State> = {
        let lux = game("classic", preset("lux"), 3);
        (0..20).map(|seed| lux.deal(seed)).collect()
    };
    for (n, state) in dealt.iter().enumerate() {
        assert!(
            dealt[..n].iter().all(|other| other != state),
            "seed {n} deals anew"
        );
    }
}

#[test]
fn the_deal_is_its_own_stream() {
    let game = game("classic", preset("lux"), 3);
    let mut state = game.start();
    let mut streams = Streams::with_dice(5, 99);
    while state.node() == Node::Chance {
        let outcome = streams.draw(&state);
        state.resolve(outcome).expect("drawn, so possible");
    }
    assert_eq!(state, game.deal(5));
}

/// One seed of each preset. A change of these numbers is a change of play: of
/// rules, of the order of moves or outcomes, of the generator, or of the hash.
const GOLDEN: [(&str, u64); 5] = [
    ("classic", 0x250f_c1be_5e3d_006a),
    ("sampling", 0x8f6e_82a7_3432_2324),
    ("lux", 0xa2b5_3c2e_15dd_a35c),
    ("draft", 0x4c96_0a56_96d8_b352),
    ("beam", 0x006a_3da5_e746_bcbd),
];

#[test]
fn games_are_the_same_for_ever() {
    let found: Vec<(&str, u64)> = games()
        .iter()
        .map(|(name, game)| (*name, signature(game, 2026)))
        .collect();
    assert_eq!(found, GOLDEN);
}

#[test]
fn games_are_the_same_on_two_threads() {
    let games = games();
    let alone: Vec<u64> = games.iter().map(|(_, game)| signature(game, 7)).collect();
    let together: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| games.iter().map(|(_, game)| signature(game, 7)).collect()))
            .collect();
        threads
            .into_iter()
            .map(|t| t.join().expect("no panic"))
            .collect()
    });
    assert!(together.iter().all(|signatures| *signatures == alone));
}

#[test]
fn the_game_hash_names_map_rules_and_players() {
    let base = game("classic", preset("lux"), 3).hash();
    assert_eq!(game("classic", preset("lux"), 3).hash(), base);
    assert_ne!(game("classic", preset("lux"), 4).hash(), base);
    assert_ne!(game("classic-lux", preset("lux"), 3).hash(), base);
    assert_ne!(
        game_with("classic", "lux", 3, |r| r.income.growth = 0).hash(),
        base
    );
}
