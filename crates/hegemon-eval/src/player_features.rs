//! Each player's prospects for the next turns: land, continents and the chance
//! to keep them, cards and their value.
//!
//! Lozano and Bratz (2012) log these every turn and value a position by them.

use hegemon_core::battle::approximate::win_by_ratio;
use hegemon_core::{ByPlayer, Card, ContinentId, Hand, PlayerId, State, TerritoryId, TerritorySet};

/// Holdings and prospects of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerFeatures {
    /// Whether the player is still in the game.
    pub is_alive: bool,
    /// Territories held.
    pub territories: u32,
    /// All armies.
    pub armies: u32,
    /// Armies a turn for territories, fractions kept.
    pub land: f64,
    /// Armies a turn for whole continents.
    pub bonus: f64,
    /// The same, each continent weighted by the chance that no neighbour breaks
    /// it before the player's next turn.
    pub held_bonus: f64,
    /// Continents held.
    pub continents: u32,
    /// Borders of held continents that a neighbour would take at even odds.
    pub threatened_borders: u32,
    /// Cards in hand.
    pub cards: u32,
    /// Chance of a set by the next turn times the value of the next set.
    pub card_worth: f64,
    /// Armies on territories next to another player's.
    pub frontier_armies: u32,
    /// Armies of the largest stack.
    pub largest_army: u32,
    /// Bonuses of continents not held, each times the squared share of its
    /// armies that are the player's.
    pub potential: f64,
    /// Sum over the own territories of the best odds of a neighbour against it.
    pub exposure: f64,
    /// Sum over the others' territories of the player's best odds against it.
    pub menace: f64,
}

impl PlayerFeatures {
    /// Names of the numbers of [`PlayerFeatures::numbers`].
    pub const NAMES: [&'static str; 15] = [
        "alive",
        "territories",
        "armies",
        "land",
        "bonus",
        "held_bonus",
        "continents",
        "threatened_borders",
        "cards",
        "card_worth",
        "frontier_armies",
        "largest_army",
        "potential",
        "exposure",
        "menace",
    ];

    /// The features as a row of numbers.
    pub fn numbers(&self) -> [f64; 15] {
        [
            f64::from(u8::from(self.is_alive)),
            f64::from(self.territories),
            f64::from(self.armies),
            self.land,
            self.bonus,
            self.held_bonus,
            f64::from(self.continents),
            f64::from(self.threatened_borders),
            f64::from(self.cards),
            self.card_worth,
            f64::from(self.frontier_armies),
            f64::from(self.largest_army),
            self.potential,
            self.exposure,
            self.menace,
        ]
    }

    /// The features of a row of numbers.
    pub fn from_numbers(numbers: &[f64; 15]) -> PlayerFeatures {
        let [
            alive,
            territories,
            armies,
            land,
            bonus,
            held_bonus,
            continents,
            rest @ ..,
        ] = *numbers;
        let [
            threatened,
            cards,
            card_worth,
            frontier,
            largest,
            potential,
            exposure,
            menace,
        ] = rest;
        PlayerFeatures {
            is_alive: alive > 0.0,
            territories: territories as u32,
            armies: armies as u32,
            land,
            bonus,
            held_bonus,
            continents: continents as u32,
            threatened_borders: threatened as u32,
            cards: cards as u32,
            card_worth,
            frontier_armies: frontier as u32,
            largest_army: largest as u32,
            potential,
            exposure,
            menace,
        }
    }

    /// Expected armies next turn: land, continents and cards.
    pub fn income(&self) -> f64 {
        self.land + self.bonus + self.card_worth
    }
}

/// The features of every player as far as `viewer` knows them: of other hands
/// only the number of cards.
///
/// ```
/// use hegemon_core::{Game, Map, Rules};
/// let map = Map::builtin("classic").expect("shipped");
/// let game = Game::new(map, Rules::preset("lux").expect("shipped"), 4).expect("a game");
/// let state = game.deal(1);
/// let players = hegemon_eval::player_features(&state, state.player());
/// let n: u32 = players.as_slice().iter().map(|o| o.territories).sum();
/// assert_eq!(n, 42);
/// ```
pub fn player_features(state: &State, viewer: PlayerId) -> ByPlayer<PlayerFeatures> {
    let game = state.game();
    let mut all: ByPlayer<PlayerFeatures> = ByPlayer::default();
    for player in game.seats() {
        all[player] = holdings(state, viewer, player);
    }
    // Threats need all players' incomes.
    let reinforcement = ByPlayer::from_fn(|p| (all[p].land + all[p].bonus) as u32);
    for continent in game.map().continents() {
        add_continent(state, continent, &reinforcement, &mut all);
    }
    add_threats(state, &mut all);
    all
}

