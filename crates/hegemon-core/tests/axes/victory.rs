//! Missions, capitals and conquest.

use std::sync::Arc;

use crate::classic_board;
use crate::common::{game, game_with, moves_text, play_all, position, preset, seat, territory};
use hegemon_core::rules::{Start, Victory};
use hegemon_core::{Ending, Game, Mission, Phase};

fn mission_game(n_players: usize) -> Arc<Game> {
    game_with("classic", "classic", n_players, |r| {
        r.start = Start::Deal;
        r.victory = Victory::Missions;
    })
}

/// Whether seat 0 wins by this mission at the end of its turn.
fn fulfils(mission: usize, land: impl Fn(usize) -> (char, u32), more: &str) -> bool {
    let game = mission_game(3);
    let board = classic_board(land);
    let text = format!("{board} phase=fortify player=0 round=5 mission=0@{mission} {more}");
    let mut state = position(&game, &text);
    play_all(&mut state, "end");
    match state.result() {
        Some(result) => {
            assert_eq!(result.ending, Ending::Mission);
            assert_eq!(result.score[seat(0)], 1.0);
            true
        }
        None => false,
    }
}

#[test]
fn missions_are_those_of_the_map_and_the_players() {
    let game = mission_game(3);
    assert_eq!(game.missions().len(), 6 + 2 + 3);
    assert_eq!(
        game.missions()[6],
        Mission::Territories { n: 24, armies: 1 }
    );
    assert_eq!(
        game.missions()[7],
        Mission::Territories { n: 18, armies: 2 }
    );
    assert_eq!(game.missions()[8], Mission::Eliminate(seat(0)));
    let state = game.deal(9);
    let dealt: Vec<Option<u8>> = game.seats().map(|p| state.mission(p)).collect();
    assert!(dealt.iter().all(Option::is_some));
    assert!(dealt[0] != dealt[1] && dealt[1] != dealt[2] && dealt[0] != dealt[2]);
}

#[test]
fn missions_for_continents() {
    // North America 0-8, South America 9-12, Europe 13-19, Africa 20-25,
    // Asia 26-37, Australia 38-41.
    let rest = |t: usize| ['b', 'c'][t % 2];
    let holds = |lands: &'static [std::ops::Range<usize>]| {
        move |t: usize| {
            if lands.iter().any(|land| land.contains(&t)) {
                ('a', 1)
            } else {
                (rest(t), 1)
            }
        }
    };
    // Mission 2: North America and Africa.
    assert!(fulfils(2, holds(&[0..9, 20..26]), ""));
    assert!(!fulfils(2, holds(&[0..9, 20..25]), ""));
    assert!(!fulfils(2, holds(&[0..9, 26..38]), ""));
    // Mission 0: Europe, Australia and one of the player's choice.
    assert!(!fulfils(0, holds(&[13..20, 38..42]), ""));
    assert!(!fulfils(0, holds(&[13..20, 38..42, 0..8]), ""));
    assert!(fulfils(0, holds(&[13..20, 38..42, 9..13]), ""));
    assert!(fulfils(0, holds(&[13..20, 38..42, 20..26]), ""));
    assert!(!fulfils(0, holds(&[13..20, 9..13, 20..26]), ""));
}

#[test]
fn missions_for_territories() {
    let rest = |t: usize| ['b', 'c'][t % 2];
    // Scattered, so that no continent matters.
    let first =
        |n: usize, armies: u32| move |t: usize| if t < n { ('a', armies) } else { (rest(t), 1) };
    assert!(fulfils(6, first(24, 1), ""));
    assert!(!fulfils(6, first(23, 9), ""));
    assert!(fulfils(7, first(18, 2), ""));
    assert!(!fulfils(7, first(17, 9), ""));
    assert!(!fulfils(7, first(24, 1), ""), "two armies on each");
}

