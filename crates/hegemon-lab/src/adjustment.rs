//! What the adjustment for luck is worth, and whether it is unbiased: many short matches of the
//! same players, plain and adjusted.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::Moments;
use hegemon_arena::{Adjust, Match};
use hegemon_bots::Spec;
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::MapAndRules;
use crate::other_means::{CommandAnswer, OtherCommand, OtherMeans, RepeatableRow};
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, number, signed_number};
use crate::shipped_files;

/// Adjusted matches beside plain ones.
pub(crate) const ADJUSTMENT: Experiment = Experiment {
    name: "adjustment",
    paper: "beyond the papers",
    what: "what it is worth to take luck out of results, and whether that is unbiased",
    needs: &["champion", "goal-uct"],
    plan,
    render,
    other_means: |setting, _| {
        Ok(OtherMeans::Rows(
            ALL.iter().map(|a| a.again(setting)).collect(),
        ))
    },
};

/// Players under some rules with an adjustment.
struct Adjusted {
    rules: &'static str,
    players: &'static [&'static str],
    adjust: Adjust,
    /// Matches at the scales, and games of each.
    n_matches: [u64; 3],
    n_games: u64,
    /// Processor seconds a game.
    seconds: f64,
}

const KILLBOT_QUO: &[&str] = &["killbot", "quo"];
const MANY: [u64; 3] = [2, 60, 200];
const FEW: [u64; 3] = [1, 12, 60];

static ALL: [Adjusted; 6] = [
    Adjusted {
        rules: "lux",
        players: KILLBOT_QUO,
        adjust: Adjust::Dice,
        n_matches: MANY,
        n_games: 60,
        seconds: 0.001,
    },
    Adjusted {
        rules: "lux",
        players: KILLBOT_QUO,
        adjust: Adjust::Value,
        n_matches: MANY,
        n_games: 60,
        seconds: 0.003,
    },
    Adjusted {
        rules: "lux",
        players: KILLBOT_QUO,
        adjust: Adjust::Lookahead,
        n_matches: MANY,
        n_games: 60,
        seconds: 0.045,
    },
    Adjusted {
        rules: "lux",
        players: &["killbot", "quo", "evil-pixie", "boscoe"],
        adjust: Adjust::Value,
        n_matches: MANY,
        n_games: 60,
        seconds: 0.006,
    },
    Adjusted {
        rules: "sampling",
        players: &["baseline", "simulation"],
        adjust: Adjust::Value,
        n_matches: MANY,
        n_games: 200,
        seconds: 0.003,
    },
    Adjusted {
        rules: "lux",
        players: &["champion(looks=4)", "goal-uct"],
        adjust: Adjust::Lookahead,
        n_matches: FEW,
        n_games: 40,
        seconds: 0.4,
    },
];

fn name(adjust: Adjust) -> &'static str {
    match adjust {
        Adjust::Dice => "dice",
        Adjust::Value => "value",
        Adjust::Lookahead => "lookahead",
    }
}

/// The share of the first player in a match, plain and adjusted, with the widths of the intervals.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Shares {
    share: f64,
    ci95: [f64; 2],
    adjusted: Option<(f64, [f64; 2])>,
}

impl Adjusted {
    fn n_matches(&self, scale: Scale) -> u64 {
        let [smoke, quick, paper] = self.n_matches;
        scale.pick(smoke, quick, paper)
    }

    fn n_games(&self, scale: Scale) -> u64 {
        scale.pick(4, self.n_games, self.n_games)
    }

    /// The seed of a match: one that its command can be given.
    fn seed(setting: RunSetting, number: u64) -> u64 {
        setting.seed.wrapping_mul(1000).wrapping_add(number)
    }

    fn key(&self, scale: Scale, number: u64) -> String {
        format!(
            "{} {} by {}, {} games, match {number}",
            self.players.join(" v "),
            self.rules,
            name(self.adjust),
            self.n_games(scale)
        )
    }

    /// The command that plays a match.
    fn command(&self, setting: RunSetting, number: u64) -> OtherCommand {
        let games = self.n_games(setting.scale).to_string();
        let seed = Adjusted::seed(setting, number).to_string();
        let mut words = vec!["match"];
        words.extend(self.players);
        words.extend(["--map", "classic", "--rules", self.rules]);
        words.extend(["--games", &games, "--adjust", name(self.adjust)]);
        words.extend(["--seed", &seed]);
        OtherCommand::new(words)
    }

