//! Errors of the API: a status, a code for programs, a sentence for people.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hegemon_core::is_visible;
use serde::Serialize;

use crate::refusals::Code;

/// Letters of a library's sentence: nobody reads more.
const MAX_SENTENCE: usize = 600;
/// Letters of any sentence that is sent: some repeat what they were given.
const MAX_MESSAGE: usize = 2000;

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    /// HTTP status.
    pub status: StatusCode,
    /// One word for programs.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
}

/// Why a request was refused.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Error"))]
pub(crate) struct ErrorBody<'a> {
    /// The error.
    error: ErrorDto<'a>,
}

/// An error.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct ErrorDto<'a> {
    /// One word for programs.
    code: &'static str,
    /// One sentence for people.
    message: &'a str,
}

impl ApiError {
    /// An error with its parts.
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
    ) -> ApiError {
        let message = presentable(&message.into());
        ApiError {
            status,
            code,
            message,
        }
    }

    /// The request says something wrong.
    pub(crate) fn bad_request(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// There is no such thing.
    pub(crate) fn not_found(what: &str) -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not-found",
            format!("There is no {what}."),
        )
    }

    /// Something went wrong on our side.
    pub(crate) fn internal(message: impl Into<String>) -> ApiError {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            sentence(&message.into()),
        )
    }

    /// There is too much of something now.
    pub(crate) fn too_many(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    /// There was too much of something in a short time.
    pub(crate) fn too_fast(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too-fast", message)
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> ErrorBody<'_> {
        let error = ErrorDto {
            code: self.code,
            message: &self.message,
        };
        ErrorBody { error }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        response.extensions_mut().insert(Code(self.code));
        response
    }
}

/// A sentence that may be sent: not too long, and without characters that are
/// invisible or turn others around, however they came into it.
pub(crate) fn presentable(text: &str) -> String {
    // Faults of a map are a line each.
    let is_fine = |c: char| is_visible(c) || c == '\n';
    let mut n_letters = 0;
    let mut shown = String::new();
    for c in text.chars() {
        let letter = match is_fine(c) {
            true => c.to_string(),
            false => c.escape_unicode().to_string(),
        };
        n_letters += letter.chars().count();
        if n_letters > MAX_MESSAGE {
            return shown + "…";
        }
        shown += &letter;
    }
    shown
}

/// An error text of a library as a sentence.
pub(crate) fn sentence(text: &str) -> String {
    let text = text.trim().replace('\n', "; ");
    let text = match text.char_indices().nth(MAX_SENTENCE) {
        Some((end, _)) => text[..end].to_owned() + " ...",
        None => text,
    };
    let mut letters = text.chars();
    let capital = letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>());
    let text = capital.unwrap_or_default() + letters.as_str();
    if text.ends_with(['.', '?', '!']) {
        text
    } else {
        text + "."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with a name of 460 kB once came back whole.
    #[test]
    fn a_sentence_is_cut_between_letters() {
        for letter in ["x", "ß", "🂡"] {
            let error = ApiError::bad_request("bad-record", letter.repeat(460_000));
            assert_eq!(error.message, letter.repeat(MAX_MESSAGE) + "…");
            let whole = letter.repeat(MAX_MESSAGE);
            assert_eq!(presentable(&whole), whole);
        }
    }

    /// A right-to-left override in a map's name turned the sentence around.
    #[test]
    fn a_sentence_shows_what_is_invisible() {
        let controls = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        for c in controls.chain(['\u{200e}', '\u{200f}', '\u{1b}']) {
            let error = ApiError::bad_request("unknown-name", format!("No map \"{c}x\"."));
            let shown = format!("No map \"{}x\".", c.escape_unicode());
            assert_eq!(error.message, shown);
        }
    }
}