#[test]
fn missions_to_eliminate() {
    let two = |n: usize| move |t: usize| if t < n { ('a', 1) } else { ('b', 1) };
    // Seat 2 is mission 10: out by one's own hand, or by another's.
    assert!(fulfils(10, two(20), "out=2@0.0"));
    assert!(!fulfils(10, two(23), "out=2@0.1"));
    assert!(fulfils(10, two(24), "out=2@0.1"), "24 territories instead");
    let three = |n: usize| {
        move |t: usize| {
            if t < n {
                ('a', 1)
            } else {
                (['b', 'c'][t % 2], 1)
            }
        }
    };
    assert!(!fulfils(10, three(30), ""), "seat 2 still plays");
    // Oneself is mission 8: 24 territories from the start.
    assert!(!fulfils(8, three(23), ""));
    assert!(fulfils(8, three(24), ""));
    // The elimination itself ends the game.
    let game = mission_game(3);
    let board = classic_board(|t| match t {
        12 => ('c', 1),
        11 => ('a', 9),
        t => (['a', 'b'][t % 2], 1),
    });
    let mut state = position(
        &game,
        &format!("{board} phase=attack player=0 round=3 mission=0@10"),
    );
    play_all(&mut state, "a11>12x3 B0:1 o3");
    assert_eq!(state.result().expect("over").ending, Ending::Mission);
}

fn capitals(hold: u8) -> Arc<Game> {
    game_with("duel6", "classic", 3, |r| {
        r.victory = Victory::Capitals {
            hold,
            extra_die: true,
        }
    })
}

#[test]
fn capitals_are_named_in_turn_and_cost_an_extra_die() {
    let game = capitals(2);
    let mut state = position(&game, "board=a3b3c3a3b3c3 phase=capital player=1 first=1");
    assert_eq!(moves_text(&state), "k1 k4");
    play_all(&mut state, "k4 k2 k0");
    assert_eq!(
        (state.round(), state.player(), state.phase()),
        (1, seat(1), Phase::Reinforce)
    );
    assert_eq!(state.capital(seat(1)), Some(territory(4)));
    let caps = "capital=0@0 capital=1@4 capital=2@2";
    for (armies, n_dice) in [(1, 4), (2, 5), (3, 6), (7, 6)] {
        // 2 is the capital of c, 1 is plain land.
        let text = format!("board=a9b{armies}c{armies}a3b3c3 phase=attack player=0 round=2 {caps}");
        let mut state = position(&game, &text);
        play_all(&mut state, "a0>2x3");
        assert_eq!(
            state.chance_total(),
            6u64.pow(n_dice),
            "{armies} in the capital"
        );
        let mut state = position(&game, &text);
        play_all(&mut state, "a0>1x3");
        assert_eq!(
            state.chance_total(),
            6u64.pow(n_dice.min(5)),
            "{armies} elsewhere"
        );
    }
}

#[test]
fn capitals_win_together_with_ones_own() {
    let caps = "capital=0@0 capital=1@4 capital=2@2";
    let text = format!("board=a9b3c1a3b3c3 phase=attack player=0 round=2 {caps}");
    let mut state = position(&capitals(2), &text);
    play_all(&mut state, "a0>2x3 B0:1 o3");
    let result = state.result().expect("over");
    assert_eq!(
        (result.ending, result.score[seat(0)]),
        (Ending::Capitals, 1.0)
    );
    // Three are needed: the game goes on.
    let mut state = position(&capitals(3), &text);
    play_all(&mut state, "a0>2x3 B0:1 o3");
    assert_eq!(state.phase(), Phase::Attack);
    // Two of the others' without one's own do not count.
    let text = format!("board=b3b3a9c3a9c1 phase=attack player=0 round=2 {caps}");
    let mut state = position(&capitals(2), &text);
    play_all(&mut state, "a4>5x3 B0:1 o3 end end Ww");
    assert_eq!(state.player(), seat(1));
}

#[test]
fn the_last_conquest_wins_and_places_follow_the_order_out() {
    let game = game("duel6", preset("draft"), 4);
    let text = "board=a9a1a1a1a9b1 phase=attack player=0 round=9 out=2@0.1 out=3@1.0";
    let mut state = position(&game, text);
    play_all(&mut state, "a4>5x8 B0:1 o3");
    let result = state.result().expect("over");
    assert_eq!(result.ending, Ending::Conquest);
    let places: Vec<u8> = game.seats().map(|p| result.place[p]).collect();
    assert_eq!(places, [1, 2, 4, 3]);
    assert_eq!(result.score.as_slice()[..4], [1.0, 0.0, 0.0, 0.0]);
}
