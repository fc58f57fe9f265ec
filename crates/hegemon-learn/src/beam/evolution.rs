//! Stochastic beam search.

use std::ops::ControlFlow;
use std::path::PathBuf;

use hegemon_bots::beam::{Characteristics, N_CHARACTERISTICS};
use hegemon_core::Rng;
use serde::{Deserialize, Serialize};

use super::history::{Generation, HistoryWriter, mean};
use super::tables::{SEATS, TableGame};
use super::tournament::{Lost, double_elimination};
use super::{BeamError, BeamProgress, BeamTraining, CHECKPOINT_FILE, Evolved, HISTORY_FILE, Run};
use crate::checkpoint::{CheckpointError, read_checkpoint, write_checkpoint};

/// Version of checkpoints; raised when they change.
const VERSION: u32 = 1;

/// An agent of a population.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Agent {
    values: [f64; N_CHARACTERISTICS],
    /// Tournaments survived: survivors stay unchanged, so the oldest is the
    /// best tested.
    age: u32,
}

impl Agent {
    fn new(values: &Characteristics) -> Agent {
        Agent {
            values: values.0,
            age: 0,
        }
    }

    fn characteristics(&self) -> Characteristics {
        Characteristics(self.values)
    }
}

/// Everything that the rest of a run depends on.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    params: BeamTraining,
    /// Generations done.
    generation: u32,
    n_games: u64,
    history_bytes: u64,
    /// The next generation, or the last survivors once the run is complete.
    population: Vec<Agent>,
}

pub(super) fn evolve(run: &mut Run<'_>) -> Result<Option<Evolved>, BeamError> {
    let params = run.params;
    let checkpoint_path = run.folder.map(|folder| folder.join(CHECKPOINT_FILE));
    let history_path = run.folder.map(|folder| folder.join(HISTORY_FILE));
    let (mut state, mut history) = begin(params, &checkpoint_path, &history_path)?;
    while state.generation < params.generations {
        let Some((row, next)) = one_generation(run, &state) else {
            return Ok(None);
        };
        state.generation += 1;
        state.n_games = row.n_games;
        state.population = next;
        if let (Some(history), Some(path)) = (&mut history, &checkpoint_path) {
            history.line(&row)?;
            state.history_bytes = history.n_bytes();
            write_checkpoint(path, &state)?;
        }
        (run.progress)(&BeamProgress {
            generation: state.generation,
            n_generations: params.generations,
            n_games: state.n_games,
            share: row.share,
            row: &row,
        });
    }
    Ok(conclude(run, &state))
}

type Begun<'a> = (Checkpoint, Option<HistoryWriter<'a>>);

fn begin<'a>(
    params: &BeamTraining,
    checkpoint_path: &Option<PathBuf>,
    history_path: &'a Option<PathBuf>,
) -> Result<Begun<'a>, BeamError> {
    let (Some(path), Some(history_path)) = (checkpoint_path, history_path) else {
        return Ok((first(params), None));
    };
    if let Some(state) = read_checkpoint::<Checkpoint>(path)? {
        if state.version != VERSION {
            return Err(CheckpointError::content(path, "another version wrote it").into());
        }
        if !params.is_same_run(&state.params) {
            return Err(CheckpointError::content(path, "its parameters differ").into());
        }
        let history = HistoryWriter::resume(history_path, state.history_bytes)?;
        return Ok((state, Some(history)));
    }
    let mut state = first(params);
    let history = HistoryWriter::begin(history_path, params)?;
    state.history_bytes = history.n_bytes();
    Ok((state, Some(history)))
}

/// The first generation.
fn first(params: &BeamTraining) -> Checkpoint {
    let mut rng = Rng::from_seed(params.seed_of("mutation", 0));
    let agent = |_| Agent::new(&params.mutation.first(&mut rng));
    Checkpoint {
        version: VERSION,
        params: params.clone(),
        generation: 0,
        n_games: 0,
        history_bytes: 0,
        population: (0..params.population).map(agent).collect(),
    }
}

