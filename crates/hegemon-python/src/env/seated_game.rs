//! A game in play: its steps, its chance, and the bots in some of its seats.

use std::sync::Arc;

use hegemon_arena::{seat_seed, share};
use hegemon_bots::{Bot, Grants, Seating, Spec, SpecError, build, legal_choice, tell_all};
use hegemon_core::{
    ByPlayer, Event, ForfeitKind, Game, Move, Node, PlayerId, State, Streams, Termination, View,
};

use super::dialogue::Dialogue;
use crate::watch::Halt;

/// Who sits where; a seat without a spec is asked for its steps.
pub(crate) type Seats = [Option<Spec>];

pub(crate) struct SeatedGame {
    dialogue: Dialogue,
    streams: Streams,
    bots: Vec<Box<dyn Bot>>,
    /// Bit `i`: a bot sits in seat `i`.
    has_bot: u8,
    /// Whether any bot is told what happens.
    is_watched: bool,
    forfeit: Option<Termination>,
    /// Whether Ctrl-C came before a step was asked for: such a game cannot go on.
    is_cut: bool,
}

/// Holds a seat that is asked from outside, so that bots are numbered like seats.
struct Asked;

impl Bot for Asked {
    fn choose(&mut self, _: View<'_>) -> Result<Move, hegemon_bots::Forfeit> {
        Err(hegemon_bots::Forfeit {
            kind: ForfeitKind::Crash,
            message: "this seat is asked from outside".to_owned(),
        })
    }
}

impl SeatedGame {
    /// Deals a game and plays to the first step that is asked for.
    pub(crate) fn deal(
        game: &Arc<Game>,
        seats: &Seats,
        seed: u64,
        grants: &Grants,
        halt: &Halt,
    ) -> Result<SeatedGame, SpecError> {
        let mut has_bot = 0;
        let mut bots: Vec<Box<dyn Bot>> = Vec::new();
        for (seat, spec) in game.seats().zip(seats) {
            bots.push(match spec {
                None => Box::new(Asked),
                Some(spec) => {
                    has_bot |= 1 << seat.index();
                    let seating = Seating {
                        game,
                        seat,
                        seed: seat_seed(seed, seat),
                        grants,
                    };
                    build(spec, &seating)?
                }
            });
        }
        let is_watched = bots.iter().any(|bot| bot.observes());
        let mut seated = SeatedGame {
            dialogue: Dialogue::new(game.start()),
            streams: Streams::new(seed),
            bots,
            has_bot,
            is_watched,
            forfeit: None,
            is_cut: false,
        };
        seated.settle(halt);
        Ok(seated)
    }

    pub(crate) fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    pub(crate) fn state(&self) -> &State {
        self.dialogue.state()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.forfeit.is_some() || self.state().node() == Node::Terminal
    }

    /// Whether Ctrl-C came in the middle of a step.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How the game ended.
    pub(crate) fn termination(&self) -> Option<Termination> {
        self.forfeit.or_else(|| Termination::of(self.state()))
    }

    /// Takes a step of the player to move. Returns the move that it completed.
    pub(crate) fn take(&mut self, action: usize, halt: &Halt) -> Result<Option<Move>, ()> {
        let whole = self.dialogue.take(action)?;
        if let Some(mv) = whole {
            self.make(mv);
            self.settle(halt);
        }
        Ok(whole)
    }

    fn make(&mut self, mv: Move) {
        let state = self.dialogue.state();
        debug_assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
        if self.is_watched {
            tell_all(&mut self.bots, state, Event::Move(mv));
        }
        self.dialogue.pass_over(|state| state.play_unchecked(mv));
    }

    /// Applies chance outcomes and moves of bots until a step is asked for, the game is over, or
    /// Ctrl-C comes.
    fn settle(&mut self, halt: &Halt) {
        loop {
            match self.state().node() {
                Node::Chance if self.is_watched => {
                    let outcome = self.streams.draw(self.dialogue.state());
                    tell_all(
                        &mut self.bots,
                        self.dialogue.state(),
                        Event::Outcome(outcome),
                    );
                    self.dialogue
                        .pass_over(|state| state.resolve_unchecked(outcome));
                }
                Node::Chance => {
                    let streams = &mut self.streams;
                    self.dialogue.pass_over(|state| streams.resolve(state));
                }
                Node::Decision(player) if (self.has_bot >> player.index()) & 1 == 1 => {
                    if halt.is_raised() {
                        self.is_cut = true;
                        break;
                    }
                    match legal_choice(&mut *self.bots[player.index()], self.dialogue.state()) {
                        Ok(mv) => self.make(mv),
                        Err(forfeit) => {
                            let (seat, kind) = (player, forfeit.kind);
                            self.forfeit = Some(Termination::Forfeit { seat, kind });
                            return;
                        }
                    }
                }
                Node::Decision(_) | Node::Terminal => break,
            }
        }
        self.dialogue.begin();
    }

    /// What the game was worth to every seat; zero before the end.
    pub(crate) fn utilities(&self) -> ByPlayer<f64> {
        let n_players = self.state().game().n_players();
        let places = self.termination().and_then(|end| end.places(self.state()));
        let Some(places) = places else {
            return ByPlayer::default();
        };
        let places = &places.as_slice()[..n_players];
        ByPlayer::from_fn(|seat| match seat.index() {
            index if index < n_players => utility(share(places, index), n_players),
            _ => 0.0,
        })
    }
}

/// A share of the win as a number that adds up to zero over the seats: 1 for the only winner,
/// `-1 / (n - 1)` for all others.
pub(crate) fn utility(share: f64, n_players: usize) -> f64 {
    let n = n_players as f64;
    (n * share - 1.0) / (n - 1.0)
}

/// The utilities of a state that is over by its rules; zero before the end.
pub(crate) fn utilities_of(state: &State) -> Vec<f64> {
    let n_players = state.game().n_players();
    let is_over = state.node() == Node::Terminal;
    let seats = PlayerId::seats(n_players);
    seats
        .map(|seat| {
            if is_over {
                utility(state.score(seat), n_players)
            } else {
                0.0
            }
        })
        .collect()
}
