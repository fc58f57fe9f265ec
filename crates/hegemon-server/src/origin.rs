//! Who may talk to us: pages of our own origin and of this machine.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use crate::app::App;
use crate::error::ApiError;

/// Refuses requests that another site's page made a browser send.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if app.is_loopback && !host(headers).is_some_and(is_loopback_host) {
        return foreign("This server only answers to the names of this machine.").into_response();
    }
    let changes = ![Method::GET, Method::HEAD].contains(request.method());
    let upgrades = headers.contains_key(header::UPGRADE);
    if (changes || upgrades) && !is_trusted(headers) {
        return foreign("Pages of other sites may not use this server.").into_response();
    }
    next.run(request).await
}

fn foreign(message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "wrong-origin", message)
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

/// Whether the origin is ours or on this machine. Programs that are not
/// browsers send none.
fn is_trusted(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let scheme = ["http://", "https://"];
    let Some(place) = scheme.iter().find_map(|scheme| origin.strip_prefix(scheme)) else {
        return false;
    };
    is_loopback_host(place) || host(headers) == Some(place)
}

/// Whether `name` or `name:port` is this machine.
fn is_loopback_host(place: &str) -> bool {
    let name = match place.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => name,
        _ => place,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        for name in [
            "localhost",
            "localhost:8080",
            "127.0.0.1",
            "127.0.0.1:1",
            "[::1]:80",
            "[::1]",
        ] {
            assert!(is_loopback_host(name), "{name}");
        }
        for name in [
            "",
            "example.org",
            "localhost.example.org",
            "10.0.0.1:80",
            "127.0.0.1.example.org",
        ] {
            assert!(!is_loopback_host(name), "{name}");
        }
    }

    #[test]
    fn other_sites_are_not_trusted() {
        let headers = |host: &'static str, origin: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().expect("a header"));
            headers.insert(header::ORIGIN, origin.parse().expect("a header"));
            headers
        };
        assert!(is_trusted(&HeaderMap::new()));
        assert!(is_trusted(&headers("10.0.0.5:80", "http://10.0.0.5:80")));
        assert!(is_trusted(&headers(
            "127.0.0.1:80",
            "http://localhost:5173"
        )));
        assert!(!is_trusted(&headers("127.0.0.1:80", "http://example.org")));
        assert!(!is_trusted(&headers("127.0.0.1:80", "null")));
        assert!(!is_trusted(&headers("127.0.0.1:80", "file://localhost")));
    }
}
