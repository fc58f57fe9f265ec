//! Playing games of a pool.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, MAX_PLAYERS, Rng};
use hegemon_record::Program;

use super::game_row::{GameKey, NewRow};
use super::schedule::RatingState;
use super::store::{Pool, PoolError, PoolSettings, block_seed};
use super::writer::Entry;
use crate::blocks::{Agenda, run_agenda, seat_orders};
use crate::plan::{Deal, Plan, SeatOrder, unwatched};
use crate::played::{Block, Played};
use crate::ratings::glicko2::Glicko2Rating;

/// Blocks are stored in batches, but none waits longer than this.
const STORE_EVERY: Duration = Duration::from_millis(50);

/// Games of a batch.
const FULL: usize = 1 << 13;

/// How to run a pool.
#[derive(Clone, Debug)]
pub struct RunParams {
    /// Play until the pool has this many games.
    pub n_games: u64,
    /// Every pair of bots meets in at least this many blocks.
    pub floor: u64,
    /// Worker threads.
    pub n_threads: usize,
    /// The resources the bots may use.
    pub grants: Grants,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct PoolProgress<'a> {
    /// Games in the store, or on their way there.
    pub n_games: u64,
    /// Target number of games.
    pub target: u64,
    /// Specs by number.
    pub specs: &'a [Spec],
    /// Glicko ratings by number, as of now.
    pub ratings: &'a [Glicko2Rating],
}

/// Takes a finished block.
pub type TakeBlock<'a> = &'a mut dyn FnMut(Block) -> Result<(), PoolError>;

