//! Uniformity (docs/spec/sampling.md 5.4).

use std::collections::BTreeMap;
use std::fmt::Debug;

use hegemon_core::{Phase, Rng, State, TerritoryId, TerritorySet};
use hegemon_search::{Domain, Evaluate, Player, expected_value, key_of};

use super::{game, random_state};
use crate::search::sampling::{for_each_allocation, n_allocations, sample_allocation};
use crate::search::{Allocation, MovePool, RiskAction, RiskEvaluation, RiskGame};

/// Draws and compares with the uniform law over `all`: the chi-square statistic
/// less its mean, in standard deviations. A fixed seed makes this exact.
fn deviation<T: Ord + Debug>(all: &[T], n_draws: u32, mut draw: impl FnMut() -> T) -> f64 {
    let mut counts: BTreeMap<T, u32> = BTreeMap::new();
    for _ in 0..n_draws {
        *counts.entry(draw()).or_default() += 1;
    }
    assert!(
        counts.keys().all(|drawn| all.contains(drawn)),
        "only what exists is drawn"
    );
    let expected = f64::from(n_draws) / all.len() as f64;
    let chi2: f64 = all
        .iter()
        .map(|item| {
            let count = f64::from(counts.get(item).copied().unwrap_or(0));
            (count - expected).powi(2) / expected
        })
        .sum();
    let freedom = all.len() as f64 - 1.0;
    (chi2 - freedom) / (2.0 * freedom).sqrt()
}

fn listed(territories: TerritorySet, armies: u32) -> Vec<Vec<(TerritoryId, u32)>> {
    let mut all = Vec::new();
    for_each_allocation(territories, armies, &mut |a| all.push(a.placed().to_vec()));
    all
}

#[test]
fn recruitments_are_counted_exactly() {
    assert_eq!(
        n_allocations(7, 21),
        888_030,
        "not 880070 as the paper has it"
    );
    assert_eq!(n_allocations(3, 3), 10);
    assert_eq!(n_allocations(5, 1), 1);
    assert_eq!(n_allocations(1, 42), 42);
    assert_eq!(n_allocations(0, 4), 1);
    assert_eq!(n_allocations(30_000, 128), u128::MAX, "saturates");
    for (armies, n) in [(4, 3), (2, 6), (6, 2), (5, 5)] {
        let all = listed(TerritorySet::first_n(n), armies);
        assert_eq!(all.len() as u128, n_allocations(armies, n));
        let mut different = all.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), all.len());
        let total = |a: &Vec<(TerritoryId, u32)>| a.iter().map(|p| p.1).sum::<u32>();
        assert!(
            all.iter()
                .all(|a| total(a) == armies && a.iter().all(|p| p.1 > 0))
        );
    }
}

#[test]
fn recruitments_are_uniform() {
    let mut rng = Rng::from_seed(11);
    for (armies, n) in [(3, 3), (2, 5), (7, 3), (4, 4)] {
        let territories = TerritorySet::first_n(n);
        let all = listed(territories, armies);
        let draw = || {
            sample_allocation(territories, armies, &mut rng)
                .placed()
                .to_vec()
        };
        let off = deviation(&all, 40_000, draw);
        assert!(off.abs() < 3.0, "{armies} on {n}: {off} deviations");
    }
}

#[test]
fn three_on_three_is_a_tenth_each() {
    let mut rng = Rng::from_seed(5);
    let territories = TerritorySet::first_n(3);
    let (mut in_one, mut spread) = (0u32, 0u32);
    for _ in 0..30_000 {
        let allocation = sample_allocation(territories, 3, &mut rng);
        let placed = allocation.placed();
        in_one += u32::from(placed == [(TerritoryId::new(0), 3)]);
        spread += u32::from(placed.len() == 3);
    }
    // Placing armies one by one would give 1/27 and 6/27.
    let four_deviations = 4.0 * (30_000.0 * 0.09f64).sqrt();
    assert!(
        (f64::from(in_one) - 3000.0).abs() < four_deviations,
        "{in_one}"
    );
    assert!(
        (f64::from(spread) - 3000.0).abs() < four_deviations,
        "{spread}"
    );
}

#[test]
fn large_recruitments_are_uniform_too() {
    // Beyond 128 stars and bars another path draws; two territories show it.
    let mut rng = Rng::from_seed(3);
    let territories = TerritorySet::first_n(2);
    let all: Vec<u32> = (0..=150).collect();
    let off = deviation(&all, 60_000, || {
        let allocation = sample_allocation(territories, 150, &mut rng);
        let first = allocation
            .placed()
            .iter()
            .find(|p| p.0 == TerritoryId::new(0));
        first.map_or(0, |p| p.1)
    });
    assert!(off.abs() < 3.0, "{off} deviations");
}

