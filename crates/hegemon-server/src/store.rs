//! The SQLite file in which games outlive the program.
//!
//! One thread writes (see [`writer`]); reading has connections of its own. Only
//! reading waits for them: what was read is understood afterwards.

mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use hegemon_arena::sqlite_file::{self, CreateError, FileKind};
use hegemon_record::Header;
use rusqlite::{Connection, OptionalExtension, Row, params};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::entry::LogEntry;
use crate::seats::{Seat, SeatKind};
use crate::wire::ResultDto;

/// "HGMS" in the header of the file.
const APPLICATION: u32 = 0x4847_4d53;
const FORMAT: u32 = 2;
/// Did not know whether anybody had sat down, and kept specs of bots twice. It
/// is read, and becomes the new one.
const OLD_FORMAT: u32 = 1;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS app (id INTEGER PRIMARY KEY CHECK (id = 1),
                                    format INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
                                      created TEXT NOT NULL, header TEXT NOT NULL,
                                      rules_name TEXT NOT NULL, seats TEXT NOT NULL,
                                      round INTEGER NOT NULL DEFAULT 0, result TEXT, end TEXT,
                                      seated INTEGER NOT NULL DEFAULT 1, touched TEXT,
                                      turn_seconds INTEGER);
    CREATE INDEX IF NOT EXISTS running ON games (number) WHERE result IS NULL;
    CREATE TABLE IF NOT EXISTS entries (game INTEGER NOT NULL, first_seq INTEGER NOT NULL,
                                        entries TEXT NOT NULL, PRIMARY KEY (game, first_seq))
                                        WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS analyses (number INTEGER PRIMARY KEY, game INTEGER NOT NULL,
                                         level TEXT NOT NULL, program TEXT NOT NULL,
                                         answer BLOB NOT NULL, puzzles TEXT NOT NULL);
";

/// Those of the first format.
const OLD_COLUMNS: &str = "number, id, created, header, rules_name, seats, round, result, end";

const COLUMNS: &str =
    "number, id, created, header, rules_name, seats, round, result, end, turn_seconds";

/// From the first format to this one. Where nobody knows whether a person sat
/// down, one did.
const MIGRATION: &str = "
    ALTER TABLE games ADD COLUMN seated INTEGER NOT NULL DEFAULT 1;
    UPDATE games SET seated = 0 WHERE instr(seats, '\"kind\":\"human\"') = 0
                                  AND instr(seats, '\"kind\":\"remote\"') = 0;
";

/// Stores from before it was known when something last happened in a game: of
/// those that go on, something did just now.
const TOUCHED: &str = "
    ALTER TABLE games ADD COLUMN touched TEXT;
    UPDATE games SET touched = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE result IS NULL;
";

/// Stores from before a turn could have a limit of time.
const TURN_SECONDS: &str = "ALTER TABLE games ADD COLUMN turn_seconds INTEGER;";

/// Games that may have to make room.
const UNSEATED: &str = "CREATE INDEX IF NOT EXISTS unseated ON games (number) WHERE seated = 0;";

/// What tells a store of the first format from a file of another program.
const TABLES: [(&str, &str); 3] = [
    ("app", "id, format"),
    ("games", OLD_COLUMNS),
    ("entries", "game, first_seq, entries"),
];

/// Why the store cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum StoreError {
    #[error("cannot use the store {path}: {error}")]
    Open {
        path: PathBuf,
        error: rusqlite::Error,
    },
    #[error("cannot make the folder {path}: {error}")]
    Folder {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("cannot open the store {path}: {error}")]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{0} is not a store of this program; name another file with --store")]
    Foreign(PathBuf),
    #[error("the store {path} has format {found}; this program reads format {FORMAT}")]
    OtherFormat { path: PathBuf, found: u32 },
    #[error("another server uses the store {0}; stop it or name another file with --store")]
    Busy(PathBuf),
    #[error("the store cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the store is damaged: {0}")]
    Damaged(String),
    #[error("the store is closed")]
    Closed,
}

/// A row of the list of games that cannot be read.
#[derive(Clone, Debug)]
pub(crate) struct DamagedGame {
    /// Its name in links, as far as it can be read.
    pub id: String,
    /// When it was made, as far as it can be read.
    pub created: String,
    /// What is wrong, in words.
    pub fault: String,
}

/// A row of the list of games.
pub(crate) type Listed = Result<SavedGame, DamagedGame>;

