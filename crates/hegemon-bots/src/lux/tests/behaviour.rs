//! Behaviour on hand-made positions of the classic map in Lux numbering: each
//! rule of docs/spec/lux.md 6 and 7 at least once.

use hegemon_core::{Node, Outcome, PlayerId, Rng, State, View};

use super::game;
use crate::lux::{LuxBot, LuxKind, LuxOptions};
use crate::policy::Policy;

/// How battles to the end come out.
#[derive(Clone, Copy)]
enum Luck {
    /// The attacker wins without a loss.
    Good,
    /// The attacker loses all armies, the defender none.
    Bad,
}

/// A board: everything `default`, then changes (territory, owner, armies).
fn board(default: &str, changes: &[(usize, char, u32)]) -> String {
    let cell = |t: usize| match changes.iter().rev().find(|change| change.0 == t) {
        Some((_, owner, armies)) => format!("{owner}{armies}"),
        None => default.to_owned(),
    };
    format!("board={}", (0..42).map(cell).collect::<String>())
}

/// The players without territories are out of the game.
fn absent(position: &str, n_players: usize) -> String {
    let cells = position.split_whitespace().next().unwrap_or("");
    let letters = cells.trim_start_matches("board=");
    let missing = ["a", "b", "c"].iter().take(n_players).enumerate();
    let missing = missing.filter(|(_, letter)| !letters.contains(**letter));
    let outs = missing
        .enumerate()
        .map(|(order, (seat, _))| format!(" out={seat}@{order}.0"));
    outs.collect()
}

/// The rest of a player's turn from a position, as text.
struct Scenario {
    preset: &'static str,
    n_players: usize,
    options: LuxOptions,
    luck: Luck,
}

const CARDLESS: Scenario = Scenario {
    preset: "draft",
    n_players: 3,
    options: LuxOptions {
        cards_phase_without_cards: true,
        later_sdk: false,
        border_force: Some(10),
        kin: 0,
    },
    luck: Luck::Good,
};

const UNLUCKY: Scenario = Scenario {
    luck: Luck::Bad,
    ..CARDLESS
};

impl Scenario {
    /// All moves of the first player until another is to move.
    fn turn(&self, name: &str, position: &str) -> String {
        let game = game("classic-lux", self.preset, self.n_players);
        let text = format!(
            "{position}{} player=0 round=1",
            absent(position, self.n_players)
        );
        let mut state = State::from_position(&game, &text).expect("a position");
        let kind = LuxKind::named(name).expect("a Lux bot");
        let mut bot = LuxBot::new(kind, self.options);
        let mut rng = Rng::from_seed(5);
        let mut moves = Vec::new();
        loop {
            match state.node() {
                Node::Decision(player) if player == PlayerId::new(0) && state.round() == 1 => {
                    let mv = bot.choose(View::of_mover(&state), &mut rng);
                    state.play(mv).expect("legal");
                    moves.push(mv.to_string());
                }
                Node::Chance if state.front().is_some() => self.fight(&mut state),
                _ => return moves.join(" "),
            }
        }
    }

    fn fight(&self, state: &mut State) {
        let (from, to) = state.front().expect("in battle");
        let (attacker, defender) = (state.board().armies(from) - 1, state.board().armies(to));
        let (attacker_losses, defender_losses) = match self.luck {
            Luck::Good => (0, defender),
            Luck::Bad => (attacker, 0),
        };
        let outcome = Outcome::Battle {
            attacker_losses,
            defender_losses,
        };
        state.resolve(outcome).expect("possible");
    }

    #[track_caller]
    fn check(&self, name: &str, position: &str, expected: &str) {
        assert_eq!(self.turn(name, position), expected, "{name} at {position}");
    }
}

/// Australia and its entrance: mine, with `indonesia` armies on Indonesia.
fn australia(indonesia: u32) -> Vec<(usize, char, u32)> {
    vec![(0, 'a', 1), (1, 'a', 1), (2, 'a', 1), (3, 'a', indonesia)]
}

#[test]
fn angry_piles_up_and_strikes() {
    // 12 has six enemy neighbours, 11 only two.
    let position = board("b3", &[(11, 'a', 1), (12, 'a', 2)]) + " phase=reinforce place=3";
    UNLUCKY.check("angry", &position, "p12x3 a12>5x4 end end");
}

