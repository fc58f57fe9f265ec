//! Odds of whole battles, small enough for the fast cache.

use super::super::table::BattleTable;
use crate::narrow::Narrow as _;

/// The exact law is stored below this many armies on each side.
const SIZE: usize = 128;

/// The probability that an attack to the end conquers. Exact below 128 armies a
/// side; beyond, the normal approximation through the exact law's own edge
/// (docs/spec/sampling.md 1.3 allows it: it only feeds features).
///
/// ```
/// use hegemon_core::battle::{BattleLaw, BattleTable, approximate::NormalOdds};
/// let table = BattleTable::for_law(BattleLaw::default());
/// let odds = NormalOdds::new(&table);
/// assert_eq!(odds.win(6, 5), table.win(6, 5));
/// assert!((odds.win(200, 220) - table.win(200, 220)).abs() < 0.03);
/// ```
#[derive(Clone, Debug)]
pub struct NormalOdds {
    wins: Box<[f64]>,
    /// Fighters for even odds: `slope * defenders + offset`.
    slope: f64,
    offset: f64,
    /// Standard deviation, in fighters, per square root of defenders.
    spread: f64,
}

impl NormalOdds {
    /// Fits the approximation to the table's law.
    pub fn new(table: &BattleTable) -> NormalOdds {
        let mut wins = vec![0.0; SIZE * SIZE];
        for fighters in 0..SIZE {
            for defenders in 0..SIZE {
                wins[fighters * SIZE + defenders] =
                    table.win(fighters.narrow(), defenders.narrow());
            }
        }
        // Fighters needed for the wanted odds, interpolated between two rows.
        let level = |wanted: f64, defenders: usize| {
            let column = |f: usize| wins[f * SIZE + defenders];
            let above = (1..SIZE).find(|&f| column(f) >= wanted).unwrap_or(SIZE - 1);
            let (low, high) = (column(above - 1), column(above));
            let part = if high > low {
                (wanted - low) / (high - low)
            } else {
                0.0
            };
            above as f64 - 1.0 + part.clamp(0.0, 1.0)
        };
        let (near, far) = (SIZE / 4, SIZE / 2 + SIZE / 8);
        let even = level(0.5, far);
        let slope = (even - level(0.5, near)) / (far - near) as f64;
        // These two levels are one standard deviation apart.
        let deviation = level(0.841_344_746, far) - even;
        NormalOdds {
            slope,
            offset: even - slope * far as f64,
            spread: (deviation / (far as f64).sqrt()).max(1e-3),
            wins: wins.into(),
        }
    }

    /// The win probability; `fighters` excludes the army that stays behind.
    #[inline]
    pub fn win(&self, fighters: u32, defenders: u32) -> f64 {
        if (fighters as usize) < SIZE && (defenders as usize) < SIZE {
            return self.wins[fighters as usize * SIZE + defenders as usize];
        }
        self.beyond(fighters, defenders)
    }

    #[cold]
    fn beyond(&self, fighters: u32, defenders: u32) -> f64 {
        if fighters == 0 {
            return 0.0;
        }
        let (fighters, defenders) = (f64::from(fighters), f64::from(defenders.max(1)));
        let even = self.slope * defenders + self.offset;
        let deviations = (fighters - even) / (self.spread * defenders.sqrt());
        0.5 * libm::erfc(-deviations * std::f64::consts::FRAC_1_SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::BattleLaw;

    #[test]
    fn the_approximation_is_near_the_law() {
        let law = BattleLaw::default();
        let odds = NormalOdds::new(&BattleTable::for_law(law));
        assert_eq!(odds.win(5, 4), law.win_probability(5, 4));
        assert_eq!(odds.win(0, 4), 0.0);
        for (fighters, defenders) in [(140, 150), (130, 150), (120, 150), (200, 220), (128, 128)] {
            let exact = law.win_probability(fighters, defenders);
            let near = odds.win(fighters, defenders);
            assert!(
                (exact - near).abs() < 0.03,
                "{fighters} v {defenders}: {exact} {near}"
            );
        }
    }
}
