//! Strength against effort: every searching agent at several budgets, in each preset, against
//! the same rivals.

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, SMOKE_ROUNDS};
use crate::other_means::OtherMeans;
use crate::plot::{LinePlot, Panel, PlotLine};
use crate::repeated_match::{FIRST_WINS, MatchFigure};
use crate::section::{
    Evidence, Plot, ReportTable, Section, SectionPart, Text, number, percent_texts,
};

/// All searching agents by budget.
pub(crate) const STRENGTH: Experiment = Experiment {
    name: "strength",
    paper: "beyond the papers",
    what: "strength against effort of every searching agent, in each preset",
    needs: &["champion", "goal-uct"],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// Where agents are measured, and against whom.
pub(crate) struct Arena {
    map: &'static str,
    pub(crate) preset: &'static str,
    pub(crate) rivals: &'static [&'static str],
}

pub(crate) static ARENAS: [Arena; 5] = [
    Arena {
        map: "classic",
        preset: "sampling",
        rivals: &["baseline"],
    },
    Arena {
        map: "classic-lux",
        preset: "lux",
        rivals: &["killbot", "quo", "evil-pixie"],
    },
    Arena {
        map: "classic-lux",
        preset: "draft",
        rivals: &["quo", "killbot"],
    },
    Arena {
        map: "classic",
        preset: "beam",
        rivals: &[
            "beam(weights=evolved)",
            "beam(weights=evolved)",
            "beam(weights=evolved)",
        ],
    },
    Arena {
        map: "classic",
        preset: "classic",
        rivals: &["killbot", "better-pixie", "quo"],
    },
];

/// A searching agent: its name, its spec at a budget, and processor seconds of a game for a unit
/// of it.
struct Searcher {
    name: &'static str,
    spec: fn(u32) -> String,
    budgets: [u32; 4],
    seconds: f64,
    /// Whether it plays games out, which is capped at the smallest scale.
    plays_out: bool,
}

const SEARCHERS: [Searcher; 5] = [
    Searcher {
        name: "mcts, iterations",
        spec: |n| format!("mcts(k=20,iters={n})"),
        budgets: [25, 100, 400, 1600],
        seconds: 0.005,
        plays_out: true,
    },
    Searcher {
        name: "mcts-tuned, iterations",
        spec: |n| format!("mcts-tuned(iters={n})"),
        budgets: [25, 100, 400, 1600],
        seconds: 0.0008,
        plays_out: true,
    },
    Searcher {
        name: "rollout, playouts",
        spec: |n| format!("rollout(playouts={n})"),
        budgets: [2, 8, 32, 128],
        seconds: 0.04,
        plays_out: true,
    },
    Searcher {
        name: "goal-uct, looks",
        spec: |n| format!("goal-uct(iters=100,ahead={n})"),
        budgets: [2, 8, 32, 128],
        seconds: 0.01,
        plays_out: false,
    },
    Searcher {
        name: "champion, looks",
        spec: |n| format!("champion(looks={n})"),
        budgets: [1, 4, 16, 64],
        seconds: 0.075,
        plays_out: false,
    },
];

/// Rounds after which the most territories win: weak searchers among patient bots would play for
/// hours.
fn turn_limit(scale: Scale) -> u32 {
    scale.pick(SMOKE_ROUNDS, 60, 60)
}

impl Searcher {
    /// The budgets of a scale.
    fn budgets(&self, scale: Scale) -> &[u32] {
        scale.pick(&self.budgets[..1], &self.budgets[..2], &self.budgets[..])
    }
}

impl Arena {
    pub(crate) fn table(&self, scale: Scale) -> Result<MapAndRules, LabError> {
        Ok(MapAndRules::new(self.map, self.preset)?.limited_to(turn_limit(scale)))
    }

    /// The title of its table.
    fn title(&self) -> String {
        format!("Under {} against {}", self.preset, self.rivals.join(", "))
    }

