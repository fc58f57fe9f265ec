//! The arena: one game loop, matches in blocks, ratings, sequential tests and
//! the store. It says who is better, with an interval.

mod blocks;
mod contest;
mod duel;
mod game_loop;
mod luck;
pub mod pool;
pub mod ratings;
mod recording;
pub mod sprt;
pub mod sqlite_file;
pub mod stats;
mod unfinished;

pub use blocks::{deal_seed, game_seed, run_blocks, run_blocks_by, seat_orders};
pub use contest::{
    BlockGame, Contest, ContestError, ContestReport, PlayerReport, Tally, ending_name,
};
pub use duel::{Duel, DuelReport, Verdict};
pub use game_loop::{
    Fixture, Observer, Played, Sight, legal_choice, play, play_fixture, seat_seed, stopped,
};
pub use hegemon_record::ROUND_CAP;
pub use luck::{Luck, LuckCounter};
pub use recording::{RecordingError, header_of, play_recorded, play_to_text};
pub use unfinished::{Unfinished, check_place, write_whole};
