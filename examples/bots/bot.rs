//! A complete hegemon bot. The protocol: docs/protocol.md.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// What `new_game` said.
struct Game {
    seat: i64,
    neighbors: Vec<Vec<usize>>,
}

impl Game {
    fn new(message: &Value) -> Game {
        let territories = message["map"]["territories"].as_array();
        let numbers = |list: &Value| -> Vec<usize> {
            let list = list.as_array().into_iter().flatten();
            list.filter_map(|n| Some(n.as_u64()? as usize)).collect()
        };
        Game {
            seat: message["seat"].as_i64().unwrap_or(0),
            neighbors: territories
                .into_iter()
                .flatten()
                .map(|territory| numbers(&territory["neighbors"]))
                .collect(),
        }
    }

    /// The move for the first kind on offer; nothing better means `end`.
    fn choose(&self, question: &Value) -> String {
        let groups: Vec<&Value> = question["groups"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|group| group["kind"] != "end")
            .collect();
        let Some(first) = groups.first() else {
            return "end".to_owned();
        };
        let view = &question["view"];
        let most = first["armies"][1].as_u64().unwrap_or(1);
        match first["kind"].as_str().unwrap_or("") {
            "claim" => format!("c{}", first["to"][0]),
            "capital" => format!("k{}", first["to"][0]),
            "trade" => first["move"].as_str().unwrap_or("end").to_owned(),
            "place" => format!("p{}x{most}", self.best_front(view, &first["to"])),
            "attack" => self.attack(view, &groups).unwrap_or("end".to_owned()),
            "occupy" => format!("o{most}"),
            _ => "end".to_owned(),
        }
    }

    /// Where most armies face an enemy.
    fn best_front(&self, view: &Value, places: &Value) -> u64 {
        let places = places.as_array().into_iter().flatten();
        let strength = |t: &u64| {
            let is_front = self.neighbors[*t as usize]
                .iter()
                .any(|&n| view["owners"][n] != self.seat);
            (is_front, view["armies"][*t as usize].as_u64())
        };
        let places = places.filter_map(Value::as_u64);
        places.max_by_key(strength).unwrap_or(0)
    }

    /// The attack with the largest surplus of armies, if there is any surplus.
    fn attack(&self, view: &Value, groups: &[&Value]) -> Option<String> {
        let armies = |t: &Value| view["armies"][t.as_u64()? as usize].as_i64();
        let mut best = (1, None);
        for group in groups {
            for to in group["to"].as_array()? {
                let surplus = armies(&group["from"])? - armies(to)?;
                if surplus > best.0 {
                    let mv = format!("a{}>{to}x{}", group["from"], group["armies"][1]);
                    best = (surplus, Some(mv));
                }
            }
        }
        best.1
    }
}

fn main() -> io::Result<()> {
    let mut game = None;
    let say = |message: Value| {
        let mut output = io::stdout().lock();
        writeln!(output, "{message}")?;
        output.flush()
    };
    for line in io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        match (message["type"].as_str(), &game) {
            (Some("hello"), _) => say(json!({"type": "hello", "protocol": 1, "name": "example.rs"}))?,
            (Some("new_game"), _) => game = Some(Game::new(&message)),
            (Some("choose"), Some(game)) => {
                say(json!({"type": "move", "id": message["id"], "move": game.choose(&message)}))?;
            }
            _ => {}
        }
    }
    Ok(())
}
