//! Files with a temporary name until they are complete, so that a partial file
//! is never mistaken for a complete one, and two processes never write to the
//! same file.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const PREFIX: &str = ".unfinished-";

/// Rejects a path that is anything but a plain file, also behind a link. The
/// complete file replaces what is there: a device such as the null device would
/// be gone for all programs, and a pipe would block forever.
///
/// # Errors
///
/// If it is a folder, a device, a pipe or a socket, or cannot be examined.
pub fn check_place(path: &Path) -> io::Result<()> {
    let sentence = match std::fs::metadata(path) {
        Ok(facts) if facts.is_file() => return Ok(()),
        Ok(facts) if facts.is_dir() => "it is a folder, not a file",
        Ok(_) => "it is a device or a pipe, not a file",
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, sentence))
}

/// Resolves links to the target file, even if it does not exist yet, so that
/// companion files and locks are the same for all names of a file.
///
/// # Errors
///
/// If links form a cycle.
pub fn target_of(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = std::fs::read_link(&target) else {
            return Ok(target);
        };
        target = target.with_file_name(next);
    }
    let sentence = "its links lead in a circle";
    Err(io::Error::new(io::ErrorKind::InvalidInput, sentence))
}

/// Writes a file atomically, replacing an older one.
///
/// # Errors
///
/// If writing fails, or the path is not a plain file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = Unfinished::of(path)?;
    unfinished.sweep();
    let mut file = File::create(unfinished.draft())?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    unfinished.finish()
}

/// A temporary file that is removed on drop unless it was finished.
#[derive(Debug)]
pub struct Unfinished {
    draft: PathBuf,
    path: PathBuf,
}

impl Unfinished {
    /// The temporary file for a path, in the same folder; nothing is written
    /// yet. A link is kept, and its target is written.
    ///
    /// # Errors
    ///
    /// If the path is not a plain file; see [`check_place`].
    pub fn of(path: &Path) -> io::Result<Unfinished> {
        check_place(path)?;
        let path = target_of(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let draft = format!("{PREFIX}{}-{name}", std::process::id());
        Ok(Unfinished {
            draft: path.with_file_name(draft),
            path,
        })
    }

    /// Where to write until it is complete.
    pub fn draft(&self) -> &Path {
        &self.draft
    }

    /// The final path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the complete file, replacing an older one.
    ///
    /// # Errors
    ///
    /// If renaming fails.
    pub fn finish(self) -> io::Result<()> {
        std::fs::rename(&self.draft, &self.path)
    }

    /// Removes temporary files of this file left by killed processes. Without
    /// `/proc` there is no way to know which processes are alive, and all of
    /// them stay.
    pub fn sweep(&self) {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let folder = self.path.parent().filter(|f| !f.as_os_str().is_empty());
        let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
        for entry in entries.into_iter().flatten().flatten() {
            let found = entry.file_name();
            let writer = writer_of(&found.to_string_lossy(), &name);
            if writer.is_some_and(is_dead) {
                // Another process may have removed it first.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Missing files are fine.
        for suffix in SUFFIXES {
            let mut beside = self.draft.as_os_str().to_owned();
            beside.push(suffix);
            let _ = std::fs::remove_file(beside);
        }
    }
}

/// What SQLite writes beside a file.
const SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// The process that created this temporary file for a file with this name.
fn writer_of(draft: &str, name: &str) -> Option<u32> {
    let (pid, of) = draft.strip_prefix(PREFIX)?.split_once('-')?;
    let suffix = of.strip_prefix(name)?;
    SUFFIXES.contains(&suffix).then(|| pid.parse().ok())?
}

fn is_dead(pid: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(pid.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_of_the_dead_are_swept_and_those_of_the_living_stay() {
        let folder = std::env::temp_dir().join(format!("hegemon-sweep-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let alive = format!(".unfinished-{}-n.db-wal", std::process::id());
        // Process ids end at 2^22 on Linux.
        let dead = [".unfinished-99999999-n.db", ".unfinished-99999999-n.db-wal"];
        let others = [".unfinished-99999999-m.db", ".unfinished-n.db", "n.db"];
        let kept = others.iter().copied().chain([alive.as_str()]);
        for name in kept.clone().chain(dead) {
            std::fs::write(folder.join(name), "").expect("writable");
        }
        let unfinished = Unfinished::of(&folder.join("n.db")).expect("a plain file");
        unfinished.sweep();
        for name in kept {
            assert!(folder.join(name).exists(), "{name}");
        }
        let is_linux = Path::new("/proc/self").exists();
        for name in dead {
            assert_eq!(folder.join(name).exists(), !is_linux, "{name}");
        }
        std::fs::write(unfinished.draft(), "").expect("writable");
        drop(unfinished);
        assert!(!folder.join(alive).exists(), "its own goes with it");
        std::fs::remove_dir_all(&folder).expect("removable");
    }

    /// A complete file once replaced the link.
    #[cfg(unix)]
    #[test]
    fn what_a_link_points_to_is_written() {
        let folder = std::env::temp_dir().join(format!("hegemon-link-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("deep")).expect("writable");
        let link = |name: &str, target: &str| {
            std::os::unix::fs::symlink(target, folder.join(name)).expect("links");
        };
        link("link", "deep/second");
        link("deep/second", "../file");
        for text in ["new", "newer"] {
            write_whole(&folder.join("link"), text.as_bytes()).expect("a plain file");
            for name in ["link", "deep/second"] {
                let facts = std::fs::symlink_metadata(folder.join(name)).expect("there");
                assert!(facts.is_symlink(), "{name}");
            }
            let file = std::fs::symlink_metadata(folder.join("file")).expect("written");
            assert!(file.is_file());
            let found = std::fs::read_to_string(folder.join("file")).expect("text");
            assert_eq!(found, text);
        }
        link("circle", "circle");
        assert!(target_of(&folder.join("circle")).is_err());
        assert!(write_whole(&folder.join("circle"), b"text").is_err());
        let names = std::fs::read_dir(&folder).expect("there").count();
        assert_eq!(names, 4, "nothing unfinished is left");
        std::fs::remove_dir_all(&folder).expect("removable");
    }

    /// A complete file once replaced the null device.
    #[cfg(unix)]
    #[test]
    fn devices_pipes_and_folders_keep_their_places() {
        let folder = std::env::temp_dir().join(format!("hegemon-place-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("folder")).expect("writable");
        let (device, pipe) = (folder.join("device"), folder.join("pipe"));
        std::os::unix::fs::symlink("/dev/null", &device).expect("links");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        for path in [&device, &pipe, &folder.join("folder")] {
            let before = std::fs::symlink_metadata(path).expect("there").file_type();
            let error = write_whole(path, b"text").expect_err("no file");
            assert!(error.to_string().ends_with("not a file"), "{error}");
            let after = std::fs::symlink_metadata(path).expect("there").file_type();
            assert_eq!(before, after);
        }
        write_whole(&folder.join("new"), b"text").expect("nothing is there");
        write_whole(&folder.join("new"), b"other").expect("a plain file is there");
        assert_eq!(
            std::fs::read(folder.join("new")).expect("written"),
            b"other"
        );
        assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 4);
        std::fs::remove_dir_all(&folder).expect("removable");
    }
}
