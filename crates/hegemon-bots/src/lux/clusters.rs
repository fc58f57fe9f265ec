//! Connected regions and routes through them (docs/spec/lux.md 6.3).

use hegemon_core::{PlayerId, TerritoryId, TerritorySet};

use super::list::List;
use super::scene::Scene;

/// Lists the territories reached from `root` inside `within`, breadth first.
#[inline]
fn spread(scene: &Scene<'_>, root: TerritoryId, within: TerritorySet, list: &mut List) {
    list.clear();
    let mut left = within - TerritorySet::of(root);
    list.push(root);
    let mut at = 0;
    while let Some(&current) = list.get(at) {
        at += 1;
        let found = left & scene.map.neighbors(current);
        let Some(first) = found.first() else {
            continue;
        };
        left -= found;
        // One alone, as most are, needs no order.
        if found == TerritorySet::of(first) {
            list.push(first);
            continue;
        }
        for &x in scene.adj(current) {
            if found.contains(x) {
                list.push(x);
            }
        }
    }
}

/// Lists the territories of the root's cluster with a neighbour of another
/// owner, breadth first from the root.
pub(super) fn cluster_borders(scene: &Scene<'_>, root: TerritoryId, list: &mut List) {
    let same = scene.board.owned(scene.board.owner(root));
    spread(scene, root, same, list);
    list.retain(|t| !same.is_superset(scene.map.neighbors(t)));
}

/// Splits a set into its connected clusters, seeds ascending; calls `visit`
/// with each.
pub(super) fn for_each_cluster(scene: &Scene<'_>, set: TerritorySet, mut visit: impl FnMut(&List)) {
    let mut left = set;
    let mut cluster = List::EMPTY;
    while let Some(seed) = left.first() {
        spread(scene, seed, set, &mut cluster);
        for &territory in cluster.iter() {
            left.remove(territory);
        }
        visit(&cluster);
    }
}

/// Armies on a list of territories.
pub(super) fn armies_on(scene: &Scene<'_>, list: &[TerritoryId]) -> u32 {
    list.iter().map(|&t| scene.armies(t)).sum()
}

/// A route through all territories of a cluster, each once, that starts next to
/// me if possible.
pub(super) fn simple_route(scene: &Scene<'_>, cluster: &[TerritoryId]) -> Option<List> {
    let set: TerritorySet = cluster.iter().copied().collect();
    let touches_me = |t: &&TerritoryId| !scene.friends(**t).is_empty();
    let near = cluster.iter().filter(touches_me);
    let far = cluster
        .iter()
        .filter(|t| !touches_me(t) && !set.is_superset(scene.map.neighbors(**t)));
    near.chain(far)
        .find_map(|&start| simple_route_from(scene, start, set))
}

/// A route through the whole set that starts at `start`: the first found by
/// depth-first search in map order.
fn simple_route_from(scene: &Scene<'_>, start: TerritoryId, set: TerritorySet) -> Option<List> {
    let mut route = List::EMPTY;
    walk(scene, start, set - TerritorySet::of(start), &mut route).then(|| {
        route.reverse();
        route
    })
}

/// Writes the route from its end, once it is found.
fn walk(scene: &Scene<'_>, at: TerritoryId, left: TerritorySet, route: &mut List) -> bool {
    let found = left.is_empty()
        || (!is_hopeless(scene, at, left)
            && scene
                .adj(at)
                .iter()
                .any(|&n| left.contains(n) && walk(scene, n, left - TerritorySet::of(n), route)));
    if found {
        route.push(at);
    }
    found
}

/// Whether no route through `left` can start at `at`: a part is unreachable, or
/// more than one territory can only be an end. It prunes dead branches and
/// never changes the result.
fn is_hopeless(scene: &Scene<'_>, at: TerritoryId, left: TerritorySet) -> bool {
    let all = left | TerritorySet::of(at);
    let mut n_ends = 0;
    for territory in left {
        match (scene.map.neighbors(territory) & all).len() {
            0 => return true,
            1 => n_ends += 1,
            _ => {}
        }
    }
    n_ends > 1 || !scene.map.reachable(at, all).is_superset(left)
}

/// A route that leads to a simple route, joined to it.
pub(super) fn append(scene: &Scene<'_>, lead: &[TerritoryId], route: &List) -> List {
    let set: TerritorySet = route.iter().copied().collect();
    let n_prefix = lead
        .iter()
        .position(|&t| set.contains(t))
        .unwrap_or(lead.len());
    let mut plan: List = lead[..n_prefix].iter().copied().collect();
    let entry = lead.get(n_prefix);
    let rest = if entry == lead.last() {
        *route
    } else if entry == route.last() {
        let mut reversed = *route;
        reversed.reverse();
        reversed
    } else {
        let doors = plan.last().map_or(&[][..], |&t| scene.adj(t));
        let through = doors
            .iter()
            .filter(|&&door| set.contains(door))
            .find_map(|&door| simple_route_from(scene, door, set));
        through.unwrap_or(*route)
    };
    rest.iter().for_each(|&t| plan.push(t));
    plan
}

/// Armies on a route, excluding the owners in `free`.
pub(super) fn cost_without(scene: &Scene<'_>, route: &[TerritoryId], free: &[PlayerId]) -> u32 {
    let counts = |t: &&TerritoryId| !free.contains(&scene.board.owner(**t));
    route.iter().filter(counts).map(|&t| scene.armies(t)).sum()
}