/// Adds the odds between neighbours.
fn add_threats(state: &State, all: &mut ByPlayer<PlayerFeatures>) {
    let (board, map) = (state.board(), state.game().map());
    let armed = armed(state);
    for territory in map.territories() {
        let attackers = board.enemy_neighbors(map, territory) & armed;
        // Where nobody can attack, all that is added is zero.
        if attackers.is_empty() {
            continue;
        }
        let mut best: ByPlayer<f64> = ByPlayer::default();
        let mut worst = 0.0;
        for enemy in attackers {
            let odds = win_odds(state, territory, board.armies(enemy) - 1);
            let best = &mut best[board.owner(enemy)];
            if odds > *best {
                *best = odds;
            }
            if odds > worst {
                worst = odds;
            }
        }
        for player in state.alive() {
            all[player].menace += best[player];
        }
        let owner = board.owner(territory);
        if owner.is_seat() {
            all[owner].exposure += worst;
        }
    }
}

/// The territories from which a player can attack.
fn armed(state: &State) -> TerritorySet {
    let board = state.board();
    let mut armed = TerritorySet::EMPTY;
    for player in state.alive() {
        for territory in board.owned(player) {
            if board.armies(territory) > 1 {
                armed.insert(territory);
            }
        }
    }
    armed
}

/// Armies that one player may expect at the next turn for land, continents and
/// cards. Land counts in whole armies, as it pays.
pub fn expected_income(state: &State, viewer: PlayerId, player: PlayerId) -> f64 {
    if !state.is_alive(player) {
        return 0.0;
    }
    let (game, own) = (state.game(), state.board().owned(player));
    let mut income = land(state, own).floor();
    for continent in game.map().continents() {
        if own.is_superset(game.map().continent(continent).territories) {
            income += f64::from(game.bonus(continent, state.round() + 1));
        }
    }
    income + card_worth(state, viewer, player)
}

fn land(state: &State, own: TerritorySet) -> f64 {
    let rules = state.game().rules().income;
    (own.len() as f64 / f64::from(rules.divisor)).max(f64::from(rules.minimum))
}

fn holdings(state: &State, viewer: PlayerId, player: PlayerId) -> PlayerFeatures {
    if !state.is_alive(player) {
        return PlayerFeatures::default();
    }
    let (board, map) = (state.board(), state.game().map());
    let own = board.owned(player);
    let frontier = board.frontier(map, player);
    let mut features = PlayerFeatures {
        is_alive: true,
        territories: own.len() as u32,
        armies: board.total_armies(player),
        land: land(state, own),
        cards: state.hand(player).len() as u32,
        card_worth: card_worth(state, viewer, player),
        frontier_armies: frontier.iter().map(|t| board.armies(t)).sum(),
        largest_army: own.iter().map(|t| board.armies(t)).max().unwrap_or(0),
        ..PlayerFeatures::default()
    };
    for continent in map.continents() {
        if own.is_superset(map.continent(continent).territories) {
            features.continents += 1;
            features.bonus += f64::from(state.game().bonus(continent, state.round() + 1));
        }
    }
    features
}

/// Adds a continent's terms to its holder, or to the players who share it.
fn add_continent(
    state: &State,
    continent: ContinentId,
    reinforcement: &ByPlayer<u32>,
    all: &mut ByPlayer<PlayerFeatures>,
) {
    let (board, game) = (state.board(), state.game());
    let inside = game.map().continent(continent);
    let bonus = f64::from(game.bonus(continent, state.round() + 1));
    let Some(first) = inside.territories.first() else {
        return;
    };
    let holder = board.owner(first);
    if board.owned(holder).is_superset(inside.territories) {
        if holder.is_seat() {
            let (kept, n_threatened) = hold_chance(state, holder, inside.borders, reinforcement);
            all[holder].held_bonus += bonus * kept;
            all[holder].threatened_borders += n_threatened;
        }
        return;
    }
    let mut armies = ByPlayer::from_fn(|_| 0u32);
    let mut total = 0;
    for territory in inside.territories {
        let owner = board.owner(territory);
        total += board.armies(territory);
        if owner.is_seat() {
            armies[owner] += board.armies(territory);
        }
    }
    for player in state.alive() {
        let share = f64::from(armies[player]) / f64::from(total.max(1));
        all[player].potential += bonus * share * share;
    }
}

