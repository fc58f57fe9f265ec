//! Finds damage in the file of a pool, and replays damaged games.

use std::collections::BTreeMap;
use std::path::Path;

use hegemon_bots::Grants;
use serde::Serialize;

use super::store::{Damage, Pool, PoolError, StoredBlock, Waves};
use crate::blocks::seat_orders;
use crate::plan::unwatched;
use crate::sqlite_file::faults_of;

/// The result of checking a pool file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PoolCheckReport {
    /// Undamaged games.
    pub games: u64,
    /// Damaged rows.
    pub damages: Vec<Damage>,
    /// Games that were played again, each identical to the original.
    pub repaired: u64,
}

/// Checks the file of a pool.
///
/// # Errors
///
/// If the file is not a pool or cannot be read.
pub fn check(path: &Path) -> Result<PoolCheckReport, PoolError> {
    match Pool::open(path) {
        Ok(pool) => Ok(Findings::of(&pool)?.report(0)),
        Err(PoolError::Damaged { damage, .. }) => Ok(PoolCheckReport {
            damages: vec![damage],
            ..PoolCheckReport::default()
        }),
        Err(error) => Err(error),
    }
}

/// Replays damaged or lost games: they follow from the schedule and the seed.
///
/// # Errors
///
/// If the file is not a pool or cannot be read, or if it cannot be repaired: the
/// settings, the bots and the schedule cannot be recovered.
pub fn repair(path: &Path, grants: &Grants) -> Result<PoolCheckReport, PoolError> {
    let pool = Pool::open(path)?;
    let mut findings = Findings::of(&pool)?;
    if findings.damages.is_empty() {
        return Ok(findings.report(0));
    }
    let _lock = pool.lock()?;
    if let Some(damage) = findings.beyond_repair.take() {
        return Err(pool.damaged(damage));
    }
    let repaired = findings.replay(&pool, grants)?;
    let after = Findings::of(&pool)?;
    match after.damages.into_iter().next() {
        Some(damage) => Err(pool.damaged(damage)),
        None => Ok(findings.report(repaired)),
    }
}

struct Findings {
    /// Damage that cannot be recovered.
    beyond_repair: Option<Damage>,
    damages: Vec<Damage>,
    specs: Vec<hegemon_bots::Spec>,
    waves: Waves,
    blocks: Vec<StoredBlock>,
}

impl Findings {
    fn of(pool: &Pool) -> Result<Findings, PoolError> {
        let _snapshot = pool.snapshot()?;
        let faults = faults_of(&pool.connection).map_err(|error| pool.sqlite(error))?;
        let (specs, damaged_bots) = pool.read_specs()?;
        let (waves, damaged_waves) = pool.read_waves(specs.len())?;
        let (blocks, damaged_games) = pool.read_blocks(&waves, &specs)?;
        let beyond_repair = damaged_bots.iter().chain(&damaged_waves).next().cloned();
        let in_file = faults
            .into_iter()
            .map(|fault| Damage::new("the file", fault));
        Ok(Findings {
            beyond_repair,
            damages: in_file
                .chain(damaged_bots)
                .chain(damaged_waves)
                .chain(damaged_games)
                .collect(),
            specs,
            waves,
            blocks,
        })
    }

    fn report(self, repaired: u64) -> PoolCheckReport {
        PoolCheckReport {
            games: self
                .blocks
                .iter()
                .map(|block| block.block.games.len() as u64)
                .sum(),
            damages: self.damages,
            repaired,
        }
    }

    /// Replays what is damaged or missing. Every wave but the last was finished;
    /// the last one has blocks up to the last with any trace, or up to the count
    /// of the ledger. Returns the number of games.
    fn replay(&mut self, pool: &Pool, grants: &Grants) -> Result<u64, PoolError> {
        let n_orders = seat_orders(pool.settings().n_players).len();
        let mut sound: BTreeMap<(u64, u64), StoredBlock> = std::mem::take(&mut self.blocks)
            .into_iter()
            .map(|block| ((block.wave, block.block.number), block))
            .collect();
        let last = pool.last_block()?;
        let n_counted = pool.n_counted()?.unwrap_or(0).div_ceil(n_orders as u64);
        let last_wave = (self.waves.len() as u64).saturating_sub(1);
        let mut n_games = 0;
        for (wave, lineups) in (0..).zip(&self.waves) {
            for (block, lineup) in (0..).zip(lineups) {
                let is_counted = (self.blocks.len() as u64) < n_counted;
                if wave == last_wave && Some((wave, block)) > last && !is_counted {
                    continue;
                }
                let known = sound.remove(&(wave, block));
                let is_whole = |known: &StoredBlock| known.block.games.len() == n_orders;
                if let Some(known) = known.filter(is_whole) {
                    self.blocks.push(known);
                    continue;
                }
                n_games += n_orders as u64;
                let plan = pool.settings().plan(&self.specs, wave, block, lineup);
                let played = plan.play(block, pool.game(), grants, unwatched::<_, PoolError>)?;
                self.blocks.push(StoredBlock {
                    wave,
                    lineup: lineup.clone(),
                    block: played.0,
                });
            }
        }
        pool.rewrite(&self.blocks)?;
        Ok(n_games)
    }
}
