//! Random drafts, played out.

use hegemon_arena::{deal_seed, game_seed, play, seat_seed};
use hegemon_bots::{Seating, SpecError, build};
use hegemon_core::{Game, Move, Node, Phase, PlayerId, Rng, State, Streams};

use super::{DraftRow, DraftTraining};

/// Plays the draft with this number.
pub(super) fn play_draft(params: &DraftTraining, number: u64) -> Result<DraftRow, SpecError> {
    let game = &params.game;
    let deal_seed = deal_seed(params.seed, "draft training", number);
    let drafted = random_draft(game.start(), deal_seed);
    let n_players = game.n_players();
    let first = drafted.first_player().index();
    let rank = |seat: PlayerId| (seat.index() + n_players - first) % n_players;
    let mut wins = vec![0.0; n_players];
    for number in 0..params.n_games {
        let seed = game_seed(deal_seed, u64::from(number));
        let mut bots = game
            .seats()
            .map(|seat| build(&params.bot, &Seating { game, seat, seed: seat_seed(seed, seat) }))
            .collect::<Result<Vec<_>, _>>()?;
        let mut streams = Streams::with_dice(deal_seed, seed);
        let played = play(drafted.clone(), &mut bots, &mut streams, &mut ());
        for seat in game.seats() {
            wins[rank(seat)] += played.score[seat];
        }
    }
    Ok(DraftRow { owners: owners(game, &drafted), wins, n_games: params.n_games })
}

/// Owner of each territory, in the order of play.
fn owners(game: &Game, state: &State) -> Vec<PlayerId> {
    let n_players = game.n_players();
    let first = state.first_player().index();
    let rank = |seat: PlayerId| PlayerId::new((seat.index() + n_players - first) % n_players);
    game.map().territories().map(|t| rank(state.board().owner(t))).collect()
}

/// The state after a draft of random claims.
fn random_draft(mut state: State, deal_seed: u64) -> State {
    let mut streams = Streams::new(deal_seed);
    let mut rng = Rng::stream(deal_seed, "claims");
    loop {
        match state.node() {
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve_unchecked(outcome);
            }
            Node::Decision(_) if state.phase() == Phase::Claim => {
                let free = state.board().owned(PlayerId::NOBODY);
                let drawn = free.nth(rng.below(free.len() as u32) as usize);
                match drawn {
                    Some(territory) => state.play_unchecked(Move::Claim { territory }),
                    None => return state,
                }
            }
            _ => return state,
        }
    }
}
