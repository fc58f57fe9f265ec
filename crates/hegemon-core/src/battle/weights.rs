//! The law of a battle as integer weights, sampled with one draw.

use super::distribution::Distribution;
use crate::Rng;
use crate::narrow::whole;

/// The sum of the weights of every [`WeightedLaw`]: 2^60.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, WEIGHT_TOTAL};
/// let certain = BattleLaw::default().outcomes(3, 0);
/// assert_eq!(certain.as_slice()[0].weight, WEIGHT_TOTAL);
/// ```
pub const WEIGHT_TOTAL: u64 = 1 << 60;

/// One possible outcome of a battle, weighted out of [`WEIGHT_TOTAL`].
///
/// ```
/// use hegemon_core::battle::{BattleLaw, WEIGHT_TOTAL};
/// let won = BattleLaw::default().outcomes(1, 1).as_slice()[0];
/// assert_eq!((won.fighters, won.defenders), (1, 0));
/// assert_eq!(won.weight >> 10, WEIGHT_TOTAL / 12 * 5 >> 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedOutcome {
    /// Fighters left.
    pub fighters: u32,
    /// Defenders left.
    pub defenders: u32,
    /// The weight of this outcome; never zero.
    pub weight: u64,
}

/// A battle's outcomes with integer weights that sum to exactly
/// [`WEIGHT_TOTAL`], in the order of [`Distribution`].
///
/// Each weight is the `f64` probability rounded to a 2^60th; the rounding error
/// (less than a part in 2^50 of the total for armies up to a few hundred) goes to
/// the likeliest outcome. Outcomes less likely than 2^-61 are absent.
///
/// # Examples
///
/// ```
/// use hegemon_core::{Rng, battle::BattleLaw};
///
/// let law = BattleLaw::default().outcomes(8, 5);
/// let end = law.draw(&mut Rng::from_seed(1));
/// assert!(end.fighters == 0 || end.defenders == 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedLaw {
    outcomes: Box<[WeightedOutcome]>,
    /// Cumulative weights, each outcome included.
    ends: Box<[u64]>,
}

impl WeightedLaw {
    /// The weights of a law.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, WeightedLaw};
    /// let law = BattleLaw::default();
    /// assert_eq!(WeightedLaw::of(&law.distribution(4, 4)), law.outcomes(4, 4));
    /// ```
    pub fn of(law: &Distribution) -> WeightedLaw {
        let sum: f64 = law.outcomes().iter().map(|o| o.probability).sum();
        let rounded = law.outcomes().iter().map(|o| WeightedOutcome {
            fighters: o.fighters,
            defenders: o.defenders,
            weight: whole(libm::round(o.probability / sum * WEIGHT_TOTAL as f64)),
        });
        let mut outcomes: Vec<_> = rounded.filter(|o| o.weight > 0).collect();
        settle(&mut outcomes);
        let mut end = 0;
        let ends = outcomes.iter().map(|o| {
            end += o.weight;
            end
        });
        WeightedLaw {
            ends: ends.collect(),
            outcomes: outcomes.into(),
        }
    }

    /// All outcomes, from the best for the attacker to the best for the
    /// defender.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// assert_eq!(BattleLaw::default().outcomes(2, 0).as_slice().len(), 1);
    /// ```
    pub fn as_slice(&self) -> &[WeightedOutcome] {
        &self.outcomes
    }

    /// Draws an outcome with one word of `rng`.
    ///
    /// ```
    /// use hegemon_core::{Rng, battle::BattleLaw};
    /// let mut rng = Rng::from_seed(1);
    /// let mut other = rng.clone();
    /// BattleLaw::default().outcomes(8, 5).draw(&mut rng);
    /// other.word();
    /// assert_eq!(rng, other);
    /// ```
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> WeightedOutcome {
        // The total is a power of two, so the high bits are uniform as they are.
        self.at(rng.word() >> (u64::BITS - WEIGHT_TOTAL.trailing_zeros()))
    }

    /// The outcome at a point of the cumulative weights.
    ///
    /// # Panics
    ///
    /// If `point` is not below [`WEIGHT_TOTAL`].
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, WEIGHT_TOTAL};
    /// let law = BattleLaw::default().outcomes(8, 5);
    /// assert_eq!(law.at(0), law.as_slice()[0]);
    /// assert_eq!(law.at(WEIGHT_TOTAL - 1).defenders, 5);
    /// ```
    #[inline]
    pub fn at(&self, point: u64) -> WeightedOutcome {
        self.outcomes[self.ends.partition_point(|&end| end <= point)]
    }
}

/// Assigns the rounding error to the likeliest outcome.
fn settle(outcomes: &mut [WeightedOutcome]) {
    let sum: u64 = outcomes.iter().map(|o| o.weight).sum();
    if let Some(likeliest) = outcomes.iter_mut().max_by_key(|o| o.weight) {
        likeliest.weight = likeliest.weight + WEIGHT_TOTAL - sum;
    }
}