/// A game as it is stored, without what happened in it.
#[derive(Clone, Debug)]
pub(crate) struct SavedGame {
    /// Its number in the store; newer games have higher ones.
    pub number: i64,
    /// Its name in links.
    pub id: String,
    /// When it was made.
    pub created: String,
    /// Map, rules, players and seed.
    pub header: Header,
    /// Name of the preset, or `custom`.
    pub rules_name: String,
    pub seats: Vec<Seat>,
    /// The round reached.
    pub round: u32,
    /// The result, once it is over.
    pub result: Option<ResultDto>,
    /// The last line of its record, once it is over.
    pub end: Option<String>,
    /// Seconds that a person has for a turn.
    pub turn_seconds: Option<u32>,
}

/// Which games are listed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Only those older than this one.
    pub before: Option<String>,
    /// Only those that are over, or that are not.
    pub is_over: Option<bool>,
    /// Only those with this in a name, the map or the rules.
    pub search: Option<String>,
}

/// A game to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewGame {
    /// Its name in links.
    pub id: String,
    /// Map, rules, players and seed.
    pub header: Header,
    /// Name of the preset, or `custom`.
    pub rules_name: String,
    pub seats: Vec<Seat>,
    /// Seconds that a person has for a turn.
    pub turn_seconds: Option<u32>,
}

/// What happened in a game and is not stored yet.
#[derive(Clone, Debug)]
pub(crate) struct Append {
    /// Number of the game in the store.
    pub game: i64,
    /// Number of the first entry.
    pub first_seq: u64,
    pub entries: Vec<LogEntry>,
    /// The round reached.
    pub round: u32,
    /// Result and last line of the record, if the game is over now.
    pub end: Option<(ResultDto, String)>,
}

/// The analysis of a game, as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredAnalysis {
    /// The game's name in links.
    pub game: String,
    /// How thorough it is.
    pub level: String,
    /// The packed answer.
    pub answer: Vec<u8>,
    /// Puzzles cut from the game, as JSON.
    pub puzzles: String,
}

enum Write {
    Create(Box<NewGame>, oneshot::Sender<Result<SavedGame, StoreError>>),
    Append(Append, oneshot::Sender<Result<(), StoreError>>),
    Seat(i64, oneshot::Sender<Result<bool, StoreError>>),
    Seats(i64, Vec<Seat>, oneshot::Sender<Result<(), StoreError>>),
    Remove(String, oneshot::Sender<Result<bool, StoreError>>),
    Analysis(Box<StoredAnalysis>),
    MakeRoom(oneshot::Sender<()>),
}

/// Where the store is read; one does not hold up the other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Desk {
    /// For games that are opened and played.
    Play,
    /// For lists, records, replays and the past: by threads that step back.
    Past,
}

/// The open store.
#[derive(Debug)]
pub(crate) struct GameStore {
    /// By desk.
    readers: [Mutex<Connection>; 2],
    writes: Mutex<Option<mpsc::Sender<Write>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// The checkpointing thread ends with it.
    checkpoints: Mutex<Option<mpsc::Sender<()>>>,
    /// Bytes of the file that are in use.
    size: Arc<AtomicU64>,
    /// Keeps a second server away until the store is closed.
    lock: Mutex<Option<std::fs::File>>,
}

