//! Records and replays.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use super::{Payload, large_answer};
use crate::app::App;
use crate::chronicle;
use crate::error::ApiError;
use crate::origin::Caller;

const JSON: &str = "application/json";

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

pub(super) async fn uploaded(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    // First a place, then the body: bodies are large, and places are few.
    let place = app.workshop.enter(caller.client)?;
    let headers = request.headers().clone();
    let Payload(body) = Payload::from_request(request, &app).await?;
    let text = String::from_utf8(body.into())
        .map_err(|_| ApiError::bad_request("bad-record", "A record is text in UTF-8."))?;
    let job = move || chronicle::replay_text(&text).map(|replay| replay.to_json());
    large_answer(&app, place, &headers, JSON, job).await
}
