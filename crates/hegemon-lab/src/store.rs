//! The SQLite file of computed cells. Every cell has a checksum, so that damage
//! is detected.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use hegemon_arena::Program;
use hegemon_arena::sqlite_file::{self, FileKind, has_tables, insert_summed, is_sound};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::experiment::{Experiment, LabError, Results, RunSetting, Scale};
use crate::making::{Making, processor, today};

/// "HGML" in the header of the file.
const APPLICATION: u32 = 0x4847_4d4c;
const FORMAT: u32 = 4;
/// The format without checksums.
const UNSUMMED: u32 = 2;
/// The format without days and processors.
const UNDATED: u32 = 3;

const SCHEMA: &str = "
    CREATE TABLE lab (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL);
    CREATE TABLE cells (experiment TEXT NOT NULL, scale TEXT NOT NULL, seed INTEGER NOT NULL,
                        key TEXT NOT NULL, value TEXT NOT NULL, seconds REAL NOT NULL,
                        program TEXT NOT NULL, signature INTEGER, day TEXT NOT NULL,
                        processor TEXT NOT NULL, sum TEXT NOT NULL,
                        PRIMARY KEY (experiment, scale, seed, key)) WITHOUT ROWID;
";

/// The column of the checksum.
const SUM: usize = 10;
/// Columns that the older formats have, in the same order.
const N_OLDER: usize = 8;

/// Tables that identify a store from before files were marked.
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

/// The position of a damaged cell: experiment, scale, seed and key, which may
/// themselves be damaged.
#[derive(Clone, Debug, PartialEq)]
pub struct DamagedCell(Vec<Sql>);

impl fmt::Display for DamagedCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(word).collect();
        match words.as_slice() {
            [experiment, scale, seed, key] => {
                write!(
                    f,
                    "\"{key}\" of {experiment} at --scale {scale} --seed {seed}"
                )
            }
            _ => f.write_str("without a name"),
        }
    }
}

fn word(value: &Sql) -> String {
    match value {
        Sql::Null => "?".to_owned(),
        Sql::Integer(n) => n.cast_unsigned().to_string(),
        Sql::Real(x) => x.to_string(),
        Sql::Text(text) => text.clone(),
        Sql::Blob(_) => "?".to_owned(),
    }
}

/// The store of a lab.
#[derive(Debug)]
pub struct ResultStore {
    path: PathBuf,
    connection: Connection,
}

impl ResultStore {
    /// Opens the store at a path, or creates it.
    ///
    /// # Errors
    ///
    /// If the file is something else or cannot be written.
    pub fn open_or_create(path: &Path) -> Result<ResultStore, LabError> {
        if kind_of(path)? == FileKind::Absent {
            let made = sqlite_file::create(path, APPLICATION, FORMAT, |connection| {
                connection.execute_batch(SCHEMA)?;
                connection.execute("INSERT INTO lab VALUES (1, ?1)", [FORMAT])?;
                Ok(())
            });
            made.map_err(|error| fault(path, &error.to_string()))?;
        }
        ResultStore::open(path)
    }