#[test]
fn angry_goes_where_enemies_are() {
    // Conquering 10 from 11: 11 keeps one enemy, 10 has five.
    let position = board("b3", &[(11, 'a', 9), (10, 'c', 1), (8, 'a', 1)]) + " phase=attack";
    let moves = CARDLESS.turn("angry", &position);
    assert!(moves.starts_with("a11>10x8 o8"), "{moves}");
}

#[test]
fn stinky_needs_half_more() {
    let position = board("b4", &[(11, 'a', 6), (8, 'b', 4)]) + " phase=attack";
    CARDLESS.check("stinky", &position, "end end");
    let position = board("b4", &[(11, 'a', 7), (8, 'b', 4)]) + " phase=attack";
    UNLUCKY.check("stinky", &position, "a11>8x6 end end");
}

#[test]
fn communist_levels_and_raids_once() {
    // The weakest neighbour of all is 13; the strongest front does not matter.
    let cells = [(10, 'a', 5), (11, 'a', 1), (13, 'b', 2), (8, 'a', 1)];
    let position = board("b9", &cells) + " phase=reinforce place=3";
    UNLUCKY.check(
        "communist",
        &position,
        "p8x2 p11x1 a10>13x4 end f8>10x1 end",
    );
}

#[test]
fn communist_spares_its_kind() {
    let options = LuxOptions {
        kin: 0b010,
        ..CARDLESS.options
    };
    let scenario = Scenario {
        options,
        luck: Luck::Bad,
        ..CARDLESS
    };
    let cells = [(11, 'a', 5), (8, 'b', 1), (10, 'c', 3)];
    let position = board("b9", &cells) + " phase=attack";
    scenario.check("communist", &position, "a11>10x4 end end");
    UNLUCKY.check("communist", &position, "a11>8x4 end end");
}

#[test]
fn trotsky_stays_in_its_targets() {
    // Its best continent is Africa, so weak Brazil is left alone.
    let cells = [(12, 'a', 9), (9, 'a', 9), (8, 'a', 9), (5, 'b', 1)];
    let position = board("b3", &cells) + " phase=reinforce place=3";
    let moves = UNLUCKY.turn("trotsky", &position);
    assert_eq!(moves.split_whitespace().nth(3), Some("a8>10x9"), "{moves}");
}

#[test]
fn cluster_guards_its_continent() {
    // Siam is a border of the cluster around Australia, Indonesia is not.
    let mut cells = australia(3);
    cells.push((32, 'a', 1));
    let position = board("b5", &cells) + " phase=reinforce place=3";
    CARDLESS.check("cluster", &position, "p32x3 end f3>32x2 end");
}

#[test]
fn cluster_expands_where_one_enemy_is() {
    // Indonesia has one enemy: all move in. Siam then has two, and may split.
    let position = board("b9", &[&australia(6)[..], &[(32, 'c', 2)]].concat()) + " phase=attack";
    CARDLESS.check("cluster", &position, "a3>32x5 o5 end end");
}

#[test]
fn cluster_fills_out_with_the_fewest() {
    // 31 is surrounded by 30, 32, 33 and 34; 30 comes first from the root 33.
    let cells = [
        (30, 'a', 6),
        (32, 'a', 2),
        (33, 'a', 7),
        (34, 'a', 2),
        (31, 'b', 1),
    ];
    let position = board("c9", &cells) + " phase=attack";
    let moves = CARDLESS.turn("cluster", &position);
    assert!(moves.starts_with("a33>31x6 o3 "), "{moves}");
}

#[test]
fn cluster_consolidates_against_a_shared_enemy() {
    // 0 and 2 have only enemy 1 (2 and 0 are neighbours); together 6 beat 4.
    let cells = [
        (0, 'a', 3),
        (2, 'a', 3),
        (3, 'a', 1),
        (1, 'b', 4),
        (32, 'a', 1),
    ];
    let position = board("c9", &cells) + " phase=attack";
    let moves = UNLUCKY.turn("cluster", &position);
    assert!(moves.starts_with("a0>1x2 a2>1x2 "), "{moves}");
}

#[test]
fn cluster_splits_up_when_it_outnumbers_all() {
    // 3 against 1 and 2 (1 each) and 32 (2): 12 > 1.2 * 4, a third each.
    let cells = [(3, 'a', 12), (1, 'b', 1), (2, 'b', 1), (32, 'b', 2)];
    let position = board("c99", &cells) + " phase=attack";
    let moves = CARDLESS.turn("cluster", &position);
    assert!(
        moves.starts_with("a3>1x11 o4 a3>2x7 o4 a3>32x3 o3 "),
        "{moves}"
    );
}

