use super::test_rng::TestRng;
use super::*;

#[track_caller]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected} within {tolerance}"
    );
}

fn mean_of(values: &[f64]) -> Option<MeanEstimate> {
    Moments::from_iter(values.iter().copied()).estimate()
}

/// Both estimates of blocks that are numbered by position.
fn controlled<X: AsRef<[f64]>>(blocks: &[(f64, X)]) -> Option<ControlledEstimate> {
    let mut accumulator = ControlVariate::new(blocks.first()?.1.as_ref().len());
    for (block_idx, (y, x)) in (0..).zip(blocks) {
        accumulator.push(block_idx, *y, x.as_ref());
    }
    accumulator.estimate()
}

#[test]
fn normal_law_matches_tables() {
    close(normal_cdf(0.0), 0.5, 1e-15);
    close(normal_cdf(1.0), 0.841_344_746_068_543, 1e-10);
    close(normal_sf(1.96), 0.024_997_895_148_220, 1e-10);
    close(normal_sf(6.0) / 9.865_876_450_376_98e-10, 1.0, 1e-8);
    close(normal_cdf(Z95), 0.975, 1e-10);
}

#[test]
fn student_quantiles_match_tables() {
    for (df, t) in [
        (1.0, 12.7062),
        (2.0, 4.3027),
        (9.0, 2.2622),
        (30.0, 2.0423),
        (1e7, 1.959_96),
    ] {
        close(t_quantile95(df), t, 1e-4);
    }
    assert_eq!(t_quantile95(0.0), f64::INFINITY);
}

#[test]
fn wilson_known_values_and_ends() {
    let w = wilson95(81.0, 263.0);
    // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    close(w.low, 0.2553, 5e-5);
    close(w.high, 0.3662, 5e-5);
    let w = wilson95(15.0, 148.0);
    close(w.low, 0.0624, 5e-5);
    close(w.high, 0.1605, 5e-5);
    let w = wilson95(0.0, 20.0);
    assert_eq!(w.low, 0.0);
    close(w.high, 0.1611, 5e-5);
    let w = wilson95(29.0, 29.0);
    assert_eq!(w.high, 1.0);
    close(w.low, 0.8830, 5e-5);
    assert_eq!(
        wilson95(0.0, 0.0),
        Interval {
            low: 0.0,
            high: 1.0
        }
    );
}

#[test]
fn without_a_trial_a_share_may_be_anything() {
    let anything = Interval {
        low: 0.0,
        high: 1.0,
    };
    for n in [0.0, -5.0, f64::NAN] {
        assert_eq!(wilson95(1.0, n), anything, "{n}");
    }
}

#[test]
fn a_share_of_blocks_has_the_effective_trials_and_students_quantile() {
    // Variance 1/8, so 1/4 * 2 / (1/8) = 4 trials; one degree of freedom.
    let actual = share_ci95(&Moments::from_iter([0.25, 0.75]));
    let expected = wilson(2.0, 4.0, 12.7062);
    close(actual.low, expected.low, 1e-5);
    close(actual.high, expected.high, 1e-5);
}

#[test]
fn a_share_at_its_end_counts_blocks() {
    // Scores outside [0, 1] are the only way to an end with a spread.
    assert_eq!(
        share_ci95(&Moments::from_iter([1.0, 3.0])),
        wilson95(2.0, 2.0)
    );
    assert_eq!(
        share_ci95(&Moments::from_iter([-3.0, 0.5])),
        wilson95(0.0, 2.0)
    );
}

#[test]
fn mean_is_honest_about_few_blocks() {
    assert_eq!(mean_of(&[]), None);
    let one = mean_of(&[0.75]).unwrap();
    assert_eq!(
        (one.n, one.mean, one.std_error, one.ci95),
        (1, 0.75, None, None)
    );
    let two = mean_of(&[0.0, 1.0]).unwrap();
    close(two.ci95.unwrap().half_width(), 12.7062 * 0.5, 1e-3);
}

