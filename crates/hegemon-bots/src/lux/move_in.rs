//! How many armies move into a conquered territory (docs/spec/lux.md 6.9).

use hegemon_core::{TerritoryId, TerritorySet};

use super::attack::ALL;
use super::memory::Memory;
use super::scene::Scene;

/// How a bot moves in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveIn {
    /// Stay where more enemies are.
    Angry,
    /// Go where the weaker enemy is.
    Stinky,
    /// Half, rounded up.
    Communist,
    /// Angry's rule when far ahead, else half.
    Trotsky,
    /// As the attack requested, else by the enemies in the goal continent.
    Cluster,
    /// By the number of enemies and the wanted continents.
    Pixie,
    /// As the attack requested, else by enemies in wanted continents.
    BetterPixie,
}

/// The bot's choice; the caller clamps it to what the rules allow. `wished` is
/// what the attack requested.
pub(super) fn choose(
    rule: MoveIn,
    scene: &Scene<'_>,
    memory: &Memory,
    wished: Option<u32>,
    from: TerritoryId,
    to: TerritoryId,
) -> u32 {
    match rule {
        MoveIn::Angry => angry(scene, from, to),
        MoveIn::Stinky => stinky(scene, from, to),
        MoveIn::Communist => scene.armies(from).div_ceil(2),
        MoveIn::Trotsky if scene.is_hog_wild() => angry(scene, from, to),
        MoveIn::Trotsky => scene.armies(from).div_ceil(2),
        MoveIn::Cluster => dead_end(scene, from, to)
            .or(wished)
            .unwrap_or_else(|| cluster(scene, memory, from, to)),
        MoveIn::Pixie => pixie(scene, memory, from, to),
        MoveIn::BetterPixie => dead_end(scene, from, to)
            .or(wished)
            .unwrap_or_else(|| better_pixie(scene, memory, from, to)),
    }
}

fn angry(scene: &Scene<'_>, from: TerritoryId, to: TerritoryId) -> u32 {
    if scene.n_enemies(from) > scene.n_enemies(to) {
        0
    } else {
        ALL
    }
}

fn stinky(scene: &Scene<'_>, from: TerritoryId, to: TerritoryId) -> u32 {
    match (scene.weakest_enemy(from), scene.weakest_enemy(to)) {
        (None, _) => ALL,
        (_, None) => 0,
        (Some(here), Some(there)) if scene.armies(here) < scene.armies(there) => 0,
        _ => ALL,
    }
}

/// Nothing is kept at a dead end, and nothing goes into one.
fn dead_end(scene: &Scene<'_>, from: TerritoryId, to: TerritoryId) -> Option<u32> {
    if scene.adj(from).len() == 1 {
        Some(ALL)
    } else if scene.adj(to).len() == 1 {
        Some(0)
    } else {
        None
    }
}

fn cluster(scene: &Scene<'_>, memory: &Memory, from: TerritoryId, to: TerritoryId) -> u32 {
    let here = scene.weakest_enemy_in(from, memory.goal);
    match (here, scene.weakest_enemy_in(to, memory.goal)) {
        (_, None) => 0,
        (Some(here), Some(there)) if scene.armies(here) < scene.armies(there) => 0,
        _ => ALL,
    }
}

fn pixie(scene: &Scene<'_>, memory: &Memory, from: TerritoryId, to: TerritoryId) -> u32 {
    let half = scene.armies(from) / 2;
    let is_wanted = |t| memory.wants(scene.map.continent_of(t));
    match (scene.n_enemies(from), scene.n_enemies(to)) {
        (0, 0) => match (is_wanted(from), is_wanted(to)) {
            (true, false) => 0,
            (false, true) => ALL,
            _ => half,
        },
        (here, there) if here > there => 0,
        (here, there) if here < there => ALL,
        _ => half,
    }
}

fn better_pixie(scene: &Scene<'_>, memory: &Memory, from: TerritoryId, to: TerritoryId) -> u32 {
    let half = scene.armies(from) / 2;
    match (scene.n_enemies(from), scene.n_enemies(to)) {
        (0, 0) => return half,
        (0, _) => return ALL,
        (_, 0) => return 0,
        _ => {}
    }
    let wanted = |t: TerritoryId| -> TerritorySet {
        scene
            .hostile(t)
            .iter()
            .filter(|&x| memory.wants(scene.map.continent_of(x)))
            .collect()
    };
    let (here, there) = (wanted(from), wanted(to));
    match ((here | there).first(), here.is_empty(), there.is_empty()) {
        (None, ..) => half,
        (_, true, false) => ALL,
        (_, false, true) => 0,
        (Some(seed), ..) => {
            let hostile = scene.map.all() - scene.own;
            let is_one_cluster = scene.map.reachable(seed, hostile).is_superset(here | there);
            if is_one_cluster { ALL } else { half }
        }
    }
}
