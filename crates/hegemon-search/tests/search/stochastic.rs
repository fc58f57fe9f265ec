//! T4, the one-front battle, and expansion statistics with chance nodes.

use std::sync::Arc;

use hegemon_core::Rng;
use hegemon_search::{
    Backup, Domain, Evaluate, Expansion, Hooks, Leaf, Mcts, MctsParams, Player, SampleChoice,
    Suggest, TreePolicy, Values, Widening,
};
use hegemon_search::{Budget, SolverParams, solve};

use crate::games::{BattleAction, BattlePhase, BattleState, Lottery, LotteryState, OneFrontBattle};
use crate::{search, visits};

const ONE: Player = Player(0);
const PAID: OneFrontBattle = OneFrontBattle { stop_pay: 0.1 };

fn front(attackers: u32, defenders: u32) -> BattleState {
    (attackers, defenders, BattlePhase::Decide)
}

fn exact(game: OneFrontBattle, root: BattleState) -> (f64, BattleAction) {
    let solution = solve(&game, &root, &SolverParams::default()).expect("a small game");
    assert!(solution.converged);
    let action = *solution.best_action(&root).expect("a decision");
    (solution.values(&root).expect("the root")[ONE], action)
}

#[test]
fn t4_exact_values_are_the_published_fractions() {
    let close = |value: f64, fraction: f64| (value - fraction).abs() < 1e-12;
    let (value, _) = exact(PAID, front(2, 3));
    assert!(close(value, 692_225.0 / 3_359_232.0));
    let (value, _) = exact(PAID, front(5, 4));
    assert!(close(value, 175_025_816_301_355.0 / 270_826_551_115_776.0));
    for (root, published) in [
        (front(2, 3), 0.206066),
        (front(3, 3), 0.491604),
        (front(4, 4), 0.515502),
        (front(5, 4), 0.646265),
        (front(5, 5), 0.549128),
    ] {
        let (value, action) = exact(PAID, root);
        assert!((value - published).abs() < 5e-7, "{root:?}: {value}");
        assert_eq!(action, BattleAction::Attack);
    }
    let unpaid = OneFrontBattle { stop_pay: 0.0 };
    for (root, fraction) in [
        (front(1, 1), 5.0 / 12.0),
        (front(1, 2), 275.0 / 2592.0),
        (front(2, 1), 1955.0 / 2592.0),
        (front(2, 2), 235.0 / 648.0),
        (front(3, 1), 342_035.0 / 373_248.0),
        (front(3, 2), 6_610_505.0 / 10_077_696.0),
        (front(3, 3), 511_817_135.0 / 1_088_391_168.0),
        (
            front(5, 4),
            1_166_853_115_687_865.0 / 1_828_079_220_031_488.0,
        ),
    ] {
        assert!(close(exact(unpaid, root).0, fraction), "{root:?}");
    }
}

#[test]
fn t4_mean_backups_approach_the_value_from_below() {
    let (value, _) = exact(PAID, front(5, 4));
    let params = MctsParams::lecture(TreePolicy::Ucb1);
    let mut last_error = 1.0;
    for (trials, error_bound, share_bound) in [(10_000, 0.08, 0.9), (200_000, 0.02, 0.98)] {
        let report = search(PAID, params.clone(), front(5, 4), trials, 4);
        let error = value - report.values[ONE];
        assert!((-0.01..error_bound).contains(&error), "{trials}: {error}");
        assert!(error < last_error);
        last_error = error;
        let share = visits(&report, &BattleAction::Attack) as f64 / trials as f64;
        assert!(share > share_bound, "{trials}: {share}");
    }
}

#[test]
fn t4_best_of_k_converges_for_any_k() {
    for root in [front(3, 3), front(5, 4)] {
        let (value, _) = exact(PAID, root);
        for k in [1, 2, 20] {
            let report = search(PAID, MctsParams::paper(k), root, 100_000, 8);
            let error = (report.values[ONE] - value).abs();
            assert!(error < 0.02, "{root:?}, best of {k}: {error}");
            assert_eq!(report.best, Some(BattleAction::Attack));
        }
    }
}

#[test]
fn t4_minimax_backups_are_near_much_earlier() {
    let (value, _) = exact(PAID, front(5, 4));
    let mut params = MctsParams::lecture(TreePolicy::Ucb1);
    params.backup = Backup::Minimax;
    let report = search(PAID, params, front(5, 4), 10_000, 4);
    let error = (report.values[ONE] - value).abs();
    assert!(error < 0.01, "{error}");
}

