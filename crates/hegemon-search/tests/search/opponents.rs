//! Games of three: a forced win, and how each opponent model plays the same
//! tree.

use std::sync::Arc;

use hegemon_core::Rng;
use hegemon_search::{
    Backup, Budget, EmmParams, Evaluate, Expectiminimax, Hooks, Mcts, MctsParams, Objective,
    OpponentModel, Player, Pruning, SolverParams, Target, TreePolicy, Values, solve,
};

use crate::games::{Branch, TreeGame};
use crate::search;

fn end(values: [f64; 3]) -> Branch {
    Branch::End(values.to_vec())
}

fn wins(player: usize) -> Branch {
    let mut values = [0.0; 3];
    values[player] = 1.0;
    end(values)
}

/// Only action 1 wins for player 0: after action 0 or 2 the others can stop it,
/// although most ends below action 0 are its wins.
fn forced_win() -> TreeGame {
    let second = |children| Branch::Choice(1, children);
    let third = |children| Branch::Choice(2, children);
    TreeGame {
        n_players: 3,
        top: Branch::Choice(
            0,
            vec![
                second(vec![
                    wins(0),
                    third(vec![wins(0), wins(0), wins(1)]),
                    wins(1),
                ]),
                second(vec![third(vec![wins(0), wins(0)]), third(vec![wins(0)])]),
                second(vec![third(vec![wins(0), wins(2)]), wins(0)]),
            ],
        ),
    }
}

#[test]
fn three_players_find_a_forced_win() {
    for backup in [Backup::Mean, Backup::Minimax] {
        for mut params in [MctsParams::lecture(TreePolicy::Ucb1), MctsParams::paper(2)] {
            params.backup = backup;
            let report = search(forced_win(), params, Vec::new(), 5_000, 1);
            assert_eq!(report.best, Some(1));
            assert!(report.values[Player(0)] > 0.9, "{:?}", report.values);
        }
    }
}

#[test]
fn simulated_opponents_do_not_help_the_root_player() {
    // Player 1 decides between its own win and player 0's.
    let game = TreeGame {
        n_players: 3,
        top: Branch::Choice(
            0,
            vec![
                Branch::Choice(1, vec![wins(0), wins(1)]),
                end([0.4, 0.3, 0.3]),
            ],
        ),
    };
    let report = search(
        game,
        MctsParams::lecture(TreePolicy::Ucb1),
        Vec::new(),
        5_000,
        1,
    );
    assert_eq!(report.best, Some(1));
}

/// Action 0 trusts player 1, action 1 is safe, action 2 hurts player 2 most.
fn dilemma() -> TreeGame {
    let trust = Branch::Choice(1, vec![end([0.5, 0.2, 0.3]), end([0.1, 0.1, 0.8])]);
    TreeGame {
        n_players: 3,
        top: Branch::Choice(0, vec![trust, end([0.4, 0.2, 0.4]), end([0.2, 0.7, 0.1])]),
    }
}

/// Fixed values that decide who leads at the root.
struct Standing([f64; 3]);

impl Evaluate<TreeGame> for Standing {
    fn values(&self, _: &TreeGame, _: &Vec<u8>) -> Values {
        Values::new(&self.0)
    }
}

const MIX: OpponentModel = OpponentModel::MpMix {
    defend: 0.2,
    attack: 0.2,
};

fn cases() -> Vec<(OpponentModel, [f64; 3], u8)> {
    let level = [0.3, 0.3, 0.4];
    vec![
        (OpponentModel::MaxN, level, 0),
        (OpponentModel::Paranoid, level, 1),
        (
            OpponentModel::Offensive(Target::Player(Player(2))),
            level,
            2,
        ),
        (OpponentModel::Offensive(Target::Leader), level, 2),
        (MIX, level, 0),
        (MIX, [0.6, 0.2, 0.2], 1),
        (MIX, [0.2, 0.2, 0.6], 2),
    ]
}

fn standing(values: [f64; 3]) -> Hooks<TreeGame> {
    Hooks {
        evaluate: Arc::new(Standing(values)),
        ..Hooks::default()
    }
}

#[test]
fn each_opponent_model_chooses_its_own_move() {
    for (model, values, expected) in cases() {
        for backup in [Backup::Mean, Backup::Minimax] {
            let mut params = MctsParams::lecture(TreePolicy::Ucb1);
            params.opponents = model;
            params.backup = backup;
            let mut mcts = Mcts::new(dilemma(), standing(values), params, Vec::new());
            let mut rng = Rng::stream(1, "model");
            let report = mcts.search(Budget::Iterations(20_000), &mut rng);
            assert_eq!(
                report.best,
                Some(expected),
                "{model:?} {values:?} {backup:?}"
            );
        }
        let params = EmmParams {
            depth: 3,
            pruning: Pruning::None,
            opponents: model,
            ..EmmParams::default()
        };
        let emm = Expectiminimax::new(dilemma(), standing(values), params);
        let report = emm.search(&Vec::new(), &mut Rng::from_seed(1));
        assert_eq!(report.best, Some(expected), "{model:?} {values:?}");
    }
}

#[test]
fn the_solver_knows_the_models_too() {
    let game = dilemma();
    for (objective, expected) in [
        (Objective::MaxN, 0),
        (Objective::Paranoid(Player(0)), 1),
        (
            Objective::Offensive {
                root: Player(0),
                target: Player(2),
            },
            2,
        ),
    ] {
        let params = SolverParams {
            objective,
            ..SolverParams::default()
        };
        let solution = solve(&game, &Vec::new(), &params).expect("a small game");
        assert_eq!(solution.best_action(&Vec::new()), Some(&expected));
    }
}

#[test]
fn a_changed_goal_voids_the_tree() {
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    params.opponents = OpponentModel::Paranoid;
    let mut mcts = Mcts::new(dilemma(), Hooks::default(), params, Vec::new());
    let mut rng = Rng::stream(1, "goal");
    mcts.search(Budget::Iterations(100), &mut rng);
    assert!(mcts.advance(&0));
    let report = mcts.search(Budget::Iterations(10), &mut rng);
    assert_eq!(report.objective, Objective::Paranoid(Player(1)));
    assert_eq!(mcts.root_visits(), 10);
}
