//! Where a sortie stands: every loop that attacks, resumable after an order.

use hegemon_core::{ContinentId, PlayerId, TerritoryId, TerritorySet};

use super::sweep::Sweep;
use super::{ALL, Aim, Fought, Order, Sortie};
use crate::lux::clusters::cluster_borders;
use crate::lux::list::{List, OneAhead};
use crate::lux::memory::Memory;
use crate::lux::paths::{path_cost, route_through_enemies};
use crate::lux::scene::Scene;

/// Trotsky attacks outside its targets with this many more armies.
const LARGE_SURPLUS: u32 = 20;

/// A sortie in progress. Each loop advances its counters before it gives an
/// order, so calling it again resumes it.
#[derive(Clone, Debug)]
pub(super) struct AttackLoop {
    sortie: Option<Sortie>,
    /// The territories to visit, as they were at the start.
    places: List,
    /// The root and the land whose borders `places` are, if they are.
    borders_of: Option<(TerritoryId, TerritorySet)>,
    /// The next of `places`.
    at: usize,
    /// The next neighbour of the current place.
    door: usize,
    ahead: OneAhead,
    /// How many armies the current border moves into each enemy.
    share: Option<u32>,
    /// Whether the current place's conditions were checked.
    is_inside: bool,
    sweep: Sweep,
    is_fresh: bool,
    result: bool,
}

impl AttackLoop {
    pub(super) fn idle() -> AttackLoop {
        AttackLoop {
            sortie: None,
            places: List::EMPTY,
            borders_of: None,
            at: 0,
            door: 0,
            ahead: OneAhead::new(TerritorySet::EMPTY, |_| false),
            share: None,
            is_inside: false,
            sweep: Sweep::idle(),
            is_fresh: true,
            result: false,
        }
    }

    /// Resets at the start of a turn.
    pub(super) fn rest(&mut self) {
        self.sortie = None;
        self.is_fresh = true;
    }

    /// Begins a sortie.
    pub(super) fn start(&mut self, sortie: Sortie, scene: &Scene<'_>, memory: &mut Memory) {
        self.sortie = Some(sortie);
        (self.is_fresh, self.result, self.is_inside) = (false, false, false);
        (self.at, self.door, self.share) = (0, 0, None);
        match sortie {
            Sortie::EasyExpand(root)
            | Sortie::FillOut(root)
            | Sortie::Consolidate(root)
            | Sortie::SplitUp(root, _) => self.go_through_borders(scene, root),
            Sortie::Sweep(root) => {
                self.go_through_borders(scene, root);
                self.sweep = Sweep::idle();
            }
            Sortie::Storm(k, _) | Sortie::Narrow(k) => self.go_through(scene.land(k)),
            Sortie::TakeOut(k, _) if is_foreign(scene, k) => self.go_through(scene.borders(k)),
            Sortie::TakeOut(..) => self.go_through(TerritorySet::EMPTY),
            Sortie::TakeOutPlayer(player) => self.go_through(scene.board.owned(player)),
            Sortie::Plan => {
                self.places = memory.plans.remove(0);
                self.borders_of = None;
            }
            Sortie::Strike | Sortie::KillContinent(_) => {
                self.ahead = OneAhead::new(scene.own, |t| scene.armies(t) > 1);
            }
            Sortie::Jab(_) => self.ahead = OneAhead::new(scene.own, |_| true),
            Sortie::Card(_) | Sortie::Raid(_) => {}
        }
    }

    fn go_through(&mut self, territories: TerritorySet) {
        self.places.clear();
        territories
            .iter()
            .for_each(|territory| self.places.push(territory));
        self.borders_of = None;
    }

    /// Several sorties in a row often start from the same root.
    fn go_through_borders(&mut self, scene: &Scene<'_>, root: TerritoryId) {
        if self.borders_of != Some((root, scene.own)) {
            cluster_borders(scene, root, &mut self.places);
            self.borders_of = Some((root, scene.own));
        }
    }

    pub(super) fn sortie(&self) -> Option<Sortie> {
        self.sortie
    }

    /// Whether the sortie that just ended achieved something; `None` before the
    /// first.
    pub(super) fn result(&self) -> Option<bool> {
        (!self.is_fresh).then_some(self.result)
    }

