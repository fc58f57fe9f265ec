//! A browser at a table. The socket pulls what is new when it is ready to send
//! it, so that a slow reader costs nothing but its own time.

use std::convert::Infallible;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use hegemon_core::{Move, PlayerId, TerritoryId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tungstenite::error::ProtocolError;

use crate::app::{App, stops};
use crate::chronicle;
use crate::clients::{Client, Eviction, HeldStake, SeatPlace};
use crate::clock::ClockFace;
use crate::command::PlayerCommand;
use crate::company::{Company, Occupant, SeatCommand};
use crate::error::presentable;
use crate::limits::{Bucket, Permit, Rate};
use crate::noticeboard::GameMoment;
use crate::reading;
use crate::table::Table;
use crate::wire::{
    DrawnMapDto, FromClient, GameDto, SeatDto, StateDto, ToClient, WIRE_VERSION, events_message,
    missions,
};
use crate::workshop::WaitingLine;

/// Events that a newcomer is shown.
const N_FIRST: u64 = 200;
/// Events in one message.
const N_AT_ONCE: usize = 200;
/// Events that are told again from the store at a time; each time the game is
/// replayed from its beginning.
const N_OLD: usize = 500;
/// Events are gathered this long before they are sent: bots move faster than
/// anybody can look.
const GATHER: Duration = Duration::from_millis(20);
/// The same for those who only watch.
const GATHER_FOR_WATCHERS: Duration = Duration::from_millis(100);
/// A reader that takes nothing for this long is gone.
const SEND_LIMIT: Duration = Duration::from_secs(20);
/// How often a silent reader is asked whether it is there.
const HEARTBEAT: Duration = Duration::from_secs(25);
/// Phrases that one may say in a short time.
const PHRASES: Rate = Rate {
    burst: 4.0,
    per_second: 0.25,
};
/// Wishes of one socket in a short time: each is stored and told to everybody.
const SEAT_COMMANDS: Rate = Rate {
    burst: 10.0,
    per_second: 0.5,
};
/// Refused messages in a row after which the socket is closed.
const MAX_FAULTS: u32 = 20;

/// Where a connection comes in.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// Who comes.
    pub client: Client,
    pub table: Arc<Table>,
    /// As whom it comes.
    pub presence: Presence,
    /// Number of the last event seen before.
    pub from: Option<u64>,
    /// The place among the open sockets.
    pub permit: Permit,
}

/// As whom a connection comes.
#[derive(Debug)]
pub(crate) enum Presence {
    /// As a player.
    Seat(PlayerId, SeatPlace),
    /// As somebody who watches.
    Watcher {
        /// The place among the client's watchers.
        _held: HeldStake,
    },
}

impl Presence {
    fn seat(&self) -> Option<PlayerId> {
        match self {
            Presence::Seat(seat, _) => Some(*seat),
            Presence::Watcher { .. } => None,
        }
    }

    fn heard(&self, round: u32) {
        if let Presence::Seat(_, place) = self {
            place.heard(round);
        }
    }

    /// Waits until another needs the place more.
    async fn is_wanted(&self) -> Eviction {
        match self {
            Presence::Seat(_, place) => place.is_wanted().await,
            Presence::Watcher { .. } => std::future::pending().await,
        }
    }
}

/// Why a connection ends.
enum Parting {
    /// The other side is gone.
    Gone,
    /// We close, with a code and a sentence.
    Close(&'static str, &'static str),
}

type SocketResult = Result<(), Parting>;

const REPLACED: Parting = Parting::Close("replaced", "The seat was opened in another window.");

