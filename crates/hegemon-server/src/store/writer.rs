//! The thread that writes, and the one that keeps the write-ahead log short.
//!
//! Whatever waits for the writer at the same time becomes one transaction.
//! Moving the log into the file waits for the disk, so a thread of its own does
//! most of it. But the log can start over only while nothing is written: where
//! it has grown, the writer itself moves the little that is left and cuts it
//! off. Without that a busy server's log grows for ever.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use tokio::sync::oneshot;

use super::{Append, NewGame, SavedGame, StoreError, StoredAnalysis, Write, held};
use crate::seats::Seat;

/// How often the log is moved into the file.
const CHECKPOINT: Duration = Duration::from_secs(1);
/// From this many bytes on the log is cut off once it has been moved.
const LONG_LOG: u64 = 4 << 20;
/// From this many bytes on the writer waits until the log is cut off.
const LONGEST_LOG: u64 = 16 << 20;
/// Most writes in one transaction.
const MAX_BATCH: usize = 256;
/// How often the size of the file is looked at.
const MEASURE: Duration = Duration::from_millis(100);
/// Bytes of the analyses that are stored.
const MAX_ANALYSES: u32 = 16 << 20;
/// How times are written.
const TIME: &str = "%Y-%m-%dT%H:%M:%SZ";
/// A link that was sent is kept for an hour, whether or not it was opened.
const LINK_AGE: &str = "-1 hour";
/// Unfinished games of bots alone in which nothing has happened for this long
/// make room.
const BOTS_AGE: &str = "-7 days";
/// The same for games at which a person sat down.
const PEOPLE_AGE: &str = "-30 days";
/// How exactly it is known when something last happened in a game: noting every
/// event would double what is written.
const TOUCH_AGE: &str = "-1 hour";
/// Removing games takes no longer than this at a time: others wait.
const REMOVAL: Duration = Duration::from_millis(20);

/// The write-ahead log of a store.
pub(super) struct Log {
    path: PathBuf,
    /// Whether it was just moved and waits to be cut off.
    is_moved: AtomicBool,
    /// Held by who moves it: SQLite refuses a second one at once, whatever the busy timeout.
    moving: Mutex<()>,
}

impl Log {
    /// The log of the store at this path.
    pub(super) fn new(store: &Path) -> Log {
        let mut path = store.as_os_str().to_owned();
        path.push("-wal");
        Log {
            path: path.into(),
            is_moved: AtomicBool::new(false),
            moving: Mutex::new(()),
        }
    }

    fn len(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |facts| facts.len())
    }

    /// Moves the log into the file once in a while, without holding up the
    /// writer, until `end` is closed.
    pub(super) fn keep_short(&self, connection: &Connection, end: &mpsc::Receiver<()>) {
        while end.recv_timeout(CHECKPOINT) == Err(mpsc::RecvTimeoutError::Timeout) {
            // What could not be moved now will be the next time.
            let moving = held(&self.moving);
            let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
            drop(moving);
            self.is_moved
                .store(self.len() >= LONG_LOG, Ordering::Relaxed);
        }
    }
}

/// Moves the whole log into the file and cuts it off.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// The only one who writes.
pub(super) struct Writer {
    connection: Connection,
    log: Arc<Log>,
    /// Bytes in use, for everybody to see.
    size: Arc<AtomicU64>,
    /// From this many bytes on, games that nobody played make room.
    most: u64,
    measured: Instant,
    /// The last number that was given to a game. A removed game may still be open, and
    /// must not share its number with another one.
    last_number: i64,
}

impl Writer {
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(super) fn new(
        connection: Connection,
        log: Arc<Log>,
        size: Arc<AtomicU64>,
        most: u64,
    ) -> Result<Writer, StoreError> {
        let last = "SELECT coalesce(max(number), 0) FROM games";
        let mut writer = Writer {
            last_number: connection.query_row(last, [], |row| row.get(0))?,
            connection,
            log,
            size,
            most,
            measured: Instant::now(),
        };
        writer.measure()?;
        Ok(writer)
    }

    /// Writes until nobody can send any more.
    pub(super) fn write_all(&mut self, writes: &mpsc::Receiver<Write>) {
        while let Ok(first) = writes.recv() {
            let mut batch = vec![first];
            while batch.len() < MAX_BATCH
                && let Ok(next) = writes.try_recv()
            {
                batch.push(next);
            }
            self.write_batch(batch);
            self.cut_log();
            if self.measured.elapsed() >= MEASURE {
                // What fails now is tried again soon.
                let _ = self.measure().and_then(|()| self.make_room());
            }
        }
    }

    fn cut_log(&mut self) {
        let len = self.log.len();
        let is_moved = self.log.is_moved.swap(false, Ordering::Relaxed);
        let is_longest = len >= LONGEST_LOG;
        if is_longest || (is_moved && len >= LONG_LOG) {
            let moving = match is_longest {
                true => Some(held(&self.log.moving)),
                false => self.log.moving.try_lock().ok(),
            };
            if moving.is_some() {
                // A reader may be in the way; then it works the next time.
                let _ = empty_log(&self.connection);
            }
        }
    }

