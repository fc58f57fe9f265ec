//! All tables: games are opened when somebody needs them and put away when
//! nobody does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use hegemon_core::battle::BattleLaw;
use hegemon_core::{Game, PlayerId, Rules};
use tokio::sync::Semaphore;

use crate::bot_threads::BotThreads;
use crate::clients::{Client, Clients, Stake};
use crate::error::{ApiError, sentence};
use crate::game_card::GameCard;
use crate::limits::{Bucket, Limits, Permit};
use crate::new_game::PreparedGame;
use crate::offers::Offers;
use crate::refusals::Refusals;
use crate::rematch::shared_rematch;
use crate::seats::{Seat, seat_of};
use crate::session::Session;
use crate::stakes::Stakes;
use crate::store::{Desk, GameStore, SavedGame, StoreError};
use crate::table::{House, Table};

/// Games that are known to be damaged, at most.
const MAX_DAMAGED: usize = 10_000;

/// The games in memory.
pub(crate) struct Tables {
    house: House,
    clients: Arc<Clients>,
    limits: Limits,
    n_bot_games: Arc<AtomicUsize>,
    n_host_bots: Arc<AtomicUsize>,
    open: Mutex<BTreeMap<String, Arc<Table>>>,
    new_games: Mutex<Bucket>,
    /// Held while a game is opened: two sessions of one game would both write to its log.
    opening: tokio::sync::Mutex<()>,
    /// Taken before `opening` by those who only watch, so that at most one of them
    /// is ahead of a player.
    watching: tokio::sync::Mutex<()>,
    /// Games whose log was found to be damaged.
    damaged: Mutex<BTreeSet<String>>,
}

impl Tables {
    /// No games yet.
    pub(crate) fn new(
        offers: Arc<Offers>,
        store: Arc<GameStore>,
        bot_threads: Arc<BotThreads>,
        clients: Arc<Clients>,
        refusals: Arc<Refusals>,
        limits: Limits,
    ) -> Tables {
        Tables {
            house: House {
                offers,
                store,
                bot_threads,
                refusals,
                long_battles: Arc::new(Semaphore::new(1)),
                grace: limits.grace,
                idle: limits.idle,
                awaiting: limits.awaiting,
            },
            clients,
            limits,
            n_bot_games: Arc::default(),
            n_host_bots: Arc::default(),
            open: Mutex::default(),
            new_games: Mutex::new(Bucket::new(limits.new_games)),
            opening: tokio::sync::Mutex::default(),
            watching: tokio::sync::Mutex::default(),
            damaged: Mutex::default(),
        }
    }

