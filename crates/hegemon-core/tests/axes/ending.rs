//! Turn limit, tie-breaks and early stop.

use crate::common::{game, game_with, play_all, position, preset, seat};
use hegemon_core::rules::{EarlyStop, TieBreak};
use hegemon_core::{Ending, ForfeitKind, Termination};

#[test]
fn the_turn_limit_is_scored_by_the_tie_breaks() {
    use TieBreak::{Armies, Territories};
    type Case = (&'static [TieBreak], &'static str, [f64; 3], [u8; 3]);
    let cases: [Case; 6] = [
        (
            &[Territories, Armies],
            "a1a1b9b1c9c9",
            [0.0, 0.0, 1.0],
            [3, 2, 1],
        ),
        (
            &[Territories, Armies],
            "a1a1a1b1c9c9",
            [1.0, 0.0, 0.0],
            [1, 3, 2],
        ),
        (
            &[Armies, Territories],
            "a1a1a1b1c9c9",
            [0.0, 0.0, 1.0],
            [2, 3, 1],
        ),
        (
            &[Territories, Armies],
            "a5a5b9b1c1c1",
            [0.5, 0.5, 0.0],
            [1, 1, 3],
        ),
        (&[Territories], "a5a5b9b2c1c1", [1.0 / 3.0; 3], [1, 1, 1]),
        (&[], "a1a1a1b1c9c9", [1.0 / 3.0; 3], [1, 1, 1]),
    ];
    for (tie_breaks, board, score, places) in cases {
        let game = game_with("duel6", "draft", 3, |r| {
            r.end.turn_limit = Some(7);
            r.end.tie_breaks = tie_breaks.to_vec();
        });
        let text = format!("board={board} phase=fortify player=2 round=7");
        let mut state = position(&game, &text);
        play_all(&mut state, "end");
        let result = state.result().expect("over");
        assert_eq!(result.ending, Ending::TurnLimit);
        assert_eq!(
            &result.score.as_slice()[..3],
            score,
            "{board} {tie_breaks:?}"
        );
        assert_eq!(
            result.place.as_slice()[..3],
            places,
            "{board} {tie_breaks:?}"
        );
    }
}

#[test]
fn the_turn_limit_counts_whole_rounds() {
    let game = game_with("duel6", "draft", 3, |r| r.end.turn_limit = Some(7));
    // Seat 1 is first: the round ends with seat 0, even if seat 1 is out.
    for (text, player) in [
        (
            "board=a1a1b1b1c1c1 phase=fortify player=2 first=1 round=7",
            0,
        ),
        (
            "board=a1a1c1c1a1a1 phase=fortify player=2 first=1 round=7 out=1@0.0",
            0,
        ),
    ] {
        let mut state = position(&game, text);
        play_all(&mut state, "end");
        assert_eq!((state.player(), state.round()), (seat(player), 7));
        play_all(&mut state, "p0x3 end end");
        assert_eq!(state.result().expect("over").ending, Ending::TurnLimit);
    }
    let mut state = position(
        &game,
        "board=a1a1b1b1c1c1 phase=fortify player=0 first=1 round=6",
    );
    play_all(&mut state, "end");
    assert_eq!((state.player(), state.round()), (seat(1), 7));
}

#[test]
fn an_early_stop_needs_the_lead_and_the_actions() {
    let game = game_with("duel6", "sampling", 2, |r| {
        r.end.early_stop = Some(EarlyStop {
            lead: 4,
            after_actions: 10,
        });
    });
    // An attack that conquers the fifth of six territories.
    for (actions, over) in [(7, false), (8, false), (9, true), (10, true)] {
        let text = format!("board=a1a1a1a5b1b9 phase=attack player=0 round=3 actions={actions}");
        let mut state = position(&game, &text);
        play_all(&mut state, "a3>4x3 B0:1 o4");
        assert_eq!(state.result().is_some(), over, "{actions} actions before");
        if over {
            let result = state.result().expect("over");
            assert_eq!(
                (result.ending, result.score[seat(0)]),
                (Ending::EarlyStop, 1.0)
            );
        }
    }
    // Four of six are a lead of two.
    let mut state = position(
        &game,
        "board=a1a1a5b1b1b9 phase=attack player=0 round=3 actions=90",
    );
    play_all(&mut state, "a2>4x3 B0:1 o4");
    assert!(state.result().is_none());
    // The other may be the one who leads, and a recruitment is an action too.
    let mut state = position(
        &game,
        "board=b1b1b1b1b1a1 phase=reinforce player=0 place=3 round=3 actions=90",
    );
    play_all(&mut state, "p5x3");
    assert_eq!(state.result().expect("over").score[seat(1)], 1.0);
}

