//! Helmert 2026: what each tree policy converges to, on games with known
//! values.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::wilson95;
use hegemon_core::Rng;
use hegemon_search::games::{
    BattleAction, BattlePhase, Branch, OneFrontBattle, TreeGame, min_node,
};
use hegemon_search::{
    Backup, Budget, Domain, Hooks, Mcts, MctsParams, Player, Schedule, SolverParams, TreePolicy,
    solve,
};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::other_means::OtherMeans;
use crate::plot::{LinePlot, Panel, PlotLine};
use crate::published::row;
use crate::section::{Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, number};

/// Bias and regret of every policy.
pub(crate) const POLICIES: Experiment = Experiment {
    name: "003-policies",
    paper: "Helmert 2026",
    what: "bias and regret of the tree policies, by trials",
    needs: &[],
    plan,
    render,
    other_means: |_, _| {
        Ok(OtherMeans::None(
            "no other command searches these small games",
        ))
    },
};

/// A policy with its backups.
struct NamedPolicy {
    name: &'static str,
    policy: TreePolicy,
    is_minimax: bool,
}

const fn epsilon(schedule: Schedule) -> TreePolicy {
    TreePolicy::EpsilonGreedy { epsilon: schedule }
}

const fn boltzmann(schedule: Schedule) -> TreePolicy {
    TreePolicy::Boltzmann {
        temperature: schedule,
    }
}

const fn mean(name: &'static str, policy: TreePolicy) -> NamedPolicy {
    NamedPolicy {
        name,
        policy,
        is_minimax: false,
    }
}

const EPSILON: usize = 0;
const BOLTZMANN: usize = 3;
const UCB1: usize = 5;
const UCT: usize = 6;
const MINIMAX: usize = 7;
const DECAYING: [usize; 3] = [1, 2, 4];

const LIST: [NamedPolicy; 9] = [
    mean("epsilon 0.2", epsilon(Schedule::Constant(0.2))),
    mean("epsilon 1/k", epsilon(Schedule::OverK(1.0))),
    mean("epsilon 1/sqrt k", epsilon(Schedule::OverSqrtK(1.0))),
    mean("Boltzmann 0.5", boltzmann(Schedule::Constant(0.5))),
    mean("Boltzmann 1/ln k", boltzmann(Schedule::OverLnK(1.0))),
    mean("UCB1", TreePolicy::Ucb1),
    mean("UCT c = 1.2", TreePolicy::Uct { c: 1.2 }),
    NamedPolicy {
        name: "epsilon 0.2, minimax",
        policy: epsilon(Schedule::Constant(0.2)),
        is_minimax: true,
    },
    mean("PUCT c = 2, even priors", TreePolicy::Puct { c: 2.0 }),
];

impl NamedPolicy {
    fn params(&self) -> MctsParams {
        let mut params = MctsParams::lecture(self.policy);
        if self.is_minimax {
            params.backup = Backup::Minimax;
        }
        params
    }
}

const GAMES: [&str; 3] = [
    "one MIN node above 0 and 1",
    "random trees, four plies of three",
    "one-front battle, 5 against 4",
];

/// A point of a curve: trials, mean estimate less the true value, mean absolute
/// error, mean regret (what the choices at the root have lost), and visits of the
/// worst root move in the first run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct ErrorPoint {
    trials: u64,
    bias: f64,
    error: f64,
    regret: f64,
    bad_visits: u64,
}

fn counts(scale: Scale) -> Vec<u64> {
    let last = scale.pick(10_000, 100_000, 1_000_000);
    let mut counts = Vec::new();
    let mut power = 10;
    while power <= last {
        counts.extend([1, 2, 5].map(|n| n * power).iter().filter(|&&n| n <= last));
        power *= 10;
    }
    counts
}

fn key(policy: usize, game: usize, scale: Scale) -> String {
    let n = counts(scale).last().copied().unwrap_or(0);
    format!(
        "{} on {}, {} runs of {n} trials",
        LIST[policy].name,
        GAMES[game],
        n_runs(game, scale)
    )
}

