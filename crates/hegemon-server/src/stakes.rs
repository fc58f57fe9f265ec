//! What a game takes up of what there is little of.

use crate::clients::HeldStake;
use crate::limits::Permit;

/// What a game takes up as long as its task runs: one of bots alone a place among such
/// games, one with bots of the host places among these; of everybody and of a client.
#[derive(Debug, Default)]
pub(crate) struct Stakes {
    /// Of all games.
    pub permits: Vec<Permit>,
    /// Of those that are there because of a client.
    pub held: Vec<HeldStake>,
}

impl Stakes {
    /// These and others.
    pub(crate) fn and(mut self, others: Stakes) -> Stakes {
        self.permits.extend(others.permits);
        self.held.extend(others.held);
        self
    }
}
