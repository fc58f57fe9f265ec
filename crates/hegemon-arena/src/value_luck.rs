//! Luck in win chance: the analysis' luck terms as a control variate.

use arrayvec::ArrayVec;
use hegemon_analysis::{Foresight, LuckLaw, LuckSums};
use hegemon_bots::SpecError;
use hegemon_core::{Event, Game, MAX_PLAYERS, PlayerId, State};

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
    /// The same with rolls valued by short rollouts: sharper again, and worth it for bots
    /// that search.
    Lookahead,
}

/// Rollouts for each outcome of a roll.
const N_ROLLOUTS: u32 = 16;

impl Adjust {
    /// How many numbers the luck of a seat has.
    pub fn n_covariates(self) -> usize {
        match self {
            Adjust::Dice => crate::luck::Luck::N,
            // Few blocks fit one slope well, and three or five badly.
            Adjust::Value | Adjust::Lookahead => 1,
        }
    }
}

/// The luck of a game by seat, each number with mean zero.
pub type SeatLuck = ArrayVec<[f64; MAX_COVARIATES], MAX_PLAYERS>;

/// Counts the luck of every seat in win chance while a game is played.
pub struct ValueLuck {
    law: LuckLaw,
    luck: LuckSums,
    foresight: Option<Foresight>,
}

impl ValueLuck {
    /// No luck yet, in the game that is about to be played.
    pub fn new<P>(setup: &GameSetup<'_, P>) -> ValueLuck {
        ValueLuck {
            law: LuckLaw::new(setup.game),
            luck: match setup.start {
                None => LuckSums::new(),
                Some(_) => LuckSums::midway(),
            },
            foresight: None,
        }
    }

    /// The same, looking ahead after every roll.
    ///
    /// # Errors
    ///
    /// If a bot that plays the rollouts cannot play the game.
    pub fn looking_ahead<P>(setup: &GameSetup<'_, P>) -> Result<ValueLuck, SpecError> {
        Ok(ValueLuck {
            foresight: Some(Foresight::new(setup.game, N_ROLLOUTS)?),
            ..ValueLuck::new(setup)
        })
    }

    /// The luck by seat: one number.
    pub fn covariates(&self, game: &Game) -> SeatLuck {
        let of = |seat: PlayerId| {
            let mut numbers = [0.0; MAX_COVARIATES];
            numbers[0] = self.of(seat);
            numbers
        };
        game.seats().map(of).collect()
    }

    /// All luck of a seat.
    pub fn of(&self, seat: PlayerId) -> f64 {
        self.luck.total(seat)
    }
}

impl Observer for ValueLuck {
    fn on_event(&mut self, before: &State, event: Event) {
        match &mut self.foresight {
            Some(foresight) => {
                self.luck.add_foreseen(&self.law, foresight, before, event);
            }
            None => {
                self.luck.add(&self.law, before, event);
            }
        }
    }
}
