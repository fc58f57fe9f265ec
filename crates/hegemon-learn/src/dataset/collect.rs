//! Rows of one game, gathered while it is played or replayed.

use std::fmt::Write as _;

use hegemon_arena::{Observer, Played};
use hegemon_core::{Event, PlayerId, State};
use hegemon_eval::{PlayerFeatures, player_features};
use hegemon_record::Header;

use super::row::{Row, TurnPhase};

/// A phase in progress.
#[derive(Debug)]
struct Open {
    seat: PlayerId,
    round: u32,
    phase: TurnPhase,
    before: Vec<PlayerFeatures>,
    moves: String,
}

/// A finished phase of an unfinished game.
#[derive(Debug)]
struct Closed {
    open: Open,
    after: Vec<PlayerFeatures>,
}

/// Observes a game and collects its phases.
#[derive(Debug, Default)]
pub struct RowCollector {
    open: Option<Open>,
    closed: Vec<Closed>,
    /// The last event and the state before it: the end of a game is not an
    /// event.
    last: Option<(State, Event)>,
}

impl RowCollector {
    /// Nothing seen yet.
    pub fn new() -> RowCollector {
        RowCollector::default()
    }

    /// Closes the current phase and opens the next, if the state is in a new
    /// one. Chance outcomes between two phases belong to the first.
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

    /// The rows, once the result is known; the header names the players.
    pub(super) fn rows(mut self, game: u64, header: &Header, played: &Played) -> Vec<Row> {
        if let Some((mut state, event)) = self.last.take() {
            state.apply_unchecked(event);
            self.close(&state);
        }
        let (players, scores) = (&header.players, played.scores());
        let n = players.len();
        let rows = self.closed.into_iter().map(|Closed { open, after }| {
            let seat = open.seat.index();
            Row {
                game,
                seed: header.seed,
                deal_seed: header.deal_seed.unwrap_or(header.seed),
                round: open.round,
                seat: seat as u32,
                rounds: played.rounds,
                program: header.program.to_string(),
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

/// All features as a seat may know them, in turn order from it.
fn seen_by(state: &State, seat: PlayerId) -> Vec<PlayerFeatures> {
    let all = player_features(state, seat);
    let n = state.game().n_players();
    let at = |step| PlayerId::new((seat.index() + step) % n);
    (0..n).map(|step| all[at(step)]).collect()
}

impl Observer for RowCollector {
    fn on_event(&mut self, before: &State, event: Event) {
        self.turn_page(before);
        if let Some(open) = &mut self.open {
            if !open.moves.is_empty() {
                open.moves.push(' ');
            }
            let _ = write!(open.moves, "{event}");
        }
        match &mut self.last {
            Some((state, last)) => {
                state.clone_from(before);
                *last = event;
            }
            None => self.last = Some((before.clone(), event)),
        }
    }
}
