//! The arena page.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;

use super::games::too_many_sockets;
#[cfg(test)]
use super::openapi::refused;
use crate::app::{App, stops};
use crate::clients::{Held, Stake};
use crate::error::{ApiError, sentence};
use crate::limits::Permit;
use crate::origin::Caller;

/// How often the file is looked at while somebody watches.
const LOOK: Duration = Duration::from_secs(2);

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/arena",
    operation_id = "arena",
    summary = "The standing of the pool",
    responses((status = 200, description = "The standing.", body = crate::arena::ArenaDto)),
))]
pub(super) async fn show(State(app): State<Arc<App>>) -> Result<impl IntoResponse, ApiError> {
    let text = read(&app).await?;
    Ok((
        [(header::CONTENT_TYPE, "application/json")],
        text.to_string(),
    ))
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/arena/live",
    operation_id = "arena_live",
    summary = "The standing as server-sent events, one for each change",
    responses(
        (
            status = 200,
            description = "The stream; each data line is the body of /api/arena.",
            body = String,
            content_type = "text/event-stream",
        ),
        refused::TooMany,
    ),
))]
pub(super) async fn live(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let held = app.clients.hold(caller.client, Stake::Watcher);
    let (Some(held), Some(permit)) = (held, app.take_socket(false)) else {
        return Err(too_many_sockets());
    };
    let first = read(&app).await?;
    let watch = Watch {
        stopping: app.stopping(),
        app,
        last: None,
        first: Some(first),
        _places: (held, permit),
    };
    let stream = futures_util::stream::unfold(watch, |mut watch| async move {
        let text = watch.next().await?;
        Some((Ok(Event::default().data(text.as_ref())), watch))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// Somebody who watches the arena.
struct Watch {
    app: Arc<App>,
    stopping: tokio::sync::watch::Receiver<bool>,
    first: Option<Arc<str>>,
    last: Option<Arc<str>>,
    _places: (Held, Permit),
}

impl Watch {
    /// What the file says, once it says something new; `None` when the server
    /// stops.
    async fn next(&mut self) -> Option<Arc<str>> {
        if let Some(first) = self.first.take() {
            self.last = Some(Arc::clone(&first));
            return Some(first);
        }
        loop {
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stops(&mut self.stopping) => return None,
            }
            // While a run writes, reading may fail once in a while.
            let Ok(text) = read(&self.app).await else {
                continue;
            };
            if self.last.as_ref() != Some(&text) {
                self.last = Some(Arc::clone(&text));
                return Some(text);
            }
        }
    }
}

async fn read(app: &Arc<App>) -> Result<Arc<str>, ApiError> {
    let app = Arc::clone(app);
    let text = super::blocking(move || app.arena.json()).await?;
    text.map_err(|error| ApiError::internal(sentence(&error.to_string())))
}
