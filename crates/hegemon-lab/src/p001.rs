//! Lozano and Bratz 2012: the attack phase searched with goals, against the
//! best bots that Lux provides.

use hegemon_arena::stats::{Interval, Moments, share_ci95};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, MatchResult};
use crate::other_means::OtherMeans;
use crate::plot::{DotPlot, RefLine};
use crate::published::row;
use crate::repeated_match::{MatchFigure, row_of_matches};
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};

/// The provided bots among themselves.
pub(crate) const PROVIDED: Experiment = Experiment {
    name: "001-provided",
    paper: "Lozano and Bratz 2012",
    what: "the best provided bot in its own field (38 %)",
    needs: &[],
    plan: |setting| provided(setting.scale)?.cells(setting),
    render: render_provided,
    other_means: |setting, _| provided_again(setting),
};

/// The agent and its ablations.
pub(crate) const GOALS: Experiment = Experiment {
    name: "001-goals",
    paper: "Lozano and Bratz 2012",
    what: "the agent against the best provided bots (73 %), and ablations",
    needs: &["goal-uct"],
    plan: plan_goals,
    render: render_goals,
    other_means: |setting, _| goals_again(setting),
};

/// The better Lux bots (spec attack_uct).
const FIELD: [&str; 4] = ["killbot", "quo", "evil-pixie", "boscoe"];

/// The paper's form: the attack phase alone, incomes, dice in the trees, three
/// kinds of goals that must gain about an army, no looking ahead.
pub(crate) const PAPER: &str = "phases=attack,eval=income,battles=sampled,\
                     goals=continent+eliminate+deny,odds=0.7,gain=20,ahead=0";

/// The assumed opponents, where the field is known.
const RIVALS: &str = "rivals=killbot+quo+evil-pixie+boscoe";

/// The player in the agent's seat.
struct Seated {
    name: &'static str,
    parameters: AgentParameters,
    /// Multiple of the others' iterations.
    search: u32,
    /// Processor seconds of a game at each scale, measured.
    seconds: [f64; 3],
}

