//! Paper 001: the attack phase searched with goals, against the best bots that
//! Lux provides.

use hegemon_arena::stats::Interval;
use hegemon_bots::{Spec, check};

use crate::experiment::{Cell, Experiment, LabError, Results, Scale, Setting};
use crate::matches::{Match, MatchResult, Table as GameTable};
use crate::plot::DotPlot;
use crate::published::row;
use crate::section::{Block, Evidence, Ours, Plot, Section, Table, Text, interval_text, number};

/// The provided bots among themselves.
pub(crate) const PROVIDED: Experiment = Experiment {
    name: "001-provided",
    paper: "paper 001",
    what: "the best provided bot in its own field (38 %)",
    needs: &[],
    plan: |setting| provided(setting.scale)?.cells(setting),
    render: render_provided,
};

/// The agent and its ablations.
pub(crate) const GOALS: Experiment = Experiment {
    name: "001-goals",
    paper: "paper 001",
    what: "the agent against the best provided bots (73 %), and ablations",
    needs: &["goal-uct"],
    plan: plan_goals,
    render: render_goals,
};

/// The better Lux bots (spec attack_uct).
const FIELD: [&str; 4] = ["killbot", "quo", "evil-pixie", "boscoe"];

/// What stands in the seat of the agent: its name and its parameters.
const SEATED: [(&str, &str); 9] = [
    (
        "the paper's method: three goals, sampled battles",
        "goals=continent+eliminate+deny,battles=sampled",
    ),
    ("all our goals, exact battles", ""),
    ("exact battles", "goals=continent+eliminate+deny"),
    ("goal: continents only", "goals=continent"),
    ("goal: eliminations only", "goals=eliminate"),
    ("goal: denials only", "goals=deny"),
    ("all phases searched", "phases=all"),
    ("four times the search", "iters=800"),
    ("the base alone", "base"),
];

fn lux() -> Result<GameTable, LabError> {
    GameTable::new("classic-lux", "lux")
}

fn provided(scale: Scale) -> Result<Match, LabError> {
    Match::new(&lux()?, &FIELD, scale.pick(4, 12_000, 20_000), 0.0004)
}

fn render_provided(results: &Results) -> Result<Section, LabError> {
    let games = provided(results.setting.scale)?;
    let result = games.read(results)?;
    let size = format!(
        "{} games of four, seats rotated, mean {} rounds",
        result.n_games(),
        number(result.mean_rounds(), 1)
    );
    let evidence = Evidence::of(results, size).checked_by(games.command(results.setting));
    let shares: Vec<Option<(f64, Interval)>> = (0..FIELD.len()).map(|p| result.share(p)).collect();
    let best = shares.iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
    let mut table = Table::comparison("The best provided bot", evidence.clone());
    let ours = best.map(|&share| Ours::percent(share));
    table.compare(row("001/field/provided"), ours.as_ref());
    let mut all = Table::new("All four", &["bot", "#wins, %", "#95 %"], evidence);
    for (bot, share) in FIELD.iter().zip(&shares) {
        let ours = share.map(Ours::percent);
        all.row(share_cells(Text::Code((*bot).to_owned()), ours.as_ref()));
    }
    Ok(Section {
        blocks: vec![Block::Table(table), Block::Table(all)],
    })
}

fn share_cells(name: Text, ours: Option<&Ours>) -> [Text; 3] {
    let dash = || "–".to_owned();
    let interval = ours.and_then(|ours| ours.interval);
    [
        name,
        Text::from(ours.map_or_else(dash, |ours| number(ours.value, 1))),
        Text::from(interval.map_or_else(dash, |ci| interval_text(ci, 1))),
    ]
}

fn spec_of(parameters: &str, scale: Scale) -> String {
    match parameters {
        "base" => "killbot".to_owned(),
        "" => format!("goal-uct(iters={})", scale.pick(4, 200, 1000)),
        _ if parameters.starts_with("iters=") => {
            format!("goal-uct(iters={})", scale.pick(16, 800, 4000))
        }
        _ => format!("goal-uct({parameters},iters={})", scale.pick(4, 200, 1000)),
    }
}

