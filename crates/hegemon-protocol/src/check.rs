//! The compliance checker: does a program keep to the protocol?

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use hegemon_bots::{Bot, Command, Forfeit, Grants, Seating, Seats, Spec, Stop, build, play_on};
use hegemon_core::rules::Victory;
use hegemon_core::{Game, Map, Move, PlayerId, Rules, State, Streams, View};

use crate::answer::{excerpt, garbage, read_move};
use crate::external::{BotProgram, External, Launch, Process, keep, now, stop_idle_of};
use crate::messages::{BudgetDto, ChooseDto, FromBot, GameOverDto, ToBot};
use crate::{NewGameDto, PROTOCOL_VERSION};

/// What was found out about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// What the bot calls itself, if it said hello.
    pub name: Option<String>,
    /// The checks, in the order made.
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// Whether the protocol asks for it; else it is advice.
    pub required: bool,
    /// Whether the bot passed.
    pub passed: bool,
    /// What happened, in a sentence.
    pub detail: String,
}

impl CheckReport {
    /// Whether the bot keeps to the protocol: passed all that is required.
    pub fn passed(&self) -> bool {
        self.checks
            .iter()
            .all(|check| check.passed || !check.required)
    }

    fn add(&mut self, name: &str, required: bool, found: Result<String, String>) {
        self.checks.push(Check {
            name: name.to_owned(),
            required,
            passed: found.is_ok(),
            detail: found.unwrap_or_else(|detail| detail),
        });
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.checks.iter().map(|check| check.name.len()).max();
        let width = width.unwrap_or(0);
        for check in &self.checks {
            let verdict = match (check.passed, check.required) {
                (true, _) => "ok    ",
                (false, true) => "FAILED",
                (false, false) => "advice",
            };
            let (name, detail) = (&check.name, &check.detail);
            writeln!(f, "{verdict}  {name:width$}  {detail}")?;
        }
        let name = self.name.as_deref().unwrap_or("the bot");
        if self.passed() {
            write!(f, "{name} speaks protocol {PROTOCOL_VERSION}.")
        } else {
            write!(f, "{name} does not keep to protocol {PROTOCOL_VERSION}.")
        }
    }
}

/// How long a bot may take to end when its input has ended.
const EXIT_LIMIT: Duration = Duration::from_secs(2);
/// How long we listen whether a bot speaks unasked.
const SILENCE: Duration = Duration::from_millis(100);
/// Turns of each player in the games of the check.
const TURNS: u32 = 15;

/// Checks a command, as `cmd(...)` would run it: handshake, games over all
/// presets against built-in bots, what it makes of messages it does not know,
/// its time, and that it ends when its input does.
pub fn check(command: &str, launch: &Launch) -> CheckReport {
    let mut report = CheckReport {
        name: None,
        checks: Vec::new(),
    };
    let program = match Command::parse(command) {
        Ok(command) => BotProgram {
            command,
            launch: launch.clone(),
        },
        Err(error) => {
            report.add("hello", true, Err(error.to_string()));
            return report;
        }
    };
    let started = now();
    match Process::start(&program, None) {
        Err(forfeit) => {
            report.add("hello", true, Err(forfeit.to_string()));
            return report;
        }
        Ok(process) => {
            let ms = now().saturating_duration_since(started).as_millis();
            let name = process.name().to_owned();
            report.add("hello", true, Ok(format!("\"{name}\" after {ms} ms")));
            report.name = Some(name);
            keep(&program, process);
        }
    }
    report.add("silence", true, silence(&program));
    report.add("unknown messages", true, unknown_messages(&program));
    report.add("broken line", false, broken_line(&program));
    check_games(&mut report, &program);
    report.add("repeats itself", false, repeats(&program));
    report.add("end of input", true, end_of_input(&program));
    stop_idle_of(|line| line == program.command.line);
    report
}

/// Answers of a bot, over several games.
#[derive(Default)]
struct Timing {
    n: u32,
    total: Duration,
    slowest: Duration,
    phases: BTreeSet<&'static str>,
}

fn check_games(report: &mut CheckReport, program: &BotProgram) {
    let mut timing = Timing::default();
    for (n, (name, game)) in scenarios().iter().enumerate() {
        let played = play(program, game, n as u64, &mut timing);
        let found = match played {
            Ok((state, moves)) => {
                let (rounds, moves) = (state.round(), moves.len());
                Ok(format!("{moves} legal moves up to round {rounds}"))
            }
            Err(forfeit) => Err(forfeit.to_string()),
        };
        report.add(&format!("game: {name}"), true, found);
    }
    let mean = timing.total.as_secs_f64() * 1e3 / f64::from(timing.n.max(1));
    let slowest = timing.slowest.as_secs_f64() * 1e3;
    let (n, phases, limit) = (
        timing.n,
        timing.phases.len(),
        program.command.move_limit.as_millis(),
    );
    let detail = format!(
        "{n} answers in {phases} kinds of phase, {mean:.1} ms on average, {slowest:.1} ms at most, \
         {limit} ms allowed"
    );
    let in_time = timing.slowest <= program.command.move_limit;
    report.add("time", true, if in_time { Ok(detail) } else { Err(detail) });
}

