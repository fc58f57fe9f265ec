//! The inside of `cmd(...)`: limits, then the command line. The loader runs it.

use std::time::Duration;

use crate::loader::Grants;
use crate::parameter::Parameter;
use crate::registry::BotInfo;
use crate::settings::Settings;
use crate::spec::{Argument, MAX_SPEC_BYTES, PROGRAM, Spec, SpecError, Value};

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
        Parameter::text(
            IDENTITY,
            "name and version that the program must state; tables show them instead of the command",
        ),
    ],
    build: |settings, seating| {
        let command = Command::of(settings)?;
        seating.grants.loader.program(&command, seating)
    },
};

/// The parameter that says who the program is.
pub(crate) const IDENTITY: &str = "as";

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
    /// Name and version that the program must state.
    pub identity: Option<String>,
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
            identity: settings.text(IDENTITY).map(str::to_owned),
        })
    }
}

/// The spec with the name and version that its program states, so that another version
/// is another bot; a bot that is no program, or has stated them, as it is.
///
/// # Errors
///
/// If the program must not or cannot be started.
pub fn introduced(spec: &Spec, grants: &Grants) -> Result<Spec, SpecError> {
    if spec.name != PROGRAM || spec.value(IDENTITY).is_some() {
        return Ok(spec.clone());
    }
    let command = Command::of(&Settings::read(spec, INFO.name, INFO.parameters)?)?;
    let mut spec = spec.clone();
    if let Some(identity) = grants.loader.identity(&command)? {
        let value = Value::Word(format!("\"{identity}\""));
        let key = IDENTITY.to_owned();
        spec.arguments.insert(0, Argument { key, value });
        // What is written down must be readable again.
        let length = spec.to_string().len();
        if length > MAX_SPEC_BYTES {
            return Err(SpecError::TooLong(length));
        }
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{Bot, Seating};
    use crate::loader::{LoadError, Loader, Sealed};

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
    fn a_program_may_be_held_to_its_name_and_version() {
        let text = "as=\"my bot (a, b): 1.2\",move-ms=5: ./bot \"x: y\"";
        let command = Command::parse(text).expect("a command");
        assert_eq!(command.identity.as_deref(), Some("my bot (a, b): 1.2"));
        assert_eq!(command.move_limit, Duration::from_millis(5));
        assert_eq!(command.line, "./bot \"x: y\"");
        let spec: Spec = format!("{PROGRAM}({text})").parse().expect("a spec");
        assert_eq!(spec.to_string(), format!("cmd({text})"));
        assert_eq!(spec.title(), "my bot (a, b): 1.2");
        assert_eq!(
            spec.without_identity().title(),
            "cmd(move-ms=5: ./bot \"x: y\")"
        );
        for wrong in ["as=bot: ./bot", "as=\"\": ./bot"] {
            let message = Command::parse(wrong).expect_err(wrong).to_string();
            assert!(message.contains("a text in double quotes"), "{message}");
        }
    }

    /// A loader whose programs state a name.
    #[derive(Debug)]
    struct Stating(&'static str);

    impl Loader for Stating {
        fn weights(&self, path: &str) -> Result<String, LoadError> {
            Sealed.weights(path)
        }

        fn program(
            &self,
            command: &Command,
            seating: &Seating<'_>,
        ) -> Result<Box<dyn Bot>, SpecError> {
            Sealed.program(command, seating)
        }

        fn identity(&self, _: &Command) -> Result<Option<String>, SpecError> {
            Ok(Some(self.0.to_owned()))
        }
    }

    /// A pool once held a spec that nobody could read: the name had made it too long.
    #[test]
    fn a_spec_with_its_name_can_be_read_again() {
        let grants = Grants::with(Stating("it 2"));
        for length in 4000..=MAX_SPEC_BYTES {
            let line = "x".repeat(length - "cmd()".len());
            let spec: Spec = format!("cmd({line})").parse().expect("short enough");
            match introduced(&spec, &grants) {
                Ok(stated) => assert_eq!(stated.to_string().parse(), Ok(stated)),
                Err(error) => assert!(matches!(error, SpecError::TooLong(_)), "{error}"),
            }
        }
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
