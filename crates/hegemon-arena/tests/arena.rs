//! The arena as a whole: matches, pools, sequential tests, records.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hegemon_arena::pool::{Pool, PoolError, PoolSettings, RunParams, StoredBlock};
use hegemon_arena::sprt::{Sprt, SprtParams};
use hegemon_arena::{
    Adjust, GameSetup, Match, Seeds, SharedDeal, SprtRun, Verdict, game_seed, play, play_game,
    play_to_text, seat_seed,
};
use hegemon_bots::{Grants, Seating, Spec, build};
use hegemon_core::rules::Victory;
use hegemon_core::{Game, Map, PlayerId, Rules};
use hegemon_record::{GameRecord, RecordFault};

fn game(rules: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    Game::new(map, Rules::preset(rules).expect("shipped"), n_players).expect("a game")
}

fn specs(texts: &[&str]) -> Vec<Spec> {
    texts
        .iter()
        .map(|text| text.parse().expect("well formed"))
        .collect()
}

fn bot_match(texts: &[&str], rules: &str, n_games: u64, n_threads: usize) -> Match {
    Match {
        game: game(rules, texts.len()),
        specs: specs(texts),
        n_games,
        seed: 1,
        n_threads,
        grants: Grants::sealed(),
        records: None,
    }
}

fn run_to_json(bot_match: &Match) -> String {
    let report = bot_match
        .run(&AtomicBool::new(false), |_| ())
        .expect("the specs are sound");
    serde_json::to_string(&report).expect("plain data")
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    for (texts, rules) in [
        (&["baseline", "simulation"][..], "sampling"),
        (&["baseline", "simulation", "baseline"], "lux"),
        (
            &["baseline", "simulation", "baseline", "simulation"],
            "beam",
        ),
    ] {
        let one = run_to_json(&bot_match(texts, rules, 48, 1));
        assert_eq!(one, run_to_json(&bot_match(texts, rules, 48, 2)), "{rules}");
        assert_eq!(one, run_to_json(&bot_match(texts, rules, 48, 5)), "{rules}");
    }
}

#[test]
fn baseline_beats_simulation_as_in_the_paper() {
    let bot_match = bot_match(&["baseline", "simulation"], "sampling", 2_000, 2);
    let report = bot_match
        .run(&AtomicBool::new(false), |_| ())
        .expect("sound");
    let [low, high] = report.players[0].ci95;
    assert!(low > 0.95 && high < 0.99, "{low} {high}");
    assert_eq!(report.games, 2_000);
    assert_eq!(report.endings.values().sum::<u64>(), 2_000);
}

/// Between equals the true share is one half: the adjusted estimates of many
/// matches must scatter around it, closer than the plain ones.
#[test]
fn the_adjusted_share_is_unbiased_and_sharper() {
    let estimates: Vec<(f64, f64)> = (0..60)
        .map(|seed| {
            let bot_match = Match {
                seed,
                ..bot_match(&["baseline", "baseline"], "sampling", 200, 2)
            };
            let report = bot_match
                .run(&AtomicBool::new(false), |_| ())
                .expect("sound");
            let first = &report.players[0];
            (
                first.share - 0.5,
                first.adjusted_share.expect("enough blocks") - 0.5,
            )
        })
        .collect();
    let n = estimates.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| estimates.iter().map(f).sum::<f64>() / n;
    let (plain_mean, adjusted_mean) = (mean(|e| e.0), mean(|e| e.1));
    let (plain_square, adjusted_square) = (mean(|e| e.0 * e.0), mean(|e| e.1 * e.1));
    let standard_error = (adjusted_square / n).sqrt();
    assert!(
        adjusted_mean.abs() < 3.0 * standard_error,
        "{adjusted_mean} +- {standard_error}"
    );
    assert!(plain_mean.abs() < 3.0 * (plain_square / n).sqrt());
    assert!(
        adjusted_square < plain_square,
        "{adjusted_square} {plain_square}"
    );
}

