//! How safe each own territory is: the chance that it holds until the next turn.

use hegemon_bots::{Guess, Judge, Stop};
use hegemon_core::{PlayerId, State, TerritoryId, mix};

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

/// What holds until the next turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Threat {
    /// Rollouts that were finished.
    pub n_rollouts: u32,
    /// By own territory.
    pub held: Vec<Held>,
}

/// Rollouts between two looks at the handle.
const BATCH: u32 = 20;

/// The chance that each territory of a player is still its own at the beginning of its next
/// turn, of `n` rollouts, or fewer if it is stopped, in which all others play as guessed. A
/// turn of the player that is under way ends here and now.
pub fn threat(
    judge: &Judge,
    state: &State,
    seat: PlayerId,
    guess: &Guess,
    n: u32,
    seed: u64,
    stop: &Stop,
) -> Threat {
    let own = state.board().owned(seat);
    let mut times: Vec<(TerritoryId, u32)> = own.iter().map(|t| (t, 0)).collect();
    let mut n_rollouts = 0;
    while n_rollouts < n {
        let batch = BATCH.min(n - n_rollouts);
        let held = judge.holds(state, seat, guess, batch, mix(seed ^ u64::from(n_rollouts)));
        // Rollouts that were cut short say nothing.
        if stop.is_raised() {
            break;
        }
        for ((_, sum), (_, n)) in times.iter_mut().zip(held) {
            *sum += n;
        }
        n_rollouts += batch;
    }
    let of = |(territory, times): (TerritoryId, u32)| Held {
        territory,
        chance: f64::from(times) / f64::from(n_rollouts.max(1)),
        ci95: wilson(times, n_rollouts.max(1)),
    };
    Threat {
        n_rollouts,
        held: times.into_iter().map(of).collect(),
    }
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
