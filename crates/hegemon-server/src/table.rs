//! A table: one game in memory. A task of its own owns the session; everybody
//! else sees what it has stored and published.

mod people;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use hegemon_arena::{Played, seat_seed};
use hegemon_bots::rules::Baseline;
use hegemon_bots::{Bot, Grants, PolicyBot, Seating};
use hegemon_core::{Move, Node, PlayerId, View};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout};

use crate::bot_threads::{BotThreads, Purpose};
use crate::clients::{Client, SILENCE};
use crate::clock::TableClock;
use crate::command::{CommandError, PlayerCommand};
use crate::company::Company;
use crate::entry::LogEntry;
use crate::error::presentable;
use crate::game_card::GameCard;
use crate::limits::{Bucket, Rate};
use crate::noticeboard::Noticeboard;
use crate::offers::Offers;
use crate::refusals::Refusals;
use crate::seated_bot::SeatedBot;
use crate::seats::Seat;
use crate::session::{MAX_WITNESSED, MoveError, Session, Witnessed};
use crate::stakes::Stakes;
use crate::store::{Append, GameStore, StoreError};
use crate::wire::{GameEvent, ResultDto};
use people::Question;

/// Commands that may wait for the table.
const INBOX: usize = 32;

/// Events are stored and shown after this many at the latest.
const N_AT_ONCE: usize = 256;

/// Moves of bots are gathered this long before they are stored: bots move
/// faster than anybody can look, and every write costs.
const GATHER: Duration = Duration::from_millis(20);

/// How long a bot that stands in for a person may think about a move.
const STAND_IN_LIMIT: Duration = Duration::from_secs(2);

/// A bot that failed this often is replaced for good.
const MAX_FAILURES: u32 = 3;

/// How often one seat may be opened without counting as a request: a page that
/// is loaded again, or loses its connection, gets in whatever else its client
/// asks.
const OPENINGS: Rate = Rate {
    burst: 6.0,
    per_second: 0.2,
};

/// A game that is put away stores what it must within this time, unless the
/// disk is full.
const FAREWELL: Duration = Duration::from_secs(5);

/// How often the store hears again that somebody still sits at a game.
const SEATED_AGAIN: Duration = Duration::from_secs(3600);

/// What all may see of a game, and how to reach it.
#[derive(Debug)]
pub(crate) struct Table {
    /// What does not change.
    pub card: Arc<GameCard>,
    /// What has been published.
    pub board: Arc<Noticeboard>,
    inbox: mpsc::Sender<CommandMessage>,
    /// Whose game it is, once that is known.
    owner: Arc<OnceLock<Client>>,
    /// Because of whom it is in memory, if that is known.
    pub opener: Option<Client>,
    /// When the store last heard that a person sits here.
    seated: Mutex<Option<Instant>>,
    /// By seat.
    openings: Mutex<Vec<Bucket>>,
    leaving: watch::Sender<bool>,
    /// Closed when the game's task has ended.
    ended: watch::Receiver<()>,
}

/// How little a game in memory is needed there; the least comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// It waits for a person who is away, or is over; somebody may watch.
    Watched,
    /// Bots move, and no player is there.
    Bots,
    /// Players are there, and nothing has happened for long.
    Silent,
}

#[derive(Debug)]
struct CommandMessage {
    seat: PlayerId,
    id: u64,
    command: PlayerCommand,
    reply: oneshot::Sender<Result<(), CommandError>>,
}

/// What all games share.
#[derive(Clone)]
pub(crate) struct House {
    /// What the host offers.
    pub offers: Arc<Offers>,
    /// Where games are stored.
    pub store: Arc<GameStore>,
    /// Where bots think.
    pub bot_threads: Arc<BotThreads>,
    /// Where troubles are told.
    pub refusals: Arc<Refusals>,
    /// Battles that take long are fought one after another.
    pub long_battles: Arc<Semaphore>,
    /// How long somebody is away before others may let a bot play for them.
    pub grace: Duration,
    /// How long somebody may leave a move unmade before others may do so.
    pub idle: Duration,
    /// How long the clock of a turn waits for people who are invited.
    pub awaiting: Duration,
}

