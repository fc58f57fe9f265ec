//! `hegemon sprt`: a sequential test of which bot is better.

use std::sync::atomic::Ordering;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hegemon_arena::sprt::{EloModel, Sprt, SprtParams};
use hegemon_arena::{SprtRun, SprtRunReport, Verdict};
use hegemon_bots::{Spec, titles};
use serde::Serialize;

use crate::inputs::{GameChoice, ThreadCount};
use crate::interrupt::{keep_result, keep_sentence, stop_flag};
use crate::output::{self, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Test whether bot A is better than bot B, and stop when decided
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SprtArgs {
    /// The bot that may be better
    #[arg(value_parser = values::spec(), hide_possible_values = true)]
    a: Spec,
    /// The bot it is compared with
    #[arg(value_parser = values::spec(), hide_possible_values = true)]
    b: Spec,
    #[command(flatten)]
    game: GameChoice,
    /// The other players in games of more than two, in seat order
    #[arg(long, value_name = "SPEC", num_args = 1..=5, value_parser = values::spec(), hide_possible_values = true)]
    field: Vec<Spec>,
    /// H0: A is better by at most this many Elo
    #[arg(long, default_value_t = 0.0, value_parser = values::number(-10_000.0..=10_000.0))]
    elo0: f64,
    /// H1: A is better by at least this many Elo
    #[arg(long, default_value_t = 10.0, value_parser = values::number(-10_000.0..=10_000.0))]
    elo1: f64,
    /// Chance to accept H1 where H0 is true
    #[arg(long, default_value_t = 0.05, value_parser = values::number(0.0..=1.0))]
    alpha: f64,
    /// Chance to accept H0 where H1 is true
    #[arg(long, default_value_t = 0.05, value_parser = values::number(0.0..=1.0))]
    beta: f64,
    /// What the Elo bounds mean
    #[arg(long, value_enum, default_value_t = EloModelName::Logistic)]
    model: EloModelName,
    /// Stop undecided after this many games
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = values::games())]
    max_games: u64,
    /// Test on results without the luck of dice, cards and deals in win chance
    #[arg(long)]
    adjust: bool,
    /// Seed of deals, dice, cards and bots
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    #[command(flatten)]
    programs: ProgramLimits,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Two players meet in pairs of games on one deal with the seats swapped (pentanomial \
counts). With --field, A and B take turns in every seat against the same opponents on \
the same deal; the test is then on the difference of their scores. --adjust takes all luck off each game's \
result, which needs fewer games and more time for each (docs/analysis.md).

Example: hegemon sprt baseline simulation --rules sampling --elo0 0 --elo1 20";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EloModelName {
    /// The usual Elo of a score.
    Logistic,
    /// Elo in units of the spread of results.
    Normalized,
}

/// Runs the test.
pub(crate) fn run(args: &SprtArgs) -> anyhow::Result<()> {
    let n_players = if args.field.is_empty() {
        2
    } else {
        args.field.len() + 1
    };
    let game = args.game.resolve(Some(n_players))?;
    if args.field.len() == 1 {
        bail!("--field needs at least two opponents; without it A and B play each other");
    }
    let sprt = Sprt::new(SprtParams {
        alpha: args.alpha,
        beta: args.beta,
        elo0: args.elo0,
        elo1: args.elo1,
        model: match args.model {
            EloModelName::Logistic => EloModel::Logistic,
            EloModelName::Normalized => EloModel::Normalized,
        },
    })?;
    let mut rivals = args
        .programs
        .introduced(&[args.a.clone(), args.b.clone()])?;
    let names = titles(&rivals);
    let specs = [rivals[0].to_string(), rivals[1].to_string()];
    let test = SprtRun {
        game,
        b: rivals.swap_remove(1),
        a: rivals.swap_remove(0),
        field: args.programs.introduced(&args.field)?,
        sprt,
        max_games: args.max_games,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: args.programs.grants(),
    };
    if args.max_games < test.block_size() {
        bail!(
            "--max-games {} is less than a block of {} games",
            args.max_games,
            test.block_size()
        );
    }
    keep_sentence("Stopped before a block was finished, so there is no result.");
    let answer = |report: &SprtRunReport| SprtAnswer::of(args, &specs, &names, report);
    let bar = output::game_progress(0, args.max_games);
    let report = test.run_adjusted(args.adjust, stop_flag(), |report| {
        bar.set_message(format!("LLR {:.2}", report.status.llr));
        keep_result(|| args.output.written(&answer(report), SprtAnswer::text));
    })?;
    bar.finish_and_clear();
    args.output.print(&answer(&report), SprtAnswer::text)
}

