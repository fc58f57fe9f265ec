//! Every map tried by self-play: what it favours, and how long games last.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::Interval;
use hegemon_arena::{MapTrial, MapTrialReport, WinShare};
use hegemon_core::Map;
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::MapAndRules;
use crate::other_means::{OtherCommand, OtherMeans, RepeatableRow};
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, interval_or_dash, number};
use crate::shipped_files;

/// The maps by self-play.
pub(crate) const MAPS: Experiment = Experiment {
    name: "maps",
    paper: "beyond the papers",
    what: "what the maps favour: who moves first, each continent, and the length of games",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| Ok(OtherMeans::Rows(tried_again(setting))),
};

/// Maps that people play on.
const NAMES: [&str; 10] = [
    "classic",
    "archipelago80",
    "ring24",
    "isthmus30",
    "hub31",
    "islands40",
    "twoworlds48",
    "rivers56",
    "honeycomb61",
    "empires110",
];

const N_PLAYERS: usize = 3;
const PRESET: &str = "lux";
const BOT: &str = "quo";

/// Processor seconds a game.
const SECONDS: f64 = 0.003;

fn names(scale: Scale) -> &'static [&'static str] {
    scale.pick(&NAMES[2..3], &NAMES[..], &NAMES[..])
}

fn n_games(scale: Scale) -> u64 {
    scale.pick(10, 1000, 10_000)
}

/// A mean with its interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Estimated {
    mean: f64,
    ci95: Option<[f64; 2]>,
}

impl Estimated {
    fn of(share: &WinShare) -> Estimated {
        Estimated {
            mean: 100.0 * share.share,
            ci95: Some([100.0 * share.ci95.low, 100.0 * share.ci95.high]),
        }
    }

    fn texts(self) -> [String; 2] {
        let interval = self.ci95.map(|[low, high]| Interval { low, high });
        [number(self.mean, 1), interval_or_dash(interval, 1)]
    }
}

/// What a trial showed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tried {
    /// Shares of the first and of the last to move.
    first: Option<Estimated>,
    last: Option<Estimated>,
    /// Share of the wins of who first held a continent, by its name.
    continents: Vec<(String, Estimated)>,
    rounds: Estimated,
}

impl Tried {
    fn of(map: &Map, report: &MapTrialReport) -> Tried {
        let holder = |found: &hegemon_arena::ContinentTrial| {
            let name = map.continent_name(found.continent).to_owned();
            Some((name, Estimated::of(found.holder.as_ref()?)))
        };
        Tried {
            first: report.by_order.first().map(Estimated::of),
            last: report.by_order.last().map(Estimated::of),
            continents: report.continents.iter().filter_map(holder).collect(),
            rounds: Estimated {
                mean: report.rounds.mean,
                ci95: report.rounds.ci95.map(|ci| [ci.low, ci.high]),
            },
        }
    }

    /// The continents whose first holder wins the least and the most.
    fn extremes(&self) -> [Option<&(String, Estimated)>; 2] {
        let by_share =
            |a: &&(String, Estimated), b: &&(String, Estimated)| a.1.mean.total_cmp(&b.1.mean);
        let all = || self.continents.iter();
        [all().min_by(by_share), all().max_by(by_share)]
    }
}

fn key(name: &str, n_games: u64) -> String {
    format!("{name}: {n_games} games of {N_PLAYERS} {BOT}, {PRESET}")
}

fn cell(name: &str, setting: RunSetting) -> Result<Cell, LabError> {
    let n_games = n_games(setting.scale);
    let trial = MapTrial {
        game: MapAndRules::new(name, PRESET)?.game(N_PLAYERS)?,
        bot: BOT.parse()?,
        n_games,
        seed: setting.seed,
        n_threads: 1,
        grants: shipped_files::grants(),
    };
    let job = move |stop: &AtomicBool| {
        let report = trial.run(stop, |_| ())?;
        let is_whole = !stop.load(Ordering::Relaxed);
        let report = report.filter(|_| is_whole);
        Ok(report.map(|report| Tried::of(trial.game.map(), &report)))
    };
    Ok(Cell::new(key(name, n_games), SECONDS * n_games as f64, job))
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let names = names(setting.scale).iter();
    names.map(|name| cell(name, setting)).collect()
}

const TABLE: &str = "What the maps favour";

/// What `hegemon maps check` prints.
#[derive(Deserialize)]
struct PrintedTrial {
    order: Vec<PrintedShare>,
    continents: Vec<PrintedContinent>,
    rounds: Estimated,
}

#[derive(Deserialize)]
struct PrintedShare {
    share: f64,
    ci95: [f64; 2],
}

