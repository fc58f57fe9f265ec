//! Bots that are programs: `cmd(COMMAND)` speaks the bot protocol with a
//! process of its own.
//!
//! Whatever the program does, the game goes on: a crash, silence, a flood,
//! nonsense or an illegal move is a [`Forfeit`], and all its processes are
//! killed. A process that has behaved plays the next game too.

mod clock;
mod descendants;
mod launch;
mod pool;
mod process;
mod supervisor;

use std::sync::Arc;
use std::time::Duration;

use hegemon_bots::{Bot, Command, Forfeit, ForfeitKind, Grants, Seating, SpecError, Stop};
use hegemon_core::{Event, Game, GameResult, Move, PlayerId, View};

use crate::answer::read_move;
use crate::{BudgetDto, ChooseDto, EventDto, GameOverDto, NewGameDto, ToBot, ViewDto};

pub(crate) use clock::now;
pub use descendants::end_orphans;
pub(crate) use launch::BotProgram;
pub use launch::{BotLimits, Launch};
pub use pool::stop_idle;
pub(crate) use pool::{keep, stop_idle_of};
pub(crate) use process::Process;
pub use supervisor::Supervisor;
pub(crate) use supervisor::keep_end;

/// A bot that is a program.
#[derive(Debug)]
pub struct External {
    program: BotProgram,
    game: Arc<Game>,
    seat: PlayerId,
    seed: u64,
    stop: Stop,
    /// None before the first move and after a forfeit.
    process: Option<Process>,
    /// Time that its answers have taken.
    used: Duration,
    n_questions: u64,
    failure: Option<Forfeit>,
    /// Whether the program wants to be told of events, once it has said so.
    wants_events: Option<bool>,
    /// What happened before that.
    unheard: Vec<EventDto>,
}

/// Events that are kept for a program that has not moved yet.
const MAX_UNHEARD: usize = 1000;

impl External {
    /// Seats a program. A command that has never worked is tried at once, so
    /// that a misspelt one is found before any game.
    ///
    /// # Errors
    ///
    /// If the program does not say hello.
    pub fn new(
        command: Command,
        launch: &Launch,
        seating: &Seating<'_>,
    ) -> Result<External, SpecError> {
        let launch = launch.clone();
        let program = BotProgram { command, launch };
        try_out(&program, Some(seating.seed))?;
        Ok(External::seated(program, seating))
    }

    /// The name and version that a program states, in a form that a spec can hold.
    ///
    /// # Errors
    ///
    /// If the program does not say hello.
    pub fn identity(command: Command, launch: &Launch) -> Result<Option<String>, SpecError> {
        let launch = launch.clone();
        try_out(&BotProgram { command, launch }, None)
    }

    /// Seats a program without trying it.
    pub(crate) fn seated(program: BotProgram, seating: &Seating<'_>) -> External {
        External {
            program,
            game: Arc::clone(seating.game),
            seat: seating.seat,
            seed: seating.seed,
            stop: seating.grants.stop.clone(),
            process: None,
            used: Duration::ZERO,
            n_questions: 0,
            failure: None,
            wants_events: None,
            unheard: Vec::new(),
        }
    }

    /// Asks the first question of a game.
    fn begin(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        // A process that ends with its last game may still be seen alive: no
        // reason to lose the game that begins.
        if let Some(process) = pool::take_idle(&self.program) {
            let process = self.introduce(process);
            let answer = self.ask(process, view);
            if !matches!(&answer, Err(forfeit) if forfeit.kind == ForfeitKind::Crash) {
                return answer;
            }
        }
        let process = Process::start(&self.program, Some(self.seed))?;
        let process = self.introduce(process);
        self.ask(process, view)
    }

    fn ask(&mut self, mut process: Process, view: View<'_>) -> Result<Move, Forfeit> {
        let game_left = self.program.command.game_limit.saturating_sub(self.used);
        let limit = self.program.command.move_limit.min(game_left);
        let budget = BudgetDto {
            move_ms: limit.as_millis() as u64,
            game_ms: game_left.as_millis() as u64,
        };
        self.n_questions += 1;
        let question = ChooseDto::new(self.n_questions, view, budget);
        let line = ToBot::Choose(Box::new(question)).to_line();
        let asked = now();
        let answer = process.ask(&line, asked + limit, &self.stop);
        let words = process.take_error_output();
        self.program.launch.log.add(self.seed, &words);
        let answer = answer.map_err(|mut forfeit| {
            if forfeit.kind == ForfeitKind::Timeout {
                forfeit.message = if self.stop.is_raised() {
                    "it was told to stop while it was thinking".to_owned()
                } else {
                    self.late(limit, game_left)
                };
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

    /// Tells a process about the game, and what has happened in it.
    fn introduce(&mut self, mut process: Process) -> Process {
        let seating = Seating {
            game: &self.game,
            seat: self.seat,
            seed: self.seed,
            grants: &Grants::sealed(),
        };
        let new_game = NewGameDto::new(&seating);
        process.tell(&ToBot::NewGame(Box::new(new_game)).to_line());
        self.wants_events = Some(process.wants_events());
        for event in std::mem::take(&mut self.unheard) {
            if process.wants_events() {
                process.tell(&ToBot::Event(Box::new(event)).to_line());
            }
        }
        process
    }

    fn late(&self, limit: Duration, game_left: Duration) -> String {
        if game_left <= self.program.command.move_limit {
            let all = self.program.command.game_limit.as_millis();
            format!("its {all} ms for the whole game are used up")
        } else {
            format!("no answer within {} ms", limit.as_millis())
        }
    }

    fn end(&mut self, end: GameOverDto) {
        if let Some(mut process) = self.process.take() {
            process.tell(&ToBot::GameOver(end).to_line());
            // Processor time is counted by process and allowed by game.
            if self.program.launch.limits.cpu_s.is_none() {
                pool::keep(&self.program, process);
            }
        }
    }
}

fn try_out(program: &BotProgram, seed: Option<u64>) -> Result<Option<String>, SpecError> {
    pool::try_out(program, seed).map_err(|forfeit| SpecError::Unsuitable {
        bot: format!("cmd({})", program.command.line),
        reason: forfeit.to_string(),
    })
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

    fn observes(&self) -> bool {
        self.failure.is_none() && self.wants_events != Some(false)
    }

    fn observe(&mut self, before: View<'_>, event: Event) {
        let event = EventDto {
            view: ViewDto::new(before),
            event,
        };
        match &mut self.process {
            Some(process) => process.tell(&ToBot::Event(Box::new(event)).to_line()),
            None if self.unheard.len() < MAX_UNHEARD => self.unheard.push(event),
            None => {}
        }
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
