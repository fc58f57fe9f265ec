//! Results of a game and of a block of games, which everything else stores,
//! counts, rates and reports.

use arrayvec::ArrayVec;
use hegemon_bots::Spec;
use hegemon_core::{MAX_PLAYERS, PlayerId, State, Termination};
use hegemon_record::{Program, RecordEnd};
use serde::{Deserialize, Serialize};

use crate::luck::Luck;

/// A game that was played. What it shares with the others of its block (the
/// deal, the specs, the program) is in the [`Block`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Number of the player in each seat, in the specs of the block.
    pub seats: ArrayVec<u8, MAX_PLAYERS>,
    /// Seed of dice, cards and bots.
    pub seed: u64,
    /// How it stopped.
    pub termination: Termination,
    /// Details of a forfeit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Placement by seat, from 1; all firsts share the win.
    pub places: ArrayVec<u8, MAX_PLAYERS>,
    /// Rounds played.
    pub rounds: u32,
    /// Moves made.
    pub n_moves: u32,
    /// Hash of the last state.
    pub hash: u64,
    /// Dice luck by seat, if counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<Luck>,
}

/// Most characters kept of a bot's message.
const MAX_MESSAGE: usize = 200;

impl Played {
    /// A game that stopped this way in its last state, each player in the seat
    /// of its number; `None` if that is impossible.
    pub fn of(last: &State, termination: Termination, seed: u64) -> Option<Played> {
        let n_players = last.game().n_players();
        let places = termination.places(last)?;
        Some(Played {
            seats: (0..n_players as u8).collect(),
            seed,
            termination,
            message: None,
            places: places.as_slice()[..n_players].iter().copied().collect(),
            rounds: last.round(),
            n_moves: 0,
            hash: last.hash64(),
            luck: Vec::new(),
        })
    }

    /// The same with the details of a forfeit.
    #[must_use]
    pub fn with_message(mut self, message: &str) -> Played {
        self.message = Some(message.chars().take(MAX_MESSAGE).collect());
        self
    }

    /// The player who lost by forfeit, by number.
    pub fn forfeiter(&self) -> Option<usize> {
        let seat = self.termination.loser()?;
        self.seats
            .get(seat.index())
            .map(|&player| usize::from(player))
    }

    /// A seat's share of the win.
    pub fn score(&self, seat: PlayerId) -> f64 {
        share(&self.places, seat.index())
    }

    /// The shares of the win by seat.
    pub fn scores(&self) -> Vec<f64> {
        let seats = PlayerId::seats(self.places.len());
        seats.map(|seat| self.score(seat)).collect()
    }

    /// How many share the win.
    pub fn n_winners(&self) -> usize {
        self.places.iter().filter(|&&place| place == 1).count()
    }

    /// Where a player of the block sat; `None` if it sat this game out.
    pub fn seat_of(&self, player: usize) -> Option<PlayerId> {
        let seat = self.seats.iter().position(|&p| usize::from(p) == player);
        seat.map(PlayerId::new)
    }

    /// Placement by player of the block; 0 for those who sat out.
    pub fn places_by_player(&self) -> ArrayVec<u8, MAX_PLAYERS> {
        let place = |player| {
            self.seat_of(player)
                .map_or(0, |seat| self.places[seat.index()])
        };
        (0..self.seats.len()).map(place).collect()
    }

    /// The last line of the game's record.
    pub fn end(&self) -> RecordEnd {
        RecordEnd {
            termination: self.termination,
            score: self.scores(),
            hash: self.hash,
        }
    }
}

/// The share of the win of one place: all firsts share it.
pub fn share(places: &[u8], index: usize) -> f64 {
    let n_first = places.iter().filter(|&&place| place == 1).count();
    if places[index] == 1 {
        1.0 / n_first as f64
    } else {
        0.0
    }
}

/// One deal that was played in several seat orders: one observation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its number in the run.
    pub number: u64,
    /// Seed of the deal.
    pub deal_seed: u64,
    /// The players.
    pub specs: Vec<Spec>,
    /// The program that played it.
    pub program: Program,
    pub games: Vec<Played>,
}

impl Block {
    /// Mean share of the wins of a player over the games that it took part in.
    pub fn share(&self, player: usize) -> f64 {
        let seated = |game: &Played| game.seat_of(player).map(|seat| game.score(seat));
        let scores: Vec<f64> = self.games.iter().filter_map(seated).collect();
        scores.iter().sum::<f64>() / scores.len().max(1) as f64
    }
}
