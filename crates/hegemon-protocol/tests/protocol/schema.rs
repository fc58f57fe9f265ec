//! `docs/protocol.schema.json` and the dialogue in `docs/protocol.md` are true.

use std::fs;
use std::sync::Arc;

use hegemon_bots::{Bot, Grants, Seating};
use hegemon_core::rules::{Attack, InitialArmies};
use hegemon_core::{Game, Map, Move, Node, PlayerId, Rules, Streams, View};
use hegemon_protocol::{
    BotServer, BudgetDto, ChooseDto, FromBot, GameOverDto, NewGameDto, PROTOCOL_VERSION, ToBot,
};
use serde_json::Value;

use crate::table::{games, root, seat};

/// A validator for the few keywords that our schema uses. It is stricter than
/// the standard: what we send must have no field that the schema does not name.
pub(crate) struct Schema(Value);

impl Schema {
    pub(crate) fn load() -> Schema {
        let text = fs::read_to_string(root().join("docs/protocol.schema.json"));
        Schema(serde_json::from_str(&text.expect("the schema")).expect("JSON"))
    }

    /// Whether a message fits `$defs/NAME`; else where it does not.
    fn check(&self, name: &str, message: &Value) -> Result<(), String> {
        self.fits(&self.0["$defs"][name], message, name)
    }

    fn fits(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let Some(keywords) = schema.as_object() else {
            return Err(format!("{path}: the schema has nothing here"));
        };
        for (keyword, wanted) in keywords {
            let fine = match keyword.as_str() {
                "description" | "required" | "maximum" | "maxItems" => true,
                "$ref" => {
                    let target = wanted.as_str().and_then(|text| text.strip_prefix('#'));
                    let target = target.and_then(|pointer| self.0.pointer(pointer));
                    self.fits(target.expect("a definition"), value, path)?;
                    true
                }
                "type" => match wanted {
                    Value::Array(types) => types.iter().any(|name| has_type(value, name)),
                    name => has_type(value, name),
                },
                "const" => value == wanted,
                "enum" => wanted.as_array().expect("a list").contains(value),
                "oneOf" => {
                    let options = wanted.as_array().expect("a list").iter();
                    let found: Vec<_> = options
                        .map(|option| self.fits(option, value, path))
                        .collect();
                    if found.iter().filter(|fit| fit.is_ok()).count() != 1 {
                        return Err(format!("{path}: oneOf: {found:?}"));
                    }
                    true
                }
                "minimum" => {
                    let most = schema["maximum"].as_f64().unwrap_or(f64::MAX);
                    let least = wanted.as_f64().expect("a number");
                    value.as_f64().is_none_or(|n| (least..=most).contains(&n))
                }
                "minItems" => {
                    let most = schema["maxItems"].as_u64().expect("both");
                    let least = wanted.as_u64().expect("a number");
                    let items = value.as_array().map_or(0, Vec::len) as u64;
                    (least..=most).contains(&items)
                }
                "anyOf" => {
                    let mut options = wanted.as_array().expect("a list").iter();
                    options.any(|option| self.fits(option, value, path).is_ok())
                }
                "items" => {
                    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(wanted, item, &format!("{path}/{n}"))?;
                    }
                    true
                }
                "properties" => {
                    self.properties_fit(schema, value, path)?;
                    true
                }
                "pattern" => fits_pattern(wanted.as_str().expect("text"), value),
                other => return Err(format!("{path}: the keyword {other} is not known here")),
            };
            if !fine {
                return Err(format!("{path}: {value} breaks {keyword} {wanted}"));
            }
        }
        Ok(())
    }

    fn properties_fit(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let Some(fields) = value.as_object() else {
            return Ok(());
        };
        let known = schema["properties"].as_object().expect("an object");
        for (name, field) in fields {
            let schema = known
                .get(name)
                .ok_or_else(|| format!("{path}: the field {name} is not in the schema"))?;
            self.fits(schema, field, &format!("{path}/{name}"))?;
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().expect("a name")) {
                return Err(format!("{path}: {name} is missing"));
            }
        }
        Ok(())
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("the name of a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the type {other} is not known here"),
    }
}