#[test]
fn cluster_moves_in_by_its_goal() {
    // Without a goal continent nothing more than the fewest moves in.
    let cells = [(8, 'a', 9), (9, 'b', 1), (10, 'b', 2), (11, 'b', 2)];
    let position = format!(
        "{} phase=occupy front=8>9x3",
        board("c9", &cells).replace("b1b2b2", "a0b2b2")
    );
    let moves = CARDLESS.turn("quo", &position);
    assert!(moves.starts_with("o3 "), "{moves}");
}

#[test]
fn shaft_stops_growing_once_it_conquered() {
    // After the easy expansion nothing is swept: Siam would be next.
    let mut cells = australia(9);
    cells.push((32, 'b', 1));
    let position = board("c1", &cells) + " phase=attack";
    let moves = CARDLESS.turn("shaft", &position);
    assert!(moves.starts_with("a3>32x8 o8 end"), "{moves}");
}

#[test]
fn shaft_sweeps_a_front_that_stays_short() {
    // From 7 the ways through South America close up again: its front of two
    // ends in one territory, so 7 attacks regardless of odds.
    let position = board("b3", &[(14, 'a', 3), (15, 'a', 1), (16, 'a', 1)]) + " phase=attack";
    let moves = UNLUCKY.turn("shaft", &position);
    assert_eq!(moves.split_whitespace().next(), Some("a14>7x2"), "{moves}");
}

#[test]
fn quo_attacks_for_a_card_and_moves_half() {
    // Nothing else to do: two enemies at the best odds of the board.
    let scenario = Scenario {
        preset: "lux",
        ..CARDLESS
    };
    let cells = [(8, 'a', 9), (9, 'b', 4), (10, 'b', 5), (11, 'b', 6)];
    let position = board("c99", &cells) + " phase=attack";
    let moves = scenario.turn("quo", &position);
    assert!(moves.starts_with("a8>9x8 o4 end"), "{moves}");
    // Boscoe moves in as few as allowed.
    let moves = scenario.turn("boscoe", &position);
    assert!(moves.starts_with("a8>9x8 o3 end"), "{moves}");
    // Without cards there is no such attack.
    let moves = CARDLESS.turn("quo", &position);
    assert!(moves.starts_with("end"), "{moves}");
}

#[test]
fn quo_trades_once_and_angry_waits() {
    let scenario = Scenario {
        preset: "lux",
        ..CARDLESS
    };
    let cells = [(8, 'a', 1)];
    let hand = " phase=trade place=3 hand=0@0.3.6.9";
    let position = board("c9", &cells) + hand;
    let moves = scenario.turn("quo", &position);
    assert!(moves.starts_with("t0.3.6 p8x7"), "{moves}");
    let moves = scenario.turn("angry", &position);
    assert!(moves.starts_with("end p8x3"), "{moves}");
    let forced = board("c9", &cells) + " phase=trade place=3 hand=0@0.1.3.4.7";
    let moves = scenario.turn("angry", &forced);
    assert!(moves.starts_with("t1.4.7 "), "{moves}");
}

#[test]
fn yakool_turns_on_a_dominant_player() {
    // Player 1 holds South America and most of the rest: all armies go to the
    // start of the cheapest way into one of its continents, and along it.
    let cells = [(14, 'a', 5), (8, 'a', 2), (7, 'b', 1), (30, 'c', 9)];
    let position = board("b9", &cells) + " phase=reinforce place=6";
    let moves = CARDLESS.turn("yakool", &position);
    assert!(moves.starts_with("p14x6 a14>7x10 o10 "), "{moves}");
    let moves = CARDLESS.turn("boscoe", &position);
    assert!(moves.starts_with("p14x6 a14>7x10 o10 "), "{moves}");
    let moves = CARDLESS.turn("evil-pixie", &position);
    assert!(moves.starts_with("p14x6 a14>7x10 "), "{moves}");
}

#[test]
fn boscoe_never_splits_up() {
    let cells = [(3, 'a', 12), (1, 'b', 1), (2, 'b', 1), (32, 'b', 2)];
    let position = board("c9", &cells) + " phase=attack";
    CARDLESS.check("boscoe", &position, "end end");
    let moves = CARDLESS.turn("yakool", &position);
    assert!(moves.starts_with("a3>1x11 o4 "), "{moves}");
}

