//! The value beside games of players that the nets have not met: chances said and won, at every
//! kind of table.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_analysis::{Bin, Calibration, Forecaster, Sampler};
use hegemon_arena::{
    GameNumber, GameSetup, Grounds, Observer, Plan, deal_seed, play_blocks, play_game, seat_orders,
};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Event, Game, Rng, Rules, State};
use hegemon_learn::svg::{Anchor, Axes, AxisScale, COLOURS, Picture, PlotMark, Words};
use hegemon_learn::value::{Population, TableKind};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::other_means::{OtherCommand, OtherMeans, RepeatableRow};
use crate::section::{
    Evidence, Plot, ReportTable, Section, SectionPart, Text, number, signed_number,
};

/// The value beside strangers.
pub(crate) const CALIBRATION: Experiment = Experiment {
    name: "calibration",
    paper: "beyond the papers",
    what: "chances said and won: the value in games of players that the nets have not met",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| Ok(OtherMeans::Rows(said_again(setting))),
};

/// Ranges of the chance: around 10, 30, 50, 70 and 90 %.
const N_RANGES: usize = 5;

/// How far what was said may be from what happened.
const TOLERANCE: f64 = 0.03;

/// Processor seconds a game.
const SECONDS: f64 = 0.003;

/// A table at which strangers play: a preset with a number of players.
#[derive(Clone, Debug)]
pub struct StrangerTable {
    /// Name of the preset.
    pub rules: &'static str,
    game: Arc<Game>,
}

impl StrangerTable {
    /// Every preset with every number of players that it allows on the classic map.
    pub fn all() -> Vec<StrangerTable> {
        let of_preset = |rules: &'static str| {
            let kind = TableKind::shipped("classic", rules, 1);
            let games = kind.map_or_else(Vec::new, |kind| kind.games);
            games
                .into_iter()
                .map(move |game| StrangerTable { rules, game })
        };
        Rules::PRESETS.into_iter().flat_map(of_preset).collect()
    }

    /// Plays blocks of line-ups that are drawn for each, until they are done or stopped.
    ///
    /// # Errors
    ///
    /// If a stranger cannot be built.
    pub fn play(
        &self,
        n_games: u64,
        seed: u64,
        n_threads: usize,
        stop: &AtomicBool,
    ) -> Result<ChancesSaid, LabError> {
        let n_players = self.game.n_players();
        let sampler = Sampler::new(&self.game);
        let sampler = sampler.map_err(|error| LabError::Broken(error.to_string()))?;
        let strangers: Vec<Spec> = Population::shipped().withheld;
        let label = format!("strangers {} {n_players}", self.rules);
        let grounds = Grounds {
            game: &self.game,
            grants: &Grants::sealed(),
            n_threads,
        };
        let lineup = |seed: u64| -> Vec<Spec> {
            let mut rng = Rng::from_seed(seed);
            let pick = |_| rng.pick(&strangers).cloned();
            (0..n_players).filter_map(pick).collect()
        };
        let mut calibration = Calibration::new(N_RANGES);
        play_blocks(
            &grounds,
            0..n_games.div_ceil(seat_orders(n_players).len() as u64),
            stop,
            |number| {
                let seed = deal_seed(seed, &label, number);
                Ok::<_, LabError>(Plan::rotated(seed, lineup(seed)))
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
        Ok(ChancesSaid::new(self.rules, n_players, &calibration))
    }

    fn key(&self, n_games: u64) -> String {
        format!("{} {} {n_games}", self.rules, self.game.n_players())
    }
}

/// Sees a position of every turn.
struct TurnWitness(Sampler);

impl Observer for TurnWitness {
    fn on_event(&mut self, before: &State, _: Event) {
        self.0.see(before);
    }
}

/// What was said at a table and what happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChancesSaid {
    /// Name of the preset.
    pub rules: String,
    pub players: usize,
    pub games: u64,
    pub positions: u64,
    /// The ranges of the chance.
    pub fifths: Vec<Bin>,
    /// By the name of the judge.
    pub log_loss: Vec<(String, f64)>,
}

