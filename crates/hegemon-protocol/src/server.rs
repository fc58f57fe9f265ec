//! Our own side of the protocol: a bot of the registry behind stdin and stdout.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use hegemon_bots::{Bot, Grants, Seating, Spec, SpecError, build, observes};
use hegemon_core::{ByPlayer, Ending, Game, GameResult, PlayerId, View, from_json};

use crate::messages::{ChooseDto, FromBot, GameOverDto, ToBot};
use crate::{NewGameDto, PROTOCOL_VERSION, ProtocolError};

/// Speaks the protocol as the bot of a spec, until the input ends.
///
/// ```
/// use hegemon_bots::{Grants, Spec};
/// use hegemon_protocol::serve;
/// let spec: Spec = "baseline".parse().expect("well formed");
/// let input = "{\"type\":\"hello\",\"protocol\":1,\"program\":\"test\"}\n";
/// let mut output = Vec::new();
/// serve(&spec, Grants::sealed(), input.as_bytes(), &mut output).expect("memory does not fail");
/// assert_eq!(output, b"{\"type\":\"hello\",\"protocol\":1,\"name\":\"baseline\"}\n");
/// ```
///
/// # Errors
///
/// If input or output fails. What cannot be understood is answered with an
/// `error` message.
pub fn serve(
    spec: &Spec,
    grants: Grants,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    serve_host(Host::of(spec.clone()), grants, input, output)
}

/// Speaks the protocol as a bot that is not in the registry, until the input ends.
///
/// # Errors
///
/// As [`serve`].
pub fn serve_host(
    host: Host,
    grants: Grants,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut server = BotServer::of(host, grants);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Some(answer) = server.answer(&String::from_utf8_lossy(&line)) {
            writeln!(output, "{}", answer.to_line())?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// Who plays behind the protocol.
pub struct Host {
    /// The name it gives.
    pub name: String,
    /// Its version, if it has one.
    pub version: Option<String>,
    /// Whether it wants to be told what happens.
    pub observes: bool,
    /// Makes the bot of a game.
    pub seat: MakeBot,
}

/// Makes the bot of a game.
pub type MakeBot = Box<dyn Fn(&Seating<'_>) -> Result<Box<dyn Bot>, SpecError> + Send>;

impl Host {
    /// The bot of a spec.
    pub fn of(spec: Spec) -> Host {
        Host {
            name: spec.to_string(),
            version: None,
            observes: observes(&spec),
            seat: Box::new(move |seating| build(&spec, seating)),
        }
    }
}

/// A bot that is talked to in messages.
pub struct BotServer {
    host: Host,
    grants: Grants,
    current: Option<CurrentGame>,
}

/// The game being played.
struct CurrentGame {
    game: Arc<Game>,
    seat: PlayerId,
    bot: Box<dyn Bot>,
}

impl BotServer {
    /// A server that plays as this spec says.
    pub fn new(spec: Spec, grants: Grants) -> BotServer {
        BotServer::of(Host::of(spec), grants)
    }

    /// A server for this host's bots.
    pub fn of(host: Host, grants: Grants) -> BotServer {
        BotServer {
            host,
            grants,
            current: None,
        }
    }

    /// The answer to a line, if it calls for one.
    pub fn answer(&mut self, line: &str) -> Option<FromBot> {
        let message = from_json("the message", line.as_bytes()).map_err(ProtocolError);
        let answer = message.and_then(|message| self.answer_message(&message));
        answer.unwrap_or_else(|error| Some(FromBot::Error { message: error.0 }))
    }

    fn answer_message(&mut self, message: &ToBot) -> Result<Option<FromBot>, ProtocolError> {
        match message {
            ToBot::Hello { protocol, .. } if *protocol != PROTOCOL_VERSION => Err(ProtocolError(
                format!("protocol {protocol} is asked for, but this bot speaks {PROTOCOL_VERSION}"),
            )),
            ToBot::Hello { .. } => Ok(Some(FromBot::Hello {
                protocol: PROTOCOL_VERSION,
                name: self.host.name.clone(),
                version: self.host.version.clone(),
                events: self.host.observes,
            })),
            ToBot::NewGame(new_game) => {
                self.current = None;
                self.current = Some(self.sit_down(new_game)?);
                Ok(None)
            }
            ToBot::Choose(question) => self.choose(question).map(Some),
            ToBot::Event(told) => {
                // Where a rival trades cards that are hidden, the view is of no possible state.
                if let Some(current) = &mut self.current
                    && let Ok(before) = told.view.state(&current.game, current.seat)
                {
                    current
                        .bot
                        .observe(View::new(&before, current.seat), told.event);
                }
                Ok(None)
            }
            ToBot::GameOver(end) => {
                if let (Some(mut current), Some(result)) = (self.current.take(), result(end)) {
                    current.bot.game_over(&result);
                }
                Ok(None)
            }
            ToBot::Unknown => Ok(None),
        }
    }

    fn sit_down(&self, new_game: &NewGameDto) -> Result<CurrentGame, ProtocolError> {
        let game = new_game.game()?;
        let (seat, seed) = new_game.seat_and_seed()?;
        let seating = Seating {
            game: &game,
            seat,
            seed,
            grants: &self.grants,
        };
        let bot = (self.host.seat)(&seating).map_err(|error| ProtocolError(error.to_string()))?;
        Ok(CurrentGame { game, seat, bot })
    }

    fn choose(&mut self, question: &ChooseDto) -> Result<FromBot, ProtocolError> {
        let no_game = || ProtocolError("no game has been started".to_owned());
        let current = self.current.as_mut().ok_or_else(no_game)?;
        let state = question.view.state(&current.game, current.seat)?;
        let mv = current
            .bot
            .choose(View::new(&state, current.seat))
            .map_err(|forfeit| ProtocolError(forfeit.to_string()))?;
        Ok(FromBot::Move {
            id: Some(question.id),
            mv: mv.to_string(),
        })
    }
}

/// The result, if the game was played to its end.
fn result(end: &GameOverDto) -> Option<GameResult> {
    let ending = Ending::from_name(&end.ending)?;
    let (scores, places) = (end.scores.as_ref()?, end.places.as_ref()?);
    Some(GameResult {
        ending,
        score: ByPlayer::from_fn(|p| scores.get(p.index()).copied().unwrap_or(0.0)),
        place: ByPlayer::from_fn(|p| places.get(p.index()).copied().unwrap_or(0)),
    })
}