impl Table {
    /// Puts a game on a table because of a client, if that is known; it goes on
    /// from here. Whose it is need not be known either.
    pub(crate) fn open(
        card: Arc<GameCard>,
        session: Session,
        house: House,
        stakes: Stakes,
        opener: Option<Client>,
        owner: Option<Client>,
    ) -> Arc<Table> {
        let (inbox, commands) = mpsc::channel(INBOX);
        let board = Arc::new(Noticeboard::new(&card, &session));
        let owner = Arc::new(owner.map_or_else(OnceLock::new, OnceLock::from));
        let (leaving, left) = watch::channel(false);
        let (end, ended) = watch::channel(());
        let host = Host {
            bots: (0..card.game.n_players())
                .map(|_| Chair::default())
                .collect(),
            company: board.follow_company(),
            seats: card.stored.seats.clone(),
            notes: Vec::new(),
            hinted: None,
            clock: TableClock::new(card.stored.turn_seconds, house.awaiting),
            asked: None,
            card: Arc::clone(&card),
            board: Arc::clone(&board),
            session,
            house,
            due: None,
            commands,
            owner: Arc::clone(&owner),
            leaving: left,
        };
        tokio::spawn(async move {
            host.run().await;
            drop((stakes, end));
        });
        let n_players = card.game.n_players();
        let openings = (0..n_players).map(|_| Bucket::new(OPENINGS)).collect();
        Arc::new(Table {
            card,
            board,
            inbox,
            owner,
            opener,
            seated: Mutex::default(),
            openings: Mutex::new(openings),
            leaving,
            ended,
        })
    }

    /// A player of this client is here. A game that nobody owns is the client's
    /// from now on.
    pub(crate) fn claim(&self, client: Client) {
        // The first one stays.
        let _ = self.owner.set(client);
    }

    /// Stores once in a while that a person sits here, so that the game is kept;
    /// false if it was removed before.
    pub(crate) async fn seat(&self, store: &GameStore) -> bool {
        let last = *self.held_seated();
        if last.is_some_and(|last| last.elapsed() < SEATED_AGAIN) {
            return true;
        }
        // On a full disk nothing is removed that somebody sits at.
        match store.seat(self.card.stored.number).await {
            Ok(is_there) => {
                *self.held_seated() = is_there.then(Instant::now);
                is_there
            }
            Err(_) => true,
        }
    }

    fn held_seated(&self) -> MutexGuard<'_, Option<Instant>> {
        // A time is changed in one step.
        self.seated.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose game it is, if that is known.
    #[cfg(test)]
    pub(crate) fn owner(&self) -> Option<Client> {
        self.owner.get().copied()
    }

    /// As if nothing had happened for this long.
    #[cfg(test)]
    pub(crate) fn grow_silent(&self, time: Duration) {
        self.board.grow_silent(time);
    }

    /// Whether a seat has not been opened too often lately.
    pub(crate) fn may_open(&self, seat: PlayerId) -> bool {
        // A bucket is changed in one step.
        let openings = self.openings.lock();
        openings.unwrap_or_else(PoisonError::into_inner)[seat.index()].take()
    }

    /// Ends the game's task and sends everybody away; the game goes on when it
    /// is opened again. False if it could not be ended soon.
    pub(crate) async fn close(&self) -> bool {
        self.leaving.send_replace(true);
        let mut ended = self.ended.clone();
        let end = async { while ended.changed().await.is_ok() {} };
        timeout(FAREWELL, end).await.is_ok()
    }

    /// Whether it was closed, and its task has ended.
    pub(crate) fn has_closed(&self) -> bool {
        *self.leaving.borrow() && self.ended.has_changed().is_err()
    }

