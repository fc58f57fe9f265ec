//! A pool of bots in one SQLite file: schedule, play, rate, resume.
//!
//! The schedule proceeds in waves. The line-ups of a wave follow from the
//! results of earlier waves and are stored before its games; blocks are stored
//! in the order of the schedule, soon after they are done. So a killed run
//! resumes as if nothing had happened, and the store does not depend on the
//! number of threads.

mod again;
mod check;
mod game_row;
mod retired;
mod run;
mod schedule;
mod schema;
mod standing;
mod store;
mod versions;
mod writer;

pub use again::PoolGame;
pub use check::{PoolCheckReport, check, repair};
pub use game_row::GameKey;
pub use run::{PoolProgress, RunParams, TakeBlock};
pub use standing::{HeadToHead, RatedBot, Standing};
pub use store::{Damage, Pool, PoolError, PoolSettings, StoredBlock};
