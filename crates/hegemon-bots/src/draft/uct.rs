//! UCT over the rest of a draft (Gibson, Desai and Zhao 2010;
//! docs/spec/lux.md 8.6).
//!
//! A simulation walks down the tree, adds one child, claims the remaining
//! territories at random and evaluates the complete draft. Every player
//! maximises its own share. The tree is kept from pick to pick.
//!
//! What makes it fast: an untried child is drawn without scoring the others,
//! the children of a node are stored contiguously with their means and the
//! inverse roots of their visits, four of them are compared with the best at a
//! time, and a node visited once has no children yet.

use hegemon_core::{
    MAX_TERRITORIES, Move, N_OWNERS, PlayerId, Rng, TerritoryId, TerritorySet, View,
};
use hegemon_eval::draft::DraftEvaluator;
use hegemon_search::Stop;
use wide::f64x4;

use super::board::DraftBoard;
use crate::loader::Grants;
use crate::policy::Policy;

/// Settings of the search; the default is the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctParams {
    /// Simulations a pick.
    pub n_simulations: u32,
    /// Factor of the exploration term.
    pub exploration: f64,
}

impl Default for UctParams {
    fn default() -> UctParams {
        UctParams {
            n_simulations: 3000,
            exploration: 0.01,
        }
    }
}

const NONE: u32 = u32::MAX;

/// Most nodes of a tree; simulations then continue without new ones.
const MAX_NODES: usize = 4_000_000;

/// How many exploration terms are kept.
const MAX_WIDTHS: usize = 1 << 14;

/// A position of the draft that was visited more than once.
#[derive(Clone, Copy, Debug)]
struct DraftNode {
    /// Its first child among all children.
    first: u32,
    n_children: u8,
    /// Children tried so far; they are the first ones.
    n_tried: u8,
    mover: PlayerId,
    n_visits: u32,
}

/// The children of all nodes, those of one node contiguous.
#[derive(Clone, Debug, Default)]
struct Children {
    /// Mean share of the player who made the claim.
    mean: Vec<f64>,
    /// `1 / sqrt(visits)`.
    spread: Vec<f64>,
    n_visits: Vec<u32>,
    territory: Vec<u8>,
    /// The node behind it, or [`NONE`].
    node: Vec<u32>,
}

/// Drafts by UCT.
#[derive(Clone, Debug)]
pub struct UctDrafter {
    evaluator: DraftEvaluator,
    params: UctParams,
    stop: Stop,
    /// The tree stops growing at this many nodes.
    max_nodes: usize,
    nodes: Vec<DraftNode>,
    children: Children,
    root: u32,
    /// The draft at the root.
    draft: Option<DraftBoard>,
    /// The free territories of that draft.
    free: TerritorySet,
    path: Vec<(u32, PlayerId)>,
    /// Exploration terms by visits of a node, as far as they were needed.
    widths: Vec<f64>,
}

impl UctDrafter {
    /// A drafter at the start of a game.
    pub fn new(evaluator: DraftEvaluator, params: UctParams) -> UctDrafter {
        UctDrafter {
            evaluator,
            params,
            stop: Stop::never(),
            max_nodes: MAX_NODES,
            nodes: Vec::new(),
            children: Children::default(),
            root: NONE,
            draft: None,
            free: TerritorySet::EMPTY,
            path: Vec::new(),
            widths: Vec::new(),
        }
    }

    /// The same drafter, which ends a search early when stopped and stays within
    /// its node limit.
    pub(crate) fn with_grants(mut self, grants: &Grants) -> UctDrafter {
        self.stop = grants.stop.clone();
        // The children of a node take about as much memory as 16 other nodes.
        self.max_nodes = grants.nodes_of_tree(16, MAX_NODES);
        self
    }

