//! Transfer: agents on maps, at tables and with card schemes that they were not made for.

use hegemon_core::Rules;
use hegemon_core::rules::{CardScheme, Cards};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules};
use crate::other_means::OtherMeans;
use crate::repeated_match::{FIRST_WINS, MatchFigure};
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, number, percent_texts};

/// All agents away from home.
pub(crate) const TRANSFER: Experiment = Experiment {
    name: "transfer",
    paper: "beyond the papers",
    what: "agents on other maps, at tables of other sizes, with other cards",
    needs: &["champion", "goal-uct"],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// Agents in one seat, with processor seconds a game.
fn agents(scale: Scale) -> [(&'static str, f64); 4] {
    [
        (
            scale.pick(
                "champion(looks=1,horizon=1)",
                "champion(looks=4)",
                "champion(looks=40)",
            ),
            scale.pick(0.1, 0.6, 6.0),
        ),
        (
            scale.pick(
                "goal-uct(iters=4)",
                "goal-uct(iters=100)",
                "goal-uct(iters=1000)",
            ),
            scale.pick(0.05, 0.15, 0.8),
        ),
        ("killbot", 0.002),
        ("beam", 0.002),
    ]
}

/// The others at a table, the first ones first.
const RIVALS: [&str; 5] = ["killbot", "quo", "evil-pixie", "boscoe", "better-pixie"];

/// Rounds after which the most territories win.
const TURN_LIMIT: u32 = 60;

/// Where agents play.
struct Place {
    name: String,
    table: MapAndRules,
    n_rivals: usize,
}

impl Place {
    fn new(name: &str, table: MapAndRules, n_rivals: usize) -> Place {
        Place {
            name: name.to_owned(),
            table: table.limited_to(TURN_LIMIT),
            n_rivals,
        }
    }

    fn games(&self, agent: (&str, f64), scale: Scale) -> Result<ChunkedMatch, LabError> {
        let mut specs = vec![agent.0];
        specs.extend(&RIVALS[..self.n_rivals]);
        let n_seats = specs.len() as u64;
        ChunkedMatch::new(&self.table, &specs, scale.pick(n_seats, 24, 480), agent.1)
    }
}

/// A question and where it is asked; the first place is home.
struct Question {
    title: &'static str,
    column: &'static str,
    places: Vec<Place>,
}

fn questions(scale: Scale) -> Result<[Question; 3], LabError> {
    let lux = |map: &str| MapAndRules::new(map, "lux");
    let maps = [
        "classic-lux",
        "ring24",
        "hub31",
        "islands40",
        "twoworlds48",
        "honeycomb61",
    ];
    let on_map = |map: &&str| Ok(Place::new(map, lux(map)?, 3));
    let seats = [4, 2, 3, 5, 6];
    let with_seats = |n: &usize| {
        let name = format!("{n} players");
        Ok(Place::new(&name, lux("classic-lux")?, n - 1))
    };
    let with_cards = |(name, cards): &(&str, Option<Cards>)| {
        let mut table = lux("classic-lux")?;
        if let Some(cards) = cards {
            let value = serde_json::to_string(cards);
            let value = value.map_err(|error| LabError::Broken(error.to_string()))?;
            table = table.with(&format!("cards={value}"), |rules| {
                rules.cards = cards.clone();
            });
        }
        Ok(Place::new(name, table, 3))
    };
    let few = |n: usize| scale.pick(2, n, n);
    Ok([
        Question {
            title: "On other maps, three rivals",
            column: "map",
            places: maps[..few(maps.len())]
                .iter()
                .map(on_map)
                .collect::<Result<_, LabError>>()?,
        },
        Question {
            title: "At tables of other sizes",
            column: "table",
            places: seats[..few(seats.len())]
                .iter()
                .map(with_seats)
                .collect::<Result<_, LabError>>()?,
        },
        Question {
            title: "With other cards, three rivals",
            column: "cards",
            places: card_schemes()?
                .iter()
                .take(few(4))
                .map(with_cards)
                .collect::<Result<_, LabError>>()?,
        },
    ])
}

/// Schemes by name, those of the rules at home first.
fn card_schemes() -> Result<[(&'static str, Option<Cards>); 4], LabError> {
    let of = |preset: &str| {
        let missing = || LabError::Broken(format!("there is no preset \"{preset}\""));
        Ok::<Cards, LabError>(Rules::preset(preset).ok_or_else(missing)?.cards)
    };
    let lux = of("lux")?;
    let with = |scheme: CardScheme| {
        Some(Cards {
            scheme,
            ..lux.clone()
        })
    };
    Ok([
        ("4, then 2 more (Lux)", None),
        ("none", Some(of("sampling")?)),
        ("fixed by kind", with(CardScheme::Fixed([4, 6, 8, 10]))),
        ("of the boxed game", with(of("classic")?.scheme)),
    ])
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for question in questions(setting.scale)? {
        for place in &question.places {
            for agent in agents(setting.scale) {
                cells.extend(place.games(agent, setting.scale)?.cells(setting)?);
            }
        }
    }
    // Home is in all three tables.
    cells.sort_by(|a, b| a.key.cmp(&b.key));
    cells.dedup_by(|a, b| a.key == b.key);
    Ok(cells)
}

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let [wins, interval] = FIRST_WINS;
    let figures = [
        wins,
        interval,
        ("rounds", MatchFigure::Rounds),
        ("games", MatchFigure::Games),
    ];
    let mut rows = Vec::new();
    for question in questions(setting.scale)? {
        for place in &question.places {
            for agent in agents(setting.scale) {
                let games = place.games(agent, setting.scale)?;
                let row = [
                    Text::from(place.name.clone()),
                    Text::Code(agent.0.to_owned()),
                ];
                rows.push(games.repeatable(setting, question.title, row, &figures));
            }
        }
    }
    Ok(OtherMeans::Rows(rows))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let mut tables = Vec::new();
    let (mut lowest, mut n_places) = (f64::INFINITY, 0);
    let mut ahead = 0;
    for question in questions(results.setting.scale)? {
        let mut table = ReportTable::new(
            question.title,
            &[
                question.column,
                "agent",
                "#wins, %",
                "#95 % over blocks",
                "#level, %",
                "#rounds",
                "#games",
            ],
            Evidence::default(),
        );
        let (mut n_games, mut endings) = (0, Endings::default());
        for place in &question.places {
            let level = 100.0 / (place.n_rivals + 1) as f64;
            let mut shares = Vec::new();
            for agent in agents(results.setting.scale) {
                let result = place.games(agent, results.setting.scale)?.read(results)?;
                n_games += result.n_games();
                endings.merge(&result.endings);
                let share = result.share(0);
                shares.extend(share.map(|(share, _)| 100.0 * share));
                let [wins, interval] = percent_texts(share);
                table.row([
                    Text::from(place.name.clone()),
                    Text::Code(agent.0.to_owned()),
                    Text::from(wins),
                    Text::from(interval),
                    Text::from(number(level, 1)),
                    Text::from(number(result.mean_rounds(), 1)),
                    Text::from(result.n_games().to_string()),
                ]);
            }
            if let [champion, others @ ..] = shares.as_slice() {
                n_places += 1;
                lowest = lowest.min(champion / level);
                ahead += usize::from(others.iter().all(|other| champion >= other));
            }
        }
        let size = format!("{n_games} games, seats rotated");
        table.evidence = Evidence::of(results, size).ended(&endings);
        tables.push(SectionPart::Table(table));
    }
    let mut parts = Vec::new();
    if n_places > 0 {
        let words = format!(
            "The champion has the most wins of these agents in {ahead} of {n_places} places, and never \
             fewer than {} times its fair share.",
            number(lowest, 1)
        );
        parts.push(SectionPart::Takeaway(Text::Plain(words)));
    }
    parts.push(SectionPart::Note(format!(
        "One agent against the first of {}, under Lux rules; after {TURN_LIMIT} rounds the most \
         territories win. The first place of each table is home: agents were made and tuned on the \
         classic map with Lux cards and four players.",
        RIVALS.join(", ")
    )));
    parts.extend(tables);
    Ok(Section { parts })
}
