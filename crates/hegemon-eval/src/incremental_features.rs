//! A board with everything the features of one player need, so that an update
//! costs only the terms it changes.

use hegemon_core::{Board, MAX_TERRITORIES, N_OWNERS, PlayerId, TerritoryId, TerritorySet};

use crate::facts::{ContinentFacts, GameFacts};
use crate::schema::{Feature, FeatureVector};

/// A change of armies on one territory: where, and the new number.
pub(crate) type Change = (TerritoryId, u32);

/// A board and the terms of the features of one player on it.
#[derive(Clone, Debug)]
pub(crate) struct IncrementalFeatures {
    armies: [u32; MAX_TERRITORIES],
    owner: [PlayerId; MAX_TERRITORIES],
    owned: [TerritorySet; N_OWNERS],
    total: [u32; N_OWNERS],
    player: PlayerId,
    // Derived from owners alone.
    distance: [u8; MAX_TERRITORIES],
    n_hinterland: u32,
    own_continents: u32,
    enemy_continents: u32,
    own_income: u32,
    enemy_income: u32,
    // Derived from owners and armies.
    best_attack: [f64; MAX_TERRITORIES],
    top_attacks: TopAttacks,
    terms: Terms,
}

/// The own territories with the best attacks, best first. A move changes the
/// attacks of a few territories, and the best of the others is nearly always
/// one of these.
#[derive(Clone, Copy, Debug)]
struct TopAttacks {
    n: usize,
    attacks: [(f64, TerritoryId); TopAttacks::N],
}

impl TopAttacks {
    const N: usize = 4;

    const NONE: TopAttacks = TopAttacks {
        n: 0,
        attacks: [(0.0, TerritoryId::new(0)); TopAttacks::N],
    };

    fn add(&mut self, odds: f64, from: TerritoryId) {
        if self.n < TopAttacks::N {
            self.n += 1;
        } else if odds <= self.attacks[TopAttacks::N - 1].0 {
            return;
        }
        let mut at = self.n - 1;
        while at > 0 && self.attacks[at - 1].0 < odds {
            self.attacks[at] = self.attacks[at - 1];
            at -= 1;
        }
        self.attacks[at] = (odds, from);
    }

    /// The best that is not from one of these; `None` if all are.
    fn best_without(&self, stale: TerritorySet) -> Option<f64> {
        let attacks = self.attacks[..self.n].iter();
        let mut others = attacks.filter(|(_, from)| !stale.contains(*from));
        others.next().map(|&(odds, _)| odds)
    }
}

/// The terms that depend on armies.
#[derive(Clone, Copy, Debug, Default)]
struct Terms {
    n_above_one: u32,
    weighted_distance: u64,
    safety: f64,
    threat: f64,
    best_attack: f64,
}

impl Default for IncrementalFeatures {
    fn default() -> Self {
        IncrementalFeatures {
            armies: [0; MAX_TERRITORIES],
            owner: [PlayerId::NOBODY; MAX_TERRITORIES],
            owned: [TerritorySet::EMPTY; N_OWNERS],
            total: [0; N_OWNERS],
            player: PlayerId::new(0),
            distance: [0; MAX_TERRITORIES],
            n_hinterland: 0,
            own_continents: 0,
            enemy_continents: 0,
            own_income: 0,
            enemy_income: 0,
            best_attack: [0.0; MAX_TERRITORIES],
            top_attacks: TopAttacks::NONE,
            terms: Terms::default(),
        }
    }
}

impl IncrementalFeatures {
    /// Copies a board. The terms are invalid until [`IncrementalFeatures::settle`].
    pub(crate) fn read(&mut self, facts: &GameFacts, board: &Board) {
        for index in 0..facts.n_territories {
            let territory = TerritoryId::new(index);
            self.armies[index] = board.armies(territory);
            self.owner[index] = board.owner(territory);
        }
        for index in 0..N_OWNERS {
            let owner = PlayerId::new(index);
            self.owned[index] = board.owned(owner);
            self.total[index] = board.total_armies(owner);
        }
    }

