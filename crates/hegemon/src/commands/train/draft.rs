//! `hegemon train draft`: the evaluator of drafts (Gibson, Desai and Zhao
//! 2010).

use std::path::PathBuf;

use clap::Args;
use hegemon_bots::Spec;
use hegemon_learn::draft::{
    DraftProgress, DraftTrained, DraftTraining, NetParams, Quality, run as train,
};
use serde::Serialize;

use crate::inputs::{self, DraftGameChoice, ThreadCount};
use crate::interrupt::{keep_sentence, stop_flag};
use crate::output::{self, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Learn the value of a draft from random drafts played out by a bot
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DraftArgs {
    /// The bot that plays after the draft, in all seats
    #[arg(long, value_name = "SPEC", default_value = "quo", value_parser = values::spec(), hide_possible_values = true)]
    bot: Spec,
    #[command(flatten)]
    game: DraftGameChoice,
    /// Random drafts
    #[arg(long, value_name = "N", default_value_t = 7364, value_parser = values::whole::<u64>(1..=100_000_000))]
    drafts: u64,
    /// Games played from each draft
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::whole::<u32>(1..=1_000_000))]
    games: u32,
    /// The drafter in all seats, mixed with random picks [default: all picks are random]
    #[arg(long, value_name = "SPEC", value_parser = values::spec(), hide_possible_values = true)]
    drafter: Option<Spec>,
    /// Weights of counts that occur in fewer rows are extrapolated from their neighbours
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::whole::<u64>(1..=1_000_000_000))]
    min_rows: u64,
    /// Also fit the net, which learns better than the paper's regression
    #[arg(long)]
    net: bool,
    /// Hidden units of the net
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = values::whole::<usize>(1..=4096))]
    hidden: usize,
    /// Seed of everything
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    /// Resume from this file if it exists, and keep it up to date
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write weights, table and figure into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
The default is the paper's size: 7,364 drafts of 100 games. With --checkpoint a run can be stopped at any \
time and goes on where it was. The folder of --out gets linear.toml, net.toml (with --net), weights.md \
and figure-3.svg; 'quo(draft=uct(weights=DIR/linear.toml))' plays with the result.

Example: hegemon train draft --drafts 500 --games 20 --out draft";

/// Plays the drafts, learns, and writes the result.
pub(crate) fn run(args: &DraftArgs) -> anyhow::Result<()> {
    if let Some(folder) = &args.out {
        inputs::make_folder(folder)?;
    }
    let params = DraftTraining {
        game: args.game.resolve()?,
        bot: args.bot.clone(),
        n_drafts: args.drafts,
        n_games: args.games,
        drafter: args.drafter.clone(),
        min_rows: args.min_rows,
        net: args.net.then(|| NetParams {
            n_hidden: args.hidden,
            ..NetParams::default()
        }),
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: ProgramLimits::default().grants(),
        command: inputs::command_line(),
    };
    let bar = output::progress(args.drafts);
    keep_sentence(inputs::stopped_at_once(args.checkpoint.as_deref()));
    let report = |progress: &DraftProgress| match *progress {
        DraftProgress::Playing { n_drafts, of } => {
            bar.set_length(of);
            bar.set_position(n_drafts);
            bar.set_message("drafts played");
        }
        DraftProgress::Fitting { n_epochs, of, loss } => {
            bar.set_length(u64::from(of));
            bar.set_position(u64::from(n_epochs));
            bar.set_message(format!("fitting, held-out loss {loss:.4}"));
        }
    };
    let trained = train(&params, report, stop_flag(), args.checkpoint.as_deref())?;
    bar.finish_and_clear();
    if let Some(folder) = &args.out {
        trained.write(folder)?;
    }
    args.output
        .print(&DraftAnswer::of(args, &trained), DraftAnswer::text)
}

/// What one does with a trained evaluator, or to get one.
fn next_step(args: &DraftArgs, is_complete: bool) -> String {
    match (is_complete, &args.out) {
        (false, _) => inputs::going_on(args.checkpoint.as_deref()).to_owned(),
        (true, None) => {
            "--out DIR writes the weights for 'quo(draft=uct(weights=DIR/linear.toml))'".to_owned()
        }
        (true, Some(folder)) => format!(
            "hegemon match 'quo(draft=uct(weights={}/linear.toml))' quo killbot --rules draft",
            folder.display()
        ),
    }
}

#[derive(Serialize)]
struct DraftAnswer {
    bot: String,
    drafts: u64,
    games: u64,
    complete: bool,
    seed: u64,
    held_out_r2: f64,
    held_out_correlation: f64,
    net_r2: Option<f64>,
    best_r2: f64,
    seat_shares: Vec<f64>,
    #[serde(skip)]
    next: String,
}

impl DraftAnswer {
    fn of(args: &DraftArgs, trained: &DraftTrained) -> DraftAnswer {
        let statistics = &trained.statistics;
        let Quality {
            r2, correlation, ..
        } = trained.held_out;
        DraftAnswer {
            bot: args.bot.to_string(),
            drafts: statistics.n_drafts,
            games: statistics.n_games,
            complete: trained.is_complete,
            seed: args.seed,
            held_out_r2: r2,
            held_out_correlation: correlation,
            net_r2: trained.net.as_ref().map(|(_, quality)| quality.r2),
            best_r2: statistics.best_r2,
            seat_shares: statistics.seat_shares.clone(),
            next: next_step(args, trained.is_complete),
        }
    }

    fn text(&self) -> String {
        let seats: Vec<String> = self
            .seat_shares
            .iter()
            .map(|share| format!("{:.1}", 100.0 * share))
            .collect();
        let mut facts = vec![
            (
                "played",
                format!(
                    "{} drafts, {} games of {}, seed {}",
                    output::grouped(self.drafts),
                    output::grouped(self.games),
                    self.bot,
                    self.seed
                ),
            ),
            ("by seat", format!("{} %", seats.join(" "))),
            ("held-out R2", format!("{:.4} (linear)", self.held_out_r2)),
        ];
        if let Some(r2) = self.net_r2 {
            facts.push(("", format!("{r2:.4} (net)")));
        }
        facts.push((
            "best possible",
            format!("{:.4}; the rest is dice", self.best_r2),
        ));
        if !self.complete {
            facts.push(("stopped", "these are the drafts played by then".to_owned()));
        }
        output::facts(facts) + &output::next_step(&self.next)
    }
}