#[test]
fn records_replay_to_the_same_hash() {
    for (rules, texts) in [
        ("sampling", &["baseline", "simulation"][..]),
        ("classic", &["baseline", "simulation"]),
        ("lux", &["baseline", "simulation", "random"]),
        ("draft", &["baseline", "simulation", "baseline"]),
        ("beam", &["baseline", "simulation", "baseline", "random"]),
    ] {
        let game = game(rules, texts.len());
        let specs = specs(texts);
        let specs: Vec<&Spec> = specs.iter().collect();
        let setup = GameSetup {
            game: &game,
            specs: &specs,
            deal_seed: 3,
            seed: 9,
            grants: &Grants::sealed(),
            start: None,
            deal: None,
        };
        let (played, text) = play_to_text(&setup).expect("sound");
        assert_eq!(played, play_game(&setup, &mut ()).expect("sound"));
        let record = GameRecord::parse(&text).expect("just written");
        let state = record.verify().expect("replays");
        assert_eq!(state.hash64(), played.hash);
        check_damaged_records(&text);
    }
}

fn check_damaged_records(text: &str) {
    let fault = |text: &str| match GameRecord::parse(text) {
        Err(error) => Some(error.fault),
        Ok(record) => record.verify().err().map(|error| error.fault),
    };
    let n_lines = text.lines().count();
    let cut: Vec<&str> = text.lines().take(n_lines - 1).collect();
    assert_eq!(fault(&cut.join("\n")), Some(RecordFault::Truncated));
    let future = text.replacen("hegemon-record 3", "hegemon-record 99", 1);
    assert_eq!(
        fault(&future),
        Some(RecordFault::FutureVersion {
            found: 99,
            known: 3
        })
    );
    assert_eq!(fault("something else"), Some(RecordFault::NotARecord));
    let missing: Vec<&str> = text
        .lines()
        .enumerate()
        .filter(|(n, _)| *n != n_lines / 2)
        .map(|(_, line)| line)
        .collect();
    assert_eq!(fault(&missing.join("\n")), Some(RecordFault::Damaged));
    let garbage = text.replacen("\nend ", "\nzzz\nend ", 1);
    assert_eq!(fault(&garbage), Some(RecordFault::Damaged));
    let after = format!("{text}p1x1\n");
    assert_eq!(fault(&after), Some(RecordFault::AfterEnd));
}

/// A path that no other test uses; the file is removed at the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str) -> TemporaryFile {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let file = format!("hegemon-{name}-{}-{number}.db", std::process::id());
        TemporaryFile(std::env::temp_dir().join(file))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", self.0.display()));
        }
    }
}

fn pool(file: &TemporaryFile, rules: &str, n_players: usize, texts: &[&str]) -> Pool {
    let game = game(rules, n_players);
    let settings = PoolSettings {
        map: game.map().spec().clone(),
        rules: game.rules().clone(),
        n_players,
        seed: 5,
    };
    let mut pool = Pool::open_or_create(&file.0, &settings).expect("a new file");
    pool.add(&specs(texts), &Grants::sealed())
        .expect("sound specs");
    pool
}

static GO: AtomicBool = AtomicBool::new(false);

fn params(n_games: u64, n_threads: usize) -> RunParams {
    RunParams {
        n_games,
        floor: 2,
        n_threads,
        grants: Grants::sealed(),
    }
}

fn finished_pool(n_threads: usize, n_players: usize, rules: &str) -> Vec<StoredBlock> {
    let file = TemporaryFile::new("whole");
    let texts = ["baseline", "simulation", "baseline", "random", "simulation"];
    // Repeated specs are one bot of the pool.
    let mut pool = pool(&file, rules, n_players, &texts);
    pool.run(&params(150, n_threads), &GO, |_| ())
        .expect("runs");
    pool.blocks().expect("readable")
}

#[test]
fn a_pool_does_not_depend_on_threads() {
    let blocks = finished_pool(1, 2, "sampling");
    assert_eq!(
        blocks
            .iter()
            .map(|block| block.block.games.len())
            .sum::<usize>(),
        150
    );
    assert_eq!(blocks, finished_pool(3, 2, "sampling"));
    assert_eq!(finished_pool(1, 3, "lux"), finished_pool(2, 3, "lux"));
}

