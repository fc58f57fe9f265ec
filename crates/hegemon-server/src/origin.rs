//! Who may talk to us: programs, and pages that we served ourselves.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::clients::Client;
use crate::error::ApiError;

/// Who calls, and at which of our addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub client: Client,
    /// The address of ours that it reached.
    pub local: SocketAddr,
}

/// The names under which the server may be called besides its own addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    given: Vec<String>,
    /// Whether the last address of `X-Forwarded-For` is the client.
    trusts_proxy: bool,
}

impl Names {
    /// Names such as `play.example.org` or `play.example.org:8080`.
    pub(crate) fn new(given: Vec<String>, trusts_proxy: bool) -> Names {
        Names {
            given,
            trusts_proxy,
        }
    }

    /// Whether all connections are a proxy's.
    pub(crate) fn trusts_proxy(&self) -> bool {
        self.trusts_proxy
    }

    /// Whether the person who runs the server gave it this name.
    fn are_given(&self, host: &str) -> bool {
        let (name, port) = split_port(host);
        self.given.iter().any(|given| {
            let (given, at) = split_port(given);
            // Behind a proxy the port is the proxy's.
            given.eq_ignore_ascii_case(name) && (at.is_none() || at == port)
        })
    }

    /// Whether `Host: host` at our address `local` means us. A name that
    /// somebody else could point at this machine does not.
    fn are_ours(&self, host: &str, local: SocketAddr) -> bool {
        if self.are_given(host) {
            return true;
        }
        let (name, port) = split_port(host);
        let ip = local.ip().to_canonical();
        let is_address = literal(name).is_some_and(|given| given.to_canonical() == ip);
        let is_local = ip.is_loopback() && name.eq_ignore_ascii_case("localhost");
        (is_address || is_local) && port.unwrap_or(80) == local.port()
    }

    /// Whether the origin is the page that this host served: a page of another
    /// port, even on this machine, is another page, and so is one of another
    /// scheme. We speak plain HTTP, so an `https` page is ours only where a proxy
    /// of ours encrypts, under a name that it was given.
    fn served(&self, origin: &str, host: &str) -> bool {
        let Some((scheme, place)) = origin.split_once("://") else {
            return false;
        };
        let is_ours = match scheme {
            "http" => true,
            "https" => self.trusts_proxy && self.are_given(host),
            _ => false,
        };
        is_ours && place.eq_ignore_ascii_case(host)
    }

    /// The client behind a request.
    pub(crate) fn client(&self, headers: &HeaderMap, peer: Client) -> Client {
        if !self.trusts_proxy {
            return peer;
        }
        // The last one was written by our own proxy; the others by anybody.
        let last = headers.get_all("x-forwarded-for").iter().next_back();
        let last = last.and_then(|value| value.to_str().ok()?.rsplit(',').next());
        let address = last.and_then(|text| text.trim().parse().ok());
        address.map_or(peer, Client::new)
    }
}

/// Refuses requests that another site's page made a browser send, and those of
/// a client that asks too much.
pub(crate) async fn check(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(mut caller) = request.extensions().get::<Caller>().copied() else {
        return ApiError::internal("nobody knows who asks").into_response();
    };
    caller.client = app.names.client(request.headers(), caller.client);
    request.extensions_mut().insert(caller);
    if let Err(error) = judge(&app.names, &request, caller.local) {
        return error.into_response();
    }
    // A seat is opened whatever else its client asks; the route knows more.
    let may_be_seat = request.uri().path().ends_with("/socket");
    if !may_be_seat && let Err(error) = check_pace(&app, caller) {
        return error.into_response();
    }
    next.run(request).await
}

/// Counts a request of a client.
///
/// # Errors
///
/// If there were too many.
pub(crate) fn check_pace(app: &App, caller: Caller) -> Result<(), ApiError> {
    let message = "Too many requests in a short time; wait a little.";
    let may_ask = app.clients.may_ask(caller.client);
    may_ask
        .then_some(())
        .ok_or_else(|| ApiError::too_fast(message))
}

fn judge(names: &Names, request: &Request, local: SocketAddr) -> Result<(), ApiError> {
    let headers = request.headers();
    let (host, origin) = (
        single(headers, header::HOST),
        single(headers, header::ORIGIN),
    );
    let (Ok(host), Ok(origin)) = (host, origin) else {
        let message = "A request has one Host and one Origin at most.";
        return Err(ApiError::bad_request("bad-headers", message));
    };
    let Some(host) = host.filter(|host| names.are_ours(host, local)) else {
        let message = "This server does not answer to that name; --name adds one.";
        return Err(foreign(message));
    };
    // An absolute target (`GET http://name/path`) counts more than the Host does.
    let target = request.uri().authority();
    if target.is_some_and(|target| !target.as_str().eq_ignore_ascii_case(host)) {
        return Err(foreign("The address and the Host of a request differ."));
    }
    let changes = ![Method::GET, Method::HEAD].contains(request.method());
    let upgrades = headers.contains_key(header::UPGRADE);
    let is_trusted = origin.is_none_or(|origin| names.served(origin, host));
    if (changes || upgrades) && !is_trusted || is_embedded_elsewhere(request) {
        return Err(foreign("Pages of other sites may not use this server."));
    }
    Ok(())
}

fn foreign(message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "wrong-origin", message)
}

