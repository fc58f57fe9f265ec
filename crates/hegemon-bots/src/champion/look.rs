//! One look ahead: an action, the rest of the turn, everybody else's turns, and what
//! is left is valued.

use std::sync::Arc;

use hegemon_core::{Game, Node, PlayerId, Rng, State, View, mix};
use hegemon_eval::value::ValueNet;
use hegemon_search::{Game as _, Stop};

use super::stand_in::{Player, StandIn};
use crate::search::{RiskAction, RiskGame};

/// Decisions after which a look ends where it stands.
const MAX_DECISIONS: u32 = 20_000;

/// How far a look goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Horizon {
    /// To the beginning of the own turn so many rounds on.
    Rounds(u32),
    /// To the end of the game.
    End,
}

/// What all looks of a game have in common.
#[derive(Debug)]
pub(super) struct Lookout {
    pub(super) me: PlayerId,
    pub(super) value: Arc<ValueNet>,
    pub(super) horizon: Horizon,
    /// Factor for each round: of two ways to win the shorter one.
    pub(super) discount: f64,
    pub(super) stop: Stop,
}

/// Something that may be done: an action, and who then plays the rest of the turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) action: RiskAction,
    /// Number in the portfolio.
    pub(super) follower: usize,
}

/// Who plays each seat in a look.
pub(super) struct Table<'a> {
    /// The own seat for the rest of the turn.
    pub(super) follower: &'a StandIn,
    /// The own seat in later turns.
    pub(super) base: &'a StandIn,
    /// The others, by seat.
    pub(super) rivals: &'a [&'a StandIn],
}

impl Lookout {
    /// The value of an action in a world, with the dice and draws of a seed.
    pub(super) fn look(&self, world: &State, action: &RiskAction, table: &Table<'_>, seed: u64) -> f64 {
        let mut state = world.clone();
        let game = Arc::clone(state.game());
        RiskGame::new(&game).play(&mut state, action);
        self.play_on(&game, &mut state, table, seed);
        let rounds = state.round().saturating_sub(world.round());
        libm::pow(self.discount, f64::from(rounds)) * self.leaf(&state)
    }

    fn leaf(&self, state: &State) -> f64 {
        match state.node() {
            Node::Terminal => state.score(self.me),
            _ if !state.is_alive(self.me) => 0.0,
            _ => self.value.chance(state, self.me, 1 << self.me.index()),
        }
    }

    fn is_reached(&self, state: &State, round: u32) -> bool {
        match self.horizon {
            Horizon::Rounds(n) => state.round() >= round + n && state.player() == self.me,
            Horizon::End => false,
        }
    }

    /// Everybody plays until the horizon. Each seat has its own stream, so that one
    /// player's dice are the same however many another one rolled.
    fn play_on(&self, game: &Arc<Game>, state: &mut State, table: &Table<'_>, seed: u64) {
        let round = state.round();
        let mut streams: Vec<Rng> = game
            .seats()
            .map(|seat| Rng::from_seed(mix(seed ^ mix(seat.index() as u64 + 1))))
            .collect();
        let mut players: Vec<Option<Player>> = game.seats().map(|_| None).collect();
        let mut is_turn = true;
        for _ in 0..MAX_DECISIONS {
            let player = state.player();
            let stream = &mut streams[player.index().min(game.n_players() - 1)];
            match state.node() {
                Node::Terminal => return,
                _ if self.stop.is_raised() => return,
                _ if !state.is_alive(self.me) => return,
                Node::Chance => state.resolve_sampled(stream),
                Node::Decision(player) => {
                    if self.is_reached(state, round) {
                        return;
                    }
                    if player == self.me && is_turn && state.round() > round {
                        is_turn = false;
                        players[player.index()] = None;
                    }
                    let stand_in = match player == self.me {
                        true if is_turn => table.follower,
                        true => table.base,
                        false => table.rivals[player.index()],
                    };
                    let seated = &mut players[player.index()];
                    if seated.is_none() {
                        *seated = stand_in.player(game, player, stream);
                    }
                    let mv = seated
                        .as_mut()
                        .and_then(|seated| seated.choose(View::of_mover(state), stream));
                    let Some(mv) = mv.filter(|mv| state.is_legal(*mv)) else {
                        return;
                    };
                    state.play_unchecked(mv);
                }
            }
        }
    }
}