    /// Waits until the game is put away.
    pub(crate) async fn leaves(&self) {
        leaves(&mut self.leaving.subscribe()).await;
    }

    /// How little the game is needed in memory; `None` if it may not be put
    /// away.
    pub(crate) fn need(&self) -> Option<(Need, Instant)> {
        let changed = self.board.changed();
        let is_seated = self.board.company().is_seated();
        let need = match is_seated {
            false if self.is_idle() => Need::Watched,
            false => Need::Bots,
            true if changed.elapsed() > SILENCE => Need::Silent,
            true => return None,
        };
        Some((need, changed))
    }

    /// Tells the game what a person wants.
    ///
    /// # Errors
    ///
    /// If it is not granted.
    pub(crate) async fn command(
        &self,
        seat: PlayerId,
        id: u64,
        command: PlayerCommand,
    ) -> Result<(), CommandError> {
        let (reply, answer) = oneshot::channel();
        let message = CommandMessage {
            seat,
            id,
            command,
            reply,
        };
        self.inbox.try_send(message).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => CommandError::Crowded,
            mpsc::error::TrySendError::Closed(_) => CommandError::Over,
        })?;
        answer.await.unwrap_or(Err(CommandError::Over))
    }

    /// Waits until the deal is over: before that nobody has anything to see.
    pub(crate) async fn settled(&self) {
        let mut progress = self.board.progress();
        while self.board.moment().state.node() == Node::Chance {
            // The host is gone only when the server stops.
            if progress.changed().await.is_err() {
                return;
            }
        }
    }

    /// Whether nothing happens here unless a person does something.
    pub(crate) fn is_idle(&self) -> bool {
        let moment = self.board.moment();
        match moment.state.node() {
            _ if moment.result.is_some() => true,
            Node::Decision(player) => self.board.company().waits_for(player),
            _ => false,
        }
    }
}

/// The task that owns a game.
struct Host {
    card: Arc<GameCard>,
    board: Arc<Noticeboard>,
    session: Session,
    bots: Vec<Chair>,
    company: watch::Receiver<Company>,
    /// The seats when they were last looked at.
    seats: Vec<Seat>,
    /// Sentences for the log. They wait for the next move: a number of its own would
    /// make the question outdated that somebody is just answering.
    notes: Vec<(PlayerId, String)>,
    /// Number of the note of the last hint: who asks again at that moment adds none.
    hinted: Option<u64>,
    clock: TableClock,
    /// Who was asked at which moment, and when they count as idle.
    asked: Option<(Question, Instant)>,
    house: House,
    /// When the moves of bots that were gathered must be stored.
    due: Option<Instant>,
    commands: mpsc::Receiver<CommandMessage>,
    owner: Arc<OnceLock<Client>>,
    leaving: watch::Receiver<bool>,
}

/// Waits until a game is put away.
async fn leaves(leaving: &mut watch::Receiver<bool>) {
    if leaving.wait_for(|leaves| *leaves).await.is_err() {
        // Nobody can say so any more.
        std::future::pending::<()>().await;
    }
}

/// A bot's chair.
#[derive(Default)]
struct Chair {
    bot: Option<SeatedBot>,
    /// What it has not been told yet.
    untold: VecDeque<Witnessed>,
    n_failures: u32,
}

impl Host {
    async fn run(mut self) {
        let mut is_stored = self.settle().await && self.store_and_publish().await;
        while is_stored && self.session.stopped().is_none() && !*self.leaving.borrow() {
            let Node::Decision(player) = self.session.state().node() else {
                break;
            };
            self.notice_returns().await;
            self.wind_clock();
            is_stored = if self.waits_for(player) {
                self.ask(player);
                let Some(is_stored) = self.wait_for(player).await else {
                    return;
                };
                is_stored
            } else {
                self.ask_nobody();
                self.let_bot_move(player).await
            };
        }
    }

    /// Whether the next move of a player is a person's.
    fn waits_for(&self, player: PlayerId) -> bool {
        self.company.borrow().waits_for(player) && !self.clock.is_up()
    }

