//! Game records: a versioned text of everything that happened, written while
//! playing, read back and verified by replay.
//!
//! ```text
//! hegemon-record 2
//! {"map":"classic","map_hash":"…","rules":{…},"players":["baseline","simulation"],"seed":7,…}
//! F1 D12 D3 …
//! p3x5 a3>4x3 B1:1 end end
//! …
//! end conquest score=1,0 hash=0123456789abcdef
//! sum 0123456789abcdef0123456789abcdef 89ab 0123 …
//! ```
//!
//! A line of events is a turn. Moves and outcomes are written in the notation of
//! [`hegemon_core::Move`] and [`hegemon_core::Outcome`].
//!
//! Two things keep a record true. The checksum in the last line finds what was
//! damaged, and names the line. The replay finds what was made up: every move is
//! legal, every outcome is the one that the seed brings, and the end is the one
//! that the last state has. A record of format 1 has no checksum and does not
//! say where its outcomes come from; the rest holds for it too.

mod end;
mod error;
mod header;
mod reader;
mod replay;
mod sum;
#[cfg(test)]
mod tests;
mod writer;

pub use end::{End, ROUND_CAP, Termination, is_endless};
pub use error::{RecordError, RecordFault};
pub use header::{Chance, FORMAT_VERSION, Header};
pub use reader::{Event, GameRecord};
pub use replay::Replay;
pub use writer::RecordWriter;
