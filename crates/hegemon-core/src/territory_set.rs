//! Sets of territories as bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

use crate::ids::TerritoryId;
use crate::narrow::{high_word, low_half, low_word};

/// A set of territories. All operations are a few instructions; iteration is
/// in map order.
///
/// ```
/// use hegemon_core::{TerritoryId, TerritorySet};
/// let set: TerritorySet = [3, 1].into_iter().map(TerritoryId::new).collect();
/// assert_eq!(set.len(), 2);
/// assert!(set.contains(TerritoryId::new(3)));
/// assert_eq!(set.first(), Some(TerritoryId::new(1)));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerritorySet(u128);

impl TerritorySet {
    /// The empty set.
    pub const EMPTY: TerritorySet = TerritorySet(0);

    /// The set of one territory.
    #[inline]
    pub const fn of(territory: TerritoryId) -> Self {
        TerritorySet(1 << territory.index())
    }

    /// The first `n` territories of the map.
    pub const fn first_n(n: usize) -> Self {
        if n >= 128 {
            TerritorySet(u128::MAX)
        } else {
            TerritorySet((1 << n) - 1)
        }
    }

    /// The set as bits: bit `i` is territory `i`.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set with these bits.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        TerritorySet(bits)
    }

    /// The first 64 territories as bits: the whole set of a map that has no more.
    #[inline]
    pub(crate) const fn low_word(self) -> u64 {
        low_word(self.0)
    }

    /// The territories from the 65th on as bits.
    #[inline]
    pub(crate) const fn high_word(self) -> u64 {
        high_word(self.0)
    }

    /// How many territories the set has.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the territory is in the set.
    #[inline]
    pub const fn contains(self, territory: TerritoryId) -> bool {
        (self.0 >> territory.index()) & 1 == 1
    }

    /// Whether every territory of `other` is in this set.
    #[inline]
    pub const fn is_superset(self, other: TerritorySet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the two sets share a territory.
    #[inline]
    pub const fn intersects(self, other: TerritorySet) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds a territory.
    #[inline]
    pub fn insert(&mut self, territory: TerritoryId) {
        self.0 |= 1 << territory.index();
    }

    /// Removes a territory.
    #[inline]
    pub fn remove(&mut self, territory: TerritoryId) {
        self.0 &= !(1 << territory.index());
    }

    /// The territory that comes first in map order.
    #[inline]
    pub fn first(self) -> Option<TerritoryId> {
        (self.0 != 0).then(|| TerritoryId::within(self.0.trailing_zeros() as usize))
    }

    /// The `n`-th territory in map order, counted from 0.
    ///
    /// ```
    /// use hegemon_core::{TerritoryId, TerritorySet};
    /// let set = TerritorySet::from_bits(0b1011);
    /// assert_eq!(set.nth(2), Some(TerritoryId::new(3)));
    /// assert_eq!(set.nth(3), None);
    /// ```
    #[inline]
    pub fn nth(self, n: usize) -> Option<TerritoryId> {
        let low = low_word(self.0);
        let n_low = low.count_ones() as usize;
        if n < n_low {
            return Some(TerritoryId::within(select(low, n)));
        }
        let high = high_word(self.0);
        let n = n - n_low;
        (n < high.count_ones() as usize).then(|| TerritoryId::within(64 + select(high, n)))
    }

    /// The territories in map order.
    #[inline]
    pub fn iter(self) -> Iter {
        Iter {
            low: low_word(self.0),
            high: high_word(self.0),
        }
    }
}

/// The place of the `n`-th set bit, counted from 0; there must be more than `n`.
///
/// Sebastiano Vigna, *Broadword implementation of rank/select queries* (2008):
/// the ones up to each byte are counted for all bytes in one word, the byte is
/// where the count passes `n`, and a table knows the bytes. No branch, and a
/// short chain: random picks are on the way of every playout.
#[inline]
fn select(word: u64, n: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = ONES << 7;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let up_to = bytes.wrapping_mul(ONES);
    // A high bit stays where the count of a byte is at most n, below 64.
    let passed = ((n as u64 * ONES) | HIGHS) - up_to;
    let place = (passed & HIGHS).count_ones() * 8;
    let before = low_half((up_to << 8) >> (place & 63)) as usize;
    let rank = n.wrapping_sub(before) & 7;
    let byte = low_half(word >> (place & 63)) as usize & 255;
    place as usize + usize::from(SELECT_IN_BYTE[byte][rank])
}

/// By byte and rank: the place of the bit.
static SELECT_IN_BYTE: [[u8; 8]; 256] = select_in_byte();

const fn select_in_byte() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0u8, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[byte][rank] = place;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
}

/// Iterator over a [`TerritorySet`] in map order.
#[derive(Clone, Debug)]
pub struct Iter {
    low: u64,
    high: u64,
}

impl Iterator for Iter {
    type Item = TerritoryId;

    #[inline]
    fn next(&mut self) -> Option<TerritoryId> {
        if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            return Some(TerritoryId::within(index as usize));
        }
        if self.high != 0 {
            let index = self.high.trailing_zeros();
            self.high &= self.high - 1;
            return Some(TerritoryId::within(64 + index as usize));
        }
        None
    }

    /// Two plain loops over the words: what `for_each` and friends become.
    #[inline]
    fn fold<B, F: FnMut(B, TerritoryId) -> B>(self, init: B, mut f: F) -> B {
        let mut result = init;
        let (mut low, mut high) = (self.low, self.high);
        while low != 0 {
            result = f(result, TerritoryId::within(low.trailing_zeros() as usize));
            low &= low - 1;
        }
        while high != 0 {
            result = f(
                result,
                TerritoryId::within(64 + high.trailing_zeros() as usize),
            );
            high &= high - 1;
        }
        result
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = (self.low.count_ones() + self.high.count_ones()) as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for TerritorySet {
    type Item = TerritoryId;
    type IntoIter = Iter;
    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<TerritoryId> for TerritorySet {
    fn from_iter<I: IntoIterator<Item = TerritoryId>>(items: I) -> Self {
        let mut set = TerritorySet::EMPTY;
        for territory in items {
            set.insert(territory);
        }
        set
    }
}

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $apply:expr) => {
        impl $trait for TerritorySet {
            type Output = TerritorySet;
            #[inline]
            fn $method(self, other: TerritorySet) -> TerritorySet {
                let apply: fn(u128, u128) -> u128 = $apply;
                TerritorySet(apply(self.0, other.0))
            }
        }
        impl $assign_trait for TerritorySet {
            #[inline]
            fn $assign(&mut self, other: TerritorySet) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

bit_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
bit_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
bit_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for TerritorySet {
    type Output = TerritorySet;
    /// All possible territories that are not in the set; meet it with the
    /// map's own territories before iterating.
    #[inline]
    fn not(self) -> TerritorySet {
        TerritorySet(!self.0)
    }
}

impl fmt::Debug for TerritorySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(TerritoryId::index))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn behaves_as_a_sorted_set(items in proptest::collection::btree_set(0usize..128, 0..40)) {
            let set: TerritorySet = items.iter().map(|&i| TerritoryId::new(i)).collect();
            prop_assert_eq!(set.len(), items.len());
            prop_assert_eq!(set.iter().map(TerritoryId::index).collect::<Vec<_>>(),
                items.iter().copied().collect::<Vec<_>>());
            for (n, &item) in items.iter().enumerate() {
                prop_assert_eq!(set.nth(n), Some(TerritoryId::new(item)));
            }
            prop_assert_eq!(set.nth(items.len()), None);
        }
    }
}
