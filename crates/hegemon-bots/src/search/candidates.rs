//! The few promising moves of a decision.

use hegemon_core::{Move, MoveGroup, Phase, State, TerritoryId, TerritorySet};

use super::action::{Allocation, RiskAction};
use super::sampling::{MovePool, placement};

/// Fronts among which the armies of one placement are also split.
const N_SPLIT: usize = 4;
/// Most sources of fortifications considered.
const N_SOURCES: usize = 6;

/// The candidate actions of a decision, at least one, none twice.
///
/// Placements: all on each territory of the frontier, and halves on pairs of
/// the fronts with the best ratio of armies; attacks: all, at full strength;
/// occupations: fewest, half, all; fortifications: from the largest groups,
/// nearly all or half of them to each front in reach; all other moves.
pub fn candidates(state: &State) -> Vec<RiskAction> {
    match state.phase() {
        Phase::Setup | Phase::Reinforce => placements(state),
        Phase::Occupy => occupations(state),
        Phase::Fortify => fortifications(state),
        _ => {
            let mut actions = Vec::new();
            MovePool::of(state, false).for_each(|mv| actions.push(RiskAction::Play(mv)));
            actions
        }
    }
}

/// The territories with a foe next to them, weakest foes first in proportion.
fn fronts(state: &State, own: TerritorySet) -> Vec<TerritoryId> {
    let (board, map) = (state.board(), state.game().map());
    let mut fronts: Vec<(f64, TerritoryId)> = Vec::new();
    for territory in own {
        let foes = board.enemy_neighbors(map, territory);
        let armies: u32 = foes.iter().map(|t| board.armies(t)).sum();
        if !foes.is_empty() {
            let ratio = f64::from(board.armies(territory)) / f64::from(armies.max(1));
            fronts.push((ratio, territory));
        }
    }
    fronts.sort_by(|a, b| b.0.total_cmp(&a.0));
    fronts.into_iter().map(|(_, territory)| territory).collect()
}

fn placements(state: &State) -> Vec<RiskAction> {
    let (territories, armies) = placement(state);
    let mut fronts = fronts(state, territories);
    if fronts.is_empty() {
        fronts.extend(territories);
    }
    let all_on = |&territory: &_| RiskAction::all_on(territory, armies);
    let mut actions: Vec<RiskAction> = fronts.iter().map(all_on).collect();
    let few = &fronts[..fronts.len().min(N_SPLIT)];
    if armies > 1 {
        for (n, &first) in few.iter().enumerate() {
            for &second in &few[n + 1..] {
                let half = armies / 2;
                let split = vec![(first, armies - half), (second, half)];
                actions.push(RiskAction::Recruit(Allocation::new(split)));
            }
        }
    }
    actions
}

fn occupations(state: &State) -> Vec<RiskAction> {
    let (fewest, most) = (state.fewest_to_move_in(), state.most_to_move_in());
    let mut counts = vec![most, fewest.midpoint(most), fewest];
    counts.dedup();
    let occupy = |armies| RiskAction::Play(Move::Occupy { armies });
    counts.into_iter().map(occupy).collect()
}

fn fortifications(state: &State) -> Vec<RiskAction> {
    let (board, map, seat) = (state.board(), state.game().map(), state.player());
    let frontier = board.frontier(map, seat);
    let mut groups = state.legal_groups();
    // Armies that stand behind the front come first, larger groups before
    // smaller ones.
    groups.sort_by_key(|group| match group {
        MoveGroup::Fortify(from, _, range) => {
            (frontier.contains(*from), std::cmp::Reverse(*range.end()))
        }
        _ => (false, std::cmp::Reverse(u32::MAX)),
    });
    let mut actions = vec![RiskAction::Play(Move::End)];
    for group in groups.into_iter().take(N_SOURCES + 1) {
        let MoveGroup::Fortify(from, targets, range) = group else {
            continue;
        };
        // If no front is in reach, a step towards one may be.
        let near = targets & frontier;
        let targets = if near.is_empty() && !frontier.contains(from) {
            targets
        } else {
            near
        };
        let most = *range.end();
        for to in targets {
            for armies in [most, most / 2] {
                if armies > 0 && !(armies < most && frontier.contains(from) && most < 4) {
                    actions.push(RiskAction::Play(Move::Fortify { from, to, armies }));
                }
            }
        }
    }
    actions.dedup();
    actions
}
