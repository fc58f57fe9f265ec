//! One exchange of dice: both sides roll, highest meets highest.

use super::dice::{DiceRule, MAX_ATTACKER_DICE, MAX_DEFENDER_DICE};
use crate::Rng;
use crate::narrow::Narrow as _;
use serde::{Deserialize, Serialize};

const FACES: u8 = 6;
const ATTACK: usize = MAX_ATTACKER_DICE as usize;
const DEFENCE: usize = MAX_DEFENDER_DICE as usize;
/// Different hands of four dice, order aside.
const MAX_HANDS: usize = 126;

/// The armies both sides lost, in an exchange, a round or a battle.
///
/// ```
/// use hegemon_core::battle::Losses;
/// let losses = Losses { attacker: 1, defender: 1 };
/// assert_ne!(losses, Losses::default());
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Losses {
    /// Fighters lost.
    pub attacker: u32,
    /// Defenders lost.
    pub defender: u32,
}

impl Losses {
    /// The losses from two hands of dice, each sorted highest first.
    ///
    /// ```
    /// use hegemon_core::battle::Losses;
    /// let losses = Losses::of_dice(&[6, 3, 1], &[5, 3], false);
    /// assert_eq!(losses, Losses { attacker: 1, defender: 1 });
    /// assert_eq!(Losses::of_dice(&[3], &[3], true).attacker, 0);
    /// ```
    pub fn of_dice(attacker: &[u8], defender: &[u8], ties_to_attacker: bool) -> Losses {
        let comparisons = attacker.len().min(defender.len());
        let lost = lost(attacker, defender, comparisons, ties_to_attacker);
        Losses {
            attacker: lost.narrow(),
            defender: (comparisons - lost).narrow(),
        }
    }
}

/// The law of one exchange of dice, with integer weights.
///
/// The weight of an outcome is the number of ordered rolls that lead to it, out
/// of `6^(dice of both sides)`. Every comparison costs exactly one army, so the
/// losses of both sides together are the number of comparisons.
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::{Exchange, Losses};
///
/// let law = Exchange::of(3, 2, false);
/// assert_eq!(law.total(), 7776);
/// assert_eq!(law.weight(0), 2890); // the defender loses both
/// assert_eq!(law.weight(1), 2611); // one each
/// assert_eq!(law.weight(2), 2275); // the attacker loses both
/// let first = law.outcomes().next();
/// assert_eq!(first, Some((Losses { attacker: 0, defender: 2 }, 2890)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    comparisons: u8,
    /// By the attacker's losses.
    weights: [u32; ATTACK + 1],
    /// Cumulative weights.
    ends: [u32; ATTACK],
    total: u32,
}