/// Serves a connection to its end.
pub(crate) async fn serve(app: Arc<App>, socket: WebSocket, arrival: Arrival) {
    let connection = app.next_connection();
    let Arrival {
        client,
        table,
        presence,
        from,
        permit,
    } = arrival;
    let seat = presence.seat();
    if let Some(seat) = seat {
        table.board.sit_down(seat, connection);
    }
    let mut guest = Guest {
        seen: 0,
        shown: None,
        is_silent: false,
        n_faults: 0,
        client,
        messages: Bucket::new(app.limits.messages),
        phrases: Bucket::new(PHRASES),
        seat_commands: Bucket::new(SEAT_COMMANDS),
        connection,
        seat,
        presence,
        socket,
        app,
        table,
    };
    let parting = guest.stay_until_put_away(from).await;
    if let Parting::Close(code, _) = parting
        && ["too-many-sockets", "too-many-errors", "internal"].contains(&code)
    {
        guest.note(code);
    }
    let Guest {
        mut socket, table, ..
    } = guest;
    if let Some(seat) = seat {
        table.board.stand_up(seat, connection);
    }
    // The game may have to make room; a slow reader does not hold it.
    drop(table);
    if let Parting::Close(code, sentence) = parting {
        part(&mut socket, code, sentence).await;
    }
    drop(permit);
}

struct Guest {
    app: Arc<App>,
    client: Client,
    table: Arc<Table>,
    socket: WebSocket,
    seat: Option<PlayerId>,
    presence: Presence,
    connection: u64,
    messages: Bucket,
    phrases: Bucket,
    seat_commands: Bucket,
    /// Number of the last event sent.
    seen: u64,
    /// Number of the last state sent.
    shown: Option<u64>,
    /// Whether nothing was heard since the last heartbeat.
    is_silent: bool,
    n_faults: u32,
}

impl Guest {
    async fn stay_until_put_away(&mut self, from: Option<u64>) -> Parting {
        let table = Arc::clone(&self.table);
        tokio::select! {
            Err(parting) = self.stay(from) => parting,
            () = table.leaves() => {
                let sentence = "The game was put away to make room for others; nothing is lost.";
                Parting::Close("put-away", sentence)
            }
        }
    }

    async fn stay(&mut self, from: Option<u64>) -> Result<Infallible, Parting> {
        let mut progress = self.table.board.progress();
        let mut company = self.table.board.follow_company();
        let mut clock = self.table.board.follow_clock();
        let mut phrases = self.table.board.follow_phrases();
        let mut rematch = self.table.board.follow_rematch();
        let mut stopping = self.app.stopping();
        let known = rematch.borrow_and_update().clone();
        self.greet(from, &company, known).await?;
        self.tell_time(&mut clock).await?;
        let mut quiet_until = Instant::now();
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.reset();
        loop {
            let is_behind = self.is_behind();
            tokio::select! {
                message = self.socket.recv() => {
                    let message = self.understood(message)?;
                    self.is_silent = false;
                    self.hear(message).await?;
                    // Who just moved sees the answer at once.
                    quiet_until = Instant::now();
                }
                () = sleep_until(quiet_until), if is_behind => {
                    self.show().await?;
                    quiet_until = Instant::now() + self.gather();
                }
                changed = progress.changed(), if !is_behind => {
                    changed.map_err(|_| Parting::Gone)?;
                }
                changed = company.changed() => {
                    changed.map_err(|_| Parting::Gone)?;
                    self.announce(&company).await?;
                }
                changed = clock.changed() => {
                    changed.map_err(|_| Parting::Gone)?;
                    self.tell_time(&mut clock).await?;
                }
                changed = rematch.changed() => {
                    changed.map_err(|_| Parting::Gone)?;
                    let game = rematch.borrow_and_update().clone();
                    self.send(ToClient::Rematch { game }.to_json()).await?;
                }
                said = phrases.recv() => match said {
                    Ok((seat, phrase)) => {
                        let seat = seat.index();
                        self.send(ToClient::Said { seat, phrase }.to_json()).await?;
                    }
                    // A slow reader has missed some; they are not worth waiting for.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return Err(Parting::Gone),
                },
                eviction = self.presence.is_wanted() => return Err(match eviction {
                    Eviction::Replaced => REPLACED,
                    Eviction::Silent => {
                        let sentence = "Too many seats are open at this address; this one was silent.";
                        Parting::Close("too-many-sockets", sentence)
                    }
                }),
                () = stops(&mut stopping) => {
                    return Err(Parting::Close("stopping", "The server stops; the game is kept."));
                }
                _ = heartbeat.tick() => {
                    self.ping().await?;
                    if self.seat.is_some() {
                        // However long somebody thinks, the game is kept.
                        self.table.seat(&self.app.store).await;
                    }
                }
            }
        }
    }

