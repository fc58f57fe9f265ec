//! Which action enters the tree: uniform samples among the unexplored ones, the
//! best of K by evaluation, a suggestion first, or all at once.
//!
//! Brand and Kroon 2014, section on sampling: with `u` actions left, `K`
//! samples if `u / 2 >= K`, else `max(u / 2, 1)`, drawn with replacement.

use hegemon_core::Rng;

use crate::domain::Domain;
use crate::hooks::Hooks;
use crate::key::key_of;
use crate::params::{Expansion, MctsParams, SampleChoice, Ties, TreePolicy};
use crate::policy::{draw, softmax};
use crate::values::Player;

/// With more actions than this, they are never listed.
const NEVER_LIST: u64 = 1 << 20;

/// An action about to enter the tree.
#[derive(Clone, Debug)]
pub(crate) struct NewChild<A> {
    pub(crate) action: A,
    pub(crate) key: u64,
    pub(crate) prior: f32,
    pub(crate) bias: f32,
}

/// Scratch space of an expansion.
#[derive(Debug)]
pub(crate) struct Candidates<A> {
    /// Sampled actions.
    pub(crate) sampled: Vec<A>,
    /// Their evaluations, if computed.
    values: Vec<f64>,
    listed: Vec<A>,
    weights: Vec<f64>,
}

impl<A> Default for Candidates<A> {
    fn default() -> Self {
        Candidates {
            sampled: Vec::new(),
            values: Vec::new(),
            listed: Vec::new(),
            weights: Vec::new(),
        }
    }
}

/// The number of samples for `unexplored` actions.
pub(crate) fn sample_count(k: usize, unexplored: u64, halve: bool) -> usize {
    let half = unexplored / 2;
    if !halve || half >= k as u64 {
        k.max(1)
    } else {
        half.max(1) as usize
    }
}

/// The legal actions of a decision, counted up to the range of 64 bits.
pub(crate) fn count_actions<G: Domain>(game: &G, state: &G::State) -> u64 {
    u64::try_from(game.n_actions(state)).unwrap_or(u64::MAX)
}

/// A decision that needs an action.
pub(crate) struct Site<'a, G: Domain> {
    pub(crate) game: &'a G,
    pub(crate) hooks: &'a Hooks<G>,
    pub(crate) state: &'a G::State,
    pub(crate) mover: Player,
    /// From [`count_actions`].
    pub(crate) n_actions: u64,
    /// Keys of the actions to exclude, sorted.
    pub(crate) known: &'a [u64],
    pub(crate) list_limit: usize,
}