fn n_runs(game: usize, scale: Scale) -> u64 {
    match game {
        0 => scale.pick(1, 10, 20),
        1 => scale.pick(1, 20, 20),
        _ => scale.pick(1, 5, 10),
    }
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let scale = setting.scale;
    let trials = counts(scale).last().copied().unwrap_or(0) as f64;
    let mut cells = Vec::new();
    for policy in 0..LIST.len() {
        for game in 0..GAMES.len() {
            let cost = trials * n_runs(game, scale) as f64 * [0.5e-6, 1.5e-6, 2.5e-6][game];
            let work = move |stop: &AtomicBool| Ok(curve(policy, game, setting, stop));
            cells.push(Cell::new(key(policy, game, scale), cost, work));
        }
    }
    Ok(cells)
}

fn curve(
    policy: usize,
    game: usize,
    setting: RunSetting,
    stop: &AtomicBool,
) -> Option<Vec<ErrorPoint>> {
    let n_runs = n_runs(game, setting.scale);
    let mut sum: Vec<ErrorPoint> = Vec::new();
    for run in 0..n_runs {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let points = one_run(policy, game, setting, run);
        if sum.is_empty() {
            sum = points;
            continue;
        }
        for (sum, point) in sum.iter_mut().zip(points) {
            sum.bias += point.bias;
            sum.error += point.error;
            sum.regret += point.regret;
        }
    }
    for point in &mut sum {
        point.bias /= n_runs as f64;
        point.error /= n_runs as f64;
        point.regret /= n_runs as f64;
    }
    Some(sum)
}

fn one_run(policy: usize, game: usize, setting: RunSetting, run: u64) -> Vec<ErrorPoint> {
    let params = LIST[policy].params();
    let counts = counts(setting.scale);
    let mut rng = Rng::stream(setting.seed.wrapping_add(run), "lab policies");
    match game {
        0 | 1 => {
            let tree = match game {
                0 => min_node(1.0),
                _ => TreeGame::random(4, 3, false, setting.seed.wrapping_add(run)),
            };
            let (exact, losses) = tree_truth(&tree);
            let loss = move |action: &u8| losses[usize::from(*action)];
            follow(tree, Vec::new(), params, &counts, &mut rng, exact, loss)
        }
        _ => {
            let battle = OneFrontBattle { stop_pay: 0.1 };
            let root = (5, 4, BattlePhase::Decide);
            let exact = solve(&battle, &root, &SolverParams::default())
                .ok()
                .and_then(|solution| solution.values(&root))
                .map_or(0.0, |values| values[Player(0)]);
            let loss = move |action: &BattleAction| match action {
                BattleAction::Attack => 0.0,
                BattleAction::Stop => exact - 0.5,
            };
            follow(battle, root, params, &counts, &mut rng, exact, loss)
        }
    }
}

/// The value of a tree for the first player, and what each root move loses for
/// the player who makes it.
fn tree_truth(tree: &TreeGame) -> (f64, Vec<f64>) {
    let exact = TreeGame::value(&tree.top);
    let losses = match &tree.top {
        Branch::Choice(mover, children) => {
            let mover = usize::from(*mover);
            let loss = |child: &Branch| exact[mover] - TreeGame::value(child)[mover];
            children.iter().map(loss).collect()
        }
        _ => Vec::new(),
    };
    (exact[0], losses)
}

