//! Data sets are the same on any number of threads and read back as written.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use hegemon_arena::Match;
use hegemon_bots::Grants;
use hegemon_core::{Game, Map, Rules};

use super::*;

fn games(n_games: u64, n_threads: usize) -> Match {
    let map = Map::builtin("classic").expect("shipped");
    let game = Game::new(map, Rules::preset("lux").expect("shipped"), 4).expect("a game");
    let specs = ["killbot", "quo", "evil-pixie", "boscoe"];
    Match {
        game,
        specs: specs.iter().map(|s| s.parse().expect("a spec")).collect(),
        n_games,
        seed: 3,
        n_threads,
        grants: Grants::sealed(),
        records: None,
    }
}

fn rows(n_games: u64, n_threads: usize) -> Vec<Row> {
    let mut all = Vec::new();
    let games = games(n_games, n_threads);
    play_rows(&games, &AtomicBool::new(false), |rows| {
        all.extend(rows);
        Ok(())
    })
    .expect("games are played");
    all
}

fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("hegemon-dataset-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder.join(name)
}

/// A file of each format.
#[cfg(feature = "parquet")]
const FILES: [&str; 2] = ["rows.csv", "rows.parquet"];
#[cfg(not(feature = "parquet"))]
const FILES: [&str; 1] = ["rows.csv"];

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    assert_eq!(rows(8, 1), rows(8, 3));
}

#[test]
fn a_file_gives_back_the_rows_that_were_written() {
    let rows = rows(8, 2);
    for name in FILES {
        let path = temporary(name);
        let mut writer = RowWriter::create(&path, 4, &[]).expect("a new file");
        for row in &rows {
            writer.write(row.clone()).expect("written");
        }
        writer.finish().expect("completed");
        let read: Result<Vec<Row>, _> = RowReader::open(&path).expect("a data set").collect();
        assert_eq!(read.expect("rows"), rows, "{name}");
        std::fs::remove_file(&path).expect("removed");
    }
}

fn read_all(path: &std::path::Path) -> Result<Vec<Row>, DatasetError> {
    RowReader::open(path)?.collect()
}

/// About how many bits are flipped, one at a time.
const MAX_FLIPS: usize = 2000;

/// A flipped bit once changed numbers of a report silently.
#[test]
fn a_damaged_data_set_is_refused() {
    let mut rows = rows(4, 1);
    rows.truncate(3);
    for name in FILES {
        let path = temporary(&format!("damaged-{name}"));
        let mut writer = RowWriter::create(&path, 4, &[]).expect("a new file");
        for row in &rows {
            writer.write(row.clone()).expect("written");
        }
        assert!(!path.exists(), "it has its name when it is complete");
        writer.finish().expect("completed");
        let bytes = std::fs::read(&path).expect("there");
        let mut n_refused = 0;
        // One bit of every byte, each time another one. In a large file it is every step-th byte:
        // a file of Parquet is slow to open, and all of its bytes took minutes. The test is as
        // strong: the step is odd, hence coprime with 8, so that all eight bits come up, and
        // every column and the footer are many steps long.
        let step = (bytes.len() / MAX_FLIPS) | 1;
        let bits: Vec<usize> = (0..bytes.len())
            .step_by(step)
            .map(|byte| 8 * byte + byte % 8)
            .collect();
        let n_flips = bits.len();
        for bit in bits {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, flipped).expect("writable");
            match read_all(&path) {
                Ok(found) => assert_eq!(found, rows, "{name}, bit {bit}"),
                Err(error) => {
                    n_refused += 1;
                    assert!(!error.to_string().contains('\n'), "{error}");
                }
            }
        }
        assert!(n_refused > n_flips / 2, "{n_refused} of {n_flips}");
        std::fs::remove_file(&path).expect("removed");
    }
}

