//! The board: owner and armies of every territory. Visible to every seat.

use crate::ids::{ContinentId, MAX_PLAYERS, MAX_TERRITORIES, N_OWNERS, PlayerId, TerritoryId};
use crate::map::Map;
use crate::narrow::Narrow as _;
use crate::rng::mix;
use crate::territory_set::TerritorySet;

/// Owners and armies of all territories. The derived sets, totals and hash are
/// updated with every change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    owned: [TerritorySet; N_OWNERS],
    armies: [u16; MAX_TERRITORIES],
    owner: [PlayerId; MAX_TERRITORIES],
    total: [u32; N_OWNERS],
    hash: u64,
}

impl Board {
    /// A board without owners.
    pub(crate) fn unclaimed(map: &Map) -> Board {
        let mut board = Board {
            owned: [TerritorySet::EMPTY; N_OWNERS],
            armies: [0; MAX_TERRITORIES],
            owner: [PlayerId::NOBODY; MAX_TERRITORIES],
            total: [0; N_OWNERS],
            hash: 0,
        };
        board.owned[PlayerId::NOBODY.index()] = map.all();
        board.hash = board.recompute_hash(map);
        board
    }

    /// Who holds the territory.
    #[inline]
    pub fn owner(&self, territory: TerritoryId) -> PlayerId {
        self.owner[territory.index()]
    }

    /// Armies on the territory.
    #[inline]
    pub fn armies(&self, territory: TerritoryId) -> u32 {
        u32::from(self.armies[territory.index()])
    }

    /// The armies of all territories, in map order; 0 beyond the map.
    #[inline]
    pub(crate) fn all_armies(&self) -> &[u16; MAX_TERRITORIES] {
        &self.armies
    }

    /// The territories that the owner holds.
    #[inline]
    pub fn owned(&self, owner: PlayerId) -> TerritorySet {
        self.owned[owner.index()]
    }

    /// How many territories the owner holds.
    #[inline]
    pub fn n_owned(&self, owner: PlayerId) -> usize {
        self.owned(owner).len()
    }

    /// All armies of the owner.
    #[inline]
    pub fn total_armies(&self, owner: PlayerId) -> u32 {
        self.total[owner.index()]
    }

    /// All armies of all seats; who is out, or not in the game, has none.
    #[inline]
    pub fn armies_of_seats(&self) -> u32 {
        // A loop of fixed length is a vector or two.
        self.total[..MAX_PLAYERS].iter().sum()
    }

    /// Whether the owner holds every territory of the continent.
    #[inline]
    pub fn owns_continent(&self, map: &Map, owner: PlayerId, continent: ContinentId) -> bool {
        self.owned(owner)
            .is_superset(map.continent(continent).territories)
    }

    /// The owner's territories that have a neighbour of another owner.
    #[inline]
    pub fn frontier(&self, map: &Map, owner: PlayerId) -> TerritorySet {
        let own = self.owned(owner);
        map.neighbors_of_all(map.all() - own) & own
    }

    /// The neighbours of a territory that its owner does not hold.
    #[inline]
    pub fn enemy_neighbors(&self, map: &Map, territory: TerritoryId) -> TerritorySet {
        map.neighbors(territory) - self.owned(self.owner(territory))
    }

    /// The connected region of one owner around the territory, itself included.
    #[inline]
    pub fn region(&self, map: &Map, territory: TerritoryId) -> TerritorySet {
        map.reachable(territory, self.owned(self.owner(territory)))
    }

    /// Hash of owners and armies. Equal boards have equal hashes.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The same hash from scratch: the slow twin for tests.
    pub fn recompute_hash(&self, map: &Map) -> u64 {
        map.territories().fold(0u64, |hash, t| {
            hash.wrapping_add(owner_key(t, self.owner(t)))
                .wrapping_add(army_key(t).wrapping_mul(u64::from(self.armies(t))))
        })
    }

