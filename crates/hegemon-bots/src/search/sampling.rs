//! Uniform samplers of Brand and Kroon 2014 (docs/spec/sampling.md 5.4):
//! recruitments by stars and bars, every other kind of move by prefix sums and
//! binary search.

use std::ops::ControlFlow;

use hegemon_core::{Move, MoveGroup, PlayerId, Rng, State, TerritorySet};

use super::action::Allocation;

/// The territories and the number of armies to place in a state.
pub(crate) fn placement(state: &State) -> (TerritorySet, u32) {
    if state.to_place() > 0 {
        (state.board().owned(state.player()), state.to_place())
    } else {
        let neutral = state.board().owned(PlayerId::NEUTRAL);
        (neutral, state.neutral_to_place())
    }
}

/// The number of ways to place `armies` on `n_territories`:
/// `C(armies + n - 1, armies)`, or `u128::MAX` if that is too large a number.
///
/// ```
/// use hegemon_bots::search::n_allocations;
/// assert_eq!(n_allocations(7, 21), 888_030);
/// assert_eq!(n_allocations(3, 3), 10);
/// ```
pub fn n_allocations(armies: u32, n_territories: usize) -> u128 {
    if n_territories == 0 {
        return u128::from(armies == 0);
    }
    let total = u128::from(armies) + n_territories as u128 - 1;
    let chosen = u128::from(armies).min(n_territories as u128 - 1);
    let mut count = 1u128;
    for step in 1..=chosen {
        // Exact at every step: a product of `step` neighbours has this divisor.
        match count.checked_mul(total - chosen + step) {
            Some(product) => count = product / step,
            None => return u128::MAX,
        }
    }
    count
}

/// One of all ways to place `armies` on some territories, each equally likely.
///
/// Stars and bars: the armies are stars, and the bars separate the territories.
/// Choosing the places of the stars among `armies + n - 1` (or those of the
/// bars, whichever are fewer) uniformly is choosing the allocation uniformly.
/// Floyd's method draws them without repetition.
pub fn sample_allocation(territories: TerritorySet, armies: u32, rng: &mut Rng) -> Allocation {
    let n = territories.len();
    let total = armies as usize + n - 1;
    let mut counts = [0u32; hegemon_core::MAX_TERRITORIES];
    if total <= 128 {
        let by_stars = (armies as usize) < n;
        let places = draw_places(total, if by_stars { armies as usize } else { n - 1 }, rng);
        let stars = if by_stars {
            places
        } else {
            TerritorySet::first_n(total) - places
        };
        for (n_before, place) in stars.iter().enumerate() {
            counts[place.index() - n_before] += 1;
        }
    } else {
        let bars = draw_many_places(total as u32, n - 1, rng);
        let mut start = 0;
        for (idx, &bar) in bars.iter().enumerate() {
            counts[idx] = bar - start;
            start = bar + 1;
        }
        counts[n - 1] = total as u32 - start;
    }
    let placed = territories
        .iter()
        .zip(counts)
        .filter(|&(_, count)| count > 0);
    Allocation::new(placed.collect())
}

/// `k` different places below `total` (at most 128), every set equally likely
/// (Floyd; Bentley 1987).
fn draw_places(total: usize, k: usize, rng: &mut Rng) -> TerritorySet {
    let mut bits = 0u128;
    for last in total - k..total {
        let place = rng.below(last as u32 + 1);
        let place = if bits >> place & 1 == 1 {
            last as u32
        } else {
            place
        };
        bits |= 1 << place;
    }
    TerritorySet::from_bits(bits)
}

/// The same for any total, sorted.
fn draw_many_places(total: u32, k: usize, rng: &mut Rng) -> Vec<u32> {
    let mut places: Vec<u32> = Vec::with_capacity(k);
    for last in total - k as u32..total {
        let place = rng.below(last + 1);
        match places.binary_search(&place) {
            Err(slot) => places.insert(slot, place),
            // Larger than all before it.
            Ok(_) => places.push(last),
        }
    }
    places
}

/// Calls `visit` with every way to place the armies, in a fixed order.
pub fn for_each_allocation(
    territories: TerritorySet,
    armies: u32,
    visit: &mut impl FnMut(Allocation),
) {
    let mut placed = Vec::new();
    allocate(territories, armies, &mut placed, visit);
}

fn allocate(
    mut rest: TerritorySet,
    armies: u32,
    placed: &mut Vec<(hegemon_core::TerritoryId, u32)>,
    visit: &mut impl FnMut(Allocation),
) {
    let Some(first) = rest.first() else {
        if armies == 0 {
            visit(Allocation::new(placed.clone()));
        }
        return;
    };
    rest.remove(first);
    let fewest = if rest.is_empty() { armies } else { 0 };
    for here in (fewest..=armies).rev() {
        if here > 0 {
            placed.push((first, here));
        }
        allocate(rest, armies - here, placed, visit);
        if here > 0 {
            placed.pop();
        }
    }
}

/// The legal moves of a state that is not at a placement, to be counted, listed
/// and drawn from without a list.
///
/// A group is a source with its targets and numbers of armies; `ends` are the
/// prefix sums of their sizes. A uniform number below the sum selects a group
/// by binary search, and the remainder selects the move in it: the paper's
/// sampler of manoeuvres, for every kind of move.
#[derive(Clone, Debug, Default)]
pub struct MovePool {
    groups: Vec<MoveGroup>,
    ends: Vec<u64>,
}

impl MovePool {
    /// The moves of a state. Unless `all_commitments`, attacks use the maximum
    /// that the rules allow.
    pub fn of(state: &State, all_commitments: bool) -> MovePool {
        // Most groups are of one own territory each.
        let n_groups = state.board().n_owned(state.player()) + 1;
        let mut pool = MovePool {
            groups: Vec::with_capacity(n_groups),
            ends: Vec::with_capacity(n_groups),
        };
        let mut end = 0;
        state.for_each_group(|group| {
            let group = match group {
                MoveGroup::Attack(from, targets, range) if !all_commitments => {
                    MoveGroup::Attack(from, targets, *range.end()..=*range.end())
                }
                group => group,
            };
            end += group.n_moves() as u64;
            pool.groups.push(group);
            pool.ends.push(end);
            ControlFlow::Continue(())
        });
        pool
    }

    /// How many moves there are.
    pub fn n_moves(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// A uniformly random move; `None` if there is none.
    pub fn sample(&self, rng: &mut Rng) -> Option<Move> {
        if self.n_moves() == 0 {
            return None;
        }
        let number = rng.below_u64(self.n_moves());
        let idx = self.ends.partition_point(|&end| end <= number);
        let before = if idx == 0 { 0 } else { self.ends[idx - 1] };
        self.groups[idx].nth((number - before) as usize)
    }

    /// Calls `visit` with every move.
    pub fn for_each(&self, mut visit: impl FnMut(Move)) {
        for group in &self.groups {
            group.for_each_move(&mut visit);
        }
    }
}
