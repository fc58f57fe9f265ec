//! A game of a pool as a row of the store.

use arrayvec::ArrayVec;
use hegemon_core::{Ending, ForfeitKind, MAX_PLAYERS, PlayerId, Termination};
use hegemon_record::Program;
use rusqlite::Row;
use rusqlite::types::Value;

use crate::played::Played;
use crate::row_sum::RowSum;
use crate::sqlite_file::{add_value, is_sound};

/// The columns of the table of games, the checksum last. Seats and bots count
/// from 1; a missing seat is NULL.
pub(super) const COLUMNS: [&str; 25] = [
    "wave", "block", "game", "seed", "bot_1", "bot_2", "bot_3", "bot_4", "bot_5", "bot_6",
    "place_1", "place_2", "place_3", "place_4", "place_5", "place_6", "winners", "ending",
    "forfeit", "message", "rounds", "moves", "hash", "program", "sum",
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
const PROGRAM: usize = WINNERS + 7;
const SUM: usize = COLUMNS.len() - 1;

/// The position of a game in the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GameKey {
    pub(super) wave: u64,
    pub(super) block: u64,
    pub(super) game: u64,
}

/// The row of a game; `bots` are those of its seats.
pub(super) fn to_row(game: &Played, key: GameKey, bots: &[usize], program: &Program) -> Vec<Value> {
    let mut row = vec![Value::Null; COLUMNS.len()];
    for (value, n) in row.iter_mut().zip([key.wave, key.block, key.game]) {
        *value = Value::Integer(n.cast_signed());
    }
    row[SEED] = Value::Text(game.seed.to_string());
    for (seat, (bot, place)) in bots.iter().zip(&game.places).enumerate() {
        row[BOTS + seat] = Value::Integer(*bot as i64 + 1);
        row[PLACES + seat] = Value::Integer(i64::from(*place));
    }
    row[WINNERS] = Value::Integer(game.n_winners() as i64);
    row[ENDING] = Value::Text(game.termination.name().to_owned());
    if let Some(loser) = game.termination.loser() {
        row[FORFEIT] = Value::Integer(loser.index() as i64 + 1);
        row[MESSAGE] = Value::Text(game.message.clone().unwrap_or_default());
    }
    row[ROUNDS] = Value::Integer(i64::from(game.rounds));
    row[MOVES] = Value::Integer(i64::from(game.n_moves));
    row[HASH] = Value::Text(format!("{:016x}", game.hash));
    row[PROGRAM] = Value::Text(program.to_string());
    let mut sum = RowSum::new("games");
    let values = row[..SUM].iter();
    values.for_each(|value| add_value(&mut sum, value.into()));
    row[SUM] = Value::Text(sum.digits());
    row
}

/// Reads a row of a game of `n_players`: its position, its bots by seat, the
/// game and the row's checksum.
pub(super) fn from_row(row: &Row<'_>, n_players: usize) -> Result<GameRow, RowFault> {
    let sum: String = row.get(SUM).map_err(|_| RowFault::Unreadable)?;
    if !is_sound("games", row, SUM) {
        return Err(RowFault::Sum);
    }
    read(row, n_players, sum).ok_or(RowFault::Unreadable)
}

/// A row of a game, read.
#[derive(Clone, Debug)]
pub(super) struct GameRow {
    pub(super) key: GameKey,
    pub(super) bots: Vec<usize>,
    /// The game; the numbers of the players follow from the schedule.
    pub(super) game: Played,
    pub(super) program: Program,
    pub(super) sum: String,
}

/// A fault of a single row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RowFault {
    #[error("its checksum differs")]
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
        Some(seat) => Termination::Forfeit {
            seat: PlayerId::seats(n_players).nth(usize::try_from(seat).ok()?.checked_sub(1)?)?,
            kind: ForfeitKind::from_name(&ending)?,
        },
        None => Termination::Rules(Ending::from_name(&ending)?),
    };
    let game = Played {
        seats: ArrayVec::new(),
        seed: text(SEED)?.parse().ok()?,
        termination,
        message: termination.loser().and_then(|_| text(MESSAGE)),
        places,
        rounds: small(ROUNDS)?,
        n_moves: small(MOVES)?,
        hash: u64::from_str_radix(&text(HASH)?, 16).ok()?,
        luck: Vec::new(),
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
        program: text(PROGRAM)?.parse().ok()?,
        sum,
    })
}
