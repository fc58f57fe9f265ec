//! Storing what a run plays, beside the threads that play.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc;

use hegemon_record::Program;
use rusqlite::Connection;

use super::game_row::NewRow;
use super::run::Wave;
use super::store::{Pool, PoolError, store_games, store_wave};

/// Entries that may wait for the disk; those who play wait when there are more.
const QUEUE: usize = 4;

/// What a run stores at once.
#[derive(Debug)]
pub(super) enum Entry {
    /// A wave, before the first of its games.
    Wave(Arc<Wave>),
    /// Games of this program, in the order of the schedule, as they were handed over.
    Games(Vec<Vec<NewRow>>),
}

impl Pool {
    /// Calls `body` with a function that stores entries in their order, and
    /// says to break off when that failed; `apart` stores in a thread of its
    /// own, so that nobody waits for the disk. All is stored on return.
    ///
    /// # Errors
    ///
    /// If storing failed.
    pub(super) fn storing<T>(
        &self,
        apart: bool,
        body: impl FnOnce(&mut dyn FnMut(Entry) -> ControlFlow<()>) -> T,
    ) -> Result<T, PoolError> {
        let program = Program::current().to_string();
        let store = |connection: &Connection, entry: Entry| match entry {
            Entry::Wave(wave) => store_wave(connection, wave.number, &wave.lineups),
            Entry::Games(batches) => {
                let rows: Vec<&NewRow> = batches.iter().flatten().collect();
                store_games(connection, &program, &rows)
            }
        };
        let (result, stored) = if apart {
            let connection = Pool::connect(&self.path)?;
            let (sender, entries) = mpsc::sync_channel(QUEUE);
            std::thread::scope(|scope| {
                // The first failure ends the thread, and with it the channel.
                let writer = scope.spawn(move || {
                    let mut entries = entries.into_iter();
                    entries.try_for_each(|entry| store(&connection, entry))
                });
                let result = body(&mut |entry| match sender.send(entry) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
                drop(sender);
                let stored = writer.join();
                (
                    result,
                    stored.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                )
            })
        } else {
            let mut stored = Ok(());
            let result = body(&mut |entry| {
                if stored.is_ok() {
                    stored = store(&self.connection, entry);
                }
                match stored {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            (result, stored)
        };
        stored.map_err(|error| self.sqlite(error))?;
        Ok(result)
    }
}
