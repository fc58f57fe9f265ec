//! What all requests share.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::analyses::Analyses;
use crate::arena::ArenaFile;
use crate::bot_threads::BotThreads;
use crate::clients::Clients;
use crate::limits::{Limits, Permit};
use crate::offers::{HostOffers, Offers};
use crate::origin::Names;
use crate::reach::Reach;
use crate::refusals::Refusals;
use crate::store::{GameStore, StoreError};
use crate::tables::Tables;
use crate::workshop::Workshop;

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file of the store.
    pub store: PathBuf,
    /// The pool that the arena page shows.
    pub arena: Option<PathBuf>,
    /// How much is allowed.
    pub limits: Limits,
    /// Names of the server besides its addresses, with a port where it is
    /// another one.
    pub names: Vec<String>,
    /// Programs, maps and records that the host offers.
    pub offers: HostOffers,
    /// Whether a proxy of ours says in `X-Forwarded-For` who the client is.
    pub trusts_proxy: bool,
    /// Prints a line about something that was refused.
    pub log: fn(&str),
}

impl Config {
    /// A server that keeps its games in this file and has nothing special.
    pub fn new(store: PathBuf) -> Config {
        Config {
            store,
            arena: None,
            limits: Limits::default(),
            names: Vec::new(),
            offers: HostOffers::default(),
            trusts_proxy: false,
            log: |_| (),
        }
    }
}

/// The server's insides.
pub(crate) struct App {
    /// How much is allowed.
    pub limits: Limits,
    /// What the server is called.
    pub names: Names,
    /// Where others can reach it.
    pub reach: Reach,
    /// What the host offers.
    pub offers: Arc<Offers>,
    /// Who asks, and how much.
    pub clients: Arc<Clients>,
    /// What was refused.
    pub refusals: Arc<Refusals>,
    /// Where long work is done.
    pub workshop: Workshop,
    /// Stored games.
    pub store: Arc<GameStore>,
    /// Games in memory.
    pub tables: Tables,
    /// Luck, skill and hints.
    pub analyses: Analyses,
    /// The pool of the arena page.
    pub arena: ArenaFile,
    bot_threads: Arc<BotThreads>,
    n_sockets: Arc<AtomicUsize>,
    n_uploaded: Arc<AtomicUsize>,
    next_connection: AtomicU64,
    stopping: watch::Sender<bool>,
}

impl App {
    /// Opens the store of a server that listens at `local`; games do not resume before [`App::restore`].
    ///
    /// # Errors
    ///
    /// If the store cannot be opened.
    pub(crate) fn open(config: Config, local: SocketAddr) -> Result<Arc<App>, StoreError> {
        let limits = config.limits;
        let store = Arc::new(GameStore::open(&config.store, limits.store / 4 * 3)?);
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let bot_threads = BotThreads::start(n_cores);
        let clients = Clients::new(limits);
        let refusals = Arc::new(Refusals::new(config.log));
        let offers = Arc::new(Offers::new(config.offers));
        let tables = Tables::new(
            Arc::clone(&offers),
            Arc::clone(&store),
            Arc::clone(&bot_threads),
            Arc::clone(&clients),
            Arc::clone(&refusals),
            limits,
        );
        Ok(Arc::new(App {
            limits,
            offers,
            reach: Reach::of(local, &config.names),
            names: Names::new(config.names, config.trusts_proxy),
            workshop: Workshop::start(n_cores.div_ceil(2), limits.labours, Arc::clone(&clients)),
            clients,
            refusals,
            analyses: Analyses::start(Arc::clone(&store), n_cores.div_ceil(2)),
            store,
            tables,
            arena: ArenaFile::new(config.arena),
            bot_threads,
            n_sockets: Arc::default(),
            n_uploaded: Arc::default(),
            next_connection: AtomicU64::new(1),
            stopping: watch::Sender::new(false),
        }))
    }

    /// Resumes the games of the last run. Returns a sentence for each
    /// that cannot be resumed.
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

    /// The first byte of the memory for records that are being sent, if there
    /// is one left.
    pub(crate) fn take_upload(&self) -> Option<Permit> {
        Permit::take(&self.n_uploaded, self.limits.uploads)
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
        self.bot_threads.close();
        self.workshop.close();
        self.analyses.close();
        self.store.close();
    }
}

/// Waits until the server stops.
pub(crate) async fn stops(stopping: &mut watch::Receiver<bool>) {
    // If nobody can say so any more, it has stopped.
    let _ = stopping.wait_for(|stops| *stops).await;
}
