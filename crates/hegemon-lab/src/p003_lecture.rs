//! Helmert 2026: its printed examples, alpha-beta and MCTS at equal effort on small games,
//! Boltzmann's blindness to variance, and evaluation against default policy in Risk.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::{Moments, share_ci95, wilson95};
use hegemon_core::Rng;
use hegemon_search::games::{Branch, TreeGame};
use hegemon_search::{Backup, Budget, Hooks, Mcts, MctsParams, Schedule, TreePolicy};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules};
use crate::other_means::OtherMeans;
use crate::published::row;
use crate::repeated_match::MatchFigure;
use crate::section::{
    Evidence, Ours, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};

/// What the lecture prints and says besides asymptotic optimality.
pub(crate) const LECTURE: Experiment = Experiment {
    name: "003-lecture",
    paper: "Helmert 2026",
    what: "printed examples, equal effort on small games, variance, evaluation against playouts",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// The node of the printed examples: utilities 50, 49 and nine times 0, in hundredths.
fn example() -> TreeGame {
    let end = |value: f64| Branch::End(vec![value, 1.0 - value]);
    let mut children = vec![end(0.5), end(0.49)];
    children.extend((0..9).map(|_| end(0.0)));
    TreeGame {
        n_players: 2,
        top: Branch::Choice(0, children),
    }
}

/// Three moves of means 0.5, 0.49 and 0.4; the third is certain, or all or nothing.
fn scenario(is_risky: bool) -> TreeGame {
    let end = |value: f64| Branch::End(vec![value, 1.0 - value]);
    let third = match is_risky {
        true => Branch::Chance(vec![(2, end(1.0)), (3, end(0.0))]),
        false => end(0.4),
    };
    TreeGame {
        n_players: 2,
        top: Branch::Choice(0, vec![end(0.5), end(0.49), third]),
    }
}

const EPSILON: TreePolicy = TreePolicy::EpsilonGreedy {
    epsilon: Schedule::Constant(0.2),
};
/// The temperature 10 of the lecture, in hundredths.
const BOLTZMANN: TreePolicy = TreePolicy::Boltzmann {
    temperature: Schedule::Constant(0.1),
};

fn n_trials(scale: Scale) -> u64 {
    scale.pick(5_000, 200_000, 1_000_000)
}

/// Visits of every move of a root after some trials.
fn visits(game: TreeGame, policy: TreePolicy, n: u64, seed: u64) -> Vec<u64> {
    let mut rng = Rng::stream(seed, "lab lecture");
    let params = MctsParams::lecture(policy);
    let mut mcts = Mcts::new(game, Hooks::default(), params, Vec::new());
    let report = mcts.search(Budget::Iterations(n), &mut rng);
    let mut visits = vec![0; report.children.len()];
    for child in &report.children {
        if let Some(slot) = visits.get_mut(usize::from(child.action)) {
            *slot = child.visits;
        }
    }
    visits
}

const EPSILON_KEY: &str = "visits of the printed example, epsilon 0.2";
const BOLTZMANN_KEY: &str = "visits of the printed example, Boltzmann 0.1";
const SURE_KEY: &str = "visits of three moves, the third certain, Boltzmann 0.1";
const RISKY_KEY: &str = "visits of three moves, the third risky, Boltzmann 0.1";

/// Sizes of the random trees: plies and width.
const TREES: [(u32, usize); 3] = [(4, 3), (6, 3), (4, 6)];

/// The effort and the success of a search over random trees.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EffortCell {
    /// Leaves that full minimax and alpha-beta look at.
    minimax: Vec<u64>,
    alpha_beta: Vec<u64>,
    /// Whether the root move of MCTS was optimal with as many trials as alpha-beta has
    /// leaves: mean backups, then minimax backups.
    mean: Vec<bool>,
    backed: Vec<bool>,
}

fn n_trees(scale: Scale) -> u64 {
    scale.pick(5, 200, 1000)
}

