//! Exploitability: how well the best of many styles does against an agent that it was picked
//! against.

use std::sync::atomic::AtomicBool;

use hegemon_arena::Block;
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, MatchResult};
use crate::other_means::OtherMeans;
use crate::repeated_match::MatchFigure;
use crate::report::Reported;
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, number, percent_texts};

/// Best responses to every agent.
pub(crate) const BEST_RESPONSE: Experiment = Experiment {
    name: "best-response",
    paper: "beyond the papers",
    what: "exploitability: the best of many styles picked against each agent, in duels",
    needs: &["champion", "goal-uct"],
    plan,
    render,
    other_means,
};

/// Bots that may be the response, beside the drawn styles.
const BOTS: [&str; 14] = [
    "killbot",
    "quo",
    "evil-pixie",
    "boscoe",
    "better-pixie",
    "angry",
    "cluster",
    "communist",
    "shaft",
    "vulture",
    "bort",
    "beam",
    "baseline",
    "simulation",
];

/// An agent that is to be exploited.
#[derive(Clone, Copy, Debug)]
struct Target {
    preset: &'static str,
    spec: &'static str,
    /// Processor seconds of a duel.
    seconds: f64,
}

const fn target(preset: &'static str, spec: &'static str, seconds: f64) -> Target {
    Target {
        preset,
        spec,
        seconds,
    }
}

const TARGETS: [Target; 14] = [
    target("lux", "killbot", 0.001),
    target("lux", "quo", 0.001),
    target("lux", "evil-pixie", 0.001),
    target("lux", "boscoe", 0.001),
    target("lux", "better-pixie", 0.001),
    target("lux", "angry", 0.001),
    target("lux", "beam", 0.001),
    target("lux", "baseline", 0.001),
    target("lux", "goal-uct(iters=50,ahead=4)", 0.1),
    target("lux", "champion(looks=4)", 0.3),
    target("sampling", "baseline", 0.001),
    target("sampling", "simulation", 0.001),
    target("sampling", "mcts-tuned(iters=50)", 0.05),
    target("sampling", "beam", 0.001),
];

/// Rounds after which the most territories win.
const TURN_LIMIT: u32 = 60;

/// Deals of the last match: none of them was used to pick.
const FIRST_FRESH_BLOCK: u64 = 1 << 20;

impl Target {
    fn searches(&self) -> bool {
        self.seconds > 0.01
    }

    /// How many responses are tried: the bots, then drawn styles.
    fn n_responses(&self, scale: Scale) -> usize {
        match self.searches() {
            true => scale.pick(2, 16, 128),
            false => scale.pick(4, 128, 512),
        }
    }

    /// Games of each response in the first round; a round later half as many responses play
    /// twice as many.
    fn first_games(&self, scale: Scale) -> u64 {
        match self.searches() {
            true => scale.pick(2, 6, 20),
            false => scale.pick(2, 40, 100),
        }
    }

    fn fresh_games(&self, scale: Scale) -> u64 {
        match self.searches() {
            true => scale.pick(2, 100, 1000),
            false => scale.pick(2, 4000, 20_000),
        }
    }

    fn key(&self, scale: Scale) -> String {
        format!(
            "best of {} against {}, {}, {} games at first, {} fresh",
            self.n_responses(scale),
            self.spec,
            self.preset,
            self.first_games(scale),
            self.fresh_games(scale)
        )
    }

    fn duel(&self, response: &str, n_games: u64) -> Result<ChunkedMatch, LabError> {
        let table = MapAndRules::new("classic", self.preset)?.limited_to(TURN_LIMIT);
        ChunkedMatch::new(&table, &[response, self.spec], n_games, self.seconds)
    }

    /// The last match, which picks nothing.
    fn fresh(&self, response: &str, scale: Scale) -> Result<ChunkedMatch, LabError> {
        let fresh = self.duel(response, self.fresh_games(scale))?;
        Ok(fresh.starting_at(FIRST_FRESH_BLOCK))
    }

    /// Halves the responses by what they win until one is left, and plays that one on fresh
    /// deals; `None` if it was stopped.
    fn respond(
        &self,
        setting: RunSetting,
        stop: &AtomicBool,
    ) -> Result<Option<Response>, LabError> {
        let scale = setting.scale;
        let mut responses = responses(self.n_responses(scale));
        let (mut n_games, mut first_block) = (self.first_games(scale), 0);
        let mut n_picking_games = 0;
        while responses.len() > 1 {
            let mut shares = Vec::with_capacity(responses.len());
            for response in responses {
                let duel = self.duel(&response, n_games)?.starting_at(first_block);
                let Some(blocks) = duel.play(setting, stop)? else {
                    return Ok(None);
                };
                let result = MatchResult::of(&blocks);
                n_picking_games += result.n_games();
                shares.push((result.share(0).map_or(0.0, |(share, _)| share), response));
            }
            // Stable: of equals the first stays.
            shares.sort_by(|a, b| b.0.total_cmp(&a.0));
            shares.truncate(shares.len().div_ceil(2));
            responses = shares.into_iter().map(|(_, response)| response).collect();
            first_block += n_games;
            n_games *= 2;
        }
        let best = responses.remove(0);
        let blocks = self.fresh(&best, scale)?.play(setting, stop)?;
        Ok(blocks.map(|blocks| Response {
            spec: best,
            n_picking_games,
            blocks,
        }))
    }
}

