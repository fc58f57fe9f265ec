//! What a bot answers, read.

use hegemon_bots::{Forfeit, ForfeitKind};
use hegemon_core::Move;

use crate::FromBot;

/// The move of an answer to question `id`.
///
/// # Errors
///
/// If the line is no move, or answers another question: the game is lost for it.
pub fn read_move(line: &str, id: u64) -> Result<Move, Forfeit> {
    match serde_json::from_str(line) {
        Ok(FromBot::Move {
            id: Some(other), ..
        }) if other != id => Err(garbage(&format!(
            "it answered question {other} instead of {id}"
        ))),
        Ok(FromBot::Move { mv, .. }) => mv
            .parse()
            .map(in_card_order)
            .map_err(|_| garbage(&format!("\"{}\" is not a move", excerpt(&mv)))),
        Ok(FromBot::Error { message }) => Err(Forfeit {
            kind: ForfeitKind::Crash,
            message: format!("it gave up: {}", excerpt(&message)),
        }),
        Ok(FromBot::Hello { .. }) => Err(garbage("it said hello instead of a move")),
        Err(_) => Err(garbage(&format!("\"{}\" is not a message", excerpt(line)))),
    }
}

/// The forfeit of a bot that does not make sense.
pub(crate) fn garbage(message: &str) -> Forfeit {
    Forfeit {
        kind: ForfeitKind::Garbage,
        message: message.to_owned(),
    }
}

/// The engine knows each set of cards in one order; a bot may name the cards in
/// any.
fn in_card_order(mv: Move) -> Move {
    match mv {
        Move::Trade { mut cards, bonus } => {
            cards.sort_unstable();
            Move::Trade { cards, bonus }
        }
        other => other,
    }
}

/// The beginning of a text in one printable line.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 120;
    let mut short: String = text
        .trim()
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.trim().chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_answers() {
        let kind = |line: &str| read_move(line, 7).expect_err(line).kind;
        assert_eq!(
            read_move(r#"{"type":"move","move":"end"}"#, 7),
            Ok(Move::End)
        );
        assert_eq!(
            read_move(r#" {"id":7,"move":"end","type":"move","x":[1]} "#, 7),
            Ok(Move::End)
        );
        for line in [
            "",
            "end",
            "null",
            r#"{"type":"move"}"#,
            r#"{"type":"move","move":"a1>2"}"#,
            r#"{"type":"move","move":"end","id":6}"#,
            r#"{"type":"hello","protocol":1,"name":"x"}"#,
            r#"{"type":"dance"}"#,
        ] {
            assert_eq!(kind(line), ForfeitKind::Garbage, "{line}");
        }
        assert_eq!(
            kind(r#"{"type":"error","message":"tired"}"#),
            ForfeitKind::Crash
        );
    }

    #[test]
    fn sets_of_cards_are_taken_in_any_order() {
        let read = |mv: &str| read_move(&format!(r#"{{"type":"move","move":"{mv}"}}"#), 1);
        let set = read("t0.4.w+4").expect("a trade");
        for order in ["t0.w.4+4", "t4.0.w+4", "t4.w.0+4", "tw.0.4+4", "tw.4.0+4"] {
            assert_eq!(read(order).as_ref(), Ok(&set), "{order}");
        }
        assert_eq!(set.to_string(), "t0.4.w+4");
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(" a\u{7}b\n"), "a b");
        assert_eq!(excerpt(&"x".repeat(500)).len(), 123);
    }
}