    /// Copies the board of another.
    pub(crate) fn copy_board(&mut self, facts: &GameFacts, other: &IncrementalFeatures) {
        let n = facts.n_territories;
        self.armies[..n].copy_from_slice(&other.armies[..n]);
        self.owner[..n].copy_from_slice(&other.owner[..n]);
        self.owned = other.owned;
        self.total = other.total;
    }

    /// Gives a territory with no defenders left to a conqueror who moves in
    /// `armies` from `from`; `losses` have already left `from`.
    pub(crate) fn conquer(&mut self, from: TerritoryId, to: TerritoryId, losses: u32, moved: u32) {
        let (winner, loser) = (self.owner(from), self.owner(to));
        self.total[loser.index()] -= self.armies[to.index()];
        self.total[winner.index()] -= losses;
        self.armies[from.index()] -= losses + moved;
        self.armies[to.index()] = moved;
        self.owner[to.index()] = winner;
        self.owned[loser.index()].remove(to);
        self.owned[winner.index()].insert(to);
    }

    #[inline]
    pub(crate) fn armies(&self, territory: TerritoryId) -> u32 {
        self.armies[territory.index()]
    }

    #[inline]
    fn owner(&self, territory: TerritoryId) -> PlayerId {
        self.owner[territory.index()]
    }

    #[inline]
    fn own(&self) -> TerritorySet {
        self.owned[self.player.index()]
    }

    /// Computes all terms for a player.
    pub(crate) fn settle(&mut self, facts: &GameFacts, player: PlayerId) {
        self.player = player;
        self.settle_distances(facts);
        self.settle_continents(facts);
        let mut terms = Terms::default();
        self.top_attacks = TopAttacks::NONE;
        for territory in self.own() {
            let index = territory.index();
            let armies = self.armies[index];
            terms.n_above_one += u32::from(armies > 1);
            terms.weighted_distance += u64::from(armies) * u64::from(self.distance[index]);
            let best = self.best_attack_from(facts, territory);
            self.best_attack[index] = best;
            self.top_attacks.add(best, territory);
            terms.best_attack = terms.best_attack.max(best);
        }
        self.terms = terms;
        self.terms.safety = self.safety(facts);
        self.terms.threat = self.threat(facts);
    }

    /// Distances to the nearest territory that is not the player's, ring by
    /// ring; a territory from which none is reachable counts as frontier.
    fn settle_distances(&mut self, facts: &GameFacts) {
        let own = self.own();
        let mut inner = TerritorySet::EMPTY;
        for territory in own {
            self.distance[territory.index()] = 1;
            if own.is_superset(facts.neighbors_of(territory)) {
                inner.insert(territory);
            }
        }
        self.n_hinterland = inner.len() as u32;
        let mut ring = own - inner;
        let mut distance = 1;
        while !inner.is_empty() && !ring.is_empty() {
            distance += 1;
            let mut next = TerritorySet::EMPTY;
            for territory in inner {
                if facts.neighbors_of(territory).intersects(ring) {
                    next.insert(territory);
                    self.distance[territory.index()] = distance;
                }
            }
            inner -= next;
            ring = next;
        }
    }

    fn settle_continents(&mut self, facts: &GameFacts) {
        let own = self.own();
        (self.own_continents, self.enemy_continents) = (0, 0);
        for (index, continent) in facts.continents.iter().enumerate() {
            // If the owner of the first territory does not own all of it, nobody does.
            let Some(first) = continent.territories.first() else {
                continue;
            };
            let holder = self.owner(first);
            if !holder.is_seat() || !self.owned[holder.index()].is_superset(continent.territories) {
                continue;
            }
            if holder == self.player {
                self.own_continents |= 1 << index;
            } else {
                self.enemy_continents |= 1 << index;
            }
        }
        self.own_income = facts.income(own);
        self.enemy_income = (0..facts.n_players)
            .filter(|&seat| seat != self.player.index())
            .map(|seat| facts.income(self.owned[seat]))
            .sum();
    }

