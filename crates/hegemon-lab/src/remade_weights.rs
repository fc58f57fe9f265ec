//! The shipped weights of the linear evaluation, made again by their commands with three seeds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::Moments;
use hegemon_bots::{Grants, Spec};
use hegemon_core::Game;
use hegemon_eval::{Feature, Weights};
use hegemon_learn::ClopParams;
use hegemon_learn::weights::{Method, RegressionModel, RegressionParams, TrainParams, Trials, run};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{MapAndRules, SMOKE_ROUNDS};
use crate::other_means::{CommandAnswer, OtherCommand, OtherMeans, RepeatableRow};
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, interval_or_dash, number};
use crate::shipped_files;

/// Weights made again.
pub(crate) const WEIGHTS: Experiment = Experiment {
    name: "weights",
    paper: "beyond the papers",
    what: "the shipped weights of the linear evaluation, made again with three seeds",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// Seeds of every file, from that of the run on.
const N_SEEDS: u64 = 3;

/// A file that ships, and how it is made (its `trained-by`).
struct Recipe {
    file: &'static str,
    method: fn() -> Method,
    start: &'static str,
    n_games: u64,
    turn_limit: u32,
}

const RECIPES: [Recipe; 3] = [
    Recipe {
        file: "value-logistic",
        method: logistic,
        start: "default",
        n_games: 6000,
        turn_limit: 100,
    },
    Recipe {
        file: "greedy-spsa",
        method: || Method::Spsa {
            r_end: 0.02,
            c_end: 0.3,
            is_duel: false,
            trials: Trials::default(),
        },
        start: "greedy-logistic",
        n_games: 60_000,
        turn_limit: 60,
    },
    Recipe {
        file: "greedy-clop",
        method: || Method::Clop {
            params: ClopParams {
                has_correlations: false,
                ..ClopParams::default()
            },
            trials: Trials::default(),
        },
        start: "greedy-logistic",
        n_games: 30_000,
        turn_limit: 60,
    },
];

/// The file of weights that are not built in.
fn shipped_path(name: &str) -> String {
    format!("weights/{name}.toml")
}

/// Weights that ship, built in or as a file of the repository.
fn shipped(name: &str) -> Result<Weights, LabError> {
    let read = |path: &str| {
        let text = shipped_files::text(path).map(str::to_owned);
        text.ok_or_else(|| format!("the lab has no file \"{path}\""))
    };
    let found = match Weights::builtin(name) {
        Some(weights) => Ok(weights),
        None => Weights::load(&shipped_path(name), &read),
    };
    found.map_err(|error| LabError::Broken(error.to_string()))
}

fn logistic() -> Method {
    let greedy = "greedy(weights=wolf-witness-c)";
    let line_up = |specs: [&str; 2]| specs.map(str::to_owned).to_vec();
    Method::Logistic {
        line_ups: vec![
            line_up(["baseline", "baseline"]),
            line_up(["baseline", greedy]),
            line_up([greedy, greedy]),
        ],
        noise: 1.0,
        regression: RegressionParams {
            model: RegressionModel::Difference,
            discount: 1.0,
            precision: 0.1,
            ..RegressionParams::default()
        },
    }
}

/// Weights that were made again.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Remade {
    /// In the order of the features.
    values: Vec<f64>,
    /// Share of the training player against baseline.
    share: f64,
}

impl Recipe {
    fn n_games(&self, scale: Scale) -> u64 {
        scale.pick(32, self.n_games / 10, self.n_games)
    }

    fn key(&self, scale: Scale, seed: u64) -> String {
        format!(
            "{} from {} games, seed {seed}",
            self.file,
            self.n_games(scale)
        )
    }

    /// Expected processor seconds of a seed.
    fn seconds(&self, scale: Scale) -> f64 {
        self.n_games(scale) as f64 * 0.005
    }

