//! Bots that are programs: `cmd(COMMAND)` speaks the bot protocol with a
//! process of its own.
//!
//! Whatever the program does, the game goes on: a crash, silence, a flood,
//! nonsense or an illegal move is a [`Forfeit`], and all its processes are
//! killed. A process that has behaved plays the next game too.

mod clock;
mod command;
mod launch;
mod pool;
mod process;
mod supervisor;

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::{Game, GameResult, Move, PlayerId, View};

use crate::bot::{Bot, Forfeit, ForfeitKind, Seating};
use crate::protocol::{BudgetDto, ChooseDto, FromBot, GameOverDto, NewGameDto, ToBot};
use crate::registry::{BotInfo, Parameter};
use crate::spec::{Spec, SpecError};

pub(crate) use clock::now;
pub(crate) use command::Command;
pub use launch::{BotLimits, Launch};
pub use pool::stop_idle;
pub(crate) use pool::{keep, stop_idle_of};
pub(crate) use process::{Process, garbage};
pub use supervisor::Supervisor;

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
    build: |spec, seating| Ok(Box::new(External::new(spec, seating)?)),
};

/// A bot that is a program.
#[derive(Debug)]
pub struct External {
    command: Command,
    launch: Launch,
    game: Arc<Game>,
    seat: PlayerId,
    seed: u64,
    /// None before the first move and after a forfeit.
    process: Option<Process>,
    /// Time that its answers have taken.
    used: Duration,
    n_questions: u64,
    failure: Option<Forfeit>,
}

impl External {
    /// Seats the program of a `cmd(...)` spec. A command that has never worked
    /// is tried at once, so that a misspelt one is found before any game.
    ///
    /// # Errors
    ///
    /// If the spec is not such a command, or the program does not say hello.
    pub fn new(spec: &Spec, launch: &Launch, seating: &Seating<'_>) -> Result<External, SpecError> {
        let command = Command::from_spec(spec)?;
        pool::try_out(&command, launch).map_err(|forfeit| SpecError::Unsuitable {
            bot: spec.to_string(),
            reason: forfeit.to_string(),
        })?;
        Ok(External::with_command(command, launch, seating))
    }

    /// Seats a program without trying it.
    pub(crate) fn with_command(
        command: Command,
        launch: &Launch,
        seating: &Seating<'_>,
    ) -> External {
        External {
            command,
            launch: launch.clone(),
            game: Arc::clone(seating.game),
            seat: seating.seat,
            seed: seating.seed,
            process: None,
            used: Duration::ZERO,
            n_questions: 0,
            failure: None,
        }
    }

    /// Asks the first question of a game.
    fn begin(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        // A process that ends with its last game may still be seen alive: no
        // reason to lose the game that begins.
        if let Some(process) = pool::take_idle(&self.command, &self.launch) {
            let answer = self.ask(self.introduce(process), view);
            if !matches!(&answer, Err(forfeit) if forfeit.kind == ForfeitKind::Crash) {
                return answer;
            }
        }
        let process = Process::start(&self.command, &self.launch)?;
        self.ask(self.introduce(process), view)
    }

    fn ask(&mut self, mut process: Process, view: View<'_>) -> Result<Move, Forfeit> {
        let game_left = self.command.game_limit.saturating_sub(self.used);
        let limit = self.command.move_limit.min(game_left);
        let budget = BudgetDto {
            move_ms: limit.as_millis() as u64,
            game_ms: game_left.as_millis() as u64,
        };
        self.n_questions += 1;
        let question = ChooseDto::new(self.n_questions, view, budget);
        let line = ToBot::Choose(Box::new(question)).to_line();
        let asked = now();
        let answer = process.ask(&line, asked + limit).map_err(|mut forfeit| {
            if forfeit.kind == ForfeitKind::Timeout {
                forfeit.message = self.late(limit, game_left);
            }
            forfeit
        })?;
        self.used += now().saturating_duration_since(asked);
        let mv = read_move(&answer, self.n_questions)?;
        if !view.is_legal(mv) {
            let message = format!("{mv} in the {} phase", view.phase().name());
            return Err(Forfeit {
                kind: ForfeitKind::IllegalMove,
                message,
            });
        }
        // Only a process that has done nothing wrong is kept.
        self.process = Some(process);
        Ok(mv)
    }

    /// Tells a process about the game.
    fn introduce(&self, mut process: Process) -> Process {
        let seating = Seating {
            game: &self.game,
            seat: self.seat,
            seed: self.seed,
        };
        let new_game = NewGameDto::new(&seating);
        process.tell(&ToBot::NewGame(Box::new(new_game)).to_line());
        process
    }

    fn late(&self, limit: Duration, game_left: Duration) -> String {
        if game_left <= self.command.move_limit {
            let all = self.command.game_limit.as_millis();
            format!("its {all} ms for the whole game are used up")
        } else {
            format!("no answer within {} ms", limit.as_millis())
        }
    }

    fn end(&mut self, end: GameOverDto) {
        if let Some(mut process) = self.process.take() {
            process.tell(&ToBot::GameOver(end).to_line());
            // Processor time is counted by process and allowed by game.
            if self.launch.limits.cpu_s.is_none() {
                pool::keep(&self.command, &self.launch, process);
            }
        }
    }
}

impl Bot for External {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let answer = match self.process.take() {
            Some(process) => self.ask(process, view),
            None => self.begin(view),
        };
        answer.inspect_err(|forfeit| self.failure = Some(forfeit.clone()))
    }

    fn game_over(&mut self, result: &GameResult) {
        self.end(GameOverDto::new(result, self.game.n_players()));
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.end(GameOverDto::abandoned());
    }
}

/// The move of an answer to question `id`.
pub(crate) fn read_move(line: &str, id: u64) -> Result<Move, Forfeit> {
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
