//! The four fortify rules.

use crate::common::{game, game_with, moves_text, play_all, position, preset, seat, territory};
use hegemon_core::Phase;
use hegemon_core::rules::Fortify;

#[test]
fn the_four_fortify_rules() {
    let text = "board=a3a2a1b1 phase=attack player=0 round=1";
    for (fortify, expected) in [
        (Fortify::OneAdjacent, "f0>1x1 f0>1x2 f1>0x1 f1>2x1 end"),
        (
            Fortify::OneConnected,
            "f0>1x1 f0>1x2 f0>2x1 f0>2x2 f1>0x1 f1>2x1 end",
        ),
        (Fortify::ManyAdjacent, "f0>1x1 f0>1x2 f1>0x1 f1>2x1 end"),
    ] {
        let game = game_with("line4", "sampling", 2, |r| r.fortify = fortify);
        let mut state = position(&game, text);
        play_all(&mut state, "end");
        assert_eq!(state.phase(), Phase::Fortify);
        assert_eq!(moves_text(&state), expected, "{fortify:?}");
        play_all(&mut state, "f0>1x1");
        let next = if fortify == Fortify::ManyAdjacent {
            0
        } else {
            1
        };
        assert_eq!(state.player(), seat(next), "{fortify:?}");
    }
    let game = game_with("line4", "sampling", 2, |r| r.fortify = Fortify::None);
    let mut state = position(&game, text);
    play_all(&mut state, "end");
    assert_eq!((state.phase(), state.player()), (Phase::Reinforce, seat(1)));
}

#[test]
fn connected_means_through_ones_own_land() {
    let game = game("duel6", preset("sampling"), 2);
    // 0 and 5 are cut off from each other by 3 and 4.
    let state = position(&game, "board=a3a1a1b1b1a3 phase=fortify player=0 round=1");
    assert_eq!(moves_text(&state), "f0>1x1 f0>1x2 f0>2x1 f0>2x2 end");
}

#[test]
fn by_lux_an_army_moves_one_step_at_most() {
    let game = game("line4", preset("lux"), 2);
    let mut state = position(&game, "board=a4a1a1b1 phase=attack player=0 round=1");
    play_all(&mut state, "end f0>1x3");
    assert_eq!(
        state.moveable(territory(1)),
        1,
        "its own army, which must stay or be replaced"
    );
    // Of the four in 1 three have arrived: one may go on, the one from before.
    assert_eq!(moves_text(&state), "f1>0x1 f1>2x1 end");
    play_all(&mut state, "f1>2x1");
    assert_eq!(
        moves_text(&state),
        "f2>1x1 end",
        "one arrived in 2, its own may leave"
    );
    play_all(&mut state, "f2>1x1");
    assert_eq!(moves_text(&state), "end");
    play_all(&mut state, "end");
    assert_eq!(state.player(), seat(1));
    // The next turn starts afresh.
    let mut again = position(&game, "board=a1a4a1b1 phase=attack player=0 round=2");
    play_all(&mut again, "end");
    assert_eq!(again.moveable(territory(1)), 4);
}
