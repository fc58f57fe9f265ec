//! The odds of a campaign: one stack sets out to take a route, a continent or all that a
//! player owns.
//!
//! The stack attacks a neighbour to the end with all its dice. After a conquest it either
//! moves on with all but a garrison, or stays and sends the fewest that the rules and the
//! garrison ask for; armies left behind attack no more. Within this model the chance is
//! the exact maximum over all orders, by dynamic programming over what was conquered,
//! where the stack stands, and how large it is.

use std::collections::BTreeMap;
use std::rc::Rc;

use hegemon_bots::Stop;
use hegemon_core::battle::BattleLaw;
use hegemon_core::rules::Occupy;
use hegemon_core::{ContinentId, PlayerId, State, TerritoryId, TerritorySet};
use thiserror::Error;

/// Most places of a campaign: what was conquered is a word of bits.
const MAX_PLACES: usize = 30;

/// States beyond which fewer orders are tried, which makes the answer a lower bound.
pub const MAX_STATES: usize = 20_000;

/// Most armies of a stack: the work and the room grow with their square.
const MAX_STACK: u32 = 2_000;

/// Most armies that are asked for when a chance is wanted.
const MAX_ARMIES: u32 = 512;

/// What is to be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignGoal {
    /// These, in this order.
    Route(Vec<TerritoryId>),
    /// All of a continent.
    Continent(ContinentId),
    /// All that a player owns.
    Player(PlayerId),
}

/// A stack and its goal.
#[derive(Clone, Debug)]
pub struct Campaign {
    field: Field,
    /// Armies of the stack.
    armies: u32,
    /// Ends the search for an answer.
    stop: Stop,
}

/// Why there is no such campaign.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CampaignError {
    /// The stack belongs to nobody.
    #[error("{0} belongs to nobody, so no campaign begins there")]
    NoStack(String),
    /// Nothing is left to take.
    #[error("nothing is left to take there")]
    NothingToTake,
    /// A route names a territory twice.
    #[error("{0} is named twice")]
    Twice(String),
    /// A place cannot be reached through others' territories.
    #[error("{0} cannot be reached from there without crossing own territories")]
    Unreachable(String),
    /// Too many territories.
    #[error("{0} territories are more than a campaign can have ({MAX_PLACES})")]
    TooMany(usize),
    /// Too many armies.
    #[error("{0} armies are more than the stack of a campaign can have ({MAX_STACK})")]
    TooLarge(u32),
    /// The chance is out of reach.
    #[error("not even {MAX_ARMIES} armies reach that chance")]
    OutOfReach,
    /// It was stopped.
    #[error("the campaign has too many ways to go to be worked out in time")]
    Stopped,
}

/// The odds of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignOdds {
    /// Armies of the stack.
    pub armies: u32,
    /// Chance to take everything.
    pub chance: f64,
    /// Whether all orders were tried, and no way to a far goal was chosen beforehand; if not,
    /// the chance is a lower bound, that of a plan that can be followed.
    pub is_exact: bool,
    /// The best order as long as battles end as they most often do.
    pub steps: Vec<CampaignStep>,
    /// Armies lost, on average.
    pub losses: f64,
    /// Chance by armies of the stack, from 0 up to those it has.
    pub by_armies: Vec<f64>,
}

/// A conquest of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignStep {
    /// What is taken.
    pub territory: TerritoryId,
    /// Where from.
    pub from: TerritoryId,
    /// Its defenders.
    pub defenders: u32,
    /// Whether the stack moves on into it; else it stays and sends a garrison.
    pub moves_on: bool,
    /// Armies left behind, or sent in if the stack stays.
    pub garrison: u32,
    /// Chance that the territory falls in the campaign, whatever the order.
    pub taken: f64,
}

impl Campaign {
    /// The campaign of the stack in `from`; each conquered territory keeps `garrison`.
    ///
    /// # Errors
    ///
    /// If there is nothing to take or no way to it.
    pub fn new(
        state: &State,
        from: TerritoryId,
        goal: &CampaignGoal,
        garrison: u32,
    ) -> Result<Campaign, CampaignError> {
        Ok(Campaign {
            field: Field::new(state, from, goal, garrison.max(1))?,
            armies: state.board().armies(from),
            stop: Stop::never(),
        })
    }

