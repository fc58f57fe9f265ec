//! Budgets, threads, reuse of the tree, discount, reports.

use std::time::Duration;

use hegemon_core::Rng;
use hegemon_search::{
    Backup, Budget, Discount, FinalMove, Leaf, MctsParams, Player, Step, Threads, TreePolicy,
};

use crate::games::{
    BattleAction, BattlePhase, BattleState, Dawdle, Lottery, LotteryState, OneFrontBattle,
    TicTacToe, TreeGame,
};
use crate::{plain, search, visits};

const ONE: Player = Player(0);
const BATTLE: OneFrontBattle = OneFrontBattle { stop_pay: 0.1 };
const FRONT: BattleState = (5, 4, BattlePhase::Decide);

fn with_threads(threads: Threads) -> MctsParams {
    MctsParams {
        threads,
        ..MctsParams::paper(2)
    }
}

#[test]
fn one_thread_and_root_parallelism_are_reproducible() {
    for threads in [Threads::One, Threads::Root(2), Threads::Root(3)] {
        let run = |seed| search(BATTLE, with_threads(threads), FRONT, 3_001, seed);
        assert_eq!(run(1), run(1), "{threads:?}");
        assert_ne!(run(1).children, run(2).children, "{threads:?}");
        assert_eq!(run(1).iterations, 3_001);
    }
}

#[test]
fn threads_search_the_same_law() {
    let alone = search(BATTLE, with_threads(Threads::One), FRONT, 40_000, 1);
    for threads in [
        Threads::Root(2),
        Threads::Tree {
            threads: 2,
            virtual_loss: 1,
        },
    ] {
        let report = search(BATTLE, with_threads(threads), FRONT, 40_000, 2);
        assert_eq!(report.iterations, 40_000);
        let total: u64 = report.children.iter().map(|child| child.visits).sum();
        assert_eq!(total, 40_000, "no visit is lost or left pending");
        assert_eq!(report.best, alone.best);
        let difference = (report.values[ONE] - alone.values[ONE]).abs();
        assert!(difference < 0.02, "{threads:?}: {difference}");
    }
}

#[test]
fn a_shared_tree_holds_no_action_twice() {
    let game = Lottery {
        n_tickets: 200,
        chance: Some(500),
    };
    let params = with_threads(Threads::Tree {
        threads: 4,
        virtual_loss: 2,
    });
    let report = search(game, params, LotteryState::Buying, 20_000, 3);
    let mut actions: Vec<u64> = report.children.iter().map(|child| child.action).collect();
    let n = actions.len();
    actions.sort_unstable();
    actions.dedup();
    assert_eq!(actions.len(), n);
}

#[test]
fn searching_on_is_the_same_as_searching_longer() {
    let mut mcts = plain(BATTLE, with_threads(Threads::One), FRONT);
    let mut rng = Rng::stream(5, "search");
    mcts.search(Budget::Iterations(1_000), &mut rng);
    let parts = mcts.search(Budget::Iterations(1_000), &mut rng);
    let whole = search(BATTLE, with_threads(Threads::One), FRONT, 2_000, 5);
    assert_eq!(parts.children, whole.children);
    assert_eq!(parts.nodes, whole.nodes);
}

#[test]
fn the_final_move_may_be_the_best_value() {
    let game = TreeGame::random(2, 6, false, 3);
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    params.final_move = FinalMove::BestValue;
    let report = search(game, params, Vec::new(), 300, 1);
    let best = report.children.iter().map(|child| child.value);
    let best = best.fold(0.0, f64::max);
    let chosen = report.best.expect("a decision");
    let child = report.children.iter().find(|child| child.action == chosen);
    assert_eq!(child.expect("a child").value, best);
}

#[test]
fn rerooting_keeps_the_statistics() {
    for backup in [Backup::Mean, Backup::Minimax] {
        for threads in [Threads::One, Threads::Root(2)] {
            let params = MctsParams {
                backup,
                ..with_threads(threads)
            };
            let mut mcts = plain(BATTLE, params, FRONT);
            let mut rng = Rng::stream(1, "reroot");
            let report = mcts.search(Budget::Iterations(5_000), &mut rng);
            let nodes = mcts.n_nodes();
            let attacks = visits(&report, &BattleAction::Attack);
            assert!(mcts.advance(&BattleAction::Attack));
            assert_eq!(mcts.root_visits(), attacks);
            assert!(mcts.advance_outcome((1, 1)));
            assert_eq!(*mcts.root(), (4, 3, BattlePhase::Decide));
            assert!(mcts.n_nodes() < nodes);
            // About a third of the rolls, by the battle law.
            let kept = mcts.root_visits() as f64 / attacks as f64;
            assert!((kept - 2611.0 / 7776.0).abs() < 0.04, "{kept}");
            let now = mcts.search(Budget::Iterations(0), &mut rng);
            assert!((now.values[ONE] - 0.62).abs() < 0.15, "{:?}", now.values);
            let then = mcts.search(Budget::Iterations(1_000), &mut rng);
            let before: u64 = now.children.iter().map(|child| child.visits).sum();
            let after: u64 = then.children.iter().map(|child| child.visits).sum();
            assert_eq!(after, before + 1_000);
        }
    }
}

