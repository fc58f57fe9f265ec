//! The search crate against games that are known exactly. The names T1 to T8
//! are those of docs/spec/sampling.md 6.5.

mod drivers;
mod expectiminimax;
mod games;
mod limits;
mod opponents;
mod solver;
mod stochastic;

use hegemon_core::Rng;
use hegemon_search::{Budget, Domain, Hooks, Mcts, MctsParams, ReportOf};

/// A search without knowledge.
fn plain<G: Domain>(game: G, params: MctsParams, root: G::State) -> Mcts<G> {
    Mcts::new(game, Hooks::default(), params, root)
}

/// One search with this many iterations.
fn search<G: Domain>(
    game: G,
    params: MctsParams,
    root: G::State,
    iterations: u64,
    seed: u64,
) -> ReportOf<G> {
    let mut rng = Rng::stream(seed, "search");
    plain(game, params, root).search(Budget::Iterations(iterations), &mut rng)
}

/// Visits of a root action.
fn visits<A: PartialEq, O>(report: &hegemon_search::SearchReport<A, O>, action: &A) -> u64 {
    let child = report.children.iter().find(|child| child.action == *action);
    child.map_or(0, |child| child.visits)
}
