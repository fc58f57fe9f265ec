//! Lozano and Bratz 2012: sweeps of what its text leaves open, and other readings of its field.

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules};
use crate::other_means::OtherMeans;
use crate::p001::PAPER;
use crate::plot::{DotPlot, RefLine};
use crate::repeated_match::FIRST_WINS;
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};

/// Exploration constant, budget, goals and fields.
pub(crate) const SWEEPS: Experiment = Experiment {
    name: "001-sweeps",
    paper: "Lozano and Bratz 2012",
    what: "exploration constant, budget, each goal left out, other fields",
    needs: &["goal-uct"],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// A change of the paper's method.
struct Variant {
    group: &'static str,
    name: &'static str,
    changed: &'static str,
    /// Multiple of the usual iterations, in hundredths.
    budget: u32,
}

const fn variant(group: &'static str, name: &'static str, changed: &'static str) -> Variant {
    Variant {
        group,
        name,
        changed,
        budget: 100,
    }
}

const fn budget(name: &'static str, budget: u32) -> Variant {
    Variant {
        budget,
        ..variant("budget", name, "")
    }
}

/// All changes, the method itself first.
const VARIANTS: [Variant; 13] = [
    variant("the method", "as in 001-goals", ""),
    variant("exploration", "c = 0.01", "c=0.01"),
    variant("exploration", "c = 0.03", "c=0.03"),
    variant("exploration", "c = 0.3", "c=0.3"),
    variant("exploration", "c = 1", "c=1"),
    variant("exploration", "c = 1.414", "c=1.414"),
    budget("a fifth of the iterations", 20),
    budget("five times the iterations", 500),
    budget("25 times the iterations", 2500),
    variant("goals", "without continents", "goals=eliminate+deny"),
    variant("goals", "without eliminations", "goals=continent+deny"),
    variant("goals", "without denials", "goals=continent+eliminate"),
    variant("goals", "with cards", "goals=all"),
];

/// Readings of "the best provided AIs": rivals of the agent.
const FIELDS: [(&str, &[&str]); 6] = [
    (
        "the reading of 001-goals",
        &["killbot", "quo", "evil-pixie"],
    ),
    ("three players", &["killbot", "quo"]),
    ("two players", &["killbot"]),
    (
        "six players, the five best",
        &["killbot", "quo", "evil-pixie", "boscoe", "better-pixie"],
    ),
    ("four players, easy bots", &["angry", "cluster", "pixie"]),
    (
        "six players, easy bots",
        &["angry", "communist", "stinky", "cluster", "pixie"],
    ),
];

fn lux() -> Result<MapAndRules, LabError> {
    MapAndRules::new("classic-lux", "lux")
}

fn iterations(scale: Scale) -> u32 {
    scale.pick(4, 100, 500)
}

fn agent(variant: &Variant, scale: Scale) -> String {
    let iters = (iterations(scale) * variant.budget / 100).max(1);
    let parameters = crate::p001::with(PAPER, variant.changed);
    // An argument that the method does not name.
    let extra = match variant.changed.starts_with("c=") {
        true => format!(",{}", variant.changed),
        false => String::new(),
    };
    format!("goal-uct({parameters}{extra},iters={iters})")
}

fn variant_match(variant: &Variant, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let specs = [
        agent(variant, scale),
        "killbot".into(),
        "quo".into(),
        "evil-pixie".into(),
    ];
    let seconds = scale.pick(0.01, 0.03, 0.1) * f64::from(variant.budget) / 100.0;
    ChunkedMatch::new(&lux()?, &specs, scale.pick(4, 160, 2000), seconds)
}

fn field_match(rivals: &[&str], scale: Scale) -> Result<ChunkedMatch, LabError> {
    let mut specs = vec![agent(&VARIANTS[0], scale)];
    specs.extend(rivals.iter().map(|&rival| rival.to_owned()));
    let n_games = scale.pick(rivals.len() as u64 + 1, 160, 2000);
    ChunkedMatch::new(&lux()?, &specs, n_games, scale.pick(0.01, 0.05, 0.2))
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for variant in &VARIANTS {
        cells.extend(variant_match(variant, setting.scale)?.cells(setting)?);
    }
    // The first field is that of the variants.
    for (_, rivals) in &FIELDS[1..] {
        cells.extend(field_match(rivals, setting.scale)?.cells(setting)?);
    }
    Ok(cells)
}

const VARIANT_TABLE: &str = "Variants of the paper's method against killbot, quo and evil-pixie";
const FIELD_TABLE: &str = "Other readings of the field";

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let mut rows = Vec::new();
    for variant in &VARIANTS {
        let games = variant_match(variant, setting.scale)?;
        let row = [variant.group, variant.name].map(Text::from);
        rows.push(games.repeatable(setting, VARIANT_TABLE, row, &FIRST_WINS));
    }
    for (name, rivals) in &FIELDS[1..] {
        let games = field_match(rivals, setting.scale)?;
        rows.push(games.repeatable(setting, FIELD_TABLE, [Text::from(*name)], &FIRST_WINS));
    }
    Ok(OtherMeans::Rows(rows))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        VARIANT_TABLE,
        &[
            "what",
            "variant",
            "#wins, %",
            "#95 % over blocks",
            "#gain, points",
            "#95 % over blocks",
            "spec",
        ],
        Evidence::default(),
    );
    let mut plot = DotPlot {
        title: "Lozano and Bratz 2012: sweeps around the paper's method".to_owned(),
        axis: "wins against killbot, quo and evil-pixie, %".to_owned(),
        rows: Vec::new(),
    };
    let method = variant_match(&VARIANTS[0], scale)?.read(results)?;
    let (mut n_games, mut endings, mut best) = (0, Endings::default(), None);
    for variant in &VARIANTS {
        let games = variant_match(variant, scale)?;
        let result = games.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        let share = result.share(0).map(Ours::percent);
        let gain = result.gain_over(&method).map(Ours::percent);
        let texts = |ours: Option<&Ours>| {
            let dash = || "–".to_owned();
            [
                ours.map_or_else(dash, |ours| number(ours.value, 1)),
                interval_or_dash(ours.and_then(|ours| ours.interval), 1),
            ]
        };
        let [wins, wins_interval] = texts(share.as_ref());
        let [gained, gain_interval] = texts(gain.as_ref());
        table.row([
            Text::from(variant.group),
            Text::from(variant.name),
            Text::from(wins),
            Text::from(wins_interval),
            Text::from(gained),
            Text::from(gain_interval),
            Text::Code(games.first_spec()),
        ]);
        if let Some(share) = share {
            if best.as_ref().is_none_or(|(_, most)| share.value > *most) {
                best = Some((variant, share.value));
            }
            let name = format!("{}: {}", variant.group, variant.name);
            plot.rows
                .push((name, None, Some((share.value, share.interval))));
        }
    }
    table.evidence = Evidence::of(results, format!("{n_games} games of four")).ended(&endings);
    let mut parts = Vec::new();
    if let (Some((variant, share)), Some((own, _))) = (best, method.share(0)) {
        parts.push(SectionPart::Takeaway(Text::Plain(format!(
            "Of the sweeps, \"{}\" wins the most: {} % where the method wins {} %.",
            variant.name,
            number(share, 1),
            number(100.0 * own, 1)
        ))));
    }
    parts.extend([
        SectionPart::Table(table),
        SectionPart::Plot(Plot {
            name: "001-sweeps".to_owned(),
            about: "Shares of variants of the paper's method in one field".to_owned(),
            svg: plot.svg_with(&[RefLine::chance(4)]),
        }),
        SectionPart::Table(field_table(results)?),
    ]);
    Ok(Section { parts })
}

/// The same agent in other readings of its field.
fn field_table(results: &Results) -> Result<ReportTable, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        FIELD_TABLE,
        &[
            "field",
            "rivals",
            "#wins, %",
            "#95 % over blocks",
            "#chance, %",
            "#games",
        ],
        Evidence::default(),
    );
    let (mut n_games, mut endings) = (0, Endings::default());
    for (number_of, (name, rivals)) in FIELDS.iter().enumerate() {
        let games = match number_of {
            0 => variant_match(&VARIANTS[0], scale)?,
            _ => field_match(rivals, scale)?,
        };
        let result = games.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        let share = result.share(0).map(Ours::percent);
        let dash = || "–".to_owned();
        table.row([
            Text::from(*name),
            Text::Code(rivals.join(" ")),
            Text::from(
                share
                    .as_ref()
                    .map_or_else(dash, |ours| number(ours.value, 1)),
            ),
            Text::from(interval_or_dash(share.and_then(|ours| ours.interval), 1)),
            Text::from(number(100.0 / (1.0 + rivals.len() as f64), 1)),
            Text::from(result.n_games().to_string()),
        ]);
    }
    table.evidence = Evidence::of(results, format!("{n_games} games")).ended(&endings);
    Ok(table)
}