#[test]
fn mean_interval_by_hand() {
    let e = mean_of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    close(e.mean, 3.0, 1e-12);
    close(e.std_error.unwrap(), (2.5f64 / 5.0).sqrt(), 1e-12);
    close(e.ci95.unwrap().half_width(), 2.7764 * 0.5f64.sqrt(), 1e-4);
}

#[test]
fn share_interval_is_honest_at_the_ends_and_covers() {
    let share = |scores: &[f64]| share_ci95(&Moments::from_iter(scores.iter().copied()));
    assert_eq!(
        share(&[]),
        Interval {
            low: 0.0,
            high: 1.0
        }
    );
    assert_eq!(share(&[1.0]), wilson95(1.0, 1.0));
    assert_eq!(share(&[1.0; 50]), wilson95(50.0, 50.0));
    assert_eq!(share(&[0.5; 4]), wilson95(2.0, 4.0));
    // In the middle it is the interval of the mean.
    let scores: Vec<f64> = (0..400).map(|i| f64::from(i % 3) / 2.0).collect();
    let (wilson, mean) = (share(&scores), mean_of(&scores).unwrap().ci95.unwrap());
    close(wilson.low, mean.low, 1e-3);
    close(wilson.high, mean.high, 1e-3);
    // Blocks of two dependent games, the first won with chance 0.9.
    let mut rng = TestRng(12);
    let (mut share_hits, n_runs) = (0, 4000);
    for _ in 0..n_runs {
        let scores: Moments = (0..60)
            .map(|_| {
                let first = rng.uniform() < 0.9;
                let second = if rng.uniform() < 0.5 {
                    first
                } else {
                    rng.uniform() < 0.9
                };
                f64::from(u8::from(first) + u8::from(second)) / 2.0
            })
            .collect();
        share_hits += u32::from(share_ci95(&scores).contains(0.9));
    }
    let coverage = f64::from(share_hits) / f64::from(n_runs);
    assert!((0.93..0.975).contains(&coverage), "{coverage}");
}

#[test]
fn moments_merge_as_one_stream() {
    let mut rng = TestRng(3);
    let xs: Vec<f64> = (0..1000).map(|_| 1e6 + rng.normal()).collect();
    let whole = Moments::from_iter(xs.iter().copied());
    let mut merged = Moments::default();
    for chunk in [&xs[..0], &xs[..1], &xs[1..400], &xs[400..]] {
        merged.merge(&Moments::from_iter(chunk.iter().copied()));
    }
    assert_eq!(merged.n(), whole.n());
    close(merged.mean().unwrap(), whole.mean().unwrap(), 1e-8);
    close(merged.variance().unwrap(), whole.variance().unwrap(), 1e-8);
    close(whole.variance().unwrap(), 1.0, 0.15);
}

#[test]
fn co_moments_match_the_two_pass_formula_and_merge() {
    let mut rng = TestRng(4);
    let points: Vec<[f64; 3]> = (0..500)
        .map(|_| {
            let a = rng.normal();
            [a, 2.0 * a + rng.normal(), 5.0 + rng.uniform()]
        })
        .collect();
    let mut whole = CoMoments::new(3);
    points.iter().for_each(|p| whole.push(p));
    let (mut left, mut right) = (CoMoments::new(3), CoMoments::new(3));
    points[..123].iter().for_each(|p| left.push(p));
    points[123..].iter().for_each(|p| right.push(p));
    left.merge(&right);
    let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / 500.0;
    for i in 0..3 {
        close(whole.mean(i).unwrap(), mean(i), 1e-12);
        for j in 0..3 {
            let direct = points
                .iter()
                .map(|p| (p[i] - mean(i)) * (p[j] - mean(j)))
                .sum::<f64>()
                / 499.0;
            close(whole.covariance(i, j).unwrap(), direct, 1e-12);
            close(left.covariance(i, j).unwrap(), direct, 1e-12);
        }
    }
    close(whole.correlation(0, 1).unwrap(), 2.0 / 5f64.sqrt(), 0.03);
    assert_eq!(CoMoments::new(1).correlation(0, 0), None);
}

