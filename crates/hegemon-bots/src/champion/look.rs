//! One look ahead: an action, the rest of the turn, everybody else's turns, and what
//! is left is valued.

use std::sync::Arc;

use arrayvec::ArrayVec;
use hegemon_core::{Game, MAX_PLAYERS, Move, Node, Phase, PlayerId, Rng, State, TerritoryId, mix};
use hegemon_eval::value::ValueNet;
use hegemon_search::{Domain as _, Stop};

use super::bot::LookSetting;
use super::stand_in::{StandIn, StandInPlayer};
use crate::goal::Goal;
use crate::play_on::{Seats, play_on};
use crate::search::{RiskAction, RiskGame};

/// Decisions after which a look ends where it stands.
const MAX_DECISIONS: u32 = 20_000;

/// How far a look goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Horizon {
    /// To the beginning of the own turn after this many rounds.
    Rounds(u32),
    /// To the end of the game.
    End,
}

/// How much of a look passes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stride {
    /// One decision.
    Decision,
    /// As much of a turn as the player makes at once: the same play, faster.
    Turn,
}

/// What all looks of a game have in common.
#[derive(Debug)]
pub(super) struct Lookout {
    pub(super) me: PlayerId,
    pub(super) value: Arc<ValueNet>,
    pub(super) reach: Reach,
    /// Factor for each round: of two ways to win the shorter one.
    pub(super) discount: f64,
    pub(super) stop: Stop,
}

/// How far a look goes, and which values on its way count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub(super) horizon: Horizon,
    /// How much the later values of a look count: with 1 its last one alone, with 0 the
    /// first alone.
    pub(super) lambda: f64,
    /// Whether the end of the turn that begins the look is valued, too: nothing was
    /// guessed about the others until then.
    pub(super) values_own_turn: bool,
}

impl Reach {
    /// Whether a look of a player that began in a round ends here.
    pub(super) fn is_reached(self, state: &State, me: PlayerId, round: u32) -> bool {
        match self.horizon {
            Horizon::Rounds(n) => state.round() >= round + n && state.player() == me,
            Horizon::End => false,
        }
    }

    /// Beginnings of own turns on the way that are valued, at the most: one in a look to the
    /// end of the game, whose result says more than later values, each of which costs as much
    /// as a turn of moves.
    fn n_valued(self) -> u32 {
        match self.horizon {
            Horizon::Rounds(n) => n,
            Horizon::End => 1,
        }
    }
}

/// An attack with all dice, from one territory on another.
pub(super) type Front = (TerritoryId, TerritoryId);

/// What comes after an action, before somebody plays the rest of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Nothing.
    Rest,
    /// An attack, if it is legal then; the champion itself looks at none.
    Attack(Front),
    /// An attack as long as it has even odds, and no other; the champion itself looks at none.
    Hold(Option<Front>),
    /// The attacks of a goal until none has even odds, and no others.
    Pursue(Goal),
}

/// Something that may be done: an action, and who then plays the rest of the turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) action: RiskAction,
    /// What comes next.
    pub(super) then: Then,
    /// Number in the portfolio.
    pub(super) follower: usize,
}

/// Who plays each seat in a look.
pub(super) struct LookSeats<'a> {
    /// See [`Candidate::then`].
    pub(super) then: Then,
    /// The own seat for the rest of the turn.
    pub(super) follower: &'a StandIn,
    /// The own seat in later turns.
    pub(super) base: &'a StandIn,
    /// The others, by seat.
    pub(super) rivals: &'a [&'a StandIn],
}

impl Lookout {
    /// The value of an action in a setting.
    pub(super) fn look(
        &self,
        setting: &LookSetting,
        action: &RiskAction,
        table: &LookSeats<'_>,
    ) -> f64 {
        let LookSetting {
            ref world,
            seed,
            reach,
            ..
        } = *setting;
        let mut state = world.clone();
        RiskGame::new(world.game()).play(&mut state, action);
        let (first, round) = (world.round(), state.round());
        let mut trail = Trail::new(round, reach.n_valued());
        let mut is_own_turn = reach.values_own_turn;
        self.play_on(&mut state, table, seed, Stride::Turn, |state| {
            if is_own_turn && state.player() != self.me {
                is_own_turn = false;
                trail.pass(round, self.worth(state, first), reach.lambda);
            }
            if reach.lambda < 1.0 && trail.is_next(state, self.me) {
                trail.pass(state.round(), self.worth(state, first), reach.lambda);
                trail.n_left -= 1;
            }
            reach.is_reached(state, self.me, round)
        });
        trail.end(self.worth(&state, first))
    }

    /// What the end of a look that began in a round is worth.
    pub(super) fn worth(&self, end: &State, round: u32) -> f64 {
        let rounds = end.round().saturating_sub(round);
        libm::pow(self.discount, f64::from(rounds)) * self.leaf(end)
    }

    fn leaf(&self, state: &State) -> f64 {
        match state.node() {
            Node::Terminal => state.score(self.me),
            _ if !state.is_alive(self.me) => 0.0,
            _ => self.value.chance(state, self.me),
        }
    }

    /// Everybody plays until `until` says so, which is asked once in a stride; a bot that
    /// gives up ends the look, which is then valued as it stands.
    pub(super) fn play_on(
        &self,
        state: &mut State,
        table: &LookSeats<'_>,
        seed: u64,
        stride: Stride,
        mut until: impl FnMut(&State) -> bool,
    ) {
        let game = &Arc::clone(state.game());
        let round = state.round();
        let stream = |seat: PlayerId| Rng::from_seed(mix(seed ^ mix(seat.index() as u64 + 1)));
        let mut seats = Imagined {
            game,
            me: self.me,
            round,
            stride,
            is_own_turn: true,
            then: table.then,
            table,
            streams: game.seats().map(stream).collect(),
            players: game.seats().map(|_| None).collect(),
        };
        play_on(state, &mut seats, |state, n| {
            until(state) || !state.is_alive(self.me) || n >= MAX_DECISIONS || self.stop.is_raised()
        });
    }
}

