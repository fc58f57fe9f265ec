//! The page, compiled into the program.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::ApiError;
use crate::packed::{accepts_gzip, gzip};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Page;

/// Nothing comes from another origin; styles may be set on elements, as the
/// drawing does.
pub(crate) const CONTENT_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// A file of the page, for those who read it.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return ApiError::not_found("such address; see /api/openapi.json").into_response();
    }
    let name = if path.is_empty() { "index.html" } else { path };
    match Page::get(name) {
        Some(_) if ![Method::GET, Method::HEAD].contains(&method) => only_read(),
        Some(file) => answer(name, &file, &headers),
        None => ApiError::not_found("such page").into_response(),
    }
}

fn only_read() -> Response {
    let message = "The page can only be read, with GET or HEAD.";
    let error = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", message);
    let mut response = error.into_response();
    let methods = HeaderValue::from_static("GET, HEAD");
    response.headers_mut().insert(header::ALLOW, methods);
    response
}

fn answer(name: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    let is_known = known.is_some_and(|known| {
        known
            .split(',')
            .any(|one| one.trim().trim_start_matches("W/") == tag)
    });
    let packed = packed(name).filter(|_| accepts_gzip(headers));
    let is_packed = packed.is_some() && !is_known;
    let mut response = match packed {
        _ if is_known => StatusCode::NOT_MODIFIED.into_response(),
        Some(packed) => Body::from(packed.clone()).into_response(),
        None => Body::from(file.data.clone().into_owned()).into_response(),
    };
    let fields = response.headers_mut();
    if is_packed {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    fields.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !is_known && let Ok(kind) = HeaderValue::from_str(content_type(name)) {
        fields.insert(header::CONTENT_TYPE, kind);
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        fields.insert(header::ETAG, tag);
    }
    // Names stay the same from one version of the page to the next.
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// A file packed; all are packed once.
fn packed(name: &str) -> Option<&'static Bytes> {
    static PACKED: OnceLock<BTreeMap<String, Bytes>> = OnceLock::new();
    let all = PACKED.get_or_init(|| {
        let pack = |name: std::borrow::Cow<'static, str>| {
            let packed = gzip(&Page::get(&name)?.data)?;
            Some((name.into_owned(), packed))
        };
        Page::iter().filter_map(pack).collect()
    });
    all.get(name)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