fn effort_key((depth, width): (u32, usize), scale: Scale) -> String {
    format!(
        "{} random trees of {depth} plies of {width}",
        n_trees(scale)
    )
}

/// The value of a branch for the first player by alpha-beta, counting leaves.
fn alpha_beta(branch: &Branch, mut alpha: f64, mut beta: f64, leaves: &mut u64) -> f64 {
    match branch {
        Branch::End(values) => {
            *leaves += 1;
            values[0]
        }
        Branch::Choice(mover, children) => {
            let is_max = *mover == 0;
            let mut best = if is_max {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            };
            for child in children {
                let value = alpha_beta(child, alpha, beta, leaves);
                if is_max {
                    best = best.max(value);
                    alpha = alpha.max(best);
                } else {
                    best = best.min(value);
                    beta = beta.min(best);
                }
                if alpha >= beta {
                    break;
                }
            }
            best
        }
        Branch::Chance(_) => TreeGame::value(branch)[0],
    }
}

/// Whether a move of the root is optimal for its player.
fn is_optimal(tree: &TreeGame, action: u8) -> bool {
    let best = TreeGame::value(&tree.top);
    match &tree.top {
        Branch::Choice(mover, children) => {
            let mover = usize::from(*mover);
            let child = children.get(usize::from(action));
            child.is_some_and(|child| TreeGame::value(child)[mover] >= best[mover] - 1e-9)
        }
        _ => false,
    }
}

fn efforts(
    (depth, width): (u32, usize),
    setting: RunSetting,
    stop: &AtomicBool,
) -> Option<EffortCell> {
    let mut effort = EffortCell {
        minimax: Vec::new(),
        alpha_beta: Vec::new(),
        mean: Vec::new(),
        backed: Vec::new(),
    };
    for number in 0..n_trees(setting.scale) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let seed = setting.seed.wrapping_add(number);
        let tree = TreeGame::random(depth, width, false, seed);
        let mut leaves = 0;
        alpha_beta(&tree.top, f64::NEG_INFINITY, f64::INFINITY, &mut leaves);
        effort.minimax.push((width as u64).pow(depth));
        effort.alpha_beta.push(leaves);
        for (backup, found) in [
            (Backup::Mean, &mut effort.mean),
            (Backup::Minimax, &mut effort.backed),
        ] {
            let params = MctsParams {
                backup,
                ..MctsParams::lecture(TreePolicy::Ucb1)
            };
            let mut rng = Rng::stream(seed, "lab equal effort");
            let mut mcts = Mcts::new(tree.clone(), Hooks::default(), params, Vec::new());
            let report = mcts.search(Budget::Iterations(leaves), &mut rng);
            found.push(report.best.is_some_and(|action| is_optimal(&tree, action)));
        }
    }
    Some(effort)
}

/// Searches that value new nodes in different ways, at equal iterations.
const LEAVES: [(&str, &str); 2] = [
    ("evaluation", "leaf=eval"),
    (
        "playouts of 20 decisions, then evaluation",
        "leaf=truncated,depth=20",
    ),
];

fn leaf_match(leaf: &str, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let n = scale.pick(4, 400, 2500);
    let table = MapAndRules::new("classic", "sampling")?;
    let limit = 60;
    let table = table.with(&format!("end.turn-limit={limit}"), |rules| {
        rules.end.turn_limit = Some(limit);
    });
    let specs = [
        format!("mcts({leaf},iters={n})"),
        format!("mcts(iters={n})"),
    ];
    let seconds = 0.02 + 0.0012 * f64::from(n);
    ChunkedMatch::new(&table, &specs, scale.pick(2, 40, 200), seconds)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let scale = setting.scale;
    let n = n_trials(scale);
    let cost = n as f64 * 1e-6;
    let visited = |key: &str, game: fn() -> TreeGame, policy: TreePolicy| {
        let work = move |_: &AtomicBool| Ok(Some(visits(game(), policy, n, setting.seed)));
        Cell::new(visit_key(key, scale), cost, work)
    };
    let mut cells = vec![
        visited(EPSILON_KEY, example, EPSILON),
        visited(BOLTZMANN_KEY, example, BOLTZMANN),
        visited(SURE_KEY, || scenario(false), BOLTZMANN),
        visited(RISKY_KEY, || scenario(true), BOLTZMANN),
    ];
    for tree in TREES {
        let work = move |stop: &AtomicBool| Ok(efforts(tree, setting, stop));
        let cost = n_trees(scale) as f64 * 1e-3;
        cells.push(Cell::new(effort_key(tree, scale), cost, work));
    }
    for (_, leaf) in LEAVES {
        cells.extend(leaf_match(leaf, scale)?.cells(setting)?);
    }
    Ok(cells)
}

