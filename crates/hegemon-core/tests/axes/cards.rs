//! Cards: sets, forced trades, bonuses, captured hands, the deck.

use crate::common::{game, game_with, moves_text, play_all, position, preset, seat, territory};
use crate::{classic_board, hand, weights};
use hegemon_core::rules::CardScheme;
use hegemon_core::{Move, Phase};

/// The armies that the next set of seat 0 is worth under a scheme.
fn worth(scheme: CardScheme, cards: &str, n_traded: u32) -> u32 {
    let game = game_with("classic", "classic", 3, |r| r.cards.scheme = scheme);
    let board = classic_board(|t| {
        if t < 36 {
            (['b', 'c'][t % 2], 1)
        } else {
            ('a', 1)
        }
    });
    let text = format!("{board} phase=trade player=0 round=9 traded={n_traded} hand=0@{cards}");
    let mut state = position(&game, &text);
    play_all(&mut state, &format!("t{cards}"));
    assert_eq!(state.n_traded(), n_traded + 1);
    state.to_place()
}

#[test]
fn sets_are_worth_what_the_scheme_says() {
    let boxed = || CardScheme::Progressive {
        values: vec![4, 6, 8, 10, 12, 15],
        step: 5,
    };
    for (n, armies) in [4, 6, 8, 10, 12, 15, 20, 25, 30].into_iter().enumerate() {
        assert_eq!(worth(boxed(), "0.1.2", n as u32), armies);
    }
    for (n, armies) in [4, 6, 8, 10, 12, 14, 16].into_iter().enumerate() {
        assert_eq!(
            worth(CardScheme::Step { first: 4, step: 2 }, "0.1.2", n as u32),
            armies
        );
    }
    let fixed = || CardScheme::Fixed([4, 6, 8, 10]);
    let kinds = [
        ("0.3.6", 4),
        ("1.4.7", 6),
        ("2.5.8", 8),
        ("0.1.2", 10),
        ("0.3.w", 4),
        ("1.4.w", 6),
        ("2.5.w", 8),
        ("0.1.w", 10),
        ("5.w.w", 10),
    ];
    for (cards, armies) in kinds {
        assert_eq!(worth(fixed(), cards, 7), armies, "{cards}");
    }
}

#[test]
fn only_sets_can_be_traded() {
    let game = game("classic", preset("classic"), 3);
    let board = classic_board(|t| (['a', 'b', 'c'][t % 3], 1));
    let start = |cards: &str| {
        position(
            &game,
            &format!("{board} phase=trade player=0 round=9 hand=0@{cards}"),
        )
    };
    let state = start("0.1.2.3");
    for (mv, legal) in [
        ("t0.1.2+0", true),
        ("t1.2.3+3", true),
        ("t0.1.2", false),   // the bonus must be said
        ("t0.1.2+1", false), // and go to one's own
        ("t0.1.2+3", false), // of the cards traded
        ("t2.1.0+0", false), // in the order of the hand
        ("t0.1.3+0", false), // two alike and another
        ("t0.0.0+0", false), // one card thrice
        ("t0.1.5+0", false), // not in the hand
        ("t0.1.w+0", false),
        ("end", true),
    ] {
        assert_eq!(state.is_legal(mv.parse().expect("a move")), legal, "{mv}");
    }
    // Two wild cards are alike: with 4, 5 and two wilds there are 3 sets.
    assert_eq!(moves_text(&start("4.5.w.w")), "t4.5.w t4.w.w t5.w.w end");
}

#[test]
fn five_cards_must_be_traded() {
    let board = "board=a3a1b1b1c1c1 phase=trade player=0 round=3 place=3";
    for (forced_from, cards, forced) in [
        (5, "0.1.2.3", false),
        (5, "0.1.2.3.4", true),
        (6, "0.1.2.3.4", false),
        (6, "0.1.2.3.4.5", true),
    ] {
        let game = game_with("duel6", "classic", 3, |r| r.cards.forced_from = forced_from);
        let state = position(&game, &format!("{board} hand=0@{cards}"));
        assert_eq!(
            !state.is_legal(Move::End),
            forced,
            "{cards} from {forced_from}"
        );
    }
    // Six cards: after one trade three are left, and trading is free again.
    let game = game("duel6", preset("classic"), 3);
    let mut state = position(&game, &format!("{board} hand=0@0.1.2.3.4.5"));
    play_all(&mut state, "t0.1.2+0");
    assert_eq!(state.phase(), Phase::Trade, "3, 4 and 5 are a set");
    assert!(state.is_legal(Move::End));
    play_all(&mut state, "end");
    assert_eq!((state.phase(), state.to_place()), (Phase::Reinforce, 3 + 4));
    // Without a set there is no trade decision.
    let mut state = position(
        &game,
        "board=a3a1b1b1c1c1 phase=fortify player=2 round=3 hand=0@0.1.3",
    );
    play_all(&mut state, "end");
    assert_eq!((state.phase(), state.player()), (Phase::Reinforce, seat(0)));
}

