//! The arena's hot loops, each alone: for profilers, and for the instruction
//! counts of `cargo xtask instructions`. A unit is 1,000 or 10,000 games of
//! `baseline` against `simulation`, on one thread.
//!
//! `arena_loops NAME N` runs N units of the loop after a short warm-up, and
//! prints a number that depends on all of them.
#![allow(clippy::print_stdout, reason = "an example talks to who runs it")]

use std::ops::Range;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::pool::{Pool, PoolSettings, RunParams};
use hegemon_arena::{GameSetup, Match, SharedDeal, game_seed, play_game, seat_seed};
use hegemon_bots::policy::{Draws, Policy};
use hegemon_bots::rules::{Baseline, Simulation};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Map, Node, PlayerId, Rng, Rules, State};

/// Plays games with a seed; the result depends on them.
type Unit = Box<dyn FnMut(u64) -> u64>;

/// Prepares a loop.
type Prepare = fn() -> Unit;

const GAMES: u64 = 1000;
/// A pool also has to be made.
const POOL_GAMES: u64 = 10_000;

/// The loops by name.
const LOOPS: [(&str, Prepare); 4] = [
    ("bare_1000_games", bare_games),
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

/// Seeds of the deals of a unit: each deal is played in both seat orders.
fn deals(unit: u64) -> Range<u64> {
    let n_deals = GAMES / 2;
    unit * n_deals..(unit + 1) * n_deals
}

/// The arena's loop alone: no observer, and nothing is counted. The rounds tell that the games are
/// those of `bare_1000_games`.
fn arena_games() -> Unit {
    let (game, players, grants) = (game(), players(), Grants::sealed());
    Box::new(move |unit| {
        let mut n_rounds = 0;
        for deal_seed in deals(unit) {
            let deal = SharedDeal::default();
            for (n, order) in (0..).zip([[0, 1], [1, 0]]) {
                let setup = GameSetup {
                    game: &game,
                    specs: &order.map(|player: usize| &players[player]),
                    deal_seed,
                    seed: game_seed(deal_seed, n),
                    grants: &grants,
                    start: None,
                    deal: Some(&deal),
                };
                let played = play_game(&setup, &mut ()).expect("sound specs");
                n_rounds += u64::from(played.rounds);
            }
        }
        n_rounds
    })
}

/// The same games in a loop written for them: no result, no hash of the last state, the streams
/// of chance at hand, and the players known to the compiler.
fn bare_games() -> Unit {
    let game = game();
    let mut streams: Vec<_> = (0..=1).map(|unit| bare_streams(unit).into_iter()).collect();
    Box::new(move |unit| {
        let streams = &mut streams[usize::try_from(unit).expect("one unit after the warm-up")];
        let mut n_rounds = 0;
        for (deal_seed, [first, second]) in streams {
            n_rounds += bare_game(game.deal(deal_seed), &game, Baseline, Simulation, first);
            n_rounds += bare_game(game.deal(deal_seed), &game, Simulation, Baseline, second);
        }
        n_rounds
    })
}

/// Of both seats, and of the dice.
type BareStreams = ([Rng; 2], Rng);

fn bare_streams(unit: u64) -> Vec<(u64, [BareStreams; 2])> {
    let of_seat = |seed, seat, label| Rng::stream(seat_seed(seed, PlayerId::new(seat)), label);
    let of_game = |seed| {
        let seats = [of_seat(seed, 0, "seat 0"), of_seat(seed, 1, "seat 1")];
        (seats, Rng::stream(seed, "dice"))
    };
    let of_deal = |deal: u64| (deal, [0, 1].map(|n| of_game(game_seed(deal, n))));
    deals(unit).map(of_deal).collect()
}

struct BareDraws<'a> {
    mover: &'a mut Rng,
    dice: &'a mut Rng,
}

impl Draws for BareDraws<'_> {
    fn mover(&mut self) -> &mut Rng {
        self.mover
    }

    fn dice(&mut self) -> &mut Rng {
        self.dice
    }
}

/// Returns the rounds.
fn bare_game(
    mut state: State,
    game: &Game,
    mut first: impl Policy,
    mut second: impl Policy,
    (mut seats, mut dice): BareStreams,
) -> u64 {
    while let Node::Decision(player) = state.node() {
        let mut draws = BareDraws {
            mover: &mut seats[player.index()],
            dice: &mut dice,
        };
        match player.index() {
            0 => first.play_on(game, &mut state, u32::MAX, &mut draws),
            _ => second.play_on(game, &mut state, u32::MAX, &mut draws),
        };
    }
    u64::from(state.round())
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
