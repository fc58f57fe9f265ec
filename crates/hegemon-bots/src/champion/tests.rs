use std::sync::Arc;

use hegemon_core::{Event, Game, Map, Move, PlayerId, Rng, Rules, State, View};

use super::beliefs::Beliefs;
use super::look::Then;
use super::stand_in::StandIn;
use super::suspects::Suspects;
use crate::bot::{Bot, Forfeit, Seating, tell_all};
use crate::loader::Grants;
use crate::play_on::{Seats, play_on};
use crate::registry::{self, build};

fn game(rules: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    Game::new(map, Rules::preset(rules).expect("shipped"), n_players).expect("a game")
}

fn seat(spec: &str, game: &Arc<Game>, seat: usize, grants: &Grants) -> Box<dyn Bot> {
    let seating = Seating {
        game,
        seat: PlayerId::new(seat),
        seed: 7 + seat as u64,
        grants,
    };
    build(&spec.parse().expect("a spec"), &seating).expect("it plays")
}

/// Bots that are told what happens, as the arena does, and the moves that were made.
struct Told<'a> {
    bots: Vec<Box<dyn Bot>>,
    rng: Rng,
    moves: Vec<Move>,
    /// Hears of every move.
    hear: &'a mut dyn FnMut(&State, Move),
}

impl Seats for Told<'_> {
    type Failure = Forfeit;

    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, Forfeit> {
        let mv = self.bots[player.index()].choose(View::of_mover(state))?;
        assert!(state.is_legal(mv), "{mv}");
        tell_all(&mut self.bots, state, Event::Move(mv));
        (self.hear)(state, mv);
        self.moves.push(mv);
        state.play_unchecked(mv);
        Ok(1)
    }

    fn chance(&mut self, state: &mut State) {
        state.resolve_sampled(&mut self.rng);
    }
}

/// The first moves of a game.
fn play(
    game: &Arc<Game>,
    specs: &[&str],
    n_moves: u32,
    hear: &mut dyn FnMut(&State, Move),
) -> Vec<Move> {
    let grants = Grants::sealed();
    let bots = specs.iter().enumerate();
    let mut seats = Told {
        bots: bots.map(|(n, spec)| seat(spec, game, n, &grants)).collect(),
        rng: Rng::from_seed(3),
        moves: Vec::new(),
        hear,
    };
    let (_, forfeit) = play_on(&mut game.start(), &mut seats, |_, n| n >= n_moves);
    assert!(forfeit.is_none());
    seats.moves
}

#[test]
fn plays_the_same_on_any_number_of_threads() {
    for rules in ["lux", "draft"] {
        let game = game(rules, 3);
        let of = |spec| play(&game, &[spec, "killbot", "quo"], 120, &mut |_, _| ());
        let one = of("champion(looks=2)");
        assert_eq!(one, of("champion(looks=2,threads=3)"), "{rules}");
    }
}

#[test]
fn plays_by_every_preset_at_every_level() {
    for (level, rules) in (1..=8).zip(Rules::PRESETS.iter().cycle()) {
        let n_players = if *rules == "sampling" { 2 } else { 4 };
        let champion = format!("champion(level={level})");
        let specs: Vec<&str> = (0..n_players)
            .map(|n| if n == 1 { &*champion } else { "killbot" })
            .collect();
        let moves = play(&game(rules, n_players), &specs, 100, &mut |_, _| ());
        assert!(moves.len() >= 20, "{rules} {level}");
    }
}

