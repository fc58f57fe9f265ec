//! Records and replays.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use axum::{Extension, Json};
use futures_util::StreamExt;

#[cfg(test)]
use super::openapi::refused;
use super::{JSON, broken_body, in_time, large_answer, too_large};
use crate::app::App;
use crate::chronicle;
use crate::clients::{HeldStake, Stake};
use crate::error::ApiError;
use crate::limits::Permit;
use crate::origin::Caller;

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}/record",
    operation_id = "record",
    summary = "The record of a game that is over",
    params(("id" = String, Path, description = "Name of the game.")),
    responses(
        (status = 200, description = "The record.", body = String),
        refused::NotFound,
        refused::StillRuns,
    ),
))]
pub(super) async fn record(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let place = app.workshop.enter(caller.client)?;
    let stored = app.tables.stored(&id).await?;
    let name = format!("attachment; filename=\"{}.hegemon\"", stored.id);
    let store = Arc::clone(&app.store);
    let job = move || chronicle::record_of(&store, &stored);
    let kind = "text/plain; charset=utf-8";
    let mut response = large_answer(&app, place, &headers, kind, job).await?;
    if let Ok(name) = HeaderValue::from_str(&name) {
        let fields = response.headers_mut();
        fields.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}/replay",
    operation_id = "replay",
    summary = "The replay of a game that is over",
    params(("id" = String, Path, description = "Name of the game.")),
    responses(
        (status = 200, description = "The replay.", body = crate::chronicle::ReplayDto),
        refused::NotFound,
        refused::StillRuns,
    ),
))]
pub(super) async fn stored(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let place = app.workshop.enter(caller.client)?;
    let stored = app.tables.stored(&id).await?;
    let store = Arc::clone(&app.store);
    let job = move || chronicle::replay_stored(&store, &stored).map(|replay| replay.to_json());
    large_answer(&app, place, &headers, JSON, job).await
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/replay",
    operation_id = "replay_record",
    summary = "The replay of a record that is sent",
    request_body(content = String, content_type = "text/plain"),
    responses(
        (status = 200, description = "The replay.", body = crate::chronicle::ReplayDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn uploaded(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let headers = request.headers().clone();
    // A place is for work, not for waiting: first the whole body.
    let (text, upload) = upload(&app, caller, request).await?;
    let place = app.workshop.enter(caller.client)?;
    drop(upload);
    let job = move || chronicle::replay_text(&text).map(|replay| replay.to_json());
    large_answer(&app, place, &headers, JSON, job).await
}

/// What a record that is being sent takes of the memory for such.
pub(super) struct Upload {
    _held: HeldStake,
    _permit: Permit,
}

/// A record, if all of it comes in time and there is memory for it. Only what
/// has come counts: who sends slowly keeps nobody from sending.
pub(super) async fn upload(
    app: &App,
    caller: Caller,
    request: Request,
) -> Result<(String, Upload), ApiError> {
    let busy = || {
        let message = "Too many records are being sent at the moment; wait a little.";
        ApiError::too_many("busy", message)
    };
    let held = app.clients.hold(caller.client, Stake::Upload);
    let mut held = held.ok_or_else(busy)?;
    let mut permit = app.take_upload().ok_or_else(busy)?;
    let mut pieces = request.into_body().into_data_stream();
    let mut body = Vec::new();
    let whole = async {
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| broken_body())?;
            if body.len() + piece.len() > app.limits.record {
                return Err(too_large());
            }
            if !held.grow(piece.len()) || !permit.grow(piece.len(), app.limits.uploads) {
                return Err(busy());
            }
            body.extend_from_slice(&piece);
        }
        Ok(())
    };
    in_time(app, whole).await??;
    let upload = Upload {
        _held: held,
        _permit: permit,
    };
    let text = String::from_utf8(body)
        .map_err(|_| ApiError::bad_request("bad-record", "A record is text in UTF-8."))?;
    Ok((text, upload))
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/records",
    operation_id = "records",
    summary = "Files of records that the host offers, as `hegemon replay` does",
    responses((status = 200, description = "Their names.", body = [String])),
))]
pub(super) async fn records(State(app): State<Arc<App>>) -> Json<Vec<String>> {
    let names = app.offers.records().iter().filter_map(|file| name_of(file));
    Json(names.map(str::to_owned).collect())
}

/// The name under which a file is offered.
fn name_of(file: &FilePath) -> Option<&str> {
    file.file_name()?.to_str()
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/records/{name}/replay",
    operation_id = "replay_file",
    summary = "The replay of a record that the host offers",
    params(("name" = String, Path, description = "Name of the file.")),
    responses(
        (status = 200, description = "The replay.", body = crate::chronicle::ReplayDto),
        refused::Wrong,
        refused::NotFound,
        refused::TooMany,
    ),
))]
pub(super) async fn of_file(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let place = app.workshop.enter(caller.client)?;
    // A file of the list, and not one that a name leads to.
    let mut files = app.offers.records().iter();
    let file = files.find(|file| name_of(file) == Some(&name)).cloned();
    let file = file.ok_or_else(|| ApiError::not_found("such record"))?;
    let job = move || {
        let text = std::fs::read_to_string(&file).map_err(|error| {
            ApiError::bad_request("bad-record", format!("The file cannot be read: {error}."))
        })?;
        chronicle::replay_text(&text).map(|replay| replay.to_json())
    };
    large_answer(&app, place, &headers, JSON, job).await
}
