//! Programs in a pool: another version of one is another bot.

use hegemon_bots::{Grants, Spec, SpecError, introduced};

use super::run::Wave;
use super::store::{Pool, PoolError, store_wave};

impl Pool {
    /// Takes in, as new bots, the programs of the pool that state another name or version than
    /// when they were added, and returns them. What they were before plays no more; its games
    /// count.
    ///
    /// # Errors
    ///
    /// If a program cannot be started, or the file fails.
    pub fn renew(&mut self, grants: &Grants) -> Result<Vec<Spec>, PoolError> {
        let (specs, active) = (self.specs()?, self.active()?);
        let mut renewed = Vec::new();
        for (spec, _) in specs.iter().zip(active).filter(|(_, is_in)| *is_in) {
            let now = now(spec, grants)?;
            if !specs.contains(&now) && !renewed.contains(&now) {
                renewed.push(now);
            }
        }
        self.add(&renewed, grants)?;
        Ok(renewed)
    }

    /// Whether each bot can be drawn: it is in, and its program is still the one that was added.
    pub(super) fn playing(&self, grants: &Grants) -> Result<Vec<bool>, PoolError> {
        let mut playing = self.active()?;
        for (spec, is_in) in self.specs()?.iter().zip(&mut playing) {
            *is_in = *is_in && now(spec, grants)? == *spec;
        }
        Ok(playing)
    }

    /// Leaves it at the first blocks of the last wave: the others can be played no more.
    pub(super) fn cut(&self, wave: &mut Wave, n_blocks: usize) -> Result<(), PoolError> {
        wave.lineups.truncate(n_blocks);
        let rewrite = || {
            let transaction = self.begin()?;
            let number = wave.number.cast_signed();
            transaction.execute("DELETE FROM waves WHERE wave = ?1", [number])?;
            store_wave(&transaction, wave.number, &wave.lineups)?;
            transaction.commit()
        };
        rewrite().map_err(|error| self.sqlite(error))
    }
}

/// The spec as it would be added now.
fn now(spec: &Spec, grants: &Grants) -> Result<Spec, SpecError> {
    let plain = spec.without_identity();
    match plain == *spec {
        true => Ok(plain),
        false => introduced(&plain, grants),
    }
}
