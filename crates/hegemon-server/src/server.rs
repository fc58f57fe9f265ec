//! Starting and stopping.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpListener;

use crate::app::{App, Config, stops};
use crate::store::StoreError;
use crate::{connections, routes};

/// How often games that nobody needs are put away.
const TIDY: Duration = Duration::from_secs(30);
/// How long open requests may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(3);

/// Why the server does not run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is taken.
    #[error("port {0} is in use; name another one with --port, or 0 for any that is free")]
    PortInUse(u16),
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        address: SocketAddr,
        /// What went wrong.
        error: std::io::Error,
    },
    /// Serving failed.
    #[error("the server failed: {0}")]
    Serve(std::io::Error),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    /// A sentence for each stored game that cannot be resumed.
    pub faults: Vec<String>,
}

impl Server {
    /// Opens store and port, and resumes the games of the last run.
    ///
    /// # Errors
    ///
    /// If one of them cannot be opened.
    pub async fn start(address: SocketAddr, config: Config) -> Result<Server, ServeError> {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            if error.kind() == std::io::ErrorKind::AddrInUse {
                ServeError::PortInUse(address.port())
            } else {
                ServeError::Listen { address, error }
            }
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| ServeError::Listen { address, error })?;
        let app = App::open(config, address)?;
        let faults = app.restore().await?;
        Ok(Server {
            app,
            listener,
            address,
            faults,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until told to stop; then everything is stored.
    ///
    /// # Errors
    ///
    /// None at present.
    pub async fn run(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let app = self.app;
        let tidy = tokio::spawn(tidy(Arc::clone(&app)));
        let stopping = Arc::clone(&app);
        let goodbye = tokio::spawn(async move {
            stop.await;
            stopping.begin_stop();
        });
        let router = routes::router(Arc::clone(&app));
        let mut stopped = app.stopping();
        let patience = async move {
            stops(&mut stopped).await;
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            () = connections::serve(self.listener, Arc::clone(&app), router) => {}
            () = patience => {}
        }
        goodbye.abort();
        tidy.abort();
        let closing = Arc::clone(&app);
        // The writer thread may need a moment.
        let _ = tokio::task::spawn_blocking(move || closing.finish_stop()).await;
        Ok(())
    }
}

async fn tidy(app: Arc<App>) {
    loop {
        tokio::time::sleep(TIDY).await;
        app.tables.put_away_idle();
    }
}

/// Runs a server on threads of its own until `stop` is set: for callers that
/// are not asynchronous. `ready` is told the address and what is wrong with
/// stored games.
///
/// # Errors
///
/// As [`Server::start`] and [`Server::run`].
pub fn serve(
    address: SocketAddr,
    config: Config,
    stop: &'static AtomicBool,
    ready: impl FnOnce(SocketAddr, &[String]),
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Serve)?;
    let result = runtime.block_on(async {
        let server = Server::start(address, config).await?;
        ready(server.address(), &server.faults);
        server.run(is_set(stop)).await
    });
    // A bot may still be thinking; nobody waits for it.
    runtime.shutdown_background();
    result
}

async fn is_set(flag: &AtomicBool) {
    while !flag.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