    fn games(
        &self,
        searcher: &Searcher,
        budget: u32,
        scale: Scale,
    ) -> Result<ChunkedMatch, LabError> {
        let table = self.table(scale)?;
        // At the smallest scale only that it runs.
        let budget = scale.pick(1, budget, budget);
        let mut spec = (searcher.spec)(budget);
        if scale == Scale::Smoke && searcher.plays_out {
            spec = spec.replace(')', ",cap=200)");
        }
        let mut specs = vec![spec];
        specs.extend(self.rivals.iter().map(|&rival| rival.to_owned()));
        let n_seats = specs.len() as u64;
        let seconds = searcher.seconds * f64::from(budget);
        ChunkedMatch::new(&table, &specs, scale.pick(n_seats, 24, 240), seconds)
    }
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for arena in &ARENAS {
        for searcher in &SEARCHERS {
            for &budget in searcher.budgets(setting.scale) {
                cells.extend(
                    arena
                        .games(searcher, budget, setting.scale)?
                        .cells(setting)?,
                );
            }
        }
    }
    Ok(cells)
}

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let [wins, interval] = FIRST_WINS;
    let figures = [wins, interval, ("games", MatchFigure::Games)];
    let mut rows = Vec::new();
    for arena in &ARENAS {
        for searcher in &SEARCHERS {
            for &budget in searcher.budgets(setting.scale) {
                let games = arena.games(searcher, budget, setting.scale)?;
                let row = [searcher.name.to_owned(), budget.to_string()].map(Text::from);
                rows.push(games.repeatable(setting, &arena.title(), row, &figures));
            }
        }
    }
    Ok(OtherMeans::Rows(rows))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut parts = vec![SectionPart::Note(format!(
        "Each agent in one seat at growing budgets, seats rotated, the same deals for all; after \
         {} rounds the most territories win. A budget is a number of iterations, playouts or \
         looks a decision, so its unit differs from agent to agent; the processor time of a game, rivals \
         included, makes them comparable.",
        turn_limit(scale)
    ))];
    let mut panels = Vec::new();
    let mut leaders = Vec::new();
    for arena in &ARENAS {
        let mut table = ReportTable::new(
            &arena.title(),
            &[
                "agent and budget",
                "#budget",
                "#wins, %",
                "#95 % over blocks",
                "#processor s a game",
                "#games",
                "spec",
            ],
            Evidence::default(),
        );
        let (mut n_games, mut endings) = (0, Endings::default());
        let mut best: Option<(String, f64)> = None;
        let mut lines = Vec::new();
        for searcher in &SEARCHERS {
            let mut points = Vec::new();
            for &budget in searcher.budgets(scale) {
                let games = arena.games(searcher, budget, scale)?;
                let result = games.read(results)?;
                n_games += result.n_games();
                endings.merge(&result.endings);
                let share = result.share(0);
                let seconds = games.seconds(results) / result.n_games().max(1) as f64;
                if let Some((share, _)) = share {
                    let percent = 100.0 * share;
                    points.push((f64::from(budget), percent));
                    if best.as_ref().is_none_or(|(_, most)| percent > *most) {
                        best = Some((games.first_spec(), percent));
                    }
                }
                let [wins, interval] = percent_texts(share);
                table.row([
                    Text::from(searcher.name),
                    Text::from(budget.to_string()),
                    Text::from(wins),
                    Text::from(interval),
                    Text::Timed(format!("{seconds:.2}")),
                    Text::from(result.n_games().to_string()),
                    Text::Code(games.first_spec()),
                ]);
            }
            lines.push(PlotLine {
                name: searcher.name.to_owned(),
                points,
            });
        }
        leaders.extend(best.map(|(spec, share)| {
            format!("{spec} with {} % under {}", number(share, 1), arena.preset)
        }));
        panels.push(Panel {
            title: arena.preset.to_owned(),
            x_axis: "budget a decision".to_owned(),
            y_axis: "wins, %".to_owned(),
            is_log: false,
            lines,
            known: Some(100.0 / (1.0 + arena.rivals.len() as f64)),
        });
        table.evidence = Evidence::of(results, format!("{n_games} games")).ended(&endings);
        parts.push(SectionPart::Table(table));
    }
    let plot = LinePlot {
        title: "Wins by budget; dashed: chance".to_owned(),
        panels,
    };
    parts.push(SectionPart::Plot(Plot {
        name: "strength".to_owned(),
        about: "Share of the wins of every searching agent by its budget, in each preset"
            .to_owned(),
        svg: plot.svg(),
    }));
    if !leaders.is_empty() {
        let words = format!("The most wins at these budgets: {}.", leaders.join("; "));
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}
