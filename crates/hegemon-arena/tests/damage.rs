//! The store of a pool detects foreign changes, and its tables can be queried
//! with plain SQL.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::pool::{Pool, PoolError, PoolSettings, RunParams, StoredBlock, check, repair};
use hegemon_bots::Grants;
use hegemon_core::{Game, Map, Rng, Rules};
use rusqlite::Connection;

static GO: AtomicBool = AtomicBool::new(false);

/// A folder of its own for every test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hegemon-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("writable");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn settings(rules: &str, n_players: usize) -> PoolSettings {
    let map = Map::builtin("classic").expect("shipped");
    let rules = Rules::preset(rules).expect("shipped");
    let game = Game::new(map, rules, n_players).expect("they fit");
    PoolSettings {
        map: game.map().spec().clone(),
        rules: game.rules().clone(),
        n_players,
        seed: 5,
    }
}

/// A finished pool in one file, with the write-ahead log checkpointed.
fn finished(folder: &Folder, n_games: u64) -> (PathBuf, Vec<StoredBlock>) {
    let path = folder.file("pool.db");
    let mut pool = Pool::open_or_create(&path, &settings("sampling", 2)).expect("a new file");
    let specs = ["baseline", "simulation", "random"];
    let specs: Vec<_> = specs
        .iter()
        .map(|spec| spec.parse().expect("sound"))
        .collect();
    pool.add(&specs, &Grants::sealed()).expect("sound specs");
    let params = RunParams {
        n_games,
        floor: 2,
        n_threads: 2,
        grants: Grants::sealed(),
    };
    pool.run(&params, &GO, |_| ()).expect("runs");
    let blocks = pool.blocks().expect("readable");
    drop(pool);
    assert!(
        !folder.file("pool.db-wal").exists(),
        "the log was not taken in"
    );
    (path, blocks)
}

/// Everything that a command would show of a file.
fn shown(path: &std::path::Path) -> Result<(Vec<String>, Vec<StoredBlock>, String), PoolError> {
    let pool = Pool::open(path)?;
    let specs = pool.specs()?.iter().map(ToString::to_string).collect();
    let standing = serde_json::to_string(&pool.standing()?).expect("plain");
    Ok((specs, pool.blocks()?, standing))
}

/// 69 of 200 once changed results silently, and two ended the program.
#[test]
fn a_flipped_bit_changes_no_result_silently() {
    let folder = Folder::new("flips");
    let (path, _) = finished(&folder, 200);
    let whole = std::fs::read(&path).expect("readable");
    let expected = shown(&path).expect("untouched");
    let copy = folder.file("copy.db");
    let mut rng = Rng::from_seed(1);
    let mut n_refused = 0;
    for flip in 0..200 {
        let mut bytes = whole.clone();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] ^= 1 << rng.below(8);
        std::fs::write(&copy, &bytes).expect("writable");
        match shown(&copy) {
            Ok(found) => assert!(found == expected, "flip {flip} at {at} went unnoticed"),
            Err(error) => {
                n_refused += 1;
                let sentence = error.to_string();
                assert!(!sentence.contains('\n'), "{sentence}");
            }
        }
        // The check finds the damage too, and never panics.
        let found = check(&copy);
        let clean = found.is_ok_and(|report| report.damages.is_empty());
        assert!(!clean || shown(&copy).is_ok(), "flip {flip} at {at}");
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.file(&format!("copy.db{suffix}")));
        }
    }
    assert!(n_refused > 50, "{n_refused} of 200 hit something");
}

fn spoil(path: &std::path::Path, sql: &str) {
    let connection = Connection::open(path).expect("an SQLite file");
    let n_changed = connection.execute(sql, []).expect("sound SQL");
    assert!(n_changed > 0, "{sql}");
}

#[test]
fn what_was_changed_is_named_and_played_again() {
    let cases = [
        (
            "UPDATE results SET places = 21 WHERE id >> 3 = 3 AND places = 12",
            "game 0.3.",
        ),
        (
            "UPDATE results SET places = places + 8 WHERE id >> 3 = 1",
            "game 0.1.",
        ),
        (
            "UPDATE results SET bot_1 = 77 WHERE id >> 3 = 2",
            "game 0.2.",
        ),
        (
            "UPDATE texts SET text = 'turn-limit' WHERE id = 2",
            "game 0.0.",
        ),
        ("DELETE FROM texts WHERE id = 1", "game 0.0."),
        ("INSERT INTO forfeits VALUES (9, 1, 'lost')", "game 0.1.1"),
        ("DELETE FROM results WHERE id = 2 << 3 | 1", "block 0.2"),
        ("DELETE FROM results WHERE id >> 3 = 0", "block 0.0"),
        ("UPDATE ledger SET games = games + 2", "the ledger"),
        ("DELETE FROM ledger", "the ledger"),
    ];
    let folder = Folder::new("repairs");
    let (path, blocks) = finished(&folder, 100);
    let clean = std::fs::read(&path).expect("readable");
    for (sql, row) in cases {
        std::fs::write(&path, &clean).expect("writable");
        spoil(&path, sql);
        let sentence = shown(&path).expect_err(sql).to_string();
        assert!(
            sentence.contains(row) && sentence.contains("arena check"),
            "{sentence}"
        );
        let report = check(&path).expect("a pool");
        assert!(
            !report.damages.is_empty() && report.repaired == 0,
            "{report:?}"
        );
        let named = report
            .damages
            .iter()
            .any(|damage| damage.row.starts_with(row));
        assert!(named, "{sql}: {report:?}");
        repair(&path, &Grants::sealed()).expect("all games can be played again");
        assert_eq!(shown(&path).expect("repaired").1, blocks, "{sql}");
    }
}

