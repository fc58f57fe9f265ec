//! The bot of Lozano and Bratz 2012: one tree per goal; the best goal's line is
//! played until a battle is lost, then replanned; a base bot plays the other
//! phases.

use std::sync::Arc;

use hegemon_core::{Move, Phase, Rng, State, TerritoryId, View};

use super::goals::Goal;
use super::lookahead::Way;
use super::place_and_fortify;
use super::planner::{GoalParams, GoalPlan, Planner};
use super::value::Valuation;
use crate::bot::{Bot, Forfeit};

/// The index of the largest value, the first on ties.
pub(super) fn largest(values: &[f64]) -> usize {
    let mut best = 0;
    for (n, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = n;
        }
    }
    best
}

/// The bot of Lozano and Bratz 2012.
pub struct GoalBot {
    planner: Planner,
    base: Box<dyn Bot>,
    rng: Rng,
    /// The goal being executed.
    goal: Option<Goal>,
    /// Planned placements or fortifications, the next one last.
    decided: Vec<Move>,
    /// Whether the base plays the rest of the attack phase.
    is_delegated: bool,
    /// The most recent attack.
    ordered: Option<(TerritoryId, TerritoryId)>,
    /// Plans made in this turn, and the turn.
    n_plans: u32,
    round: u32,
}

impl GoalBot {
    /// A bot with its base and its own stream of randomness.
    pub fn new(params: GoalParams, base: Box<dyn Bot>, rng: Rng) -> GoalBot {
        GoalBot {
            planner: Planner::new(params),
            base,
            rng,
            goal: None,
            decided: Vec::new(),
            is_delegated: false,
            ordered: None,
            n_plans: 0,
            round: 0,
        }
    }

    fn begin_turn(&mut self, view: View<'_>) {
        if self.round != view.round() {
            self.round = view.round();
            self.goal = None;
            self.decided.clear();
            self.is_delegated = false;
            self.ordered = None;
            self.n_plans = 0;
        }
    }

    fn attack(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some((from, to)) = self.ordered.take() {
            let (board, me) = (view.board(), view.seat());
            let is_won = board.owner(to) == me;
            if !is_won && board.owner(from) == me && board.armies(from) > 1 {
                // Rules by single exchanges: the battle goes on.
                return Ok(self.order(view, from, to));
            }
            if !is_won {
                self.goal = None;
            }
        }
        let state = view.sample_state(&mut self.rng);
        let mv = self.next_attack(&state);
        if self.is_delegated {
            return self.base.choose(view);
        }
        if let Move::Attack { from, to, .. } = mv {
            self.ordered = Some((from, to));
        }
        Ok(mv)
    }

    fn order(&mut self, view: View<'_>, from: TerritoryId, to: TerritoryId) -> Move {
        self.ordered = Some((from, to));
        let with = *view.attack_range(from).end();
        Move::Attack { from, to, with }
    }

    /// The next planned move of a phase; plans the phase if there is none.
    fn follow(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if self.decided.is_empty() {
            let state = view.sample_state(&mut self.rng);
            self.decided = if view.phase() == Phase::Fortify {
                let (base, rng) = (self.base.as_mut(), &mut self.rng);
                place_and_fortify::fortify(&self.planner, base, &state, rng)
            } else {
                let budget = self.planner.budget(self.n_plans);
                let (base, rng) = (self.base.as_mut(), &mut self.rng);
                self.n_plans += 1;
                place_and_fortify::place(&self.planner, base, &state, budget, rng)
            };
        }
        match self.decided.pop() {
            Some(mv) if view.is_legal(mv) => Ok(mv),
            _ => {
                self.decided.clear();
                self.base.choose(view)
            }
        }
    }

    fn plans(
        &mut self,
        state: &State,
        goals: &[Goal],
        valuation: &Arc<Valuation>,
    ) -> Vec<Option<GoalPlan>> {
        let budget = self.planner.budget(self.n_plans);
        let seed = self.rng.word();
        self.planner.plans(state, goals, valuation, budget, seed)
    }

    /// The next attack of the current goal, or of the best new one.
    fn next_attack(&mut self, state: &State) -> Move {
        let valuation = Arc::new(self.planner.valuation(state));
        let least = valuation.value(state, state.player()) + self.planner.params.gain;
        let is_worth = |plan: &GoalPlan| plan.mv != Move::End && plan.value > least;
        if let Some(goal) = self.goal {
            let plan = self.plans(state, &[goal], &valuation).pop().flatten();
            if let Some(plan) = plan.filter(is_worth) {
                return plan.mv;
            }
        }
        let goals = Goal::sensible(state, self.planner.params.goals, self.planner.params.odds);
        let plans = self.plans(state, &goals, &valuation);
        self.n_plans += 1;
        let mut plans: Vec<GoalPlan> = plans.into_iter().flatten().collect();
        plans.retain(|plan| plan.mv != Move::End);
        plans.sort_by(|a, b| b.value.total_cmp(&a.value));
        let best = match &self.planner.lookahead {
            None => plans.into_iter().next().filter(is_worth),
            Some(lookahead) => {
                plans.truncate(self.planner.params.n_compared);
                let mut ways = vec![(state, Way::Stop)];
                if self.planner.params.all_phases {
                    ways.push((state, Way::Base));
                }
                let first = ways.len();
                let pursue = |plan: &GoalPlan| (state, Way::Pursue(plan.goal, Some(plan.mv)));
                ways.extend(plans.iter().map(pursue));
                let phase = self.planner.phase(state, Goal::Card, &valuation);
                let values = lookahead.values(&ways, &phase, &mut self.rng);
                let chosen = largest(&values);
                self.is_delegated = ways[chosen].1 == Way::Base;
                chosen.checked_sub(first).map(|n| plans[n])
            }
        };
        self.goal = best.map(|plan| plan.goal);
        best.map_or(Move::End, |plan| plan.mv)
    }

    fn occupy(&mut self, view: View<'_>) -> Move {
        let (fewest, most) = (view.fewest_to_occupy(), view.most_to_occupy());
        if fewest >= most {
            return Move::Occupy { armies: fewest };
        }
        let state = view.sample_state(&mut self.rng);
        let goal = self.goal.unwrap_or(Goal::Card);
        let valuation = Arc::new(self.planner.valuation(&state));
        match self.plans(&state, &[goal], &valuation).pop().flatten() {
            Some(GoalPlan { mv, .. }) => mv,
            None => Move::Occupy { armies: most },
        }
    }
}

impl Bot for GoalBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        self.begin_turn(view);
        match view.phase() {
            Phase::Attack | Phase::Occupy if self.is_delegated => self.base.choose(view),
            Phase::Attack => self.attack(view),
            Phase::Occupy => Ok(self.occupy(view)),
            Phase::Reinforce if view.is_mid_turn() && !self.is_delegated => {
                let goal = self.goal.unwrap_or(Goal::Card);
                let state = view.sample_state(&mut self.rng);
                match goal.front(&state) {
                    Some(territory) => Ok(Move::Place {
                        territory,
                        armies: view.to_place(),
                    }),
                    None => self.base.choose(view),
                }
            }
            Phase::Reinforce | Phase::Fortify
                if self.planner.params.all_phases && !view.is_mid_turn() =>
            {
                self.follow(view)
            }
            _ => self.base.choose(view),
        }
    }

    fn game_over(&mut self, result: &hegemon_core::GameResult) {
        self.base.game_over(result);
    }
}