#[derive(Deserialize)]
struct PrintedContinent {
    name: String,
    holder: Option<PrintedShare>,
}

impl PrintedShare {
    fn estimated(&self) -> Estimated {
        Estimated {
            mean: 100.0 * self.share,
            ci95: Some(self.ci95.map(|end| 100.0 * end)),
        }
    }
}

impl PrintedTrial {
    fn tried(self) -> Tried {
        let holder = |found: PrintedContinent| {
            let share = found.holder?.estimated();
            Some((found.name, share))
        };
        Tried {
            first: self.order.first().map(PrintedShare::estimated),
            last: self.order.last().map(PrintedShare::estimated),
            continents: self.continents.into_iter().filter_map(holder).collect(),
            rounds: self.rounds,
        }
    }
}

/// The columns that are compared, and their places in a row.
const COMPARED: [(&str, usize); 6] = [
    ("first to move wins, %", 1),
    ("95 %", 2),
    ("last to move wins, %", 3),
    ("weakest continent", 5),
    ("strongest continent", 8),
    ("rounds", 11),
];

fn tried_again(setting: RunSetting) -> Vec<RepeatableRow> {
    let n_games = n_games(setting.scale);
    let row = |name: &&'static str| {
        let name: &'static str = name;
        let (games, seed) = (n_games.to_string(), setting.seed.to_string());
        let players = N_PLAYERS.to_string();
        let words = [
            "maps",
            "check",
            name,
            "--rules",
            PRESET,
            "--players",
            &players,
        ];
        let words = words
            .into_iter()
            .chain(["--games", &games, "--seed", &seed]);
        let commands = vec![OtherCommand::new(words)];
        let seconds = SECONDS * n_games as f64;
        let row = RepeatableRow::new(TABLE, [Text::Code(name.to_owned())], commands, seconds);
        row.comparing(&COMPARED.map(|(column, _)| column), move |answers| {
            let Some(answer) = answers.first() else {
                return Ok(Vec::new());
            };
            let row = cells(name, &answer.value::<PrintedTrial>()?.tried());
            Ok(COMPARED.map(|(_, place)| row[place].words()).to_vec())
        })
    };
    names(setting.scale).iter().map(row).collect()
}

fn render(results: &Results) -> Result<Section, LabError> {
    let setting = results.setting;
    let n_games = n_games(setting.scale);
    let columns = [
        "map",
        "#first to move wins, %",
        "#95 %",
        "#last to move wins, %",
        "#95 %",
        "weakest continent",
        "#its first holder wins, %",
        "#95 %",
        "strongest continent",
        "#its first holder wins, %",
        "#95 %",
        "#rounds",
        "#95 %",
    ];
    let mut table = ReportTable::new(TABLE, &columns, Evidence::default());
    let mut n_maps = 0;
    let mut firsts: Vec<(f64, &str)> = Vec::new();
    for name in names(setting.scale) {
        let Some(tried) = results.get::<Tried>(&key(name, n_games))? else {
            continue;
        };
        n_maps += 1;
        firsts.extend(tried.first.map(|first| (first.mean, *name)));
        table.row(cells(name, &tried));
    }
    let size = format!(
        "{} games of {N_PLAYERS} {BOT} under {PRESET}",
        n_maps * n_games
    );
    table.evidence = Evidence::of(results, size);
    table.notes.push(
        "One bot plays all seats; level is one third. The first holder of a continent is who first began a turn with all of \
         it; weakest and strongest are the continents whose first holder wins the least and the most."
            .to_owned(),
    );
    let mut parts = vec![SectionPart::Table(table)];
    firsts.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(((low, fair), (high, unfair))) = firsts.first().zip(firsts.last()) {
        let words = format!(
            "Who moves first wins from {} % ({fair}) to {} % ({unfair}) of the games of three.",
            number(*low, 1),
            number(*high, 1)
        );
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}

fn cells(name: &str, tried: &Tried) -> Vec<Text> {
    let dashes = || ["–".to_owned(), "–".to_owned()];
    let texts = |estimated: Option<Estimated>| estimated.map_or_else(dashes, Estimated::texts);
    let mut cells = vec![Text::Code(name.to_owned())];
    cells.extend(texts(tried.first).map(Text::from));
    cells.extend(texts(tried.last).map(Text::from));
    for found in tried.extremes() {
        let name = found.map_or("–", |(name, _)| name.as_str());
        cells.push(Text::from(name));
        cells.extend(texts(found.map(|(_, share)| *share)).map(Text::from));
    }
    cells.extend(tried.rounds.texts().map(Text::from));
    cells
}