    /// Territories that can be attacked: not the player's and not free.
    #[inline]
    fn not_foes(&self) -> TerritorySet {
        self.own() | self.owned[PlayerId::NOBODY.index()]
    }

    /// The best odds of an attack from an own territory.
    #[inline]
    fn best_attack_from(&self, facts: &GameFacts, from: TerritoryId) -> f64 {
        let fighters = self.armies(from).saturating_sub(1);
        let targets = facts.neighbors_of(from) - self.not_foes();
        if fighters == 0 || targets.is_empty() {
            return 0.0;
        }
        // Fewer defenders are always easier.
        let mut fewest = u32::MAX;
        for target in targets {
            fewest = fewest.min(self.armies(target));
        }
        facts.odds.win(fighters, fewest)
    }

    /// The best odds of an attack on a territory from any of these.
    #[inline]
    fn best_attack_on(&self, facts: &GameFacts, to: TerritoryId, sources: TerritorySet) -> f64 {
        // More fighters always have better odds.
        let mut most = 0;
        for source in facts.neighbors_of(to) & sources {
            most = most.max(self.armies(source));
        }
        if most < 2 {
            0.0
        } else {
            facts.odds.win(most - 1, self.armies(to))
        }
    }

    fn safety(&self, facts: &GameFacts) -> f64 {
        let mut sum = 0.0;
        let foes = TerritorySet::first_n(facts.n_territories) - self.not_foes();
        for continent in continents(facts, self.own_continents) {
            let (mut squares, mut most) = (0.0, 0.0f64);
            for border in continent.borders {
                let threat = self.best_attack_on(facts, border, foes);
                squares += threat * threat;
                most = most.max(threat);
            }
            if facts.squared_maximum {
                most *= most;
            }
            sum += continent.rating * (squares + most);
        }
        sum
    }

    fn threat(&self, facts: &GameFacts) -> f64 {
        let mut sum = 0.0;
        let own = self.own();
        for continent in continents(facts, self.enemy_continents) {
            let mut squares = 0.0;
            for border in continent.borders {
                let threat = self.best_attack_on(facts, border, own);
                squares += threat * threat;
            }
            sum += continent.rating * squares;
        }
        sum
    }

    /// The raw features.
    pub(crate) fn raw(&self, facts: &GameFacts) -> FeatureVector {
        self.raw_of(facts, &self.terms)
    }

    fn raw_of(&self, facts: &GameFacts, terms: &Terms) -> FeatureVector {
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let n_all = facts.n_territories as f64;
        let n_own = self.own().len() as f64;
        let armies = f64::from(self.total[self.player.index()]);
        let all_armies = f64::from(self.total.iter().sum::<u32>());
        let mut best_enemy = 0.0f64;
        for seat in (0..facts.n_players).filter(|&seat| seat != self.player.index()) {
            let strength = share(f64::from(self.total[seat]), all_armies)
                + self.owned[seat].len() as f64 / n_all;
            best_enemy = best_enemy.max(strength / 2.0);
        }
        let mut raw = FeatureVector::default();
        raw[Feature::Armies] = share(armies, all_armies);
        raw[Feature::BestEnemy] = -best_enemy;
        raw[Feature::MoreThanOneArmy] = share(f64::from(terms.n_above_one), n_own);
        raw[Feature::Hinterland] = share(f64::from(self.n_hinterland), n_own);
        raw[Feature::DistanceToFrontier] = share(armies, terms.weighted_distance as f64);
        raw[Feature::ContinentSafety] = -terms.safety;
        raw[Feature::ContinentThreat] = terms.threat;
        raw[Feature::EnemyReinforcement] = -f64::from(self.enemy_income);
        raw[Feature::EnemyContinents] = -f64::from(self.enemy_continents.count_ones());
        raw[Feature::MaximumThreat] = terms.best_attack;
        raw[Feature::OccupiedTerritories] = n_own / n_all;
        raw[Feature::OwnReinforcement] = f64::from(self.own_income);
        raw[Feature::OwnContinents] = f64::from(self.own_continents.count_ones());
        raw
    }

