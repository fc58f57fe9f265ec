//! The tree in memory: flat arrays, no state per node.
//!
//! Nodes, the moves that led to them and their sums are parallel arrays. The
//! edges of a node are contiguous in one pool, in a range whose capacity
//! doubles, because choosing a child reads all of them and only them. States
//! are replayed from the root.

use std::mem::size_of;

use crate::domain::NodeKind;
use crate::values::Values;

/// Index of a node in the tree.
pub(crate) type NodeId = u32;

/// The root.
pub(crate) const ROOT: NodeId = 0;

const NO_EDGES: u8 = u8::MAX;

/// One node: 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    /// Legal actions at a decision (0: not counted yet), total weight at chance.
    pub(crate) n_actions: u64,
    first: u32,
    len: u32,
    pub(crate) visits: u32,
    class: u8,
    /// Whether the backed-up vector holds an estimate.
    pub(crate) has_backed: bool,
    /// Set at the first visit.
    pub(crate) kind: Option<NodeKind>,
}

/// One edge: 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Key of the action at decisions; integer weight of the outcome at chance.
    pub(crate) key: u64,
    pub(crate) child: NodeId,
    pub(crate) visits: u32,
    /// Lost visits of unfinished iterations on other threads.
    pub(crate) pending: u32,
    /// Estimate for the player who chooses here; meaningless before a visit.
    pub(crate) value: f32,
    /// Prior weight (PUCT).
    pub(crate) prior: f32,
    /// Evaluation of the action (progressive bias).
    pub(crate) bias: f32,
}

impl Edge {
    pub(crate) fn new(key: u64, child: NodeId) -> Edge {
        Edge {
            key,
            child,
            visits: 0,
            pending: 0,
            value: 0.0,
            prior: 1.0,
            bias: 0.0,
        }
    }
}

/// All-moves-as-first statistics of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amaf {
    pub(crate) visits: u32,
    pub(crate) mean: f32,
}

/// The move that led to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<A, O> {
    /// No move: the root of a search.
    Root,
    /// A player's action.
    Action(A),
    /// A chance outcome.
    Outcome(O),
}

/// A search tree over actions `A` and outcomes `O`.
#[derive(Clone, Debug)]
pub(crate) struct Tree<A, O> {
    nodes: Vec<TreeNode>,
    steps: Vec<Step<A, O>>,
    sums: Vec<f64>,
    backed: Vec<f32>,
    edges: Vec<Edge>,
    amaf: Vec<Amaf>,
    free: Vec<Vec<u32>>,
    n_players: usize,
    with_backed: bool,
    with_amaf: bool,
    heap_bytes: usize,
}

impl<A: Clone, O: Copy> Tree<A, O> {
    /// A tree of one root.
    pub(crate) fn new(n_players: usize, with_backed: bool, with_amaf: bool) -> Self {
        let mut tree = Tree {
            nodes: Vec::new(),
            steps: Vec::new(),
            sums: Vec::new(),
            backed: Vec::new(),
            edges: Vec::new(),
            amaf: Vec::new(),
            free: Vec::new(),
            n_players,
            with_backed,
            with_amaf,
            heap_bytes: 0,
        };
        tree.add_node(Step::Root, 0);
        tree
    }

