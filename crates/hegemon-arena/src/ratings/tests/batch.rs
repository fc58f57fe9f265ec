//! Bradley-Terry.

use super::super::bradley_terry::{self, WinTable};
use super::super::{ELO_PER_NAT, PairResult, RankingError, RatingFitError, RatingFitParams};
use super::{all_close, close, mm_elo};
use crate::stats::test_rng::TestRng;

fn win_table(rows: &[&[f64]]) -> WinTable {
    let mut table = WinTable::new(rows.len());
    for (i, row) in rows.iter().enumerate() {
        for (j, &wins) in row.iter().enumerate() {
            table.add_wins(i, j, wins).unwrap();
        }
    }
    table
}

#[test]
fn bradley_terry_known_values() {
    let table = win_table(&[&[0.0, 7.0, 9.0], &[3.0, 0.0, 6.0], &[1.0, 4.0, 0.0]]);
    let fit = bradley_terry::fit(&table, &RatingFitParams::NO_PRIOR).unwrap();
    all_close(fit.elo(), &[163.92, -27.82, -136.10], 0.005);
    all_close(fit.elo(), &mm_elo(&table), 1e-6);
    close(fit.elo().iter().sum(), 0.0, 1e-9);
}

#[test]
fn bradley_terry_two_players_have_closed_forms() {
    let mut table = WinTable::new(2);
    for _ in 0..60 {
        table.record(0, 1, PairResult::Win).unwrap();
        table.record(1, 0, PairResult::Draw).unwrap();
        table.record(1, 0, PairResult::Win).unwrap();
        table.record(0, 1, PairResult::Win).unwrap();
    }
    let fit = bradley_terry::fit(&table, &RatingFitParams::NO_PRIOR).unwrap();
    let (n, p) = (240.0, 150.0 / 240.0);
    let (difference, error) = fit.difference(0, 1);
    close(difference, 400.0 * f64::log10(p / (1.0 - p)), 1e-8);
    close(error, ELO_PER_NAT / f64::sqrt(n * p * (1.0 - p)), 1e-8);
    close(fit.std_error(0), error / 2.0, 1e-8);
    close(fit.covariance(0, 1), -fit.covariance(0, 0), 1e-6);
    close(fit.interval95(0).half_width(), 1.96 * error / 2.0, 0.01);
    close(
        fit.los(0, 1),
        crate::stats::normal_cdf(difference / error),
        1e-12,
    );
}

#[test]
fn covariance_is_the_pseudo_inverse_of_the_information() {
    let table = win_table(&[
        &[0.0, 7.0, 9.0, 2.0],
        &[3.0, 0.0, 6.0, 0.0],
        &[1.0, 4.0, 0.0, 5.0],
        &[4.0, 0.0, 3.0, 0.0],
    ]);
    let fit = bradley_terry::fit(&table, &RatingFitParams::NO_PRIOR).unwrap();
    let n = 4;
    let information = |i: usize, j: usize| -> f64 {
        let pair = |i: usize, j: usize| {
            let p = 1.0 / (1.0 + 10f64.powf((fit.elo()[j] - fit.elo()[i]) / 400.0));
            table.games(i, j) * p * (1.0 - p) / ELO_PER_NAT.powi(2)
        };
        if i == j {
            (0..n).filter(|&k| k != i).map(|k| pair(i, k)).sum()
        } else {
            -pair(i, j)
        }
    };
    for i in 0..n {
        close((0..n).map(|j| fit.covariance(i, j)).sum(), 0.0, 1e-6);
        for j in 0..n {
            // L C = I - 11'/n for the pseudo-inverse C of L.
            let product: f64 = (0..n)
                .map(|k| information(i, k) * fit.covariance(k, j))
                .sum();
            close(product, f64::from(u8::from(i == j)) - 0.25, 1e-9);
        }
    }
}

#[test]
fn superiority_is_antisymmetric_and_uses_covariances() {
    let table = win_table(&[&[0.0, 7.0, 9.0], &[3.0, 0.0, 6.0], &[1.0, 4.0, 0.0]]);
    let fit = bradley_terry::fit(&table, &RatingFitParams::default()).unwrap();
    for i in 0..3 {
        assert_eq!(fit.los(i, i), 0.5);
        for j in 0..3 {
            close(fit.los(i, j) + fit.los(j, i), 1.0, 1e-12);
        }
    }
    assert!(fit.los(0, 1) > 0.9 && fit.los(0, 2) > fit.los(0, 1) && fit.los(1, 2) > 0.5);
}

#[test]
fn prior_makes_every_table_fit() {
    let prior = RatingFitParams::default();
    for n in [0, 1] {
        for params in [prior, RatingFitParams::NO_PRIOR] {
            let fit = bradley_terry::fit(&WinTable::new(n), &params).unwrap();
            assert_eq!((fit.n_players(), fit.elo()), (n, &vec![0.0; n][..]));
        }
    }
    // No games: everybody is average, with a large error.
    let fit = bradley_terry::fit(&WinTable::new(4), &prior).unwrap();
    all_close(fit.elo(), &[0.0; 4], 1e-12);
    assert!(fit.std_error(2) > 250.0);
    // One player won everything, one lost everything.
    let swept = win_table(&[&[0.0, 1e6, 1e6], &[0.0, 0.0, 10.0], &[0.0, 0.0, 0.0]]);
    let fit = bradley_terry::fit(&swept, &prior).unwrap();
    assert!(fit.elo()[0] > fit.elo()[1] && fit.elo()[1] > fit.elo()[2] && fit.elo()[0] < 5000.0);
    assert!(fit.elo().iter().all(|e| e.is_finite()) && fit.std_error(0) > 50.0);
    // Two groups that never met: known inside, unknown across.
    let groups = win_table(&[
        &[0.0, 300.0, 0.0, 0.0],
        &[200.0, 0.0, 0.0, 0.0],
        &[0.0, 0.0, 0.0, 50.0],
        &[0.0, 0.0, 50.0, 0.0],
    ]);
    let fit = bradley_terry::fit(&groups, &prior).unwrap();
    assert!(fit.difference(0, 1).1 < 20.0 && fit.difference(2, 3).1 < 40.0);
    assert!(fit.difference(0, 2).1 > 200.0);
}

