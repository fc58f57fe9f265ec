//! The SQLite file of a pool.
//!
//! Its tables are meant to be read by people too; `docs/arena.md` describes
//! them. Every row has a checksum, and a ledger has the number of games and a
//! checksum over all of them, so that changed, lost or added rows are detected.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{Game, Map, MapSpec, Rules};
use hegemon_record::Program;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game_row::{COLUMNS, GameKey, GameRow, NewRow, RowFault, from_row, insert};
use super::retired;
use super::schema::{self, FORMAT, OLD_FORMAT};
use crate::blocks::deal_seed;
use crate::plan::{Plan, SeatOrder};
use crate::played::{Block, Played};
use crate::row_sum::{Hex, RowSum};
use crate::sqlite_file::{self, CreateError, FileKind, insert_summed, is_sound, one_line};

/// "HGMA" in the header of the file.
const APPLICATION: u32 = 0x4847_4d41;

/// Pages of the write-ahead log, of 4 KiB, before it is written back.
const LOG_PAGES: u32 = 8000;

/// What all games of a pool share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoolSettings {
    pub map: MapSpec,
    pub rules: Rules,
    /// Seats of a game.
    pub n_players: usize,
    /// Seed of schedule and games.
    pub seed: u64,
}

/// Why a pool cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum PoolError {
    #[error("cannot use the pool {path}: {}", sqlite_file::sentence(path, error))]
    Sqlite {
        path: PathBuf,
        error: rusqlite::Error,
    },
    #[error("cannot open {path}: {error}")]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("there is no pool at {0}; `arena add SPEC...` makes one")]
    Missing(PathBuf),
    #[error("{0} is empty; `arena add SPEC...` makes a pool of it")]
    Empty(PathBuf),
    #[error("{0} is not a pool of this program")]
    NotAPool(PathBuf),
    #[error(
        "the pool {path} has format {found}; this program reads formats {OLD_FORMAT} and {FORMAT}, and the same \
         bots, settings and seed make the same pool again"
    )]
    OtherFormat { path: PathBuf, found: u32 },
    #[error("another process is running games in {0}")]
    Busy(PathBuf),
    #[error("the pool was made with another {0}; make a new one for it")]
    OtherSettings(&'static str),
    #[error("{0}")]
    Game(String),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("the pool has no bot {0}")]
    UnknownBot(String),
    #[error("a game of {n_players} needs at least as many bots; the pool has {n_bots}")]
    TooFewBots { n_players: usize, n_bots: usize },
    #[error("the blocks could not be played: {0}")]
    Elsewhere(String),
    #[error("the games give no ratings: {0}")]
    Ratings(String),
    #[error(
        "the pool {path} is damaged: {damage}; 'hegemon arena check' lists all that is, and its \
         --repair plays damaged games again"
    )]
    Damaged { path: PathBuf, damage: Damage },
}

/// A damaged row of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[error("{row}: {reason}")]
pub struct Damage {
    /// Which.
    pub row: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Damage {
    pub(super) fn new(row: &str, reason: impl Into<String>) -> Damage {
        Damage {
            row: row.to_owned(),
            reason: reason.into(),
        }
    }
}

/// A stored block: a line-up under all its seat orders.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBlock {
    /// Wave that it belongs to; the number of the block is that in the wave.
    pub wave: u64,
    /// Bots of the line-up, by their number in the pool.
    pub lineup: Vec<usize>,
    pub block: Block,
}

impl StoredBlock {
    /// Its games with the bots by seat.
    pub fn seated(&self) -> impl Iterator<Item = (Vec<usize>, &Played)> {
        let bots = |game: &Played| {
            let seats = game.seats.iter();
            seats
                .map(|&player| self.lineup[usize::from(player)])
                .collect()
        };
        self.block.games.iter().map(move |game| (bots(game), game))
    }

    /// Its rows, if it was played by this program.
    fn rows(&self, program: &str) -> Vec<NewRow> {
        let row = |(game, (bots, played)): (u64, (Vec<usize>, &Played))| {
            let key = GameKey {
                wave: self.wave,
                block: self.block.number,
                game,
            };
            NewRow::new(played.clone(), key, bots.into_iter().collect(), program)
        };
        (0..).zip(self.seated()).map(row).collect()
    }
}