    pub(super) fn next(
        &mut self,
        scene: &Scene<'_>,
        memory: &Memory,
        kin: u8,
        fought: Option<Fought>,
    ) -> Option<Order> {
        let sortie = self.sortie?;
        self.result |= match sortie {
            Sortie::FillOut(_) => fought.is_some_and(Fought::is_conquest),
            _ => fought.is_some(),
        };
        let order = match sortie {
            Sortie::EasyExpand(_) => self.easy_expand(scene),
            Sortie::FillOut(_) => self.fill_out(scene),
            Sortie::Consolidate(_) => self.consolidate(scene),
            Sortie::SplitUp(_, ratio) => self.split_up(scene, ratio),
            Sortie::Sweep(_) => self.sweep(scene),
            Sortie::Card(factor) => self.once(card_attack(scene, factor)),
            Sortie::KillContinent(k) => self.kill_continent(scene, k, fought),
            Sortie::Storm(_, factor) => self.storm(scene, factor),
            Sortie::Narrow(_) => self.narrow(scene, memory),
            Sortie::TakeOut(_, factor) => self.take_out(scene, factor),
            Sortie::TakeOutPlayer(player) => self.take_out_player(scene, player),
            Sortie::Plan => self.follow_plan(scene, fought),
            Sortie::Strike => self.strike(scene),
            Sortie::Jab(ratio) => self.jab(scene, ratio),
            Sortie::Raid(aim) => self.once(raid(scene, memory, aim, kin)),
        };
        if order.is_none() {
            self.sortie = None;
        }
        order
    }

    // ---- loops over places and their neighbours --------------------------

    /// The next place.
    #[inline]
    fn place(&mut self) -> Option<TerritoryId> {
        let place = self.places.get(self.at).copied();
        self.at += 1;
        self.door = 0;
        place
    }

    /// The next pair of a place and its neighbour.
    #[inline]
    fn pair(&mut self, scene: &Scene<'_>) -> Option<(TerritoryId, TerritoryId)> {
        loop {
            let place = *self.places.get(self.at)?;
            if let Some(&neighbor) = scene.adj(place).get(self.door) {
                self.door += 1;
                return Some((place, neighbor));
            }
            self.place();
        }
    }

    /// A single order; `order` is used only the first time.
    fn once(&mut self, order: Option<Order>) -> Option<Order> {
        self.at += 1;
        if self.at == 1 { order } else { None }
    }

    fn easy_expand(&mut self, scene: &Scene<'_>) -> Option<Order> {
        while let Some(from) = self.place() {
            let hostile = scene.hostile(from);
            if let (1, Some(to)) = (hostile.len(), hostile.first())
                && scene.armies(from) > scene.armies(to)
            {
                return order(from, to, Some(ALL));
            }
        }
        None
    }

    fn fill_out(&mut self, scene: &Scene<'_>) -> Option<Order> {
        while let Some((from, to)) = self.pair(scene) {
            if !scene.is_mine(to)
                && scene.hostile(to).is_empty()
                && scene.armies(to) < scene.armies(from)
            {
                return order(from, to, Some(0));
            }
        }
        None
    }

    /// While a place is inside, the neighbours of its one enemy attack it in
    /// turn; the participants do not change until it falls.
    fn consolidate(&mut self, scene: &Scene<'_>) -> Option<Order> {
        loop {
            let place = *self.places.get(self.at)?;
            let hostile = scene.hostile(place);
            let target = hostile.first().filter(|_| hostile.len() == 1);
            let Some(target) = target.filter(|&e| self.is_inside || can_consolidate(scene, e))
            else {
                self.place();
                self.is_inside = false;
                continue;
            };
            self.is_inside = true;
            while let Some(&from) = scene.adj(target).get(self.door) {
                self.door += 1;
                if takes_part(scene, from) && scene.armies(from) > 1 {
                    return order(from, target, Some(ALL));
                }
            }
            self.place();
            self.is_inside = false;
        }
    }

    fn split_up(&mut self, scene: &Scene<'_>, ratio: f32) -> Option<Order> {
        loop {
            let from = *self.places.get(self.at)?;
            if self.share.is_none() {
                let hostile = scene.hostile(from);
                let armies = scene.armies(from);
                if armies as f32 > scene.sum(hostile) as f32 * ratio {
                    self.share = Some(armies / (hostile.len() as u32).max(1));
                }
            }
            if self.share.is_some() && scene.armies(from) > 1 {
                while let Some(&to) = scene.adj(from).get(self.door) {
                    self.door += 1;
                    if !scene.is_mine(to) {
                        return order(from, to, self.share);
                    }
                }
            }
            self.place();
            self.share = None;
        }
    }