    /// The same, given up when the handle is raised.
    #[must_use]
    pub fn until(mut self, stop: &Stop) -> Campaign {
        self.stop = stop.clone();
        self
    }

    /// The same with another number of armies in the stack.
    #[must_use]
    pub fn with_armies(mut self, armies: u32) -> Campaign {
        self.armies = armies;
        self
    }

    /// The odds.
    ///
    /// # Errors
    ///
    /// If the stack is too large, or it was stopped.
    pub fn odds(&self) -> Result<CampaignOdds, CampaignError> {
        if self.armies > MAX_STACK {
            return Err(CampaignError::TooLarge(self.armies));
        }
        let mut solver = Solver::new(&self.field, self.armies, &self.stop);
        let by_armies = solver.solve()?;
        let (taken, losses) = solver.follow(self.armies)?;
        Ok(CampaignOdds {
            armies: self.armies,
            chance: by_armies[self.armies as usize],
            is_exact: solver.width == usize::MAX && !self.field.has_detours,
            steps: solver.main_line(self.armies, &taken),
            losses,
            by_armies: by_armies.to_vec(),
        })
    }

    /// The fewest armies of the stack that reach a chance, the one that stays included.
    ///
    /// # Errors
    ///
    /// If no reasonable number does, or it was stopped.
    pub fn armies_for(&self, chance: f64) -> Result<u32, CampaignError> {
        // Dice can always fall badly: sums that are one have been rounded.
        if chance >= 1.0 {
            return Err(CampaignError::OutOfReach);
        }
        let mut most = 32;
        loop {
            let by_armies = Solver::new(&self.field, most, &self.stop).solve()?;
            if let Some(armies) = by_armies.iter().skip(1).position(|p| *p >= chance) {
                return Ok(armies as u32 + 1);
            }
            if most >= MAX_ARMIES {
                return Err(CampaignError::OutOfReach);
            }
            most *= 2;
        }
    }
}

/// The law of battles for a territory.
pub(crate) fn law_at(state: &State, territory: TerritoryId) -> BattleLaw {
    let game = state.game();
    // The capital of one who is out is defended as before.
    let is_capital =
        game.has_extra_die() && game.seats().any(|p| state.capital(p) == Some(territory));
    if is_capital {
        game.capital_battles().law()
    } else {
        game.battles().law()
    }
}

/// The places of a campaign; the last one is where the stack stands.
#[derive(Clone, Debug)]
struct Field {
    places: Vec<TerritoryId>,
    defenders: Vec<u32>,
    laws: Vec<BattleLaw>,
    /// By place, the places next to it as bits.
    near: Vec<u32>,
    /// Places that must be taken.
    goal: u32,
    /// Whether places are taken in their order.
    is_route: bool,
    /// Whether some places are but the way to others: another way may be better.
    has_detours: bool,
    garrison: u32,
    occupy: Occupy,
}

impl Field {
    fn new(
        state: &State,
        from: TerritoryId,
        goal: &CampaignGoal,
        garrison: u32,
    ) -> Result<Field, CampaignError> {
        let (board, map) = (state.board(), state.game().map());
        let owner = board.owner(from);
        if !owner.is_seat() {
            return Err(CampaignError::NoStack(map.territory_name(from).to_owned()));
        }
        let enemies = map.all() - board.owned(owner);
        let wanted: Vec<TerritoryId> = match goal {
            CampaignGoal::Route(route) => route.clone(),
            CampaignGoal::Continent(continent) => {
                let inside = |t: &TerritoryId| map.continent_of(*t) == *continent;
                enemies.iter().filter(inside).collect()
            }
            CampaignGoal::Player(player) => board.owned(*player).iter().collect(),
        };
        if wanted.is_empty() || wanted.iter().any(|t| !enemies.contains(*t)) {
            return Err(CampaignError::NothingToTake);
        }
        let twice = (1..wanted.len()).find(|&n| wanted[..n].contains(&wanted[n]));
        if let Some(n) = twice {
            let name = map.territory_name(wanted[n]).to_owned();
            return Err(CampaignError::Twice(name));
        }
        let is_route = matches!(goal, CampaignGoal::Route(_));
        let mut places = wanted.clone();
        if !is_route {
            places.extend(detours(state, from, &wanted, enemies)?);
        }
        if places.len() > MAX_PLACES {
            return Err(CampaignError::TooMany(places.len()));
        }
        let near = |from: TerritoryId| {
            let next = places.iter().enumerate();
            let next = next.filter(|(_, to)| map.are_neighbors(from, **to));
            next.fold(0, |bits, (n, _)| bits | 1 << n)
        };
        let field = Field {
            has_detours: places.len() > wanted.len(),
            defenders: places.iter().map(|t| board.armies(*t)).collect(),
            laws: places.iter().map(|t| law_at(state, *t)).collect(),
            near: places.iter().copied().chain([from]).map(near).collect(),
            goal: wanted
                .iter()
                .enumerate()
                .fold(0, |bits, (n, _)| bits | 1 << n),
            is_route,
            garrison,
            occupy: state.game().rules().battle.occupy,
            places: places.iter().copied().chain([from]).collect(),
        };
        field.check_route(state)?;
        Ok(field)
    }