/// The best response that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Response {
    spec: String,
    n_picking_games: u64,
    /// Its games on fresh deals.
    blocks: Vec<Block>,
}

/// The responses that are tried.
fn responses(n: usize) -> Vec<String> {
    let styles = (1..).map(|style| format!("beam(style={style})"));
    let bots = BOTS.iter().map(|&bot| bot.to_owned());
    bots.chain(styles).take(n).collect()
}

fn targets(scale: Scale) -> impl Iterator<Item = Target> {
    TARGETS
        .into_iter()
        .filter(move |target| scale.pick(!target.searches(), true, true))
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let cell = |target: Target| {
        let scale = setting.scale;
        let (n, first) = (target.n_responses(scale), target.first_games(scale));
        let n_rounds = n.next_power_of_two().ilog2();
        let n_games = n as u64 * first * u64::from(n_rounds) + target.fresh_games(scale);
        let cost = n_games as f64 * target.seconds;
        let job = move |stop: &AtomicBool| target.respond(setting, stop);
        Cell::new(target.key(scale), cost, job)
    };
    Ok(targets(setting.scale).map(cell).collect())
}

const TABLE: &str = "The best response to each agent";

/// The last match of every agent against the response that the report names.
fn other_means(setting: RunSetting, reported: &Reported<'_>) -> Result<OtherMeans, LabError> {
    let figures = [
        ("it wins, %", MatchFigure::Share(0)),
        ("95 % over blocks", MatchFigure::Interval(0)),
        ("fresh games", MatchFigure::Games),
    ];
    let mut rows = Vec::new();
    for target in targets(setting.scale) {
        let row = [
            Text::from(target.preset),
            Text::Code(target.spec.to_owned()),
        ];
        if let Some(response) = reported.spec(TABLE, &row, "best response")? {
            // A report may come from anywhere, and a spec may name a program.
            if !responses(target.n_responses(setting.scale)).contains(&response) {
                return Err(LabError::Broken(format!(
                    "{response} is none of the responses that are tried"
                )));
            }
            let fresh = target.fresh(&response, setting.scale)?;
            rows.push(fresh.repeatable(setting, TABLE, row, &figures));
        }
    }
    Ok(OtherMeans::Rows(rows))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        TABLE,
        &[
            "rules",
            "agent",
            "best response",
            "#it wins, %",
            "#95 % over blocks",
            "#tried",
            "#games to pick",
            "#fresh games",
        ],
        Evidence::default(),
    );
    let (mut n_games, mut endings) = (0, Endings::default());
    let mut found: Vec<(f64, Target)> = Vec::new();
    for target in targets(scale) {
        let response: Option<Response> = results.get(&target.key(scale))?;
        let result = MatchResult::of(response.as_ref().map_or(&[], |r| r.blocks.as_slice()));
        n_games += result.n_games();
        endings.merge(&result.endings);
        found.extend(result.share(0).map(|(share, _)| (100.0 * share, target)));
        let [wins, interval] = percent_texts(result.share(0));
        let dash = || "–".to_owned();
        table.row([
            Text::from(target.preset),
            Text::Code(target.spec.to_owned()),
            Text::Code(response.as_ref().map_or_else(dash, |r| r.spec.clone())),
            Text::from(wins),
            Text::from(interval),
            Text::from(target.n_responses(scale).to_string()),
            Text::from(response.map_or_else(dash, |r| r.n_picking_games.to_string())),
            Text::from(result.n_games().to_string()),
        ]);
    }
    let size = format!("{n_games} duels on deals that were not used to pick");
    table.evidence = Evidence::of(results, size).ended(&endings);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut parts = Vec::new();
    if let (Some(least), Some(most)) = (found.first(), found.last()) {
        let words = format!(
            "Least exploited is {} under {}: the best response wins {} %; most exploited is {} under {} \
             with {} %.",
            least.1.spec,
            least.1.preset,
            number(least.0, 1),
            most.1.spec,
            most.1.preset,
            number(most.0, 1)
        );
        parts.push(SectionPart::Takeaway(Text::Plain(words)));
    }
    parts.push(SectionPart::Note(format!(
        "Duels on the classic map, seats rotated; after {TURN_LIMIT} rounds the most territories win. A \
         response is one of our rule bots or beam with 29 numbers drawn at random around the evolved \
         ones. Each round plays twice the games of the one before and keeps the better half. The last \
         one's share on fresh deals is a lower bound of what a true best response would win; an agent \
         against itself has 50 %."
    )));
    parts.push(SectionPart::Table(table));
    Ok(Section { parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_begin_with_the_bots_and_go_on_with_styles() {
        let all = responses(BOTS.len() + 2);
        assert_eq!(all[0], BOTS[0]);
        assert_eq!(all[BOTS.len() + 1], "beam(style=2)");
        for spec in &all {
            let spec: hegemon_bots::Spec = spec.parse().expect("a spec");
            hegemon_bots::settings(&spec).expect("a registered bot");
        }
    }
}
