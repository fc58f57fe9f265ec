//! Every searching bot plays every kind of game, legally and reproducibly.

use std::sync::Arc;

use hegemon_core::{ByPlayer, Game, Map, Move, Node, PlayerId, Rules, State, Streams, View};

use super::game;
use crate::search::SEARCH_BOTS;
use crate::{Bot, Grants, Seating, Spec, build};

fn bot(game: &Arc<Game>, spec: &str, seat: PlayerId, seed: u64) -> Box<dyn Bot> {
    let spec: Spec = spec.parse().expect(spec);
    build(
        &spec,
        &Seating {
            game,
            seat,
            seed,
            grants: &Grants::sealed(),
        },
    )
    .expect("the bot plays this game")
}

/// Plays at most `limit` decisions; the moves made and the state reached.
fn play(game: &Arc<Game>, specs: &[&str], seed: u64, limit: usize) -> (Vec<Move>, State) {
    let mut bots: Vec<Box<dyn Bot>> = game
        .seats()
        .map(|seat| bot(game, specs[seat.index() % specs.len()], seat, seed))
        .collect();
    let mut streams = Streams::new(seed);
    let mut state = game.start();
    let mut moves = Vec::new();
    while moves.len() < limit {
        match state.node() {
            Node::Terminal => break,
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve(outcome).expect("drawn, so possible");
            }
            Node::Decision(seat) => {
                let mv = bots[seat.index()]
                    .choose(View::of_mover(&state))
                    .expect("no forfeit");
                state
                    .play(mv)
                    .unwrap_or_else(|error| panic!("{error} {}", state.to_position()));
                moves.push(mv);
            }
        }
    }
    (moves, state)
}

const CHEAP: [&str; 9] = [
    "mcts-tuned(iters=12)",
    "mcts(k=5,iters=12)",
    "mcts-baseline(k=5,iters=12,occupy=eval)",
    "emm(depth=2,width=3,samples=5)",
    "greedy(samples=30)",
    "rollout(playouts=1,cap=30)",
    "rollout(base=random,playouts=1,cap=10)",
    "mcts(iters=8,leaf=eval,opponents=mpmix,worlds=2)",
    "mcts(iters=8,playout=greedy(samples=4),leaf=truncated,depth=3,reuse=off)",
];

#[test]
fn every_bot_plays_every_preset() {
    for preset in Rules::PRESETS {
        let rules = Rules::preset(preset).expect("shipped");
        for n_players in [2, 3, 6] {
            if !(rules.players[0]..=rules.players[1]).contains(&(n_players as u8)) {
                continue;
            }
            let game = game("classic", preset, n_players);
            for shift in 0..CHEAP.len() {
                let specs: Vec<&str> = (0..n_players)
                    .map(|seat| CHEAP[(seat + shift) % CHEAP.len()])
                    .collect();
                play(&game, &specs, shift as u64, 130);
            }
        }
    }
}

#[test]
fn every_bot_plays_missions_and_capitals() {
    let mut missions = Rules::preset("lux").expect("shipped");
    missions.victory = hegemon_core::rules::Victory::Missions;
    let mut capitals = Rules::preset("classic").expect("shipped");
    capitals.victory = hegemon_core::rules::Victory::Capitals {
        hold: 2,
        extra_die: true,
    };
    for rules in [missions, capitals] {
        let map = Map::builtin("classic").expect("shipped");
        let game = Game::new(map, rules, 3).expect("a game");
        for shift in 0..CHEAP.len() {
            let specs: Vec<&str> = (0..3)
                .map(|seat| CHEAP[(seat + shift) % CHEAP.len()])
                .collect();
            play(&game, &specs, 1 + shift as u64, 200);
        }
    }
}

#[test]
fn whole_games_end() {
    let game = game("duel6", "lux", 2);
    for specs in [
        ["mcts(k=5,iters=40)", "greedy"],
        ["rollout(playouts=3)", "baseline"],
    ] {
        let (_, state) = play(&game, &specs, 3, 20_000);
        assert_eq!(state.node(), Node::Terminal, "{specs:?}");
    }
}

