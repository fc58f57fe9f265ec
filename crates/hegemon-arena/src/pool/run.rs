//! Playing games of a pool.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Rng};
use hegemon_record::Program;

use super::game_row::{GameKey, NewRow};
use super::schedule::RatingState;
use super::store::{Pool, PoolError, PoolSettings};
use super::writer::Entry;
use crate::blocks::{Agenda, run_agenda, seat_orders};
use crate::plan::{Plan, unwatched};
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
        let specs = self.enough_specs()?;
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
            let (mut batch, mut last_store) = (Vec::new(), Instant::now());
            run_agenda(
                params.n_threads,
                &agenda,
                stop,
                || worker(settings, game, &specs, &params.grants),
                |number, played: Result<Vec<NewRow>, PoolError>| {
                    match played {
                        Ok(rows) => {
                            schedule.rating_state.add_rows(&rows);
                            batch.extend(rows);
                        }
                        Err(error) => {
                            failure = Some(error);
                            return ControlFlow::Break(());
                        }
                    }
                    let is_over = number + 1 == wave.end();
                    if is_over || batch.len() >= FULL || last_store.elapsed() >= STORE_EVERY {
                        store(Entry::Games(std::mem::take(&mut batch)))?;
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
            if store(Entry::Games(batch)).is_continue() {
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
        let specs = self.enough_specs()?;
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
                    let rows = current.rows(block.number, block.games, &program);
                    schedule.rating_state.add_rows(&rows);
                    // If this fails, the failure is what the run returns.
                    let stored = store(Entry::Games(rows));
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

    /// The specs of the bots, at least as many as a game has players.
    fn enough_specs(&self) -> Result<Vec<Spec>, PoolError> {
        let (specs, n_players) = (self.specs()?, self.settings().n_players);
        let n_bots = self.active()?.into_iter().filter(|is_in| *is_in).count();
        if n_bots < n_players {
            return Err(PoolError::TooFewBots { n_players, n_bots });
        }
        Ok(specs)
    }
}

/// Plays blocks of waves and makes their rows.
fn worker(
    settings: &PoolSettings,
    game: &Game,
    specs: &[Spec],
    grants: &Grants,
) -> impl Fn(&Wave, u64) -> Result<Vec<NewRow>, PoolError> {
    // Threads that share a game would contend for its reference count.
    let game = Arc::new(game.clone());
    let program = Program::current().to_string();
    move |wave, number| {
        let block = number - wave.start;
        let plan = wave.plan(settings, specs, block);
        let (games, _) = plan.play_games(block, &game, grants, unwatched::<_, PoolError>)?;
        Ok(wave.rows(block, games, &program))
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

    /// The games of a block as they are stored.
    fn rows(&self, block: u64, games: Vec<Played>, program: &str) -> Vec<NewRow> {
        let lineup = &self.lineups[block as usize];
        let row = |(game, played): (u64, Played)| {
            let key = GameKey {
                wave: self.number,
                block,
                game,
            };
            let players = played.seats.iter();
            let bots = players.map(|&player| lineup[usize::from(player)]).collect();
            NewRow::new(played, key, bots, program)
        };
        (0..).zip(games).map(row).collect()
    }
}

/// What is to be played, by what was played.
struct WaveSchedule<'a> {
    settings: &'a PoolSettings,
    params: &'a RunParams,
    /// Whether each bot is in.
    active: Vec<bool>,
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
        let active = pool.active()?;
        let mut rating_state = RatingState::new(active.len());
        let mut waves = pool.waves()?;
        let blocks = pool.blocks()?;
        blocks.iter().for_each(|block| rating_state.add(block));
        let (n_waves, n_planned) = (
            waves.len() as u64,
            waves.iter().map(Vec::len).sum::<usize>(),
        );
        let is_cut = blocks.len() < n_planned;
        let unfinished = waves.pop().filter(|_| is_cut).map(|lineups| Wave {
            number: n_waves - 1,
            start: (n_planned - lineups.len()) as u64,
            lineups,
        });
        let settings = pool.settings();
        Ok(WaveSchedule {
            settings,
            params,
            active,
            block_size: seat_orders(settings.n_players).len() as u64,
            rating_state,
            unfinished,
            n_waves,
        })
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
            .draw_wave(&self.active, n_players, floor, size, &mut rng);
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
