//! Speeds: how often per second a piece of work can be done on one thread.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use cpu_time::ProcessTime;
use hegemon_arena::pool::{Pool, PoolSettings, RunParams};
use hegemon_arena::{GameSetup, play_game, seat_orders};
use hegemon_bots::policy::{Policy, playout};
use hegemon_bots::rules::{Baseline, Simulation};
use hegemon_bots::search::SearchProbe;
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Map, Node, PlayerId, Rng, Rules};

/// A speed measurement.
pub(super) struct Measurement {
    /// Plural of what is counted; figures are called `NAME_per_s`.
    pub(super) name: &'static str,
    /// What one of them is.
    pub(super) about: &'static str,
    /// Prepares the work.
    prepare: fn() -> anyhow::Result<Work>,
}

/// Does a piece of work with a seed and returns its amount.
type Work = Box<dyn FnMut(u64) -> anyhow::Result<u64>>;

/// All speeds, in the order of measurement.
pub(super) const MEASUREMENTS: [Measurement; 8] = [
    Measurement {
        name: "playouts",
        about: "dealt games of simulation v simulation, rules sampling",
        prepare: playouts,
    },
    Measurement {
        name: "bare_games",
        about: "games of baseline v simulation on the bare engine",
        prepare: bare_games,
    },
    Measurement {
        name: "games",
        about: "the same played by the arena's loop",
        prepare: games,
    },
    Measurement {
        name: "stored_games",
        about: "the same in a pool, scheduled and stored",
        prepare: stored_games,
    },
    Measurement {
        name: "mcts_iterations",
        about: "iterations of mcts(k=20) from a start, rules sampling",
        prepare: || mcts_iterations("mcts(k=20)"),
    },
    Measurement {
        name: "mcts_root_2_iterations",
        about: "the same by two threads with a tree each",
        prepare: || mcts_iterations("mcts(k=20,root-threads=2)"),
    },
    Measurement {
        name: "mcts_tree_2_iterations",
        about: "the same by two threads on one tree",
        prepare: || mcts_iterations("mcts(k=20,threads=2)"),
    },
    Measurement {
        name: "lux_games",
        about: "three of the four hard Lux bots, rules draft",
        prepare: lux_games,
    },
];

/// Amount of work and time taken.
pub(super) struct Rate {
    n: u64,
    wall: Duration,
    cpu: Duration,
}

impl Rate {
    /// By the clock.
    pub(super) fn per_s(&self) -> f64 {
        self.n as f64 / self.wall.as_secs_f64()
    }

    /// By the time that the processor spent on it.
    pub(super) fn per_cpu_s(&self) -> f64 {
        self.n as f64 / self.cpu.as_secs_f64()
    }
}

impl Measurement {
    /// Works for this long, after a tenth of it to warm up.
    pub(super) fn rate(&self, seconds: f64) -> anyhow::Result<Rate> {
        let mut work = (self.prepare)()?;
        work_for(&mut work, seconds / 10.0)?;
        work_for(&mut work, seconds)
    }
}

fn work_for(work: &mut Work, seconds: f64) -> anyhow::Result<Rate> {
    let duration = Duration::from_secs_f64(seconds);
    let (clock, cpu) = (Instant::now(), ProcessTime::now());
    let (mut n, mut seed) = (0, 0);
    while n == 0 || clock.elapsed() < duration {
        n += work(seed)?;
        seed += 1;
    }
    Ok(Rate {
        n,
        wall: clock.elapsed(),
        cpu: cpu.elapsed(),
    })
}

fn game(map: &str, rules: &str, n_players: usize) -> anyhow::Result<Arc<Game>> {
    let map = Map::builtin(map).context("the map ships with the program")?;
    let rules = Rules::preset(rules).context("the preset ships with the program")?;
    Ok(Game::new(map, rules, n_players)?)
}

pub(super) fn sampling() -> anyhow::Result<Arc<Game>> {
    game("classic", "sampling", 2)
}

fn playouts() -> anyhow::Result<Work> {
    let game = sampling()?;
    let mut rng = Rng::from_seed(1);
    Ok(Box::new(move |seed| {
        playout(&mut game.deal(seed), &mut Simulation, &mut rng, u32::MAX);
        Ok(1)
    }))
}