    /// The command that trains the same.
    fn command(&self, table: &MapAndRules, params: &TrainParams) -> OtherCommand {
        let mut words = ["train", "weights"].map(str::to_owned).to_vec();
        words.extend(method_words(&params.method));
        words.extend(table.words());
        let start = match Weights::builtin(self.start) {
            Some(_) => self.start.to_owned(),
            None => shipped_path(self.start),
        };
        let numbers = [
            ("--games", params.n_games),
            ("--match-games", params.n_match_games),
            ("--turn-limit", u64::from(params.turn_limit)),
            ("--batch", params.batch),
            ("--seed", params.seed),
        ];
        words.extend(["--start".to_owned(), start]);
        for (name, value) in numbers {
            words.extend([name.to_owned(), value.to_string()]);
        }
        OtherCommand::new(words)
    }

    fn params(&self, game: Arc<Game>, scale: Scale, seed: u64) -> Result<TrainParams, LabError> {
        Ok(TrainParams {
            game,
            method: (self.method)(),
            agent: Spec::plain("greedy"),
            opponent: Spec::plain("baseline"),
            start: shipped(self.start)?,
            n_games: self.n_games(scale),
            n_match_games: scale.pick(4, 1000, 4000),
            turn_limit: scale.pick(SMOKE_ROUNDS, self.turn_limit, self.turn_limit),
            batch: 16,
            seed,
            n_threads: 1,
            grants: Grants::sealed(),
            command: "hegemon lab run weights".to_owned(),
        })
    }
}

const STRENGTH: &str = "Strength of the training player against baseline, % (50 is level)";

/// What `hegemon train weights` prints.
#[derive(Deserialize)]
struct PrintedStrength {
    share: f64,
}

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let game = MapAndRules::new("classic", "sampling")?;
    let scale = setting.scale;
    let mut rows = Vec::new();
    for recipe in &RECIPES {
        let mut commands = Vec::new();
        for seed in (0..N_SEEDS).map(|n| setting.seed.wrapping_add(n)) {
            let params = recipe.params(game.game(2)?, scale, seed)?;
            commands.push(recipe.command(&game, &params));
        }
        let seconds = N_SEEDS as f64 * recipe.seconds(scale);
        let row = RepeatableRow::new(STRENGTH, [Text::from(recipe.file)], commands, seconds);
        rows.push(
            row.comparing(&["first seed", "second", "third"], |answers| {
                let printed = answers.iter().map(CommandAnswer::value::<PrintedStrength>);
                printed.map(|p| Ok(number(100.0 * p?.share, 1))).collect()
            }),
        );
    }
    Ok(OtherMeans::Rows(rows))
}

