//! Playouts of drafts.

use std::sync::Arc;

use hegemon_arena::{
    Block, GameNumber, GameSetup, Plan, Played, SeatOrder, deal_seed, play_game, seat_seed,
};
use hegemon_bots::{Bot, Forfeit, Seating, Seats, Spec, SpecError, build, legal_choice, play_on};
use hegemon_core::{Game, Move, Phase, PlayerId, Rng, State, Streams, Termination};

use super::{DraftRow, DraftTraining};

/// The block of a draft: the draft itself is played here, its games start after
/// it. A drafter that forfeits ends the draft, and no games follow.
pub(super) fn plan(params: &DraftTraining, number: u64) -> Result<Plan, SpecError> {
    let deal_seed = deal_seed(params.seed, "draft training", number);
    let bots = match &params.drafter {
        Some(spec) => drafters(params, spec, deal_seed)?,
        None => Vec::new(),
    };
    Ok(plan_with(params, deal_seed, bots))
}

/// The same with these drafters; if there are none, all claims are random.
pub(super) fn plan_with(params: &DraftTraining, deal_seed: u64, bots: Vec<Box<dyn Bot>>) -> Plan {
    let mut state = params.game.start();
    let forfeit = draft(deal_seed, bots, &mut state);
    let n_players = params.game.n_players() as u8;
    let order = |number| SeatOrder {
        players: (0..n_players).collect(),
        number,
    };
    let games = (0..u64::from(params.n_games)).map(order).collect();
    let players = vec![params.bot.clone(); usize::from(n_players)];
    Plan {
        over: forfeit.and_then(|(seat, Forfeit { kind, message })| {
            let termination = Termination::Forfeit { seat, kind };
            let played = Played::of(&state, termination, deal_seed)?;
            Some(played.with_message(&message))
        }),
        start: Some(state),
        ..Plan::new(deal_seed, players, games)
    }
}

/// The owners and the first player of the draft that a game began with.
pub(super) type Drafted = (Vec<PlayerId>, PlayerId);

/// Plays a game from the end of its draft.
pub(super) fn play(
    setup: &GameSetup<'_>,
    _: GameNumber,
) -> Result<(Played, Option<Drafted>), SpecError> {
    let drafted = setup
        .start
        .map(|state| (owners(setup.game, state), state.first_player()));
    Ok((play_game(setup, &mut ())?, drafted))
}

/// The row of a block.
pub(super) fn row(block: &Block, drafted: Option<Drafted>) -> DraftRow {
    let forfeits = block
        .games
        .iter()
        .filter(|game| game.termination.loser().is_some());
    let n_forfeits = forfeits.count() as u32;
    let Some((owners, first)) = drafted else {
        return DraftRow {
            n_forfeits,
            ..DraftRow::default()
        };
    };
    let n_players = block.specs.len();
    let mut wins = vec![0.0; n_players];
    for game in &block.games {
        for seat in PlayerId::seats(n_players) {
            wins[(seat.index() + n_players - first.index()) % n_players] += game.score(seat);
        }
    }
    DraftRow {
        owners,
        wins,
        n_games: block.games.len() as u32,
        n_forfeits,
    }
}

/// Owner of each territory, in the order of play.
fn owners(game: &Game, state: &State) -> Vec<PlayerId> {
    let n_players = game.n_players();
    let first = state.first_player().index();
    let rank = |seat: PlayerId| PlayerId::new((seat.index() + n_players - first) % n_players);
    game.map()
        .territories()
        .map(|t| rank(state.board().owner(t)))
        .collect()
}

/// Drafts; returns who forfeited, if anyone. With a drafter, the share of random
/// claims is drawn for each draft: from its own play to pure chance.
fn draft(
    deal_seed: u64,
    bots: Vec<Box<dyn Bot>>,
    state: &mut State,
) -> Option<(PlayerId, Forfeit)> {
    let mut rng = Rng::stream(deal_seed, "claims");
    let random_share = if bots.is_empty() { 1.0 } else { rng.unit() };
    let mut seats = Drafters {
        bots,
        random_share,
        rng,
        streams: Streams::new(deal_seed),
    };
    play_on(state, &mut seats, |state, _| state.phase() != Phase::Claim).1
}

fn drafters(
    params: &DraftTraining,
    spec: &Spec,
    deal_seed: u64,
) -> Result<Vec<Box<dyn Bot>>, SpecError> {
    let game: &Arc<Game> = &params.game;
    let seats = game.seats().map(|seat| {
        let seating = Seating {
            game,
            seat,
            seed: seat_seed(deal_seed, seat),
            grants: &params.grants,
        };
        build(spec, &seating)
    });
    seats.collect()
}

/// Drafters whose claims are mixed with random ones.
struct Drafters {
    /// By seat; if empty, all claims are random.
    bots: Vec<Box<dyn Bot>>,
    random_share: f64,
    rng: Rng,
    streams: Streams,
}

impl Seats for Drafters {
    type Failure = Forfeit;

    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, Forfeit> {
        let free = state.board().owned(PlayerId::NOBODY);
        let drawn = free.nth(self.rng.below(free.len() as u32) as usize);
        let random = drawn.map_or(Move::End, |territory| Move::Claim { territory });
        let claim = match self.bots.get_mut(player.index()) {
            Some(bot) if !self.rng.chance(self.random_share) => legal_choice(&mut **bot, state)?,
            _ => random,
        };
        state.play_unchecked(claim);
        Ok(1)
    }

    fn chance(&mut self, state: &mut State) {
        self.streams.resolve(state);
    }
}
