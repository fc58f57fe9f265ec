//! Placement and fortification by search, which the paper left as future work:
//! candidates are the base's own choice and those that serve the goals, each
//! valued by the search or the evaluation.

use std::sync::Arc;

use hegemon_core::{Move, MoveGroup, Phase, PlayerId, Rng, State, TerritoryId, TerritorySet, View};
use hegemon_search::Budget;

use super::bot::largest;
use super::goals::Goal;
use super::lookahead::Way;
use super::planner::Planner;
use super::value::Valuation;
use crate::bot::Bot;

/// Fronts tried for each goal.
const N_FRONTS: usize = 2;
/// Most moves of a base in one phase.
const MAX_MOVES: usize = 500;
/// Least gain of a fortification.
const LEAST_GAIN: f64 = 1e-6;

/// A placement, the attack that follows it, and its value by the trees.
struct PlacementPlan {
    moves: Vec<Move>,
    after: State,
    way: Way,
    value: f64,
}

/// The moves of the best placement, the next one last.
pub(super) fn place(
    planner: &Planner,
    base: &mut dyn Bot,
    state: &State,
    budget: Budget,
    rng: &mut Rng,
) -> Vec<Move> {
    let seed = rng.word();
    let valuation = Arc::new(planner.valuation(state));
    let me = state.player();
    let mut candidates: Vec<(Vec<Move>, Vec<Goal>)> = Vec::new();
    if let Some(moves) = base_moves(planner, base, state, Phase::Reinforce) {
        let after = played(state, &moves);
        let goals = Goal::sensible(&after, planner.params.goals, planner.params.odds);
        candidates.push((moves, goals));
    }
    for (territory, goals) in fronts(planner, state, me) {
        let armies = state.to_place();
        candidates.push((vec![Move::Place { territory, armies }], goals));
    }
    let n_trees: usize = candidates.iter().map(|(_, goals)| goals.len()).sum();
    let budget = match budget {
        Budget::Time(time) => Budget::Time(time / n_trees.max(1) as u32),
        budget => budget,
    };
    let mut found: Vec<PlacementPlan> = Vec::new();
    for (n, (moves, goals)) in candidates.into_iter().enumerate() {
        let after = played(state, &moves);
        if after.phase() != Phase::Attack {
            continue;
        }
        let share = match budget {
            Budget::Time(time) => Budget::Time(time * goals.len().max(1) as u32),
            budget => budget,
        };
        let plans = planner.plans(&after, &goals, &valuation, share, seed);
        let mut placement = PlacementPlan {
            value: valuation.value(&after, me),
            way: Way::Stop,
            moves,
            after,
        };
        for plan in plans.into_iter().flatten() {
            if plan.value > placement.value && plan.mv != Move::End {
                placement.value = plan.value;
                placement.way = Way::Pursue(plan.goal, Some(plan.mv));
            }
        }
        if n == 0 && planner.lookahead.is_some() {
            found.push(PlacementPlan {
                value: f64::INFINITY,
                way: Way::Base,
                moves: placement.moves.clone(),
                after: placement.after.clone(),
            });
        }
        found.push(placement);
    }
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chosen = match &planner.lookahead {
        None => 0,
        Some(lookahead) => {
            found.truncate(1 + planner.params.n_compared);
            let ways: Vec<(&State, Way)> = found.iter().map(|p| (&p.after, p.way)).collect();
            let phase = planner.phase(state, Goal::Card, &valuation);
            largest(&lookahead.values(&ways, &phase, rng))
        }
    };
    let mut moves = match found.into_iter().nth(chosen) {
        Some(placement) => placement.moves,
        None => Vec::new(),
    };
    moves.reverse();
    moves
}

