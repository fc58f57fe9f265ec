//! The SQLite file that holds what was computed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use hegemon_arena::Program;
use hegemon_arena::sqlite_file::{self, FileKind, has_tables};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::experiment::{Experiment, LabError, Results, Scale, Setting};

/// "HGML" in the header of the file.
const APPLICATION: u32 = 0x4847_4d4c;
const FORMAT: u32 = 2;

const SCHEMA: &str = "
    CREATE TABLE lab (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL);
    CREATE TABLE cells (experiment TEXT NOT NULL, scale TEXT NOT NULL, seed INTEGER NOT NULL,
                        key TEXT NOT NULL, value TEXT NOT NULL, seconds REAL NOT NULL,
                        program TEXT NOT NULL, signature INTEGER,
                        PRIMARY KEY (experiment, scale, seed, key)) WITHOUT ROWID;
";

/// Tables of a store from before files were marked, which tell it from a file of
/// another program.
const TABLES: [(&str, &str); 2] = [
    ("lab", "id, format"),
    (
        "cells",
        "experiment, scale, seed, key, value, seconds, version",
    ),
];

/// Cells of one experiment that one program computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Name of the experiment.
    pub experiment: String,
    /// The program, as text.
    pub program: String,
    /// Its behaviour signature.
    pub signature: Option<u32>,
    /// How many cells.
    pub n_cells: u32,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin {
            experiment,
            program,
            n_cells,
            ..
        } = self;
        write!(f, "{experiment}: {n_cells} cells of {program}")
    }
}

