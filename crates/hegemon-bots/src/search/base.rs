//! Base policies: the players beyond the tree.

use std::sync::Arc;

use hegemon_core::{Game, Move, Node, PlayerId, Rng, State, TerritoryId, View};
use hegemon_search::{Player, Playout, PlayoutEnd, Stop, Suggest, Trace, Values};

use super::action::{Allocation, RiskAction};
use super::risk::{RiskGame, player_of, scores, turns_played};
use super::sampling::placement;
use crate::bot::Seating;
use crate::loader::Grants;
use crate::play_on::{BotSeats, play_on};
use crate::policy::{Policy, playout};
use crate::registry;
use crate::rules::{Baseline, ProgramPolicy, RulePolicy, Simulation};
use crate::spec::{Spec, SpecError};

/// A way to play for all seats at once.
#[derive(Clone, Debug)]
pub enum Base {
    /// The simulation policy of Brand and Kroon 2014.
    Simulation,
    /// The baseline player of Brand and Kroon 2014.
    Baseline,
    /// One of these two as the program of Brand and Kroon 2014 plays it.
    Program(ProgramPolicy),
    /// Any bot, a fresh one for each seat of each playout.
    Bots(Spec, Grants),
}

impl Base {
    /// The base policy of a spec.
    ///
    /// # Errors
    ///
    /// If the bot of the spec cannot play the game.
    pub fn new(spec: &Spec, game: &Arc<Game>, grants: &Grants) -> Result<Base, SpecError> {
        registry::check(spec, game, grants)?;
        Ok(match RulePolicy::of(spec) {
            Some(RulePolicy::Simulation) => Base::Simulation,
            Some(RulePolicy::Baseline) => Base::Baseline,
            None if spec.name == "simulation" || spec.name == "baseline" => {
                Base::Program(ProgramPolicy::of_spec(spec)?)
            }
            None => Base::Bots(spec.clone(), grants.clone()),
        })
    }

    /// Plays a state to its end, for `limit` decisions, or until it is stopped.
    pub fn play(&self, state: &mut State, limit: u32, rng: &mut Rng, stop: &Stop) {
        match self {
            Base::Simulation => play_policy(&mut Simulation, state, limit, rng, stop),
            Base::Baseline => play_policy(&mut Baseline, state, limit, rng, stop),
            Base::Program(policy) => play_policy(&mut policy.clone(), state, limit, rng, stop),
            Base::Bots(spec, grants) => play_bots(spec, grants, state, limit, rng),
        }
    }

    /// The move of a fresh player at the decision of a state.
    pub fn choose(&self, state: &State, rng: &mut Rng) -> Option<Move> {
        let view = View::of_mover(state);
        match self {
            Base::Simulation => Some(Simulation.choose(view, rng)),
            Base::Baseline => Some(Baseline.choose(view, rng)),
            Base::Program(policy) => Some(policy.clone().choose(view, rng)),
            Base::Bots(spec, grants) => {
                let seating = Seating {
                    game: state.game(),
                    seat: state.player(),
                    seed: rng.word(),
                    grants,
                };
                let mut bot = registry::build(spec, &seating).ok()?;
                let mv = bot.choose(view).ok()?;
                view.is_legal(mv).then_some(mv)
            }
        }
    }

    /// The same as an action of a search.
    pub fn choose_action(&self, state: &State, rng: &mut Rng) -> Option<RiskAction> {
        whole_action(state, |state| self.choose(state, rng))
    }
}

