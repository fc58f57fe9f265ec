//! Approximations of the law of battle, for agents and features that query too
//! often, or about battles too large, for the exact answer.
//!
//! Everything else in [`crate::battle`] is exact. Nothing outside this module
//! rescales, groups or approximates a battle.
//!
//! | Name | Exact | Beyond |
//! |---|---|---|
//! | [`NormalOdds`] | below 128 armies a side | a normal law through the exact one's edge |
//! | [`win_by_ratio`] | up to 256 armies a side | both sides divided by the same number |
//! | [`FoldedBattles`] | up to 256 (chances) and 64 (mean losses) | scaled down to the table and back up |
//! | [`few_ends`] | the weights | outcomes grouped with their mean losses; large battles in units |
//! | [`square_exchange`] | never | the error of a published program, for comparison |

mod ends;
mod folded;
mod normal;
mod squared;

pub use ends::{WeightedLosses, few_ends, grouped};
pub use folded::FoldedBattles;
pub use normal::NormalOdds;
pub use squared::square_exchange;

use super::table::BattleTable;

/// The chance that the attacker takes the territory, beyond 256 armies a side
/// estimated from the ratio of the armies, which decides large battles.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, BattleTable, approximate::win_by_ratio};
/// let table = BattleTable::for_law(BattleLaw::default());
/// assert_eq!(win_by_ratio(&table, 6, 5), table.win(6, 5));
/// assert_eq!(win_by_ratio(&table, 1000, 900), table.win(250, 225));
/// ```
#[inline]
pub fn win_by_ratio(table: &BattleTable, fighters: u32, defenders: u32) -> f64 {
    if fighters.max(defenders) <= super::table::MAX_WINS {
        return table.win(fighters, defenders.max(1));
    }
    let scale = fighters
        .max(defenders)
        .div_ceil(super::table::MAX_WINS)
        .max(1);
    table.win(fighters / scale, (defenders / scale).max(1))
}
