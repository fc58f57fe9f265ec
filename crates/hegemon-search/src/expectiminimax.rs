//! Depth-limited search with chance nodes: expectiminimax for two players,
//! max^n, paranoid and the other opponent models for more.
//!
//! Brand and Kroon 2014 (EMM: five plies, ten children, each the best of 50
//! samples). Pruning is Star1 (Ballard 1983; Hauk, Buro and Schaeffer 2004): at
//! a chance node the window is converted to the one each outcome needs, given
//! the bounds of the values not yet known. It is sound only where a single
//! number decides, that is for [`OpponentModel::Paranoid`] and for two players
//! whose values sum to a constant.
//!
//! Candidates are drawn from a stream made of the seed and the path, so a
//! pruned and an unpruned search consider the same moves.

use hegemon_core::{Rng, mix};

use crate::domain::{Domain, NodeKind};
use crate::expansion::{Candidates, Site, count_actions};
use crate::hooks::Hooks;
use crate::key::key_of;
use crate::objective::Objective;
use crate::params::{OpponentModel, SampleChoice};
use crate::stop::Stop;
use crate::values::{Player, Values};

/// Slack of pruning windows: rounding never decides a cut.
const SLACK: f64 = 1e-9;

/// Whether and how branches are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pruning {
    /// Every branch is searched.
    None,
    /// Alpha-beta at decisions and Star1 at chance nodes, for values known to be
    /// in this range. Searches for the root player against the rest: the model
    /// must be paranoid, or max^n with two players of constant sum.
    Star1 {
        /// Smallest possible value.
        lowest: f64,
        /// Largest possible value.
        highest: f64,
    },
}

/// Parameters of [`Expectiminimax`]. The default is the paper's EMM with sound
/// pruning.
#[derive(Clone, Debug, PartialEq)]
pub struct EmmParams {
    /// Plies, decisions and chance nodes alike, counted from the root.
    pub depth: u32,
    /// Children of a decision; all of them if there are no more than this.
    pub width: usize,
    /// Uniform samples of which each child is the best.
    pub samples: usize,
    /// Pruning.
    pub pruning: Pruning,
    /// What other players want.
    pub opponents: OpponentModel,
    /// Up to this many legal actions are listed; more are sampled.
    pub list_limit: usize,
}

impl Default for EmmParams {
    fn default() -> Self {
        EmmParams {
            depth: 5,
            width: 10,
            samples: 50,
            pruning: Pruning::Star1 {
                lowest: 0.0,
                highest: 1.0,
            },
            opponents: OpponentModel::Paranoid,
            list_limit: 256,
        }
    }
}

/// A candidate at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct EmmChild<A> {
    /// The action.
    pub action: A,
    /// Its value for the player who chooses. Under pruning, only a bound for
    /// actions that are not best.
    pub value: f64,
}

/// The result of an [`Expectiminimax`] search.
#[derive(Clone, Debug, PartialEq)]
pub struct EmmReport<A> {
    /// The best action; none if the root is not a decision.
    pub best: Option<A>,
    /// The value of the root per player; under pruning only the root player's
    /// is set.
    pub values: Values,
    /// The root candidates in the order searched.
    pub children: Vec<EmmChild<A>>,
    /// Nodes visited.
    pub nodes: u64,
    /// Branches cut off.
    pub cuts: u64,
}

/// A depth-limited search over any [`Domain`].
pub struct Expectiminimax<G: Domain> {
    game: G,
    hooks: Hooks<G>,
    params: EmmParams,
    stop: Stop,
}

impl<G: Domain> Expectiminimax<G> {
    /// A search with an evaluation for its leaves and its candidates.
    pub fn new(game: G, hooks: Hooks<G>, params: EmmParams) -> Self {
        Expectiminimax {
            game,
            hooks,
            params,
            stop: Stop::never(),
        }
    }

    /// The same search, which ends early when this handle is raised, with the
    /// best of the candidates searched by then, or the first.
    pub fn with_stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Searches a state. One word of `rng` seeds all sampling.
    pub fn search(&self, state: &G::State, rng: &mut Rng) -> EmmReport<G::Action> {
        let mut run = Run {
            emm: self,
            root: Player(0),
            objective: Objective::MaxN,
            scratch: Candidates::default(),
            nodes: 0,
            cuts: 0,
        };
        let seed = rng.word();
        let NodeKind::Decision(root) = self.game.kind(state) else {
            let values = run.exact(state, self.params.depth, seed);
            return run.report(None, values, Vec::new());
        };
        run.root = root;
        run.objective =
            Objective::settle(self.params.opponents, root, self.game.n_players(), || {
                self.hooks.evaluate.values(&self.game, state)
            });
        match self.params.pruning {
            Pruning::None => run.root_exact(state, root, seed),
            Pruning::Star1 { lowest, highest } => run.root_pruned(state, (lowest, highest), seed),
        }
    }
}

