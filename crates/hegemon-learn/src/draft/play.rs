//! Random drafts, played out.

use hegemon_arena::{deal_seed, game_seed, play, seat_seed};
use hegemon_bots::{Seating, SpecError, build};
use hegemon_core::{Game, Move, Node, Phase, PlayerId, Rng, State, Streams, View};

use super::{DraftRow, DraftTraining};

/// Plays the draft with this number.
pub(super) fn play_draft(params: &DraftTraining, number: u64) -> Result<DraftRow, SpecError> {
    let game = &params.game;
    let deal_seed = deal_seed(params.seed, "draft training", number);
    let drafted = draft(params, deal_seed)?;
    let n_players = game.n_players();
    let first = drafted.first_player().index();
    let rank = |seat: PlayerId| (seat.index() + n_players - first) % n_players;
    let mut wins = vec![0.0; n_players];
    for number in 0..params.n_games {
        let seed = game_seed(deal_seed, u64::from(number));
        let mut bots = game
            .seats()
            .map(|seat| {
                build(
                    &params.bot,
                    &Seating {
                        game,
                        seat,
                        seed: seat_seed(seed, seat),
                        grants: &params.grants,
                    },
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut streams = Streams::with_dice(deal_seed, seed);
        let played = play(drafted.clone(), &mut bots, &mut streams, &mut ());
        for seat in game.seats() {
            wins[rank(seat)] += played.score[seat];
        }
    }
    Ok(DraftRow {
        owners: owners(game, &drafted),
        wins,
        n_games: params.n_games,
    })
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

/// The state after a draft. Where there is a drafter, the share of random claims
/// is drawn for each draft: from its own play to pure chance.
fn draft(params: &DraftTraining, deal_seed: u64) -> Result<State, SpecError> {
    let game = &params.game;
    let mut state = game.start();
    let mut streams = Streams::new(deal_seed);
    let mut rng = Rng::stream(deal_seed, "claims");
    let mut drafters = Vec::new();
    if let Some(spec) = &params.drafter {
        for seat in game.seats() {
            let seed = seat_seed(deal_seed, seat);
            let seating = Seating {
                game,
                seat,
                seed,
                grants: &params.grants,
            };
            drafters.push(build(spec, &seating)?);
        }
    }
    let random_share = if drafters.is_empty() { 1.0 } else { rng.unit() };
    loop {
        match state.node() {
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve_unchecked(outcome);
            }
            Node::Decision(player) if state.phase() == Phase::Claim => {
                let free = state.board().owned(PlayerId::NOBODY);
                let drawn = free.nth(rng.below(free.len() as u32) as usize);
                let chosen = match drafters.get_mut(player.index()) {
                    Some(drafter) if !rng.chance(random_share) => {
                        drafter.choose(View::of_mover(&state)).ok()
                    }
                    _ => None,
                };
                let chosen = chosen.filter(|&mv| state.is_legal(mv));
                let random = drawn.map(|territory| Move::Claim { territory });
                match chosen.or(random) {
                    Some(claim) => state.play_unchecked(claim),
                    None => return Ok(state),
                }
            }
            _ => return Ok(state),
        }
    }
}
