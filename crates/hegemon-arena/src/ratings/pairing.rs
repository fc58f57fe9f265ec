//! Whom to play next, and how sure a difference of ratings is.
//!
//! Source: the sampling-MCTS paper pairs the players with the smallest z-score of their rating
//! difference. The pure minimum starves the other pairs, so pairs are drawn with weight `exp(-z)`,
//! and a floor of games per line-up can be forced. For more than two seats a line-up weighs
//! `exp(-mean pairwise z)`.

use super::glicko2::Glicko2Rating;
use crate::stats::normal_sf;

/// A set of players that could play next.
#[derive(Debug, Clone, PartialEq)]
pub struct Lineup {
    /// Player indices, ascending.
    pub players: Vec<usize>,
    /// The unnormalised weight of drawing it.
    pub weight: f64,
}

/// `|r_x - r_y| / sqrt(RD_x^2 + RD_y^2)`; 0 for equal ratings, whatever the deviations.
pub fn z_score(x: &Glicko2Rating, y: &Glicko2Rating) -> f64 {
    signed_z(x, y).abs()
}

/// The one-sided p-value for "`stronger` is stronger than `weaker`", `1 - Phi(z)` with the sign of
/// the difference; above 1/2 when the ratings say the opposite.
pub fn p_value(stronger: &Glicko2Rating, weaker: &Glicko2Rating) -> f64 {
    normal_sf(signed_z(stronger, weaker))
}

/// The weight of one line-up, in (0, 1]; 1 for fewer than two players.
///
/// # Panics
/// If `players` names a player that is not in `ratings`.
pub fn lineup_weight(ratings: &[Glicko2Rating], players: &[usize]) -> f64 {
    let (mut sum, mut n) = (0.0, 0u32);
    for (k, &x) in players.iter().enumerate() {
        for &y in &players[k + 1..] {
            sum += z_score(&ratings[x], &ratings[y]);
            n += 1;
        }
    }
    (-sum / f64::from(n.max(1))).exp()
}

/// All line-ups of `n_seats` different players in lexicographic order with their weights; empty
/// when there are fewer players than seats, or no seat.
///
/// There are `n! / (k! (n-k)!)` of them. For a large pool draw line-ups uniformly instead and
/// accept each with probability [`lineup_weight`].
pub fn lineup_weights(ratings: &[Glicko2Rating], n_seats: usize) -> Vec<Lineup> {
    let n = ratings.len();
    let mut lineups = Vec::new();
    if n_seats == 0 || n_seats > n {
        return lineups;
    }
    let mut players: Vec<usize> = (0..n_seats).collect();
    loop {
        lineups.push(Lineup {
            players: players.clone(),
            weight: lineup_weight(ratings, &players),
        });
        // The rightmost seat that can still advance.
        let Some(seat) = (0..n_seats).rfind(|&s| players[s] < n - n_seats + s) else {
            return lineups;
        };
        players[seat] += 1;
        for s in seat + 1..n_seats {
            players[s] = players[s - 1] + 1;
        }
    }
}

/// While some line-up has fewer than `floor` games, gives weight 0 to all that have enough.
///
/// # Panics
/// If there is not one count per line-up.
pub fn force_floor(lineups: &mut [Lineup], n_games: &[u64], floor: u64) {
    assert_eq!(lineups.len(), n_games.len(), "one count per line-up");
    if n_games.iter().any(|&n| n < floor) {
        for (lineup, _) in lineups
            .iter_mut()
            .zip(n_games)
            .filter(|(_, n)| **n >= floor)
        {
            lineup.weight = 0.0;
        }
    }
}

/// The line-up that a uniform number `u` in [0, 1) picks; `None` when no weight is positive.
pub fn choose(lineups: &[Lineup], u: f64) -> Option<&Lineup> {
    let mut rest = u * lineups.iter().map(|l| l.weight).sum::<f64>();
    let mut last = None;
    for lineup in lineups.iter().filter(|l| l.weight > 0.0) {
        last = Some(lineup);
        if rest < lineup.weight {
            break;
        }
        rest -= lineup.weight;
    }
    last
}

fn signed_z(x: &Glicko2Rating, y: &Glicko2Rating) -> f64 {
    let difference = x.rating - y.rating;
    if difference == 0.0 {
        0.0
    } else {
        difference / x.deviation.hypot(y.deviation)
    }
}