    /// Opens the store at a path.
    ///
    /// # Errors
    ///
    /// If there is none or the file is something else.
    pub fn open(path: &Path) -> Result<ResultStore, LabError> {
        match kind_of(path)? {
            FileKind::Absent if path.exists() => {
                return Err(fault(path, "it is empty; 'hegemon lab run' fills it"));
            }
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
        let store = ResultStore {
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
            Ok(UNSUMMED | UNDATED) => self.take_over().map_err(|error| self.error(&error)),
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

    /// Takes over a store of an older format: nobody knows the days and processors of
    /// its cells. Earlier damage to one without checksums cannot be detected, but later
    /// damage can.
    fn take_over(&self) -> rusqlite::Result<()> {
        let transaction = self.connection.unchecked_transaction()?;
        let older = "SELECT experiment, scale, seed, key, value, seconds, program, signature
                     FROM older";
        transaction.execute_batch("ALTER TABLE cells RENAME TO older; DROP TABLE lab;")?;
        transaction.execute_batch(SCHEMA)?;
        transaction.execute("INSERT INTO lab VALUES (1, ?1)", [FORMAT])?;
        let mut query = transaction.prepare(older)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let values = (0..N_OLDER).map(|column| row.get(column));
            let mut values: Vec<Sql> = values.collect::<Result<_, _>>()?;
            values.extend([Sql::Text(String::new()), Sql::Text(String::new())]);
            insert_summed(&transaction, "cells", values)?;
        }
        drop(rows);
        drop(query);
        transaction.execute_batch("DROP TABLE older")?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        transaction.commit()
    }

    /// The damaged cells of all settings.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn damaged(&self) -> Result<Vec<DamagedCell>, LabError> {
        let read = || {
            let mut query = self.connection.prepare("SELECT * FROM cells")?;
            let mut rows = query.query([])?;
            let mut damaged = Vec::new();
            while let Some(row) = rows.next()? {
                if !is_sound("cells", row, SUM) {
                    let place: Result<Vec<Sql>, _> = (0..4).map(|column| row.get(column)).collect();
                    damaged.push(DamagedCell(place?));
                }
            }
            Ok(damaged)
        };
        read().map_err(|error| self.error(&error))
    }

    /// Rejects a store with damaged cells.
    ///
    /// # Errors
    ///
    /// If there is one, or the file cannot be read.
    pub fn check_cells(&self) -> Result<(), LabError> {
        match self.damaged()?.as_slice() {
            [] => Ok(()),
            [first, rest @ ..] => {
                let others = match rest.len() {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                Err(self.fault(&format!(
                    "the cell {first}{others} is damaged; 'hegemon lab run' computes \
                     it again"
                )))
            }
        }
    }

    /// Removes damaged cells, so that they are computed again. Returns which.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or SQLite does not find the damaged cell.
    pub fn remove_damaged(&self) -> Result<Vec<DamagedCell>, LabError> {
        let damaged = self.damaged()?;
        for cell in &damaged {
            let removed = self.connection.execute(
                "DELETE FROM cells WHERE experiment = ?1 AND scale = ?2 AND seed = ?3 AND key = ?4",
                rusqlite::params_from_iter(&cell.0),
            );
            if removed.map_err(|error| self.error(&error))? == 0 {
                return Err(self.fault(&format!(
                    "the cell {cell} is damaged and cannot be removed; compute all in another file"
                )));
            }
        }
        Ok(damaged)
    }

    /// Takes the lock for computing cells; it is released with the file handle,
    /// also when the process is killed.
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
    pub fn has(&self, experiment: &str, setting: RunSetting, key: &str) -> Result<bool, LabError> {
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
        setting: RunSetting,
        key: &str,
        value: &Value,
        seconds: f64,
    ) -> Result<(), LabError> {
        self.put_text(experiment, setting, key, &value.to_string(), seconds)
    }

    /// Stores the value of a cell as its JSON text, to the last digit.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn put_text(
        &self,
        experiment: &str,
        setting: RunSetting,
        key: &str,
        text: &str,
        seconds: f64,
    ) -> Result<(), LabError> {
        let program = Program::current();
        let signature = program.signature.map(i64::from);
        let values = vec![
            Sql::Text(experiment.to_owned()),
            Sql::Text(setting.scale.name().to_owned()),
            Sql::Integer(setting.seed.cast_signed()),
            Sql::Text(key.to_owned()),
            Sql::Text(text.to_owned()),
            Sql::Real(seconds),
            Sql::Text(program.to_string()),
            signature.map_or(Sql::Null, Sql::Integer),
            Sql::Text(today()),
            Sql::Text(processor()),
        ];
        insert_summed(&self.connection, "cells", values).map_err(|error| self.error(&error))
    }

    /// All that is stored of an experiment.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn results(
        &self,
        experiment: &Experiment,
        setting: RunSetting,
    ) -> Result<Results, LabError> {
        let rows = self
            .connection
            .prepare(
                "SELECT key, value, program, seconds FROM cells
                 WHERE experiment = ?1 AND scale = ?2 AND seed = ?3 ORDER BY key",
            )
            .and_then(|mut query| {
                let scale = setting.scale.name();
                let wanted = params![experiment.name, scale, setting.seed as i64];
                let row = |row: &rusqlite::Row<'_>| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                };
                query
                    .query_map(wanted, row)?
                    .collect::<Result<Vec<(String, String, String, f64)>, _>>()
            })
            .map_err(|error| self.error(&error))?;
        let mut programs: Vec<String> = rows.iter().map(|row| row.2.clone()).collect();
        programs.sort();
        programs.dedup();
        let (mut cells, mut seconds) = (BTreeMap::new(), BTreeMap::new());
        for (key, text, _, took) in rows {
            let value = serde_json::from_str(&text).map_err(|error| LabError::Damaged {
                key: key.clone(),
                reason: error.to_string(),
            })?;
            seconds.insert(key.clone(), took);
            cells.insert(key, value);
        }
        Ok(Results {
            setting,
            program: programs.join("; "),
            experiment: experiment.name,
            cells,
            seconds,
        })
    }

