//! `hegemon maps check`: faults of a map, and what self-play says about it.

use clap::Args;
use hegemon_arena::stats::Interval;
use hegemon_arena::{MapTrial, MapTrialReport, WinShare};
use hegemon_bots::Spec;
use hegemon_core::{Game, Map};
use serde::Serialize;

use crate::inputs::{self, RulesChoice, ThreadCount};
use crate::interrupt::stop_flag;
use crate::output::{self, Column, OutputArgs};
use crate::programs::ProgramLimits;
use crate::values;

/// Find the faults of a map, and by self-play what it favours and how long games last
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct CheckArgs {
    /// Map: a name or a JSON file
    #[arg(value_name = "NAME|FILE", value_parser = values::map(), hide_possible_values = true)]
    map: String,
    #[command(flatten)]
    rules: RulesChoice,
    /// Number of players
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = values::players())]
    players: usize,
    /// The bot in all seats
    #[arg(long, value_name = "SPEC", default_value = "quo", value_parser = values::spec(), hide_possible_values = true)]
    bot: Spec,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = values::games())]
    games: u64,
    /// Seed of everything
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    threads: ThreadCount,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
All seats are played by one bot, so every difference between them is the map's. The share of a continent is how \
often the first player who began a turn with all of it won; level is one over the number of players. Intervals are \
of 95 %.

Example: hegemon maps check ring24 --rules lux --games 200";

#[derive(Serialize)]
struct CheckAnswer {
    map: String,
    rules: String,
    players: usize,
    bot: String,
    games: u64,
    seed: u64,
    /// Games without a single winner.
    undecided: u64,
    /// By place in the order of play.
    order: Vec<ShareAnswer>,
    continents: Vec<ContinentAnswer>,
    rounds: RoundsAnswer,
}

#[derive(Serialize)]
struct ShareAnswer {
    share: f64,
    ci95: [f64; 2],
}

#[derive(Serialize)]
struct ContinentAnswer {
    name: String,
    bonus: u16,
    territories: usize,
    borders: usize,
    /// Games in which it was held.
    held: u64,
    /// Mean round in which it was first held.
    first_round: Option<f64>,
    /// Share of the wins of the first who held it.
    holder: Option<ShareAnswer>,
}

#[derive(Serialize)]
struct RoundsAnswer {
    mean: f64,
    ci95: Option<[f64; 2]>,
    /// A tenth, half and nine tenths of the games are no longer than this.
    deciles: [u32; 3],
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

impl ShareAnswer {
    fn of(share: &WinShare) -> ShareAnswer {
        ShareAnswer {
            share: share.share,
            ci95: ends(share.ci95),
        }
    }

    fn cells(&self) -> [String; 2] {
        let [low, high] = self.ci95;
        [
            format!("{:.1}", 100.0 * self.share),
            format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
        ]
    }
}

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<()> {
    // A faulty file is refused here, with its faults.
    super::sound(&args.map)?;
    let map = inputs::map(&args.map)?;
    let trial = MapTrial {
        game: Game::new(map.clone(), args.rules.resolve()?, args.players)?,
        bot: args.bot.clone(),
        n_games: args.games,
        seed: args.seed,
        n_threads: args.threads.n(),
        grants: ProgramLimits::default().grants(),
    };
    let bar = output::progress(args.games);
    let report = trial.run(stop_flag(), |n| bar.set_position(n))?;
    bar.finish_and_clear();
    let Some(report) = report else {
        return output::print("stopped before the first game was over\n");
    };
    let answer = CheckAnswer::of(args, &map, &report);
    args.output.print(&answer, CheckAnswer::text)
}

impl CheckAnswer {
    fn of(args: &CheckArgs, map: &Map, report: &MapTrialReport) -> CheckAnswer {
        let continent = |found: &hegemon_arena::ContinentTrial| {
            let facts = map.continent(found.continent);
            ContinentAnswer {
                name: map.continent_name(found.continent).to_owned(),
                bonus: facts.bonus,
                territories: facts.territories.len(),
                borders: facts.borders.len(),
                held: found.n_held,
                first_round: found.first_round,
                holder: found.holder.as_ref().map(ShareAnswer::of),
            }
        };
        CheckAnswer {
            map: map.name().to_owned(),
            rules: args.rules.words(),
            players: args.players,
            bot: args.bot.to_string(),
            games: report.n_games,
            seed: args.seed,
            undecided: report.n_undecided,
            order: report.by_order.iter().map(ShareAnswer::of).collect(),
            continents: report.continents.iter().map(continent).collect(),
            rounds: RoundsAnswer {
                mean: report.rounds.mean,
                ci95: report.rounds.ci95.map(ends),
                deciles: report.deciles,
            },
        }
    }

    fn text(&self) -> String {
        let mut order = output::table([
            Column::Text("order of play"),
            Column::Number("won %"),
            Column::Number("95 %"),
        ]);
        for (place, share) in (1..).zip(&self.order) {
            let [won, interval] = share.cells();
            order.add_row(output::row([place.to_string(), won, interval]));
        }
        let [short, half, long] = self.rounds.deciles;
        let spread = self.rounds.ci95.map_or(String::new(), |[low, high]| {
            format!(" ({low:.1}-{high:.1})")
        });
        format!(
            "{} has no fault\n\n{}\n{}\n{}",
            self.map,
            output::table_text(&order),
            self.continents_text(),
            output::facts([
                (
                    "rounds",
                    format!("{:.1}{spread} on average", self.rounds.mean)
                ),
                (
                    "",
                    format!(
                        "a tenth within {short}, half within {half}, nine tenths within {long}"
                    )
                ),
                (
                    "played",
                    format!(
                        "{} games of {} {}, rules {}, seed {}; {} without a single winner",
                        self.games, self.players, self.bot, self.rules, self.seed, self.undecided
                    )
                ),
            ])
        )
    }

    fn continents_text(&self) -> String {
        let mut table = output::table([
            Column::Text("continent"),
            Column::Number("bonus"),
            Column::Number("size"),
            Column::Number("borders"),
            Column::Number("held"),
            Column::Number("round"),
            Column::Number("won %"),
            Column::Number("95 %"),
        ]);
        for continent in &self.continents {
            let [won, interval] = match &continent.holder {
                Some(holder) => holder.cells(),
                None => [String::new(), String::new()],
            };
            let first = continent.first_round;
            table.add_row(output::row([
                continent.name.clone(),
                continent.bonus.to_string(),
                continent.territories.to_string(),
                continent.borders.to_string(),
                continent.held.to_string(),
                first.map_or(String::new(), |round| format!("{round:.1}")),
                won,
                interval,
            ]));
        }
        let meaning = "held: games in which somebody owned all of it, first in that round;\n\
                       won: share of the games that its first owner won";
        format!("{}{meaning}\n", output::table_text(&table))
    }
}