/// The chance that no neighbour takes one of these borders, each neighbour
/// attacking the worst of them with its adjacent stack and all its income, and
/// the number of borders that fall at even odds or better.
fn hold_chance(
    state: &State,
    holder: PlayerId,
    borders: TerritorySet,
    reinforcement: &ByPlayer<u32>,
) -> (f64, u32) {
    let (board, game) = (state.board(), state.game());
    let mut worst: ByPlayer<f64> = ByPlayer::default();
    let mut n_threatened = 0;
    for border in borders {
        let mut is_threatened = false;
        for enemy in board.enemy_neighbors(game.map(), border) {
            let owner = board.owner(enemy);
            if !owner.is_seat() || owner == holder {
                continue;
            }
            // A territory that was just conquered is empty until it is occupied.
            let fighters = (board.armies(enemy) + reinforcement[owner]).saturating_sub(1);
            let odds = win_odds(state, border, fighters);
            worst[owner] = worst[owner].max(odds);
            is_threatened |= odds >= 0.5;
        }
        n_threatened += u32::from(is_threatened);
    }
    let kept = state.alive().map(|p| 1.0 - worst[p]).product();
    (kept, n_threatened)
}

/// The odds of an attack on a territory to the end; for large armies by
/// [`win_by_ratio`].
#[inline]
pub fn win_odds(state: &State, target: TerritoryId, fighters: u32) -> f64 {
    let defenders = state.board().armies(target);
    win_by_ratio(state.game().battles(), fighters, defenders)
}

/// Chance of a set by the player's next turn times the value of the next set.
pub fn card_worth(state: &State, viewer: PlayerId, player: PlayerId) -> f64 {
    let game = state.game();
    if !game.rules().has_cards() {
        return 0.0;
    }
    let draws = player == state.player() && state.has_conquered();
    let chance = if player == viewer {
        own_set_chance(state, player, draws)
    } else {
        let n = state.hand(player).len() + usize::from(draws);
        1.0 - no_set_chance(all_kinds(state), u64::from(game.rules().cards.wild), n)
    };
    chance * f64::from(game.next_set_worth(state.n_traded()))
}

fn own_set_chance(state: &State, player: PlayerId, draws: bool) -> f64 {
    let hand = state.hand(player);
    if hand.has_set() {
        return 1.0;
    }
    if !draws || hand.len() < 2 {
        return 0.0;
    }
    // Every card the viewer has not seen may be drawn next.
    let discard = state.discard();
    let unseen = Hand {
        territories: state.game().map().all() - hand.territories - discard.territories,
        wilds: state.game().rules().cards.wild - hand.wilds - discard.wilds,
    };
    let mut by_symbol = [0usize; 3];
    let mut completes = [None; 3];
    for territory in unseen.territories {
        let symbol = territory.index() % 3;
        by_symbol[symbol] += 1;
        completes[symbol].get_or_insert_with(|| has_set_with(hand, Card::Territory(territory)));
    }
    let mut n_good = 0;
    for symbol in 0..3 {
        if completes[symbol] == Some(true) {
            n_good += by_symbol[symbol];
        }
    }
    if unseen.wilds > 0 && has_set_with(hand, Card::Wild) {
        n_good += usize::from(unseen.wilds);
    }
    n_good as f64 / unseen.len().max(1) as f64
}

fn has_set_with(mut hand: Hand, card: Card) -> bool {
    hand.insert(card);
    hand.has_set()
}

/// Cards of each symbol in the whole pack.
fn all_kinds(state: &State) -> [u64; 3] {
    let n = state.game().map().n_territories() as u64;
    [0, 1, 2].map(|symbol| (n + 2 - symbol) / 3)
}

/// The chance that `n` cards of a full pack hold no set: three cards with a
/// wild one always make a set, so at most two different symbols, at most two of
/// each, remain.
fn no_set_chance(kinds: [u64; 3], n_wild: u64, n: usize) -> f64 {
    let total = kinds.iter().sum::<u64>() + n_wild;
    let pairs = |k: u64| k * k.saturating_sub(1) / 2;
    let [a, b, c] = kinds;
    let (ways, all) = match n {
        0..=2 => return 1.0,
        3 => {
            let ways = pairs(a) * (b + c) + pairs(b) * (a + c) + pairs(c) * (a + b);
            (ways, total * (total - 1) * (total - 2) / 6)
        }
        4 => {
            let ways = pairs(a) * pairs(b) + pairs(a) * pairs(c) + pairs(b) * pairs(c);
            let all = total * (total - 1) / 2 * (total - 2) / 3 * (total - 3) / 4;
            (ways, all)
        }
        _ => return 0.0,
    };
    ways as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_a_set_are_those_of_counting() {
        // 14 cards of each symbol and 2 wild ones.
        let chance = |n| 1.0 - no_set_chance([14; 3], 2, n);
        assert_eq!(chance(2), 0.0);
        assert!((chance(3) - 5600.0 / 13244.0).abs() < 1e-12);
        assert!((chance(4) - (1.0 - 24843.0 / 135_751.0)).abs() < 1e-12);
        assert_eq!(chance(5), 1.0);
    }
}
