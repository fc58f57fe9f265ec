//! The SQLite file of a pool.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrayvec::ArrayVec;
use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{Ending, Game, MAX_PLAYERS, Map, MapSpec, Rules};
use hegemon_record::Termination;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game_loop::Played;

const FORMAT: u32 = 1;

const SCHEMA: &str = "
    CREATE TABLE pool (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL,
                       settings TEXT NOT NULL);
    CREATE TABLE bots (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE);
    CREATE TABLE waves (wave INTEGER PRIMARY KEY, lineups TEXT NOT NULL);
    CREATE TABLE batches (wave INTEGER NOT NULL, first_block INTEGER NOT NULL,
                          n_blocks INTEGER NOT NULL, games BLOB NOT NULL,
                          PRIMARY KEY (wave, first_block)) WITHOUT ROWID;
";

/// What all games of a pool share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoolSettings {
    /// The map.
    pub map: MapSpec,
    /// The rules.
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
    #[error("cannot use the pool {path}: {error}")]
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
    #[error("{0} is not a pool of this program")]
    NotAPool(PathBuf),
    #[error("the pool has format {found}; this program reads format {FORMAT}")]
    OtherFormat { found: u32 },
    #[error("another process is running games in {0}")]
    Busy(PathBuf),
    #[error("the pool was made with another {0}; make a new one for it")]
    OtherSettings(&'static str),
    #[error("{0}")]
    Game(String),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("a game of {n_players} needs at least as many bots; the pool has {n_bots}")]
    TooFewBots { n_players: usize, n_bots: usize },
    #[error("the pool is damaged: {0}")]
    Damaged(String),
}

/// How a stored game stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as in the engine")]
pub enum StoredTermination {
    Conquest,
    Mission,
    Capitals,
    TurnLimit,
    EarlyStop,
    RoundCap,
    Forfeit {
        seat: u8,
        kind: String,
        message: String,
    },
}

impl StoredTermination {
    fn of(played: &Played) -> StoredTermination {
        match &played.termination {
            Termination::Rules(Ending::Conquest) => StoredTermination::Conquest,
            Termination::Rules(Ending::Mission) => StoredTermination::Mission,
            Termination::Rules(Ending::Capitals) => StoredTermination::Capitals,
            Termination::Rules(Ending::TurnLimit) => StoredTermination::TurnLimit,
            Termination::Rules(Ending::EarlyStop) => StoredTermination::EarlyStop,
            Termination::RoundCap => StoredTermination::RoundCap,
            Termination::Forfeit { seat, kind } => StoredTermination::Forfeit {
                seat: *seat as u8,
                kind: kind.clone(),
                message: played.message.clone().unwrap_or_default(),
            },
        }
    }

    /// The ending as one word.
    pub fn name(&self) -> &str {
        match self {
            StoredTermination::Conquest => Ending::Conquest.name(),
            StoredTermination::Mission => Ending::Mission.name(),
            StoredTermination::Capitals => Ending::Capitals.name(),
            StoredTermination::TurnLimit => Ending::TurnLimit.name(),
            StoredTermination::EarlyStop => Ending::EarlyStop.name(),
            StoredTermination::RoundCap => "round-cap",
            StoredTermination::Forfeit { kind, .. } => kind,
        }
    }
}

/// A game as it is stored; who sat where follows from the block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredGame {
    /// How it stopped.
    pub termination: StoredTermination,
    /// Placement by seat, from 1; all firsts share the win.
    pub places: ArrayVec<u8, MAX_PLAYERS>,
    /// Rounds played.
    pub rounds: u32,
    /// Moves made.
    pub n_moves: u32,
    /// Hash of the last state.
    pub hash: u64,
}

impl StoredGame {
    pub(super) fn of(played: &Played, n_players: usize) -> StoredGame {
        StoredGame {
            termination: StoredTermination::of(played),
            places: played.place.as_slice()[..n_players]
                .iter()
                .copied()
                .collect(),
            rounds: played.rounds,
            n_moves: played.n_moves,
            hash: played.hash,
        }
    }

