//! The champion against each other searching agent at equal processor time, in each preset, by
//! a sequential test.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::sprt::{Sprt, SprtParams};
use hegemon_arena::stats::Interval;
use hegemon_arena::{SprtRun, SprtRunReport, Verdict};
use hegemon_bots::Spec;
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::ChunkedMatch;
use crate::other_means::{OtherCommand, OtherMeans, RepeatableRow};
use crate::report::Reported;
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, interval_or_dash, number};
use crate::shipped_files;
use crate::strength::{ARENAS, Arena};

/// The champion and its rivals with as much time.
pub(crate) const EQUAL_EFFORT: Experiment = Experiment {
    name: "equal-effort",
    paper: "beyond the papers",
    what: "the champion against goal-uct, rollout and mcts-tuned at equal processor time, in each preset",
    needs: &["champion", "goal-uct"],
    plan,
    render,
    other_means,
};

/// The rivals in each of [`ARENAS`], with budgets that took at least as much processor time a
/// game as [`champion`] with the seed 31. The times of both are shown beside the results.
const RIVALS: [[&str; 3]; ARENAS.len()] = [
    [
        "goal-uct(ahead=112)",
        "rollout(playouts=14)",
        "mcts-tuned(iters=330)",
    ],
    [
        "goal-uct(ahead=192)",
        "rollout(playouts=16)",
        "mcts-tuned(iters=1100)",
    ],
    [
        "goal-uct(ahead=224)",
        "rollout(playouts=28)",
        "mcts-tuned(iters=500)",
    ],
    [
        "goal-uct(ahead=208)",
        "rollout(playouts=16)",
        "mcts-tuned(iters=500)",
    ],
    [
        "goal-uct(ahead=180)",
        "rollout(playouts=18)",
        "mcts-tuned(iters=3000)",
    ],
];

/// Processor seconds of a game with one of them.
const SECONDS: f64 = 0.7;

/// Normalised Elo that the test tells from none: the smaller, the more games it takes.
fn elo(scale: Scale) -> f64 {
    scale.pick(100.0, 100.0, 40.0)
}

/// The champion, with as many looks everywhere.
fn champion(scale: Scale) -> &'static str {
    scale.pick(
        "champion(looks=1)",
        "champion(looks=4)",
        "champion(looks=4)",
    )
}

/// The rivals of an arena; at the smallest scale only that they run.
fn rivals(arena: usize, scale: Scale) -> [&'static str; 3] {
    let least = [
        "goal-uct(iters=4,ahead=1)",
        "rollout(playouts=1,cap=200)",
        "mcts-tuned(iters=2)",
    ];
    scale.pick(least, RIVALS[arena], RIVALS[arena])
}

/// What is kept of a test.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tested {
    verdict: Verdict,
    games: u64,
    /// Shares of the wins of the champion and of its rival, each in its own games.
    shares: [f64; 2],
    /// Normalised Elo of the champion over its rival with half the width of its interval, once
    /// the blocks differ.
    elo: Option<[f64; 2]>,
}

impl Tested {
    fn of(report: &SprtRunReport) -> Tested {
        let spread = report.elo.and_then(|elo| elo.spread);
        Tested {
            verdict: report.verdict(),
            games: report.games,
            shares: [report.share_a, report.share_b],
            elo: spread.map(|spread| [spread.nelo, spread.nelo_error]),
        }
    }

    fn elo_texts(&self) -> [String; 2] {
        let dash = || "–".to_owned();
        let centre = self.elo.map_or_else(dash, |[elo, _]| number(elo, 0));
        let interval = self.elo.map(|[elo, error]| Interval::around(elo, error));
        [centre, interval_or_dash(interval, 0)]
    }
}

/// One test: two play each other, or take turns in a seat against the others of the arena.
struct Contest {
    arena: &'static Arena,
    champion: &'static str,
    rival: &'static str,
}

impl Contest {
    fn all(scale: Scale) -> impl Iterator<Item = Contest> {
        let of = move |(n, arena): (usize, &'static Arena)| {
            let contest = move |rival| Contest {
                arena,
                champion: champion(scale),
                rival,
            };
            rivals(n, scale).map(contest)
        };
        ARENAS.iter().enumerate().flat_map(of)
    }

    fn key(&self, scale: Scale) -> String {
        format!(
            "{} tested against {} under {} for {} Elo in {} games",
            self.champion,
            self.rival,
            self.arena.preset,
            elo(scale),
            max_games(scale)
        )
    }