fn follow<G: Domain>(
    game: G,
    root: G::State,
    params: MctsParams,
    counts: &[u64],
    rng: &mut Rng,
    exact: f64,
    loss: impl Fn(&G::Action) -> f64,
) -> Vec<ErrorPoint> {
    let mut mcts = Mcts::new(game, Hooks::default(), params, root);
    let mut done = 0;
    let mut points = Vec::new();
    for &trials in counts {
        let report = mcts.search(Budget::Iterations(trials - done), rng);
        done = trials;
        let bias = report.values[Player(0)] - exact;
        let regret = report
            .children
            .iter()
            .map(|child| child.visits as f64 * loss(&child.action))
            .sum();
        let worst = report
            .children
            .iter()
            .max_by(|a, b| loss(&a.action).total_cmp(&loss(&b.action)));
        points.push(ErrorPoint {
            trials,
            bias,
            error: bias.abs(),
            regret,
            bad_visits: worst.map_or(0, |child| child.visits),
        });
    }
    points
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut curves: Vec<Vec<Option<Vec<ErrorPoint>>>> = Vec::new();
    for game in 0..GAMES.len() {
        let read = (0..LIST.len()).map(|policy| results.get(&key(policy, game, scale)));
        curves.push(read.collect::<Result<_, _>>()?);
    }
    let panels = (0..GAMES.len()).flat_map(|game| {
        let (error, regret) = (
            format!("error: {}", GAMES[game]),
            format!("regret: {}", GAMES[game]),
        );
        [
            panel([error, "error".to_owned()], &curves[game], |point| {
                point.error
            }),
            panel([regret, "regret".to_owned()], &curves[game], |point| {
                point.regret
            }),
        ]
    });
    let plot = LinePlot {
        title: "Error of the estimate and regret of every tree policy".to_owned(),
        panels: panels.collect(),
    };
    let trials = counts(scale).last().copied().unwrap_or(0);
    let size = format!("{trials} trials, means over runs");
    let evidence = Evidence::of(results, size);
    let intervals = "95 %, trials as independent";
    let title = "The lecture's statements";
    let mut table = ReportTable::comparison_by(title, intervals, evidence.clone());
    statements(&mut table, &curves[0], n_runs(0, scale));
    let mut ends = ReportTable::new(
        &format!("After {trials} trials"),
        &[
            "policy",
            "#error, MIN node",
            "#regret",
            "#error, random trees",
            "#regret",
            "#error, battle",
            "#regret",
        ],
        evidence,
    );
    for (policy, entry) in LIST.iter().enumerate() {
        let mut cells = vec![Text::from(entry.name)];
        for curve in curves.iter().map(|game| &game[policy]) {
            let end = curve.as_ref().and_then(|points| points.last());
            cells.push(end.map_or("–".into(), |point| number(point.error, 5).into()));
            cells.push(end.map_or("–".into(), |point| number(point.regret, 1).into()));
        }
        ends.row(cells);
    }
    let mut parts: Vec<SectionPart> = error_takeaway(&curves[0]).into_iter().collect();
    parts.extend([
            SectionPart::Note(
                "Three games with known values: one MIN node above the utilities 0 and 1; random \
                 trees of MAX and MIN; the battle of one front, where each exchange may be the last. \
                 Error is the distance of the estimate from the true value of the root, regret what the \
                 choices at the root have lost so far. A policy is asymptotically optimal if its error \
                 tends to 0; the constant ones level off above it."
                    .to_owned(),
            ),
            SectionPart::Table(table),
            SectionPart::Plot(Plot {
                name: "003-policies".to_owned(),
                about: "Error and regret by trials, both axes logarithmic; less than 10⁻⁶ is drawn there".to_owned(),
                svg: plot.svg(),
            }),
            SectionPart::Table(ends),
    ]);
    Ok(Section { parts })
}

/// Whose error stays and whose vanishes at the MIN node.
fn error_takeaway(curves: &[Option<Vec<ErrorPoint>>]) -> Option<SectionPart> {
    let (mut stays, mut vanishes) = (Vec::new(), Vec::new());
    for (policy, curve) in LIST.iter().zip(curves) {
        let tenfold = LastTenfold::of(curve.as_ref()?)?;
        let names = if tenfold.vanishes() {
            &mut vanishes
        } else {
            &mut stays
        };
        names.push(policy.name);
    }
    Some(SectionPart::Takeaway(Text::Plain(format!(
        "At a MIN node the error vanishes with trials for {}; it stays for {}.",
        vanishes.join(", "),
        stays.join(", ")
    ))))
}

