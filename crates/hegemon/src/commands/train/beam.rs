//! `hegemon train beam`: agents evolved by stochastic beam search (Gillenwater
//! 2022).

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use hegemon_learn::beam::{BeamMethod, BeamTraining, Evolved, run as train, write_pages};
use serde::Serialize;

use crate::inputs::{self, ThreadCount};
use crate::interrupt::{keep_result, keep_sentence, stop_flag};
use crate::output::{self, OutputArgs};
use crate::values;

/// Evolve the 29 characteristics of the beam agents
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BeamArgs {
    /// Agents in a generation
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = values::whole::<usize>(4..=1_000_000))]
    population: usize,
    /// Generations
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = values::whole::<u32>(1..=10_000_000))]
    generations: u32,
    /// How to evolve
    #[arg(long, value_enum, default_value_t = MethodName::Beam)]
    method: MethodName,
    /// Seed of everything
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// Folder of the run: checkpoint, history, weights and plots
    #[arg(long, value_name = "DIR", default_value = "beam-run")]
    out: PathBuf,
    /// Also compare the findings of these finished runs with the paper's
    #[arg(long, value_name = "DIR", num_args = 1..)]
    with: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Every generation is kept, so a run can be stopped at any time and goes on where it was. The folder gets \
weights.toml, history.jsonl, a page of curves for each category and findings.md, the paper's findings \
beside ours; 'beam(weights=DIR/weights.toml)' plays as the champion.

Example: hegemon train beam --population 64 --generations 100 --out my-run";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodName {
    Beam,
    CmaEs,
}

/// Evolves, and writes weights, curves and findings.
pub(crate) fn run(args: &BeamArgs) -> anyhow::Result<()> {
    inputs::make_folder(&args.out)?;
    let params = BeamTraining {
        population: args.population,
        generations: args.generations,
        method: match args.method {
            MethodName::Beam => BeamMethod::Beam,
            MethodName::CmaEs => BeamMethod::CMA_ES,
        },
        seed: args.seed,
        n_threads: args.threads.n(),
        command: inputs::command_line(),
        ..BeamTraining::default()
    };
    let bar = output::progress(u64::from(args.generations));
    keep_sentence("Stopped at once; the same command goes on.");
    let start = Instant::now();
    let mut so_far = SoFar::default();
    let evolved = train(&params, Some(&args.out), stop_flag(), &mut |progress| {
        bar.set_length(u64::from(progress.n_generations));
        bar.set_position(u64::from(progress.generation));
        so_far.generation = progress.generation;
        so_far.n_games = progress.n_games;
        if let Some(share) = progress.share {
            so_far.share = Some(share);
            bar.set_message(format!("champion {:.1} % against the start", 100.0 * share));
        }
        keep_result(|| {
            let seconds = start.elapsed().as_secs_f64();
            let answer = BeamAnswer::of(args, None, so_far, seconds);
            args.output.written(&answer, BeamAnswer::text)
        });
    })?;
    bar.finish_and_clear();
    if evolved.is_some() {
        write_pages(&args.out, &args.with)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    args.output.print(
        &BeamAnswer::of(args, evolved.as_ref(), so_far, seconds),
        BeamAnswer::text,
    )
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default)]
struct SoFar {
    generation: u32,
    n_games: u64,
    /// Of the champion, when it was last measured.
    share: Option<f64>,
}

#[derive(Serialize)]
struct BeamAnswer {
    complete: bool,
    generation: u32,
    generations: u32,
    games: Option<u64>,
    share: Option<f64>,
    margin: Option<f64>,
    seconds: f64,
    seed: u64,
    folder: PathBuf,
}

impl BeamAnswer {
    fn of(args: &BeamArgs, evolved: Option<&Evolved>, so_far: SoFar, seconds: f64) -> BeamAnswer {
        let n_games = evolved.map_or(so_far.n_games, |evolved| evolved.n_games);
        BeamAnswer {
            complete: evolved.is_some(),
            generation: evolved.map_or(so_far.generation, |_| args.generations),
            generations: args.generations,
            games: (n_games > 0).then_some(n_games),
            share: evolved.map_or(so_far.share, |evolved| Some(evolved.share)),
            margin: evolved.map(|evolved| evolved.margin),
            seconds,
            seed: args.seed,
            folder: args.out.clone(),
        }
    }

    fn text(&self) -> String {
        let mut facts = Vec::new();
        if !self.complete {
            let how_far = format!(
                "after generation {} of {}",
                self.generation, self.generations
            );
            facts.push(("stopped", how_far));
        }
        if let Some(games) = self.games {
            let games = format!("{}, seed {}", output::grouped(games), self.seed);
            facts.push(("games", games));
        }
        if let Some(share) = self.share {
            let margin = self
                .margin
                .map(|margin| format!(" +- {:.1}", 100.0 * margin));
            let champion = format!(
                "{:.1} %{} against three start agents (level is 25 %)",
                100.0 * share,
                margin.unwrap_or_default()
            );
            facts.push(("champion", champion));
        }
        facts.push(("time", format!("{:.1} s", self.seconds)));
        facts.push(("folder", self.folder.display().to_string()));
        output::facts(facts)
            + &match self.complete {
                true => output::next_step(&format!(
                    "hegemon match 'beam(weights={}/weights.toml)' beam beam beam --rules beam",
                    self.folder.display()
                )),
                false => output::next_step("the same command goes on where it was"),
            }
    }
}
