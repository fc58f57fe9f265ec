//! The number of fighters needed to win.

use super::groups::GroupRows;
use super::law::{BattleLaw, BattleMode};
use super::rows::WinRows;
use crate::narrow::Narrow as _;

/// The largest force considered: the most armies a player can own.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, MAX_FIGHTERS};
/// assert!(BattleLaw::default().smallest_force(100, 0.999)? < MAX_FIGHTERS);
/// # Ok::<(), hegemon_core::battle::ForceError>(())
/// ```
pub const MAX_FIGHTERS: u32 = 30_000;

/// Battles in groups keep a whole table of rows; against more defenders than
/// this the force is found by bisection instead.
const MAX_GROUP_ROWS: u32 = 1024;

/// Why no force was found.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, ForceError};
/// let error = BattleLaw::default().smallest_force(4, 1.5);
/// assert_eq!(error, Err(ForceError::Chance(1.5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForceError {
    /// The requested chance is not between 0 and 1.
    #[error("{0} is not a probability")]
    Chance(f64),
    /// Not even [`MAX_FIGHTERS`] win with this chance.
    #[error("no force of up to {MAX_FIGHTERS} fighters beats {defenders} with chance {chance}")]
    OutOfReach {
        /// The defenders to beat.
        defenders: u32,
        /// The requested chance.
        chance: f64,
    },
}

/// Win probabilities under any law, row after row of fighters, before balancing.
pub(super) enum Rows {
    Sequential(WinRows),
    Groups(GroupRows),
}

impl Rows {
    pub(super) fn new(law: BattleLaw, max_defenders: u32) -> Rows {
        match law.mode {
            BattleMode::Sequential | BattleMode::Balanced => {
                Rows::Sequential(WinRows::new(law.dice, max_defenders))
            }
            BattleMode::Groups => Rows::Groups(GroupRows::new(law.dice, max_defenders)),
        }
    }

    pub(super) fn row(&self) -> &[f64] {
        match self {
            Rows::Sequential(rows) => rows.row(),
            Rows::Groups(rows) => rows.row(),
        }
    }

    pub(super) fn advance(&mut self) {
        match self {
            Rows::Sequential(rows) => rows.advance(),
            Rows::Groups(rows) => rows.advance(),
        }
    }
}

pub(super) fn smallest(law: BattleLaw, defenders: u32, chance: f64) -> Result<u32, ForceError> {
    if !(0.0..=1.0).contains(&chance) {
        return Err(ForceError::Chance(chance));
    }
    let out_of_reach = ForceError::OutOfReach { defenders, chance };
    // True dice never give certainty, though f64 rounds large odds to one.
    if chance == 1.0 && defenders > 0 && law.mode != BattleMode::Balanced {
        return Err(out_of_reach);
    }
    first(law, defenders, |win| win >= chance).ok_or(out_of_reach)
}

/// The fewest fighters with a better than even chance.
pub(super) fn above_even(law: BattleLaw, defenders: u32) -> Option<u32> {
    first(law, defenders, |win| win > 0.5)
}

/// The same for all numbers of defenders up to a limit, in one pass.
pub(super) fn all_above_even(law: BattleLaw, max_defenders: u32) -> Box<[u32]> {
    let mut forces = vec![None; max_defenders as usize + 1];
    let mut rows = Rows::new(law, max_defenders);
    let mut fighters = 0;
    let mut missing = forces.len();
    while missing > 0 {
        for (force, &win) in forces.iter_mut().zip(rows.row()) {
            if force.is_none() && law.shaped_win(win) > 0.5 {
                *force = Some(fighters);
                missing -= 1;
            }
        }
        rows.advance();
        fighters += 1;
    }
    forces.into_iter().flatten().collect()
}

/// By fighters: the most defenders whose force does not exceed them, as far as
/// `forces` reaches; empty if the forces do not grow with the defenders.
pub(super) fn inverse(forces: &[u32]) -> Box<[u32]> {
    let most = forces.last().copied().unwrap_or(0);
    if !forces.is_sorted() {
        return Box::default();
    }
    (0..most)
        .map(|fighters| forces.partition_point(|&force| force <= fighters))
        .map(|n_beaten| n_beaten.saturating_sub(1).narrow())
        .collect()
}

fn first(law: BattleLaw, defenders: u32, enough: impl Fn(f64) -> bool) -> Option<u32> {
    if law.mode == BattleMode::Groups && defenders > MAX_GROUP_ROWS {
        return bisect(law, defenders, enough);
    }
    let mut rows = Rows::new(law, defenders);
    for fighters in 0..=MAX_FIGHTERS {
        if enough(law.shaped_win(rows.row()[defenders as usize])) {
            return Some(fighters);
        }
        rows.advance();
    }
    None
}

/// Relies on one more fighter never making victory less likely.
fn bisect(law: BattleLaw, defenders: u32, enough: impl Fn(f64) -> bool) -> Option<u32> {
    let suffices = |fighters| enough(law.win_probability(fighters, defenders));
    let mut high = defenders.min(MAX_FIGHTERS);
    while !suffices(high) {
        if high == MAX_FIGHTERS {
            return None;
        }
        high = (high + high / 4).min(MAX_FIGHTERS);
    }
    let mut low = 0;
    while low < high {
        let middle = low + (high - low) / 2;
        if suffices(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}
