//! Known values (docs/spec/sampling.md 4.1, 4.2, 4.4, 4.5) and properties.

use super::bradley_terry::WinTable;
use super::glicko2::Glicko2Rating;

mod batch;
mod online;
mod rankings;

#[track_caller]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected} within {tolerance}"
    );
}

#[track_caller]
fn all_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (i, (a, e)) in actual.iter().zip(expected).enumerate() {
        assert!(
            (a - e).abs() <= tolerance,
            "entry {i}: {a} is not {e} within {tolerance}"
        );
    }
}

fn glicko(rating: f64, deviation: f64) -> Glicko2Rating {
    Glicko2Rating {
        rating,
        deviation,
        volatility: 0.0,
    }
}

/// Minorise-maximise (docs/spec/sampling.md 4.4), an independent way to the same maximum.
fn mm_elo(table: &WinTable) -> Vec<f64> {
    let n = table.n_players();
    let mut g = vec![1.0; n];
    for _ in 0..20_000 {
        let next: Vec<f64> = (0..n)
            .map(|i| {
                let wins: f64 = (0..n).map(|j| table.wins(i, j)).sum();
                wins / (0..n)
                    .filter(|&j| j != i)
                    .map(|j| table.games(i, j) / (g[i] + g[j]))
                    .sum::<f64>()
            })
            .collect();
        let mean = next.iter().map(|g: &f64| g.ln()).sum::<f64>() / n as f64;
        g = next.iter().map(|g| g / mean.exp()).collect();
    }
    g.iter().map(|g| 400.0 * g.log10()).collect()
}
