//! A line for every refusal, but no flood of lines.

use std::sync::{Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

use crate::app::App;
use crate::clients::Client;
use crate::limits::{Bucket, Rate};
use crate::origin::Caller;

/// Lines at once, and again after a while.
const LINES: Rate = Rate {
    burst: 50.0,
    per_second: 2.0,
};
/// Letters of an address in a line.
const MAX_PATH: usize = 80;

/// The log of refusals.
pub(crate) struct Refusals {
    print: fn(&str),
    pace: Mutex<Pace>,
}

struct Pace {
    lines: Bucket,
    n_silent: u64,
}

/// The code of a refusal, on its way to the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code(pub &'static str);

impl Refusals {
    /// A log that is printed by `print`, line by line.
    pub(crate) fn new(print: fn(&str)) -> Refusals {
        let lines = Bucket::new(LINES);
        Refusals {
            print,
            pace: Mutex::new(Pace { lines, n_silent: 0 }),
        }
    }

    /// Notes that something of a client was refused.
    pub(crate) fn note(&self, client: Client, what: &str, code: &str) {
        self.say(&format!("refused {client}: {what}: {code}"));
    }

    /// Prints a line, or counts it if there are too many.
    pub(crate) fn say(&self, line: &str) {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        if !pace.lines.take() {
            pace.n_silent += 1;
            return;
        }
        let n_silent = std::mem::take(&mut pace.n_silent);
        drop(pace);
        if n_silent > 0 {
            (self.print)(&format!("{n_silent} more lines like these were left out"));
        }
        (self.print)(line);
    }
}

/// Notes every answer that is a refusal.
pub(crate) async fn watch(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<Caller>();
    let client = caller.map(|caller| app.names.client(request.headers(), caller.client));
    // Queries hold tokens, which must not be logged.
    let path: String = request.uri().path().chars().take(MAX_PATH).collect();
    let what = format!("{} {}", request.method(), path.escape_debug());
    let response = next.run(request).await;
    let status = response.status();
    let is_refusal = status.is_client_error() || status.is_server_error();
    // A plain request of a socket's address is how the page asks why.
    if is_refusal
        && status != StatusCode::UPGRADE_REQUIRED
        && let Some(client) = client
    {
        let code = response.extensions().get::<Code>();
        app.refusals
            .note(client, &what, code.map_or(status.as_str(), |code| code.0));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static N_LINES: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn a_flood_of_refusals_is_a_few_lines() {
        let log = Refusals::new(|_| {
            N_LINES.fetch_add(1, Ordering::SeqCst);
        });
        for _ in 0..10_000 {
            log.say("refused");
        }
        assert!((1..100).contains(&N_LINES.load(Ordering::SeqCst)));
    }
}
