//! A game of a pool, and the row of the store that it is.

use arrayvec::ArrayVec;
use hegemon_core::{Ending, MAX_PLAYERS};
use hegemon_record::Termination;
use rusqlite::Row;
use rusqlite::types::Value;

use crate::game_loop::Played;
use crate::sqlite_file::RowSum;

/// The columns of the table of games, the checksum last. Seats and bots count
/// from 1; a seat that is not there is NULL.
pub(super) const COLUMNS: [&str; 24] = [
    "wave", "block", "game", "seed", "bot_1", "bot_2", "bot_3", "bot_4", "bot_5", "bot_6",
    "place_1", "place_2", "place_3", "place_4", "place_5", "place_6", "winners", "ending",
    "forfeit", "message", "rounds", "moves", "hash", "sum",
];

const SEED: usize = 3;
const BOTS: usize = 4;
const PLACES: usize = BOTS + MAX_PLAYERS;
const WINNERS: usize = PLACES + MAX_PLAYERS;
const ENDING: usize = WINNERS + 1;
const FORFEIT: usize = WINNERS + 2;
const MESSAGE: usize = WINNERS + 3;
const ROUNDS: usize = WINNERS + 4;
const MOVES: usize = WINNERS + 5;
const HASH: usize = WINNERS + 6;
const SUM: usize = COLUMNS.len() - 1;

/// A message of a bot is kept as far as this many characters.
const MAX_MESSAGE: usize = 200;

/// How a stored game stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredTermination {
    /// By its rules.
    Rules(Ending),
    /// By the round cap.
    RoundCap,
    /// A bot could not go on.
    Forfeit {
        /// Its seat.
        seat: usize,
        /// What happened, as one word.
        kind: String,
        /// The same in more words.
        message: String,
    },
}

const ROUND_CAP: &str = "round-cap";

impl StoredTermination {
    fn of(played: &Played) -> StoredTermination {
        match &played.termination {
            Termination::Rules(ending) => StoredTermination::Rules(*ending),
            Termination::RoundCap => StoredTermination::RoundCap,
            Termination::Forfeit { seat, kind } => StoredTermination::Forfeit {
                seat: *seat,
                kind: kind.clone(),
                message: played
                    .message
                    .iter()
                    .flat_map(|text| text.chars())
                    .take(MAX_MESSAGE)
                    .collect(),
            },
        }
    }

    /// The ending as one word.
    pub fn name(&self) -> &str {
        match self {
            StoredTermination::Rules(ending) => ending.name(),
            StoredTermination::RoundCap => ROUND_CAP,
            StoredTermination::Forfeit { kind, .. } => kind,
        }
    }
}

/// A game as it is stored; who sat where follows from the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// How it stopped.
    pub termination: StoredTermination,
    /// Placement by seat, from 1; all firsts share the win.
    pub places: ArrayVec<u8, MAX_PLAYERS>,
    /// Rounds played.
    pub rounds: u32,
    /// Moves made.
    pub n_moves: u32,
    /// Hash of the last state.
    pub hash: u64,
}

/// Where a game stands in the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GameKey {
    pub(super) wave: u64,
    pub(super) block: u64,
    pub(super) game: u64,
}

impl StoredGame {
    pub(super) fn of(played: &Played, n_players: usize) -> StoredGame {
        StoredGame {
            termination: StoredTermination::of(played),
            places: played.place.as_slice()[..n_players]
                .iter()
                .copied()
                .collect(),
            rounds: played.rounds,
            n_moves: played.n_moves,
            hash: played.hash,
        }
    }

    /// The seat's share of the win.
    pub fn score(&self, seat: usize) -> f64 {
        if self.places[seat] == 1 {
            1.0 / self.n_winners() as f64
        } else {
            0.0
        }
    }

    fn n_winners(&self) -> usize {
        self.places.iter().filter(|&&place| place == 1).count()
    }