impl Pool {
    /// Plays until the pool has the wanted number of games or `stop` is set.
    /// Returns the number of games in the store.
    ///
    /// # Errors
    ///
    /// If another process is running the pool, the pool has too few bots, or
    /// the file fails.
    pub fn run(
        &mut self,
        params: &RunParams,
        stop: &AtomicBool,
        mut progress: impl FnMut(&PoolProgress<'_>),
    ) -> Result<u64, PoolError> {
        let _lock = self.lock()?;
        self.upgrade()?;
        let specs = self.specs()?;
        let mut schedule = WaveSchedule::resume(self, params)?;
        let (settings, game) = (self.settings(), &**self.game());
        let mut failure = None;
        self.storing(params.n_threads > 1, |store| {
            let Some(first) = schedule.first_wave(store) else {
                return;
            };
            let blocks = schedule.rating_state.n_blocks()..first.end();
            let agenda = Agenda::new(blocks, Arc::clone(&first));
            let mut wave = first;
            let (mut waiting, mut n_waiting) = (Vec::new(), 0);
            let mut last_store = Instant::now();
            run_agenda(
                params.n_threads,
                &agenda,
                stop,
                || worker(settings, game, &specs, &params.grants),
                |blocks, played: PlayedBatch| {
                    schedule.add(&played.rows);
                    n_waiting += played.rows.len();
                    waiting.push(played.rows);
                    if played.failure.is_some() {
                        failure = played.failure;
                        return ControlFlow::Break(());
                    }
                    let is_over = blocks.end == wave.end();
                    if is_over || n_waiting >= FULL || last_store.elapsed() >= STORE_EVERY {
                        store(Entry::Games(std::mem::take(&mut waiting)))?;
                        n_waiting = 0;
                        last_store = Instant::now();
                        progress(&schedule.progress(&specs));
                    }
                    if is_over {
                        match schedule.next_wave(store)? {
                            Some(next) => {
                                wave = next;
                                agenda.extend(wave.lineups.len() as u64, Arc::clone(&wave));
                            }
                            None => agenda.close(),
                        }
                    }
                    ControlFlow::Continue(())
                },
            );
            if store(Entry::Games(waiting)).is_continue() {
                progress(&schedule.progress(&specs));
            }
        })?;
        failure.map_or(Ok(schedule.n_games()), Err)
    }

    /// The same with blocks that are played by `play`, which gets those of a wave with their
    /// numbers and hands over what it finishes, in order. A wave that it does not finish
    /// ends the run.
    ///
    /// # Errors
    ///
    /// As [`Pool::run`], or the first error of `play`.
    pub fn run_by(
        &mut self,
        params: &RunParams,
        stop: &AtomicBool,
        mut progress: impl FnMut(&PoolProgress<'_>),
        mut play: impl FnMut(Vec<(u64, Plan<&Spec>)>, TakeBlock<'_>) -> Result<(), PoolError>,
    ) -> Result<u64, PoolError> {
        let _lock = self.lock()?;
        self.upgrade()?;
        let specs = self.specs()?;
        let mut schedule = WaveSchedule::resume(self, params)?;
        let (settings, program) = (self.settings(), Program::current().to_string());
        let mut played = Ok(());
        self.storing(false, |store| {
            let mut wave = schedule.first_wave(store);
            while let Some(current) = wave.take().filter(|_| !stop.load(Ordering::Relaxed)) {
                let first = schedule.rating_state.n_blocks() - current.start;
                let plan = |block| (block, current.plan(settings, &specs, block));
                let plans = (first..current.lineups.len() as u64).map(plan).collect();
                played = play(plans, &mut |block| {
                    let mut rows = Vec::with_capacity(block.games.len());
                    for (game, played) in (0..).zip(block.games) {
                        rows.push(current.row(block.number, game, played, &program));
                    }
                    schedule.add(&rows);
                    // If this fails, the failure is what the run returns.
                    let stored = store(Entry::Games(vec![rows]));
                    progress(&schedule.progress(&specs));
                    match stored {
                        ControlFlow::Continue(()) => Ok(()),
                        ControlFlow::Break(()) => {
                            Err(PoolError::Elsewhere("the store failed".to_owned()))
                        }
                    }
                });
                if played.is_ok() && schedule.rating_state.n_blocks() == current.end() {
                    wave = schedule.next_wave(store).continue_value().flatten();
                }
            }
        })?;
        played.map(|()| schedule.n_games())
    }
}

/// The rows of some blocks, until one could not be played.
#[derive(Default)]
struct PlayedBatch {
    rows: Vec<NewRow>,
    failure: Option<PoolError>,
}

/// Plays blocks of waves and adds their rows to a batch.
fn worker(
    settings: &PoolSettings,
    game: &Game,
    specs: &[Spec],
    grants: &Grants,
) -> impl Fn(&Wave, u64, &mut PlayedBatch) {
    // Threads that share a game would contend for its reference count.
    let game = Arc::new(game.clone());
    let orders = SeatOrder::all(settings.n_players);
    let program = Program::current().to_string();
    move |wave, number, batch| {
        if batch.failure.is_some() {
            return;
        }
        let block = number - wave.start;
        let lineup = wave.lineups[block as usize].iter();
        let players: ArrayVec<&Spec, MAX_PLAYERS> = lineup.map(|&bot| &specs[bot]).collect();
        let deal = Deal {
            game: &game,
            grants,
            players: &players,
            orders: &orders,
            seed: block_seed(settings.seed, wave.number, block),
            start: None,
        };
        let mut n_played = 0;
        let played = deal.play(block, unwatched::<_, PoolError>, |played, ()| {
            let row = wave.row(block, n_played, played, &program);
            batch.rows.push(row);
            n_played += 1;
        });
        if let Err(error) = played {
            // Blocks are stored whole.
            batch.rows.truncate(batch.rows.len() - n_played as usize);
            batch.failure = Some(error);
        }
    }
}

/// Blocks that are drawn together. Blocks of a pool count through all waves.
#[derive(Debug)]
pub(super) struct Wave {
    pub(super) number: u64,
    /// Bots by their number in the pool.
    pub(super) lineups: Vec<Vec<usize>>,
    /// Number of its first block in the pool.
    start: u64,
}

impl Wave {
    /// Number of the first block after it.
    fn end(&self) -> u64 {
        self.start + self.lineups.len() as u64
    }

    /// One of its blocks, which count from 0.
    fn plan<'a>(&self, settings: &PoolSettings, specs: &'a [Spec], block: u64) -> Plan<&'a Spec> {
        settings.plan(specs, self.number, block, &self.lineups[block as usize])
    }

    /// A game of a block as it is stored.
    fn row(&self, block: u64, game: u64, played: Played, program: &str) -> NewRow {
        let lineup = &self.lineups[block as usize];
        let key = GameKey {
            wave: self.number,
            block,
            game,
        };
        let players = played.seats.iter();
        let bots = players.map(|&player| lineup[usize::from(player)]).collect();
        NewRow::new(played, key, bots, program)
    }
}

/// What is to be played, by what was played.
struct WaveSchedule<'a> {
    settings: &'a PoolSettings,
    params: &'a RunParams,
    /// Whether each bot is in, and as it was when it was added.
    playing: Vec<bool>,
    block_size: u64,
    rating_state: RatingState,
    /// A wave that was cut short.
    unfinished: Option<Wave>,
    /// Waves that were drawn.
    n_waves: u64,
}