/// Pools of format 3 had games in a table of another form.
#[test]
fn a_pool_of_the_format_before_is_read_repaired_and_goes_on() {
    let former = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../hegemon/tests/former/pool-3.db"
    );
    let folder = Folder::new("former");
    let path = folder.file("pool.db");
    let version = || {
        let connection = Connection::open(&path).expect("an SQLite file");
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))
    };
    std::fs::copy(former, &path).expect("writable");
    let (_, blocks, _) = shown(&path).expect("readable");
    assert_eq!(check(&path).expect("a pool").damages, []);
    assert_eq!(version(), Ok(3), "whoever only reads changes nothing");
    let n_games = blocks.iter().map(|block| block.block.games.len() as u64);
    let n_games = n_games.sum::<u64>() + 4;
    let params = RunParams {
        n_games,
        floor: 1,
        n_threads: 2,
        grants: Grants::sealed(),
    };
    let mut pool = Pool::open(&path).expect("a pool");
    assert_eq!(pool.run(&params, &GO, |_| ()).expect("runs"), n_games);
    drop(pool);
    let (_, after, _) = shown(&path).expect("readable");
    assert_eq!(after[..blocks.len()], blocks);
    assert_eq!(after.len(), blocks.len() + 2);
    assert_eq!(version(), Ok(4));

    std::fs::copy(former, &path).expect("writable");
    spoil(
        &path,
        "UPDATE games SET rounds = rounds + 1 WHERE block = 1",
    );
    shown(&path).expect_err("it was changed");
    repair(&path, &Grants::sealed()).expect("its games can be played again");
    let (_, again, _) = shown(&path).expect("repaired");
    for (again, before) in again.iter().zip(&blocks) {
        assert_eq!(again.block.games, before.block.games);
    }
    assert_eq!((again.len(), version()), (blocks.len(), Ok(4)));
}

/// A repair once mistook games lost at the end for games never played.
#[test]
fn games_lost_at_the_end_are_played_again() {
    let folder = Folder::new("ends");
    let (path, blocks) = finished(&folder, 100);
    let clean = std::fs::read(&path).expect("readable");
    let (wave, block) = blocks
        .last()
        .map(|b| (b.wave, b.block.number))
        .expect("not empty");
    for lost in [
        format!("wave = {wave} AND block = {block}"),
        format!("wave = {wave}"),
        "wave > 0 OR block > 1".to_owned(),
        "1".to_owned(),
    ] {
        std::fs::write(&path, &clean).expect("writable");
        let lost_ids = format!("SELECT id FROM games WHERE {lost}");
        spoil(
            &path,
            &format!("DELETE FROM results WHERE id IN ({lost_ids})"),
        );
        assert!(shown(&path).is_err(), "the end was cut off: {lost}");
        repair(&path, &Grants::sealed()).expect("all games can be played again");
        assert_eq!(shown(&path).expect("repaired").1, blocks, "{lost}");
    }
}

/// Two commands once gave the same number to two bots, and one was lost.
#[test]
fn bots_added_at_once_and_during_a_run_are_all_there() {
    let folder = Folder::new("adding");
    let (path, _) = finished(&folder, 20);
    // The run knows the bots from before: games of the new ones would take hours.
    let is_running = &AtomicBool::new(false);
    let add = |n: usize| {
        while !is_running.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        for m in 0..5 {
            // Quick ones: if they are all there before the run begins, it plays them.
            let spec = format!("beam(style={})", 100 * n + m + 1);
            let spec = spec.parse().expect("sound");
            let mut pool = Pool::open(&path).expect("a pool");
            assert_eq!(pool.add(&[spec], &Grants::sealed()).expect("added"), 1);
        }
    };
    std::thread::scope(|scope| {
        for n in 0..8 {
            scope.spawn(move || add(n));
        }
        let mut pool = Pool::open(&path).expect("a pool");
        let params = RunParams {
            n_games: 200,
            floor: 2,
            n_threads: 1,
            grants: Grants::sealed(),
        };
        let run = pool.run(&params, &GO, |_| is_running.store(true, Ordering::Relaxed));
        // Also if it failed, so that the others end.
        is_running.store(true, Ordering::Relaxed);
        run.expect("adding disturbs no run");
    });
    assert_eq!(shown(&path).expect("sound").0.len(), 3 + 8 * 5);
}

