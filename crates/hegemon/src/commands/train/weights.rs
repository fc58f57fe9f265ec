//! `hegemon train weights`: the weights of the linear evaluation.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hegemon_bots::{Spec, SpecError};
use hegemon_eval::{Feature, Weights};
use hegemon_learn::ClopParams;
use hegemon_learn::weights::{
    Method, RegressionModel, RegressionParams, TrainParams, TrainedWeights, TrainingProgress,
    Trials, run as train,
};
use serde::Serialize;

use crate::inputs::{self, GameChoice, ThreadCount};
use crate::interrupt::{keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Train the weights of the linear evaluation
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct WeightsArgs {
    /// How to train
    #[arg(long, value_enum, default_value_t = MethodName::Logistic)]
    method: MethodName,
    #[command(flatten)]
    game: GameChoice,
    /// The player that is trained; any bot with a parameter 'weights'
    #[arg(long, value_name = "SPEC", default_value = "greedy", value_parser = values::spec(), hide_possible_values = true)]
    agent: Spec,
    /// Its opponent
    #[arg(long, value_name = "SPEC", default_value = "baseline", value_parser = values::spec(), hide_possible_values = true)]
    opponent: Spec,
    /// Weights to start from: a name or a file
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    start: String,
    /// Games to train on
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = values::games())]
    games: u64,
    /// Games of the match that measures the result
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = values::whole::<u64>(0..=1_000_000_000_000))]
    match_games: u64,
    /// How far the weights of regression games are drawn from the start
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = values::factor())]
    noise: f64,
    /// Regression: what explains a result
    #[arg(long, value_enum, default_value_t = ModelName::Change)]
    model: ModelName,
    /// Regression: the players, one spec per seat; may be repeated, line-ups
    /// are then used in turn [default: the agent against itself and the
    /// opponent]
    #[arg(long, value_name = "SPEC,SPEC", value_parser = parse_line_up)]
    line_up: Vec<LineUp>,
    /// Regression: factor by which a result counts less for every round before
    /// the end
    #[arg(long, value_name = "X", default_value_t = 0.98, value_parser = values::factor())]
    discount: f64,
    /// Regression: precision of the prior of every weight
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = values::factor())]
    precision: f64,
    /// CLOP: leave the mixed terms out of the quadratic
    #[arg(long)]
    no_correlations: bool,
    /// Half the width of the tuners' ranges, in mean weights
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = values::factor())]
    span: f64,
    /// SPSA: learning rate at the end
    #[arg(long, value_name = "X", default_value_t = 0.02, value_parser = values::factor())]
    r_end: f64,
    /// SPSA: perturbation at the end, where every range is 2 long
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = values::factor())]
    c_end: f64,
    /// Turns of each player after which a training game is scored
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = values::whole::<u32>(1..=1_000_000))]
    turn_limit: u32,
    /// Trials between checkpoints; the result depends on it
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = values::whole::<u64>(1..=1_000_000))]
    batch: u64,
    /// Seed of everything
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// Resume from this file if it exists, and keep it up to date
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Logistic regression learns from every position of games between the agent, itself and the opponent; \
CLOP and SPSA play the agent against the opponent and look at results only. A run depends on the seed \
alone; with --checkpoint it can be stopped at any time and goes on where it was.

Example: hegemon train weights --method clop --rules sampling --games 4000 --out my.toml";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodName {
    Logistic,
    Clop,
    Spsa,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModelName {
    /// What a decision changes, given the position before it
    Change,
    /// The player's own features
    Own,
    /// The player's features less the other's
    Difference,
}

impl From<ModelName> for RegressionModel {
    fn from(name: ModelName) -> RegressionModel {
        match name {
            ModelName::Change => RegressionModel::Change,
            ModelName::Own => RegressionModel::Own,
            ModelName::Difference => RegressionModel::Difference,
        }
    }
}

/// A spec for each seat.
#[derive(Clone, Debug)]
struct LineUp(Vec<String>);

fn parse_line_up(text: &str) -> Result<LineUp, SpecError> {
    let specs = Spec::parse_list(text)?;
    Ok(LineUp(specs.iter().map(Spec::to_string).collect()))
}

impl WeightsArgs {
    fn method(&self) -> Method {
        let trials = Trials {
            span: self.span,
            ..Trials::default()
        };
        match self.method {
            MethodName::Logistic => Method::Logistic {
                line_ups: self
                    .line_up
                    .iter()
                    .map(|line_up| line_up.0.clone())
                    .collect(),
                noise: self.noise,
                regression: RegressionParams {
                    model: self.model.into(),
                    discount: self.discount,
                    precision: self.precision,
                    ..RegressionParams::default()
                },
            },
            MethodName::Clop => Method::Clop {
                params: ClopParams {
                    has_correlations: !self.no_correlations,
                    ..ClopParams::default()
                },
                trials,
            },
            MethodName::Spsa => Method::Spsa {
                r_end: self.r_end,
                c_end: self.c_end,
                is_duel: false,
                trials,
            },
        }
    }
}

