//! Expectiminimax against exact values, with and without pruning.

use std::sync::Arc;

use hegemon_core::{Rng, mix};
use hegemon_search::{
    Domain, EmmParams, Evaluate, Expectiminimax, Hooks, OpponentModel, Player, Pruning,
    SolverParams, Values, solve,
};

use crate::games::{
    BattleAction, BattlePhase, Lottery, LotteryState, OneFrontBattle, TicTacToe, TreeGame,
};

const STAR1: Pruning = Pruning::Star1 {
    lowest: 0.0,
    highest: 1.0,
};

fn full(depth: u32, pruning: Pruning) -> EmmParams {
    EmmParams {
        depth,
        width: 1_000,
        pruning,
        ..EmmParams::default()
    }
}

fn run<G: Domain>(
    game: G,
    hooks: Hooks<G>,
    params: EmmParams,
    root: &G::State,
) -> hegemon_search::EmmReport<G::Action> {
    Expectiminimax::new(game, hooks, params).search(root, &mut Rng::from_seed(1))
}

/// Pseudo-random but fixed values, so that leaves inside the tree differ.
struct Opinion;

impl Evaluate<TreeGame> for Opinion {
    fn values(&self, _: &TreeGame, state: &Vec<u8>) -> Values {
        let word = state
            .iter()
            .fold(7, |word, &step| mix(word ^ u64::from(step)));
        let value = (word % 1000) as f64 / 999.0;
        Values::new(&[value, 1.0 - value])
    }
}

fn opinion() -> Hooks<TreeGame> {
    Hooks {
        evaluate: Arc::new(Opinion),
        ..Hooks::default()
    }
}

#[test]
fn pruning_changes_nothing_but_the_effort() {
    let (mut pruned_nodes, mut all_nodes) = (0, 0);
    for seed in 0..60 {
        let chance = seed % 3 != 0;
        let game = TreeGame::random(6, 3, chance, seed);
        for depth in [2, 3, 5, 6] {
            let slow = run(
                game.clone(),
                opinion(),
                full(depth, Pruning::None),
                &Vec::new(),
            );
            let fast = run(game.clone(), opinion(), full(depth, STAR1), &Vec::new());
            assert_eq!(fast.best, slow.best, "tree {seed}, depth {depth}");
            let (fast_value, slow_value) = (fast.values[Player(0)], slow.values[Player(0)]);
            assert!(
                (fast_value - slow_value).abs() < 1e-12,
                "tree {seed}, depth {depth}"
            );
            assert!(fast.nodes <= slow.nodes);
            pruned_nodes += fast.nodes;
            all_nodes += slow.nodes;
        }
    }
    assert!(
        pruned_nodes * 4 < all_nodes * 3,
        "{pruned_nodes} of {all_nodes} nodes"
    );
}

#[test]
fn sampled_candidates_are_the_same_with_pruning() {
    for seed in 0..20 {
        let game = TreeGame::random(5, 6, true, seed);
        let mut params = EmmParams {
            depth: 5,
            width: 3,
            samples: 2,
            pruning: Pruning::None,
            ..EmmParams::default()
        };
        let slow = run(game.clone(), opinion(), params.clone(), &Vec::new());
        params.pruning = STAR1;
        let fast = run(game, opinion(), params, &Vec::new());
        assert_eq!(fast.best, slow.best);
        assert!((fast.values[Player(0)] - slow.values[Player(0)]).abs() < 1e-12);
        assert_eq!(slow.children.len(), 3);
    }
}

#[test]
fn full_depth_is_exact_on_trees_with_chance() {
    for seed in 0..10 {
        let game = TreeGame::random(6, 3, true, seed);
        let exact = TreeGame::value(&game.top);
        for opponents in [OpponentModel::MaxN, OpponentModel::Paranoid] {
            for pruning in [Pruning::None, STAR1] {
                let params = EmmParams {
                    opponents,
                    ..full(6, pruning)
                };
                let report = run(game.clone(), Hooks::default(), params, &Vec::new());
                assert!((report.values[Player(0)] - exact[0]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn battle_and_tic_tac_toe_have_their_exact_values() {
    let battle = OneFrontBattle { stop_pay: 0.1 };
    let root = (5, 4, BattlePhase::Decide);
    let solution = solve(&battle, &root, &SolverParams::default()).expect("a small game");
    let exact = solution.values(&root).expect("the root")[Player(0)];
    for pruning in [Pruning::None, STAR1] {
        let report = run(battle, Hooks::default(), full(20, pruning), &root);
        assert_eq!(report.best, Some(BattleAction::Attack));
        assert!((report.values[Player(0)] - exact).abs() < 1e-12);
    }
    let report = run(TicTacToe, Hooks::default(), full(9, STAR1), &[0, 0]);
    assert_eq!(report.values[Player(0)], 0.5);
    assert!(report.cuts > 0);
}

/// Knows nothing; chance is averaged by the default action value.
struct Blank;

impl Evaluate<Lottery> for Blank {
    fn values(&self, _: &Lottery, _: &LotteryState) -> Values {
        Values::new(&[0.5])
    }
}

#[test]
fn candidates_of_a_huge_decision_are_the_best_of_their_samples() {
    let game = Lottery {
        n_tickets: 888_030,
        chance: None,
    };
    let hooks = Hooks {
        evaluate: Arc::new(Blank),
        ..Hooks::default()
    };
    let report = run(game, hooks, EmmParams::default(), &LotteryState::Buying);
    assert_eq!(report.children.len(), 10);
    let worst = report
        .children
        .iter()
        .map(|child| game.quality(child.action))
        .min();
    assert!(worst.expect("candidates") > 850, "each is the best of 50");
}
