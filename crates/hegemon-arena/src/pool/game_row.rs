//! A game of a pool as a row of the store.

use std::fmt::Write as _;

use arrayvec::{ArrayString, ArrayVec};
use hegemon_core::{Ending, ForfeitKind, MAX_PLAYERS, PlayerId, Termination};
use hegemon_record::Program;
use rusqlite::{CachedStatement, Connection, Row};

use crate::played::Played;
use crate::row_sum::{Hex, RowSum, hex};
use crate::sqlite_file::is_sound;

/// The columns of games, the checksum last. Seats and bots count
/// from 1; a missing seat is NULL.
pub(super) const COLUMNS: [&str; 25] = [
    "wave", "block", "game", "seed", "bot_1", "bot_2", "bot_3", "bot_4", "bot_5", "bot_6",
    "place_1", "place_2", "place_3", "place_4", "place_5", "place_6", "winners", "ending",
    "forfeit", "message", "rounds", "moves", "hash", "program", "sum",
];

const SEED: usize = 3;
const BOTS: usize = 4;
const PLACES: usize = BOTS + MAX_PLAYERS;
const ENDING: usize = PLACES + MAX_PLAYERS + 1;
const FORFEIT: usize = ENDING + 1;
const MESSAGE: usize = ENDING + 2;
const ROUNDS: usize = ENDING + 3;
const MOVES: usize = ENDING + 4;
const HASH: usize = ENDING + 5;
const PROGRAM: usize = ENDING + 6;
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

/// Bits of a game's number that name the game of its block, and the block of its wave; the schema
/// takes them apart again.
const GAME_BITS: u32 = 3;
const BLOCK_BITS: u32 = 29;
/// What is left for the wave: numbers are not negative.
const WAVE_BITS: u32 = 63 - BLOCK_BITS - GAME_BITS;

/// A position that a number of the store cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a pool has no room for game {} of block {} of wave {}: a wave has at most {} blocks of {} games, and there are {} waves",
    .0.game, .0.block, .0.wave, 1_u64 << BLOCK_BITS, 1_u64 << GAME_BITS, 1_u64 << WAVE_BITS
)]
struct NoRoomError(GameKey);

impl GameKey {
    /// The number of the game in the store, by which games are in order.
    ///
    /// # Errors
    ///
    /// If two games would have the same one.
    fn id(self) -> rusqlite::Result<i64> {
        let GameKey { wave, block, game } = self;
        let fits = |n: u64, bits: u32| n >> bits == 0;
        if !fits(wave, WAVE_BITS) || !fits(block, BLOCK_BITS) || !fits(game, GAME_BITS) {
            return Err(rusqlite::Error::ToSqlConversionFailure(Box::new(
                NoRoomError(self),
            )));
        }
        let id = wave << (BLOCK_BITS + GAME_BITS) | block << GAME_BITS | game;
        Ok(id.cast_signed())
    }
}

/// The row of a game that is about to be stored. It is made by the thread that
/// plays the game: only one can write to the file, so that one should have
/// little else to do.
#[derive(Clone, Debug)]
pub(super) struct NewRow {
    key: GameKey,
    seed: u64,
    /// By seat.
    bots: ArrayVec<usize, MAX_PLAYERS>,
    places: ArrayVec<u8, MAX_PLAYERS>,
    ending: &'static str,
    /// The seat that forfeited, and its message.
    forfeit: Option<(usize, String)>,
    rounds: u32,
    n_moves: u32,
    hash: u64,
    sum: RowSum,
}

impl NewRow {
    /// The row of a game with these bots in its seats, played by this program.
    pub(super) fn new(
        game: Played,
        key: GameKey,
        bots: ArrayVec<usize, MAX_PLAYERS>,
        program: &str,
    ) -> NewRow {
        let n_winners = game.n_winners();
        let mut row = NewRow {
            key,
            seed: game.seed,
            bots,
            ending: game.termination.name(),
            forfeit: game
                .termination
                .loser()
                .map(|loser| (loser.index(), game.message.unwrap_or_default())),
            places: game.places,
            rounds: game.rounds,
            n_moves: game.n_moves,
            hash: game.hash,
            sum: RowSum::new("games"),
        };
        row.add_up(n_winners, program);
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
    pub(super) fn sum(&self) -> Hex {
        self.sum.hex()
    }

    /// Adds the values to the checksum, in the order and the form of [`COLUMNS`].
    fn add_up(&mut self, n_winners: usize, program: &str) {
        let mut sum = self.sum;
        let GameKey { wave, block, game } = self.key;
        for n in [wave, block, game] {
            sum.add_whole(n);
        }
        let mut seed = ArrayString::<20>::new();
        // The largest number has 20 digits.
        let _ = write!(seed, "{}", self.seed);
        sum.add_text(seed.as_bytes());
        self.bots
            .iter()
            .for_each(|&bot| sum.add_whole(bot as u64 + 1));
        (self.bots.len()..MAX_PLAYERS).for_each(|_| sum.add_nothing());
        self.places
            .iter()
            .for_each(|&place| sum.add_whole(place.into()));
        (self.places.len()..MAX_PLAYERS).for_each(|_| sum.add_nothing());
        sum.add_whole(n_winners as u64);
        sum.add_text(self.ending.as_bytes());
        match &self.forfeit {
            Some((seat, message)) => {
                sum.add_whole(*seat as u64 + 1);
                sum.add_text(message.as_bytes());
            }
            None => {
                sum.add_nothing();
                sum.add_nothing();
            }
        }
        sum.add_whole(self.rounds.into());
        sum.add_whole(self.n_moves.into());
        sum.add_text(hex(self.hash).as_bytes());
        sum.add_text(program.as_bytes());
        self.sum = sum;
    }

    /// The placements as digits, that of the first seat last.
    fn digits(&self) -> i64 {
        let places = self.places.iter().rev();
        places.fold(0, |digits, &place| 10 * digits + i64::from(place))
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
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let n_seats = first.bots.len();
    let mut texts = Texts::load(connection)?;
    let program = texts.number(program)?;
    let (full, rest) = rows.as_chunks::<ROWS>();
    if !full.is_empty() {
        let mut several = Insertion::new(connection, program, n_seats, ROWS)?;
        full.iter()
            .try_for_each(|rows| several.run(rows, &mut texts))?;
    }
    let mut single = Insertion::new(connection, program, n_seats, 1)?;
    rest.chunks(1)
        .try_for_each(|row| single.run(row, &mut texts))?;
    let mut forfeit = connection.prepare_cached("INSERT INTO forfeits VALUES (?1, ?2, ?3)")?;
    for row in rows {
        if let Some((seat, message)) = &row.forfeit {
            forfeit.execute((row.key.id()?, *seat as i64 + 1, message))?;
        }
    }
    Ok(())
}

/// The texts that games refer to by number: few, but part of every game.
struct Texts<'a> {
    connection: &'a Connection,
    known: Vec<(String, i64)>,
}

impl<'a> Texts<'a> {
    fn load(connection: &'a Connection) -> rusqlite::Result<Texts<'a>> {
        let mut query = connection.prepare_cached("SELECT text, id FROM texts")?;
        let known = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Texts {
            known: known.collect::<rusqlite::Result<_>>()?,
            connection,
        })
    }

