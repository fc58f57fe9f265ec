//! All tables: games are opened when somebody needs them and put away when
//! nobody does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hegemon_core::Game;

use crate::error::{ApiError, sentence};
use crate::limits::{Bucket, Limits};
use crate::new_game::PreparedGame;
use crate::session::Session;
use crate::store::{Store, StoreError, StoredGame};
use crate::table::{GameCard, Table};
use crate::thinkers::Thinkers;

/// The games in memory.
pub(crate) struct Tables {
    store: Arc<Store>,
    thinkers: Arc<Thinkers>,
    limits: Limits,
    open: Mutex<BTreeMap<String, Arc<Table>>>,
    new_games: Mutex<Bucket>,
    /// One game is opened at a time: two sessions of one game would quarrel.
    opening: tokio::sync::Mutex<()>,
}

impl Tables {
    /// No games yet.
    pub(crate) fn new(store: Arc<Store>, thinkers: Arc<Thinkers>, limits: Limits) -> Tables {
        Tables {
            store,
            thinkers,
            limits,
            open: Mutex::default(),
            new_games: Mutex::new(Bucket::new(limits.new_games)),
            opening: tokio::sync::Mutex::default(),
        }
    }

    /// Goes on with every game in which a bot must move.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub(crate) async fn restore(&self) -> Result<Vec<String>, StoreError> {
        let store = Arc::clone(&self.store);
        let running = tokio::task::spawn_blocking(move || store.running())
            .await
            .map_err(|_| StoreError::Closed)??;
        let mut faults = Vec::new();
        for stored in running {
            // One damaged game must not keep the others away.
            let id = stored.id.clone();
            if let Err(error) = self.open_stored(stored).await {
                faults.push(format!("game {id}: {}", error.message));
            }
            self.put_away_idle();
        }
        Ok(faults)
    }

    /// Stores a new game and opens it.
    ///
    /// # Errors
    ///
    /// If there are too many games, or the store fails.
    pub(crate) async fn create(&self, prepared: PreparedGame) -> Result<Arc<Table>, ApiError> {
        if !held(&self.new_games).take() {
            let message = "Too many games were made in a short time; wait a little.";
            return Err(ApiError::new(
                axum::http::StatusCode::TOO_MANY_REQUESTS,
                "too-fast",
                message,
            ));
        }
        self.make_room()?;
        let stored = self
            .store
            .create(prepared.new_game)
            .await
            .map_err(store_failed)?;
        let card = card_of(stored, prepared.game);
        let session = Session::new(&card.game, Arc::clone(&card.names), card.stored.header.seed);
        let table = self.seat(card, session);
        table.settled().await;
        Ok(table)
    }

    /// The table of a game.
    ///
    /// # Errors
    ///
    /// If there is no such game, or it cannot be restored.
    pub(crate) async fn table(&self, id: &str) -> Result<Arc<Table>, ApiError> {
        if let Some(table) = self.find(id) {
            return Ok(table);
        }
        let _alone = self.opening.lock().await;
        if let Some(table) = self.find(id) {
            return Ok(table);
        }
        let stored = self.stored(id).await?;
        self.open_stored(stored).await
    }

    /// A game as it is stored.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) async fn stored(&self, id: &str) -> Result<StoredGame, ApiError> {
        let (store, id) = (Arc::clone(&self.store), id.to_owned());
        let found = tokio::task::spawn_blocking(move || store.game(&id)).await;
        found
            .map_err(|_| ApiError::internal("the store could not be read"))?
            .map_err(store_failed)?
            .ok_or_else(|| ApiError::not_found("such game"))
    }

    /// The table of a game, if it is in memory.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Table>> {
        self.held().get(id).cloned()
    }

    /// How many games are in memory.
    pub(crate) fn n_open(&self) -> usize {
        self.held().len()
    }

    /// Puts games away in which nothing happens and that nobody looks at.
    pub(crate) fn put_away_idle(&self) {
        // Whoever looks at a table holds it.
        self.held()
            .retain(|_, table| Arc::strong_count(table) > 1 || !table.is_idle());
    }

    async fn open_stored(&self, stored: StoredGame) -> Result<Arc<Table>, ApiError> {
        self.make_room()?;
        let store = Arc::clone(&self.store);
        let opened = tokio::task::spawn_blocking(move || restore(&store, stored)).await;
        let (card, session) =
            opened.map_err(|_| ApiError::internal("the game could not be restored"))??;
        let table = self.seat(card, session);
        table.settled().await;
        Ok(table)
    }

    fn seat(&self, card: GameCard, session: Session) -> Arc<Table> {
        let id = card.stored.id.clone();
        let (store, thinkers) = (Arc::clone(&self.store), Arc::clone(&self.thinkers));
        let table = Table::open(Arc::new(card), session, store, thinkers);
        self.held().insert(id, Arc::clone(&table));
        table
    }

    fn make_room(&self) -> Result<(), ApiError> {
        if self.n_open() < self.limits.games {
            return Ok(());
        }
        self.put_away_idle();
        if self.n_open() < self.limits.games {
            return Ok(());
        }
        let message = "Too many games are played at the moment; wait until one is over.";
        Err(ApiError::too_many("too-many-games", message))
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Table>>> {
        held(&self.open)
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Maps and counters are changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn card_of(stored: StoredGame, game: Arc<Game>) -> GameCard {
    let names = stored.seats.iter().map(|seat| seat.name.clone()).collect();
    GameCard {
        stored,
        game,
        names,
    }
}

fn restore(store: &Store, stored: StoredGame) -> Result<(GameCard, Session), ApiError> {
    let game = stored
        .header
        .game()
        .map_err(|error| ApiError::internal(error.to_string()))?;
    let entries = store.entries(stored.number).map_err(store_failed)?;
    let card = card_of(stored, game);
    let session = Session::restore(
        &card.game,
        Arc::clone(&card.names),
        card.stored.header.seed,
        &entries,
    )
    .map_err(|error| ApiError::internal(error.to_string()))?;
    Ok((card, session))
}

/// What a caller hears of a store that fails.
#[allow(
    clippy::needless_pass_by_value,
    reason = "used as a function of errors"
)]
pub(crate) fn store_failed(error: StoreError) -> ApiError {
    ApiError::internal(sentence(&error.to_string()))
}
