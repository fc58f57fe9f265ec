//! Risk as a game of the search crate.

use std::sync::Arc;

use hegemon_core::battle::approximate::square_exchange;
use hegemon_core::rules::Attack;
use hegemon_core::{Node, Outcome, Phase, PlayerId, Rng, State};
use hegemon_eval::{Batch, Evaluator, Stage};
use hegemon_search::{Domain, Enumerable, NodeKind, Player, Values, draw_weighted};

use super::action::RiskAction;
use super::candidates::candidates;
use super::sampling::{MovePool, for_each_allocation, n_allocations, placement, sample_allocation};

/// Most occupations compared when the evaluation decides.
const N_OCCUPATIONS: u32 = 32;

/// Risk under any rules, searched over the actions of Brand and Kroon 2014:
/// recruitments as a whole, attacks (an exchange or a battle, as the rules
/// say), occupations and manoeuvres; claims, capitals and trades as single
/// moves.
///
/// States must be complete: a seat that does not see all cards draws a state
/// from its view first.
#[derive(Clone, Debug)]
pub struct RiskGame {
    n_players: usize,
    all_commitments: bool,
    few: bool,
    squared: bool,
    occupier: Option<Arc<Evaluator>>,
}

impl RiskGame {
    /// The game with all attacks at full strength and occupations searched (the
    /// paper's footnote 6).
    pub fn new(game: &hegemon_core::Game) -> RiskGame {
        RiskGame {
            n_players: game.n_players(),
            all_commitments: false,
            few: false,
            squared: false,
            occupier: None,
        }
    }

    /// The game in which the attacker also chooses its strength, where the
    /// rules allow it: exactly the game that is played.
    pub fn exact(game: &hegemon_core::Game) -> RiskGame {
        RiskGame {
            all_commitments: true,
            ..RiskGame::new(game)
        }
    }

    /// Decides occupations by evaluation, so that they are not nodes (the
    /// paper's main text).
    pub fn with_occupier(mut self, evaluator: Arc<Evaluator>) -> RiskGame {
        self.occupier = Some(evaluator);
        self
    }

    /// Searches over the few actions of [`candidates`] instead of all.
    pub fn with_few_actions(mut self) -> RiskGame {
        self.few = true;
        self
    }

    /// Draws exchanges as the code of Brand and Kroon 2014 did: by squared
    /// probabilities, the last outcome taking the rest
    /// (docs/spec/sampling.md 5.8, row 2). A known bug, available for comparison.
    pub fn with_squared_chances(mut self) -> RiskGame {
        self.squared = true;
        self
    }

    fn pool(&self, state: &State) -> MovePool {
        MovePool::of(state, self.all_commitments)
    }
}

/// A seat as a player of the search crate.
#[inline]
pub(crate) fn player_of(seat: PlayerId) -> Player {
    Player(seat.index() as u8)
}

/// The shares of the win at the end of a game.
#[inline]
pub(crate) fn scores(state: &State) -> Values {
    let mut values = Values::default();
    for seat in state.game().seats() {
        values[player_of(seat)] = state.score(seat);
    }
    values
}

/// Turns begun before this one, by all players.
#[inline]
pub(crate) fn turns_played(state: &State) -> u32 {
    let n = state.game().n_players();
    let seat = (state.player().index() + n - state.first_player().index()) % n;
    state.round() * n as u32 + seat as u32
}

fn is_placement(state: &State) -> bool {
    matches!(state.phase(), Phase::Setup | Phase::Reinforce)
}

fn is_exchange(state: &State) -> bool {
    state.phase() == Phase::Battle && state.game().rules().battle.attack == Attack::Roll
}

/// The best occupation by evaluation, the fewest armies on ties.
pub(crate) fn best_occupation(evaluator: &Evaluator, state: &State) -> u32 {
    let (fewest, most) = (state.fewest_to_move_in(), state.most_to_move_in());
    let Some((from, to)) = state.front() else {
        return fewest;
    };
    let width = most - fewest;
    let n_steps = width.min(N_OCCUPATIONS - 1);
    let mut batch = Batch::new(evaluator, state.board(), state.player());
    let mut best = (f64::NEG_INFINITY, fewest);
    for step in 0..=n_steps {
        let armies = fewest + (width * step).checked_div(n_steps).unwrap_or(0);
        let value = batch.shift(from, to, armies, Stage::Attack);
        if value > best.0 {
            best = (value, armies);
        }
    }
    best.1
}