/// Parameters of an agent.
enum AgentParameters {
    /// The paper's, with these overrides.
    Paper(&'static str),
    /// Our defaults, with these overrides.
    Ours(&'static str),
    /// Our defaults against known rivals, with this many lookaheads at each scale.
    Known([u32; 3]),
    /// No search: the base plays all phases.
    Base,
}

const SEATED: [Seated; 15] = [
    paper("the paper's method", ""),
    Seated {
        search: 20,
        seconds: [0.02, 0.3, 1.5],
        ..paper("twenty times the search", "")
    },
    paper("exact battles", "battles=exact"),
    paper("goal: continents only", "goals=continent"),
    paper("goal: eliminations only", "goals=eliminate"),
    paper("goal: denials only", "goals=deny"),
    paper("a card as fourth goal", "goals=all"),
    paper("attacks at even odds, for any gain", "odds=0.5,gain=0"),
    paper("all phases searched", "phases=all"),
    paper("evaluation learned", "eval=learned,odds=0.5,gain=0"),
    Seated {
        seconds: [0.01, 0.1, 0.2],
        ..paper("32 looks ahead to the next turn", "ahead=32")
    },
    ours(
        "ours: learned, exact, all phases, 32 looks",
        AgentParameters::Ours(""),
    ),
    ours(
        "ours, the attack phase only",
        AgentParameters::Ours("phases=attack"),
    ),
    Seated {
        seconds: [0.02, 1.0, 8.0],
        ..ours(
            "ours, the field known, many looks",
            AgentParameters::Known([4, 256, 2048]),
        )
    },
    Seated {
        seconds: [0.002; 3],
        ..ours("the base alone", AgentParameters::Base)
    },
];

const fn paper(name: &'static str, changed: &'static str) -> Seated {
    Seated {
        name,
        parameters: AgentParameters::Paper(changed),
        search: 1,
        seconds: [0.01, 0.03, 0.1],
    }
}

const fn ours(name: &'static str, parameters: AgentParameters) -> Seated {
    Seated {
        name,
        parameters,
        search: 1,
        seconds: [0.02, 0.25, 0.4],
    }
}

fn lux() -> Result<MapAndRules, LabError> {
    MapAndRules::new("classic-lux", "lux")
}

fn provided(scale: Scale) -> Result<ChunkedMatch, LabError> {
    ChunkedMatch::new(&lux()?, &FIELD, scale.pick(4, 12_000, 20_000), 0.0004)
}

const ALL_FOUR: &str = "All four";

fn provided_again(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let games = provided(setting.scale)?;
    let rows = FIELD.iter().enumerate().map(|(player, bot)| {
        let figures = [
            ("wins, %", MatchFigure::Share(player)),
            ("95 % over blocks", MatchFigure::Interval(player)),
        ];
        games.repeatable(setting, ALL_FOUR, [Text::Code((*bot).to_owned())], &figures)
    });
    Ok(OtherMeans::Rows(rows.collect()))
}

fn render_provided(results: &Results) -> Result<Section, LabError> {
    let games = provided(results.setting.scale)?;
    let result = games.read(results)?;
    let size = format!(
        "{} games of four, seats rotated, mean {} rounds",
        result.n_games(),
        number(result.mean_rounds(), 1)
    );
    let evidence = Evidence::of(results, size).ended(&result.endings);
    let shares: Vec<Option<(f64, Interval)>> = (0..FIELD.len()).map(|p| result.share(p)).collect();
    let named = FIELD.iter().zip(&shares);
    let named = named.filter_map(|(bot, share)| Some((bot, (*share)?)));
    let best = named.max_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let mut table = ReportTable::comparison("The best provided bot", evidence.clone());
    let ours = best.map(|(_, share)| Ours::percent(share));
    let published = row("001/field/provided");
    table.compare(published, ours.as_ref());
    let columns = ["bot", "#wins, %", "#95 % over blocks"];
    let mut all = ReportTable::new(ALL_FOUR, &columns, evidence);
    for (bot, share) in FIELD.iter().zip(&shares) {
        let ours = share.map(Ours::percent);
        all.row(share_cells(Text::Code((*bot).to_owned()), ours.as_ref()));
    }
    let mut parts = Vec::new();
    if let (Some((bot, _)), Some(ours)) = (best, &ours) {
        parts.push(SectionPart::Takeaway(Text::Plain(format!(
            "The best provided bot is {bot} with {}; published are {published}.",
            share_words(ours)
        ))));
    }
    parts.extend([SectionPart::Table(table), SectionPart::Table(all)]);
    Ok(Section { parts })
}

/// A share with its interval, in words.
fn share_words(ours: &Ours) -> String {
    format!(
        "{} % ({})",
        number(ours.value, 1),
        interval_or_dash(ours.interval, 1)
    )
}

fn share_cells(name: Text, ours: Option<&Ours>) -> [Text; 3] {
    let dash = || "–".to_owned();
    let interval = ours.and_then(|ours| ours.interval);
    [
        name,
        Text::from(ours.map_or_else(dash, |ours| number(ours.value, 1))),
        Text::from(interval_or_dash(interval, 1)),
    ]
}

impl Seated {
    fn spec(&self, scale: Scale) -> String {
        let iters = self.search * scale.pick(4, 100, 500);
        let parameters = match self.parameters {
            AgentParameters::Base => return "killbot".to_owned(),
            AgentParameters::Paper(changed) => with(PAPER, changed) + ",",
            AgentParameters::Ours("") => String::new(),
            AgentParameters::Ours(changed) => format!("{changed},"),
            AgentParameters::Known([smoke, quick, paper]) => {
                let looks = scale.pick(smoke, quick, paper);
                format!("ahead={looks},compare=8,{RIVALS},")
            }
        };
        format!("goal-uct({parameters}iters={iters})")
    }

    /// The matches against every triple of the field.
    fn triples(&self, scale: Scale) -> Result<Vec<ChunkedMatch>, LabError> {
        let (spec, table) = (self.spec(scale), lux()?.shortened(scale));
        let [smoke, quick, paper] = self.seconds;
        let seconds = scale.pick(smoke, quick, paper);
        // Cheap agents play more games.
        let quick_games = match seconds {
            s if s < 0.1 => 160,
            s if s < 0.5 => 60,
            _ => 24,
        };
        let n_games = scale.pick(4, quick_games, 600);
        let triple = |left_out: &&str| {
            let mut specs = vec![spec.clone()];
            let others = FIELD.iter().filter(|bot| *bot != left_out);
            specs.extend(others.map(|&bot| bot.to_owned()));
            ChunkedMatch::new(&table, &specs, n_games, seconds)
        };
        FIELD.iter().map(triple).collect()
    }
}

/// Parameters with overrides.
pub(crate) fn with(parameters: &str, changed: &str) -> String {
    let name = |text: &str| text.split('=').next().map(str::to_owned);
    let part = |part| {
        let mut changes = changed.split(',');
        changes
            .find(|change| name(change) == name(part))
            .unwrap_or(part)
    };
    let parts: Vec<&str> = parameters.split(',').map(part).collect();
    parts.join(",")
}

fn plan_goals(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for seated in &SEATED {
        for games in seated.triples(setting.scale)? {
            cells.extend(games.cells(setting)?);
        }
    }
    Ok(cells)
}

const EVERY_AGENT: &str = "Every agent in the seat, wins in percent (25 is level)";

/// The columns of the triples, by who is left out of [`FIELD`].
const TRIPLES: [&str; FIELD.len()] = ["no killbot", "no quo", "no evil-pixie", "no boscoe"];

fn goals_again(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let mut rows = Vec::new();
    for agent in &SEATED {
        let triples = agent.triples(setting.scale)?;
        let figures = TRIPLES.iter().enumerate();
        let figures = figures.map(|(n, &column)| (column, n, MatchFigure::Share(0)));
        rows.push(row_of_matches(
            setting,
            EVERY_AGENT,
            [Text::from(agent.name)],
            &triples.iter().collect::<Vec<_>>(),
            &figures.collect::<Vec<_>>(),
        ));
    }
    Ok(OtherMeans::Rows(rows))
}

/// Mean share over matches that are played on the same deals, which are one
/// observation each.
fn mean_share(results: &[MatchResult]) -> Option<(f64, Interval)> {
    let n_deals = results.iter().map(|result| result.blocks.len()).min()?;
    let mut deals = Moments::default();
    for deal in 0..n_deals {
        let of_match = |result: &MatchResult| result.block_shares(0).nth(deal);
        let sum: f64 = results.iter().filter_map(of_match).sum();
        deals.push(sum / results.len() as f64);
    }
    Some((deals.mean()?, share_ci95(&deals)))
}

/// Results of an agent.
struct VariantStanding {
    name: &'static str,
    spec: String,
    n_games: u64,
    endings: Endings,
    /// The mean of the triples.
    mean: Option<Ours>,
    /// Percent in each triple.
    triples: Vec<Option<f64>>,
}

impl VariantStanding {
    fn of(agent: &Seated, results: &Results) -> Result<VariantStanding, LabError> {
        let scale = results.setting.scale;
        let matches = agent.triples(scale)?;
        let read = matches.iter().map(|games| games.read(results));
        let played: Vec<MatchResult> = read.collect::<Result<_, _>>()?;
        let percent = |result: &MatchResult| result.share(0).map(|share| 100.0 * share.0);
        Ok(VariantStanding {
            name: agent.name,
            spec: agent.spec(scale),
            n_games: played.iter().map(MatchResult::n_games).sum(),
            endings: Endings::of(&played),
            mean: mean_share(&played).map(Ours::percent),
            triples: played.iter().map(percent).collect(),
        })
    }

    fn cells(&self) -> Vec<Text> {
        let mut cells = share_cells(Text::from(self.name), self.mean.as_ref()).to_vec();
        for share in &self.triples {
            let text = share.map_or_else(|| "–".to_owned(), |share| number(share, 1));
            cells.push(Text::from(text));
        }
        cells.push(Text::Code(self.spec.clone()));
        cells
    }
}

fn render_goals(results: &Results) -> Result<Section, LabError> {
    let standings = SEATED
        .iter()
        .map(|agent| VariantStanding::of(agent, results));
    let standings: Vec<VariantStanding> = standings.collect::<Result<_, _>>()?;
    let n_games: u64 = standings.iter().map(|standing| standing.n_games).sum();
    let mut endings = Endings::default();
    standings.iter().for_each(|s| endings.merge(&s.endings));
    let size = format!("{n_games} games of four, seats rotated");
    let evidence = Evidence::of(results, size).ended(&endings);
    let mut table = ReportTable::comparison("The agent with the paper's method", evidence.clone());
    let published = row("001/field/agent");
    table.compare(published, standings[0].mean.as_ref());
    let triples = TRIPLES.map(|column| format!("#{column}"));
    let mut columns = vec!["agent", "#mean", "#95 % over blocks"];
    columns.extend(triples.iter().map(String::as_str));
    columns.push("spec");
    let mut seated = ReportTable::new(EVERY_AGENT, &columns, evidence);
    for standing in &standings {
        seated.row(standing.cells());
    }
    let mut lines = vec![RefLine::chance(4)];
    lines.extend(
        published
            .number()
            .map(|share| RefLine::new(share, "published")),
    );
    let mut parts: Vec<SectionPart> = goals_takeaway(&standings).into_iter().collect();
    parts.extend([
        SectionPart::Table(table),
        SectionPart::Plot(Plot {
            name: "001-goals".to_owned(),
            about: "Shares of the agent and its ablations among the best Lux bots".to_owned(),
            svg: goals_plot(published.number(), &standings).svg_with(&lines),
        }),
        SectionPart::Table(seated),
    ]);
    Ok(Section { parts })
}

/// What the paper's method reaches, and which agent in the seat the most.
fn goals_takeaway(standings: &[VariantStanding]) -> Option<SectionPart> {
    let paper = standings.first()?.mean.as_ref()?;
    let value = |standing: &VariantStanding| standing.mean.as_ref().map_or(0.0, |mean| mean.value);
    let best = standings
        .iter()
        .max_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(SectionPart::Takeaway(Text::Plain(format!(
        "The paper's method as read here wins {}, where {} are published; the most has \"{}\" with {}.",
        share_words(paper),
        row("001/field/agent"),
        best.name,
        best.mean.as_ref().map_or_else(String::new, share_words)
    ))))
}

fn goals_plot(published: Option<f64>, standings: &[VariantStanding]) -> DotPlot {
    let dot = |ours: &Ours| (ours.value, ours.interval);
    let printed = published.map(|share| (share, None));
    let mut rows = vec![("published".to_owned(), printed, None)];
    for standing in standings {
        rows.push((
            standing.name.to_owned(),
            None,
            standing.mean.as_ref().map(dot),
        ));
    }
    DotPlot {
        title: "Lozano and Bratz 2012: one agent among three of the best Lux bots".to_owned(),
        axis: "wins, mean of the four triples, %".to_owned(),
        rows,
    }
}
