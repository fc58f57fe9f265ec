//! Exact values of small games by value iteration.
//!
//! Shapley 1953; Gauss-Seidel sweeps in the order of discovery, backwards. The
//! game may have cycles (armies that move back and forth). If play may never
//! end, a discount per turn makes the values unique; without one the solution
//! states whether it converged.

use std::collections::HashMap;
use std::hash::Hash;

use crate::domain::{Domain, NodeKind};
use crate::key::StableBuild;
use crate::objective::Objective;
use crate::params::Discount;
use crate::values::{Player, Values};

/// A game whose states are identified by a key.
pub trait Enumerable: Domain {
    /// Equal for states with the same future; must exclude turn counters to
    /// keep the game small.
    type Key: Clone + Eq + Hash;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;
}

/// Parameters of [`solve`].
#[derive(Clone, Debug, PartialEq)]
pub struct SolverParams {
    /// Give up beyond this many states.
    pub max_states: usize,
    /// Sweeps at most.
    pub max_sweeps: u32,
    /// Stop when no value changes by more than this in a sweep.
    pub tolerance: f64,
    /// Discount per turn.
    pub discount: Option<Discount>,
    /// What the players want.
    pub objective: Objective,
}

impl Default for SolverParams {
    fn default() -> Self {
        SolverParams {
            max_states: 1_000_000,
            max_sweeps: 100_000,
            tolerance: 1e-12,
            discount: None,
            objective: Objective::MaxN,
        }
    }
}

/// Why a game could not be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// More states than allowed are reachable.
    TooManyStates(usize),
    /// A decision has more actions than can be listed.
    TooManyActions,
}

impl std::fmt::Display for SolveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SolveError::TooManyStates(limit) => {
                write!(f, "more than {limit} states can be reached")
            }
            SolveError::TooManyActions => write!(f, "a decision has too many actions to list"),
        }
    }
}

impl std::error::Error for SolveError {}

/// The exact values of all states reachable from a root.
pub struct Solution<G: Enumerable> {
    places: HashMap<G::Key, u32, StableBuild>,
    values: Vec<Values>,
    best: Vec<Option<G::Action>>,
    /// Sweeps made.
    pub sweeps: u32,
    /// Largest change in the last sweep.
    pub residual: f64,
    /// Whether the last change was within the tolerance.
    pub converged: bool,
}

impl<G: Enumerable> Solution<G> {
    /// The value per player of a reachable state.
    pub fn values(&self, key: &G::Key) -> Option<Values> {
        Some(self.values[*self.places.get(key)? as usize])
    }

    /// An optimal action at a reachable decision (the first on ties).
    pub fn best_action(&self, key: &G::Key) -> Option<&G::Action> {
        self.best[*self.places.get(key)? as usize].as_ref()
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.values.len()
    }
}

/// An edge: target, probability (at chance) and turns passed.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    probability: f64,
    factor: f64,
}

/// The game as a graph.
struct Graph<G: Enumerable> {
    places: HashMap<G::Key, u32, StableBuild>,
    kinds: Vec<NodeKind>,
    utilities: Vec<Values>,
    first: Vec<u32>,
    links: Vec<Link>,
    actions: Vec<Option<G::Action>>,
}

/// Solves the game from `root`.
///
/// # Errors
///
/// [`SolveError`] if the game is too large.
pub fn solve<G: Enumerable>(
    game: &G,
    root: &G::State,
    params: &SolverParams,
) -> Result<Solution<G>, SolveError> {
    let graph = explore(game, root, params)?;
    let n = game.n_players();
    let neutral = params
        .discount
        .and_then(|discount| discount.neutral)
        .unwrap_or(1.0 / n as f64);
    let mut values: Vec<Values> = graph
        .kinds
        .iter()
        .zip(&graph.utilities)
        .map(|(kind, utility)| match kind {
            NodeKind::Terminal => *utility,
            _ => Values::all(n, neutral),
        })
        .collect();
    let (mut sweeps, mut residual) = (0, f64::INFINITY);
    while sweeps < params.max_sweeps && residual > params.tolerance {
        residual = sweep(&graph, &mut values, n, neutral, params.objective);
        sweeps += 1;
    }
    let best = (0..values.len())
        .map(|place| graph.best_action(place, &values, n, neutral, params.objective))
        .collect();
    Ok(Solution {
        places: graph.places,
        values,
        best,
        sweeps,
        residual,
        converged: residual <= params.tolerance,
    })
}

