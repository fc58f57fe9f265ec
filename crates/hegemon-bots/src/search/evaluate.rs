//! The linear evaluation as the evaluator of a search.

use std::sync::Arc;

use hegemon_core::battle::approximate::{WeightedLosses, grouped};
use hegemon_core::battle::{Exchange, Losses};
use hegemon_core::rules::{Attack, Occupy};
use hegemon_core::{Move, Outcome, Phase, PlayerId, State, TerritoryId};
use hegemon_eval::{Batch, Evaluator, Stage};
use hegemon_search::{Evaluate, Player, Values};

use super::action::RiskAction;
use super::risk::{RiskGame, player_of};

/// Value of winning the game at once, above any evaluation.
const WIN: f64 = 1e3;
/// Value of an army in hand, since evaluations see only the board.
const ARMY_IN_HAND: f64 = 1e-2;
/// Outcomes of a battle beyond which they are grouped.
const MANY_OUTCOMES: usize = 8;
/// Number of groups of lost and of won outcomes.
const N_GROUPS: [u64; 2] = [3, 3];

/// Orders actions by the evaluation for the player who moves, and values states
/// by shares of the win (docs/spec/sampling.md 5.4 and 1.4).
#[derive(Clone, Debug)]
pub struct RiskEvaluation {
    evaluator: Arc<Evaluator>,
    /// Evaluation points in which the prior of an action grows by a factor e.
    prior_scale: f64,
}

impl RiskEvaluation {
    /// Wraps an evaluator.
    pub fn new(evaluator: Arc<Evaluator>) -> RiskEvaluation {
        RiskEvaluation {
            evaluator,
            prior_scale: 0.1,
        }
    }

    /// Sets how many evaluation points make a prior e times as large.
    pub fn with_prior_scale(mut self, prior_scale: f64) -> RiskEvaluation {
        self.prior_scale = prior_scale;
        self
    }

    /// The value of each action for the player to move, appended.
    pub fn values_of(&self, state: &State, actions: &[RiskAction], out: &mut Vec<f64>) {
        let mut batch = Batch::new(&self.evaluator, state.board(), state.player());
        let stage = Stage::of(state.phase());
        for action in actions {
            out.push(match action {
                RiskAction::Recruit(allocation) => batch.place(allocation.placed()),
                RiskAction::Play(mv) => self.value_of(&mut batch, state, *mv, stage),
            });
        }
    }

    fn value_of(&self, batch: &mut Batch<'_>, state: &State, mv: Move, stage: Stage) -> f64 {
        match mv {
            Move::Attack { from, to, with } => attack_value(batch, state, from, to, with),
            Move::Fortify { from, to, armies } => batch.shift(from, to, armies, stage),
            Move::Occupy { armies } => match state.front() {
                Some((from, to)) => batch.shift(from, to, armies, stage),
                None => batch.unchanged(stage),
            },
            Move::Place { territory, armies } => batch.place(&[(territory, armies)]),
            Move::End => batch.unchanged(stage),
            Move::Trade { .. } | Move::Claim { .. } | Move::Capital { .. } => {
                self.value_after(state, mv, stage)
            }
        }
    }

    /// The value of a move that is rare or changes owners, from scratch.
    fn value_after(&self, state: &State, mv: Move, stage: Stage) -> f64 {
        let (mut next, player) = (state.clone(), state.player());
        next.play_unchecked(mv);
        let gained = match next.phase() {
            Phase::Trade | Phase::Reinforce => next.to_place().saturating_sub(state.to_place()),
            _ => 0,
        };
        self.evaluator.evaluate(next.board(), player, stage) + ARMY_IN_HAND * f64::from(gained)
    }
}

