//! Glicko-2 and pairing.

use super::super::glicko2::{Gain, Glicko2Params, Glicko2Rating, rate_game, rate_period};
use super::super::{PairResult, RankingError, glicko2, pairing};
use super::{close, glicko};
use crate::stats::test_rng::TestRng;

fn glickman_example() -> (Glicko2Rating, Vec<(Glicko2Rating, PairResult)>) {
    let player = Glicko2Rating {
        volatility: 0.06,
        ..glicko(1500.0, 200.0)
    };
    let results = [
        (1400.0, 30.0, PairResult::Win),
        (1550.0, 100.0, PairResult::Loss),
        (1700.0, 300.0, PairResult::Loss),
    ];
    (
        player,
        results
            .map(|(r, d, o)| {
                (
                    Glicko2Rating {
                        volatility: 0.06,
                        ..glicko(r, d)
                    },
                    o,
                )
            })
            .to_vec(),
    )
}

#[test]
fn glicko2_reproduces_glickmans_example() {
    let (player, results) = glickman_example();
    let new = rate_period(&player, &results, &Glicko2Params { tau: 0.5 });
    close(new.rating, 1464.0507, 1e-4);
    close(new.deviation, 151.5165, 1e-4);
    close(new.volatility, 0.059_996_0, 1e-7);
    // As printed, from rounded intermediates.
    close(new.rating, 1464.06, 0.02);
    close(new.deviation, 151.52, 0.02);
    let gain = Gain::new(&player, &results);
    close(1.0 / gain.information, 1.778_977, 1e-6);
    close(gain.improvement / gain.information, -0.483_933, 1e-6);
}

#[test]
fn frozen_volatility_reproduces_the_papers_chain() {
    let mut first = Glicko2Rating::FROZEN;
    let mut second = Glicko2Rating::FROZEN;
    for (result, rating, deviation) in [
        (PairResult::Win, 1662.2120, 290.2305),
        (PairResult::Win, 1720.1603, 260.2732),
        (PairResult::Loss, 1490.1765, 243.2316),
        (PairResult::Win, 1597.9625, 212.7977),
    ] {
        (first, second) = rate_game(&first, &second, result, &Glicko2Params::FROZEN);
        close(first.rating, rating, 1e-4);
        close(first.deviation, deviation, 1e-4);
        close(second.rating, 3000.0 - rating, 1e-4);
        close(second.deviation, deviation, 1e-4);
        assert_eq!((first.volatility, second.volatility), (0.0, 0.0));
    }
    close(Glicko2Rating::FROZEN.interval95().low, 800.0, 1e-9);
}

#[test]
fn frozen_steps_are_the_limit_of_small_tau() {
    let (player, results) = glickman_example();
    let frozen = rate_period(&player, &results, &Glicko2Params { tau: 0.0 });
    let nearly = rate_period(&player, &results, &Glicko2Params { tau: 1e-3 });
    close(frozen.rating, nearly.rating, 1e-4);
    close(frozen.deviation, nearly.deviation, 1e-4);
    assert_eq!(frozen.volatility, 0.06);
    close(nearly.volatility, 0.06, 1e-9);
}

#[test]
fn a_period_without_games_only_widens_the_deviation() {
    let player = Glicko2Rating::default();
    for params in [Glicko2Params::default(), Glicko2Params::FROZEN] {
        let new = rate_period(&player, &[], &params);
        close(new.deviation, 350f64.hypot(0.06 * 173.7178), 1e-9);
        assert_eq!((new.rating, new.volatility), (1500.0, 0.06));
        assert_eq!(
            rate_period(&Glicko2Rating::FROZEN, &[], &params),
            Glicko2Rating::FROZEN
        );
    }
}

#[test]
fn certain_games_change_nothing_and_never_produce_nan() {
    let strong = Glicko2Rating {
        volatility: 0.06,
        ..glicko(1e5, 30.0)
    };
    let weak = Glicko2Rating {
        volatility: 0.06,
        ..glicko(-1e5, 30.0)
    };
    let (a, b) = rate_game(&strong, &weak, PairResult::Win, &Glicko2Params::default());
    close(a.rating, 1e5, 1e-6);
    close(b.rating, -1e5, 1e-6);
    let (a, b) = rate_game(&strong, &weak, PairResult::Loss, &Glicko2Params::default());
    assert!(a.rating.is_finite() && b.rating.is_finite() && a.rating < 1e5 && b.rating > -1e5);
}

#[test]
fn a_ranking_of_two_is_a_game() {
    let (a, b) = (glicko(1600.0, 80.0), glicko(1450.0, 200.0));
    let params = Glicko2Params::FROZEN;
    let game = rate_game(&a, &b, PairResult::Loss, &params);
    assert_eq!(
        glicko2::rate_ranking(&[a, b], &[2, 1], &params),
        Ok(vec![game.0, game.1])
    );
    let tie = rate_game(&a, &b, PairResult::Draw, &params);
    assert_eq!(
        glicko2::rate_ranking(&[a, b], &[1, 1], &params),
        Ok(vec![tie.0, tie.1])
    );
    assert_eq!(
        glicko2::rate_ranking(&[a, b], &[1], &params),
        Err(RankingError::RankCount {
            n_players: 2,
            n_ranks: 1
        })
    );
}

