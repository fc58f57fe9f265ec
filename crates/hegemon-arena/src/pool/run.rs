//! Playing games of a pool.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Rng};
use hegemon_record::Program;

use super::game_row::{GameKey, NewRow};
use super::schedule::RatingState;
use super::store::{Pool, PoolError, PoolSettings};
use super::writer::Entry;
use crate::blocks::{Agenda, run_agenda, seat_orders};
use crate::plan::unwatched;
use crate::played::Played;
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
        let specs = self.specs()?;
        let n_players = self.settings().n_players;
        if specs.len() < n_players {
            return Err(PoolError::TooFewBots {
                n_players,
                n_bots: specs.len(),
            });
        }
        let mut schedule = Schedule::resume(self, params, specs.len())?;
        let mut report = |schedule: &Schedule<'_>| {
            progress(&PoolProgress {
                n_games: schedule.n_games(),
                target: params.n_games,
                specs: &specs,
                ratings: schedule.rating_state.ratings(),
            });
        };
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
                        report(&schedule);
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
                report(&schedule);
            }
        })?;
        failure.map_or(Ok(schedule.n_games()), Err)
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
        let lineup = &wave.lineups[block as usize];
        let plan = settings.plan(specs, wave.number, block, lineup);
        let (games, _) = plan.play_games(block, &game, grants, unwatched::<_, PoolError>)?;
        let row = |(game, played): (u64, Played)| {
            let key = GameKey {
                wave: wave.number,
                block,
                game,
            };
            let players = played.seats.iter();
            let bots = players.map(|&player| lineup[usize::from(player)]).collect();
            NewRow::new(played, key, bots, &program)
        };
        Ok((0..).zip(games).map(row).collect())
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
}

/// What is to be played, by what was played.
struct Schedule<'a> {
    settings: &'a PoolSettings,
    params: &'a RunParams,
    block_size: u64,
    rating_state: RatingState,
    /// A wave that was cut short.
    unfinished: Option<Wave>,
    /// Waves that were drawn.
    n_waves: u64,
}

/// How a run stores.
type Store<'a> = dyn FnMut(Entry) -> ControlFlow<()> + 'a;

impl<'a> Schedule<'a> {
    /// The schedule of a pool that has been played to some point.
    fn resume(
        pool: &'a Pool,
        params: &'a RunParams,
        n_bots: usize,
    ) -> Result<Schedule<'a>, PoolError> {
        let mut rating_state = RatingState::new(n_bots);
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
        Ok(Schedule {
            settings,
            params,
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
            .draw_wave(n_players, floor, size, &mut rng);
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