#[test]
fn a_traded_card_of_ones_own_land_pays_once_or_each() {
    let text = "board=a1a1b1a1c1c1 phase=trade player=0 round=3 place=3 hand=0@0.1.2";
    let once = game("duel6", preset("classic"), 3);
    let mut state = position(&once, text);
    assert_eq!(moves_text(&state), "t0.1.2+0 t0.1.2+1 end");
    play_all(&mut state, "t0.1.2+1");
    assert_eq!(
        [0, 1, 3].map(|t| state.board().armies(territory(t))),
        [1, 3, 1]
    );
    assert_eq!(state.to_place(), 3 + 4);

    let each = game_with("duel6", "classic", 3, |r| r.cards.bonus_once = false);
    let mut state = position(&each, text);
    assert_eq!(moves_text(&state), "t0.1.2 end");
    play_all(&mut state, "t0.1.2");
    // 2 is not one's own, and 3 was not traded.
    assert_eq!(
        [0, 1, 2, 3].map(|t| state.board().armies(territory(t))),
        [3, 3, 1, 1]
    );
    assert_eq!(state.to_place(), 3 + 4);

    let none = game_with("duel6", "classic", 3, |r| r.cards.territory_bonus = 0);
    assert_eq!(moves_text(&position(&none, text)), "t0.1.2 end");
}

#[test]
fn a_conquest_draws_one_card_at_the_end_of_the_turn() {
    let game = game("duel6", preset("classic"), 3);
    let mut state = position(&game, "board=a4b1b1b1c1c1 phase=attack player=0 round=3");
    play_all(&mut state, "a0>1x3 B0:1 o3 a1>2x2 B0:1 o2 end end");
    assert_eq!((state.phase(), state.chance_total()), (Phase::Draw, 8));
    let expected: Vec<(String, u64)> = ["W0", "W1", "W2", "W3", "W4", "W5"]
        .map(|card| (card.to_owned(), 1))
        .into_iter()
        .chain([(String::from("Ww"), 2)])
        .collect();
    assert_eq!(weights(&state), expected);
    play_all(&mut state, "Ww");
    assert_eq!(state.hand(seat(0)), hand("w"));
    assert_eq!(state.player(), seat(1));
    // No conquest, no card.
    let mut state = position(&game, "board=a4b1b1b1c1c1 phase=attack player=0 round=3");
    play_all(&mut state, "a0>1x3 B1:0 end end");
    assert_eq!((state.phase(), state.player()), (Phase::Reinforce, seat(1)));
}

const CAPTURE: &str = "board=a1a1b2b1a9c1 phase=attack player=0 round=3";

#[test]
fn a_captured_hand_is_traded_at_once_and_the_attack_goes_on() {
    let game = game("duel6", preset("classic"), 3);
    let mut state = position(&game, &format!("{CAPTURE} hand=0@0.1.w hand=2@2.3.4"));
    play_all(&mut state, "a4>5x3 B0:1 o3");
    assert!(!state.is_alive(seat(2)));
    let elimination = state.elimination(seat(2)).expect("out");
    assert_eq!((elimination.order, elimination.by), (0, seat(0)));
    assert_eq!(state.hand(seat(0)), hand("0.1.2.3.4.w"));
    assert!(state.hand(seat(2)).is_empty());
    assert_eq!(state.phase(), Phase::Trade);
    assert!(state.is_mid_turn());
    assert!(!state.is_legal(Move::End), "six cards must be traded");
    play_all(&mut state, "t0.1.2+0");
    // Three cards are left, fewer than five: no further trade is forced, set or
    // not.
    assert_eq!((state.phase(), state.to_place()), (Phase::Reinforce, 4));
    assert!(state.is_mid_turn());
    assert_eq!(state.board().armies(territory(0)), 3);
    play_all(&mut state, "p4x1 p4x3");
    assert_eq!(state.phase(), Phase::Attack);
    assert!(!state.is_mid_turn());
    assert!(state.has_conquered());
    // 9 - 3 moved + 4 placed.
    play_all(&mut state, "a4>3x3 B0:1 o3 end end");
    assert_eq!(state.phase(), Phase::Draw);
}