fn paper_table1() -> Vec<Glicko2Rating> {
    // Baseline, MCTS Baseline, MCTS(100), MCTS(20), MCTS(1), Simulation Player, EMM.
    [
        (1669.23, 32.71),
        (1595.03, 30.23),
        (1421.14, 40.56),
        (1333.77, 28.46),
        (1319.97, 39.33),
        (1270.66, 27.29),
        (1157.42, 43.48),
    ]
    .map(|(r, d)| glicko(r, d))
    .to_vec()
}

#[test]
fn p_values_match_the_papers_table2() {
    let players = paper_table1();
    let p = |stronger: usize, weaker: usize| pairing::p_value(&players[stronger], &players[weaker]);
    // As recomputed from the ratings of table 1 (docs/spec/sampling.md 4.2).
    for (stronger, weaker, value) in [
        (0, 1, 0.0479),
        (1, 2, 0.0003),
        (2, 3, 0.0389),
        (3, 4, 0.3881),
        (4, 5, 0.1515),
    ] {
        close(p(stronger, weaker), value, 5e-5);
    }
    // As printed: table 1 is rounded, so the last digits differ. `1e-4` stands for "< 10^-4".
    let printed: [&[f64]; 6] = [
        &[0.0485],
        &[1e-4, 0.0003],
        &[1e-4, 1e-4, 0.0392],
        &[1e-4, 1e-4, 0.0367, 0.3897],
        &[1e-4, 1e-4, 0.0011, 0.0548, 0.1515],
        &[1e-4, 1e-4, 1e-4, 0.0003, 0.0028, 0.0139],
    ];
    for (row, values) in printed.iter().enumerate() {
        for (column, &value) in values.iter().enumerate() {
            let p = p(column, row + 1);
            if value == 1e-4 {
                assert!(p < 1e-4, "{p} in row {row}, column {column}");
            } else {
                close(p, value, 0.002);
            }
        }
    }
    close(p(1, 0), 1.0 - p(0, 1), 1e-12);
}

#[test]
fn weights_of_pairs_and_lineups() {
    let players = paper_table1();
    let pairs = pairing::lineup_weights(&players, 2);
    assert_eq!(pairs.len(), 21);
    assert_eq!(pairs[0].players, vec![0, 1]);
    close(
        pairs[0].weight,
        (-(74.2 / 32.71f64.hypot(30.23))).exp(),
        1e-12,
    );
    close(
        pairing::z_score(&players[1], &players[0]),
        74.2 / 32.71f64.hypot(30.23),
        1e-9,
    );
    for (n_seats, n) in [(3, 35), (4, 35), (5, 21), (6, 7), (7, 1), (8, 0), (0, 0)] {
        let lineups = pairing::lineup_weights(&players, n_seats);
        assert_eq!(lineups.len(), n);
        assert!(lineups.is_sorted_by(|a, b| a.players < b.players));
        assert!(
            lineups
                .iter()
                .all(|l| l.weight > 0.0 && l.weight <= 1.0 && l.players.len() == n_seats)
        );
    }
    let three = &pairing::lineup_weights(&players, 3)[0];
    let z = |i: usize, j: usize| pairing::z_score(&players[i], &players[j]);
    close(
        three.weight,
        (-(z(0, 1) + z(0, 2) + z(1, 2)) / 3.0).exp(),
        1e-12,
    );
    let fresh = pairing::lineup_weights(&[Glicko2Rating::FROZEN; 4], 3);
    assert!(fresh.iter().all(|l| l.weight == 1.0));
    assert_eq!(
        pairing::z_score(&glicko(1500.0, 0.0), &glicko(1500.0, 0.0)),
        0.0
    );
}

#[test]
fn choosing_follows_the_weights_and_the_floor() {
    let players = paper_table1();
    let mut pairs = pairing::lineup_weights(&players, 2);
    let total: f64 = pairs.iter().map(|l| l.weight).sum();
    let mut rng = TestRng(1);
    let n = 20_000;
    let n_close = (0..n)
        .filter(|_| pairing::choose(&pairs, rng.uniform()).unwrap().players == [3, 4])
        .count();
    let share = pairs.iter().find(|l| l.players == [3, 4]).unwrap().weight / total;
    close(
        n_close as f64 / f64::from(n),
        share,
        4.0 * (share / f64::from(n)).sqrt(),
    );

    let mut n_games = vec![5; pairs.len()];
    pairing::force_floor(&mut pairs, &n_games, 5);
    close(pairs.iter().map(|l| l.weight).sum(), total, 1e-12);
    n_games[6] = 4;
    pairing::force_floor(&mut pairs, &n_games, 5);
    for u in [0.0, 0.5, 0.999_999] {
        assert_eq!(pairing::choose(&pairs, u), Some(&pairs[6]));
    }
    assert_eq!(pairing::choose(&[], 0.5), None);
    pairs.iter_mut().for_each(|l| l.weight = 0.0);
    assert_eq!(pairing::choose(&pairs, 0.0), None);
}