fn visit_key(what: &str, scale: Scale) -> String {
    format!("{what}, {} trials", n_trials(scale))
}

/// The share of the visits that a move got, trials taken as independent.
fn visit_share(visits: &[u64], action: usize) -> Option<Ours> {
    let n: u64 = visits.iter().sum();
    let (hits, n) = (*visits.get(action)? as f64, n as f64);
    Some(Ours::new(hits / n, Some(wilson95(hits, n)), 4))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let read =
        |key: &str| -> Result<Option<Vec<u64>>, LabError> { results.get(&visit_key(key, scale)) };
    let (epsilon, boltzmann) = (read(EPSILON_KEY)?, read(BOLTZMANN_KEY)?);
    let size = format!("{} trials each", n_trials(scale));
    let mut table = ReportTable::comparison_by(
        "Printed examples: shares of the trials",
        "95 %, trials as independent",
        Evidence::of(results, size.clone()),
    );
    for (id, visits, action) in [
        ("epsilon-best", &epsilon, 0),
        ("epsilon-other", &epsilon, 1),
        ("boltzmann-best", &boltzmann, 0),
        ("boltzmann-second", &boltzmann, 1),
    ] {
        let ours = visits
            .as_ref()
            .and_then(|visits| visit_share(visits, action));
        table.compare(row(&format!("003/lecture/{id}")), ours.as_ref());
    }
    let blind = blindness(read(SURE_KEY)?, read(RISKY_KEY)?);
    table.compare(row("003/lecture/variance"), blind.as_ref());
    let (effort, takeaway) = effort_table(results)?;
    let mut parts: Vec<SectionPart> = takeaway
        .map(|words| SectionPart::Takeaway(Text::Plain(words)))
        .into_iter()
        .collect();
    parts.extend([
        SectionPart::Note(
            "The utilities of the example are 50, 49 and nine times 0 (our reconstruction), here in \
             hundredths. The third of three moves is worth 0.4, once for certain and once as 1 in two of \
             five cases: Boltzmann looks at the mean only."
                .to_owned(),
        ),
        SectionPart::Table(table),
        SectionPart::Table(effort),
        SectionPart::Table(leaf_table(results)?),
    ]);
    Ok(Section { parts })
}

/// Whether the certain and the risky third move get equally many trials.
fn blindness(sure: Option<Vec<u64>>, risky: Option<Vec<u64>>) -> Option<Ours> {
    let (sure, risky) = (visit_share(&sure?, 2)?, visit_share(&risky?, 2)?);
    let (a, b) = (sure.interval?, risky.interval?);
    let difference = (sure.value - risky.value).abs();
    let is_equal = difference <= a.half_width().hypot(b.half_width());
    let words = format!("{} and {}", number(sure.value, 3), number(risky.value, 3));
    Some(Ours::answer(is_equal, words))
}

