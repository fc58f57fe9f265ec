//! "When what is asked" in `docs/protocol.md`: its lines come from games, and its sentences hold in all of them.

use std::fs;
use std::sync::Arc;

use hegemon_bots::Bot;
use hegemon_core::rules::{InitialArmies, Victory};
use hegemon_core::{Event, Game, Map, Node, PlayerId, Rules, Streams, View};
use hegemon_protocol::{BudgetDto, ChooseDto, EventDto, GroupDto, ToBot, ViewDto};

use crate::schema::{Schema, assert_fits};
use crate::table::{game, games, root, seat};

/// The seat whose lines are looked at.
const ME: PlayerId = PlayerId::new(0);

/// Everything that a bot in seat 0 reads between `new_game` and `game_over`, if it asked for events.
fn heard(game: &Arc<Game>, bot: &str, seed: u64) -> Vec<ToBot> {
    let mut bots: Vec<Box<dyn Bot>> = game.seats().map(|p| seat(bot, game, p, seed)).collect();
    let (mut streams, mut state) = (Streams::new(seed), game.start());
    let (mut lines, mut id) = (Vec::new(), 0);
    loop {
        let event = match state.node() {
            Node::Decision(player) => {
                if player == ME {
                    id += 1;
                    let budget = BudgetDto {
                        move_ms: 5000,
                        game_ms: 600_000,
                    };
                    let question = ChooseDto::new(id, View::of_mover(&state), budget);
                    lines.push(ToBot::Choose(Box::new(question)));
                }
                let chosen = bots[player.index()].choose(View::of_mover(&state));
                Event::Move(chosen.expect("our bots never forfeit"))
            }
            Node::Chance => Event::Outcome(streams.draw(&state)),
            Node::Terminal => return lines,
        };
        if state.is_alive(ME) && event.is_seen_by(ME, &state) {
            let view = ViewDto::new(View::new(&state, ME));
            lines.push(ToBot::Event(Box::new(EventDto { view, event })));
        }
        match event {
            Event::Move(mv) => state.play(mv).expect("our bots play legal moves"),
            Event::Outcome(outcome) => state.resolve_unchecked(outcome),
        }
    }
}

/// A line of the documentation: what it must be like, and which fields of the view are shown.
struct Shown {
    name: &'static str,
    fits: fn(&ToBot) -> bool,
    view: &'static [&'static str],
}

fn is_choose(line: &ToBot, phase: &str, fits: impl Fn(&ChooseDto) -> bool) -> bool {
    matches!(line, ToBot::Choose(question) if question.view.phase == phase && fits(question))
}

fn can_end(question: &ChooseDto) -> bool {
    question.groups.contains(&GroupDto::End)
}

/// Lines of four `quo` under the rules of Lux on the classic board.
const OF_LUX: [Shown; 8] = [
    Shown {
        name: "start of a turn",
        fits: |line| {
            is_choose(line, "reinforce", |asked| {
                !asked.view.is_mid_turn && asked.view.last.is_none() && asked.view.round == 4
            })
        },
        view: &["round", "to_place", "has_conquered", "last", "is_mid_turn"],
    },
    Shown {
        name: "growth",
        fits: |line| is_choose(line, "reinforce", |asked| asked.view.round == 9),
        view: &["round", "bonuses", "incomes", "next_set_worth", "n_traded"],
    },
    Shown {
        name: "trade",
        fits: |line| {
            is_choose(line, "trade", |asked| {
                !asked.view.is_mid_turn && can_end(asked)
            })
        },
        view: &[
            "round",
            "to_place",
            "is_mid_turn",
            "cards",
            "next_set_worth",
            "incomes",
        ],
    },
    Shown {
        name: "forced trade",
        fits: |line| {
            is_choose(line, "trade", |asked| {
                !asked.view.is_mid_turn && !can_end(asked) && asked.n_moves < 8
            })
        },
        view: &[
            "round",
            "to_place",
            "is_mid_turn",
            "cards",
            "next_set_worth",
        ],
    },
    Shown {
        name: "trade in mid-turn",
        fits: |line| {
            is_choose(line, "trade", |asked| {
                asked.view.is_mid_turn && asked.n_moves < 8
            })
        },
        view: &[
            "to_place",
            "is_mid_turn",
            "cards",
            "next_set_worth",
            "eliminations",
        ],
    },
    Shown {
        name: "armies in mid-turn",
        fits: |line| is_choose(line, "reinforce", |asked| asked.view.is_mid_turn),
        view: &["to_place", "has_conquered", "is_mid_turn", "cards"],
    },
    Shown {
        name: "move of a rival",
        fits: |line| is_event(line, |text, mover| mover != 0 && text.starts_with('a')),
        view: &["player", "round"],
    },
    Shown {
        name: "outcome",
        fits: |line| is_event(line, |text, mover| mover != 0 && text.starts_with('B')),
        view: &["player", "round"],
    },
];

/// Lines of two players on the smallest boards.
const OF_DUEL: [Shown; 2] = [
    Shown {
        name: "occupy",
        fits: |line| is_choose(line, "occupy", |asked| asked.n_moves > 2),
        view: &["owners", "armies", "front"],
    },
    Shown {
        name: "single move",
        fits: |line| is_choose(line, "occupy", |asked| asked.n_moves == 1),
        view: &["owners", "armies", "front"],
    },
];

