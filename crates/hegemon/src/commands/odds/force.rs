//! The number of fighters needed.

use anyhow::bail;
use hegemon_core::battle::{BattleLaw, BattleMode, ChainError, MAX_FIGHTERS, chain};
use serde::Serialize;

use super::law;
use crate::output::{self, percent, rounded};

/// The target of the attack.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Target<'a> {
    Battle(u32),
    #[serde(rename_all = "snake_case")]
    Chain {
        defenders: &'a [u32],
        garrisons: &'a [u32],
    },
}

/// The fewest fighters for a wanted chance.
#[derive(Serialize)]
pub(super) struct ForceOdds<'a> {
    need: f64,
    against: Target<'a>,
    law: BattleLaw,
    fighters: u32,
    /// Including the one that stays behind.
    armies: u32,
    win: f64,
    win_exact: f64,
    /// The chance with one fighter fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_fewer: Option<f64>,
}

impl<'a> ForceOdds<'a> {
    pub(super) fn new(
        law: BattleLaw,
        need: f64,
        against: Target<'a>,
    ) -> anyhow::Result<ForceOdds<'a>> {
        let fighters = match against {
            Target::Battle(defenders) => law.smallest_force(defenders, need)?,
            Target::Chain { .. } => smallest_for_chain(law, need, against)?,
        };
        let win = against.win(law, fighters)?;
        let one_fewer = fighters.checked_sub(1).map(|fewer| against.win(law, fewer));
        Ok(ForceOdds {
            need,
            against,
            law,
            fighters,
            armies: fighters + 1,
            win: rounded(win, 6),
            win_exact: win,
            one_fewer: one_fewer.transpose()?,
        })
    }

    pub(super) fn text(&self) -> String {
        let ForceOdds {
            fighters, armies, ..
        } = self;
        let mut facts = vec![
            (
                "fighters",
                format!("{fighters} ({armies} armies with the one that stays behind)"),
            ),
            ("win", percent(self.win_exact)),
        ];
        facts.extend(self.one_fewer.map(|win| ("one fewer", percent(win))));
        facts.extend(law::describe(self.law).map(|words| ("rules", words)));
        let need = percent(self.need);
        format!(
            "{need} against {}\n\n{}",
            self.against.text(),
            output::facts(facts)
        )
    }
}

impl Target<'_> {
    fn win(self, law: BattleLaw, fighters: u32) -> Result<f64, ChainError> {
        match self {
            Target::Battle(defenders) => Ok(law.win_probability(fighters, defenders)),
            Target::Chain {
                defenders,
                garrisons,
            } => Ok(chain(law, fighters, defenders, garrisons)?.success()),
        }
    }

    fn text(self) -> String {
        match self {
            Target::Battle(defenders) => output::defenders(defenders),
            Target::Chain { defenders, .. } => {
                let list: Vec<String> = defenders.iter().map(u32::to_string).collect();
                format!("a chain of {} defenders", list.join(", "))
            }
        }
    }
}

/// Doubles the force until it is enough, then bisects; relies on one more
/// fighter never hurting, which a test checks.
fn smallest_for_chain(law: BattleLaw, need: f64, target: Target<'_>) -> anyhow::Result<u32> {
    if need == 1.0 && law.mode != BattleMode::Balanced {
        bail!("true dice never make a chain of battles certain");
    }
    let suffices = |fighters| Ok::<_, ChainError>(target.win(law, fighters)? >= need);
    let (mut low, mut high) = (0, 1);
    while !suffices(high)? {
        if high == MAX_FIGHTERS {
            bail!("no force of up to {MAX_FIGHTERS} fighters conquers that with chance {need}");
        }
        low = high + 1;
        high = (2 * high).min(MAX_FIGHTERS);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if suffices(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_more_fighter_never_hurts_a_chain() {
        for mode in [
            BattleMode::Sequential,
            BattleMode::Groups,
            BattleMode::Balanced,
        ] {
            let law = BattleLaw {
                mode,
                ..BattleLaw::default()
            };
            let target = Target::Chain {
                defenders: &[3, 2, 5, 1],
                garrisons: &[1, 2],
            };
            let wins: Vec<f64> = (0..40)
                .map(|n| target.win(law, n).expect("sound garrisons"))
                .collect();
            assert!(
                wins.is_sorted_by(|a, b| *a <= *b + 1e-12),
                "{mode:?}: {wins:?}"
            );
        }
    }

    #[test]
    fn the_force_for_a_chain_is_the_smallest() {
        let law = BattleLaw::default();
        let target = Target::Chain {
            defenders: &[3, 2, 5, 1],
            garrisons: &[],
        };
        for need in [0.0, 0.01, 0.3, 0.5, 0.8, 0.95] {
            let found = smallest_for_chain(law, need, target).expect("within reach");
            let enough = |n| target.win(law, n).expect("sound garrisons") >= need;
            assert_eq!((0..).find(|&n| enough(n)), Some(found), "{need}");
        }
    }
}
