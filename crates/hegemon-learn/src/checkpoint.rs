//! Checkpoints: a run's state on disk, whole or not at all.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a checkpoint could not be read or written.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be reached.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{} is not a checkpoint of this run: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another run keeps it.
    #[error("another process is training with {}", path.display())]
    Busy {
        /// The file or folder.
        path: PathBuf,
    },
}

impl CheckpointError {
    /// An error about what a checkpoint holds.
    #[allow(clippy::needless_pass_by_value, reason = "errors and texts alike")]
    pub(crate) fn content(path: &Path, reason: impl ToString) -> CheckpointError {
        CheckpointError::Content {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// Writes a state so that a reader finds the old one or the new one, never a
/// part: into a file beside it, then renamed over it.
///
/// # Errors
///
/// If the folder cannot be written to.
pub fn write_checkpoint(path: &Path, state: &impl Serialize) -> Result<(), CheckpointError> {
    let text = serde_json::to_string(state).map_err(|e| CheckpointError::content(path, e))?;
    write_whole(path, &text)
}

/// Writes a text file whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), CheckpointError> {
    let io = |source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    };
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    let beside = PathBuf::from(beside);
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(io)?;
    }
    let mut file = File::create(&beside).map_err(io)?;
    file.write_all(text.as_bytes()).map_err(io)?;
    file.sync_all().map_err(io)?;
    drop(file);
    fs::rename(&beside, path).map_err(io)
}

/// Takes the right to keep a checkpoint, or everything in a folder, by the file
/// beside it that is locked; it ends with the file handle, also when the process
/// is killed. The file stays: who removed it could remove that of the next run.
pub(crate) fn claim(path: &Path, lock: &Path) -> Result<File, CheckpointError> {
    let io = |source| CheckpointError::Io {
        path: lock.to_owned(),
        source,
    };
    if let Some(folder) = lock.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(io)?;
    }
    let mut options = File::options();
    let file = options.create(true).truncate(false).write(true);
    let file = file.open(lock).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::Busy {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Takes the right to keep a checkpoint; see [`claim`].
pub(crate) fn claim_checkpoint(path: &Path) -> Result<File, CheckpointError> {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    claim(path, Path::new(&lock))
}

/// Reads a state; `None` if there is no such file.
///
/// # Errors
///
/// If the file cannot be read or holds something else.
pub fn read_checkpoint<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, CheckpointError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(CheckpointError::Io {
                path: path.to_owned(),
                source,
            });
        }
    };
    match serde_json::from_str(&text) {
        Ok(state) => Ok(Some(state)),
        Err(error) => Err(CheckpointError::content(path, error)),
    }
}