#[test]
fn a_billion_games_still_converge() {
    let table = win_table(&[&[0.0, 6e8, 9e8], &[4e8, 0.0, 7e8], &[1e8, 3e8, 0.0]]);
    let pure = bradley_terry::fit(&table, &RatingFitParams::NO_PRIOR).unwrap();
    let prior = bradley_terry::fit(&table, &RatingFitParams::default()).unwrap();
    all_close(pure.elo(), prior.elo(), 1e-4);
    all_close(pure.elo(), &mm_elo(&table), 1e-5);
    close(pure.std_error(0), prior.std_error(0), 1e-6);
}

#[test]
fn without_a_prior_unbounded_tables_are_refused() {
    let tables = [
        WinTable::new(2),
        win_table(&[&[0.0, 5.0], &[0.0, 0.0]]),
        win_table(&[&[0.0, 5.0, 0.0], &[5.0, 0.0, 0.0], &[0.0, 0.0, 0.0]]),
        win_table(&[&[0.0, 5.0, 1.0], &[5.0, 0.0, 1.0], &[0.0, 0.0, 0.0]]),
    ];
    for table in tables {
        assert_eq!(
            bradley_terry::fit(&table, &RatingFitParams::NO_PRIOR),
            Err(RatingFitError::Unbounded)
        );
        assert!(bradley_terry::fit(&table, &RatingFitParams { prior_draws: 0.01 }).is_ok());
    }
    for prior_draws in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            bradley_terry::fit(&WinTable::new(2), &RatingFitParams { prior_draws }),
            Err(RatingFitError::BadPrior)
        );
    }
}

/// Whoever comes first in the table: to have beaten and to have been beaten are two questions.
#[test]
fn without_a_prior_everybody_must_win_and_lose_among_all() {
    let fit = |table| bradley_terry::fit(&table, &RatingFitParams::NO_PRIOR);
    let circle = win_table(&[&[0.0, 3.0, 0.0], &[0.0, 0.0, 3.0], &[3.0, 0.0, 0.0]]);
    all_close(fit(circle).unwrap().elo(), &[0.0; 3], 1e-9);
    let won = win_table(&[&[0.0, 3.0, 3.0], &[0.0, 0.0, 1.0], &[0.0, 1.0, 0.0]]);
    let lost = win_table(&[&[0.0, 0.0, 0.0], &[3.0, 0.0, 1.0], &[3.0, 1.0, 0.0]]);
    let lower = win_table(&[&[0.0, 1.0, 0.0], &[1.0, 0.0, 0.0], &[3.0, 3.0, 0.0]]);
    for table in [won, lost, lower] {
        assert_eq!(fit(table), Err(RatingFitError::Unbounded));
    }
}

#[test]
fn bad_records_are_refused_and_tables_add() {
    let mut table = WinTable::new(2);
    assert_eq!(
        table.record(0, 2, PairResult::Win),
        Err(RankingError::UnknownPlayer {
            player: 2,
            n_players: 2
        })
    );
    assert_eq!(table.add_wins(0, 1, -1.0), Err(RankingError::OutOfRange));
    table.record(0, 0, PairResult::Win).unwrap();
    assert_eq!(table, WinTable::new(2));
    table.record(0, 1, PairResult::Draw).unwrap();
    let mut sum = table.clone();
    sum.merge(&table);
    assert_eq!((sum.wins(0, 1), sum.games(1, 0)), (1.0, 2.0));
}

#[test]
fn a_prior_pulls_towards_the_average() {
    let table = win_table(&[&[0.0, 30.0], &[10.0, 0.0]]);
    let elo = |prior_draws| {
        bradley_terry::fit(&table, &RatingFitParams { prior_draws })
            .unwrap()
            .elo()[0]
    };
    assert!(elo(0.0) > elo(1.0) && elo(1.0) > elo(2.0) && elo(2.0) > elo(50.0));
    close(elo(1e-6), elo(0.0), 1e-2);
}

#[test]
fn batch_intervals_cover() {
    let truth = [120.0, 30.0, -20.0, -130.0];
    let mut rng = TestRng(11);
    let (mut hits, mut n) = (0, 0);
    for _ in 0..500 {
        let mut table = WinTable::new(4);
        for i in 0..4 {
            for j in 0..i {
                for _ in 0..50 {
                    let p = 1.0 / (1.0 + 10f64.powf((truth[j] - truth[i]) / 400.0));
                    let result = if rng.uniform() < p {
                        PairResult::Win
                    } else {
                        PairResult::Loss
                    };
                    table.record(i, j, result).unwrap();
                }
            }
        }
        let fit = bradley_terry::fit(&table, &RatingFitParams { prior_draws: 0.1 }).unwrap();
        for (i, &elo) in truth.iter().enumerate() {
            hits += u32::from(fit.interval95(i).contains(elo));
            n += 1;
        }
    }
    let coverage = f64::from(hits) / f64::from(n);
    assert!((0.93..0.97).contains(&coverage), "{coverage}");
}