    /// What tells its row from the others.
    fn row(&self) -> [Text; 3] {
        [
            Text::Code(self.players.join(" ")),
            Text::from(self.rules),
            Text::from(name(self.adjust)),
        ]
    }

    fn again(&self, setting: RunSetting) -> RepeatableRow {
        let scale = setting.scale;
        let numbers = 0..self.n_matches(scale);
        let commands = numbers.map(|number| self.command(setting, number));
        let n_games = self.n_matches(scale) * self.n_games(scale);
        let seconds = self.seconds * n_games as f64;
        let row = RepeatableRow::new(TABLE, self.row(), commands.collect(), seconds);
        row.comparing(&FOUND, |answers| {
            let printed = answers.iter().map(CommandAnswer::value::<PrintedShares>);
            let shares = printed.map(|printed| printed.and_then(PrintedShares::of_first));
            let matches: Vec<Shares> = shares.collect::<Result<_, _>>()?;
            let found = Found::of(&matches);
            Ok(found.map_or_else(Vec::new, |found| found.texts(matches.len()).to_vec()))
        })
    }

    fn bot_match(&self, setting: RunSetting, number: u64) -> Result<Match, LabError> {
        let specs = self.players.iter().map(|text| text.parse());
        Ok(Match {
            game: MapAndRules::new("classic", self.rules)?.game(self.players.len())?,
            specs: specs.collect::<Result<Vec<Spec>, _>>()?,
            n_games: self.n_games(setting.scale),
            seed: Adjusted::seed(setting, number),
            n_threads: 1,
            grants: shipped_files::grants(),
            records: None,
        })
    }

    fn cell(&'static self, setting: RunSetting, number: u64) -> Result<Cell, LabError> {
        let bot_match = self.bot_match(setting, number)?;
        let cost = self.seconds * self.n_games(setting.scale) as f64;
        let job = move |stop: &AtomicBool| {
            let report = bot_match.run_adjusted(self.adjust, stop, |_| ())?;
            let first = &report.players[0];
            let shares = Shares {
                share: first.share,
                ci95: first.ci95,
                adjusted: first.adjusted_share.zip(first.adjusted_ci95),
            };
            Ok((!stop.load(Ordering::Relaxed)).then_some(shares))
        };
        Ok(Cell::new(self.key(setting.scale, number), cost, job))
    }

    fn read(&self, results: &Results) -> Result<Vec<Shares>, LabError> {
        let scale = results.setting.scale;
        let numbers = 0..self.n_matches(scale);
        let read = numbers.map(|number| results.get(&self.key(scale, number)));
        Ok(read
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect())
    }
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for adjusted in &ALL {
        for number in 0..adjusted.n_matches(setting.scale) {
            cells.push(adjusted.cell(setting, number)?);
        }
    }
    Ok(cells)
}

const TABLE: &str = "Matches, plain and adjusted";

/// The columns of what the matches of a row show together.
const FOUND: [&str; 7] = [
    "share, %",
    "shift in points",
    "shift over its error",
    "plain holds",
    "adjusted holds",
    "width",
    "worth",
];

/// What `hegemon match` prints of a match.
#[derive(Deserialize)]
struct PrintedShares {
    players: Vec<PrintedShare>,
}

#[derive(Deserialize)]
struct PrintedShare {
    share: f64,
    ci95: [f64; 2],
    adjusted_share: Option<f64>,
    adjusted_ci95: Option<[f64; 2]>,
}

impl PrintedShares {
    fn of_first(self) -> Result<Shares, LabError> {
        let missing = || LabError::Broken("the match has no players".to_owned());
        let first = self.players.into_iter().next().ok_or_else(missing)?;
        Ok(Shares {
            share: first.share,
            ci95: first.ci95,
            adjusted: first.adjusted_share.zip(first.adjusted_ci95),
        })
    }
}

/// What the matches of a row show together.
struct Found {
    share: f64,
    adjusted: Moments,
    shift: Moments,
    /// Intervals that hold the share of all games, plain and adjusted.
    n_holding: [usize; 2],
    /// Sums of widths, over the matches that have both intervals.
    widths: [f64; 2],
}