    #[inline]
    pub(crate) fn add_armies(&mut self, territory: TerritoryId, n: u32) {
        self.armies[territory.index()] += narrow_armies(n);
        self.total[self.owner(territory).index()] += n;
        self.hash = self
            .hash
            .wrapping_add(army_key(territory).wrapping_mul(u64::from(n)));
    }

    #[inline]
    pub(crate) fn remove_armies(&mut self, territory: TerritoryId, n: u32) {
        self.armies[territory.index()] -= narrow_armies(n);
        self.total[self.owner(territory).index()] -= n;
        self.hash = self
            .hash
            .wrapping_sub(army_key(territory).wrapping_mul(u64::from(n)));
    }

    #[inline]
    pub(crate) fn move_armies(&mut self, from: TerritoryId, to: TerritoryId, n: u32) {
        self.armies[from.index()] -= narrow_armies(n);
        self.armies[to.index()] += narrow_armies(n);
        let difference = army_key(to).wrapping_sub(army_key(from));
        self.hash = self
            .hash
            .wrapping_add(difference.wrapping_mul(u64::from(n)));
    }

    /// Gives a free territory to its first owner, with one army.
    #[inline]
    pub(crate) fn claim(&mut self, territory: TerritoryId, owner: PlayerId) {
        debug_assert_eq!(self.owner(territory), PlayerId::NOBODY);
        let place = TerritorySet::of(territory);
        self.owned[PlayerId::NOBODY.index()] -= place;
        self.owned[owner.index()] |= place;
        self.owner[territory.index()] = owner;
        self.armies[territory.index()] = 1;
        self.total[owner.index()] += 1;
        self.hash = self
            .hash
            .wrapping_sub(owner_key(territory, PlayerId::NOBODY))
            .wrapping_add(owner_key(territory, owner))
            .wrapping_add(army_key(territory));
    }

    /// Gives an empty territory to another owner.
    #[inline]
    pub(crate) fn change_owner(&mut self, territory: TerritoryId, owner: PlayerId) {
        debug_assert_eq!(self.armies(territory), 0);
        let before = self.owner(territory);
        self.owned[before.index()].remove(territory);
        self.owned[owner.index()].insert(territory);
        self.owner[territory.index()] = owner;
        self.hash = self
            .hash
            .wrapping_sub(owner_key(territory, before))
            .wrapping_add(owner_key(territory, owner));
    }
}

/// Armies of one owner are at most the supply, which fits.
#[inline(always)]
fn narrow_armies(n: u32) -> u16 {
    n.narrow()
}

// The hash is a sum of (key of territory and owner) + armies * (key of
// territory): changing a count costs one multiplication, however large the
// change.

static OWNER_KEYS: [[u64; N_OWNERS]; MAX_TERRITORIES] = owner_keys();
static ARMY_KEYS: [u64; MAX_TERRITORIES] = army_keys();

#[inline]
fn owner_key(territory: TerritoryId, owner: PlayerId) -> u64 {
    OWNER_KEYS[territory.index()][owner.index()]
}

#[inline]
fn army_key(territory: TerritoryId) -> u64 {
    ARMY_KEYS[territory.index()]
}

const fn owner_keys() -> [[u64; N_OWNERS]; MAX_TERRITORIES] {
    let mut keys = [[0; N_OWNERS]; MAX_TERRITORIES];
    let mut i = 0;
    while i < MAX_TERRITORIES * N_OWNERS {
        keys[i / N_OWNERS][i % N_OWNERS] = mix(0x6f77_6e65_7200 + i as u64);
        i += 1;
    }
    keys
}

const fn army_keys() -> [u64; MAX_TERRITORIES] {
    let mut keys = [0; MAX_TERRITORIES];
    let mut i = 0;
    while i < MAX_TERRITORIES {
        // Odd, so that a difference of armies never maps to 0.
        keys[i] = mix(0x6172_6d79_0000 + i as u64) | 1;
        i += 1;
    }
    keys
}
