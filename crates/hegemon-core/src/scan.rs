//! Scans of the armies of many territories at once.
//!
//! A set of territories is taken sixteen at a time: its bits become masks, so
//! that a scan is a few vector instructions whatever the set, with no branch to
//! mispredict. The compiler makes the vectors; the code is plain.

use crate::board::Board;
use crate::territory_set::TerritorySet;

const LANES: usize = 16;
/// The bit of each lane.
const BITS: [u16; LANES] = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

impl Board {
    /// The most armies on one territory of the set; 0 of the empty set.
    #[inline]
    pub fn most_armies(&self, set: TerritorySet) -> u32 {
        let mut most = [0u16; LANES];
        self.for_each_lanes(set, |_, members, armies| {
            for lane in 0..LANES {
                let member = members & BITS[lane] != 0;
                most[lane] = most[lane].max(if member { armies[lane] } else { 0 });
            }
        });
        u32::from(most.into_iter().fold(0, u16::max))
    }

    /// The fewest armies on one territory of the set; `u16::MAX` of the empty
    /// set.
    #[inline]
    pub fn fewest_armies(&self, set: TerritorySet) -> u32 {
        let mut fewest = [u16::MAX; LANES];
        self.for_each_lanes(set, |_, members, armies| {
            for lane in 0..LANES {
                let member = members & BITS[lane] != 0;
                fewest[lane] = fewest[lane].min(if member { armies[lane] } else { u16::MAX });
            }
        });
        u32::from(fewest.into_iter().fold(u16::MAX, u16::min))
    }

    /// The territories of the set with exactly so many armies.
    #[inline]
    pub fn with_armies(&self, set: TerritorySet, n: u32) -> TerritorySet {
        let Ok(n) = u16::try_from(n) else {
            return TerritorySet::EMPTY;
        };
        let mut found = 0u128;
        self.for_each_lanes(set, |place, members, armies| {
            let mut equal = 0;
            for lane in 0..LANES {
                equal |= if armies[lane] == n { BITS[lane] } else { 0 };
            }
            found |= u128::from(equal & members) << place;
        });
        TerritorySet::from_bits(found)
    }

    /// Calls `visit` with the place of the first lane, the members of the set
    /// among the lanes and their armies.
    #[inline(always)]
    fn for_each_lanes(&self, set: TerritorySet, mut visit: impl FnMut(usize, u16, &[u16; LANES])) {
        let mut rest = set.bits();
        let (groups, _) = self.all_armies().as_chunks::<LANES>();
        for (n, armies) in groups.iter().enumerate() {
            if rest == 0 {
                break;
            }
            visit(n * LANES, rest as u16, armies);
            rest >>= LANES;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, Map, Rng, Rules, TerritoryId, TerritorySet};

    /// The slow twin: one territory after the other.
    #[test]
    fn scans_agree_with_a_plain_loop() {
        let mut rng = Rng::from_seed(1);
        for name in ["classic", "archipelago80", "line4"] {
            let map = Map::builtin(name).expect("shipped");
            let rules = Rules::preset("sampling").expect("shipped");
            let game = Game::new(map, rules, 2).expect("a game");
            let mut board = game.deal(1).board().clone();
            for _ in 0..2_000 {
                let n = game.map().n_territories();
                let at = TerritoryId::new(rng.below(n as u32) as usize);
                board.add_armies(at, rng.below(5));
                let word = u128::from(rng.word()) << 64 | u128::from(rng.word() & rng.word());
                let set = TerritorySet::from_bits(word) & game.map().all();
                let armies = || set.iter().map(|t| board.armies(t));
                assert_eq!(board.most_armies(set), armies().max().unwrap_or(0));
                let fewest = armies().min();
                assert_eq!(board.fewest_armies(set), fewest.unwrap_or(u32::from(u16::MAX)));
                let level = fewest.unwrap_or(0) + rng.below(2);
                let found: TerritorySet = set.iter().filter(|&t| board.armies(t) == level).collect();
                assert_eq!(board.with_armies(set, level), found);
            }
        }
    }
}
