//! `hegemon perft`: exhaustive counts of play.

use anyhow::bail;
use clap::Args;
use hegemon_core::{State, perft};
use serde::Serialize;

use crate::inputs::{self, GameChoice};
use crate::output::{self, Column, OutputArgs};

/// Count decisions and chance outcomes to a depth, to check the engine
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    game: GameChoice,
    /// Number of players [default: the fewest that the rules allow]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Count to this depth
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = depth)]
    depth: u32,
    /// Begin at the first decision after the deal of this seed
    #[arg(long, conflicts_with = "position")]
    seed: Option<u64>,
    /// Begin at this position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The largest depth: counts grow exponentially, and no computer finishes long
/// before this depth.
const MAX_DEPTH: u32 = 64;

/// The most steps to count, a trillion, which takes a day.
const MAX_STEPS: f64 = 1e12;

/// From this many steps on, counted within a second, the growth estimate is
/// reliable.
const ENOUGH_STEPS: f64 = 1e5;

fn depth(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(n @ 1..=MAX_DEPTH) => Ok(n),
        _ => Err(format!("it must be a number from 1 to {MAX_DEPTH}")),
    }
}

const AFTER_HELP: &str = "\
Counting begins before the deal unless --seed or --position says otherwise. A move and an outcome \
of chance are one step each. Each line counts all steps up to its depth, and the ends of games met \
on the way.

Example: hegemon perft --map triangle3 --rules sampling --seed 1 --depth 4";

/// Counts to every depth up to the requested one.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let start = start(args)?;
    let bar = output::progress(u64::from(args.depth));
    let mut depths: Vec<PerftLine> = Vec::new();
    for depth in 1..=args.depth {
        bar.set_message(format!("depth {depth}"));
        let count = perft(&start, depth);
        bar.inc(1);
        depths.push(PerftLine {
            depth,
            decisions: count.decisions,
            chances: count.chances,
            terminals: count.terminals,
        });
        check_growth(&depths, args.depth)?;
    }
    let count = PerftCount {
        position: start.to_position(),
        depths,
    };
    bar.finish_and_clear();
    args.output.print(&count, PerftCount::text)
}

/// Rejects an infeasible depth, once the counts show how they grow.
fn check_growth(depths: &[PerftLine], asked: u32) -> anyhow::Result<()> {
    let [.., before, last] = depths else {
        return Ok(());
    };
    let growth = last.steps() / before.steps();
    let expected = last.steps() * growth.powf(f64::from(asked - last.depth));
    if last.steps() < ENOUGH_STEPS || expected <= MAX_STEPS {
        return Ok(());
    }
    let more = ((MAX_STEPS / last.steps()).ln() / growth.ln()).max(0.0);
    bail!(
        "depth {asked} would take more than a trillion steps, the most that are counted; ask for \
         --depth {} or less",
        last.depth + more as u32
    )
}

fn start(args: &PerftArgs) -> anyhow::Result<State> {
    let game = args.game.resolve(args.players)?;
    Ok(match (&args.position, args.seed) {
        (Some(text), _) => inputs::position(&game, text)?,
        (None, Some(seed)) => game.deal(seed),
        (None, None) => game.start(),
    })
}

#[derive(Serialize)]
struct PerftCount {
    position: String,
    depths: Vec<PerftLine>,
}

#[derive(Serialize)]
struct PerftLine {
    depth: u32,
    decisions: u64,
    chances: u64,
    terminals: u64,
}

impl PerftLine {
    fn steps(&self) -> f64 {
        (self.decisions + self.chances).max(1) as f64
    }
}

impl PerftCount {
    fn text(&self) -> String {
        let mut table = output::table([
            Column::Number("depth"),
            Column::Number("decisions"),
            Column::Number("chances"),
            Column::Number("terminals"),
        ]);
        for line in &self.depths {
            let counts = [
                u64::from(line.depth),
                line.decisions,
                line.chances,
                line.terminals,
            ];
            table.add_row(output::row(counts.map(output::grouped)));
        }
        output::table_text(&table)
    }
}
