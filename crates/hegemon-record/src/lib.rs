//! Game records: a versioned text of everything that happened, written while
//! playing, read back and verified by replay.
//!
//! ```text
//! hegemon-record 3
//! {"map":"classic","map_hash":"…","rules":{…},"players":["baseline","simulation"],"seed":7,…}
//! F1 D12 D3 …
//! p3x5 a3>4x3 B1:1 end end
//! …
//! end conquest score=1,0 hash=0123456789abcdef
//! sum 0123456789abcdef0123456789abcdef 89ab 0123 …
//! ```
//!
//! A line of [`hegemon_core::Event`]s is a turn; the end is a
//! [`hegemon_core::Termination`].
//!
//! A record is verified in two ways. The checksum in the last line detects
//! damage and names the line. The replay detects forgery: every move must be
//! legal, every outcome the one that the seed gives, and the end the one of the
//! last state. A record of format 1 has no checksum and does not state where its
//! outcomes come from; the rest applies to it too. Up to format 2 the round cap
//! was not a rule: the runner stopped the game at a decision, after 1000 rounds.

mod end;
mod error;
mod header;
mod program;
mod reader;
mod replay;
mod sum;
#[cfg(test)]
mod tests;
mod writer;

pub use end::RecordEnd;
pub use error::{RecordError, RecordFault};
pub use header::{Chance, FORMAT_VERSION, Header};
pub use program::{Program, ProgramError};
pub use reader::GameRecord;
pub use replay::Replay;
pub use writer::RecordWriter;