#[test]
fn an_interrupted_pool_equals_an_uninterrupted_one() {
    let whole = finished_pool(1, 2, "sampling");
    let file = TemporaryFile::new("parts");
    let mut pool = pool(&file, "sampling", 2, &["baseline", "simulation", "random"]);
    let mut n_stops = 0;
    loop {
        // Stops as soon as anything was stored, repeatedly.
        let stop = AtomicBool::new(false);
        let games = pool
            .run(&params(150, 2), &stop, |_| {
                stop.store(true, Ordering::Relaxed);
            })
            .expect("runs");
        n_stops += 1;
        if games >= 150 {
            break;
        }
    }
    assert!(n_stops > 1, "the run was never interrupted");
    assert_eq!(pool.blocks().expect("readable"), whole);
}

#[test]
fn a_pool_refuses_what_it_cannot_do() {
    let file = TemporaryFile::new("refusals");
    let mut first = pool(&file, "sampling", 2, &["baseline"]);
    let error = first.run(&params(10, 1), &GO, |_| ()).expect_err("one bot");
    assert!(
        matches!(
            error,
            PoolError::TooFewBots {
                n_players: 2,
                n_bots: 1
            }
        ),
        "{error}"
    );
    assert!(matches!(
        first.add(&specs(&["nobody"]), &Grants::sealed()),
        Err(PoolError::Spec(_))
    ));
    let mut other = first.settings().clone();
    other.seed += 1;
    let error = Pool::open_or_create(&file.0, &other).expect_err("another seed");
    assert!(matches!(error, PoolError::OtherSettings("seed")), "{error}");
    let missing = TemporaryFile::new("missing");
    assert!(matches!(Pool::open(&missing.0), Err(PoolError::Missing(_))));
    let foreign = TemporaryFile::new("foreign");
    std::fs::write(&foreign.0, "not a database").expect("writable");
    assert!(matches!(
        Pool::open(&foreign.0),
        Err(PoolError::NotAPool(_))
    ));
}

#[test]
fn two_runs_on_one_pool_are_refused() {
    let file = TemporaryFile::new("busy");
    let mut first = pool(&file, "sampling", 2, &["baseline", "simulation"]);
    let mut second = Pool::open(&file.0).expect("there");
    let mut refused = None;
    first
        .run(&params(64, 1), &GO, |_| {
            refused.get_or_insert_with(|| second.run(&params(64, 1), &GO, |_| ()).err());
        })
        .expect("runs");
    assert!(matches!(refused.flatten(), Some(PoolError::Busy(_))));
}