/// The matches of an agent against every triple of the field; none if this build
/// does not know a parameter.
fn triples(parameters: &str, scale: Scale) -> Result<Option<Vec<Match>>, LabError> {
    let spec = spec_of(parameters, scale);
    let table = lux()?;
    let game = table.game(4)?;
    let is_known = spec
        .parse()
        .is_ok_and(|spec: Spec| check(&spec, &game).is_ok());
    if !is_known {
        return Ok(None);
    }
    let n_games = scale.pick(4, 160, 600);
    let seconds = match parameters {
        "base" => 0.002,
        _ if parameters.starts_with("iters=") => scale.pick(0.02, 0.35, 1.7),
        _ => scale.pick(0.01, 0.09, 0.45),
    };
    let triple = |left_out: &&str| {
        let mut specs = vec![spec.clone()];
        let others = FIELD.iter().filter(|bot| *bot != left_out);
        specs.extend(others.map(|&bot| bot.to_owned()));
        Match::new(&table, &specs, n_games, seconds)
    };
    let triples = FIELD.iter().map(triple);
    triples.collect::<Result<Vec<Match>, LabError>>().map(Some)
}

fn plan_goals(setting: Setting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for (_, parameters) in SEATED {
        for games in triples(parameters, setting.scale)?.into_iter().flatten() {
            cells.extend(games.cells(setting)?);
        }
    }
    Ok(cells)
}

/// Mean share over matches, as independent estimates.
fn mean_share(results: &[MatchResult]) -> Option<(f64, Interval)> {
    let shares: Option<Vec<(f64, Interval)>> = results.iter().map(|r| r.share(0)).collect();
    let shares = shares.filter(|shares| !shares.is_empty())?;
    let n = shares.len() as f64;
    let mean = shares.iter().map(|s| s.0).sum::<f64>() / n;
    let squares: f64 = shares.iter().map(|s| s.1.half_width().powi(2)).sum();
    let interval = Interval::around(mean, squares.sqrt() / n);
    Some((
        mean,
        Interval {
            low: interval.low.max(0.0),
            high: interval.high.min(1.0),
        },
    ))
}

fn render_goals(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut seated = Table::new(
        "Every agent in the seat, wins in percent (25 is level)",
        &[
            "agent",
            "spec",
            "#mean",
            "#95 %",
            "#without killbot",
            "#without quo",
            "#without evil-pixie",
            "#without boscoe",
        ],
        Evidence::default(),
    );
    let mut plot = DotPlot {
        title: "Paper 001: one agent among three of the best Lux bots".to_owned(),
        axis: "wins, mean of the four triples, %".to_owned(),
        rows: Vec::new(),
    };
    let (mut n_games, mut best): (u64, Option<Ours>) = (0, None);
    let mut check = None;
    for (name, parameters) in SEATED {
        let spec = Text::Code(spec_of(parameters, scale));
        let Some(matches) = triples(parameters, scale)? else {
            let mut cells = vec![Text::from(name), spec];
            cells.extend((0..6).map(|_| Text::from("not in this build")));
            seated.row(cells);
            continue;
        };
        let read = matches.iter().map(|games| games.read(results));
        let played: Vec<MatchResult> = read.collect::<Result<_, _>>()?;
        n_games += played.iter().map(MatchResult::n_games).sum::<u64>();
        let ours = mean_share(&played).map(Ours::percent);
        let [_, mean, interval] = share_cells(Text::from(name), ours.as_ref());
        let mut cells = vec![Text::from(name), spec, mean, interval];
        for one in &played {
            let share = one.share(0).map(|share| number(100.0 * share.0, 1));
            cells.push(Text::from(share.unwrap_or_else(|| "–".to_owned())));
        }
        seated.row(cells);
        let dot = ours.as_ref().map(|ours| (ours.value, ours.interval));
        plot.rows.push((name.to_owned(), None, dot));
        if best.is_none() {
            best = ours;
            check = matches.first().map(|games| games.command(results.setting));
        }
    }
    let size = format!("{n_games} games of four, seats rotated");
    let mut evidence = Evidence::of(results, size);
    evidence.check = check;
    let mut table = Table::comparison("The agent with the paper's method", evidence.clone());
    let published = row("001/field/agent");
    table.compare(published, best.as_ref());
    plot.rows.insert(
        0,
        (
            "published".to_owned(),
            published.number().map(|share| (share, None)),
            None,
        ),
    );
    seated.evidence = evidence;
    Ok(Section {
        blocks: vec![
            Block::Table(table),
            Block::Plot(Plot {
                name: "001-goals".to_owned(),
                about: "Shares of the agent and its ablations among the best Lux bots".to_owned(),
                svg: plot.svg(),
            }),
            Block::Table(seated),
        ],
    })
}
