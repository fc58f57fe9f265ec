//! The law of an exchange as a published program draws it.

use crate::Outcome;

/// Squares the probabilities of an exchange, as the program of Brand and Kroon 2014 does; the
/// last outcome takes the rest (docs/spec/sampling.md 5.8). That is the attacker's total loss,
/// but its total win for two dice against two. With one defending die we assume the loss.
///
/// It approximates nothing: it is an error, kept to run published figures again.
///
/// ```
/// use hegemon_core::{Outcome, battle::approximate::square_exchange};
/// let lost = |armies: u32| Outcome::Battle {
///     attacker_losses: armies,
///     defender_losses: 2 - armies,
/// };
/// // Three dice against two: 74.9 % instead of 29.3 % for the attacker's total loss.
/// let mut law: [(Outcome, u64); 3] = [(lost(0), 2890), (lost(1), 2611), (lost(2), 2275)];
/// square_exchange(&mut law);
/// assert_eq!(law[2], (lost(2), 7776 * 7776 - 2890 * 2890 - 2611 * 2611));
/// // Two against two: 69.4 % instead of 22.8 % for its total win.
/// let mut law: [(Outcome, u64); 3] = [(lost(0), 295), (lost(1), 420), (lost(2), 581)];
/// square_exchange(&mut law);
/// assert_eq!(law[2], (lost(0), 1296 * 1296 - 581 * 581 - 420 * 420));
/// ```
pub fn square_exchange(outcomes: &mut [(Outcome, u64)]) {
    let attacker_lost = |outcome: &Outcome| match outcome {
        Outcome::Battle {
            attacker_losses, ..
        } => *attacker_losses,
        _ => 0,
    };
    let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
    // Two against two is the exchange of three outcomes out of 6^4.
    let is_two_against_two = outcomes.len() == 3 && total == 1296;
    outcomes.sort_by_key(|(outcome, _)| attacker_lost(outcome));
    if is_two_against_two {
        outcomes.reverse();
    }
    let Some(((_, last), others)) = outcomes.split_last_mut() else {
        return;
    };
    let mut rest = total * total;
    for (_, weight) in others {
        *weight *= *weight;
        rest -= *weight;
    }
    *last = rest;
}
