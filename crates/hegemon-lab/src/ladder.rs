//! All agents of all papers in one ladder, for each preset.

use hegemon_arena::seat_orders;
use hegemon_bots::{Grants, Spec, check};
use hegemon_core::Rng;

use crate::block_ratings::{AgentTally, BlockRatings, RatedBlock, RatedBy};
use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules};
use crate::other_means::{OtherMeans, RepeatableRow};
use crate::plot::{DotPlot, RefLine};
use crate::repeated_match::written_blocks;
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
    percent_texts,
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
        n_rounds: [1, 24, 100],
        iterations: [2, 500, 2500],
        seconds: [0.0006, 0.02, 0.3],
    },
    Ladder {
        map: "classic-lux",
        preset: "lux",
        n_players: 4,
        turn_limit: Some(40),
        n_rounds: [1, 10, 60],
        iterations: [2, 50, 250],
        seconds: [0.014, 0.045, 0.5],
    },
    Ladder {
        map: "classic-lux",
        preset: "draft",
        n_players: 3,
        turn_limit: Some(60),
        n_rounds: [1, 8, 60],
        iterations: [2, 100, 500],
        seconds: [0.003, 0.02, 1.0],
    },
    Ladder {
        map: "classic",
        preset: "beam",
        n_players: 4,
        turn_limit: None,
        n_rounds: [1, 10, 60],
        iterations: [2, 100, 500],
        seconds: [0.005, 0.035, 0.3],
    },
    Ladder {
        map: "classic",
        preset: "classic",
        n_players: 4,
        turn_limit: Some(40),
        n_rounds: [1, 8, 60],
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
            other_means: |setting, _| other_means(&LADDERS[$idx], setting),
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

const BRAND: &str = "Brand and Kroon 2014";
const LOZANO: &str = "Lozano and Bratz 2012";
const GIBSON: &str = "Gibson, Desai and Zhao 2010";
const LUX_AND_GIBSON: &str = "Lux; Gibson, Desai and Zhao 2010";
const GILLENWATER: &str = "Gillenwater 2022";

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
        let looks = scale.pick(1, 4, 12);
        let uct = scale.pick("uct(sims=20)", "uct", "uct");
        let agents = [
            ("random".to_owned(), "–", 0.002),
            ("baseline".to_owned(), BRAND, 0.001),
            ("simulation".to_owned(), BRAND, 0.001),
            ("greedy".to_owned(), BRAND, 0.004),
            (
                emm.to_owned(),
                BRAND,
                scale.pick(0.02, emm_seconds, emm_seconds),
            ),
            (format!("mcts(k=20,iters={n}{cap})"), BRAND, searching),
            (format!("mcts-baseline(iters={n}{cap})"), BRAND, searching),
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
                LOZANO,
                scale.pick(0.02, 0.1, 0.5),
            ),
            (
                format!("champion(looks={looks})"),
                "ours",
                0.08 * f64::from(looks),
            ),
            ("beam(weights=initial)".to_owned(), GILLENWATER, 0.001),
            ("beam(weights=evolved)".to_owned(), GILLENWATER, 0.001),
            (
                "beam(weights=cma-es)".to_owned(),
                "Gillenwater 2022, by CMA-ES",
                0.001,
            ),
            ("angry".to_owned(), "Lux", 0.0005),
            ("cluster".to_owned(), "Lux", 0.0005),
            ("pixie".to_owned(), "Lux", 0.0005),
            ("better-pixie".to_owned(), "Lux", 0.0005),
            ("boscoe".to_owned(), LUX_AND_GIBSON, 0.0005),
            ("evil-pixie".to_owned(), LUX_AND_GIBSON, 0.0005),
            ("killbot".to_owned(), LUX_AND_GIBSON, 0.0005),
            ("quo".to_owned(), LUX_AND_GIBSON, 0.0005),
            (format!("quo(draft={uct})"), GIBSON, 0.025),
            (
                format!("evil-pixie(draft={uct})"),
                "Gibson, Desai and Zhao 2010, ours",
                0.025,
            ),
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
        Ok(match self.turn_limit {
            Some(limit) => table.limited_to(limit),
            None => table,
        })
    }

    /// The line-ups: in each round every agent plays once, in random order; the
    /// last game is filled with agents drawn again.
    fn lineups(&self, n_agents: usize, setting: RunSetting) -> Vec<Vec<usize>> {
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
    fn matches(&self, setting: RunSetting) -> Result<Vec<(Vec<usize>, ChunkedMatch)>, LabError> {
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

fn plan(ladder: &Ladder, setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for (_, one) in ladder.matches(setting)? {
        cells.extend(one.cells(setting)?);
    }
    Ok(cells)
}

const RATINGS: &str = "Ratings";

/// The wins of every agent, from the games of its line-ups alone.
fn other_means(ladder: &Ladder, setting: RunSetting) -> Result<OtherMeans, LabError> {
    let matches = ladder.matches(setting)?;
    let entries = ladder.entries(setting.scale)?;
    let row = |(agent, entry): (usize, &Entry)| {
        let played = matches.iter().filter(|(lineup, _)| lineup.contains(&agent));
        let (lineups, own): (Vec<Vec<usize>>, Vec<&ChunkedMatch>) =
            played.map(|(lineup, one)| (lineup.clone(), one)).unzip();
        let commands = own.iter().map(|one| one.block_command(setting)).collect();
        let seconds = own.iter().map(|one| one.expected_seconds()).sum();
        let spec = Text::Code(entry.spec.clone());
        let row = RepeatableRow::new(RATINGS, [spec], commands, seconds);
        let columns = ["wins, %", "mean place", "games"];
        row.comparing(&columns, move |answers| {
            let mut tally = AgentTally::default();
            for (lineup, answer) in lineups.iter().zip(answers) {
                let player = lineup.iter().position(|&other| other == agent);
                for games in &written_blocks(answer)?.blocks {
                    let block = RatedBlock {
                        deal: 0,
                        agents: lineup,
                        games,
                    };
                    tally.add(&block, player.unwrap_or(0));
                }
            }
            let [wins, _] = percent_texts(tally.share());
            let place = number(tally.mean_place(), 2);
            Ok(vec![wins, place, tally.n_games.to_string()])
        })
    };
    Ok(OtherMeans::Rows(
        entries.iter().enumerate().map(row).collect(),
    ))
}

/// What was played on a ladder.
struct LadderStandings {
    entries: Vec<Entry>,
    tallies: Vec<AgentTally>,
    by_wins: BlockRatings,
    by_places: BlockRatings,
    endings: Endings,
    n_games: u64,
}

impl LadderStandings {
    fn read(ladder: &Ladder, results: &Results) -> Result<LadderStandings, LabError> {
        let entries = ladder.entries(results.setting.scale)?;
        let mut endings = Endings::default();
        let mut played = Vec::new();
        for (lineup, one) in ladder.matches(results.setting)? {
            let result = one.read(results)?;
            endings.merge(&result.endings);
            played.extend(
                result
                    .blocks
                    .into_iter()
                    .map(|games| (lineup.clone(), games)),
            );
        }
        let blocks: Vec<RatedBlock<'_>> = played
            .iter()
            .enumerate()
            .map(|(deal, (agents, games))| RatedBlock {
                deal,
                agents,
                games,
            })
            .collect();
        let mut tallies = vec![AgentTally::default(); entries.len()];
        for block in &blocks {
            for (player, &agent) in block.agents.iter().enumerate() {
                tallies[agent].add(block, player);
            }
        }
        Ok(LadderStandings {
            by_wins: BlockRatings::fit(&blocks, entries.len(), RatedBy::Wins)?,
            by_places: BlockRatings::fit(&blocks, entries.len(), RatedBy::Placements)?,
            n_games: blocks.iter().map(|block| block.games.len() as u64).sum(),
            entries,
            tallies,
            endings,
        })
    }

    /// Who leads, and whether that is clear.
    fn takeaway(&self, ladder: &Ladder) -> Option<String> {
        let &[first, second, ..] = self.by_wins.best_first().as_slice() else {
            return None;
        };
        let (share, _) = self.tallies[first].share()?;
        let [lead, next] = [first, second].map(|agent| self.by_wins.interval(agent));
        let is_clear = lead?.low > next?.high;
        Some(format!(
            "{} leads under {} with {} % of the wins in games of {}; its interval and that of {} {}.",
            self.entries[first].spec,
            ladder.preset,
            number(100.0 * share, 1),
            ladder.n_players,
            self.entries[second].spec,
            if is_clear {
                "do not overlap"
            } else {
                "overlap"
            }
        ))
    }
}

fn render(ladder: &Ladder, results: &Results) -> Result<Section, LabError> {
    let standings = LadderStandings::read(ladder, results)?;
    let limit = match ladder.turn_limit {
        Some(limit) => format!(", decided by territories after {limit} rounds"),
        None => String::new(),
    };
    let size = format!(
        "{} games of {}{limit}, line-ups by lot",
        standings.n_games, ladder.n_players
    );
    let evidence = Evidence::of(results, size).ended(&standings.endings);
    let mut parts: Vec<SectionPart> = standings
        .takeaway(ladder)
        .map(|words| SectionPart::Takeaway(Text::Plain(words)))
        .into_iter()
        .collect();
    let ratings = &standings.by_wins;
    let mut rows = Vec::new();
    if standings.n_games > 0 {
        rows = ratings
            .best_first()
            .into_iter()
            .map(|agent| {
                let dot = (ratings.elo(agent), ratings.interval(agent));
                (standings.entries[agent].spec.clone(), None, Some(dot))
            })
            .collect();
    }
    let plot = DotPlot {
        title: format!("Ladder under the rules {}", ladder.preset),
        axis: "Elo by wins, mean 0".to_owned(),
        rows,
    };
    let mean = RefLine::new(0.0, "the mean of all");
    parts.extend([
        SectionPart::Note(
            "Rated by wins: a winner is chosen from those at the table with a chance proportional to \
             its strength (Plackett-Luce of the first place alone), so that surviving is worth \
             nothing. The rating by placements, where second counts more than third, stands beside it."
                .to_owned(),
        ),
        SectionPart::Table(rating_table(&standings, evidence)),
        SectionPart::Plot(Plot {
            name: format!("ladder-{}", ladder.preset),
            about: format!("Ratings of all agents by wins under the rules {}", ladder.preset),
            svg: plot.svg_with(&[mean]),
        }),
    ]);
    Ok(Section { parts })
}

fn rating_table(standings: &LadderStandings, evidence: Evidence) -> ReportTable {
    let columns = [
        "#",
        "agent",
        "of",
        "#Elo by wins",
        "#95 % over blocks",
        "#wins, %",
        "#95 % over blocks",
        "#Elo by places",
        "#95 % over blocks",
        "#mean place",
        "#games",
    ];
    let mut table = ReportTable::new(RATINGS, &columns, evidence);
    let (wins, places) = (&standings.by_wins, &standings.by_places);
    for (rank, agent) in wins.best_first().into_iter().enumerate() {
        let (entry, tally) = (&standings.entries[agent], &standings.tallies[agent]);
        let share = tally.share().map(Ours::percent);
        let dash = || "–".to_owned();
        table.row([
            Text::from((rank + 1).to_string()),
            Text::Code(entry.spec.clone()),
            Text::from(entry.source),
            Text::from(number(wins.elo(agent), 0)),
            Text::from(interval_or_dash(wins.interval(agent), 0)),
            Text::from(
                share
                    .as_ref()
                    .map_or_else(dash, |share| number(share.value, 1)),
            ),
            Text::from(interval_or_dash(share.and_then(|share| share.interval), 1)),
            Text::from(number(places.elo(agent), 0)),
            Text::from(interval_or_dash(places.interval(agent), 0)),
            Text::from(number(tally.mean_place(), 2)),
            Text::from(tally.n_games.to_string()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_sits_down_in_every_round_and_nobody_twice_at_a_table() {
        let setting = RunSetting {
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
