mod stopping;

use hegemon_core::{Map, Move, Node, Rules, View};
use hegemon_search::Stop;

use super::*;
use crate::parameter::{Capability, Kind};
use crate::policy::Policy;
use crate::rules::Baseline;
use crate::settings::Setting;
use crate::spec::Value;
use stopping::{ENDLESS, choice, positions};

fn game(rules: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    Game::new(map, Rules::preset(rules).expect("shipped"), n_players).expect("a game")
}

/// Every bot that is part of the program.
fn own_bots() -> impl Iterator<Item = &'static BotInfo> {
    bots().filter(|info| info.name != crate::spec::PROGRAM)
}

/// The spec with all defaults as they are printed.
fn written_out(info: &BotInfo) -> String {
    let defaults = info.parameters.iter();
    let defaults: Vec<String> = defaults
        .map(|p| format!("{}={}", p.name, p.default))
        .collect();
    match defaults.join(",") {
        none if none.is_empty() => info.name.to_owned(),
        defaults => format!("{}({defaults})", info.name),
    }
}

#[test]
fn every_parameter_is_declared_soundly() {
    for info in bots() {
        for parameter in info.parameters {
            let what = format!("{} {}", info.name, parameter.name);
            assert!(!parameter.about.is_empty(), "{what}");
            assert!(!parameter.range().is_empty(), "{what}");
            assert_eq!(
                parameter.capability(parameter.default) == Capability::Program,
                matches!(parameter.kind, Kind::Command),
                "{what}"
            );
            assert_ne!(
                parameter.capability(parameter.default),
                Capability::File,
                "{what}: a default is shipped"
            );
            match parameter.kind {
                Kind::Whole(least, most) => assert!(least < most, "{what}"),
                Kind::Real(least, most) => assert!(least < most, "{what}"),
                _ => {}
            }
        }
    }
}

#[test]
fn the_printed_defaults_are_the_values_that_bots_are_built_from() {
    for info in own_bots() {
        let (plain, written) = (Spec::plain(info.name), written_out(info));
        let written: Spec = written.parse().expect("a spec");
        let plain = settings(&plain).expect(info.name);
        let written = settings(&written).expect(info.name);
        let values = |settings: &Settings<'_>| -> Vec<Setting> {
            settings
                .iter()
                .map(|(_, setting)| setting.clone())
                .collect()
        };
        assert_eq!(values(&plain), values(&written), "{}", info.name);
    }
}

/// A few decisions of a bot in every seat.
fn decisions(spec: &str, game: &Arc<Game>, n_decisions: usize) -> Vec<Move> {
    let spec: Spec = spec.parse().expect(spec);
    let grants = Grants::sealed();
    let mut state = game.deal(3);
    let mut bots: Vec<Box<dyn Bot>> = game
        .seats()
        .map(|seat| {
            let seating = Seating {
                game,
                seat,
                seed: 5,
                grants: &grants,
            };
            build(&spec, &seating).expect("it plays")
        })
        .collect();
    let mut rng = hegemon_core::Rng::from_seed(7);
    let mut moves = Vec::new();
    while moves.len() < n_decisions {
        match state.node() {
            Node::Chance => state.resolve_sampled(&mut rng),
            Node::Decision(player) => {
                let mv = bots[player.index()].choose(View::of_mover(&state));
                let mv = mv.expect("no forfeit");
                state.play(mv).expect("legal");
                moves.push(mv);
            }
            Node::Terminal => break,
        }
    }
    moves
}

#[test]
fn a_bot_plays_the_same_from_nothing_and_from_its_printed_defaults() {
    let game = game("lux", 3);
    for info in own_bots() {
        let n_decisions = if info.name.starts_with("mcts") { 2 } else { 6 };
        let plain = decisions(info.name, &game, n_decisions);
        assert_eq!(
            plain,
            decisions(&written_out(info), &game, n_decisions),
            "{}",
            info.name
        );
    }
}

#[test]
fn every_word_of_every_parameter_can_be_used() {
    let game = game("lux", 3);
    for info in own_bots() {
        for parameter in info.parameters {
            let words: &[&str] = match parameter.kind {
                Kind::Words(words) => words,
                _ => parameter.words,
            };
            for word in words {
                let text = format!("{}({}={word})", info.name, parameter.name);
                let spec: Spec = text.parse().expect("a spec");
                check(&spec, &game, &Grants::sealed()).expect(&text);
            }
        }
    }
}