/// What a player does at a decision, as an action of a search: a placement is played to
/// its end. None if the player gives up or does what is not legal.
pub(crate) fn whole_action(
    state: &State,
    mut choose: impl FnMut(&State) -> Option<Move>,
) -> Option<RiskAction> {
    let mut mv = choose(state)?;
    let Move::Place { .. } = mv else {
        return state.is_legal(mv).then_some(RiskAction::Play(mv));
    };
    let (mut next, (_, mut left)) = (state.clone(), placement(state));
    let mut placed: Vec<(TerritoryId, u32)> = Vec::new();
    while let Move::Place { territory, armies } = mv {
        if !next.is_legal(mv) {
            return None;
        }
        match placed.iter_mut().find(|(known, _)| *known == territory) {
            Some((_, sum)) => *sum += armies,
            None => placed.push((territory, armies)),
        }
        left = left.saturating_sub(armies);
        if left == 0 {
            return Some(RiskAction::Recruit(Allocation::new(placed)));
        }
        next.play_unchecked(mv);
        mv = choose(&next)?;
    }
    None
}

/// Decisions of a policy between two checks of the stop handle: few, since a
/// battle of thousands of armies takes a while.
const PIECE: u32 = 4;

fn play_policy(
    policy: &mut impl Policy,
    state: &mut State,
    limit: u32,
    rng: &mut Rng,
    stop: &Stop,
) {
    let mut left = limit;
    loop {
        let piece = if stop.is_never() {
            left
        } else {
            left.min(PIECE)
        };
        let n_decisions = playout(state, policy, rng, piece);
        left -= n_decisions;
        if n_decisions < piece || left == 0 || stop.is_raised() {
            return;
        }
    }
}

fn play_bots(spec: &Spec, grants: &Grants, state: &mut State, limit: u32, rng: &mut Rng) {
    let game = Arc::clone(state.game());
    let seed = rng.word();
    let bots = game.seats().map(|seat| {
        let seating = Seating {
            game: &game,
            seat,
            seed,
            grants,
        };
        registry::build(spec, &seating)
    });
    let Ok(bots) = bots.collect::<Result<Vec<_>, _>>() else {
        return;
    };
    // A bot that forfeits ends the playout, which is then valued as it is.
    play_on(state, &mut BotSeats { bots, rng }, |_, n| {
        n >= limit || grants.stop.is_raised()
    });
}

/// Each player's share of the territories.
pub(crate) fn territory_shares(state: &State) -> Values {
    let seats = state.game().seats();
    let owned = |seat: PlayerId| state.board().n_owned(seat) as f64;
    let total: f64 = seats.clone().map(owned).sum();
    let mut values = Values::default();
    for seat in seats {
        values[player_of(seat)] = owned(seat) / total.max(1.0);
    }
    values
}

/// A base policy as the default policy of a search.
#[derive(Clone, Debug)]
pub struct BasePlayout {
    /// Who plays.
    pub base: Base,
    /// Score a playout that reaches its limit by territory shares instead of
    /// the evaluation (docs/spec/sampling.md 5.3).
    pub shares_at_limit: bool,
    /// Ends a playout early.
    pub stop: Stop,
}

impl Playout<RiskGame> for BasePlayout {
    fn play_out(
        &self,
        _game: &RiskGame,
        state: &mut State,
        limit: u32,
        rng: &mut Rng,
        _trace: &mut Trace,
    ) -> PlayoutEnd {
        self.base.play(state, limit, rng, &self.stop);
        let turns_played = turns_played(state);
        if state.node() == Node::Terminal {
            let values = scores(state);
            PlayoutEnd::Finished {
                values,
                turns_played,
            }
        } else if self.shares_at_limit {
            let values = territory_shares(state);
            PlayoutEnd::Finished {
                values,
                turns_played,
            }
        } else {
            PlayoutEnd::Cut
        }
    }
}

/// The action of a base policy as the one to try first (MCTS Baseline).
#[derive(Clone, Debug)]
pub struct BaseSuggestion(pub Base);

impl Suggest<RiskGame> for BaseSuggestion {
    fn suggest(
        &self,
        _game: &RiskGame,
        state: &State,
        _mover: Player,
        rng: &mut Rng,
    ) -> Option<RiskAction> {
        self.0.choose_action(state, rng)
    }
}
