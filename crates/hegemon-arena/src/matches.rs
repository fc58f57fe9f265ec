//! A match: specs against each other in blocks, and the results.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::Game;
use hegemon_record::Program;
use serde::Serialize;
use thiserror::Error;

use crate::blocks::{deal_seed, seat_orders};
use crate::game_loop::{Entrant, GameSetup, Observer, play_game};
use crate::luck::{Luck, LuckCounter};
use crate::plan::{GameNumber, Grounds, Plan, play_blocks};
use crate::played::{Block, Played};
use crate::recording::{RecordingError, play_recorded};
use crate::stats::{ControlVariate, Interval, MAX_COVARIATES, Moments, share_ci95};
use crate::value_luck::{Adjust, SeatLuck, ValueLuck};

/// What to play.
#[derive(Clone, Debug)]
pub struct Match {
    /// Map, rules and number of players.
    pub game: Arc<Game>,
    /// The players; a spec may occur several times.
    pub specs: Vec<Spec>,
    /// Least number of games; the last block is played to its end.
    pub n_games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads.
    pub n_threads: usize,
    /// The resources the players may use.
    pub grants: Grants,
    /// Where to write a record of every game.
    pub records: Option<PathBuf>,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A spec cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A record could not be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Results of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The program that played.
    pub program: Program,
    /// Games played.
    pub games: u64,
    /// Blocks played.
    pub blocks: u64,
    /// By player.
    pub players: Vec<PlayerReport>,
    /// Games by how they ended.
    pub endings: BTreeMap<String, u64>,
    /// Mean number of rounds.
    pub mean_rounds: f64,
    /// The factor by which the adjustment for luck reduces the games needed.
    pub adjustment_factor: Option<f64>,
}

/// Results of one player in a match.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    pub spec: String,
    /// Wins, shared ones as fractions.
    pub wins: f64,
    /// Share of the games won.
    pub share: f64,
    /// 95 % interval of the share, over blocks.
    pub ci95: [f64; 2],
    /// The share with luck taken out.
    pub adjusted_share: Option<f64>,
    /// Its 95 % interval.
    pub adjusted_ci95: Option<[f64; 2]>,
    /// Mean placement, 1 is best.
    pub mean_place: f64,
    /// Share of the games won by seat.
    pub share_by_seat: Vec<f64>,
    /// Games lost by forfeit.
    pub forfeits: u64,
}

impl Match {
    /// Games in a block.
    pub fn block_size(&self) -> u64 {
        seat_orders(self.specs.len()).len() as u64
    }

    /// Blocks to play.
    pub fn n_blocks(&self) -> u64 {
        self.n_games.div_ceil(self.block_size())
    }

    /// Checks every spec against the game.
    ///
    /// # Errors
    ///
    /// At the first spec that cannot be used.
    pub fn check(&self) -> Result<(), SpecError> {
        self.specs
            .iter()
            .try_for_each(|spec| check(spec, &self.game, &self.grants))
    }

    /// The block with this number.
    pub fn plan<P: Clone>(&self, number: u64, players: &[P]) -> Plan<P> {
        match_plan(self.seed, number, players)
    }