    fn sweep(&mut self, scene: &Scene<'_>) -> Option<Order> {
        loop {
            if let Some(order) = self.sweep.next(scene) {
                return Some(order);
            }
            let border = self.place()?;
            self.sweep = Sweep::new(scene, border);
        }
    }

    /// Attacks everything that a neighbour of mine outnumbers by the factor.
    fn storm(&mut self, scene: &Scene<'_>, factor: f32) -> Option<Order> {
        while let Some((to, from)) = self.pair(scene) {
            if scene.is_mine(to) || scene.friends(to).is_empty() {
                self.place();
            } else if scene.is_mine(from)
                && scene.armies(from) as f32 > scene.armies(to) as f32 * factor
            {
                return order(from, to, None);
            }
        }
        None
    }

    /// From places with exactly one enemy in a wanted continent.
    fn narrow(&mut self, scene: &Scene<'_>, memory: &Memory) -> Option<Order> {
        let counts = |t: TerritoryId| !scene.is_mine(t) && memory.wants(scene.map.continent_of(t));
        loop {
            let from = *self.places.get(self.at)?;
            let n_enemies = || scene.hostile(from).iter().filter(|&t| counts(t)).count();
            if !self.is_inside {
                self.is_inside = scene.is_mine(from) && scene.armies(from) > 1 && n_enemies() == 1;
            }
            while let Some(&to) = scene.adj(from).get(self.door).filter(|_| self.is_inside) {
                self.door += 1;
                if counts(to) && scene.armies(from) > scene.armies(to) {
                    return order(from, to, None);
                }
            }
            self.place();
            self.is_inside = false;
        }
    }

    /// The first border that a neighbour of mine outnumbers `factor` times.
    fn take_out(&mut self, scene: &Scene<'_>, factor: u32) -> Option<Order> {
        if self.result {
            return None;
        }
        while let Some((to, from)) = self.pair(scene) {
            if scene.friends(to).is_empty() {
                self.place();
            } else if scene.is_mine(from) && scene.armies(from) > factor * scene.armies(to) {
                return order(from, to, None);
            }
        }
        None
    }

    fn take_out_player(&mut self, scene: &Scene<'_>, player: PlayerId) -> Option<Order> {
        while let Some((to, from)) = self.pair(scene) {
            if scene.board.owner(to) != player {
                self.place();
            } else if scene.is_mine(from) && scene.armies(from) > 1 {
                return order(from, to, None);
            }
        }
        None
    }

    // ---- paths -----------------------------------------------------------

    /// Along cheap paths into the continent until one is walked to its end.
    /// `at` is the step on the current path, 0 without one.
    fn kill_continent(
        &mut self,
        scene: &Scene<'_>,
        k: ContinentId,
        fought: Option<Fought>,
    ) -> Option<Order> {
        let mut has_failed = fought == Some(Fought::Exhausted);
        loop {
            if self.at > 0 && !has_failed {
                let from = self.places[self.at - 1];
                let &to = self.places.get(self.at)?;
                if scene.armies(from) > 1 {
                    self.at += 1;
                    return order(from, to, Some(ALL));
                }
            }
            has_failed = false;
            self.at = 0;
            let start = self.ahead.next(scene.own, |t| scene.armies(t) > 1)?;
            if least_cost(scene, start, k).is_some_and(|least| least < scene.armies(start))
                && let Some(path) = route_through_enemies(scene, start, k)
                && path_cost(scene, &path) < scene.armies(start)
            {
                self.places = path;
                self.borders_of = None;
                self.at = 1;
            }
        }
    }

    fn follow_plan(&mut self, scene: &Scene<'_>, fought: Option<Fought>) -> Option<Order> {
        if fought == Some(Fought::Exhausted) {
            return None;
        }
        loop {
            self.at += 1;
            let &to = self.places.get(self.at)?;
            let from = self.places[self.at - 1];
            let may_attack = scene.is_mine(from) && scene.armies(from) > 1 && !scene.is_mine(to);
            if may_attack && scene.map.are_neighbors(from, to) {
                return order(from, to, Some(ALL));
            }
        }
    }

    // ---- the simple bots -------------------------------------------------

    fn strike(&mut self, scene: &Scene<'_>) -> Option<Order> {
        while let Some(from) = self.ahead.next(scene.own, |t| scene.armies(t) > 1) {
            if let Some(to) = scene.weakest_enemy(from)
                && scene.armies(from) > scene.armies(to)
            {
                return order(from, to, None);
            }
        }
        None
    }

