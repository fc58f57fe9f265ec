//! Groups the many outcomes of a battle into a few representative ones.

use super::super::exchange::Losses;
use super::super::table::{BattleTable, MAX_DRAWN};
use crate::narrow::whole;

/// Losses in a battle and their weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedLosses {
    /// Losses of both sides.
    pub losses: Losses,
    /// Out of the sum of the weights of all ends.
    pub weight: u64,
}

/// Groups outcomes into at most `n_groups[0]` lost and `n_groups[1]` won ones (for
/// the attacker), each with its mean losses and total weight.
///
/// ```
/// use hegemon_core::battle::{Losses, approximate::{WeightedLosses, grouped}};
/// let end = |attacker, defender, weight| WeightedLosses {
///     losses: Losses { attacker, defender },
///     weight,
/// };
/// let ends = vec![end(0, 2, 5), end(2, 2, 5), end(3, 0, 4), end(3, 1, 4)];
/// assert_eq!(grouped(ends, 2, [1, 1]), [end(3, 1, 8), end(1, 2, 10)]);
/// ```
pub fn grouped(
    mut ends: Vec<WeightedLosses>,
    defenders: u32,
    n_groups: [u64; 2],
) -> Vec<WeightedLosses> {
    let is_won = |end: &WeightedLosses| end.losses.defender == defenders;
    ends.sort_unstable_by_key(|end| (is_won(end), end.losses));
    let mut groups = Vec::new();
    for won in [false, true] {
        let part = || ends.iter().filter(|end| is_won(end) == won);
        let total: u64 = part().map(|end| end.weight).sum();
        let (mut weight, mut attacker, mut defender) = (0u64, 0.0, 0.0);
        let mut seen = 0;
        for end in part() {
            weight += end.weight;
            seen += end.weight;
            attacker += end.weight as f64 * f64::from(end.losses.attacker);
            defender += end.weight as f64 * f64::from(end.losses.defender);
            if seen == total || weight >= total / n_groups[usize::from(won)] {
                let losses = Losses {
                    attacker: rounded(attacker / weight as f64),
                    defender: rounded(defender / weight as f64),
                };
                groups.push(WeightedLosses { losses, weight });
                (weight, attacker, defender) = (0, 0.0, 0.0);
            }
        }
    }
    groups
}

fn rounded(mean: f64) -> u32 {
    u32::try_from(whole(mean.round())).unwrap_or(u32::MAX)
}

/// A few representative outcomes of a battle fought to the end. Fighters beyond
/// twice the defence are assumed to survive; battles still too large for the
/// tables are fought in units of several armies.
pub fn few_ends(
    table: &BattleTable,
    fighters: u32,
    defenders: u32,
    n_groups: [u64; 2],
) -> Vec<WeightedLosses> {
    let useful = (2 * defenders + 16).min(fighters);
    let spare = fighters - useful;
    let unit = useful.max(defenders).div_ceil(MAX_DRAWN);
    let law = table.outcomes((useful / unit).max(1), (defenders / unit).max(1));
    let ends = law.as_slice().iter().map(|end| {
        let losses = if end.defenders == 0 {
            let survivors = (end.fighters * unit).clamp(1, useful) + spare;
            Losses {
                attacker: fighters - survivors,
                defender: defenders,
            }
        } else {
            let left = defenders.saturating_sub(end.defenders * unit);
            Losses {
                attacker: fighters,
                defender: left.min(defenders - 1),
            }
        };
        let weight = end.weight;
        WeightedLosses { losses, weight }
    });
    grouped(ends.collect(), defenders, n_groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::BattleLaw;

    #[test]
    fn few_ends_keep_the_chance_of_a_conquest() {
        let table = BattleTable::for_law(BattleLaw::default());
        for (fighters, defenders) in [(3, 2), (12, 9), (40, 2), (60, 10), (90, 80)] {
            let ends = few_ends(&table, fighters, defenders, [1, 3]);
            assert!(ends.len() <= 5, "{ends:?}");
            let weight = |won: bool| -> u64 {
                let part = ends.iter();
                part.filter(|end| (end.losses.defender == defenders) == won)
                    .map(|end| end.weight)
                    .sum()
            };
            let win = weight(true) as f64 / (weight(true) + weight(false)) as f64;
            let useful = fighters.min(2 * defenders + 16);
            let exact = table.win(useful, defenders);
            assert!((win - exact).abs() < 1e-6, "{fighters} v {defenders}");
            // The omitted fighters barely change it.
            let all = table.win(fighters, defenders);
            assert!((win - all).abs() < 1e-4, "{fighters} v {defenders}: {win}");
        }
        // Beyond the tables, losses still do not exceed the forces.
        for end in few_ends(&table, 1000, 700, [1, 3]) {
            assert!(end.losses.attacker <= 1000 && end.losses.defender <= 700);
        }
    }

    #[test]
    fn with_groups_enough_every_end_is_there() {
        let table = BattleTable::for_law(BattleLaw::default());
        let (fighters, defenders) = (12, 9);
        let ends = few_ends(&table, fighters, defenders, [u64::MAX; 2]);
        let law = table.outcomes(fighters, defenders);
        assert_eq!(ends.len(), law.as_slice().len());
        for end in law.as_slice() {
            let losses = Losses {
                attacker: fighters - end.fighters,
                defender: defenders - end.defenders,
            };
            let weight = end.weight;
            assert!(ends.contains(&WeightedLosses { losses, weight }));
        }
    }
}