    fn gather(&self) -> Duration {
        if self.seat.is_some() {
            GATHER
        } else {
            GATHER_FOR_WATCHERS
        }
    }

    fn is_behind(&self) -> bool {
        let seq = self.table.board.moment().seq;
        seq > self.seen || self.shown != Some(seq)
    }

    async fn greet(
        &mut self,
        from: Option<u64>,
        company: &watch::Receiver<Company>,
        rematch: Option<String>,
    ) -> SocketResult {
        let seq = self.table.board.moment().seq;
        self.seen = match from {
            // A number from another life of the page means nothing.
            Some(from) if from <= seq => from,
            _ => seq.saturating_sub(N_FIRST),
        };
        let card = &self.table.card;
        let hello = ToClient::Hello {
            protocol: WIRE_VERSION,
            game: Box::new(GameDto {
                id: card.stored.id.clone(),
                map: DrawnMapDto::new(card.game.map()),
                rules: card.game.rules().clone(),
                rules_name: card.stored.rules_name.clone(),
                n_players: card.game.n_players(),
                seats: seats_of(company),
                turn_seconds: card.stored.turn_seconds,
                created: card.stored.created.clone(),
                missions: missions(&card.game),
                rematch,
                from_position: card.stored.header.position.is_some(),
            }),
            seat: self.seat.map(PlayerId::index),
            seq,
        };
        self.send(hello.to_json()).await
    }

    /// Says whose time runs, and how much of it is left.
    async fn tell_time(&mut self, clock: &mut watch::Receiver<ClockFace>) -> SocketResult {
        if self.table.card.stored.turn_seconds.is_none() {
            return Ok(());
        }
        let (player, until) = match *clock.borrow_and_update() {
            ClockFace::Stands => (None, None),
            ClockFace::Waits(until) => (None, Some(until)),
            ClockFace::Runs(player, until) => (Some(player), Some(until)),
        };
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        let time = ToClient::Clock {
            seat: player.map(PlayerId::index),
            left_ms: until.map_or(0, |until| left(until).as_millis() as u64),
        };
        self.send(time.to_json()).await
    }

    /// Sends all new events and then the state.
    async fn show(&mut self) -> SocketResult {
        loop {
            let moment = self.table.board.moment();
            if self.seen < moment.seq {
                let events = match self.table.board.events_after(self.seen, N_AT_ONCE) {
                    Some(events) => events,
                    None => self.old_events().await?,
                };
                for events in events.chunks(N_AT_ONCE) {
                    self.seen += events.len() as u64;
                    self.send(events_message(events)).await?;
                }
                continue;
            }
            let text = match self.seat {
                Some(_) => self.state_text(&moment),
                None => {
                    let board = &self.table.board;
                    board
                        .watched(&moment, || self.state_text(&moment))
                        .to_string()
                }
            };
            self.shown = Some(moment.seq);
            return self.send(text).await;
        }
    }

    fn state_text(&self, moment: &GameMoment) -> String {
        let seats = &self.table.board.seats();
        let result = moment.result.clone();
        let state = StateDto::new(&moment.state, moment.seq, seats, self.seat, result);
        ToClient::State(Box::new(state)).to_json()
    }

