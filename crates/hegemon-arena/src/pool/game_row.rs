//! A game of a pool as a row of the store.

use std::fmt::Write as _;

use arrayvec::{ArrayString, ArrayVec};
use hegemon_core::{Ending, ForfeitKind, MAX_PLAYERS, PlayerId, Termination};
use hegemon_record::Program;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, Row};

use crate::played::Played;
use crate::row_sum::{Hex, RowSum, hex};
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
pub struct GameKey {
    /// The wave.
    pub wave: u64,
    /// The block of the wave.
    pub block: u64,
    /// The game of the block.
    pub game: u64,
}

/// The row of a game that is about to be stored. It is made by the thread that
/// plays the game: only one can write to the file, so that one should have
/// little else to do.
#[derive(Clone, Debug)]
pub(super) struct NewRow {
    key: GameKey,
    seed: ArrayString<20>,
    /// By seat.
    bots: ArrayVec<usize, MAX_PLAYERS>,
    places: ArrayVec<u8, MAX_PLAYERS>,
    n_winners: usize,
    ending: &'static str,
    /// The seat that forfeited, and its message.
    forfeit: Option<(usize, String)>,
    rounds: u32,
    n_moves: u32,
    hash: Hex,
    sum: Hex,
}

impl NewRow {
    /// The row of a game with these bots in its seats, played by this program.
    pub(super) fn new(
        game: Played,
        key: GameKey,
        bots: ArrayVec<usize, MAX_PLAYERS>,
        program: &str,
    ) -> NewRow {
        let mut seed = ArrayString::new();
        // The largest number has 20 digits.
        let _ = write!(seed, "{}", game.seed);
        let mut row = NewRow {
            key,
            seed,
            bots,
            n_winners: game.n_winners(),
            ending: game.termination.name(),
            forfeit: game
                .termination
                .loser()
                .map(|loser| (loser.index(), game.message.unwrap_or_default())),
            places: game.places,
            rounds: game.rounds,
            n_moves: game.n_moves,
            hash: hex(game.hash),
            sum: Hex::new(),
        };
        let mut sum = RowSum::new("games");
        row.visit(program, |_, value| add_value(&mut sum, value));
        row.sum = sum.hex();
        row
    }

    /// The bots by seat.
    pub(super) fn bots(&self) -> &[usize] {
        &self.bots
    }

    /// Placement by seat.
    pub(super) fn places(&self) -> &[u8] {
        &self.places
    }

    /// The checksum of the other values.
    pub(super) fn sum(&self) -> &str {
        &self.sum
    }

    /// Calls `visit` with each column before the checksum and its value.
    fn visit<'a>(&'a self, program: &'a str, mut visit: impl FnMut(usize, ValueRef<'a>)) {
        let text = |text: &'a str| ValueRef::Text(text.as_bytes());
        let GameKey { wave, block, game } = self.key;
        for (column, n) in [wave, block, game].into_iter().enumerate() {
            visit(column, ValueRef::Integer(n.cast_signed()));
        }
        visit(SEED, text(&self.seed));
        for seat in 0..MAX_PLAYERS {
            let bot = self.bots.get(seat);
            let bot = bot.map_or(ValueRef::Null, |&bot| ValueRef::Integer(bot as i64 + 1));
            visit(BOTS + seat, bot);
        }
        for seat in 0..MAX_PLAYERS {
            let place = self.places.get(seat);
            let place = place.map_or(ValueRef::Null, |&place| ValueRef::Integer(place.into()));
            visit(PLACES + seat, place);
        }
        visit(WINNERS, ValueRef::Integer(self.n_winners as i64));
        visit(ENDING, text(self.ending));
        let (forfeit, message) = match &self.forfeit {
            Some((seat, message)) => (ValueRef::Integer(*seat as i64 + 1), text(message)),
            None => (ValueRef::Null, ValueRef::Null),
        };
        visit(FORFEIT, forfeit);
        visit(MESSAGE, message);
        visit(ROUNDS, ValueRef::Integer(self.rounds.into()));
        visit(MOVES, ValueRef::Integer(self.n_moves.into()));
        visit(HASH, text(&self.hash));
        visit(PROGRAM, text(program));
    }
}

/// Rows of one statement: each statement has a cost of its own.
const ROWS: usize = 32;

/// Inserts rows of games that this program played.
pub(super) fn insert(
    connection: &Connection,
    program: &str,
    rows: &[&NewRow],
) -> rusqlite::Result<()> {
    let (full, rest) = rows.as_chunks::<ROWS>();
    let mut several = None;
    for rows in full {
        // Rows of one statement have the same columns.
        if rows.iter().any(|row| row.forfeit.is_some()) {
            insert_singly(connection, program, rows)?;
            continue;
        }
        if several.is_none() {
            several = Some(Insertion::new(connection, program, rows)?);
        }
        several
            .iter_mut()
            .try_for_each(|several| several.run(rows))?;
    }
    insert_singly(connection, program, rest)
}

fn insert_singly(connection: &Connection, program: &str, rows: &[&NewRow]) -> rusqlite::Result<()> {
    rows.chunks(1)
        .try_for_each(|rows| Insertion::new(connection, program, rows)?.run(rows))
}

/// A statement that inserts a number of rows with the same columns. Columns without a value are
/// left out: a value that is bound costs as much as it does to store it.
struct Insertion<'a> {
    statement: CachedStatement<'a>,
    program: &'a str,
    n_columns: usize,
}

impl<'a> Insertion<'a> {
    /// The statement for rows like these.
    fn new(
        connection: &'a Connection,
        program: &'a str,
        rows: &[&NewRow],
    ) -> rusqlite::Result<Insertion<'a>> {
        let mut columns = Vec::with_capacity(COLUMNS.len());
        let mut of_program = 0;
        if let Some(row) = rows.first() {
            row.visit(program, |column, value| {
                if column == PROGRAM {
                    of_program = columns.len();
                }
                if !matches!(value, ValueRef::Null) {
                    columns.push(COLUMNS[column]);
                }
            });
        }
        columns.push(COLUMNS[SUM]);
        let row = format!("({})", vec!["?"; columns.len()].join(", "));
        let values = vec![row; rows.len()].join(", ");
        let sql = format!("INSERT INTO games ({}) VALUES {values}", columns.join(", "));
        let mut statement = connection.prepare_cached(&sql)?;
        let n_columns = columns.len();
        for n in 0..rows.len() {
            statement.raw_bind_parameter(n * n_columns + of_program + 1, program)?;
        }
        Ok(Insertion {
            statement,
            program,
            n_columns,
        })
    }

    fn run(&mut self, rows: &[&NewRow]) -> rusqlite::Result<()> {
        for (n, row) in rows.iter().enumerate() {
            let mut parameter = n * self.n_columns;
            let mut bound = Ok(());
            row.visit(self.program, |column, value| {
                if matches!(value, ValueRef::Null) {
                    return;
                }
                parameter += 1;
                // The program stays bound.
                if column != PROGRAM && bound.is_ok() {
                    let value = ToSqlOutput::Borrowed(value);
                    bound = self.statement.raw_bind_parameter(parameter, value);
                }
            });
            bound?;
            self.statement
                .raw_bind_parameter(parameter + 1, row.sum())?;
        }
        self.statement.raw_execute().map(|_| ())
    }
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