#[test]
fn bort_expands_once() {
    // A chain of single enemies along Australia: boscoe takes all, bort one.
    let cells = [(0, 'a', 20), (2, 'a', 1), (1, 'b', 1), (3, 'b', 1)];
    let position = board("c9", &cells) + " phase=attack";
    let bort = CARDLESS.turn("bort", &position);
    let boscoe = CARDLESS.turn("boscoe", &position);
    assert!(
        bort.matches('a').count() < boscoe.matches('a').count(),
        "{bort} | {boscoe}"
    );
}

#[test]
fn pixie_wants_what_it_can_afford() {
    // Australia lacks one weak territory: wanted, helped, taken. The armies
    // beyond that go near enemies.
    let cells = [
        (0, 'a', 3),
        (1, 'a', 3),
        (2, 'a', 3),
        (3, 'b', 2),
        (38, 'a', 1),
    ];
    let position = board("c9", &cells) + " phase=reinforce place=6";
    let moves = UNLUCKY.turn("pixie", &position);
    assert!(moves.starts_with("p1x6 a1>3x8 a2>3x2 end"), "{moves}");
}

#[test]
fn evil_pixie_needs_a_third_more() {
    let cells = [(0, 'a', 1), (1, 'a', 5), (2, 'a', 1), (3, 'b', 4)];
    let position = board("c9", &cells) + " phase=attack";
    let moves = UNLUCKY.turn("evil-pixie", &position);
    assert!(moves.starts_with("end"), "5 against 4 is too few: {moves}");
}

#[test]
fn evil_pixie_breaks_continents_and_kills_the_weak() {
    // Australia belongs to player 1 alone: its border is attacked.
    let cells = [
        (32, 'a', 6),
        (0, 'b', 1),
        (1, 'b', 1),
        (2, 'b', 1),
        (3, 'b', 5),
    ];
    let position = board("c3", &cells) + " phase=attack";
    let moves = UNLUCKY.turn("evil-pixie", &position);
    assert!(moves.contains("a32>3x5"), "{moves}");
    // Player 1 has less than a fifth: it is attacked whatever the odds.
    let cells = [(32, 'a', 2), (31, 'a', 60), (3, 'b', 9)];
    let position = board("c60", &cells) + " phase=attack";
    let moves = UNLUCKY.turn("evil-pixie", &position);
    assert!(moves.contains("a32>3x1"), "{moves}");
}

#[test]
fn evil_pixie_outnumbers_with_the_last_or_the_strongest() {
    // Far ahead, it places next to enemies that outnumber their neighbours.
    let cells = [(0, 'a', 2), (1, 'a', 4), (3, 'a', 3), (2, 'b', 5)];
    let position = board("a9", &cells) + " phase=reinforce place=2";
    let moves = CARDLESS.turn("evil-pixie", &position);
    assert!(
        moves.starts_with("p3x2 "),
        "2009 takes the last neighbour: {moves}"
    );
    let options = LuxOptions {
        later_sdk: true,
        ..CARDLESS.options
    };
    let moves = Scenario {
        options,
        ..CARDLESS
    }
    .turn("evil-pixie", &position);
    assert!(moves.starts_with("p1x1 "), "later the strongest: {moves}");
}

#[test]
fn better_pixie_campaigns_with_enough() {
    let cells = [(0, 'a', 4), (1, 'a', 4), (2, 'a', 4), (3, 'b', 2)];
    let position = board("c9", &cells) + " phase=reinforce place=3";
    let moves = CARDLESS.turn("better-pixie", &position);
    assert!(moves.starts_with("p1x3 a1>3x6 "), "{moves}");
    // Too few friends: nothing is attacked.
    let cells = [(0, 'a', 4), (1, 'b', 4), (2, 'b', 4), (3, 'b', 4)];
    let position = board("c9", &cells) + " phase=reinforce place=3";
    let moves = CARDLESS.turn("better-pixie", &position);
    assert_eq!(moves, "p0x3 end end");
}

#[test]
fn killbot_hunts_the_weak() {
    // Player 1 lives in Australia with four armies: one way leads through all.
    let cells = [
        (32, 'a', 9),
        (0, 'b', 1),
        (1, 'b', 1),
        (2, 'b', 1),
        (3, 'b', 1),
        (31, 'a', 5),
    ];
    let position = board("c3", &cells) + " phase=reinforce place=3";
    for hunter in ["killbot", "vulture"] {
        let moves = CARDLESS.turn(hunter, &position);
        let plan = "p32x3 a32>3x11 o11 a3>1x10 o10 a1>0x9 o9 a0>2x8 o8 end";
        assert!(moves.starts_with(plan), "{hunter}: {moves}");
    }
    // A bare better-pixie does not.
    let moves = CARDLESS.turn("better-pixie", &position);
    assert!(!moves.contains("a0>2"), "{moves}");
}