/// Stores the line-ups of a wave.
pub(super) fn store_wave(
    connection: &Connection,
    wave: u64,
    lineups: &[Vec<usize>],
) -> rusqlite::Result<()> {
    let text = serde_json::to_string(lineups).unwrap_or_default();
    let program = Program::current().to_string();
    let values = vec![
        Value::Integer(wave.cast_signed()),
        Value::Text(text),
        Value::Text(program),
    ];
    insert_summed(connection, "waves", values)
}

/// Stores games that this program played, in the order of the schedule, all or
/// none.
pub(super) fn store_games(
    connection: &Connection,
    program: &str,
    rows: &[&NewRow],
) -> rusqlite::Result<()> {
    let transaction = begin(connection)?;
    // A missing ledger cannot be updated; the next reader reports it.
    let mut ledger = Ledger::load(&transaction)?.unwrap_or_default();
    ledger.enter(&transaction, program, rows)?;
    ledger.store(&transaction)?;
    transaction.commit()
}

fn begin(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
}

/// The line-ups of all waves: bots by their number in the pool.
pub(super) type Waves = Vec<Vec<Vec<usize>>>;

/// An open pool.
#[derive(Debug)]
pub struct Pool {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
    settings: PoolSettings,
    game: Arc<Game>,
}

impl Pool {
    /// Opens the pool at a path, or makes it with these settings.
    ///
    /// # Errors
    ///
    /// If the file is something else or has other settings.
    pub fn open_or_create(path: &Path, settings: &PoolSettings) -> Result<Pool, PoolError> {
        if kind_of(path)? == FileKind::Absent {
            Pool::create(path, settings)?;
        }
        let pool = Pool::open(path)?;
        pool.settings.check_same(settings)?;
        Ok(pool)
    }

    fn create(path: &Path, settings: &PoolSettings) -> Result<(), PoolError> {
        settings.game()?;
        let text = serde_json::to_string(settings).unwrap_or_default();
        let created = sqlite_file::create(path, APPLICATION, FORMAT, |connection| {
            schema::make(connection, FORMAT)?;
            insert_summed(
                connection,
                "pool",
                vec![Value::Integer(1), Value::Text(text)],
            )?;
            Ledger::default().store(connection)
        });
        let path = path.to_owned();
        created.map_err(|error| match error {
            CreateError::Sqlite(error) => PoolError::Sqlite { path, error },
            CreateError::File(error) => PoolError::File { path, error },
        })
    }

    /// Opens the pool at a path.
    ///
    /// # Errors
    ///
    /// If there is none, the file is something else, or the shared settings are
    /// damaged.
    pub fn open(path: &Path) -> Result<Pool, PoolError> {
        let connection = Pool::connect(path)?;
        let settings = read_settings(&connection).map_err(|damage| PoolError::Damaged {
            path: path.to_owned(),
            damage,
        })?;
        let game = settings.game()?;
        Ok(Pool {
            path: path.to_owned(),
            connection,
            settings,
            game,
        })
    }

    /// Connects to a file that is known to be a pool.
    pub(super) fn connect(path: &Path) -> Result<Connection, PoolError> {
        match kind_of(path)? {
            FileKind::Absent if path.exists() => return Err(PoolError::Empty(path.to_owned())),
            FileKind::Absent => return Err(PoolError::Missing(path.to_owned())),
            FileKind::Sqlite {
                application: APPLICATION,
                version: OLD_FORMAT..=FORMAT,
            } => {}
            FileKind::Sqlite {
                application: APPLICATION,
                version: found,
            } => {
                let path = path.to_owned();
                return Err(PoolError::OtherFormat { path, found });
            }
            _ => return Err(PoolError::NotAPool(path.to_owned())),
        }
        let sqlite = |error| PoolError::Sqlite {
            path: path.to_owned(),
            error,
        };
        let connection = Connection::open(path).map_err(sqlite)?;
        connection
            .busy_timeout(std::time::Duration::from_secs(10))
            .map_err(sqlite)?;
        // Safe against a crash of the program; a power cut may lose the last
        // games, which are then played again.
        connection
            .pragma_update(None, "synchronous", "NORMAL")
            .map_err(sqlite)?;
        // Whoever stores waits for the disk while the log is written back, so
        // that is done for more pages at a time.
        connection
            .pragma_update(None, "wal_autocheckpoint", LOG_PAGES)
            .map_err(sqlite)?;
        Ok(connection)
    }