impl GameStore {
    /// Opens the store at a path; makes it if there is none. When more than
    /// `most` bytes are in use, games that nobody played make room.
    ///
    /// # Errors
    ///
    /// If the file is something else or another server uses it.
    pub(crate) fn open(path: &Path, most: u64) -> Result<GameStore, StoreError> {
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::Folder {
                path: folder.to_owned(),
                error,
            })?;
        }
        claim(path)?;
        let connection = connect(path)?;
        let lock = lock(path)?;
        prepare(&connection, path)?;
        let size = Arc::default();
        let log = Arc::new(writer::Log::new(path));
        let mut writer =
            writer::Writer::new(connection, Arc::clone(&log), Arc::clone(&size), most)?;
        let (sender, receiver) = mpsc::channel();
        let writer = std::thread::spawn(move || writer.write_all(&receiver));
        let checkpointer = connect(path)?;
        let (checkpoints, end) = mpsc::channel();
        let keeper = std::thread::spawn(move || log.keep_short(&checkpointer, &end));
        Ok(GameStore {
            readers: [Mutex::new(connect(path)?), Mutex::new(connect(path)?)],
            writes: Mutex::new(Some(sender)),
            threads: Mutex::new(vec![writer, keeper]),
            checkpoints: Mutex::new(Some(checkpoints)),
            size,
            lock: Mutex::new(Some(lock)),
        })
    }

    /// Stores a new game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) async fn create(&self, game: NewGame) -> Result<SavedGame, StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.send(Write::Create(Box::new(game), sender))?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// Stores what happened in a game. When this returns, it is stored.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; then nothing of it is stored.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.send(Write::Append(append, sender))?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// Remembers that a person sits at a game; false if there is no such game
    /// any more. When this returns, the game makes no room for others for a
    /// month.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) async fn seat(&self, game: i64) -> Result<bool, StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.send(Write::Seat(game, sender))?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// Stores the seats of a game again: names, colours, and who plays. When this
    /// returns, they are stored.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) async fn change_seats(&self, game: i64, seats: Vec<Seat>) -> Result<(), StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.send(Write::Seats(game, seats, sender))?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// Removes a game for good; false if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) async fn remove(&self, id: &str) -> Result<bool, StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.send(Write::Remove(id.to_owned(), sender))?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }

    /// Stores the analysis of a game, some time soon. The oldest ones make room for it; it can
    /// be worked out again, so nobody waits for it and nobody hears if it fails.
    pub(crate) fn keep_analysis(&self, analysis: StoredAnalysis) {
        let _ = self.send(Write::Analysis(Box::new(analysis)));
    }

    /// The analyses that this very program has stored, the oldest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn analyses(&self) -> Result<Vec<StoredAnalysis>, StoreError> {
        let reader = self.reader(Desk::Past);
        let mut query = reader.prepare(
            "SELECT games.id, level, answer, puzzles FROM analyses
             JOIN games ON games.number = analyses.game
             WHERE program = ?1 ORDER BY analyses.number",
        )?;
        let found = query.query_map([program()], |row| {
            Ok(StoredAnalysis {
                game: row.get(0)?,
                level: row.get(1)?,
                answer: row.get(2)?,
                puzzles: row.get(3)?,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Removes what may be removed, if too much is in use. Others do so
    /// whenever something is written; in a full store nothing may be.
    pub(crate) async fn make_room(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.send(Write::MakeRoom(sender)).is_ok() {
            // A store that is closed has no room to make.
            let _ = receiver.await;
        }
    }

    fn send(&self, write: Write) -> Result<(), StoreError> {
        let writes = held(&self.writes);
        let sender = writes.as_ref().ok_or(StoreError::Closed)?;
        sender.send(write).map_err(|_| StoreError::Closed)
    }

    /// Bytes of the file that are in use, as of a moment ago.
    pub(crate) fn size(&self) -> u64 {
        self.size.load(Ordering::Relaxed)
    }

    /// Finishes all writing, leaves no write-ahead log and lets another server
    /// have the file.
    pub(crate) fn close(&self) {
        held(&self.writes).take();
        held(&self.checkpoints).take();
        let threads = std::mem::take(&mut *held(&self.threads));
        for thread in threads {
            // A thread that panicked has nothing left to do.
            let _ = thread.join();
        }
        if held(&self.lock).is_some() {
            // What stays in the log is read from there at the next start.
            let _ = writer::empty_log(&self.reader(Desk::Play));
        }
        held(&self.lock).take();
    }

    fn reader(&self, desk: Desk) -> MutexGuard<'_, Connection> {
        held(&self.readers[desk as usize])
    }

    /// A game by its name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn game(&self, id: &str) -> Result<Option<SavedGame>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM games WHERE id = ?1");
        let row = self
            .reader(Desk::Play)
            .prepare_cached(&query)?
            .query_row([id], read_columns)
            .optional()?;
        row.map(parse_game).transpose()
    }

    /// The seats of a game: anybody may ask whether a token opens one, so no
    /// more is read than that takes.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn seats(&self, id: &str) -> Result<Option<Vec<Seat>>, StoreError> {
        let seats: Option<String> = self
            .reader(Desk::Play)
            .prepare_cached("SELECT seats FROM games WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let read = |text: String| serde_json::from_str(&text);
        let damaged = |error| StoreError::Damaged(format!("game {id}: {error}"));
        seats.map(read).transpose().map_err(damaged)
    }

    /// The games that are wanted, newest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn games(&self, wanted: &Wanted, most: u32) -> Result<Vec<Listed>, StoreError> {
        // What is searched is shown: names, map and rules, and nothing else.
        let query = format!(
            "SELECT {COLUMNS} FROM games
             WHERE (?1 IS NULL OR number < (SELECT number FROM games WHERE id = ?1))
               AND (?3 IS NULL OR ?3 = (result IS NOT NULL))
               AND (?4 IS NULL
                    OR instr(lower(rules_name), ?4)
                    OR json_valid(header) AND instr(lower(json_extract(header, '$.map')), ?4)
                    OR json_valid(seats) AND EXISTS (
                        SELECT 1 FROM json_each(seats)
                        WHERE instr(lower(json_extract(value, '$.name')), ?4)))
             ORDER BY number DESC LIMIT ?2"
        );
        let search = wanted.search.as_ref().map(|text| text.to_lowercase());
        self.list(&query, params![wanted.before, most, wanted.is_over, search])
    }

    /// All games that go on.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn running(&self) -> Result<Vec<Listed>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM games WHERE result IS NULL ORDER BY number");
        self.list(&query, params![])
    }

    fn list(
        &self,
        query: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<Listed>, StoreError> {
        let rows = self.rows(query, values)?;
        Ok(rows.into_iter().map(listed).collect())
    }

    fn rows(
        &self,
        query: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<Result<Columns, DamagedGame>>, StoreError> {
        let reader = self.reader(Desk::Past);
        let mut query = reader.prepare_cached(query)?;
        let mut rows = query.query(values)?;
        let mut read = Vec::new();
        // One row that cannot be read keeps nobody from the others.
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    read.push(read_columns(row).map_err(|error| DamagedGame::of(row, &error)));
                }
                Ok(None) => return Ok(read),
                Err(error) if read.is_empty() => return Err(error.into()),
                Err(error) => {
                    read.push(Err(DamagedGame::unknown(error.to_string())));
                    return Ok(read);
                }
            }
        }
    }

    /// Everything that happened in a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn entries(&self, game: i64, desk: Desk) -> Result<Vec<LogEntry>, StoreError> {
        let mut entries = Vec::new();
        for batch in self.batches(game, desk)? {
            for line in batch.lines() {
                let entry = line.parse::<LogEntry>();
                entries.push(entry.map_err(|error| StoreError::Damaged(error.to_string()))?);
            }
        }
        Ok(entries)
    }

    fn batches(&self, game: i64, desk: Desk) -> Result<Vec<String>, StoreError> {
        let reader = self.reader(desk);
        let mut query = reader
            .prepare_cached("SELECT entries FROM entries WHERE game = ?1 ORDER BY first_seq")?;
        let batches = query.query_map([game], |row| row.get(0))?;
        batches
            .collect::<Result<_, _>>()
            .map_err(|error| match error {
                rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..) => {
                    StoreError::Damaged(error.to_string())
                }
                error => error.into(),
            })
    }
}

