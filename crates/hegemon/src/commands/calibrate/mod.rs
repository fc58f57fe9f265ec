//! `hegemon calibrate`: is the value right, and does luck add up to nothing?

mod strangers;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, ensure};
use clap::Args;
use hegemon_analysis::{Bin, Calibration, Forecaster, LuckKind, LuckLaw, LuckSums, Sampler};
use hegemon_arena::stats::Moments;
use hegemon_arena::{
    GameNumber, GameSetup, Match, MatchError, Observer, Played, Program, play_blocks, play_game,
};
use hegemon_bots::Spec;
use hegemon_core::{Event, State};
use serde::Serialize;

use crate::inputs::{GameChoice, ThreadCount};
use crate::interrupt::stop_flag;
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Check the value against games: chances said and won, and the sum of all luck
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CalibrateArgs {
    /// The players; the shipped nets have not met shaft, vulture, bort, trotsky, stinky
    #[arg(required_unless_present = "strangers", num_args = 2..=6, value_name = "SPEC", value_parser = values::spec(), hide_possible_values = true)]
    specs: Vec<Spec>,
    /// All presets and numbers of players instead, with line-ups drawn from the players that
    /// the nets have not met; --games is then for each of these tables
    #[arg(long, conflicts_with_all = ["specs", "map", "rules"])]
    strangers: bool,
    /// Draw the chances said and won of all tables into this file (SVG)
    #[arg(long, value_name = "FILE", requires = "strangers")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    game: GameChoice,
    /// Play at least this many games; the last block is played to its end
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = values::games())]
    games: u64,
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
Positions at the beginning of every turn are put into tenths by the chance that the value gives each player. \
The errors are over games, since positions of one game are not independent. Mean luck must be zero: t is the \
mean over its standard error. Ctrl-C reports the games so far. \
With --strangers the ranges are fifths, around 10, 30, 50, 70 and 90 %.

Example: hegemon calibrate shaft vulture bort --rules lux --games 2000 --seed 97
         hegemon calibrate --strangers --games 400 --seed 97 --plot calibration.svg";

/// Plays and reports.
pub(crate) fn run(args: &CalibrateArgs) -> anyhow::Result<()> {
    if args.strangers {
        return strangers::run(args);
    }
    // The parser does not ask for --strangers where it would conflict with players.
    ensure!(args.plot.is_none(), "--plot is for --strangers");
    let games = Match {
        game: args.game.resolve(Some(args.specs.len()))?,
        specs: args.specs.clone(),
        n_games: args.games,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: args.programs.grants(),
        records: None,
    };
    games.check()?;
    let sampler = Sampler::new(&games.game).context("the linear evaluation is missing")?;
    let law = LuckLaw::new(&games.game);
    let fresh = Witness {
        law,
        luck: LuckSums::new(),
        sampler,
    };
    let bar = output::progress(games.n_blocks() * games.block_size());
    let stop = stop_flag();
    let mut calibration = Calibration::new(10);
    let mut luck = vec![[Moments::default(); LuckKind::ALL.len()]; args.specs.len()];
    play_blocks(
        &games.grounds(),
        0..games.n_blocks(),
        stop,
        |number| Ok::<_, MatchError>(games.plan(number, &games.specs)),
        |setup: &GameSetup<'_>, _: GameNumber| {
            let mut witness = fresh.clone();
            let played = play_game(setup, &mut witness)?;
            Ok((played, witness))
        },
        |block, witnesses| {
            for (game, witness) in block.games.iter().zip(&witnesses) {
                calibration.add(&witness.sampler, &game.scores());
                count_luck(&mut luck, game, &witness.luck);
            }
            bar.set_position(calibration.n_games());
            Ok(ControlFlow::Continue(()))
        },
    )?;
    bar.finish_and_clear();
    let answer = CalibrateAnswer {
        program: Program::current().clone(),
        games: calibration.n_games(),
        positions: calibration.n_positions(),
        seed: args.seed,
        interrupted: stop.load(Ordering::SeqCst),
        tenths: calibration.bins(),
        log_loss: Forecaster::ALL
            .map(|judge| (judge.name(), calibration.log_loss(judge)))
            .into(),
        luck: args
            .specs
            .iter()
            .zip(&luck)
            .map(|(spec, luck)| LuckLine::of(spec, luck))
            .collect(),
    };
    args.output.print(&answer, CalibrateAnswer::text)
}