/// How a run stores.
type Store<'a> = dyn FnMut(Entry) -> ControlFlow<()> + 'a;

impl<'a> WaveSchedule<'a> {
    /// The schedule of a pool that has been played to some point.
    fn resume(pool: &'a Pool, params: &'a RunParams) -> Result<WaveSchedule<'a>, PoolError> {
        let playing = pool.playing(&params.grants)?;
        let n_players = pool.settings().n_players;
        let n_bots = playing.iter().filter(|is_in| **is_in).count();
        if n_bots < n_players {
            return Err(PoolError::TooFewBots { n_players, n_bots });
        }
        let mut rating_state = RatingState::new(playing.len());
        let mut waves = pool.waves()?;
        let blocks = pool.blocks()?;
        blocks.iter().for_each(|block| rating_state.add(block));
        let (n_waves, n_planned) = (
            waves.len() as u64,
            waves.iter().map(Vec::len).sum::<usize>(),
        );
        let is_cut = blocks.len() < n_planned;
        let mut unfinished = waves.pop().filter(|_| is_cut).map(|lineups| Wave {
            number: n_waves - 1,
            start: (n_planned - lineups.len()) as u64,
            lineups,
        });
        if let Some(wave) = &mut unfinished {
            let n_played = blocks.len() - wave.start as usize;
            let mut waiting = wave.lineups[n_played..].iter().flatten();
            if waiting.any(|&bot| !playing[bot]) {
                pool.cut(wave, n_played)?;
                unfinished = None;
            }
        }
        let settings = pool.settings();
        Ok(WaveSchedule {
            settings,
            params,
            playing,
            block_size: seat_orders(settings.n_players).len() as u64,
            rating_state,
            unfinished,
            n_waves,
        })
    }

    /// Adds the rows of blocks.
    fn add(&mut self, rows: &[NewRow]) {
        for block in rows.chunks(self.block_size as usize) {
            self.rating_state.add_rows(block);
        }
    }

    /// Games so far.
    fn n_games(&self) -> u64 {
        self.rating_state.n_blocks() * self.block_size
    }

    fn progress<'b>(&'b self, specs: &'b [Spec]) -> PoolProgress<'b> {
        PoolProgress {
            n_games: self.n_games(),
            target: self.params.n_games,
            specs,
            ratings: self.rating_state.ratings(),
        }
    }

    /// The wave to begin with: one that was cut short is finished first.
    fn first_wave(&mut self, store: &mut Store<'_>) -> Option<Arc<Wave>> {
        match self.unfinished.take() {
            Some(wave) => Some(Arc::new(wave)),
            None => self.next_wave(store).continue_value().flatten(),
        }
    }

    /// Draws and stores the next wave, if games are missing; breaks if it could
    /// not be stored.
    fn next_wave(&mut self, store: &mut Store<'_>) -> ControlFlow<(), Option<Arc<Wave>>> {
        let n_blocks = self.rating_state.n_blocks();
        let wanted = self.params.n_games.div_ceil(self.block_size);
        if n_blocks >= wanted {
            return ControlFlow::Continue(None);
        }
        let size = self.rating_state.wave_size().min(wanted - n_blocks);
        let mut rng = Rng::stream(self.settings.seed, &format!("wave {}", self.n_waves));
        let (n_players, floor) = (self.settings.n_players, self.params.floor);
        let lineups = self
            .rating_state
            .draw_wave(&self.playing, n_players, floor, size, &mut rng);
        if lineups.is_empty() {
            return ControlFlow::Continue(None);
        }
        let wave = Arc::new(Wave {
            number: self.n_waves,
            lineups,
            start: n_blocks,
        });
        self.n_waves += 1;
        store(Entry::Wave(Arc::clone(&wave)))?;
        ControlFlow::Continue(Some(wave))
    }
}