    /// The settings of all games.
    pub fn settings(&self) -> &PoolSettings {
        &self.settings
    }

    /// Refuses a map or rules that are not those of the pool.
    ///
    /// # Errors
    ///
    /// If one of them is another.
    pub fn check_game(
        &self,
        map: Option<&MapSpec>,
        rules: Option<&Rules>,
    ) -> Result<(), PoolError> {
        let of_pool = self.settings.clone();
        self.settings.check_same(&PoolSettings {
            map: map.cloned().unwrap_or(of_pool.map),
            rules: rules.cloned().unwrap_or(of_pool.rules),
            ..of_pool
        })
    }

    /// The game that is played.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    pub(super) fn sqlite(&self, error: rusqlite::Error) -> PoolError {
        PoolError::Sqlite {
            path: self.path.clone(),
            error,
        }
    }

    pub(super) fn damaged(&self, damage: Damage) -> PoolError {
        PoolError::Damaged {
            path: self.path.clone(),
            damage,
        }
    }

    /// Starts a write transaction; waits for other writers.
    pub(super) fn begin(&self) -> rusqlite::Result<Transaction<'_>> {
        begin(&self.connection)
    }

    /// A consistent snapshot for reads, even if another process writes
    /// meanwhile: games and the ledger that counts them agree.
    pub(super) fn snapshot(&self) -> Result<Transaction<'_>, PoolError> {
        let snapshot = Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred);
        snapshot.map_err(|error| self.sqlite(error))
    }

    /// Adds bots; existing ones stay. Returns how many are new or were taken out before.
    ///
    /// # Errors
    ///
    /// If a spec cannot play the pool's game; then none is added.
    pub fn add(&mut self, specs: &[Spec], grants: &Grants) -> Result<usize, PoolError> {
        specs
            .iter()
            .try_for_each(|spec| check(spec, &self.game, grants))?;
        // Two commands may add at once, or one during a run: existing bots are
        // read inside the write transaction.
        let transaction = self.begin().map_err(|error| self.sqlite(error))?;
        let mut texts: Vec<String> = self.specs()?.iter().map(ToString::to_string).collect();
        let known = texts.len();
        let mut out = Vec::new();
        for spec in specs.iter().map(ToString::to_string) {
            if let Some(bot) = texts.iter().position(|text| *text == spec) {
                out.push(bot);
            } else {
                let id = Value::Integer(texts.len() as i64 + 1);
                insert_summed(&transaction, "bots", vec![id, Value::Text(spec.clone())])
                    .map_err(|error| self.sqlite(error))?;
                texts.push(spec);
            }
        }
        let n_back = self.take_back(&out).map_err(|error| self.sqlite(error))?;
        transaction.commit().map_err(|error| self.sqlite(error))?;
        Ok(texts.len() - known + n_back)
    }

    /// The bots, by their number in the pool.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn specs(&self) -> Result<Vec<Spec>, PoolError> {
        let (specs, damages) = self.read_specs()?;
        self.refuse(damages)?;
        Ok(specs)
    }

    pub(super) fn read_specs(&self) -> Result<(Vec<Spec>, Vec<Damage>), PoolError> {
        self.read_numbered("bots", "bot", 1, |text| text.parse().ok())
    }

    /// All stored blocks, in the order of the schedule.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn blocks(&self) -> Result<Vec<StoredBlock>, PoolError> {
        let _snapshot = self.snapshot()?;
        let specs = self.specs()?;
        let waves = self.waves()?;
        let (blocks, damages) = self.read_blocks(&waves, &specs)?;
        self.refuse(damages)?;
        Ok(blocks)
    }

    /// The line-ups of all waves.
    pub(super) fn waves(&self) -> Result<Waves, PoolError> {
        let (waves, damages) = self.read_waves(self.specs()?.len())?;
        self.refuse(damages)?;
        Ok(waves)
    }

    pub(super) fn read_waves(&self, n_bots: usize) -> Result<(Waves, Vec<Damage>), PoolError> {
        let n_players = self.settings.n_players;
        self.read_numbered("waves", "wave", 0, |text| {
            let lineups: Vec<Vec<usize>> = serde_json::from_str(text).ok()?;
            let fits = |lineup: &Vec<usize>| {
                lineup.len() == n_players && lineup.iter().all(|&bot| bot < n_bots)
            };
            lineups.iter().all(fits).then_some(lineups)
        })
    }

    fn refuse(&self, damages: Vec<Damage>) -> Result<(), PoolError> {
        match damages.into_iter().next() {
            Some(damage) => Err(self.damaged(damage)),
            None => Ok(()),
        }
    }

    /// Reads a table of a number, a text, possibly more columns, and a
    /// checksum; the numbers must be consecutive.
    fn read_numbered<T>(
        &self,
        table: &str,
        what: &str,
        first: i64,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(Vec<T>, Vec<Damage>), PoolError> {
        let (mut items, mut damages) = (Vec::new(), Vec::new());
        let mut read = || -> rusqlite::Result<()> {
            let mut query = self
                .connection
                .prepare(&format!("SELECT * FROM {table} ORDER BY 1"))?;
            let mut rows = query.query([])?;
            let mut expected = first;
            while let Some(row) = rows.next()? {
                let number: Option<i64> = row.get(0).ok();
                let label = format!("{what} {}", number.unwrap_or(expected));
                if number != Some(expected) {
                    damages.push(Damage::new(&label, "the rows before it are missing"));
                }
                expected = number.unwrap_or(expected) + 1;
                let text: Option<String> = row.get(1).ok();
                let last = row.as_ref().column_count() - 1;
                if !is_sound(table, row, last) {
                    damages.push(Damage::new(&label, RowFault::Sum.to_string()));
                } else if let Some(item) = text.as_deref().and_then(&parse) {
                    items.push(item);
                } else {
                    damages.push(Damage::new(&label, RowFault::Unreadable.to_string()));
                }
            }
            Ok(())
        };
        read().map_err(|error| self.sqlite(error))?;
        Ok((items, damages))
    }

    /// Reads all games; damaged ones are reported and skipped.
    pub(super) fn read_blocks(
        &self,
        waves: &[Vec<Vec<usize>>],
        specs: &[Spec],
    ) -> Result<(Vec<StoredBlock>, Vec<Damage>), PoolError> {
        let n_players = self.settings.n_players;
        let mut reading = Reading {
            waves,
            orders: SeatOrder::all(n_players),
            specs,
            seed: self.settings.seed,
            blocks: Vec::new(),
            ledger: Ledger::default(),
            damages: Vec::new(),
        };
        let read = |reading: &mut Reading<'_>| -> rusqlite::Result<Option<Ledger>> {
            let columns = COLUMNS.join(", ");
            let order = schema::order(schema::format_of(&self.connection)?);
            let mut query = self
                .connection
                .prepare(&format!("SELECT {columns} FROM games ORDER BY {order}"))?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                match from_row(row, n_players) {
                    Ok(found) => reading.add(found),
                    Err(fault) => {
                        let key: Vec<String> = (0..3)
                            .map(|column| {
                                let n: Option<i64> = row.get(column).ok();
                                n.map_or("?".to_owned(), |n| n.to_string())
                            })
                            .collect();
                        let label = format!("game {}", key.join("."));
                        reading.damages.push(Damage::new(&label, fault.to_string()));
                    }
                }
            }
            Ledger::load(&self.connection)
        };
        let ledger = read(&mut reading).map_err(|error| self.sqlite(error))?;
        Ok(reading.finish(ledger))
    }

    /// Makes it a pool of the present format.
    pub(super) fn upgrade(&self) -> Result<(), PoolError> {
        let format = schema::format_of(&self.connection).map_err(|error| self.sqlite(error))?;
        match format {
            FORMAT => Ok(()),
            _ => self.rewrite(&self.blocks()?),
        }
    }

    /// Rewrites all games, in the present format.
    pub(super) fn rewrite(&self, blocks: &[StoredBlock]) -> Result<(), PoolError> {
        let rewrite = || {
            let transaction = self.begin()?;
            schema::clear_games(&transaction)?;
            let mut ledger = Ledger::default();
            for block in blocks {
                let program = block.block.program.to_string();
                let rows = block.rows(&program);
                ledger.enter(&transaction, &program, &rows.iter().collect::<Vec<_>>())?;
            }
            ledger.store(&transaction)?;
            transaction.commit()
        };
        rewrite().map_err(|error| self.sqlite(error))
    }

    /// Wave and number of the last block with any stored game.
    pub(super) fn last_block(&self) -> Result<Option<(u64, u64)>, PoolError> {
        let last = self.connection.query_row(
            "SELECT wave, block FROM games ORDER BY wave DESC, block DESC LIMIT 1",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
        );
        last.optional()
            .map(|last| last.map(|(wave, block)| (wave.cast_unsigned(), block.cast_unsigned())))
            .map_err(|error| self.sqlite(error))
    }

    /// How many games the ledger counts; `None` if it is damaged.
    pub(super) fn n_counted(&self) -> Result<Option<u64>, PoolError> {
        let ledger = Ledger::load(&self.connection).map_err(|error| self.sqlite(error))?;
        Ok(ledger.map(|ledger| ledger.games))
    }

    /// Takes the lock for running games; it is released with the file handle,
    /// also when the process is killed.
    pub(super) fn lock(&self) -> Result<File, PoolError> {
        let locked = sqlite_file::lock(&self.path).map_err(|error| PoolError::File {
            path: self.path.clone(),
            error,
        })?;
        locked.ok_or_else(|| PoolError::Busy(self.path.clone()))
    }
}

