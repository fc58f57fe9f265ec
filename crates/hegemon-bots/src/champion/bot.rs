//! The champion at the table.

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::{Event, Move, Rng, State, View};

use super::assault::Assault;
use super::beliefs::{Beliefs, draw};
use super::clock::TurnClock;
use super::look::{Candidate, LookSeats, Lookout, Reach, Then};
use super::stand_in::StandIn;
use super::suspects::Suspects;
use crate::bot::{Bot, Forfeit};
use crate::goal::{Goal, GoalKinds};
use crate::search::{PlannedMoves, RiskAction, Trial, candidates, halve, only_move};

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookBudget {
    /// Looks a candidate, on average.
    Looks(u32),
    /// Wall time a turn.
    Time(Duration),
}

/// What the champion plays with.
pub(super) struct ChampionParams {
    pub(super) lookout: Lookout,
    /// How far looks go while some rival is like none of the suspects, where that is
    /// another way.
    pub(super) among_strangers: Option<Reach>,
    /// Whether the plans of goals are candidates.
    pub(super) has_goals: bool,
    pub(super) effort: LookBudget,
    /// The chance to play any of the candidates.
    pub(super) errs: f64,
    /// Threads that look; the choice does not depend on it.
    pub(super) n_threads: usize,
    /// Bots whose next moves are candidates, continued by themselves; the first also
    /// continues all other candidates and plays later turns.
    pub(super) portfolio: Vec<StandIn>,
    /// Bots that the others may be.
    pub(super) suspects: Arc<Suspects>,
}

/// The strongest player: tries every candidate by looks ahead in which the others
/// play as they have been seen to play.
pub(super) struct ChampionBot {
    params: ChampionParams,
    beliefs: Beliefs,
    clock: TurnClock,
    rng: Rng,
    plan: PlannedMoves,
    assault: Option<Assault>,
}

/// One look: a world of hidden cards, who sits where, the seed of the dice, and how far it
/// goes.
pub(super) struct LookSetting {
    pub(super) world: State,
    /// Numbers of suspects by seat.
    pub(super) rivals: Vec<usize>,
    pub(super) seed: u64,
    pub(super) reach: Reach,
}

impl LookSetting {
    /// A setting that the view allows, players drawn by their chances.
    pub(super) fn draw(
        view: View<'_>,
        posteriors: &[Vec<f64>],
        reach: Reach,
        rng: &mut Rng,
    ) -> LookSetting {
        let rivals = posteriors.iter().map(|p| draw(p, rng));
        LookSetting {
            rivals: rivals.collect(),
            world: view.sample_state(rng),
            seed: rng.word(),
            reach,
        }
    }
}

/// Settings that a thread tries at a time.
const A_BATCH: u64 = 16;

impl ChampionBot {
    pub(super) fn new(params: ChampionParams, n_players: usize, mut rng: Rng) -> ChampionBot {
        let watcher = Rng::from_seed(rng.word());
        ChampionBot {
            beliefs: Beliefs::new(&params.suspects, n_players, watcher),
            clock: TurnClock::default(),
            params,
            rng,
            plan: PlannedMoves::default(),
            assault: None,
        }
    }

    fn decide(&mut self, view: View<'_>) -> Option<Candidate> {
        let state = view.sample_state(&mut self.rng);
        let candidates = self.params.candidates(&state, &mut self.rng);
        let mut trials: Vec<Trial<Candidate>> = candidates.into_iter().map(Trial::new).collect();
        if self.params.errs > 0.0 && self.rng.chance(self.params.errs) && !trials.is_empty() {
            let drawn = self.rng.below(trials.len() as u32) as usize;
            return Some(trials.swap_remove(drawn).action);
        }
        let posteriors = self.beliefs.posteriors();
        let reach = self.reach(view);
        let total = match self.params.effort {
            LookBudget::Looks(each) => u64::from(each) * trials.len() as u64,
            LookBudget::Time(limit) => self.clock.begin(view, limit),
        };
        halve(&mut trials, total, 2, |trials, each| {
            let mut left = each;
            while left > 0 {
                let n = left.min(self.params.n_threads as u64 * A_BATCH);
                left -= n;
                let settings: Vec<LookSetting> = (0..n)
                    .map(|_| LookSetting::draw(view, &posteriors, reach, &mut self.rng))
                    .collect();
                if !self.try_all(trials, &settings) {
                    return false;
                }
            }
            true
        });
        self.clock.end();
        trials.into_iter().next().map(|trial| trial.action)
    }

