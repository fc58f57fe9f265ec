//! Tree policies: which child a decision descends to, or whether it grows.
//!
//! Sources: Helmert 2026 for UCB1, epsilon-greedy and Boltzmann; Brand and
//! Kroon 2014 for UCT with c and first-play urgency; Silver et al. 2017 for
//! PUCT; Chaslot et al. 2008 for widening and progressive bias; Gelly and
//! Silver 2011 for RAVE. The logarithm takes the node's visits before the new
//! one.

use hegemon_core::Rng;

use crate::params::{FirstPlay, MctsParams, Ties, TreePolicy};
use crate::tree::{Amaf, Edge};

/// What to do at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Descend to this child.
    Child(u32),
    /// Add a new action to the tree.
    Grow,
}

/// A decision in the tree, as the policy sees it.
pub(crate) struct Choice<'a> {
    pub(crate) params: &'a MctsParams,
    pub(crate) edges: &'a [Edge],
    /// Parallel to `edges`, or empty without RAVE.
    pub(crate) amaf: &'a [Amaf],
    /// Visits of the node.
    pub(crate) visits: u32,
    /// The node's own mean for its mover, where first play needs it.
    pub(crate) own_value: f64,
    /// Whether some actions are not in the tree yet.
    pub(crate) can_grow: bool,
}

