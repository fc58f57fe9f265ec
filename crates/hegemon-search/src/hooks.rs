//! Knowledge that a search may use: evaluation, playout policy, suggestions.
//!
//! Helmert 2026 (docs/spec/sampling.md 6.3): a default policy gives positive
//! probability to legal moves only and decides for all players; an evaluation
//! function called instead turns MCTS into heuristic search.

use std::sync::Arc;

use hegemon_core::Rng;

use crate::domain::{Domain, NodeKind};
use crate::key::key_of;
use crate::values::{Player, Values};

/// Heuristic values of states and actions.
pub trait Evaluate<G: Domain>: Send + Sync {
    /// The estimated value of a state that is not terminal, per player.
    fn values(&self, game: &G, state: &G::State) -> Values;

    /// How good an action is for the player who plays it. The default plays it
    /// on a copy and averages over chance.
    fn action_value(&self, game: &G, state: &G::State, mover: Player, action: &G::Action) -> f64 {
        let mut next = state.clone();
        game.play(&mut next, action);
        expected_value(self, game, &next, mover)
    }

    /// [`Evaluate::action_value`] of each action, appended. Override where work
    /// can be shared between the candidates of one state.
    fn action_values(
        &self,
        game: &G,
        state: &G::State,
        mover: Player,
        actions: &[G::Action],
        out: &mut Vec<f64>,
    ) {
        for action in actions {
            out.push(self.action_value(game, state, mover, action));
        }
    }

    /// Positive prior weights of the actions for PUCT, appended; the search
    /// scales them to sum to one over the children in the tree.
    fn priors(
        &self,
        _game: &G,
        _state: &G::State,
        _mover: Player,
        actions: &[G::Action],
        out: &mut Vec<f64>,
    ) {
        out.resize(out.len() + actions.len(), 1.0);
    }
}

/// The value for `player`, averaged over chance down to the next decision.
pub fn expected_value<G: Domain, E: Evaluate<G> + ?Sized>(
    evaluate: &E,
    game: &G,
    state: &G::State,
    player: Player,
) -> f64 {
    match game.kind(state) {
        NodeKind::Terminal => game.utilities(state)[player],
        NodeKind::Decision(_) => evaluate.values(game, state)[player],
        NodeKind::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let (mut sum, mut total) = (0.0, 0.0);
            for (outcome, weight) in outcomes {
                let mut next = state.clone();
                game.resolve(&mut next, outcome);
                sum += weight as f64 * expected_value(evaluate, game, &next, player);
                total += weight as f64;
            }
            sum / total
        }
    }
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayoutEnd {
    /// The game ended; the state passed in may no longer be valid.
    Finished {
        /// Utilities of the end.
        values: Values,
        /// [`Domain::turns_played`] of the end.
        turns_played: u32,
    },
    /// The limit was reached; the state is the position reached, which the
    /// search will evaluate.
    Cut,
}

/// The moves of a playout, needed by RAVE only.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    wanted: bool,
    moves: Vec<(Player, u64)>,
}

impl Trace {
    pub(crate) fn new(wanted: bool) -> Trace {
        Trace {
            wanted,
            moves: Vec::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.moves.clear();
    }

    pub(crate) fn moves(&self) -> &[(Player, u64)] {
        &self.moves
    }

    /// Records an action of a playout; costs nothing if RAVE is off.
    #[inline]
    pub fn note<A: std::hash::Hash>(&mut self, mover: Player, action: &A) {
        if self.wanted {
            self.moves.push((mover, key_of(action)));
        }
    }
}

/// A default policy: plays for all players.
pub trait Playout<G: Domain>: Send + Sync {
    /// Plays from `state` (at a decision) to the end of the game, or for
    /// `limit` decisions. `trace` may be ignored; RAVE then learns from the
    /// moves in the tree alone.
    fn play_out(
        &self,
        game: &G,
        state: &mut G::State,
        limit: u32,
        rng: &mut Rng,
        trace: &mut Trace,
    ) -> PlayoutEnd;
}

/// A player whose move is tried first at each decision (MCTS Baseline).
pub trait Suggest<G: Domain>: Send + Sync {
    /// A legal action, or nothing to suggest here.
    fn suggest(
        &self,
        game: &G,
        state: &G::State,
        mover: Player,
        rng: &mut Rng,
    ) -> Option<G::Action>;
}

/// The uniformly random default policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformPlayout;

impl<G: Domain> Playout<G> for UniformPlayout {
    fn play_out(
        &self,
        game: &G,
        state: &mut G::State,
        limit: u32,
        rng: &mut Rng,
        trace: &mut Trace,
    ) -> PlayoutEnd {
        let mut decisions = 0;
        loop {
            match game.kind(state) {
                NodeKind::Terminal => {
                    return PlayoutEnd::Finished {
                        values: game.utilities(state),
                        turns_played: game.turns_played(state),
                    };
                }
                NodeKind::Chance => {
                    let outcome = game.sample_outcome(state, rng);
                    game.resolve(state, outcome);
                }
                NodeKind::Decision(_) if decisions == limit => return PlayoutEnd::Cut,
                NodeKind::Decision(mover) => {
                    let action = game.sample_action(state, rng);
                    trace.note(mover, &action);
                    game.play(state, &action);
                    decisions += 1;
                }
            }
        }
    }
}

/// No knowledge: every state is worth `1 / n_players` to each player.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluation;

impl<G: Domain> Evaluate<G> for NoEvaluation {
    fn values(&self, game: &G, _state: &G::State) -> Values {
        let n = game.n_players();
        Values::all(n, 1.0 / n as f64)
    }
}

/// The knowledge given to a search.
pub struct Hooks<G: Domain> {
    /// Orders samples, evaluates cut playouts and leaves, gives priors.
    pub evaluate: Arc<dyn Evaluate<G>>,
    /// The default policy.
    pub playout: Arc<dyn Playout<G>>,
    /// The action to try first, if any.
    pub suggest: Option<Arc<dyn Suggest<G>>>,
}

impl<G: Domain> Clone for Hooks<G> {
    fn clone(&self) -> Self {
        Hooks {
            evaluate: Arc::clone(&self.evaluate),
            playout: Arc::clone(&self.playout),
            suggest: self.suggest.clone(),
        }
    }
}

impl<G: Domain> Default for Hooks<G> {
    /// Uniform playouts, no evaluation, no suggestion.
    fn default() -> Self {
        Hooks {
            evaluate: Arc::new(NoEvaluation),
            playout: Arc::new(UniformPlayout),
            suggest: None,
        }
    }
}
