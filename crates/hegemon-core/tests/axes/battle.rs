//! Dice, commitment, kinds of attack, occupation.

use std::collections::BTreeMap;

use crate::common::{game, game_with, moves_text, play_all, position, preset, seat, territory};
use crate::weights;
use hegemon_core::battle::DiceRule;
use hegemon_core::rules::{Attack, Commitment, Occupy};
use hegemon_core::{Outcome, Phase, Rng};

/// The ordered rolls of the exchange of 3 dice (or fewer) against `armies`.
fn rolls(dice: DiceRule, fighters: u32, armies: u32) -> u64 {
    let game = game_with("line4", "sampling", 2, |r| r.battle.dice = dice);
    let text = format!(
        "board=a{}b{armies}a1b1 phase=attack player=0 round=1",
        fighters + 1
    );
    let mut state = position(&game, &text);
    let dice = fighters.min(u32::from(dice.attacker_max));
    play_all(&mut state, &format!("a0>1x{dice}"));
    state.chance_total()
}

#[test]
fn dice_follow_the_armies_and_the_limits() {
    let official = DiceRule::OFFICIAL;
    for ((fighters, armies), n_dice) in [
        ((1, 1), 2),
        ((2, 1), 3),
        ((3, 1), 4),
        ((1, 2), 3),
        ((2, 2), 4),
        ((3, 2), 5),
        ((9, 9), 5),
    ] {
        assert_eq!(
            rolls(official, fighters, armies),
            6u64.pow(n_dice),
            "{fighters} v {armies}"
        );
    }
    let late = DiceRule {
        defender_second_from: 3,
        ..official
    };
    for (armies, n_dice) in [(1, 4), (2, 4), (3, 5), (4, 5)] {
        assert_eq!(
            rolls(late, 5, armies),
            6u64.pow(n_dice),
            "second die from 3, {armies}"
        );
    }
    let three = DiceRule {
        defender_max: 3,
        ..official
    };
    for (armies, n_dice) in [(1, 4), (2, 5), (3, 6), (4, 6)] {
        assert_eq!(
            rolls(three, 5, armies),
            6u64.pow(n_dice),
            "three dice, {armies}"
        );
    }
    let weak = DiceRule {
        attacker_max: 2,
        defender_max: 1,
        ..official
    };
    assert_eq!(rolls(weak, 5, 5), 216);
}

#[test]
fn an_exchange_has_the_known_weights() {
    let game = game("line4", preset("sampling"), 2);
    let state = position(
        &game,
        "board=a4b2a1b1 phase=battle player=0 round=1 front=0>1x3",
    );
    let known = [("B0:2", 2890), ("B1:1", 2611), ("B2:0", 2275)];
    assert_eq!(weights(&state), known.map(|(o, w)| (o.to_owned(), w)));
    let kind = game_with("line4", "sampling", 2, |r| {
        r.battle.dice.ties_to_attacker = true;
    });
    let state = position(
        &kind,
        "board=a2b1a1b1 phase=battle player=0 round=1 front=0>1x1",
    );
    let known = [("B0:1", 21), ("B1:0", 15)];
    assert_eq!(weights(&state), known.map(|(o, w)| (o.to_owned(), w)));
}

#[test]
fn the_attacker_commits_by_choice_or_all() {
    let text = "board=a6b3a1b1 phase=attack player=0 round=1";
    for (attack, commitment, expected) in [
        (Attack::Roll, Commitment::Maximum, "a0>1x3 end"),
        (Attack::Roll, Commitment::Choice, "a0>1x1 a0>1x2 a0>1x3 end"),
        (Attack::ToTheEnd, Commitment::Maximum, "a0>1x5 end"),
        (Attack::Groups, Commitment::Maximum, "a0>1x5 end"),
        (
            Attack::BalancedBlitz,
            Commitment::Choice,
            "a0>1x1 a0>1x2 a0>1x3 a0>1x4 a0>1x5 end",
        ),
    ] {
        let game = game_with("line4", "sampling", 2, |r| {
            r.battle.attack = attack;
            r.battle.commitment = commitment;
        });
        assert_eq!(moves_text(&position(&game, text)), expected, "{attack:?}");
    }
}

#[test]
fn groups_meet_in_pairs() {
    let game = game("line4", preset("beam"), 2);
    // Five against four: 3 v 2 and 2 v 2; four comparisons.
    let state = position(
        &game,
        "board=a6b4a1b1 phase=battle player=0 round=1 front=0>1x5",
    );
    let outcomes: Vec<String> = weights(&state).into_iter().map(|(o, _)| o).collect();
    assert_eq!(outcomes, ["B0:4", "B1:3", "B2:2", "B3:1", "B4:0"]);
    assert_eq!(state.chance_total(), 7776 * 1296);
    assert_eq!(weights(&state)[0].1, 2890 * 295);
    // Fifty groups do not fit into integers exactly, but sum all the same.
    let state = position(
        &game,
        "board=a151b100a1b1 phase=battle player=0 round=1 front=0>1x150",
    );
    let sum: u64 = weights(&state).iter().map(|(_, w)| w).sum();
    assert_eq!(sum, state.chance_total());
}

