//! Threads: one, independent trees (root parallelism), or one shared tree with
//! virtual loss (Chaslot, Winands and van den Herik 2008).

use std::sync::{Mutex, PoisonError};

use hegemon_core::Rng;

use crate::budget::Meter;
use crate::domain::Domain;
use crate::iteration::{Context, GameTree, Worker};
use crate::leaf::LeafCounts;
use crate::params::Threads;
use crate::workers::run_all;

/// Work done by a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) iterations: u64,
    pub(crate) counts: LeafCounts,
}

impl Effort {
    fn add(&mut self, other: Effort) {
        self.iterations += other.iterations;
        self.counts.estimates += other.counts.estimates;
        self.counts.capped += other.counts.capped;
    }
}

/// The number of trees a setting keeps.
pub(crate) fn n_trees(threads: Threads) -> usize {
    match threads {
        Threads::Root(n) => n.max(1),
        Threads::One | Threads::Tree { .. } => 1,
    }
}

/// Spends the budget on the trees.
pub(crate) fn run<G: Domain>(
    ctx: &Context<'_, G>,
    trees: &mut [GameTree<G>],
    meter: &Meter,
    rng: &mut Rng,
) -> Effort {
    match ctx.params.threads {
        Threads::Tree { threads, .. } => run_shared(ctx, &mut trees[0], meter, threads, rng),
        _ if trees.len() == 1 => run_one(ctx, &mut trees[0], meter, rng),
        _ => run_apart(ctx, trees, meter, rng),
    }
}

fn run_one<G: Domain>(
    ctx: &Context<'_, G>,
    tree: &mut GameTree<G>,
    meter: &Meter,
    rng: &mut Rng,
) -> Effort {
    let mut worker = Worker::new(ctx);
    let mut iterations = 0;
    while meter.allows(iterations, tree.n_nodes()) {
        worker.select(ctx, tree, rng);
        worker.simulate(ctx, rng);
        worker.commit(ctx, tree);
        iterations += 1;
    }
    Effort {
        iterations,
        counts: worker.counts,
    }
}

fn run_apart<G: Domain>(
    ctx: &Context<'_, G>,
    trees: &mut [GameTree<G>],
    meter: &Meter,
    rng: &mut Rng,
) -> Effort {
    let n = trees.len();
    let jobs = trees.iter_mut().enumerate().map(|(idx, tree)| {
        let mut own = Rng::from_seed(rng.word());
        let share = meter.share(idx, n);
        move || run_one(ctx, tree, &share, &mut own)
    });
    let mut total = Effort::default();
    for effort in run_all(jobs.collect()) {
        total.add(effort);
    }
    total
}

fn run_shared<G: Domain>(
    ctx: &Context<'_, G>,
    tree: &mut GameTree<G>,
    meter: &Meter,
    threads: usize,
    rng: &mut Rng,
) -> Effort {
    let shared = Mutex::new((tree, 0u64));
    let work = |mut own: Rng| {
        let mut worker = Worker::new(ctx);
        let mut finished = false;
        loop {
            {
                let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (tree, started) = &mut *guard;
                if finished {
                    worker.commit(ctx, tree);
                }
                if !meter.allows(*started, tree.n_nodes()) {
                    return worker.counts;
                }
                *started += 1;
                worker.select(ctx, tree, &mut own);
            }
            worker.simulate(ctx, &mut own);
            finished = true;
        }
    };
    let jobs = (0..threads.max(1)).map(|_| {
        let own = Rng::from_seed(rng.word());
        let work = &work;
        move || work(own)
    });
    let mut counts = LeafCounts::default();
    for part in run_all(jobs.collect()) {
        counts.estimates += part.estimates;
        counts.capped += part.capped;
    }
    let (_, iterations) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Effort { iterations, counts }
}