impl PoolSettings {
    /// The block of a wave with this line-up.
    pub(super) fn plan<'a>(
        &self,
        specs: &'a [Spec],
        wave: u64,
        block: u64,
        lineup: &[usize],
    ) -> Plan<&'a Spec> {
        let players = lineup.iter().map(|&bot| &specs[bot]).collect();
        Plan::rotated(block_seed(self.seed, wave, block), players)
    }
}

/// Seed of the deal of a block in the pool with this seed.
pub(super) fn block_seed(seed: u64, wave: u64, block: u64) -> u64 {
    deal_seed(seed, "pool", wave << 32 | block)
}

fn kind_of(path: &Path) -> Result<FileKind, PoolError> {
    sqlite_file::kind_of(path).map_err(|error| PoolError::File {
        path: path.to_owned(),
        error,
    })
}

fn read_settings(connection: &Connection) -> Result<PoolSettings, Damage> {
    let expected = Connection::open_in_memory().and_then(|memory| {
        schema::make(&memory, schema::format_of(connection)?)?;
        if retired::is_there(connection)? {
            memory.execute_batch(retired::SCHEMA)?;
        }
        sqlite_file::schema_of(&memory)
    });
    let same = sqlite_file::schema_of(connection).and_then(|found| Ok(found == expected?));
    match same {
        Ok(true) => {}
        Ok(false) => return Err(Damage::new("the tables", "they are not those of a pool")),
        Err(error) => return Err(Damage::new("the tables", one_line(&error))),
    }
    let label = "the settings";
    let row = connection.query_row("SELECT * FROM pool", [], |row| {
        Ok((row.get::<_, String>(1)?, is_sound("pool", row, 2)))
    });
    match row {
        Ok((text, true)) => {
            serde_json::from_str(&text).map_err(|error| Damage::new(label, error.to_string()))
        }
        Ok((_, false)) => Err(Damage::new(label, RowFault::Sum.to_string())),
        Err(error) => Err(Damage::new(label, one_line(&error))),
    }
}

