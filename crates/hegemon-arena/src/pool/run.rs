//! Playing games of a pool.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hegemon_bots::{Grants, Spec};
use hegemon_core::Rng;

use super::schedule::RatingState;
use super::store::{Pool, PoolError, StoredBlock};
use crate::blocks::seat_orders;
use crate::plan::{Grounds, Plan, play_blocks, unwatched};
use crate::played::Block;
use crate::ratings::glicko2::Glicko2Rating;

/// Blocks are stored in batches, but none waits longer than this.
const STORE_EVERY: Duration = Duration::from_millis(50);

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
    /// Games in the store.
    pub n_games: u64,
    /// Target number of games.
    pub target: u64,
    /// Specs by number.
    pub specs: &'a [Spec],
    /// Glicko ratings by number, as of the last full wave.
    pub ratings: &'a [Glicko2Rating],
}

/// Takes a finished block.
pub type Consume<'a> = &'a mut dyn FnMut(Block) -> Result<(), PoolError>;

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
        progress: impl FnMut(&PoolProgress<'_>),
    ) -> Result<u64, PoolError> {
        let game = Arc::clone(self.game());
        let grounds = Grounds {
            game: &game,
            grants: &params.grants,
            n_threads: params.n_threads,
        };
        self.run_by(params, stop, progress, |plans, consume| {
            let first = plans.first().map_or(0, |(number, _)| *number);
            play_blocks(
                &grounds,
                first..first + plans.len() as u64,
                stop,
                |number| Ok(plans[(number - first) as usize].1.clone()),
                unwatched::<_, PoolError>,
                |block, _| consume(block).map(ControlFlow::Continue),
            )
        })
    }

    /// The same with blocks that are played by `play`, which gets those of a wave with their
    /// numbers and hands over what it finishes, in order.
    ///
    /// # Errors
    ///
    /// As [`Pool::run`], or the first error of `play`.
    pub fn run_by(
        &mut self,
        params: &RunParams,
        stop: &AtomicBool,
        mut progress: impl FnMut(&PoolProgress<'_>),
        mut play: impl FnMut(Vec<(u64, Plan)>, Consume<'_>) -> Result<(), PoolError>,
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
        let block_size = seat_orders(n_players).len() as u64;
        let mut rating_state = RatingState::new(specs.len());
        let waves = self.waves()?;
        let mut n_blocks = 0;
        for block in self.blocks()? {
            n_blocks += 1;
            rating_state.add(&block);
        }
        // A wave that was cut short is finished first.
        let n_planned: usize = waves.iter().map(Vec::len).sum();
        let is_cut = n_blocks < n_planned as u64;
        let mut unfinished = waves
            .last()
            .filter(|_| is_cut)
            .map(|lineups| (waves.len() as u64 - 1, lineups.clone()));
        let mut next_wave = waves.len() as u64;
        while !stop.load(Ordering::Relaxed) {
            let (wave, lineups) = match unfinished.take() {
                Some(last) => last,
                None if n_blocks * block_size >= params.n_games => break,
                None => {
                    let missing = params.n_games.div_ceil(block_size) - n_blocks;
                    let size = rating_state.wave_size().min(missing);
                    let mut rng = Rng::stream(self.settings().seed, &format!("wave {next_wave}"));
                    let lineups = rating_state.draw_wave(n_players, params.floor, size, &mut rng);
                    self.store_wave(next_wave, &lineups)?;
                    next_wave += 1;
                    (next_wave - 1, lineups)
                }
            };
            let before = n_blocks;
            let played = self.play_wave(wave, &lineups, &specs, &mut play, |n| {
                progress(&PoolProgress {
                    n_games: (before + n) * block_size,
                    target: params.n_games,
                    specs: &specs,
                    ratings: rating_state.ratings(),
                });
            })?;
            n_blocks += played.len() as u64;
            // Sequential ratings depend on the order: the wave may have been
            // finished in two runs, so read it from the store.
            if played.len() < lineups.len() && !stop.load(Ordering::Relaxed) {
                rating_state = RatingState::new(specs.len());
                self.blocks()?
                    .iter()
                    .for_each(|block| rating_state.add(block));
            } else {
                played.iter().for_each(|block| rating_state.add(block));
            }
        }
        Ok(n_blocks * block_size)
    }

    /// Plays the blocks of a wave that are not stored yet, and stores them.
    fn play_wave(
        &mut self,
        wave: u64,
        lineups: &[Vec<usize>],
        specs: &[Spec],
        play: &mut impl FnMut(Vec<(u64, Plan)>, Consume<'_>) -> Result<(), PoolError>,
        mut progress: impl FnMut(u64),
    ) -> Result<Vec<StoredBlock>, PoolError> {
        let first = self.n_stored(wave)?;
        let missing = (first..).zip(&lineups[first as usize..]);
        let plans = missing
            .map(|(block, lineup)| (block, self.settings().plan(specs, wave, block, lineup)))
            .collect();
        let mut played: Vec<StoredBlock> = Vec::new();
        let mut n_stored = 0;
        let mut last_store = Instant::now();
        let result = play(plans, &mut |block| {
            played.push(StoredBlock {
                wave,
                lineup: lineups[block.number as usize].clone(),
                block,
            });
            if last_store.elapsed() >= STORE_EVERY {
                self.store_batch(&played[n_stored..])?;
                n_stored = played.len();
                last_store = Instant::now();
                progress(played.len() as u64);
            }
            Ok(())
        });
        self.store_batch(&played[n_stored..])?;
        progress(played.len() as u64);
        result.map(|()| played)
    }
}
