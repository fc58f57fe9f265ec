//! Messages carry all that a seat may know, and nothing else.

use std::collections::BTreeSet;

use hegemon_bots::{Grants, Spec};
use hegemon_core::{Node, PlayerId, State, Streams, View};
use hegemon_protocol::{
    BotServer, BudgetDto, ChooseDto, FromBot, GameOverDto, NewGameDto, ToBot, ViewDto,
};

use crate::table::{game, games, seat};

/// Calls `visit` at every decision of a game of random moves.
fn for_each_decision(
    game: &std::sync::Arc<hegemon_core::Game>,
    spec: &str,
    seed: u64,
    mut visit: impl FnMut(&State, hegemon_core::Move),
) {
    let mut bots: Vec<_> = game.seats().map(|p| seat(spec, game, p, seed)).collect();
    let mut streams = Streams::new(seed);
    let mut state = game.start();
    loop {
        match state.node() {
            Node::Decision(player) => {
                let mv = bots[player.index()]
                    .choose(View::of_mover(&state))
                    .expect("built-in bots do not forfeit");
                visit(&state, mv);
                state.play_unchecked(mv);
            }
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => return,
        }
    }
}

/// A position text without what the seat does not see.
fn public_text(state: &State, seat: PlayerId) -> String {
    let hidden = |part: &&str| {
        let of_others = |key: &str| {
            part.strip_prefix(key)
                .is_some_and(|rest| !rest.starts_with(&format!("{seat}@")))
        };
        of_others("hand=") || of_others("mission=")
    };
    let text = state.to_position();
    let parts: Vec<&str> = text.split(' ').filter(|part| !hidden(part)).collect();
    parts.join(" ")
}

#[test]
fn a_state_made_from_a_view_looks_the_same() {
    let mut phases = BTreeSet::new();
    let mut with_others_cards = 0;
    for (n, game) in games().iter().enumerate() {
        for spec in ["random", "baseline"] {
            for_each_decision(game, spec, n as u64, |state, _| {
                let view = View::of_mover(state);
                let dto = ViewDto::new(view);
                let json = serde_json::to_string(&dto).expect("plain data");
                let read: ViewDto = serde_json::from_str(&json).expect("our own text");
                assert_eq!(read, dto);
                let made = read.state(game, view.seat()).expect("our own view");
                assert_eq!(
                    public_text(&made, view.seat()),
                    public_text(state, view.seat())
                );
                for other in game.seats() {
                    assert_eq!(made.hand(other).len(), state.hand(other).len());
                    assert_eq!(
                        made.mission(other).is_some(),
                        state.mission(other).is_some()
                    );
                    with_others_cards +=
                        u32::from(other != view.seat() && !made.hand(other).is_empty());
                }
                assert_eq!(made.legal_groups(), state.legal_groups());
                phases.insert(state.phase().name());
            });
        }
    }
    assert_eq!(phases.len(), 8, "{phases:?}");
    assert!(with_others_cards > 100, "{with_others_cards}");
}

#[test]
fn messages_do_not_depend_on_hidden_cards() {
    let game = game(
        "classic",
        "classic",
        3,
        hegemon_core::rules::Victory::Missions,
    );
    let mut rng = hegemon_core::Rng::from_seed(5);
    let mut n_different = 0;
    for_each_decision(&game, "baseline", 3, |state, _| {
        let view = View::of_mover(state);
        let other = view.sample_state(&mut rng);
        n_different += u32::from(other != *state);
        assert_eq!(
            ViewDto::new(view),
            ViewDto::new(View::new(&other, view.seat()))
        );
    });
    assert!(n_different > 100, "{n_different}");
}

/// Makes a view wrong.
type Spoil = fn(&mut ViewDto);

