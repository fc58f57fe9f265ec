//! The arena page.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_core::Stream;
use hegemon_arena::pool::PoolError;
use hegemon_bots::{Grants, Stop};
use serde::Deserialize;

use super::games::too_many_sockets;
#[cfg(test)]
use super::openapi::refused;
use super::{JSON, large_answer};
use crate::app::{App, stops};
use crate::arena::{ArenaGameDto, key_of};
use crate::chronicle;
#[cfg(test)]
use crate::chronicle::ReplayDto;
use crate::clients::{HeldStake, Stake};
use crate::error::{ApiError, sentence};
use crate::limits::Permit;
use crate::origin::Caller;
use crate::reading;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct PairQuery {
    /// Title of a bot.
    a: String,
    /// Title of another.
    b: String,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/arena/games",
    operation_id = "arena_games",
    summary = "The last games of two bots of the pool",
    params(PairQuery),
    responses(
        (status = 200, description = "The games, the newest first.", body = [ArenaGameDto]),
        refused::Wrong,
        refused::TooMany,
    ),
))]
pub(super) async fn games(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<PairQuery>, QueryRejection>,
) -> Result<Json<Vec<ArenaGameDto>>, ApiError> {
    let Query(pair) = reading::query(query)?;
    // A large pool takes a while to read.
    let place = app.workshop.enter(caller.client)?;
    let pool = Arc::clone(&app);
    let find = move || pool.arena.games(&pair.a, &pair.b);
    let games = app.workshop.run(&place, find).await?;
    let failed = |error: PoolError| ApiError::internal(sentence(&error.to_string()));
    games.map(Json).map_err(failed)
}

// A game is not stored: it follows from schedule and seed, and is played again.
#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/arena/games/{id}/replay",
    operation_id = "arena_replay",
    summary = "The replay of a game of the pool, if it can be played again in a few seconds",
    params(("id" = String, Path, description = "Name of the game.")),
    responses(
        (status = 200, description = "The replay.", body = ReplayDto),
        refused::Wrong,
        refused::NotFound,
        refused::TooMany,
    ),
))]
pub(super) async fn replay(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = key_of(&id).ok_or_else(|| ApiError::not_found("such game"))?;
    let asker = app.analyses.enter(caller.client)?;
    let pool = Arc::clone(&app);
    let job = move |stop: &Stop| {
        // Bots of the pool may be programs; no request starts one.
        let grants = Grants {
            stop: stop.clone(),
            ..Grants::sealed()
        };
        let record = pool.arena.record(key, &grants);
        if stop.is_raised() {
            let message = "The game takes too long to be played again here; \
                           'hegemon match --records' keeps games as they are played.";
            return Err(ApiError::bad_request("too-long", message));
        }
        let cannot =
            |error: PoolError| ApiError::bad_request("cannot-replay", sentence(&error.to_string()));
        let record = record.map_err(cannot)?;
        record.ok_or_else(|| ApiError::not_found("such game"))
    };
    let record = app.analyses.answer(asker, job).await?;
    let place = app.workshop.enter(caller.client)?;
    let job = move || chronicle::replay_text(&record).map(|replay| replay.to_json());
    large_answer(&app, place, &headers, JSON, job).await
}

/// Somebody who watches the arena.
struct Watch {
    app: Arc<App>,
    stopping: tokio::sync::watch::Receiver<bool>,
    first: Option<Arc<str>>,
    last: Option<Arc<str>>,
    _places: (HeldStake, Permit),
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