/// The arguments of a method.
fn method_words(method: &Method) -> Vec<String> {
    let text = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    match method {
        Method::Logistic {
            line_ups,
            noise,
            regression,
        } => {
            let mut words = text(&["--method", "logistic", "--model", "difference"]);
            for line_up in line_ups {
                words.extend(["--line-up".to_owned(), line_up.join(",")]);
            }
            words.extend(["--noise".to_owned(), noise.to_string()]);
            words.extend(["--discount".to_owned(), regression.discount.to_string()]);
            words.extend(["--precision".to_owned(), regression.precision.to_string()]);
            words
        }
        Method::Spsa { r_end, c_end, .. } => {
            let numbers = [r_end.to_string(), c_end.to_string()];
            text(&[
                "--method",
                "spsa",
                "--r-end",
                &numbers[0],
                "--c-end",
                &numbers[1],
            ])
        }
        Method::Clop { .. } => text(&["--method", "clop", "--no-correlations"]),
    }
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let game = MapAndRules::new("classic", "sampling")?.game(2)?;
    let mut cells = Vec::new();
    for recipe in &RECIPES {
        for seed in (0..N_SEEDS).map(|n| setting.seed.wrapping_add(n)) {
            let params = recipe.params(Arc::clone(&game), setting.scale, seed)?;
            let cost = recipe.seconds(setting.scale);
            let work = move |stop: &AtomicBool| {
                let broken = |error: &dyn std::fmt::Display| LabError::Broken(error.to_string());
                let trained = run(&params, |_| (), stop, None).map_err(|error| broken(&error))?;
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let vector = trained.weights.vector();
                Ok(Some(Remade {
                    values: vector.0.to_vec(),
                    share: trained.strength.map_or(0.0, |strength| strength.share),
                }))
            };
            cells.push(Cell::new(recipe.key(setting.scale, seed), cost, work));
        }
    }
    Ok(cells)
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut strength = ReportTable::new(
        STRENGTH,
        &[
            "file",
            "#first seed",
            "#second",
            "#third",
            "#mean",
            "#95 % over seeds",
        ],
        Evidence::of(results, "greedy with the new weights".to_owned()),
    );
    let mut parts = Vec::new();
    let mut sentences = Vec::new();
    for recipe in &RECIPES {
        let seeds = (0..N_SEEDS).map(|n| results.setting.seed.wrapping_add(n));
        let made: Vec<Option<Remade>> = seeds
            .map(|seed| results.get(&recipe.key(scale, seed)))
            .collect::<Result<_, _>>()?;
        let shares: Moments = made.iter().flatten().map(|m| 100.0 * m.share).collect();
        let dash = || "–".to_owned();
        let share = |remade: &Option<Remade>| {
            let share = remade.as_ref().map(|remade| 100.0 * remade.share);
            share.map_or_else(dash, |share| number(share, 1))
        };
        let mean = shares.estimate();
        let mut cells = vec![recipe.file.to_owned()];
        cells.extend(made.iter().map(share));
        cells.push(mean.map_or_else(dash, |mean| number(mean.mean, 1)));
        cells.push(interval_or_dash(mean.and_then(|mean| mean.ci95), 1));
        strength.row(cells);
        sentences.extend(mean.map(|mean| format!("{} {} %", recipe.file, number(mean.mean, 1))));
        let size = format!("{} games of training a seed", recipe.n_games(scale));
        parts.push(SectionPart::Table(values_table(
            recipe,
            &made,
            Evidence::of(results, size),
        )));
    }
    parts.insert(
        0,
        SectionPart::Note(
            "Each file by the command in its trained-by, with three seeds; a quick run has a tenth of the \
             games. The weights of drafts are made again by 002-weights, those of beam by \
             004-evolution. default, greedy-logistic and contest-lux were made by programs that no longer \
             exist in that form; nets are trained by the commands of docs/champion.md."
                .to_owned(),
        ),
    );
    parts.insert(1, SectionPart::Table(strength));
    if !sentences.is_empty() {
        let words = format!(
            "Made again with three seeds, the training player wins against baseline with {}.",
            sentences.join(", ")
        );
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}

/// The shipped weights beside those made again.
fn values_table(recipe: &Recipe, made: &[Option<Remade>], evidence: Evidence) -> ReportTable {
    let mut table = ReportTable::new(
        &format!("Weights of {}", recipe.file),
        &[
            "feature",
            "#shipped",
            "#mean over seeds",
            "#95 % over seeds",
        ],
        evidence,
    );
    let shipped = shipped(recipe.file).ok().map(|weights| weights.vector());
    for (idx, feature) in Feature::ALL.iter().enumerate() {
        let dash = || "–".to_owned();
        let values = made.iter().flatten().filter_map(|m| m.values.get(idx));
        let values: Moments = values.copied().collect();
        let mean = values.estimate();
        table.row([
            feature.name().to_owned(),
            shipped
                .as_ref()
                .map_or_else(dash, |vector| number(vector.0[idx], 2)),
            mean.map_or_else(dash, |mean| number(mean.mean, 2)),
            interval_or_dash(mean.and_then(|mean| mean.ci95), 2),
        ]);
    }
    table
}
