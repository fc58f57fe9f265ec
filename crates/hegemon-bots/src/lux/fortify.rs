//! Which armies a bot moves at the end of its turn (docs/spec/lux.md 6.10).

use hegemon_core::rules::Fortify;
use hegemon_core::{ContinentId, MAX_TERRITORIES, Move, Rng, TerritoryId, TerritorySet, View};

use super::clusters::cluster_borders;
use super::list::List;
use super::scene::Scene;

/// How a bot fortifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fortifying {
    Nothing,
    /// Towards more enemies.
    Angry,
    /// Equalise neighbours.
    Level,
    /// Equalise, or towards the borders when far ahead.
    Trotsky,
    /// Towards the borders of the cluster.
    Cluster,
    Pixie,
    EvilPixie,
    BetterPixie,
}

/// A fortification being planned: each army moves one step at most.
struct March<'a, 'b> {
    scene: Scene<'a>,
    moved: [u32; MAX_TERRITORIES],
    orders: &'b mut Vec<Move>,
}

/// Plans the moves and stores them in reverse: the last is made first. Under
/// rules that allow a single move, only the largest is kept.
pub(super) fn plan(rule: Fortifying, view: View<'_>, orders: &mut Vec<Move>, rng: &mut Rng) {
    orders.clear();
    let mut march = March {
        scene: Scene::new(view),
        moved: [0; MAX_TERRITORIES],
        orders,
    };
    match rule {
        Fortifying::Nothing => {}
        Fortifying::Angry => march.towards_enemies(rng),
        Fortifying::Level => march.level(),
        Fortifying::Trotsky if march.scene.is_hog_wild() => {
            let root = march.scene.biggest_army();
            march.towards_cluster_borders(root);
        }
        Fortifying::Trotsky => march.level(),
        Fortifying::Cluster => {
            let root = march.scene.root();
            march.towards_cluster_borders(root);
        }
        Fortifying::Pixie | Fortifying::EvilPixie | Fortifying::BetterPixie => {
            for k in march.scene.continents() {
                if march.scene.owns(k) {
                    march.continent(rule, k);
                } else {
                    march.scraps(rule, k);
                }
            }
        }
    }
    orders.reverse();
    if view.game().rules().fortify != Fortify::ManyAdjacent {
        keep_largest(view, orders);
    }
}

/// Keeps the order that moves most, cut to what is there without the others.
fn keep_largest(view: View<'_>, orders: &mut Vec<Move>) {
    let possible = |order: &Move| match *order {
        Move::Fortify { from, to, armies } => {
            let armies = armies.min(view.board().armies(from).saturating_sub(1));
            (armies > 0).then_some((armies, Move::Fortify { from, to, armies }))
        }
        _ => None,
    };
    // Reversed back, so that the first is kept on ties.
    let largest = orders
        .iter()
        .filter_map(possible)
        .max_by_key(|(armies, _)| *armies);
    orders.clear();
    orders.extend(largest.map(|(_, order)| order));
}

impl March<'_, '_> {
    #[inline]
    fn moveable(&self, territory: TerritoryId) -> u32 {
        self.scene.view.moveable(territory) - self.moved[territory.index()]
    }

    /// Orders a move between neighbours of mine; returns whether anything
    /// moved.
    fn order(&mut self, from: TerritoryId, to: TerritoryId, armies: u32) -> bool {
        let armies = armies
            .min(self.moveable(from))
            .min(self.scene.armies(from) - 1);
        if armies == 0 || !self.scene.is_mine(to) {
            return false;
        }
        self.moved[from.index()] += armies;
        self.scene.shift(from, to, armies);
        self.orders.push(Move::Fortify { from, to, armies });
        true
    }

    fn order_all(&mut self, from: TerritoryId, to: TerritoryId) -> bool {
        self.order(from, to, u32::MAX)
    }

    fn towards_enemies(&mut self, rng: &mut Rng) {
        for from in self.scene.own {
            if self.moveable(from) == 0 {
                continue;
            }
            let mut best = (None, 0);
            for &t in self.scene.adj(from) {
                if self.scene.is_mine(t) && self.scene.n_enemies(t) > best.1 {
                    best = (Some(t), self.scene.n_enemies(t));
                }
            }
            let n_here = self.scene.n_enemies(from);
            match best {
                (Some(to), n_there) if n_there > n_here => {
                    self.order_all(from, to);
                }
                _ if n_here == 0 => {
                    if let Some(&to) = rng.pick(self.scene.adj(from)) {
                        self.order_all(from, to);
                    }
                }
                _ => {}
            }
        }
    }

