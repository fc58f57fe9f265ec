//! One attack phase with one goal as a game of the search crate: attacks toward
//! the goal to the end of each battle, occupations, and stopping.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use hegemon_core::battle::approximate::{WeightedLosses, few_ends};
use hegemon_core::{Move, Outcome, Phase, PlayerId, Rng, State, TerritoryId, TerritorySet};
use hegemon_search::{Domain, NodeKind, Player, Playout, PlayoutEnd, Trace, Values};

use super::goals::{Attack, Goal, odds_of, strongest};
use super::value::Valuation;

/// The only player of the game: the one who plans the attack phase.
pub(super) const PLANNER: Player = Player(0);
/// Number of groups of lost and of won outcomes.
const N_ENDS: [u64; 2] = [1, 3];
/// Decisions after which a default strategy stops.
const LONGEST_PLAYOUT: u32 = 60;

/// Ends of a battle.
type Ends = Arc<[WeightedLosses]>;

/// Cached: a few representative outcomes of a battle with the exact weights of
/// the outcomes they represent.
#[derive(Debug, Default)]
pub(super) struct BattleEnds {
    known: Mutex<BTreeMap<(bool, u32, u32), Ends>>,
}

impl BattleEnds {
    fn of(&self, state: &State, from: TerritoryId, to: TerritoryId) -> Ends {
        let board = state.board();
        let (fighters, defenders) = (board.armies(from) - 1, board.armies(to));
        let owner = board.owner(to);
        let is_capital =
            state.game().has_extra_die() && owner.is_seat() && state.capital(owner) == Some(to);
        let key = (is_capital, fighters, defenders);
        let mut known = self
            .known
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let ends = known.entry(key).or_insert_with(|| {
            let game = state.game();
            let table = if is_capital {
                game.capital_battles()
            } else {
                game.battles()
            };
            few_ends(table, fighters, defenders, N_ENDS).into()
        });
        Arc::clone(ends)
    }
}

/// A state of a planned attack phase.
#[derive(Clone, Debug)]
pub(super) struct PhaseState {
    pub(super) state: State,
    /// Whether the planner has stopped attacking.
    has_stopped: bool,
}

/// An attack phase with a goal.
#[derive(Clone, Debug)]
pub(super) struct AttackPhase {
    pub(super) me: PlayerId,
    pub(super) goal: Goal,
    pub(super) valuation: Arc<Valuation>,
    pub(super) ends: Arc<BattleEnds>,
    /// Whether chance uses the few outcomes of [`BattleEnds`] or all.
    pub(super) few_ends: bool,
    /// Whether the tree tries occupations other than the goal's own rule.
    pub(super) tries_occupations: bool,
    /// The least odds at which attacks are proposed.
    pub(super) odds: f64,
}

impl AttackPhase {
    /// The root of a search.
    pub(super) fn root(&self, state: State) -> PhaseState {
        let mut root = PhaseState {
            state,
            has_stopped: false,
        };
        self.settle(&mut root.state);
        root
    }

    /// The value of stopping in a state.
    pub(super) fn stop_value(&self, state: &State) -> f64 {
        self.valuation.value(state, self.me)
    }

    /// Trades and places the armies from a captured hand.
    fn settle(&self, state: &mut State) {
        while state.player() == self.me && state.is_mid_turn() {
            let mv = match state.phase() {
                Phase::Trade => captured_trade(state),
                Phase::Reinforce => match self.goal.front(state) {
                    Some(territory) => Move::Place {
                        territory,
                        armies: state.to_place(),
                    },
                    None => return,
                },
                _ => return,
            };
            state.play_unchecked(mv);
        }
    }

    /// Plays the goal's default strategy until it stops attacking.
    pub(super) fn default_play(
        &self,
        state: &mut PhaseState,
        rng: &mut Rng,
        scratch: &mut Vec<Attack>,
    ) {
        let mut n_decisions = 0;
        loop {
            match self.kind(state) {
                NodeKind::Terminal => return,
                NodeKind::Chance => {
                    let outcome = self.sample_outcome(state, rng);
                    self.resolve(state, outcome);
                }
                NodeKind::Decision(_) => {
                    let inner = &state.state;
                    let mv = if inner.phase() == Phase::Occupy {
                        let armies = self.goal.move_in(inner);
                        Move::Occupy { armies }
                    } else if n_decisions > LONGEST_PLAYOUT {
                        return;
                    } else {
                        match self.goal.default_attack(inner, self.odds, scratch) {
                            Some(attack) => self.attack(inner, attack),
                            None => return,
                        }
                    };
                    n_decisions += 1;
                    self.play(state, &mv);
                }
            }
        }
    }

    fn attack(&self, state: &State, (from, to): Attack) -> Move {
        Move::Attack {
            from,
            to,
            with: *state.attack_range(from).end(),
        }
    }
}

/// Fewest and most armies to move in. Under rules where an attack is a single
/// exchange, a planned battle may leave fewer armies than the dice first
/// rolled.
fn move_in_range(state: &State) -> (u32, u32) {
    let most = state.most_to_move_in();
    (state.fewest_to_move_in().min(most), most)
}

/// The first set of the hand; nothing else is legal with a captured hand.
fn captured_trade(state: &State) -> Move {
    let legal = state.legal_groups();
    legal
        .first()
        .and_then(|group| group.nth(0))
        .unwrap_or(Move::End)
}

