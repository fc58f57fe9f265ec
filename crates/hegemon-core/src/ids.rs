//! Index newtypes for territories, continents and players.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// The most territories that a map may have.
pub const MAX_TERRITORIES: usize = 128;
/// The most seats that a game may have.
pub const MAX_PLAYERS: usize = 6;
/// The most continents that a map may have.
pub const MAX_CONTINENTS: usize = 32;
/// The most missions that a map may list. Two for every map and one for each
/// seat are added, and all numbers fit a byte.
pub const MAX_MISSIONS: usize = 128;
/// How many kinds of owner a territory can have: the seats, the neutral army
/// and nobody.
pub const N_OWNERS: usize = MAX_PLAYERS + 2;

macro_rules! index_newtype {
    ($(#[$doc:meta])* $name:ident, $limit:expr) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(try_from = "u8", into = "u8")]
        pub struct $name(u8);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            ///
            /// If the index is not below the limit.
            #[inline]
            #[track_caller]
            pub const fn new(index: usize) -> Self {
                assert!(index < $limit, "an index out of range");
                Self::within(index)
            }

            /// The id with an index that is known to be below the limit, for
            /// the loops that playouts spend their time in.
            #[inline]
            #[allow(
                clippy::cast_possible_truncation,
                reason = "every limit is below 256, and debug builds check it"
            )]
            pub(crate) const fn within(index: usize) -> Self {
                debug_assert!(index < $limit);
                Self(index as u8)
            }

            /// The index, for tables.
            #[inline]
            pub const fn index(self) -> usize {
                // Always below the limit; the mask removes bounds checks on
                // tables of that size.
                self.0 as usize & ($limit - 1)
            }
        }

        impl TryFrom<u8> for $name {
            type Error = &'static str;

            fn try_from(index: u8) -> Result<Self, Self::Error> {
                if usize::from(index) < $limit {
                    Ok(Self(index))
                } else {
                    Err("an index out of range")
                }
            }
        }

        impl From<$name> for u8 {
            fn from(id: $name) -> u8 {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

index_newtype! {
    /// A territory, numbered in the order of the map file.
    ///
    /// ```
    /// use hegemon_core::TerritoryId;
    /// assert_eq!(TerritoryId::new(7).index(), 7);
    /// ```
    TerritoryId, MAX_TERRITORIES
}

index_newtype! {
    /// A continent, numbered in the order of the map file.
    ContinentId, MAX_CONTINENTS
}

index_newtype! {
    /// A seat at the table, or one of the two owners that never move:
    /// [`PlayerId::NEUTRAL`] and [`PlayerId::NOBODY`].
    ///
    /// ```
    /// use hegemon_core::PlayerId;
    /// assert!(PlayerId::new(0).is_seat());
    /// assert!(!PlayerId::NEUTRAL.is_seat());
    /// ```
    PlayerId, N_OWNERS
}

impl PlayerId {
    /// Owner of the neutral army in games of two.
    pub const NEUTRAL: PlayerId = PlayerId::new(MAX_PLAYERS);
    /// Owner of an unclaimed territory.
    pub const NOBODY: PlayerId = PlayerId::new(MAX_PLAYERS + 1);

    /// Whether this is a player, not the neutral army or nobody.
    #[inline]
    pub const fn is_seat(self) -> bool {
        (self.0 as usize) < MAX_PLAYERS
    }

    /// The first `n` seats, in order.
    pub fn seats(
        n: usize,
    ) -> impl DoubleEndedIterator<Item = PlayerId> + ExactSizeIterator + Clone {
        debug_assert!(n <= MAX_PLAYERS);
        (0..n).map(PlayerId::within)
    }
}

/// One value for every seat.
///
/// ```
/// use hegemon_core::{ByPlayer, PlayerId};
/// let mut score = ByPlayer::<f64>::default();
/// score[PlayerId::new(2)] = 1.0;
/// assert_eq!(score.as_slice()[2], 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByPlayer<T>(pub [T; MAX_PLAYERS]);

impl<T> ByPlayer<T> {
    /// A value for every seat, made from its id.
    pub fn from_fn(mut value: impl FnMut(PlayerId) -> T) -> Self {
        ByPlayer(std::array::from_fn(|seat| value(PlayerId::new(seat))))
    }

    /// The values in seat order.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> Index<PlayerId> for ByPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, player: PlayerId) -> &T {
        &self.0[player.index()]
    }
}

impl<T> IndexMut<PlayerId> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: PlayerId) -> &mut T {
        &mut self.0[player.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a release build, 256 was once territory 0.
    #[test]
    fn an_id_beyond_the_limit_is_refused_in_every_build() {
        for index in [128, 255, 256, 300, usize::MAX] {
            let made = std::panic::catch_unwind(|| TerritoryId::new(index));
            assert!(made.is_err(), "{index}");
        }
        assert!(std::panic::catch_unwind(|| PlayerId::new(N_OWNERS)).is_err());
        assert!(std::panic::catch_unwind(|| ContinentId::new(MAX_CONTINENTS)).is_err());
        assert_eq!(TerritoryId::new(127).index(), 127);
    }
}