    /// Waits until somebody does something, or the time of the turn is over. False
    /// if the server stops, `None` if the game is put away.
    async fn wait_for(&mut self, player: PlayerId) -> Option<bool> {
        let idle_at = self.idle_at();
        tokio::select! {
            () = sleep_until(idle_at.unwrap_or_else(Instant::now)), if idle_at.is_some() => {
                self.board.show_idle(Some(player));
                Some(true)
            }
            () = self.clock.waits() => Some(true),
            message = self.commands.recv() => Some(self.hear(message?).await),
            () = leaves(&mut self.leaving) => None,
            changed = self.company.changed() => changed.ok().map(|()| true),
            () = self.clock.ends() => {
                self.end_time(player).await;
                Some(true)
            }
        }
    }

    /// Carries out a command that came while a person was waited for. False if the server stops.
    async fn hear(&mut self, message: CommandMessage) -> bool {
        if let PlayerCommand::Seat(command) = &message.command {
            let answer = self.fulfil(message.seat, command).await;
            // Who asked may have left.
            let _ = message.reply.send(answer);
            return true;
        }
        self.follow(message).await
    }

    /// Applies chance outcomes, a few at a time: others wait for
    /// this thread. False if the server stops.
    async fn settle(&mut self) -> bool {
        while self.session.state().node() == Node::Chance {
            if self.session.takes_long() {
                let battles = Arc::clone(&self.house.long_battles);
                let _alone = battles.acquire().await;
                tokio::task::block_in_place(|| self.session.settle(1));
            } else {
                self.session.settle(N_AT_ONCE);
            }
            if self.session.state().node() == Node::Chance {
                if !self.store_and_publish().await {
                    return false;
                }
                tokio::task::yield_now().await;
            }
        }
        true
    }

    /// False if the server stops or the game is put away.
    async fn let_bot_move(&mut self, player: PlayerId) -> bool {
        let Some(mv) = self.bot_move(player).await else {
            return false;
        };
        // Why a bot moves for a person is told before its moves: nobody is just answering.
        self.tell_notes();
        // Whatever the bot answered was checked, so it is legal.
        let _ = match self.card.stored.seats[player.index()].is_person() {
            true => self.session.stand_in(player, mv),
            false => self.session.play(player, mv),
        };
        let due = *self.due.get_or_insert_with(|| Instant::now() + GATHER);
        if !self.settle().await {
            return false;
        }
        let goes_on = match self.session.state().node() {
            Node::Decision(next) => {
                self.wind_clock();
                !self.waits_for(next) && self.session.stopped().is_none()
            }
            _ => false,
        };
        goes_on && Instant::now() < due || self.store_and_publish().await
    }

    /// Does what a person wants. False if the server stops.
    async fn follow(&mut self, message: CommandMessage) -> bool {
        if let Err(error) = self.grant(&message) {
            // Who asked may have left.
            let _ = message.reply.send(Err(error));
            return true;
        }
        let is_stored = self.carry_out(&message).await;
        if is_stored {
            let _ = message.reply.send(Ok(()));
        }
        is_stored
    }

    /// Plays the move, or the first attack.
    fn grant(&mut self, message: &CommandMessage) -> Result<(), CommandError> {
        if self.session.state().node() != Node::Decision(message.seat) {
            return Err(MoveError::NotYourTurn.into());
        }
        if message.id != self.session.seq() {
            return Err(CommandError::Stale);
        }
        if !self.waits_for(message.seat) {
            return Err(MoveError::NotYourTurn.into());
        }
        match message.command {
            PlayerCommand::Move(mv) => self.session.play(message.seat, mv)?,
            PlayerCommand::Attack { from, to, until } => {
                self.session.attack(message.seat, from, to, until)?;
            }
            PlayerCommand::TakeHint if self.hinted == Some(self.session.seq()) => {}
            PlayerCommand::TakeHint => {
                let name = &self.company.borrow().names()[message.seat.index()];
                self.session
                    .note(message.seat, format!("{name} takes a hint."));
                self.hinted = Some(self.session.seq());
            }
            PlayerCommand::Seat(_) => {}
        }
        Ok(())
    }

