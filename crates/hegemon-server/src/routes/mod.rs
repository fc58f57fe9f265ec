//! The addresses of the API. One table names them all. The OpenAPI document is
//! generated from the handlers' annotations, and tested against the table.

mod analysis;
mod arena;
mod catalog;
mod games;
mod map_check;
mod odds;
#[cfg(test)]
mod openapi;
mod replay;

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest};
use axum::handler::Handler;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Router, extract::Request};
use futures_util::StreamExt;
use tower_http::compression::CompressionLayer;

use crate::app::App;
use crate::error::ApiError;
use crate::packed::{accepts_gzip, gzip};
use crate::workshop::WorkshopPlace;
use crate::{origin, page, refusals};

/// The OpenAPI document, which `cargo xtask generate` writes.
pub(crate) const OPENAPI: &str = include_str!("../../openapi.json");

const JSON: &str = "application/json";

type Methods = MethodRouter<Arc<App>>;

/// An address, a method and who answers.
type Route = (&'static str, &'static str, Methods);

fn on_get<T: 'static>(path: &'static str, handler: impl Handler<T, Arc<App>>) -> Route {
    (path, "get", get(handler))
}

fn on_post<T: 'static>(path: &'static str, handler: impl Handler<T, Arc<App>>) -> Route {
    (path, "post", post(handler))
}

fn on_delete<T: 'static>(path: &'static str, handler: impl Handler<T, Arc<App>>) -> Route {
    (path, "delete", delete(handler))
}

fn routes() -> Vec<Route> {
    vec![
        on_get("/api/about", catalog::about),
        on_get("/api/maps", catalog::maps),
        on_post("/api/maps", catalog::send_map),
        on_post("/api/maps/check", map_check::check),
        on_post("/api/maps/trial", map_check::trial),
        on_get("/api/maps/{name}", catalog::map),
        on_get("/api/host-bots", catalog::host_bots),
        on_get("/api/records", replay::records),
        on_get("/api/records/{name}/replay", replay::of_file),
        on_get("/api/rules", catalog::rules),
        on_get("/api/bots", catalog::bots),
        on_get("/api/levels", catalog::levels),
        on_get("/api/openapi.json", catalog::openapi),
        on_get("/api/games", games::list),
        on_post("/api/games", games::create),
        on_get("/api/games/{id}", games::show),
        on_delete("/api/games/{id}", games::remove),
        on_post("/api/games/{id}/rematch", games::rematch),
        on_get("/api/games/{id}/error-output", games::error_output),
        on_get("/api/games/{id}/record", replay::record),
        on_get("/api/games/{id}/replay", replay::stored),
        on_get("/api/games/{id}/socket", games::socket),
        on_post("/api/replay", replay::uploaded),
        on_get("/api/odds/battle", odds::battle),
        on_get("/api/odds/chain", odds::chain),
        on_get("/api/odds/need", odds::need),
        on_get("/api/games/{id}/analysis", analysis::look),
        on_post("/api/games/{id}/analysis", analysis::ask),
        on_post("/api/analysis", analysis::ask_record),
        on_delete("/api/games/{id}/analysis", analysis::cancel),
        on_post("/api/games/{id}/hint", analysis::game_hint),
        on_get("/api/games/{id}/position", analysis::position_of_game),
        on_post("/api/replay/position", analysis::position_of_record),
        on_post("/api/position", analysis::position),
        on_post("/api/hint", analysis::hint),
        on_post("/api/threat", analysis::threat_map),
        on_post("/api/odds/campaign", analysis::campaign),
        on_get("/api/puzzles", analysis::puzzles),
        on_get("/api/arena", arena::show),
        on_get("/api/arena/live", arena::live),
        on_get("/api/arena/games", arena::games),
        on_get("/api/arena/games/{id}/replay", arena::replay),
    ]
}

/// Everything that the server answers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let mut router = Router::new();
    for (path, _, answer) in routes() {
        router = router.route(path, answer);
    }
    router
        .fallback(page::serve)
        .layer(middleware::from_fn(explain))
        .layer(DefaultBodyLimit::max(app.limits.body))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            origin::check,
        ))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            refusals::watch,
        ))
        .layer(middleware::from_fn(guard))
        .with_state(app)
}

