//! One round of battle.

use super::dice::DiceRule;
use super::exchange::{Exchange, Losses};
use super::groups::Pairing;
use crate::narrow::Narrow;

/// The law of one round: one exchange of dice, or all pairs of groups together.
///
/// Both sides together always lose the same number of armies in a round, so the
/// attacker's losses identify an outcome.
///
/// Weights are exact integers as long as the number of rolls fits `u128`, which
/// is up to nine full pairs of groups (27 v 18 armies); for bigger rounds only
/// the probabilities, summed in `f64`, are known.
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::{BattleLaw, BattleMode, DiceRule};
///
/// let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
/// let round = law.round(4, 3); // 3 v 2 and 1 v 1
/// assert_eq!(round.comparisons(), 3);
/// let (weights, total) = round.weights().unwrap();
/// assert_eq!(total, 7776 * 36);
/// assert_eq!(weights[0], 2890 * 15); // no attacker losses
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RoundLaw {
    /// By the attacker's losses.
    probabilities: Vec<f64>,
    /// By the attacker's losses, with their sum.
    weights: Option<(Vec<u128>, u128)>,
}

impl RoundLaw {
    /// A round without fighting.
    pub(super) fn idle() -> RoundLaw {
        RoundLaw {
            probabilities: vec![1.0],
            weights: Some((vec![1], 1)),
        }
    }

    pub(super) fn of_exchange(exchange: &Exchange) -> RoundLaw {
        let mut round = RoundLaw::idle();
        round.join(exchange);
        round.settle()
    }

    pub(super) fn of_groups(rule: DiceRule, pairing: Pairing) -> RoundLaw {
        let mut round = RoundLaw::idle();
        for (attacking, defending) in pairing.pairs() {
            round.join(Exchange::of(attacking, defending, rule.ties_to_attacker));
        }
        round.settle()
    }

    /// The total losses of both sides.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// assert_eq!(BattleLaw::default().round(9, 9).comparisons(), 2);
    /// ```
    pub fn comparisons(&self) -> u32 {
        Narrow::<u32>::narrow(self.probabilities.len()) - 1
    }

    /// The exact weights by the attacker's losses, and their sum; `None` where
    /// they do not fit `u128`.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let round = BattleLaw::default().round(3, 1);
    /// assert_eq!(round.weights(), Some((&[855, 441][..], 1296)));
    /// ```
    pub fn weights(&self) -> Option<(&[u128], u128)> {
        let weights = self.weights.as_ref();
        weights.map(|(weights, total)| (&weights[..], *total))
    }

    /// All outcomes with their probabilities, the best for the attacker first.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, Losses};
    /// let round = BattleLaw::default().round(1, 1);
    /// let (losses, p) = round.outcomes().next().unwrap();
    /// assert_eq!(losses, Losses { attacker: 0, defender: 1 });
    /// assert_eq!(p, 15.0 / 36.0);
    /// ```
    pub fn outcomes(&self) -> impl Iterator<Item = (Losses, f64)> + '_ {
        let all = self.comparisons();
        (0..=all)
            .zip(&self.probabilities)
            .map(move |(attacker, &p)| {
                let defender = all - attacker;
                (Losses { attacker, defender }, p)
            })
    }

    /// Adds one more pair of groups to the round.
    fn join(&mut self, pair: &Exchange) {
        let p = pair.probabilities();
        let compared = pair.comparisons() as usize;
        self.probabilities = convolve(&self.probabilities, &p[..=compared]);
        let weights = self.weights.take();
        self.weights = weights.and_then(|(weights, total)| {
            // No weight exceeds the total, so this one check covers them all.
            let total = total.checked_mul(pair.total().into())?;
            let each: Vec<u128> = pair.outcomes().map(|(_, weight)| weight.into()).collect();
            Some((convolve(&weights, &each), total))
        });
    }

    /// Derives the probabilities from the exact weights where available.
    fn settle(mut self) -> RoundLaw {
        if let Some((weights, total)) = &self.weights {
            let share = |&weight: &u128| weight as f64 / *total as f64;
            self.probabilities = weights.iter().map(share).collect();
        }
        self
    }
}

fn convolve<T>(long: &[T], short: &[T]) -> Vec<T>
where
    T: Copy + Default + std::ops::Mul<Output = T> + std::ops::AddAssign,
{
    let mut sum = vec![T::default(); long.len() + short.len() - 1];
    for (i, &a) in long.iter().enumerate() {
        for (j, &b) in short.iter().enumerate() {
            sum[i + j] += a * b;
        }
    }
    sum
}