/// The values that a look passes, at the beginnings of own turns above all, as one number: the
/// return of TD(lambda). An early value has little noise, a late one has seen more.
struct Trail {
    next_round: u32,
    /// Beginnings of own turns that are still valued.
    n_left: u32,
    /// What the values still to come count together.
    rest: f64,
    sum: f64,
}

impl Trail {
    fn new(round: u32, n_left: u32) -> Trail {
        Trail {
            next_round: round + 1,
            n_left,
            rest: 1.0,
            sum: 0.0,
        }
    }

    /// Whether an own turn begins here that was not seen yet and is valued.
    fn is_next(&self, state: &State, me: PlayerId) -> bool {
        self.n_left > 0 && state.round() >= self.next_round && state.player() == me
    }

    fn pass(&mut self, round: u32, worth: f64, lambda: f64) {
        self.sum += self.rest * (1.0 - lambda) * worth;
        self.rest *= lambda;
        self.next_round = round + 1;
    }

    fn end(self, worth: f64) -> f64 {
        self.sum + self.rest * worth
    }
}

/// The players of a look, each made when it has to move. Each seat has its own stream,
/// so that one player's dice are the same however many another one rolled.
struct Imagined<'a> {
    game: &'a Arc<Game>,
    me: PlayerId,
    round: u32,
    stride: Stride,
    /// Whether the turn that began the look goes on.
    is_own_turn: bool,
    /// What is still to come in that turn.
    then: Then,
    table: &'a LookSeats<'a>,
    streams: ArrayVec<Rng, MAX_PLAYERS>,
    players: ArrayVec<Option<StandInPlayer>, MAX_PLAYERS>,
}

impl Imagined<'_> {
    /// The move of what is still to come in the own turn, if it has one here.
    fn planned(&mut self, state: &State) -> Option<Move> {
        match self.then {
            Then::Attack(front) if state.phase() == Phase::Attack => {
                self.then = Then::Rest;
                full_attack(state, front)
            }
            Then::Hold(front) if state.phase() == Phase::Attack => {
                let goes_on = front.filter(|front| has_even_odds(state, *front));
                let attack = goes_on.and_then(|front| full_attack(state, front));
                Some(attack.unwrap_or_else(|| {
                    self.then = Then::Rest;
                    Move::End
                }))
            }
            Then::Rest | Then::Attack(_) | Then::Hold(_) => None,
            Then::Pursue(goal) => {
                let mv = goal.next_move(state).filter(|mv| state.is_legal(*mv));
                if mv.is_none() && state.phase() == Phase::Attack {
                    self.then = Then::Rest;
                    return Some(Move::End);
                }
                mv
            }
        }
    }
}

impl Seats for Imagined<'_> {
    type Failure = ();

    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, ()> {
        let is_later = player == self.me && state.round() > self.round;
        if player == self.me && self.then != Then::Rest {
            if is_later {
                self.then = Then::Rest;
            } else if let Some(mv) = self.planned(state) {
                state.play_unchecked(mv);
                return Ok(1);
            }
        }
        let stream = &mut self.streams[player.index()];
        let stand_in = match player == self.me {
            true if is_later => self.table.base,
            true => self.table.follower,
            false => self.table.rivals[player.index()],
        };
        let seated = &mut self.players[player.index()];
        if seated.is_none() || is_later && std::mem::take(&mut self.is_own_turn) {
            *seated = stand_in.player(self.game, player, stream);
        }
        let seated = seated.as_mut().ok_or(())?;
        let played = match self.stride {
            Stride::Decision => seated.play(state, stream),
            Stride::Turn => seated.play_on(self.game, state, stream),
        };
        played.ok_or(())
    }

    fn chance(&mut self, state: &mut State) {
        state.resolve_sampled(&mut self.streams[state.player().index()]);
    }
}

/// The attack with all dice, if it is legal.
fn full_attack(state: &State, (from, to): Front) -> Option<Move> {
    let with = *state.attack_range(from).end();
    let mv = Move::Attack { from, to, with };
    state.is_legal(mv).then_some(mv)
}

/// Whether more armies can attack than defend.
fn has_even_odds(state: &State, (from, to): Front) -> bool {
    let board = state.board();
    board.armies(from) > board.armies(to)
}

#[cfg(test)]
mod tests {
    use super::Trail;

    fn through(worths: &[f64], lambda: f64) -> f64 {
        let (last, passed) = worths.split_last().expect("a value");
        let mut trail = Trail::new(0, 1);
        for (round, worth) in passed.iter().enumerate() {
            trail.pass(round as u32, *worth, lambda);
        }
        trail.end(*last)
    }

    #[test]
    fn lambda_weighs_the_values_of_a_look() {
        assert_eq!(through(&[0.1, 0.2, 0.4], 1.0), 0.4);
        assert_eq!(through(&[0.1, 0.2, 0.4], 0.0), 0.1);
        let mixed = 0.5 * 0.1 + 0.25 * 0.2 + 0.25 * 0.4;
        assert!((through(&[0.1, 0.2, 0.4], 0.5) - mixed).abs() < 1e-12);
        assert_eq!(through(&[0.3], 0.5), 0.3);
    }
}
