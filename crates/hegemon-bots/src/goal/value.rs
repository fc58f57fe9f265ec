//! The value of a state when the attacks end.

use std::sync::Arc;

use hegemon_core::{Phase, PlayerId, State};
use hegemon_eval::{WinShareModel, expected_income, player_features};

/// How states are valued, in `[0, 1]` for the player who plans.
#[derive(Clone, Debug)]
pub enum Valuation {
    /// Own expected income less the largest rival's (Lozano and Bratz 2012,
    /// iii), scaled by the largest income seen.
    Income {
        /// Half the width of the range of differences.
        scale: f64,
        /// Sets traded before the attacks: armies from a captured hand are
        /// income too.
        n_traded: u32,
    },
    /// The same with continents weighted by the chance of keeping them, plus
    /// a fraction of an army of income for each army on the board.
    Held {
        /// As above.
        scale: f64,
    },
    /// The share of the win that a fitted model predicts.
    Learned(Arc<WinShareModel>),
}

/// Weight of an army on the board against one of income in [`Valuation::Held`].
const ARMY_WORTH: f64 = 0.15;

impl Valuation {
    /// The value of a state for `me`, if the attacks ended here.
    pub fn value(&self, state: &State, me: PlayerId) -> f64 {
        if state.phase() == Phase::Over {
            return state.score(me);
        }
        match self {
            Valuation::Income { scale, n_traded } => {
                let income = |p| expected_income(state, me, p);
                let captured = captured_armies(state, *n_traded);
                let own = income(me) + f64::from(captured);
                unit(own - largest_rival(state, me, income), *scale)
            }
            Valuation::Held { scale } => {
                let all = player_features(state, me);
                let worth = |p: PlayerId| {
                    let o = &all[p];
                    let bonus = 0.5 * (o.bonus + o.held_bonus);
                    o.land + bonus + o.card_worth + ARMY_WORTH * f64::from(o.armies)
                };
                unit(worth(me) - largest_rival(state, me, worth), *scale)
            }
            Valuation::Learned(model) => model.share(state, me),
        }
    }

    /// A scale for the incomes of a state: twice the largest of them and what
    /// all continents pay.
    pub fn scale_of(state: &State) -> f64 {
        let me = state.player();
        let largest = state
            .alive()
            .map(|p| expected_income(state, me, p))
            .fold(0.0, f64::max);
        2.0 * largest + 10.0
    }
}

/// Armies from sets traded after the first `n_traded`.
fn captured_armies(state: &State, n_traded: u32) -> u32 {
    let sets = n_traded..state.n_traded();
    sets.map(|n| state.game().next_set_worth(n)).sum()
}

fn largest_rival(state: &State, me: PlayerId, worth: impl Fn(PlayerId) -> f64) -> f64 {
    let rivals = state.alive().filter(|&p| p != me);
    rivals.map(worth).fold(0.0, f64::max)
}

/// A difference of incomes as a number in `[0, 1)`: a win is more.
fn unit(difference: f64, scale: f64) -> f64 {
    (0.5 + 0.5 * difference / scale).clamp(0.0, 0.999)
}
