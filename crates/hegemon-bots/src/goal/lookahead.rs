//! Lookahead to the next turn: the rest of the turn is played for each candidate,
//! then all players play like the base until the player's next turn, and the
//! resulting state is valued. What the others would take back then no longer has
//! to be estimated.

use std::sync::Arc;

use hegemon_core::{Game, Move, Phase, PlayerId, Rng, State, mix};
use hegemon_search::Domain as _;

use super::goals::Goal;
use super::phase::AttackPhase;
use super::value::Valuation;
use crate::bot::{Bot, Seating};
use crate::loader::Grants;
use crate::play_on::{Seats, legal_choice, play_on};
use crate::registry;
use crate::spec::Spec;

/// Decisions after which a lookahead stops.
const MAX_DECISIONS: u32 = 4000;

/// How to play the rest of an attack phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Like the base.
    Base,
    /// No attack.
    Stop,
    /// By the default strategy of a goal, after a first attack.
    Pursue(Goal, Option<Move>),
}

/// Plays ahead with bots of one spec.
#[derive(Debug)]
pub(super) struct Lookahead {
    pub(super) base: Spec,
    /// Possible opponents, one drawn for each seat in every lookahead; never
    /// empty.
    pub(super) rivals: Vec<Spec>,
    pub(super) grants: Grants,
    pub(super) n_samples: u32,
    /// Rounds played on.
    pub(super) n_rounds: u32,
}

impl Lookahead {
    /// The mean value of each option from its state, all with the same seeds.
    /// Sampling stops early for options that are clearly behind.
    pub(super) fn values(
        &self,
        ways: &[(&State, Way)],
        phase: &AttackPhase,
        rng: &mut Rng,
    ) -> Vec<f64> {
        let mut sums = vec![(0.0, 0u32); ways.len()];
        let mut alive: Vec<usize> = (0..ways.len()).collect();
        // Half of the samples for all, the rest for the better half.
        'looks: for part in [self.n_samples.div_ceil(2), self.n_samples / 2] {
            for _ in 0..part {
                let seed = rng.word();
                for &n in &alive {
                    let (state, way) = ways[n];
                    let value = self.sample(state, way, phase, seed);
                    if self.grants.stop.is_raised() {
                        // This lookahead was cut short.
                        break 'looks;
                    }
                    sums[n].0 += value;
                    sums[n].1 += 1;
                }
            }
            let mean = |n: usize| sums[n].0 / f64::from(sums[n].1.max(1));
            alive.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
            alive.truncate(alive.len().div_ceil(2).max(2));
        }
        let is_alive = |n: usize| alive.contains(&n);
        let mean = |(n, (sum, count)): (usize, (f64, u32))| {
            if is_alive(n) {
                sum / f64::from(count.max(1))
            } else {
                f64::NEG_INFINITY
            }
        };
        sums.into_iter().enumerate().map(mean).collect()
    }

    fn sample(&self, state: &State, way: Way, phase: &AttackPhase, seed: u64) -> f64 {
        let (me, rng) = (phase.me, &mut Rng::from_seed(seed));
        let mut state = state.clone();
        match way {
            Way::Base => {}
            Way::Stop => end_attack(&mut state, me),
            Way::Pursue(goal, first) => {
                pursue(
                    &AttackPhase {
                        goal,
                        ..phase.clone()
                    },
                    &mut state,
                    first,
                    rng,
                );
                end_attack(&mut state, me);
            }
        }
        self.play_ahead(&mut state, me, seed, rng);
        phase.valuation.value_at_turn(&state, me)
    }

    /// The bot assumed for a rival in a lookahead: the same for all options.
    fn rival(&self, player: PlayerId, look: u64) -> &Spec {
        let draw = mix(look ^ mix(player.index() as u64 + 1));
        &self.rivals[(draw % self.rivals.len() as u64) as usize]
    }

    /// All players play like the base or a rival until a turn of `me` begins, `n_rounds` later.
    fn play_ahead(&self, state: &mut State, me: PlayerId, look: u64, rng: &mut Rng) {
        let game: Arc<Game> = Arc::clone(state.game());
        let last = state.round() + self.n_rounds;
        let mut seats = Imagined {
            lookahead: self,
            me,
            look,
            seed: rng.word(),
            bots: game.seats().map(|_| None).collect(),
            game: &game,
            rng,
        };
        // A bot that forfeits ends the lookahead, which is then valued as it
        // is.
        play_on(state, &mut seats, |state, n| {
            let is_back = state.player() == me && state.round() >= last;
            is_back || n >= MAX_DECISIONS || self.grants.stop.is_raised()
        });
    }
}

/// The bots of a lookahead, each built when it first moves.
struct Imagined<'a> {
    lookahead: &'a Lookahead,
    me: PlayerId,
    look: u64,
    seed: u64,
    bots: Vec<Option<Box<dyn Bot>>>,
    game: &'a Arc<Game>,
    rng: &'a mut Rng,
}

impl Seats for Imagined<'_> {
    type Failure = ();

    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, ()> {
        let bot = &mut self.bots[player.index()];
        if bot.is_none() {
            let spec = if player == self.me {
                &self.lookahead.base
            } else {
                self.lookahead.rival(player, self.look)
            };
            let seating = Seating {
                game: self.game,
                seat: player,
                seed: self.seed,
                grants: &self.lookahead.grants,
            };
            *bot = registry::build(spec, &seating).ok();
        }
        let bot = bot.as_mut().ok_or(())?;
        state.play_unchecked(legal_choice(&mut **bot, state).map_err(|_| ())?);
        Ok(1)
    }

    fn chance(&mut self, state: &mut State) {
        state.resolve_sampled(self.rng);
    }
}

fn end_attack(state: &mut State, me: PlayerId) {
    if state.phase() == Phase::Attack && state.player() == me {
        state.play_unchecked(Move::End);
    }
}

/// Plays a goal's default strategy with dice.
fn pursue(phase: &AttackPhase, state: &mut State, first: Option<Move>, rng: &mut Rng) {
    let mut root = phase.root(state.clone());
    let mut scratch = Vec::new();
    if let Some(mv) = first {
        phase.play(&mut root, &mv);
    }
    phase.default_play(&mut root, rng, &mut scratch);
    *state = root.state;
}

impl Valuation {
    /// The value of a state in which the turn of `me` begins.
    fn value_at_turn(&self, state: &State, me: PlayerId) -> f64 {
        match self {
            Valuation::Learned(model) if state.phase() != Phase::Over => {
                if !state.is_alive(me) {
                    return 0.0;
                }
                let n = state.game().n_players();
                let before = (1..n)
                    .map(|step| PlayerId::new((me.index() + n - step) % n))
                    .find(|&p| state.is_alive(p));
                model.share_after(state, me, before.unwrap_or(me))
            }
            valuation => valuation.value(state, me),
        }
    }
}