/// The number of games, and a checksum over their checksums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Ledger {
    games: u64,
    /// Empty without games.
    chain: Hex,
}

impl Ledger {
    fn add(&mut self, sum: &str) {
        self.games += 1;
        let mut chain = RowSum::new(&self.chain);
        chain.add_text(sum.as_bytes());
        self.chain = chain.hex();
    }

    /// Inserts games and adds them.
    fn enter(
        &mut self,
        connection: &Connection,
        program: &str,
        rows: &[&NewRow],
    ) -> rusqlite::Result<()> {
        rows.iter().for_each(|row| self.add(&row.sum()));
        insert(connection, program, rows)
    }

    /// The ledger of a file; `None` if it is damaged.
    fn load(connection: &Connection) -> rusqlite::Result<Option<Ledger>> {
        let mut query = connection.prepare_cached("SELECT * FROM ledger")?;
        let mut rows = query.query([])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let (games, chain): (Option<i64>, Option<String>) = (row.get(1).ok(), row.get(2).ok());
        if !is_sound("ledger", row, 3) {
            return Ok(None);
        }
        let chain = chain.and_then(|chain| Hex::from(&chain).ok());
        Ok(games.zip(chain).map(|(games, chain)| Ledger {
            games: games.cast_unsigned(),
            chain,
        }))
    }