impl ChancesSaid {
    fn new(rules: &str, players: usize, calibration: &Calibration) -> ChancesSaid {
        ChancesSaid {
            rules: rules.to_owned(),
            players,
            games: calibration.n_games(),
            positions: calibration.n_positions(),
            fifths: calibration.bins(),
            log_loss: Forecaster::ALL
                .map(|judge| (judge.name().to_owned(), calibration.log_loss(judge)))
                .into(),
        }
    }

    /// Ranges that are off by more than is asked for, and those where that is no accident.
    pub fn n_off(&self) -> [usize; 2] {
        let beyond = |bin: &&Bin| bin.n > 0 && (bin.won - bin.said).abs() > TOLERANCE;
        let is_sure = |bin: &&Bin| (bin.won - bin.said).abs() > TOLERANCE + 2.0 * bin.error;
        let beyond: Vec<&Bin> = self.fifths.iter().filter(beyond).collect();
        [
            beyond.len(),
            beyond.iter().filter(|bin| is_sure(bin)).count(),
        ]
    }
}

fn tables(scale: Scale) -> Vec<StrangerTable> {
    let all = StrangerTable::all();
    let n = scale.pick(2, all.len(), all.len());
    all.into_iter().take(n).collect()
}

fn n_games(scale: Scale) -> u64 {
    scale.pick(4, 2000, 6000)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let n_games = n_games(setting.scale);
    let cell = |table: StrangerTable| {
        let key = table.key(n_games);
        Cell::new(key, SECONDS * n_games as f64, move |stop: &AtomicBool| {
            let said = table.play(n_games, setting.seed, 1, stop)?;
            Ok((!stop.load(Ordering::Relaxed)).then_some(said))
        })
    };
    Ok(tables(setting.scale).into_iter().map(cell).collect())
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut all: Vec<ChancesSaid> = Vec::new();
    for table in tables(scale) {
        all.extend(results.get::<ChancesSaid>(&table.key(n_games(scale)))?);
    }
    let mut parts = Vec::new();
    if !all.is_empty() {
        parts.push(SectionPart::Takeaway(Text::Plain(takeaway(&all))));
    }
    parts.push(SectionPart::Note(
        "The classic map, line-ups drawn from the players that were withheld from the nets, each deal in all \
         seat orders; games end after 100 rounds, as in training. The beginning of every turn counts. In games of \
         two the ranges mirror each other."
            .to_owned(),
    ));
    parts.push(SectionPart::Table(said_table(&all, results)));
    parts.push(SectionPart::Plot(Plot {
        name: "calibration".to_owned(),
        about: "Chances said and won, a line for each number of players".to_owned(),
        svg: calibration_picture(&all),
    }));
    Ok(Section { parts })
}

fn takeaway(all: &[ChancesSaid]) -> String {
    let n_ranges: usize = all.iter().map(|said| said.fifths.len()).sum();
    let n_off: usize = all.iter().map(|said| said.n_off()[0]).sum();
    let n_sure: usize = all.iter().map(|said| said.n_off()[1]).sum();
    let is_best = |said: &&ChancesSaid| {
        let losses = || said.log_loss.iter().map(|(_, loss)| *loss);
        losses().next() == losses().min_by(f64::total_cmp)
    };
    format!(
        "Of {n_ranges} ranges of the chance {n_off} are off by more than three points, {n_sure} of them by two \
         standard errors more; the value has the least log-loss at {} of {} tables.",
        all.iter().filter(is_best).count(),
        all.len()
    )
}

const TABLE: &str = "Won more often than said";

/// Chances and what became of them at a table, as a row shows them.
fn said_cells(said: &ChancesSaid) -> Vec<String> {
    let losses = said.log_loss.iter().take(3);
    let losses = losses.map(|(_, loss)| number(*loss, 3));
    said.fifths.iter().map(off_text).chain(losses).collect()
}

fn table_name(rules: &str, players: usize) -> String {
    format!("{rules}, {players}")
}

/// What `hegemon calibrate --strangers` prints.
#[derive(Deserialize)]
struct PrintedTables {
    tables: Vec<ChancesSaid>,
}

