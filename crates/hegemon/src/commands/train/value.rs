//! `hegemon train value`: the nets that say who wins from a position.

use std::path::PathBuf;

use clap::Args;
use hegemon_learn::value::{
    CheckLine, NetKind, ValuePlan, ValueProgress, ValueTrained, ValueTraining, run as train,
};
use serde::Serialize;

use crate::inputs::{self, ThreadCount};
use crate::interrupt::{keep_sentence, stop_flag};
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Learn every player's chance to win a position, by generations of games
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ValueArgs {
    /// Games of the population, which the first nets learn from
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = values::whole::<u64>(1..=20_000_000))]
    games: u64,
    /// Games of the champion in each generation after the first
    #[arg(long, value_name = "N", default_value_t = 8_000, value_parser = values::whole::<u64>(1..=10_000_000))]
    champion_games: u64,
    /// Generations after the first
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = values::whole::<u32>(0..=100))]
    generations: u32,
    /// Let the champion play its first games with the shipped nets, instead of fitting nets for them first
    #[arg(long)]
    from_shipped: bool,
    /// Looks a candidate of the champion in its games
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = values::whole::<u32>(1..=10_000))]
    looks: u32,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = values::whole::<u32>(1..=1_000))]
    epochs: u32,
    /// Leave this bot out of all games and suspects, to be tested on
    #[arg(long, value_name = "BOT")]
    without: Option<String>,
    /// Seed of everything
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// Keep the training in this folder, or go on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
A run can be stopped at any time; the same command goes on where it was. The folder gets value-classic.toml \
and value-any.toml; 'champion(value=DIR/value-classic.toml)' plays with the result.

Example: hegemon train value --games 20000 --champion-games 200 --generations 1 --out value";

/// Plays, learns, and writes what was learned.
pub(crate) fn run(args: &ValueArgs) -> anyhow::Result<()> {
    inputs::make_folder(&args.out)?;
    let training = ValueTraining {
        plan: ValuePlan {
            games: args.games,
            champion_games: args.champion_games,
            generations: args.generations,
            from_shipped: args.from_shipped,
            looks: args.looks,
            epochs: args.epochs,
            without: args.without.clone(),
            seed: args.seed,
            ..ValuePlan::default()
        },
        n_threads: args.threads.n(),
        grants: ProgramLimits::default().grants(),
        command: inputs::command_line(),
    };
    let bar = output::progress(args.games);
    keep_sentence("Stopped at once; the same command goes on.");
    let mut so_far = "before the first game".to_owned();
    let trained = train(
        &training,
        &args.out,
        stop_flag(),
        |progress| match progress {
            ValueProgress::Playing {
                generation,
                n_games,
                of,
            } => {
                bar.set_length(of);
                bar.set_position(n_games);
                bar.set_message(format!("games of generation {generation}"));
                let (n_games, of) = (output::grouped(n_games), output::grouped(of));
                so_far = format!("after {n_games} of {of} games of generation {generation}");
            }
            ValueProgress::Fitting {
                generation,
                net,
                n_epochs,
                loss,
            } => {
                bar.set_length(u64::from(args.epochs));
                bar.set_position(u64::from(n_epochs));
                let net = net.name();
                let what = format!("{net} net of generation {generation}, log-loss {loss:.4}");
                so_far = format!("after {n_epochs} of {} passes: {what}", args.epochs);
                bar.set_message(what);
            }
        },
    )?;
    bar.finish_and_clear();
    args.output
        .print(&ValueAnswer::of(args, &trained, so_far), ValueAnswer::text)
}

#[derive(Serialize)]
struct ValueAnswer {
    out: String,
    complete: bool,
    /// Where it was stopped, if it was.
    stopped: Option<String>,
    seed: u64,
    nets: Vec<NetAnswer>,
}

#[derive(Serialize)]
struct NetAnswer {
    net: &'static str,
    checks: Vec<CheckLine>,
}

impl ValueAnswer {
    fn of(args: &ValueArgs, trained: &ValueTrained, so_far: String) -> ValueAnswer {
        let net = |(kind, checks): &(NetKind, Vec<CheckLine>)| NetAnswer {
            net: kind.name(),
            checks: checks.clone(),
        };
        ValueAnswer {
            out: args.out.display().to_string(),
            complete: trained.nets.is_some(),
            stopped: trained.nets.is_none().then_some(so_far),
            seed: args.seed,
            nets: trained.nets.iter().flatten().map(net).collect(),
        }
    }

    fn text(&self) -> String {
        if let Some(so_far) = &self.stopped {
            let facts = [("stopped", so_far.clone()), ("folder", self.out.clone())];
            return output::facts(facts)
                + &output::next_step("the same command goes on where it was");
        }
        let mut text = String::new();
        for NetAnswer { net, checks } in &self.nets {
            text += &checks_text(&format!("value-{net}.toml"), checks);
        }
        let next = format!(
            "hegemon match 'champion(value={}/value-classic.toml)' champion",
            self.out
        );
        text + &output::next_step(&next)
    }
}

/// What checks found, under a headline.
pub(super) fn checks_text(headline: &str, checks: &[CheckLine]) -> String {
    let mut table = output::table([
        Column::Text("positions held out"),
        Column::Number("number"),
        Column::Number("log-loss"),
        Column::Number("equal"),
        Column::Number("off"),
        Column::Number("worst"),
    ]);
    for line in checks {
        table.add_row([
            line.what.clone(),
            output::grouped(line.n_rows),
            format!("{:.4}", line.loss),
            format!("{:.4}", line.equal_loss),
            format!("{:.1}", 100.0 * line.mean_distance),
            format!("{:.1}", 100.0 * line.worst),
        ]);
    }
    format!(
        "{headline}\n\n{}\n\
         off: distance of chances from what happened, in points, on average over tenths\n\
         of the chance; worst: the worst tenth.\n\n",
        output::table_text(&table)
    )
}
