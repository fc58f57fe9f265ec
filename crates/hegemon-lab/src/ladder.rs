//! All agents of all papers in one ladder, for each preset.

use hegemon_arena::ratings::plackett_luce::{RankingTable, fit};
use hegemon_arena::ratings::{BatchRatings, FitParams};
use hegemon_arena::{seat_orders, share};
use hegemon_bots::{Grants, Spec, check};
use hegemon_core::Rng;

use crate::experiment::{Cell, Experiment, LabError, Results, Scale, Setting};
use crate::matches::{ChunkedMatch, MapAndRules};
use crate::plot::DotPlot;
use crate::section::{
    Evidence, Plot, ReportTable, Section, SectionPart, Text, interval_text, number,
};

/// A ladder: where it is played and how often.
struct Ladder {
    map: &'static str,
    preset: &'static str,
    n_players: usize,
    /// Rounds after which the most territories win, if the preset has no limit:
    /// weak searchers among patient bots would play for hours.
    turn_limit: Option<u32>,
    /// Games of every agent, by scale.
    n_rounds: [u64; 3],
    /// Iterations of the paper's tree searches, by scale.
    iterations: [u32; 3],
    /// Processor seconds of an iteration of them over a game, of a playout of
    /// `rollout`, and of `emm(depth=3)`; measured.
    seconds: [f64; 3],
}

const LADDERS: [Ladder; 5] = [
    Ladder {
        map: "classic",
        preset: "sampling",
        n_players: 2,
        turn_limit: Some(60),
        n_rounds: [1, 60, 100],
        iterations: [2, 500, 2500],
        seconds: [0.0006, 0.02, 0.3],
    },
    Ladder {
        map: "classic-lux",
        preset: "lux",
        n_players: 4,
        turn_limit: Some(40),
        n_rounds: [1, 24, 60],
        iterations: [2, 50, 250],
        seconds: [0.014, 0.045, 0.5],
    },
    Ladder {
        map: "classic-lux",
        preset: "draft",
        n_players: 3,
        turn_limit: Some(60),
        n_rounds: [1, 20, 60],
        iterations: [2, 100, 500],
        seconds: [0.003, 0.02, 1.0],
    },
    Ladder {
        map: "classic",
        preset: "beam",
        n_players: 4,
        turn_limit: None,
        n_rounds: [1, 24, 60],
        iterations: [2, 100, 500],
        seconds: [0.005, 0.035, 0.3],
    },
    Ladder {
        map: "classic",
        preset: "classic",
        n_players: 4,
        turn_limit: Some(40),
        n_rounds: [1, 20, 60],
        iterations: [2, 25, 100],
        seconds: [0.04, 0.1, 0.4],
    },
];

macro_rules! ladder {
    ($name:ident, $idx:literal, $text:literal, $what:literal) => {
        /// The ladder under one preset.
        pub(crate) const $name: Experiment = Experiment {
            name: $text,
            paper: "beyond the papers",
            what: $what,
            needs: &[],
            plan: |setting| plan(&LADDERS[$idx], setting),
            render: |results| render(&LADDERS[$idx], results),
        };
    };
}

ladder!(
    SAMPLING,
    0,
    "ladder-sampling",
    "all agents, rules of Brand and Kroon 2014, two players"
);
ladder!(LUX, 1, "ladder-lux", "all agents, Lux rules, four players");
ladder!(
    DRAFT,
    2,
    "ladder-draft",
    "all agents, rules of Gibson, Desai and Zhao 2010, three players"
);
ladder!(
    BEAM,
    3,
    "ladder-beam",
    "all agents, rules of Gillenwater 2022, four players"
);
ladder!(
    CLASSIC,
    4,
    "ladder-classic",
    "all agents, the boxed game, four players"
);

/// An agent of the ladders: its spec, where it comes from, and processor seconds of
/// its part of a game.
struct Entry {
    spec: String,
    source: &'static str,
    seconds: f64,
}