    /// The seat's share of the win.
    pub fn score(&self, seat: usize) -> f64 {
        let n_first = self.places.iter().filter(|&&place| place == 1).count();
        if self.places[seat] == 1 {
            1.0 / n_first as f64
        } else {
            0.0
        }
    }
}

/// A stored block: a line-up under all its seat orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlock {
    /// Wave that it belongs to.
    pub wave: u64,
    /// Number in the wave.
    pub block: u64,
    /// Bots of the line-up, by their number in the pool.
    pub lineup: Vec<usize>,
    /// Its games, in the order of [`crate::seat_orders`].
    pub games: Vec<StoredGame>,
}

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
        if !path.exists() {
            Pool::create(path, settings)?;
        }
        let pool = Pool::open(path)?;
        pool.settings.check_same(settings)?;
        Ok(pool)
    }

    fn create(path: &Path, settings: &PoolSettings) -> Result<(), PoolError> {
        settings.game()?;
        let sqlite = |error| PoolError::Sqlite {
            path: path.to_owned(),
            error,
        };
        let mut connection = Connection::open(path).map_err(sqlite)?;
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .map_err(sqlite)?;
        let transaction = connection.transaction().map_err(sqlite)?;
        transaction.execute_batch(SCHEMA).map_err(sqlite)?;
        let text = serde_json::to_string(settings).unwrap_or_default();
        transaction
            .execute("INSERT INTO pool VALUES (1, ?1, ?2)", params![FORMAT, text])
            .map_err(sqlite)?;
        transaction.commit().map_err(sqlite)
    }

    /// Opens the pool at a path.
    ///
    /// # Errors
    ///
    /// If there is none or the file is something else.
    pub fn open(path: &Path) -> Result<Pool, PoolError> {
        if !path.exists() {
            return Err(PoolError::Missing(path.to_owned()));
        }
        let sqlite = |error| PoolError::Sqlite {
            path: path.to_owned(),
            error,
        };
        let connection = Connection::open(path).map_err(sqlite)?;
        connection
            .busy_timeout(std::time::Duration::from_secs(10))
            .map_err(sqlite)?;
        let row = connection
            .query_row("SELECT format, settings FROM pool", [], |row| {
                Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?))
            })
            .map_err(|_| PoolError::NotAPool(path.to_owned()))?;
        // Safe against a crash of the program; a power cut may lose the last
        // moments, which are then played again.
        connection
            .pragma_update(None, "synchronous", "NORMAL")
            .map_err(sqlite)?;
        if row.0 != FORMAT {
            return Err(PoolError::OtherFormat { found: row.0 });
        }
        let settings: PoolSettings =
            serde_json::from_str(&row.1).map_err(|error| PoolError::Damaged(error.to_string()))?;
        let game = settings.game()?;
        Ok(Pool {
            path: path.to_owned(),
            connection,
            settings,
            game,
        })
    }

    /// What all games share.
    pub fn settings(&self) -> &PoolSettings {
        &self.settings
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

    /// Adds bots; those that are there already stay. Returns how many are new.
    ///
    /// # Errors
    ///
    /// If a spec cannot play the pool's game; then none is added.
    pub fn add(&mut self, specs: &[Spec], grants: &Grants) -> Result<usize, PoolError> {
        specs
            .iter()
            .try_for_each(|spec| check(spec, &self.game, grants))?;
        let mut n_new = 0;
        for spec in specs {
            n_new += self
                .connection
                .execute(
                    "INSERT OR IGNORE INTO bots (spec) VALUES (?1)",
                    [spec.to_string()],
                )
                .map_err(|error| self.sqlite(error))?;
        }
        Ok(n_new)
    }

    /// The bots, by their number in the pool.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn specs(&self) -> Result<Vec<Spec>, PoolError> {
        let texts: Vec<String> = self
            .connection
            .prepare("SELECT spec FROM bots ORDER BY id")
            .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
            .map_err(|error| self.sqlite(error))?;
        let parse = |text: &String| text.parse().map_err(PoolError::Spec);
        texts.iter().map(parse).collect()
    }

    /// All stored blocks, in the order of the schedule.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn blocks(&self) -> Result<Vec<StoredBlock>, PoolError> {
        let waves = self.waves()?;
        let rows: Vec<(i64, i64, Vec<u8>)> = self
            .connection
            .prepare("SELECT wave, first_block, games FROM batches ORDER BY wave, first_block")
            .and_then(|mut query| {
                query
                    .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                    .collect()
            })
            .map_err(|error| self.sqlite(error))?;
        let mut blocks = Vec::new();
        for (wave, first, batch) in rows {
            let damaged = || PoolError::Damaged(format!("batch {wave}.{first}"));
            let lineups = waves.get(wave as usize).ok_or_else(damaged)?;
            let batch: Vec<Vec<StoredGame>> =
                postcard::from_bytes(&batch).map_err(|_| damaged())?;
            for (block, games) in (first as u64..).zip(batch) {
                let lineup = lineups.get(block as usize).ok_or_else(damaged)?.clone();
                blocks.push(StoredBlock {
                    wave: wave as u64,
                    block,
                    lineup,
                    games,
                });
            }
        }
        Ok(blocks)
    }

    /// The line-ups of all waves.
    pub(super) fn waves(&self) -> Result<Vec<Vec<Vec<usize>>>, PoolError> {
        let texts: Vec<String> = self
            .connection
            .prepare("SELECT lineups FROM waves ORDER BY wave")
            .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
            .map_err(|error| self.sqlite(error))?;
        let parse = |text: &String| {
            serde_json::from_str(text).map_err(|error| PoolError::Damaged(error.to_string()))
        };
        texts.iter().map(parse).collect()
    }

    pub(super) fn store_wave(&self, wave: u64, lineups: &[Vec<usize>]) -> Result<(), PoolError> {
        let text = serde_json::to_string(lineups).unwrap_or_default();
        self.connection
            .execute(
                "INSERT INTO waves VALUES (?1, ?2)",
                params![wave as i64, text],
            )
            .map_err(|error| self.sqlite(error))?;
        Ok(())
    }

    /// Stores blocks of a wave that follow each other.
    pub(super) fn store_batch(&self, batch: &[StoredBlock]) -> Result<(), PoolError> {
        let Some(StoredBlock { wave, block, .. }) = batch.first() else {
            return Ok(());
        };
        let games: Vec<&[StoredGame]> = batch.iter().map(|block| &*block.games).collect();
        let games =
            postcard::to_allocvec(&games).map_err(|error| PoolError::Damaged(error.to_string()))?;
        self.connection
            .execute(
                "INSERT INTO batches VALUES (?1, ?2, ?3, ?4)",
                params![*wave as i64, *block as i64, batch.len() as i64, games],
            )
            .map_err(|error| self.sqlite(error))?;
        Ok(())
    }

    /// How many blocks of a wave are stored. They are always its first ones.
    pub(super) fn n_stored(&self, wave: u64) -> Result<u64, PoolError> {
        self.connection
            .query_row(
                "SELECT coalesce(sum(n_blocks), 0) FROM batches WHERE wave = ?1",
                [wave as i64],
                |row| row.get::<_, i64>(0),
            )
            .map(|n| n as u64)
            .map_err(|error| self.sqlite(error))
    }

    /// Takes the right to run games; it ends with the file handle, also when
    /// the process is killed.
    pub(super) fn lock(&self) -> Result<File, PoolError> {
        let file = File::open(&self.path).map_err(|error| PoolError::File {
            path: self.path.clone(),
            error,
        })?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => Err(PoolError::Busy(self.path.clone())),
            Err(std::fs::TryLockError::Error(error)) => Err(PoolError::File {
                path: self.path.clone(),
                error,
            }),
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