#[derive(Serialize)]
struct SprtAnswer {
    a: String,
    b: String,
    /// What the text calls both.
    #[serde(skip)]
    names: Vec<String>,
    verdict: Verdict,
    games: u64,
    blocks: u64,
    llr: f64,
    lower: f64,
    upper: f64,
    elo0: f64,
    elo1: f64,
    elo: Option<f64>,
    elo_ci95: Option<[f64; 2]>,
    nelo: Option<f64>,
    los: Option<f64>,
    share_a: f64,
    share_b: f64,
    /// Games that A and B lost by forfeit.
    forfeits: [u64; 2],
    interrupted: bool,
    counts: Vec<(f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjustment_factor: Option<f64>,
    seed: u64,
    program: String,
}

impl SprtAnswer {
    fn of(
        args: &SprtArgs,
        [a, b]: &[String; 2],
        names: &[String],
        report: &SprtRunReport,
    ) -> SprtAnswer {
        let elo = report.elo.as_ref();
        let spread = elo.and_then(|elo| elo.spread.as_ref());
        SprtAnswer {
            a: a.clone(),
            b: b.clone(),
            names: names.to_vec(),
            verdict: report.verdict(),
            games: report.games,
            blocks: report.blocks,
            llr: report.status.llr,
            lower: report.status.lower,
            upper: report.status.upper,
            elo0: args.elo0,
            elo1: args.elo1,
            elo: elo.map(|elo| elo.elo),
            elo_ci95: spread.map(|spread| [spread.elo_ci95.low, spread.elo_ci95.high]),
            nelo: spread.map(|spread| spread.nelo),
            los: spread.map(|spread| spread.los),
            share_a: report.share_a,
            share_b: report.share_b,
            forfeits: report.forfeits,
            interrupted: stop_flag().load(Ordering::SeqCst)
                && report.verdict() == Verdict::Undecided,
            counts: report.counts.clone(),
            adjustment_factor: report.factor,
            seed: args.seed,
            program: report.program.to_string(),
        }
    }

    fn text(&self) -> String {
        let (a, b) = (&self.names[0], &self.names[1]);
        let verdict = match self.verdict {
            Verdict::ABetter => {
                format!("{a} is better than {b} (H1 accepted)")
            }
            Verdict::ANotBetter => {
                format!("{a} is not better than {b} (H0 accepted)")
            }
            Verdict::Undecided => format!("undecided between {a} and {b}"),
        };
        let elo = match (self.elo, self.elo_ci95) {
            (Some(elo), _) if elo.is_infinite() => "not known: one side won every game".to_owned(),
            (Some(elo), Some([low, high])) if high.is_infinite() => {
                format!("{elo:.1} ({low:.1} or more)")
            }
            (Some(elo), Some([low, high])) if low.is_infinite() => {
                format!("{elo:.1} ({high:.1} or less)")
            }
            (Some(elo), Some([low, high])) => format!("{elo:.1} ({low:.1} to {high:.1})"),
            (Some(elo), None) => format!("{elo:.1}"),
            _ => "not known yet".to_owned(),
        };
        let blocks: Vec<String> = self
            .counts
            .iter()
            .map(|(score, n)| format!("{score:.2}: {n:.0}"))
            .collect();
        let mut facts = vec![
            ("verdict", verdict),
            (
                "LLR",
                format!(
                    "{:.3} (bounds {:.3}, {:.3})",
                    self.llr, self.lower, self.upper
                ),
            ),
            (
                "hypotheses",
                format!("Elo {} against Elo {}", self.elo0, self.elo1),
            ),
            ("Elo", elo),
            (
                "shares",
                format!(
                    "{} {}, {} {}",
                    a,
                    output::percent(self.share_a),
                    b,
                    output::percent(self.share_b)
                ),
            ),
            (
                "games",
                format!(
                    "{} in {}, seed {}",
                    self.games,
                    output::blocks(self.blocks),
                    self.seed
                ),
            ),
        ];
        facts.extend(output::forfeits(
            self.names.iter().zip([&self.a, &self.b]).zip(self.forfeits),
        ));
        if let Some(factor) = self.adjustment_factor {
            facts.push(("adjustment", format!("worth {factor:.2} times the games")));
        }
        facts.push(("program", self.program.clone()));
        if blocks.len() <= 8 {
            facts.push(("blocks", blocks.join("  ")));
        }
        let next = match self.verdict {
            Verdict::Undecided if self.interrupted => {
                "the same command plays the same games and goes on"
            }
            Verdict::Undecided => "a larger --max-games, or --adjust, may decide it",
            _ => "hegemon arena add rates the better one in a pool",
        };
        let interrupted = match self.interrupted {
            true => "\nInterrupted: these are the blocks that were finished.\n",
            false => "",
        };
        output::facts(facts) + interrupted + &output::next_step(next)
    }
}
