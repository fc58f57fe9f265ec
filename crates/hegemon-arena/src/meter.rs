//! How many games this process plays and has played, for whoever shows a
//! progress: a block may take minutes, and a game of it is worth knowing of.
//! Nothing that is played depends on it.

use std::sync::atomic::{AtomicU64, Ordering};

static BEGUN: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);

/// A game under way; it ends when this is dropped.
pub(crate) struct UnderWay(());

impl UnderWay {
    /// A game begins.
    pub(crate) fn begin() -> UnderWay {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        UnderWay(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Games that this process has played to their end.
pub fn games_played() -> u64 {
    ENDED.load(Ordering::Relaxed)
}

/// Games that this process plays at the moment.
pub fn games_under_way() -> u64 {
    // Read in this order, no game is counted that has not begun.
    let ended = ENDED.load(Ordering::Relaxed);
    BEGUN.load(Ordering::Relaxed).saturating_sub(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_under_way_until_it_is_played() {
        let played = games_played();
        let game = UnderWay::begin();
        assert!(games_under_way() >= 1);
        drop(game);
        assert!(games_played() > played);
    }
}
