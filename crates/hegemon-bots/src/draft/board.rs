//! A draft with the players numbered in the order of play.

use hegemon_core::{PlayerId, TerritoryId, View};

/// A draft in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftBoard {
    /// Owner of each territory, in the order of play.
    pub owners: Vec<PlayerId>,
    /// Who claims next.
    pub mover: PlayerId,
    /// Number of players.
    pub n_players: usize,
}

impl DraftBoard {
    /// The draft that a view shows in the claim phase. The numbers of claims
    /// show who went first.
    pub fn of(view: View<'_>) -> DraftBoard {
        let (board, map) = (view.board(), view.map());
        let n_players = view.game().n_players();
        let n_claimed = map.n_territories() - board.n_owned(PlayerId::NOBODY);
        let mover = n_claimed % n_players;
        let first = (view.player().index() + n_players - mover) % n_players;
        let rank = |owner: PlayerId| {
            if owner.is_seat() {
                PlayerId::new((owner.index() + n_players - first) % n_players)
            } else {
                owner
            }
        };
        DraftBoard {
            owners: map.territories().map(|t| rank(board.owner(t))).collect(),
            mover: PlayerId::new(mover),
            n_players,
        }
    }

    /// The free territories, in map order.
    pub fn free(&self) -> impl Iterator<Item = TerritoryId> + Clone + '_ {
        let is_free = |(_, owner): &(usize, &PlayerId)| **owner == PlayerId::NOBODY;
        self.owners
            .iter()
            .enumerate()
            .filter(is_free)
            .map(|(t, _)| TerritoryId::new(t))
    }

    /// Who claims after a player.
    #[inline]
    pub fn after(&self, player: PlayerId) -> PlayerId {
        let next = player.index() + 1;
        PlayerId::new(if next == self.n_players { 0 } else { next })
    }
}
