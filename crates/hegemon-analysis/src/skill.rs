//! Marks for decisions, and accuracy.

use serde::{Deserialize, Serialize};

/// How bad a decision was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Costs a little.
    Inaccuracy,
    /// Costs much.
    Error,
    /// Costs very much.
    Blunder,
}

/// The least loss of win chance for each mark.
pub const THRESHOLDS: [(Mark, f64); 3] = [
    (Mark::Blunder, 0.10),
    (Mark::Error, 0.05),
    (Mark::Inaccuracy, 0.02),
];

/// A loss is marked if it is this many standard errors above zero.
const SURE: f64 = 2.0;

/// How fast accuracy falls with the chance that is given away.
const STEEPNESS: f64 = 10.0;

impl Mark {
    /// The mark of a loss; none if it is small or may be noise.
    pub fn of(loss: f64, error: f64) -> Option<Mark> {
        let is_sure = loss > SURE * error;
        let found = THRESHOLDS.iter().find(|(_, least)| loss >= *least);
        found.filter(|_| is_sure).map(|(mark, _)| *mark)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Error => "error",
            Mark::Blunder => "blunder",
        }
    }

    /// Its sign beside a move.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Error => "?",
            Mark::Blunder => "??",
        }
    }
}

/// Accuracy of some decisions, from 0 to 1: the mean of `exp(-10 loss)`. None without a
/// decision.
pub fn accuracy(losses: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut n, mut sum) = (0_u32, 0.0);
    for loss in losses {
        n += 1;
        sum += (-STEEPNESS * loss.max(0.0)).exp();
    }
    (n > 0).then(|| sum / f64::from(n))
}