/// A hand-written loop for these two bots alone.
fn bare_games() -> anyhow::Result<Work> {
    let game = sampling()?;
    let mut rng = Rng::from_seed(1);
    Ok(Box::new(move |seed| {
        let mut state = game.deal(seed);
        loop {
            match state.node() {
                Node::Decision(player) => {
                    if player == PlayerId::new(0) {
                        Baseline.play_on(&game, &mut state, u32::MAX, &mut rng);
                    } else {
                        Simulation.play_on(&game, &mut state, u32::MAX, &mut rng);
                    }
                }
                Node::Chance => state.resolve_sampled(&mut rng),
                Node::Terminal => return Ok(1),
            }
        }
    }))
}

fn games() -> anyhow::Result<Work> {
    let game = sampling()?;
    let specs = ["baseline", "simulation"].map(Spec::plain);
    let grants = Grants::sealed();
    Ok(Box::new(move |seed| {
        play_once(&game, &[&specs[0], &specs[1]], seed, &grants)
    }))
}

fn play_once(game: &Arc<Game>, specs: &[&Spec], seed: u64, grants: &Grants) -> anyhow::Result<u64> {
    let setup = GameSetup {
        game,
        specs,
        deal_seed: seed,
        seed,
        grants,
        start: None,
        deal: None,
    };
    play_game(&setup, &mut ())?;
    Ok(1)
}

/// Games of one run of a new pool.
const POOL_GAMES: u64 = 50_000;

fn stored_games() -> anyhow::Result<Work> {
    let game = sampling()?;
    Ok(Box::new(move |seed| pool_games(&game, seed, 1, POOL_GAMES)))
}

/// Plays and stores games of a new pool, which is removed again. Returns how
/// many there were.
pub(super) fn pool_games(
    game: &Game,
    seed: u64,
    n_threads: usize,
    n_games: u64,
) -> anyhow::Result<u64> {
    let grants = Grants::sealed();
    let folder = EmptyFolder::new()?;
    let settings = PoolSettings {
        map: game.map().spec().clone(),
        rules: game.rules().clone(),
        n_players: 2,
        seed,
    };
    let mut pool = Pool::open_or_create(&folder.0.join("pool.db"), &settings)?;
    pool.add(&["baseline", "simulation"].map(Spec::plain), &grants)?;
    let params = RunParams {
        n_games,
        floor: 1,
        n_threads,
        grants,
    };
    Ok(pool.run(&params, &AtomicBool::new(false), |_| ())?)
}

/// A new folder among the temporary ones; it is removed when this is dropped. What a killed process
/// left there is not taken for its own by a later one with the same number.
struct EmptyFolder(PathBuf);

impl EmptyFolder {
    fn new() -> anyhow::Result<EmptyFolder> {
        for n in 0..u32::MAX {
            let name = format!("hegemon-bench-{}-{n}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok(EmptyFolder(folder)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| folder.display().to_string()),
            }
        }
        bail!("the folder for temporary files is full of those of `hegemon bench`")
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        // Nothing depends on it: the next one is new in any case.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn mcts_iterations(spec: &'static str) -> anyhow::Result<Work> {
    Ok(Box::new(move |seed| {
        let probe = SearchProbe::mcts(spec, seed)?;
        Ok(probe.run(2_500).iterations)
    }))
}

/// Memory of a search tree, per node.
pub(super) fn bytes_per_node() -> anyhow::Result<f64> {
    let effort = SearchProbe::mcts("mcts(k=20)", 0)?.run(20_000);
    Ok(effort.bytes as f64 / effort.nodes as f64)
}

fn lux_games() -> anyhow::Result<Work> {
    let game = game("classic-lux", "draft", 3)?;
    let hard = ["killbot", "quo", "evil-pixie", "boscoe"].map(Spec::plain);
    let orders = seat_orders(3);
    let grants = Grants::sealed();
    Ok(Box::new(move |seed| {
        let left_out = seed as usize % 4;
        let triple: Vec<&Spec> = (0..4)
            .filter(|&n| n != left_out)
            .map(|n| &hard[n])
            .collect();
        let order = &orders[seed as usize / 4 % orders.len()];
        let specs: Vec<&Spec> = order.iter().map(|&n| triple[n]).collect();
        play_once(&game, &specs, seed, &grants)
    }))
}
