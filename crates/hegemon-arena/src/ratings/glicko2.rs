//! Glicko-2, and the mode with frozen volatility that the sampling-MCTS paper uses.
//!
//! Sources: M. E. Glickman, "Example of the Glicko-2 system" (2013); for volatility 0 and tau 0 the
//! paper's own pool, in which step 4 (new volatility) is undefined and skipped, which leaves
//! Glicko-1 without time decay. Steps with a live volatility come from the crate `skillratings`.
//!
//! Sequential ratings depend on the order of the games and take an opponent's rating as if its
//! error were independent: use them to schedule, publish a batch fit.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating as CrateRating, glicko2_rating_period};

use super::{PairResult, RankingError};
use crate::stats::Interval;

/// Rating points per unit of the internal scale.
const SCALE: f64 = 173.7178;

/// A player's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko2Rating {
    /// The rating, 1500 for a fresh player.
    pub rating: f64,
    /// The rating deviation RD, 350 for a fresh player.
    pub deviation: f64,
    /// The volatility, 0.06 for a fresh player, 0 in the paper's mode.
    pub volatility: f64,
}

impl Glicko2Rating {
    /// A fresh player of the paper's mode: 1500 / 350 / 0.
    pub const FROZEN: Self = Self {
        rating: 1500.0,
        deviation: 350.0,
        volatility: 0.0,
    };

    /// The approximate 95 % interval, rating plus or minus two deviations, as Glickman recommends.
    pub fn interval95(&self) -> Interval {
        Interval::around(self.rating, 2.0 * self.deviation)
    }

    fn mu(&self) -> f64 {
        (self.rating - 1500.0) / SCALE
    }

    fn phi(&self) -> f64 {
        self.deviation / SCALE
    }
}

impl Default for Glicko2Rating {
    fn default() -> Self {
        Self {
            volatility: 0.06,
            ..Self::FROZEN
        }
    }
}

/// The system constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko2Params {
    /// How fast volatility may change, usually 0.3 to 1.2; 0 keeps every volatility as it is.
    pub tau: f64,
}

impl Glicko2Params {
    /// The paper's mode, together with [`Glicko2Rating::FROZEN`].
    pub const FROZEN: Self = Self { tau: 0.0 };
}

impl Default for Glicko2Params {
    fn default() -> Self {
        Self { tau: 0.5 }
    }
}

/// The rating after one rating period with these results against opponents *as they were before the
/// period*.
///
/// Without results only the deviation grows by the volatility. A volatility of 0 or a tau of 0
/// skips the volatility step.
pub fn rate_period(
    player: &Glicko2Rating,
    results: &[(Glicko2Rating, PairResult)],
    params: &Glicko2Params,
) -> Glicko2Rating {
    let gain = Gain::new(player, results);
    let is_frozen = player.volatility <= 0.0 || params.tau <= 0.0;
    // Games whose result was certain carry no information; the crate would divide by it.
    if !is_frozen && gain.information > f64::MIN_POSITIVE {
        let results: Vec<_> = results
            .iter()
            .map(|(r, o)| (to_crate(r), outcomes(*o)))
            .collect();
        let config = Glicko2Config {
            tau: params.tau,
            ..Glicko2Config::new()
        };
        let new = glicko2_rating_period(&to_crate(player), &results, &config);
        return Glicko2Rating {
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
        };
    }
    let phi_star_squared = player.phi().powi(2) + player.volatility.powi(2);
    let phi_squared = 1.0 / (1.0 / phi_star_squared + gain.information);
    Glicko2Rating {
        rating: 1500.0 + SCALE * (player.mu() + phi_squared * gain.improvement),
        deviation: SCALE * phi_squared.sqrt(),
        volatility: player.volatility,
    }
}

/// Both ratings after one game that is a rating period of its own, each from the other's pre-game
/// value.
pub fn rate_game(
    first: &Glicko2Rating,
    second: &Glicko2Rating,
    result: PairResult,
    params: &Glicko2Params,
) -> (Glicko2Rating, Glicko2Rating) {
    (
        rate_period(first, &[(*second, result)], params),
        rate_period(second, &[(*first, result.reversed())], params),
    )
}

/// All ratings after one game of several players, each scored against every other by rank (1 best,
/// ties are draws), all from pre-game values.
///
/// The pairs of one game are not independent, so deviations fall too fast; good enough to schedule
/// by.
///
/// # Errors
/// If there is not exactly one rank per player.
pub fn rate_ranking(
    players: &[Glicko2Rating],
    ranks: &[u32],
    params: &Glicko2Params,
) -> Result<Vec<Glicko2Rating>, RankingError> {
    if players.len() != ranks.len() {
        return Err(RankingError::RankCount {
            n_players: players.len(),
            n_ranks: ranks.len(),
        });
    }
    let rate = |i: usize| {
        let results: Vec<_> = (0..players.len())
            .filter(|&j| j != i)
            .map(|j| (players[j], PairResult::from_ranks(ranks[i], ranks[j])))
            .collect();
        rate_period(&players[i], &results, params)
    };
    Ok((0..players.len()).map(rate).collect())
}

/// The sums of steps 2 and 3 over one period.
pub(super) struct Gain {
    /// `1 / v`.
    pub(super) information: f64,
    /// `sum g (s - E)`; `delta = v * improvement`.
    pub(super) improvement: f64,
}

impl Gain {
    pub(super) fn new(player: &Glicko2Rating, results: &[(Glicko2Rating, PairResult)]) -> Self {
        let mut gain = Self {
            information: 0.0,
            improvement: 0.0,
        };
        for (opponent, result) in results {
            let g = g(opponent.phi());
            let e = win_chance(g, player.mu() - opponent.mu());
            gain.information += g * g * e * (1.0 - e);
            gain.improvement += g * (result.score() - e);
        }
        gain
    }
}

fn g(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * (phi / std::f64::consts::PI).powi(2)).sqrt()
}

fn win_chance(g: f64, mu_difference: f64) -> f64 {
    1.0 / (1.0 + (-g * mu_difference).exp())
}

fn to_crate(r: &Glicko2Rating) -> CrateRating {
    CrateRating {
        rating: r.rating,
        deviation: r.deviation,
        volatility: r.volatility,
    }
}

fn outcomes(result: PairResult) -> Outcomes {
    match result {
        PairResult::Win => Outcomes::WIN,
        PairResult::Draw => Outcomes::DRAW,
        PairResult::Loss => Outcomes::LOSS,
    }
}