impl Drop for GameStore {
    fn drop(&mut self) {
        self.close();
    }
}

/// What another program says about a game may be something else.
fn program() -> String {
    hegemon_record::Program::current().to_string()
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let open = || {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // Safe against a crash of the program; a power cut may lose the last
        // moments, never the file.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // Only the two threads of the writer move the log.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        Ok(connection)
    };
    open().map_err(|error| StoreError::Open {
        path: path.to_owned(),
        error,
    })
}

/// Makes the file if there is none, and refuses a file of another program
/// before anything touches it.
fn claim(path: &Path) -> Result<(), StoreError> {
    if is_store(path)? {
        return Ok(());
    }
    let made = sqlite_file::create(path, APPLICATION, FORMAT, |connection| {
        connection.execute_batch(SCHEMA)
    });
    let path = path.to_owned();
    made.map_err(|error| match error {
        CreateError::Sqlite(error) => StoreError::Open { path, error },
        CreateError::File(error) => StoreError::File { path, error },
    })
}

/// Whether there is a store at a path, or nothing yet. Nothing is made or changed.
///
/// # Errors
///
/// If there is something else.
pub fn is_store(path: &Path) -> Result<bool, StoreError> {
    let failed = |error: std::io::Error| StoreError::File {
        path: path.to_owned(),
        error,
    };
    match sqlite_file::kind_of(path).map_err(failed)? {
        FileKind::Absent => Ok(false),
        FileKind::Sqlite {
            application: APPLICATION,
            version: FORMAT | OLD_FORMAT,
        } => Ok(true),
        FileKind::Sqlite {
            application: APPLICATION,
            version: found,
        } => Err(StoreError::OtherFormat {
            path: path.to_owned(),
            found,
        }),
        // Stores from before files were marked. Their tables are looked at
        // before anything is made that they may lack.
        FileKind::Sqlite { application: 0, .. }
            if sqlite_file::has_tables(path, &TABLES) && is_of_old_format(path) =>
        {
            Ok(true)
        }
        _ => Err(StoreError::Foreign(path.to_owned())),
    }
}