#[test]
fn correlation_by_hand_and_none_without_spread() {
    let mut points = CoMoments::new(3);
    for point in [[1.0, 2.0, 7.0], [2.0, 6.0, 7.0], [3.0, 4.0, 7.0]] {
        points.push(&point);
    }
    // Covariance 1, variances 1 and 4.
    close(points.correlation(0, 1).unwrap(), 0.5, 1e-12);
    close(points.correlation(1, 1).unwrap(), 1.0, 1e-12);
    assert_eq!(points.correlation(0, 2), None);
    assert_eq!(points.correlation(2, 0), None);
}

#[test]
fn control_variate_takes_as_many_covariates_as_it_says() {
    let mut blocks = ControlVariate::new(MAX_COVARIATES);
    blocks.push(0, 1.0, &[0.5; MAX_COVARIATES]);
    assert_eq!((blocks.n(), blocks.n_covariates()), (1, MAX_COVARIATES));
}

#[test]
fn control_variate_counts_its_degrees_of_freedom() {
    let y = [1.0, 0.0, 2.0, 1.0, 0.0, 1.0];
    let x = [[1.0], [-1.0], [2.0], [-2.0], [0.5], [-3.0]];
    let blocks: Vec<(f64, [f64; 1])> = y.into_iter().zip(x).collect();
    // Three blocks a fold are the fewest for one slope.
    let estimate = controlled(&blocks).unwrap();
    assert!(estimate.factor.is_some());
    let quantile = |e: MeanEstimate| e.ci95.unwrap().half_width() / e.std_error.unwrap();
    close(quantile(estimate.plain), t_quantile95(5.0), 1e-9);
    close(quantile(estimate.adjusted), t_quantile95(4.0), 1e-9);
}

#[test]
fn control_variate_has_no_factor_when_no_error_is_left() {
    let blocks = [0.0, 0.0, 2.0, 2.0, 4.0, 4.0].map(|y| (y, [y]));
    let estimate = controlled(&blocks).unwrap();
    assert_eq!(estimate.adjusted.std_error, Some(0.0));
    assert_eq!(estimate.factor, None);
}

#[test]
fn control_variate_with_too_few_blocks_is_the_plain_mean() {
    assert_eq!(ControlVariate::new(1).estimate(), None);
    let one = controlled(&[(0.5, [1.0])]).unwrap();
    assert_eq!(
        (
            one.plain.mean,
            one.adjusted.mean,
            one.adjusted.ci95,
            one.factor
        ),
        (0.5, 0.5, None, None)
    );
    let four = controlled(&[(0.0, [1.0]), (1.0, [0.0]), (1.0, [1.0]), (0.0, [2.0])]).unwrap();
    assert_eq!(four.plain, four.adjusted);
}

#[test]
fn control_variate_without_spread_in_x_changes_nothing() {
    let blocks: Vec<(f64, [f64; 2])> = (0..20).map(|i| (f64::from(i % 3), [0.0, 0.0])).collect();
    let e = controlled(&blocks).unwrap();
    close(e.adjusted.mean, e.plain.mean, 1e-12);
    assert_eq!(e.slope, vec![0.0, 0.0]);
    close(e.factor.unwrap(), 1.0, 0.1);
}

#[test]
fn control_variate_perfect_covariate_removes_all_error() {
    let mut rng = TestRng(9);
    let blocks: Vec<(f64, [f64; 1])> = (0..100)
        .map(|_| {
            let x = rng.normal();
            (0.3 + 2.0 * x, [x])
        })
        .collect();
    let e = controlled(&blocks).unwrap();
    close(e.adjusted.mean, 0.3, 1e-9);
    close(e.slope[0], 2.0, 1e-9);
    assert!(e.plain.std_error.unwrap() > 0.1 && e.adjusted.std_error.unwrap() < 1e-6);
}