    /// The others at a table of more than two.
    fn field(&self) -> &'static [&'static str] {
        match self.arena.rivals {
            [_] => &[],
            rivals => rivals,
        }
    }

    /// The command that makes the same test.
    fn command(&self, setting: RunSetting) -> Result<OtherCommand, LabError> {
        let scale = setting.scale;
        let mut words = ["sprt", self.champion, self.rival]
            .map(str::to_owned)
            .to_vec();
        words.extend(self.arena.table(scale)?.words());
        if let [first, others @ ..] = self.field() {
            words.extend(["--field", first].map(str::to_owned));
            words.extend(others.iter().map(ToString::to_string));
        }
        words.extend(["--model", "normalized", "--elo1"].map(str::to_owned));
        words.push(elo(scale).to_string());
        words.extend(["--max-games".to_owned(), max_games(scale).to_string()]);
        words.extend(["--seed".to_owned(), setting.seed.to_string()]);
        Ok(OtherCommand::new(words))
    }

    fn run(&self, setting: RunSetting) -> Result<SprtRun, LabError> {
        let n_players = 1 + self.arena.rivals.len();
        let field = self.field();
        let spec = |text: &&str| text.parse::<Spec>();
        let params = SprtParams {
            elo1: elo(setting.scale),
            ..SprtParams::default()
        };
        Ok(SprtRun {
            game: self.arena.table(setting.scale)?.game(n_players)?,
            a: spec(&self.champion)?,
            b: spec(&self.rival)?,
            field: field.iter().map(spec).collect::<Result<_, _>>()?,
            sprt: Sprt::new(params).map_err(|error| LabError::Broken(error.to_string()))?,
            max_games: max_games(setting.scale),
            seed: setting.seed,
            n_threads: 1,
            grants: shipped_files::grants(),
        })
    }

    fn cell(&self, setting: RunSetting) -> Result<Cell, LabError> {
        let run = self.run(setting)?;
        let job = move |stop: &AtomicBool| {
            let report = run.run(stop, |_| {})?;
            let is_cut = stop.load(Ordering::Relaxed);
            Ok((!is_cut).then(|| Tested::of(&report)))
        };
        let cost = SECONDS * max_games(setting.scale) as f64;
        Ok(Cell::new(self.key(setting.scale), cost, job))
    }

    /// Games of one of the two among the others of the arena, which take next to no time.
    fn alone(&self, spec: &str, scale: Scale) -> Result<ChunkedMatch, LabError> {
        let specs: Vec<&str> = [spec]
            .into_iter()
            .chain(self.arena.rivals.iter().copied())
            .collect();
        let n_games = scale.pick(1, 12, 24);
        ChunkedMatch::new(&self.arena.table(scale)?, &specs, n_games, SECONDS)
    }
}

fn max_games(scale: Scale) -> u64 {
    scale.pick(8, 96, 320)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells: Vec<Cell> = Vec::new();
    for contest in Contest::all(setting.scale) {
        cells.push(contest.cell(setting)?);
        for spec in [contest.champion, contest.rival] {
            for cell in contest.alone(spec, setting.scale)?.cells(setting)? {
                // The champion's games are those of every rival.
                if cells.iter().all(|other| other.key != cell.key) {
                    cells.push(cell);
                }
            }
        }
    }
    Ok(cells)
}

const TABLE: &str = "The champion beside other searching agents with as much time";

/// What `hegemon sprt` prints.
#[derive(Deserialize)]
struct PrintedTest {
    verdict: Verdict,
    games: u64,
    share_a: f64,
    share_b: f64,
    nelo: Option<f64>,
}

fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::ABetter => "ahead",
        Verdict::ANotBetter => "not ahead",
        Verdict::Undecided => "undecided",
    }
}