    /// Every place of a route lies next to the stack or to one before it.
    fn check_route(&self, state: &State) -> Result<(), CampaignError> {
        let start = self.start();
        let blocked = (0..start).find(|&n| {
            let before = (0..n).chain([start]);
            self.is_route && before.map(|m| self.near[m]).all(|near| near >> n & 1 == 0)
        });
        blocked.map_or(Ok(()), |n| {
            let name = state.game().map().territory_name(self.places[n]);
            Err(CampaignError::Unreachable(name.to_owned()))
        })
    }

    fn start(&self) -> usize {
        self.places.len() - 1
    }

    /// What may be attacked next, dead ends first and then the weakest.
    fn nexts(&self, taken: u32, stack: usize) -> Vec<usize> {
        let free = self.near[stack] & !taken;
        if self.is_route {
            let next = taken.count_ones() as usize;
            return (free >> next & 1 == 1)
                .then_some(next)
                .into_iter()
                .collect();
        }
        let mut nexts: Vec<usize> = (0..self.start()).filter(|n| free >> n & 1 == 1).collect();
        nexts.sort_by_key(|&n| ((self.near[n] & !taken).count_ones(), self.defenders[n]));
        nexts
    }

    /// The fewest that must move in when `survivors` have won.
    fn fewest_in(&self, place: usize, survivors: u32) -> u32 {
        match self.occupy {
            Occupy::DiceRolled => self.laws[place].dice.min_occupy(survivors),
            Occupy::One => 1,
        }
    }
}

/// Territories on the shortest ways to targets that no other target leads to.
fn detours(
    state: &State,
    from: TerritoryId,
    wanted: &[TerritoryId],
    enemies: TerritorySet,
) -> Result<Vec<TerritoryId>, CampaignError> {
    let map = state.game().map();
    let mut allowed = TerritorySet::EMPTY;
    wanted.iter().for_each(|t| allowed.insert(*t));
    allowed.insert(from);
    let mut detours = Vec::new();
    loop {
        let reached = map.reachable(from, allowed);
        let Some(missing) = wanted.iter().find(|t| !reached.contains(**t)) else {
            return Ok(detours);
        };
        // Ring by ring around what is reached, until a ring touches another target.
        let mut rings = vec![reached];
        let mut seen = reached;
        let target = loop {
            let ring = (map.neighbors_of_all(seen) & enemies) - seen;
            if ring.is_empty() {
                let name = map.territory_name(*missing).to_owned();
                return Err(CampaignError::Unreachable(name));
            }
            if let Some(target) = wanted.iter().find(|t| ring.contains(**t)) {
                break *target;
            }
            seen |= ring;
            rings.push(ring);
        };
        // Back from the target, one territory of each ring, the weakest.
        let mut step = target;
        for ring in rings.iter().skip(1).rev() {
            let back = ring.iter().filter(|t| map.are_neighbors(*t, step));
            let back = back.min_by_key(|t| state.board().armies(*t));
            let Some(back) = back else { break };
            allowed.insert(back);
            detours.push(back);
            step = back;
        }
    }
}

/// What was conquered, and where the stack stands.
type Key = (u32, usize);

/// By survivors of a conquest: the chance that is left, and how to go on.
type After = Vec<(f64, Split)>;

/// By fighters, then by survivors: the chance of winning with this many left.
type Wins = Vec<Vec<f64>>;

