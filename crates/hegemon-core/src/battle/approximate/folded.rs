//! Win chances and mean losses for agents that query often: table lookups, with
//! larger battles scaled down to fit.

use std::sync::{Arc, OnceLock};

use super::super::cache::LawCache;
use super::super::law::{BattleLaw, BattleMode};
use super::super::table::{BattleTable, MAX_WINS};
use crate::narrow::whole;

/// Mean losses are tabulated up to this many armies on each side.
const MAX_LOSSES: u32 = 64;

/// Mean losses of attacker and defender.
type MeanLosses = [f32; 2];

/// Win chances and mean losses of battles under one law.
///
/// Within the tables every answer is exact. Beyond them it is an estimate: a
/// force that outnumbers the defenders more than three to one counts as the
/// largest in the table (the surplus never gets to fight); other battles are
/// scaled down to the table and back up.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, approximate::FoldedBattles};
/// let law = BattleLaw::default();
/// let battles = FoldedBattles::for_law(law);
/// assert_eq!(battles.win(6, 5), law.win_probability(6, 5));
/// ```
#[derive(Debug)]
pub struct FoldedBattles {
    table: Arc<BattleTable>,
    losses: OnceLock<Box<[MeanLosses]>>,
}

/// For the most recently used laws, like the exact tables.
static FOLDED: LawCache<FoldedBattles> = LawCache::new(16);

impl FoldedBattles {
    /// The estimates for a law. Takes a lock: ask once and keep the answer.
    pub fn for_law(law: BattleLaw) -> Arc<FoldedBattles> {
        FOLDED.value(law, || FoldedBattles {
            table: BattleTable::for_law(law),
            losses: OnceLock::new(),
        })
    }

    /// The chance of conquering the territory.
    #[inline]
    pub fn win(&self, fighters: u32, defenders: u32) -> f64 {
        if fighters.max(defenders) <= MAX_WINS {
            return self.table.win(fighters, defenders);
        }
        let (fighters, defenders, _) = folded(fighters, defenders, MAX_WINS);
        self.table.win(fighters, defenders)
    }

    /// Mean losses of attacker and defender in a fight to the end.
    #[inline]
    pub fn losses(&self, fighters: u32, defenders: u32) -> (f64, f64) {
        let losses = self.losses.get_or_init(|| all_losses(self.table.law()));
        let at = |fighters, defenders| {
            let [attacker, defender] = losses[cell(fighters, defenders)];
            (f64::from(attacker), f64::from(defender))
        };
        if fighters.max(defenders) <= MAX_LOSSES {
            return at(fighters, defenders);
        }
        let (fighters, defenders, scale) = folded(fighters, defenders, MAX_LOSSES);
        let (attacker, defender) = at(fighters, defenders);
        (attacker * scale, defender * scale)
    }
}

/// The battle within the table that represents this one, and the scale factor.
fn folded(fighters: u32, defenders: u32, most: u32) -> (u32, u32, f64) {
    if defenders <= most / 3 {
        return (fighters.min(most), defenders, 1.0);
    }
    let scale = f64::from(fighters.max(defenders)) / f64::from(most);
    let part = |armies: u32| {
        let armies = whole((f64::from(armies) / scale).round());
        u32::try_from(armies).unwrap_or(most).clamp(1, most)
    };
    (part(fighters), part(defenders), scale)
}

fn cell(fighters: u32, defenders: u32) -> usize {
    (fighters * (MAX_LOSSES + 1) + defenders) as usize
}

fn all_losses(law: BattleLaw) -> Box<[MeanLosses]> {
    let n_cells = (MAX_LOSSES as usize + 1).pow(2);
    let mut losses = vec![(0.0, 0.0); n_cells];
    for fighters in 1..=MAX_LOSSES {
        for defenders in 1..=MAX_LOSSES {
            losses[cell(fighters, defenders)] = if law.mode == BattleMode::Balanced {
                law.expected_losses(fighters, defenders)
            } else {
                after_one_round(law, fighters, defenders, &losses)
            };
        }
    }
    losses.into_iter().map(small).collect()
}

/// `f32` halves the size, so the table stays in the fast cache.
#[allow(
    clippy::cast_possible_truncation,
    reason = "seven digits are enough for an estimate"
)]
fn small((attacker, defender): (f64, f64)) -> MeanLosses {
    [attacker as f32, defender as f32]
}

/// The recurrence: losses of one round plus those of the rest of the battle.
fn after_one_round(
    law: BattleLaw,
    fighters: u32,
    defenders: u32,
    known: &[(f64, f64)],
) -> (f64, f64) {
    let round = law.round(fighters, defenders);
    let mut mean = (0.0, 0.0);
    for (lost, p) in round.outcomes() {
        let rest = known[cell(fighters - lost.attacker, defenders - lost.defender)];
        mean.0 += p * (f64::from(lost.attacker) + rest.0);
        mean.1 += p * (f64::from(lost.defender) + rest.1);
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::DiceRule;

    #[test]
    fn tabled_losses_are_the_exact_ones() {
        for mode in [
            BattleMode::Sequential,
            BattleMode::Groups,
            BattleMode::Balanced,
        ] {
            let law = BattleLaw::new(DiceRule::OFFICIAL, mode);
            let battles = FoldedBattles::for_law(law);
            for (fighters, defenders) in [(1, 1), (3, 2), (7, 9), (20, 13), (64, 64), (0, 3)] {
                let (attacker, defender) = law.expected_losses(fighters, defenders);
                let ours = battles.losses(fighters, defenders);
                assert!(
                    (ours.0 - attacker).abs() < 1e-4 && (ours.1 - defender).abs() < 1e-4,
                    "{mode:?} {fighters} v {defenders}: {ours:?}, not {attacker} {defender}"
                );
            }
        }
    }

    #[test]
    fn estimates_beyond_the_tables_are_near() {
        let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
        let battles = FoldedBattles::for_law(law);
        for (fighters, defenders) in [(500, 4), (90, 20), (100, 80), (70, 100)] {
            let (attacker, defender) = law.expected_losses(fighters, defenders);
            let ours = battles.losses(fighters, defenders);
            assert!((ours.0 - attacker).abs() < 0.02 * f64::from(fighters));
            assert!((ours.1 - defender).abs() < 0.02 * f64::from(fighters));
        }
        assert!(battles.win(400, 30) > 0.999_999);
        let hopeless = battles.win(300, 600);
        assert!(hopeless < 1e-5, "{hopeless}");
    }
}
