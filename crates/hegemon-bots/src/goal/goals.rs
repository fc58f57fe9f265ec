//! Goals of an attack phase: what to take, when the goal is reached, and the
//! attacks towards it (Lozano and Bratz 2012, section 2.3, "default
//! strategies").

use hegemon_core::{
    ContinentId, MAX_TERRITORIES, Map, Move, Phase, PlayerId, State, TerritoryId, TerritorySet,
};
use hegemon_eval::win_odds;

/// Most sources of attack proposed against one target.
const N_SOURCES: usize = 2;
/// Odds at which an attack is as likely to succeed as to fail.
const EVEN_ODDS: f64 = 0.5;

/// What an attack phase is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Hold a whole continent.
    Continent(ContinentId),
    /// Eliminate a player, for the cards.
    Eliminate(PlayerId),
    /// Break a continent that this player holds.
    Deny(ContinentId, PlayerId),
    /// Conquer any one territory, for the card.
    Card,
}

/// Which kinds of goals are pursued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalKinds {
    /// [`Goal::Continent`].
    pub continent: bool,
    /// [`Goal::Eliminate`].
    pub eliminate: bool,
    /// [`Goal::Deny`].
    pub deny: bool,
    /// [`Goal::Card`].
    pub card: bool,
}

impl GoalKinds {
    /// Every kind.
    pub const ALL: GoalKinds = GoalKinds {
        continent: true,
        eliminate: true,
        deny: true,
        card: true,
    };

    /// The words for the kinds.
    pub const NAMES: &[&str] = &["continent", "eliminate", "deny", "card"];

    /// The kinds with these names; `all` names every one.
    pub fn of(names: &[&str]) -> GoalKinds {
        let has = |name: &str| names.contains(&name) || names.contains(&"all");
        GoalKinds {
            continent: has("continent"),
            eliminate: has("eliminate"),
            deny: has("deny"),
            card: has("card"),
        }
    }
}

/// An attack: from where, on what.
pub(super) type Attack = (TerritoryId, TerritoryId);

impl Goal {
    /// The sensible goals of the player to move: those whose first attack has
    /// at least these odds.
    pub fn sensible(state: &State, kinds: GoalKinds, odds: f64) -> Vec<Goal> {
        let mut goals = Goal::all(state, kinds);
        let mut attacks = Vec::new();
        goals.retain(|goal| goal.default_attack(state, odds, &mut attacks).is_some());
        goals
    }

    /// The goals of the player to move that are not reached yet.
    pub fn all(state: &State, kinds: GoalKinds) -> Vec<Goal> {
        let (me, board, map) = (state.player(), state.board(), state.game().map());
        let mut goals = Vec::new();
        for continent in map.continents() {
            let inside = map.continent(continent).territories;
            if kinds.continent && !board.owned(me).is_superset(inside) {
                goals.push(Goal::Continent(continent));
            }
            let holder = inside.first().map(|t| board.owner(t));
            if let Some(holder) = holder
                && kinds.deny
                && holder != me
                && holder.is_seat()
                && board.owned(holder).is_superset(inside)
            {
                goals.push(Goal::Deny(continent, holder));
            }
        }
        if kinds.eliminate {
            let rivals = state.alive().filter(|&p| p != me);
            goals.extend(rivals.map(Goal::Eliminate));
        }
        if kinds.card && state.game().rules().has_cards() && !state.has_conquered() {
            goals.push(Goal::Card);
        }
        goals
    }

    /// The next move of the default strategy, which attacks at even odds or better: for
    /// those who plan by goals without a tree. None where the strategy has nothing to do.
    pub(crate) fn next_move(self, state: &State) -> Option<Move> {
        match state.phase() {
            Phase::Reinforce if self.targets(state).is_empty() => None,
            Phase::Reinforce => self.front(state).map(|territory| Move::Place {
                territory,
                armies: state.to_place(),
            }),
            Phase::Attack => {
                let (from, to) = self.default_attack(state, EVEN_ODDS, &mut Vec::new())?;
                let with = *state.attack_range(from).end();
                Some(Move::Attack { from, to, with })
            }
            Phase::Occupy => Some(Move::Occupy {
                armies: self.move_in(state),
            }),
            _ => None,
        }
    }

    /// The best odds of the goal's attacks from one territory.
    pub(super) fn best_odds_from(
        self,
        state: &State,
        from: TerritoryId,
        scratch: &mut Vec<Attack>,
    ) -> Option<f64> {
        scratch.clear();
        self.attacks(state, scratch);
        let from_here = scratch.iter().filter(|(source, _)| *source == from);
        from_here
            .map(|&attack| odds_of(state, attack))
            .max_by(f64::total_cmp)
    }

    /// The territories to take.
    pub fn targets(self, state: &State) -> TerritorySet {
        let (me, board, map) = (state.player(), state.board(), state.game().map());
        match self {
            Goal::Continent(continent) => map.continent(continent).territories - board.owned(me),
            Goal::Eliminate(rival) => board.owned(rival),
            Goal::Deny(continent, holder) => {
                let inside = map.continent(continent).territories;
                if board.owned(holder).is_superset(inside) {
                    inside
                } else {
                    TerritorySet::EMPTY
                }
            }
            Goal::Card if state.has_conquered() => TerritorySet::EMPTY,
            Goal::Card => map.all() - board.owned(me),
        }
    }

