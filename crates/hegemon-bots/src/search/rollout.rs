//! Policy improvement: try every candidate move by playouts of a base policy.
//!
//! Tesauro and Galperin 1996 (rollouts of a base policy); Karnin, Koren and
//! Somekh 2013 (sequential halving of the candidates).

use hegemon_core::{Move, Node, PlayerId, Rng, State, View};
use hegemon_search::{Discount, Domain, Stop, Values};

use super::action::RiskAction;
use super::base::{Base, territory_shares};
use super::candidates::candidates;
use super::follow::PlannedMoves;
use super::halving::{Trial, halve};
use super::mcts::only_move;
use super::risk::{RiskGame, player_of, scores, turns_played};
use crate::bot::{Bot, Forfeit};

/// Parameters of [`RolloutBot`].
#[derive(Clone, Debug)]
pub struct RolloutParams {
    /// The policy that plays the playouts.
    pub base: Base,
    /// Playouts per candidate, on average.
    pub playouts: u32,
    /// In each round of halving, one candidate in this many stays.
    pub halving: usize,
    /// Discount per turn.
    pub discount: Option<Discount>,
    /// Decisions after which a playout is scored by territory share.
    pub cap: u32,
    /// Ends a search early.
    pub stop: Stop,
}

/// A bot that plays the candidate whose playouts ended best.
pub struct RolloutBot {
    params: RolloutParams,
    game: RiskGame,
    rng: Rng,
    plan: PlannedMoves,
}

impl RolloutBot {
    /// A bot with its own stream of randomness.
    pub fn new(params: RolloutParams, game: RiskGame, rng: Rng) -> RolloutBot {
        RolloutBot {
            params,
            game,
            rng,
            plan: PlannedMoves::default(),
        }
    }

    fn trials(&mut self, state: &State) -> Vec<Trial<RiskAction>> {
        let mut actions = candidates(state);
        // The base's own move comes first, so that it wins ties.
        if let Some(action) = self.params.base.choose_action(state, &mut self.rng) {
            actions.retain(|known| *known != action);
            actions.insert(0, action);
        }
        actions.into_iter().map(Trial::new).collect()
    }

    /// The result of one playout after an action, for the seat that moved.
    fn playout(&self, state: &State, seat: PlayerId, action: &RiskAction, rng: &mut Rng) -> f64 {
        let mut next = state.clone();
        self.game.play(&mut next, action);
        let RolloutParams {
            base, cap, stop, ..
        } = &self.params;
        base.play(&mut next, *cap, rng, stop);
        let values: Values = match next.node() {
            Node::Terminal => scores(&next),
            _ => territory_shares(&next),
        };
        let value = values[player_of(seat)];
        let Some(Discount { per_turn, neutral }) = self.params.discount else {
            return value;
        };
        let neutral = neutral.unwrap_or(1.0 / state.game().n_players() as f64);
        let turns = turns_played(&next).saturating_sub(turns_played(state));
        neutral + libm::pow(per_turn, f64::from(turns)) * (value - neutral)
    }

    /// Sequential halving over the candidates.
    fn decide(&mut self, view: View<'_>) -> Option<RiskAction> {
        let state = view.sample_state(&mut self.rng);
        let hidden = view.game().rules().has_cards() || view.mission().is_some();
        let mut trials = self.trials(&state);
        let total = u64::from(self.params.playouts) * trials.len() as u64;
        let mut world = state.clone();
        halve(&mut trials, total, self.params.halving, |trials, each| {
            for _ in 0..each {
                // Every candidate meets the same hidden cards and the same dice.
                let seed = self.rng.word();
                if hidden {
                    world = view.sample_state(&mut self.rng);
                }
                for trial in &mut *trials {
                    let mut rng = Rng::from_seed(seed);
                    let value = self.playout(&world, view.seat(), &trial.action, &mut rng);
                    if self.params.stop.is_raised() {
                        // This playout was cut short.
                        return false;
                    }
                    trial.add(value);
                }
            }
            true
        });
        trials.into_iter().next().map(|trial| trial.action)
    }
}

impl Bot for RolloutBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(mv) = self.plan.next(view) {
            return Ok(mv);
        }
        if view.n_legal_moves() == 1 {
            return Ok(only_move(view));
        }
        Ok(match self.decide(view) {
            Some(action) => self.plan.start(&action),
            None => only_move(view),
        })
    }
}