    /// The claim with the highest mean share after all simulations.
    pub fn search(&mut self, draft: DraftBoard, rng: &mut Rng) -> Option<TerritoryId> {
        self.reroot(draft);
        for _ in 0..self.params.n_simulations {
            self.simulate(rng);
            if self.stop.is_raised() {
                break;
            }
        }
        let root = self.nodes[self.root as usize];
        let tried = root.first as usize..root.first as usize + usize::from(root.n_tried);
        let better = |&a: &usize, &b: &usize| {
            let means = self.children.mean[a].total_cmp(&self.children.mean[b]);
            means.then(self.children.territory[b].cmp(&self.children.territory[a]))
        };
        let best = tried.max_by(better)?;
        Some(TerritoryId::new(usize::from(self.children.territory[best])))
    }

    /// Descends from the old root by the claims made since, if the tree has
    /// them; else starts a new tree.
    fn reroot(&mut self, draft: DraftBoard) {
        let kept = self.draft.take().and_then(|old| self.follow(old, &draft));
        self.free = draft.free().collect();
        self.root = kept.unwrap_or_else(|| {
            self.nodes.clear();
            self.children.clear();
            self.add_node(self.free, draft.mover, 0)
        });
        self.draft = Some(draft);
    }

    fn follow(&self, mut old: DraftBoard, new: &DraftBoard) -> Option<u32> {
        let mut node = self.root;
        loop {
            let new_owner = |t: &TerritoryId| new.owners[t.index()];
            let claimed = old.free().filter(|t| new_owner(t) != PlayerId::NOBODY);
            let by_mover: Vec<_> = claimed
                .clone()
                .filter(|t| new_owner(t) == old.mover)
                .collect();
            if claimed.count() == 0 {
                return (old == *new).then_some(node);
            }
            // More than one: another game, or not every claim in between.
            let &[territory] = by_mover.as_slice() else {
                return None;
            };
            let at = self.nodes[node as usize];
            let mut tried = at.first as usize..at.first as usize + usize::from(at.n_tried);
            let child =
                tried.find(|&c| usize::from(self.children.territory[c]) == territory.index())?;
            node = self.children.node[child];
            if node == NONE {
                return None;
            }
            old.owners[territory.index()] = old.mover;
            old.mover = old.after(old.mover);
        }
    }

    fn add_node(&mut self, free: TerritorySet, mover: PlayerId, n_visits: u32) -> u32 {
        let first = self.children.mean.len() as u32;
        let n_children = free.len() as u8;
        self.children.territory.extend(free.iter().map(u8::from));
        let n = self.children.territory.len();
        self.children.mean.resize(n, 0.0);
        self.children.spread.resize(n, 0.0);
        self.children.n_visits.resize(n, 0);
        self.children.node.resize(n, NONE);
        self.nodes.push(DraftNode {
            first,
            n_children,
            n_tried: 0,
            mover,
            n_visits,
        });
        self.nodes.len() as u32 - 1
    }

    fn simulate(&mut self, rng: &mut Rng) {
        let Some(draft) = &self.draft else { return };
        let n_players = draft.n_players;
        let n_territories = draft.owners.len();
        let mut owners = [PlayerId::NOBODY; MAX_TERRITORIES];
        owners[..n_territories].copy_from_slice(&draft.owners);
        let mut free = self.free;
        let mut after = [PlayerId::new(0); N_OWNERS];
        for player in PlayerId::seats(n_players - 1) {
            after[player.index()] = PlayerId::new(player.index() + 1);
        }
        let next = |player: PlayerId| after[player.index()];
        self.path.clear();
        let mut at = self.root;
        let mut mover;
        // Down the tree.
        loop {
            let node = &mut self.nodes[at as usize];
            node.n_visits += 1;
            mover = node.mover;
            if node.n_children == 0 {
                break;
            }
            let n_untried = node.n_children - node.n_tried;
            let child = if n_untried > 0 {
                let last_tried = node.first + u32::from(node.n_tried);
                let drawn = last_tried + rng.below(u32::from(n_untried));
                self.children
                    .territory
                    .swap(last_tried as usize, drawn as usize);
                node.n_tried += 1;
                last_tried
            } else {
                let node = *node;
                self.most_promising(node, rng)
            };
            let claimed = TerritoryId::new(usize::from(self.children.territory[child as usize]));
            owners[claimed.index()] = mover;
            free.remove(claimed);
            self.path.push((child, mover));
            mover = next(mover);
            if n_untried > 0 {
                break;
            }
            at = self.children.node[child as usize];
            if at == NONE {
                if self.nodes.len() >= self.max_nodes {
                    break;
                }
                let n_visits = self.children.n_visits[child as usize];
                at = self.add_node(free, mover, n_visits);
                self.children.node[child as usize] = at;
            }
        }
        claim_at_random(&mut owners, free, mover, next, rng);
        let shares = self.evaluator.shares(&owners[..n_territories]);
        for &(child, mover) in &self.path {
            self.children.add(child as usize, shares[mover]);
        }
    }