    /// Appends the attacks that lead to the goal: on every target within reach
    /// from its strongest neighbours, and along the cheapest path to the others.
    /// None once the goal is reached.
    pub(super) fn attacks(self, state: &State, out: &mut Vec<Attack>) {
        let (me, board, map) = (state.player(), state.board(), state.game().map());
        let targets = self.targets(state);
        let mut armed = TerritorySet::EMPTY;
        for territory in board.owned(me) {
            if board.armies(territory) > 1 && !board.enemy_neighbors(map, territory).is_empty() {
                armed.insert(territory);
            }
        }
        let mut reached = TerritorySet::EMPTY;
        for target in targets {
            let sources = map.neighbors(target) & armed;
            if !sources.is_empty() {
                push_strongest(state, sources, target, out);
                if !reached.contains(target) {
                    reached |= map.reachable(target, targets);
                }
            }
        }
        if self == Goal::Card {
            return;
        }
        let mut far = targets - reached;
        while let Some(first) = far.first() {
            let part = map.reachable(first, targets);
            far -= part;
            if let Some(attack) = approach(state, part, armed) {
                out.push(attack);
            }
        }
        // Two parts may share the same first step.
        let n = out.len();
        for idx in (0..n).rev() {
            if out[..idx].contains(&out[idx]) {
                out.remove(idx);
            }
        }
    }

    /// The default strategy's attack: the one with the best odds, if they are at
    /// least `odds`.
    pub(super) fn default_attack(
        self,
        state: &State,
        odds: f64,
        scratch: &mut Vec<Attack>,
    ) -> Option<Attack> {
        scratch.clear();
        self.attacks(state, scratch);
        let mut best = None;
        let mut best_odds = odds;
        for &(from, to) in scratch.iter() {
            let win = odds_of(state, (from, to));
            if win > best_odds || (win == best_odds && best.is_none()) {
                (best, best_odds) = (Some((from, to)), win);
            }
        }
        best
    }
}

/// The odds of an attack to the end.
pub(super) fn odds_of(state: &State, (from, to): Attack) -> f64 {
    win_odds(state, to, state.board().armies(from) - 1)
}

/// The strongest neighbours first.
fn push_strongest(
    state: &State,
    sources: TerritorySet,
    target: TerritoryId,
    out: &mut Vec<Attack>,
) {
    let mut left = sources;
    for _ in 0..N_SOURCES {
        let Some(from) = strongest(state, left) else {
            return;
        };
        out.push((from, target));
        left.remove(from);
    }
}

/// The first of the territories with the most armies.
pub(super) fn strongest(state: &State, among: TerritorySet) -> Option<TerritoryId> {
    let mut best: Option<(TerritoryId, u32)> = None;
    for territory in among {
        let armies = state.board().armies(territory);
        if best.is_none_or(|(_, most)| armies > most) {
            best = Some((territory, armies));
        }
    }
    best.map(|(territory, _)| territory)
}

/// The first step towards a distant part of the targets, along the path that
/// leaves the most armies on arrival (cheapest paths over the armies in the
/// way).
fn approach(state: &State, part: TerritorySet, armed: TerritorySet) -> Option<Attack> {
    let (board, map) = (state.board(), state.game().map());
    let own = board.owned(state.player());
    let cost = way_costs(state, map, part, own);
    let mut best: Option<(Attack, i64)> = None;
    for from in armed {
        for step in map.neighbors(from) - own {
            let cost = cost[step.index()];
            if cost == NO_WAY {
                continue;
            }
            let left = i64::from(board.armies(from)) - i64::from(cost);
            if best.is_none_or(|(_, most)| left > most) {
                best = Some(((from, step), left));
            }
        }
    }
    best.map(|(attack, _)| attack)
}

/// More than the armies of any way.
const NO_WAY: u32 = u32::MAX;

/// Armies in the way from each foreign territory to the part, itself included.
fn way_costs(
    state: &State,
    map: &Map,
    part: TerritorySet,
    own: TerritorySet,
) -> [u32; MAX_TERRITORIES] {
    let board = state.board();
    let mut cost = [NO_WAY; MAX_TERRITORIES];
    let mut open = part;
    for territory in part {
        cost[territory.index()] = board.armies(territory);
    }
    while let Some(near) = cheapest(open, &cost) {
        open.remove(near);
        let base = cost[near.index()];
        for next in map.neighbors(near) - own {
            // Each army in the way costs one, and each territory one more to stay behind.
            let through = base + board.armies(next) + 1;
            if through < cost[next.index()] {
                cost[next.index()] = through;
                open.insert(next);
            }
        }
    }
    cost
}

/// The first of the territories with the least cost.
#[inline]
fn cheapest(open: TerritorySet, cost: &[u32; MAX_TERRITORIES]) -> Option<TerritoryId> {
    // Smaller numbers come first, so that the first wins ties.
    let key = |t: TerritoryId| u64::from(cost[t.index()]) << 8 | t.index() as u64;
    let least = open.iter().map(key).min()?;
    Some(TerritoryId::new((least & 0xff) as usize))
}
