//! The bots that look a fixed number of plies ahead: EMM and Greedy of
//! Brand and Kroon 2014 (docs/spec/sampling.md 5.6).

use std::sync::Arc;

use hegemon_core::{Move, Rng, State, View};
use hegemon_eval::Evaluator;
use hegemon_search::{Domain, EmmParams, Evaluate, Expectiminimax, Hooks, Player, Stop, Values};

use super::action::RiskAction;
use super::base::{Base, BasePlayout};
use super::evaluate::RiskEvaluation;
use super::follow::PlannedMoves;
use super::mcts::only_move;
use super::risk::{RiskGame, player_of};
use crate::bot::{Bot, Forfeit};

/// Expectiminimax: the best of a few sampled actions at each decision, means at
/// chance, evaluations at the end; occupations by evaluation.
pub struct EmmBot {
    search: Expectiminimax<RiskGame>,
    evaluator: Arc<Evaluator>,
    rng: Rng,
    plan: PlannedMoves,
}

/// For whom the leaves of the search are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafView {
    /// For every player by its own share.
    Each,
    /// For all by the share of who is to move there, as in the code of Brand and Kroon
    /// 2014 (docs/spec/sampling.md 5.8, row 20). A known bug, available for comparison.
    Mover,
}

/// The evaluation of a leaf from the side of who is to move there.
struct MoverEvaluation(RiskEvaluation);

impl Evaluate<RiskGame> for MoverEvaluation {
    fn values(&self, game: &RiskGame, state: &State) -> Values {
        let shares = self.0.values(game, state);
        let share = shares[player_of(state.player())];
        let mut values = Values::default();
        for seat in state.game().seats() {
            values[player_of(seat)] = share;
        }
        values
    }

    fn action_value(
        &self,
        game: &RiskGame,
        state: &State,
        mover: Player,
        action: &RiskAction,
    ) -> f64 {
        self.0.action_value(game, state, mover, action)
    }

    fn action_values(
        &self,
        game: &RiskGame,
        state: &State,
        mover: Player,
        actions: &[RiskAction],
        out: &mut Vec<f64>,
    ) {
        self.0.action_values(game, state, mover, actions, out);
    }
}

impl EmmBot {
    /// A bot with its own stream of randomness.
    pub fn new(
        game: RiskGame,
        (evaluator, leaf): (Arc<Evaluator>, LeafView),
        params: EmmParams,
        stop: Stop,
        rng: Rng,
    ) -> EmmBot {
        let evaluation = RiskEvaluation::new(Arc::clone(&evaluator));
        let hooks = Hooks {
            evaluate: match leaf {
                LeafView::Each => Arc::new(evaluation),
                LeafView::Mover => Arc::new(MoverEvaluation(evaluation)),
            },
            playout: Arc::new(BasePlayout {
                base: Base::Simulation,
                shares_at_limit: true,
                stop: stop.clone(),
            }),
            suggest: None,
        };
        let game = game.with_occupier(Arc::clone(&evaluator));
        EmmBot {
            search: Expectiminimax::new(game, hooks, params).with_stop(stop),
            evaluator,
            rng,
            plan: PlannedMoves::default(),
        }
    }
}

impl Bot for EmmBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(mv) = self.plan.next(view) {
            return Ok(mv);
        }
        if view.n_legal_moves() == 1 {
            return Ok(only_move(view));
        }
        let state = view.sample_state(&mut self.rng);
        if view.front().is_some() {
            let armies = super::risk::best_occupation(&self.evaluator, &state);
            return Ok(Move::Occupy { armies });
        }
        let report = self.search.search(&state, &mut self.rng);
        Ok(match report.best {
            Some(action) => self.plan.start(&action),
            None => only_move(view),
        })
    }
}

/// Actions evaluated between two checks of the stop handle.
const PIECE: usize = 2000;

/// One ply: the best of several samples by evaluation. The training player of
/// Brand and Kroon ("ten candidates, each the best of 50"): the best of ten
/// times the best of 50 is the best of 500.
pub struct GreedyBot {
    game: RiskGame,
    evaluation: RiskEvaluation,
    samples: usize,
    rng: Rng,
    plan: PlannedMoves,
    actions: Vec<RiskAction>,
    values: Vec<f64>,
    stop: Stop,
}

impl GreedyBot {
    /// A bot with its own stream of randomness. Up to `samples` actions are all
    /// evaluated; of more, `samples` are drawn.
    pub fn new(game: RiskGame, evaluator: Arc<Evaluator>, samples: usize, rng: Rng) -> GreedyBot {
        GreedyBot {
            game,
            evaluation: RiskEvaluation::new(evaluator),
            samples,
            rng,
            plan: PlannedMoves::default(),
            actions: Vec::new(),
            values: Vec::new(),
            stop: Stop::never(),
        }
    }

    /// The same bot, which ends a search early when this handle is raised.
    pub fn with_stop(mut self, stop: Stop) -> GreedyBot {
        self.stop = stop;
        self
    }

    /// Lists or draws the actions and evaluates them, in chunks, so that the
    /// search can end between them.
    fn look(&mut self, state: &State) {
        self.actions.clear();
        self.values.clear();
        let is_listed = self.game.n_actions(state) <= self.samples as u128;
        if is_listed {
            self.game.actions(state, &mut self.actions);
        }
        loop {
            let start = self.values.len();
            if !is_listed {
                let n = PIECE.min(self.samples - start);
                self.game
                    .sample_actions(state, n, &mut self.rng, &mut self.actions);
            }
            let end = self.actions.len().min(start + PIECE);
            let piece = &self.actions[start..end];
            self.evaluation.values_of(state, piece, &mut self.values);
            let is_done = if is_listed {
                end == self.actions.len()
            } else {
                end == start || end >= self.samples
            };
            if is_done || self.stop.is_raised() {
                return;
            }
        }
    }
}

impl Bot for GreedyBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(mv) = self.plan.next(view) {
            return Ok(mv);
        }
        let state = view.sample_state(&mut self.rng);
        self.look(&state);
        let best = self
            .values
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let first = self
            .values
            .iter()
            .position(|&value| value == best)
            .unwrap_or(0);
        Ok(match self.actions.get(first) {
            Some(action) => self.plan.start(action),
            None => only_move(view),
        })
    }
}