    /// The child with the highest upper bound; ties are broken at random.
    fn most_promising(&mut self, node: DraftNode, rng: &mut Rng) -> u32 {
        let children = node.first as usize..node.first as usize + usize::from(node.n_children);
        let width = self.width(node.n_visits);
        let means = &self.children.mean[children.clone()];
        let spreads = &self.children.spread[children];
        node.first + highest_bound(means, spreads, width, rng) as u32
    }

    /// The factor of a child's spread after this many visits of its node.
    fn width(&mut self, n_visits: u32) -> f64 {
        let exploration = self.params.exploration;
        let width = |n: usize| exploration * libm::log(n as f64).sqrt();
        let n = n_visits as usize;
        if n >= MAX_WIDTHS {
            return width(n);
        }
        while self.widths.len() <= n {
            self.widths.push(width(self.widths.len()));
        }
        self.widths[n]
    }
}

/// The number of the highest `mean + width * spread`; ties are broken at random.
fn highest_bound(means: &[f64], spreads: &[f64], width: f64, rng: &mut Rng) -> usize {
    let mut best = Best {
        number: 0,
        bound: f64::NEG_INFINITY,
        n_equal: 0,
    };
    let (fours, rest) = means.as_chunks::<4>();
    let (spread_fours, spread_rest) = spreads.as_chunks::<4>();
    for (n, (&means, &spreads)) in fours.iter().zip(spread_fours).enumerate() {
        let bounds = f64x4::new(means) + f64x4::splat(width) * f64x4::new(spreads);
        // Most are below the best so far, which changes nothing.
        let mut others = bounds.simd_ge(f64x4::splat(best.bound)).to_bitmask();
        while others != 0 {
            let k = others.trailing_zeros() as usize;
            best.see(4 * n + k, bounds.to_array()[k % 4], rng);
            others &= others - 1;
        }
    }
    for (k, (mean, spread)) in rest.iter().zip(spread_rest).enumerate() {
        best.see(4 * fours.len() + k, mean + width * spread, rng);
    }
    best.number
}

/// The highest of some bounds.
struct Best {
    number: usize,
    bound: f64,
    n_equal: u32,
}

impl Best {
    #[inline]
    fn see(&mut self, number: usize, bound: f64, rng: &mut Rng) {
        if bound > self.bound {
            *self = Best {
                number,
                bound,
                n_equal: 1,
            };
        } else if bound == self.bound {
            self.n_equal += 1;
            if rng.below(self.n_equal) == 0 {
                self.number = number;
            }
        }
    }
}

impl Children {
    fn clear(&mut self) {
        self.mean.clear();
        self.spread.clear();
        self.n_visits.clear();
        self.territory.clear();
        self.node.clear();
    }

    fn add(&mut self, child: usize, share: f64) {
        self.n_visits[child] += 1;
        let n = f64::from(self.n_visits[child]);
        self.mean[child] += (share - self.mean[child]) / n;
        self.spread[child] = 1.0 / n.sqrt();
    }
}