    /// Events that are no longer at hand, told again from the store.
    async fn old_events(&mut self) -> Result<Vec<Arc<str>>, Parting> {
        let (store, card) = (Arc::clone(&self.app.store), Arc::clone(&self.table.card));
        let (seen, most) = (self.seen, N_OLD);
        // People may have changed their names since the game was opened.
        let names = self.table.board.company().names();
        let tell = move || chronicle::tell_after(&store, &card, names, seen, most);
        let told = if self.seat.is_some() {
            self.app.workshop.run_for_player(tell).await
        } else {
            self.app
                .workshop
                .run_in_turn(WaitingLine::Telling, tell)
                .await
        };
        match told {
            Ok(Ok(events)) if !events.is_empty() => Ok(events),
            _ => Err(Parting::Close(
                "internal",
                "The game cannot be read from the store.",
            )),
        }
    }

    async fn announce(&mut self, company: &watch::Receiver<Company>) -> SocketResult {
        if let Some(seat) = self.seat
            && let Some(held) = company.borrow().connection(seat)
            && held != self.connection
        {
            return Err(REPLACED);
        }
        let seats = seats_of(company);
        self.send(ToClient::Seats { seats }.to_json()).await
    }

    /// What came, unless the other side is gone or broke the protocol.
    fn understood(
        &self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<Message, Parting> {
        let message = message.ok_or(Parting::Gone)?;
        message.map_err(|error| {
            if is_fault(&error) {
                self.note("bad-frame");
            }
            Parting::Gone
        })
    }

    /// A line about something that was refused; a message may say anything, so
    /// nothing of it is in the line.
    fn note(&self, code: &str) {
        let what = format!("socket of game {}", self.table.card.stored.id);
        self.app.refusals.note(self.client, &what, code);
    }

    async fn hear(&mut self, message: Message) -> SocketResult {
        if !self.messages.take() {
            let message = "Too many messages in a short time.".to_owned();
            return self.refuse("too-fast", message, None).await;
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                return self
                    .refuse("bad-message", "Messages are text.".to_owned(), None)
                    .await;
            }
            // After a close the next read answers it and finds the end.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => return Ok(()),
        };
        self.presence.heard(self.table.board.moment().state.round());
        match reading::tagged("The message", "type", text.as_bytes()) {
            Ok(FromClient::Ping {}) => self.send(ToClient::Pong.to_json()).await,
            Ok(FromClient::Move { id, mv }) => match mv.parse::<Move>() {
                Ok(mv) => self.command(id, PlayerCommand::Move(mv)).await,
                Err(_) => {
                    let mv = beginning(&mv);
                    let message =
                        format!("The message is wrong at \"move\": \"{mv}\" is not a move.");
                    self.refuse("bad-move", message, Some(id)).await
                }
            },
            Ok(FromClient::Attack {
                id,
                from,
                to,
                until,
            }) => {
                let (from, to) = match (territory("from", from), territory("to", to)) {
                    (Ok(from), Ok(to)) => (from, to),
                    (Err(message), _) | (_, Err(message)) => {
                        return self.refuse("bad-move", message, Some(id)).await;
                    }
                };
                self.command(id, PlayerCommand::Attack { from, to, until })
                    .await
            }
            Ok(FromClient::Introduce { name, color }) => {
                self.seat_command(SeatCommand::Introduce { name, color })
                    .await
            }
            Ok(FromClient::Return {}) => self.seat_command(SeatCommand::Return).await,
            Ok(FromClient::Resign {}) => self.seat_command(SeatCommand::Resign).await,
            Ok(FromClient::Replace { seat }) => {
                self.seat_command(SeatCommand::Replace { seat }).await
            }
            Ok(FromClient::Say { phrase }) => match self.seat {
                Some(seat) if self.phrases.take() => {
                    self.table.board.say(seat, phrase);
                    Ok(())
                }
                Some(_) => {
                    let message = "Not so fast; say it in a moment.".to_owned();
                    self.refuse("too-fast", message, None).await
                }
                None => self.refuse_watcher(None).await,
            },
            Err(message) => self.refuse("bad-message", message, None).await,
        }
    }

    async fn refuse_watcher(&mut self, id: Option<u64>) -> SocketResult {
        let message = "Watchers cannot move; open the game with a seat's link.".to_owned();
        self.refuse("no-seat", message, id).await
    }

