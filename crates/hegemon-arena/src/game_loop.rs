//! The one game loop. Everything that plays games between bots plays them here.

use std::sync::Arc;

use hegemon_bots::{Bot, Forfeit, ForfeitKind, Seating, Spec, SpecError, build};
use hegemon_core::{
    ByPlayer, Game, GameResult, Move, Node, Outcome, PlayerId, State, Streams, View,
};
use hegemon_record::{End, Termination};

/// A game without a turn limit is broken off after so many rounds, and all who
/// are still in it share the win: some bots would play for ever.
pub const ROUND_CAP: u32 = 1000;

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
            let seed = seat_seed(fixture.seed, seat);
            build(
                spec,
                &Seating {
                    game: fixture.game,
                    seat,
                    seed,
                },
            )
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut streams = Streams::with_dice(fixture.deal_seed, fixture.seed);
    Ok(play(
        fixture.game.start(),
        &mut bots,
        &mut streams,
        observer,
    ))
}

/// What a bot is told as its seed. A one-way function of the game's seed: from
/// that seed itself a bot could work out the dice to come.
pub fn seat_seed(seed: u64, seat: PlayerId) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&seed.to_le_bytes())
        .update(&[seat.index() as u8]);
    let mut word = [0; 8];
    word.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(word)
}

/// Plays a state to its end, whatever the bots do.
pub fn play(
    mut state: State,
    bots: &mut [Box<dyn Bot>],
    streams: &mut Streams,
    observer: &mut impl Observer,
) -> Played {
    let mut n_moves = 0;
    let forfeit = loop {
        match state.node() {
            Node::Decision(_) if is_endless(&state) => break None,
            Node::Decision(player) => match legal_choice(bots[player.index()].as_mut(), &state) {
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
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => break None,
        }
    };
    let played = match forfeit {
        Some((loser, forfeit)) => forfeited(&state, loser, forfeit),
        None => stopped(&state).expect("the loop goes on until the game stops"),
    };
    if let Some(result) = state.result() {
        bots.iter_mut().for_each(|bot| bot.game_over(&result));
    }
    Played { n_moves, ..played }
}

/// Whether a game has gone on so long that it is broken off.
#[inline]
fn is_endless(state: &State) -> bool {
    state.round() > ROUND_CAP && state.game().rules().end.turn_limit.is_none()
}

/// How the game stopped, by its rules or by [`ROUND_CAP`]; `None` if it goes on.
pub fn stopped(state: &State) -> Option<Played> {
    match state.node() {
        Node::Terminal => state.result().map(|result| finished(state, &result)),
        Node::Decision(_) if is_endless(state) => Some(broken_off(state)),
        _ => None,
    }
}

/// What the bot chooses where it must move; an illegal move is a forfeit.
///
/// # Errors
///
/// If the bot cannot go on or the move is not legal.
#[inline]
pub fn legal_choice(bot: &mut dyn Bot, state: &State) -> Result<Move, Forfeit> {
    let mv = bot.choose(View::of_mover(state))?;
    if state.is_legal(mv) {
        return Ok(mv);
    }
    let message = format!("{mv} in the {} phase", state.phase().name());
    Err(Forfeit {
        kind: ForfeitKind::IllegalMove,
        message,
    })
}

fn finished(state: &State, result: &GameResult) -> Played {
    played(
        state,
        Termination::Rules(result.ending),
        result.score,
        result.place,
    )
}

fn broken_off(state: &State) -> Played {
    let share = 1.0 / state.n_alive() as f64;
    let score = ByPlayer::from_fn(|p| if state.is_alive(p) { share } else { 0.0 });
    played(state, Termination::RoundCap, score, places(state, None))
}

fn played(
    state: &State,
    termination: Termination,
    score: ByPlayer<f64>,
    place: ByPlayer<u8>,
) -> Played {
    Played {
        termination,
        message: None,
        score,
        place,
        rounds: state.round(),
        n_moves: 0,
        hash: state.hash64(),
    }
}

/// Places in a game that stopped early: all still in it are first, except who
/// forfeited, who is last.
fn places(state: &State, loser: Option<PlayerId>) -> ByPlayer<u8> {
    let n_players = state.game().n_players() as u8;
    let last_out = n_players - u8::from(loser.is_some());
    ByPlayer::from_fn(|p| match state.elimination(p) {
        _ if p.index() >= usize::from(n_players) => 0,
        _ if Some(p) == loser => n_players,
        None => 1,
        Some(elimination) => last_out - elimination.order,
    })
}

/// The loser gets nothing and the last place; all others still in the game
/// share the win.
fn forfeited(state: &State, loser: PlayerId, forfeit: Forfeit) -> Played {
    let share = 1.0 / (state.n_alive() as f64 - 1.0);
    let wins = |p: PlayerId| p != loser && state.is_alive(p);
    let score = ByPlayer::from_fn(|p| if wins(p) { share } else { 0.0 });
    let kind = forfeit.kind.name().to_owned();
    let termination = Termination::Forfeit {
        seat: loser.index(),
        kind,
    };
    let place = places(state, Some(loser));
    Played {
        message: Some(forfeit.message),
        ..played(state, termination, score, place)
    }
}