fn is_event(line: &ToBot, fits: impl Fn(&str, usize) -> bool) -> bool {
    let ToBot::Event(told) = line else {
        return false;
    };
    let text = serde_json::to_value(told.event).expect("plain data");
    fits(text.as_str().expect("notation"), told.view.player)
}

fn duel() -> Arc<Game> {
    let mut rules = Rules::preset("lux").expect("shipped");
    rules.initial_armies = InitialArmies::ByPlayers([9; 5]);
    Game::new(Map::builtin("duel6").expect("shipped"), rules, 2).expect("a game")
}

/// The first line of these games that fits, with what matters of it.
fn found(shown: &Shown, games: &[Vec<ToBot>]) -> String {
    let mut lines = games.iter().flatten();
    let line = lines.find(|line| (shown.fits)(line));
    let line = line.unwrap_or_else(|| panic!("no line is like `{}`", shown.name));
    let text = line.to_line();
    let kept = fields(&text)
        .into_iter()
        .filter_map(|(name, value)| match name {
            "view" => {
                let inner = fields(value).into_iter();
                let inner = inner.filter(|(name, _)| *name == "phase" || shown.view.contains(name));
                Some(format!(
                    "\"view\":{}",
                    object(inner.map(|(n, v)| format!("\"{n}\":{v}")))
                ))
            }
            "budget" | "moves" => None,
            _ => Some(format!("\"{name}\":{value}")),
        });
    object(kept)
}

fn object(fields: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Names and texts of the fields of an object, in their order.
fn fields(object: &str) -> Vec<(&str, &str)> {
    let inner = &object[1..object.len() - 1];
    let (mut depth, mut in_text, mut begin) = (0_usize, false, 0);
    let mut parts = Vec::new();
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[begin..]);
    parts
        .into_iter()
        .map(|part| part.split_once(':').expect("a field"))
        .map(|(name, value)| (name.trim_matches('"'), value))
        .collect()
}

/// `UPDATE_DOCS=1` writes the lines anew.
#[test]
fn the_documented_lines_are_of_real_games() {
    let lux = game("lux", "classic", 4, Victory::Conquest);
    let lux: Vec<_> = (1..=40).map(|seed| heard(&lux, "quo", seed)).collect();
    let duel = duel();
    let duel: Vec<_> = (1..=10).map(|seed| heard(&duel, "quo", seed)).collect();
    let path = root().join("docs/protocol.md");
    let mut text = fs::read_to_string(&path).expect("docs/protocol.md");
    let all = OF_LUX.iter().map(|shown| (shown, &lux));
    for (shown, games) in all.chain(OF_DUEL.iter().map(|shown| (shown, &duel))) {
        let begin = format!("<!-- line: {} -->\n```json\n", shown.name);
        let end = "\n```\n<!-- end of line -->";
        let (head, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{begin}"));
        let (written, tail) = rest.split_once(end).expect("where the line ends");
        let line = found(shown, games);
        if std::env::var_os("UPDATE_DOCS").is_none() {
            assert_eq!(
                written, line,
                "{}: run the test with UPDATE_DOCS=1",
                shown.name
            );
        }
        text = [head, &begin, &line, end, tail].concat();
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, text).expect("writable");
    }
}

#[test]
fn what_the_document_says_of_questions_holds_in_every_game() {
    let games = [
        game("lux", "classic", 4, Victory::Conquest),
        game("classic", "classic", 3, Victory::Conquest),
        game("draft", "classic", 3, Victory::Conquest),
    ];
    let mut n_mid_turn = 0;
    for game in &games {
        let forced_from = usize::from(game.rules().cards.forced_from);
        for lines in (1..=8).map(|seed| heard(game, "quo", seed)) {
            let mut round = 0;
            for asked in lines.iter().filter_map(|line| match line {
                ToBot::Choose(asked) => Some(asked),
                _ => None,
            }) {
                let view = &asked.view;
                if view.round > round {
                    // The start of a turn.
                    assert!(["trade", "reinforce"].contains(&view.phase.as_str()));
                    assert_eq!(view.to_place, view.incomes[ME.index()]);
                    assert!(!view.has_conquered && !view.is_mid_turn && view.last.is_none());
                }
                round = view.round;
                match view.phase.as_str() {
                    "trade" => {
                        let is_optional = !view.is_mid_turn && view.cards.len() < forced_from;
                        assert_eq!(can_end(asked), is_optional);
                        assert!(matches!(asked.groups[0], GroupDto::Trade { .. }));
                        n_mid_turn += usize::from(view.is_mid_turn);
                    }
                    "occupy" => {
                        let front = view.front.expect("a conquest");
                        assert_eq!(view.owners[front.to.index()], 0);
                        assert_eq!(view.armies[front.to.index()], 0);
                        let most = view.armies[front.from.index()] - 1;
                        let all = GroupDto::Occupy {
                            armies: [front.fewest, most],
                        };
                        assert_eq!(asked.groups, [all]);
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(n_mid_turn > 0, "no hand was captured");
}

/// Events too, also those of the deal and the draft.
#[test]
fn all_that_a_seat_is_told_fits_the_schema() {
    let schema = Schema::load();
    for (n, game) in games().iter().enumerate() {
        let lines = heard(game, "random", n as u64);
        assert!(lines.iter().any(|line| matches!(line, ToBot::Event(_))));
        for line in lines.iter().step_by(7) {
            assert_fits(&schema, "to_bot", &line.to_line());
        }
    }
}
