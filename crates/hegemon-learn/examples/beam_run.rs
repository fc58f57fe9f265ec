//! Runs a whole evolution: `beam_run GENERATIONS POPULATION SEED THREADS FOLDER
//! [cma-es] [dealt]`. Goes on with the run in the folder if there is one. With
//! `dealt`, territories are dealt and not claimed.
#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hegemon_core::rules::Start;
use hegemon_learn::beam::{BeamMethod, BeamTraining, run};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [
        generations,
        population,
        seed,
        threads,
        folder,
        switches @ ..,
    ] = &args[..]
    else {
        return Err("GENERATIONS POPULATION SEED THREADS FOLDER [cma-es] [dealt]".into());
    };
    let has = |name: &str| switches.iter().any(|switch| switch == name);
    let is_cma = has("cma-es");
    let mut rules = BeamTraining::default().rules;
    if has("dealt") {
        rules.start = Start::Deal;
    }
    let params = BeamTraining {
        rules,
        generations: generations.parse()?,
        population: population.parse()?,
        seed: seed.parse()?,
        n_threads: threads.parse()?,
        method: if is_cma {
            BeamMethod::CMA_ES
        } else {
            BeamMethod::Beam
        },
        command: format!(
            "hegemon train beam --generations {generations} --population {population} --seed {seed}{}",
            if is_cma { " --method cma-es" } else { "" }
        ),
        ..BeamTraining::default()
    };
    let begun = Instant::now();
    let evolved = run(
        &params,
        Some(Path::new(folder)),
        &AtomicBool::new(false),
        &mut |progress| {
            if let Some(share) = progress.share {
                println!(
                    "{:6.1} s  generation {}/{}  games {}  champion {:.1} %",
                    begun.elapsed().as_secs_f64(),
                    progress.generation,
                    progress.n_generations,
                    progress.n_games,
                    100.0 * share
                );
            }
        },
    )?;
    if let Some(evolved) = evolved {
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}", evolved.weights(&params).to_toml());
        println!(
            "{seconds:.1} s, {:.0} tournament games a second",
            evolved.n_games as f64 / seconds
        );
    }
    Ok(())
}