/// A search in progress.
struct Run<'a, G: Domain> {
    emm: &'a Expectiminimax<G>,
    root: Player,
    objective: Objective,
    scratch: Candidates<G::Action>,
    nodes: u64,
    cuts: u64,
}

impl<G: Domain> Run<'_, G> {
    fn report(
        self,
        best: Option<G::Action>,
        values: Values,
        children: Vec<EmmChild<G::Action>>,
    ) -> EmmReport<G::Action> {
        EmmReport {
            best,
            values,
            children,
            nodes: self.nodes,
            cuts: self.cuts,
        }
    }

    /// Whether the candidate just searched was cut short and another is known.
    fn is_unfinished(&self, has_best: bool) -> bool {
        has_best && self.emm.stop.is_raised()
    }

    /// The remaining depth, 0 when the search must end.
    fn depth_left(&self, depth: u32) -> u32 {
        if self.emm.stop.is_raised() { 0 } else { depth }
    }

    /// All actions if they are few, else `width` different ones, each the best
    /// of its samples.
    fn candidates(&mut self, state: &G::State, mover: Player, seed: u64) -> Vec<G::Action> {
        let emm = self.emm;
        let params = &emm.params;
        let n_actions = count_actions(&emm.game, state);
        let mut list = Vec::new();
        if n_actions <= params.width as u64 {
            emm.game.actions(state, &mut list);
            return list;
        }
        let mut rng = Rng::from_seed(seed);
        let mut known = Vec::new();
        while list.len() < params.width && (list.is_empty() || !emm.stop.is_raised()) {
            let site = Site {
                game: &emm.game,
                hooks: &emm.hooks,
                state,
                mover,
                n_actions,
                known: &known,
                list_limit: params.list_limit,
            };
            let best = SampleChoice::Best;
            let drawn = site.best_of(params.samples, best, &mut rng, &mut self.scratch);
            let Some((action, _)) = drawn else {
                break;
            };
            let key = key_of(&action);
            let place = known.binary_search(&key).unwrap_or_else(|place| place);
            known.insert(place, key);
            list.push(action);
        }
        list
    }

    fn after(&self, state: &G::State, action: &G::Action) -> G::State {
        let mut next = state.clone();
        self.emm.game.play(&mut next, action);
        next
    }

    fn outcomes(&self, state: &G::State) -> (Vec<(G::State, f64)>, f64) {
        let game = &self.emm.game;
        let mut outcomes = Vec::new();
        game.outcomes(state, &mut outcomes);
        let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
        let states = outcomes.into_iter().map(|(outcome, weight)| {
            let mut next = state.clone();
            game.resolve(&mut next, outcome);
            (next, weight as f64)
        });
        (states.collect(), total as f64)
    }

    /// The leaf value at the end of the depth; chance is averaged out.
    fn leaf(&self, state: &G::State) -> Values {
        let (game, evaluate) = (&self.emm.game, &self.emm.hooks.evaluate);
        match game.kind(state) {
            NodeKind::Terminal => game.utilities(state),
            NodeKind::Decision(_) => evaluate.values(game, state),
            NodeKind::Chance => {
                let (outcomes, total) = self.outcomes(state);
                let mut sum = Values::default();
                for (next, weight) in outcomes {
                    sum.add_scaled(&self.leaf(&next), weight);
                }
                sum.scaled(1.0 / total)
            }
        }
    }

    fn root_exact(mut self, state: &G::State, root: Player, seed: u64) -> EmmReport<G::Action> {
        self.nodes += 1;
        let depth = self.emm.params.depth.max(1);
        let mut children = Vec::new();
        let mut best: Option<(f64, Values, G::Action)> = None;
        for action in self.candidates(state, root, seed) {
            let next = self.after(state, &action);
            let values = self.exact(&next, depth - 1, mix(seed ^ key_of(&action)));
            let value = self.objective.score(root, &values);
            if self.is_unfinished(best.is_some()) {
                break;
            }
            if best.as_ref().is_none_or(|(most, ..)| value > *most) {
                best = Some((value, values, action.clone()));
            }
            children.push(EmmChild { action, value });
        }
        match best {
            Some((_, values, action)) => self.report(Some(action), values, children),
            None => self.report(None, Values::default(), children),
        }
    }

    /// The value vector without pruning.
    fn exact(&mut self, state: &G::State, depth: u32, seed: u64) -> Values {
        self.nodes += 1;
        let depth = self.depth_left(depth);
        let kind = self.emm.game.kind(state);
        match kind {
            NodeKind::Decision(mover) if depth > 0 => {
                let mut best: Option<(f64, Values)> = None;
                for action in self.candidates(state, mover, seed) {
                    let next = self.after(state, &action);
                    let values = self.exact(&next, depth - 1, mix(seed ^ key_of(&action)));
                    let score = self.objective.score(mover, &values);
                    if best.as_ref().is_none_or(|(most, _)| score > *most) {
                        best = Some((score, values));
                    }
                    if self.emm.stop.is_raised() {
                        break;
                    }
                }
                best.map_or_else(Values::default, |(_, values)| values)
            }
            NodeKind::Chance if depth > 0 => {
                let (outcomes, total) = self.outcomes(state);
                let mut sum = Values::default();
                for (idx, (next, weight)) in outcomes.into_iter().enumerate() {
                    let values = self.exact(&next, depth - 1, mix(seed ^ idx as u64));
                    sum.add_scaled(&values, weight);
                    if self.emm.stop.is_raised() {
                        break;
                    }
                }
                sum.scaled(1.0 / total)
            }
            _ => self.leaf(state),
        }
    }

    fn root_pruned(
        mut self,
        state: &G::State,
        range: (f64, f64),
        seed: u64,
    ) -> EmmReport<G::Action> {
        self.nodes += 1;
        let depth = self.emm.params.depth.max(1);
        let mut children = Vec::new();
        let mut best: Option<(f64, G::Action)> = None;
        for action in self.candidates(state, self.root, seed) {
            let next = self.after(state, &action);
            let alpha = best.as_ref().map_or(range.0, |(most, _)| *most);
            let window = (alpha - SLACK, range.1 + SLACK);
            let value = self.star(&next, depth - 1, window, range, mix(seed ^ key_of(&action)));
            if self.is_unfinished(best.is_some()) {
                break;
            }
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, action.clone()));
            }
            children.push(EmmChild { action, value });
        }
        let mut values = Values::default();
        let Some((value, action)) = best else {
            return self.report(None, values, children);
        };
        values[self.root] = value;
        self.report(Some(action), values, children)
    }

    /// The root player's value: exact inside the window, else a fail-soft bound.
    fn star(
        &mut self,
        state: &G::State,
        depth: u32,
        window: (f64, f64),
        range: (f64, f64),
        seed: u64,
    ) -> f64 {
        self.nodes += 1;
        let depth = self.depth_left(depth);
        let kind = self.emm.game.kind(state);
        match kind {
            NodeKind::Decision(mover) if depth > 0 => {
                self.star_decision(state, depth, mover, window, range, seed)
            }
            NodeKind::Chance if depth > 0 => self.star_chance(state, depth, window, range, seed),
            _ => self.leaf(state)[self.root],
        }
    }

    fn star_decision(
        &mut self,
        state: &G::State,
        depth: u32,
        mover: Player,
        (mut alpha, mut beta): (f64, f64),
        range: (f64, f64),
        seed: u64,
    ) -> f64 {
        let is_max = mover == self.root;
        let mut best = if is_max {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        for action in self.candidates(state, mover, seed) {
            let next = self.after(state, &action);
            let child_seed = mix(seed ^ key_of(&action));
            let value = self.star(&next, depth - 1, (alpha, beta), range, child_seed);
            if is_max {
                best = best.max(value);
                alpha = alpha.max(best - SLACK);
            } else {
                best = best.min(value);
                beta = beta.min(best + SLACK);
            }
            if alpha >= beta {
                self.cuts += 1;
                break;
            }
            if self.emm.stop.is_raised() {
                break;
            }
        }
        best
    }

    /// Star1: outcome `i` needs the value `(alpha - known - rest * highest) / p`
    /// to lift the mean above alpha, likewise for beta with the lowest value.
    fn star_chance(
        &mut self,
        state: &G::State,
        depth: u32,
        (alpha, beta): (f64, f64),
        (lowest, highest): (f64, f64),
        seed: u64,
    ) -> f64 {
        let (outcomes, total) = self.outcomes(state);
        let (mut known, mut rest) = (0.0, total);
        let n = outcomes.len();
        for (idx, (next, weight)) in outcomes.into_iter().enumerate() {
            rest -= weight;
            let need = (alpha * total - known - rest * highest) / weight;
            let limit = (beta * total - known - rest * lowest) / weight;
            let window = (need.max(lowest - SLACK), limit.min(highest + SLACK));
            let child_seed = mix(seed ^ idx as u64);
            let value = self.star(&next, depth - 1, window, (lowest, highest), child_seed);
            known += weight * value;
            let is_last = idx + 1 == n;
            if self.emm.stop.is_raised() {
                break;
            }
            if value <= need && !is_last {
                self.cuts += 1;
                return (known + rest * highest) * (1.0 / total);
            }
            if value >= limit && !is_last {
                self.cuts += 1;
                return (known + rest * lowest) * (1.0 / total);
            }
        }
        known * (1.0 / total)
    }
}
