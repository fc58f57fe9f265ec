//! Backups: how one result changes the estimates on its path.
//!
//! Helmert 2026 (mean; minimax backups with chance averages); Lanctot et al. 2014
//! (mixed: means of playouts beside minimax of evaluations).

use crate::domain::NodeKind;
use crate::objective::Objective;
use crate::params::Backup;
use crate::tree::{NodeId, Tree};
use crate::values::{Player, Values};

/// A node of a path and the index of the edge that led to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    pub(crate) node: NodeId,
    pub(crate) edge: u32,
}

/// Counts a result on every node and edge of a path. `leaf` is the evaluation of
/// its last node, for mixed backups.
pub(crate) fn back_up<A: Clone, O: Copy>(
    tree: &mut Tree<A, O>,
    path: &[Hop],
    values: &Values,
    leaf: Option<Values>,
    backup: Backup,
    objective: Objective,
) {
    for depth in (0..path.len()).rev() {
        let node = path[depth].node;
        tree.add_visit(node, values);
        if backup != Backup::Mean {
            let is_last = depth + 1 == path.len();
            refresh_backed(tree, node, if is_last { leaf } else { None }, objective);
        }
        if depth == 0 {
            break;
        }
        let parent = path[depth - 1].node;
        let score = match tree.node(parent).kind {
            Some(NodeKind::Decision(chooser)) => {
                estimate_for(tree, node, chooser, backup, objective)
            }
            _ => 0.0,
        };
        let edge = tree.edge_mut(parent, path[depth].edge);
        edge.visits += 1;
        edge.value = score as f32;
    }
}

/// The estimate of a node under the backup rule.
pub(crate) fn estimate<A: Clone, O: Copy>(
    tree: &Tree<A, O>,
    node: NodeId,
    backup: Backup,
) -> Values {
    match backup {
        Backup::Mean => tree.mean(node),
        Backup::Minimax => tree.backed(node),
        Backup::Mixed { alpha } => {
            let mut values = tree.mean(node).scaled(1.0 - alpha);
            values.add_scaled(&tree.backed(node), alpha);
            values
        }
    }
}

fn estimate_for<A: Clone, O: Copy>(
    tree: &Tree<A, O>,
    node: NodeId,
    chooser: Player,
    backup: Backup,
    objective: Objective,
) -> f64 {
    objective.score(chooser, &estimate(tree, node, backup))
}

/// The best child for the chooser, the weighted mean at chance, or the leaf's
/// own evaluation or mean.
fn refresh_backed<A: Clone, O: Copy>(
    tree: &mut Tree<A, O>,
    node: NodeId,
    leaf: Option<Values>,
    objective: Objective,
) {
    let children = tree.edges(node).iter().map(|edge| (edge, edge.child));
    let mut known = children.filter(|&(_, child)| tree.node(child).has_backed);
    let backed = match tree.node(node).kind {
        Some(NodeKind::Decision(chooser)) => known
            .map(|(_, child)| tree.backed(child))
            .map(|values| (objective.score(chooser, &values), values))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|(_, values)| values),
        Some(NodeKind::Chance) => {
            let (mut sum, mut total) = (Values::default(), 0.0);
            for (edge, child) in known.by_ref() {
                sum.add_scaled(&tree.backed(child), edge.key as f64);
                total += edge.key as f64;
            }
            (total > 0.0).then(|| sum.scaled(1.0 / total))
        }
        _ => None,
    };
    let own = leaf.unwrap_or_else(|| tree.mean(node));
    tree.set_backed(node, &backed.unwrap_or(own));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Edge, ROOT, Step};

    /// A decision of player 0 above one leaf and one chance node of two outcomes
    /// with weights 1 and 3.
    fn small_tree() -> (Tree<u8, u8>, [NodeId; 4]) {
        let mut tree = Tree::new(2, true, false);
        tree.node_mut(ROOT).kind = Some(NodeKind::Decision(Player(0)));
        let leaf = tree.add_node(Step::Action(0), 0);
        let roll = tree.add_node(Step::Action(1), 0);
        tree.push_edge(ROOT, Edge::new(10, leaf));
        tree.push_edge(ROOT, Edge::new(11, roll));
        tree.node_mut(leaf).kind = Some(NodeKind::Terminal);
        tree.node_mut(roll).kind = Some(NodeKind::Chance);
        let win = tree.add_node(Step::Outcome(0), 0);
        let loss = tree.add_node(Step::Outcome(1), 0);
        tree.push_edge(roll, Edge::new(1, win));
        tree.push_edge(roll, Edge::new(3, loss));
        (tree, [leaf, roll, win, loss])
    }

    fn visit(tree: &mut Tree<u8, u8>, path: &[(NodeId, u32)], value: f64, backup: Backup) {
        let hops: Vec<Hop> = path
            .iter()
            .map(|&(node, edge)| Hop { node, edge })
            .collect();
        let values = Values::new(&[value, 1.0 - value]);
        back_up(tree, &hops, &values, None, backup, Objective::MaxN);
    }

    #[test]
    fn minimax_takes_the_best_child_and_weighs_chance() {
        let (mut tree, [leaf, roll, win, loss]) = small_tree();
        visit(&mut tree, &[(ROOT, 0), (leaf, 0)], 0.2, Backup::Minimax);
        visit(
            &mut tree,
            &[(ROOT, 0), (roll, 1), (win, 0)],
            1.0,
            Backup::Minimax,
        );
        assert_eq!(tree.backed(ROOT)[Player(0)], 1.0, "the only outcome seen");
        visit(
            &mut tree,
            &[(ROOT, 0), (roll, 1), (loss, 1)],
            0.0,
            Backup::Minimax,
        );
        assert_eq!(tree.backed(roll)[Player(0)], 0.25);
        assert_eq!(tree.backed(ROOT)[Player(0)], 0.25);
        assert_eq!(tree.mean(roll)[Player(0)], 0.5);
        assert_eq!(tree.edges(ROOT)[1].value, 0.25);
    }

    #[test]
    fn mean_counts_every_result() {
        let (mut tree, [leaf, roll, win, _]) = small_tree();
        visit(&mut tree, &[(ROOT, 0), (leaf, 0)], 0.2, Backup::Mean);
        visit(
            &mut tree,
            &[(ROOT, 0), (roll, 1), (win, 0)],
            1.0,
            Backup::Mean,
        );
        assert!((tree.mean(ROOT)[Player(0)] - 0.6).abs() < 1e-12);
        assert_eq!(tree.node(ROOT).visits, 2);
        assert_eq!(tree.edges(ROOT)[0].visits, 1);
        assert!((tree.edges(ROOT)[0].value - 0.2).abs() < 1e-7);
    }

    #[test]
    fn mixed_weighs_the_evaluation() {
        let (mut tree, [leaf, ..]) = small_tree();
        let path = [ROOT, leaf].map(|node| Hop { node, edge: 0 });
        let result = Values::new(&[1.0, 0.0]);
        let evaluation = Some(Values::new(&[0.5, 0.5]));
        let backup = Backup::Mixed { alpha: 0.4 };
        back_up(
            &mut tree,
            &path,
            &result,
            evaluation,
            backup,
            Objective::MaxN,
        );
        assert!((tree.edges(ROOT)[0].value - 0.8).abs() < 1e-6);
        assert_eq!(tree.backed(ROOT)[Player(0)], 0.5);
    }
}