/// Patterns by what they stand for: a regular expression is not worth a crate.
fn fits_pattern(pattern: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else {
        return true;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match pattern {
        "^[0-9]+$" => is_number(text),
        "^([0-9]+|w)$" => text == "w" || is_number(text),
        long if long.starts_with("^(c[0-9]+|k[0-9]+|t") => text.parse::<Move>().is_ok(),
        other => panic!("the pattern {other} is not known here"),
    }
}

pub(crate) fn assert_fits(schema: &Schema, name: &str, line: &str) {
    let message: Value = serde_json::from_str(line).expect("JSON");
    let fit = schema.check(name, &message);
    assert!(fit.is_ok(), "{}\n{line}", fit.unwrap_err());
}

/// A game by messages: `visit` gets every line, and whether it is the bot's.
fn dialogue(game: &Arc<Game>, spec: &str, seed: u64, mut visit: impl FnMut(&str, bool)) {
    let me = PlayerId::new(0);
    let mut server = BotServer::new(spec.parse().expect("well formed"), Grants::sealed());
    let mut tell = |message: &ToBot| {
        let line = message.to_line();
        visit(&line, false);
        let answer = server.answer(&line)?;
        visit(&answer.to_line(), true);
        Some(answer)
    };
    tell(&ToBot::Hello {
        protocol: PROTOCOL_VERSION,
        program: "hegemon 0.1.0".to_owned(),
    });
    let seating = Seating {
        game,
        seat: me,
        seed,
        grants: &Grants::sealed(),
    };
    tell(&ToBot::NewGame(Box::new(NewGameDto::new(&seating))));
    let mut others: Vec<Box<dyn Bot>> = game
        .seats()
        .map(|p| seat("random", game, p, seed))
        .collect();
    let mut streams = Streams::new(seed);
    let mut state = game.start();
    let mut id = 0;
    loop {
        match state.node() {
            Node::Decision(player) if player == me => {
                id += 1;
                let budget = BudgetDto {
                    move_ms: 5000,
                    game_ms: 600_000,
                };
                let question = ChooseDto::new(id, View::of_mover(&state), budget);
                match tell(&ToBot::Choose(Box::new(question))) {
                    Some(FromBot::Move { mv, .. }) => {
                        let mv = mv.parse().expect("a move");
                        state.play(mv).expect("legal");
                    }
                    other => panic!("{other:?}"),
                }
            }
            Node::Decision(player) => {
                let mv = others[player.index()].choose(View::of_mover(&state));
                state.play_unchecked(mv.expect("random never forfeits"));
            }
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => break,
        }
    }
    let result = state.result().expect("over");
    tell(&ToBot::GameOver(GameOverDto::new(
        &result,
        game.n_players(),
    )));
}

/// `UPDATE_DOCS=1` writes the file anew.
#[test]
fn the_schema_is_what_the_types_say() {
    let path = root().join("docs/protocol.schema.json");
    let text = hegemon_protocol::schema::to_text(&hegemon_protocol::schema::protocol());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, text).expect("writable");
    } else {
        let written = fs::read_to_string(&path).expect("the schema");
        assert!(
            written == text,
            "docs/protocol.schema.json is stale: run `cargo xtask generate`"
        );
    }
}

#[test]
fn all_messages_fit_the_schema() {
    let schema = Schema::load();
    for (n, game) in games().iter().enumerate() {
        for spec in ["random", "baseline"] {
            let mut n_lines = 0;
            dialogue(game, spec, n as u64, |line, from_bot| {
                // Every tenth line will do.
                n_lines += 1;
                if n_lines < 20 || n_lines % 10 == 0 || line.contains("game_over") {
                    assert_fits(&schema, if from_bot { "from_bot" } else { "to_bot" }, line);
                }
            });
        }
    }
    let abandoned = ToBot::GameOver(GameOverDto::abandoned()).to_line();
    assert_fits(&schema, "to_bot", &abandoned);
    let error = FromBot::Error {
        message: "tired".to_owned(),
    };
    assert_fits(&schema, "from_bot", &error.to_line());
}

#[test]
fn all_presets_fit_the_schema() {
    let schema = Schema::load();
    for name in Rules::PRESETS {
        let rules = Rules::preset(name).expect(name).to_json();
        assert_fits(&schema, "rules", &rules);
    }
    for name in Map::builtin_names() {
        let map = Map::builtin(name).expect(name);
        let dto = hegemon_protocol::MapDto::new(&map);
        let line = serde_json::to_string(&dto).expect("plain data");
        assert_fits(&schema, "map", &line);
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = Schema::load();
    let refuses = |name: &str, text: &str| {
        let message = serde_json::from_str(text).expect("JSON");
        schema.check(name, &message).is_err()
    };
    assert!(refuses("from_bot", r#"{"type":"move"}"#));
    assert!(refuses("from_bot", r#"{"type":"move","move":"jump"}"#));
    assert!(refuses(
        "from_bot",
        r#"{"type":"move","move":"end","id":"1"}"#
    ));
    assert!(refuses(
        "from_bot",
        r#"{"type":"hello","protocol":2,"name":"x"}"#
    ));
    assert!(refuses("to_bot", r#"{"type":"weather"}"#));
    assert!(refuses("group", r#"{"kind":"occupy","armies":[1]}"#));
    assert!(!refuses("group", r#"{"kind":"occupy","armies":[1,2]}"#));
}

/// `UPDATE_DOCS=1` writes the dialogue anew.
#[test]
fn the_documented_dialogue_is_a_real_one() {
    let mut rules = Rules::preset("sampling").expect("shipped");
    rules.end.turn_limit = Some(2);
    rules.initial_armies = InitialArmies::ByPlayers([4; 5]);
    rules.battle.attack = Attack::ToTheEnd;
    let map = Map::builtin("line4").expect("shipped");
    let game = Game::new(map, rules, 2).expect("a game");
    let mut lines = String::new();
    dialogue(&game, "baseline", 6, |line, from_bot| {
        lines.push_str(if from_bot { "< " } else { "> " });
        lines.push_str(line);
        lines.push('\n');
    });
    let path = root().join("docs/protocol.md");
    let text = fs::read_to_string(&path).expect("docs/protocol.md");
    let (begin, end) = (
        "<!-- dialogue -->\n```text\n",
        "```\n<!-- end of dialogue -->",
    );
    let (head, rest) = text.split_once(begin).expect("where the dialogue begins");
    let (shown, tail) = rest.split_once(end).expect("where the dialogue ends");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, [head, begin, &lines, end, tail].concat()).expect("writable");
    } else {
        assert_eq!(shown, lines, "run the test with UPDATE_DOCS=1");
    }
    assert!(lines.lines().count() < 30, "{lines}");
}
