//! Hunting a weak player: Vulture and Killbot (docs/spec/lux.md 7.14, 7.15).

use hegemon_core::PlayerId;

use super::Muster;
use crate::lux::clusters::{append, armies_on, cost_without, for_each_cluster, simple_route};
use crate::lux::list::List;
use crate::lux::memory::Memory;
use crate::lux::paths::route_to_territory;
use crate::lux::scene::Scene;

/// Larger clusters are not searched for a route.
const MAX_CLUSTER: usize = 20;

/// Places all armies to kill a player and remembers the route, if there is one.
pub(super) fn prepare(muster: &mut Muster<'_>, n: i32, memory: &mut Memory) -> bool {
    memory.placed_to_kill = false;
    let Some(victim) = find_victim(&muster.scene, n) else {
        return false;
    };
    let Some((start, plan)) = find_plan(&muster.scene, n, victim) else {
        return false;
    };
    muster.place(start, n);
    memory.plans.push(plan);
    memory.placed_to_kill = true;
    true
}

/// The weakest player within reach, counting its cards.
fn find_victim(scene: &Scene<'_>, n: i32) -> Option<PlayerId> {
    let set_worth = scene.view.game().next_set_worth(scene.view.n_traded());
    let front = scene.armies(scene.biggest_front()?) + n as u32;
    let mut best: Option<(PlayerId, i32)> = None;
    for p in scene.others() {
        let n_owned = scene.board.n_owned(p) as u32;
        let cards = f64::from(set_worth) * scene.view.n_cards(p) as f64 / 3.0;
        let strength = (f64::from(scene.total(p)) - cards) as i32;
        let is_weaker = best.is_none_or(|(_, lowest)| strength < lowest);
        if n_owned > 0 && is_weaker && front > scene.total(p) + n_owned {
            best = Some((p, strength));
        }
    }
    let (victim, strength) = best?;
    (scene.total(scene.me) as i32 > 2 * strength).then_some(victim)
}

/// Where to start and how to go through all territories of the victim.
fn find_plan(
    scene: &Scene<'_>,
    n: i32,
    victim: PlayerId,
) -> Option<(hegemon_core::TerritoryId, List)> {
    let land = scene.board.owned(victim);
    let seed = land.first()?;
    if land.len() > MAX_CLUSTER || scene.map.reachable(seed, land) != land {
        return None;
    }
    let mut cluster = List::EMPTY;
    for_each_cluster(scene, land, |list| cluster = *list);
    let route = simple_route(scene, &cluster)?;
    let mut reversed = route;
    reversed.reverse();
    let to_first = route_to_territory(scene, *route.first()?)?;
    let to_last = route_to_territory(scene, *route.last()?)?;
    let price = |lead: &List| {
        let start = lead.first().map_or(0, |&t| scene.armies(t));
        cost_without(scene, lead, &[scene.me, victim]) as i32 - start as i32
    };
    let (lead, through) = if price(&to_first) < price(&to_last) {
        (to_first, route)
    } else {
        (to_last, reversed)
    };
    let (start, end) = (*lead.first()?, *lead.last()?);
    let needed = armies_on(scene, &route) + cost_without(scene, &lead, &[scene.me]);
    let has_enough = scene.armies(start) + n as u32 > needed - scene.armies(end);
    has_enough.then(|| (start, append(scene, &lead, &through)))
}
