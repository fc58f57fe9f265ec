//! Calibration: how often positions are won to which a chance was given, and how good the
//! value is beside simpler ones.

use hegemon_core::{Game, PlayerId, State};
use hegemon_eval::{Evaluator, Weights, WeightsError};
use serde::{Deserialize, Serialize};

use crate::luck::LuckLaw;

/// The least chance in a logarithm: nobody alive has none.
const LEAST: f64 = 1e-4;

/// The judges that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forecaster {
    /// The net.
    Value,
    /// The linear evaluation with its default weights.
    Linear,
    /// Each player's share of all armies.
    Armies,
    /// Equal shares for all still in the game.
    Equal,
}

impl Forecaster {
    /// All of them.
    pub const ALL: [Forecaster; 4] = [
        Forecaster::Value,
        Forecaster::Linear,
        Forecaster::Armies,
        Forecaster::Equal,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Forecaster::Value => "value",
            Forecaster::Linear => "linear evaluation",
            Forecaster::Armies => "share of armies",
            Forecaster::Equal => "equal shares",
        }
    }
}

/// The positions of a game that is under way: one at the beginning of each turn.
#[derive(Clone, Debug)]
pub struct Sampler {
    law: LuckLaw,
    linear: Evaluator,
    turn: Option<(u32, PlayerId)>,
    positions: Vec<JudgedPosition>,
}

/// What each judge said of each player still in the game.
#[derive(Clone, Debug)]
struct JudgedPosition {
    said: Vec<(PlayerId, [f64; Forecaster::ALL.len()])>,
}

impl Sampler {
    /// No position yet.
    ///
    /// # Errors
    ///
    /// If the weights of the linear evaluation are missing.
    pub fn new(game: &Game) -> Result<Sampler, WeightsError> {
        let weights = Weights::load("default", &|_| Err("no files".to_owned()))?;
        Ok(Sampler {
            law: LuckLaw::new(game),
            linear: Evaluator::for_game(game, &weights),
            turn: None,
            positions: Vec::new(),
        })
    }

    /// Sees the state before an event, and keeps it if a turn begins.
    pub fn see(&mut self, before: &State) {
        let turn = Some((before.round(), before.player()));
        if before.round() == 0 || turn == self.turn {
            return;
        }
        self.turn = turn;
        let (value, linear) = (self.law.chances(before), self.linear.win_shares(before));
        let board = before.board();
        let all: u32 = before.alive().map(|p| board.total_armies(p)).sum();
        let said = before.alive().map(|seat| {
            let armies = f64::from(board.total_armies(seat)) / f64::from(all.max(1));
            let equal = 1.0 / before.n_alive() as f64;
            (seat, [value[seat], linear[seat], armies, equal])
        });
        self.positions.push(JudgedPosition {
            said: said.collect(),
        });
    }
}

/// A range of the chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Chances of this size.
    pub n: u64,
    /// What was said, on average.
    pub said: f64,
    /// How often it happened.
    pub won: f64,
    /// Standard error of that, over games: positions of one game are not independent.
    pub error: f64,
}

/// Sums over games.
#[derive(Clone, Debug)]
pub struct Calibration {
    n_games: u64,
    n_positions: u64,
    bins: Vec<BinSums>,
    log_loss: [f64; Forecaster::ALL.len()],
}

#[derive(Clone, Copy, Debug, Default)]
struct BinSums {
    n: u64,
    said: f64,
    won: f64,
    /// Sum over games of the squared sum of (won minus said).
    squares: f64,
}

impl Calibration {
    /// No game yet; the chance is cut into this many equal ranges.
    pub fn new(n_bins: usize) -> Calibration {
        Calibration {
            n_games: 0,
            n_positions: 0,
            bins: vec![BinSums::default(); n_bins],
            log_loss: Default::default(),
        }
    }

    /// Adds a game with the share of the win of each seat.
    pub fn add(&mut self, game: &Sampler, score: &[f64]) {
        self.n_games += 1;
        let n_bins = self.bins.len();
        let mut of_game = vec![BinSums::default(); n_bins];
        for position in &game.positions {
            self.n_positions += 1;
            for (seat, said) in &position.said {
                let (won, value) = (score[seat.index()], said[0]);
                let bin = ((value * n_bins as f64) as usize).min(n_bins - 1);
                let sums = &mut of_game[bin];
                sums.n += 1;
                sums.said += value;
                sums.won += won;
                for (loss, said) in self.log_loss.iter_mut().zip(said) {
                    *loss -= won * said.max(LEAST).ln();
                }
            }
        }
        for (sums, game) in self.bins.iter_mut().zip(of_game) {
            sums.n += game.n;
            sums.said += game.said;
            sums.won += game.won;
            sums.squares += (game.won - game.said).powi(2);
        }
    }

    /// Games so far.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Positions so far.
    pub fn n_positions(&self) -> u64 {
        self.n_positions
    }

    /// The ranges of the chance, from 0 to 1.
    pub fn bins(&self) -> Vec<Bin> {
        let bin = |sums: &BinSums| {
            let n = sums.n.max(1) as f64;
            Bin {
                n: sums.n,
                said: sums.said / n,
                won: sums.won / n,
                error: sums.squares.sqrt() / n,
            }
        };
        self.bins.iter().map(bin).collect()
    }

    /// Mean of minus the logarithm of the chance that was given to the winner.
    pub fn log_loss(&self, judge: Forecaster) -> f64 {
        self.log_loss[judge as usize] / self.n_positions.max(1) as f64
    }
}