#[test]
fn as_many_move_in_as_dice_were_rolled() {
    let text = "board=a6b1a1b1 phase=attack player=0 round=1";
    for (attack, occupy, line, expected) in [
        (Attack::Roll, Occupy::DiceRolled, "a0>1x3 B0:1", "o3 o4 o5"),
        (
            Attack::Roll,
            Occupy::DiceRolled,
            "a0>1x2 B0:1",
            "o2 o3 o4 o5",
        ),
        (
            Attack::Roll,
            Occupy::DiceRolled,
            "a0>1x1 B1:0 a0>1x1 B0:1",
            "o1 o2 o3 o4",
        ),
        (Attack::Roll, Occupy::One, "a0>1x3 B0:1", "o1 o2 o3 o4 o5"),
        (
            Attack::ToTheEnd,
            Occupy::DiceRolled,
            "a0>1x5 B0:1",
            "o3 o4 o5",
        ),
        // Two of five survive: two dice were rolled last.
        (Attack::ToTheEnd, Occupy::DiceRolled, "a0>1x5 B3:1", "o2"),
        (Attack::ToTheEnd, Occupy::DiceRolled, "a0>1x5 B4:1", "o1"),
        // Three of the six were committed, and the rest may follow.
        (
            Attack::ToTheEnd,
            Occupy::DiceRolled,
            "a0>1x3 B1:1",
            "o2 o3 o4",
        ),
        (
            Attack::ToTheEnd,
            Occupy::One,
            "a0>1x5 B0:1",
            "o1 o2 o3 o4 o5",
        ),
        (Attack::Groups, Occupy::One, "a0>1x5 B0:1", "o1 o2 o3 o4 o5"),
    ] {
        let game = game_with("line4", "sampling", 2, |r| {
            r.battle.attack = attack;
            r.battle.occupy = occupy;
            r.battle.commitment = Commitment::Choice;
        });
        let mut state = position(&game, text);
        play_all(&mut state, line);
        assert_eq!(state.phase(), Phase::Occupy);
        assert_eq!(state.board().armies(territory(1)), 0);
        assert_eq!(state.board().owner(territory(1)), seat(0));
        assert_eq!(moves_text(&state), expected, "{attack:?} {occupy:?} {line}");
    }
}

#[test]
fn a_lost_battle_to_the_end_leaves_one_army() {
    let game = game("line4", preset("lux"), 2);
    let mut state = position(&game, "board=a6b3a1b1 phase=attack player=0 round=1");
    play_all(&mut state, "a0>1x5 B5:2");
    assert_eq!(state.board().armies(territory(0)), 1);
    assert_eq!(state.board().armies(territory(1)), 1);
    assert_eq!(
        (state.phase(), moves_text(&state)),
        (Phase::Attack, String::from("end"))
    );
}

#[test]
fn the_balanced_law_has_no_tails() {
    let blitz = game_with("line4", "sampling", 2, |r| {
        r.battle.attack = Attack::BalancedBlitz;
    });
    let plain = game_with("line4", "sampling", 2, |r| {
        r.battle.attack = Attack::ToTheEnd;
    });
    let text = "board=a11b3a1b1 phase=battle player=0 round=1 front=0>1x10";
    let all_lost: Outcome = "B10:0".parse().expect("an outcome");
    assert!(position(&plain, text).is_possible(all_lost));
    assert!(!position(&blitz, text).is_possible(all_lost));
}

#[test]
fn draws_follow_the_listed_weights() {
    for attack in [
        Attack::Roll,
        Attack::ToTheEnd,
        Attack::Groups,
        Attack::BalancedBlitz,
    ] {
        let game = game_with("line4", "sampling", 2, |r| r.battle.attack = attack);
        let fighters = if attack == Attack::Roll { 3 } else { 6 };
        let text = format!("board=a7b4a1b1 phase=battle player=0 front=0>1x{fighters}");
        let state = position(&game, &text);
        let mut rng = Rng::stream(1, "dice");
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        let n_draws = 20_000;
        for _ in 0..n_draws {
            *counts
                .entry(state.sample(&mut rng).to_string())
                .or_default() += 1.0;
        }
        let total = state.chance_total() as f64;
        let (mut chi2, mut n_likely) = (0.0, 0.0);
        for (outcome, weight) in weights(&state) {
            let expected = weight as f64 / total * f64::from(n_draws);
            let found = counts.get(&outcome).copied().unwrap_or(0.0);
            // Rare outcomes say nothing at this number of draws.
            if expected > 5.0 {
                chi2 += (found - expected).powi(2) / expected;
                n_likely += 1.0;
            }
        }
        // Mean n - 1, variance 2 (n - 1): five deviations above.
        let limit = n_likely + 5.0 * f64::sqrt(2.0 * n_likely);
        assert!(
            chi2 < limit,
            "{attack:?}: chi-square {chi2} of {n_likely} outcomes"
        );
    }
}