#[test]
fn recruitments_attacks_and_fortifications_are_actions() {
    let game = game("line4", preset("sampling"), 2);
    let mut state = position(
        &game,
        "board=a3b1a1b1 phase=reinforce player=0 place=3 round=1",
    );
    play_all(&mut state, "p0x1 p0x2");
    assert_eq!(state.n_actions(), 1, "one recruitment, however it is split");
    play_all(&mut state, "a0>1x3 B1:0");
    assert_eq!(state.n_actions(), 2);
    play_all(&mut state, "a0>1x3 B0:1 o3");
    assert_eq!(state.n_actions(), 3, "attack and occupation are one");
    play_all(&mut state, "end");
    assert_eq!(state.n_actions(), 3);
    play_all(&mut state, "end");
    assert_eq!(state.n_actions(), 4);
}

/// Some players would never finish; the cap is a rule, so that a replay applies it too.
#[test]
fn the_round_cap_ends_a_game_without_a_turn_limit() {
    for (turn_limit, ending) in [(None, Some(Ending::RoundCap)), (Some(9), None)] {
        let game = game_with("duel6", "draft", 3, |r| {
            r.end.turn_limit = turn_limit;
            r.end.round_cap = 7;
        });
        let text = "board=a1a1b9b1c9c9 phase=fortify player=2 round=7";
        let mut state = position(&game, text);
        play_all(&mut state, "end");
        assert_eq!(state.result().map(|result| result.ending), ending);
        if let Some(result) = state.result() {
            assert_eq!(&result.score.as_slice()[..3], [1.0 / 3.0; 3]);
            assert_eq!(result.place.as_slice()[..3], [1, 1, 1]);
        }
    }
    let rules = preset("lux");
    assert_eq!(rules.end.round_cap, 1000);
    assert!(
        !rules.to_toml().contains("round-cap"),
        "absent where it is the default"
    );
    let capped = rules.to_toml().replace("[end]", "[end]\nround-cap = 12");
    let capped = hegemon_core::Rules::from_toml(&capped).expect("sound");
    assert_eq!(capped.end.round_cap, 12);
    assert_eq!(
        hegemon_core::Rules::from_toml(&capped.to_toml()),
        Ok(capped)
    );
}

#[test]
fn a_forfeit_is_last_and_the_others_still_in_share_the_win() {
    use hegemon_core::{ForfeitKind, Termination};
    let game = game("duel6", preset("draft"), 3);
    let state = position(&game, "board=a1a1b9b1c9c9 phase=attack player=1 round=3");
    for kind in ForfeitKind::ALL {
        let forfeit = |n| Termination::Forfeit {
            seat: seat(n),
            kind,
        };
        let places = forfeit(1).places(&state).expect("it had to move");
        assert_eq!(places.as_slice()[..3], [1, 3, 1]);
        assert_eq!(forfeit(0).places(&state), None);
        let text = forfeit(1).to_string();
        assert_eq!(text.parse(), Ok(forfeit(1)), "{text}");
    }
    assert_eq!(Termination::of(&state), None);
    for text in [
        "",
        "forfeit:9:crash",
        "forfeit:1:tired",
        "forfeit:01:crash",
        "win",
    ] {
        assert!(text.parse::<Termination>().is_err(), "{text}");
    }
}

#[test]
fn who_forfeits_is_last_and_who_was_eliminated_before_keeps_the_order() {
    let game = game("classic", preset("classic"), 5);
    let board = crate::classic_board(|t| (if t < 20 { 'a' } else { 'b' }, 3));
    let text = format!("{board} phase=attack player=1 round=9 out=4@0.0 out=2@1.1 out=3@2.0");
    let state = position(&game, &text);
    let kind = ForfeitKind::Timeout;
    let forfeit = |seat| Termination::Forfeit { seat, kind }.places(&state);
    let places = forfeit(seat(1)).expect("it was to move");
    assert_eq!(places.as_slice()[..5], [1, 5, 3, 2, 4]);
    assert_eq!(forfeit(seat(0)), None, "it was not to move");
}
