//! Shares of the win: each player's strength is the exponential of a linear
//! function of its features relative to the others', and shares are
//! proportional to strength (a conditional logit, D. McFadden 1974).

use hegemon_core::{ByPlayer, PlayerId, State};

use crate::player_features::{PlayerFeatures, player_features};
use crate::win_share_weights::WinShareWeights;

/// How many features there are.
pub const N_WIN_SHARE_FEATURES: usize = 14;

/// Version of the features. Any change of a value requires a new name.
pub const WIN_SHARE_SCHEMA: &str = "contest-14/1";

/// The features by name. "Beside the mean" is the mean of those still in the
/// game; `ln` features are logarithms of such ratios.
pub const WIN_SHARE_FEATURES: [&str; N_WIN_SHARE_FEATURES] = [
    "ln-armies",
    "ln-income",
    "ln-held-income",
    "ln-territories",
    "armies-share",
    "income-share",
    "cards",
    "threatened-bonus",
    "potential",
    "frontier",
    "concentration",
    "exposure",
    "menace",
    "wait",
];

/// The features of each player. `players` are in turn order starting with the
/// player to move; eliminated players get zeros.
///
/// ```
/// use hegemon_eval::{PlayerFeatures, win_share_features};
/// let player = PlayerFeatures { is_alive: true, armies: 10, territories: 7, land: 3.0, ..PlayerFeatures::default() };
/// let features = win_share_features(&[player, player]);
/// assert_eq!(features[0][0], 0.0, "both have the mean of the armies");
/// ```
pub fn win_share_features(players: &[PlayerFeatures]) -> Vec<[f64; N_WIN_SHARE_FEATURES]> {
    let alive = || players.iter().filter(|o| o.is_alive);
    let n_alive = alive().count().max(1) as f64;
    let mean = |number: fn(&PlayerFeatures) -> f64| alive().map(number).sum::<f64>() / n_alive;
    let armies = mean(|o| f64::from(o.armies)).max(1.0);
    let income = mean(PlayerFeatures::income).max(1.0);
    let held = mean(held_income).max(1.0);
    let territories = mean(|o| f64::from(o.territories)).max(1.0);
    let features = |(place, o): (usize, &PlayerFeatures)| {
        if !o.is_alive {
            return [0.0; N_WIN_SHARE_FEATURES];
        }
        let (own_armies, own_territories) = (f64::from(o.armies), f64::from(o.territories));
        [
            libm::log((own_armies + 0.5) / (armies + 0.5)),
            libm::log(o.income() / income),
            libm::log(held_income(o) / held),
            libm::log((own_territories + 0.5) / (territories + 0.5)),
            own_armies / (armies * n_alive),
            o.income() / (income * n_alive),
            o.card_worth / armies,
            (o.bonus - o.held_bonus) / income,
            o.potential / income,
            f64::from(o.frontier_armies) / own_armies.max(1.0),
            f64::from(o.largest_army) / own_armies.max(1.0),
            o.exposure / own_territories.max(1.0),
            o.menace / territories,
            // The player who has just moved waits longest.
            if place == 0 {
                1.0
            } else {
                place as f64 / players.len() as f64
            },
        ]
    };
    players.iter().enumerate().map(features).collect()
}

fn held_income(o: &PlayerFeatures) -> f64 {
    o.land + o.held_bonus + o.card_worth
}

/// Predicts shares of the win with fitted weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WinShareModel {
    weights: [f64; N_WIN_SHARE_FEATURES],
}

impl WinShareModel {
    /// The model of a weights file.
    pub fn new(weights: &WinShareWeights) -> WinShareModel {
        WinShareModel::with_weights(weights.vector())
    }

    /// The model of weights in the order of [`WIN_SHARE_FEATURES`].
    pub fn with_weights(weights: [f64; N_WIN_SHARE_FEATURES]) -> WinShareModel {
        WinShareModel { weights }
    }

    /// Shares of the players with these features.
    pub fn shares(&self, features: &[[f64; N_WIN_SHARE_FEATURES]], is_alive: &[bool]) -> Vec<f64> {
        let strength = |x: &[f64; N_WIN_SHARE_FEATURES]| -> f64 {
            self.weights.iter().zip(x).map(|(w, x)| w * x).sum()
        };
        let mut shares: Vec<f64> = features.iter().map(strength).collect();
        let largest = shares
            .iter()
            .zip(is_alive)
            .filter(|(_, alive)| **alive)
            .map(|(s, _)| *s)
            .fold(f64::NEG_INFINITY, f64::max);
        for (share, alive) in shares.iter_mut().zip(is_alive) {
            *share = if *alive {
                libm::exp(*share - largest)
            } else {
                0.0
            };
        }
        let total: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= total.max(f64::MIN_POSITIVE);
        }
        shares
    }

    /// The share of `me`, who sees the state and has the turn.
    pub fn share(&self, state: &State, me: PlayerId) -> f64 {
        self.share_after(state, me, me)
    }

    /// The share of `me`, who sees the state, when `mover` has just moved.
    pub fn share_after(&self, state: &State, me: PlayerId, mover: PlayerId) -> f64 {
        let all = player_features(state, me);
        let in_order = in_turn_order(&all, state, mover);
        let features = win_share_features(&in_order);
        let is_alive: Vec<bool> = in_order.iter().map(|o| o.is_alive).collect();
        let n = state.game().n_players();
        self.shares(&features, &is_alive)[(me.index() + n - mover.index()) % n]
    }
}

/// The players in turn order from `first`.
pub(crate) fn in_turn_order(
    all: &ByPlayer<PlayerFeatures>,
    state: &State,
    first: PlayerId,
) -> Vec<PlayerFeatures> {
    let n = state.game().n_players();
    let seat = |step| PlayerId::new((first.index() + step) % n);
    (0..n).map(|step| all[seat(step)]).collect()
}