struct Solver<'a> {
    field: &'a Field,
    /// Most armies of the stack.
    most: u32,
    wins: Vec<Rc<Wins>>,
    /// Chances by armies of the stack.
    values: BTreeMap<Key, Rc<Vec<f64>>>,
    /// Most places tried next at a state.
    width: usize,
    stop: &'a Stop,
}

/// Where the stack and the rest are after a conquest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    moves_on: bool,
    /// Armies of the stack.
    stack: u32,
    /// Armies that it left, or sent.
    garrison: u32,
}

impl<'a> Solver<'a> {
    fn new(field: &'a Field, most: u32, stop: &'a Stop) -> Solver<'a> {
        let mut known: Vec<(BattleLaw, u32, Rc<Wins>)> = Vec::new();
        let mut wins = Vec::new();
        for (&law, &defenders) in field.laws.iter().zip(&field.defenders) {
            let found = known.iter().find(|(l, d, _)| (*l, *d) == (law, defenders));
            let table = found.map(|(_, _, table)| Rc::clone(table));
            let table = table.unwrap_or_else(|| Rc::new(all_wins(law, defenders, most, stop)));
            known.push((law, defenders, Rc::clone(&table)));
            wins.push(table);
        }
        Solver {
            field,
            most,
            wins,
            values: BTreeMap::new(),
            width: usize::MAX,
            stop,
        }
    }

    /// Chances by armies of the stack; fewer orders are tried until the states are few
    /// enough.
    fn solve(&mut self) -> Result<Rc<Vec<f64>>, CampaignError> {
        // One order has no more states than places.
        for width in [usize::MAX, 3, 2, 1] {
            self.width = width;
            self.values.clear();
            let values = self.value((0, self.field.start()));
            if let Some(values) = values.filter(|_| !self.stop.is_raised()) {
                return Ok(values);
            }
        }
        Err(CampaignError::Stopped)
    }

    fn is_done(&self, taken: u32) -> bool {
        taken & self.field.goal == self.field.goal
    }

    /// None if there are too many states, or it was stopped.
    fn value(&mut self, key: Key) -> Option<Rc<Vec<f64>>> {
        if let Some(known) = self.values.get(&key) {
            return Some(Rc::clone(known));
        }
        let is_full = self.values.len() >= MAX_STATES && self.width > 1;
        if is_full || self.stop.is_raised() {
            return None;
        }
        let mut values = vec![0.0; self.most as usize + 1];
        if self.is_done(key.0) {
            for (armies, value) in values.iter_mut().enumerate() {
                *value = f64::from(u8::from(armies as u32 >= self.field.garrison));
            }
        } else {
            for place in self.nexts(key) {
                let after = self.after(key, place)?;
                for (armies, value) in values.iter_mut().enumerate().skip(2) {
                    *value = value.max(self.attack(&after, place, armies as u32));
                }
            }
        }
        let values = Rc::new(values);
        self.values.insert(key, Rc::clone(&values));
        Some(values)
    }

    fn nexts(&self, (taken, stack): Key) -> Vec<usize> {
        let mut nexts = self.field.nexts(taken, stack);
        nexts.truncate(self.width);
        nexts
    }

    /// By survivors, the chance after the conquest of a place and how to go on.
    fn after(&mut self, (taken, stack): Key, place: usize) -> Option<After> {
        let taken = taken | 1 << place;
        let on = self.value((taken, place))?;
        let stay = self.value((taken, stack))?;
        let after = |survivors: u32| self.best_split(place, survivors, &on, &stay);
        Some((0..=self.most).map(after).collect())
    }

    /// The better of moving on and staying.
    fn best_split(&self, place: usize, survivors: u32, on: &[f64], stay: &[f64]) -> (f64, Split) {
        let Field { garrison, .. } = *self.field;
        let fewest = self.field.fewest_in(place, survivors);
        let all = survivors + 1;
        let moved = all.saturating_sub(garrison);
        let worth = |values: &[f64], stack: u32| values.get(stack as usize).copied().unwrap_or(0.0);
        let forward = Split {
            moves_on: true,
            stack: moved,
            garrison,
        };
        let ahead = if moved >= fewest.max(1) && survivors > 0 {
            worth(on, moved)
        } else {
            0.0
        };
        let sent = fewest.max(garrison);
        let back = Split {
            moves_on: false,
            stack: all.saturating_sub(sent),
            garrison: sent,
        };
        let behind = if all > sent {
            worth(stay, back.stack)
        } else {
            0.0
        };
        if behind > ahead {
            (behind, back)
        } else {
            (ahead, forward)
        }
    }

    /// The chance if the stack attacks a place.
    fn attack(&self, after: &[(f64, Split)], place: usize, armies: u32) -> f64 {
        let wins = &self.wins[place][armies as usize - 1];
        let terms = wins.iter().zip(after).map(|(p, (value, _))| p * value);
        terms.sum()
    }

    /// What the stack does in a state: the place, and what comes after by survivors.
    fn choice(&mut self, key: Key, armies: u32) -> Option<(usize, After)> {
        let mut best: Option<(f64, usize, After)> = None;
        for place in self.nexts(key) {
            let after = self.after(key, place)?;
            let value = self.attack(&after, place, armies);
            if best.as_ref().is_none_or(|(known, ..)| value > *known) {
                best = Some((value, place, after));
            }
        }
        best.filter(|(value, ..)| *value > 0.0)
            .map(|(_, place, after)| (place, after))
    }

    /// Follows the plan through all ends of all battles: the chance that each place
    /// falls, and the mean of the armies lost.
    fn follow(&mut self, armies: u32) -> Result<(Vec<f64>, f64), CampaignError> {
        let mut taken = vec![0.0; self.field.start()];
        let mut losses = 0.0;
        let mut layer: BTreeMap<(Key, u32), f64> = BTreeMap::new();
        layer.insert(((0, self.field.start()), armies), 1.0);
        for _ in 0..self.field.start() {
            let mut next: BTreeMap<(Key, u32), f64> = BTreeMap::new();
            for ((key, armies), mass) in layer {
                if self.stop.is_raised() {
                    return Err(CampaignError::Stopped);
                }
                if self.is_done(key.0) || armies < 2 {
                    continue;
                }
                let Some((place, after)) = self.choice(key, armies) else {
                    continue;
                };
                let wins = &self.wins[place][armies as usize - 1];
                let mut lost = mass * f64::from(armies - 1);
                for (survivors, (p, (_, split))) in wins.iter().zip(&after).enumerate() {
                    let mass = mass * p;
                    if mass <= 0.0 {
                        continue;
                    }
                    taken[place] += mass;
                    lost -= mass * survivors as f64;
                    let stack = if split.moves_on { place } else { key.1 };
                    let key = (key.0 | 1 << place, stack);
                    *next.entry((key, split.stack)).or_insert(0.0) += mass;
                }
                losses += lost;
            }
            layer = next;
        }
        Ok((taken, losses))
    }

    /// The order of conquests if every battle ends as it most often does when won.
    fn main_line(&mut self, armies: u32, taken: &[f64]) -> Vec<CampaignStep> {
        let mut steps = Vec::new();
        let (mut key, mut armies) = ((0, self.field.start()), armies);
        while !self.is_done(key.0) && armies > 1 {
            let Some((place, after)) = self.choice(key, armies) else {
                break;
            };
            let wins = &self.wins[place][armies as usize - 1];
            // Of those ends from which the plan can go on.
            let open = wins.iter().zip(&after).enumerate();
            let open = open.filter(|(_, (_, (value, _)))| *value > 0.0);
            let likely = open.max_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b));
            let Some((_, (_, (_, split)))) = likely else {
                break;
            };
            steps.push(CampaignStep {
                territory: self.field.places[place],
                from: self.field.places[key.1],
                defenders: self.field.defenders[place],
                moves_on: split.moves_on,
                garrison: split.garrison,
                taken: taken[place],
            });
            armies = split.stack;
            key = (
                key.0 | 1 << place,
                if split.moves_on { place } else { key.1 },
            );
        }
        steps
    }
}

/// The chances of winning with each number of survivors, for every number of fighters.
/// Rows of nothing once it is stopped.
fn all_wins(law: BattleLaw, defenders: u32, most: u32, stop: &Stop) -> Wins {
    let row = |fighters: u32| {
        let mut row = vec![0.0; fighters as usize + 1];
        if stop.is_raised() {
            return row;
        }
        for end in law.distribution(fighters, defenders).outcomes() {
            if end.is_win() {
                row[end.fighters as usize] += end.probability;
            }
        }
        row
    };
    (0..=most).map(row).collect()
}

#[cfg(test)]
mod tests;
