//! The law of whole battles.

use super::balanced;
use super::dice::DiceRule;
use super::distribution::{self, BattleEnd, Distribution};
use super::exchange::{Exchange, Losses};
use super::force::{self, ForceError};
use super::groups::{self, Pairing};
use super::round::RoundLaw;
use super::rows::{self, WinRows};
use super::table::BattleTable;
use super::weights::WeightedLaw;
use crate::Rng;
use serde::{Deserialize, Serialize};

/// How a battle is fought.
///
/// ```
/// use hegemon_core::battle::BattleMode;
/// assert_eq!(BattleMode::default(), BattleMode::Sequential);
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum BattleMode {
    /// Exchange after exchange of dice to the end, as the official rules say.
    #[default]
    Sequential,
    /// In rounds: both sides stand in groups as big as their dice allow, a
    /// smaller group last; groups are paired in order, all pairs of a round
    /// fight, and unpaired groups wait (Gillenwater).
    Groups,
    /// One draw from the sequential law with its extremes removed (SMG's
    /// balanced blitz up to version 3.19). Only whole battles are balanced; a
    /// single round is an exchange of true dice.
    Balanced,
}

/// The law of battle: the dice and the mode.
///
/// All questions count **fighters**, the attackers without the army that stays
/// behind. Zero fighters or defenders are valid: without defenders the battle
/// is won, without fighters (but with defenders) it is lost.
///
/// Time is of the order of fighters times defenders, memory of the order of the
/// defenders: 1000 v 1000 takes milliseconds, 30,000 v 30,000 seconds. (Battles
/// in groups follow only branches likelier than 2^-100 and take longer.) For
/// many queries about small battles use a [`BattleTable`].
///
/// # Panics
///
/// All methods that roll dice panic if the dice fail [`DiceRule::check`].
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::{BattleLaw, BattleMode, DiceRule};
///
/// let official = BattleLaw::default();
/// assert!((official.win_probability(10, 10) - 0.5676).abs() < 5e-5);
///
/// let capital = BattleLaw {
///     dice: official.dice.with_defender_bonus(1),
///     mode: BattleMode::Balanced,
/// };
/// let law = capital.distribution(30, 15);
/// assert!((law.probability(18, 0) - 0.0100282888709122).abs() < 1e-15);
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields, default)]
pub struct BattleLaw {
    /// The dice both sides roll.
    pub dice: DiceRule,
    /// How a battle is fought with them.
    pub mode: BattleMode,
}

impl BattleLaw {
    /// The law with these dice, fought this way.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleMode, DiceRule};
    /// let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Sequential);
    /// assert_eq!(law, BattleLaw::default());
    /// ```
    pub const fn new(dice: DiceRule, mode: BattleMode) -> BattleLaw {
        BattleLaw { dice, mode }
    }

    /// The law of one round: of one exchange of dice, or in
    /// [`BattleMode::Groups`] of all pairs of groups together.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// assert_eq!(BattleLaw::default().round(3, 2).weights().unwrap().1, 7776);
    /// assert_eq!(BattleLaw::default().round(0, 2).comparisons(), 0);
    /// ```
    pub fn round(self, fighters: u32, defenders: u32) -> RoundLaw {
        if fighters == 0 || defenders == 0 {
            return RoundLaw::idle();
        }
        match self.mode {
            BattleMode::Sequential | BattleMode::Balanced => {
                RoundLaw::of_exchange(Exchange::between(self.dice, fighters, defenders))
            }
            BattleMode::Groups => {
                RoundLaw::of_groups(self.dice, Pairing::of(self.dice, fighters, defenders))
            }
        }
    }

    /// The total losses of both sides in one round: [`RoundLaw::comparisons`]
    /// without computing the round's law.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleMode, DiceRule};
    /// let law = BattleLaw::new(DiceRule::OFFICIAL, BattleMode::Groups);
    /// assert_eq!(law.round_losses(40, 31), law.round(40, 31).comparisons());
    /// ```
    pub fn round_losses(self, fighters: u32, defenders: u32) -> u32 {
        if fighters == 0 || defenders == 0 {
            return 0;
        }
        match self.mode {
            BattleMode::Sequential | BattleMode::Balanced => {
                Exchange::between(self.dice, fighters, defenders).comparisons()
            }
            BattleMode::Groups => Pairing::of(self.dice, fighters, defenders).comparisons(),
        }
    }

    /// The probability that the attacker takes the territory when fighting to
    /// the end.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default();
    /// assert!((law.win_probability(3, 3) - 511817135.0 / 1088391168.0).abs() < 1e-15);
    /// assert_eq!(law.win_probability(0, 3), 0.0);
    /// assert_eq!(law.win_probability(0, 0), 1.0);
    /// ```
    pub fn win_probability(self, fighters: u32, defenders: u32) -> f64 {
        match self.mode {
            BattleMode::Sequential | BattleMode::Balanced => {
                let mut rows = WinRows::new(self.dice, defenders);
                for _ in 0..fighters {
                    rows.advance();
                }
                self.shaped_win(rows.row()[defenders as usize])
            }
            BattleMode::Groups => self.distribution(fighters, defenders).win(),
        }
    }

    /// The probability of taking the territory when the attacker stops as soon
    /// as no more than `reserve` fighters are left.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default();
    /// let all = law.win_probability(8, 6);
    /// assert!((law.win_probability_until(8, 6, 0) - all).abs() < 1e-12);
    /// assert!(law.win_probability_until(8, 6, 3) < all);
    /// ```
    pub fn win_probability_until(self, fighters: u32, defenders: u32, reserve: u32) -> f64 {
        self.distribution_until(fighters, defenders, reserve).win()
    }