    /// How far looks go now.
    fn reach(&self, view: View<'_>) -> Reach {
        let usual = self.params.lookout.reach;
        let Some(reach) = self.params.among_strangers else {
            return usual;
        };
        let mut rivals = view.game().seats().filter(|seat| *seat != view.seat());
        let meets_stranger = rivals.any(|seat| self.beliefs.is_stranger(seat));
        if meets_stranger { reach } else { usual }
    }

    /// Tries all candidates in all settings; whether there was time for all.
    fn try_all(&mut self, trials: &mut [Trial<Candidate>], settings: &[LookSetting]) -> bool {
        let (params, clock) = (&self.params, &self.clock);
        let candidates: Vec<&Candidate> = trials.iter().map(|trial| &trial.action).collect();
        let share = settings.len().div_ceil(params.n_threads).max(1);
        let run = |settings: &[LookSetting]| -> Vec<Option<Vec<f64>>> {
            let look = |setting| params.look_at_all(&candidates, setting, clock);
            settings.iter().map(look).collect()
        };
        let mut shares = settings.chunks(share);
        let own = shares.next().unwrap_or_default();
        let values = std::thread::scope(|scope| {
            let others: Vec<_> = shares.map(|share| scope.spawn(|| run(share))).collect();
            let mut values = run(own);
            for other in others {
                values.extend(other.join().unwrap_or_default());
            }
            values
        });
        let is_complete = values.iter().all(Option::is_some);
        for values in values.iter().flatten() {
            for (trial, value) in trials.iter_mut().zip(values) {
                trial.add(*value);
            }
            self.clock.count(trials.len() as u64);
        }
        is_complete
    }
}

impl ChampionParams {
    /// What is tried at a decision, none twice.
    pub(super) fn candidates(&self, state: &State, rng: &mut Rng) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        let mut add = |candidate: Candidate| {
            if !all.contains(&candidate) {
                all.push(candidate);
            }
        };
        // The bots' own moves come first, so that they win ties.
        for (follower, bot) in self.portfolio.iter().enumerate() {
            if let Some(action) = bot.action(state, rng) {
                add(Candidate {
                    action,
                    then: Then::Rest,
                    follower,
                });
            }
        }
        for action in candidates(state) {
            add(Candidate {
                action,
                then: Then::Rest,
                follower: 0,
            });
        }
        for (goal, action) in self.goals(state) {
            add(Candidate {
                action,
                then: Then::Pursue(goal),
                follower: 0,
            });
        }
        all
    }

    /// The goals of a turn, each with what its default strategy does first.
    fn goals(&self, state: &State) -> Vec<(Goal, RiskAction)> {
        if !self.has_goals {
            return Vec::new();
        }
        let first = |goal: Goal| {
            let mv = goal.next_move(state).filter(|mv| state.is_legal(*mv))?;
            let action = match mv {
                Move::Place { territory, armies } => RiskAction::all_on(territory, armies),
                mv => RiskAction::Play(mv),
            };
            Some((goal, action))
        };
        let goals = Goal::all(state, GoalKinds::ALL);
        goals.into_iter().filter_map(first).collect()
    }

    /// The value of every candidate in a setting; none if there was no time for all.
    fn look_at_all(
        &self,
        candidates: &[&Candidate],
        setting: &LookSetting,
        clock: &TurnClock,
    ) -> Option<Vec<f64>> {
        let seated = |n: &usize| &self.suspects.players[*n];
        let rivals: Vec<&StandIn> = setting.rivals.iter().map(seated).collect();
        let mut values = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let table = LookSeats {
                then: candidate.then,
                follower: &self.portfolio[candidate.follower],
                base: &self.portfolio[0],
                rivals: &rivals,
            };
            values.push(self.lookout.look(setting, &candidate.action, &table));
            // The last look may have been cut short.
            if self.lookout.stop.is_raised() || clock.is_up() {
                return None;
            }
        }
        Some(values)
    }
}

impl Bot for ChampionBot {
    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, before: View<'_>, event: Event) {
        // Asking suspects may be slow: past the deadline it is skipped, which only loses evidence.
        if let Event::Move(mv) = event
            && before.player() != before.seat()
            && !self.params.lookout.stop.is_raised()
        {
            self.beliefs.observe(before, mv);
        }
    }

    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(mv) = self.plan.next(view) {
            return Ok(mv);
        }
        if let Some(mv) = self.assault.and_then(|assault| assault.again(view)) {
            return Ok(mv);
        }
        self.assault = None;
        if view.n_legal_moves() == 1 {
            return Ok(only_move(view));
        }
        let Some(candidate) = self.decide(view) else {
            return Ok(only_move(view));
        };
        let mv = self.plan.start(&candidate.action);
        self.assault = Assault::begun_by(mv, view);
        Ok(mv)
    }
}
