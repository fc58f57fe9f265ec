//! The exact law of battle: one exchange of dice, one round, one whole battle,
//! a chain of battles.
//!
//! # Convention
//!
//! **Fighters** are the attackers that may be lost: the one army that must stay
//! behind is *not* counted. A territory with `n` armies attacks with `n - 1`
//! fighters, and a lost battle ends at zero fighters. Defenders are all the
//! armies of the defending territory. So "3 v 2" needs four armies on the
//! attacking side. (This is the convention of Osborne 2003, *Markov chains for
//! the Risk board game revisited*.)
//!
//! # The pieces
//!
//! | Question | Answer |
//! |---|---|
//! | how many dice does each side roll? | [`DiceRule`] |
//! | what does one exchange of dice cost? | [`Exchange`] |
//! | what does one round cost? | [`RoundLaw`] |
//! | how does a whole battle end? | [`BattleLaw`], [`Distribution`] |
//! | the same with integer weights, for one draw | [`WeightedLaw`] |
//! | the same, for frequent queries | [`BattleTable`], kept in a [`LawCache`] |
//! | can I take these territories one after another? | [`chain`] |
//! | an estimate, where exact is too slow | only [`approximate`] |
//!
//! ```
//! use hegemon_core::battle::{BattleLaw, BattleTable};
//! use hegemon_core::Rng;
//!
//! let law = BattleLaw::default();
//! assert!((law.win_probability(5, 4) - 0.638295).abs() < 1e-6);
//! assert_eq!(law.smallest_force(10, 0.5), Ok(10));
//!
//! let table = BattleTable::for_law(law);
//! let mut rng = Rng::stream(42, "dice");
//! let losses = table.sample(5, 4, &mut rng);
//! assert!(losses.attacker == 5 || losses.defender == 4);
//! ```
//!
//! # No attacker losses in the decisive round
//!
//! A round that removes the last `d` defenders compares at most `d` dice, and
//! the defender must lose every one of those comparisons; so the attacker loses
//! none. All survivors `s` of a won battle therefore took part in the last
//! roll, which used at least `min(3, s)` attacking dice. This is the meaning of
//! the rule "occupy with at least as many armies as dice rolled" after a whole
//! battle: [`DiceRule::min_occupy`].
//!
//! # Precision
//!
//! Outside [`approximate`] nothing is read from a table's edge, rescaled or approximated by
//! a normal law: the recurrence is exact at any size and evaluated in `f64`. Probabilities
//! below 2^-1000 (below 2^-100 on the way through a battle in groups) count as zero, which
//! is invisible in an `f64` sum near one. Powers use `libm`, so results are bit-identical on
//! every platform.

pub mod approximate;
mod balanced;
mod cache;
mod chain;
mod dice;
mod distribution;
mod exchange;
mod force;
mod groups;
mod law;
mod rollout;
mod rolls;
mod round;
mod rows;
mod table;
mod weights;

#[cfg(test)]
mod tests;

pub use cache::LawCache;
pub use chain::{Chain, ChainError, chain};
pub use dice::{DiceRule, DiceRuleError, MAX_ATTACKER_DICE, MAX_DEFENDER_DICE};
pub use distribution::{BattleEnd, Distribution};
pub use exchange::{Exchange, Losses};
pub use force::{ForceError, MAX_FIGHTERS};
pub use law::{BattleLaw, BattleMode};
pub(crate) use rolls::Rolls;
pub use round::RoundLaw;
pub use table::BattleTable;
pub use weights::{WEIGHT_TOTAL, WeightedLaw, WeightedOutcome};
