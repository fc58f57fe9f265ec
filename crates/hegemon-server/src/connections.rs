//! Accepting connections: a limited number at a time and from one client, each with a
//! time limit for what it has to say.
//!
//! Where there are too many, the one that has waited the longest without a
//! request gives way to the new one: whoever holds connections open without
//! asking anything keeps nobody out.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;
use hyper::body::{Buf, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::sleep;
use tower::ServiceExt;

use crate::app::{App, stops};
use crate::clients::Client;
use crate::error::ApiError;
use crate::limits::Bucket;
use crate::origin::Caller;
use crate::page::CONTENT_POLICY;

/// Bytes of a request's head.
const MAX_HEAD: usize = 16 << 10;
/// After the operating system refused a connection, it gets a moment.
const PAUSE: Duration = Duration::from_millis(50);
/// How often a connection is asked whether it takes too long.
const LOOK: Duration = Duration::from_secs(1);
/// A connection that is being answered may be closed after this, if there are too many.
const SLOW: Duration = Duration::from_secs(2);

/// Accepts connections until the server stops, then lets the open ones finish.
pub(crate) async fn serve(listener: TcpListener, app: Arc<App>, router: Router) {
    let gate = Arc::new(Gate::new(&app));
    let mut stopping = app.stopping();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stops(&mut stopping) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Too many open files, perhaps.
            sleep(PAUSE).await;
            continue;
        };
        let client = Client::new(peer.ip());
        let Some(place) = gate.enter(client) else {
            app.refusals
                .note(client, "connection", "too-many-connections");
            continue;
        };
        tokio::spawn(converse(
            stream,
            client,
            place,
            Arc::clone(&app),
            router.clone(),
        ));
    }
    drop(listener);
    gate.is_empty().await;
}