#[test]
fn iteration_budgets_are_bit_reproducible() {
    let sampling = game("classic", "sampling", 2);
    let lux = game("classic", "lux", 3);
    for spec in [
        "mcts(k=20,iters=150)",
        "mcts(iters=100,root-threads=2)",
        "mcts-baseline(iters=60,policy=puct,backup=mixed,rave=100)",
        "mcts(iters=60,policy=eps-decay,expand=widening)",
        "mcts(iters=60,policy=boltzmann,expand=all,backup=minimax)",
        "rollout(playouts=2)",
        "mcts-tuned(iters=60)",
        "emm(depth=3,width=4,samples=10)",
        "greedy",
    ] {
        for game in [&sampling, &lux] {
            let once = play(game, &[spec, "baseline"], 9, 60);
            let twice = play(game, &[spec, "baseline"], 9, 60);
            assert!(once.0 == twice.0 && once.1 == twice.1, "{spec}");
        }
    }
}

#[test]
fn hidden_cards_do_not_matter_to_the_choice() {
    // Two states that a seat cannot distinguish: it must choose the same move.
    let game = game("classic", "lux", 3);
    let mut state = game.deal(4);
    let mut streams = Streams::new(4);
    let mut drawn = ByPlayer::<usize>::default();
    let mut base: Vec<Box<dyn Bot>> = game
        .seats()
        .map(|seat| bot(&game, "baseline", seat, 4))
        .collect();
    while drawn.as_slice()[..3].iter().any(|&n| n < 2) || state.player().index() != 0 {
        match state.node() {
            Node::Terminal => panic!("the game ended before cards were drawn"),
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve_unchecked(outcome);
            }
            Node::Decision(seat) => {
                let mv = base[seat.index()]
                    .choose(View::of_mover(&state))
                    .expect("a move");
                state.play_unchecked(mv);
            }
        }
        drawn = ByPlayer::from_fn(|seat| state.hand(seat).len());
    }
    if state.node() == Node::Chance {
        return;
    }
    let other = View::of_mover(&state).sample_state(&mut hegemon_core::Rng::from_seed(77));
    for spec in [
        "mcts(iters=40)",
        "rollout(playouts=1)",
        "emm(depth=2,width=3,samples=5)",
    ] {
        let [a, b] = [&state, &other].map(|state| {
            bot(&game, spec, state.player(), 1)
                .choose(View::of_mover(state))
                .expect("a move")
        });
        assert_eq!(a, b, "{spec}");
    }
}

#[test]
fn every_parameter_is_documented_and_checked() {
    let game = game("classic", "sampling", 2);
    for info in SEARCH_BOTS {
        assert!(!info.about.is_empty() && !info.source.is_empty());
        for parameter in info.parameters {
            assert!(!parameter.about.is_empty() && !parameter.default.is_empty());
            // The default as it is documented can be written out.
            let spec = format!("{}({}={})", info.name, parameter.name, parameter.default);
            bot(&game, &spec, PlayerId::new(0), 1);
        }
    }
    for wrong in [
        "mcts(k=0)",
        "mcts(policy=best)",
        "mcts(weights=nonsense)",
        "mcts(threads=2,root-threads=2)",
        "mcts(playout=nobody)",
        "mcts(discount=2)",
        "rollout(base=rolout)",
        "emm(depth=0)",
        "greedy(samples=many)",
    ] {
        let spec: Spec = wrong.parse().expect(wrong);
        let seating = Seating {
            game: &game,
            seat: PlayerId::new(0),
            seed: 1,
            grants: &Grants::sealed(),
        };
        assert!(build(&spec, &seating).is_err(), "{wrong}");
    }
}

#[test]
fn rollouts_win_and_a_forced_win_is_taken() {
    let game = game("line4", "sampling", 2);
    let position = "board=a1a1a9b1 phase=attack player=0 round=3";
    let state = State::from_position(&game, position).expect("a position");
    for spec in [
        "mcts(iters=300)",
        "mcts-baseline(iters=100)",
        "rollout",
        "emm",
        "greedy",
    ] {
        let mv = bot(&game, spec, PlayerId::new(0), 1).choose(View::of_mover(&state));
        assert!(matches!(mv, Ok(Move::Attack { .. })), "{spec}: {mv:?}");
    }
}
