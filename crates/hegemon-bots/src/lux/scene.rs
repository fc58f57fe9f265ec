//! The board as a bot sees it while planning, with its planned placements and
//! moves applied (docs/spec/lux.md 5, 6.1).

use hegemon_core::{
    Board, ContinentId, MAX_TERRITORIES, Map, PlayerId, TerritoryId, TerritorySet, View,
};

/// The board of a view, with the armies of orders not yet given.
pub(super) struct Scene<'a> {
    pub(super) view: View<'a>,
    pub(super) map: &'a Map,
    pub(super) board: &'a Board,
    pub(super) me: PlayerId,
    /// The territories of `me`.
    pub(super) own: TerritorySet,
    /// Armies that planned orders add to a territory or take from it.
    change: [i32; MAX_TERRITORIES],
    n_placed: u32,
}

impl<'a> Scene<'a> {
    #[inline]
    pub(super) fn new(view: View<'a>) -> Scene<'a> {
        let board = view.board();
        Scene {
            view,
            map: view.map(),
            board,
            me: view.seat(),
            own: board.owned(view.seat()),
            change: [0; MAX_TERRITORIES],
            n_placed: 0,
        }
    }

    /// Armies on a territory, planned orders included.
    #[inline]
    pub(super) fn armies(&self, territory: TerritoryId) -> u32 {
        self.board
            .armies(territory)
            .wrapping_add_signed(self.change[territory.index()])
    }

    /// How many armies planned orders added to a territory.
    #[inline]
    pub(super) fn added(&self, territory: TerritoryId) -> u32 {
        self.change[territory.index()].max(0) as u32
    }

    #[inline]
    pub(super) fn add(&mut self, territory: TerritoryId, armies: u32) {
        self.change[territory.index()] += armies as i32;
        self.n_placed += armies;
    }

    #[inline]
    pub(super) fn shift(&mut self, from: TerritoryId, to: TerritoryId, armies: u32) {
        self.change[from.index()] -= armies as i32;
        self.change[to.index()] += armies as i32;
    }

    #[inline]
    pub(super) fn is_mine(&self, territory: TerritoryId) -> bool {
        self.own.contains(territory)
    }

    /// The neighbours in map order.
    #[inline]
    pub(super) fn adj(&self, territory: TerritoryId) -> &'a [TerritoryId] {
        self.map.neighbor_list(territory)
    }

    /// The neighbours that are not mine.
    #[inline]
    pub(super) fn hostile(&self, territory: TerritoryId) -> TerritorySet {
        self.map.neighbors(territory) - self.own
    }

    /// The neighbours that are mine.
    #[inline]
    pub(super) fn friends(&self, territory: TerritoryId) -> TerritorySet {
        self.map.neighbors(territory) & self.own
    }

    /// How many neighbours another owner holds.
    #[inline]
    pub(super) fn n_enemies(&self, territory: TerritoryId) -> usize {
        self.board.enemy_neighbors(self.map, territory).len()
    }

    #[inline]
    pub(super) fn sum(&self, territories: TerritorySet) -> u32 {
        territories.iter().map(|t| self.armies(t)).sum()
    }

    /// The first of the territories with the fewest armies.
    #[inline]
    pub(super) fn weakest(
        &self,
        territories: impl IntoIterator<Item = TerritoryId>,
    ) -> Option<TerritoryId> {
        let mut best: Option<(TerritoryId, u32)> = None;
        for territory in territories {
            let armies = self.armies(territory);
            if best.is_none_or(|(_, fewest)| armies < fewest) {
                best = Some((territory, armies));
            }
        }
        best.map(|(territory, _)| territory)
    }

    /// The first of the territories with the most armies.
    #[inline]
    pub(super) fn strongest(
        &self,
        territories: impl IntoIterator<Item = TerritoryId>,
    ) -> Option<TerritoryId> {
        let mut best: Option<(TerritoryId, u32)> = None;
        for territory in territories {
            let armies = self.armies(territory);
            if best.is_none_or(|(_, most)| armies > most) {
                best = Some((territory, armies));
            }
        }
        best.map(|(territory, _)| territory)
    }

    /// The weakest neighbour of another owner than the territory's.
    pub(super) fn weakest_enemy(&self, territory: TerritoryId) -> Option<TerritoryId> {
        self.weakest_neighbor(territory, self.board.enemy_neighbors(self.map, territory))
    }

    /// The armies of the weakest neighbour of another owner than the territory's.
    #[inline]
    pub(super) fn fewest_against(&self, territory: TerritoryId) -> Option<u32> {
        let enemies = self.board.enemy_neighbors(self.map, territory);
        enemies.iter().map(|enemy| self.armies(enemy)).min()
    }

    /// The first in map order of these neighbours with the fewest armies.
    fn weakest_neighbor(&self, territory: TerritoryId, among: TerritorySet) -> Option<TerritoryId> {
        // One or none, as on most of the board, needs no order.
        if among.len() < 2 {
            return among.first();
        }
        let neighbors = self.adj(territory).iter().copied();
        self.weakest(neighbors.filter(|&t| among.contains(t)))
    }

    /// The same within a continent; none without one.
    pub(super) fn weakest_enemy_in(
        &self,
        territory: TerritoryId,
        continent: Option<ContinentId>,
    ) -> Option<TerritoryId> {
        let within = self.map.continent(continent?).territories;
        let enemies = self.board.enemy_neighbors(self.map, territory) & within;
        self.weakest_neighbor(territory, enemies)
    }