    fn jab(&mut self, scene: &Scene<'_>, ratio: f32) -> Option<Order> {
        while let Some(from) = self.ahead.next(scene.own, |_| true) {
            if let Some(to) = scene.weakest_enemy(from)
                && scene.armies(from) > 1
                && scene.armies(from) as f32 > ratio * scene.armies(to) as f32
            {
                return order(from, to, None);
            }
        }
        None
    }
}

#[inline]
fn order(from: TerritoryId, to: TerritoryId, move_in: Option<u32>) -> Option<Order> {
    Some(Order { from, to, move_in })
}

/// What a route through enemies to a continent costs at least: its first step,
/// and its last if that is another one. None if there is no first step.
fn least_cost(scene: &Scene<'_>, start: TerritoryId, k: ContinentId) -> Option<u32> {
    let fewest = |set: TerritorySet| set.iter().map(|t| scene.armies(t)).min();
    let hostile = scene.hostile(start);
    let first = fewest(hostile)?;
    if hostile.intersects(scene.land(k)) {
        return Some(first);
    }
    Some(first + fewest(scene.borders(k) - scene.own)?)
}

/// Whether one other player holds all of the continent.
fn is_foreign(scene: &Scene<'_>, k: ContinentId) -> bool {
    scene.single_owner(k).is_some_and(|owner| owner != scene.me)
}

/// Whether the enemy is the only one of enough neighbours of mine.
fn can_consolidate(scene: &Scene<'_>, enemy: TerritoryId) -> bool {
    let friends = scene.friends(enemy);
    let part = friends.iter().filter(|&t| takes_part(scene, t));
    friends.len() > 1 && part.map(|t| scene.armies(t)).sum::<u32>() > scene.armies(enemy)
}

fn takes_part(scene: &Scene<'_>, territory: TerritoryId) -> bool {
    scene.is_mine(territory) && scene.hostile(territory).len() == 1
}

/// The pair with the best ratio of armies. The best so far is kept rounded to
/// 32 bits, so an equal pair replaces it if the rounding went down.
fn card_attack(scene: &Scene<'_>, factor: u32) -> Option<Order> {
    let mut best = (None, 0.0f32);
    for from in scene.own {
        for &to in scene.adj(from) {
            if scene.is_mine(to) {
                continue;
            }
            let ratio = f64::from(scene.armies(from)) / f64::from(scene.armies(to));
            if ratio > f64::from(best.1) {
                best = (Some((from, to)), ratio as f32);
            }
        }
    }
    let (from, to) = best.0?;
    let is_worth_it = scene.armies(from) > scene.armies(to) * factor;
    if is_worth_it {
        order(from, to, None)
    } else {
        None
    }
}

/// The attack of a raid, if its victim is weaker.
fn raid(scene: &Scene<'_>, memory: &Memory, aim: Aim, kin: u8) -> Option<Order> {
    let (from, to) = find_victim(scene, memory, aim, kin)?;
    if scene.armies(from) > scene.armies(to) {
        order(from, to, None)
    } else {
        None
    }
}

/// The weakest enemy neighbour of all that the aim allows, with the first of my
/// territories next to it.
pub(super) fn find_victim(
    scene: &Scene<'_>,
    memory: &Memory,
    aim: Aim,
    kin: u8,
) -> Option<(TerritoryId, TerritoryId)> {
    let is_kin = |p: PlayerId| p.is_seat() && (kin >> p.index()) & 1 == 1;
    let all_kin = scene.view.alive().all(|p| p == scene.me || is_kin(p));
    let in_targets = |t| {
        memory
            .targets
            .is_some_and(|set| set.contains(scene.map.continent_of(t)))
    };
    match aim {
        Aim::Strangers => weakest_pair(scene, |_, t| all_kin || !is_kin(scene.board.owner(t))),
        Aim::Targets => weakest_pair(scene, |_, t| in_targets(t)).or_else(|| {
            let exceeds = |f, t| scene.armies(f) > scene.armies(t) + LARGE_SURPLUS;
            weakest_pair(scene, exceeds)
        }),
    }
}

fn weakest_pair(
    scene: &Scene<'_>,
    counts: impl Fn(TerritoryId, TerritoryId) -> bool,
) -> Option<(TerritoryId, TerritoryId)> {
    let mut best: Option<((TerritoryId, TerritoryId), u32)> = None;
    for from in scene.own {
        for &to in scene.adj(from) {
            let armies = scene.armies(to);
            if !scene.is_mine(to)
                && counts(from, to)
                && best.is_none_or(|(_, fewest)| armies < fewest)
            {
                best = Some(((from, to), armies));
            }
        }
    }
    best.map(|(pair, _)| pair)
}
