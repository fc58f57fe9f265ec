//! Neighbours in forms made for hot loops: fixed-length lists, and lookups for
//! whole sets.

use std::fmt;

use crate::ids::{MAX_TERRITORIES, TerritoryId};
use crate::narrow::low_half;
use crate::territory_set::TerritorySet;

/// The neighbours of a territory in the order of the file, padded with the
/// territory itself to a fixed number, so that a loop over them has constant
/// length and a predictable end.
#[derive(Clone, Copy, Debug)]
pub struct Near(u64);

impl Near {
    /// The padded length.
    pub const N: usize = 8;

    pub(crate) fn of(territory: TerritoryId, list: &[TerritoryId]) -> Option<Near> {
        let mut near = [u8::from(territory); Near::N];
        let listed = near.get_mut(..list.len())?;
        for (near, &neighbor) in listed.iter_mut().zip(list) {
            *near = u8::from(neighbor);
        }
        Some(Near(u64::from_le_bytes(near)))
    }

    /// The `n`-th, counted from 0, below [`Near::N`].
    #[inline(always)]
    pub fn nth(self, n: usize) -> TerritoryId {
        let byte = low_half(self.0 >> (8 * n)) as usize;
        TerritoryId::within(byte % MAX_TERRITORIES)
    }
}

/// Neighbours of whole sets: by byte of the set's word and value of the byte.
#[derive(Clone)]
pub(crate) struct NeighborWords(Box<[[u64; 256]; 8]>);

impl NeighborWords {
    /// The table of a map of at most 64 territories.
    pub(crate) fn of(sets: &[TerritorySet]) -> Option<NeighborWords> {
        if sets.len() > 64 {
            return None;
        }
        let mut words = Box::new([[0; 256]; 8]);
        for (place, set) in sets.iter().enumerate() {
            let neighbors = set.low_word();
            for (byte, word) in words[place / 8].iter_mut().enumerate() {
                if byte >> (place % 8) & 1 == 1 {
                    *word |= neighbors;
                }
            }
        }
        Some(NeighborWords(words))
    }

    /// All neighbours of the members of a set in its first `BYTES` bytes.
    #[inline(always)]
    pub(crate) fn of_all<const BYTES: usize>(&self, set: u64) -> u64 {
        let words = self.0.iter().zip(set.to_le_bytes()).take(BYTES);
        words.fold(0, |all, (words, byte)| all | words[usize::from(byte)])
    }

    /// [`crate::Map::reachable`] on one machine word: a whole ring of neighbours at a
    /// time, in sets of `BYTES` bytes.
    #[inline(always)]
    pub(crate) fn reachable<const BYTES: usize>(&self, start: u64, within: u64) -> u64 {
        let mut reached = start;
        loop {
            let wider = reached | (self.of_all::<BYTES>(reached) & within);
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }
}

impl fmt::Debug for NeighborWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NeighborWords(..)")
    }
}

#[cfg(test)]
mod tests {
    use crate::{Map, Near, Rng, TerritorySet};

    /// Compares with a plain loop over the territories.
    #[test]
    fn tables_agree_with_the_lists() {
        let mut rng = Rng::from_seed(1);
        for name in Map::builtin_names() {
            let map = Map::builtin(name).expect("shipped");
            for territory in map.territories() {
                let near = map.near(territory).expect("few neighbours");
                let list = map.neighbor_list(territory);
                for n in 0..Near::N {
                    let expected = list.get(n).copied().unwrap_or(territory);
                    assert_eq!(near.nth(n), expected, "{name}");
                }
            }
            for _ in 0..500 {
                let bits = u128::from(rng.word()) << 64 | u128::from(rng.word());
                let set = TerritorySet::from_bits(bits) & map.all();
                let mut around = TerritorySet::EMPTY;
                set.iter().for_each(|t| around |= map.neighbors(t));
                assert_eq!(map.neighbors_of_all(set), around, "{name}");
                let Some(start) = set.first() else { continue };
                let mut region = TerritorySet::of(start);
                for _ in map.territories() {
                    region.iter().for_each(|t| region |= map.neighbors(t) & set);
                }
                assert_eq!(map.reachable(start, set), region, "{name}");
            }
        }
    }
}