fn said_again(setting: RunSetting) -> Vec<RepeatableRow> {
    let n_games = n_games(setting.scale);
    let all = StrangerTable::all().len();
    let row = |table: StrangerTable| {
        let name = table_name(table.rules, table.game.n_players());
        let games = n_games.to_string();
        let seed = setting.seed.to_string();
        let words = [
            "calibrate",
            "--strangers",
            "--games",
            &games,
            "--seed",
            &seed,
        ];
        let commands = vec![OtherCommand::new(words)];
        let seconds = SECONDS * (n_games as usize * all) as f64;
        let columns = [
            "10 %", "30 %", "50 %", "70 %", "90 %", "log-loss", "linear", "armies",
        ];
        let row = RepeatableRow::new(TABLE, [Text::from(name.clone())], commands, seconds);
        row.comparing(&columns, move |answers| {
            let Some(answer) = answers.first() else {
                return Ok(Vec::new());
            };
            let printed: PrintedTables = answer.value()?;
            let mut all = printed.tables.iter();
            let found = all.find(|said| table_name(&said.rules, said.players) == name);
            Ok(found.map_or_else(Vec::new, said_cells))
        })
    };
    tables(setting.scale).into_iter().map(row).collect()
}

fn said_table(all: &[ChancesSaid], results: &Results) -> ReportTable {
    let columns = [
        "rules, players",
        "#10 %",
        "#30 %",
        "#50 %",
        "#70 %",
        "#90 %",
        "#log-loss",
        "#linear",
        "#armies",
    ];
    let mut table = ReportTable::new(TABLE, &columns, Evidence::default());
    for said in all {
        let mut cells = vec![table_name(&said.rules, said.players)];
        cells.extend(said_cells(said));
        table.row(cells);
    }
    let games: u64 = all.iter().map(|said| said.games).sum();
    let positions: u64 = all.iter().map(|said| said.positions).sum();
    table.evidence = Evidence::of(results, format!("{games} games, {positions} positions"));
    table.notes.push(
        "The first five columns are the ranges around these chances: how many points more often than said a \
         position was won, ± the standard error over games. The last three are the log-loss of the value, of the \
         linear evaluation and of the share of armies."
            .to_owned(),
    );
    table
}

/// By how many points more often than said a range was won.
fn off_text(bin: &Bin) -> String {
    if bin.n == 0 {
        return "–".to_owned();
    }
    let off = signed_number(100.0 * (bin.won - bin.said), 1);
    format!("{off} ± {}", number(100.0 * bin.error, 1))
}

const PANEL: f64 = 220.0;
const MARGIN: [f64; 2] = [64.0, 70.0];
const HEADER: f64 = 60.0;
const COLUMNS: usize = 3;

/// A panel for each preset as SVG: chances said and won, a line for each number of players.
pub fn calibration_picture(all: &[ChancesSaid]) -> String {
    let mut presets: Vec<&str> = all.iter().map(|said| said.rules.as_str()).collect();
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
        let of_preset = all.iter().filter(|said| said.rules == *preset);
        draw_panel(&mut picture, [left, top], preset, of_preset);
    }
    picture.finish()
}

fn draw_panel<'a>(
    picture: &mut Picture,
    [left, top]: [f64; 2],
    title: &str,
    tables: impl Iterator<Item = &'a ChancesSaid>,
) {
    let axes = Axes {
        x: AxisScale::new([0.0, 100.0], [left, left + PANEL]),
        y: AxisScale::new([0.0, 100.0], [top + PANEL, top]),
    };
    axes.frame(picture, title);
    axes.mark_x(picture, axes.x.ticks());
    axes.mark_y(picture, axes.y.ticks());
    axes.label(picture, "said, %");
    let t = 100.0 * TOLERANCE;
    let band = [[0.0, t], [100.0 - t, 100.0], [100.0, 100.0 - t], [t, 0.0]];
    picture.area(band.map(|[x, y]| axes.at(x, y)), "#7d8590");
    for said in tables {
        let bins = said.fifths.iter().filter(|bin| bin.n > 0);
        let points: Vec<_> = bins
            .map(|bin| axes.at(100.0 * bin.said, 100.0 * bin.won))
            .collect();
        picture.curve(points.iter().copied(), colour(said.players));
        for point in points {
            picture.mark(PlotMark::Dot, point, 2.5, colour(said.players));
        }
    }
}

fn colour(n_players: usize) -> &'static str {
    COLOURS[(n_players - 2) % COLOURS.len()]
}