impl Choice<'_> {
    /// Chooses; `weights` is scratch space.
    pub(crate) fn pick(&self, weights: &mut Vec<f64>, rng: &mut Rng) -> Pick {
        if self.edges.is_empty() {
            return Pick::Grow;
        }
        if let Some(pick) = self.forced(rng) {
            return pick;
        }
        let by_urgency = self.can_grow && self.params.widening.is_none();
        let unseen = self.first_play();
        match self.params.tree_policy {
            TreePolicy::Ucb1 => self.bounded(2f64.sqrt(), by_urgency, unseen, rng),
            TreePolicy::Uct { c } => self.bounded(c, by_urgency, unseen, rng),
            TreePolicy::Puct { c } => self.puct(c, by_urgency, unseen, rng),
            TreePolicy::EpsilonGreedy { .. } | TreePolicy::Boltzmann { .. } => {
                let best = (0..self.edges.len())
                    .map(|idx| self.value(idx))
                    .fold(f64::MIN, f64::max);
                if by_urgency && best < unseen {
                    return Pick::Grow;
                }
                self.distribution(weights, rng);
                Pick::Child(draw(weights, rng))
            }
        }
    }

    /// Growth and first visits that come before any comparison of values.
    fn forced(&self, rng: &mut Rng) -> Option<Pick> {
        let visit_all = match self.params.widening {
            Some(widening) => {
                let n = f64::from(self.visits.max(1));
                let room = (widening.c * libm::pow(n, widening.alpha)).ceil().max(1.0);
                if self.can_grow && (self.edges.len() as f64) < room {
                    return Some(Pick::Grow);
                }
                true
            }
            None => self.params.first_play == FirstPlay::VisitAll,
        };
        if !visit_all {
            return None;
        }
        if let Some(idx) = self.unvisited(rng) {
            return Some(Pick::Child(idx));
        }
        (self.can_grow && self.params.widening.is_none()).then_some(Pick::Grow)
    }

    fn unvisited(&self, rng: &mut Rng) -> Option<u32> {
        let fresh = |edge: &&Edge| edge.visits + edge.pending == 0;
        let first = self.edges.iter().position(|edge| fresh(&edge))?;
        if self.params.ties == Ties::First {
            return Some(first as u32);
        }
        let count = self.edges.iter().filter(fresh).count();
        let chosen = rng.below(count as u32) as usize;
        let mut fresh_places = (0..self.edges.len()).filter(|&idx| fresh(&&self.edges[idx]));
        fresh_places.nth(chosen).map(|idx| idx as u32)
    }

    fn first_play(&self) -> f64 {
        match self.params.first_play {
            FirstPlay::VisitAll => f64::INFINITY,
            FirstPlay::Urgency(urgency) => urgency,
            FirstPlay::Parent { reduction } => self.own_value - reduction,
        }
    }

    /// UCB1 and UCT: `v + c sqrt(ln N / n)`.
    fn bounded(&self, c: f64, by_urgency: bool, unseen: f64, rng: &mut Rng) -> Pick {
        let spread = c * libm::log(f64::from(self.visits.max(1))).sqrt();
        let plain = self.amaf.is_empty() && self.params.progressive_bias.is_none();
        let (best, idx) = self.largest(rng, |place, edge| {
            let n = edge.visits + edge.pending;
            if n == 0 {
                return unseen;
            }
            if plain && edge.pending == 0 {
                return f64::from(edge.value) + spread / f64::from(n).sqrt();
            }
            self.value(place) + spread / f64::from(n).sqrt() + self.bias(edge)
        });
        if by_urgency && best < unseen {
            return Pick::Grow;
        }
        Pick::Child(idx)
    }

    /// PUCT: `v + c P sqrt(N) / (1 + n)`, priors scaled over the children.
    fn puct(&self, c: f64, by_urgency: bool, unseen: f64, rng: &mut Rng) -> Pick {
        let total: f64 = self.edges.iter().map(|edge| f64::from(edge.prior)).sum();
        let spread = c * f64::from(self.visits.max(1)).sqrt() / total.max(f64::MIN_POSITIVE);
        let (best, idx) = self.largest(rng, |place, edge| {
            let n = edge.visits + edge.pending;
            let value = if n == 0 { unseen } else { self.value(place) };
            let explore = spread * f64::from(edge.prior) / (1.0 + f64::from(n));
            value + explore + self.bias(edge)
        });
        if by_urgency && best < unseen {
            return Pick::Grow;
        }
        Pick::Child(idx)
    }

    fn bias(&self, edge: &Edge) -> f64 {
        self.params.progressive_bias.map_or(0.0, |weight| {
            weight * f64::from(edge.bias) / (1.0 + f64::from(edge.visits + edge.pending))
        })
    }

    /// The child's value for the chooser: lost visits count zero, and RAVE mixes
    /// in the action's value when played later.
    fn value(&self, idx: usize) -> f64 {
        let edge = &self.edges[idx];
        let n = f64::from(edge.visits + edge.pending);
        if n == 0.0 {
            return self.first_play().min(f64::from(f32::MAX));
        }
        let own = f64::from(edge.value) * f64::from(edge.visits) / n;
        match (self.params.rave, self.amaf.get(idx)) {
            (Some(k), Some(amaf)) if amaf.visits > 0 => {
                let beta = (k / (3.0 * n + k)).sqrt();
                (1.0 - beta) * own + beta * f64::from(amaf.mean)
            }
            _ => own,
        }
    }

    /// The largest urgency and its index; ties by the parameters.
    #[inline]
    fn largest(&self, rng: &mut Rng, urgency: impl Fn(usize, &Edge) -> f64) -> (f64, u32) {
        let (mut best, mut chosen, mut ties) = (f64::NEG_INFINITY, 0, 1u32);
        let random = self.params.ties == Ties::Random;
        for (idx, edge) in self.edges.iter().enumerate() {
            let value = urgency(idx, edge);
            if value > best {
                (best, chosen, ties) = (value, idx, 1);
            } else if value == best && random {
                ties += 1;
                if rng.below(ties) == 0 {
                    chosen = idx;
                }
            }
        }
        (best, chosen as u32)
    }

    /// The probabilities of a random policy. Greedy ties are broken at random.
    fn distribution(&self, weights: &mut Vec<f64>, rng: &mut Rng) {
        weights.clear();
        weights.extend((0..self.edges.len()).map(|idx| self.value(idx)));
        let k = self.visits.saturating_add(1);
        match self.params.tree_policy {
            TreePolicy::EpsilonGreedy { epsilon } => epsilon_greedy(weights, epsilon.at(k), rng),
            TreePolicy::Boltzmann { temperature } => softmax(weights, temperature.at(k)),
            _ => unreachable!("only random policies have a distribution"),
        }
    }
}

