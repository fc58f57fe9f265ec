//! Placings of Pixie and BetterPixie (docs/spec/lux.md 7.11, 7.13).

use hegemon_core::{ContinentId, Rng, TerritoryId};

use super::Muster;
use crate::lux::clusters::{armies_on, cost_without, for_each_cluster};
use crate::lux::list::List;
use crate::lux::memory::Memory;
use crate::lux::paths::route_to_continent;
use crate::lux::scene::{ContinentSet, Scene};

/// Borders up to this size need help.
pub(super) const BORDER_FORCE: u32 = 20;

/// Below any number of armies, and still far from an overflow.
const NO_ROUTE: i32 = i32::MIN / 2;

/// Pixie's placing.
pub(super) fn plan(muster: &mut Muster<'_>, n: i32, memory: &mut Memory, rng: &mut Rng) {
    let wanted = affordable(&muster.scene, n);
    memory.wanted = Some(wanted);
    if wanted.is_empty() {
        let easiest = muster.scene.easiest();
        muster.take(n, easiest, rng);
        return;
    }
    let needs_help = |scene: &Scene<'_>, b: TerritoryId| scene.armies(b) <= BORDER_FORCE;
    let n_asked = help(muster, n, wanted, needs_help, |muster, k| {
        muster.take(1, Some(k), rng);
    });
    muster.near_enemies(n - n_asked);
}

/// The continents that Pixie and EvilPixie think they can take with a fair
/// share of `n` armies.
pub(super) fn affordable(scene: &Scene<'_>, n: i32) -> ContinentSet {
    let share = f64::from(n) * (1.0 / scene.continents().len() as f64);
    let need = |k| {
        let own = scene.own_armies_in(k) + scene.adjoining_armies(k);
        i64::from(scene.enemy_armies_in(k)) - i64::from(own)
    };
    scene
        .continents()
        .filter(|&k| scene.bonus(k) > 0 && (need(k) as f64) < share)
        .collect()
}