/// One tournament and the next generation; `None` if stopped.
fn one_generation(run: &Run<'_>, state: &Checkpoint) -> Option<(Generation, Vec<Agent>)> {
    let params = run.params;
    let generation = state.generation;
    let agents: Vec<Characteristics> = state
        .population
        .iter()
        .map(Agent::characteristics)
        .collect();
    let seed = params.seed_of("games", u64::from(generation));
    let play = |first: u64, games: &[Vec<usize>], lost: Lost<'_>| {
        let game = |(number, players): (u64, &Vec<usize>)| TableGame {
            seats: players.clone(),
            seed: hegemon_core::mix(seed.wrapping_add(number)),
        };
        let games: Vec<TableGame> = (first..).zip(games).map(game).collect();
        run.venue.play(&agents, &games, &mut |game, score| {
            lost(game, std::array::from_fn(|s| score.get(s) == Some(&0.0)))
        });
    };
    let mut rng = Rng::from_seed(params.seed_of("draw", u64::from(generation)));
    let standings = double_elimination(
        agents.len(),
        params.n_survivors(),
        &mut rng,
        run.stop,
        &play,
    )?;
    let numbers = standings.survivors();
    let survivors: Vec<Agent> = numbers
        .iter()
        .map(|&number| Agent {
            age: state.population[number].age + 1,
            ..state.population[number]
        })
        .collect();
    let n_games = state.n_games + standings.n_games;
    let mut row = Generation::of(generation, n_games, &agents);
    let champion = oldest(&survivors)?.characteristics();
    row.share = run.measured(generation, params.generations, &champion);
    if run.is_stopped() {
        return None;
    }
    let next = if generation + 1 == params.generations {
        survivors
    } else {
        next_generation(params, generation + 1, survivors)
    };
    Some((row, next))
}

fn oldest(agents: &[Agent]) -> Option<&Agent> {
    // The first on ties.
    agents.iter().rev().max_by_key(|agent| agent.age)
}

/// The survivors, then mutated copies of random survivors.
fn next_generation(params: &BeamTraining, generation: u32, survivors: Vec<Agent>) -> Vec<Agent> {
    let multiplier = params.mutation.multiplier(generation, params.generations);
    let mut rng = Rng::from_seed(params.seed_of("mutation", u64::from(generation)));
    let n_survivors = survivors.len();
    let mut population = survivors;
    while population.len() < params.population {
        let parent = population[rng.below(n_survivors as u32) as usize].characteristics();
        let child = params.mutation.mutate(&parent, multiplier, &mut rng);
        population.push(Agent::new(&child));
    }
    population
}

/// The playoff among the last survivors and their mean; `None` if stopped.
fn conclude(run: &Run<'_>, state: &Checkpoint) -> Option<Evolved> {
    let survivors: Vec<Characteristics> = state
        .population
        .iter()
        .map(Agent::characteristics)
        .collect();
    let mean = mean(&survivors);
    let mut agents = survivors;
    agents.push(mean);
    while agents.len() < SEATS {
        agents.push(mean);
    }
    let champion = agents[playoff(run, &agents)?];
    run.finish(champion, mean, state.n_games)
}

/// The number of the agent that wins most in games of four, every agent in the
/// same number of games; `None` if stopped.
fn playoff(run: &Run<'_>, agents: &[Characteristics]) -> Option<usize> {
    let n_rounds = u64::from(run.params.playoff_games.max(1));
    let games_each = agents.len().div_ceil(SEATS);
    let mut games = Vec::new();
    for round in 0..n_rounds {
        let mut rng = Rng::from_seed(run.params.seed_of("playoff", round));
        let mut order: Vec<usize> = (0..agents.len()).collect();
        rng.shuffle(&mut order);
        // The remaining agents play with the first of the round again, whose
        // second games do not count.
        games.extend((0..games_each).map(|game| {
            TableGame {
                seats: (0..SEATS)
                    .map(|s| order[(game * SEATS + s) % order.len()])
                    .collect(),
                seed: rng.word(),
            }
        }));
    }
    let mut scores = vec![0.0; agents.len()];
    run.venue.play(agents, &games, &mut |game, score| {
        let n_before = (game % games_each) * SEATS;
        let counted = agents.len() - n_before;
        for (&player, share) in games[game].seats.iter().zip(score).take(counted) {
            scores[player] += share;
        }
        ControlFlow::Continue(())
    });
    if run.is_stopped() {
        return None;
    }
    // The last on ties: the mean.
    (0..agents.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]))
}
