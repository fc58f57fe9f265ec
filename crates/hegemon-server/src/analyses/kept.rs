//! Analyses that are done, until newer ones need the room.

use std::collections::VecDeque;

use axum::body::Bytes;

use super::Key;
use crate::error::ApiError;

/// Bytes of the analyses that are kept, packed.
pub(super) const MAX_KEPT: usize = 16 << 20;
/// Bytes of those of records that were sent: they push out no game of the server.
pub(super) const MAX_KEPT_OF_SENT: usize = 4 << 20;
/// What an analysis takes besides its answer, at most.
const KEPT_BYTES: usize = 256;

/// An analysis that is done, or why it is not.
#[derive(Clone)]
pub(super) enum Kept {
    /// The packed answer.
    Done(Bytes),
    Failed(ApiError),
}

impl Kept {
    fn n_bytes(&self) -> usize {
        KEPT_BYTES
            + match self {
                Kept::Done(answer) => answer.len(),
                Kept::Failed(error) => error.message.len(),
            }
    }
}

/// Analyses that are done, of at most this many bytes.
#[derive(Default)]
pub(super) struct KeptAnalyses<const MOST: usize> {
    /// The oldest first.
    all: VecDeque<(Key, Kept)>,
    n_bytes: usize,
}

impl<const MOST: usize> KeptAnalyses<MOST> {
    pub(super) fn get(&self, key: &Key) -> Option<&Kept> {
        let mut all = self.all.iter();
        all.find(|(known, _)| known == key).map(|(_, kept)| kept)
    }

    pub(super) fn keep(&mut self, key: Key, kept: Kept) {
        self.n_bytes += kept.n_bytes();
        self.all.push_back((key, kept));
        while self.n_bytes > MOST && self.all.len() > 1 {
            let oldest = self.all.pop_front();
            self.n_bytes -= oldest.map_or(0, |(_, kept)| kept.n_bytes());
        }
    }

    pub(super) fn retain(&mut self, is_kept: impl Fn(&Key, &Kept) -> bool) {
        self.all.retain(|(key, kept)| is_kept(key, kept));
        self.n_bytes = self.all.iter().map(|(_, kept)| kept.n_bytes()).sum();
    }

    pub(super) fn forget_failed(&mut self, key: &Key) {
        self.retain(|known, kept| known != key || matches!(kept, Kept::Done(_)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: usize) -> Key {
        (format!("record-{n}"), "fast")
    }

    /// Failures were once counted as the few bytes of their sentence.
    #[test]
    fn the_oldest_make_room() {
        let mut kept = KeptAnalyses::<MAX_KEPT_OF_SENT>::default();
        for n in 0..100 {
            kept.keep(key(n), Kept::Done(vec![0; 1 << 20].into()));
        }
        assert!(kept.get(&key(0)).is_none() && kept.get(&key(99)).is_some());
        for n in 0..100_000 {
            kept.keep(key(n), Kept::Failed(ApiError::bad_request("x", "y")));
        }
        assert!(kept.all.len() <= MAX_KEPT_OF_SENT / KEPT_BYTES);
        kept.forget_failed(&key(99_999));
        assert!(kept.get(&key(99_999)).is_none() && kept.get(&key(99_998)).is_some());
        kept.retain(|_, _| false);
        assert_eq!(kept.n_bytes, 0);
    }
}
