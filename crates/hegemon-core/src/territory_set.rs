//! Bit sets of territories.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

use crate::ids::{MAX_TERRITORIES, TerritoryId};
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
use crate::narrow::low_half;
use crate::narrow::{high_word, low_word};

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
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TerritorySet {
    // Two words, not one of 128 bits: the compiler would set a bit of that with
    // a narrow store, which stalls the following load of the whole set.
    high: u64,
    low: u64,
}

impl TerritorySet {
    /// The empty set.
    pub const EMPTY: TerritorySet = TerritorySet { high: 0, low: 0 };

    /// The set of one territory.
    #[inline]
    pub fn of(territory: TerritoryId) -> Self {
        SINGLES[territory.index()]
    }

    /// The first `n` territories of the map.
    pub const fn first_n(n: usize) -> Self {
        if n >= 128 {
            TerritorySet::from_bits(u128::MAX)
        } else {
            TerritorySet::from_bits((1 << n) - 1)
        }
    }

    /// The set as bits: bit `i` is territory `i`.
    #[inline]
    pub const fn bits(self) -> u128 {
        ((self.high as u128) << 64) | self.low as u128
    }

    /// The set with these bits.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        TerritorySet {
            high: high_word(bits),
            low: low_word(bits),
        }
    }

    /// The set of the territories with these bits, of the first 64 and of the
    /// others.
    #[inline]
    pub(crate) const fn from_words(low: u64, high: u64) -> Self {
        TerritorySet { high, low }
    }

    /// The first 64 territories as bits: the whole set of a map that has no more.
    #[inline]
    pub(crate) const fn low_word(self) -> u64 {
        self.low
    }

    /// The territories from the 65th on as bits.
    #[inline]
    pub(crate) const fn high_word(self) -> u64 {
        self.high
    }

    /// How many territories the set has.
    #[inline]
    pub const fn len(self) -> usize {
        (self.low.count_ones() + self.high.count_ones()) as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// Whether the territory is in the set.
    #[inline]
    pub const fn contains(self, territory: TerritoryId) -> bool {
        let word = if territory.index() < 64 {
            self.low
        } else {
            self.high
        };
        (word >> (territory.index() % 64)) & 1 == 1
    }

    /// Whether every territory of `other` is in this set.
    #[inline]
    pub const fn is_superset(self, other: TerritorySet) -> bool {
        (other.low & !self.low) | (other.high & !self.high) == 0
    }

    /// Whether the two sets share a territory.
    #[inline]
    pub const fn intersects(self, other: TerritorySet) -> bool {
        (self.low & other.low) | (self.high & other.high) != 0
    }

    /// Adds a territory.
    #[inline]
    pub fn insert(&mut self, territory: TerritoryId) {
        *self |= TerritorySet::of(territory);
    }

    /// Removes a territory.
    #[inline]
    pub fn remove(&mut self, territory: TerritoryId) {
        *self -= TerritorySet::of(territory);
    }

    /// The territory that comes first in map order.
    #[inline]
    pub fn first(self) -> Option<TerritoryId> {
        let index = if self.low != 0 {
            self.low.trailing_zeros()
        } else if self.high != 0 {
            64 + self.high.trailing_zeros()
        } else {
            return None;
        };
        Some(TerritoryId::within(index as usize))
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
        let low = self.low;
        if n < low.count_ones() as usize {
            return Some(TerritoryId::within(select(low, n)));
        }
        self.nth_high(n - low.count_ones() as usize)
    }

    /// The `n`-th territory of those from the 65th on. A separate function,
    /// because most maps have none.
    #[inline(never)]
    fn nth_high(self, n: usize) -> Option<TerritoryId> {
        let high = self.high;
        (n < high.count_ones() as usize).then(|| TerritoryId::within(64 + select(high, n)))
    }

    /// The territories in map order.
    #[inline]
    pub fn iter(self) -> Iter {
        Iter {
            low: self.low,
            high: self.high,
        }
    }
}

/// The position of the `n`-th set bit, counted from 0; there must be more than
/// `n`. Fast, because every playout makes random picks.
#[inline]
fn select(word: u64, n: usize) -> usize {
    // One instruction deposits a single bit at the word's n-th set bit.
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    let place = safe_arch::population_deposit_u64(1 << n, word).trailing_zeros() as usize;
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    let place = select_broadword(word, n);
    place
}

/// The same where there is no such instruction: Sebastiano Vigna, *Broadword
/// implementation of rank/select queries* (2008). The ones up to each byte are
/// counted for all bytes in one word; the byte is where the count exceeds `n`,
/// and a table gives the bit within it.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn select_broadword(word: u64, n: usize) -> usize {
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

/// By byte and rank: the position of the bit.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
static SELECT_IN_BYTE: [[u8; 8]; 256] = select_in_byte();

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
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

/// The sets of one territory: a lookup is faster than two shifts and a select.
static SINGLES: [TerritorySet; MAX_TERRITORIES] = singles();

const fn singles() -> [TerritorySet; MAX_TERRITORIES] {
    let mut sets = [TerritorySet::EMPTY; MAX_TERRITORIES];
    let mut index = 0;
    while index < MAX_TERRITORIES {
        sets[index] = TerritorySet::from_bits(1 << index);
        index += 1;
    }
    sets
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

    /// Two plain loops over the words, which `for_each` and similar methods
    /// use.
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
                let apply: fn(u64, u64) -> u64 = $apply;
                TerritorySet {
                    high: apply(self.high, other.high),
                    low: apply(self.low, other.low),
                }
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
    /// All possible territories that are not in the set; intersect with the
    /// map's territories before iterating.
    #[inline]
    fn not(self) -> TerritorySet {
        TerritorySet {
            high: !self.high,
            low: !self.low,
        }
    }
}

impl Hash for TerritorySet {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.bits().hash(hasher);
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

        #[test]
        fn selects_as_a_walk_over_the_bits_does(word in any::<u64>()) {
            let mut rest = word;
            for n in 0..word.count_ones() as usize {
                let place = rest.trailing_zeros() as usize;
                prop_assert_eq!(select(word, n), place);
                prop_assert_eq!(select_broadword(word, n), place);
                rest &= rest - 1;
            }
        }
    }
}
