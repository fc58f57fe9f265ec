//! The online Plackett-Luce update of Weng and Lin for games of any number of players.
//!
//! Source: R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12
//! (2011), algorithm 4, with the constants of OpenSkill and its rule that tied players share the
//! mean of their changes. The crate `skillratings` implements the pairwise algorithm 1, which
//! differs for more than two players.

use super::RankingError;

/// A player's skill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WengLinRating {
    /// The mean, 25 for a fresh player.
    pub mu: f64,
    /// The deviation, 25/3 for a fresh player.
    pub sigma: f64,
}

impl WengLinRating {
    /// `mu - 3 sigma`, the customary number for a leader board.
    pub fn ordinal(&self) -> f64 {
        self.mu - 3.0 * self.sigma
    }
}

impl Default for WengLinRating {
    fn default() -> Self {
        Self {
            mu: 25.0,
            sigma: 25.0 / 3.0,
        }
    }
}

/// The constants of the update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WengLinParams {
    /// The deviation of one performance, 25/6.
    pub beta: f64,
    /// The least factor by which one game may shrink a variance, 0.0001.
    pub kappa: f64,
    /// The deviation added before each game, 25/300; 0 for players that do not change.
    pub tau: f64,
}

impl Default for WengLinParams {
    fn default() -> Self {
        Self {
            beta: 25.0 / 6.0,
            kappa: 1e-4,
            tau: 25.0 / 300.0,
        }
    }
}

/// All skills after one game, from pre-game values. Ranks: the smaller the better, equal ranks are
/// ties.
///
/// # Errors
/// If there is not exactly one rank per player.
pub fn rate_ranking(
    players: &[WengLinRating],
    ranks: &[u32],
    params: &WengLinParams,
) -> Result<Vec<WengLinRating>, RankingError> {
    let n = players.len();
    if n != ranks.len() {
        return Err(RankingError::RankCount {
            n_players: n,
            n_ranks: ranks.len(),
        });
    }
    let variances: Vec<f64> = players
        .iter()
        .map(|p| p.sigma.powi(2) + params.tau.powi(2))
        .collect();
    let c = variances
        .iter()
        .map(|v| v + params.beta.powi(2))
        .sum::<f64>()
        .sqrt();
    // Only ratios of the exponentials matter; the shift keeps them finite.
    let top = players
        .iter()
        .map(|p| p.mu)
        .fold(f64::NEG_INFINITY, f64::max);
    let strength: Vec<f64> = players.iter().map(|p| ((p.mu - top) / c).exp()).collect();
    let field = |q: usize| {
        (0..n)
            .filter(|&i| ranks[i] >= ranks[q])
            .map(|i| strength[i])
            .sum::<f64>()
    };
    let n_tied = |q: usize| ranks.iter().filter(|&&r| r == ranks[q]).count() as f64;

    let mut changes = vec![0.0; n];
    let mut rated = players.to_vec();
    for i in 0..n {
        let (mut omega, mut delta) = (0.0, 0.0);
        for q in (0..n).filter(|&q| ranks[q] <= ranks[i]) {
            let p = strength[i] / field(q);
            omega += if q == i { 1.0 - p } else { -p } / n_tied(q);
            delta += p * (1.0 - p) / n_tied(q);
        }
        let sigma = variances[i].sqrt();
        changes[i] = omega * variances[i] / c;
        rated[i].sigma = sigma
            * (1.0 - delta * variances[i] / (c * c) * (sigma / c))
                .max(params.kappa)
                .sqrt();
    }
    for i in 0..n {
        let shared: f64 = (0..n)
            .filter(|&j| ranks[j] == ranks[i])
            .map(|j| changes[j])
            .sum();
        rated[i].mu += shared / n_tied(i);
    }
    Ok(rated)
}