/// Whether the file says itself that it has the first format, once and nothing
/// else.
fn is_of_old_format(path: &Path) -> bool {
    let sql = "SELECT group_concat(id || ' ' || format) FROM app";
    let said = sqlite_file::ask_untouched::<String>(path, sql);
    said.is_ok_and(|said| said == format!("1 {OLD_FORMAT}"))
}

fn prepare(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    connection.execute_batch(SCHEMA)?;
    connection.execute("INSERT OR IGNORE INTO app VALUES (1, ?1)", [FORMAT])?;
    let found: u32 = connection.query_row("SELECT format FROM app", [], |row| row.get(0))?;
    if ![FORMAT, OLD_FORMAT].contains(&found) {
        let path = path.to_owned();
        return Err(StoreError::OtherFormat { path, found });
    }
    if !has_column(connection, "seated")? {
        migrate(connection)?;
    }
    if !has_column(connection, "touched")? {
        let transaction = connection.unchecked_transaction()?;
        transaction.execute_batch(TOUCHED)?;
        transaction.commit()?;
    }
    if !has_column(connection, "turn_seconds")? {
        connection.execute_batch(TURN_SECONDS)?;
    }
    connection.execute_batch(UNSEATED)?;
    Ok(())
}

fn has_column(connection: &Connection, column: &str) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM pragma_table_info('games') WHERE name = ?1)";
    connection.query_row(query, [column], |row| row.get(0))
}

fn migrate(connection: &Connection) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch(MIGRATION)?;
    transaction.execute("UPDATE app SET format = ?1", [FORMAT])?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()
}

fn lock(path: &Path) -> Result<std::fs::File, StoreError> {
    let busy = || StoreError::Busy(path.to_owned());
    let file = std::fs::File::open(path).map_err(|_| busy())?;
    file.try_lock().map_err(|_| busy())?;
    Ok(file)
}

impl DamagedGame {
    fn of(row: &Row<'_>, error: &rusqlite::Error) -> DamagedGame {
        let text = |column: &str| row.get::<_, String>(column).unwrap_or_default();
        DamagedGame {
            id: text("id"),
            created: text("created"),
            fault: error.to_string(),
        }
    }

    fn unknown(fault: String) -> DamagedGame {
        DamagedGame {
            id: String::new(),
            created: String::new(),
            fault,
        }
    }
}

fn listed(row: Result<Columns, DamagedGame>) -> Listed {
    let columns = row?;
    let (id, created) = (columns.1.clone(), columns.2.clone());
    parse_game(columns).map_err(|error| DamagedGame {
        id,
        created,
        fault: error.to_string(),
    })
}

type Columns = (
    i64,
    String,
    String,
    String,
    String,
    String,
    u32,
    Option<String>,
    Option<String>,
    Option<u32>,
);

fn read_columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
        row.get(6)?,
        row.get(7)?,
        row.get(8)?,
        row.get(9)?,
    ))
}

fn parse_game(columns: Columns) -> Result<SavedGame, StoreError> {
    let (number, id, created, header, rules_name, seats, round, result, end, turn_seconds) =
        columns;
    let damaged = |error: serde_json::Error| StoreError::Damaged(format!("game {id}: {error}"));
    let mut header: Header = serde_json::from_str(&header).map_err(damaged)?;
    let mut seats: Vec<Seat> = serde_json::from_str(&seats).map_err(damaged)?;
    for (seat, player) in seats.iter_mut().zip(&header.players) {
        if seat.kind == SeatKind::Bot && seat.spec.is_none() && seat.host_bot.is_none() {
            seat.spec = Some(player.clone());
        }
    }
    // People may have changed their names since.
    header.names = seats.iter().map(|seat| seat.name.clone()).collect();
    Ok(SavedGame {
        number,
        created,
        header,
        rules_name,
        seats,
        round,
        result: result
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(damaged)?,
        end,
        turn_seconds,
        id,
    })
}

#[cfg(test)]
mod tests;