    /// The number of a text, which is stored if it is new.
    fn number(&mut self, text: &str) -> rusqlite::Result<i64> {
        if let Some((_, number)) = self.known.iter().find(|(known, _)| known == text) {
            return Ok(*number);
        }
        let sql = "INSERT INTO texts (text) VALUES (?1)";
        self.connection.prepare_cached(sql)?.execute([text])?;
        let number = self.connection.last_insert_rowid();
        self.known.push((text.to_owned(), number));
        Ok(number)
    }
}

/// A statement that inserts a number of rows. Columns of missing seats are left out:
/// a value that is bound costs as much as it does to store it.
struct Insertion<'a> {
    statement: CachedStatement<'a>,
    n_columns: usize,
}

impl<'a> Insertion<'a> {
    /// The statement for games of this program, by its number, with this many seats.
    fn new(
        connection: &'a Connection,
        program: i64,
        n_seats: usize,
        n_rows: usize,
    ) -> rusqlite::Result<Insertion<'a>> {
        let bots = &COLUMNS[BOTS..BOTS + n_seats];
        // The program, which stays bound, is the last.
        let rest = "places, ending, rounds, moves, hash, sum, program";
        let n_columns = 2 + n_seats + 7;
        let row = format!("({})", vec!["?"; n_columns].join(", "));
        let sql = format!(
            "INSERT INTO results (id, seed, {}, {rest}) VALUES {}",
            bots.join(", "),
            vec![row; n_rows].join(", ")
        );
        let mut statement = connection.prepare_cached(&sql)?;
        for n in 1..=n_rows {
            statement.raw_bind_parameter(n * n_columns, program)?;
        }
        Ok(Insertion {
            statement,
            n_columns,
        })
    }

    fn run(&mut self, rows: &[&NewRow], texts: &mut Texts<'_>) -> rusqlite::Result<()> {
        for (n, row) in rows.iter().enumerate() {
            let ending = texts.number(row.ending)?;
            let mut parameter = n * self.n_columns;
            let mut bind = |value: i64| {
                parameter += 1;
                self.statement.raw_bind_parameter(parameter, value)
            };
            bind(row.key.id()?)?;
            bind(row.seed.cast_signed())?;
            row.bots.iter().try_for_each(|&bot| bind(bot as i64 + 1))?;
            bind(row.digits())?;
            bind(ending)?;
            bind(row.rounds.into())?;
            bind(row.n_moves.into())?;
            bind(row.hash.cast_signed())?;
            bind(row.sum.value().cast_signed())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of 2^29 once had the number of the first block of the next wave.
    #[test]
    fn no_two_games_have_one_number() {
        let key = |wave, block, game| GameKey { wave, block, game };
        let last = (1 << WAVE_BITS) - 1;
        let keys = [
            key(0, 0, 0),
            key(0, 0, 7),
            key(0, 1, 0),
            key(0, (1 << 29) - 1, 7),
            key(1, 0, 0),
            key(last, (1 << 29) - 1, 7),
        ];
        let ids: Vec<i64> = keys.map(|key| key.id().expect("it fits")).to_vec();
        assert!(ids.is_sorted_by(|a, b| a < b) && ids[0] == 0, "{ids:?}");
        assert_eq!(ids[5], i64::MAX);
        for key in [key(0, 1 << 29, 0), key(0, 0, 8), key(last + 1, 0, 0)] {
            let error = key.id().expect_err("it does not fit").to_string();
            let block = format!(
                "game {} of block {} of wave {}",
                key.game, key.block, key.wave
            );
            assert!(error.contains(&block), "{error}");
        }
    }
}