/// A game of every preset, and rules that ask for every kind of move.
fn scenarios() -> Vec<(String, Arc<Game>)> {
    let missions = Victory::Missions;
    let capitals = Victory::Capitals {
        hold: 3,
        extra_die: true,
    };
    let cases = [
        ("sampling", "classic", 2, Victory::Conquest),
        ("classic", "classic", 2, Victory::Conquest),
        ("classic", "classic", 3, Victory::Conquest),
        ("classic", "classic", 3, missions),
        ("classic", "classic", 3, capitals),
        ("lux", "classic-lux", 4, Victory::Conquest),
        ("lux", "archipelago80", 6, Victory::Conquest),
        ("draft", "classic", 3, Victory::Conquest),
        ("beam", "classic", 4, Victory::Conquest),
    ];
    cases
        .into_iter()
        .filter_map(|(preset, map, n_players, victory)| {
            let mut rules = Rules::preset(preset)?;
            rules.end.turn_limit = Some(TURNS);
            rules.victory = victory;
            let game = Game::new(Map::builtin(map)?, rules, n_players).ok()?;
            let more = match victory {
                Victory::Conquest => "",
                Victory::Missions => ", missions",
                Victory::Capitals { .. } => ", capitals",
            };
            Some((
                format!("{preset} on {map}, {n_players} players{more}"),
                game,
            ))
        })
        .collect()
}

/// Plays a game of the command in the first seat against built-in bots. Returns
/// the last state and the moves of the command.
fn play(
    program: &BotProgram,
    game: &Arc<Game>,
    seed: u64,
    timing: &mut Timing,
) -> Result<(State, Vec<Move>), Forfeit> {
    let seating = Seating {
        game,
        seat: PlayerId::new(0),
        seed,
        grants: &Grants::sealed(),
    };
    let mut seats = Examined {
        bot: External::seated(program.clone(), &seating),
        others: opponents(game, seed),
        streams: Streams::new(seed),
        timing,
        moves: Vec::new(),
    };
    let mut state = game.start();
    if let (_, Some((_, forfeit))) = play_on(&mut state, &mut seats, |_, _| false) {
        return Err(forfeit);
    }
    if let Some(result) = state.result() {
        seats.bot.game_over(&result);
    }
    Ok((state, seats.moves))
}

/// The bot that is checked in the first seat, built-in ones in the others.
struct Examined<'a> {
    bot: External,
    others: Vec<Box<dyn Bot>>,
    streams: Streams,
    timing: &'a mut Timing,
    moves: Vec<Move>,
}

impl Seats for Examined<'_> {
    type Failure = Forfeit;

    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, Forfeit> {
        let mv = match player.index().checked_sub(1) {
            Some(other) => self.others[other].choose(View::of_mover(state))?,
            None => {
                let asked = now();
                let mv = self.bot.choose(View::of_mover(state))?;
                let took = now().saturating_duration_since(asked);
                self.timing.n += 1;
                self.timing.total += took;
                self.timing.slowest = self.timing.slowest.max(took);
                self.timing.phases.insert(state.phase().name());
                self.moves.push(mv);
                mv
            }
        };
        state.play_unchecked(mv);
        Ok(1)
    }

    fn chance(&mut self, state: &mut State) {
        self.streams.resolve(state);
    }
}

fn opponents(game: &Arc<Game>, seed: u64) -> Vec<Box<dyn Bot>> {
    let names = ["baseline", "random", "simulation"];
    game.seats()
        .skip(1)
        .zip(names.iter().cycle())
        .filter_map(|(seat, name)| {
            build(
                &Spec::plain(name),
                &Seating {
                    game,
                    seat,
                    seed,
                    grants: &Grants::sealed(),
                },
            )
            .ok()
        })
        .collect()
}

/// A game at the bot's first decision, for questions asked by hand.
fn first_question() -> Option<(Arc<Game>, State)> {
    let map = Map::builtin("classic")?;
    let game = Game::new(map, Rules::preset("sampling")?, 2).ok()?;
    let state = game.deal(1);
    Some((game, state))
}

/// One process that is talked to by hand.
struct Talk {
    process: Process,
    game: Arc<Game>,
    state: State,
    limit: Duration,
}

impl Talk {
    fn new(program: &BotProgram) -> Result<Talk, String> {
        let process = Process::start(program, None).map_err(|forfeit| forfeit.to_string())?;
        let (game, state) = first_question().ok_or("the check itself is broken")?;
        Ok(Talk {
            process,
            game,
            state,
            limit: program.command.move_limit,
        })
    }