/// Runs what takes a while, or reads the disk, beside the requests.
async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(job)
        .await
        .map_err(|_| ApiError::internal("the request could not be worked on"))
}

/// The body of a request, if all of it comes in time.
struct Payload(Bytes);

impl FromRequest<Arc<App>> for Payload {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Payload, ApiError> {
        let whole = in_time(app, Bytes::from_request(request, app)).await?;
        body(whole).map(Payload)
    }
}

/// Waits for the body of a request for as long as it may take.
async fn in_time<T>(app: &App, body: impl Future<Output = T>) -> Result<T, ApiError> {
    let body = tokio::time::timeout(app.limits.request_time, body).await;
    body.map_err(|_| {
        let message = "The request did not come in time.";
        ApiError::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message)
    })
}

/// A large text, packed if the other side can unpack.
struct LargeText {
    bytes: Bytes,
    is_packed: bool,
}

impl LargeText {
    /// Takes a while.
    fn new(text: String, may_pack: bool) -> LargeText {
        let packed = may_pack.then(|| gzip(text.as_bytes())).flatten();
        LargeText {
            is_packed: packed.is_some(),
            bytes: packed.unwrap_or_else(|| text.into()),
        }
    }

    /// The answer, piece by piece. What is held for it is given back when all
    /// of it has been taken.
    fn answer(self, kind: &'static str, held: impl Send + 'static) -> Response {
        const PIECE: usize = 64 << 10;
        let n_bytes = self.bytes.len();
        let rest = (self.bytes, held);
        let pieces = futures_util::stream::unfold(rest, |(mut bytes, held)| async move {
            let piece = bytes.split_to(bytes.len().min(PIECE));
            (!piece.is_empty()).then_some((Ok::<_, std::io::Error>(piece), (bytes, held)))
        });
        // Short answers are packed on their way, by a layer that asks once more.
        let mut response = Response::new(Body::from_stream(pieces.fuse()));
        let fields = response.headers_mut();
        fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        fields.insert(header::CONTENT_LENGTH, n_bytes.into());
        if self.is_packed {
            fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// Works out a large text for a client and answers with it.
async fn large_answer(
    app: &Arc<App>,
    place: WorkshopPlace,
    headers: &HeaderMap,
    kind: &'static str,
    job: impl FnOnce() -> Result<String, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let may_pack = accepts_gzip(headers);
    let work = move || job().map(|text| LargeText::new(text, may_pack));
    let text = app.workshop.run(&place, work).await??;
    Ok(text.answer(kind, place))
}

/// A body that could be read, or a sentence.
fn body(body: Result<Bytes, BytesRejection>) -> Result<Bytes, ApiError> {
    body.map_err(|error| {
        if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            too_large()
        } else {
            broken_body()
        }
    })
}

fn broken_body() -> ApiError {
    ApiError::bad_request("bad-body", "The body of the request did not come whole.")
}

fn too_large() -> ApiError {
    let message = "The request is too large.";
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
}

/// Gives refusals of the libraries beneath us the shape of our own.
async fn explain(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let is_refusal = status.is_client_error() || status.is_server_error();
    if !is_refusal || response.extensions().get::<refusals::Code>().is_some() {
        return response;
    }
    let (code, message) = match status {
        StatusCode::METHOD_NOT_ALLOWED => ("wrong-method", "This address has no such method."),
        StatusCode::BAD_REQUEST => ("bad-address", "The address cannot be read."),
        _ => ("refused", "The request cannot be answered."),
    };
    let mut explained = ApiError::new(status, code, message).into_response();
    if let Some(methods) = response.headers().get(header::ALLOW) {
        let fields = explained.headers_mut();
        fields.insert(header::ALLOW, methods.clone());
    }
    explained
}

/// Headers that keep a browser from doing more than it should.
async fn guard(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let fields = response.headers_mut();
    let guards = [
        (header::CONTENT_SECURITY_POLICY, page::CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Tokens are in links; no other site may learn of them.
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in guards {
        fields.insert(name, HeaderValue::from_static(value));
    }
    response
}
