//! Plackett-Luce.

use super::super::bradley_terry::{self, WinTable};
use super::super::plackett_luce::{self, RankingTable};
use super::super::{ELO_PER_NAT, PairResult, RankingError, RatingFitError, RatingFitParams};
use super::{all_close, close, mm_elo};
use crate::stats::test_rng::TestRng;

#[test]
fn plackett_luce_of_two_is_bradley_terry() {
    let mut rng = TestRng(21);
    let (mut wins, mut rankings) = (WinTable::new(5), RankingTable::new(5));
    for _ in 0..600 {
        let i = rng.below(5);
        let j = (i + 1 + rng.below(4)) % 5;
        let result = [PairResult::Win, PairResult::Draw, PairResult::Loss][rng.below(3)];
        let ranks = match result {
            PairResult::Win => [1, 2],
            PairResult::Draw => [1, 1],
            PairResult::Loss => [9, 3],
        };
        wins.record(i, j, result).unwrap();
        rankings.record(&[i, j], &ranks).unwrap();
    }
    for params in [RatingFitParams::NO_PRIOR, RatingFitParams::default()] {
        let a = bradley_terry::fit(&wins, &params).unwrap();
        let b = plackett_luce::fit(&rankings, &params).unwrap();
        all_close(a.elo(), b.elo(), 1e-7);
        for i in 0..5 {
            for j in 0..5 {
                close(a.covariance(i, j), b.covariance(i, j), 1e-6);
            }
        }
    }
    all_close(
        bradley_terry::fit(&wins, &RatingFitParams::NO_PRIOR)
            .unwrap()
            .elo(),
        &mm_elo(&wins),
        1e-6,
    );
    assert_eq!(rankings.n_games(), 600);
}

/// One ranking, best first, drawn from log-strengths.
fn sample_ranking(theta: &[f64], players: &[usize], rng: &mut TestRng) -> Vec<usize> {
    // The order of Gumbel-perturbed log-strengths follows Plackett-Luce (Yellott 1977).
    let mut keyed: Vec<(f64, usize)> = players
        .iter()
        .map(|&p| (theta[p] - (-(1.0 - rng.uniform()).ln()).ln(), p))
        .collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
    keyed.into_iter().map(|(_, p)| p).collect()
}

fn sample_lineup(n_players: usize, n_seats: usize, rng: &mut TestRng) -> Vec<usize> {
    let mut pool: Vec<usize> = (0..n_players).collect();
    (0..n_seats)
        .map(|_| pool.swap_remove(rng.below(pool.len())))
        .collect()
}

/// All orders of `items`.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for k in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(k);
        all.extend(permutations(&rest).into_iter().map(|mut tail| {
            tail.insert(0, first);
            tail
        }));
    }
    all
}

/// Hunter's minorise-maximise over weighted strict rankings, an independent way to the same
/// maximum.
fn mm_rankings(n: usize, rankings: &[(Vec<usize>, f64)]) -> Vec<f64> {
    let mut g = vec![1.0f64; n];
    for _ in 0..3000 {
        let (mut wins, mut sums) = (vec![0.0; n], vec![0.0; n]);
        for (order, weight) in rankings {
            for stage in 0..order.len() - 1 {
                wins[order[stage]] += weight;
                let field: f64 = order[stage..].iter().map(|&i| g[i]).sum();
                order[stage..]
                    .iter()
                    .for_each(|&i| sums[i] += weight / field);
            }
        }
        g = wins.iter().zip(&sums).map(|(w, s)| w / s).collect();
        let mean = g.iter().map(|g| g.ln()).sum::<f64>() / n as f64;
        g.iter_mut().for_each(|g| *g /= mean.exp());
    }
    g.iter().map(|g| 400.0 * g.log10()).collect()
}

#[test]
fn plackett_luce_agrees_with_minorise_maximise_over_all_orders_of_ties() {
    let mut rng = TestRng(31);
    let theta = [0.6, 0.2, 0.0, -0.3, -0.5];
    let mut table = RankingTable::new(5);
    let mut strict = Vec::new();
    for game in 0..60 {
        let lineup = sample_lineup(5, 3 + game % 3, &mut rng);
        let order = sample_ranking(&theta, &lineup, &mut rng);
        // Every other game ends with a tie in its middle or for the last places.
        let (from, to) = match game % 4 {
            0 => (order.len() - 2, order.len()),
            1 => (0, 2),
            2 => (order.len() - 3, order.len()),
            _ => (0, 0),
        };
        let ranks: Vec<u32> = (0..order.len())
            .map(|k| if (from..to).contains(&k) { from } else { k } as u32)
            .collect();
        table.record(&order, &ranks).unwrap();
        let tied = permutations(&order[from..to]);
        for middle in &tied {
            let order = [&order[..from], middle, &order[to..]].concat();
            strict.push((order, 1.0 / tied.len() as f64));
        }
    }
    let fit = plackett_luce::fit(&table, &RatingFitParams::NO_PRIOR).unwrap();
    all_close(fit.elo(), &mm_rankings(5, &strict), 1e-5);
}