    pub(crate) fn add_node(&mut self, step: Step<A, O>, heap_bytes: usize) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(TreeNode {
            n_actions: 0,
            first: 0,
            len: 0,
            visits: 0,
            class: NO_EDGES,
            has_backed: false,
            kind: None,
        });
        self.steps.push(step);
        self.sums.resize(self.sums.len() + self.n_players, 0.0);
        if self.with_backed {
            self.backed.resize(self.backed.len() + self.n_players, 0.0);
        }
        self.heap_bytes += heap_bytes;
        id
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut TreeNode {
        &mut self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn step(&self, id: NodeId) -> &Step<A, O> {
        &self.steps[id as usize]
    }

    #[inline]
    pub(crate) fn edges(&self, id: NodeId) -> &[Edge] {
        let node = self.node(id);
        &self.edges[node.first as usize..(node.first + node.len) as usize]
    }

    #[inline]
    pub(crate) fn edge_mut(&mut self, id: NodeId, idx: u32) -> &mut Edge {
        let at = self.node(id).first + idx;
        &mut self.edges[at as usize]
    }

    /// All-moves-as-first statistics parallel to [`Tree::edges`]; empty unless
    /// kept.
    #[inline]
    pub(crate) fn amaf(&self, id: NodeId) -> &[Amaf] {
        if !self.with_amaf {
            return &[];
        }
        let node = self.node(id);
        &self.amaf[node.first as usize..(node.first + node.len) as usize]
    }

    /// Edges and their all-moves-as-first statistics, mutable.
    pub(crate) fn edges_and_amaf(&mut self, id: NodeId) -> (&[Edge], &mut [Amaf]) {
        let node = self.nodes[id as usize];
        let range = node.first as usize..(node.first + node.len) as usize;
        (&self.edges[range.clone()], &mut self.amaf[range])
    }

    /// The index of the edge with this key.
    pub(crate) fn find(&self, id: NodeId, key: u64) -> Option<u32> {
        let place = self.edges(id).iter().position(|edge| edge.key == key)?;
        Some(place as u32)
    }

    /// Appends an edge and returns its index.
    pub(crate) fn push_edge(&mut self, id: NodeId, edge: Edge) -> u32 {
        let node = *self.node(id);
        if node.class == NO_EDGES {
            self.move_edges(id, 0);
        } else if node.len == 1 << node.class {
            self.move_edges(id, node.class + 1);
        }
        let node = self.node_mut(id);
        let idx = node.len;
        node.len += 1;
        let at = (node.first + idx) as usize;
        self.edges[at] = edge;
        if self.with_amaf {
            self.amaf[at] = Amaf::default();
        }
        idx
    }

    /// Makes room for `n` edges at a node that has none.
    pub(crate) fn reserve_edges(&mut self, id: NodeId, n: usize) {
        if n > 0 && self.node(id).class == NO_EDGES {
            self.move_edges(id, n.next_power_of_two().trailing_zeros() as u8);
        }
    }

    fn move_edges(&mut self, id: NodeId, class: u8) {
        let node = *self.node(id);
        let to = self.allocate(class);
        let from = node.first as usize..(node.first + node.len) as usize;
        self.edges.copy_within(from.clone(), to as usize);
        if self.with_amaf {
            self.amaf.copy_within(from, to as usize);
        }
        if node.class != NO_EDGES {
            self.release(node.first, node.class);
        }
        let node = self.node_mut(id);
        node.first = to;
        node.class = class;
    }

    fn allocate(&mut self, class: u8) -> u32 {
        if let Some(first) = self.free.get_mut(usize::from(class)).and_then(Vec::pop) {
            return first;
        }
        let first = self.edges.len();
        let end = first + (1 << class);
        self.edges.resize(end, Edge::new(0, ROOT));
        if self.with_amaf {
            self.amaf.resize(end, Amaf::default());
        }
        first as u32
    }

    fn release(&mut self, first: u32, class: u8) {
        let class = usize::from(class);
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        self.free[class].push(first);
    }

    fn slots(&self, id: NodeId) -> std::ops::Range<usize> {
        let start = id as usize * self.n_players;
        start..start + self.n_players
    }

    /// Counts a visit with its result.
    #[inline]
    pub(crate) fn add_visit(&mut self, id: NodeId, values: &Values) {
        let slots = self.slots(id);
        for (sum, value) in self.sums[slots].iter_mut().zip(values.as_slice()) {
            *sum += value;
        }
        self.node_mut(id).visits += 1;
    }

    /// The mean result per player; zeros before the first visit.
    #[inline]
    pub(crate) fn mean(&self, id: NodeId) -> Values {
        let visits = self.node(id).visits.max(1);
        Values::new(&self.sums[self.slots(id)]).scaled(1.0 / f64::from(visits))
    }

    /// The backed-up estimate per player; zeros unless kept and set.
    #[inline]
    pub(crate) fn backed(&self, id: NodeId) -> Values {
        let mut values = Values::default();
        if self.with_backed {
            for (slot, place) in self.slots(id).enumerate() {
                values[crate::values::Player(slot as u8)] = f64::from(self.backed[place]);
            }
        }
        values
    }

    pub(crate) fn set_backed(&mut self, id: NodeId, values: &Values) {
        let slots = self.slots(id);
        for (slot, value) in self.backed[slots].iter_mut().zip(values.as_slice()) {
            *slot = *value as f32;
        }
        self.node_mut(id).has_backed = true;
    }

    /// The subtree below `top` as a tree of its own, packed, with all its
    /// statistics. `heap` gives the heap bytes of an action.
    pub(crate) fn subtree(&self, top: NodeId, heap: &dyn Fn(&A) -> usize) -> Self {
        let mut packed = Tree::new(self.n_players, self.with_backed, self.with_amaf);
        packed.copy_stats(ROOT, self, top);
        let mut open = vec![(top, ROOT)];
        while let Some((old, new)) = open.pop() {
            packed.reserve_edges(new, self.node(old).len as usize);
            for (place, edge) in self.edges(old).iter().enumerate() {
                let step = self.step(edge.child).clone();
                let bytes = match &step {
                    Step::Action(action) => heap(action),
                    _ => 0,
                };
                let child = packed.add_node(step, bytes);
                packed.copy_stats(child, self, edge.child);
                let idx = packed.push_edge(new, Edge { child, ..*edge });
                if self.with_amaf {
                    let at = (packed.node(new).first + idx) as usize;
                    packed.amaf[at] = self.amaf(old)[place];
                }
                open.push((edge.child, child));
            }
        }
        packed
    }

    fn copy_stats(&mut self, id: NodeId, from: &Self, old: NodeId) {
        let theirs = *from.node(old);
        let slots = self.slots(id);
        self.sums[slots.clone()].copy_from_slice(&from.sums[from.slots(old)]);
        if self.with_backed {
            self.backed[slots].copy_from_slice(&from.backed[from.slots(old)]);
        }
        let mine = self.node_mut(id);
        mine.n_actions = theirs.n_actions;
        mine.visits = theirs.visits;
        mine.has_backed = theirs.has_backed;
        mine.kind = theirs.kind;
    }

    /// Bytes held, spare capacity and the heap of actions included.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode>()
            + self.steps.capacity() * size_of::<Step<A, O>>()
            + self.sums.capacity() * size_of::<f64>()
            + self.backed.capacity() * size_of::<f32>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.amaf.capacity() * size_of::<Amaf>()
            + self
                .free
                .iter()
                .map(|list| list.capacity() * 4)
                .sum::<usize>()
            + self.heap_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Player;

    #[test]
    fn nodes_and_edges_are_small() {
        assert_eq!(size_of::<TreeNode>(), 24);
        assert_eq!(size_of::<Edge>(), 32);
        assert_eq!(size_of::<Amaf>(), 8);
    }

    #[test]
    fn a_million_nodes_stay_far_below_a_gibibyte() {
        let mut tree: Tree<[u8; 64], u16> = Tree::new(6, true, true);
        let mut last = ROOT;
        for key in 1..1_000_000u64 {
            let parent = if key % 3 == 0 {
                last
            } else {
                (key / 3) as NodeId
            };
            let child = tree.add_node(Step::Action([0; 64]), 0);
            tree.push_edge(parent, Edge::new(key, child));
            last = child;
        }
        assert_eq!(tree.n_nodes(), 1_000_000);
        let bytes = tree.bytes();
        assert!(bytes < 400 << 20, "{} bytes a node", bytes / 1_000_000);
    }

    #[test]
    fn edge_ranges_move_without_loss_and_subtrees_keep_statistics() {
        let mut tree: Tree<u32, u8> = Tree::new(2, true, true);
        let mut children = Vec::new();
        for action in 0..5 {
            let child = tree.add_node(Step::Action(action), 0);
            tree.push_edge(ROOT, Edge::new(u64::from(action), child));
            children.push(child);
        }
        for action in 0..100 {
            for &child in &children {
                let grandchild = tree.add_node(Step::Action(action), 0);
                tree.push_edge(child, Edge::new(u64::from(action), grandchild));
                tree.add_visit(child, &Values::new(&[0.25, 0.75]));
            }
        }
        tree.set_backed(children[3], &Values::new(&[0.5, 0.5]));
        for &child in &children {
            let keys: Vec<u64> = tree.edges(child).iter().map(|edge| edge.key).collect();
            assert_eq!(keys, (0..100).collect::<Vec<u64>>());
        }
        let part = tree.subtree(children[3], &|_| 0);
        assert_eq!(part.n_nodes(), 101);
        assert_eq!(part.node(ROOT).visits, 100);
        assert_eq!(part.mean(ROOT)[Player(1)], 0.75);
        assert_eq!(part.backed(ROOT)[Player(0)], 0.5);
        assert_eq!(part.find(ROOT, 99), Some(99));
        assert_eq!(part.step(part.edges(ROOT)[42].child), &Step::Action(42));
    }
}
