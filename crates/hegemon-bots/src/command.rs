//! The inside of `cmd(...)`: limits, then the command line. What runs it is the
//! loader.

use std::time::Duration;

use crate::registry::{BotInfo, Parameter};
use crate::spec::{Spec, SpecError, nearest};

/// `cmd` in the registry.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "cmd",
    about: "a program that speaks the bot protocol, as cmd(COMMAND) or cmd(move-ms=500: COMMAND)",
    source: "docs/protocol.md",
    parameters: &[
        Parameter {
            name: "",
            default: "",
            about: "the command line, run by sh",
        },
        Parameter {
            name: "move-ms",
            default: "5000",
            about: "milliseconds for a move",
        },
        Parameter {
            name: "game-ms",
            default: "600000",
            about: "milliseconds for all moves of a game",
        },
        Parameter {
            name: "start-ms",
            default: "10000",
            about: "milliseconds from the start to the hello",
        },
    ],
    build: |spec, seating| {
        let command = Command::from_spec(spec)?;
        seating.grants.loader.program(&command, seating)
    },
};

/// A command line with its limits.
///
/// `COMMAND`, or `key=value,key=value: COMMAND` with a space after the colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What `sh -c` runs.
    pub line: String,
    /// For a move.
    pub move_limit: Duration,
    /// For all moves of a game.
    pub game_limit: Duration,
    /// From the start to the hello.
    pub start_limit: Duration,
}

impl Command {
    /// The command of a `cmd(...)` spec.
    pub(crate) fn from_spec(spec: &Spec) -> Result<Command, SpecError> {
        Command::parse(spec.value("").unwrap_or_default())
    }

    /// The command of a text.
    ///
    /// # Errors
    ///
    /// If a limit is wrong or there is no command.
    pub fn parse(text: &str) -> Result<Command, SpecError> {
        let (options, line) = match text.split_once(": ") {
            Some((head, line)) if is_option_list(head) => (options(head)?, line),
            _ => (Spec::plain(INFO.name), text),
        };
        let line = line.trim();
        if line.is_empty() {
            return Err(SpecError::Unsuitable {
                bot: INFO.name.to_owned(),
                reason: "it needs a command, as in cmd(./my-bot)".to_owned(),
            });
        }
        let limit = |key: &str| {
            let known = INFO.parameters.iter().find(|known| known.name == key);
            let default = known.and_then(|known| known.default.parse().ok());
            let most = 7 * 24 * 3_600_000;
            options
                .number(key, default.unwrap_or(0), 1..=most)
                .map(Duration::from_millis)
        };
        Ok(Command {
            line: line.to_owned(),
            move_limit: limit("move-ms")?,
            game_limit: limit("game-ms")?,
            start_limit: limit("start-ms")?,
        })
    }
}

fn is_option_list(head: &str) -> bool {
    let is_key =
        |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    head.split(',').all(|part| {
        part.split_once('=')
            .is_some_and(|(key, value)| is_key(key.trim()) && !value.contains(char::is_whitespace))
    })
}

fn options(head: &str) -> Result<Spec, SpecError> {
    let mut options = Spec::plain(INFO.name);
    for (key, value) in head.split(',').filter_map(|part| part.split_once('=')) {
        let key = key.trim();
        let known = || INFO.parameters.iter().map(|known| known.name);
        if !known().any(|name| name == key) {
            return Err(SpecError::UnknownParameter {
                bot: INFO.name.to_owned(),
                key: key.to_owned(),
                nearest: nearest(key, known()),
            });
        }
        if options.value(key).is_some() {
            return Err(SpecError::DuplicateParameter {
                bot: INFO.name.to_owned(),
                key: key.to_owned(),
            });
        }
        options.parameters.push((key.to_owned(), value.to_owned()));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_come_first() {
        let ms = Duration::from_millis;
        let plain = Command::parse("./bot --x").expect("a command");
        assert_eq!(plain.line, "./bot --x");
        assert_eq!(plain.move_limit, ms(5_000));
        assert_eq!(plain.game_limit, ms(600_000));
        let limited = Command::parse("move-ms=500, game-ms=9: ./bot a=1: b").expect("a command");
        assert_eq!(limited.line, "./bot a=1: b");
        assert_eq!(limited.move_limit, ms(500));
        assert_eq!(limited.game_limit, ms(9));
    }

    #[test]
    fn shell_text_is_no_limit() {
        for text in [
            "A=1 ./bot",
            "PATH=/x:/y ./bot",
            "./bot: x",
            "echo a: b",
            "./a b=1: c",
        ] {
            assert_eq!(Command::parse(text).expect(text).line, text);
        }
    }

    #[test]
    fn wrong_limits_are_sentences() {
        let message = |text: &str| Command::parse(text).expect_err(text).to_string();
        assert_eq!(
            message("mov-ms=5: ./bot"),
            "cmd has no parameter \"mov-ms\"; did you mean \"move-ms\"?"
        );
        assert!(message("move-ms=0: ./bot").contains("a number from 1"));
        assert!(message("move-ms=5,move-ms=6: ./bot").contains("twice"));
        assert!(message("move-ms=5: ").contains("needs a command"));
        assert!(message("").contains("needs a command"));
    }
}
