//! Game records: a versioned text of everything that happened, written while
//! playing, read back and verified by replay.
//!
//! ```text
//! hegemon-record 1
//! {"map":"classic","map_hash":"…","rules":{…},"players":["baseline","simulation"],"seed":7,…}
//! F1 D12 D3 …
//! p3x5 a3>4x3 B1:1 end end
//! …
//! end conquest score=1,0 hash=0123456789abcdef
//! ```
//!
//! A line of events is a turn. Moves and outcomes are written in the notation of
//! [`hegemon_core::Move`] and [`hegemon_core::Outcome`].

mod error;
mod header;
mod reader;
mod replay;
mod writer;

pub use error::{RecordError, RecordFault};
pub use header::{FORMAT_VERSION, Header};
pub use reader::{End, Event, GameRecord, Termination};
pub use replay::Replay;
pub use writer::RecordWriter;
