//! Checkpoints: a run's state on disk, written atomically.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use hegemon_arena::{check_place, target_of};
use hegemon_core::{fnv1a, mix};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a checkpoint could not be read or written.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be accessed.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
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
    /// Another run holds the lock.
    #[error("another process is training with {}", path.display())]
    Busy {
        /// The file or folder.
        path: PathBuf,
    },
}

impl CheckpointError {
    /// An error about the content of a checkpoint.
    #[allow(clippy::needless_pass_by_value, reason = "errors and texts alike")]
    pub(crate) fn content(path: &Path, reason: impl ToString) -> CheckpointError {
        CheckpointError::Content {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// Writes a state atomically, so that a reader finds the old one or the new
/// one: into a temporary file, then renamed. Its last line is a checksum.
///
/// # Errors
///
/// If the folder cannot be written to.
pub fn write_checkpoint(path: &Path, state: &impl Serialize) -> Result<(), CheckpointError> {
    let text = serde_json::to_string(state).map_err(|e| CheckpointError::content(path, e))?;
    write_whole(path, &format!("{text}\nsum {}\n", sum_of(&text)))
}

/// The checksum of a text: against damage, not forgery.
pub(crate) fn sum_of(text: &str) -> String {
    format!(
        "{:016x}",
        mix(fnv1a(text.as_bytes()) ^ mix(text.len() as u64))
    )
}

/// Writes a text file atomically.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), CheckpointError> {
    let io = |source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    };
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(io)?;
    }
    hegemon_arena::write_whole(path, text.as_bytes()).map_err(io)
}

/// Locks a checkpoint, or a folder, through a lock file beside it; the lock is
/// released with the file handle, also when the process is killed. The file
/// stays: removing it could remove the next run's lock.
pub(crate) fn claim(path: &Path, lock: &Path) -> Result<File, CheckpointError> {
    let io = |source| CheckpointError::Io {
        path: lock.to_owned(),
        source,
    };
    if let Some(folder) = lock.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(io)?;
    }
    check_place(lock).map_err(io)?;
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

/// Locks a checkpoint, also through links; see [`claim`].
pub(crate) fn claim_checkpoint(path: &Path) -> Result<File, CheckpointError> {
    let target = check_place(path).and_then(|()| target_of(path));
    let target = target.map_err(|source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    })?;
    let mut lock = target.into_os_string();
    lock.push(".lock");
    claim(path, Path::new(&lock))
}

/// Reads a state; `None` if there is no such file.
///
/// # Errors
///
/// If the file cannot be read or holds something else.
pub fn read_checkpoint<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, CheckpointError> {
    let text = match check_place(path).and_then(|()| fs::read_to_string(path)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(CheckpointError::Io {
                path: path.to_owned(),
                source,
            });
        }
    };
    let state = text.strip_suffix('\n').and_then(|text| {
        let (state, sum) = text.rsplit_once("\nsum ")?;
        (sum_of(state) == sum).then_some(state)
    });
    let Some(state) = state else {
        let reason = match text.as_str() {
            "" => "it is empty",
            _ => "it was damaged, or written by an older version",
        };
        return Err(CheckpointError::content(path, reason));
    };
    match serde_json::from_str(state) {
        Ok(state) => Ok(Some(state)),
        Err(error) => Err(CheckpointError::content(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_checkpoint_is_refused() {
        let folder = std::env::temp_dir().join(format!("hegemon-sum-{}", std::process::id()));
        let path = folder.join("state.json");
        assert!(matches!(read_checkpoint::<Vec<u32>>(&path), Ok(None)));
        write_checkpoint(&path, &vec![1, 22, 333]).expect("writable");
        let found = read_checkpoint::<Vec<u32>>(&path).expect("whole");
        assert_eq!(found, Some(vec![1, 22, 333]));
        let bytes = fs::read(&path).expect("there");
        let mut spoilt = Vec::new();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            spoilt.push(flipped);
        }
        spoilt.extend((0..bytes.len()).map(|len| bytes[..len].to_vec()));
        for bytes in spoilt {
            fs::write(&path, &bytes).expect("writable");
            let text = String::from_utf8_lossy(&bytes);
            assert!(read_checkpoint::<Vec<u32>>(&path).is_err(), "{text:?}");
        }
        fs::remove_dir_all(&folder).expect("removable");
    }

    #[test]
    fn the_second_who_claims_a_checkpoint_is_refused() {
        let folder = std::env::temp_dir().join(format!("hegemon-claim-{}", std::process::id()));
        let path = folder.join("state.json");
        let first = claim_checkpoint(&path).expect("free");
        let error = claim_checkpoint(&path).expect_err("taken");
        assert!(error.to_string().contains("another process is training"));
        drop(first);
        claim_checkpoint(&path).expect("free again");
        fs::remove_dir_all(&folder).expect("removable");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_past_a_claim() {
        let folder = std::env::temp_dir().join(format!("hegemon-past-{}", std::process::id()));
        let (path, link) = (folder.join("state.json"), folder.join("link.json"));
        fs::create_dir_all(&folder).expect("writable");
        std::os::unix::fs::symlink("state.json", &link).expect("links");
        let first = claim_checkpoint(&path).expect("free");
        let error = claim_checkpoint(&link).expect_err("taken");
        assert!(matches!(error, CheckpointError::Busy { .. }), "{error}");
        drop(first);
        let first = claim_checkpoint(&link).expect("free again");
        assert!(claim_checkpoint(&path).is_err());
        write_checkpoint(&link, &vec![1]).expect("writable");
        let facts = fs::symlink_metadata(&link).expect("there");
        assert!(facts.is_symlink(), "the link stays");
        assert_eq!(read_checkpoint(&path).expect("whole"), Some(vec![1]));
        drop(first);
        fs::remove_dir_all(&folder).expect("removable");
    }
}
