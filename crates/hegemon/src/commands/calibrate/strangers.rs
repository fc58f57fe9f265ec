//! The value beside games of players that it has not met, at every kind of table.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use hegemon_analysis::{Bin, Calibration, Forecaster, Sampler};
use hegemon_arena::{
    GameNumber, GameSetup, Grounds, MatchError, Observer, Plan, Program, deal_seed, play_blocks,
    play_game, seat_orders,
};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Event, Game, Rng, Rules, State};
use hegemon_learn::svg::{Anchor, Axes, AxisScale, COLOURS, Picture, PlotMark, Words};
use hegemon_learn::value::{Population, TableKind};
use serde::Serialize;

use super::CalibrateArgs;
use crate::inputs;
use crate::interrupt::stop_flag;
use crate::output::{self, Column};

/// Ranges of the chance: around 10, 30, 50, 70 and 90 %.
const N_RANGES: usize = 5;

/// How far what was said may be from what happened.
const TOLERANCE: f64 = 0.03;

/// Plays at every table, then prints and draws.
pub(super) fn run(args: &CalibrateArgs) -> anyhow::Result<()> {
    inputs::check_place(args.plot.as_deref())?;
    let stop = stop_flag();
    let kinds = Rules::PRESETS
        .into_iter()
        .filter_map(|rules| TableKind::shipped("classic", rules, 1).map(|kind| (rules, kind)));
    let games: Vec<(&str, Arc<Game>)> = kinds
        .flat_map(|(rules, kind)| kind.games.into_iter().map(move |game| (rules, game)))
        .collect();
    let bar = output::progress(games.len() as u64);
    let mut tables = Vec::new();
    for (rules, game) in &games {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let calibration = calibrate(args, rules, game, stop)?;
        tables.push(TableLine::new(rules, game.n_players(), &calibration));
        bar.step();
    }
    bar.finish_and_clear();
    let answer = StrangersAnswer {
        program: Program::current().clone(),
        games_a_table: args.games,
        seed: args.seed,
        interrupted: stop.load(Ordering::SeqCst),
        tables,
    };
    if let Some(path) = &args.plot {
        inputs::write_file(path, &picture(&answer))?;
    }
    args.output.print(&answer, StrangersAnswer::text)
}

/// Plays blocks of line-ups that are drawn for each.
fn calibrate(
    args: &CalibrateArgs,
    rules: &str,
    game: &Arc<Game>,
    stop: &AtomicBool,
) -> anyhow::Result<Calibration> {
    let n_players = game.n_players();
    let sampler = Sampler::new(game).context("the linear evaluation is missing")?;
    let strangers: Vec<Spec> = Population::shipped().withheld;
    let label = format!("strangers {rules} {n_players}");
    let grounds = Grounds {
        game,
        grants: &Grants::sealed(),
        n_threads: args.threads.n(),
    };
    let lineup = |seed: u64| -> Vec<Spec> {
        let mut rng = Rng::from_seed(seed);
        let pick = |_| rng.pick(&strangers).cloned();
        (0..n_players).filter_map(pick).collect()
    };
    let mut calibration = Calibration::new(N_RANGES);
    play_blocks(
        &grounds,
        0..args.games.div_ceil(seat_orders(n_players).len() as u64),
        stop,
        |number| {
            let seed = deal_seed(args.seed, &label, number);
            Ok::<_, MatchError>(Plan::rotated(seed, lineup(seed)))
        },
        |setup: &GameSetup<'_>, _: GameNumber| {
            let mut witness = TurnWitness(sampler.clone());
            let played = play_game(setup, &mut witness)?;
            Ok((played, witness))
        },
        |block, witnesses| {
            for (game, witness) in block.games.iter().zip(&witnesses) {
                calibration.add(&witness.0, &game.scores());
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(calibration)
}

/// Sees a position of every turn.
struct TurnWitness(Sampler);

impl Observer for TurnWitness {
    fn on_event(&mut self, before: &State, _: Event) {
        self.0.see(before);
    }
}

#[derive(Serialize)]
struct StrangersAnswer {
    program: Program,
    games_a_table: u64,
    seed: u64,
    interrupted: bool,
    tables: Vec<TableLine>,
}

#[derive(Serialize)]
struct TableLine {
    rules: String,
    players: usize,
    games: u64,
    positions: u64,
    fifths: Vec<Bin>,
    log_loss: Vec<(&'static str, f64)>,
}

impl TableLine {
    fn new(rules: &str, players: usize, calibration: &Calibration) -> TableLine {
        TableLine {
            rules: rules.to_owned(),
            players,
            games: calibration.n_games(),
            positions: calibration.n_positions(),
            fifths: calibration.bins(),
            log_loss: Forecaster::ALL
                .map(|judge| (judge.name(), calibration.log_loss(judge)))
                .into(),
        }
    }

    /// Ranges that are off by more than is asked for, and those where that is no accident.
    fn n_off(&self) -> [usize; 2] {
        let beyond = |bin: &&Bin| bin.n > 0 && (bin.won - bin.said).abs() > TOLERANCE;
        let is_sure = |bin: &&Bin| (bin.won - bin.said).abs() > TOLERANCE + 2.0 * bin.error;
        let beyond: Vec<&Bin> = self.fifths.iter().filter(beyond).collect();
        [
            beyond.len(),
            beyond.iter().filter(|bin| is_sure(bin)).count(),
        ]
    }
}

impl StrangersAnswer {
    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("rules and players"),
            Column::Number("10 %"),
            Column::Number("30 %"),
            Column::Number("50 %"),
            Column::Number("70 %"),
            Column::Number("90 %"),
        ]);
        let mut losses = output::table([
            Column::Text("log-loss"),
            Column::Number("value"),
            Column::Number("linear evaluation"),
            Column::Number("share of armies"),
            Column::Number("positions"),
        ]);
        for line in &self.tables {
            let name = format!("{} {}", line.rules, line.players);
            let mut cells = vec![name.clone()];
            for bin in &line.fifths {
                cells.push(match bin.n {
                    0 => "-".to_owned(),
                    _ => format!(
                        "{:+.1} ± {:.1}",
                        100.0 * (bin.won - bin.said),
                        100.0 * bin.error
                    ),
                });
            }
            table.add_row(output::row(cells));
            let mut cells = vec![name];
            let judges = line.log_loss.iter().take(3);
            cells.extend(judges.map(|(_, loss)| format!("{loss:.3}")));
            cells.push(output::grouped(line.positions));
            losses.add_row(output::row(cells));
        }
        let n_ranges: usize = self.tables.iter().map(|line| line.fifths.len()).sum();
        let off = self.tables.iter().map(TableLine::n_off);
        let [n_off, n_sure] = off.fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let mut text = output::table_text(&table);
        text.push('\n');
        text += &output::wrapped(
            "Points won more often than said, with the standard error over games, by what was said.",
            0,
        );
        text.push('\n');
        text += &output::table_text(&losses);
        text.push('\n');
        text += &output::facts([
            (
                "off",
                format!(
                    "{n_off} of {n_ranges} by more than 3 points, {n_sure} of them by two standard errors more"
                ),
            ),
            (
                "games",
                format!("{} at each table, seed {}", self.games_a_table, self.seed),
            ),
            ("program", self.program.to_string()),
        ]);
        if self.interrupted {
            text += "\nInterrupted: these are the tables that were begun.\n";
        }
        text
    }
}