/// Games and the ledger that counts them were read at two moments, and a pool that was
/// being played seemed damaged.
#[test]
fn who_reads_while_games_are_played_finds_them_sound() {
    // A look reads all that was played so far: those at a pool that has grown by little tell no more.
    const N_LOOKS: usize = 30;
    let folder = Folder::new("reading");
    let (path, _) = finished(&folder, 20);
    let is_enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut pool = Pool::open(&path).expect("a pool");
            let params = RunParams {
                n_games: 20_000,
                floor: 2,
                n_threads: 1,
                grants: Grants::sealed(),
            };
            pool.run(&params, &is_enough, |_| ()).expect("runs");
        });
        let mut sizes = BTreeSet::new();
        while sizes.len() < N_LOOKS && !run.is_finished() {
            let blocks = Pool::open(&path).expect("a pool").blocks().expect("sound");
            sizes.insert(blocks.len());
            assert_eq!(check(&path).expect("readable").damages, []);
        }
        is_enough.store(true, Ordering::Relaxed);
    });
}

#[test]
fn what_nothing_else_tells_cannot_be_repaired() {
    let folder = Folder::new("beyond");
    let (path, _) = finished(&folder, 20);
    let clean = std::fs::read(&path).expect("readable");
    for sql in [
        "UPDATE bots SET spec = 'quo' WHERE id = 2",
        "DELETE FROM bots WHERE id = 1",
        "UPDATE waves SET lineups = '[[0,99]]' WHERE wave = 0",
        "UPDATE pool SET settings = replace(settings, '5', '6')",
        "CREATE TABLE more AS SELECT * FROM bots",
    ] {
        std::fs::write(&path, &clean).expect("writable");
        let connection = Connection::open(&path).expect("an SQLite file");
        connection.execute_batch(sql).expect("sound SQL");
        drop(connection);
        shown(&path).expect_err(sql);
        assert!(!check(&path).expect(sql).damages.is_empty(), "{sql}");
        repair(&path, &Grants::sealed()).expect_err(sql);
    }
}

#[test]
fn a_foreign_file_is_refused_and_stays_as_it_is() {
    let folder = Folder::new("foreign");
    let path = folder.file("other.db");
    let other = Connection::open(&path).expect("writable");
    other
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE pool (format, settings);")
        .expect("sound SQL");
    other
        .execute("INSERT INTO pool VALUES (1, '{}')", [])
        .expect("sound SQL");
    // As left by a killed owner: with a log that is not checkpointed.
    let log = std::fs::read(folder.file("other.db-wal")).expect("a log");
    let bytes = std::fs::read(&path).expect("readable");
    let victim = folder.file("victim.db");
    std::fs::write(&victim, &bytes).expect("writable");
    std::fs::write(folder.file("victim.db-wal"), &log).expect("writable");
    for _ in 0..2 {
        let error = Pool::open_or_create(&victim, &settings("sampling", 2)).expect_err("foreign");
        assert!(matches!(error, PoolError::NotAPool(_)), "{error}");
        repair(&victim, &Grants::sealed()).expect_err("foreign");
    }
    assert_eq!(std::fs::read(&victim).expect("there"), bytes);
    assert_eq!(
        std::fs::read(folder.file("victim.db-wal")).expect("there"),
        log
    );
    assert!(!folder.file("victim.db-shm").exists());
}

#[test]
fn an_empty_file_becomes_a_pool() {
    let folder = Folder::new("empty");
    let path = folder.file("pool.db");
    std::fs::write(&path, "").expect("writable");
    assert!(matches!(Pool::open(&path), Err(PoolError::Empty(_))));
    Pool::open_or_create(&path, &settings("sampling", 2)).expect("made");
    Pool::open(&path).expect("there now");
    let left: Vec<_> = std::fs::read_dir(&folder.0)
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name())
        .filter(|name| !name.to_string_lossy().starts_with("pool.db"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn shares_by_seat_are_one_query() {
    let folder = Folder::new("query");
    let (path, blocks) = finished(&folder, 60);
    let connection = Connection::open(&path).expect("an SQLite file");
    let rows: Vec<(String, i64, f64, i64)> = connection
        .prepare("SELECT bot, seat, avg(score), count(*) FROM seats GROUP BY bot, seat")
        .and_then(|mut query| {
            query
                .query_map([], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })?
                .collect()
        })
        .expect("the view is there");
    let n_games: usize = blocks.iter().map(|block| block.block.games.len()).sum();
    let n_seats: i64 = rows.iter().map(|row| row.3).sum();
    assert_eq!(n_seats, 2 * n_games as i64);
    let total: f64 = rows.iter().map(|row| row.2 * row.3 as f64).sum();
    assert!((total - n_games as f64).abs() < 1e-6);
    assert!(
        rows.iter()
            .any(|row| row.0 == "baseline" && row.1 == 2 && row.2 > 0.5)
    );
}