#[test]
fn plackett_luce_recovers_strengths_from_100_000_games() {
    let mut rng = TestRng(41);
    let n = 12;
    let theta: Vec<f64> = (0..n).map(|i| 0.15 * (i as f64 - 5.5)).collect();
    let (mut table, mut half) = (RankingTable::new(n), RankingTable::new(n));
    for game in 0..100_000usize {
        let lineup = sample_lineup(n, 3 + game % 4, &mut rng);
        let order = sample_ranking(&theta, &lineup, &mut rng);
        let ranks: Vec<u32> = (0..order.len() as u32).collect();
        if game % 2 == 0 { &mut table } else { &mut half }
            .record(&order, &ranks)
            .unwrap();
    }
    table.merge(&half);
    assert_eq!(table.n_games(), 100_000);
    let fit = plackett_luce::fit(&table, &RatingFitParams::default()).unwrap();
    let mut n_inside = 0;
    for (i, t) in theta.iter().enumerate() {
        assert!(fit.std_error(i) < 2.0);
        close(fit.elo()[i], t * ELO_PER_NAT, 4.0 * fit.std_error(i));
        n_inside += u32::from(fit.interval95(i).contains(t * ELO_PER_NAT));
    }
    assert!(n_inside >= 9, "{n_inside} of 12 intervals hold the truth");
}

#[test]
fn plackett_luce_edge_cases() {
    let mut table = RankingTable::new(3);
    assert_eq!(
        table.record(&[0, 1], &[1]),
        Err(RankingError::RankCount {
            n_players: 2,
            n_ranks: 1
        })
    );
    assert_eq!(
        table.record(&[0, 3], &[1, 2]),
        Err(RankingError::UnknownPlayer {
            player: 3,
            n_players: 3
        })
    );
    assert_eq!(
        table.record(&[0; 9], &[1; 9]),
        Err(RankingError::TooManyPlayers {
            n_players: 9,
            max: 8
        })
    );
    assert_eq!(table, RankingTable::new(3));
    // Games with a single player, or of a player with itself, say nothing.
    table.record(&[2], &[1]).unwrap();
    table.record(&[1, 1, 1], &[1, 2, 2]).unwrap();
    all_close(
        plackett_luce::fit(&table, &RatingFitParams::default())
            .unwrap()
            .elo(),
        &[0.0; 3],
        1e-12,
    );
    assert_eq!(
        plackett_luce::fit(&table, &RatingFitParams::NO_PRIOR),
        Err(RatingFitError::Unbounded)
    );
    // Eight equal players, all tied: equal ratings.
    let mut tied = RankingTable::new(8);
    tied.record(&[0, 1, 2, 3, 4, 5, 6, 7], &[1; 8]).unwrap();
    all_close(
        plackett_luce::fit(&tied, &RatingFitParams::NO_PRIOR)
            .unwrap()
            .elo(),
        &[0.0; 8],
        1e-9,
    );
    // Winner of everything.
    let mut swept = RankingTable::new(3);
    (0..1000).for_each(|_| swept.record(&[0, 1, 2], &[1, 2, 3]).unwrap());
    let fit = plackett_luce::fit(&swept, &RatingFitParams::default()).unwrap();
    assert!(
        fit.elo()[0] > 300.0 && fit.elo()[2] < -300.0 && fit.elo().iter().all(|e| e.is_finite())
    );
    for n in [0, 1] {
        assert_eq!(
            plackett_luce::fit(&RankingTable::new(n), &RatingFitParams::NO_PRIOR)
                .unwrap()
                .elo()
                .len(),
            n
        );
    }
}

#[test]
fn a_player_in_two_seats_counts_twice() {
    // Player 0 holds two seats of three: fair play means two thirds of the wins.
    let mut table = RankingTable::new(2);
    for winner in 0..3 {
        for second in (0..3).filter(|&s| s != winner) {
            let third = 3 - winner - second;
            let order = [winner, second, third].map(|seat| usize::from(seat == 2));
            table.record(&order, &[1, 2, 3]).unwrap();
        }
    }
    let fit = plackett_luce::fit(&table, &RatingFitParams::NO_PRIOR).unwrap();
    all_close(fit.elo(), &[0.0, 0.0], 1e-9);
}
