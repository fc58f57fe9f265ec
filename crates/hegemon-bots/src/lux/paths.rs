//! Path searches with an ordered queue (docs/spec/lux.md 6.2). They mark a
//! territory when it is pushed, not when it is popped, so they are not exact
//! shortest paths; the bots depend on that.

use hegemon_core::{ContinentId, MAX_TERRITORIES, PlayerId, TerritoryId, TerritorySet};

use super::list::List;
use super::scene::Scene;

/// A queue by value, smallest first; ties are last in, first out. Every
/// territory is pushed once at most and remembers where it was reached from.
struct Search {
    len: usize,
    /// Largest value first, so that popping is cheap.
    waiting: [(i32, TerritoryId); MAX_TERRITORIES],
    /// The territory that one was reached from; itself at a start.
    parent: [TerritoryId; MAX_TERRITORIES],
    seen: TerritorySet,
}

impl Search {
    fn new() -> Search {
        let nowhere = TerritoryId::new(0);
        Search {
            len: 0,
            waiting: [(0, nowhere); MAX_TERRITORIES],
            parent: [nowhere; MAX_TERRITORIES],
            seen: TerritorySet::EMPTY,
        }
    }

    #[inline]
    fn mark(&mut self, territory: TerritoryId, parent: TerritoryId) {
        self.seen.insert(territory);
        self.parent[territory.index()] = parent;
    }

    #[inline]
    fn push(&mut self, territory: TerritoryId, value: i32, parent: TerritoryId) {
        self.mark(territory, parent);
        let mut at = self.len;
        while at > 0 && self.waiting[at - 1].0 < value {
            self.waiting[at] = self.waiting[at - 1];
            at -= 1;
        }
        self.waiting[at] = (value, territory);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(i32, TerritoryId)> {
        self.len = self.len.checked_sub(1)?;
        Some(self.waiting[self.len])
    }

    /// From a territory back to the start of the search.
    fn path_back(&self, from: TerritoryId) -> List {
        let mut path = List::EMPTY;
        let mut at = from;
        loop {
            path.push(at);
            let parent = self.parent[at.index()];
            if parent == at {
                return path;
            }
            at = parent;
        }
    }
}

/// `armies`, negated if the territory is welcome.
#[inline]
fn toll(scene: &Scene<'_>, territory: TerritoryId, is_welcome: bool) -> i32 {
    let armies = scene.armies(territory) as i32;
    if is_welcome { -armies } else { armies }
}

/// The closest territory of an owner to some starts.
pub(super) fn closest_owned_by(
    scene: &Scene<'_>,
    starts: impl Iterator<Item = TerritoryId>,
    owner: PlayerId,
) -> Option<TerritoryId> {
    let mut search = Search::new();
    for start in starts {
        search.push(start, 0, start);
    }
    let (mut distance, mut current) = search.pop()?;
    loop {
        for &x in scene.adj(current) {
            if !search.seen.contains(x) {
                search.push(x, distance + 1, current);
            }
        }
        (distance, current) = search.pop()?;
        if scene.board.owner(current) == owner {
            return Some(current);
        }
    }
}

/// Route A: the cheapest route from me to a continent, my territory first.
pub(super) fn route_to_continent(scene: &Scene<'_>, continent: ContinentId) -> Option<List> {
    if let Some(inside) = (scene.land(continent) & scene.own).first() {
        return Some([inside].into_iter().collect());
    }
    let mut search = Search::new();
    for border in scene.borders(continent) {
        search.push(border, 0, border);
    }
    loop {
        let (value, current) = search.pop()?;
        if scene.is_mine(current) {
            return Some(search.path_back(current));
        }
        for x in scene.map.neighbors(current) - search.seen {
            search.push(x, value + toll(scene, x, scene.is_mine(x)), current);
        }
    }
}

/// Route B: an easy route from me to a territory, my territory first.
pub(super) fn route_to_territory(scene: &Scene<'_>, goal: TerritoryId) -> Option<List> {
    let mut search = Search::new();
    search.mark(goal, goal);
    let (mut value, mut current) = (0, goal);
    while !scene.is_mine(current) {
        for &x in scene.adj(current) {
            if !search.seen.contains(x) {
                search.push(x, value + toll(scene, x, scene.is_mine(x)), current);
            }
        }
        (value, current) = search.pop()?;
    }
    Some(search.path_back(current))
}

/// Route C: an easy route from one of my territories through hostile ones to a
/// continent, my territory first.
pub(super) fn route_through_enemies(
    scene: &Scene<'_>,
    start: TerritoryId,
    continent: ContinentId,
) -> Option<List> {
    let land = scene.land(continent);
    let mut search = Search::new();
    search.mark(start, start);
    let (mut value, mut current) = (0, start);
    loop {
        for &x in scene.adj(current) {
            if !search.seen.contains(x) && !scene.is_mine(x) {
                search.push(x, value + toll(scene, x, land.contains(x)), current);
            }
        }
        (value, current) = search.pop()?;
        if land.contains(current) {
            let mut path = search.path_back(current);
            path.reverse();
            return Some(path);
        }
    }
}

/// Armies of others on the path.
pub(super) fn path_cost(scene: &Scene<'_>, path: &[TerritoryId]) -> u32 {
    path.iter()
        .filter(|&&t| !scene.is_mine(t))
        .map(|&t| scene.armies(t))
        .sum()
}
