//! Placings of the simple bots: Angry, Communist and Trotsky
//! (docs/spec/lux.md 7.1 to 7.4).

use hegemon_core::{ContinentId, TerritoryId, TerritorySet};

use super::Muster;
use crate::lux::memory::Memory;
use crate::lux::scene::{ContinentSet, Scene};

/// All where most enemies are around.
pub(super) fn most_enemies(muster: &mut Muster<'_>, n: i32) {
    let mut best: Option<(TerritoryId, usize)> = None;
    for territory in muster.scene.own {
        let n_enemies = muster.scene.n_enemies(territory);
        if best.is_none_or(|(_, most)| n_enemies > most) {
            best = Some((territory, n_enemies));
        }
    }
    if let Some((territory, _)) = best {
        muster.place(territory, n);
    }
}

/// One on each of the weakest territories, repeatedly.
pub(super) fn everywhere(muster: &mut Muster<'_>) {
    let all = muster.scene.own;
    while muster.left > 0 && !all.is_empty() {
        raise_weakest(muster, all, all);
    }
}

/// One on each territory of `targets` that is as weak as the weakest of
/// `measure`.
fn raise_weakest(muster: &mut Muster<'_>, measure: TerritorySet, targets: TerritorySet) {
    let fewest = measure.iter().map(|t| muster.scene.armies(t)).min();
    for territory in targets {
        if fewest.is_some_and(|fewest| muster.scene.armies(territory) <= fewest) {
            muster.place(territory, 1);
        }
    }
}

/// Trotsky's placing.
pub(super) fn over_targets(muster: &mut Muster<'_>, n: i32, memory: &mut Memory) {
    if muster.scene.is_hog_wild() {
        if let Some(root) = muster.scene.biggest_army() {
            muster.on_cluster_border(n, root);
        }
        return;
    }
    let targets = find_targets(&muster.scene);
    memory.targets = Some(targets);
    let scene = &muster.scene;
    let land = land_of(scene, targets);
    let touches = |&t: &TerritoryId| land.contains(t) || land.intersects(scene.map.neighbors(t));
    let near: TerritorySet = scene.own.iter().filter(touches).collect();
    let inside = scene.own & land;
    while muster.left > 0 {
        if inside.is_empty() {
            for territory in muster.scene.own {
                muster.place(territory, 1);
            }
        } else {
            raise_weakest(muster, inside, near);
        }
    }
}

/// All territories of some continents.
pub(crate) fn land_of(scene: &Scene<'_>, continents: ContinentSet) -> TerritorySet {
    let wanted = scene.continents().filter(|&k| continents.contains(k));
    wanted.fold(TerritorySet::EMPTY, |land, k| land | scene.land(k))
}

/// The owned continents with a bonus, and the one that is best within reach.
pub(in crate::lux) fn find_targets(scene: &Scene<'_>) -> ContinentSet {
    let mut targets: ContinentSet = scene
        .continents()
        .filter(|&k| scene.owns(k) && scene.bonus(k) > 0)
        .collect();
    let ratio = |k: ContinentId| {
        if scene.owns(k) {
            return -1.0;
        }
        let own = scene.own_armies_in(k) + scene.adjoining_armies(k);
        own as f32 / scene.enemy_armies_in(k).max(1) as f32
    };
    let best_of = |start: (Option<ContinentId>, f32), counts: &dyn Fn(ContinentId) -> bool| {
        scene
            .continents()
            .filter(|&k| counts(k))
            .fold(start, |best, k| {
                if ratio(k) > best.1 {
                    (Some(k), ratio(k))
                } else {
                    best
                }
            })
    };
    let mut best = best_of((None, -1.0), &|k| scene.bonus(k) > 0);
    if best.1 == 0.0 {
        best = best_of(best, &|k| scene.bonus(k) == 0);
    }
    if best.1 == 0.0 {
        best = best_of(best, &|_| true);
    }
    targets.insert(best.0.unwrap_or(ContinentId::new(0)));
    targets
}