fn uniform_at(state: &State, risk: &RiskGame, n_draws: u32) {
    let mut actions = Vec::new();
    risk.actions(state, &mut actions);
    assert_eq!(
        risk.n_actions(state),
        actions.len() as u128,
        "{:?}",
        state.phase()
    );
    let mut keys: Vec<u64> = actions.iter().map(key_of).collect();
    keys.sort_unstable();
    let n = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), n, "no action twice");
    let mut rng = Rng::from_seed(n as u64);
    if n > 1 {
        let off = deviation(&keys, n_draws, || {
            key_of(&risk.sample_action(state, &mut rng))
        });
        assert!(
            off.abs() < 4.0,
            "{:?} with {n}: {off} deviations",
            state.phase()
        );
    }
}

#[test]
fn attacks_occupations_and_manoeuvres_are_uniform() {
    let mut met = [false; 3];
    for (preset, n_players) in [("sampling", 2), ("lux", 3), ("classic", 3)] {
        let game = game("duel6", preset, n_players);
        for risk in [RiskGame::new(&game), RiskGame::exact(&game)] {
            for seed in 0..60 {
                let state = random_state(&game, seed, 20 + seed as u32);
                match state.phase() {
                    Phase::Attack => met[0] = true,
                    Phase::Occupy => met[1] = true,
                    Phase::Fortify => met[2] = true,
                    _ => continue,
                }
                uniform_at(&state, &risk, 4000);
            }
        }
    }
    assert_eq!(met, [true; 3], "every kind was met");
}

#[test]
fn manoeuvres_are_counted_as_the_paper_counts_them() {
    // Sum over ordered pairs of one region of the armies that may move, plus none.
    let game = game("line4", "sampling", 2);
    let position = "board=a3a1b2b1 phase=fortify player=0 round=1";
    let state = State::from_position(&game, position).expect("a position");
    assert_eq!(RiskGame::new(&game).n_actions(&state), 3);
    let position = "board=a3a4a2b1 phase=fortify player=0 round=1";
    let state = State::from_position(&game, position).expect("a position");
    assert_eq!(RiskGame::new(&game).n_actions(&state), 2 * (2 + 3 + 1) + 1);
    assert_eq!(MovePool::of(&state, false).n_moves(), 13);
}

#[test]
fn batched_values_equal_values_from_scratch() {
    let weights = hegemon_eval::Weights::builtin("default").expect("shipped");
    let game = game("classic", "sampling", 2);
    let risk = RiskGame::new(&game);
    let evaluator = std::sync::Arc::new(hegemon_eval::Evaluator::for_game(&game, &weights));
    let evaluation = RiskEvaluation::new(std::sync::Arc::clone(&evaluator));
    let mut rng = Rng::from_seed(8);
    for seed in 0..20 {
        let state = random_state(&game, seed, 10 * seed as u32);
        let hegemon_search::NodeKind::Decision(mover) = risk.kind(&state) else {
            continue;
        };
        let mut actions = Vec::new();
        risk.sample_actions(&state, 20, &mut rng, &mut actions);
        let mut fast = Vec::new();
        evaluation.action_values(&risk, &state, mover, &actions, &mut fast);
        for (action, fast) in actions.iter().zip(fast) {
            if matches!(action, RiskAction::Play(hegemon_core::Move::Attack { .. })) {
                continue;
            }
            let mut next = state.clone();
            risk.play(&mut next, action);
            let stage = hegemon_eval::Stage::of(state.phase());
            let slow = evaluator.evaluate(next.board(), state.player(), stage);
            assert!((fast - slow).abs() < 1e-9, "{action:?}");
        }
    }
    let state = game.deal(1);
    let shares = expected_value(&evaluation, &risk, &state, Player(0))
        + expected_value(&evaluation, &risk, &state, Player(1));
    assert!((shares - 1.0).abs() < 1e-12);
}

#[test]
fn an_allocation_leaves_its_largest_group_last() {
    let place = |n, armies| (TerritoryId::new(n), armies);
    let one = Allocation::new(vec![place(2, 5), place(7, 1), place(4, 2)]);
    let other = Allocation::new(vec![place(7, 1), place(4, 2), place(2, 5)]);
    assert_eq!(one, other);
    assert_eq!(one.placed().last(), Some(&place(2, 5)));
}
