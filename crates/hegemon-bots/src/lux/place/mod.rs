//! Where a bot places its armies: the shared helpers (docs/spec/lux.md 6.7).

mod evil_pixie;
mod hunt;
mod level;
mod pixie;

use hegemon_core::{ContinentId, Move, PlayerId, Rng, TerritoryId, View};

use super::clusters::cluster_borders;
use super::list::List;
use super::memory::Memory;
use super::paths::{path_cost, route_to_continent};
use super::scene::Scene;
use super::styles::Style;
use crate::rules::pieces::pick;

pub(super) use level::find_targets;
pub(super) use pixie::want;

/// How a bot places armies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// Nowhere; the engine scatters them.
    Nowhere,
    /// All on one random territory.
    Anywhere,
    /// All on a random territory with an enemy neighbour.
    RandomFront,
    /// All where most enemies are around.
    MostEnemies,
    /// Evenly everywhere.
    Level,
    /// Evenly over the target continents.
    LevelTargets,
    /// On the borders of the cluster.
    Cluster,
    /// Over wanted continents (Pixie).
    Pixie,
    /// Over wanted continents (EvilPixie).
    EvilPixie,
    /// Over wanted continents (BetterPixie).
    BetterPixie,
}

/// A placing being planned: orders beyond what is left are cut, as in the
/// original engine.
pub(super) struct Muster<'a> {
    pub(super) scene: Scene<'a>,
    /// Armies not yet placed.
    pub(super) left: u32,
    /// The territories that got armies, in order.
    touched: List,
}

