//! What all stores of this program do with their SQLite files: make them whole
//! or not at all, tell them from those of other programs without touching
//! them, keep a second process away, and sum up rows.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::path::Path;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params_from_iter};

use crate::row_sum::RowSum;
use crate::unfinished::{Unfinished, check_place};

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing is there, or nothing is in it.
    Absent,
    /// An SQLite file with this application id and user version.
    Sqlite {
        /// Which program it belongs to.
        application: u32,
        /// Which version of its tables it has.
        version: u32,
    },
    /// Something else.
    Other,
}

/// Looks at the first bytes of a file. SQLite itself is not asked: opening a
/// file of another program can already change it, if only by cleaning up after
/// its last writer.
///
/// # Errors
///
/// If it cannot be read, or is no plain file.
pub fn kind_of(path: &Path) -> io::Result<FileKind> {
    const LEN: usize = 72;
    check_place(path)?;
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileKind::Absent),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::with_capacity(LEN);
    file.by_ref().take(LEN as u64).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(FileKind::Absent);
    }
    let word = |at: usize| {
        let word: Option<[u8; 4]> = bytes.get(at..at + 4)?.try_into().ok();
        word.map(u32::from_be_bytes)
    };
    // The places are those of SQLite's file format, section 1.3.
    Ok(
        match (bytes.starts_with(b"SQLite format 3\0"), word(60), word(68)) {
            (true, Some(version), Some(application)) => FileKind::Sqlite {
                application,
                version,
            },
            _ => FileKind::Other,
        },
    )
}

/// Asks a file one question without touching it or anything beside it, and
/// whatever another program may be doing with it. What its owner has not taken
/// in from a log is not seen.
///
/// # Errors
///
/// If the file cannot be read, or has no answer.
pub fn ask_untouched<T: rusqlite::types::FromSql>(path: &Path, sql: &str) -> rusqlite::Result<T> {
    // Characters that mean something in an address are written as numbers.
    let escaped: String = path
        .to_string_lossy()
        .chars()
        .map(|c| match c {
            '?' | '#' | '%' => format!("%{:02x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?;
    connection.query_row(sql, [], |row| row.get(0))
}

/// Whether a file has these tables with exactly these columns, by the names of
/// both; asked as [`ask_untouched`] does.
pub fn has_tables(path: &Path, tables: &[(&str, &str)]) -> bool {
    tables.iter().all(|(table, columns)| {
        let sql = format!("SELECT group_concat(name, ', ') FROM pragma_table_info('{table}')");
        ask_untouched::<String>(path, &sql).is_ok_and(|found| found == *columns)
    })
}

/// What SQLite says, on one line, as it quotes whole statements; and with what
/// it means, where a folder is closed to us.
pub fn sentence(path: &Path, error: &rusqlite::Error) -> String {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if path.exists() => format!(
            "it or its folder {} cannot be written to, which SQLite needs even to read",
            folder.display()
        ),
        _ => one_line(error),
    }
}

pub(crate) fn one_line(error: &rusqlite::Error) -> String {
    let text = error.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Makes a file with these tables under another name and gives it its own when
/// it is complete, so that nobody ever sees half of one.
///
/// # Errors
///
/// If the file cannot be made.
pub fn create(
    path: &Path,
    application: u32,
    version: u32,
    fill: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(), CreateError> {
    let unfinished = Unfinished::of(path).map_err(CreateError::File)?;
    unfinished.sweep();
    // Where it cannot be made, the system says why in better words than SQLite.
    File::create(unfinished.draft()).map_err(CreateError::File)?;
    make(unfinished.draft(), application, version, fill).map_err(CreateError::Sqlite)?;
    place(unfinished.draft(), unfinished.path()).map_err(CreateError::File)
}

/// Why a store could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// SQLite failed.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    /// The file could not be given its name.
    #[error(transparent)]
    File(io::Error),
}

fn make(
    draft: &Path,
    application: u32,
    version: u32,
    fill: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let connection = Connection::open(draft)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "application_id", application)?;
    connection.pragma_update(None, "user_version", version)?;
    let transaction = connection.unchecked_transaction()?;
    fill(&transaction)?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)
}

fn place(draft: &Path, path: &Path) -> io::Result<()> {
    if let Ok(there) = File::open(path) {
        // An empty file is as good as none. Whoever waited for the lock on it
        // finds another file with its name, and what is in that stays.
        if there.metadata()?.len() == 0 {
            there.lock()?;
            if kind_of(path)? == FileKind::Absent {
                return std::fs::rename(draft, path);
            }
        }
        return Ok(());
    }
    match std::fs::hard_link(draft, path) {
        // Somebody else was faster; theirs is as good.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // Not every file system has links.
        Err(_) if !path.exists() => std::fs::rename(draft, path),
        other => other,
    }
}

/// Takes the right to write; it ends with the file handle, also when the
/// process is killed. `None` if another process has it.
///
/// # Errors
///
/// If the file cannot be opened.
pub fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Adds a value of a row to its checksum.
pub fn add_value(sum: &mut RowSum, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => sum.add_nothing(),
        ValueRef::Integer(n) => sum.add_whole(n.cast_unsigned()),
        ValueRef::Real(x) => sum.add_real(x),
        ValueRef::Text(text) => sum.add_text(text),
        ValueRef::Blob(blob) => sum.add_bytes(blob),
    }
}