impl Ladder {
    /// The agents that this build has and that can play here.
    fn entries(&self, scale: Scale) -> Result<Vec<Entry>, LabError> {
        let [smoke, quick, paper] = self.iterations;
        let n = scale.pick(smoke, quick, paper);
        let [iteration, playout, emm_seconds] = self.seconds;
        let searching = iteration * f64::from(n);
        // Short playouts are much cheaper than whole ones.
        let tuned = scale.pick(2, 500, 2500);
        let playouts = scale.pick(1, 8, 60);
        let rolling = playout * f64::from(playouts);
        let emm = scale.pick(
            "emm(depth=2,width=3,samples=5)",
            "emm(depth=3)",
            "emm(depth=3)",
        );
        // Weak searchers play long games; at the smallest scale their playouts are capped.
        let cap = scale.pick(",cap=200", "", "");
        let goals = scale.pick(4, 200, 1000);
        let uct = scale.pick("uct(sims=20)", "uct", "uct");
        let agents = [
            ("random".to_owned(), "–", 0.002),
            ("baseline".to_owned(), "000", 0.001),
            ("simulation".to_owned(), "000", 0.001),
            ("greedy".to_owned(), "000", 0.004),
            (
                emm.to_owned(),
                "000",
                scale.pick(0.02, emm_seconds, emm_seconds),
            ),
            (format!("mcts(k=20,iters={n}{cap})"), "000", searching),
            (format!("mcts-baseline(iters={n}{cap})"), "000", searching),
            (
                format!("mcts-tuned(iters={tuned})"),
                "ours",
                0.0006 * f64::from(tuned),
            ),
            (
                format!("rollout(playouts={playouts}{cap})"),
                "ours",
                rolling,
            ),
            (
                format!("goal-uct(iters={goals})"),
                "001",
                scale.pick(0.02, 0.1, 0.5),
            ),
            ("beam(weights=initial)".to_owned(), "004", 0.001),
            ("beam(weights=evolved)".to_owned(), "004", 0.001),
            ("beam(weights=cma-es)".to_owned(), "004, CMA-ES", 0.001),
            ("angry".to_owned(), "Lux", 0.0005),
            ("cluster".to_owned(), "Lux", 0.0005),
            ("pixie".to_owned(), "Lux", 0.0005),
            ("better-pixie".to_owned(), "Lux", 0.0005),
            ("boscoe".to_owned(), "Lux, 002", 0.0005),
            ("evil-pixie".to_owned(), "Lux, 002", 0.0005),
            ("killbot".to_owned(), "Lux, 002", 0.0005),
            ("quo".to_owned(), "Lux, 002", 0.0005),
            (format!("quo(draft={uct})"), "002", 0.025),
            (format!("evil-pixie(draft={uct})"), "002, ours", 0.025),
        ];
        let game = self.table()?.game(self.n_players)?;
        let drafts = game.has_draft();
        let can_play = |spec: &str| {
            let is_sound = spec
                .parse()
                .is_ok_and(|spec: Spec| check(&spec, &game, &Grants::sealed()).is_ok());
            // Without a draft these are the plain bots again.
            is_sound && (drafts || !spec.contains("draft="))
        };
        let known = agents.into_iter().filter(|(spec, _, _)| can_play(spec));
        let entry = |(spec, source, seconds)| Entry {
            spec,
            source,
            seconds,
        };
        Ok(known.map(entry).collect())
    }

    fn table(&self) -> Result<MapAndRules, LabError> {
        let table = MapAndRules::new(self.map, self.preset)?;
        let Some(limit) = self.turn_limit else {
            return Ok(table);
        };
        let change = format!("end.turn-limit={limit}");
        Ok(table.with(&change, |rules| rules.end.turn_limit = Some(limit)))
    }

    /// The line-ups: in each round every agent plays once, in random order; the
    /// last game is filled with agents drawn again.
    fn lineups(&self, n_agents: usize, setting: Setting) -> Vec<Vec<usize>> {
        let label = format!("ladder {}", self.preset);
        let mut rng = Rng::stream(setting.seed, &label);
        let [smoke, quick, paper] = self.n_rounds;
        let mut lineups = Vec::new();
        for _ in 0..setting.scale.pick(smoke, quick, paper) {
            let mut order: Vec<usize> = (0..n_agents).collect();
            rng.shuffle(&mut order);
            for table in order.chunks(self.n_players) {
                let mut lineup = table.to_vec();
                let others = order.iter().filter(|agent| !table.contains(agent));
                let missing = self.n_players - table.len();
                lineup.extend(others.take(missing));
                lineups.push(lineup);
            }
        }
        lineups
    }

    /// The blocks of all line-ups, with the agents of each.
    fn matches(&self, setting: Setting) -> Result<Vec<(Vec<usize>, ChunkedMatch)>, LabError> {
        let entries = self.entries(setting.scale)?;
        let table = self.table()?;
        let n_games = seat_orders(self.n_players).len() as u64;
        let mut matches = Vec::new();
        for (number, lineup) in self.lineups(entries.len(), setting).into_iter().enumerate() {
            let specs: Vec<&str> = lineup.iter().map(|&a| entries[a].spec.as_str()).collect();
            let seconds = lineup.iter().map(|&a| entries[a].seconds).sum();
            let one = ChunkedMatch::new(&table, &specs, n_games, seconds)?;
            matches.push((lineup, one.starting_at(number as u64)));
        }
        Ok(matches)
    }
}

