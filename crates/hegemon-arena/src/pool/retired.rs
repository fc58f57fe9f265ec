//! Bots that were taken out of a pool: they play no more, and the games in which they sat no longer
//! count. Their rows stay, since the schedule rests on them.

use hegemon_bots::Spec;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::store::{Damage, Pool, PoolError};
use crate::sqlite_file::{insert_summed, is_sound};

/// Made when the first bot is taken out; older programs refuse such a pool.
pub(super) const SCHEMA: &str =
    "CREATE TABLE IF NOT EXISTS retired (bot INTEGER PRIMARY KEY, sum TEXT NOT NULL)";

/// Whether any bot was ever taken out.
pub(super) fn is_there(connection: &Connection) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'retired')";
    connection.query_row(query, [], |row| row.get(0))
}

impl Pool {
    /// Takes bots out. Returns how many were in until now.
    ///
    /// # Errors
    ///
    /// If one is not in the pool; then all stay.
    pub fn remove(&mut self, specs: &[Spec]) -> Result<usize, PoolError> {
        let sqlite = |error| self.sqlite(error);
        let transaction = self.begin().map_err(sqlite)?;
        let (known, active) = (self.specs()?, self.active()?);
        transaction.execute_batch(SCHEMA).map_err(sqlite)?;
        let mut n_removed = 0;
        for spec in specs {
            let bot = known.iter().position(|known| known == spec);
            let bot = bot.ok_or_else(|| PoolError::UnknownBot(spec.to_string()))?;
            if active[bot] {
                let values = vec![Value::Integer(bot as i64 + 1)];
                insert_summed(&transaction, "retired", values).map_err(sqlite)?;
                n_removed += 1;
            }
        }
        transaction.commit().map_err(sqlite)?;
        Ok(n_removed)
    }

    /// Takes bots in again that were taken out. Returns how many.
    pub(super) fn take_back(&self, bots: &[usize]) -> rusqlite::Result<usize> {
        if !is_there(&self.connection)? {
            return Ok(0);
        }
        let mut delete = self
            .connection
            .prepare("DELETE FROM retired WHERE bot = ?1")?;
        let mut n_back = 0;
        for bot in bots {
            n_back += delete.execute([*bot as i64 + 1])?;
        }
        Ok(n_back)
    }

    /// Whether each bot is in, by its number in the pool.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn active(&self) -> Result<Vec<bool>, PoolError> {
        let mut active = vec![true; self.specs()?.len()];
        let sqlite = |error| self.sqlite(error);
        if !is_there(&self.connection).map_err(sqlite)? {
            return Ok(active);
        }
        let mut query = self
            .connection
            .prepare("SELECT bot, sum FROM retired")
            .map_err(sqlite)?;
        let mut rows = query.query([]).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let number: i64 = row.get(0).map_err(sqlite)?;
            let place = usize::try_from(number - 1).ok();
            match place.and_then(|bot| active.get_mut(bot)) {
                Some(bot) if is_sound("retired", row, 1) => *bot = false,
                _ => {
                    let label = format!("retired bot {number}");
                    return Err(self.damaged(Damage::new(&label, "its checksum is wrong")));
                }
            }
        }
        Ok(active)
    }
}