    /// What all blocks share.
    pub fn grounds(&self) -> Grounds<'_> {
        Grounds {
            game: &self.game,
            grants: &self.grants,
            n_threads: self.n_threads,
        }
    }

    /// Plays a game and counts its luck.
    fn play<P: Entrant>(
        &self,
        setup: &GameSetup<'_, P>,
        number: GameNumber,
        adjust: Adjust,
    ) -> Result<(Played, SeatLuck), MatchError> {
        if adjust == Adjust::Value {
            let mut luck = ValueLuck::new(setup);
            let played = self.play_watched(setup, number, &mut luck)?;
            return Ok((played, luck.covariates(setup.game)));
        }
        let mut luck = LuckCounter::default();
        let mut played = self.play_watched(setup, number, &mut luck)?;
        played.luck = luck.luck.as_slice()[..self.specs.len()].to_vec();
        let luck = dice_luck(&played);
        Ok((played, luck))
    }

    fn play_watched<P: Entrant>(
        &self,
        setup: &GameSetup<'_, P>,
        number: GameNumber,
        observer: &mut impl Observer,
    ) -> Result<Played, MatchError> {
        match &self.records {
            None => Ok(play_game(setup, observer)?),
            Some(folder) => {
                let path = record_path(folder, number.block * self.block_size() + number.game);
                Ok(play_recorded(setup, &path, observer)?)
            }
        }
    }

    /// Plays the match, adjusted for the dice; see [`Match::run_adjusted`].
    ///
    /// # Errors
    ///
    /// If a spec cannot be used or a record cannot be written.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: impl FnMut(&Tally),
    ) -> Result<MatchReport, MatchError> {
        self.run_adjusted(Adjust::Dice, stop, progress)
    }

    /// Plays the match; `progress` sees the tally after every block. After a
    /// stop it reports the blocks finished by then.
    ///
    /// # Errors
    ///
    /// If a spec cannot be used or a record cannot be written.
    pub fn run_adjusted(
        &self,
        adjust: Adjust,
        stop: &AtomicBool,
        progress: impl FnMut(&Tally),
    ) -> Result<MatchReport, MatchError> {
        self.check()?;
        self.run_players(&self.specs, adjust, stop, progress)
    }

    /// The same with players that are not bots of the registry; the specs are then
    /// their names.
    ///
    /// # Errors
    ///
    /// If a player cannot be seated or a record cannot be written.
    pub fn run_players<P: Entrant + Clone + Sync>(
        &self,
        players: &[P],
        adjust: Adjust,
        stop: &AtomicBool,
        mut progress: impl FnMut(&Tally),
    ) -> Result<MatchReport, MatchError> {
        let mut tally = Tally::new(players.len(), adjust);
        self.play_range(players, adjust, 0..self.n_blocks(), stop, |block, luck| {
            tally.add(&block, &luck);
            progress(&tally);
        })?;
        Ok(tally.report(&self.specs))
    }

    /// Plays the blocks with these numbers and delivers them in order, with the luck of
    /// their games.
    pub(crate) fn play_range<P: Entrant + Clone + Sync>(
        &self,
        players: &[P],
        adjust: Adjust,
        numbers: Range<u64>,
        stop: &AtomicBool,
        mut consume: impl FnMut(Block, Vec<SeatLuck>),
    ) -> Result<(), MatchError> {
        play_blocks(
            &self.grounds(),
            numbers,
            stop,
            |number| Ok(self.plan(number, players)),
            |setup, number| self.play(setup, number, adjust),
            |block, luck| {
                consume(block, luck);
                Ok(ControlFlow::Continue(()))
            },
        )
    }
}

/// The block with this number of a match with this seed.
pub(crate) fn match_plan<P: Clone>(seed: u64, number: u64, players: &[P]) -> Plan<P> {
    Plan::rotated(deal_seed(seed, "match", number), players.to_vec())
}

/// The luck of a game with the dice, by seat.
fn dice_luck(played: &Played) -> SeatLuck {
    played.luck.iter().map(Luck::covariates).collect()
}

fn record_path(folder: &Path, game: u64) -> PathBuf {
    folder.join(format!("game-{:07}.hgr", game + 1))
}

/// Sums over blocks.
#[derive(Clone, Debug)]
pub struct Tally {
    n_games: u64,
    n_blocks: u64,
    endings: BTreeMap<String, u64>,
    rounds: u64,
    players: Vec<PlayerTally>,
}

#[derive(Clone, Debug)]
struct PlayerTally {
    wins: f64,
    places: f64,
    forfeits: u64,
    /// Score of every block, as a share.
    shares: Moments,
    adjusted: ControlVariate,
    /// Wins and games by seat.
    seats: Vec<(f64, u64)>,
}

impl Tally {
    pub(crate) fn new(n_players: usize, adjust: Adjust) -> Tally {
        let player = PlayerTally {
            wins: 0.0,
            places: 0.0,
            forfeits: 0,
            shares: Moments::default(),
            adjusted: ControlVariate::new(adjust.n_covariates()),
            seats: vec![(0.0, 0); n_players],
        };
        Tally {
            n_games: 0,
            n_blocks: 0,
            endings: BTreeMap::new(),
            rounds: 0,
            players: vec![player; n_players],
        }
    }