    fn measure(&mut self) -> Result<(), StoreError> {
        let number = |pragma: &str| {
            let query = format!("PRAGMA {pragma}");
            self.connection
                .query_row(&query, [], |row| row.get::<_, i64>(0))
        };
        let n_pages = number("page_count")? - number("freelist_count")?;
        let size = (n_pages * number("page_size")?).unsigned_abs();
        self.size.store(size, Ordering::Relaxed);
        self.measured = Instant::now();
        Ok(())
    }

    /// Removes the oldest analyses, and then the oldest games that nobody played, while too much
    /// is in use.
    fn make_room(&mut self) -> Result<(), StoreError> {
        let begin = Instant::now();
        while self.size.load(Ordering::Relaxed) > self.most && begin.elapsed() < REMOVAL {
            let oldest = "DELETE FROM analyses WHERE number = (SELECT min(number) FROM analyses)";
            if self.connection.execute(oldest, [])? > 0 {
                self.measure()?;
                continue;
            }
            let Some(number) = self.least_missed()? else {
                return Ok(());
            };
            in_transaction(&mut self.connection, |transaction| {
                remove_number(transaction, number)
            })?;
            self.measure()?;
        }
        Ok(())
    }

    /// The oldest game of bots alone that is over or was given up long ago; if
    /// there is none, the oldest game of people at which nobody has sat down for
    /// long; and if there is none, the game of people that was left the longest
    /// ago and is not over.
    fn least_missed(&self) -> rusqlite::Result<Option<i64>> {
        // Quotes within names are escaped, so that no name looks like a kind.
        let unseated = "WITH unseated AS (SELECT number, created, result, touched,
                 instr(seats, '\"kind\":\"human\"') OR instr(seats, '\"kind\":\"remote\"')
                     AS has_people
                 FROM games WHERE seated = 0)
             SELECT number FROM unseated
             WHERE CASE WHEN has_people THEN created < strftime(?1, 'now', ?2)
                        ELSE result IS NOT NULL OR touched < strftime(?1, 'now', ?3) END
             ORDER BY has_people, number LIMIT 1";
        let left = "SELECT number FROM games
             WHERE result IS NULL AND seated = 1 AND touched < strftime(?1, 'now', ?2)
             ORDER BY touched, number LIMIT 1";
        let number = |query: &str, values: &[&str]| {
            let mut query = self.connection.prepare_cached(query)?;
            let values = rusqlite::params_from_iter(values);
            query.query_row(values, |row| row.get(0)).optional()
        };
        match number(unseated, &[TIME, LINK_AGE, BOTS_AGE])? {
            Some(found) => Ok(Some(found)),
            None => number(left, &[TIME, PEOPLE_AGE]),
        }
    }

    fn write_batch(&mut self, batch: Vec<Write>) {
        let mut appends = Vec::new();
        for write in batch {
            match write {
                Write::Append(append, reply) => appends.push((append, reply)),
                Write::Create(game, reply) => {
                    let number = self.last_number + 1;
                    let job =
                        |transaction: &Transaction<'_>| insert_game(transaction, *game, number);
                    let stored = in_transaction(&mut self.connection, job);
                    if let Ok(game) = &stored {
                        self.last_number = game.number;
                    }
                    // Nobody waits any more when the server stops.
                    let _ = reply.send(stored);
                }
                Write::Seat(game, reply) => {
                    let job = |transaction: &Transaction<'_>| seat(transaction, game);
                    let _ = reply.send(in_transaction(&mut self.connection, job));
                }
                Write::Seats(game, seats, reply) => {
                    let job =
                        |transaction: &Transaction<'_>| change_seats(transaction, game, &seats);
                    let _ = reply.send(in_transaction(&mut self.connection, job));
                }
                Write::Remove(id, reply) => {
                    let job = |transaction: &Transaction<'_>| remove(transaction, &id);
                    let _ = reply.send(in_transaction(&mut self.connection, job));
                }
                Write::Analysis(analysis) => {
                    let job =
                        |transaction: &Transaction<'_>| insert_analysis(transaction, &analysis);
                    // It can be worked out again.
                    let _ = in_transaction(&mut self.connection, job);
                }
                Write::MakeRoom(reply) => {
                    // What fails now is tried again soon.
                    let _ = self.measure().and_then(|()| self.make_room());
                    let _ = reply.send(());
                }
            }
        }
        self.append_all(appends);
    }

    /// One transaction for all; if that fails, one for each, so that only the
    /// one at fault gets the error.
    fn append_all(&mut self, appends: Vec<(Append, Reply)>) {
        let together = in_transaction(&mut self.connection, |transaction| {
            let mut all = appends.iter();
            all.try_for_each(|(append, _)| append_entries(transaction, append))
        });
        for (append, reply) in appends {
            let job = |transaction: &Transaction<'_>| append_entries(transaction, &append);
            let result = match together {
                Ok(()) => Ok(()),
                Err(_) => in_transaction(&mut self.connection, job),
            };
            let _ = reply.send(result);
        }
    }
}

/// Where the outcome of an append goes.
type Reply = oneshot::Sender<Result<(), StoreError>>;

