//! A match: specs against each other in blocks, and the results.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrayvec::ArrayVec;
use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{Game, MAX_PLAYERS, Termination};
use hegemon_record::Program;
use serde::Serialize;
use thiserror::Error;

use crate::blocks::{MAX_ORDERS, deal_seed, run_blocks_by, seat_orders};
use crate::game_loop::{Entrant, GameSetup, Observer, play_game};
use crate::luck::{Luck, LuckCounter, LuckTable};
use crate::plan::{Deal, GameNumber, Grounds, Plan, SeatOrder, play_blocks};
use crate::played::{Block, Played, share};
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
        table: &LuckTable,
    ) -> Result<(Played, SeatLuck), MatchError> {
        let mut by_value = match adjust {
            Adjust::Dice => {
                let mut luck = LuckCounter::new(table);
                let played = self.play_watched(setup, number, &mut luck)?;
                let luck = luck.luck();
                let by_seat = luck.as_slice()[..self.specs.len()].iter();
                return Ok((played, by_seat.map(Luck::covariates).collect()));
            }
            Adjust::Value => ValueLuck::new(setup),
            Adjust::Lookahead => ValueLuck::looking_ahead(setup)?,
        };
        let played = self.play_watched(setup, number, &mut by_value)?;
        Ok((played, by_value.covariates(setup.game)))
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
        let mut failure = None;
        run_blocks_by(
            self.n_threads,
            0..self.n_blocks(),
            stop,
            || self.worker(players, adjust),
            |number, played| match played {
                Ok(sums) => {
                    tally.add(number, &sums);
                    progress(&tally);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        match failure {
            None => Ok(tally.report(&self.specs)),
            Some(error) => Err(error),
        }
    }

    /// Plays blocks and returns what the tally needs of them. Nothing that a thread owns or hands
    /// over is shared or on the heap: counts of references and memory that one thread takes and
    /// another gives back would cost sixteen threads more than the games.
    fn worker<P: Entrant>(
        &self,
        players: &[P],
        adjust: Adjust,
    ) -> impl Fn(u64) -> Result<BlockSums, MatchError> {
        let game = Arc::new(Game::clone(&self.game));
        let (orders, table) = (SeatOrder::all(players.len()), LuckTable::new(&game));
        move |number| {
            let deal = Deal {
                game: &game,
                grants: &self.grants,
                players,
                orders: &orders,
                seed: match_deal(self.seed, number),
                start: None,
            };
            let mut sums = BlockSums::new(orders.len(), players.len());
            deal.play(
                number,
                |setup, number| self.play(setup, number, adjust, &table),
                |played, luck| sums.add(&played, &luck),
            )?;
            Ok(sums)
        }
    }

    /// Plays the blocks with these numbers and delivers them in order, with the luck of
    /// the dice in their games.
    pub(crate) fn play_range(
        &self,
        numbers: Range<u64>,
        stop: &AtomicBool,
        mut consume: impl FnMut(Block),
    ) -> Result<(), MatchError> {
        let table = LuckTable::new(&self.game);
        play_blocks(
            &self.grounds(),
            numbers,
            stop,
            |number| Ok(self.plan(number, &self.specs)),
            |setup, number| {
                let (mut played, luck) = self.play(setup, number, Adjust::Dice, &table)?;
                played.luck = luck.iter().map(Luck::of).collect();
                Ok((played, ()))
            },
            |block, _| {
                consume(block);
                Ok(ControlFlow::Continue(()))
            },
        )
    }
}

/// The block with this number of a match with this seed.
pub(crate) fn match_plan<P: Clone>(seed: u64, number: u64, players: &[P]) -> Plan<P> {
    Plan::rotated(match_deal(seed, number), players.to_vec())
}

fn match_deal(seed: u64, number: u64) -> u64 {
    deal_seed(seed, "match", number)
}

fn record_path(folder: &Path, game: u64) -> PathBuf {
    folder.join(format!("game-{:07}.hgr", game + 1))
}

/// What a tally needs of a block.
struct BlockSums {
    games: ArrayVec<GameOfBlock, MAX_ORDERS>,
    n_orders: usize,
    /// By player, on average over the games.
    luck: ArrayVec<[f64; MAX_COVARIATES], MAX_PLAYERS>,
}

struct GameOfBlock {
    /// Number of the player in each seat.
    players: ArrayVec<u8, MAX_PLAYERS>,
    /// Placement by seat.
    places: ArrayVec<u8, MAX_PLAYERS>,
    termination: Termination,
    rounds: u32,
}

impl BlockSums {
    /// A block of this many games of all players, none of them played yet.
    fn new(n_orders: usize, n_players: usize) -> BlockSums {
        BlockSums {
            games: ArrayVec::new(),
            n_orders,
            luck: (0..n_players).map(|_| [0.0; MAX_COVARIATES]).collect(),
        }
    }

    fn add(&mut self, game: &Played, luck_by_seat: &SeatLuck) {
        let n_games = self.n_orders as f64;
        for (&player, luck) in game.seats.iter().zip(luck_by_seat) {
            for (sum, part) in self.luck[usize::from(player)].iter_mut().zip(luck) {
                *sum += part / n_games;
            }
        }
        self.games.push(GameOfBlock {
            players: game.seats.clone(),
            places: game.places.clone(),
            termination: game.termination,
            rounds: game.rounds,
        });
    }
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
        let mut sums = BlockSums::new(block.games.len(), block.specs.len());
        for game in &block.games {
            let luck: SeatLuck = game.luck.iter().map(Luck::covariates).collect();
            sums.add(game, &luck);
        }
        self.add(block.number, &sums);
    }

    fn add(&mut self, number: u64, block: &BlockSums) {
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
            tally.add(index, number, block);
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
    fn add(&mut self, index: usize, number: u64, block: &BlockSums) {
        let mut score = 0.0;
        for game in &block.games {
            let Some(seat) = game.players.iter().position(|&p| usize::from(p) == index) else {
                continue;
            };
            let won = share(&game.places, seat);
            score += won;
            self.places += f64::from(game.places[seat]);
            self.seats[seat].0 += won;
            self.seats[seat].1 += 1;
            let loser = game.termination.loser();
            self.forfeits += u64::from(loser.is_some_and(|loser| loser.index() == seat));
        }
        self.wins += score;
        let share = score / block.games.len() as f64;
        self.shares.push(share);
        let n = self.adjusted.n_covariates();
        self.adjusted.push(number, share, &block.luck[index][..n]);
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
