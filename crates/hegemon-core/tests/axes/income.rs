//! Income, its growth and the supply.

use crate::classic_board;
use crate::common::{game, game_with, play_all, position, preset, seat, territory};
use hegemon_core::Phase;
use hegemon_core::rules::InitialArmies;

#[test]
fn income_is_a_third_of_the_land_but_at_least_three() {
    let game = game("classic", preset("sampling"), 2);
    // Every third territory first: no continent is whole.
    for (n, income) in [(1, 3), (9, 3), (11, 3), (12, 4), (14, 4)] {
        let board = classic_board(|t| {
            if t % 3 == 0 && t / 3 < n {
                ('a', 1)
            } else {
                ('b', 1)
            }
        });
        let state = position(&game, &format!("{board} phase=attack player=0 round=1"));
        assert_eq!(state.income(seat(0)), income, "{n} territories");
    }
}

#[test]
fn whole_continents_pay_their_bonus() {
    let game = game("classic", preset("sampling"), 2);
    for c in game.map().continents() {
        let land = game.map().continent(c).territories;
        let owner = |t| {
            if land.contains(territory(t)) {
                ('a', 1)
            } else {
                ('b', 1)
            }
        };
        let board = classic_board(owner);
        let state = position(&game, &format!("{board} phase=attack player=0 round=1"));
        let by_land = (land.len() as u32 / 3).max(3);
        let bonus = u32::from(game.map().continent(c).bonus);
        assert_eq!(
            state.income(seat(0)),
            by_land + bonus,
            "{}",
            game.map().continent_name(c)
        );
        // One territory less, and no bonus.
        let first = land.first().expect("not empty");
        let owner = |t| {
            if land.contains(territory(t)) && t != first.index() {
                ('a', 1)
            } else {
                ('b', 1)
            }
        };
        let state = position(
            &game,
            &format!("{} phase=attack player=0", classic_board(owner)),
        );
        assert_eq!(state.income(seat(0)), ((land.len() as u32 - 1) / 3).max(3));
    }
}

#[test]
fn bonuses_grow_by_round_and_are_rounded_down() {
    let game = game("classic", preset("lux"), 2);
    // Asia: floor(7 * 1.05^(round - 1)); 12 territories give 4.
    let board = classic_board(|t| {
        if (26..38).contains(&t) {
            ('a', 1)
        } else {
            ('b', 1)
        }
    });
    let expected = [
        (0, 7),
        (1, 7),
        (2, 7),
        (3, 7),
        (4, 8),
        (5, 8),
        (6, 8),
        (7, 9),
        (15, 13),
        (31, 30),
    ];
    for (round, bonus) in expected {
        let state = position(
            &game,
            &format!("{board} phase=attack player=0 round={round}"),
        );
        assert_eq!(state.income(seat(0)), 4 + bonus, "round {round}");
    }
    // However late, a bonus stays within the supply.
    let state = position(
        &game,
        &format!("{board} phase=attack player=0 round=100000"),
    );
    assert_eq!(state.income(seat(0)), 4 + 30_000);
}

#[test]
fn divisor_and_minimum_are_free() {
    for (divisor, minimum, income) in [(1, 0, 2), (2, 0, 1), (3, 0, 0), (3, 1, 1), (3, 7, 7)] {
        let game = game_with("line4", "sampling", 2, |r| {
            r.income.divisor = divisor;
            r.income.minimum = minimum;
        });
        let mut state = position(&game, "board=a1b3a1b3 phase=fortify player=1 round=1");
        play_all(&mut state, "end");
        assert_eq!(state.to_place(), income);
        // With nothing to place, the turn starts with the attack.
        let phase = if income == 0 {
            Phase::Attack
        } else {
            Phase::Reinforce
        };
        assert_eq!((state.phase(), state.player()), (phase, seat(0)));
    }
}

#[test]
fn income_beyond_the_supply_is_lost() {
    let game = game_with("line4", "sampling", 2, |r| {
        r.initial_armies = InitialArmies::ByPlayers([10; 5]);
        r.supply = 20;
    });
    for (armies, gained) in [(10, 3), (16, 3), (17, 2), (18, 1), (19, 0)] {
        let text = format!("board=a{armies}b3a1b3 phase=fortify player=1 round=1");
        let mut state = position(&game, &text);
        assert_eq!(state.income(seat(0)), 3);
        play_all(&mut state, "end");
        assert_eq!(state.to_place(), gained, "{armies} + 1 of 20 armies");
    }
}

#[test]
fn cards_pay_no_more_than_the_supply() {
    let game = game_with("duel6", "classic", 3, |r| r.supply = 40);
    // 32 + 1 + 3 to place: 4 are left; 2 go to the card's territory.
    let text = "board=a32a1b1b1c1c1 phase=trade player=0 round=3 place=3 hand=0@0.1.2";
    let mut state = position(&game, text);
    play_all(&mut state, "t0.1.2+1");
    assert_eq!(state.board().armies(territory(1)), 3);
    assert_eq!(state.to_place(), 3 + 2);
}
