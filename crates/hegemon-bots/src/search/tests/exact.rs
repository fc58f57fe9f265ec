//! On maps small enough to solve, search finds the solver's value and move.

use std::sync::Arc;

use hegemon_core::{Game, Map, Rng, Rules, State};
use hegemon_search::{
    Backup, Budget, Discount, Domain as _, Enumerable, Hooks, Leaf, Mcts, MctsParams, NodeKind,
    Player, Solution, SolverParams, TreePolicy, solve,
};

use crate::search::{Base, BasePlayout, RiskGame};

fn tiny(map: &str, turn_limit: Option<u32>) -> Arc<Game> {
    let mut rules = Rules::preset("sampling").expect("shipped");
    rules.supply = 6;
    rules.initial_armies = hegemon_core::rules::InitialArmies::ByPlayers([4; 5]);
    rules.end.turn_limit = turn_limit;
    Game::new(Map::builtin(map).expect("shipped"), rules, 2).expect("a game")
}

fn solved(game: &RiskGame, root: &State, discount: Option<Discount>) -> Solution<RiskGame> {
    let params = SolverParams {
        discount,
        tolerance: 1e-10,
        ..SolverParams::default()
    };
    let solution = solve(game, root, &params).expect("tiny enough");
    assert!(solution.converged, "residual {}", solution.residual);
    solution
}

fn searched(
    game: &RiskGame,
    root: &State,
    discount: Option<Discount>,
    backup: Backup,
) -> hegemon_search::ReportOf<RiskGame> {
    let hooks = Hooks {
        playout: Arc::new(BasePlayout {
            base: Base::Simulation,
            stop: hegemon_search::Stop::never(),
            shares_at_limit: true,
        }),
        ..Hooks::default()
    };
    let params = MctsParams {
        // Less exploration than the paper's: means of small games converge sooner.
        tree_policy: TreePolicy::Uct { c: 0.5 },
        backup,
        discount,
        leaf: Leaf::Playout { cap: 500 },
        ..MctsParams::paper(1)
    };
    let mut mcts = Mcts::new(game.clone(), hooks, params, root.clone());
    mcts.search(Budget::Iterations(120_000), &mut Rng::from_seed(7))
}

/// The value of the move that a search plays, by the solution: how much it
/// gives away.
fn loss_of_move(
    game: &RiskGame,
    root: &State,
    solution: &Solution<RiskGame>,
    action: &crate::search::RiskAction,
    discount: Option<Discount>,
) -> f64 {
    let NodeKind::Decision(mover) = game.kind(root) else {
        panic!("a decision")
    };
    let best = solution.values(&game.key(root)).expect("the root")[mover];
    let mut next = root.clone();
    let before = game.turns_played(root);
    game.play(&mut next, action);
    let turns = game.turns_played(&next) - before;
    let factor = discount.map_or(1.0, |d| d.per_turn.powi(turns as i32));
    let reached = solution.values(&game.key(&next)).expect("reachable")[mover];
    best - (0.5 + factor * (reached - 0.5))
}

fn check(map: &str, turn_limit: Option<u32>, position: &str, discount: Option<Discount>) {
    let game = tiny(map, turn_limit);
    let root = State::from_position(&game, position).expect(position);
    let risk = RiskGame::exact(&game);
    let solution = solved(&risk, &root, discount);
    let NodeKind::Decision(mover) = risk.kind(&root) else {
        panic!("a decision")
    };
    let exact = solution.values(&risk.key(&root)).expect("the root")[mover];
    assert!((0.0..=1.0).contains(&exact));
    let both: f64 = solution
        .values(&risk.key(&root))
        .expect("the root")
        .as_slice()
        .iter()
        .sum();
    assert!((both - 1.0).abs() < 1e-6, "constant sum, not {both}");
    for (backup, near) in [(Backup::Mean, 0.05), (Backup::Minimax, 0.05)] {
        let report = searched(&risk, &root, discount, backup);
        let found = report.values[mover];
        assert!(
            (found - exact).abs() < near,
            "{position} {backup:?}: {found}, exact {exact}"
        );
        let action = report.best.expect("a move");
        let loss = loss_of_move(&risk, &root, &solution, &action, discount);
        assert!(
            loss < 0.01,
            "{position} {backup:?}: {action:?} gives away {loss}"
        );
    }
}

#[test]
fn search_agrees_with_the_solver_under_a_turn_limit() {
    for position in [
        "board=a2b2b1 phase=reinforce player=0 round=2 place=1",
        "board=a3b1b1 phase=attack player=0 round=2",
        "board=a3b3b1 phase=attack player=0 round=2",
        "board=a1a3b2 phase=fortify player=0 round=1",
    ] {
        check("triangle3", Some(2), position, None);
    }
}

#[test]
fn search_agrees_with_the_solver_under_a_discount() {
    let discount = Some(Discount {
        per_turn: 0.7,
        neutral: None,
    });
    for position in [
        "board=a3b2b1 phase=attack player=0 round=1",
        "board=a1b1b1 phase=reinforce player=0 round=1 place=3",
    ] {
        check("triangle3", None, position, discount);
    }
}

#[test]
fn search_agrees_with_the_solver_on_a_line() {
    for position in [
        "board=a1a3b2b1 phase=attack player=0 round=2",
        "board=a2a2b2b1 phase=reinforce player=0 round=2 place=2",
    ] {
        check("line4", Some(2), position, None);
    }
}

#[test]
fn a_certain_win_is_solved_as_one() {
    let game = tiny("triangle3", None);
    let position = "board=a4a1b1 phase=attack player=0 round=1";
    let root = State::from_position(&game, position).expect("a position");
    let risk = RiskGame::exact(&game);
    let discount = Some(Discount {
        per_turn: 0.9,
        neutral: None,
    });
    let solution = solved(&risk, &root, discount);
    let value = solution.values(&risk.key(&root)).expect("the root")[Player(0)];
    // Better than one battle to the end: what is left may go on next turn.
    let one_battle = game.battles().win(3, 1);
    assert!(
        value > 0.5 + 0.5 * (2.0 * one_battle - 1.0) && value < 1.0,
        "{value}"
    );
    assert!(solution.n_states() > 100);
}