impl Exchange {
    /// The law for this many dice on each side.
    ///
    /// # Panics
    ///
    /// If a side has no dice or more than [`MAX_ATTACKER_DICE`] or
    /// [`MAX_DEFENDER_DICE`].
    ///
    /// ```
    /// use hegemon_core::battle::Exchange;
    /// assert_eq!(Exchange::of(1, 1, false).weight(0), 15);
    /// assert_eq!(Exchange::of(1, 1, true).weight(0), 21);
    /// ```
    #[inline]
    pub fn of(attacker_dice: u8, defender_dice: u8, ties_to_attacker: bool) -> &'static Exchange {
        &EXCHANGES[usize::from(ties_to_attacker)][usize::from(attacker_dice) - 1]
            [usize::from(defender_dice) - 1]
    }

    /// The law of the exchange these forces fight under `rule`.
    ///
    /// # Panics
    ///
    /// If a side has no armies, or `rule` fails [`DiceRule::check`].
    ///
    /// ```
    /// use hegemon_core::battle::{DiceRule, Exchange};
    /// let law = Exchange::between(DiceRule::OFFICIAL, 9, 9);
    /// assert_eq!(law, Exchange::of(3, 2, false));
    /// ```
    #[inline]
    pub fn between(rule: DiceRule, fighters: u32, defenders: u32) -> &'static Exchange {
        let (attacking, defending) = rule.dice(fighters, defenders);
        Exchange::of(attacking, defending, rule.ties_to_attacker)
    }

    /// The pairs of dice compared, which is the number of armies lost.
    ///
    /// ```
    /// use hegemon_core::battle::Exchange;
    /// assert_eq!(Exchange::of(3, 1, false).comparisons(), 1);
    /// ```
    #[inline]
    pub fn comparisons(&self) -> u32 {
        u32::from(self.comparisons)
    }

    /// The number of ordered rolls, `6^(dice of both sides)`.
    ///
    /// ```
    /// use hegemon_core::battle::Exchange;
    /// assert_eq!(Exchange::of(2, 1, false).total(), 216);
    /// ```
    #[inline]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The number of ordered rolls in which the attacker loses exactly
    /// `attacker_losses`; zero if that is impossible.
    ///
    /// ```
    /// use hegemon_core::battle::Exchange;
    /// assert_eq!(Exchange::of(2, 1, false).weight(1), 91);
    /// assert_eq!(Exchange::of(2, 1, false).weight(9), 0);
    /// ```
    #[inline]
    pub fn weight(&self, attacker_losses: u32) -> u32 {
        let weight = self.weights.get(attacker_losses as usize);
        weight.copied().unwrap_or(0)
    }

    /// All outcomes with their weights, the best for the attacker first.
    ///
    /// ```
    /// use hegemon_core::battle::Exchange;
    /// let law = Exchange::of(2, 2, false);
    /// assert_eq!(law.outcomes().map(|(_, weight)| weight).sum::<u32>(), law.total());
    /// ```
    pub fn outcomes(&self) -> impl Iterator<Item = (Losses, u32)> + '_ {
        (0..=self.comparisons()).map(|lost| (self.losses(lost), self.weights[lost as usize]))
    }

    /// Rolls the dice: one draw below [`Exchange::total`].
    ///
    /// ```
    /// use hegemon_core::{Rng, battle::Exchange};
    /// let losses = Exchange::of(3, 2, false).sample(&mut Rng::from_seed(1));
    /// assert_eq!(losses.attacker + losses.defender, 2);
    /// ```
    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> Losses {
        self.at(rng.below(self.total))
    }

    /// The outcome at a point below `total` on the cumulative scale. Counts the
    /// ends passed instead of branching: dice are unpredictable, so a branch
    /// would be mispredicted every other roll.
    #[inline]
    pub(super) fn at(&self, point: u32) -> Losses {
        let lost = self.ends.iter().map(|&end| u32::from(point >= end)).sum();
        self.losses(lost)
    }

    /// The cumulative weights.
    pub(super) fn ends(&self) -> [u32; ATTACK] {
        self.ends
    }

    /// Probabilities by the attacker's losses.
    pub(super) fn probabilities(&self) -> [f64; ATTACK + 1] {
        self.weights
            .map(|weight| f64::from(weight) / f64::from(self.total))
    }

    #[inline]
    fn losses(&self, attacker: u32) -> Losses {
        Losses {
            attacker,
            defender: self.comparisons() - attacker,
        }
    }
}

/// By ties rule, attacking dice less one, defending dice less one. Computed at
/// compile time, so that the hot path needs no lock or lazy initialisation.
static EXCHANGES: [[[Exchange; DEFENCE]; ATTACK]; 2] = all_exchanges();