/// The tests again; those that took the fewest games are the cheapest.
fn other_means(setting: RunSetting, reported: &Reported<'_>) -> Result<OtherMeans, LabError> {
    let row = |contest: Contest| {
        let row = [
            Text::from(contest.arena.preset),
            Text::Code(contest.rival.to_owned()),
        ];
        let n_games = reported.number(TABLE, &row, "games");
        let n_games = n_games.unwrap_or(max_games(setting.scale));
        let commands = vec![contest.command(setting)?];
        let seconds = SECONDS * n_games as f64;
        let columns = [
            "champion, %",
            "the other, %",
            "normalised Elo",
            "by the test",
            "games",
        ];
        let row = RepeatableRow::new(TABLE, row, commands, seconds);
        Ok(row.comparing(&columns, |answers| {
            let Some(answer) = answers.first() else {
                return Ok(Vec::new());
            };
            let found: PrintedTest = answer.value()?;
            let [ours, theirs] = [found.share_a, found.share_b].map(|s| number(100.0 * s, 1));
            let nelo = found
                .nelo
                .map_or_else(|| "–".to_owned(), |nelo| number(nelo, 0));
            let verdict = verdict_text(found.verdict).to_owned();
            Ok(vec![ours, theirs, nelo, verdict, found.games.to_string()])
        }))
    };
    let rows = Contest::all(setting.scale).map(row);
    Ok(OtherMeans::Rows(rows.collect::<Result<_, LabError>>()?))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        TABLE,
        &[
            "rules",
            "against",
            "#champion, ms a turn",
            "#the other, ms",
            "#champion, %",
            "#the other, %",
            "#normalised Elo",
            "#95 % over blocks",
            "by the test",
            "#games",
        ],
        Evidence::default(),
    );
    let mut n_games = 0;
    let (mut ahead, mut behind, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for contest in Contest::all(scale) {
        let Some(tested) = results.get::<Tested>(&contest.key(scale))? else {
            continue;
        };
        n_games += tested.games;
        let time = |spec| contest.alone(spec, scale)?.turn_ms(results);
        let name = format!("{} under {}", contest.rival, contest.arena.preset);
        match tested.verdict {
            Verdict::ABetter => ahead.push(name),
            Verdict::ANotBetter => behind.push(name),
            Verdict::Undecided => open.push(name),
        }
        let [elo, interval] = tested.elo_texts();
        let [ours, theirs] = tested.shares.map(|share| number(100.0 * share, 1));
        table.row([
            Text::from(contest.arena.preset),
            Text::Code(contest.rival.to_owned()),
            time(contest.champion)?,
            time(contest.rival)?,
            Text::from(ours),
            Text::from(theirs),
            Text::from(elo),
            Text::from(interval),
            Text::from(verdict_text(tested.verdict)),
            Text::from(tested.games.to_string()),
        ]);
    }
    let size = format!("{n_games} games, at most {} a row", max_games(scale));
    table.evidence = Evidence::of(results, size);
    let mut parts = vec![
        SectionPart::Note(format!(
            "{} against agents whose budgets take at least as long a turn (found with another seed). Two \
             players play each other; elsewhere the two take turns in every seat against the same others, \
             those of the section strength, on the same deals. The test asks for no difference against \
             {} points of normalised Elo, with errors of 5 %.",
            champion(scale),
            elo(scale)
        )),
        SectionPart::Table(table),
    ];
    if n_games > 0 {
        parts.insert(
            0,
            SectionPart::Takeaway(Text::Plain(sentence(&ahead, &behind, &open))),
        );
    }
    Ok(Section { parts })
}

fn sentence(ahead: &[String], behind: &[String], open: &[String]) -> String {
    let n = ahead.len() + behind.len() + open.len();
    let mut words = format!(
        "At no more processor time the champion is ahead of the other searching agents in {} of {n} tests",
        ahead.len()
    );
    if !behind.is_empty() {
        words += &format!("; it is not ahead of {}", behind.join(", "));
    }
    if !open.is_empty() {
        words += &format!("; undecided are {}", open.join(", "));
    }
    words + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arena_has_its_rivals_and_every_cell_its_own_key() {
        let setting = RunSetting {
            scale: Scale::Quick,
            seed: 1,
        };
        let cells = plan(setting).expect("sound specs");
        let mut keys: Vec<&str> = cells.iter().map(|cell| cell.key.as_str()).collect();
        let n = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), n);
        assert_eq!(Contest::all(Scale::Quick).count(), 3 * ARENAS.len());
    }

    #[test]
    fn the_sentence_names_what_is_not_won() {
        let name = |text: &str| vec![text.to_owned()];
        assert_eq!(
            sentence(&name("a"), &name("b"), &[]),
            "At no more processor time the champion is ahead of the other searching agents in 1 of 2 \
             tests; it is not ahead of b."
        );
    }
}
