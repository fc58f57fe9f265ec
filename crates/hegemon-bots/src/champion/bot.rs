//! The champion at the table.

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::{Event, Move, Rng, State, View};

use super::beliefs::{Beliefs, draw};
use super::clock::TurnClock;
use super::look::{Candidate, Lookout, Table};
use super::stand_in::StandIn;
use crate::bot::{Bot, Forfeit};
use crate::search::{Plan, Trial, candidates, halve, only_move};

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Looks a candidate, on average.
    Looks(u32),
    /// Wall time a turn.
    Time(Duration),
}

/// What the champion plays with.
pub(super) struct ChampionParams {
    pub(super) lookout: Lookout,
    pub(super) effort: Effort,
    /// Bots whose next moves are candidates, continued by themselves; the first also
    /// continues all other candidates and plays later turns.
    pub(super) portfolio: Vec<StandIn>,
    /// Bots that the others may be.
    pub(super) suspects: Arc<[StandIn]>,
}

/// The strongest player: tries every candidate by looks ahead in which the others
/// play as they have been seen to play.
pub(super) struct ChampionBot {
    params: ChampionParams,
    beliefs: Beliefs,
    clock: TurnClock,
    rng: Rng,
    plan: Plan,
}

/// One look: a world of hidden cards, who sits where, and the seed of the dice.
struct Setting {
    world: State,
    /// Numbers of suspects by seat.
    rivals: Vec<usize>,
    seed: u64,
}

/// Looks that are prepared at once.
const A_BATCH: u64 = 64;

impl ChampionBot {
    pub(super) fn new(params: ChampionParams, n_players: usize, mut rng: Rng) -> ChampionBot {
        let watcher = Rng::from_seed(rng.word());
        ChampionBot {
            beliefs: Beliefs::new(Arc::clone(&params.suspects), n_players, watcher),
            clock: TurnClock::default(),
            params,
            rng,
            plan: Plan::default(),
        }
    }

    fn candidates(&mut self, state: &State) -> Vec<Trial<Candidate>> {
        let mut all: Vec<Candidate> = Vec::new();
        let mut add = |candidate: Candidate| {
            if !all.contains(&candidate) {
                all.push(candidate);
            }
        };
        // The bots' own moves come first, so that they win ties.
        for (follower, bot) in self.params.portfolio.iter().enumerate() {
            if let Some(action) = bot.action(state, &mut self.rng) {
                add(Candidate { action, follower });
            }
        }
        for action in candidates(state) {
            add(Candidate {
                action,
                follower: 0,
            });
        }
        all.into_iter().map(Trial::new).collect()
    }

    fn setting(&mut self, view: View<'_>, posteriors: &[Vec<f64>]) -> Setting {
        let rivals = posteriors.iter().map(|p| draw(p, &mut self.rng));
        Setting {
            rivals: rivals.collect(),
            world: view.sample_state(&mut self.rng),
            seed: self.rng.word(),
        }
    }

    /// The value of a candidate in a setting.
    fn look(params: &ChampionParams, candidate: &Candidate, setting: &Setting) -> f64 {
        let rivals = setting.rivals.iter().map(|n| &params.suspects[*n]);
        let table = Table {
            follower: &params.portfolio[candidate.follower],
            base: &params.portfolio[0],
            rivals: &rivals.collect::<Vec<_>>(),
        };
        let Setting { world, seed, .. } = setting;
        params
            .lookout
            .look(world, &candidate.action, &table, *seed)
    }

    fn decide(&mut self, view: View<'_>) -> Option<Candidate> {
        let state = view.sample_state(&mut self.rng);
        let mut trials = self.candidates(&state);
        let posteriors: Vec<Vec<f64>> = view
            .game()
            .seats()
            .map(|seat| self.beliefs.posterior(seat))
            .collect();
        let total = match self.params.effort {
            Effort::Looks(each) => u64::from(each) * trials.len() as u64,
            Effort::Time(limit) => self.clock.begin(view, limit),
        };
        halve(&mut trials, total, 2, |trials, each| {
            let mut left = each;
            while left > 0 {
                let n = left.min(A_BATCH);
                left -= n;
                let settings: Vec<Setting> =
                    (0..n).map(|_| self.setting(view, &posteriors)).collect();
                for setting in &settings {
                    for trial in &mut *trials {
                        let value = ChampionBot::look(&self.params, &trial.action, setting);
                        if self.params.lookout.stop.is_raised() {
                            // This look was cut short.
                            return false;
                        }
                        trial.add(value);
                    }
                    self.clock.count(trials.len() as u64);
                    if self.clock.is_up() {
                        return false;
                    }
                }
            }
            true
        });
        self.clock.end();
        trials.into_iter().next().map(|trial| trial.action)
    }
}

impl Bot for ChampionBot {
    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, before: View<'_>, event: Event) {
        if let Event::Move(mv) = event
            && before.player() != before.seat()
        {
            self.beliefs.observe(before, mv);
        }
    }

    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(mv) = self.plan.next(view) {
            return Ok(mv);
        }
        if view.n_legal_moves() == 1 {
            return Ok(only_move(view));
        }
        Ok(match self.decide(view) {
            Some(candidate) => self.plan.start(&candidate.action),
            None => only_move(view),
        })
    }
}