#[test]
fn a_large_captured_hand_is_traded_until_four_are_left() {
    let game = game_with("classic", "classic", 3, |_| {});
    let board = classic_board(|t| match t {
        12 => ('c', 1),
        11 => ('a', 9),
        t => (['a', 'b'][t % 2], 1),
    });
    let hands = "hand=0@0.1.2.3 hand=2@6.7.8.9.10";
    let mut state = position(
        &game,
        &format!("{board} phase=attack player=0 round=3 {hands}"),
    );
    play_all(&mut state, "a11>12x3 B0:1 o3 t0.1.2+0");
    assert_eq!(state.phase(), Phase::Trade, "six are left");
    assert!(!state.is_legal(Move::End));
    play_all(&mut state, "t6.7.8+6");
    assert_eq!((state.phase(), state.to_place()), (Phase::Reinforce, 4 + 6));
    assert_eq!(state.hand(seat(0)), hand("3.9.10"));
}

#[test]
fn a_small_captured_hand_waits_for_the_next_turn() {
    // Five cards: a trade at once by Lux, not in the box.
    for (preset_name, phase) in [("classic", Phase::Attack), ("lux", Phase::Trade)] {
        let game = game("duel6", preset(preset_name), 3);
        let mut state = position(&game, &format!("{CAPTURE} hand=0@0.1.w hand=2@2.3"));
        let with = if preset_name == "lux" { 8 } else { 3 };
        play_all(&mut state, &format!("a4>5x{with} B0:1 o3"));
        assert_eq!(state.hand(seat(0)).len(), 5);
        assert_eq!(state.phase(), phase, "{preset_name}");
    }
}

#[test]
fn without_capture_the_hand_goes_back() {
    for (at_once, n_discarded) in [(false, 3), (true, 0)] {
        let game = game_with("duel6", "classic", 3, |r| {
            r.cards.capture = false;
            r.cards.return_at_once = at_once;
        });
        let mut state = position(&game, &format!("{CAPTURE} hand=0@0.1.w hand=2@2.3.4"));
        play_all(&mut state, "a4>5x3 B0:1 o3");
        assert_eq!(state.hand(seat(0)), hand("0.1.w"));
        assert_eq!(state.phase(), Phase::Attack);
        assert_eq!(state.discard().len(), n_discarded);
        assert_eq!(state.deck().len(), 8 - 3 - n_discarded);
    }
}

#[test]
fn traded_cards_come_back_at_once_or_when_the_deck_is_empty() {
    let text = "board=a3a1b1b1c1c1 phase=trade player=0 round=3 place=3 hand=0@0.1.2";
    let boxed = game("duel6", preset("classic"), 3);
    let mut state = position(&boxed, text);
    play_all(&mut state, "t0.1.2+0");
    assert_eq!(
        (state.discard(), state.deck()),
        (hand("0.1.2"), hand("3.4.5.w.w"))
    );
    let lux = game("duel6", preset("lux"), 3);
    let mut state = position(&lux, text);
    play_all(&mut state, "t0.1.2");
    assert!(state.discard().is_empty());
    assert_eq!(state.deck().len(), 8);
}

#[test]
fn an_empty_deck_is_shuffled_from_the_discard_pile() {
    let game = game("duel6", preset("classic"), 3);
    let text =
        "board=a3a1b1b1c1c1 phase=draw player=0 round=3 conquered=1 hand=0@0.1 discard=2.3.4.5.w.w";
    let mut state = position(&game, text);
    assert_eq!(state.deck(), hand("2.3.4.5.w.w"));
    assert_eq!(state.chance_total(), 6);
    play_all(&mut state, "Ww");
    assert!(state.discard().is_empty());
    assert_eq!(state.deck(), hand("2.3.4.5.w"));
    // Nothing to draw at all: the turn ends without a card.
    let hands = "hand=0@0.1 hand=1@2.3.w hand=2@4.5.w";
    let mut state = position(
        &game,
        &format!("board=a3a1b1b1c1c1 phase=fortify player=0 round=3 conquered=1 {hands}"),
    );
    play_all(&mut state, "end");
    assert_eq!(state.player(), seat(1));
}

#[test]
fn a_wild_card_drawn_leaves_the_wild_card_in_the_discard_pile() {
    // Wild cards are alike: one in the discard pile does not mean that the deck
    // was empty when the other one was drawn from it.
    let game = game("duel6", preset("classic"), 3);
    let text =
        "board=a3a1b1b1c1c1 phase=draw player=0 round=3 conquered=1 hand=0@0.1 discard=2.3.w";
    let mut state = position(&game, text);
    assert_eq!(state.deck(), hand("4.5.w"));
    play_all(&mut state, "Ww");
    assert_eq!(state.discard(), hand("2.3.w"));
    assert_eq!(state.deck(), hand("4.5"));
}