/// The only value of a header, if there is one; an error if there are more, or
/// it is not text.
fn single(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

/// Whether a browser asks for data because another site's page wants it, which
/// need not say its origin for that. Links may be followed from anywhere.
fn is_embedded_elsewhere(request: &Request) -> bool {
    let is = |name: &str, value: &str| {
        let found = request.headers().get(name);
        found.is_some_and(|found| found == value)
    };
    request.uri().path().starts_with("/api/")
        && (is("sec-fetch-site", "cross-site") || is("sec-fetch-site", "same-site"))
        && !is("sec-fetch-mode", "navigate")
}

/// `name:port` in two parts.
fn split_port(place: &str) -> (&str, Option<u16>) {
    match place.rsplit_once(':') {
        // A number may have a sign in Rust, but a port has digits alone.
        Some((name, port)) if !name.is_empty() && is_digits(port) => match port.parse() {
            // The end of `[::1]` is not a port, nor is that of `::1`.
            Ok(port) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
            _ => (place, None),
        },
        _ => (place, None),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn literal(name: &str) -> Option<IpAddr> {
    let inside = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    inside.unwrap_or(name).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(local: &str) -> SocketAddr {
        local.parse().expect("an address")
    }

    #[test]
    fn names_of_this_machine_with_our_port_are_ours() {
        let names = Names::default();
        for (host, local) in [
            ("localhost:4272", "127.0.0.1:4272"),
            ("LOCALHOST:4272", "127.0.0.1:4272"),
            ("127.0.0.1:4272", "127.0.0.1:4272"),
            ("[::1]:4272", "[::1]:4272"),
            ("localhost", "127.0.0.1:80"),
            ("192.168.1.5:4272", "192.168.1.5:4272"),
            ("192.168.1.5:4272", "[::ffff:192.168.1.5]:4272"),
        ] {
            assert!(names.are_ours(host, at(local)), "{host} at {local}");
        }
        for (host, local) in [
            ("", "127.0.0.1:4272"),
            ("localhost", "127.0.0.1:4272"),
            ("localhost:5173", "127.0.0.1:4272"),
            ("127.0.0.1:5173", "127.0.0.1:4272"),
            ("localhost.example.org:4272", "127.0.0.1:4272"),
            ("127.0.0.1.example.org:4272", "127.0.0.1:4272"),
            // DNS rebinding, from outside as well as from this machine.
            ("rebound.example.org:4272", "192.168.1.5:4272"),
            ("localhost:4272", "192.168.1.5:4272"),
            ("192.168.1.6:4272", "192.168.1.5:4272"),
        ] {
            assert!(!names.are_ours(host, at(local)), "{host} at {local}");
        }
    }

    /// Rust parses `+4272` as a number, so it was once accepted as a port.
    #[test]
    fn a_port_is_digits() {
        let names = Names::new(vec!["play.example.org".to_owned()], false);
        for port in ["+4272", "-4272", "4272x", "x", "", " 4272", "٤٢٧٢", "66000"] {
            for name in ["localhost", "127.0.0.1", "play.example.org"] {
                let host = format!("{name}:{port}");
                assert!(!names.are_ours(&host, at("127.0.0.1:4272")), "{host}");
            }
        }
    }

    #[test]
    fn given_names_are_ours() {
        let given = ["play.example.org", "nat.example.org:8080"];
        let names = Names::new(given.map(str::to_owned).into(), false);
        let local = at("10.0.0.2:4272");
        for host in [
            "play.example.org",
            "Play.Example.org:4272",
            "nat.example.org:8080",
        ] {
            assert!(names.are_ours(host, local), "{host}");
        }
        for host in [
            "nat.example.org",
            "nat.example.org:4272",
            "a.play.example.org",
        ] {
            assert!(!names.are_ours(host, local), "{host}");
        }
    }

    #[test]
    fn only_our_own_page_is_trusted() {
        let host = "127.0.0.1:4272";
        let names = Names::default();
        assert!(names.served("http://127.0.0.1:4272", host));
        for origin in [
            "https://127.0.0.1:4272",
            "http://localhost:5173",
            "http://127.0.0.1:5173",
            "http://127.0.0.1",
            "http://example.org",
            "null",
            "file://127.0.0.1:4272",
            "",
        ] {
            assert!(!names.served(origin, host), "{origin}");
        }
    }

    #[test]
    fn an_encrypted_page_is_ours_only_behind_a_proxy_with_that_name() {
        let name = "play.example.org";
        let names = |trusts_proxy| Names::new(vec![name.to_owned()], trusts_proxy);
        let page = "https://play.example.org";
        assert!(names(true).served(page, name));
        assert!(names(true).served("http://play.example.org", name));
        assert!(!names(false).served(page, name), "no proxy encrypts");
        let local = "127.0.0.1:4272";
        assert!(!names(true).served("https://127.0.0.1:4272", local));
    }

    #[test]
    fn only_the_last_proxy_is_believed_and_only_if_told() {
        let peer = Client::new([127, 0, 0, 1].into());
        let mut headers = HeaderMap::new();
        for value in ["6.6.6.6", "7.7.7.7, 10.0.0.9"] {
            headers.append("x-forwarded-for", value.parse().expect("a header"));
        }
        let client = |trusts| Names::new(Vec::new(), trusts).client(&headers, peer);
        assert_eq!(client(false), peer);
        assert_eq!(client(true), Client::new([10, 0, 0, 9].into()));
    }
}
