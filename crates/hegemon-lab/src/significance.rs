//! Tests: p-values of differences, of signs, and their adjustment for many rows.

use hegemon_arena::stats::{Z95, normal_sf};

/// The level of every test; every interval has the confidence that remains.
pub(crate) const LEVEL: f64 = 0.05;

/// The two-sided p-value of a difference whose 95 % interval has this half width;
/// `None` without an error.
pub(crate) fn p_of_difference(difference: f64, half_width95: f64) -> Option<f64> {
    (half_width95 > 0.0 && half_width95.is_finite())
        .then(|| 2.0 * normal_sf(Z95 * difference.abs() / half_width95))
}

/// The p-values adjusted for their number, so that all that stay below a level are
/// right together at that level, however they depend on each other (S. Holm,
/// "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 6, 1979).
pub(crate) fn holm(p_values: &[f64]) -> Vec<f64> {
    let n = p_values.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; n];
    let mut least: f64 = 0.0;
    for (rank, &idx) in order.iter().enumerate() {
        least = least.max(((n - rank) as f64 * p_values[idx]).min(1.0));
        adjusted[idx] = least;
    }
    adjusted
}

/// The chance of at least `n_hits` of `n` where each has this probability.
pub(crate) fn binomial_tail(n_hits: usize, n: usize, probability: f64) -> f64 {
    let mut term = (0..n).fold(1.0, |product, _| product * (1.0 - probability));
    let odds = probability / (1.0 - probability);
    let mut below = 0.0;
    for k in 0..n_hits.min(n + 1) {
        below += term;
        term *= odds * (n - k) as f64 / (k + 1) as f64;
    }
    (1.0 - below).clamp(0.0, 1.0)
}

/// The two-sided p-value of `n_hits` of `n` where nothing decides and each comes
/// with chance one half (the sign test).
pub(crate) fn sign_test(n_hits: usize, n: usize) -> f64 {
    let more = n_hits.max(n - n_hits.min(n));
    (2.0 * binomial_tail(more, n, 0.5)).min(1.0)
}

/// A p-value in print.
pub(crate) fn p_text(p: f64) -> String {
    if p < 1e-4 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_multiplies_by_what_is_left_and_never_falls() {
        // Worked by hand: 0.01 * 4, 0.02 * 3, 0.03 * 2, 0.5.
        let adjusted = holm(&[0.5, 0.01, 0.03, 0.02]);
        for (ours, expected) in adjusted.iter().zip([0.5, 0.04, 0.06, 0.06]) {
            assert!((ours - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.4, 0.9]), [0.8, 0.9]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn the_sign_test_counts_both_tails() {
        // 2 (1 + 8) / 256.
        assert!((sign_test(7, 8) - 18.0 / 256.0).abs() < 1e-12);
        assert!((sign_test(1, 8) - sign_test(7, 8)).abs() < 1e-12);
        assert_eq!(sign_test(4, 8), 1.0);
        assert!(sign_test(16, 16) < 1e-4 && sign_test(0, 0) == 1.0);
        assert!((binomial_tail(1, 2, 0.25) - 0.4375).abs() < 1e-12);
    }

    #[test]
    fn a_difference_at_the_end_of_its_interval_has_the_level() {
        let p = p_of_difference(-3.0, 3.0).expect("an error");
        assert!((p - LEVEL).abs() < 1e-9, "{p}");
        assert_eq!(p_of_difference(1.0, 0.0), None);
        assert_eq!(p_text(0.00003), "< 0.0001");
    }
}
