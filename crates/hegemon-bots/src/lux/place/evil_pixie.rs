//! EvilPixie's placing (docs/spec/lux.md 7.12).

use hegemon_core::{Rng, TerritoryId, TerritorySet};

use super::Muster;
use super::pixie::{affordable, help};
use crate::lux::memory::Memory;
use crate::lux::scene::Scene;

pub(super) fn plan(
    muster: &mut Muster<'_>,
    n: i32,
    memory: &mut Memory,
    later_sdk: bool,
    rng: &mut Rng,
) {
    if muster.scene.is_hog_wild() {
        to_outnumber(muster, n, later_sdk);
        return;
    }
    let wanted = affordable(&muster.scene, n);
    memory.wanted = Some(wanted);
    if wanted.is_empty() {
        let easiest = muster.scene.easiest();
        muster.take(n, easiest, rng);
        return;
    }
    let force = memory.border_force;
    let needs_help =
        move |scene: &Scene<'_>, b: TerritoryId| scene.armies(b) <= force && !scene.owns_around(b);
    let n_asked = help(muster, n, wanted, needs_help, |muster, k| {
        let scene = &muster.scene;
        if scene.owns(k) {
            let in_need = scene.borders(k).iter().filter(|&b| needs_help(scene, b));
            if let Some(border) = scene.weakest(in_need) {
                muster.place(border, 1);
            }
        } else {
            muster.enter(1, k);
        }
    });
    to_outnumber(muster, n - n_asked, later_sdk);
}

/// Enough next to each enemy that no neighbour of mine outnumbers yet.
fn to_outnumber(muster: &mut Muster<'_>, n: i32, later_sdk: bool) {
    let mut n = n;
    let scene = &muster.scene;
    let is_outnumbered = |&t: &TerritoryId| {
        scene
            .friends(t)
            .iter()
            .any(|x| scene.armies(x) > scene.armies(t))
    };
    let hostile = scene.map.all() - scene.own;
    let outnumbered: TerritorySet = hostile.iter().filter(is_outnumbered).collect();
    for enemy in hostile - outnumbered {
        if n <= 0 {
            return;
        }
        let scene = &muster.scene;
        let mut friends = scene
            .adj(enemy)
            .iter()
            .copied()
            .filter(|&t| scene.is_mine(t));
        // The SDK of 2009 never updated its running maximum.
        let friend = if later_sdk {
            scene.strongest(friends)
        } else {
            friends.next_back()
        };
        if let Some(friend) = friend {
            let missing = scene.armies(enemy) as i32 - scene.armies(friend) as i32;
            muster.place(friend, missing.max(1));
            n -= missing.max(1);
        }
    }
    muster.near_enemies(n);
}