#[test]
fn a_value_outside_its_range_is_a_sentence_with_the_range() {
    let message = |text: &str| {
        let spec: Spec = text.parse().expect(text);
        settings(&spec).expect_err(text).to_string()
    };
    assert_eq!(
        message("mcts(k=0)"),
        "mcts: k=0 is wrong: a whole number from 1 to 10000"
    );
    assert_eq!(
        message("mcts(ms=soon)"),
        "mcts: ms=soon is wrong: a number from 0 to 1000000000000, or off"
    );
    assert_eq!(
        message("emm(opponents=kind)"),
        "emm: opponents=kind is wrong: one of paranoid, maxn, offensive, mpmix"
    );
    assert!(message("mcts(c=nan)").contains("a number from"));
    assert!(message("mcts(k=5,k=6)").contains("twice"));
    assert!(message("mcts(kk=5)").contains("did you mean \"k\"?"));
    assert!(message("mcts(threads=65)").contains("1 to 64"));
}

#[test]
fn threads_of_bots_within_bots_are_bounded() {
    let text = "goal-uct(threads=64,base=mcts(threads=8))";
    let spec: Spec = text.parse().expect("a spec");
    let error = check(&spec, &game("lux", 3), &Grants::sealed()).expect_err("refused");
    assert_eq!(error.to_string(), "goal-uct asks for more than 256 threads");
}

#[test]
fn sealed_bots_reach_no_file_and_no_program() {
    let game = game("lux", 3);
    for (text, sentence) in [
        ("cmd(id)", "no program may be started here"),
        ("rollout(base=cmd(id))", "no program may be started here"),
        ("greedy(weights=Cargo.toml)", "no file may be read here"),
        ("beam(weights=./Cargo.toml)", "no file may be read here"),
        ("goal-uct(weights=Cargo.toml)", "no file may be read here"),
        (
            "quo(draft=uct(weights=Cargo.toml))",
            "no file may be read here",
        ),
    ] {
        let spec: Spec = text.parse().expect("a spec");
        let error = check(&spec, &game, &Grants::sealed()).expect_err(text);
        assert!(error.to_string().contains(sentence), "{text}: {error}");
    }
}

#[test]
fn a_program_is_seen_wherever_it_hides_in_a_tree() {
    for text in [
        "cmd(id)",
        "rollout(base=cmd (id))",
        "goal-uct(rivals=killbot+cmd(id)+quo)",
        "drafted(draft=cmd(id))",
        "mcts(playout=rollout(base=cmd(id)))",
    ] {
        let spec: Spec = text.parse().expect("a spec");
        assert_eq!(Demand::of(&spec).expect(text).programs, ["id"], "{text}");
    }
    // The word alone names a program without a command.
    let spec = Spec {
        name: "rollout".to_owned(),
        arguments: vec![crate::spec::Argument {
            key: "base".to_owned(),
            value: Value::Word("cmd".to_owned()),
        }],
    };
    assert_eq!(Demand::of(&spec).expect("known").programs, [""]);
}

fn stopped_by(stop: Stop) -> Grants {
    Grants {
        stop,
        ..Grants::sealed()
    }
}

#[test]
fn every_search_ends_when_it_is_stopped_and_answers_a_legal_move() {
    for (rules, n_players) in [("classic", 3), ("lux", 3)] {
        for state in positions(&game(rules, n_players)) {
            for text in ENDLESS.lines() {
                choice(text, &state, &stopped_by(Stop::new()), Stop::raise);
            }
        }
    }
}

#[test]
fn a_thought_under_way_ends_at_its_deadline() {
    let state = positions(&game("classic", 3)).pop().expect("a position");
    for text in ENDLESS.lines() {
        let limit = std::time::Duration::from_millis(5);
        choice(text, &state, &stopped_by(Stop::new()), |stop| {
            stop.arm(limit);
        });
    }
}

#[test]
fn a_handle_that_is_never_raised_changes_no_move() {
    let state = positions(&game("lux", 3)).pop().expect("a position");
    let hour = std::time::Duration::from_secs(3600);
    for text in [
        "mcts(iters=200)",
        "rollout(playouts=3)",
        "emm(depth=3)",
        "goal-uct",
        "greedy",
    ] {
        let free = choice(text, &state, &stopped_by(Stop::never()), |_| ());
        let armed = choice(text, &state, &stopped_by(Stop::new()), |stop| {
            stop.arm(hour);
        });
        assert_eq!(free, armed, "{text}");
    }
}
