//! Speeds: how often a second a piece of work can be done on one thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use cpu_time::ThreadTime;
use hegemon_arena::{Fixture, play_fixture};
use hegemon_bots::rules::Simulation;
use hegemon_bots::{Spec, policy};
use hegemon_core::{Game, Map, Rng, Rules};

/// A speed that is taken.
pub(super) struct Measurement {
    /// Plural of what is counted; figures are called `NAME_per_s`.
    pub(super) name: &'static str,
    /// What one of them is.
    pub(super) about: &'static str,
    /// Makes the work ready.
    prepare: fn() -> anyhow::Result<Work>,
}

/// Does one piece of work, with its number as the seed.
type Work = Box<dyn FnMut(u64) -> anyhow::Result<()>>;

/// All speeds, in the order in which they are taken.
pub(super) const MEASUREMENTS: [Measurement; 2] = [
    Measurement {
        name: "playouts",
        about: "dealt games of simulation v simulation, rules sampling",
        prepare: playouts,
    },
    Measurement {
        name: "games",
        about: "games of the bots baseline v simulation, rules sampling",
        prepare: games,
    },
];

/// How much work was done in what time.
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

    /// By the time that the processor spent on this thread.
    pub(super) fn per_cpu_s(&self) -> f64 {
        self.n as f64 / self.cpu.as_secs_f64()
    }
}

impl Measurement {
    /// Works for so long, after a tenth of it to warm up.
    pub(super) fn rate(&self, seconds: f64) -> anyhow::Result<Rate> {
        let mut work = (self.prepare)()?;
        work_for(&mut work, seconds / 10.0)?;
        work_for(&mut work, seconds)
    }
}

fn work_for(work: &mut Work, seconds: f64) -> anyhow::Result<Rate> {
    let duration = Duration::from_secs_f64(seconds);
    let (clock, cpu) = (Instant::now(), ThreadTime::now());
    let mut n = 0;
    while n == 0 || clock.elapsed() < duration {
        work(n)?;
        n += 1;
    }
    Ok(Rate {
        n,
        wall: clock.elapsed(),
        cpu: cpu.elapsed(),
    })
}

fn sampling() -> anyhow::Result<Arc<Game>> {
    let map = Map::builtin("classic").context("the classic map ships with the program")?;
    let rules = Rules::preset("sampling").context("the preset ships with the program")?;
    Ok(Game::new(map, rules, 2)?)
}

fn playouts() -> anyhow::Result<Work> {
    let game = sampling()?;
    let mut rng = Rng::from_seed(1);
    Ok(Box::new(move |seed| {
        let mut state = game.deal(seed);
        policy::playout(&mut state, &mut Simulation, &mut rng, u32::MAX);
        Ok(())
    }))
}

fn games() -> anyhow::Result<Work> {
    let game = sampling()?;
    let specs = ["baseline", "simulation"].map(Spec::plain);
    Ok(Box::new(move |seed| {
        let fixture = Fixture {
            game: &game,
            specs: &specs,
            deal_seed: seed,
            seed,
        };
        play_fixture(&fixture, &mut ())?;
        Ok(())
    }))
}