    /// Resumes every game in which a bot must move.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub(crate) async fn restore(&self) -> Result<Vec<String>, StoreError> {
        let store = Arc::clone(&self.house.store);
        let running = tokio::task::spawn_blocking(move || store.running())
            .await
            .map_err(|_| StoreError::Closed)??;
        let mut faults = Vec::new();
        for listed in running {
            // One damaged game must not keep the others away.
            match listed {
                Ok(stored) => {
                    let id = stored.id.clone();
                    let law = stored.header.rules.battle.law();
                    let room = self.make_room(law, None);
                    let host_bots = || self.host_bots(&stored.seats, None);
                    let stakes = room.and_then(|()| host_bots().map_err(too_many_host_bots));
                    let opened = match stakes {
                        Ok(stakes) => self.open_stored(stored, stakes, None).await,
                        Err(error) => Err(error),
                    };
                    if let Err(error) = opened {
                        faults.push(format!("game {id}: {}", error.message));
                    }
                }
                Err(damaged) => faults.push(format!("game {}: {}", damaged.id, damaged.fault)),
            }
            self.put_away_idle();
        }
        Ok(faults)
    }

    /// Counts a request for a new game.
    ///
    /// # Errors
    ///
    /// If there were too many.
    pub(crate) fn check_pace(&self, client: Client) -> Result<(), ApiError> {
        let message = "Too many games were made in a short time; wait a little.";
        let may_make = self.clients.may_make_game(client) && held(&self.new_games).take();
        may_make
            .then_some(())
            .ok_or_else(|| ApiError::too_fast(message))
    }

    /// Stores a new game and opens it.
    ///
    /// # Errors
    ///
    /// If there are too many games, or the store fails.
    pub(crate) async fn create(
        &self,
        client: Client,
        prepared: PreparedGame,
    ) -> Result<Arc<Table>, ApiError> {
        if self.is_store_full() {
            self.house.store.make_room().await;
        }
        if self.is_store_full() {
            let message = "The store is full; --store-limit allows more.";
            return Err(ApiError::too_many("store-full", message));
        }
        self.make_room(prepared.game.battles().law(), Some(client))?;
        let seats = &prepared.new_game.seats;
        let has_people = seats.iter().any(Seat::is_person);
        let stakes = if has_people {
            Stakes::default()
        } else {
            self.stakes(client)?
        };
        let stakes = stakes.and(
            self.host_bots(seats, Some(client))
                .map_err(too_many_host_bots)?,
        );
        let stored = self
            .house
            .store
            .create(prepared.new_game)
            .await
            .map_err(store_failed)?;
        let card = card_of(stored, prepared.game).map_err(store_failed)?;
        let seed = card.stored.header.seed;
        let session = Session::new(card.start.clone(), Arc::clone(&card.names), seed)
            .watched(card.has_watchers());
        let table = self.open(card, session, stakes, Some(client), Some(client));
        table.settled().await;
        Ok(table)
    }

    fn is_store_full(&self) -> bool {
        self.house.store.size() > self.limits.store
    }

    /// The table of a game, for a client who has a seat of it or watches.
    /// Where there is no room for it, a game that is needed less makes room for
    /// who has a seat.
    ///
    /// # Errors
    ///
    /// If there is no such game, or it cannot be restored.
    pub(crate) async fn table(
        &self,
        id: &str,
        client: Client,
        seat: Option<PlayerId>,
    ) -> Result<Arc<Table>, ApiError> {
        if let Some(table) = self.find(id) {
            return Ok(table);
        }
        let _turn = match seat {
            Some(_) => None,
            None => Some(self.watching.lock().await),
        };
        let _alone = self.opening.lock().await;
        if let Some(table) = self.find(id) {
            return Ok(table);
        }
        let stored = self.stored(id).await?;
        let law = stored.header.rules.battle.law();
        let stakes = if seat.is_some() {
            self.make_room_for_seat(law, client).await?;
            self.host_bots_for_seat(&stored.seats, client).await?
        } else {
            self.make_room(law, Some(client))?;
            self.host_bots(&stored.seats, Some(client))
                .map_err(too_many_host_bots)?
        };
        self.open_stored(stored, stakes, Some(client)).await
    }

    /// Whether the log of a game was found to be damaged.
    pub(crate) fn is_damaged(&self, id: &str) -> bool {
        held(&self.damaged).contains(id)
    }

    /// The seat of a game that a token opens for a client, if it does.
    ///
    /// # Errors
    ///
    /// If there is no such game, or another client alone may open the seat.
    pub(crate) async fn seat(
        &self,
        id: &str,
        client: Client,
        token: &str,
    ) -> Result<Option<PlayerId>, ApiError> {
        match self.find(id) {
            Some(table) => seat_for(&table.card.stored.seats, client, token),
            None => seat_for(&self.seats(id).await?, client, token),
        }
    }

    async fn seats(&self, id: &str) -> Result<Vec<Seat>, ApiError> {
        let id = id.to_owned();
        self.read(move |store| store.seats(&id)).await
    }

    /// A game as it is stored.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) async fn stored(&self, id: &str) -> Result<SavedGame, ApiError> {
        let id = id.to_owned();
        self.read(move |store| store.game(&id)).await
    }

    async fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&GameStore) -> Result<Option<T>, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = Arc::clone(&self.house.store);
        let found = tokio::task::spawn_blocking(move || job(&store)).await;
        found
            .map_err(|_| ApiError::internal("the store could not be read"))?
            .map_err(store_failed)?
            .ok_or_else(|| ApiError::not_found("such game"))
    }

    /// Removes a game for good and sends everybody away from it.
    ///
    /// # Errors
    ///
    /// If there is none, or the store fails.
    pub(crate) async fn remove(&self, id: &str) -> Result<(), ApiError> {
        let _alone = self.opening.lock().await;
        if let Some(table) = self.find(id)
            && !table.close().await
        {
            return Err(ApiError::internal("the game could not be stopped"));
        }
        self.held().remove(id);
        let was_there = self.house.store.remove(id).await.map_err(store_failed)?;
        for table in self.held().values() {
            table.board.forget_rematch(id);
        }
        held(&self.damaged).remove(id);
        was_there
            .then_some(())
            .ok_or_else(|| ApiError::not_found("such game"))
    }

    /// The table of a game, if it is in memory.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Table>> {
        let table = self.held().get(id).cloned();
        table.filter(|table| !table.has_closed())
    }

    /// How many games are in memory.
    pub(crate) fn n_open(&self) -> usize {
        self.held().len()
    }

    /// Puts games away in which nothing happens and that nobody looks at.
    pub(crate) fn put_away_idle(&self) {
        // Whoever looks at a table holds it.
        self.held().retain(|_, table| {
            let is_needed = Arc::strong_count(table) > 1 || !table.is_idle();
            is_needed && !table.has_closed()
        });
    }

    /// Opens a game for which room was made.
    async fn open_stored(
        &self,
        stored: SavedGame,
        stakes: Stakes,
        opener: Option<Client>,
    ) -> Result<Arc<Table>, ApiError> {
        let (store, id) = (Arc::clone(&self.house.store), stored.id.clone());
        let restore = move || {
            let rematch = find_rematch(&store, &stored);
            restore(&store, stored).map(|(card, session)| (card, session, rematch))
        };
        let opened = tokio::task::spawn_blocking(restore).await;
        let opened = opened.map_err(|_| ApiError::internal("the game could not be restored"))?;
        let (card, session, rematch) = opened.map_err(|error| {
            if matches!(error, StoreError::Damaged(_)) {
                self.note_damaged(id);
            }
            store_failed(error)
        })?;
        let table = self.open(card, session, stakes, opener, None);
        if let Some(id) = rematch {
            table.board.show_rematch(id);
        }
        table.settled().await;
        Ok(table)
    }

    /// The right to one more game of bots alone.
    fn stakes(&self, client: Client) -> Result<Stakes, ApiError> {
        let held = self.clients.hold(client, Stake::BotGame);
        let permit = Permit::take(&self.n_bot_games, self.limits.bot_games);
        if held.is_none() || permit.is_none() {
            let message = "Too many games of bots are played; wait until one is over.";
            return Err(ApiError::too_many("too-many-games", message));
        }
        Ok(Stakes {
            permits: permit.into_iter().collect(),
            held: held.into_iter().collect(),
        })
    }

    /// The right to the bots of the host at these seats, because of a client: each may be
    /// a process of the host.
    fn host_bots(&self, seats: &[Seat], client: Option<Client>) -> Result<Stakes, Shortage> {
        let mut stakes = Stakes::default();
        for _ in seats.iter().filter(|seat| seat.host_bot.is_some()) {
            if let Some(client) = client {
                let held = self.clients.hold(client, Stake::HostBot);
                stakes.held.push(held.ok_or(Shortage::OfClient)?);
            }
            let permit = Permit::take(&self.n_host_bots, self.limits.host_bots);
            stakes.permits.push(permit.ok_or(Shortage::OfAll)?);
        }
        Ok(stakes)
    }

    /// The same for a player who needs the game: games with such bots in which no player is
    /// present make way, those of the client if it has too many.
    async fn host_bots_for_seat(&self, seats: &[Seat], client: Client) -> Result<Stakes, ApiError> {
        loop {
            let shortage = match self.host_bots(seats, Some(client)) {
                Ok(stakes) => return Ok(stakes),
                Err(shortage) => shortage,
            };
            let helps = |table: &Arc<Table>| {
                let mut seats = table.card.stored.seats.iter();
                let is_own = table.opener == Some(client);
                seats.any(|seat| seat.host_bot.is_some()) && (is_own || shortage == Shortage::OfAll)
            };
            let open: Vec<Arc<Table>> = self.held().values().cloned().collect();
            let helpful = open.into_iter().filter(helps);
            let helpful = helpful.filter_map(|table| Some((table.need()?, table)));
            match helpful.min_by_key(|(need, _)| *need) {
                Some((_, table)) if table.close().await => self.put_away(&table),
                _ => return Err(too_many_host_bots(shortage)),
            }
        }
    }

    /// A game that was closed makes room for a player's.
    fn put_away(&self, table: &Table) {
        let id = &table.card.stored.id;
        self.held().remove(id);
        let line = format!("game {id} was put away: a player needs the room");
        self.house.refusals.say(&line);
    }

    fn note_damaged(&self, id: String) {
        let mut damaged = held(&self.damaged);
        if damaged.len() < MAX_DAMAGED {
            damaged.insert(id);
        }
    }

    fn open(
        &self,
        card: GameCard,
        session: Session,
        stakes: Stakes,
        opener: Option<Client>,
        owner: Option<Client>,
    ) -> Arc<Table> {
        let id = card.stored.id.clone();
        let (card, house) = (Arc::new(card), self.house.clone());
        let table = Table::open(card, session, house, stakes, opener, owner);
        self.held().insert(id, Arc::clone(&table));
        table
    }

    /// Makes room for a game with these battles that a player wants to see:
    /// games in which no player is present make way, and then those in which
    /// nothing has happened for long.
    async fn make_room_for_seat(&self, law: BattleLaw, client: Client) -> Result<(), ApiError> {
        while let Err(error) = self.make_room(law, Some(client)) {
            let tables = self.least_needed(law, client);
            let tables = tables.ok_or_else(|| error.clone())?;
            for table in tables {
                if !table.close().await {
                    return Err(error);
                }
                self.put_away(&table);
            }
        }
        Ok(())
    }

    /// The game that is needed the least, or, where a law of battle needs the
    /// room, all games of a law: those of the client, if it has too many.
    fn least_needed(&self, law: BattleLaw, client: Client) -> Option<Vec<Arc<Table>>> {
        let shortage = self.shortage(law, Some(client));
        let is_law_needed = self.n_open() < self.limits.games && shortage.is_some();
        let usual = usual_laws();
        let mut groups: BTreeMap<_, Vec<Arc<Table>>> = BTreeMap::new();
        for (id, table) in self.held().iter() {
            let law = table.card.game.battles().law();
            if !is_law_needed {
                groups.insert((law, id.clone()), vec![Arc::clone(table)]);
            } else if shortage == Some(Shortage::OfClient) && table.opener != Some(client) {
                // Others need not make room for it.
            } else if !usual.contains(&law) {
                let group = groups.entry((law, String::new())).or_default();
                group.push(Arc::clone(table));
            }
        }
        // A group is needed as much as the game in it that is needed most.
        let need = |group: &Vec<Arc<Table>>| {
            let needs: Option<Vec<_>> = group.iter().map(|table| table.need()).collect();
            needs?.into_iter().max()
        };
        let groups = groups
            .into_values()
            .filter_map(|group| Some((need(&group)?, group)));
        groups.min_by_key(|(need, _)| *need).map(|(_, group)| group)
    }

    /// Makes room for a game with these battles that comes into memory because
    /// of a client.
    fn make_room(&self, law: BattleLaw, client: Option<Client>) -> Result<(), ApiError> {
        let has_room = || self.n_open() < self.limits.games && self.shortage(law, client).is_none();
        if has_room() {
            return Ok(());
        }
        self.put_away_idle();
        if has_room() {
            return Ok(());
        }
        let message = "Too many games are played at the moment; wait until one is over.";
        Err(ApiError::too_many("too-many-games", message))
    }

    /// Every law has tables of megabytes, so their number is limited besides
    /// those of the presets, in all and for each client.
    fn shortage(&self, law: BattleLaw, client: Option<Client>) -> Option<Shortage> {
        let usual = usual_laws();
        if usual.contains(&law) {
            return None;
        }
        let open = self.held();
        let of = |table: &Arc<Table>| table.card.game.battles().law();
        let is_odd = |law: &BattleLaw| !usual.contains(law);
        let odd: BTreeSet<BattleLaw> = open.values().map(of).filter(is_odd).collect();
        if odd.contains(&law) {
            return None;
        }
        let is_own = |table: &&Arc<Table>| client.is_some() && table.opener == client;
        let own = open.values().filter(is_own).map(of).filter(is_odd);
        if own.collect::<BTreeSet<_>>().len() >= self.limits.odd_laws_per_client {
            return Some(Shortage::OfClient);
        }
        (odd.len() >= self.limits.odd_laws).then_some(Shortage::OfAll)
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        held(&self.open)
    }
}

