//! The arena: one game loop, matches in blocks, ratings, sequential tests and
//! the store. It measures who is better, with an interval.

mod blocks;
mod game_loop;
mod luck;
mod map_trial;
mod match_part;
mod matches;
mod meter;
mod plan;
mod played;
pub mod pool;
pub mod ratings;
mod recording;
mod row_sum;
pub mod sprt;
mod sprt_run;
pub mod sqlite_file;
pub mod stats;
mod unfinished;
mod value_luck;

pub use blocks::{deal_seed, game_seed, run_blocks, run_blocks_by, seat_orders};
pub use game_loop::{
    Entrant, GameSetup, Observer, Seeds, SharedDeal, Sight, play, play_game, seat_seed,
};
pub use hegemon_record::Program;
pub use luck::{Luck, LuckCounter, LuckTable};
pub use map_trial::{ContinentTrial, MapTrial, MapTrialReport, WinShare};
pub use match_part::{MatchIdentity, MatchPart, MergeError, merge_parts};
pub use matches::{Match, MatchError, MatchReport, PlayerReport, Tally};
pub use meter::{GameUnderWay, games_played, games_to_finish, games_under_way};
pub use plan::{GameNumber, Grounds, Plan, SeatOrder, play_blocks, unwatched};
pub use played::{Block, Played, share};
pub use recording::{RecordingError, has_records, header_of, play_recorded, play_to_text};
pub use row_sum::RowSum;
pub use sprt_run::{SprtRun, SprtRunReport, Verdict};
pub use unfinished::{Unfinished, check_place, target_of, write_whole};
pub use value_luck::{Adjust, SeatLuck, ValueLuck};
