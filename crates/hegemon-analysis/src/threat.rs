//! How safe each own territory is: the chance that it holds until the next turn.

use hegemon_bots::{Guess, Judge};
use hegemon_core::{PlayerId, State, TerritoryId};

/// Quantile of the normal law for a 95 % interval.
const Z95: f64 = 1.959_964;

/// How often a territory held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Which.
    pub territory: TerritoryId,
    /// Share of the rollouts in which it held.
    pub chance: f64,
    /// 95 % interval of the chance (Wilson).
    pub ci95: [f64; 2],
}

/// The chance that each territory of a player is still its own at the beginning of its next
/// turn, of `n` rollouts in which all others play as guessed. A turn of the player that
/// is under way ends here and now.
pub fn threat(
    judge: &Judge,
    state: &State,
    seat: PlayerId,
    guess: &Guess,
    n: u32,
    seed: u64,
) -> Vec<Held> {
    let held = judge.holds(state, seat, guess, n, seed);
    held.into_iter()
        .map(|(territory, times)| Held {
            territory,
            chance: f64::from(times) / f64::from(n.max(1)),
            ci95: wilson(times, n.max(1)),
        })
        .collect()
}

/// The interval of a share (Wilson 1927).
fn wilson(times: u32, n: u32) -> [f64; 2] {
    let n = f64::from(n);
    let p = f64::from(times) / n;
    let z2 = Z95 * Z95;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}