/// Finds every reachable state, breadth first.
fn explore<G: Enumerable>(
    game: &G,
    root: &G::State,
    params: &SolverParams,
) -> Result<Graph<G>, SolveError> {
    let mut graph = Graph {
        places: HashMap::default(),
        kinds: Vec::new(),
        utilities: Vec::new(),
        first: Vec::new(),
        links: Vec::new(),
        actions: Vec::new(),
    };
    let mut queue = std::collections::VecDeque::from([root.clone()]);
    graph.places.insert(game.key(root), 0);
    let mut open = 1u32;
    while let Some(state) = queue.pop_front() {
        let kind = game.kind(&state);
        graph.kinds.push(kind);
        graph.first.push(graph.links.len() as u32);
        let terminal = kind == NodeKind::Terminal;
        graph.utilities.push(if terminal {
            game.utilities(&state)
        } else {
            Values::default()
        });
        for (next, probability, action) in successors(game, &state, kind)? {
            let to = *graph.places.entry(game.key(&next)).or_insert(open);
            let turns = game
                .turns_played(&next)
                .saturating_sub(game.turns_played(&state));
            let factor = params.discount.map_or(1.0, |discount| {
                libm::pow(discount.per_turn, f64::from(turns))
            });
            graph.links.push(Link {
                to,
                probability,
                factor,
            });
            graph.actions.push(action);
            if to == open {
                open += 1;
                if open as usize > params.max_states {
                    return Err(SolveError::TooManyStates(params.max_states));
                }
                queue.push_back(next);
            }
        }
    }
    graph.first.push(graph.links.len() as u32);
    Ok(graph)
}

type Successor<G> = (<G as Domain>::State, f64, Option<<G as Domain>::Action>);

fn successors<G: Enumerable>(
    game: &G,
    state: &G::State,
    kind: NodeKind,
) -> Result<Vec<Successor<G>>, SolveError> {
    match kind {
        NodeKind::Terminal => Ok(Vec::new()),
        NodeKind::Decision(_) => {
            if game.n_actions(state) > 1 << 20 {
                return Err(SolveError::TooManyActions);
            }
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let after = actions.into_iter().map(|action| {
                let mut next = state.clone();
                game.play(&mut next, &action);
                (next, 1.0, Some(action))
            });
            Ok(after.collect())
        }
        NodeKind::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            let after = outcomes.into_iter().map(|(outcome, weight)| {
                let mut next = state.clone();
                game.resolve(&mut next, outcome);
                (next, weight as f64 / total as f64, None)
            });
            Ok(after.collect())
        }
    }
}

impl<G: Enumerable> Graph<G> {
    fn range(&self, place: usize) -> std::ops::Range<usize> {
        self.first[place] as usize..self.first[place + 1] as usize
    }

    /// The best edge for the chooser, the first of (nearly) equals.
    fn best_link(
        &self,
        place: usize,
        chooser: Player,
        values: &[Values],
        n: usize,
        neutral: f64,
        objective: Objective,
    ) -> Option<(usize, Values)> {
        let mut best: Option<(usize, Values)> = None;
        let mut most = f64::NEG_INFINITY;
        for idx in self.range(place) {
            let link = self.links[idx];
            let reached = values[link.to as usize].drawn_to(n, neutral, link.factor);
            let score = objective.score(chooser, &reached);
            if score > most + 1e-13 {
                most = score;
                best = Some((idx, reached));
            }
        }
        best
    }

    fn best_action(
        &self,
        place: usize,
        values: &[Values],
        n: usize,
        neutral: f64,
        objective: Objective,
    ) -> Option<G::Action> {
        let NodeKind::Decision(chooser) = self.kinds[place] else {
            return None;
        };
        let (idx, _) = self.best_link(place, chooser, values, n, neutral, objective)?;
        self.actions[idx].clone()
    }
}

/// One Gauss-Seidel sweep; the largest change of a value.
fn sweep<G: Enumerable>(
    graph: &Graph<G>,
    values: &mut [Values],
    n: usize,
    neutral: f64,
    objective: Objective,
) -> f64 {
    let mut residual: f64 = 0.0;
    for place in (0..values.len()).rev() {
        let updated = match graph.kinds[place] {
            NodeKind::Terminal => continue,
            NodeKind::Decision(chooser) => {
                let best = graph.best_link(place, chooser, values, n, neutral, objective);
                best.map_or(values[place], |(_, reached)| reached)
            }
            NodeKind::Chance => {
                let mut sum = Values::default();
                for link in &graph.links[graph.range(place)] {
                    let reached = values[link.to as usize].drawn_to(n, neutral, link.factor);
                    sum.add_scaled(&reached, link.probability);
                }
                sum
            }
        };
        for (new, old) in updated.as_slice().iter().zip(values[place].as_slice()) {
            residual = residual.max((new - old).abs());
        }
        values[place] = updated;
    }
    residual
}
