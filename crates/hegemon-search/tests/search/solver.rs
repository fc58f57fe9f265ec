//! The exact solver on games with known answers.

use hegemon_search::{Discount, Player, SolveError, SolverParams, solve};

use crate::games::{Nim, Ruin, TicTacToe, TreeGame};

#[test]
fn tic_tac_toe_is_a_draw() {
    let solution = solve(&TicTacToe, &[0, 0], &SolverParams::default()).expect("a small game");
    assert_eq!(solution.n_states(), 5_478);
    assert_eq!(solution.values(&[0, 0]).expect("the root")[Player(0)], 0.5);
    assert!(solution.converged);
}

#[test]
fn nim_is_won_where_the_heaps_do_not_cancel() {
    let root = ([3, 4, 5], 0);
    let solution = solve(&Nim, &root, &SolverParams::default()).expect("a small game");
    assert_eq!(solution.best_action(&root), Some(&(0, 2)));
    for heaps in [[3, 4, 5], [1, 4, 5], [0, 2, 2], [1, 1, 1], [0, 3, 5]] {
        for mover in [0, 1] {
            let Some(values) = solution.values(&(heaps, mover)) else {
                continue;
            };
            let won = heaps.iter().fold(0, |sum, heap| sum ^ heap) != 0;
            assert_eq!(values[Player(mover)], f64::from(u8::from(won)), "{heaps:?}");
        }
    }
}

#[test]
fn endless_play_is_solved() {
    // Ruin of a gambler: (1 - r^i) / (1 - r^n) with r = q / p.
    let game = Ruin { total: 8, bias: 6 };
    let solution = solve(&game, &(3, false, 0), &SolverParams::default()).expect("a small game");
    assert!(solution.converged && solution.sweeps > 2);
    let ratio: f64 = 4.0 / 6.0;
    for coins in 1..8u32 {
        let exact = (1.0 - ratio.powi(coins as i32)) / (1.0 - ratio.powi(8));
        let values = solution.values(&(coins, false)).expect("reachable");
        assert!((values[Player(0)] - exact).abs() < 1e-9);
        assert!((values[Player(0)] + values[Player(1)] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_discount_draws_late_results_to_the_neutral_value() {
    let game = Ruin { total: 2, bias: 6 };
    let params = SolverParams {
        discount: Some(Discount {
            per_turn: 0.9,
            neutral: None,
        }),
        ..SolverParams::default()
    };
    let solution = solve(&game, &(1, false, 0), &params).expect("a small game");
    let value = solution.values(&(1, false)).expect("the root")[Player(0)];
    assert!(
        (value - (0.5 + 0.9 * 0.1)).abs() < 1e-12,
        "one throw: {value}"
    );
}

#[test]
fn trees_agree_with_recursion_and_limits_are_errors() {
    for seed in 0..5 {
        let game = TreeGame::random(5, 3, true, seed);
        let solution = solve(&game, &Vec::new(), &SolverParams::default()).expect("a small game");
        let values = solution.values(&Vec::new()).expect("the root");
        assert!((values[Player(0)] - TreeGame::value(&game.top)[0]).abs() < 1e-12);
    }
    let tight = SolverParams {
        max_states: 100,
        ..SolverParams::default()
    };
    let error = solve(&TicTacToe, &[0, 0], &tight).err();
    assert_eq!(error, Some(SolveError::TooManyStates(100)));
}
