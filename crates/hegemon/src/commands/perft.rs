//! `hegemon perft`: exhaustive counts of play.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use hegemon_core::{Perft, State, perft_while};
use serde::Serialize;

use crate::inputs::{self, GameChoice};
use crate::interrupt::silent_stop_flag;
use crate::output::{self, Column, OutputArgs, Progress};
use crate::values;

/// Count decisions and chance outcomes to a depth, to check the engine
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    game: GameChoice,
    /// Number of players [default: the fewest that the rules allow]
    #[arg(long, value_name = "N", value_parser = values::players())]
    players: Option<usize>,
    /// Count to this depth
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = values::whole::<u32>(1..=u64::from(MAX_DEPTH)))]
    depth: u32,
    /// Begin at the first decision after the deal of this seed
    #[arg(long, conflicts_with = "position", value_parser = values::seed())]
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

/// Steps that are counted within an hour or so: as deep as anybody is advised
/// to count.
const ADVISED_STEPS: f64 = 2e10;

/// How often somebody who waits is told how far it is.
const NOTICE: Duration = Duration::from_secs(2);

/// From this many steps on, counted within a second, the growth estimate is
/// reliable.
const ENOUGH_STEPS: f64 = 1e5;
const AFTER_HELP: &str = "\
Counting begins before the deal unless --seed or --position says otherwise. A move and an outcome \
of chance are one step each. Each line counts all steps up to its depth, and the ends of games met \
on the way.

Example: hegemon perft --map triangle3 --rules sampling --seed 1 --depth 4";

/// Counts to every depth up to the requested one. Ctrl-C ends it with the
/// depths that were counted.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let start = start(args)?;
    let stop = silent_stop_flag();
    let bar = output::progress(u64::from(args.depth));
    let mut depths: Vec<PerftLine> = Vec::new();
    for depth in 1..=args.depth {
        let mut notice = Notice::new(&bar, depth, expected_steps(&depths, depth));
        let count = perft_while(&start, depth, |count| {
            notice.tell(count);
            !stop.load(Ordering::Relaxed)
        });
        let Some(count) = count else {
            break;
        };
        bar.step();
        depths.push(PerftLine::new(depth, count));
        check_growth(&depths, args.depth)?;
    }
    let count = PerftCount {
        position: start.to_position(),
        interrupted: depths.len() < args.depth as usize,
        depths,
    };
    bar.finish_and_clear();
    args.output.print(&count, PerftCount::text)
}

/// Tells how far the count of a depth is: in the bar, or in a line now and then
/// where there is no terminal.
struct Notice<'a> {
    bar: &'a Progress,
    depth: u32,
    expected: Option<f64>,
    told: Instant,
}

impl<'a> Notice<'a> {
    fn new(bar: &'a Progress, depth: u32, expected: Option<f64>) -> Notice<'a> {
        bar.set_message(format!("depth {depth}"));
        Notice {
            bar,
            depth,
            expected,
            told: Instant::now(),
        }
    }

    fn tell(&mut self, count: &Perft) {
        if self.told.elapsed() < NOTICE / 2 {
            return;
        }
        self.told = Instant::now();
        let line = self.line(count);
        if self.bar.is_hidden() {
            output::warn(&line);
        } else {
            self.bar.set_message(line);
        }
    }

    fn line(&self, count: &Perft) -> String {
        let (depth, n_steps) = (self.depth, count.decisions + count.chances);
        let counted = format!("depth {depth}: {} steps", output::grouped(n_steps));
        match self.expected {
            Some(expected) => {
                let about = output::grouped(rounded_up(expected));
                format!("{counted} of about {about}")
            }
            None => counted,
        }
    }
}

/// The number with its first two digits, the others nought: more is not known.
fn rounded_up(steps: f64) -> u64 {
    let scale = 10f64.powf((steps.max(1.0).log10().floor() - 1.0).max(0.0));
    ((steps / scale).ceil() * scale) as u64
}

/// How many steps this depth will have, as far as the last two depths tell.
fn expected_steps(depths: &[PerftLine], asked: u32) -> Option<f64> {
    let [.., before, last] = depths else {
        return None;
    };
    let growth = last.steps() / before.steps();
    Some(last.steps() * growth.powf(f64::from(asked - last.depth)))
}

/// Rejects an infeasible depth, once the counts show how they grow.
fn check_growth(depths: &[PerftLine], asked: u32) -> anyhow::Result<()> {
    let (Some(expected), Some(last)) = (expected_steps(depths, asked), depths.last()) else {
        return Ok(());
    };
    if last.steps() < ENOUGH_STEPS || expected <= MAX_STEPS {
        return Ok(());
    }
    let is_advised = |depth: &u32| {
        let expected = expected_steps(depths, *depth);
        expected.is_some_and(|steps| steps <= ADVISED_STEPS)
    };
    let advised = (last.depth + 1..asked).take_while(is_advised).last();
    let advised = advised.unwrap_or(last.depth);
    let steps = expected_steps(depths, advised).unwrap_or_default();
    bail!(
        "depth {asked} would take more than a trillion steps, the most that are counted; ask for \
         --depth {advised} or less, which is about {} steps",
        output::grouped(rounded_up(steps))
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
    /// Whether it was stopped before the requested depth.
    interrupted: bool,
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
    fn new(depth: u32, count: Perft) -> PerftLine {
        PerftLine {
            depth,
            decisions: count.decisions,
            chances: count.chances,
            terminals: count.terminals,
        }
    }

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
        let mut text = output::table_text(&table);
        if self.interrupted {
            text += "\nInterrupted: these are the depths that were finished.\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, n_steps: u64) -> PerftLine {
        let chances = n_steps;
        PerftLine::new(
            depth,
            Perft {
                chances,
                ..Perft::default()
            },
        )
    }

    /// On the classic map the advice was a depth that takes a day.
    #[test]
    fn the_advised_depth_takes_an_hour_at_most() {
        let depths = [line(4, 140_000), line(5, 5_500_000)];
        check_growth(&depths, 8).expect("less than a trillion steps");
        let refused = check_growth(&depths, 9).expect_err("too deep").to_string();
        let advice = "--depth 7 or less, which is about 8,500,000,000 steps";
        assert!(refused.ends_with(advice), "{refused}");
    }

    #[test]
    fn progress_names_the_depth_and_how_many_steps_are_expected() {
        let bar = Progress::hidden();
        let count = Perft {
            chances: 1_234_567,
            ..Perft::default()
        };
        let expected = expected_steps(&[line(4, 140_000), line(5, 5_500_000)], 6);
        let told = Notice::new(&bar, 6, expected).line(&count);
        assert_eq!(told, "depth 6: 1,234,567 steps of about 220,000,000");
        let told = Notice::new(&bar, 2, None).line(&count);
        assert_eq!(told, "depth 2: 1,234,567 steps");
    }
}