const fn all_exchanges() -> [[[Exchange; DEFENCE]; ATTACK]; 2] {
    let empty = Exchange {
        comparisons: 0,
        weights: [0; ATTACK + 1],
        ends: [0; ATTACK],
        total: 0,
    };
    let mut all = [[[empty; DEFENCE]; ATTACK]; 2];
    let mut attacking = 0;
    while attacking < ATTACK {
        let mut defending = 0;
        while defending < DEFENCE {
            all[0][attacking][defending] = exchange(attacking + 1, defending + 1, false);
            all[1][attacking][defending] = exchange(attacking + 1, defending + 1, true);
            defending += 1;
        }
        attacking += 1;
    }
    all
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "at most four dice with six faces, and a constant function has no other conversion"
)]
const fn exchange(attacking: usize, defending: usize, ties_to_attacker: bool) -> Exchange {
    let attack = Hands::of(attacking);
    let defence = Hands::of(defending);
    let comparisons = if attacking < defending {
        attacking
    } else {
        defending
    };
    let mut weights = [0; ATTACK + 1];
    let mut total = 0;
    let mut i = 0;
    while i < attack.len {
        let mut j = 0;
        while j < defence.len {
            let (ours, theirs) = (attack.dice[i], defence.dice[j]);
            let weight = attack.rolls[i] * defence.rolls[j];
            weights[lost(&ours, &theirs, comparisons, ties_to_attacker)] += weight;
            total += weight;
            j += 1;
        }
        i += 1;
    }
    let mut ends = [0; ATTACK];
    let mut sum = 0;
    let mut k = 0;
    while k < ATTACK {
        sum += weights[k];
        ends[k] = sum;
        k += 1;
    }
    Exchange {
        comparisons: comparisons as u8,
        weights,
        ends,
        total,
    }
}

/// The attacker's losses when two sorted hands meet.
const fn lost(ours: &[u8], theirs: &[u8], comparisons: usize, ties_to_attacker: bool) -> usize {
    let mut lost = 0;
    let mut n = 0;
    while n < comparisons {
        if ours[n] < theirs[n] || (ours[n] == theirs[n] && !ties_to_attacker) {
            lost += 1;
        }
        n += 1;
    }
    lost
}

/// Every hand of the given number of dice, sorted downwards, with the number of
/// ordered rolls that give it. Sorted hands alone are *not* equally likely.
struct Hands {
    dice: [[u8; DEFENCE]; MAX_HANDS],
    rolls: [u32; MAX_HANDS],
    len: usize,
}

impl Hands {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "at most four dice with six faces, and a constant function has no other conversion"
    )]
    const fn of(n_dice: usize) -> Hands {
        let mut hands = Hands {
            dice: [[0; DEFENCE]; MAX_HANDS],
            rolls: [0; MAX_HANDS],
            len: 0,
        };
        let n_rolls = (FACES as usize).pow(n_dice as u32);
        let mut code = 0;
        while code < n_rolls {
            let roll = faces(code, n_dice);
            if is_sorted(roll, n_dice) {
                hands.dice[hands.len] = roll;
                hands.rolls[hands.len] = orders(roll, n_dice);
                hands.len += 1;
            }
            code += 1;
        }
        hands
    }
}

/// The ordered roll with this number.
#[allow(
    clippy::cast_possible_truncation,
    reason = "at most four dice with six faces, and a constant function has no other conversion"
)]
const fn faces(mut code: usize, n_dice: usize) -> [u8; DEFENCE] {
    let mut roll = [0; DEFENCE];
    let mut n = 0;
    while n < n_dice {
        roll[n] = (code % FACES as usize) as u8;
        code /= FACES as usize;
        n += 1;
    }
    roll
}

const fn is_sorted(roll: [u8; DEFENCE], n_dice: usize) -> bool {
    let mut n = 1;
    while n < n_dice {
        if roll[n - 1] < roll[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// The number of orders of a sorted roll: die by die, `n` dice divided by how
/// many equal ones there are so far.
#[allow(
    clippy::cast_possible_truncation,
    reason = "at most four dice with six faces, and a constant function has no other conversion"
)]
const fn orders(roll: [u8; DEFENCE], n_dice: usize) -> u32 {
    let mut orders = 1;
    let mut equal = 0;
    let mut n = 0;
    while n < n_dice {
        equal = if n > 0 && roll[n] == roll[n - 1] {
            equal + 1
        } else {
            1
        };
        orders = orders * (n as u32 + 1) / equal;
        n += 1;
    }
    orders
}
