//! The random generator: fixed algorithm, named streams, own sampling.
//!
//! How a crate turns random words into ranges or shuffles may change between
//! its releases, and that would silently change every seeded game. So the
//! generator is pinned (xoshiro256++) and every step from its words to dice,
//! picks and shuffles is implemented here.

use crate::narrow::{Narrow, high_half, high_word, low_half, low_word};
use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator. Never seeded from ambient entropy.
///
/// # Examples
///
/// ```
/// use hegemon_core::Rng;
/// let mut dice = Rng::stream(42, "dice");
/// let mut cards = Rng::stream(42, "cards");
/// assert_ne!(dice.word(), cards.word());
/// assert!(dice.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator for a bare seed.
    ///
    /// ```
    /// use hegemon_core::Rng;
    /// let mut rng = Rng::from_seed(42);
    /// assert_eq!(rng.word(), 0xd0764d4f4476689f);
    /// assert_eq!(rng.word(), 0x519e4174576f3791);
    /// ```
    pub fn from_seed(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The stream called `label` of the game with this seed. Streams with
    /// different labels are independent, so that one more card drawn never
    /// changes the dice.
    #[inline]
    pub fn stream(seed: u64, label: &str) -> Rng {
        Rng::from_seed(mix(seed ^ fnv1a(label.as_bytes())))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, every one equally likely.
    ///
    /// # Panics
    ///
    /// In debug builds if `n` is zero.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "a number below zero does not exist");
        // Lemire's multiply-shift: the high half is the answer, the low half
        // says whether this word falls into the incomplete last stripe.
        let mut product = u64::from(high_half(self.word())) * u64::from(n);
        if low_half(product) < n {
            let threshold = n.wrapping_neg() % n;
            while low_half(product) < threshold {
                product = u64::from(high_half(self.word())) * u64::from(n);
            }
        }
        high_half(product)
    }

    /// A number below `n` for ranges that need more than 32 bits.
    ///
    /// # Panics
    ///
    /// In debug builds if `n` is zero.
    #[inline]
    pub fn below_u64(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0, "a number below zero does not exist");
        let mut product = u128::from(self.word()) * u128::from(n);
        if low_word(product) < n {
            let threshold = n.wrapping_neg() % n;
            while low_word(product) < threshold {
                product = u128::from(self.word()) * u128::from(n);
            }
        }
        high_word(product)
    }

    /// A real number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A uniformly chosen element; `None` from an empty slice.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len().narrow()) as usize)
    }

    /// Shuffles in place, every order equally likely (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(Narrow::<u32>::narrow(last) + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// A bijective mix of 64 bits (the finaliser of SplitMix64): neighbouring
/// inputs give unrelated outputs.
#[inline]
pub const fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The FNV-1a hash of some bytes; used for labels and content hashes that must
/// never change.
#[inline]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::from_seed(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        let chi2: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi2 < 20.5, "chi-square {chi2} of 5 degrees of freedom");
    }

    /// Three quarters of all words: without rejection, every third number would
    /// come twice as often as the others.
    #[test]
    fn below_is_uniform_in_ranges_that_do_not_divide_the_words() {
        let mut rng = Rng::from_seed(7);
        let mut counts = [[0u32; 3]; 2];
        for _ in 0..30_000 {
            counts[0][rng.below(3 << 30) as usize % 3] += 1;
            counts[1][(rng.below_u64(3 << 62) % 3) as usize] += 1;
        }
        let mut all = counts.iter().flatten();
        assert!(all.all(|c| (9_500..10_500).contains(c)), "{counts:?}");
    }

    #[test]
    fn shuffle_reaches_every_order() {
        let mut rng = Rng::from_seed(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            *counts.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|&c| (850..1150).contains(&c)));
    }

    #[test]
    fn streams_differ_by_label_and_seed() {
        let word = |seed, label| Rng::stream(seed, label).word();
        assert_ne!(word(1, "dice"), word(1, "deal"));
        assert_ne!(word(1, "dice"), word(2, "dice"));
        assert_eq!(word(1, "dice"), word(1, "dice"));
    }
}