    fn level(&mut self) {
        let mut has_moved = true;
        while has_moved {
            has_moved = false;
            for from in self.scene.own {
                for &to in self.scene.adj(from) {
                    let (here, there) = (self.scene.armies(from), self.scene.armies(to));
                    if self.scene.is_mine(to) && here > there + 1 {
                        has_moved |= self.order(from, to, (here - there) / 2);
                    }
                }
            }
        }
    }

    /// Every army inside takes the step to the border that reaches it first.
    fn towards_cluster_borders(&mut self, root: Option<TerritoryId>) {
        let Some(root) = root else { return };
        let mut borders = List::EMPTY;
        cluster_borders(&self.scene, root, &mut borders);
        self.towards(borders, self.scene.own);
    }

    /// Breadth first from `goals` over mine in `within`, each territory moving
    /// towards the one that reached it.
    fn towards(&mut self, goals: List, within: TerritorySet) {
        let mut reached = goals;
        let mut left = (within & self.scene.own) - goals.iter().copied().collect();
        let mut at = 0;
        while let Some(&goal) = reached.get(at) {
            at += 1;
            if !left.intersects(self.scene.map.neighbors(goal)) {
                continue;
            }
            for &x in self.scene.adj(goal) {
                if left.contains(x) {
                    self.order_all(x, goal);
                    left.remove(x);
                    reached.push(x);
                }
            }
        }
    }

    /// In a continent of mine.
    fn continent(&mut self, rule: Fortifying, k: ContinentId) {
        let borders = self.scene.borders(k);
        if rule == Fortifying::BetterPixie {
            while self.towards_borders_once(k) {}
            return;
        }
        self.towards(borders.iter().collect(), self.scene.land(k));
        if rule == Fortifying::EvilPixie {
            for from in borders {
                for to in borders & self.scene.map.neighbors(from) {
                    let (here, there) = (self.scene.armies(from), self.scene.armies(to));
                    if here >= there + 2 {
                        self.order(from, to, (here - there) / 2);
                    }
                }
            }
        }
    }

    /// BetterPixie's pass, which skips territories with nothing to move.
    fn towards_borders_once(&mut self, k: ContinentId) -> bool {
        let mut has_moved = false;
        let borders = self.scene.borders(k);
        let mut reached: List = borders.iter().collect();
        let mut left = self.scene.land(k) - borders;
        let mut at = 0;
        while let Some(&goal) = reached.get(at) {
            at += 1;
            for &x in self.scene.adj(goal) {
                if left.contains(x) && self.moveable(x) > 0 {
                    has_moved |= self.order_all(x, goal);
                    left.remove(x);
                    reached.push(x);
                }
            }
        }
        has_moved
    }

    /// In a continent not mine: towards weak enemies, with EvilPixie first
    /// towards continents of mine.
    fn scraps(&mut self, rule: Fortifying, k: ContinentId) {
        let inside = self.scene.land(k) & self.scene.own;
        if rule == Fortifying::EvilPixie {
            for from in inside {
                for &to in self.scene.adj(from) {
                    let is_home = self.scene.owns(self.scene.map.continent_of(to));
                    if is_home && self.moveable(from) > 0 {
                        self.order_all(from, to);
                    }
                }
            }
        }
        for from in inside {
            if self.moveable(from) > 0 {
                self.towards_weakest(from);
            }
        }
    }

    fn towards_weakest(&mut self, from: TerritoryId) {
        let scene = &self.scene;
        let mut best: Option<(TerritoryId, u32)> = None;
        for &friend in scene.adj(from) {
            if !scene.is_mine(friend) {
                continue;
            }
            if let Some(armies) = scene.fewest_against(friend)
                && best.is_none_or(|(_, fewest)| armies < fewest)
            {
                best = Some((friend, armies));
            }
        }
        let here = scene.fewest_against(from);
        if let Some((to, there)) = best
            && here.is_none_or(|here| there < here)
        {
            self.order_all(from, to);
        }
    }
}
