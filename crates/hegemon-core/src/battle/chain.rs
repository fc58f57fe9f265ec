//! Conquering territories one after another.

use super::law::{BattleLaw, BattleMode};
use crate::narrow::Narrow as _;

/// Why a chain of battles is invalid.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, ChainError, chain};
/// let found = chain(BattleLaw::default(), 5, &[1], &[1, 1]);
/// assert_eq!(found, Err(ChainError::TooManyGarrisons { garrisons: 2, territories: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// A conquered territory cannot be left empty.
    #[error("the garrison of territory {idx} of the chain must be at least 1")]
    EmptyGarrison {
        /// The index in the chain, from zero.
        idx: usize,
    },
    /// More garrisons than territories.
    #[error("{garrisons} garrisons for {territories} territories")]
    TooManyGarrisons {
        /// Garrisons given.
        garrisons: usize,
        /// Territories to conquer.
        territories: usize,
    },
}

/// The law of a chain of conquests; made by [`chain`].
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::{BattleLaw, chain};
///
/// let law = BattleLaw::default();
/// let chain = chain(law, 9, &[2, 1, 3], &[])?;
/// assert_eq!(chain.prefix(1), law.distribution(9, 2).win());
/// assert!(chain.success() < chain.prefix(2));
/// assert!(chain.expected_survivors() > 2.0);
/// # Ok::<(), hegemon_core::battle::ChainError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// By `n`: the probability of conquering at least `n` territories.
    prefixes: Vec<f64>,
    /// By `s`: the probability of conquering all and ending with `s` in the
    /// last.
    survivors: Vec<f64>,
}

impl Chain {
    /// The probability of conquering all territories.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, chain};
    /// assert_eq!(chain(BattleLaw::default(), 3, &[], &[])?.success(), 1.0);
    /// # Ok::<(), hegemon_core::battle::ChainError>(())
    /// ```
    pub fn success(&self) -> f64 {
        self.prefix(self.prefixes.len() - 1)
    }

    /// The probability of conquering at least the first `n` territories.
    ///
    /// # Panics
    ///
    /// If the chain has fewer than `n` territories.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, chain};
    /// assert_eq!(chain(BattleLaw::default(), 3, &[1, 1], &[])?.prefix(0), 1.0);
    /// # Ok::<(), hegemon_core::battle::ChainError>(())
    /// ```
    pub fn prefix(&self, n: usize) -> f64 {
        self.prefixes[n]
    }

    /// By `s`, the probability that all territories fall and `s` fighters stand
    /// in the last of them (in the first source if there was none to conquer).
    /// The sum is [`Chain::success`].
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, chain};
    /// let chain = chain(BattleLaw::default(), 3, &[2], &[])?;
    /// assert!((chain.survivors()[3] - 1445.0 / 3888.0).abs() < 1e-15);
    /// # Ok::<(), hegemon_core::battle::ChainError>(())
    /// ```
    pub fn survivors(&self) -> &[f64] {
        &self.survivors
    }

    /// The mean number of fighters in the last territory, a failed chain
    /// counting as zero. Divide by [`Chain::success`] for the mean given
    /// success.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, chain};
    /// let chain = chain(BattleLaw::default(), 1, &[1], &[])?;
    /// assert_eq!(chain.expected_survivors(), chain.success());
    /// # Ok::<(), hegemon_core::battle::ChainError>(())
    /// ```
    pub fn expected_survivors(&self) -> f64 {
        let counted = self.survivors.iter().enumerate();
        counted.map(|(s, p)| s as f64 * p).sum()
    }
}

/// The exact law of conquering territories one after another.
///
/// `fighters` excludes the army that stays in the first source. After the
/// conquest of territory `i` all survivors move in, `garrisons[i]` stay there
/// and the others fight on; missing garrisons are 1, and that of the last
/// territory, where all survivors end, is not used. An attacker that cannot
/// spare a fighter beyond the garrison stops there, keeping what it conquered
/// so far. A territory without defenders still takes a fighter to occupy.
///
/// # Errors
///
/// If a garrison is zero or there are more of them than territories.
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::{BattleLaw, ChainError, chain};
/// let law = BattleLaw::default();
/// let open = chain(law, 8, &[2, 2], &[])?.success();
/// let guarded = chain(law, 8, &[2, 2], &[3])?.success();
/// assert!(guarded < open);
/// assert_eq!(chain(law, 8, &[2], &[0]), Err(ChainError::EmptyGarrison { idx: 0 }));
/// # Ok::<(), ChainError>(())
/// ```
pub fn chain(
    law: BattleLaw,
    fighters: u32,
    defenders: &[u32],
    garrisons: &[u32],
) -> Result<Chain, ChainError> {
    check(defenders, garrisons)?;
    let mut survivors = vec![0.0; fighters as usize + 1];
    survivors[fighters as usize] = 1.0;
    let mut prefixes = vec![1.0];
    for (idx, &defenders) in defenders.iter().enumerate() {
        if idx > 0 {
            leave(&mut survivors, garrisons.get(idx - 1).copied().unwrap_or(1));
        }
        survivors = conquer(law, &survivors, defenders);
        prefixes.push(survivors.iter().sum());
    }
    Ok(Chain {
        prefixes,
        survivors,
    })
}

fn check(defenders: &[u32], garrisons: &[u32]) -> Result<(), ChainError> {
    if garrisons.len() > defenders.len() {
        return Err(ChainError::TooManyGarrisons {
            garrisons: garrisons.len(),
            territories: defenders.len(),
        });
    }
    match garrisons.iter().position(|&garrison| garrison == 0) {
        Some(idx) => Err(ChainError::EmptyGarrison { idx }),
        None => Ok(()),
    }
}

/// Leaves a garrison behind; forces too small to go on drop out of the chain.
fn leave(survivors: &mut Vec<f64>, garrison: u32) {
    let stuck = survivors.len().min(garrison as usize);
    survivors.drain(..stuck);
    match survivors.first_mut() {
        Some(none_left) => *none_left = 0.0,
        None => survivors.push(0.0),
    }
}

/// One battle from every number of fighters at once.
fn conquer(law: BattleLaw, fighters: &[f64], defenders: u32) -> Vec<f64> {
    let mut survivors = vec![0.0; fighters.len()];
    if law.mode == BattleMode::Balanced {
        // Balancing is not linear, so every number of fighters is its own battle.
        for (n, &mass) in fighters.iter().enumerate().filter(|&(_, &mass)| mass > 0.0) {
            let ends = law.distribution(n.narrow(), defenders);
            for end in ends.outcomes().iter().filter(|end| end.is_win()) {
                survivors[end.fighters as usize] += mass * end.probability;
            }
        }
    } else {
        for end in law.spread(fighters, defenders, 0) {
            if end.is_win() {
                survivors[end.fighters as usize] += end.probability;
            }
        }
    }
    // Even an empty territory takes a fighter to occupy.
    survivors[0] = 0.0;
    survivors
}
