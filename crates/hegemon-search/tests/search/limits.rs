//! T1 to T3 and T5 to T8: what each policy converges to, and what it must not.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hegemon_core::Rng;
use hegemon_search::{
    Backup, Budget, Domain, Expansion, FirstPlay, Hooks, Mcts, MctsParams, Playout, PlayoutEnd,
    SampleChoice, Schedule, Trace, TreePolicy, UniformPlayout,
};

use crate::games::{Branch, Nim, TicTacToe, TreeGame, min_node};
use crate::{plain, search, visits};

const MAX: hegemon_search::Player = hegemon_search::Player(0);

fn epsilon(schedule: Schedule) -> TreePolicy {
    TreePolicy::EpsilonGreedy { epsilon: schedule }
}

fn boltzmann(schedule: Schedule) -> TreePolicy {
    TreePolicy::Boltzmann {
        temperature: schedule,
    }
}

/// Estimate and visits of the bad child on T1, after each of `counts` trials.
fn bandit(params: MctsParams, counts: &[u64]) -> Vec<(f64, u64)> {
    let mut mcts = plain(min_node(1.0), params, Vec::new());
    let mut rng = Rng::stream(1, "bandit");
    let mut done = 0;
    let mut results = Vec::new();
    for &count in counts {
        let report = mcts.search(Budget::Iterations(count - done), &mut rng);
        done = count;
        results.push((report.values[MAX], visits(&report, &1)));
    }
    results
}

#[test]
fn t1_ucb1_and_uct_visit_the_bad_child_as_often_as_computed() {
    let counts = [100, 1_000, 10_000, 100_000, 1_000_000];
    let bad = |policy| -> Vec<u64> {
        let results = bandit(MctsParams::lecture(policy), &counts);
        assert!((results[2].0 - results[2].1 as f64 / 1e4).abs() < 1e-12);
        results.iter().map(|(_, visits)| *visits).collect()
    };
    assert_eq!(bad(TreePolicy::Ucb1), [6, 12, 17, 23, 28]);
    assert_eq!(bad(TreePolicy::Uct { c: 1.2 }), [5, 9, 13, 17, 20]);
}

#[test]
fn t1_constant_policies_tend_to_their_biased_limits() {
    let trials = 100_000;
    let softmax = 1.0 / (1.0 + 2f64.exp());
    for (policy, limit) in [
        (epsilon(Schedule::Constant(0.2)), 0.2),
        (boltzmann(Schedule::Constant(0.5)), softmax),
    ] {
        let (estimate, bad) = bandit(MctsParams::lecture(policy), &[trials])[0];
        let error = (limit * (1.0 - limit) / trials as f64).sqrt();
        assert!(
            (estimate - limit).abs() < 4.0 * error,
            "{policy:?}: {estimate}"
        );
        assert!(estimate > 0.1, "{policy:?} must not converge to 0");
        assert!((bad as f64 / trials as f64 - limit).abs() < 4.0 * error);
    }
}

#[test]
fn t1_decaying_policies_tend_to_the_true_value() {
    let counts = [10_000, 1_000_000];
    for (policy, bounds) in [
        (epsilon(Schedule::OverK(1.0)), [0.004, 0.00006]),
        (epsilon(Schedule::OverSqrtK(1.0)), [0.03, 0.003]),
        (boltzmann(Schedule::OverLnK(1.0)), [0.004, 0.00006]),
    ] {
        let results = bandit(MctsParams::lecture(policy), &counts);
        for ((estimate, _), bound) in results.iter().zip(bounds) {
            assert!(
                *estimate < bound,
                "{policy:?}: {estimate}, not below {bound}"
            );
        }
    }
}

#[test]
fn t2_minimax_backups_are_exact_from_the_second_trial() {
    for policy in [
        epsilon(Schedule::Constant(0.2)),
        boltzmann(Schedule::Constant(0.5)),
        TreePolicy::Ucb1,
    ] {
        let mut params = MctsParams::lecture(policy);
        params.backup = Backup::Minimax;
        for (trials, (estimate, _)) in [2, 3, 10, 1000]
            .iter()
            .zip(bandit(params, &[2, 3, 10, 1000]))
        {
            assert_eq!(estimate, 0.0, "{policy:?} after {trials} trials");
        }
    }
}

fn best_children(game: &TreeGame) -> Vec<u8> {
    let Branch::Choice(_, children) = &game.top else {
        panic!("the root is a choice");
    };
    let value = TreeGame::value(&game.top)[0];
    (0..)
        .zip(children)
        .filter(|(_, child)| (TreeGame::value(child)[0] - value).abs() < 1e-12)
        .map(|(idx, _)| idx)
        .collect()
}