#[test]
fn rows_lost_doubled_or_moved_are_refused() {
    let rows = rows(4, 1);
    let path = temporary("lines.csv");
    let mut writer = RowWriter::create(&path, 4, &[]).expect("a new file");
    for row in &rows {
        writer.write(row.clone()).expect("written");
    }
    writer.finish().expect("completed");
    let text = std::fs::read_to_string(&path).expect("there");
    let lines: Vec<&str> = text.lines().collect();
    let n = lines.len();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat();
    let mut moved = lines.clone();
    moved.swap(2, 3);
    let cases = [
        (without(1), "row 1 is damaged"),
        (without(n - 1), "it was cut off after"),
        (lines[..1].to_vec(), "it was cut off after 0 rows"),
        ([&lines[..3], &lines[2..]].concat(), "row 3 is damaged"),
        ([&lines[..], &lines[n - 1..]].concat(), "is damaged"),
        (moved, "row 2 is damaged"),
    ];
    for (spoilt, words) in cases {
        std::fs::write(&path, spoilt.join("\n") + "\n").expect("writable");
        let error = read_all(&path).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
    // Files from before there were checksums are still read.
    let old = lines
        .iter()
        .map(|line| line.rsplit_once(',').expect("columns").0);
    let old: Vec<&str> = old.collect();
    std::fs::write(&path, old.join("\n") + "\n").expect("writable");
    assert_eq!(read_all(&path).expect("rows"), rows);
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn every_turn_has_its_phases_and_every_game_one_winner() {
    let rows = rows(4, 1);
    assert!(rows.iter().all(|row| row.scores.iter().sum::<f64>() == 1.0));
    for row in &rows {
        let n: u32 = row.after.iter().map(|o| o.territories).sum();
        assert_eq!(n, 42, "all territories are somebody's");
        assert!(!row.moves.is_empty());
    }
    // A phase begins where the one before it ended, except for hidden
    // information.
    for pair in rows.windows(2).filter(|pair| pair[0].game == pair[1].game) {
        let (before, after) = (&pair[1], &pair[0]);
        if before.seat == after.seat {
            assert_eq!(after.after, before.before);
        }
    }
    let place = rows.iter().find(|row| row.phase == TurnPhase::Place);
    let place = place.expect("somebody places");
    assert!(place.after[0].armies > place.before[0].armies);
    let last = rows.last().expect("rows");
    assert_eq!(last.after[0].territories, 42, "the winner moved last");
}

#[test]
fn a_record_gives_the_rows_of_its_game() {
    let Match { game, specs, .. } = games(4, 1);
    let setup = hegemon_arena::GameSetup {
        game: &game,
        specs: &specs.iter().collect::<Vec<_>>(),
        deal_seed: 5,
        seed: 6,
        grants: &Grants::sealed(),
        start: None,
        deal: None,
    };
    let path = temporary("game.hgr");
    let mut collector = RowCollector::new();
    let played = hegemon_arena::play_recorded(&setup, &path, &mut collector).expect("played");
    let text = std::fs::read_to_string(&path).expect("a record");
    let record = hegemon_record::GameRecord::parse(&text).expect("a record");
    let rows = rows_of_record(0, &record).expect("it replays");
    assert_eq!(rows[0].seed, 6);
    assert_eq!(rows[0].deal_seed, 5);
    assert_eq!(rows[0].rounds, played.rounds);
    let header = hegemon_arena::header_of(&setup);
    assert_eq!(collector.rows(0, &header, &played), rows);
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn more_armies_go_with_winning() {
    let rows = rows(40, 2);
    let report = correlations(|| Ok(rows.iter().cloned().map(Ok))).expect("in memory");
    let cell = |feature: &str| {
        let found = report
            .cells
            .iter()
            .find(|cell| cell.phase == "attack" && cell.rounds == "all" && cell.feature == feature);
        found.expect("a feature").clone()
    };
    let armies = cell("own_armies");
    let [low, high] = armies.ci95.expect("not constant");
    assert!(low > 0.0 && high < 1.0, "{armies:?}");
    assert!(cell("rival_armies").r.expect("not constant") < armies.r.expect("not constant"));
    assert_eq!(report.n_games, 40);
    let svg = correlation_plot(&report);
    assert!(svg.contains("own_armies") && svg.ends_with("</svg>\n"));
}

#[test]
fn a_fitted_win_share_model_knows_more_than_equal_shares() {
    let rows = rows(80, 2);
    let fit = fit_win_share(rows.into_iter().map(Ok), TurnPhase::Attack, 1.0).expect("enough");
    assert!(fit.held_out_loss < fit.even_loss, "{fit:?}");
    let again = hegemon_eval::WinShareWeights::from_toml(&fit.weights_file().to_toml());
    assert_eq!(again.expect("a weights file").vector(), fit.weights);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_the_way_out_is_said() {
    let path = std::path::Path::new("rows.parquet");
    let writer = RowWriter::create(path, 2, &[]).err().expect("refused");
    let reader = RowReader::open(path).err().expect("refused");
    for error in [writer, reader] {
        let message = error.to_string();
        assert!(message.contains("--features parquet"), "{message}");
        assert!(message.contains(".csv"), "{message}");
    }
    assert!(!path.exists());
}
