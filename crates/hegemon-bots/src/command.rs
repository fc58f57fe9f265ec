//! The inside of `cmd(...)`: limits, then the command line. The loader runs it.

use std::time::Duration;

use crate::parameter::Parameter;
use crate::registry::BotInfo;
use crate::settings::Settings;
use crate::spec::{PROGRAM, Spec, SpecError};

/// `cmd` in the registry.
pub(crate) const INFO: BotInfo = BotInfo {
    name: PROGRAM,
    about: "a program that speaks the bot protocol, as cmd(COMMAND) or cmd(move-ms=500: COMMAND)",
    source: "docs/protocol.md",
    parameters: &[
        Parameter::command("the command line, run by sh"),
        Parameter::whole("move-ms", "5000", (1, LONGEST), "milliseconds for a move"),
        Parameter::whole(
            "game-ms",
            "600000",
            (1, LONGEST),
            "milliseconds for all moves of a game",
        ),
        Parameter::whole(
            "start-ms",
            "10000",
            (1, LONGEST),
            "milliseconds from the start to the hello",
        ),
    ],
    build: |settings, seating| {
        let command = Command::of(settings)?;
        seating.grants.loader.program(&command, seating)
    },
};

/// A week.
const LONGEST: u64 = 7 * 24 * 3_600_000;

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
    /// Parses the text between the brackets of `cmd(...)`.
    ///
    /// # Errors
    ///
    /// If a limit is wrong or there is no command.
    pub fn parse(text: &str) -> Result<Command, SpecError> {
        let spec: Spec = format!("{PROGRAM}({text})").parse()?;
        Command::of(&Settings::read(&spec, INFO.name, INFO.parameters)?)
    }

    fn of(settings: &Settings<'_>) -> Result<Command, SpecError> {
        let line = settings.command();
        if line.is_empty() {
            return Err(SpecError::Unsuitable {
                bot: INFO.name.to_owned(),
                reason: "it needs a command, as in cmd(./my-bot)".to_owned(),
            });
        }
        let limit = |key: &str| Duration::from_millis(settings.whole(key));
        Ok(Command {
            line: line.to_owned(),
            move_limit: limit("move-ms"),
            game_limit: limit("game-ms"),
            start_limit: limit("start-ms"),
        })
    }
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
        assert!(message("move-ms=0: ./bot").contains("a whole number from 1 to"));
        assert!(message("move-ms=5,move-ms=6: ./bot").contains("twice"));
        assert!(message("move-ms=5: ").contains("needs a command"));
        assert!(message("").contains("needs a command"));
    }
}