    /// Applies the chance outcomes, attacks again where that was asked for, and shows
    /// what came of it. False if the server stops.
    async fn carry_out(&mut self, message: &CommandMessage) -> bool {
        if !self.settle().await {
            return false;
        }
        if let PlayerCommand::Attack { from, to, until } = message.command {
            let mut n = 0;
            while self.session.has_left(from, until)
                && self.session.attack(message.seat, from, to, until).is_ok()
            {
                if !self.settle().await {
                    return false;
                }
                n += 1;
                if n % N_AT_ONCE == 0 {
                    if !self.store_and_publish().await {
                        return false;
                    }
                    tokio::task::yield_now().await;
                }
            }
        }
        self.store_and_publish().await
    }

    /// Puts the sentences that wait into the log.
    fn tell_notes(&mut self) {
        for (seat, note) in std::mem::take(&mut self.notes) {
            self.session.note(seat, note);
        }
    }

    /// Stores what is new, then shows it. Nothing is shown that is not stored.
    /// False if the server stops and it could not be stored.
    async fn store_and_publish(&mut self) -> bool {
        self.due = None;
        if self.session.has_news() {
            self.tell_notes();
        }
        let (entries, events): (Vec<LogEntry>, Vec<GameEvent>) =
            self.session.take_news().into_iter().unzip();
        if entries.is_empty() {
            return true;
        }
        let played = self.session.stopped();
        let result = played.as_ref().map(ResultDto::new);
        let append = Append {
            game: self.card.stored.number,
            first_seq: self.session.seq() + 1 - entries.len() as u64,
            entries,
            round: self.session.state().round(),
            end: played.as_ref().map(end_of),
        };
        // A full disk may get room again; until then the game waits.
        let mut pause = Duration::from_millis(100);
        loop {
            match self.house.store.append(append.clone()).await {
                Ok(()) => break,
                Err(StoreError::Closed) => return false,
                Err(error) => {
                    let id = &self.card.stored.id;
                    let line = format!("game {id} waits: {error}");
                    self.house.refusals.say(&line);
                    tokio::time::sleep(pause).await;
                }
            }
            pause = (pause * 2).min(Duration::from_secs(10));
        }
        self.board.publish(&self.session, &events, result);
        self.wind_clock();
        true
    }

    /// The bot's move; `None` if the server stops or the game is put away.
    async fn bot_move(&mut self, player: PlayerId) -> Option<Move> {
        let seat = &self.card.stored.seats[player.index()];
        let limit = match seat.is_person() {
            true => STAND_IN_LIMIT,
            false => Duration::from_millis(seat.limit_ms.unwrap_or(u64::MAX)),
        };
        let state = Arc::new(self.session.state().clone());
        let Some(mut bot) = self.seated_bot(player).await else {
            return Some(self.fallback_move(player));
        };
        self.spread_news();
        let chair = &mut self.bots[player.index()];
        bot.untold.extend(chair.untold.drain(..));
        let purpose = Purpose {
            asker: self.owner.get().copied(),
            has_people: self.company.borrow().has_players(),
        };
        let bot_threads = Arc::clone(&self.house.bot_threads);
        let thinking = bot_threads.think(bot, state, purpose, limit);
        let thought = self.meanwhile(thinking).await?;
        Some(match thought.choice {
            Ok(mv) => {
                self.bots[player.index()].bot = thought.bot;
                mv
            }
            Err(forfeit) => {
                self.note_failure(player, forfeit.kind.name(), &forfeit.message);
                self.fallback_move(player)
            }
        })
    }

