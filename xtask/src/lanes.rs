//! Steps of CI that leave a core idle, run beside each other: each is a process of this program, and what it prints is
//! shown when it ends.

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::files;

const PROGRAM: &str = "xtask";

/// This program, kept where no step builds it anew while others start it.
pub(crate) struct Lanes {
    folder: PathBuf,
}

impl Lanes {
    /// To be made before the first step: a step may replace the program's own file.
    pub(crate) fn new(root: &Path) -> Result<Lanes, String> {
        let folder = files::target(root).join("ci");
        let own = std::env::current_exe().map_err(|error| format!("ci: {error}"))?;
        files::copy(&own, &folder.join(PROGRAM))?;
        Ok(Lanes { folder })
    }

    /// Runs all, two at a time, in the order given. After a failure nothing more is started, and the first failure is the answer.
    pub(crate) fn run(&self, names: &[&str]) -> Result<(), String> {
        two_at_a_time(names, |name| self.step(name))
    }

    /// `ci --only NAME` as a process.
    fn step(&self, name: &str) -> Result<(), String> {
        println!("== {name} has begun, beside others");
        let fail = |error: std::io::Error| format!("ci: step `{name}` failed: {error}");
        let path = self.folder.join(format!("{name}.log"));
        let log = File::create(&path).map_err(fail)?;
        let status = Command::new(self.folder.join(PROGRAM))
            .args(["ci", "--only", name])
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(fail)?)
            .stderr(log)
            .status()
            .map_err(fail)?;
        let said = std::fs::read(&path).map_err(fail)?;
        print!("{}", String::from_utf8_lossy(&said));
        if status.success() {
            Ok(())
        } else {
            Err(format!("ci: step `{name}` failed: it says why above"))
        }
    }
}

fn two_at_a_time(
    names: &[&str],
    step: impl Fn(&str) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let pending: Mutex<VecDeque<&str>> = Mutex::new(names.iter().copied().collect());
    let first_failure = Mutex::new(None);
    let next = || {
        let failed = first_failure.lock().is_ok_and(|failure| failure.is_some());
        let mut pending = pending.lock().ok()?;
        if failed { None } else { pending.pop_front() }
    };
    let lane = || {
        while let Some(name) = next() {
            if let Err(sentence) = step(name)
                && let Ok(mut failure) = first_failure.lock()
            {
                failure.get_or_insert(sentence);
            }
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(lane);
        lane();
        other.join()
    })
    .map_err(|_| "ci: a lane panicked".to_owned())?;
    match first_failure.into_inner() {
        Ok(Some(sentence)) => Err(sentence),
        Ok(None) => Ok(()),
        Err(_) => Err("ci: a lane panicked".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn every_step_runs_once_and_two_run_beside_each_other() {
        let together = Barrier::new(2);
        let ran = Mutex::new(Vec::new());
        let step = |name: &str| {
            if name != "c" {
                together.wait();
            }
            ran.lock().unwrap().push(name.to_owned());
            Ok(())
        };
        assert_eq!(two_at_a_time(&["a", "b", "c"], step), Ok(()));
        let mut ran = ran.into_inner().unwrap();
        ran.sort();
        assert_eq!(ran, ["a", "b", "c"]);
    }

    #[test]
    fn nothing_is_started_after_a_failure() {
        // Whichever lane takes it, the third would be taken after one of the two has failed.
        let step = |name: &str| {
            assert_ne!(name, "third");
            Err(format!("{name} failed"))
        };
        let failure = two_at_a_time(&["first", "second", "third"], step).unwrap_err();
        assert!(["first failed", "second failed"].contains(&failure.as_str()));
    }

    #[test]
    fn a_failure_is_the_answer_although_others_pass() {
        let step = |name: &str| match name {
            "bad" => Err("bad failed".to_owned()),
            _ => Ok(()),
        };
        let failure = two_at_a_time(&["good", "bad"], step);
        assert_eq!(failure, Err("bad failed".to_owned()));
    }
}