#[test]
fn an_unknown_move_starts_afresh() {
    let mut mcts = plain(BATTLE, MctsParams::paper(1), FRONT);
    assert!(!mcts.advance(&BattleAction::Attack));
    assert_eq!(mcts.n_nodes(), 1);
    assert!(!mcts.advance_outcome((0, 2)));
    assert_eq!(*mcts.root(), (5, 2, BattlePhase::Decide));
    mcts.reset(FRONT);
    assert_eq!(*mcts.root(), FRONT);
}

#[test]
fn a_root_at_chance_can_be_searched() {
    let root = (5, 4, BattlePhase::Roll);
    let report = search(BATTLE, MctsParams::paper(1), root, 30_000, 1);
    assert_eq!(report.best, None);
    assert!(
        (report.values[ONE] - 0.64).abs() < 0.04,
        "{:?}",
        report.values
    );
}

#[test]
fn without_a_discount_a_won_game_is_put_off() {
    let game = Dawdle { patience: 6 };
    let value = |params: &MctsParams, action: bool| {
        let report = search(game, params.clone(), (0, false), 2_000, 1);
        let child = report.children.iter().find(|child| child.action == action);
        child.expect("both are tried").value
    };
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    assert_eq!(
        value(&params, false),
        value(&params, true),
        "no reason to finish"
    );
    params.discount = Some(Discount {
        per_turn: 0.9,
        neutral: None,
    });
    assert_eq!(value(&params, true), 1.0);
    // At best the win comes a turn later: 0.5 + 0.9 * 0.5.
    assert!(value(&params, false) <= 0.95 + 1e-9);
    let report = search(game, params, (0, false), 2_000, 1);
    assert_eq!(report.best, Some(true));
}

#[test]
fn leaf_values_may_be_cut_or_evaluated() {
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    params.leaf = Leaf::Playout { cap: 1 };
    let report = search(TicTacToe, params.clone(), [0, 0], 200, 1);
    assert_eq!(report.capped, 200, "no opening playout ends after one move");
    params.leaf = Leaf::Truncated { decisions: 1 };
    let report = search(TicTacToe, params.clone(), [0, 0], 200, 1);
    assert_eq!(report.capped, 0, "cut on purpose");
    assert!(report.children.iter().all(|child| child.value == 0.5));
    params.leaf = Leaf::Evaluation;
    let report = search(TicTacToe, params, [0, 0], 200, 1);
    assert_eq!(report.estimates, 200);
}

#[test]
fn mixed_backups_converge_on_a_small_tree() {
    let game = TreeGame::random(4, 3, false, 2);
    let exact = TreeGame::value(&game.top)[0];
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    params.backup = Backup::Mixed { alpha: 0.5 };
    let report = search(game, params, Vec::new(), 20_000, 1);
    assert!(
        (report.values[ONE] - exact).abs() < 0.03,
        "{:?}",
        report.values
    );
}

#[test]
fn budgets_stop_the_search() {
    let mut rng = Rng::stream(1, "budget");
    let mut mcts = plain(BATTLE, MctsParams::paper(1), FRONT);
    let report = mcts.search(Budget::Nodes(50), &mut rng);
    assert!((50..60).contains(&report.nodes), "{}", report.nodes);
    // A tree that is complete cannot reach a million nodes.
    let report = mcts.search(Budget::Nodes(1_000), &mut rng);
    assert!(report.iterations <= 64_000);
    let report = mcts.search(Budget::Time(Duration::from_millis(20)), &mut rng);
    assert!(report.iterations > 0);
}

#[test]
fn a_full_tree_searches_on() {
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    params.max_nodes = 100;
    let report = search(TicTacToe, params, [0, 0], 5_000, 1);
    assert_eq!(report.iterations, 5_000);
    assert!(report.nodes < 110, "{}", report.nodes);
}

#[test]
fn reports_tell_the_line_and_the_memory() {
    let report = search(BATTLE, MctsParams::paper(2), FRONT, 20_000, 1);
    assert_eq!(report.line[0], Step::Action(BattleAction::Attack));
    assert!(matches!(report.line[1], Step::Outcome(_)));
    assert!(
        report
            .children
            .is_sorted_by_key(|child| std::cmp::Reverse(child.visits))
    );
    assert!(
        report.bytes_per_node() < 256.0,
        "{}",
        report.bytes_per_node()
    );
}