    async fn seat_command(&mut self, command: SeatCommand) -> SocketResult {
        let Some(seat) = self.seat else {
            return self.refuse_watcher(None).await;
        };
        if !self.seat_commands.take() {
            let message = "Not so fast; try again in a moment.".to_owned();
            return self.refuse("too-fast", message, None).await;
        }
        let command = PlayerCommand::Seat(command);
        match self.table.command(seat, self.seen, command).await {
            Ok(()) => Ok(()),
            Err(error) => self.refuse(error.code(), error.to_string(), None).await,
        }
    }

    async fn command(&mut self, id: u64, command: PlayerCommand) -> SocketResult {
        let Some(seat) = self.seat else {
            return self.refuse_watcher(Some(id)).await;
        };
        match self.table.command(seat, id, command).await {
            Ok(()) => {
                self.n_faults = 0;
                Ok(())
            }
            Err(error) => self.refuse(error.code(), error.to_string(), Some(id)).await,
        }
    }

    async fn refuse(
        &mut self,
        code: &'static str,
        message: String,
        id: Option<u64>,
    ) -> SocketResult {
        self.n_faults += 1;
        self.note(code);
        let message = presentable(&message);
        self.send(ToClient::Error { code, message, id }.to_json())
            .await?;
        if self.n_faults >= MAX_FAULTS {
            return Err(Parting::Close(
                "too-many-errors",
                "Too many messages were wrong.",
            ));
        }
        Ok(())
    }

    async fn ping(&mut self) -> SocketResult {
        if self.is_silent {
            return Err(Parting::Gone);
        }
        self.is_silent = true;
        self.send_message(Message::Ping(Vec::new().into())).await
    }

    async fn send(&mut self, text: String) -> SocketResult {
        self.send_message(Message::Text(text.into())).await
    }

    async fn send_message(&mut self, message: Message) -> SocketResult {
        send(&mut self.socket, message).await
    }
}

/// The seats as everybody may see them, and who is there.
fn seats_of(company: &watch::Receiver<Company>) -> Vec<SeatDto> {
    let company = company.borrow();
    let seat = |(n, one): (usize, &Occupant)| SeatDto {
        connected: Some(!one.seat.is_person() || one.connection.is_some()),
        idle: one.is_idle,
        eliminated: one.is_eliminated,
        votes: one.votes.iter().copied().collect(),
        votes_needed: company.votes_needed(n),
        ..SeatDto::new(&one.seat)
    };
    company.occupants().iter().enumerate().map(seat).collect()
}

async fn send(socket: &mut WebSocket, message: Message) -> SocketResult {
    match timeout(SEND_LIMIT, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(Parting::Gone),
    }
}

/// Says why, and closes.
async fn part(socket: &mut WebSocket, code: &'static str, sentence: &'static str) {
    let error = ToClient::Error {
        code,
        message: sentence.to_owned(),
        id: None,
    };
    let frame = CloseFrame {
        code: close_code::POLICY,
        reason: code.into(),
    };
    if send(socket, Message::Text(error.to_json().into()))
        .await
        .is_ok()
    {
        // A client that is gone need not be told.
        let _ = send(socket, Message::Close(Some(frame))).await;
    }
}

/// Whether the other side broke the protocol; hanging up does not.
fn is_fault(error: &axum::Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<tungstenite::Error>() {
            return match error {
                tungstenite::Error::Protocol(fault) => {
                    *fault != ProtocolError::ResetWithoutClosingHandshake
                }
                tungstenite::Error::Capacity(_) | tungstenite::Error::Utf8(_) => true,
                _ => false,
            };
        }
        cause = error.source();
    }
    false
}

/// The territory of a field, or a sentence that names the field.
fn territory(field: &str, number: u8) -> Result<TerritoryId, String> {
    let wrong =
        |_| format!("The message is wrong at \"{field}\": no map has a territory {number}.");
    TerritoryId::try_from(number).map_err(wrong)
}

fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}