impl Domain for RiskGame {
    type State = State;
    type Action = RiskAction;
    type Outcome = Outcome;

    fn n_players(&self) -> usize {
        self.n_players
    }

    #[inline]
    fn kind(&self, state: &State) -> NodeKind {
        match state.node() {
            Node::Decision(seat) => NodeKind::Decision(player_of(seat)),
            Node::Chance => NodeKind::Chance,
            Node::Terminal => NodeKind::Terminal,
        }
    }

    fn actions(&self, state: &State, out: &mut Vec<RiskAction>) {
        if self.few {
            out.append(&mut candidates(state));
        } else if is_placement(state) {
            let (territories, armies) = placement(state);
            for_each_allocation(territories, armies, &mut |allocation| {
                out.push(RiskAction::Recruit(allocation));
            });
        } else {
            self.pool(state)
                .for_each(|mv| out.push(RiskAction::Play(mv)));
        }
    }

    fn n_actions(&self, state: &State) -> u128 {
        if self.few {
            candidates(state).len() as u128
        } else if is_placement(state) {
            let (territories, armies) = placement(state);
            n_allocations(armies, territories.len())
        } else {
            u128::from(self.pool(state).n_moves())
        }
    }

    fn sample_action(&self, state: &State, rng: &mut Rng) -> RiskAction {
        let mut one = Vec::with_capacity(1);
        self.sample_actions(state, 1, rng, &mut one);
        one.pop().expect("a decision has an action")
    }

    fn sample_actions(&self, state: &State, n: usize, rng: &mut Rng, out: &mut Vec<RiskAction>) {
        if self.few {
            let few = candidates(state);
            out.extend((0..n).filter_map(|_| rng.pick(&few).cloned()));
        } else if is_placement(state) {
            let (territories, armies) = placement(state);
            for _ in 0..n {
                let allocation = sample_allocation(territories, armies, rng);
                out.push(RiskAction::Recruit(allocation));
            }
        } else {
            let pool = self.pool(state);
            for _ in 0..n {
                out.extend(pool.sample(rng).map(RiskAction::Play));
            }
        }
    }

    #[inline]
    fn play(&self, state: &mut State, action: &RiskAction) {
        match action {
            RiskAction::Play(mv) => state.play_unchecked(*mv),
            RiskAction::Recruit(allocation) => {
                for mv in allocation.moves() {
                    state.play_unchecked(mv);
                }
            }
        }
    }

    fn outcomes(&self, state: &State, out: &mut Vec<(Outcome, u64)>) {
        state.for_each_outcome(|outcome, weight| out.push((outcome, weight)));
        if self.squared && is_exchange(state) {
            square_exchange(out);
        }
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng) -> Outcome {
        if self.squared && is_exchange(state) {
            let mut outcomes = Vec::new();
            self.outcomes(state, &mut outcomes);
            return outcomes[draw_weighted(&outcomes, rng)].0;
        }
        state.sample(rng)
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Outcome) {
        state.resolve_unchecked(outcome);
        if let (Some(evaluator), Phase::Occupy) = (&self.occupier, state.phase()) {
            let armies = best_occupation(evaluator, state);
            state.play_unchecked(hegemon_core::Move::Occupy { armies });
        }
    }

    fn utilities(&self, state: &State) -> Values {
        scores(state)
    }

    fn turns_played(&self, state: &State) -> u32 {
        turns_played(state)
    }

    fn action_heap_bytes(&self, action: &RiskAction) -> usize {
        match action {
            RiskAction::Play(_) => 0,
            RiskAction::Recruit(allocation) => std::mem::size_of_val(allocation.placed()),
        }
    }
}

impl Enumerable for RiskGame {
    /// The position without its counters, unless the rules use them.
    type Key = String;

    fn key(&self, state: &State) -> String {
        let rules = state.game().rules();
        let round_counts = rules.end.turn_limit.is_some() || rules.income.growth > 0;
        let actions_count = rules.end.early_stop.is_some();
        let conquests_count = rules.has_cards();
        let text = state.to_position();
        let counts = |field: &&str| match field.split('=').next() {
            Some("round") => round_counts,
            Some("actions") => actions_count,
            Some("conquered") => conquests_count,
            Some("last") => false,
            _ => true,
        };
        text.split(' ').filter(counts).collect::<Vec<_>>().join(" ")
    }
}