/// Turns values into the probabilities of epsilon-greedy: `1 - epsilon` for one
/// best value, the rest shared by all others.
fn epsilon_greedy(values: &mut [f64], epsilon: f64, rng: &mut Rng) {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties = values.iter().filter(|&&value| value == best).count();
    let mut skip = if ties > 1 { rng.below(ties as u32) } else { 0 };
    let others = values.len() - 1;
    let epsilon = if others == 0 {
        0.0
    } else {
        epsilon.clamp(0.0, 1.0)
    };
    let share = epsilon / others.max(1) as f64;
    let mut found = false;
    for value in values {
        let greedy = *value == best && !found && skip == 0;
        if *value == best && !found && !greedy {
            skip -= 1;
        }
        found |= greedy;
        *value = if greedy { 1.0 - epsilon } else { share };
    }
}

/// Turns values into Boltzmann probabilities, largest value subtracted first.
pub(crate) fn softmax(values: &mut [f64], temperature: f64) {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for value in &mut *values {
        *value = libm::exp((*value - best) / temperature);
        total += *value;
    }
    for value in values {
        *value /= total;
    }
}

/// An index drawn by probabilities that sum to one.
pub(crate) fn draw(weights: &[f64], rng: &mut Rng) -> u32 {
    let mut ticket = rng.unit();
    for (idx, weight) in weights.iter().enumerate() {
        if ticket < *weight {
            return idx as u32;
        }
        ticket -= weight;
    }
    // Rounding may leave a gap after the last weight.
    weights
        .iter()
        .rposition(|&weight| weight > 0.0)
        .unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Schedule, Widening};

    /// Utilities 50, 49 and nine times 0, as reconstructed from the lecture.
    fn lecture_edges() -> Vec<Edge> {
        (0..11)
            .map(|idx| Edge {
                visits: 1,
                value: [50.0, 49.0].get(idx).copied().unwrap_or(0.0),
                ..Edge::new(idx as u64, idx as u32 + 1)
            })
            .collect()
    }

    fn choice<'a>(params: &'a MctsParams, edges: &'a [Edge]) -> Choice<'a> {
        Choice {
            params,
            edges,
            amaf: &[],
            visits: edges.iter().map(|edge| edge.visits).sum(),
            own_value: 0.0,
            can_grow: false,
        }
    }

    fn probabilities(policy: TreePolicy) -> Vec<f64> {
        let params = MctsParams::lecture(policy);
        let mut weights = Vec::new();
        choice(&params, &lecture_edges()).distribution(&mut weights, &mut Rng::from_seed(1));
        weights
    }

    #[test]
    fn epsilon_greedy_has_the_lectures_probabilities() {
        let weights = probabilities(TreePolicy::EpsilonGreedy {
            epsilon: Schedule::Constant(0.2),
        });
        assert!((weights[0] - 0.8).abs() < 1e-12);
        assert!(weights[1..].iter().all(|w| (w - 0.02).abs() < 1e-12));
    }

    #[test]
    fn boltzmann_has_the_lectures_probabilities() {
        let weights = probabilities(TreePolicy::Boltzmann {
            temperature: Schedule::Constant(10.0),
        });
        assert!((weights[0] - 0.5088).abs() < 5e-5);
        assert!((weights[1] - 0.4604).abs() < 5e-5);
        assert!(weights[2..].iter().all(|w| (w - 0.0034).abs() < 5e-5));
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let params = MctsParams::lecture(TreePolicy::EpsilonGreedy {
            epsilon: Schedule::Constant(0.2),
        });
        let edges = lecture_edges();
        let mut rng = Rng::from_seed(5);
        let mut weights = Vec::new();
        let mut counts = [0u32; 11];
        for _ in 0..50_000 {
            let Pick::Child(idx) = choice(&params, &edges).pick(&mut weights, &mut rng) else {
                panic!("nothing is left to grow");
            };
            counts[idx as usize] += 1;
        }
        assert!((f64::from(counts[0]) / 5e4 - 0.8).abs() < 4.0 * (0.16f64 / 5e4).sqrt());
        assert!((f64::from(counts[7]) / 5e4 - 0.02).abs() < 4.0 * (0.0196f64 / 5e4).sqrt());
    }

    #[test]
    fn greedy_ties_are_random_and_a_single_child_is_certain() {
        let mut rng = Rng::from_seed(2);
        let mut firsts = 0;
        for _ in 0..1000 {
            let mut values = [1.0, 0.0, 1.0];
            epsilon_greedy(&mut values, 0.1, &mut rng);
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            firsts += u32::from(values[0] > 0.5);
        }
        assert!((430..570).contains(&firsts));
        let mut single = [0.3];
        epsilon_greedy(&mut single, 0.5, &mut rng);
        assert_eq!(single, [1.0]);
    }

    #[test]
    fn first_play_urgency_grows_only_below_its_value() {
        let params = MctsParams::paper(1);
        let mut edges = vec![Edge {
            visits: 1,
            value: 1.0,
            ..Edge::new(7, 1)
        }];
        let grow = |edges: &[Edge]| {
            let mut choice = choice(&params, edges);
            choice.can_grow = true;
            choice.pick(&mut Vec::new(), &mut Rng::from_seed(1))
        };
        assert_eq!(
            grow(&edges),
            Pick::Grow,
            "a win after one visit: 1 + 0 < 1.1"
        );
        edges[0].visits = 2;
        assert_eq!(grow(&edges), Pick::Child(0), "1 + 1.2 sqrt(ln 2 / 2) > 1.1");
    }

    #[test]
    fn widening_follows_its_schedule() {
        let mut params = MctsParams::paper(1);
        params.widening = Some(Widening { c: 1.0, alpha: 0.5 });
        let edges: Vec<Edge> = (0..3)
            .map(|idx| Edge {
                visits: 3,
                ..Edge::new(idx, idx as u32 + 1)
            })
            .collect();
        let mut nine = choice(&params, &edges);
        nine.can_grow = true;
        let mut rng = Rng::from_seed(1);
        assert!(matches!(
            nine.pick(&mut Vec::new(), &mut rng),
            Pick::Child(_)
        ));
        nine.visits = 10;
        assert_eq!(nine.pick(&mut Vec::new(), &mut rng), Pick::Grow);
    }

    #[test]
    fn puct_prefers_the_prior_and_rave_the_later_move() {
        let mut params = MctsParams::lecture(TreePolicy::Puct { c: 1.0 });
        params.first_play = FirstPlay::Parent { reduction: 0.0 };
        let mut edges: Vec<Edge> = (0..3).map(|idx| Edge::new(idx, idx as u32 + 1)).collect();
        edges[2].prior = 5.0;
        let mut rng = Rng::from_seed(1);
        let pick = choice(&params, &edges).pick(&mut Vec::new(), &mut rng);
        assert_eq!(pick, Pick::Child(2));

        let mut params = MctsParams::lecture(TreePolicy::Uct { c: 0.1 });
        params.rave = Some(100.0);
        for edge in &mut edges {
            edge.visits = 1;
            edge.value = 0.5;
        }
        let amaf = [0.2, 0.9, 0.4].map(|mean| Amaf { visits: 50, mean });
        let mut with_rave = choice(&params, &edges);
        with_rave.amaf = &amaf;
        assert_eq!(with_rave.pick(&mut Vec::new(), &mut rng), Pick::Child(1));
    }
}
