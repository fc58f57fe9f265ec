//! Marks for decisions, and accuracy.

use std::iter::Sum;

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

/// The chance to win that the decisions of a player's turn kept, and what they gave away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnChance {
    /// That of the last decision.
    pub kept: f64,
    /// The losses of all of them.
    pub lost: f64,
}

impl Sum for TurnChance {
    fn sum<I: Iterator<Item = TurnChance>>(turns: I) -> TurnChance {
        turns.fold(TurnChance::default(), |sum, turn| TurnChance {
            kept: sum.kept + turn.kept,
            lost: sum.lost + turn.lost,
        })
    }
}

/// Accuracy over some turns, from 0 to 1: of the chance to win that was kept or given away, the
/// share that was kept. So a player who has hardly a chance, and can hardly lose any, is not held
/// to be the better one for that. None without a chance.
pub fn accuracy(turns: impl IntoIterator<Item = TurnChance>) -> Option<f64> {
    let TurnChance { kept, lost } = turns.into_iter().sum();
    let all = kept + lost;
    (all > 0.0).then(|| (kept / all).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_is_the_share_that_was_kept() {
        let turn = |kept, lost| TurnChance { kept, lost };
        assert_eq!(accuracy([]), None);
        assert_eq!(accuracy([turn(0.0, 0.0)]), None, "no chance is no accuracy");
        assert_eq!(accuracy([turn(0.5, 0.0)]), Some(1.0));
        assert_eq!(accuracy([turn(0.75, 0.25)]), Some(0.75));
        // A point is much of two and little of eighty.
        let (poor, rich) = (accuracy([turn(0.01, 0.01)]), accuracy([turn(0.79, 0.01)]));
        assert!(poor < Some(0.6) && rich > Some(0.9));
        // Turns with much at stake count most, and noise does not pass the ends.
        assert_eq!(
            accuracy([turn(0.7, 0.0), turn(0.0, 0.1)]),
            Some(0.7 / (0.7 + 0.1))
        );
        assert_eq!(accuracy([turn(0.5, -0.1)]), Some(1.0));
        assert_eq!(accuracy([turn(0.1, -0.2)]), None);
    }
}
