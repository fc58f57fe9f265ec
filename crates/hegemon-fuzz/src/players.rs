//! Spec strings and the bot protocol.

use std::sync::{Arc, OnceLock};

use hegemon_bots::{Grants, Spec, check};
use hegemon_core::{Game, Map, Rules};
use hegemon_protocol::{BotServer, FromBot, read_move};

use crate::{InputTrace, text};

/// A spec string: parsed, printed, and built without outside access.
pub(crate) fn spec(bytes: &[u8]) -> InputTrace {
    let spec: Spec = match text(bytes).parse() {
        Ok(spec) => spec,
        Err(error) => return InputTrace::of(&format!("{error}")),
    };
    let printed = spec.to_string();
    let again: Spec = printed.parse().expect("a spec that was printed is read");
    assert_eq!(again, spec, "printed and read again");
    match check(&spec, game(), &Grants::sealed()) {
        Ok(()) => InputTrace::accepted(&[spec.arguments.len() as u64, printed.len() as u64 / 8]),
        Err(error) => InputTrace::of(&error.to_string()),
    }
}

/// Lines of the protocol: each is sent to one of our bots, and parsed as the
/// answer of another.
pub(crate) fn protocol(bytes: &[u8]) -> InputTrace {
    let mut server = BotServer::new(Spec::plain("random"), Grants::sealed());
    let mut facts = Vec::new();
    for line in text(bytes).lines() {
        let fact = match server.answer(line) {
            None => 0,
            Some(FromBot::Error { message }) => InputTrace::of(&message).0,
            Some(answer) => u64::from(answer.to_line().as_bytes()[9]),
        };
        facts.push(fact);
        if let Err(forfeit) = read_move(line, 1) {
            facts.push(InputTrace::of(&forfeit.to_string()).0);
        }
    }
    // The order and number of lines carry little information.
    facts.sort_unstable();
    facts.dedup();
    InputTrace::accepted(&facts)
}

fn game() -> &'static Arc<Game> {
    static GAME: OnceLock<Arc<Game>> = OnceLock::new();
    GAME.get_or_init(|| {
        let map = Map::builtin("classic").expect("shipped");
        let rules = Rules::preset("sampling").expect("shipped");
        Game::new(map, rules, 2).expect("a game")
    })
}