    /// All armies of a player, planned ones included.
    #[inline]
    pub(super) fn total(&self, player: PlayerId) -> u32 {
        let placed = if player == self.me { self.n_placed } else { 0 };
        self.board.total_armies(player) + placed
    }

    /// The other seats, in order.
    #[inline]
    pub(super) fn others(&self) -> impl Iterator<Item = PlayerId> + Clone + use<> {
        let me = self.me;
        self.view.game().seats().filter(move |&p| p != me)
    }

    /// All armies of the other players.
    pub(super) fn others_total(&self) -> u32 {
        self.others().map(|p| self.total(p)).sum()
    }

    /// Whether I have more armies than all others together.
    pub(super) fn is_hog_wild(&self) -> bool {
        self.total(self.me) > self.others_total()
    }

    /// A player's income; nothing for the eliminated.
    pub(super) fn income(&self, player: PlayerId) -> u32 {
        if self.view.is_alive(player) {
            self.view.income(player)
        } else {
            0
        }
    }

    pub(super) fn biggest_army(&self) -> Option<TerritoryId> {
        self.strongest(self.own)
    }

    /// The biggest army with an enemy neighbour.
    pub(super) fn biggest_front(&self) -> Option<TerritoryId> {
        self.strongest(self.own.iter().filter(|&t| !self.hostile(t).is_empty()))
    }

    // ---- continents ------------------------------------------------------

    #[inline]
    pub(super) fn continents(&self) -> impl ExactSizeIterator<Item = ContinentId> + Clone + use<> {
        self.map.continents()
    }

    #[inline]
    pub(super) fn land(&self, continent: ContinentId) -> TerritorySet {
        self.map.continent(continent).territories
    }

    #[inline]
    pub(super) fn borders(&self, continent: ContinentId) -> TerritorySet {
        self.map.continent(continent).borders
    }

    /// The continent's bonus, as grown by now.
    #[inline]
    pub(super) fn bonus(&self, continent: ContinentId) -> u32 {
        self.view.game().bonus(continent, self.view.round())
    }

    #[inline]
    pub(super) fn owns(&self, continent: ContinentId) -> bool {
        self.own.is_superset(self.land(continent))
    }

    pub(super) fn owns_positive(&self) -> bool {
        self.continents().any(|k| self.owns(k) && self.bonus(k) > 0)
    }

    /// Whether one player holds all of the continent, and who.
    pub(super) fn single_owner(&self, continent: ContinentId) -> Option<PlayerId> {
        let land = self.land(continent);
        let owner = self.board.owner(land.first()?);
        self.board.owned(owner).is_superset(land).then_some(owner)
    }

    pub(super) fn own_armies_in(&self, continent: ContinentId) -> u32 {
        self.sum(self.land(continent) & self.own)
    }

    pub(super) fn enemy_armies_in(&self, continent: ContinentId) -> u32 {
        self.sum(self.land(continent) - self.own)
    }

    /// My armies outside the continent next to its borders.
    pub(super) fn adjoining_armies(&self, continent: ContinentId) -> u32 {
        let mut around = TerritorySet::EMPTY;
        for border in self.borders(continent) {
            around |= self.map.neighbors(border);
        }
        self.sum((around & self.own) - self.land(continent))
    }

    /// The owned continent with the highest bonus.
    pub(super) fn most_valuable(&self) -> Option<ContinentId> {
        let mut best: Option<(ContinentId, u32)> = None;
        for k in self.continents().filter(|&k| self.owns(k)) {
            if best.is_none_or(|(_, most)| self.bonus(k) > most) {
                best = Some((k, self.bonus(k)));
            }
        }
        best.map(|(k, _)| k)
    }

    /// The continent with the best ratio of my armies to the others'.
    pub(super) fn easiest(&self) -> Option<ContinentId> {
        let mut best = (None, -1.0f32);
        for k in self.continents().filter(|&k| self.bonus(k) > 0) {
            let ratio = self.own_armies_in(k) as f32 / self.enemy_armies_in(k) as f32;
            if ratio > best.1 {
                best = (Some(k), ratio);
            }
        }
        best.0
    }

    /// Whether I own every other continent that the territory touches.
    pub(super) fn owns_around(&self, territory: TerritoryId) -> bool {
        let outside = self.map.neighbors(territory) - self.land(self.map.continent_of(territory));
        outside.iter().all(|t| self.owns(self.map.continent_of(t)))
    }

    /// Where Cluster and its descendants start from: their most valuable
    /// continent, or their biggest army.
    pub(super) fn root(&self) -> Option<TerritoryId> {
        if self.owns_positive() {
            self.land(self.most_valuable()?).first()
        } else {
            self.biggest_army()
        }
    }
}

/// A set of continents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ContinentSet(u32);

impl ContinentSet {
    #[inline]
    pub(super) fn contains(self, continent: ContinentId) -> bool {
        (self.0 >> continent.index()) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, continent: ContinentId) {
        self.0 |= 1 << continent.index();
    }

    #[inline]
    pub(super) fn remove(&mut self, continent: ContinentId) {
        self.0 &= !(1 << continent.index());
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<ContinentId> for ContinentSet {
    fn from_iter<I: IntoIterator<Item = ContinentId>>(continents: I) -> Self {
        let mut set = ContinentSet::default();
        continents.into_iter().for_each(|k| set.insert(k));
        set
    }
}