/// Sees a game: its luck, and a position of every turn.
#[derive(Clone)]
struct Witness {
    law: LuckLaw,
    luck: LuckSums,
    sampler: Sampler,
}

impl Observer for Witness {
    fn on_event(&mut self, before: &State, event: Event) {
        self.luck.add(&self.law, before, event);
        self.sampler.see(before);
    }
}

fn count_luck(luck: &mut [[Moments; LuckKind::ALL.len()]], game: &Played, sums: &LuckSums) {
    for (player, moments) in luck.iter_mut().enumerate() {
        let Some(seat) = game.seat_of(player) else {
            continue;
        };
        for (moments, kind) in moments.iter_mut().zip(LuckKind::ALL) {
            moments.push(sums.of(kind)[seat]);
        }
    }
}

#[derive(Serialize)]
struct CalibrateAnswer {
    program: Program,
    games: u64,
    positions: u64,
    seed: u64,
    interrupted: bool,
    tenths: Vec<Bin>,
    log_loss: Vec<(&'static str, f64)>,
    luck: Vec<LuckLine>,
}

#[derive(Serialize)]
struct LuckLine {
    player: String,
    /// By kind: mean over games, and its standard error.
    dice: [f64; 2],
    cards: [f64; 2],
    deal: [f64; 2],
}

impl LuckLine {
    fn of(spec: &Spec, luck: &[Moments; LuckKind::ALL.len()]) -> LuckLine {
        let of = |kind: LuckKind| {
            let moments = &luck[kind as usize];
            let n = moments.n() as f64;
            let error = moments.variance().map_or(0.0, |v| (v / n).sqrt());
            [moments.mean().unwrap_or(0.0), error]
        };
        LuckLine {
            player: spec.to_string(),
            dice: of(LuckKind::Dice),
            cards: of(LuckKind::Cards),
            deal: of(LuckKind::Deal),
        }
    }
}

impl CalibrateAnswer {
    fn text(&self) -> String {
        let mut table = output::table([
            Column::Number("said %"),
            Column::Number("won %"),
            Column::Number("±"),
            Column::Number("off"),
            Column::Number("positions"),
        ]);
        for bin in self.tenths.iter().filter(|bin| bin.n > 0) {
            table.add_row(output::row([
                format!("{:.1}", 100.0 * bin.said),
                format!("{:.1}", 100.0 * bin.won),
                format!("{:.1}", 100.0 * bin.error),
                format!("{:+.1}", 100.0 * (bin.won - bin.said)),
                output::grouped(bin.n),
            ]));
        }
        let mut text = output::table_text(&table);
        text.push('\n');
        let losses = self.log_loss.iter();
        text += &output::facts(losses.map(|(name, loss)| (*name, format!("log-loss {loss:.4}"))));
        text.push('\n');
        text += &self.luck_text();
        text.push('\n');
        text += &output::facts([
            (
                "games",
                format!(
                    "{} with {} positions, seed {}",
                    output::grouped(self.games),
                    output::grouped(self.positions),
                    self.seed
                ),
            ),
            ("program", self.program.to_string()),
        ]);
        if self.interrupted {
            text += "\nInterrupted: these are the blocks that were finished.\n";
        }
        text
    }

    fn luck_text(&self) -> String {
        let mut table = output::table([
            Column::Text("mean luck in points"),
            Column::Number("dice"),
            Column::Number("t"),
            Column::Number("cards"),
            Column::Number("t"),
            Column::Number("deal"),
            Column::Number("t"),
        ]);
        for line in &self.luck {
            let mut cells = vec![line.player.clone()];
            for [mean, error] in [line.dice, line.cards, line.deal] {
                cells.push(format!("{:+.3}", 100.0 * mean));
                cells.push(match error > 0.0 {
                    true => format!("{:+.2}", mean / error),
                    false => "-".to_owned(),
                });
            }
            table.add_row(output::row(cells));
        }
        output::table_text(&table)
    }
}
