//! The arena's hot loops, each alone: for profilers, and for the instruction
//! counts of `cargo xtask instructions`. A unit is 1,000 or 10,000 games of
//! `baseline` against `simulation`, on one thread.
//!
//! `arena_loops NAME N` runs N units of the loop after a short warm-up, and
//! prints a number that depends on all of them.
#![allow(clippy::print_stdout, reason = "an example talks to who runs it")]

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::pool::{Pool, PoolSettings, RunParams};
use hegemon_arena::{GameSetup, Match, play_game};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Map, Rules};

/// Plays games with a seed; the result depends on them.
type Unit = Box<dyn FnMut(u64) -> u64>;

/// Prepares a loop.
type Prepare = fn() -> Unit;

const GAMES: u64 = 1000;
/// A pool also has to be made.
const POOL_GAMES: u64 = 10_000;

/// The loops by name.
const LOOPS: [(&str, Prepare); 3] = [
    ("arena_1000_games", arena_games),
    ("match_1000_games", match_games),
    ("pool_10000_games", pool_games),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let asked = match args.as_slice() {
        [name, n] => LOOPS
            .iter()
            .find(|(known, _)| known == name)
            .zip(n.parse().ok()),
        _ => None,
    };
    let Some(((_, prepare), n)) = asked else {
        println!("usage: arena_loops NAME N, where NAME is one of:");
        LOOPS.iter().for_each(|(name, _)| println!("  {name}"));
        return ExitCode::FAILURE;
    };
    let mut unit = prepare();
    unit(0);
    println!("{}", measured(&mut unit, n));
    ExitCode::SUCCESS
}

/// The measured part.
#[inline(never)]
fn measured(unit: &mut Unit, n: u64) -> u64 {
    (1..=n).fold(0, |sum: u64, seed| sum.wrapping_add(unit(seed)))
}

fn players() -> Vec<Spec> {
    ["baseline", "simulation"].map(Spec::plain).to_vec()
}

fn game() -> Arc<Game> {
    let map = Map::builtin("classic").expect("the map ships with the program");
    let rules = Rules::preset("sampling").expect("the preset ships with the program");
    Game::new(map, rules, 2).expect("they fit together")
}

/// The loop alone: no block, no observer.
fn arena_games() -> Unit {
    let (game, players, grants) = (game(), players(), Grants::sealed());
    Box::new(move |seed| {
        let specs = [&players[0], &players[1]];
        let mut sum: u64 = 0;
        for seed in seed * GAMES..(seed + 1) * GAMES {
            let setup = GameSetup {
                game: &game,
                specs: &specs,
                deal_seed: seed,
                seed,
                grants: &grants,
                start: None,
            };
            let played = play_game(&setup, &mut ()).expect("sound specs");
            sum = sum.wrapping_add(played.hash);
        }
        sum
    })
}

/// As `hegemon match` plays them.
fn match_games() -> Unit {
    let game = game();
    Box::new(move |seed| {
        let games = Match {
            game: Arc::clone(&game),
            specs: players(),
            n_games: GAMES,
            seed,
            n_threads: 1,
            grants: Grants::sealed(),
            records: None,
        };
        let report = games.run(&AtomicBool::new(false), |_| {});
        report.expect("sound specs").players[0].wins.to_bits()
    })
}

/// As `hegemon arena` plays and stores them, in a new pool for every unit.
fn pool_games() -> Unit {
    let game = game();
    let file = std::env::temp_dir().join(format!("arena-loops-{}.db", std::process::id()));
    Box::new(move |seed| {
        let settings = PoolSettings {
            map: game.map().spec().clone(),
            rules: game.rules().clone(),
            n_players: 2,
            seed,
        };
        let mut pool = Pool::open_or_create(&file, &settings).expect("a new pool");
        let params = RunParams {
            n_games: POOL_GAMES,
            floor: 1,
            n_threads: 1,
            grants: Grants::sealed(),
        };
        pool.add(&players(), &params.grants).expect("sound specs");
        let n_games = pool.run(&params, &AtomicBool::new(false), |_| ());
        drop(pool);
        std::fs::remove_file(&file).expect("the pool is closed");
        n_games.expect("it plays")
    })
}
