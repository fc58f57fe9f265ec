//! Rows of one game, gathered while it is played or replayed.

use std::fmt::Write as _;

use hegemon_arena::Observer;
use hegemon_core::{Move, Outcome, PlayerId, State};
use hegemon_eval::{Outlook, outlooks};

use super::row::{Row, TurnPhase};

/// What rows of one game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameKey {
    pub(super) game: u64,
    pub(super) seed: u64,
    pub(super) deal_seed: u64,
}

/// A phase under way.
#[derive(Debug)]
struct Open {
    seat: PlayerId,
    round: u32,
    phase: TurnPhase,
    before: Vec<Outlook>,
    moves: String,
}

/// A phase that is over, its game not yet.
#[derive(Debug)]
struct Closed {
    open: Open,
    after: Vec<Outlook>,
}

/// Watches a game and keeps its phases.
#[derive(Debug, Default)]
pub struct RowCollector {
    open: Option<Open>,
    closed: Vec<Closed>,
    /// The last event and the state before it: the end of a game is no event.
    last: Option<(State, Happening)>,
}

#[derive(Clone, Copy, Debug)]
enum Happening {
    Move(Move),
    Outcome(Outcome),
}

impl RowCollector {
    /// Nothing seen yet.
    pub fn new() -> RowCollector {
        RowCollector::default()
    }

    fn note(&mut self, before: &State, happening: Happening) {
        self.turn_page(before);
        if let Some(open) = &mut self.open {
            if !open.moves.is_empty() {
                open.moves.push(' ');
            }
            let _ = match happening {
                Happening::Move(mv) => write!(open.moves, "{mv}"),
                Happening::Outcome(outcome) => write!(open.moves, "{outcome}"),
            };
        }
        match &mut self.last {
            Some((state, last)) => {
                state.clone_from(before);
                *last = happening;
            }
            None => self.last = Some((before.clone(), happening)),
        }
    }

    /// Closes the phase under way and opens the next, if the state has come to
    /// another one. What chance does between two phases belongs to the first.
    fn turn_page(&mut self, state: &State) {
        let is_decision = matches!(state.node(), hegemon_core::Node::Decision(_));
        if !is_decision {
            return;
        }
        let phase = TurnPhase::of(state.phase(), state.is_mid_turn());
        let is_same = self.open.as_ref().is_some_and(|open| {
            open.seat == state.player() && open.round == state.round() && Some(open.phase) == phase
        });
        if is_same {
            return;
        }
        self.close(state);
        self.open = phase.map(|phase| Open {
            seat: state.player(),
            round: state.round(),
            phase,
            before: seen_by(state, state.player()),
            moves: String::new(),
        });
    }

    fn close(&mut self, state: &State) {
        if let Some(open) = self.open.take() {
            let after = seen_by(state, open.seat);
            self.closed.push(Closed { open, after });
        }
    }

    /// The rows, once it is known how the game went. `scores` and `players` are
    /// by seat.
    pub(super) fn rows(
        mut self,
        key: GameKey,
        players: &[String],
        scores: &[f64],
        rounds: u32,
    ) -> Vec<Row> {
        if let Some((mut state, happening)) = self.last.take() {
            match happening {
                Happening::Move(mv) => state.play_unchecked(mv),
                Happening::Outcome(outcome) => state.resolve_unchecked(outcome),
            }
            self.close(&state);
        }
        let n = players.len();
        let rows = self.closed.into_iter().map(|Closed { open, after }| {
            let seat = open.seat.index();
            Row {
                game: key.game,
                seed: key.seed,
                deal_seed: key.deal_seed,
                round: open.round,
                seat: seat as u32,
                rounds,
                player: players[seat].clone(),
                phase: open.phase,
                moves: open.moves,
                scores: (0..n).map(|step| scores[(seat + step) % n]).collect(),
                before: open.before,
                after,
            }
        });
        rows.collect()
    }
}

/// All outlooks as a seat may know them, in turn order from it.
fn seen_by(state: &State, seat: PlayerId) -> Vec<Outlook> {
    let all = outlooks(state, seat);
    let n = state.game().n_players();
    let at = |step| PlayerId::new((seat.index() + step) % n);
    (0..n).map(|step| all[at(step)]).collect()
}

impl Observer for RowCollector {
    fn on_move(&mut self, before: &State, mv: Move) {
        self.note(before, Happening::Move(mv));
    }

    fn on_outcome(&mut self, before: &State, outcome: Outcome) {
        self.note(before, Happening::Outcome(outcome));
    }
}