    /// What happened, to all bots that watch.
    fn spread_news(&mut self) {
        for event in self.session.take_witnessed() {
            for chair in &mut self.bots {
                if chair.untold.len() == MAX_WITNESSED {
                    chair.untold.pop_front();
                }
                chair.untold.push_back(Arc::clone(&event));
            }
        }
    }

    /// Answers people who ask while a bot thinks, and shows what was gathered
    /// if it thinks long. `None` if the server stops or the game is put away;
    /// then moves that nobody has seen are played again when the game is next opened.
    async fn meanwhile<T>(&mut self, thinking: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(thinking);
        loop {
            let due = self.due.filter(|_| self.session.has_news());
            tokio::select! {
                thought = &mut thinking => return Some(thought),
                // Nobody may be there to ask.
                Some(message) = self.commands.recv() => {
                    let answer = match &message.command {
                        PlayerCommand::Seat(command) => self.fulfil(message.seat, command).await,
                        _ => Err(MoveError::NotYourTurn.into()),
                    };
                    let _ = message.reply.send(answer);
                }
                () = leaves(&mut self.leaving) => return None,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    if !self.store_and_publish().await {
                        return None;
                    }
                }
            }
        }
    }

    /// The bot of a seat, built again if it was lost; `None` if it failed too
    /// often.
    async fn seated_bot(&mut self, player: PlayerId) -> Option<SeatedBot> {
        let chair = &mut self.bots[player.index()];
        if let Some(bot) = chair.bot.take() {
            return Some(bot);
        }
        if chair.n_failures >= MAX_FAILURES {
            return None;
        }
        let (card, offers) = (Arc::clone(&self.card), Arc::clone(&self.house.offers));
        // Some bots read large tables when they are made.
        let build = move || SeatedBot::build(&card, player, &offers);
        let built = tokio::task::spawn_blocking(build).await;
        match built {
            Ok(Ok(bot)) => Some(bot),
            Ok(Err(message)) => {
                let host_bot = self.card.stored.seats[player.index()].host_bot.as_ref();
                let is_offered = |name: &String| self.house.offers.bot(name).is_some();
                let kind = match host_bot.is_none_or(is_offered) {
                    true => "it does not start",
                    false => "the host does not offer it now",
                };
                self.note_failure(player, kind, &message);
                None
            }
            Err(_) => {
                self.note_failure(player, "crash", "it broke down");
                None
            }
        }
    }

    /// Tells that a bot failed, and how. What a bot of the host says of itself is for
    /// the host alone: commands and files of theirs may be named there.
    fn note_failure(&mut self, player: PlayerId, kind: &str, details: &str) {
        let stored = &self.card.stored;
        let reason = match &stored.seats[player.index()].host_bot {
            Some(bot) => {
                let line = format!("bot {bot} of game {}: {kind}: {details}", stored.id);
                self.house.refusals.say(&presentable(&line));
                kind.to_owned()
            }
            None => format!("{kind}: {details}"),
        };
        let chair = &mut self.bots[player.index()];
        chair.n_failures += 1;
        let name = &self.company.borrow().names()[player.index()];
        let what = if chair.n_failures >= MAX_FAILURES {
            "a simple bot plays on for it"
        } else {
            "a simple bot made this move for it"
        };
        let text = format!("{name} could not move ({reason}); {what}.");
        self.session.note(player, text);
    }

    /// A simple bot's move; it never fails.
    fn fallback_move(&self, player: PlayerId) -> Move {
        let state = self.session.state();
        let seating = Seating {
            game: &self.card.game,
            seat: player,
            seed: seat_seed(self.card.stored.header.seed, player) ^ self.session.seq(),
            grants: &Grants::sealed(),
        };
        let choice = PolicyBot::new(Baseline, &seating).choose(View::of_mover(state));
        match choice {
            Ok(mv) if state.is_legal(mv) => mv,
            _ => state.legal_moves()[0],
        }
    }
}

fn end_of(played: &Played) -> (ResultDto, String) {
    (ResultDto::new(played), played.end().to_string())
}