    /// Cells of a setting by experiment and program.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn origins(&self, setting: RunSetting) -> Result<Vec<Origin>, LabError> {
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

    /// Days and processors of the cells of a setting.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn making(&self, setting: RunSetting) -> Result<Making, LabError> {
        let rows = self
            .connection
            .prepare("SELECT DISTINCT day, processor FROM cells WHERE scale = ?1 AND seed = ?2")
            .and_then(|mut query| {
                let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
                query
                    .query_map(params![setting.scale.name(), setting.seed as i64], row)?
                    .collect::<Result<Vec<(String, String)>, _>>()
            })
            .map_err(|error| self.error(&error))?;
        let known = |text: &&String| !text.is_empty();
        let days = || rows.iter().map(|row| &row.0).filter(known);
        let mut processors: Vec<String> = rows.iter().map(|row| row.1.clone()).collect();
        processors.retain(|processor| !processor.is_empty());
        processors.sort();
        processors.dedup();
        Ok(Making {
            days: days().min().cloned().zip(days().max().cloned()),
            processors,
        })
    }

    /// Scale and seed of what is stored, largest scale first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a cell is damaged.
    pub fn settings(&self) -> Result<Vec<RunSetting>, LabError> {
        self.check_cells()?;
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
            Ok(RunSetting {
                scale,
                seed: seed as u64,
            })
        };
        let mut settings = rows
            .into_iter()
            .map(setting)
            .collect::<Result<Vec<RunSetting>, LabError>>()?;
        settings.sort_by_key(|setting| (std::cmp::Reverse(setting.scale), setting.seed));
        Ok(settings)
    }

    /// Processor seconds that the stored cells of a setting took.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn seconds(&self, experiment: &str, setting: RunSetting) -> Result<f64, LabError> {
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

#[cfg(test)]
impl ResultStore {
    /// Attributes a cell to another program.
    pub(crate) fn pretend(&self, key: &str, program: &str, signature: u32) {
        let take = "DELETE FROM cells WHERE key = ?1 RETURNING *";
        let mut values: Vec<Sql> = self
            .connection
            .query_row(take, [key], |row| {
                (0..SUM).map(|column| row.get(column)).collect()
            })
            .expect("a cell");
        values[N_OLDER - 2] = Sql::Text(program.to_owned());
        values[N_OLDER - 1] = Sql::Integer(i64::from(signature));
        insert_summed(&self.connection, "cells", values).expect("writable");
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