#[test]
fn t3_random_trees_converge_to_their_minimax_value() {
    for (trials, trees, bound) in [(10_000, 20, 0.05), (100_000, 10, 0.01)] {
        for seed in 0..trees {
            let game = TreeGame::random(4, 3, false, seed);
            let exact = TreeGame::value(&game.top)[0];
            let best = best_children(&game);
            let params = MctsParams::lecture(TreePolicy::Ucb1);
            let report = search(game, params, Vec::new(), trials, seed);
            let error = (report.values[MAX] - exact).abs();
            assert!(error < bound, "tree {seed}, {trials} trials: {error}");
            let chosen = report.best.expect("a decision");
            assert!(best.contains(&chosen), "tree {seed}: {chosen} of {best:?}");
        }
    }
}

#[test]
fn t3_minimax_backups_are_exact_once_the_tree_is_complete() {
    for seed in 0..10 {
        let game = TreeGame::random(4, 3, false, seed);
        let exact = TreeGame::value(&game.top)[0];
        let mut params = MctsParams::lecture(epsilon(Schedule::Constant(0.5)));
        params.backup = Backup::Minimax;
        let report = search(game, params, Vec::new(), 5_000, seed);
        assert!((report.values[MAX] - exact).abs() < 1e-6, "tree {seed}");
    }
}

#[test]
fn t3_nim_finds_the_only_winning_move() {
    // 3 xor 4 xor 5 = 2: only taking two from the heap of three wins.
    for params in [
        MctsParams::lecture(TreePolicy::Ucb1),
        MctsParams::paper(1),
        MctsParams::paper(5),
    ] {
        let report = search(Nim, params, ([3, 4, 5], 0), 120_000, 3);
        assert_eq!(report.best, Some((0, 2)));
    }
}

#[test]
fn t3_tic_tac_toe_is_a_draw_and_threats_are_seen() {
    let mut params = MctsParams::lecture(TreePolicy::Uct { c: 0.5 });
    let report = search(TicTacToe, params.clone(), [0, 0], 60_000, 1);
    assert!(
        (report.values[MAX] - 0.5).abs() < 0.05,
        "{:?}",
        report.values
    );
    // X on 0 and 1: O must answer at 2.
    let threatened = [0b0_0000_0011, 0b0_0001_0000];
    for rave in [None, Some(300.0)] {
        params.rave = rave;
        let report = search(TicTacToe, params.clone(), threatened, 3_000, 2);
        assert_eq!(report.best, Some(2), "RAVE {rave:?}");
    }
}

/// A default policy that counts its calls.
struct Counting(Arc<AtomicU64>);

impl<G: Domain> Playout<G> for Counting {
    fn play_out(
        &self,
        game: &G,
        state: &mut G::State,
        limit: u32,
        rng: &mut Rng,
        trace: &mut Trace,
    ) -> PlayoutEnd {
        self.0.fetch_add(1, Ordering::Relaxed);
        UniformPlayout.play_out(game, state, limit, rng, trace)
    }
}

/// Positions in the tree after some trials, and default-policy calls in as many
/// further ones.
fn coverage(game: &TreeGame, params: MctsParams, trials: u64) -> (usize, u64) {
    let calls = Arc::new(AtomicU64::new(0));
    let hooks = Hooks {
        playout: Arc::new(Counting(Arc::clone(&calls))),
        ..Hooks::default()
    };
    let mut mcts = Mcts::new(game.clone(), hooks, params, Vec::new());
    let mut rng = Rng::stream(9, "coverage");
    let first = mcts.search(Budget::Iterations(trials), &mut rng);
    assert_eq!(first.estimates, calls.load(Ordering::Relaxed));
    let before = mcts.n_nodes();
    let second = mcts.search(Budget::Iterations(trials), &mut rng);
    assert_eq!(
        second.estimates,
        calls.load(Ordering::Relaxed) - first.estimates
    );
    (before, second.estimates)
}