    fn store(&self, connection: &Connection) -> rusqlite::Result<()> {
        let games = Value::Integer(self.games.cast_signed());
        let values = vec![
            Value::Integer(1),
            games,
            Value::Text(self.chain.to_string()),
        ];
        connection.execute("DELETE FROM ledger", [])?;
        insert_summed(connection, "ledger", values)
    }
}

/// Assembles rows into blocks, and finds what does not fit.
struct Reading<'a> {
    waves: &'a [Vec<Vec<usize>>],
    orders: Vec<SeatOrder>,
    specs: &'a [Spec],
    /// Seed of the pool.
    seed: u64,
    blocks: Vec<StoredBlock>,
    ledger: Ledger,
    damages: Vec<Damage>,
}

impl Reading<'_> {
    fn add(&mut self, mut found: GameRow) {
        self.ledger.add(&found.sum);
        let GameKey { wave, block, game } = found.key;
        let lineup = usize::try_from(wave)
            .ok()
            .and_then(|wave| self.waves.get(wave))
            .and_then(|lineups| lineups.get(usize::try_from(block).ok()?));
        let seated = lineup.and_then(|lineup| {
            let order = self.orders.get(usize::try_from(game).ok()?)?;
            let bots = order.players.iter().map(|&p| lineup[usize::from(p)]);
            let fits = bots.eq(found.bots.iter().copied());
            let is_known = lineup.iter().all(|&bot| bot < self.specs.len());
            (fits && is_known).then_some((lineup, order))
        });
        let Some((lineup, order)) = seated else {
            let label = format!("game {wave}.{block}.{game}");
            self.damages
                .push(Damage::new(&label, "the schedule has no such game"));
            return;
        };
        found.game.seats.clone_from(&order.players);
        let last = self.blocks.last_mut();
        match last.filter(|last| (last.wave, last.block.number) == (wave, block)) {
            Some(last) => last.block.games.push(found.game),
            None => self.blocks.push(StoredBlock {
                wave,
                lineup: lineup.clone(),
                block: Block {
                    number: block,
                    deal_seed: block_seed(self.seed, wave, block),
                    specs: lineup.iter().map(|&bot| self.specs[bot].clone()).collect(),
                    program: found.program,
                    games: vec![found.game],
                },
            }),
        }
    }

    fn finish(mut self, ledger: Option<Ledger>) -> (Vec<StoredBlock>, Vec<Damage>) {
        if self.damages.is_empty() {
            self.find_gaps();
        }
        match ledger {
            None => self
                .damages
                .push(Damage::new("the ledger", RowFault::Sum.to_string())),
            Some(ledger) if self.damages.is_empty() && ledger != self.ledger => {
                let reason = format!(
                    "it counts {} games, and {} are there",
                    ledger.games, self.ledger.games
                );
                self.damages.push(Damage::new("the ledger", reason));
            }
            Some(_) => {}
        }
        (self.blocks, self.damages)
    }

    /// Blocks are stored whole, in the order of the schedule, and a wave is
    /// finished before the next.
    fn find_gaps(&mut self) {
        let planned = self.waves.iter().enumerate().flat_map(|(wave, lineups)| {
            (0..lineups.len()).map(move |block| (wave as u64, block as u64))
        });
        for (block, expected) in self.blocks.iter().zip(planned) {
            let found = (block.wave, block.block.number);
            if found != expected || block.block.games.len() != self.orders.len() {
                let label = format!("block {}.{}", expected.0, expected.1);
                self.damages.push(Damage::new(&label, "games are missing"));
                return;
            }
        }
    }
}

impl PoolSettings {
    /// The game of these settings.
    pub(super) fn game(&self) -> Result<Arc<Game>, PoolError> {
        let map = Map::new(self.map.clone()).map_err(|error| PoolError::Game(error.to_string()))?;
        Game::new(map, self.rules.clone(), self.n_players)
            .map_err(|error| PoolError::Game(error.to_string()))
    }

    fn check_same(&self, other: &PoolSettings) -> Result<(), PoolError> {
        let differences = [
            (self.map != other.map, "map"),
            (self.rules != other.rules, "set of rules"),
            (self.n_players != other.n_players, "number of players"),
            (self.seed != other.seed, "seed"),
        ];
        match differences.iter().find(|(differs, _)| *differs) {
            Some((_, what)) => Err(PoolError::OtherSettings(what)),
            None => Ok(()),
        }
    }
}