    fn new_game(&mut self) {
        let seating = Seating {
            game: &self.game,
            seat: self.state.player(),
            seed: 1,
            grants: &Grants::sealed(),
        };
        let new_game = ToBot::NewGame(Box::new(NewGameDto::new(&seating)));
        self.process.tell(&new_game.to_line());
    }

    fn question(&self, id: u64) -> ToBot {
        let ms = self.limit.as_millis() as u64;
        let budget = BudgetDto {
            move_ms: ms,
            game_ms: ms,
        };
        let view = View::of_mover(&self.state);
        ToBot::Choose(Box::new(ChooseDto::new(id, view, budget)))
    }

    /// The move that a line has, if it is legal.
    fn judge(&self, line: &str, id: u64) -> Result<Move, Forfeit> {
        let mv = read_move(line, id)?;
        if self.state.is_legal(mv) {
            Ok(mv)
        } else {
            Err(garbage(&format!("{mv} is not legal")))
        }
    }

    fn ask(&mut self, line: &str, id: u64) -> Result<Move, String> {
        let answer = self.process.ask(line, now() + self.limit, &Stop::never());
        answer
            .and_then(|line| self.judge(&line, id))
            .map_err(|forfeit| forfeit.to_string())
    }

    fn expect_silence(&mut self, after: &str) -> Result<(), String> {
        match self.process.hear(now() + SILENCE, &Stop::never()) {
            Ok(line) => Err(format!("it answered {after} with \"{}\"", excerpt(&line))),
            Err(_) if self.process.is_quiet() => Ok(()),
            Err(forfeit) => Err(format!("after {after}: {forfeit}")),
        }
    }
}

/// Only `hello` and `choose` are answered, and a second game is like a first.
fn silence(program: &BotProgram) -> Result<String, String> {
    let mut talk = Talk::new(program)?;
    for id in 1..=2 {
        talk.new_game();
        talk.expect_silence("new_game")?;
        let question = talk.question(id).to_line();
        talk.ask(&question, id)?;
        talk.expect_silence("choose a second time")?;
        let end = ToBot::GameOver(GameOverDto::abandoned());
        talk.process.tell(&end.to_line());
        talk.expect_silence("game_over")?;
    }
    Ok("it speaks only when asked, also in a second game".to_owned())
}

/// Messages and fields of later versions are passed over.
fn unknown_messages(program: &BotProgram) -> Result<String, String> {
    let mut talk = Talk::new(program)?;
    let unknown = r#"{"type":"weather","wind":[1,2,3],"sun":{"type":"choose"}}"#;
    talk.process.tell(unknown);
    talk.new_game();
    talk.process.tell(unknown);
    let mut question = serde_json::to_value(talk.question(1)).map_err(|error| error.to_string())?;
    question["from_the_future"] = serde_json::json!({"x": [null, "y"]});
    question["view"]["from_the_future"] = serde_json::json!(3.5);
    question["budget"]["from_the_future"] = serde_json::json!(null);
    talk.ask(&question.to_string(), 1)?;
    talk.expect_silence("an unknown message")?;
    Ok("it passes over messages and fields that it does not know".to_owned())
}

/// A line that is no message is answered with an error or with nothing.
fn broken_line(program: &BotProgram) -> Result<String, String> {
    let mut talk = Talk::new(program)?;
    talk.new_game();
    talk.process.tell("{\"type\": broken");
    let question = talk.question(1).to_line();
    talk.process.tell(&question);
    let deadline = now() + talk.limit;
    let mut hear = || {
        let heard = talk.process.hear(deadline, &Stop::never());
        heard.map_err(|forfeit| forfeit.to_string())
    };
    let mut line = hear()?;
    let complains = matches!(serde_json::from_str(&line), Ok(FromBot::Error { .. }));
    if complains {
        line = hear()?;
    }
    talk.judge(&line, 1)
        .map_err(|forfeit| forfeit.to_string())?;
    let how = if complains { "reports" } else { "passes over" };
    Ok(format!("it {how} a line that is not JSON and goes on"))
}

/// The same seed gives the same game.
fn repeats(program: &BotProgram) -> Result<String, String> {
    let (game, _) = first_question().ok_or("the check itself is broken")?;
    let again =
        || play(program, &game, 7, &mut Timing::default()).map_err(|forfeit| forfeit.to_string());
    let (first, second) = (again()?, again()?);
    if first.1 == second.1 {
        Ok("the same seed gave the same game".to_owned())
    } else {
        Err("the same seed gave another game: results cannot be repeated".to_owned())
    }
}

fn end_of_input(program: &BotProgram) -> Result<String, String> {
    let mut talk = Talk::new(program)?;
    talk.new_game();
    talk.process.close_input();
    match talk.process.wait_for_exit(now() + EXIT_LIMIT) {
        Some(true) => Ok("it ends with status 0 when its input does".to_owned()),
        Some(false) => Err("it ends when its input does, but not with status 0".to_owned()),
        None => Err(format!(
            "it still ran {} ms after its input had ended",
            EXIT_LIMIT.as_millis()
        )),
    }
}