/// Passes over the wanted continents that need help, one army each, until `n`
/// are requested. Returns how many were (possibly more than `n`).
pub(super) fn help(
    muster: &mut Muster<'_>,
    n: i32,
    wanted: ContinentSet,
    needs_help: impl Fn(&Scene<'_>, TerritoryId) -> bool,
    mut place_one: impl FnMut(&mut Muster<'_>, ContinentId),
) -> i32 {
    let mut n_asked = 0;
    loop {
        let before = n_asked;
        for k in muster.scene.continents().filter(|&k| wanted.contains(k)) {
            let scene = &muster.scene;
            if !scene.owns(k) || scene.borders(k).iter().any(|b| needs_help(scene, b)) {
                place_one(muster, k);
                n_asked += 1;
            }
        }
        if n_asked >= n || n_asked == before {
            return n_asked;
        }
    }
}

/// BetterPixie's placing.
pub(super) fn plan_better(muster: &mut Muster<'_>, n: i32, memory: &mut Memory, rng: &mut Rng) {
    let Some(wanted) = want(&muster.scene, n) else {
        memory.wanted = Some(ContinentSet::default());
        let easiest = muster.scene.easiest();
        muster.take(n, easiest, rng);
        return;
    };
    memory.wanted = Some(wanted);
    let needs_help = |scene: &Scene<'_>, b: TerritoryId| {
        scene.armies(b) <= BORDER_FORCE && !scene.owns_around(b)
    };
    let n_asked = help(muster, n, wanted, needs_help, |muster, k| {
        muster.take(1, Some(k), rng);
    });
    if n_asked < n {
        against_clusters(muster, n - n_asked);
    }
}

/// The continents that BetterPixie wants; none if it can afford none.
pub(in crate::lux) fn want(scene: &Scene<'_>, n: i32) -> Option<ContinentSet> {
    let paying = || scene.continents().filter(|&k| scene.bonus(k) > 0);
    if scene.owns_positive() {
        let share = f64::from(n) / (scene.continents().len() as f64 / 4.0);
        let biggest = scene.biggest_army().map_or(0, |t| scene.armies(t));
        let wanted: ContinentSet = paying()
            .filter(|&k| is_need_below(scene, k, share, biggest))
            .collect();
        return if wanted.is_empty() {
            None
        } else {
            Some(wanted)
        };
    }
    // `min_by_key` keeps the first on ties.
    Some(
        paying()
            .min_by_key(|&k| better_need(scene, k))
            .into_iter()
            .collect(),
    )
}

/// Whether [`better_need`] is below a share. My biggest army is at the start of
/// no cheaper route than none, so the route matters only in between.
fn is_need_below(scene: &Scene<'_>, k: ContinentId, share: f64, biggest: u32) -> bool {
    let (enemies, near) = (enemies_to_beat(scene, k), armies_near(scene, k));
    if f64::from(enemies - near) < share {
        return true;
    }
    f64::from(enemies - near.max(biggest as i32)) < share
        && f64::from(enemies - by_route(scene, k)) < share
}

/// Armies that BetterPixie lacks for a continent, from nearby or from the start
/// of a route.
fn better_need(scene: &Scene<'_>, k: ContinentId) -> i32 {
    enemies_to_beat(scene, k) - armies_near(scene, k).max(by_route(scene, k))
}

fn enemies_to_beat(scene: &Scene<'_>, k: ContinentId) -> i32 {
    (1.3 * f64::from(scene.enemy_armies_in(k))) as i32
}

fn armies_near(scene: &Scene<'_>, k: ContinentId) -> i32 {
    (scene.own_armies_in(k) + scene.adjoining_armies(k)) as i32
}

/// What the start of a route to a continent would have left; very little
/// without one.
fn by_route(scene: &Scene<'_>, k: ContinentId) -> i32 {
    route_to_continent(scene, k).map_or(NO_ROUTE, |route| {
        let start = route.first().map_or(0, |&t| scene.armies(t));
        let cost = cost_without(scene, &route, &[scene.me]);
        start as i32 - (1.2 * f64::from(cost)) as i32
    })
}

/// Enough on my strongest neighbour of each hostile cluster to take it, the
/// weaker first (after one pass of swaps, which is not a full sort).
fn against_clusters(muster: &mut Muster<'_>, n: i32) {
    let mut n = n;
    let hostile = muster.scene.map.all() - muster.scene.own;
    let mut carried: Option<(List, u32)> = None;
    // One pass of swaps moves the larger of two neighbours back. Placing does
    // not change hostile armies, so the current board is sufficient.
    let scene = Scene::new(muster.scene.view);
    for_each_cluster(&scene, hostile, |cluster| {
        let armies = armies_on(&scene, cluster);
        match carried {
            Some((_, most)) if most <= armies => {
                let previous = carried.replace((*cluster, armies));
                if let Some((previous, armies)) = previous {
                    n = against_cluster(muster, n, &previous, armies);
                }
            }
            Some(_) => n = against_cluster(muster, n, cluster, armies),
            None => carried = Some((*cluster, armies)),
        }
    });
    if let Some((last, armies)) = carried {
        n = against_cluster(muster, n, &last, armies);
    }
    if n > 0 {
        muster.near_enemies(n);
    }
}

/// Places against one cluster; returns what is left of `n`.
fn against_cluster(muster: &mut Muster<'_>, n: i32, cluster: &List, armies: u32) -> i32 {
    if n <= 0 {
        return n;
    }
    let scene = &muster.scene;
    let around = cluster.iter().flat_map(|&t| scene.adj(t)).copied();
    let Some(strongest) = scene.strongest(around.filter(|&t| scene.is_mine(t))) else {
        return n;
    };
    let need = (f64::from(armies + cluster.len() as u32) * 1.2) as i32;
    let missing = need - scene.armies(strongest) as i32;
    muster.place(strongest, missing);
    n - missing
}