fn effort_table(results: &Results) -> Result<(ReportTable, Option<String>), LabError> {
    let scale = results.setting.scale;
    let size = format!("{} random trees of each size", n_trees(scale));
    let mut table = ReportTable::new(
        "Equal effort: how often the optimal move is found, %",
        &[
            "trees",
            "#leaves of minimax",
            "#of alpha-beta",
            "#UCB1, mean backups",
            "#95 % over trees",
            "#UCB1, minimax backups",
            "#95 % over trees",
        ],
        Evidence::of(results, size),
    );
    table.notes.push(
        "Minimax and alpha-beta always find it; MCTS has as many trials as alpha-beta looks at leaves."
            .to_owned(),
    );
    let mut takeaway = None;
    for tree in TREES {
        let stored: Option<EffortCell> = results.get(&effort_key(tree, scale))?;
        let Some(effort) = stored else { continue };
        let mean = |counts: &[u64]| counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64;
        let found = |hits: &[bool]| {
            let moments: Moments = hits.iter().map(|&hit| f64::from(u8::from(hit))).collect();
            moments
                .mean()
                .map(|share| Ours::percent((share, share_ci95(&moments))))
        };
        let [with_mean, backed] = [found(&effort.mean), found(&effort.backed)];
        let texts = |ours: &Option<Ours>| {
            let dash = || "–".to_owned();
            [
                ours.as_ref()
                    .map_or_else(dash, |ours| number(ours.value, 1)),
                interval_or_dash(ours.as_ref().and_then(|ours| ours.interval), 1),
            ]
        };
        let ([a, a_interval], [b, b_interval]) = (texts(&with_mean), texts(&backed));
        takeaway = Some(format!(
            "With as many trials as alpha-beta looks at leaves, UCB1 finds the optimal move of random trees \
             of {} plies of {} in {a} % of the cases with mean backups and in {b} % with minimax backups.",
            tree.0, tree.1
        ));
        table.row([
            format!("{} plies of {}", tree.0, tree.1),
            number(mean(&effort.minimax), 0),
            number(mean(&effort.alpha_beta), 1),
            a,
            a_interval,
            b,
            b_interval,
        ]);
    }
    Ok((table, takeaway))
}

const LEAF_TABLE: &str = "Evaluation against default policy in Risk";

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let row = |(name, leaf): (&str, &str)| {
        let games = leaf_match(leaf, setting.scale)?;
        let figures = [
            ("wins against playouts to the end, %", MatchFigure::Share(0)),
            ("95 % over blocks", MatchFigure::Interval(0)),
            ("games", MatchFigure::Games),
        ];
        Ok(games.repeatable(setting, LEAF_TABLE, [Text::from(name)], &figures))
    };
    let rows = LEAVES
        .map(row)
        .into_iter()
        .collect::<Result<_, LabError>>()?;
    Ok(OtherMeans::Rows(rows))
}

fn leaf_table(results: &Results) -> Result<ReportTable, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        LEAF_TABLE,
        &[
            "new nodes are valued by",
            "#wins against playouts to the end, %",
            "#95 % over blocks",
            "#games",
            "spec",
        ],
        Evidence::default(),
    );
    let (mut n_games, mut endings) = (0, Endings::default());
    for (name, leaf) in LEAVES {
        let games = leaf_match(leaf, scale)?;
        let result = games.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        let share = result.share(0).map(Ours::percent);
        let dash = || "–".to_owned();
        table.row([
            Text::from(name),
            Text::from(
                share
                    .as_ref()
                    .map_or_else(dash, |ours| number(ours.value, 1)),
            ),
            Text::from(interval_or_dash(share.and_then(|ours| ours.interval), 1)),
            Text::from(result.n_games().to_string()),
            Text::Code(games.first_spec()),
        ]);
    }
    let size = format!("{n_games} games of two at equal iterations");
    table.evidence = Evidence::of(results, size).ended(&endings);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_beta_is_exact_and_looks_at_less() {
        for seed in 0..20 {
            let tree = TreeGame::random(4, 3, false, seed);
            let mut leaves = 0;
            let value = alpha_beta(&tree.top, f64::NEG_INFINITY, f64::INFINITY, &mut leaves);
            assert!((value - TreeGame::value(&tree.top)[0]).abs() < 1e-12);
            assert!(leaves > 9 && leaves <= 81, "{leaves}");
        }
    }
}
