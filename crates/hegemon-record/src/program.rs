//! The program that wrote a record, a store, a data set or a report.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

/// A build of the program: enough to find its source, and to know whether two
/// builds play alike. Written as text, `0.1.0, commit 1234abcd, signature 7`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Program {
    /// Version of the package.
    pub version: Arc<str>,
    /// The commit that it was built from; none if it was built outside git, or
    /// by a version that did not record it.
    pub commit: Option<Arc<str>>,
    /// The behaviour signature: builds with the same one play alike.
    pub signature: Option<u32>,
}

static CURRENT: OnceLock<Program> = OnceLock::new();

impl Program {
    /// Sets the current program, once, before anything is written. Only the
    /// binary knows its commit and signature; a library knows only its version.
    pub fn announce(program: Program) {
        // A second announcement could only repeat the first.
        let _ = CURRENT.set(program);
    }

    /// The program that is running.
    pub fn current() -> &'static Program {
        CURRENT.get_or_init(|| Program {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: None,
            signature: None,
        })
    }
}

const COMMIT: &str = "commit ";
const NO_COMMIT: &str = "unknown commit";
const SIGNATURE: &str = "signature ";
const NO_SIGNATURE: &str = "unknown signature";

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.version)?;
        match &self.commit {
            Some(commit) => write!(f, ", {COMMIT}{commit}")?,
            None => write!(f, ", {NO_COMMIT}")?,
        }
        match self.signature {
            Some(signature) => write!(f, ", {SIGNATURE}{signature}"),
            None => write!(f, ", {NO_SIGNATURE}"),
        }
    }
}

/// The text does not name a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" names no program")]
pub struct ProgramError(pub String);

/// Parses the output of [`Program`], or a bare version, as older builds wrote
/// it.
impl FromStr for Program {
    type Err = ProgramError;

    fn from_str(text: &str) -> Result<Program, ProgramError> {
        let wrong = || ProgramError(text.chars().take(100).collect());
        let is_sound = text.len() <= 200 && !text.chars().any(char::is_control);
        let mut parts = text.split(", ");
        let version = parts
            .next()
            .filter(|version| is_sound && !version.is_empty());
        let mut program = Program {
            version: version.ok_or_else(wrong)?.into(),
            commit: None,
            signature: None,
        };
        for part in parts {
            if let Some(commit) = part.strip_prefix(COMMIT) {
                program.commit = Some(commit.into());
            } else if let Some(signature) = part.strip_prefix(SIGNATURE) {
                program.signature = Some(signature.parse().map_err(|_| wrong())?);
            } else if ![NO_COMMIT, NO_SIGNATURE].contains(&part) {
                return Err(wrong());
            }
        }
        Ok(program)
    }
}

hegemon_core::by_notation!(Program);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_reads_what_it_prints_and_what_older_ones_wrote() {
        for text in [
            "0.1.0, commit 1234abcd, signature 3963317432",
            "0.1.0, commit 1234abcd with changes, signature 7",
            "0.1.0, unknown commit, unknown signature",
        ] {
            assert_eq!(text.parse::<Program>().expect(text).to_string(), text);
        }
        let old: Program = "0.1.0".parse().expect("a version alone");
        assert_eq!((old.commit, old.signature), (None, None));
        for text in ["", "0.1.0, signature x", "0.1.0, nonsense", "0.1.0\n"] {
            assert!(text.parse::<Program>().is_err(), "{text:?}");
        }
    }
}