/// The players claim the free territories in turn, uniformly at random.
fn claim_at_random(
    owners: &mut [PlayerId; MAX_TERRITORIES],
    free: TerritorySet,
    mut mover: PlayerId,
    next: impl Fn(PlayerId) -> PlayerId,
    rng: &mut Rng,
) {
    let mut list = [0u8; MAX_TERRITORIES];
    for (place, territory) in list.iter_mut().zip(free) {
        *place = u8::from(territory);
    }
    for last in (0..free.len()).rev() {
        // Lengths are powers of two, so that no bound is checked.
        let drawn = rng.below(last as u32 + 1) as usize % MAX_TERRITORIES;
        owners[usize::from(list[drawn]) % MAX_TERRITORIES] = mover;
        list[drawn] = list[last % MAX_TERRITORIES];
        mover = next(mover);
    }
}

impl Policy for UctDrafter {
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        let pick = self.search(DraftBoard::of(view), rng);
        pick.map_or(Move::End, |territory| Move::Claim { territory })
    }
}

#[cfg(test)]
mod tests {
    use hegemon_core::Map;
    use hegemon_eval::draft::DraftWeights;

    use super::*;

    /// Compares with one bound at a time: the same child by the same draws.
    #[test]
    fn the_highest_bound_is_the_highest_and_ties_are_drawn_alike() {
        let mut rng = Rng::from_seed(1);
        for n in 1..60 {
            for n_values in [1, 2, 5, 1000] {
                let mut values = || {
                    (0..n)
                        .map(|_| f64::from(rng.below(n_values)))
                        .collect::<Vec<_>>()
                };
                let (means, spreads) = (values(), values());
                let mut plain = rng.clone();
                let (mut best, mut most, mut n_equal) = (0, f64::NEG_INFINITY, 0);
                for number in 0..n {
                    let bound = means[number] + 0.5 * spreads[number];
                    if bound > most {
                        (best, most, n_equal) = (number, bound, 1);
                    } else if bound == most {
                        n_equal += 1;
                        if plain.below(n_equal) == 0 {
                            best = number;
                        }
                    }
                }
                assert_eq!(highest_bound(&means, &spreads, 0.5, &mut rng), best);
                assert_eq!(rng, plain);
            }
        }
    }

    #[test]
    fn the_tree_is_kept_from_pick_to_pick() {
        let map = Map::builtin("classic-lux").expect("shipped");
        let weights = DraftWeights::builtin("draft-authors").expect("shipped");
        let evaluator = DraftEvaluator::new(&map, 3, weights, true).expect("for this map");
        let mut draft = DraftBoard {
            owners: vec![PlayerId::NOBODY; 42],
            mover: PlayerId::new(0),
            n_players: 3,
        };
        let mut rng = Rng::from_seed(1);
        let mut uct = UctDrafter::new(
            evaluator,
            UctParams {
                n_simulations: 20_000,
                exploration: 0.0,
            },
        );
        uct.search(draft.clone(), &mut rng).expect("a pick");
        assert_eq!(uct.nodes[uct.root as usize].n_visits, 20_000);
        // The most visited way down, for one round.
        let mut node = uct.root;
        for _ in 0..3 {
            let at = uct.nodes[node as usize];
            let tried = at.first as usize..at.first as usize + usize::from(at.n_tried);
            let child = tried
                .max_by_key(|&c| uct.children.n_visits[c])
                .expect("tried");
            draft.owners[usize::from(uct.children.territory[child])] = draft.mover;
            draft.mover = draft.after(draft.mover);
            node = uct.children.node[child];
        }
        let n_before = uct.nodes[node as usize].n_visits;
        assert!(n_before > 10, "{n_before}");
        uct.search(draft.clone(), &mut rng).expect("a pick");
        assert_eq!(uct.nodes[uct.root as usize].n_visits, n_before + 20_000);
        // A pick that is not in the tree starts a new one.
        draft.owners.fill(PlayerId::NOBODY);
        uct.search(draft, &mut rng).expect("a pick");
        assert_eq!(uct.nodes[uct.root as usize].n_visits, 20_000);
    }
}