#[test]
fn killbot_gives_up_a_lost_plan() {
    let cells = [
        (32, 'a', 9),
        (0, 'b', 1),
        (1, 'b', 1),
        (2, 'b', 1),
        (3, 'b', 1),
        (31, 'a', 5),
    ];
    let position = board("c3", &cells) + " phase=reinforce place=3";
    let moves = UNLUCKY.turn("killbot", &position);
    assert!(moves.starts_with("p32x3 a32>3x11 end"), "{moves}");
}

#[test]
fn a_captured_hand_interrupts_the_attack() {
    // Player 1 falls with five cards: killbot trades three, places and attacks
    // on, now through player 2, who is left with two territories of one army.
    let scenario = Scenario {
        preset: "lux",
        ..CARDLESS
    };
    let cells = [(3, 'b', 1), (4, 'c', 1), (6, 'c', 1)];
    let position = board("a2", &cells) + " phase=reinforce place=3 hand=1@0.3.6.9.12";
    let expected = "p32x3 a32>3x4 o4 t0.3.9 p7x4 a7>6x5 o5 a6>4x4 o4";
    scenario.check("killbot", &position, expected);
}

#[test]
fn the_far_ahead_attack_everything() {
    // More armies than all others together: even 2 against 1 and 1 against 2.
    let cells = [(0, 'b', 1), (1, 'c', 1), (4, 'b', 1)];
    let position = board("a3", &cells) + " phase=attack";
    for name in ["quo", "boscoe", "cluster", "communist", "pixie", "killbot"] {
        let moves = CARDLESS.turn(name, &position);
        for target in [">0x", ">1x", ">4x"] {
            assert!(moves.contains(target), "{name}: {moves}");
        }
    }
}

#[test]
fn one_fortification_moves_the_most() {
    // Under rules with one move only the largest of the plan is made.
    let scenario = Scenario {
        preset: "classic",
        ..CARDLESS
    };
    let cells = [(0, 'a', 5), (1, 'a', 9), (2, 'a', 1), (3, 'a', 1)];
    let position = board("c9", &cells) + " phase=fortify";
    scenario.check("quo", &position, "f1>3x8");
    CARDLESS.check("quo", &position, "f1>3x8 f0>1x4 end");
}

#[test]
fn boring_and_empty_do_nothing() {
    let position = board("c1", &australia(9)) + " phase=attack";
    CARDLESS.check("boring", &position, "end end");
    CARDLESS.check("empty", &position, "end end");
}

#[test]
fn angry_fortifies_towards_enemies() {
    // 3 alone has an enemy: 1 and 2 go there; 0 touches none of them and walks
    // at random.
    let cells = [(0, 'a', 1), (1, 'a', 4), (2, 'a', 5), (3, 'a', 2)];
    let position = board("c9", &cells) + " phase=fortify";
    CARDLESS.check("angry", &position, "f1>3x3 f2>3x4 end");
}

#[test]
fn the_memory_of_a_dominant_player_is_a_switch() {
    let game = game("classic-lux", "draft", 3);
    for (called, expected) in [(true, "end"), (false, "a14>16x8")] {
        let options = LuxOptions {
            cards_phase_without_cards: called,
            ..CARDLESS.options
        };
        let mut bot = LuxBot::new(LuxKind::Boscoe, options);
        let mut rng = Rng::from_seed(1);
        let cells = [(14, 'a', 5), (8, 'a', 2), (7, 'b', 1), (30, 'c', 9)];
        let dominated = board("b9", &cells) + " phase=reinforce place=6 round=1 player=0";
        let state = State::from_position(&game, &dominated).expect("a position");
        bot.choose(View::of_mover(&state), &mut rng);
        // A turn later no player dominates; the bot either still attacks
        // Europe, which player 1 held, or has forgotten it.
        let cells = [(14, 'a', 9), (4, 'b', 1), (7, 'b', 1)];
        let calm = board("c1", &cells) + " phase=attack round=2 player=0";
        let state = State::from_position(&game, &calm).expect("a position");
        let mv = bot.choose(View::of_mover(&state), &mut rng);
        assert_eq!(mv.to_string(), expected, "called: {called}");
    }
}
