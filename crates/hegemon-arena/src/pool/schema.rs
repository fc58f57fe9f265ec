//! The tables of a pool.
//!
//! Games are stored as whole numbers in `results`: one thread stores what all others play, and a
//! text costs it several times as much. The view `games` shows them with readable columns, which
//! are those that the checksum of a row is made of.

use rusqlite::Connection;

/// The format of pools that are made or written to.
pub(super) const FORMAT: u32 = 4;

/// The format before, with `games` as a table. Such a pool is read as it is, and becomes one of
/// the present format when games are added.
pub(super) const OLD_FORMAT: u32 = 3;

const COMMON: &str = "
    CREATE TABLE pool (id INTEGER PRIMARY KEY CHECK (id = 1), settings TEXT NOT NULL,
                       sum TEXT NOT NULL);
    CREATE TABLE bots (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE, sum TEXT NOT NULL);
    CREATE TABLE waves (wave INTEGER PRIMARY KEY, lineups TEXT NOT NULL, program TEXT NOT NULL,
                        sum TEXT NOT NULL);
    CREATE TABLE ledger (id INTEGER PRIMARY KEY CHECK (id = 1), games INTEGER NOT NULL,
                         chain TEXT NOT NULL, sum TEXT NOT NULL);
    CREATE VIEW seats AS
        SELECT wave, block, game, seat, spec AS bot, place,
               (place = 1) * 1.0 / winners AS score, ending, rounds, program
        FROM (SELECT *, 1 AS seat, bot_1 AS bot, place_1 AS place FROM games
              UNION ALL SELECT *, 2, bot_2, place_2 FROM games
              UNION ALL SELECT *, 3, bot_3, place_3 FROM games WHERE bot_3 IS NOT NULL
              UNION ALL SELECT *, 4, bot_4, place_4 FROM games WHERE bot_4 IS NOT NULL
              UNION ALL SELECT *, 5, bot_5, place_5 FROM games WHERE bot_5 IS NOT NULL
              UNION ALL SELECT *, 6, bot_6, place_6 FROM games WHERE bot_6 IS NOT NULL) AS seated
        JOIN bots ON bots.id = seated.bot;
";

const OLD_GAMES: &str = "
    CREATE TABLE games (wave INTEGER NOT NULL, block INTEGER NOT NULL, game INTEGER NOT NULL,
                        seed TEXT NOT NULL,
                        bot_1 INTEGER NOT NULL, bot_2 INTEGER NOT NULL, bot_3 INTEGER,
                        bot_4 INTEGER, bot_5 INTEGER, bot_6 INTEGER,
                        place_1 INTEGER NOT NULL, place_2 INTEGER NOT NULL, place_3 INTEGER,
                        place_4 INTEGER, place_5 INTEGER, place_6 INTEGER,
                        winners INTEGER NOT NULL, ending TEXT NOT NULL, forfeit INTEGER,
                        message TEXT, rounds INTEGER NOT NULL, moves INTEGER NOT NULL,
                        hash TEXT NOT NULL, program TEXT NOT NULL, sum TEXT NOT NULL,
                        PRIMARY KEY (wave, block, game)) WITHOUT ROWID;
";

/// Seed, hash and sum are words of 64 bits, shown as signed numbers by SQLite; the places are
/// digits, that of the first seat last; ending and program are numbers of texts.
const GAMES: &str = "
    CREATE TABLE results (id INTEGER PRIMARY KEY, seed INTEGER, bot_1 INTEGER, bot_2 INTEGER,
                          bot_3 INTEGER, bot_4 INTEGER, bot_5 INTEGER, bot_6 INTEGER,
                          places INTEGER, ending INTEGER, rounds INTEGER, moves INTEGER,
                          hash INTEGER, program INTEGER, sum INTEGER);
    CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE forfeits (id INTEGER PRIMARY KEY, seat INTEGER NOT NULL, message TEXT NOT NULL);
    CREATE VIEW games AS
        SELECT results.id >> 32 AS wave, results.id >> 3 & 0x1fffffff AS block,
               results.id & 7 AS game, printf('%u', seed) AS seed,
               bot_1, bot_2, bot_3, bot_4, bot_5, bot_6,
               places % 10 AS place_1, places / 10 % 10 AS place_2,
               nullif(places / 100 % 10, 0) AS place_3, nullif(places / 1000 % 10, 0) AS place_4,
               nullif(places / 10000 % 10, 0) AS place_5,
               nullif(places / 100000 % 10, 0) AS place_6,
               (places % 10 = 1) + (places / 10 % 10 = 1) + (places / 100 % 10 = 1)
               + (places / 1000 % 10 = 1) + (places / 10000 % 10 = 1)
               + (places / 100000 % 10 = 1) AS winners,
               endings.text AS ending, forfeits.seat AS forfeit, forfeits.message AS message,
               rounds, moves, printf('%016x', hash) AS hash, programs.text AS program,
               printf('%016x', sum) AS sum, results.id AS id
        FROM results LEFT JOIN texts AS endings ON endings.id = results.ending
        LEFT JOIN texts AS programs ON programs.id = results.program
        LEFT JOIN forfeits ON forfeits.id = results.id;
";

/// Makes the tables of a pool of this format.
pub(super) fn make(connection: &Connection, format: u32) -> rusqlite::Result<()> {
    connection.execute_batch(match format {
        OLD_FORMAT => OLD_GAMES,
        _ => GAMES,
    })?;
    connection.execute_batch(COMMON)
}

/// The format of an open pool. Another process may make it the present one at any time.
pub(super) fn format_of(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// What orders the games of a pool of this format by wave, block and game.
pub(super) fn order(format: u32) -> &'static str {
    match format {
        OLD_FORMAT => "wave, block, game",
        _ => "id",
    }
}

/// Removes all games, and with them the tables of another format.
pub(super) fn clear_games(connection: &Connection) -> rusqlite::Result<()> {
    if format_of(connection)? == FORMAT {
        return connection
            .execute_batch("DELETE FROM results; DELETE FROM texts; DELETE FROM forfeits;");
    }
    connection.execute_batch("DROP TABLE games;")?;
    connection.execute_batch(GAMES)?;
    connection.pragma_update(None, "user_version", FORMAT)
}
