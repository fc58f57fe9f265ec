//! Large answers, packed where that holds up nobody.

use std::io::Write;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Below this many bytes packing is not worth it.
const SMALL: usize = 1024;

/// Whether the other side can unpack.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    accepted
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(',').any(|one| one.trim().starts_with("gzip")))
}

/// The bytes packed; `None` if that is not worth it.
pub(crate) fn gzip(bytes: &[u8]) -> Option<Bytes> {
    if bytes.len() < SMALL {
        return None;
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).ok()?;
    let packed = packed.finish().ok()?;
    (packed.len() < bytes.len()).then(|| packed.into())
}
