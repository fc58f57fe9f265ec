//! Luck in win chance: the analysis' luck terms as a control variate.

use hegemon_analysis::{LuckLaw, TILTS, TiltedLuck};
use hegemon_core::{Event, Game, PlayerId, State};

use crate::game_loop::{GameSetup, Observer};
use crate::stats::MAX_COVARIATES;

/// What results are adjusted for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adjust {
    /// The dice, counted in armies: costs next to nothing.
    #[default]
    Dice,
    /// Dice, cards and deals in win chance: several evaluations of a net for each roll,
    /// which pays where games are long to play.
    Value,
}

impl Adjust {
    /// How many numbers the luck of a seat has.
    pub fn n_covariates(self) -> usize {
        match self {
            Adjust::Dice => crate::luck::Luck::N,
            Adjust::Value => TILTS.len(),
        }
    }
}

/// The luck of a game by seat, each number with mean zero.
pub type SeatLuck = Vec<[f64; MAX_COVARIATES]>;

/// Counts the luck of every seat in win chance while a game is played.
#[derive(Clone, Debug)]
pub struct ValueLuck {
    law: LuckLaw,
    luck: TiltedLuck,
}

impl ValueLuck {
    /// No luck yet, in the game that is about to be played.
    pub fn new<P>(setup: &GameSetup<'_, P>) -> ValueLuck {
        ValueLuck {
            law: LuckLaw::new(setup.game),
            luck: TiltedLuck::new(setup.start.is_some()),
        }
    }

    /// The luck by seat: by the value, and by the value of weaker and stronger players.
    pub fn covariates(&self, game: &Game) -> SeatLuck {
        let of = |seat: PlayerId| {
            let mut numbers = [0.0; MAX_COVARIATES];
            numbers[..TILTS.len()].copy_from_slice(&self.luck.of(seat));
            numbers
        };
        game.seats().map(of).collect()
    }

    /// The luck of a seat by the value.
    pub fn of(&self, seat: PlayerId) -> f64 {
        self.luck.of(seat)[0]
    }
}

impl Observer for ValueLuck {
    fn on_event(&mut self, before: &State, event: Event) {
        self.luck.add(&self.law, before, event);
    }
}