/// The mean over the outcomes of an attack, after a conquest with the best
/// occupation. Many outcomes (battles to the end) are grouped.
fn attack_value(
    batch: &mut Batch<'_>,
    state: &State,
    from: TerritoryId,
    to: TerritoryId,
    with: u32,
) -> f64 {
    let battle = &state.game().rules().battle;
    let defenders = state.board().armies(to);
    let site = Front {
        state,
        from,
        to,
        with,
    };
    if battle.attack == Attack::Roll && !state.game().has_extra_die() {
        let exchange = Exchange::between(battle.dice, with, defenders);
        let mut sum = 0.0;
        for (losses, weight) in exchange.outcomes() {
            sum += f64::from(weight) * site.value(batch, losses.attacker, losses.defender);
        }
        return sum / f64::from(exchange.total());
    }
    let mut next = state.clone();
    next.play_unchecked(Move::Attack { from, to, with });
    let mut ends = Vec::new();
    next.for_each_outcome(|outcome, weight| {
        if let Outcome::Battle {
            attacker_losses,
            defender_losses,
        } = outcome
        {
            let losses = Losses {
                attacker: attacker_losses,
                defender: defender_losses,
            };
            ends.push(WeightedLosses { losses, weight });
        }
    });
    let total: f64 = ends.iter().map(|end| end.weight as f64).sum();
    if ends.len() > MANY_OUTCOMES {
        ends = grouped(ends, defenders, N_GROUPS);
    }
    let mut sum = 0.0;
    for WeightedLosses { losses, weight } in ends {
        sum += weight as f64 * site.value(batch, losses.attacker, losses.defender);
    }
    sum / total
}

/// An attack whose outcomes are evaluated.
struct Front<'a> {
    state: &'a State,
    from: TerritoryId,
    to: TerritoryId,
    with: u32,
}

impl Front<'_> {
    fn value(&self, batch: &mut Batch<'_>, attacker_losses: u32, defender_losses: u32) -> f64 {
        let board = self.state.board();
        if defender_losses < board.armies(self.to) {
            return batch.losses(self.from, self.to, (attacker_losses, defender_losses));
        }
        let loser = board.owner(self.to);
        if loser.is_seat() && board.n_owned(loser) == 1 && self.state.n_alive() == 2 {
            return WIN;
        }
        let most = board.armies(self.from) - attacker_losses - 1;
        let fewest = self.fewest(attacker_losses).min(most);
        batch
            .conquest(self.from, self.to, attacker_losses, &(fewest..=most))
            .0
    }

    fn fewest(&self, attacker_losses: u32) -> u32 {
        let battle = &self.state.game().rules().battle;
        match (battle.occupy, battle.attack) {
            (Occupy::One, _) => 1,
            (Occupy::DiceRolled, Attack::Roll) => self.with,
            _ => (self.with - attacker_losses).min(u32::from(battle.dice.attacker_max)),
        }
    }
}

/// The shares of the win as values of the search.
pub(crate) fn share_values(evaluator: &Evaluator, state: &State) -> Values {
    let shares = evaluator.win_shares(state);
    let mut values = Values::default();
    for seat in state.game().seats() {
        values[player_of(seat)] = shares[seat];
    }
    values
}

impl Evaluate<RiskGame> for RiskEvaluation {
    fn values(&self, _game: &RiskGame, state: &State) -> Values {
        share_values(&self.evaluator, state)
    }

    fn action_value(&self, _: &RiskGame, state: &State, _: Player, action: &RiskAction) -> f64 {
        let mut value = Vec::with_capacity(1);
        self.values_of(state, std::slice::from_ref(action), &mut value);
        value[0]
    }

    fn action_values(
        &self,
        _game: &RiskGame,
        state: &State,
        _mover: Player,
        actions: &[RiskAction],
        out: &mut Vec<f64>,
    ) {
        self.values_of(state, actions, out);
    }

    fn priors(
        &self,
        _game: &RiskGame,
        state: &State,
        mover: Player,
        actions: &[RiskAction],
        out: &mut Vec<f64>,
    ) {
        let start = out.len();
        self.values_of(state, actions, out);
        let player = PlayerId::new(mover.idx());
        let stage = Stage::of(state.phase());
        let base = Batch::new(&self.evaluator, state.board(), player).unchanged(stage);
        for value in &mut out[start..] {
            let gain = (*value - base) / self.prior_scale;
            *value = libm::exp(gain.clamp(-20.0, 20.0));
        }
    }
}
