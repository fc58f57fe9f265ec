//! What is expected to come of an action: counted over looks that are watched.

use hegemon_core::{ByPlayer, ContinentId, Node, PlayerId, State, TerritoryId, View};

/// What is expected to come of an action, over all looks at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Armies lost in the rest of the turn, on average.
    pub losses: f64,
    /// Armies that the others lose in it.
    pub kills: f64,
    /// Territories more at the end of the turn.
    pub gained: f64,
    /// Chance to own these at the end of the turn, of territories that others own now.
    pub taken: Vec<(TerritoryId, f64)>,
    /// Continents that may become one's own in this turn.
    pub continents: Vec<ContinentForecast>,
    /// Chance to own these still at the beginning of the next turn, of continents that are
    /// one's own now.
    pub guarded: Vec<(ContinentId, f64)>,
    /// Chance to break a continent of another player, which then has none of its bonus.
    pub broken: Vec<(PlayerId, ContinentId, f64)>,
    /// Chance that a player is out at the end of the turn.
    pub eliminated: Vec<(PlayerId, f64)>,
    /// Chance that the game is won in this turn.
    pub won: f64,
    /// Chance to own as many territories at the next turn as at the end of this one.
    pub kept: f64,
}

/// A continent that may become one's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContinentForecast {
    /// Which.
    pub continent: ContinentId,
    /// Chance to own it at the end of the turn.
    pub taken: f64,
    /// Chance to own it then and still at the beginning of the next turn.
    pub held: f64,
}

/// The own turn within a look.
pub(super) struct OwnTurn {
    me: PlayerId,
    armies: u32,
    others: u32,
    losses: u32,
    kills: u32,
    /// The state when the turn ended.
    end: Option<State>,
}

impl OwnTurn {
    pub(super) fn begin(world: &State, me: PlayerId) -> OwnTurn {
        let (armies, others) = strengths(world, me);
        OwnTurn {
            me,
            armies,
            others,
            losses: 0,
            kills: 0,
            end: None,
        }
    }

    /// Sees the state before a decision, and the last state. Between two decisions
    /// armies are lost in one battle, or come by one trade.
    pub(super) fn see(&mut self, state: &State) {
        if self.end.is_some() {
            return;
        }
        let is_over = state.player() != self.me || state.node() == Node::Terminal;
        let (armies, others) = strengths(state, self.me);
        self.losses += self.armies.saturating_sub(armies);
        self.kills += self.others.saturating_sub(others);
        (self.armies, self.others) = (armies, others);
        if is_over {
            self.end = Some(state.clone());
        }
    }
}

/// Armies of a player, with those to be placed in this turn, and of all others.
fn strengths(state: &State, me: PlayerId) -> (u32, u32) {
    let board = state.board();
    let to_place = if state.player() == me {
        state.to_place()
    } else {
        0
    };
    let others = state.alive().filter(|p| *p != me);
    let others = others.map(|p| board.total_armies(p)).sum::<u32>();
    let neutral = board.total_armies(PlayerId::NEUTRAL);
    (board.total_armies(me) + to_place, others + neutral)
}

/// Counts of what came of an action.
#[derive(Clone, Debug, Default)]
pub(super) struct ForecastTally {
    n: u32,
    losses: u64,
    kills: u64,
    gained: i64,
    won: u32,
    kept: u32,
    taken: Vec<u32>,
    continents: Vec<(u32, u32)>,
    guarded: Vec<u32>,
    broken: Vec<u32>,
    eliminated: ByPlayer<u32>,
}

impl ForecastTally {
    pub(super) fn add(&mut self, world: &State, turn: &OwnTurn, last: &State) {
        let end = turn.end.as_ref().unwrap_or(last);
        let (map, me) = (world.game().map(), turn.me);
        self.n += 1;
        self.losses += u64::from(turn.losses);
        self.kills += u64::from(turn.kills);
        let (before, after) = (world.board().owned(me), end.board().owned(me));
        self.gained += after.len() as i64 - before.len() as i64;
        // A share of a win that ends with the rounds is none.
        self.won += u32::from(end.score(me) >= 1.0);
        self.kept += u32::from(last.board().n_owned(me) >= after.len());
        self.taken.resize(map.n_territories(), 0);
        for territory in after - before {
            self.taken[territory.index()] += 1;
        }
        self.continents.resize(map.continents().len(), (0, 0));
        self.guarded.resize(map.continents().len(), 0);
        self.broken.resize(map.continents().len(), 0);
        for continent in map.continents() {
            let owns = |state: &State| state.board().owns_continent(map, me, continent);
            let counts = &mut self.continents[continent.index()];
            if owns(end) && !owns(world) {
                counts.0 += 1;
                counts.1 += u32::from(owns(last));
            }
            if owns(world) && owns(last) {
                self.guarded[continent.index()] += 1;
            }
            if let Some(owner) = owner_of(world, continent).filter(|owner| *owner != me) {
                let is_broken = !end.board().owns_continent(map, owner, continent);
                self.broken[continent.index()] += u32::from(is_broken);
            }
        }
        for seat in world.alive().filter(|seat| *seat != me) {
            self.eliminated[seat] += u32::from(!end.is_alive(seat));
        }
    }

    pub(super) fn forecast(&self, view: View<'_>) -> Forecast {
        let n = f64::from(self.n.max(1));
        let share = |count: u32| f64::from(count) / n;
        let map = view.map();
        let continents = map.continents().zip(&self.continents);
        let continents = continents.filter(|(_, (taken, _))| *taken > 0);
        let broken = map.continents().zip(&self.broken).filter(|(_, n)| **n > 0);
        let own = |c: &ContinentId| view.board().owns_continent(map, view.seat(), *c);
        let guarded = map.continents().zip(&self.guarded);
        let guarded = guarded.filter(|(c, _)| own(c));
        let owner = |c| {
            view.game()
                .seats()
                .find(|p| view.board().owns_continent(map, *p, c))
        };
        let taken = map.territories().zip(&self.taken).filter(|(_, n)| **n > 0);
        let seats = view
            .game()
            .seats()
            .filter(|seat| self.eliminated[*seat] > 0);
        Forecast {
            losses: self.losses as f64 / n,
            kills: self.kills as f64 / n,
            gained: self.gained as f64 / n,
            taken: taken.map(|(t, count)| (t, share(*count))).collect(),
            continents: continents
                .map(|(continent, (taken, held))| ContinentForecast {
                    continent,
                    taken: share(*taken),
                    held: share(*held),
                })
                .collect(),
            guarded: guarded.map(|(c, count)| (c, share(*count))).collect(),
            broken: broken
                .filter_map(|(c, count)| Some((owner(c)?, c, share(*count))))
                .collect(),
            eliminated: seats.map(|s| (s, share(self.eliminated[s]))).collect(),
            won: share(self.won),
            kept: share(self.kept),
        }
    }
}

/// The player who owns all of a continent.
fn owner_of(state: &State, continent: ContinentId) -> Option<PlayerId> {
    let map = state.game().map();
    let mut alive = state.alive();
    alive.find(|seat| state.board().owns_continent(map, *seat, continent))
}
