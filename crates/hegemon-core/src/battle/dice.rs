//! How many dice each side rolls and who wins a tie.

use crate::narrow::Narrow as _;
use serde::{Deserialize, Serialize};

/// The most dice an attacker can be allowed.
///
/// ```
/// use hegemon_core::battle::{DiceRule, MAX_ATTACKER_DICE};
/// assert_eq!(DiceRule::OFFICIAL.attacker_max, MAX_ATTACKER_DICE);
/// ```
pub const MAX_ATTACKER_DICE: u8 = 3;

/// The most dice a defender can be allowed: two, one more on a capital, one
/// more behind a wall.
///
/// ```
/// use hegemon_core::battle::{DiceRule, MAX_DEFENDER_DICE};
/// assert_eq!(DiceRule::OFFICIAL.with_defender_bonus(2).defender_max, MAX_DEFENDER_DICE);
/// ```
pub const MAX_DEFENDER_DICE: u8 = 4;

/// The dice of a battle. Both sides always roll as many as allowed.
///
/// The default is the official rule. Two rules are equal when all their fields
/// are, even where no roll could tell them apart.
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::DiceRule;
///
/// let official = DiceRule::default();
/// assert_eq!(official.dice(5, 4), (3, 2));
/// assert_eq!(official.dice(1, 1), (1, 1));
///
/// let v1_1 = DiceRule { defender_second_from: 3, ..official };
/// assert_eq!(v1_1.dice(5, 2), (3, 1));
/// assert_eq!(v1_1.dice(5, 3), (3, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Dice")
)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DiceRule {
    /// The most dice the attacker rolls (1 to [`MAX_ATTACKER_DICE`]).
    #[cfg_attr(
        feature = "schema",
        schemars(
            range(min = 1, max = 3),
            description = "The most dice the attacker rolls."
        )
    )]
    pub attacker_max: u8,
    /// The most dice the defender rolls (1 to [`MAX_DEFENDER_DICE`]).
    #[cfg_attr(
        feature = "schema",
        schemars(
            range(min = 1, max = 3),
            description = "The most dice the defender rolls, those of a capital aside."
        )
    )]
    pub defender_max: u8,
    /// The defender rolls more than one die only from this many armies: 2 in
    /// the official rule, 3 in the program of the sampling MCTS paper.
    #[cfg_attr(feature = "schema", schemars(range(min = 2)))]
    pub defender_second_from: u32,
    /// Whether equal dice cost the defender an army instead of the attacker
    /// (zombies lose ties when they defend).
    pub ties_to_attacker: bool,
}

/// Why a [`DiceRule`] is invalid.
///
/// ```
/// use hegemon_core::battle::DiceRuleError;
/// let error = DiceRuleError::Attacker(4);
/// assert_eq!(error.to_string(), "an attacker rolls 1 to 3 dice, not 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiceRuleError {
    /// The attacker's limit is outside `1..=MAX_ATTACKER_DICE`.
    #[error("an attacker rolls 1 to {MAX_ATTACKER_DICE} dice, not {0}")]
    Attacker(u8),
    /// The defender's limit is outside `1..=MAX_DEFENDER_DICE`.
    #[error("a defender rolls 1 to {MAX_DEFENDER_DICE} dice, not {0}")]
    Defender(u8),
    /// One army cannot roll two dice.
    #[error("a second die of the defender needs at least 2 armies, not {0}")]
    SecondDie(u32),
}

impl DiceRule {
    /// Three dice against two (two from two armies up), ties to the defender.
    ///
    /// ```
    /// use hegemon_core::battle::DiceRule;
    /// assert_eq!(DiceRule::OFFICIAL, DiceRule::default());
    /// ```
    pub const OFFICIAL: DiceRule = DiceRule {
        attacker_max: 3,
        defender_max: 2,
        defender_second_from: 2,
        ties_to_attacker: false,
    };

    /// Returns the rule if it is valid.
    ///
    /// # Errors
    ///
    /// Names the first field outside its range. The fields are public so that
    /// rules can be written as plain values; code that reads them from outside
    /// checks once.
    ///
    /// ```
    /// use hegemon_core::battle::{DiceRule, DiceRuleError};
    /// assert!(DiceRule::OFFICIAL.with_defender_bonus(2).check().is_ok());
    /// let five = DiceRule::OFFICIAL.with_defender_bonus(3);
    /// assert_eq!(five.check(), Err(DiceRuleError::Defender(5)));
    /// ```
    pub fn check(self) -> Result<DiceRule, DiceRuleError> {
        if !(1..=MAX_ATTACKER_DICE).contains(&self.attacker_max) {
            return Err(DiceRuleError::Attacker(self.attacker_max));
        }
        if !(1..=MAX_DEFENDER_DICE).contains(&self.defender_max) {
            return Err(DiceRuleError::Defender(self.defender_max));
        }
        if self.defender_second_from < 2 {
            return Err(DiceRuleError::SecondDie(self.defender_second_from));
        }
        Ok(self)
    }

    /// The rule with `n` more dice for the defender: one for a capital, one for
    /// a wall. The limit is not enforced here; [`DiceRule::check`] does that.
    ///
    /// ```
    /// use hegemon_core::battle::DiceRule;
    /// let capital = DiceRule::OFFICIAL.with_defender_bonus(1);
    /// assert_eq!(capital.dice(30, 15), (3, 3));
    /// ```
    #[must_use]
    pub const fn with_defender_bonus(mut self, n: u8) -> DiceRule {
        self.defender_max = self.defender_max.saturating_add(n);
        self
    }

    /// The dice (attacker's, defender's) rolled by these forces.
    ///
    /// ```
    /// use hegemon_core::battle::DiceRule;
    /// assert_eq!(DiceRule::OFFICIAL.dice(2, 30), (2, 2));
    /// assert_eq!(DiceRule::OFFICIAL.dice(0, 7), (0, 2));
    /// ```
    #[inline]
    pub fn dice(self, fighters: u32, defenders: u32) -> (u8, u8) {
        let attacking = fighters.min(u32::from(self.attacker_max));
        let limit = if defenders < self.defender_second_from {
            1
        } else {
            u32::from(self.defender_max)
        };
        (attacking.narrow(), defenders.min(limit).narrow())
    }

    /// The fewest of `survivors` that must occupy a conquered territory where
    /// the rules require as many armies as dice in the last roll.
    ///
    /// The attacker has no losses in the decisive round, so all survivors took
    /// part in it: the number of dice follows from the survivors alone.
    ///
    /// ```
    /// use hegemon_core::battle::DiceRule;
    /// assert_eq!(DiceRule::OFFICIAL.min_occupy(7), 3);
    /// assert_eq!(DiceRule::OFFICIAL.min_occupy(2), 2);
    /// ```
    pub fn min_occupy(self, survivors: u32) -> u32 {
        survivors.min(u32::from(self.attacker_max))
    }

    /// The number of defenders from which their dice no longer change.
    pub(super) fn full_defence(self) -> u32 {
        self.defender_second_from.max(u32::from(self.defender_max))
    }
}

impl Default for DiceRule {
    fn default() -> DiceRule {
        DiceRule::OFFICIAL
    }
}
