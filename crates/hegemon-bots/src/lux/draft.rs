//! Which territory a bot claims (docs/spec/lux.md 6.6).

use std::cmp::Reverse;

use hegemon_core::{ContinentId, PlayerId, Rng, TerritoryId, TerritorySet};

use super::paths::closest_owned_by;
use super::scene::Scene;
use crate::rules::pieces::pick;

/// How a bot drafts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draft {
    /// A random free territory.
    Random,
    /// In the smallest continent, chosen anew for each pick.
    SmallestEachTime,
    /// In the smallest continent, chosen anew when it is full.
    Smallest,
    /// In the smallest continent, chosen once.
    SmallestOnce,
    /// In the largest continent that is not too large, chosen anew when full.
    Largest,
}

/// The territory to claim; `goal` is the continent that the bot drafts in.
pub(super) fn choose(
    draft: Draft,
    scene: &Scene<'_>,
    goal: &mut Option<ContinentId>,
    rng: &mut Rng,
) -> Option<TerritoryId> {
    let free = scene.board.owned(PlayerId::NOBODY);
    let is_full = |k: ContinentId| !free.intersects(scene.land(k));
    let chosen = match draft {
        Draft::Random => None,
        Draft::SmallestEachTime => {
            smallest_open(scene, free).and_then(|k| pick_inside(scene, free, k))
        }
        Draft::Smallest => {
            if goal.is_none_or(is_full) {
                *goal = smallest_open(scene, free);
            }
            pick_in(scene, free, *goal)
        }
        Draft::SmallestOnce => {
            *goal = goal.or_else(|| smallest_open(scene, free));
            pick_in(scene, free, *goal)
        }
        Draft::Largest => {
            if goal.is_none_or(is_full) {
                *goal = largest_fitting(scene, free);
            }
            pick_in(scene, free, *goal)
        }
    };
    // The original engine answers an invalid pick with a random territory.
    chosen.or_else(|| pick(free, rng))
}

/// The smallest continent with a bonus that nobody has entered, else the
/// smallest with a free territory.
fn smallest_open(scene: &Scene<'_>, free: TerritorySet) -> Option<ContinentId> {
    let is_empty = |&k: &ContinentId| free.is_superset(scene.land(k));
    let is_open = |&k: &ContinentId| free.intersects(scene.land(k));
    let size = |&k: &ContinentId| scene.land(k).len();
    let paying = || scene.continents().filter(|&k| scene.bonus(k) > 0);
    // `min_by_key` keeps the first on ties.
    paying()
        .filter(is_empty)
        .min_by_key(size)
        .or_else(|| paying().filter(is_open).min_by_key(size))
}

/// The largest continent that a player can hope to get, as Cluster sees it.
fn largest_fitting(scene: &Scene<'_>, free: TerritorySet) -> Option<ContinentId> {
    let n_players = scene.view.game().n_players();
    // ceil(1.25 C / N)
    let too_large = (5 * scene.map.n_territories()).div_ceil(4 * n_players);
    let size = |&k: &ContinentId| scene.land(k).len();
    let is_open = |&k: &ContinentId| free.intersects(scene.land(k));
    let fitting = || {
        scene
            .continents()
            .filter(|k| scene.bonus(*k) > 0 && size(k) < too_large)
    };
    let is_empty = |&k: &ContinentId| free.is_superset(scene.land(k));
    // `min_by_key` keeps the first of equals, `max_by_key` would keep the last.
    let largest = |k: &ContinentId| Reverse(size(k));
    let largest_empty = fitting().filter(is_empty).min_by_key(largest);
    largest_empty
        .or_else(|| fitting().filter(is_open).min_by_key(largest))
        .or_else(|| scene.continents().find(|&k| scene.bonus(k) == 0))
        .or_else(|| {
            let large = scene.continents().filter(|k| size(k) >= too_large);
            large.filter(is_open).min_by_key(size)
        })
}

fn pick_in(
    scene: &Scene<'_>,
    free: TerritorySet,
    goal: Option<ContinentId>,
) -> Option<TerritoryId> {
    goal.and_then(|k| pick_inside(scene, free, k))
        .or_else(|| pick_touching(scene, free))
}

/// A free territory of the continent next to mine, else the one with the
/// fewest neighbours.
fn pick_inside(scene: &Scene<'_>, free: TerritorySet, k: ContinentId) -> Option<TerritoryId> {
    let inside = free & scene.land(k);
    let near = inside.iter().find(|&t| !scene.friends(t).is_empty());
    near.or_else(|| inside.iter().min_by_key(|&t| scene.adj(t).len()))
}

/// The free territory with the most neighbours of mine, else the closest.
fn pick_touching(scene: &Scene<'_>, free: TerritorySet) -> Option<TerritoryId> {
    let mut best = (None, 0);
    for territory in free {
        let n_friends = scene.friends(territory).len();
        if n_friends > best.1 {
            best = (Some(territory), n_friends);
        }
    }
    let edges = scene.own.iter().filter(|&t| !scene.hostile(t).is_empty());
    best.0
        .or_else(|| closest_owned_by(scene, edges, PlayerId::NOBODY))
}