/// Inserts a row with its checksum as the last column.
///
/// # Errors
///
/// If SQLite refuses.
pub fn insert_summed(
    connection: &Connection,
    table: &str,
    mut values: Vec<Value>,
) -> rusqlite::Result<()> {
    let mut sum = RowSum::new(table);
    let refs = values.iter().map(ValueRef::from);
    refs.for_each(|value| add_value(&mut sum, value));
    values.push(Value::Text(sum.digits()));
    let marks = vec!["?"; values.len()].join(", ");
    connection
        .prepare_cached(&format!("INSERT INTO {table} VALUES ({marks})"))?
        .execute(params_from_iter(values))
        .map(|_| ())
}

/// Whether a row is as it was written: its last column, with this number, is
/// the checksum of those before it.
pub fn is_sound(table: &str, row: &Row<'_>, last: usize) -> bool {
    let mut sum = RowSum::new(table);
    let added = (0..last).try_for_each(|column| {
        add_value(&mut sum, row.get_ref(column)?);
        Ok::<(), rusqlite::Error>(())
    });
    let stored: Option<String> = row.get(last).ok();
    added.is_ok() && stored == Some(sum.digits())
}

/// The statements that made the tables of a file, to be compared with those
/// that should have.
///
/// # Errors
///
/// If the file cannot be read.
pub fn schema_of(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// What SQLite itself finds wrong with a file.
///
/// # Errors
///
/// If the file cannot be read.
pub fn faults_of(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut lines: Vec<String> = connection
        .prepare("PRAGMA integrity_check")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    lines.retain(|line| line != "ok");
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second once took the place of the first, with all that was in it.
    #[test]
    fn two_who_fill_an_empty_file_have_one_file() {
        let folder = std::env::temp_dir().join(format!("hegemon-empty-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let path = folder.join("store.db");
        let drafts = [folder.join("first"), folder.join("second")];
        for draft in &drafts {
            make(draft, 1, 1, |connection| {
                connection.execute_batch("CREATE TABLE things (name TEXT)")
            })
            .expect("writable");
        }
        File::create(&path).expect("writable");
        // Both saw an empty file; the first is a little faster.
        place(&drafts[0], &path).expect("placed");
        let add = "INSERT INTO things VALUES ('kept')";
        let store = Connection::open(&path).expect("a store");
        store.execute(add, []).expect("writable");
        drop(store);
        place(&drafts[1], &path).expect("as good");
        let name = ask_untouched::<String>(&path, "SELECT name FROM things");
        assert_eq!(name.as_deref(), Ok("kept"));
        // And at the same time.
        for n in 0..50 {
            let path = folder.join(format!("store-{n}.db"));
            File::create(&path).expect("writable");
            std::thread::scope(|scope| {
                for name in ["one", "other"] {
                    let path = &path;
                    let draft = folder.join(format!("{name}-{n}"));
                    std::fs::copy(&drafts[1], &draft).expect("writable");
                    scope.spawn(move || {
                        place(&draft, path).expect("placed");
                        let store = Connection::open(path).expect("a store");
                        let patience = std::time::Duration::from_secs(30);
                        store.busy_timeout(patience).expect("a number");
                        store.execute(add, []).expect("writable");
                    });
                }
            });
            let store = Connection::open(&path).expect("a store");
            let count = store.query_row("SELECT count(*) FROM things", [], |row| row.get(0));
            assert_eq!(count, Ok(2), "{n}");
        }
        std::fs::remove_dir_all(&folder).expect("removable");
    }
}