fn plan(ladder: &Ladder, setting: Setting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for (_, one) in ladder.matches(setting)? {
        cells.extend(one.cells(setting)?);
    }
    Ok(cells)
}

/// Results of an agent.
#[derive(Clone, Debug, Default)]
struct Sums {
    n_games: u64,
    wins: f64,
    places: f64,
}

fn render(ladder: &Ladder, results: &Results) -> Result<Section, LabError> {
    let entries = ladder.entries(results.setting.scale)?;
    let mut rankings = RankingTable::new(entries.len());
    let mut sums = vec![Sums::default(); entries.len()];
    let mut n_games = 0;
    for (lineup, one) in ladder.matches(results.setting)? {
        for places in one.read(results)?.blocks.iter().flatten() {
            let ranks: Vec<u32> = places.iter().map(|&place| place.into()).collect();
            let recorded = rankings.record(&lineup, &ranks);
            recorded.map_err(|error| LabError::Broken(error.to_string()))?;
            n_games += 1;
            for (player, &agent) in lineup.iter().enumerate() {
                sums[agent].n_games += 1;
                sums[agent].wins += share(places, player);
                sums[agent].places += f64::from(places[player]);
            }
        }
    }
    let fitted = fit(&rankings, &FitParams::default());
    let fitted = fitted.map_err(|error| LabError::Broken(error.to_string()))?;
    let limit = match ladder.turn_limit {
        Some(limit) => format!(", decided by territories after {limit} rounds"),
        None => String::new(),
    };
    let size = format!(
        "{n_games} games of {}{limit}, line-ups by lot, Plackett-Luce over placements",
        ladder.n_players
    );
    let table = rating_table(&entries, &fitted, &sums, Evidence::of(results, size));
    let mut rows: Vec<_> = best_first(&fitted)
        .into_iter()
        .map(|a| {
            let dot = (fitted.elo()[a], Some(fitted.interval95(a)));
            (entries[a].spec.clone(), None, Some(dot))
        })
        .collect();
    if n_games == 0 {
        rows.clear();
    }
    let plot = DotPlot {
        title: format!("Ladder under the rules {}", ladder.preset),
        axis: "Elo, mean 0".to_owned(),
        rows,
    };
    Ok(Section {
        parts: vec![
            SectionPart::Table(table),
            SectionPart::Plot(Plot {
                name: format!("ladder-{}", ladder.preset),
                about: format!("Ratings of all agents under the rules {}", ladder.preset),
                svg: plot.svg(),
            }),
        ],
    })
}

fn best_first(fitted: &BatchRatings) -> Vec<usize> {
    let mut best: Vec<usize> = (0..fitted.n_players()).collect();
    best.sort_by(|&a, &b| fitted.elo()[b].total_cmp(&fitted.elo()[a]));
    best
}

fn rating_table(
    entries: &[Entry],
    fitted: &BatchRatings,
    sums: &[Sums],
    evidence: Evidence,
) -> ReportTable {
    let columns = [
        "#",
        "agent",
        "of",
        "#Elo",
        "#95 %",
        "#wins, %",
        "#mean place",
        "#games",
    ];
    let mut table = ReportTable::new("Ratings", &columns, evidence);
    for (rank, agent) in best_first(fitted).into_iter().enumerate() {
        let sum = &sums[agent];
        let n = sum.n_games.max(1) as f64;
        table.row([
            Text::from((rank + 1).to_string()),
            Text::Code(entries[agent].spec.clone()),
            Text::from(entries[agent].source),
            Text::from(number(fitted.elo()[agent], 0)),
            Text::from(interval_text(fitted.interval95(agent), 0)),
            Text::from(number(100.0 * sum.wins / n, 1)),
            Text::from(number(sum.places / n, 2)),
            Text::from(sum.n_games.to_string()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_sits_down_in_every_round_and_nobody_twice_at_a_table() {
        let setting = Setting {
            scale: Scale::Quick,
            seed: 3,
        };
        for ladder in &LADDERS {
            let lineups = ladder.lineups(22, setting);
            for lineup in &lineups {
                let mut agents = lineup.clone();
                agents.sort_unstable();
                agents.dedup();
                assert_eq!(agents.len(), ladder.n_players);
            }
            for agent in 0..22 {
                let times = lineups.iter().filter(|l| l.contains(&agent)).count() as u64;
                assert!(times >= ladder.n_rounds[1]);
            }
        }
    }
}
