//! Narrowing conversions for numbers with a known bound.
//!
//! Clippy's cast lints are on in this crate. Input is converted with checks
//! (`try_from`); a number bounded by a validated value is narrowed here, at no
//! cost in a release build. The bounds, each enforced by a constructor:
//!
//! - territories and what counts them: [`crate::MAX_TERRITORIES`], by `Map`;
//! - seats, continents, missions: [`crate::MAX_PLAYERS`],
//!   [`crate::MAX_CONTINENTS`], [`crate::MAX_MISSIONS`], by `Map` and `Game`;
//! - cards: the territories and at most 255 wild ones, by `Rules`;
//! - armies of one owner: the supply, at most 30,000, by `Rules` and `State`;
//! - dice: four a side at most, by `Rules`; forces of a battle: 32 bits on input, and no step adds
//!   to them.
//!
//! Debug builds, and so all tests, check each of them.

/// A number that is known to fit a narrower type.
pub(crate) trait Narrow<T> {
    /// The same number. Where it does not fit, a debug build panics.
    fn narrow(self) -> T;
}

macro_rules! narrow {
    ($($wide:ty => $narrow:ty),+ $(,)?) => {$(
        impl Narrow<$narrow> for $wide {
            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                reason = "the caller's bound, which debug builds check"
            )]
            fn narrow(self) -> $narrow {
                debug_assert!(<$narrow>::try_from(self).is_ok(), "{self} does not fit");
                self as $narrow
            }
        }
    )+};
}

narrow! {
    usize => u8,
    usize => u32,
    u32 => u8,
    u32 => u16,
    u128 => u64,
}

/// The lower half of a word; the truncation is intended.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the lower half is asked for"
)]
#[inline(always)]
pub(crate) const fn low_half(word: u64) -> u32 {
    word as u32
}

/// The upper half of a word.
#[inline(always)]
pub(crate) const fn high_half(word: u64) -> u32 {
    low_half(word >> 32)
}

/// The lower half of a double word; the truncation is intended.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the lower half is asked for"
)]
#[inline(always)]
pub(crate) const fn low_word(words: u128) -> u64 {
    words as u64
}

/// The upper half of a double word.
#[inline(always)]
pub(crate) const fn high_word(words: u128) -> u64 {
    low_word(words >> 64)
}

/// A non-negative real number as an integer, truncated towards 0 and saturating
/// at the maximum, as `as` does.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "stated above; the callers round first"
)]
#[inline]
pub(crate) fn whole(x: f64) -> u64 {
    debug_assert!(x >= 0.0, "{x} is below 0 or no number");
    x as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "256 does not fit")]
    fn a_number_that_does_not_fit_is_found_in_debug_builds() {
        let _: u8 = 256usize.narrow();
    }

    #[test]
    fn halves_make_the_whole_again() {
        let word = 0x0123_4567_89ab_cdef;
        assert_eq!(
            (high_half(word), low_half(word)),
            (0x0123_4567, 0x89ab_cdef)
        );
        let words = (7u128 << 64) | 9;
        assert_eq!((high_word(words), low_word(words)), (7, 9));
        assert_eq!(whole(1e300), u64::MAX);
    }
}