fn in_transaction<T>(
    connection: &mut Connection,
    job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = connection.transaction()?;
    let value = job(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

fn append_entries(transaction: &Transaction<'_>, append: &Append) -> Result<(), StoreError> {
    let lines: Vec<String> = append.entries.iter().map(ToString::to_string).collect();
    transaction
        // A game that made room has no log.
        .prepare_cached(
            "INSERT INTO entries SELECT ?1, ?2, ?3
             WHERE EXISTS (SELECT 1 FROM games WHERE number = ?1)",
        )?
        .execute(params![
            append.game,
            append.first_seq as i64,
            lines.join("\n")
        ])?;
    transaction
        .prepare_cached(
            "UPDATE games SET round = ?2, touched = strftime(?3, 'now')
             WHERE number = ?1 AND (round <> ?2 OR touched IS NULL
                                    OR touched < strftime(?3, 'now', ?4))",
        )?
        .execute(params![append.game, append.round, TIME, TOUCH_AGE])?;
    if let Some((result, end)) = &append.end {
        let result = serde_json::to_string(result).unwrap_or_default();
        transaction
            .prepare_cached("UPDATE games SET result = ?2, end = ?3 WHERE number = ?1")?
            .execute(params![append.game, result, end])?;
    }
    Ok(())
}

/// Remembers that a person sits at a game; false if there is no such game.
fn seat(transaction: &Transaction<'_>, game: i64) -> Result<bool, StoreError> {
    let mut update = transaction.prepare_cached(
        "UPDATE games SET seated = 1, touched = strftime(?2, 'now') WHERE number = ?1",
    )?;
    Ok(update.execute(params![game, TIME])? > 0)
}

fn insert_game(
    transaction: &Transaction<'_>,
    game: NewGame,
    number: i64,
) -> Result<SavedGame, StoreError> {
    let header = serde_json::to_string(&game.header).unwrap_or_default();
    let seats = written(&game.seats);
    let created = transaction.query_row(
        "INSERT INTO games (number, id, created, header, rules_name, seats, seated, touched,
                            turn_seconds)
         VALUES (?6, ?1, strftime(?5, 'now'), ?2, ?3, ?4, 0, strftime(?5, 'now'), ?7)
         RETURNING created",
        params![
            game.id,
            header,
            game.rules_name,
            seats,
            TIME,
            number,
            game.turn_seconds
        ],
        |row| row.get(0),
    )?;
    Ok(SavedGame {
        number,
        id: game.id,
        created,
        header: game.header,
        rules_name: game.rules_name,
        seats: game.seats,
        round: 0,
        result: None,
        end: None,
        turn_seconds: game.turn_seconds,
    })
}

/// Seats as they are stored: specs may be long, and the header has them.
fn written(seats: &[Seat]) -> String {
    let without_spec = |seat: &Seat| Seat {
        spec: None,
        ..seat.clone()
    };
    let seats: Vec<Seat> = seats.iter().map(without_spec).collect();
    serde_json::to_string(&seats).unwrap_or_default()
}

/// Stores the analysis of a game, unless the game is gone, and lets go of the oldest ones.
fn insert_analysis(
    transaction: &Transaction<'_>,
    analysis: &StoredAnalysis,
) -> Result<(), StoreError> {
    let StoredAnalysis { game, level, .. } = analysis;
    transaction.execute(
        "DELETE FROM analyses WHERE level = ?2
             AND game = (SELECT number FROM games WHERE id = ?1)",
        params![game, level],
    )?;
    transaction.execute(
        "INSERT INTO analyses (game, level, program, answer, puzzles)
         SELECT number, ?2, ?3, ?4, ?5 FROM games WHERE id = ?1",
        params![
            game,
            level,
            super::program(),
            analysis.answer,
            analysis.puzzles
        ],
    )?;
    transaction.execute(
        "DELETE FROM analyses WHERE number IN (
             SELECT number FROM (
                 SELECT number, sum(length(answer) + length(puzzles))
                     OVER (ORDER BY number DESC) AS all_since
                 FROM analyses)
             WHERE all_since > ?1)",
        [MAX_ANALYSES],
    )?;
    Ok(())
}

fn change_seats(
    transaction: &Transaction<'_>,
    game: i64,
    seats: &[Seat],
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("UPDATE games SET seats = ?2 WHERE number = ?1")?
        .execute(params![game, written(seats)])?;
    Ok(())
}

/// Removes a game by its name; false if there is none.
fn remove(transaction: &Transaction<'_>, id: &str) -> Result<bool, StoreError> {
    let number = transaction
        .query_row("SELECT number FROM games WHERE id = ?1", [id], |row| {
            row.get(0)
        })
        .optional()?;
    number.map_or(Ok(false), |number| {
        remove_number(transaction, number).map(|()| true)
    })
}

fn remove_number(transaction: &Transaction<'_>, number: i64) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM entries WHERE game = ?1", [number])?;
    transaction.execute("DELETE FROM analyses WHERE game = ?1", [number])?;
    transaction.execute("DELETE FROM games WHERE number = ?1", [number])?;
    Ok(())
}
