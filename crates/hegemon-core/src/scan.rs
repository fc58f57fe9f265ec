//! Scans of the armies of many territories at once.
//!
//! A set of territories is processed sixteen at a time: its bits become masks,
//! so that a scan takes a few vector instructions for any set, with no branch
//! to mispredict.

use wide::u16x16;

use crate::board::Board;
use crate::ids::MAX_TERRITORIES;
use crate::territory_set::TerritorySet;

/// The bit of each lane.
const BITS: u16x16 = u16x16::new([
    1,
    1 << 1,
    1 << 2,
    1 << 3,
    1 << 4,
    1 << 5,
    1 << 6,
    1 << 7,
    1 << 8,
    1 << 9,
    1 << 10,
    1 << 11,
    1 << 12,
    1 << 13,
    1 << 14,
    1 << 15,
]);

/// All bits of the lanes whose bit is set in the lowest sixteen.
#[inline(always)]
fn members(word: u64) -> u16x16 {
    let [low, high, ..] = word.to_le_bytes();
    (u16x16::splat(u16::from_le_bytes([low, high])) & BITS).simd_eq(BITS)
}

impl Board {
    /// The most armies on one territory of the set; 0 for the empty set.
    #[inline]
    pub fn most_armies(&self, set: TerritorySet) -> u32 {
        let most = self.fold_words(set, u16x16::splat(0), |mut most, word, lanes| {
            for (n, armies) in (0..).zip(lanes) {
                most = most.max(u16x16::new(*armies) & members(word >> (16 * n)));
            }
            most
        });
        u32::from(most.reduce_max())
    }

    /// The fewest armies on one territory of the set; `u16::MAX` for the empty
    /// set.
    #[inline]
    pub fn fewest_armies(&self, set: TerritorySet) -> u32 {
        let all = u16x16::splat(u16::MAX);
        let fewest = self.fold_words(set, all, |mut fewest, word, lanes| {
            for (n, armies) in (0..).zip(lanes) {
                fewest = fewest.min(u16x16::new(*armies) | !members(word >> (16 * n)));
            }
            fewest
        });
        u32::from(fewest.reduce_min())
    }

    /// The territories of the set with exactly `n` armies.
    #[inline]
    pub fn with_armies(&self, set: TerritorySet, n: u32) -> TerritorySet {
        let Ok(n) = u16::try_from(n) else {
            return TerritorySet::EMPTY;
        };
        let n = u16x16::splat(n);
        self.filter(set, |armies| armies.simd_eq(n))
    }

    /// The territories of the set that pass the test.
    #[inline(always)]
    fn filter(&self, set: TerritorySet, test: impl Fn(u16x16) -> u16x16) -> TerritorySet {
        let passing = |lanes: &[[u16; 16]; 4]| {
            let masks = lanes.map(|armies| test(u16x16::new(armies)).to_bitmask());
            let masks = masks.iter().rev();
            masks.fold(0, |word, &mask| (word << 16) | u64::from(mask))
        };
        let (low, high) = self.lanes();
        let high = match set.high_word() {
            0 => 0,
            _ => passing(high),
        };
        TerritorySet::from_words(passing(low), high) & set
    }

    /// The armies of the set's territories by index, 0 for all others.
    #[inline]
    pub fn armies_of(&self, set: TerritorySet) -> [u16; MAX_TERRITORIES] {
        let mut armies = [0; MAX_TERRITORIES];
        let (groups, _) = armies.as_chunks_mut::<16>();
        let (low, high) = groups.split_at_mut(4);
        let mask = |masked: &mut [[u16; 16]], word: u64, lanes: &[[u16; 16]; 4]| {
            for (n, (masked, armies)) in (0..).zip(masked.iter_mut().zip(lanes)) {
                *masked = (u16x16::new(*armies) & members(word >> (16 * n))).to_array();
            }
        };
        let lanes = self.lanes();
        mask(low, set.low_word(), lanes.0);
        if set.high_word() != 0 {
            mask(high, set.high_word(), lanes.1);
        }
        armies
    }

    /// Folds the two words of a set with the armies of their territories; the
    /// second only if it is not empty.
    #[inline(always)]
    fn fold_words<T>(
        &self,
        set: TerritorySet,
        init: T,
        fold: impl Fn(T, u64, &[[u16; 16]; 4]) -> T,
    ) -> T {
        let (low, high) = self.lanes();
        let result = fold(init, set.low_word(), low);
        match set.high_word() {
            0 => result,
            word => fold(result, word, high),
        }
    }

    /// The armies of the first 64 territories and of the others, in sixteens.
    #[inline(always)]
    fn lanes(&self) -> (&[[u16; 16]; 4], &[[u16; 16]; 4]) {
        let (lanes, _) = self.all_armies().as_chunks::<16>();
        let (words, _) = lanes.as_chunks::<4>();
        (&words[0], &words[1])
    }
}

#[cfg(test)]
mod tests {
    use crate::{Game, Map, Rng, Rules, TerritoryId, TerritorySet};

    /// Compares with a plain loop over the territories.
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
                assert_eq!(
                    board.fewest_armies(set),
                    fewest.unwrap_or(u32::from(u16::MAX))
                );
                let level = fewest.unwrap_or(0) + rng.below(2);
                let found: TerritorySet =
                    set.iter().filter(|&t| board.armies(t) == level).collect();
                assert_eq!(board.with_armies(set, level), found);
                let masked = board.armies_of(set);
                for t in game.map().territories() {
                    let armies = if set.contains(t) { board.armies(t) } else { 0 };
                    assert_eq!(u32::from(masked[t.index()]), armies);
                }
            }
        }
    }
}