fn panel(
    [title, y_axis]: [String; 2],
    curves: &[Option<Vec<ErrorPoint>>],
    pick: fn(&ErrorPoint) -> f64,
) -> Panel {
    let line = |(policy, curve): (&NamedPolicy, &Option<Vec<ErrorPoint>>)| PlotLine {
        name: policy.name.to_owned(),
        points: curve
            .iter()
            .flatten()
            // Below this there is only rounding error.
            .map(|point| (point.trials as f64, pick(point).max(1e-6)))
            .collect(),
    };
    Panel {
        title,
        x_axis: "trials".to_owned(),
        y_axis,
        is_log: true,
        lines: LIST.iter().zip(curves).map(line).collect(),
        known: None,
    }
}

/// The errors at the end of a curve and at a tenth of its trials.
struct LastTenfold {
    earlier: f64,
    end: ErrorPoint,
}

impl LastTenfold {
    fn of(points: &[ErrorPoint]) -> Option<LastTenfold> {
        let end = *points.last()?;
        let earlier = points
            .iter()
            .find(|point| 10 * point.trials == end.trials)?;
        Some(LastTenfold {
            earlier: earlier.error,
            end,
        })
    }

    /// Whether tenfold trials halve the error at least. Where it tends to 0 they do (the
    /// slowest here falls with the root of the trials); a bias that stays does not.
    fn vanishes(&self) -> bool {
        self.end.error <= self.earlier / 2.0
    }
}

impl fmt::Display for LastTenfold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.end.trials;
        let [earlier, end] = [self.earlier, self.end.error].map(|error| number(error, 5));
        write!(f, "{earlier} after {}, {end} after {n} trials", n / 10)
    }
}

/// The statements, checked at the MIN node, whose true value is 0.
fn statements(table: &mut ReportTable, curves: &[Option<Vec<ErrorPoint>>], n_runs: u64) {
    let end = |policy: usize| {
        curves[policy]
            .as_ref()
            .and_then(|points| points.last().copied())
    };
    let mut say = |id: &str, policies: &[usize], expected: bool| {
        let tenfolds: Option<Vec<LastTenfold>> = policies
            .iter()
            .map(|&policy| LastTenfold::of(curves[policy].as_ref()?))
            .collect();
        let ours = tenfolds.map(|tenfolds| {
            let holds = tenfolds.iter().all(|t| t.vanishes() == expected);
            let words: Vec<String> = tenfolds.iter().map(ToString::to_string).collect();
            Ours::answer(holds, words.join("; "))
        });
        table.compare(row(id), ours.as_ref());
    };
    say("003/policies/epsilon", &[EPSILON], false);
    say("003/policies/boltzmann", &[BOLTZMANN], false);
    say("003/policies/ucb1", &[UCB1], true);
    say("003/policies/decaying", &DECAYING, true);
    say("003/policies/minimax", &[MINIMAX], true);
    for (id, policy) in [
        ("003/policies/epsilon-limit", EPSILON),
        ("003/policies/boltzmann-limit", BOLTZMANN),
    ] {
        let published = row(id);
        let ours = end(policy).map(|point| {
            let share = point.bias.clamp(0.0, 1.0);
            let n = (n_runs * point.trials) as f64;
            Ours::new(point.bias, Some(wilson95(share * n, n)), 4)
        });
        table.compare(published, ours.as_ref());
    }
    for (id, policy) in [
        ("003/policies/ucb1-visits", UCB1),
        ("003/policies/uct-visits", UCT),
    ] {
        let points = curves[policy].as_ref();
        let at = points.and_then(|points| points.iter().find(|point| point.trials == 10_000));
        let ours = at.map(|point| Ours::new(point.bad_visits as f64, None, 0));
        table.compare(row(id), ours.as_ref());
    }
}