impl Found {
    fn of(matches: &[Shares]) -> Option<Found> {
        let share = matches
            .iter()
            .map(|m| m.share)
            .collect::<Moments>()
            .mean()?;
        let holds = |[low, high]: [f64; 2]| low <= share && share <= high;
        let width = |[low, high]: [f64; 2]| high - low;
        let mut found = Found {
            share,
            adjusted: Moments::default(),
            shift: Moments::default(),
            n_holding: [matches.iter().filter(|m| holds(m.ci95)).count(), 0],
            widths: [0.0; 2],
        };
        for (plain, (adjusted, ci95)) in matches.iter().filter_map(|m| Some((m, m.adjusted?))) {
            found.adjusted.push(adjusted);
            found.shift.push(adjusted - plain.share);
            found.n_holding[1] += usize::from(holds(ci95));
            found.widths[0] += width(plain.ci95);
            found.widths[1] += width(ci95);
        }
        Some(found)
    }

    /// The width of the adjusted intervals as a part of the plain ones.
    fn width(&self) -> Option<f64> {
        let [plain, adjusted] = self.widths;
        (plain > 0.0).then(|| adjusted / plain)
    }

    /// The texts of [`FOUND`].
    fn texts(&self, n_matches: usize) -> [String; FOUND.len()] {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let shift = self.shift.mean().map(|mean| signed_number(100.0 * mean, 2));
        [
            number(100.0 * self.share, 1),
            or_dash(shift),
            or_dash(self.t().map(|t| signed_number(t, 1))),
            format!("{} of {n_matches}", self.n_holding[0]),
            format!("{} of {}", self.n_holding[1], self.adjusted.n()),
            or_dash(self.width().map(|width| number(width, 2))),
            or_dash(self.worth().map(|worth| number(worth, 2))),
        ]
    }

    /// How many times as many games a plain interval of the adjusted width needs.
    fn worth(&self) -> Option<f64> {
        self.width().map(|width| width.powi(-2))
    }

    /// The shift in standard errors.
    fn t(&self) -> Option<f64> {
        let error = (self.shift.variance()? / self.shift.n() as f64).sqrt();
        (error > 0.0).then(|| self.shift.mean().unwrap_or(0.0) / error)
    }
}

fn render(results: &Results) -> Result<Section, LabError> {
    let columns = [
        "players",
        "rules",
        "adjusted by",
        "#matches",
        "#games of each",
    ];
    let found = FOUND.map(|column| format!("#{column}"));
    let columns: Vec<&str> = columns
        .into_iter()
        .chain(found.iter().map(String::as_str))
        .collect();
    let mut table = ReportTable::new(TABLE, &columns, Evidence::default());
    let mut n_games = 0;
    let mut worths: Vec<(f64, String)> = Vec::new();
    let mut largest_shift: f64 = 0.0;
    for adjusted in &ALL {
        let matches = adjusted.read(results)?;
        let games_of_each = adjusted.n_games(results.setting.scale);
        n_games += matches.len() as u64 * games_of_each;
        let Some(found) = Found::of(&matches) else {
            continue;
        };
        let worth = found.worth();
        let who = format!(
            "{} by {}",
            adjusted.players.join(", "),
            name(adjusted.adjust)
        );
        worths.extend(worth.map(|worth| (worth, who)));
        largest_shift = found
            .t()
            .map_or(largest_shift, |t| largest_shift.max(t.abs()));
        let mut cells = adjusted.row().to_vec();
        cells.extend([matches.len().to_string(), games_of_each.to_string()].map(Text::from));
        cells.extend(found.texts(matches.len()).map(Text::from));
        table.row(cells);
    }
    table.evidence = Evidence::of(results, format!("{n_games} games, seats rotated"));
    table.notes.push(
        "The share is that of the first player over all games of a row, which stands for the truth; an interval of 95 % of a \
         match holds it or not. Width: of the adjusted intervals, as a part of the plain ones; worth: how many times as many \
         games a plain interval of that width needs."
            .to_owned(),
    );
    let mut parts = vec![SectionPart::Table(table)];
    worths.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((worth, who)) = worths.last() {
        let words = format!(
            "Taking luck out is worth at most {} times the games ({who}); no mean is shifted by more than {} standard errors.",
            number(*worth, 2),
            number(largest_shift, 1)
        );
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}
