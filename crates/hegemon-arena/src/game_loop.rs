//! The one game loop. Everything that plays games between bots plays them here.

use std::convert::Infallible;
use std::sync::Arc;

use arrayvec::ArrayVec;
use hegemon_bots::rules::RulePolicy;
use hegemon_bots::{
    Bot, Forfeit, ForfeitKind, Grants, PolicyBot, Seating, Spec, SpecError, Watched, build,
};
use hegemon_core::battle::Losses;
use hegemon_core::{
    ByPlayer, Game, MAX_PLAYERS, Move, Node, Outcome, PlayerId, Rng, State, Streams, TerritoryId,
    View,
};
use hegemon_record::{End, Termination, is_endless};

/// A game that is about to be played.
#[derive(Clone, Copy, Debug)]
pub struct Fixture<'a> {
    /// Map, rules and number of players.
    pub game: &'a Arc<Game>,
    /// Specs by seat.
    pub specs: &'a [&'a Spec],
    /// Seed of the deal.
    pub deal_seed: u64,
    /// Seed of dice, cards and bots.
    pub seed: u64,
    /// What the bots may reach.
    pub grants: &'a Grants,
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
    /// What it wants to see of bots whose turns can be played in one piece.
    const SIGHT: Sight = Sight::Events;

    /// A player moves.
    fn on_move(&mut self, _before: &State, _mv: Move) {}
    /// Chance brings something.
    fn on_outcome(&mut self, _before: &State, _outcome: Outcome) {}
    /// A run of attacks on a territory begins, by single exchanges of dice.
    fn on_assault(&mut self, _before: &State, _to: TerritoryId) {}
    /// What an exchange of such a run cost so many fighters and defenders.
    fn on_losses(&mut self, _fighters: u32, _defenders: u32, _losses: Losses) {}
}

/// What an observer wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Every move and every outcome.
    Events,
    /// The dice of attacks, which come in runs where they can.
    Dice,
    /// Nothing.
    Nothing,
}

/// Nobody watches.
impl Observer for () {
    const SIGHT: Sight = Sight::Nothing;
}

/// Builds the bots of a fixture and plays it.
///
/// # Errors
///
/// If a spec cannot be built for this game.
pub fn play_fixture(
    fixture: &Fixture<'_>,
    observer: &mut impl Observer,
) -> Result<Played, SpecError> {
    let mut streams = Streams::with_dice(fixture.deal_seed, fixture.seed);
    let state = fixture.game.start();
    if let Some(mut policies) = fixture.rule_policies() {
        return Ok(play_policies(state, &mut policies, &mut streams, observer));
    }
    let seats = (0..).zip(fixture.specs);
    let mut bots = seats
        .map(|(seat, spec)| build(spec, &fixture.seating(seat)))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(play(state, &mut bots, &mut streams, observer))
}

impl Fixture<'_> {
    fn seating(&self, seat: usize) -> Seating<'_> {
        let seat = PlayerId::new(seat);
        Seating {
            game: self.game,
            seat,
            seed: seat_seed(self.seed, seat),
            grants: self.grants,
        }
    }

    /// The seats, if all of them are bots of the shortest games.
    fn rule_policies(&self) -> Option<ArrayVec<PolicyBot<RulePolicy>, MAX_PLAYERS>> {
        let mut seats = ArrayVec::new();
        for (seat, spec) in self.specs.iter().enumerate() {
            let policy = RulePolicy::of(spec)?;
            seats.push(PolicyBot::new(policy, &self.seating(seat)));
        }
        Some(seats)
    }
}

/// What a bot is told as its seed. A one-way function of the game's seed: from
/// that seed itself a bot could work out the dice to come.
pub fn seat_seed(seed: u64, seat: PlayerId) -> u64 {
    let mut message = [0; 9];
    message[..8].copy_from_slice(&seed.to_le_bytes());
    message[8] = seat.index() as u8;
    let mut word = [0; 8];
    word.copy_from_slice(&blake3::hash(&message).as_bytes()[..8]);
    u64::from_le_bytes(word)
}

/// Plays a state to its end, whatever the bots do.
pub fn play<O: Observer>(
    mut state: State,
    bots: &mut [Box<dyn Bot>],
    streams: &mut Streams,
    observer: &mut O,
) -> Played {
    let watching: ArrayVec<PlayerId, MAX_PLAYERS> = state
        .game()
        .seats()
        .filter(|seat| bots[seat.index()].observes())
        .collect();
    let decide = |player: PlayerId, state: &mut State, observer: &mut O| {
        let mv = legal_choice(&mut *bots[player.index()], state)?;
        for &seat in &watching {
            if seat != player && state.is_alive(seat) {
                bots[seat.index()].observe(View::new(state, seat), mv);
            }
        }
        observer.on_move(state, mv);
        state.play_unchecked(mv);
        Ok(())
    };
    let (n_moves, forfeit) = run_to_end(&mut state, decide, streams, observer);
    let played = match forfeit {
        Some((loser, forfeit)) => forfeited(&state, loser, forfeit),
        None => stopped(&state).expect(STOPPED),
    };
    if let Some(result) = state.result() {
        bots.iter_mut().for_each(|bot| bot.game_over(&result));
    }
    Played { n_moves, ..played }
}