    /// The raw features if these armies were different; owners stay the same.
    /// No territory may occur twice.
    pub(crate) fn raw_with(&mut self, facts: &GameFacts, changes: &mut [Change]) -> FeatureVector {
        self.swap_armies(changes);
        let terms = self.changed_terms(facts, changes);
        let raw = self.raw_of(facts, &terms);
        self.swap_armies(changes);
        raw
    }

    /// Swaps the armies of the board with those of the list.
    #[inline]
    fn swap_armies(&mut self, changes: &mut [Change]) {
        for (territory, armies) in changes {
            let index = territory.index();
            let total = &mut self.total[self.owner[index].index()];
            *total = *total - self.armies[index] + *armies;
            std::mem::swap(&mut self.armies[index], armies);
        }
    }

    /// The terms after a swap; `changes` holds the armies before it.
    fn changed_terms(&self, facts: &GameFacts, changes: &[Change]) -> Terms {
        let mut terms = self.terms;
        let own = self.own();
        let mut stale = TerritorySet::EMPTY;
        for &(territory, before) in changes {
            let index = territory.index();
            let after = self.armies[index];
            if own.contains(territory) {
                terms.n_above_one =
                    terms.n_above_one + u32::from(after > 1) - u32::from(before > 1);
                let distance = u64::from(self.distance[index]);
                terms.weighted_distance += u64::from(after) * distance;
                terms.weighted_distance -= u64::from(before) * distance;
                stale.insert(territory);
            } else {
                stale |= facts.neighbors_of(territory) & own;
            }
        }
        terms.best_attack = self.best_with(facts, stale);
        if self.own_continents != 0 {
            terms.safety = self.safety(facts);
        }
        if self.enemy_continents != 0 {
            terms.threat = self.threat(facts);
        }
        terms
    }

    fn best_with(&self, facts: &GameFacts, stale: TerritorySet) -> f64 {
        let mut best = match self.top_attacks.best_without(stale) {
            Some(best) => best,
            None => self.best_without(stale),
        };
        for territory in stale {
            best = best.max(self.best_attack_from(facts, territory));
        }
        best
    }

    /// The best odds of an attack from any own territory but these.
    fn best_without(&self, stale: TerritorySet) -> f64 {
        let others = (self.own() - stale).iter();
        others.fold(0.0, |best: f64, territory| {
            best.max(self.best_attack[territory.index()])
        })
    }
}

fn continents(facts: &GameFacts, mut bits: u32) -> impl Iterator<Item = &ContinentFacts> {
    std::iter::from_fn(move || {
        let index = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        facts.continents.get(index)
    })
}

#[cfg(test)]
mod tests {
    use hegemon_core::{Game, Map, Rng, Rules};

    use super::*;

    #[test]
    fn the_top_attacks_are_those_of_a_scan() {
        let map = Map::builtin("classic").expect("shipped");
        let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2);
        let game = game.expect("they fit");
        let facts = GameFacts::new(&game);
        let mut rng = Rng::from_seed(1);
        let mut n_found = 0;
        for seed in 0..50 {
            let mut features = IncrementalFeatures::default();
            features.read(&facts, game.deal(seed).board());
            for armies in &mut features.armies[..facts.n_territories] {
                *armies = 1 + rng.below(8);
            }
            features.settle(&facts, PlayerId::new(0));
            for n_stale in 0..12 {
                let own: Vec<TerritoryId> = features.own().iter().collect();
                let drawn = (0..n_stale).filter_map(|_| rng.pick(&own));
                let stale: TerritorySet = drawn.copied().collect();
                if let Some(best) = features.top_attacks.best_without(stale) {
                    assert_eq!(best, features.best_without(stale));
                    n_found += 1;
                }
            }
        }
        assert!(n_found > 500, "{n_found}");
    }
}