impl<'a> Muster<'a> {
    pub(super) fn new(view: View<'a>) -> Muster<'a> {
        Muster {
            scene: Scene::new(view),
            left: view.to_place(),
            touched: List::EMPTY,
        }
    }

    #[inline]
    pub(super) fn place(&mut self, territory: TerritoryId, armies: i32) {
        let armies = self.left.min(armies.max(0) as u32);
        if armies == 0 || !self.scene.is_mine(territory) {
            return;
        }
        if self.scene.added(territory) == 0 {
            self.touched.push(territory);
        }
        self.scene.add(territory, armies);
        self.left -= armies;
    }

    /// Places leftover armies on random territories of the bot, and stores the
    /// orders in reverse: the last is given first.
    pub(super) fn finish(mut self, orders: &mut Vec<Move>, rng: &mut Rng) {
        while self.left > 0 {
            let Some(territory) = pick(self.scene.own, rng) else {
                break;
            };
            self.place(territory, 1);
        }
        orders.clear();
        for &territory in self.touched.iter().rev() {
            orders.push(Move::Place {
                territory,
                armies: self.scene.added(territory),
            });
        }
    }

    // ---- helpers ---------------------------------------------------------

    /// One by one (more at a time if there are many) on the weakest border of
    /// the cluster.
    pub(super) fn on_cluster_border(&mut self, n: i32, root: TerritoryId) {
        let mut borders = List::EMPTY;
        cluster_borders(&self.scene, root, &mut borders);
        if borders.is_empty() {
            self.place(root, n);
        }
        let mut n = n;
        while n > 0 {
            let Some(weakest) = self.scene.weakest(borders.iter().copied()) else {
                return;
            };
            let share = n.min((n / 100).max(1));
            self.place(weakest, share);
            n -= share;
        }
    }

    /// Where a continent may best be taken or held.
    pub(super) fn take(&mut self, n: i32, continent: Option<ContinentId>, rng: &mut Rng) {
        match continent {
            None => {
                if let Some(root) = self.scene.biggest_army() {
                    self.on_cluster_border(n, root);
                }
            }
            Some(k) if self.scene.owns(k) => self.hold(n, k, rng),
            Some(k) => self.enter(n, k),
        }
    }

    /// One by one on the weakest border that faces a continent not mine.
    fn hold(&mut self, n: i32, k: ContinentId, rng: &mut Rng) {
        let borders = self.scene.borders(k);
        for _ in 0..n {
            let facing = borders.iter().filter(|&b| !self.scene.owns_around(b));
            match self.scene.weakest(facing).or_else(|| pick(borders, rng)) {
                Some(border) => self.place(border, 1),
                None => return,
            }
        }
    }

    /// All where most enemies of the continent are around, or on the way to it.
    pub(super) fn enter(&mut self, n: i32, k: ContinentId) {
        let scene = &self.scene;
        let land = scene.land(k);
        let mut best = (None, 0);
        for territory in land & scene.own {
            let n_hostile = (scene.hostile(territory) & land).len();
            if n_hostile > best.1 {
                best = (Some(territory), n_hostile);
            }
        }
        let on_the_way = || route_to_continent(scene, k).and_then(|path| path.first().copied());
        if let Some(territory) = best.0.or_else(on_the_way) {
            self.place(territory, n);
        }
    }

    /// All against a continent of a dominant player, if there is one.
    pub(super) fn against_dominant(&mut self, n: i32, memory: &mut Memory) -> bool {
        let scene = &self.scene;
        let Some(target) = dominant(scene) else {
            return false;
        };
        memory.must_kill = Some(target);
        let held = scene.board.owned(target);
        let continents = || {
            scene
                .continents()
                .filter(|&k| held.is_superset(scene.land(k)))
        };
        memory.must_kill_continents = continents().collect();
        let mut best: Option<(TerritoryId, u32)> = None;
        for k in continents() {
            let Some(path) = route_to_continent(scene, k) else {
                continue;
            };
            let cost = path_cost(scene, &path);
            if best.is_none_or(|(_, least)| cost < least) {
                best = path.first().map(|&start| (start, cost));
            }
        }
        if let Some((start, _)) = best {
            self.place(start, n);
        }
        best.is_some()
    }

    /// One by one over all territories with an enemy neighbour, repeatedly.
    pub(super) fn near_enemies(&mut self, n: i32) {
        let fronts = self.scene.board.frontier(self.scene.map, self.scene.me);
        // Anything beyond the armies left would be placed last, so it is cut.
        let n = n.min(self.left as i32);
        if n <= 0 || fronts.is_empty() {
            return;
        }
        let (each, rest) = (n / fronts.len() as i32, n as usize % fronts.len());
        for (i, territory) in fronts.iter().enumerate() {
            self.place(territory, each + i32::from(i < rest));
        }
    }

    /// Cluster's rule.
    fn cluster(&mut self, n: i32, rng: &mut Rng) {
        if self.scene.owns_positive()
            && let Some(root) = self.scene.root()
        {
            self.on_cluster_border(n, root);
        } else {
            let easiest = self.scene.easiest();
            self.take(n, easiest, rng);
        }
    }
}

/// The last player with half of all armies, income or territories.
fn dominant(scene: &Scene<'_>) -> Option<PlayerId> {
    let seats = || scene.view.game().seats();
    let armies: u32 = seats().map(|p| scene.total(p)).sum();
    let n_territories = scene.map.n_territories();
    let income: u32 = seats().map(|p| scene.income(p)).sum();
    let dominates = |&p: &PlayerId| {
        2 * scene.total(p) >= armies
            || 2 * scene.income(p) >= income
            || 2 * scene.board.n_owned(p) >= n_territories
    };
    scene.others().filter(dominates).last()
}

/// Plans a placing of the turn (or of the setup) with this style.
pub(super) fn plan(
    style: &Style,
    later_sdk: bool,
    muster: &mut Muster<'_>,
    memory: &mut Memory,
    is_setup: bool,
    rng: &mut Rng,
) {
    let n = muster.left as i32;
    if style.hunts && !is_setup && hunt::prepare(muster, n, memory) {
        return;
    }
    if style.breaks_dominant && muster.against_dominant(n, memory) {
        if style.placing == Placing::EvilPixie {
            memory.wanted = Some(pixie::affordable(&muster.scene, 0));
        }
        return;
    }
    match style.placing {
        Placing::Nowhere => {}
        Placing::Anywhere => {
            if let Some(territory) = pick(muster.scene.own, rng) {
                muster.place(territory, n);
            }
        }
        Placing::RandomFront => {
            let fronts = muster
                .scene
                .board
                .frontier(muster.scene.map, muster.scene.me);
            if let Some(territory) = pick(fronts, rng) {
                muster.place(territory, n);
            }
        }
        Placing::MostEnemies => level::most_enemies(muster, n),
        Placing::Level => level::everywhere(muster),
        Placing::LevelTargets => level::over_targets(muster, n, memory),
        Placing::Cluster => muster.cluster(n, rng),
        Placing::Pixie => pixie::plan(muster, n, memory, rng),
        Placing::EvilPixie => evil_pixie::plan(muster, n, memory, later_sdk, rng),
        Placing::BetterPixie => pixie::plan_better(muster, n, memory, rng),
    }
}
