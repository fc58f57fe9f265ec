//! What programs write to their error output while they play, for those who wrote them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Seats that are remembered; the oldest makes room.
const MAX_SEATS: usize = 64;
/// Bytes of each that are kept, the last ones.
const MAX_KEPT: usize = 16 * 1024;

/// The last words of the programs in each seat. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct ErrorLog(Arc<Mutex<VecDeque<SeatWords>>>);

/// The seed of a seating, and the last that its program wrote.
type SeatWords = (u64, Vec<u8>);

impl PartialEq for ErrorLog {
    fn eq(&self, other: &ErrorLog) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ErrorLog {}

impl ErrorLog {
    /// Adds what the program of a seat wrote; the seed of its seating names the seat.
    #[cfg(unix)]
    pub(crate) fn add(&self, seed: u64, words: &[u8]) {
        if words.is_empty() {
            return;
        }
        let mut seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = seats.iter_mut().position(|(known, _)| *known == seed);
        let place = known.unwrap_or_else(|| {
            if seats.len() == MAX_SEATS {
                seats.pop_front();
            }
            seats.push_back((seed, Vec::new()));
            seats.len() - 1
        });
        crate::external::keep_end(&mut seats[place].1, words, MAX_KEPT);
    }

    /// The last that the program of a seat wrote.
    pub fn of(&self, seed: u64) -> String {
        let seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = seats.iter().find(|(known, _)| *known == seed);
        known.map_or(String::new(), |(_, words)| {
            String::from_utf8_lossy(words).into_owned()
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_bounded_by_seats_and_by_bytes() {
        let log = ErrorLog::default();
        for seed in 0..2 * MAX_SEATS as u64 {
            log.add(seed, &vec![b'a'; 2 * MAX_KEPT]);
            log.add(seed, b"last");
        }
        let newest = log.of(2 * MAX_SEATS as u64 - 1);
        assert_eq!(newest.len(), MAX_KEPT);
        assert!(newest.ends_with("alast"));
        assert_eq!(log.of(0), "");
        assert_eq!(log.0.lock().expect("no panic").len(), MAX_SEATS);
    }
}