/// The store of a lab.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens the store at a path, or makes it.
    ///
    /// # Errors
    ///
    /// If the file is something else or cannot be written.
    pub fn open_or_create(path: &Path) -> Result<Store, LabError> {
        if kind_of(path)? == FileKind::Absent {
            let made = sqlite_file::create(path, APPLICATION, FORMAT, |connection| {
                connection.execute_batch(SCHEMA)?;
                connection.execute("INSERT INTO lab VALUES (1, ?1)", [FORMAT])?;
                Ok(())
            });
            made.map_err(|error| fault(path, &error.to_string()))?;
        }
        Store::open(path)
    }

    /// Opens the store at a path.
    ///
    /// # Errors
    ///
    /// If there is none or the file is something else.
    pub fn open(path: &Path) -> Result<Store, LabError> {
        match kind_of(path)? {
            FileKind::Absent => {
                let reason = "it does not exist; 'hegemon lab run' makes one";
                return Err(fault(path, reason));
            }
            FileKind::Sqlite {
                application: APPLICATION,
                ..
            } => {}
            // Stores from before files were marked.
            FileKind::Sqlite { application: 0, .. } if has_tables(path, &TABLES) => {}
            _ => return Err(fault(path, "it is no store of the lab")),
        }
        let sqlite = |error: rusqlite::Error| fault(path, &sqlite_file::sentence(path, &error));
        let connection = Connection::open(path).map_err(sqlite)?;
        let patience = std::time::Duration::from_secs(10);
        connection.busy_timeout(patience).map_err(sqlite)?;
        let store = Store {
            path: path.to_owned(),
            connection,
        };
        store.check()?;
        Ok(store)
    }

    fn check(&self) -> Result<(), LabError> {
        let format = self
            .connection
            .query_row("SELECT format FROM lab", [], |row| row.get::<_, u32>(0));
        match format {
            Ok(FORMAT) => Ok(()),
            Ok(1) => Err(self.fault(
                "its cells were made before provenance, and nobody knows by which program; \
                 compute them again in another file",
            )),
            Ok(other) => Err(self.fault(&format!("it has format {other}, not {FORMAT}"))),
            Err(error) if error.sqlite_error_code().is_none() => {
                Err(self.fault("it is no store of the lab"))
            }
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Takes the right to compute cells; it ends with the file handle, also
    /// when the process is killed.
    ///
    /// # Errors
    ///
    /// If another process computes cells for this store.
    pub fn lock(&self) -> Result<File, LabError> {
        let locked =
            sqlite_file::lock(&self.path).map_err(|error| self.fault(&error.to_string()))?;
        locked.ok_or_else(|| self.fault("another process is computing cells for it"))
    }

    fn fault(&self, reason: &str) -> LabError {
        fault(&self.path, reason)
    }

    fn error(&self, error: &rusqlite::Error) -> LabError {
        self.fault(&sqlite_file::sentence(&self.path, error))
    }

    /// Whether a cell is done.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn has(&self, experiment: &str, setting: Setting, key: &str) -> Result<bool, LabError> {
        let found = self
            .connection
            .query_row(
                "SELECT 1 FROM cells WHERE experiment = ?1 AND scale = ?2 AND seed = ?3 AND key = ?4",
                params![experiment, setting.scale.name(), setting.seed as i64, key],
                |_| Ok(()),
            )
            .optional();
        found
            .map(|found| found.is_some())
            .map_err(|error| self.error(&error))
    }

    /// Stores the value of a cell.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn put(
        &self,
        experiment: &str,
        setting: Setting,
        key: &str,
        value: &Value,
        seconds: f64,
    ) -> Result<(), LabError> {
        let program = Program::current();
        let stored = self.connection.execute(
            "INSERT OR REPLACE INTO cells VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                experiment,
                setting.scale.name(),
                setting.seed as i64,
                key,
                value.to_string(),
                seconds,
                program.to_string(),
                program.signature
            ],
        );
        stored.map(|_| ()).map_err(|error| self.error(&error))
    }

    /// All that is stored of an experiment.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn results(&self, experiment: &Experiment, setting: Setting) -> Result<Results, LabError> {
        let rows = self
            .connection
            .prepare(
                "SELECT key, value, program FROM cells
                 WHERE experiment = ?1 AND scale = ?2 AND seed = ?3 ORDER BY key",
            )
            .and_then(|mut query| {
                let scale = setting.scale.name();
                let wanted = params![experiment.name, scale, setting.seed as i64];
                let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
                query
                    .query_map(wanted, row)?
                    .collect::<Result<Vec<(String, String, String)>, _>>()
            })
            .map_err(|error| self.error(&error))?;
        let mut programs: Vec<String> = rows.iter().map(|row| row.2.clone()).collect();
        programs.sort();
        programs.dedup();
        let mut cells = BTreeMap::new();
        for (key, text, _) in rows {
            let value = serde_json::from_str(&text).map_err(|error| LabError::Damaged {
                key: key.clone(),
                reason: error.to_string(),
            })?;
            cells.insert(key, value);
        }
        Ok(Results {
            setting,
            program: programs.join("; "),
            experiment: experiment.name,
            cells,
        })
    }

    /// Cells of a setting by experiment and program.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn origins(&self, setting: Setting) -> Result<Vec<Origin>, LabError> {
        self.connection
            .prepare(
                "SELECT experiment, program, signature, count(*) FROM cells
                 WHERE scale = ?1 AND seed = ?2 GROUP BY experiment, program, signature",
            )
            .and_then(|mut query| {
                let origin = |row: &rusqlite::Row<'_>| {
                    Ok(Origin {
                        experiment: row.get(0)?,
                        program: row.get(1)?,
                        signature: row.get(2)?,
                        n_cells: row.get(3)?,
                    })
                };
                query
                    .query_map(params![setting.scale.name(), setting.seed as i64], origin)?
                    .collect()
            })
            .map_err(|error| self.error(&error))
    }

    /// Scale and seed of what is stored, largest scale first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn settings(&self) -> Result<Vec<Setting>, LabError> {
        let rows = self
            .connection
            .prepare("SELECT DISTINCT scale, seed FROM cells")
            .and_then(|mut query| {
                let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
                query
                    .query_map([], row)?
                    .collect::<Result<Vec<(String, i64)>, _>>()
            })
            .map_err(|error| self.error(&error))?;
        let setting = |(scale, seed): (String, i64)| {
            let scale: Scale = scale.parse()?;
            Ok(Setting {
                scale,
                seed: seed as u64,
            })
        };
        let mut settings = rows
            .into_iter()
            .map(setting)
            .collect::<Result<Vec<Setting>, LabError>>()?;
        settings.sort_by_key(|setting| (std::cmp::Reverse(setting.scale), setting.seed));
        Ok(settings)
    }

    /// Processor seconds that the stored cells of a setting took.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn seconds(&self, experiment: &str, setting: Setting) -> Result<f64, LabError> {
        self.connection
            .query_row(
                "SELECT coalesce(sum(seconds), 0) FROM cells
                 WHERE experiment = ?1 AND scale = ?2 AND seed = ?3",
                params![experiment, setting.scale.name(), setting.seed as i64],
                |row| row.get(0),
            )
            .map_err(|error| self.error(&error))
    }
}

fn fault(path: &Path, reason: &str) -> LabError {
    LabError::Store {
        path: path.display().to_string(),
        reason: reason.to_owned(),
    }
}

fn kind_of(path: &Path) -> Result<FileKind, LabError> {
    sqlite_file::kind_of(path).map_err(|error| fault(path, &error.to_string()))
}
