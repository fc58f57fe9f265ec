//! The one game loop. Everything that plays games between bots plays them here.

use std::sync::Arc;

use hegemon_bots::{Bot, Forfeit, ForfeitKind, Seating, Spec, SpecError, build};
use hegemon_core::{ByPlayer, Game, Move, Node, Outcome, PlayerId, State, Streams, View};
use hegemon_record::{End, Termination};

use crate::luck::Luck;

/// A game that is about to be played.
#[derive(Clone, Copy, Debug)]
pub struct Fixture<'a> {
    /// Map, rules and number of players.
    pub game: &'a Arc<Game>,
    /// Specs by seat.
    pub specs: &'a [Spec],
    /// Seed of the deal.
    pub deal_seed: u64,
    /// Seed of dice, cards and bots.
    pub seed: u64,
}

/// What is left of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// How it stopped.
    pub termination: Termination,
    /// Details of a forfeit.
    pub message: Option<String>,
    /// Share of the win by seat.
    pub score: ByPlayer<f64>,
    /// Placement by seat, from 1.
    pub place: ByPlayer<u8>,
    /// Dice luck by seat.
    pub luck: ByPlayer<Luck>,
    /// Rounds played.
    pub rounds: u32,
    /// Moves made.
    pub n_moves: u32,
    /// Hash of the last state.
    pub hash: u64,
}

impl Played {
    /// The last line of the game's record.
    pub fn end(&self, n_players: usize) -> End {
        End {
            termination: self.termination.clone(),
            score: self.score.as_slice()[..n_players].to_vec(),
            hash: self.hash,
        }
    }
}

/// Sees every event of a game before it happens.
pub trait Observer {
    /// A player moves.
    fn on_move(&mut self, _before: &State, _mv: Move) {}
    /// Chance brings something.
    fn on_outcome(&mut self, _before: &State, _outcome: Outcome) {}
}

/// Nobody watches.
impl Observer for () {}

/// Builds the bots of a fixture and plays it.
///
/// # Errors
///
/// If a spec cannot be built for this game.
pub fn play_fixture(
    fixture: &Fixture<'_>,
    observer: &mut impl Observer,
) -> Result<Played, SpecError> {
    let mut bots = fixture
        .specs
        .iter()
        .enumerate()
        .map(|(seat, spec)| {
            let seat = PlayerId::new(seat);
            build(spec, &Seating { game: fixture.game, seat, seed: fixture.seed })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut streams = Streams::with_dice(fixture.deal_seed, fixture.seed);
    Ok(play(fixture.game.start(), &mut bots, &mut streams, observer))
}

/// Plays a state to its end, whatever the bots do.
pub fn play(
    mut state: State,
    bots: &mut [Box<dyn Bot>],
    streams: &mut Streams,
    observer: &mut impl Observer,
) -> Played {
    let mut luck = ByPlayer::<Luck>::default();
    let mut n_moves = 0;
    let forfeit = loop {
        match state.node() {
            Node::Decision(player) => match legal_choice(&mut bots[player.index()], &state) {
                Ok(mv) => {
                    observer.on_move(&state, mv);
                    state.play_unchecked(mv);
                    n_moves += 1;
                }
                Err(forfeit) => break Some((player, forfeit)),
            },
            Node::Chance => {
                let outcome = streams.draw(&state);
                observer.on_outcome(&state, outcome);
                Luck::count(&mut luck, &state, outcome);
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => break None,
        }
    };
    let played = match forfeit {
        Some((loser, forfeit)) => forfeited(&state, loser, forfeit),
        None => finished(&state),
    };
    if let Some(result) = state.result() {
        bots.iter_mut().for_each(|bot| bot.game_over(&result));
    }
    Played { luck, n_moves, ..played }
}

#[inline]
fn legal_choice(bot: &mut Box<dyn Bot>, state: &State) -> Result<Move, Forfeit> {
    let mv = bot.choose(View::of_mover(state))?;
    if state.is_legal(mv) {
        return Ok(mv);
    }
    let message = format!("{mv} in the {} phase", state.phase().name());
    Err(Forfeit { kind: ForfeitKind::IllegalMove, message })
}

fn finished(state: &State) -> Played {
    let result = state.result().expect("the loop ends at a terminal state");
    Played {
        termination: Termination::Rules(result.ending),
        message: None,
        score: result.score,
        place: result.place,
        luck: ByPlayer::default(),
        rounds: state.round(),
        n_moves: 0,
        hash: state.hash64(),
    }
}

/// The loser gets nothing and the last place; all others still in the game
/// share the win.
fn forfeited(state: &State, loser: PlayerId, forfeit: Forfeit) -> Played {
    let n_players = state.game().n_players() as u8;
    let n_winners = state.n_alive() as u8 - 1;
    let wins = |p: PlayerId| p != loser && state.is_alive(p);
    Played {
        termination: Termination::Forfeit {
            seat: loser.index(),
            kind: forfeit.kind.name().to_owned(),
        },
        message: Some(forfeit.message),
        score: ByPlayer::from_fn(|p| if wins(p) { 1.0 / f64::from(n_winners) } else { 0.0 }),
        place: ByPlayer::from_fn(|p| match state.elimination(p) {
            _ if p.index() >= usize::from(n_players) => 0,
            _ if p == loser => n_players,
            None => 1,
            Some(elimination) => n_players - 1 - elimination.order,
        }),
        luck: ByPlayer::default(),
        rounds: state.round(),
        n_moves: 0,
        hash: state.hash64(),
    }
}