    /// The row of the game; `bots` are those of its seats.
    pub(super) fn to_row(&self, key: GameKey, seed: u64, bots: &[usize]) -> Vec<Value> {
        let mut row = vec![Value::Null; COLUMNS.len()];
        for (value, n) in row.iter_mut().zip([key.wave, key.block, key.game]) {
            *value = Value::Integer(n.cast_signed());
        }
        row[SEED] = Value::Text(seed.to_string());
        for (seat, (bot, place)) in bots.iter().zip(&self.places).enumerate() {
            row[BOTS + seat] = Value::Integer(*bot as i64 + 1);
            row[PLACES + seat] = Value::Integer(i64::from(*place));
        }
        row[WINNERS] = Value::Integer(self.n_winners() as i64);
        row[ENDING] = Value::Text(self.termination.name().to_owned());
        if let StoredTermination::Forfeit { seat, message, .. } = &self.termination {
            row[FORFEIT] = Value::Integer(*seat as i64 + 1);
            row[MESSAGE] = Value::Text(message.clone());
        }
        row[ROUNDS] = Value::Integer(i64::from(self.rounds));
        row[MOVES] = Value::Integer(i64::from(self.n_moves));
        row[HASH] = Value::Text(format!("{:016x}", self.hash));
        let mut sum = RowSum::new("games");
        row[..SUM].iter().for_each(|value| sum.add(value.into()));
        row[SUM] = Value::Text(sum.digits());
        row
    }

    /// Reads a row of a game of so many players back: where it stands, its
    /// bots by seat, the game and the row's checksum.
    pub(super) fn from_row(row: &Row<'_>, n_players: usize) -> Result<GameRow, RowFault> {
        let sum: String = row.get(SUM).map_err(|_| RowFault::Unreadable)?;
        if RowSum::of_row("games", row, SUM).ok().as_ref() != Some(&sum) {
            return Err(RowFault::Sum);
        }
        read(row, n_players, sum).ok_or(RowFault::Unreadable)
    }
}

/// A row of a game, read.
#[derive(Clone, Debug)]
pub(super) struct GameRow {
    pub(super) key: GameKey,
    pub(super) bots: Vec<usize>,
    pub(super) game: StoredGame,
    pub(super) sum: String,
}

/// What is wrong with a row by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RowFault {
    #[error("its checksum is another")]
    Sum,
    #[error("it cannot be read")]
    Unreadable,
}

fn read(row: &Row<'_>, n_players: usize, sum: String) -> Option<GameRow> {
    let number = |column: usize| {
        let n: i64 = row.get(column).ok()?;
        u64::try_from(n).ok()
    };
    let small = |column: usize| u32::try_from(number(column)?).ok();
    let text = |column: usize| row.get::<_, String>(column).ok();
    let mut bots = Vec::with_capacity(n_players);
    let mut places = ArrayVec::new();
    for seat in 0..n_players {
        bots.push(usize::try_from(number(BOTS + seat)?).ok()?.checked_sub(1)?);
        let place = u8::try_from(number(PLACES + seat)?).ok()?;
        (1..=n_players)
            .contains(&usize::from(place))
            .then_some(())?;
        places.push(place);
    }
    let ending = text(ENDING)?;
    let termination = match small(FORFEIT) {
        Some(seat) => StoredTermination::Forfeit {
            seat: usize::try_from(seat).ok()?.checked_sub(1)?,
            kind: ending,
            message: text(MESSAGE)?,
        },
        None if ending == ROUND_CAP => StoredTermination::RoundCap,
        None => StoredTermination::Rules(Ending::from_name(&ending)?),
    };
    let game = StoredGame {
        termination,
        places,
        rounds: small(ROUNDS)?,
        n_moves: small(MOVES)?,
        hash: u64::from_str_radix(&text(HASH)?, 16).ok()?,
    };
    (game.n_winners() > 0).then_some(())?;
    let key = GameKey {
        wave: number(0)?,
        block: number(1)?,
        game: number(2)?,
    };
    Some(GameRow {
        key,
        bots,
        game,
        sum,
    })
}