    /// Games so far.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Share of each player so far.
    pub fn shares(&self) -> impl Iterator<Item = f64> + '_ {
        let n_games = self.n_games.max(1) as f64;
        self.players.iter().map(move |player| player.wins / n_games)
    }

    /// Adds a block that was adjusted for the dice.
    pub(crate) fn add_block(&mut self, block: &Block) {
        let luck: Vec<SeatLuck> = block.games.iter().map(dice_luck).collect();
        self.add(block, &luck);
    }

    fn add(&mut self, block: &Block, luck: &[SeatLuck]) {
        self.n_blocks += 1;
        self.n_games += block.games.len() as u64;
        for game in &block.games {
            self.rounds += u64::from(game.rounds);
            let ending = game.termination.name();
            match self.endings.get_mut(ending) {
                Some(n) => *n += 1,
                None => drop(self.endings.insert(ending.to_owned(), 1)),
            }
        }
        for (index, tally) in self.players.iter_mut().enumerate() {
            tally.add(index, block, luck);
        }
    }

    /// The report of the blocks so far.
    pub fn report(&self, specs: &[Spec]) -> MatchReport {
        let players: Vec<PlayerReport> = self
            .players
            .iter()
            .zip(specs)
            .map(|(tally, spec)| tally.report(spec, self.n_games))
            .collect();
        let first = self.players.first();
        MatchReport {
            program: Program::current().clone(),
            games: self.n_games,
            blocks: self.n_blocks,
            players,
            endings: self.endings.clone(),
            mean_rounds: self.rounds as f64 / self.n_games.max(1) as f64,
            adjustment_factor: first
                .and_then(|p| p.adjusted.estimate())
                .and_then(|e| e.factor),
        }
    }
}

impl PlayerTally {
    fn add(&mut self, index: usize, block: &Block, luck_by_game: &[SeatLuck]) {
        let mut score = 0.0;
        let mut luck = [0.0; MAX_COVARIATES];
        let n_games = block.games.len() as f64;
        for (game, luck_by_seat) in block.games.iter().zip(luck_by_game) {
            let Some(player) = game.seat_of(index) else {
                continue;
            };
            let (seat, won) = (player.index(), game.score(player));
            score += won;
            self.places += f64::from(game.places[seat]);
            self.seats[seat].0 += won;
            self.seats[seat].1 += 1;
            for (sum, part) in luck.iter_mut().zip(luck_by_seat[seat]) {
                *sum += part / n_games;
            }
            self.forfeits += u64::from(game.termination.loser() == Some(player));
        }
        self.wins += score;
        let share = score / n_games;
        self.shares.push(share);
        let n = self.adjusted.n_covariates();
        self.adjusted.push(block.number, share, &luck[..n]);
    }

    fn report(&self, spec: &Spec, n_games: u64) -> PlayerReport {
        let n_games = n_games.max(1) as f64;
        let Interval { low, high } = share_ci95(&self.shares);
        // If all blocks have the same score there is no spread to adjust, and
        // an interval of zero width would be wrong.
        let has_spread = self
            .shares
            .variance()
            .is_some_and(|variance| variance > 0.0);
        let adjusted = self
            .adjusted
            .estimate()
            .filter(|_| has_spread)
            .map(|estimate| estimate.adjusted);
        PlayerReport {
            spec: spec.to_string(),
            wins: self.wins,
            share: self.wins / n_games,
            ci95: [low, high],
            adjusted_share: adjusted.as_ref().map(|mean| mean.mean),
            adjusted_ci95: adjusted
                .and_then(|mean| mean.ci95)
                .map(|ci| [ci.low.max(0.0), ci.high.min(1.0)]),
            mean_place: self.places / n_games,
            share_by_seat: self
                .seats
                .iter()
                .map(|&(wins, games)| wins / games.max(1) as f64)
                .collect(),
            forfeits: self.forfeits,
        }
    }
}