#[test]
fn views_that_do_not_fit_are_refused() {
    let game = game(
        "classic",
        "classic",
        3,
        hegemon_core::rules::Victory::Conquest,
    );
    let state = game.deal(1);
    let seat = state.player();
    let good = ViewDto::new(View::of_mover(&state));
    assert!(good.state(&game, seat).is_ok());
    let spoilers: [(&str, Spoil); 10] = [
        ("board", |view| view.owners.truncate(3)),
        ("board", |view| view.owners[0] = 6),
        ("armies", |view| view.armies[0] = 1_000_000),
        ("phase", |view| view.phase = "attack player=1".to_owned()),
        ("list of cards", |view| view.n_cards[view.player] = 2),
        ("list of cards", |view| view.cards = vec!["x".to_owned()]),
        ("list of cards", |view| {
            view.discard = vec!["1".to_owned(), "1".to_owned()];
        }),
        ("list of cards", |view| {
            view.n_cards[view.player] = 1;
            view.cards = vec!["1".to_owned()];
            view.discard = vec!["1".to_owned()];
        }),
        ("number of seats", |view| view.reserves.push(1)),
        ("player", |view| view.player = 7),
    ];
    for (n, (part, spoil)) in spoilers.into_iter().enumerate() {
        let mut view = good.clone();
        spoil(&mut view);
        let error = view.state(&game, seat).expect_err(part).to_string();
        assert!(error.contains(part), "spoiler {n}: {error}");
    }
}

#[test]
fn a_game_on_the_wire_is_the_same_game() {
    for game in games() {
        let seating = hegemon_bots::Seating {
            game: &game,
            seat: PlayerId::new(1),
            seed: u64::MAX,
            grants: &Grants::sealed(),
        };
        let message = ToBot::NewGame(Box::new(NewGameDto::new(&seating)));
        let read: ToBot = serde_json::from_str(&message.to_line()).expect("our own text");
        assert_eq!(read, message);
        let ToBot::NewGame(read) = read else {
            panic!("another message")
        };
        assert_eq!(read.game().expect("the same game").hash(), game.hash());
        assert_eq!(read.seat_and_seed(), Ok((PlayerId::new(1), u64::MAX)));
    }
}

#[test]
fn a_served_bot_plays_as_in_process() {
    for spec in ["random", "simulation", "baseline"] {
        for (n, game) in games().iter().enumerate() {
            let seed = 100 + n as u64;
            let spec: Spec = spec.parse().expect("well formed");
            let mut servers: Vec<BotServer> = game
                .seats()
                .map(|seat| {
                    let mut server = BotServer::new(spec.clone(), Grants::sealed());
                    let seating = hegemon_bots::Seating {
                        game,
                        seat,
                        seed,
                        grants: &Grants::sealed(),
                    };
                    let message = ToBot::NewGame(Box::new(NewGameDto::new(&seating)));
                    assert_eq!(server.answer(&message.to_line()), None);
                    server
                })
                .collect();
            let mut id = 0;
            for_each_decision(game, &spec.to_string(), seed, |state, mv| {
                id += 1;
                let view = View::of_mover(state);
                let question = ChooseDto::new(id, view, BudgetDto::default());
                let line = ToBot::Choose(Box::new(question)).to_line();
                let answer = servers[view.seat().index()].answer(&line);
                let expected = FromBot::Move {
                    id: Some(id),
                    mv: mv.to_string(),
                };
                assert_eq!(answer, Some(expected), "{spec} at {}", state.to_position());
            });
        }
    }
}

#[test]
fn a_server_answers_nonsense_with_errors() {
    let mut server = BotServer::new("baseline".parse().expect("well formed"), Grants::sealed());
    let mut is_error = |line: &str| matches!(server.answer(line), Some(FromBot::Error { .. }));
    assert!(is_error("nonsense"));
    assert!(is_error("[]"));
    assert!(is_error(r#"{"type":"hello"}"#));
    assert!(is_error(r#"{"type":"hello","protocol":2,"program":"x"}"#));
    assert!(is_error(r#"{"type":"new_game"}"#));
    assert!(!is_error(r#"{"type":"weather"}"#));
    assert!(!is_error(
        &ToBot::GameOver(GameOverDto::abandoned()).to_line()
    ));
    let game = game(
        "sampling",
        "classic",
        2,
        hegemon_core::rules::Victory::Conquest,
    );
    let state = game.deal(1);
    let question = ChooseDto::new(1, View::of_mover(&state), BudgetDto::default());
    assert!(is_error(&ToBot::Choose(Box::new(question)).to_line()));
}
