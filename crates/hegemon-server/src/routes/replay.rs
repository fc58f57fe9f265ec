//! Records and replays.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;

use crate::app::App;
use crate::chronicle::{self, ReplayDto};
use crate::error::ApiError;

pub(super) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let stored = app.tables.stored(&id).await?;
    let store = Arc::clone(&app.store);
    let text = super::blocking(move || chronicle::record_of(&store, &stored)).await??;
    let fields = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{id}.hegemon\""),
        ),
    ];
    Ok((fields, text))
}

pub(super) async fn stored(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<ReplayDto>, ApiError> {
    let stored = app.tables.stored(&id).await?;
    let store = Arc::clone(&app.store);
    let replay = super::blocking(move || chronicle::replay_stored(&store, &stored)).await??;
    Ok(Json(replay))
}

pub(super) async fn uploaded(
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ReplayDto>, ApiError> {
    let body = super::body(body)?;
    let text = String::from_utf8(body.into())
        .map_err(|_| ApiError::bad_request("bad-record", "A record is text in UTF-8."))?;
    let replay = super::blocking(move || chronicle::replay_text(&text)).await??;
    Ok(Json(replay))
}
