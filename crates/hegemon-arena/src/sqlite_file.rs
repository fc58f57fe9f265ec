//! Shared handling of the program's SQLite files: create them atomically,
//! distinguish them from those of other programs without touching them, lock
//! out a second process, and compute row checksums.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::path::Path;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params_from_iter};

use crate::row_sum::RowSum;
use crate::unfinished::{Unfinished, check_place};

/// The kind of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Missing or empty.
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

/// Reads the first bytes of a file. Does not use SQLite: opening a file of
/// another program can already change it, if only by cleaning up after its last
/// writer.
///
/// # Errors
///
/// If it cannot be read, or is not a plain file.
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
    // The offsets are those of SQLite's file format, section 1.3.
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

/// Runs one query on a file without touching it or anything beside it, even
/// while another program uses it. Changes still in the write-ahead log are not
/// seen.
///
/// # Errors
///
/// If the file cannot be read, or the query has no result.
pub fn ask_untouched<T: rusqlite::types::FromSql>(path: &Path, sql: &str) -> rusqlite::Result<T> {
    // Characters with a meaning in a URI are percent-encoded.
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
/// both; like [`ask_untouched`].
pub fn has_tables(path: &Path, tables: &[(&str, &str)]) -> bool {
    tables.iter().all(|(table, columns)| {
        let sql = format!("SELECT group_concat(name, ', ') FROM pragma_table_info('{table}')");
        ask_untouched::<String>(path, &sql).is_ok_and(|found| found == *columns)
    })
}

/// SQLite's message on one line, since it quotes whole statements; with an
/// explanation if a folder is not writable.
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

/// Creates a file with these tables under a temporary name and renames it when
/// complete, so that no partial file is ever visible.
///
/// # Errors
///
/// If the file cannot be created.
pub fn create(
    path: &Path,
    application: u32,
    version: u32,
    fill: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(), CreateError> {
    let unfinished = Unfinished::of(path).map_err(CreateError::File)?;
    unfinished.sweep();
    // If it cannot be created, the system's message is better than SQLite's.
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
    /// The file could not be renamed.
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
        // An empty file counts as missing. A process that waited for the lock
        // on it finds another file with its name, whose content stays.
        if there.metadata()?.len() == 0 {
            there.lock()?;
            if kind_of(path)? == FileKind::Absent {
                return std::fs::rename(draft, path);
            }
        }
        return Ok(());
    }
    match std::fs::hard_link(draft, path) {
        // Another process was faster; its file is equivalent.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // Not every file system supports hard links.
        Err(_) if !path.exists() => std::fs::rename(draft, path),
        other => other,
    }
}

/// Takes the write lock; it is released with the file handle, also when the
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
/// If SQLite fails.
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

/// Whether a row is undamaged: its last column, with this index, is the
/// checksum of those before it.
pub fn is_sound(table: &str, row: &Row<'_>, last: usize) -> bool {
    let mut sum = RowSum::new(table);
    let added = (0..last).try_for_each(|column| {
        add_value(&mut sum, row.get_ref(column)?);
        Ok::<(), rusqlite::Error>(())
    });
    let stored: Option<String> = row.get(last).ok();
    added.is_ok() && stored == Some(sum.digits())
}

/// The statements that created the tables of a file, for comparison with the
/// expected ones.
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

/// The faults that SQLite itself finds in a file.
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

    /// The second file once replaced the first, with all its content.
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