/// Trains, measures, and writes the result.
pub(crate) fn run(args: &WeightsArgs) -> anyhow::Result<()> {
    inputs::check_place(args.out.as_deref())?;
    let params = TrainParams {
        game: args.game.resolve(Some(2))?,
        method: args.method(),
        agent: args.agent.clone(),
        opponent: args.opponent.clone(),
        start: Weights::load(&args.start, &inputs::read_weights)?,
        n_games: args.games,
        n_match_games: args.match_games,
        turn_limit: args.turn_limit,
        batch: args.batch,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: ProgramLimits::default().grants(),
        command: inputs::command_line(),
    };
    let bar = output::progress(args.games);
    keep_sentence(inputs::stopped_at_once(args.checkpoint.as_deref()));
    let report = |progress: &TrainingProgress<'_>| match *progress {
        TrainingProgress::Training {
            n_games, of, score, ..
        } => {
            bar.set_length(of);
            bar.set_position(n_games);
            let share = score.map_or_else(String::new, |s| format!("{:.1} %", 100.0 * s));
            bar.set_message(format!("training {share}"));
        }
        TrainingProgress::Measuring { n_games, of, score } => {
            bar.set_length(of);
            bar.set_position(n_games);
            bar.set_message(format!("measuring {:.1} %", 100.0 * score));
        }
    };
    let trained = train(&params, report, stop_flag(), args.checkpoint.as_deref())?;
    bar.finish_and_clear();
    if let Some(path) = &args.out {
        inputs::write_file(path, &trained.weights.to_toml())?;
    }
    args.output
        .print(&TrainAnswer::of(args, &trained), TrainAnswer::text)
}

/// What one does with trained weights, or to get them.
fn next_step(args: &WeightsArgs, is_complete: bool) -> String {
    match (is_complete, &args.out) {
        (false, _) => inputs::going_on(args.checkpoint.as_deref()).to_owned(),
        (true, None) => "--out FILE writes the weights for 'greedy(weights=FILE)'".to_owned(),
        (true, Some(file)) => format!(
            "hegemon match 'greedy(weights={})' '{}' --rules sampling",
            file.display(),
            args.opponent
        ),
    }
}

#[derive(Serialize)]
struct TrainAnswer {
    games: u64,
    complete: bool,
    seed: u64,
    weights: Vec<(String, f64)>,
    held_out_log_loss: Option<f64>,
    share: Option<f64>,
    ci95: Option<[f64; 2]>,
    match_games: Option<u64>,
    opponent: String,
    #[serde(skip)]
    next: String,
}

impl TrainAnswer {
    fn of(args: &WeightsArgs, trained: &TrainedWeights) -> TrainAnswer {
        let vector = trained.weights.vector();
        let strength = trained.strength.as_ref();
        TrainAnswer {
            games: trained.n_games,
            complete: trained.is_complete,
            seed: args.seed,
            weights: Feature::ALL
                .iter()
                .map(|&feature| (feature.name().to_owned(), vector[feature]))
                .collect(),
            held_out_log_loss: trained.fit.as_ref().map(|fit| fit.held_out_log_loss),
            share: strength.map(|strength| strength.share),
            ci95: strength.map(|strength| strength.ci95),
            match_games: strength.map(|strength| strength.n_games),
            opponent: args.opponent.to_string(),
            next: next_step(args, trained.is_complete),
        }
    }

    fn text(&self) -> String {
        let mut table = output::table([Column::Text("feature"), Column::Number("weight")]);
        for (feature, weight) in &self.weights {
            table.add_row(output::row([feature.clone(), format!("{weight:.3}")]));
        }
        let mut facts = vec![("games", format!("{}, seed {}", self.games, self.seed))];
        if let Some(loss) = self.held_out_log_loss {
            facts.push(("held-out loss", format!("{loss:.4}")));
        }
        if let (Some(share), Some([low, high]), Some(games)) =
            (self.share, self.ci95, self.match_games)
        {
            let share = format!(
                "{:.1} % ({:.1} to {:.1}) in {games} games against {}",
                100.0 * share,
                100.0 * low,
                100.0 * high,
                self.opponent
            );
            facts.push(("strength", share));
        }
        if !self.complete {
            facts.push(("stopped", "these are the weights found by then".to_owned()));
        }
        format!(
            "{}\n{}{}",
            output::table_text(&table),
            output::facts(facts),
            output::next_step(&self.next)
        )
    }
}
