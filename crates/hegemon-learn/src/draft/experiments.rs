//! The experiments of Gibson, Desai and Zhao 2010 and their controls.

use std::sync::Arc;

use hegemon_arena::{Observer, Plan, deal_seed, play_game};
use hegemon_bots::{Grants, Spec, SpecError};
use hegemon_core::{Event, Game, Move, Phase, PlayerId, State};
use hegemon_eval::draft::DraftEvaluator;

/// How the bots of a match-up are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The bot drafts and Quo plays on: what the paper's tournament compared.
    Drafters,
    /// The bot drafts and plays.
    Complete,
}

/// The spec of a bot in a reading.
pub fn spec_in(reading: Reading, bot: &str) -> String {
    match (reading, bot) {
        (_, "uct" | "greedy" | "random") => format!("quo(draft={bot})"),
        (Reading::Drafters, _) => format!("quo(draft={bot})"),
        (Reading::Complete, _) => bot.to_owned(),
    }
}

/// One block of Figure 5(a): for each spec the mean evaluation of its drafts and
/// its share of the wins over all seat orders.
///
/// # Errors
///
/// If a spec cannot be used.
pub fn drafter_block(
    game: &Arc<Game>,
    specs: &[Spec],
    evaluator: &DraftEvaluator,
    seed: u64,
    block: u64,
) -> Result<Vec<(f64, f64)>, SpecError> {
    let plan = Plan::rotated(deal_seed(seed, "drafters", block), specs.to_vec());
    let n_games = plan.games.len() as f64;
    let (played, evaluations) = plan.play(block, game, &Grants::sealed(), |setup, _| {
        let mut claims = Claims::new(game);
        let played = play_game(setup, &mut claims)?;
        let shares = evaluator.shares(&claims.owners);
        let by_seat: Vec<f64> = game.seats().map(|seat| shares[claims.rank(seat)]).collect();
        Ok::<_, SpecError>((played, by_seat))
    })?;
    let mut sums = vec![(0.0, 0.0); specs.len()];
    for (game, evaluation) in played.games.iter().zip(evaluations) {
        for (seat, &player) in game.seats.iter().enumerate() {
            let sum = &mut sums[usize::from(player)];
            sum.0 += evaluation[seat] / n_games;
            sum.1 += game.score(PlayerId::new(seat)) / n_games;
        }
    }
    Ok(sums)
}

/// Records who claims what, in the order of play.
struct Claims {
    owners: Vec<PlayerId>,
    first: usize,
    n_players: usize,
}

impl Claims {
    fn new(game: &Game) -> Claims {
        Claims {
            owners: vec![PlayerId::NOBODY; game.map().n_territories()],
            first: 0,
            n_players: game.n_players(),
        }
    }

    fn rank(&self, seat: PlayerId) -> PlayerId {
        PlayerId::new((seat.index() + self.n_players - self.first) % self.n_players)
    }
}

impl Observer for Claims {
    fn on_event(&mut self, before: &State, event: Event) {
        if let (Phase::Claim, Event::Move(Move::Claim { territory })) = (before.phase(), event) {
            self.first = before.first_player().index();
            self.owners[territory.index()] = self.rank(before.player());
        }
    }
}