#[test]
fn the_standing_adds_up() {
    let file = TemporaryFile::new("standing");
    let mut pool = pool(&file, "sampling", 2, &["simulation", "baseline"]);
    pool.run(&params(200, 2), &GO, |_| ()).expect("runs");
    let standing = pool.standing().expect("readable");
    assert_eq!(standing.rows[0].spec, "baseline");
    assert_eq!(standing.games, 200);
    assert!(standing.rows[0].elo_ci95[0] > standing.rows[1].elo_ci95[1]);
    assert!((standing.rows.iter().map(|row| row.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(standing.p_values[0][1] < 0.01 && standing.superiority[0][1] > 0.99);
    let cell = standing.cross[0][1];
    assert_eq!(cell.games, 200);
}

/// The same for luck in win chance, between equals; `hegemon match --adjust value` does it
/// at any scale.
#[test]
fn the_share_adjusted_by_value_is_unbiased_and_sharper() {
    for (texts, rules) in [
        (&["baseline", "baseline"][..], "sampling"),
        (&["killbot", "killbot"], "lux"),
    ] {
        let bot_match = bot_match(texts, rules, 160, 2);
        let run = |adjust| {
            let stop = AtomicBool::new(false);
            let report = bot_match.run_adjusted(adjust, &stop, |_| ());
            report.expect("sound")
        };
        let (by_value, by_dice) = (run(Adjust::Value), run(Adjust::Dice));
        let first = &by_value.players[0];
        assert_eq!(
            first.share, by_dice.players[0].share,
            "watching changes nothing"
        );
        let [low, high] = first.adjusted_ci95.expect("enough blocks");
        let middle = first.adjusted_share.expect("enough blocks");
        // Twice as wide, so that one run in ten thousand fails by chance; the seed is fixed.
        assert!((middle - 0.5).abs() < high - low, "{rules}: {low} {high}");
        let factor = by_value.adjustment_factor.expect("enough blocks");
        assert!(factor > 1.5, "{rules}: {factor}");
    }
}

#[test]
fn an_adjusted_test_needs_fewer_games_and_is_right() {
    let run = SprtRun {
        max_games: 400,
        ..sprt_run("angry", "killbot", "lux", &[])
    };
    let stop = AtomicBool::new(false);
    let plain = run.run(&stop, |_| ()).expect("sound");
    let adjusted = run.run_adjusted(true, &stop, |_| ()).expect("sound");
    assert_eq!(adjusted.verdict(), Verdict::ABetter);
    assert!(
        adjusted.games <= plain.games,
        "{} {}",
        adjusted.games,
        plain.games
    );
}

fn sprt_run(a: &str, b: &str, rules: &str, field: &[&str]) -> SprtRun {
    let n_players = if field.is_empty() { 2 } else { field.len() + 1 };
    SprtRun {
        game: game(rules, n_players),
        a: a.parse().expect("well formed"),
        b: b.parse().expect("well formed"),
        field: specs(field),
        sprt: Sprt::new(SprtParams {
            elo1: 20.0,
            model: hegemon_arena::sprt::EloModel::Logistic,
            ..SprtParams::default()
        })
        .expect("sound"),
        max_games: 2_000,
        seed: 2,
        n_threads: 2,
        grants: Grants::sealed(),
    }
}

#[test]
fn a_duel_stops_by_itself_and_is_right() {
    let run = |test: &SprtRun| test.run(&GO, |_| ()).expect("sound");
    let better = run(&sprt_run("baseline", "simulation", "sampling", &[]));
    assert_eq!(better.verdict(), Verdict::ABetter);
    assert!(better.games < 1_000);
    let worse = run(&sprt_run("simulation", "baseline", "sampling", &[]));
    assert_eq!(worse.verdict(), Verdict::ANotBetter);
    let fielded = run(&sprt_run(
        "baseline",
        "simulation",
        "lux",
        &["simulation", "baseline"],
    ));
    assert_eq!(fielded.verdict(), Verdict::ABetter);
    assert_eq!(fielded.games % 6, 0);
}

/// The shortest games use a loop without dynamic dispatch and checks; this compares it with the
/// general one.
#[test]
fn policies_play_the_same_with_and_without_a_pointer() {
    for rules in ["sampling", "classic", "lux", "draft", "beam"] {
        let texts = ["baseline", "simulation", "baseline", "simulation"];
        let n_players = if rules == "sampling" { 2 } else { 4 };
        let n_players = if rules == "draft" { 3 } else { n_players };
        let game = game(rules, n_players);
        let specs = specs(&texts[..n_players]);
        let specs: Vec<&Spec> = specs.iter().collect();
        for seed in 0..20 {
            let setup = GameSetup {
                game: &game,
                specs: &specs,
                deal_seed: seed,
                seed: seed + 100,
                grants: &Grants::sealed(),
                start: None,
                deal: None,
            };
            let mut boxed: Vec<_> = (0..n_players)
                .map(|seat| {
                    let seat = PlayerId::new(seat);
                    let seed = seat_seed(setup.seed, seat);
                    let game = &game;
                    build(
                        specs[seat.index()],
                        &Seating {
                            game,
                            seat,
                            seed,
                            grants: &Grants::sealed(),
                        },
                    )
                    .expect("built in")
                })
                .collect();
            let seeds = Seeds {
                deal: seed,
                game: setup.seed,
            };
            let expected = play(game.start(), &mut boxed, seeds, &mut ());
            assert_eq!(play_game(&setup, &mut ()).expect("sound"), expected);
        }
    }
}

#[test]
fn a_bot_that_is_taken_out_plays_no_more_and_its_games_do_not_count() {
    let file = TemporaryFile::new("taken-out");
    let mut pool = pool(&file, "sampling", 2, &["random", "baseline", "simulation"]);
    pool.run(&params(24, 1), &GO, |_| ()).expect("runs");
    let before = pool.standing().expect("a standing");
    assert_eq!(before.rows.len(), 3);
    pool.remove(&specs(&["killbot"]))
        .expect_err("not in the pool");
    assert_eq!(pool.remove(&specs(&["random"])).expect("in the pool"), 1);
    assert_eq!(pool.remove(&specs(&["random"])).expect("still known"), 0);
    let shown = |pool: &Pool| -> Vec<String> {
        let standing = pool.standing().expect("a standing");
        let mut specs: Vec<_> = standing.rows.iter().map(|row| row.spec.clone()).collect();
        specs.sort();
        specs
    };
    assert_eq!(shown(&pool), ["baseline", "simulation"]);
    let mut pool = Pool::open(&file.0).expect("a pool with another table");
    let n_counted = pool.standing().expect("a standing").games;
    assert!(n_counted < before.games);
    pool.run(&params(48, 1), &GO, |_| ()).expect("runs");
    let after = pool.standing().expect("a standing");
    assert_eq!(
        after.games,
        n_counted + 24,
        "all new games are of the others"
    );
    assert_eq!(
        pool.add(&specs(&["random"]), &Grants::sealed())
            .expect("a bot"),
        1
    );
    assert_eq!(shown(&pool).len(), 3);
    assert_eq!(pool.standing().expect("a standing").games, 48);
}

#[test]
fn games_of_a_pair_are_found_and_played_again_as_they_were() {
    let file = TemporaryFile::new("again");
    let mut pool = pool(&file, "sampling", 2, &["random", "baseline", "simulation"]);
    pool.run(&params(24, 1), &GO, |_| ()).expect("runs");
    let games = pool.games_of("random", "baseline", 3).expect("a pool");
    assert!(!games.is_empty() && games.len() <= 3);
    for game in &games {
        assert!(game.players.contains(&"random".to_owned()));
        let record = pool.play_again(game.key, &Grants::sealed());
        let record = record.expect("the same game").expect("a game");
        let record = hegemon_record::GameRecord::parse(&record).expect("a record");
        record.verify().expect("sound");
        assert_eq!(record.header.players, game.players);
    }
    let mut key = games[0].key;
    key.game = 9;
    assert!(
        pool.play_again(key, &Grants::sealed())
            .expect("no fault")
            .is_none()
    );
    assert!(
        pool.games_of("random", "killbot", 3)
            .expect("a pool")
            .is_empty()
    );
}

/// Games that share a deal are those that make it for themselves, each with its own dice.
#[test]
fn a_shared_deal_is_the_deal_of_each_game() {
    /// Preset, numbers of players, and what is changed of the rules.
    type Table = (&'static str, &'static [usize], fn(&mut Rules));
    let missions = |rules: &mut Rules| rules.victory = Victory::Missions;
    let capitals = |rules: &mut Rules| {
        rules.victory = Victory::Capitals {
            hold: 2,
            extra_die: false,
        };
    };
    let tables: [Table; 7] = [
        ("sampling", &[2], |_| ()),
        ("classic", &[2, 3], |_| ()),
        ("lux", &[2, 3], |_| ()),
        ("draft", &[2, 3], |_| ()),
        ("beam", &[2, 3], |_| ()),
        ("classic", &[3], missions),
        ("lux", &[2, 3], capitals),
    ];
    let texts = ["baseline", "simulation", "simulation"];
    for (preset, numbers, change) in tables {
        for &n_players in numbers {
            let mut rules = Rules::preset(preset).expect("shipped");
            change(&mut rules);
            let map = Map::builtin("classic").expect("shipped");
            let game = Game::new(map, rules, n_players).expect("a game");
            let specs = specs(&texts[..n_players]);
            for deal_seed in 0..8 {
                let shared = SharedDeal::default();
                let mut ends = Vec::new();
                for number in 0..4 {
                    let mut order: Vec<&Spec> = specs.iter().collect();
                    order.rotate_left(number as usize % n_players);
                    let setup = GameSetup {
                        game: &game,
                        specs: &order,
                        deal_seed,
                        seed: game_seed(deal_seed, number),
                        grants: &Grants::sealed(),
                        start: None,
                        deal: Some(&shared),
                    };
                    let played = play_game(&setup, &mut ()).expect("sound");
                    let alone = GameSetup {
                        deal: None,
                        ..setup
                    };
                    assert_eq!(
                        played,
                        play_game(&alone, &mut ()).expect("sound"),
                        "{preset}"
                    );
                    ends.push(played.hash);
                }
                ends.sort_unstable();
                ends.dedup();
                assert!(ends.len() > 1, "each game has dice of its own");
            }
        }
    }
}