#[test]
fn whoever_was_watched_is_known() {
    let game = game("lux", 3);
    let suspects = ["killbot", "quo", "evil-pixie", "angry", "cluster"];
    let grants = Grants::sealed();
    let stand_in = |name: &&str| StandIn::new(&name.parse().expect("a spec"), &game, &grants);
    let players = suspects.iter().map(|s| stand_in(s).expect("plays"));
    let suspected = Arc::new(Suspects::alike(players.collect()));
    let mut beliefs = Beliefs::new(&suspected, 3, Rng::from_seed(9));
    let specs = ["angry", "quo", "cluster"];
    play(&game, &specs, 300, &mut |state, mv| {
        if state.player() != PlayerId::new(0) {
            beliefs.observe(View::new(state, PlayerId::new(0)), mv);
        }
    });
    let posteriors = beliefs.posteriors();
    for (n, spec) in specs.iter().enumerate().skip(1) {
        let posterior = &posteriors[n];
        let place = suspects.iter().position(|s| s == spec).expect("a suspect");
        assert!(posterior[place] > 0.5, "{spec}: {posterior:?}");
        assert!((posterior.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        // Nobody is ever out of the question: a wrong guess must not hurt for long.
        assert!(posterior.iter().all(|p| *p > 0.005), "{posterior:?}");
    }
}

#[test]
fn a_stranger_is_as_expected_until_seen() {
    let game = game("sampling", 2);
    let grants = Grants::sealed();
    let stand_in = |name: &str| StandIn::new(&name.parse().expect("a spec"), &game, &grants);
    let players: Vec<StandIn> = ["killbot", "baseline", "quo", "simulation"]
        .iter()
        .map(|name| stand_in(name).expect("plays"))
        .collect();
    let alike = Suspects::alike(players);
    let of = |suspects| Beliefs::new(&Arc::new(suspects), 2, Rng::from_seed(1)).posteriors();
    for (suspects, expected) in [(alike.clone(), 0.25), (alike.mostly(1), 0.925)] {
        for chances in of(suspects) {
            assert!((chances[1] - expected).abs() < 1e-9, "{chances:?}");
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

/// What somebody who has seen all moves of a game of a player thinks of it.
fn watched(rival: &str, n_moves: u32) -> Beliefs {
    let game = game("sampling", 2);
    let grants = Grants::sealed();
    let stand_in = |name: &&str| StandIn::new(&name.parse().expect("a spec"), &game, &grants);
    let players = ["killbot", "baseline", "quo", "simulation", "evil-pixie"];
    let players = players.iter().map(|name| stand_in(name).expect("plays"));
    let suspects = Arc::new(Suspects::alike(players.collect()));
    let mut beliefs = Beliefs::new(&suspects, 2, Rng::from_seed(5));
    play(&game, &["killbot", rival], n_moves, &mut |state, mv| {
        if state.player() == PlayerId::new(1) {
            beliefs.observe(View::new(state, PlayerId::new(0)), mv);
        }
    });
    beliefs
}

#[test]
fn who_plays_like_no_suspect_is_a_stranger() {
    let rival = PlayerId::new(1);
    for known in ["killbot", "baseline", "simulation", "evil-pixie"] {
        assert!(!watched(known, 200).is_stranger(rival), "{known}");
    }
    for stranger in ["goal-uct(ahead=0)", "random"] {
        let beliefs = watched(stranger, 200);
        assert!(beliefs.is_stranger(rival), "{stranger}");
        // Of who has not moved nothing is said.
        assert!(!beliefs.is_stranger(PlayerId::new(0)));
        assert!(!watched(stranger, 0).is_stranger(rival));
    }
}

#[test]
fn goals_are_candidates_with_a_legal_first_move() {
    for (spec, has_goals) in [("champion", true), ("champion(goals=off)", false)] {
        let game = game("classic", 3);
        let grants = Grants::sealed();
        let seating = Seating {
            game: &game,
            seat: PlayerId::new(0),
            seed: 1,
            grants: &grants,
        };
        let spec = spec.parse().expect("a spec");
        let settings = registry::settings(&spec).expect("settings");
        let params = super::params(&settings, &seating).expect("it plays");
        let mut n_goals = 0;
        play(&game, &["killbot", "quo", "angry"], 400, &mut |state, _| {
            for candidate in params.candidates(state, &mut Rng::from_seed(2)) {
                if let Then::Pursue(_) = candidate.then {
                    let first = candidate.action.moves()[0];
                    assert!(state.is_legal(first), "{first}");
                    n_goals += 1;
                }
            }
        });
        assert_eq!(n_goals > 0, has_goals);
    }
}

#[test]
fn takes_the_last_territory() {
    let game = game("lux", 2);
    let board: String = game
        .map()
        .territories()
        .map(|t| if t.index() == 0 { "b1" } else { "a20" })
        .collect();
    let text = format!("board={board} phase=attack player=0 round=3");
    let state = State::from_position(&game, &text).expect("a position");
    let mut bot = seat("champion(looks=3)", &game, 0, &Grants::sealed());
    let mv = bot.choose(View::of_mover(&state)).expect("plays");
    assert!(
        matches!(mv, Move::Attack { to, .. } if to.index() == 0),
        "{mv}"
    );
}