/// The same for policies: they cannot fail and their moves are legal by
/// contract, as in a playout, so nothing is checked outside of debug builds.
fn play_policies<O: Observer>(
    mut state: State,
    policies: &mut [PolicyBot<RulePolicy>],
    streams: &mut Streams,
    observer: &mut O,
) -> Played {
    let in_runs = match O::SIGHT {
        Sight::Events => false,
        Sight::Dice => state.game().has_plain_rolls(),
        Sight::Nothing => true,
    };
    if in_runs {
        let n_moves = run_in_runs(&mut state, policies, streams, observer);
        let end = stopped(&state).expect(STOPPED);
        return Played { n_moves, ..end };
    }
    let decide = |player: PlayerId, state: &mut State, observer: &mut O| {
        let mv = policies[player.index()].policy_move(View::new(state, player));
        debug_assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
        observer.on_move(state, mv);
        state.play_unchecked(mv);
        Ok::<(), Infallible>(())
    };
    let (n_moves, _) = run_to_end(&mut state, decide, streams, observer);
    Played {
        n_moves,
        ..stopped(&state).expect(STOPPED)
    }
}

/// The loop itself: until the rules end the game, the round cap does, or a
/// player has no legal move to offer. Returns the number of moves, and that
/// player with the reason.
///
/// `decide` makes the move itself: a move that is handed back in a `Result`
/// goes through memory in pieces, which costs a fifth of a short game.
#[inline(always)]
fn run_to_end<O: Observer, E>(
    state: &mut State,
    mut decide: impl FnMut(PlayerId, &mut State, &mut O) -> Result<(), E>,
    streams: &mut Streams,
    observer: &mut O,
) -> (u32, Option<(PlayerId, E)>) {
    let mut n_moves = 0;
    loop {
        match state.node() {
            Node::Decision(_) if is_endless(state) => return (n_moves, None),
            Node::Decision(player) => match decide(player, state, observer) {
                Ok(()) => n_moves += 1,
                Err(reason) => return (n_moves, Some((player, reason))),
            },
            Node::Chance => {
                let outcome = streams.draw(state);
                observer.on_outcome(state, outcome);
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => return (n_moves, None),
        }
    }
}

/// The loop for policies where nobody asks for each event: whole turns at a
/// time. Returns the number of moves.
fn run_in_runs<O: Observer>(
    state: &mut State,
    policies: &mut [PolicyBot<RulePolicy>],
    streams: &mut Streams,
    observer: &mut O,
) -> u32 {
    let game = Arc::clone(state.game());
    let mut n_moves = 0;
    loop {
        match state.node() {
            Node::Decision(player) if !is_endless(state) => {
                let dice = streams.dice();
                let mut watched = ObservedDice { dice, observer };
                n_moves += policies[player.index()].play_on(&game, state, &mut watched);
            }
            Node::Chance => streams.resolve(state),
            _ => return n_moves,
        }
    }
}

struct ObservedDice<'a, O> {
    dice: &'a mut Rng,
    observer: &'a mut O,
}

impl<O: Observer> Watched for ObservedDice<'_, O> {
    #[inline]
    fn dice(&mut self) -> &mut Rng {
        self.dice
    }

    #[inline]
    fn on_assault(&mut self, before: &State, to: TerritoryId) {
        self.observer.on_assault(before, to);
    }

    #[inline]
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses) {
        self.observer.on_losses(fighters, defenders, losses);
    }
}

/// What the bot chooses where it must move; an illegal move is a forfeit.
///
/// # Errors
///
/// If the bot cannot go on or the move is not legal.
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

const STOPPED: &str = "the loop goes on until the game stops";

/// How the game stopped, by its rules or by [`hegemon_record::ROUND_CAP`]; `None` if it goes on.
pub fn stopped(state: &State) -> Option<Played> {
    match state.node() {
        Node::Terminal => state.result().map(|result| {
            let termination = Termination::Rules(result.ending);
            played(state, termination, result.score, result.place)
        }),
        _ => End::of_round_cap(state).map(|end| ended(state, end, None)),
    }
}

/// A game that stopped otherwise than by its rules.
fn ended(state: &State, end: End, loser: Option<PlayerId>) -> Played {
    let score = ByPlayer::from_fn(|p| end.score.get(p.index()).copied().unwrap_or(0.0));
    played(state, end.termination, score, places(state, loser))
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
    let end = End::of_forfeit(state, forfeit.kind.name()).expect("the loser had to move");
    Played {
        message: Some(forfeit.message),
        ..ended(state, end, Some(loser))
    }
}
