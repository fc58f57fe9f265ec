//! The deterministic vectors of docs/spec/lux.md 11.

use hegemon_core::{Move, Node, Phase, Rng, State, View};

use super::{game, piles, play, seats};
use crate::policy::Policy;

/// Drafts and places; returns the picks by rounds and the state before the
/// first turn.
fn set_up(names: &[&str]) -> (String, State) {
    let game = game("classic-lux", "draft", names.len());
    let mut bots = seats(names);
    let mut state = game.deal(1);
    let mut rng = Rng::from_seed(1);
    let mut picks = Vec::new();
    while let (Phase::Claim, Node::Decision(player)) = (state.phase(), state.node()) {
        let mv = bots[player.index()].choose(View::of_mover(&state), &mut rng);
        if let Move::Claim { territory } = mv {
            picks.push(territory.to_string());
        }
        state.play(mv).expect("legal");
    }
    play(&mut state, &mut bots, 1, |state| state.round() > 0);
    let rounds: Vec<String> = picks
        .chunks(names.len())
        .map(|round| round.join(" "))
        .collect();
    (rounds.join(" | "), state)
}

/// Checks the picks and the piles of the seats for which they are given.
fn check(names: &[&str], picks: &str, expected: &[(usize, &str)]) {
    let (drafted, state) = set_up(names);
    assert_eq!(drafted, picks, "draft of {names:?}");
    for &(seat, armies) in expected {
        assert_eq!(
            piles(&state, seat),
            armies,
            "armies of seat {seat} of {names:?}"
        );
    }
}

#[test]
fn vector_1_quo_quo_quo() {
    check(
        &["quo", "quo", "quo"],
        "0 4 11 | 1 5 8 | 2 6 9 | 3 7 10 | 23 14 12 | 24 15 13 | 25 16 30 | 26 17 31 | \
         27 18 32 | 28 19 33 | 29 20 34 | 22 21 35 | 38 40 36 | 37 39 41",
        &[
            (0, "22=7 26=6 28=6 29=6"),
            (1, "5=5 18=5 19=5 21=4 39=4 40=4"),
            (2, "12=4 13=4 30=4 32=3 33=3 34=3 35=3 36=3 41=3"),
        ],
    );
}

#[test]
fn vector_2_quo_killbot_boscoe() {
    check(
        &["quo", "killbot", "boscoe"],
        "0 4 38 | 1 5 37 | 2 6 34 | 3 7 31 | 11 12 30 | 8 9 32 | 10 13 33 | 23 28 35 | \
         24 26 36 | 25 27 39 | 29 14 40 | 22 15 41 | 18 16 20 | 17 19 21",
        &[
            (0, "3=22"),
            (1, "5=4 7=4 9=6 15=6 27=6"),
            (2, "20=4 21=4 30=5 32=5 33=5 35=4"),
        ],
    );
}

#[test]
fn vector_3_killbot_boscoe_quo() {
    check(
        &["killbot", "boscoe", "quo"],
        "0 38 4 | 1 37 5 | 2 34 6 | 3 31 7 | 32 30 12 | 36 33 9 | 35 39 8 | 29 40 10 | \
         24 41 11 | 27 20 13 | 25 17 26 | 23 15 28 | 22 14 19 | 18 16 21",
        &[
            (0, "3=12 27=11"),
            (1, "34=22"),
            (2, "7=5 10=6 13=5 26=5 28=5"),
        ],
    );
}

#[test]
fn vector_4_boscoe_quo_killbot() {
    check(
        &["boscoe", "quo", "killbot"],
        "38 0 4 | 37 1 5 | 34 2 6 | 31 3 7 | 30 11 12 | 32 8 9 | 33 10 13 | 35 23 28 | \
         36 24 26 | 39 25 27 | 40 29 14 | 41 22 15 | 20 18 16 | 17 19 21",
        &[
            (0, "17=4 20=4 30=5 32=5 33=5 35=4"),
            (1, "3=22"),
            (2, "5=6 7=5 9=7 21=2 27=6"),
        ],
    );
}

#[test]
fn vector_5_quo_evil_pixie_killbot() {
    check(
        &["quo", "evil-pixie", "killbot"],
        "0 4 11 | 1 5 8 | 2 6 9 | 3 7 10 | 23 14 12 | 24 15 13 | 25 16 28 | 26 17 30 | \
         27 18 29 | 22 19 33 | 21 20 31 | 32 40 34 | 38 37 35 | 41 36 39",
        &[(0, "32=22"), (2, "10=5 12=5 13=4 28=11")],
    );
}

#[test]
fn vector_6_cluster_angry_communist() {
    check(
        &["cluster", "angry", "communist"],
        "38 0 4 | 37 11 5 | 34 23 6 | 31 22 7 | 30 1 2 | 32 3 12 | 33 8 9 | 35 10 13 | \
         36 24 26 | 39 25 27 | 40 29 28 | 41 18 14 | 20 15 16 | 17 19 21",
        &[
            (0, "17=4 20=4 30=5 32=5 33=5 35=4"),
            (1, "29=22"),
            (
                2,
                "2=3 4=3 5=3 6=3 7=3 9=3 12=3 13=2 14=2 16=2 21=2 26=2 27=2 28=2",
            ),
        ],
    );
}

#[test]
fn vector_7_trotsky_pixie_yakool() {
    check(
        &["trotsky", "pixie", "yakool"],
        "0 4 38 | 1 5 37 | 2 6 34 | 3 7 31 | 32 12 30 | 36 9 33 | 35 8 39 | 29 10 40 | \
         24 11 41 | 27 13 20 | 25 26 17 | 23 28 15 | 22 14 16 | 18 19 21",
        &[
            (0, "0=3 1=3 2=3 3=3 22=3 23=3 24=3 25=3 27=3 29=2 32=2 35=2"),
            (1, "7=11 10=4 12=4 13=4 19=3"),
            (2, "34=22"),
        ],
    );
}

#[test]
fn vector_8_angry_angry_angry() {
    check(
        &["angry", "angry", "angry"],
        "0 4 11 | 23 14 38 | 1 2 3 | 6 5 7 | 8 12 10 | 9 13 24 | 25 26 27 | 28 29 19 | \
         22 15 16 | 18 17 20 | 21 30 32 | 41 31 34 | 36 33 35 | 37 39 40",
        &[(0, "28=22"), (1, "29=22"), (2, "10=22")],
    );
}

#[test]
fn vector_9_two_players() {
    check(
        &["quo", "killbot"],
        "0 4 | 1 5 | 2 6 | 3 7 | 11 12 | 8 9 | 10 13 | 23 28 | 24 26 | 25 27 | 29 30 | 22 14 | \
         18 15 | 16 17 | 19 20 | 21 31 | 32 33 | 34 35 | 36 40 | 37 38 | 39 41",
        &[
            (0, "32=5 34=5 36=5 37=5 39=4"),
            (1, "5=4 7=3 9=6 15=6 27=5"),
        ],
    );
}

#[test]
fn vector_10_six_players() {
    check(
        &["quo", "killbot", "boscoe", "cluster", "angry", "shaft"],
        "0 4 23 11 14 38 | 1 5 24 8 2 37 | 3 6 25 9 7 34 | 13 12 26 10 27 31 | \
         28 30 29 19 15 32 | 20 33 22 16 17 35 | 21 36 18 41 39 40",
        &[
            (0, "0=14"),
            (1, "5=14"),
            (2, "26=14"),
            (3, "10=14"),
            (4, "27=14"),
            (5, "31=14"),
        ],
    );
}
