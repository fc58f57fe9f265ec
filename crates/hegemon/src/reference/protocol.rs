//! The bot protocol: its messages, then the types they are made of.

use super::committed;
use super::schema::section;

/// What is sent, in the order of a game.
const MESSAGES: [&str; 10] = [
    "to_bot",
    "from_bot",
    "host_hello",
    "bot_hello",
    "new_game",
    "choose",
    "move_answer",
    "event",
    "game_over",
    "error",
];

pub(super) fn page() -> String {
    let schema = committed("docs/protocol.schema.json");
    let types = schema["$defs"].as_object().expect("types");
    let mut text = "Every message is one line of JSON. [The bot protocol](../protocol.md) says when each is sent, with a complete dialogue; \
         [protocol.schema.json](../protocol.schema.json) is the same for programs.\n"
        .to_owned();
    let mut rest: Vec<&str> = types.keys().map(String::as_str).collect();
    rest.sort_unstable();
    rest.retain(|name| !MESSAGES.contains(name));
    for name in MESSAGES.iter().chain(&rest) {
        text.push_str(&format!("\n## {name}\n\n{}", section(&types[*name])));
    }
    text
}
