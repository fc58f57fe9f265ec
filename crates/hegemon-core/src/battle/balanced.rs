//! Balanced blitz: the law of whole battles with its extremes removed.
//!
//! Written from a description (docs/spec/blitz.md 1) of the law SMG's *Risk:
//! Global Domination* used up to version 3.19. It shapes the plain law of the
//! whole battle in four steps: a tiny chance of winning (or losing) becomes
//! zero; the likelier side becomes likelier; the luckiest and unluckiest tenth
//! are cut off; the middle of the remaining victories and defeats gains weight.

use super::distribution::BattleEnd;

/// Chances up to this become zero.
const HARDLY: f64 = 0.05;
/// Pushes the chances of winning and losing apart.
const SIDE_POWER: f64 = 1.3;
/// The probability cut off at either end.
const CUT: f64 = 0.10;
/// Pushes single outcomes apart.
const OUTCOME_POWER: f64 = 1.8;

/// The balanced chance of winning a battle whose plain chance is `win`. All
/// steps depend on both sides' totals only, not on single outcomes.
pub(super) fn win(win: f64) -> f64 {
    ((sharpened(win) - CUT) / (1.0 - 2.0 * CUT)).clamp(0.0, 1.0)
}

/// The chance of winning after the first two steps.
fn sharpened(win: f64) -> f64 {
    let loss = 1.0 - win;
    if win <= HARDLY {
        0.0
    } else if loss <= HARDLY {
        1.0
    } else {
        let (win, loss) = (libm::pow(win, SIDE_POWER), libm::pow(loss, SIDE_POWER));
        win / (win + loss)
    }
}

/// Shapes the outcomes of a battle, which must be sorted from the best for the
/// attacker to the best for the defender.
pub(super) fn shape(mut outcomes: Vec<BattleEnd>) -> Vec<BattleEnd> {
    let split = outcomes.partition_point(BattleEnd::is_win);
    let (wins, others) = outcomes.split_at_mut(split);
    let won = sharpened(total(wins));
    rescale(wins, won);
    rescale(others, 1.0 - won);
    cut(outcomes.iter_mut());
    cut(outcomes.iter_mut().rev());
    rescale(&mut outcomes, 1.0);
    let (wins, others) = outcomes.split_at_mut(split);
    emphasise(wins);
    emphasise(others);
    outcomes.retain(|o| o.probability > 0.0);
    outcomes
}

fn total(outcomes: &[BattleEnd]) -> f64 {
    outcomes.iter().map(|o| o.probability).sum()
}

/// Scales to a new sum; an all-zero side stays zero.
fn rescale(outcomes: &mut [BattleEnd], sum: f64) {
    let old = total(outcomes);
    if old > 0.0 {
        for outcome in outcomes {
            outcome.probability *= sum / old;
        }
    }
}

/// Removes [`CUT`] of probability from the front.
fn cut<'a>(outcomes: impl Iterator<Item = &'a mut BattleEnd>) {
    let mut rest = CUT;
    for outcome in outcomes {
        let taken = rest.min(outcome.probability);
        outcome.probability -= taken;
        rest -= taken;
        if rest <= 0.0 {
            break;
        }
    }
}

/// Raises single outcomes to a power, keeping their sum.
fn emphasise(outcomes: &mut [BattleEnd]) {
    let sum = total(outcomes);
    for outcome in &mut *outcomes {
        outcome.probability = libm::pow(outcome.probability, OUTCOME_POWER);
    }
    rescale(outcomes, sum);
}
