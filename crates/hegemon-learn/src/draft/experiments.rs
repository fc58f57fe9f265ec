//! The experiments of Gibson, Desai and Zhao 2010 and their controls.

use std::sync::Arc;

use hegemon_arena::{Fixture, Observer, deal_seed, game_seed, play_fixture, seat_orders};
use hegemon_bots::{Grants, Spec, SpecError};
use hegemon_core::{Game, Move, Phase, PlayerId, State};
use hegemon_eval::draft::DraftEvaluator;

/// How the bots of a match-up are read.
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
    let orders = seat_orders(specs.len());
    let grants = Grants::sealed();
    let deal_seed = deal_seed(seed, "drafters", block);
    let mut sums = vec![(0.0, 0.0); specs.len()];
    for (n, order) in orders.iter().enumerate() {
        let seated: Vec<&Spec> = order.iter().map(|&p| &specs[p]).collect();
        let fixture = Fixture {
            game,
            specs: &seated,
            deal_seed,
            seed: game_seed(deal_seed, n as u64),
            grants: &grants,
        };
        let mut claims = Claims::new(game);
        let played = play_fixture(&fixture, &mut claims)?;
        let shares = evaluator.shares(&claims.owners);
        for (seat, &player) in order.iter().enumerate() {
            let rank = claims.rank(PlayerId::new(seat));
            sums[player].0 += shares[rank] / orders.len() as f64;
            sums[player].1 += played.score[PlayerId::new(seat)] / orders.len() as f64;
        }
    }
    Ok(sums)
}

/// Notes who claims what, in the order of play.
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
    fn on_move(&mut self, before: &State, mv: Move) {
        if let (Phase::Claim, Move::Claim { territory }) = (before.phase(), mv) {
            self.first = before.first_player().index();
            self.owners[territory.index()] = self.rank(before.player());
        }
    }
}