const PANEL: f64 = 220.0;
const MARGIN: [f64; 2] = [64.0, 70.0];
const HEADER: f64 = 60.0;
const COLUMNS: usize = 3;

/// A panel for each preset: chances said and won, a line for each number of players.
fn picture(answer: &StrangersAnswer) -> String {
    let mut presets: Vec<&str> = answer.tables.iter().map(|t| t.rules.as_str()).collect();
    presets.dedup();
    let cell = [PANEL + MARGIN[0], PANEL + MARGIN[1]];
    let size = [
        cell[0] * COLUMNS as f64 + 24.0,
        HEADER + cell[1] * presets.len().div_ceil(COLUMNS) as f64 + 16.0,
    ];
    let title = "Chances said and won, players that the nets have not met";
    let mut picture = Picture::new(size, title);
    let mut x = 16.0;
    for n in 2..=6 {
        x = picture.key(
            [x, 47.0],
            PlotMark::Square,
            colour(n),
            &format!("{n} players"),
        );
    }
    let note = "shade: three points on both sides";
    picture.text([x, 47.0], Anchor::Start, Words::Small, note);
    for (number, preset) in presets.iter().enumerate() {
        let left = MARGIN[0] + cell[0] * (number % COLUMNS) as f64;
        let top = HEADER + 28.0 + cell[1] * (number / COLUMNS) as f64;
        let axes = Axes {
            x: AxisScale::new([0.0, 100.0], [left, left + PANEL]),
            y: AxisScale::new([0.0, 100.0], [top + PANEL, top]),
        };
        axes.frame(&mut picture, preset);
        axes.mark_x(&mut picture, axes.x.ticks());
        axes.mark_y(&mut picture, axes.y.ticks());
        axes.label(&mut picture, "said, %");
        let t = 100.0 * TOLERANCE;
        let band = [[0.0, t], [100.0 - t, 100.0], [100.0, 100.0 - t], [t, 0.0]];
        picture.area(band.map(|[x, y]| axes.at(x, y)), "#7d8590");
        for line in answer.tables.iter().filter(|line| line.rules == *preset) {
            let bins = line.fifths.iter().filter(|bin| bin.n > 0);
            let points: Vec<_> = bins
                .map(|bin| axes.at(100.0 * bin.said, 100.0 * bin.won))
                .collect();
            picture.curve(points.iter().copied(), colour(line.players));
            for point in points {
                picture.mark(PlotMark::Dot, point, 2.5, colour(line.players));
            }
        }
    }
    picture.finish()
}

fn colour(n_players: usize) -> &'static str {
    COLOURS[(n_players - 2) % COLOURS.len()]
}