/// Answers the requests of one connection.
async fn converse(stream: TcpStream, client: Client, place: Place, app: Arc<App>, router: Router) {
    let Ok(local) = stream.local_addr() else {
        return;
    };
    // Answers are small, and somebody waits for them.
    let _ = stream.set_nodelay(true);
    let place = Arc::new(place);
    let service = service_fn({
        let place = Arc::clone(&place);
        move |request: hyper::Request<Incoming>| {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(Caller { client, local });
            let (router, place) = (router.clone(), Arc::clone(&place));
            async move {
                place.becomes(Doing::Asking);
                let answer = router.oneshot(request).await?;
                if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
                    place.connection.is_socket.store(true, Ordering::Relaxed);
                }
                Ok::<_, Infallible>(watched(answer, place))
            }
        }
    });
    let limits = &app.limits;
    let stream = Counted {
        stream,
        connection: Arc::clone(&place.connection),
        socket_bytes: Bucket::new(limits.socket_bytes),
        app: Arc::clone(&app),
        explained: Bytes::new(),
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request_time)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let mut stopping = app.stopping();
    tokio::select! {
        ended = connection.as_mut() => {
            if let Some(code) = ended.err().and_then(|error| fault(&error, &place)) {
                app.refusals.note(client, "connection", code);
            }
        }
        () = place.is_wanted() => {
            app.refusals.note(client, "slow connection", "too-many-connections");
        }
        () = place.overstays(limits.request_time, limits.answer_time) => {
            if place.has_begun() {
                app.refusals.note(client, "connection", "too-slow");
            }
        }
        () = stops(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Why a connection was cut, if that is worth a line: whoever hangs up in the
/// middle hurts nobody, and browsers keep connections open without asking.
fn fault(error: &hyper::Error, place: &Place) -> Option<&'static str> {
    if error.is_parse_too_large() {
        Some("too-large")
    } else if error.is_parse() {
        Some("bad-request")
    } else if error.is_timeout() && place.has_begun() {
        Some("too-slow")
    } else {
        None
    }
}

/// A stream that says when something was heard, and is cut when a socket says too
/// much.
struct Counted {
    stream: TcpStream,
    connection: Arc<Connection>,
    socket_bytes: Bucket,
    app: Arc<App>,
    /// What is left to say instead of the library's refusal.
    explained: Bytes,
}

impl Counted {
    /// Says a refusal of the library beneath us, which has no body, in our own
    /// words. `None` if these bytes are none.
    fn poll_explained(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Option<Poll<io::Result<usize>>> {
        if self.explained.is_empty() {
            self.explained = explained(bytes)?;
        }
        while !self.explained.is_empty() {
            match Pin::new(&mut self.stream).poll_write(context, &self.explained) {
                Poll::Ready(Ok(n_written)) => self.explained.advance(n_written),
                other => return Some(other),
            }
        }
        Some(Poll::Ready(Ok(bytes.len())))
    }
}

/// Our own words for a refusal of the library beneath us: it answers requests
/// that it cannot read without asking us, and says nothing but a status. All that
/// we answer ourselves has a content policy.
fn explained(bytes: &[u8]) -> Option<Bytes> {
    let head = std::str::from_utf8(bytes).ok()?;
    let head = head.strip_suffix("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    let status = StatusCode::from_bytes(status.as_bytes()).ok()?;
    if !status.is_client_error() || head.contains("content-security-policy") {
        return None;
    }
    let (code, message) = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            ("too-large", "The head of the request is too large.")
        }
        StatusCode::URI_TOO_LONG => ("too-large", "The address of the request is too long."),
        _ => ("bad-request", "The request is not HTTP as it should be."),
    };
    let error = ApiError::new(status, code, message);
    let body = serde_json::to_string(&error.body()).ok()?;
    let answer = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\ncontent-security-policy: {CONTENT_POLICY}\r\n\
         x-content-type-options: nosniff\r\n\r\n{body}",
        body.len()
    );
    Some(answer.into())
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let n_before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let n_heard = buffer.filled().len() - n_before;
        if n_heard > 0 {
            self.connection.has_begun.store(true, Ordering::Relaxed);
        }
        if self.connection.is_socket.load(Ordering::Relaxed)
            && !self.socket_bytes.take_many(n_heard)
        {
            let client = self.connection.client;
            self.app.refusals.note(client, "socket", "too-fast");
            return Poll::Ready(Err(io::Error::other("more than a socket may say")));
        }
        read
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(said) = self.poll_explained(context, bytes) {
            return said;
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first = parts.iter().find(|part| !part.is_empty());
        if let Some(first) = first
            && let Some(said) = self.poll_explained(context, first)
        {
            return said;
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Counts connections.
struct Gate {
    most: usize,
    most_per_client: usize,
    open: Mutex<Vec<Arc<Connection>>>,
    left: Notify,
}

struct Connection {
    client: Client,
    doing: Mutex<(Doing, Instant)>,
    /// Whether something came since the last request was answered.
    has_begun: AtomicBool,
    /// Whether it has become a WebSocket.
    is_socket: AtomicBool,
    leave: Notify,
}

impl Connection {
    fn listens(&self) -> bool {
        held(&self.doing).0 == Doing::Listening
    }
}

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Doing {
    /// Nothing, or it has not yet said all that it wants.
    Waiting,
    /// It has asked, and has not yet taken the whole answer.
    Asking,
    /// It is told news as they come; it counts as a socket.
    Listening,
}

impl Gate {
    fn new(app: &App) -> Gate {
        let most = app.limits.connections;
        Gate {
            most,
            // Behind a proxy all connections are the proxy's.
            most_per_client: if app.names.trusts_proxy() {
                most
            } else {
                app.limits.connections_per_client
            },
            open: Mutex::default(),
            left: Notify::new(),
        }
    }

    /// A place for a connection; `None` if all are taken by those that are
    /// being answered.
    fn enter(self: &Arc<Gate>, client: Client) -> Option<Place> {
        let connection = Arc::new(Connection {
            client,
            doing: Mutex::new((Doing::Waiting, Instant::now())),
            has_begun: AtomicBool::new(false),
            is_socket: AtomicBool::new(false),
            leave: Notify::new(),
        });
        let mut open = held(&self.open);
        // Who is told news has a place among the sockets, and none here.
        let counted = open.iter().filter(|other| !other.listens());
        let clients: Vec<Client> = counted.map(|other| other.client).collect();
        let n_own = clients.iter().filter(|other| **other == client).count();
        if n_own >= self.most_per_client {
            send_away(&mut open, |other| other.client == client)?;
        } else if clients.len() >= self.most {
            send_away(&mut open, |_| true)?;
        }
        open.push(Arc::clone(&connection));
        let gate = Arc::clone(self);
        Some(Place { gate, connection })
    }

    async fn is_empty(&self) {
        while !held(&self.open).is_empty() {
            self.left.notified().await;
        }
    }
}

/// Closes the connection that has waited the longest; if none waits, the one
/// that has taken the longest over an answer, if that is long.
fn send_away(open: &mut Vec<Arc<Connection>>, of: impl Fn(&Connection) -> bool) -> Option<()> {
    let may_go = |doing: Doing, since: Instant| match doing {
        Doing::Waiting => true,
        Doing::Asking => since.elapsed() > SLOW,
        Doing::Listening => false,
    };
    let some = open.iter().enumerate().filter(|(_, other)| of(other));
    let states = some.map(|(idx, other)| (*held(&other.doing), idx));
    let (_, idx) = states
        .filter(|((doing, since), _)| may_go(*doing, *since))
        .min()?;
    open.swap_remove(idx).leave.notify_one();
    Some(())
}

/// The place of a connection; given back when dropped.
struct Place {
    gate: Arc<Gate>,
    connection: Arc<Connection>,
}

impl Place {
    fn becomes(&self, doing: Doing) {
        *held(&self.connection.doing) = (doing, Instant::now());
        if doing == Doing::Waiting {
            self.connection.has_begun.store(false, Ordering::Relaxed);
        }
    }

    /// Whether a request has begun to come and is not yet answered.
    fn has_begun(&self) -> bool {
        self.connection.has_begun.load(Ordering::Relaxed)
    }

    async fn is_wanted(&self) {
        self.connection.leave.notified().await;
    }

    /// Waits until the connection takes longer than it may.
    async fn overstays(&self, request_time: Duration, answer_time: Duration) {
        loop {
            sleep(LOOK).await;
            let (doing, since) = *held(&self.connection.doing);
            let most = match doing {
                Doing::Waiting => request_time,
                Doing::Asking => answer_time,
                Doing::Listening => continue,
            };
            if since.elapsed() > most {
                return;
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        held(&self.gate.open).retain(|other| !Arc::ptr_eq(other, &self.connection));
        self.gate.left.notify_one();
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Lists and times are changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer that says when it has been taken.
fn watched(answer: Response, place: Arc<Place>) -> Response {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    if kind.is_some_and(|kind| kind == "text/event-stream") {
        place.becomes(Doing::Listening);
    }
    answer.map(|body| Body::new(Watched { body, place }))
}

struct Watched {
    body: Body,
    place: Arc<Place>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.place.becomes(Doing::Waiting);
    }
}
