//! Players and values: one number per player, never "me against the rest".

use std::ops::{Index, IndexMut};

/// The most players a game of this crate may have.
pub const MAX_PLAYERS: usize = 6;

/// A player of a [`crate::Domain`], counted from zero in seat order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The player as an index into per-player tables.
    #[inline]
    pub fn idx(self) -> usize {
        usize::from(self.0)
    }
}

/// A value per player, each in `[0, 1]`: 1 is a win, 0 a loss. Slots beyond
/// the number of players are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values([f64; MAX_PLAYERS]);

impl Values {
    /// The values of players 0, 1, ... in order.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_PLAYERS`].
    #[inline]
    pub fn new(values: &[f64]) -> Values {
        let mut all = [0.0; MAX_PLAYERS];
        all[..values.len()].copy_from_slice(values);
        Values(all)
    }

    /// The same value for each of `n_players`.
    #[inline]
    pub fn all(n_players: usize, value: f64) -> Values {
        let mut all = [0.0; MAX_PLAYERS];
        all[..n_players].fill(value);
        Values(all)
    }

    /// One winner: 1 for that player, 0 for every other.
    #[inline]
    pub fn win(winner: Player) -> Values {
        let mut all = [0.0; MAX_PLAYERS];
        all[winner.idx()] = 1.0;
        Values(all)
    }

    /// All slots as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Adds `weight * other`, slot by slot.
    #[inline]
    pub fn add_scaled(&mut self, other: &Values, weight: f64) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine += weight * theirs;
        }
    }

    /// Every slot times `factor`.
    #[inline]
    pub fn scaled(mut self, factor: f64) -> Values {
        for value in &mut self.0 {
            *value *= factor;
        }
        self
    }

    /// `neutral + factor * (value - neutral)` for the first `n_players`: moves
    /// values towards `neutral`, as a discount does.
    #[inline]
    pub fn drawn_to(mut self, n_players: usize, neutral: f64, factor: f64) -> Values {
        for value in &mut self.0[..n_players] {
            *value = neutral + factor * (*value - neutral);
        }
        self
    }
}

impl Index<Player> for Values {
    type Output = f64;

    #[inline]
    fn index(&self, player: Player) -> &f64 {
        &self.0[player.idx()]
    }
}

impl IndexMut<Player> for Values {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut f64 {
        &mut self.0[player.idx()]
    }
}
