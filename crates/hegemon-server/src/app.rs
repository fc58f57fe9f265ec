//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::arena::ArenaFile;
use crate::limits::{Limits, Permit};
use crate::store::{Store, StoreError};
use crate::tables::Tables;
use crate::thinkers::Thinkers;

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file of the store.
    pub store: PathBuf,
    /// The pool that the arena page shows.
    pub arena: Option<PathBuf>,
    /// How much is allowed.
    pub limits: Limits,
}

/// The server's insides.
pub(crate) struct App {
    /// How much is allowed.
    pub limits: Limits,
    /// Whether only this machine can reach the server: then only its own names
    /// are taken for it.
    pub is_loopback: bool,
    /// Stored games.
    pub store: Arc<Store>,
    /// Games in memory.
    pub tables: Tables,
    /// The pool of the arena page.
    pub arena: ArenaFile,
    thinkers: Arc<Thinkers>,
    n_sockets: Arc<AtomicUsize>,
    next_connection: AtomicU64,
    stopping: watch::Sender<bool>,
}

impl App {
    /// Opens the store; games do not go on before [`App::restore`].
    ///
    /// # Errors
    ///
    /// If the store cannot be opened.
    pub(crate) fn open(config: Config, is_loopback: bool) -> Result<Arc<App>, StoreError> {
        let store = Arc::new(Store::open(&config.store)?);
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let thinkers = Thinkers::start(n_cores);
        let tables = Tables::new(Arc::clone(&store), Arc::clone(&thinkers), config.limits);
        Ok(Arc::new(App {
            limits: config.limits,
            is_loopback,
            store,
            tables,
            arena: ArenaFile::new(config.arena),
            thinkers,
            n_sockets: Arc::default(),
            next_connection: AtomicU64::new(1),
            stopping: watch::Sender::new(false),
        }))
    }

    /// Goes on with the games of the last run. Returns a sentence for each
    /// that cannot go on.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub(crate) async fn restore(&self) -> Result<Vec<String>, StoreError> {
        self.tables.restore().await
    }

    /// One of the sockets that may be open, if there is one left.
    pub(crate) fn take_socket(&self, has_seat: bool) -> Option<Permit> {
        let kept = if has_seat {
            0
        } else {
            self.limits.sockets_for_seats
        };
        Permit::take(&self.n_sockets, self.limits.sockets.saturating_sub(kept))
    }

    /// A number for a connection.
    pub(crate) fn next_connection(&self) -> u64 {
        self.next_connection.fetch_add(1, Ordering::Relaxed)
    }

    /// Becomes true when the server stops.
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Tells all sockets that the server stops.
    pub(crate) fn begin_stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Stores what is still to be stored. Games stay as they are.
    pub(crate) fn finish_stop(&self) {
        self.thinkers.close();
        self.store.close();
    }
}

/// Waits until the server stops.
pub(crate) async fn stops(stopping: &mut watch::Receiver<bool>) {
    // If nobody can say so any more, it has stopped.
    let _ = stopping.wait_for(|stops| *stops).await;
}