#[test]
fn widths_under_first_play_urgency_are_those_of_the_paper_formula() {
    for (chance, width) in [(200, 172.0), (500, 79.0), (800, 21.0)] {
        let game = Lottery {
            n_tickets: 1 << 40,
            chance: Some(chance),
        };
        let mut total = 0;
        for seed in 0..8 {
            let params = MctsParams::paper(1);
            let report = search(game, params, LotteryState::Buying, 2_500, seed);
            total += report.children.len();
        }
        let mean = total as f64 / 8.0;
        assert!(
            (mean - width).abs() < 0.12 * width,
            "{mean} children at chance {chance}, not about {width}"
        );
    }
}

/// Knows the tickets.
struct Insider;

impl Evaluate<Lottery> for Insider {
    fn values(&self, game: &Lottery, _: &LotteryState) -> Values {
        Values::all(game.n_players(), 0.5)
    }
}

impl Suggest<Lottery> for Insider {
    fn suggest(&self, _: &Lottery, _: &LotteryState, _: Player, _: &mut Rng) -> Option<u64> {
        Some(77)
    }
}

fn informed() -> Hooks<Lottery> {
    Hooks {
        evaluate: Arc::new(Insider),
        suggest: Some(Arc::new(Insider)),
        ..Hooks::default()
    }
}

fn first_qualities(params: &MctsParams, n: u64) -> Vec<u64> {
    let game = Lottery {
        n_tickets: 888_030,
        chance: None,
    };
    let first = |seed| {
        let mut mcts = Mcts::new(game, informed(), params.clone(), LotteryState::Buying);
        let mut rng = Rng::stream(seed, "first");
        let report = mcts.search(Budget::Iterations(1), &mut rng);
        game.quality(report.best.expect("one child"))
    };
    (0..n).map(first).collect()
}

#[test]
fn best_of_k_hits_the_top_share_as_computed() {
    // 1 - 0.95^20 = 0.6415; the default action value averages over the draw.
    let qualities = first_qualities(&MctsParams::paper(20), 2_000);
    let top = qualities.iter().filter(|&&quality| quality >= 950).count();
    let share = top as f64 / 2_000.0;
    assert!(
        (share - 0.6415).abs() < 4.0 * (0.23f64 / 2_000.0).sqrt(),
        "{share}"
    );
}

#[test]
fn boltzmann_among_samples_is_between_random_and_best() {
    let mean = |params: &MctsParams| {
        let qualities = first_qualities(params, 500);
        qualities.iter().sum::<u64>() as f64 / 5e5
    };
    let mut soft = MctsParams::paper(20);
    soft.expansion = Expansion::BestOfK {
        k: 20,
        halve: true,
        choice: SampleChoice::Boltzmann { temperature: 0.2 },
    };
    let (random, soft, best) = (
        mean(&MctsParams::paper(1)),
        mean(&soft),
        mean(&MctsParams::paper(20)),
    );
    assert!(
        random + 0.1 < soft && soft + 0.05 < best,
        "{random} {soft} {best}"
    );
}

#[test]
fn a_suggested_action_is_the_first_child() {
    let mut params = MctsParams::paper(20);
    params.suggested_first = true;
    let game = Lottery {
        n_tickets: 888_030,
        chance: Some(500),
    };
    let mut mcts = Mcts::new(game, informed(), params, LotteryState::Buying);
    let mut rng = Rng::stream(1, "suggest");
    let report = mcts.search(Budget::Iterations(1), &mut rng);
    assert_eq!(report.best, Some(77));
    let report = mcts.search(Budget::Iterations(500), &mut rng);
    assert!(report.children.len() > 1);
    let times = report
        .children
        .iter()
        .filter(|child| child.action == 77)
        .count();
    assert_eq!(times, 1);
}

#[test]
fn widening_bounds_the_children() {
    let game = Lottery {
        n_tickets: 888_030,
        chance: Some(300),
    };
    let mut params = MctsParams::paper(1);
    params.widening = Some(Widening { c: 2.0, alpha: 0.5 });
    let report = search(game, params, LotteryState::Buying, 900, 1);
    assert_eq!(report.children.len(), 60);
}

#[test]
fn progressive_bias_leads_to_the_best_tickets() {
    let game = Lottery {
        n_tickets: 200,
        chance: None,
    };
    let best_quality = (0..200).map(|ticket| game.quality(ticket)).max();
    let mut params = MctsParams::lecture(TreePolicy::Uct { c: 0.5 });
    params.progressive_bias = Some(5.0);
    params.leaf = Leaf::Evaluation;
    let mut mcts = Mcts::new(game, informed(), params, LotteryState::Buying);
    let report = mcts.search(Budget::Iterations(4_000), &mut Rng::stream(2, "bias"));
    let chosen = game.quality(report.best.expect("a decision"));
    assert!(chosen + 50 >= best_quality.expect("tickets"), "{chosen}");
}
