use hegemon_core::Rng;

use super::*;

const TRUTH: [f64; 4] = [1.5, -2.0, 0.0, 0.7];

/// Rows from a known model; `n_copies` rows of each group are the same.
fn draw(n_groups: u64, n_copies: usize, seed: u64) -> Dataset {
    let mut rng = Rng::from_seed(seed);
    let mut data = Dataset::new(TRUTH.len());
    for group in 0..n_groups {
        let mut features = [1.0; 4];
        for x in &mut features[1..] {
            *x = 2.0 * rng.unit() - 1.0;
        }
        let label = f64::from(u8::from(rng.chance(logistic(dot(&features, &TRUTH)))));
        for _ in 0..n_copies {
            data.push(LabelledPosition {
                features: &features,
                label,
                weight: 1.0,
                group,
            });
        }
    }
    data
}

fn weak_priors(n: usize) -> Vec<Prior> {
    let prior = Prior {
        mean: 0.0,
        precision: 1e-3,
    };
    vec![prior; n]
}

#[test]
fn recovers_known_weights_within_its_errors() {
    let data = draw(20_000, 1, 1);
    let fit = fit(&data, &weak_priors(4)).expect("well posed");
    for ((estimate, error), truth) in fit.coefficients.iter().zip(&fit.std_errors).zip(TRUTH) {
        assert!((0.01..0.06).contains(error), "error {error}");
        assert!(
            (estimate - truth).abs() < 3.5 * error,
            "{estimate} for {truth}, error {error}"
        );
    }
    assert!(fit.n_steps < 12, "{} steps", fit.n_steps);
}

#[test]
fn standard_errors_cover_the_truth() {
    let mut n_covered = 0;
    for seed in 0..100 {
        let fit = fit(&draw(400, 1, 1000 + seed), &weak_priors(4)).expect("well posed");
        for ((estimate, error), truth) in fit.coefficients.iter().zip(&fit.std_errors).zip(TRUTH) {
            n_covered += u32::from((estimate - truth).abs() < 1.96 * error);
        }
    }
    // Of 400 intervals; the binomial deviation of 95 % is 4.4.
    assert!((366..=396).contains(&n_covered), "{n_covered} of 400");
}

#[test]
fn copies_of_a_position_add_no_certainty() {
    let (once, often) = (draw(500, 1, 3), draw(500, 8, 3));
    let priors = vec![
        Prior {
            mean: 0.0,
            precision: 1e-9
        };
        4
    ];
    let once = fit(&once, &priors).expect("well posed");
    let often = fit(&often, &priors).expect("well posed");
    for k in 0..4 {
        assert!((once.coefficients[k] - often.coefficients[k]).abs() < 1e-6);
        assert!((once.std_errors[k] / often.std_errors[k] - 1.0).abs() < 1e-6);
    }
}

#[test]
fn separable_labels_stay_finite_under_a_prior() {
    let mut data = Dataset::new(1);
    for group in 0..100u64 {
        let x = if group % 2 == 0 { 1.0 } else { -1.0 };
        data.push(LabelledPosition {
            features: &[x],
            label: f64::from(u8::from(x > 0.0)),
            weight: 1.0,
            group,
        });
    }
    let prior = |precision| {
        [Prior {
            mean: 0.0,
            precision,
        }]
    };
    let fitted = fit(&data, &prior(1.0)).expect("a prior");
    assert!(fitted.coefficients[0] > 2.0 && fitted.coefficients[0] < 6.0);
    let doubled = {
        let mut two = Dataset::new(2);
        for row in data.rows() {
            let x = row.features[0];
            two.push(LabelledPosition {
                features: &[x, x],
                ..row
            });
        }
        two
    };
    let none = [Prior {
        mean: 0.0,
        precision: 0.0,
    }; 2];
    assert_eq!(fit(&doubled, &none), Err(FitError::Singular));
    assert_eq!(fit(&Dataset::new(1), &prior(1.0)), Err(FitError::Empty));
}

#[test]
fn a_strong_prior_keeps_its_mean() {
    let priors = [1.0, -1.0, 2.0, 0.5].map(|mean| Prior {
        mean,
        precision: 1e9,
    });
    let fit = fit(&draw(100, 1, 5), &priors).expect("well posed");
    for (coefficient, prior) in fit.coefficients.iter().zip(priors) {
        assert!((coefficient - prior.mean).abs() < 1e-5);
    }
}

#[test]
fn held_out_games_are_whole_and_scored_apart() {
    let data = draw(3_000, 3, 7);
    let (fitted, held) = data.split(0.2, 9);
    assert_eq!(fitted.n_rows() + held.n_rows(), data.n_rows());
    assert_eq!(fitted.n_groups() + held.n_groups(), data.n_groups());
    assert!((500..700).contains(&held.n_groups()));
    let model = fit(&fitted, &weak_priors(4)).expect("well posed");
    let (loss, constant) = (
        log_loss(&held, &model.coefficients),
        log_loss_of_constant(&held),
    );
    assert!(loss < constant - 0.05, "{loss} against {constant}");
    // The truth itself is not beaten by more than chance.
    assert!((loss - log_loss(&held, &TRUTH)).abs() < 0.01);
}

#[test]
fn a_weight_counts_as_so_many_copies() {
    let copies = draw(300, 4, 11);
    let mut weighted = Dataset::new(TRUTH.len());
    for row in draw(300, 1, 11).rows() {
        weighted.push(LabelledPosition { weight: 4.0, ..row });
    }
    let [one, four] = [&weighted, &copies].map(|d| fit(d, &weak_priors(4)).expect("well posed"));
    for k in 0..4 {
        assert!((one.coefficients[k] - four.coefficients[k]).abs() < 1e-9);
        assert!((one.std_errors[k] - four.std_errors[k]).abs() < 1e-9);
    }
    assert!((one.log_loss - four.log_loss).abs() < 1e-12);
}
