//! Duels of the quickest bots without cards need no memory of their own: neither the loop, nor a
//! match of them, whatever its length. Threads would contend for it. Games with cards still allocate,
//! but keep nothing.
#![allow(
    unsafe_code,
    reason = "an allocator can only be counted by an allocator, whose trait is unsafe"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use hegemon_arena::{GameSetup, Match, play_game};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Map, Rng, Rules};

/// The system allocator, counting the allocations of all threads and what they hold.
struct Counting;

static N_ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        HELD.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn n_allocations(work: impl FnOnce()) -> u64 {
    let before = N_ALLOCATIONS.load(Ordering::Relaxed);
    work();
    N_ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// The bytes that stay after some work.
fn kept(work: impl FnOnce()) -> i64 {
    let before = HELD.load(Ordering::Relaxed);
    work();
    HELD.load(Ordering::Relaxed) - before
}

fn game(rules: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    let rules = Rules::preset(rules).expect("shipped");
    Game::new(map, rules, n_players).expect("they fit")
}

fn duel() -> Arc<Game> {
    game("sampling", 2)
}

fn specs() -> Vec<Spec> {
    ["baseline", "simulation"].map(Spec::plain).to_vec()
}

fn match_of(game: &Arc<Game>, specs: Vec<Spec>, n_games: u64) -> u64 {
    let games = Match {
        game: Arc::clone(game),
        specs,
        n_games,
        seed: 1,
        n_threads: 1,
        grants: Grants::sealed(),
        records: None,
    };
    let report = games.run(&AtomicBool::new(false), |_| ());
    report.expect("sound specs").games
}

/// One test for all, since it counts the allocations of all threads.
#[test]
fn short_games_allocate_nothing_and_others_keep_nothing() {
    short_games_allocate_nothing();
    long_games_keep_nothing();
}

/// The tables of whole battles are kept for good, up to 96 armies a side. Nothing else may grow
/// with the number of games.
fn long_games_keep_nothing() {
    let game = game("draft", 3);
    let specs = ["killbot", "quo", "boscoe"].map(Spec::plain).to_vec();
    let mut rng = Rng::from_seed(1);
    for fighters in 1..100 {
        for defenders in 1..100 {
            game.battles().sample(fighters, defenders, &mut rng);
            // The luck of a match asks for the outcomes too.
            game.battles().outcomes(fighters, defenders);
        }
    }
    let play = |n_games| assert_eq!(match_of(&game, specs.clone(), n_games), n_games);
    play(30);
    assert_eq!(kept(|| drop(std::hint::black_box(Box::new(1)))), 0);
    assert_eq!(kept(|| play(300)), 0);
}

fn short_games_allocate_nothing() {
    assert_eq!(n_allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    let (game, specs, grants) = (duel(), specs(), Grants::sealed());
    let specs: Vec<&Spec> = specs.iter().collect();
    let play = |seeds: std::ops::Range<u64>| {
        for seed in seeds {
            let setup = GameSetup {
                game: &game,
                specs: &specs,
                deal_seed: seed,
                seed,
                grants: &grants,
                start: None,
                deal: None,
            };
            play_game(&setup, &mut ()).expect("sound specs");
        }
    };
    // The first game fills tables.
    play(0..1);
    assert_eq!(n_allocations(|| play(1..50)), 0);

    // A match allocates what it needs before its first game and after its last.
    let played = |n_games| match_of(&duel(), self::specs(), n_games);
    let of = |n_games| n_allocations(|| assert_eq!(played(n_games), n_games));
    of(12);
    assert_eq!(of(1200), of(240));
}
