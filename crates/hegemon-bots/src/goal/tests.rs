//! Decisions on positions simple enough to check by hand.

use std::sync::Arc;

use hegemon_core::{Game, Map, Move, PlayerId, Rules, State, TerritoryId, View};

use crate::bot::Seating;
use crate::loader::Grants;
use crate::registry::build;

/// The specs that must pass every test: the paper's form with exact battles and
/// with dice in the trees, and ours.
const FORMS: [&str; 3] = [
    "goal-uct(phases=attack,eval=income,goals=continent+eliminate+deny,ahead=0,iters=100)",
    "goal-uct(phases=attack,eval=income,battles=sampled,goals=continent+eliminate+deny,odds=0.7,\
     gain=20,ahead=0,iters=100)",
    "goal-uct",
];

fn game(n_players: usize) -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    Game::new(map, Rules::preset("lux").expect("shipped"), n_players).expect("a game")
}

fn named(game: &Game, name: &str) -> TerritoryId {
    game.map().territory_named(name).expect(name)
}

/// The attack phase of player a. `holdings` name owner, armies and territory; all
/// else is b's and c's in turn, nine armies each, so that it cannot be taken.
fn attack_phase(game: &Arc<Game>, holdings: &[(char, u32, &str)], rest: &str) -> State {
    let mut board = String::new();
    for territory in game.map().territories() {
        let name = game.map().territory_name(territory);
        let (owner, armies) = match holdings.iter().find(|(_, _, known)| *known == name) {
            Some(&(owner, armies, _)) => (owner, armies),
            None if territory.index() % 2 == 0 => ('b', 9),
            None => ('c', 9),
        };
        board += &format!("{owner}{armies}");
    }
    let text = format!("board={board} phase=attack player=0 round=3 {rest}");
    State::from_position(game, &text).expect("a position")
}

fn choose(spec: &str, state: &State, seed: u64) -> Move {
    let spec = spec.parse().expect("a spec");
    let seating = Seating {
        game: state.game(),
        seat: PlayerId::new(0),
        seed,
        grants: &Grants::sealed(),
    };
    let mut bot = build(&spec, &seating).expect("it plays");
    bot.choose(View::of_mover(state))
        .expect("it never forfeits")
}

/// Every form attacks this territory.
fn assert_attacks(state: &State, target: &str) {
    let target = named(state.game(), target);
    for spec in FORMS {
        let mv = choose(spec, state, 1);
        assert!(
            matches!(mv, Move::Attack { to, .. } if to == target),
            "{spec}: {mv}"
        );
    }
}

#[test]
fn takes_a_continent_that_is_open() {
    let game = game(3);
    let holdings = [
        ('a', 1, "New Guinea"),
        ('a', 3, "Indonesia"),
        ('a', 8, "Western Australia"),
        ('b', 1, "Eastern Australia"),
    ];
    let state = attack_phase(&game, &holdings, "");
    assert_attacks(&state, "Eastern Australia");
}

#[test]
fn finishes_a_weak_player_who_holds_cards() {
    let game = game(4);
    let holdings = [
        ('a', 12, "South Africa"),
        ('d', 1, "Madagascar"),
        ('a', 2, "New Guinea"),
    ];
    let state = attack_phase(&game, &holdings, "hand=0@0 hand=3@3.4.7.10");
    assert_attacks(&state, "Madagascar");
}

#[test]
fn breaks_a_continent_about_to_pay() {
    let game = game(3);
    let holdings = [
        ('a', 12, "Siam"),
        ('b', 2, "Indonesia"),
        ('b', 3, "New Guinea"),
        ('b', 3, "Western Australia"),
        ('b', 3, "Eastern Australia"),
    ];
    // After a conquest there is no further card to win.
    let state = attack_phase(&game, &holdings, "conquered=1");
    assert_attacks(&state, "Indonesia");
}

#[test]
fn stops_when_attacks_only_lose() {
    let game = game(3);
    let holdings = [
        ('a', 4, "New Guinea"),
        ('a', 4, "Indonesia"),
        ('a', 4, "Western Australia"),
        ('a', 4, "Eastern Australia"),
        ('b', 40, "Siam"),
    ];
    let state = attack_phase(&game, &holdings, "conquered=1");
    for spec in FORMS {
        assert_eq!(choose(spec, &state, 1), Move::End, "{spec}");
    }
}

#[test]
fn the_same_seed_gives_the_same_move_on_any_number_of_threads() {
    let game = game(4);
    for seed in 0..3 {
        let mut state = game.deal(seed);
        let mut rng = hegemon_core::Rng::from_seed(seed);
        let mut policy = crate::rules::Simulation;
        crate::policy::playout(&mut state, &mut policy, &mut rng, 150);
        while state.phase() != hegemon_core::Phase::Attack {
            crate::policy::playout(&mut state, &mut policy, &mut rng, 1);
        }
        let spec = |threads| format!("goal-uct(iters=40,threads={threads})");
        let seating = Seating {
            game: &game,
            seat: state.player(),
            seed,
            grants: &Grants::sealed(),
        };
        let mv = |threads| {
            let spec = spec(threads).parse().expect("a spec");
            let mut bot = build(&spec, &seating).expect("it plays");
            bot.choose(View::of_mover(&state)).expect("a move")
        };
        assert_eq!(mv(1), mv(1));
        assert_eq!(mv(1), mv(3));
    }
}

#[test]
fn rivals_are_the_base_unless_others_are_named() {
    let game = game(3);
    let state = attack_phase(&game, &[('a', 12, "Brazil"), ('b', 2, "Peru")], "");
    let decide = |spec: &str| [1, 2, 3, 4].map(|seed| choose(spec, &state, seed));
    assert_eq!(decide("goal-uct"), decide("goal-uct(rivals=killbot)"));
    let spec = "goal-uct(rivals=killbot+quoo)"
        .parse()
        .expect("well formed");
    let seating = Seating {
        game: &game,
        seat: PlayerId::new(0),
        seed: 1,
        grants: &Grants::sealed(),
    };
    let error = build(&spec, &seating).err().expect("refused").to_string();
    assert!(error.contains("did you mean \"quo\"?"), "{error}");
}
