//! Reports of searches.

use crate::domain::Domain;
use crate::objective::Objective;
use crate::tree::Step;
use crate::values::Values;

/// A child of the root.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildReport<A> {
    /// The action.
    pub action: A,
    /// Visits in this tree, those kept from earlier searches included.
    pub visits: u64,
    /// Its estimated value for the player who chooses at the root, under the
    /// opponent model; zero before a visit.
    pub value: f64,
    /// The estimate per player.
    pub values: Values,
}

/// The result of one search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport<A, O> {
    /// The move to play; none if the root is not a decision or nothing was
    /// searched.
    pub best: Option<A>,
    /// Children of the root, most visits first.
    pub children: Vec<ChildReport<A>>,
    /// The most visited line from the root, actions and outcomes.
    pub line: Vec<Step<A, O>>,
    /// The estimate of the root per player.
    pub values: Values,
    /// The objective used for the players.
    pub objective: Objective,
    /// Iterations of this search.
    pub iterations: u64,
    /// Playouts or evaluations of new nodes in this search.
    pub estimates: u64,
    /// Playouts cut at the safety cap.
    pub capped: u64,
    /// Nodes in all trees.
    pub nodes: usize,
    /// Bytes of all trees.
    pub bytes: usize,
}

/// The report of a search of game `G`.
pub type ReportOf<G> = SearchReport<<G as Domain>::Action, <G as Domain>::Outcome>;

impl<A, O> SearchReport<A, O> {
    /// Mean bytes of a node, edges and actions included.
    pub fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.nodes.max(1) as f64
    }
}