impl<G: Domain> Site<'_, G> {
    fn is_new(&self, action: &G::Action) -> bool {
        self.known.is_empty() || self.known.binary_search(&key_of(action)).is_err()
    }

    /// Draws `k` actions uniformly, with replacement, among those not known.
    /// Draws none if all are known.
    pub(crate) fn sample(&self, k: usize, rng: &mut Rng, scratch: &mut Candidates<G::Action>) {
        scratch.sampled.clear();
        let n_known = self.known.len() as u64;
        let few = self.n_actions <= self.list_limit as u64;
        let crowded = 2 * n_known > self.n_actions && self.n_actions <= NEVER_LIST;
        if few || crowded {
            return self.sample_listed(k, rng, scratch);
        }
        for _ in 0..32 {
            let start = scratch.sampled.len();
            self.game
                .sample_actions(self.state, k - start, rng, &mut scratch.sampled);
            let mut kept = start;
            for idx in start..scratch.sampled.len() {
                if self.is_new(&scratch.sampled[idx]) {
                    scratch.sampled.swap(kept, idx);
                    kept += 1;
                }
            }
            scratch.sampled.truncate(kept);
            if kept == k {
                return;
            }
        }
        if scratch.sampled.is_empty() && self.n_actions <= NEVER_LIST {
            self.sample_listed(k, rng, scratch);
        }
    }

    fn sample_listed(&self, k: usize, rng: &mut Rng, scratch: &mut Candidates<G::Action>) {
        scratch.listed.clear();
        self.game.actions(self.state, &mut scratch.listed);
        scratch.listed.retain(|action| self.is_new(action));
        if scratch.listed.is_empty() {
            return;
        }
        for _ in 0..k {
            let idx = rng.below(scratch.listed.len() as u32) as usize;
            scratch.sampled.push(scratch.listed[idx].clone());
        }
    }

    /// The best of `k` samples for the mover, with its evaluation (none where
    /// only one sample was drawn).
    pub(crate) fn best_of(
        &self,
        k: usize,
        choice: SampleChoice,
        rng: &mut Rng,
        scratch: &mut Candidates<G::Action>,
    ) -> Option<(G::Action, Option<f64>)> {
        self.sample(k, rng, scratch);
        if scratch.sampled.len() < 2 {
            return scratch.sampled.pop().map(|action| (action, None));
        }
        scratch.values.clear();
        self.hooks.evaluate.action_values(
            self.game,
            self.state,
            self.mover,
            &scratch.sampled,
            &mut scratch.values,
        );
        let idx = match choice {
            SampleChoice::Best => first_largest(&scratch.values),
            SampleChoice::Boltzmann { temperature } => {
                scratch.weights.clone_from(&scratch.values);
                softmax(&mut scratch.weights, temperature);
                draw(&scratch.weights, rng) as usize
            }
        };
        let value = scratch.values[idx];
        Some((scratch.sampled.swap_remove(idx), Some(value)))
    }

    fn suggestion(&self, rng: &mut Rng) -> Option<G::Action> {
        let suggest = self.hooks.suggest.as_ref()?;
        suggest.suggest(self.game, self.state, self.mover, rng)
    }

    /// One action as a new child, with the prior and bias the policy reads.
    fn new_child(
        &self,
        params: &MctsParams,
        action: G::Action,
        value: Option<f64>,
        scratch: &mut Vec<f64>,
    ) -> NewChild<G::Action> {
        let (evaluate, game) = (&self.hooks.evaluate, self.game);
        let prior = if matches!(params.tree_policy, TreePolicy::Puct { .. }) {
            scratch.clear();
            let one = std::slice::from_ref(&action);
            evaluate.priors(game, self.state, self.mover, one, scratch);
            scratch[0]
        } else {
            1.0
        };
        let bias = match (params.progressive_bias, value) {
            (None, _) => 0.0,
            (Some(_), Some(value)) => value,
            (Some(_), None) => evaluate.action_value(game, self.state, self.mover, &action),
        };
        NewChild {
            key: key_of(&action),
            action,
            prior: prior as f32,
            bias: bias as f32,
        }
    }

    /// The new children of a node with `n_children` so far, and which of them to
    /// try now. Empty if no action is left.
    pub(crate) fn expand(
        &self,
        params: &MctsParams,
        n_children: usize,
        rng: &mut Rng,
        scratch: &mut Candidates<G::Action>,
        out: &mut Vec<NewChild<G::Action>>,
    ) -> usize {
        out.clear();
        let suggested = (params.suggested_first && n_children == 0)
            .then(|| self.suggestion(rng))
            .flatten();
        let (k, halve, choice) = match params.expansion {
            Expansion::AllSuccessors if self.n_actions <= self.list_limit as u64 => {
                return self.expand_all(params, suggested, rng, scratch, out);
            }
            Expansion::AllSuccessors => (1, false, SampleChoice::Best),
            Expansion::BestOfK { k, halve, choice } => (k, halve, choice),
        };
        let picked = match suggested {
            Some(action) => Some((action, None)),
            None => {
                let unexplored = self.n_actions.saturating_sub(n_children as u64);
                let k = sample_count(k, unexplored, halve);
                self.best_of(k, choice, rng, scratch)
            }
        };
        if let Some((action, value)) = picked {
            out.push(self.new_child(params, action, value, &mut scratch.weights));
        }
        0
    }

    fn expand_all(
        &self,
        params: &MctsParams,
        suggested: Option<G::Action>,
        rng: &mut Rng,
        scratch: &mut Candidates<G::Action>,
        out: &mut Vec<NewChild<G::Action>>,
    ) -> usize {
        scratch.listed.clear();
        self.game.actions(self.state, &mut scratch.listed);
        let first = suggested.and_then(|wish| scratch.listed.iter().position(|a| *a == wish));
        if let Some(place) = first {
            scratch.listed[..=place].rotate_right(1);
        }
        scratch.values.clear();
        let (game, state, mover) = (self.game, self.state, self.mover);
        let puct = matches!(params.tree_policy, TreePolicy::Puct { .. });
        if puct {
            let evaluate = &self.hooks.evaluate;
            evaluate.priors(game, state, mover, &scratch.listed, &mut scratch.values);
        }
        scratch.weights.clear();
        if params.progressive_bias.is_some() {
            let evaluate = &self.hooks.evaluate;
            evaluate.action_values(game, state, mover, &scratch.listed, &mut scratch.weights);
        }
        for (idx, action) in scratch.listed.drain(..).enumerate() {
            out.push(NewChild {
                key: key_of(&action),
                action,
                prior: scratch.values.get(idx).map_or(1.0, |&prior| prior as f32),
                bias: scratch.weights.get(idx).map_or(0.0, |&bias| bias as f32),
            });
        }
        if puct && first.is_none() {
            first_largest(&scratch.values)
        } else if first.is_none() && params.ties == Ties::Random && !out.is_empty() {
            rng.below(out.len() as u32) as usize
        } else {
            0
        }
    }
}

/// The index of the largest value, the first on ties.
fn first_largest(values: &[f64]) -> usize {
    let mut best = 0;
    for (idx, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = idx;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_samples_is_halved_near_exhaustion() {
        assert_eq!(sample_count(20, 888_030, true), 20);
        assert_eq!(sample_count(20, 40, true), 20);
        assert_eq!(sample_count(20, 39, true), 19);
        assert_eq!(sample_count(20, 5, true), 2);
        assert_eq!(sample_count(20, 1, true), 1);
        assert_eq!(sample_count(20, 5, false), 20);
    }

    #[test]
    fn the_first_of_equal_values_wins() {
        assert_eq!(first_largest(&[0.1, 0.4, 0.4, 0.2]), 1);
    }
}