impl Goal {
    /// Where armies help the goal most: the strongest territory from which it
    /// attacks, or the strongest front.
    pub(super) fn front(self, state: &State) -> Option<TerritoryId> {
        let mut attacks = Vec::new();
        self.attacks(state, &mut attacks);
        let sources: TerritorySet = attacks.iter().map(|&(from, _)| from).collect();
        let (board, map) = (state.board(), state.game().map());
        let targets = self.targets(state);
        // Territories with one army may attack once they have more.
        let beside = || {
            let own = board.owned(state.player());
            own.iter()
                .filter(|&t| !(map.neighbors(t) & targets).is_empty())
        };
        strongest(state, sources)
            .or_else(|| strongest(state, beside().collect()))
            .or_else(|| strongest(state, board.frontier(map, state.player())))
            .or_else(|| strongest(state, board.owned(state.player())))
    }

    /// Armies to move into a conquered territory: all if the next attacks start
    /// there or nothing behind needs a guard, the fewest if they start behind,
    /// else by the enemies around the two.
    pub(super) fn move_in(self, state: &State) -> u32 {
        let (fewest, most) = move_in_range(state);
        let Some((from, to)) = state.front() else {
            return fewest;
        };
        let (board, map) = (state.board(), state.game().map());
        let own = board.owned(state.player());
        let targets = self.targets(state);
        let around = |t: TerritoryId| map.neighbors(t) - own;
        let leads_on = !(around(to) & targets).is_empty();
        let leads_back = !(around(from) & targets).is_empty();
        if around(from).is_empty() || (leads_on && !leads_back) {
            return most;
        }
        if leads_back && !leads_on {
            return fewest;
        }
        if leads_on {
            return most;
        }
        let weight = |t: TerritoryId| {
            let armies = around(t).iter().map(|e| board.armies(e));
            armies.sum::<u32>()
        };
        let (ahead, behind) = (weight(to), weight(from));
        let share = most * ahead / (ahead + behind).max(1);
        share.clamp(fewest, most)
    }
}

impl Domain for AttackPhase {
    type State = PhaseState;
    type Action = Move;
    type Outcome = Outcome;

    fn n_players(&self) -> usize {
        1
    }

    fn kind(&self, state: &PhaseState) -> NodeKind {
        if state.has_stopped || state.state.player() != self.me {
            return NodeKind::Terminal;
        }
        match state.state.phase() {
            Phase::Attack | Phase::Occupy => NodeKind::Decision(PLANNER),
            Phase::Battle => NodeKind::Chance,
            _ => NodeKind::Terminal,
        }
    }

    fn actions(&self, state: &PhaseState, out: &mut Vec<Move>) {
        let state = &state.state;
        if state.phase() == Phase::Occupy {
            let (fewest, most) = move_in_range(state);
            let usual = self.goal.move_in(state);
            out.push(Move::Occupy { armies: usual });
            let Some((from, _)) = state.front() else {
                return;
            };
            let board = state.board();
            let is_behind = board.enemy_neighbors(state.game().map(), from).is_empty();
            if is_behind || !self.tries_occupations {
                return;
            }
            for armies in [most, fewest] {
                if armies != usual && fewest < most {
                    out.push(Move::Occupy { armies });
                }
            }
            return;
        }
        out.push(Move::End);
        let mut attacks = Vec::new();
        self.goal.attacks(state, &mut attacks);
        attacks.retain(|&attack| odds_of(state, attack) >= self.odds);
        out.extend(attacks.into_iter().map(|attack| self.attack(state, attack)));
    }

    fn play(&self, state: &mut PhaseState, action: &Move) {
        if *action == Move::End {
            state.has_stopped = true;
            return;
        }
        state.state.play_unchecked(*action);
        self.settle(&mut state.state);
    }

    fn outcomes(&self, state: &PhaseState, out: &mut Vec<(Outcome, u64)>) {
        let state = &state.state;
        let Some((from, to)) = state.front() else {
            return;
        };
        if self.few_ends {
            let ends = self.ends.of(state, from, to);
            out.extend(ends.iter().map(|end| {
                let outcome = Outcome::Battle {
                    attacker_losses: end.losses.attacker,
                    defender_losses: end.losses.defender,
                };
                (outcome, end.weight)
            }));
        } else {
            let board = state.board();
            let (fighters, defenders) = (board.armies(from) - 1, board.armies(to));
            let law = state.game().battles().outcomes(fighters, defenders);
            out.extend(law.as_slice().iter().map(|end| {
                let outcome = Outcome::Battle {
                    attacker_losses: fighters - end.fighters,
                    defender_losses: defenders - end.defenders,
                };
                (outcome, end.weight)
            }));
        }
    }

    fn resolve(&self, state: &mut PhaseState, outcome: Outcome) {
        state.state.resolve_unchecked(outcome);
    }

    fn utilities(&self, state: &PhaseState) -> Values {
        Values::new(&[self.stop_value(&state.state)])
    }
}

/// The goal's default strategy to the end of the phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefaultStrategy;

impl Playout<AttackPhase> for DefaultStrategy {
    fn play_out(
        &self,
        game: &AttackPhase,
        state: &mut PhaseState,
        _limit: u32,
        rng: &mut Rng,
        _trace: &mut Trace,
    ) -> PlayoutEnd {
        game.default_play(state, rng, &mut Vec::new());
        PlayoutEnd::Finished {
            values: game.utilities(state),
            turns_played: 0,
        }
    }
}