#[test]
fn control_variate_merges_as_one_stream() {
    let mut rng = TestRng(10);
    let (mut whole, mut even, mut odd) = (
        ControlVariate::new(2),
        ControlVariate::new(2),
        ControlVariate::new(2),
    );
    for i in 0..301 {
        let x = [rng.normal(), rng.normal()];
        let y = x[0] - 0.5 * x[1] + rng.normal();
        whole.push(i, y, &x);
        if i < 100 { &mut even } else { &mut odd }.push(i, y, &x);
    }
    even.merge(&odd);
    let (a, b) = (whole.estimate().unwrap(), even.estimate().unwrap());
    assert_eq!(whole.n(), 301);
    close(a.adjusted.mean, b.adjusted.mean, 1e-12);
    close(a.factor.unwrap(), b.factor.unwrap(), 1e-9);
    close(a.slope[0], 1.0, 0.2);
    close(a.slope[1], -0.5, 0.2);
}

/// Runs `n_runs` experiments of `n_blocks` blocks with skewed outcomes and a covariate whose
/// relation to them is not linear; returns mean adjusted estimate, its standard error, coverage of
/// plain and adjusted, mean factor.
fn simulate(n_runs: u32, n_blocks: u64, truth: f64) -> (f64, f64, f64, f64, f64) {
    let mut rng = TestRng(2024);
    let mut means = Moments::default();
    let (mut plain_hits, mut adjusted_hits) = (0u32, 0u32);
    let mut factors = Moments::default();
    for _ in 0..n_runs {
        let mut accumulator = ControlVariate::new(2);
        for block_idx in 0..n_blocks {
            // Luck of one block: skewed, mean 0. The outcome is a win or a loss whose chance
            // depends on it.
            let luck = -(1.0 - rng.uniform()).ln() - 1.0;
            let noise = rng.normal();
            let win_chance = (truth + 0.25 * luck.clamp(-1.0, 1.0)).clamp(0.0, 1.0);
            let won = f64::from(u8::from(rng.uniform() < win_chance));
            accumulator.push(block_idx, won, &[luck, noise]);
        }
        let e = accumulator.estimate().unwrap();
        // E[clamp(luck, -1, 1)] = -exp(-2) for an exponential law shifted to mean 0.
        let mean = truth - 0.25 * (-2f64).exp();
        means.push(e.adjusted.mean - mean);
        plain_hits += u32::from(e.plain.ci95.unwrap().contains(mean));
        adjusted_hits += u32::from(e.adjusted.ci95.unwrap().contains(mean));
        // All outcomes of a small experiment may be equal.
        e.factor.into_iter().for_each(|factor| factors.push(factor));
    }
    let estimate = means.estimate().unwrap();
    let share = |hits: u32| f64::from(hits) / f64::from(n_runs);
    (
        estimate.mean,
        estimate.std_error.unwrap(),
        share(plain_hits),
        share(adjusted_hits),
        factors.mean().unwrap(),
    )
}

#[test]
fn control_variate_is_unbiased_and_covers() {
    let (bias, se, plain, adjusted, factor) = simulate(4000, 200, 0.5);
    assert!(
        bias.abs() < 3.0 * se,
        "bias {bias} with standard error {se}"
    );
    assert!((0.935..0.965).contains(&plain), "plain coverage {plain}");
    assert!(
        (0.935..0.965).contains(&adjusted),
        "adjusted coverage {adjusted}"
    );
    assert!(factor > 1.05, "factor {factor}");
}

#[test]
fn control_variate_is_unbiased_even_for_a_dozen_blocks() {
    let (bias, se, _, adjusted, _) = simulate(20_000, 14, 0.5);
    assert!(
        bias.abs() < 3.0 * se,
        "bias {bias} with standard error {se}"
    );
    assert!(
        (0.92..0.975).contains(&adjusted),
        "adjusted coverage {adjusted}"
    );
}