#[test]
fn t5_every_position_is_added_and_the_default_policy_falls_silent() {
    let game = TreeGame::random(4, 3, false, 5);
    let with_chance = TreeGame::random(4, 3, true, 5);
    for policy in [
        TreePolicy::Ucb1,
        TreePolicy::Uct { c: 1.2 },
        epsilon(Schedule::Constant(0.2)),
        epsilon(Schedule::OverLnK(1.0)),
        boltzmann(Schedule::Constant(0.5)),
        TreePolicy::Puct { c: 2.0 },
    ] {
        for game in [&game, &with_chance] {
            let params = MctsParams::lecture(policy);
            let (positions, calls) = coverage(game, params, 20_000);
            assert_eq!(positions, game.n_positions(), "{policy:?}");
            assert_eq!(calls, 0, "{policy:?}");
        }
    }
    // At four plies 1 / sqrt k takes too long; two are enough to test it.
    let shallow = TreeGame::random(2, 3, false, 5);
    let params = MctsParams::lecture(epsilon(Schedule::OverSqrtK(1.0)));
    assert_eq!(coverage(&shallow, params, 20_000), (13, 0));
    // An urgency of 1.1 explores too slowly to test on trees: a node that holds a
    // sure win widens only after about a thousand visits, which a bad move gets
    // after exp(hundreds) trials. So one decision is tested at 1.1, trees at 2.
    let ends = (0..10).map(|idx| Branch::End(vec![0.1 * f64::from(idx)]));
    let flat = TreeGame {
        n_players: 1,
        top: Branch::Choice(0, ends.collect()),
    };
    for k in [1, 2, 20] {
        let mut params = MctsParams::paper(k);
        assert_eq!(
            coverage(&flat, params.clone(), 20_000),
            (11, 0),
            "best of {k}"
        );
        params.first_play = FirstPlay::Urgency(2.0);
        assert_eq!(coverage(&game, params, 20_000), (121, 0), "best of {k}");
    }
}

#[test]
fn t6_greedy_in_the_limit() {
    let share = |policy| {
        let results = bandit(MctsParams::lecture(policy), &[90_000, 100_000]);
        1.0 - (results[1].1 - results[0].1) as f64 / 1e4
    };
    for policy in [
        TreePolicy::Ucb1,
        epsilon(Schedule::OverK(1.0)),
        epsilon(Schedule::OverSqrtK(1.0)),
        boltzmann(Schedule::OverLnK(1.0)),
    ] {
        assert!(share(policy) > 0.99, "{policy:?}");
    }
    let constant = share(epsilon(Schedule::Constant(0.2)));
    assert!(constant < 1.0 - 0.2 + 0.01, "{constant}");
}

#[test]
fn t7_regret_grows_like_the_logarithm() {
    for (gap, bound) in [(1.0, 2.2), (0.5, 9.0)] {
        let params = MctsParams::lecture(TreePolicy::Ucb1);
        let mut mcts = plain(min_node(gap), params, Vec::new());
        let mut rng = Rng::stream(1, "regret");
        let mut done = 0;
        for k in [1_000u64, 10_000, 100_000] {
            let report = mcts.search(Budget::Iterations(k - done), &mut rng);
            done = k;
            let ratio = visits(&report, &1) as f64 / (k as f64).ln();
            assert!(ratio < bound, "gap {gap}: {ratio} after {k} trials");
        }
    }
}

#[test]
fn t8_low_urgency_and_duplicates_are_caught() {
    // Every end is worth 0.9 or more to the mover, so urgency never falls to 0.6.
    let end = |value: f64| Branch::End(vec![value]);
    let game = TreeGame {
        n_players: 1,
        top: Branch::Choice(0, (0..10).map(|i| end(0.9 + 0.01 * f64::from(i))).collect()),
    };
    let expansion = Expansion::BestOfK {
        k: 1,
        halve: true,
        choice: SampleChoice::Best,
    };
    let mut low = MctsParams::paper(1);
    low.first_play = FirstPlay::Urgency(0.6);
    let report = search(game.clone(), low, Vec::new(), 20_000, 1);
    assert!(
        report.children.len() < 10,
        "{} children",
        report.children.len()
    );

    let mut duplicates = MctsParams::paper(1);
    duplicates.expansion = expansion;
    duplicates.unique_children = false;
    let report = search(game.clone(), duplicates, Vec::new(), 20_000, 1);
    let mut actions: Vec<u8> = report.children.iter().map(|child| child.action).collect();
    assert_eq!(actions.len(), 10, "as many children as actions");
    actions.sort_unstable();
    actions.dedup();
    assert!(actions.len() < 10, "but some twice, and some never");

    let report = search(game, MctsParams::paper(1), Vec::new(), 20_000, 1);
    assert_eq!(report.children.len(), 10, "the sound setting sees all");
    assert_eq!(report.best, Some(9));
}
