//! Six players under Lux rules: an agent among the five best Lux bots (Carr 2020).

use hegemon_arena::stats::Interval;
use hegemon_bots::{Grants, Spec, check};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, MatchResult};
use crate::other_means::OtherMeans;
use crate::plot::{DotPlot, RefLine};
use crate::published::row;
use crate::repeated_match::{FIRST_WINS, MatchFigure};
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
    percent_texts,
};

/// One of our agents among the five best Lux bots.
pub(crate) const SIX: Experiment = Experiment {
    name: "six-player",
    paper: "Carr 2020; Johansson and Olsson 2006",
    what: "six players, Lux rules, an agent among the five best Lux bots (35 %)",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// The four bots that Lux calls hard, and the one inside the best of them; the
/// paper does not name its five.
const FIELD: [&str; 5] = ["killbot", "evil-pixie", "quo", "boscoe", "better-pixie"];

fn lux() -> Result<MapAndRules, LabError> {
    MapAndRules::new("classic-lux", "lux")
}

/// The agents of this build for the sixth seat, with seconds per game.
fn agents(scale: Scale) -> Result<Vec<(String, f64)>, LabError> {
    let goals = scale.pick(4, 200, 1000);
    let n = scale.pick(2, 500, 2500);
    let playouts = scale.pick(1, 8, 60);
    let cap = scale.pick(",cap=200", "", "");
    let all = [
        (
            format!("goal-uct(iters={goals})"),
            scale.pick(0.05, 0.15, 0.75),
        ),
        (
            format!("mcts-tuned(iters={n})"),
            scale.pick(0.05, 0.35, 1.6),
        ),
        (
            format!("rollout(playouts={playouts}{cap})"),
            scale.pick(0.1, 0.4, 3.0),
        ),
        (
            format!("rollout(base=killbot,playouts={playouts}{cap})"),
            scale.pick(0.2, 1.1, 8.0),
        ),
        ("beam(weights=evolved)".to_owned(), 0.002),
        ("baseline".to_owned(), 0.002),
        ("angry".to_owned(), 0.002),
        ("killbot".to_owned(), 0.002),
    ];
    let game = lux()?.game(6)?;
    let can_play = |spec: &str| {
        spec.parse()
            .is_ok_and(|spec: Spec| check(&spec, &game, &Grants::sealed()).is_ok())
    };
    Ok(all.into_iter().filter(|(spec, _)| can_play(spec)).collect())
}

fn match_of(spec: &str, seconds: f64, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let mut specs = vec![spec];
    specs.extend(FIELD);
    let n_games = match seconds {
        s if s < 0.01 => scale.pick(6, 1200, 6000),
        s if s < 1.0 => scale.pick(6, 96, 1200),
        _ => scale.pick(6, 48, 600),
    };
    ChunkedMatch::new(&lux()?.shortened(scale), &specs, n_games, seconds)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for (spec, seconds) in agents(setting.scale)? {
        cells.extend(match_of(&spec, seconds, setting.scale)?.cells(setting)?);
    }
    Ok(cells)
}

const EVERY_AGENT: &str = "Every agent in the sixth seat";

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let [wins, interval] = FIRST_WINS;
    let figures = [
        wins,
        interval,
        ("mean place", MatchFigure::MeanPlace(0)),
        ("games", MatchFigure::Games),
    ];
    let mut rows = Vec::new();
    for (spec, seconds) in agents(setting.scale)? {
        let games = match_of(&spec, seconds, setting.scale)?;
        rows.push(games.repeatable(setting, EVERY_AGENT, [Text::Code(spec)], &figures));
    }
    Ok(OtherMeans::Rows(rows))
}

/// Share of the games in which the first player came first or second.
fn in_front(result: &MatchResult) -> Option<(f64, Interval)> {
    result.placed(|place| place <= 2)
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut all = ReportTable::new(
        EVERY_AGENT,
        &[
            "agent",
            "#wins, %",
            "#95 % over blocks",
            "#first or second, %",
            "#mean place",
            "#games",
        ],
        Evidence::default(),
    );
    let mut plot = DotPlot {
        title: "Six players: one agent among the five best Lux bots".to_owned(),
        axis: "wins, % (16.7 is level)".to_owned(),
        rows: Vec::new(),
    };
    let mut best: Option<(ChunkedMatch, MatchResult)> = None;
    let (mut n_games, mut endings) = (0, Endings::default());
    for (spec, seconds) in agents(scale)? {
        let games = match_of(&spec, seconds, scale)?;
        let result = games.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        let share = result.share(0).map(Ours::percent);
        let [wins, interval] = percent_texts(result.share(0));
        let [front, _] = percent_texts(in_front(&result));
        all.row([
            Text::Code(spec.clone()),
            Text::from(wins),
            Text::from(interval),
            Text::from(front),
            Text::from(number(result.mean_place(0), 2)),
            Text::from(result.n_games().to_string()),
        ]);
        let dot = share.map(|share| (share.value, share.interval));
        plot.rows.push((spec, None, dot));
        let wins = |result: &MatchResult| result.share(0).map_or(0.0, |share| share.0);
        let is_better = best
            .as_ref()
            .is_none_or(|(_, other)| wins(&result) > wins(other));
        if result.n_games() > 0 && is_better {
            best = Some((games, result));
        }
    }
    let size = format!("{n_games} games of six, seats rotated");
    let evidence = Evidence::of(results, size).ended(&endings);
    let name = best
        .as_ref()
        .map_or_else(String::new, |(games, _)| games.first_spec());
    let mut table = ReportTable::comparison(
        "Our best agent here beside the published ones",
        evidence.clone(),
    );
    let result = best.as_ref().map(|(_, result)| result);
    let ours = result.and_then(|r| r.share(0)).map(Ours::percent);
    let carr = row("elsewhere/carr");
    table.compare(carr, ours.as_ref());
    let takeaway = ours.map(|ours| {
        SectionPart::Takeaway(Text::Plain(format!(
            "Among the five best Lux bots {name} wins {} % ({}) of games of six; published for another \
             agent are {carr}.",
            number(ours.value, 1),
            interval_or_dash(ours.interval, 1)
        )))
    });
    let ours = result.and_then(in_front).map(Ours::percent);
    table.compare(row("elsewhere/mars"), ours.as_ref());
    plot.rows.insert(
        0,
        (
            "D.A.D. (Carr 2020)".to_owned(),
            carr.number().map(|share| (share, None)),
            None,
        ),
    );
    all.evidence = evidence;
    let mut lines = vec![RefLine::chance(6)];
    lines.extend(carr.number().map(|share| RefLine::new(share, "published")));
    let mut parts: Vec<SectionPart> = takeaway.into_iter().collect();
    parts.extend([
            SectionPart::Note(format!(
                "Dealt territories, cards and growing bonuses as in Lux. The field is {}. Ours is the \
                 best of the agents below ({name}), picked by the same games, so its share is a little \
                 flattered.",
                FIELD.join(", ")
            )),
            SectionPart::Table(table),
            SectionPart::Plot(Plot {
                name: "six-player".to_owned(),
                about: "Shares of our agents among the five best Lux bots".to_owned(),
                svg: plot.svg_with(&lines),
            }),
            SectionPart::Table(all),
    ]);
    Ok(Section { parts })
}