/// Why there is no room for a law of battle, or for bots of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shortage {
    /// The client has as many as it may.
    OfClient,
    /// All together have.
    OfAll,
}

fn too_many_host_bots(_: Shortage) -> ApiError {
    let message = "Too many bots of the host play at the moment; wait until a game is over.";
    ApiError::too_many("too-many-games", message)
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Maps and counters are changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The laws of battle of the presets.
pub(crate) fn usual_laws() -> BTreeSet<BattleLaw> {
    let preset = |name: &str| Rules::preset(name).map(|rules| rules.battle.law());
    Rules::PRESETS.into_iter().filter_map(preset).collect()
}

fn seat_for(seats: &[Seat], client: Client, token: &str) -> Result<Option<PlayerId>, ApiError> {
    let Some(seat) = seat_of(seats, token) else {
        return Ok(None);
    };
    if !seats[seat].may_open(client) {
        let message = "The seed of this game was chosen, so its people sit where it was made.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "wrong-token", message));
    }
    Ok(Some(PlayerId::new(seat)))
}

fn card_of(stored: SavedGame, game: Arc<Game>) -> Result<GameCard, StoreError> {
    let names = stored.seats.iter().map(|seat| seat.name.clone()).collect();
    let start = stored.header.start(&game);
    let start = start.map_err(|error| StoreError::Damaged(error.to_string()))?;
    Ok(GameCard {
        stored,
        game,
        start,
        names,
    })
}

/// The game in which the people of another play once more, if there is one.
fn find_rematch(store: &GameStore, stored: &SavedGame) -> Option<String> {
    let id = shared_rematch(stored).filter(|_| stored.result.is_some())?;
    store.seats(&id).ok().flatten().map(|_| id)
}

fn restore(store: &GameStore, stored: SavedGame) -> Result<(GameCard, Session), StoreError> {
    let damaged = |error: String| StoreError::Damaged(error);
    let game = stored.header.game();
    let game = game.map_err(|error| damaged(error.to_string()))?;
    let entries = store.entries(stored.number, Desk::Play)?;
    let card = card_of(stored, game)?;
    let session = Session::restore(
        card.start.clone(),
        Arc::clone(&card.names),
        card.stored.header.seed,
        &entries,
        card.has_watchers(),
    )
    .map_err(|error| damaged(error.to_string()))?;
    Ok((card, session))
}

/// The error for a caller when the store fails.
#[allow(
    clippy::needless_pass_by_value,
    reason = "used as a function of errors"
)]
pub(crate) fn store_failed(error: StoreError) -> ApiError {
    ApiError::internal(sentence(&error.to_string()))
}

#[cfg(test)]
mod tests;
