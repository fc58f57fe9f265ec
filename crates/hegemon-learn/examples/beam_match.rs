//! Agents against each other: `beam_match ROUNDS THREADS WEIGHTS...` with names or
//! files of weights. Every round shuffles all of them into games of four under
//! the rules of `beam`; prints the share of each, 25 % being level.
#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use hegemon_arena::run_blocks;
use hegemon_bots::beam::{BeamWeights, Characteristics};
use hegemon_core::Rng;
use hegemon_learn::beam::{BeamTraining, SEATS};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, threads, names @ ..] = &args[..] else {
        return Err("ROUNDS THREADS WEIGHTS...".into());
    };
    if names.len() < SEATS {
        return Err("at least four agents, please".into());
    }
    let weights = names.iter().map(|name| BeamWeights::named(name));
    let weights = weights.collect::<Result<Vec<_>, _>>()?;
    let agents: Vec<Characteristics> = weights.iter().map(|file| file.values).collect();
    let tables = BeamTraining::default().tables()?;
    let mut sums = vec![(0.0, 0u32); agents.len()];
    run_blocks(
        threads.parse()?,
        0..rounds.parse()?,
        &AtomicBool::new(false),
        |round| {
            let mut rng = Rng::stream(round, "beam match");
            let mut order: Vec<usize> = (0..agents.len()).collect();
            rng.shuffle(&mut order);
            let games = order.chunks_exact(SEATS).map(|players| {
                let seats: Vec<&Characteristics> = players.iter().map(|&p| &agents[p]).collect();
                (players.to_vec(), tables.play(&seats, rng.word()))
            });
            games.collect::<Vec<_>>()
        },
        |_, games| {
            for (players, score) in games {
                for (&player, &share) in players.iter().zip(score.as_slice()) {
                    sums[player].0 += share;
                    sums[player].1 += 1;
                }
            }
            ControlFlow::Continue(())
        },
    );
    println!("| agent | share | games |\n|---|---|---|");
    for (name, (sum, n_games)) in names.iter().zip(sums) {
        let share = sum / f64::from(n_games.max(1));
        let margin = 1.96 * (share * (1.0 - share) / f64::from(n_games.max(1))).sqrt();
        println!(
            "| {name} | {:.1} % +- {:.1} | {n_games} |",
            100.0 * share,
            100.0 * margin
        );
    }
    Ok(())
}