/// Territories to place everything on, with the goals that this serves: for
/// each goal those next to its targets with the most armies, and the borders of
/// own continents.
fn fronts(planner: &Planner, state: &State, me: PlayerId) -> Vec<(TerritoryId, Vec<Goal>)> {
    let (board, map) = (state.board(), state.game().map());
    let frontier = board.frontier(map, me);
    let mut fronts: Vec<(TerritoryId, Vec<Goal>)> = Vec::new();
    let mut add = |territory: TerritoryId, goal: Option<Goal>| match fronts
        .iter_mut()
        .find(|(known, _)| *known == territory)
    {
        Some((_, goals)) => goals.extend(goal),
        None => fronts.push((territory, goal.into_iter().collect())),
    };
    // As if every front had the new armies.
    let mut armed = Vec::new();
    for territory in frontier {
        let mut after = state.clone();
        after.play_unchecked(Move::Place {
            territory,
            armies: state.to_place(),
        });
        armed.push((territory, after));
    }
    for goal in Goal::all(state, planner.params.goals) {
        let mut found: Vec<(TerritoryId, f64)> = Vec::new();
        let mut scratch = Vec::new();
        for (territory, after) in &armed {
            if let Some(odds) = goal.best_odds_from(after, *territory, &mut scratch)
                && odds >= planner.params.odds
            {
                found.push((
                    *territory,
                    odds + 1e-3 * f64::from(after.board().armies(*territory)),
                ));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (territory, _) in found.into_iter().take(N_FRONTS) {
            add(territory, Some(goal));
        }
    }
    let mut guarded = TerritorySet::EMPTY;
    for continent in map.continents() {
        if board.owns_continent(map, me, continent) {
            guarded |= map.continent(continent).borders & frontier;
        }
    }
    for territory in guarded {
        add(territory, None);
    }
    fronts
}

/// The base's moves until the phase ends; none if it forfeits, makes an illegal
/// move or is stopped.
fn base_moves(
    planner: &Planner,
    base: &mut dyn Bot,
    state: &State,
    phase: Phase,
) -> Option<Vec<Move>> {
    let (mut state, me) = (state.clone(), state.player());
    let mut moves = Vec::new();
    while state.phase() == phase && state.player() == me && moves.len() < MAX_MOVES {
        if !moves.is_empty() && planner.params.grants.stop.is_raised() {
            return None;
        }
        let mv = base.choose(View::of_mover(&state)).ok()?;
        if !state.is_legal(mv) {
            return None;
        }
        moves.push(mv);
        if mv == Move::End {
            break;
        }
        state.play_unchecked(mv);
    }
    Some(moves)
}

fn played(state: &State, moves: &[Move]) -> State {
    let mut after = state.clone();
    for &mv in moves.iter().filter(|mv| **mv != Move::End) {
        after.play_unchecked(mv);
    }
    after
}

/// The moves of the best fortification, the next one last: the base's, the
/// steepest ascent of the evaluation, or the first followed by the second.
pub(super) fn fortify(
    planner: &Planner,
    base: &mut dyn Bot,
    state: &State,
    rng: &mut Rng,
) -> Vec<Move> {
    let valuation = Arc::new(planner.valuation(state));
    let me = state.player();
    let mut ways: Vec<Vec<Move>> = vec![climb(planner, &valuation, state, me)];
    if let Some(mut moves) = base_moves(planner, base, state, Phase::Fortify) {
        moves.retain(|mv| *mv != Move::End);
        let after = played(state, &moves);
        if after.phase() == Phase::Fortify && after.player() == me {
            let more = climb(planner, &valuation, &after, me);
            if !more.is_empty() {
                ways.push(moves.iter().copied().chain(more).collect());
            }
        }
        if !ways.contains(&moves) {
            ways.push(moves);
        }
    }
    let ends: Vec<State> = ways.iter().map(|moves| played(state, moves)).collect();
    let values = match &planner.lookahead {
        Some(lookahead) if ends.len() > 1 => {
            let ended: Vec<State> = ends.into_iter().map(|end| turn_ended(end, me)).collect();
            let ways: Vec<(&State, Way)> = ended.iter().map(|end| (end, Way::Base)).collect();
            let phase = planner.phase(state, Goal::Card, &valuation);
            lookahead.values(&ways, &phase, rng)
        }
        _ => ends.iter().map(|end| valuation.value(end, me)).collect(),
    };
    let mut best = ways.swap_remove(largest(&values));
    best.push(Move::End);
    best.reverse();
    best
}

fn turn_ended(mut state: State, me: PlayerId) -> State {
    if state.phase() == Phase::Fortify && state.player() == me {
        state.play_unchecked(Move::End);
    }
    state
}

/// Single moves that raise the value, the best first each time.
fn climb(planner: &Planner, valuation: &Valuation, state: &State, me: PlayerId) -> Vec<Move> {
    let stop = &planner.params.grants.stop;
    let mut state = state.clone();
    let mut moves = Vec::new();
    let mut value = valuation.value(&state, me);
    while moves.len() < MAX_MOVES && state.phase() == Phase::Fortify && state.player() == me {
        if stop.is_raised() {
            break;
        }
        let mut best: Option<(Move, f64)> = None;
        for mv in shifts(&state) {
            let mut after = state.clone();
            after.play_unchecked(mv);
            let gained = valuation.value(&after, me);
            if gained > best.map_or(value + LEAST_GAIN, |(_, known)| known) {
                best = Some((mv, gained));
            }
        }
        let Some((mv, gained)) = best else {
            break;
        };
        state.play_unchecked(mv);
        moves.push(mv);
        value = gained;
    }
    moves
}

/// Fortifications with all armies that may move, or half of them.
fn shifts(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    for group in state.legal_groups() {
        let MoveGroup::Fortify(from, targets, range) = group else {
            continue;
        };
        for to in targets {
            let most = *range.end();
            moves.push(Move::Fortify {
                from,
                to,
                armies: most,
            });
            if most > 1 {
                let armies = most / 2;
                moves.push(Move::Fortify { from, to, armies });
            }
        }
    }
    moves
}