    /// The mean losses of attacker and defender in a fight to the end.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let (attacker, defender) = BattleLaw::default().expected_losses(10, 10);
    /// assert!((attacker - 7.308).abs() < 5e-4 && (defender - 8.237).abs() < 5e-4);
    /// ```
    pub fn expected_losses(self, fighters: u32, defenders: u32) -> (f64, f64) {
        self.distribution(fighters, defenders).expected_losses()
    }

    /// The law of what is left after a fight to the end.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default().distribution(5, 4);
    /// let total: f64 = law.outcomes().iter().map(|o| o.probability).sum();
    /// assert!((total - 1.0).abs() < 1e-14);
    /// ```
    pub fn distribution(self, fighters: u32, defenders: u32) -> Distribution {
        self.distribution_until(fighters, defenders, 0)
    }

    /// The law of what is left when the attacker stops as soon as no more than
    /// `reserve` fighters are left.
    ///
    /// The attacker rolls with all fighters up to that point, so a last exchange
    /// may leave fewer than `reserve`. An attacker that starts with no more than
    /// `reserve` does not fight. In [`BattleMode::Balanced`] unresolved outcomes
    /// count as defeats.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default().distribution_until(4, 2, 3);
    /// // Two lost at once, one each, none lost.
    /// let left: Vec<_> = law.outcomes().iter().map(|o| (o.fighters, o.defenders)).collect();
    /// assert_eq!(left, [(4, 0), (3, 1), (2, 2)]);
    /// ```
    pub fn distribution_until(self, fighters: u32, defenders: u32, reserve: u32) -> Distribution {
        let mut start = vec![0.0; fighters as usize + 1];
        start[fighters as usize] = 1.0;
        let mut outcomes = self.spread(&start, defenders, reserve);
        if self.mode == BattleMode::Balanced {
            outcomes = balanced::shape(outcomes);
        }
        Distribution::new(fighters, defenders, outcomes)
    }

    /// The fewest fighters that win with at least this probability.
    ///
    /// One pass over the battles of growing force. (Battles in groups against
    /// more than 1024 defenders are bisected instead, which relies on one more
    /// fighter never hurting and takes minutes against tens of thousands.)
    ///
    /// # Errors
    ///
    /// If `chance` is not a probability, or no force up to
    /// [`MAX_FIGHTERS`](super::MAX_FIGHTERS) reaches it; true dice never give
    /// certainty.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleMode, ForceError};
    /// let mut law = BattleLaw::default();
    /// assert_eq!(law.smallest_force(30, 0.5), Ok(27));
    /// assert!(matches!(law.smallest_force(1, 1.0), Err(ForceError::OutOfReach { .. })));
    /// law.mode = BattleMode::Balanced;
    /// assert_eq!(law.smallest_force(50, 0.8), Ok(49));
    /// ```
    pub fn smallest_force(self, defenders: u32, chance: f64) -> Result<u32, ForceError> {
        force::smallest(self, defenders, chance)
    }

    /// The law of what is left after a fight to the end, with integer weights.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, WEIGHT_TOTAL};
    /// let law = BattleLaw::default().outcomes(5, 4);
    /// let total: u64 = law.as_slice().iter().map(|o| o.weight).sum();
    /// assert_eq!(total, WEIGHT_TOTAL);
    /// ```
    pub fn outcomes(self, fighters: u32, defenders: u32) -> WeightedLaw {
        self.outcomes_until(fighters, defenders, 0)
    }

    /// [`BattleLaw::distribution_until`] with integer weights.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// assert_eq!(BattleLaw::default().outcomes_until(4, 2, 3).as_slice().len(), 3);
    /// ```
    pub fn outcomes_until(self, fighters: u32, defenders: u32, reserve: u32) -> WeightedLaw {
        WeightedLaw::of(&self.distribution_until(fighters, defenders, reserve))
    }

    /// Fights to the end and returns the losses; see [`BattleTable::sample`],
    /// which avoids looking up the table each time.
    ///
    /// ```
    /// use hegemon_core::{Rng, battle::BattleLaw};
    /// let losses = BattleLaw::default().sample(1, 1, &mut Rng::from_seed(3));
    /// assert_eq!(losses.attacker + losses.defender, 1);
    /// ```
    pub fn sample(self, fighters: u32, defenders: u32, rng: &mut Rng) -> Losses {
        BattleTable::for_law(self).sample(fighters, defenders, rng)
    }

    /// Every outcome of the battle before any balancing, in order. The attacker
    /// starts with `n` fighters with probability `start[n]`.
    pub(super) fn spread(self, start: &[f64], defenders: u32, reserve: u32) -> Vec<BattleEnd> {
        let mut outcomes = match self.mode {
            BattleMode::Sequential | BattleMode::Balanced => {
                rows::spread(self.dice, start, defenders, reserve)
            }
            BattleMode::Groups => groups::spread(self.dice, start, defenders, reserve),
        };
        distribution::sort(&mut outcomes);
        outcomes
    }

    /// The chance of winning under this law where true dice give `win`.
    pub(super) fn shaped_win(self, win: f64) -> f64 {
        match self.mode {
            BattleMode::Sequential | BattleMode::Groups => win,
            BattleMode::Balanced => balanced::win(win),
        }
    }
}
