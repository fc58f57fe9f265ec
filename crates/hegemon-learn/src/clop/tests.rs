use hegemon_core::Rng;

use super::*;
use crate::law::logistic;
use crate::space::{ParameterScale, TunedParameter};

/// Coulom's "Log" problem: rating of a point of the cube.
fn log_rating(x: &[f64]) -> f64 {
    x.iter()
        .map(|x| {
            let y = 2.0 * x + 1.0;
            2.0 * libm::log(2.0 * y + 2.1) - 2.0 * y - 1.0
        })
        .sum()
}

const LOG_OPTIMUM: f64 = -0.525;

fn cube(n_dims: usize) -> Space {
    let names = (0..n_dims).map(|i| TunedParameter::linear(&format!("x{i}"), -1.0, 1.0));
    Space::new(names.collect()).expect("ranges")
}

fn quick() -> ClopParams {
    ClopParams {
        n_sweeps: 20,
        ..ClopParams::default()
    }
}

fn play(clop: &mut Clop, games: std::ops::Range<u64>, seed: u64, rating: impl Fn(&[f64]) -> f64) {
    for game in games {
        let trial = clop.ask(&mut Rng::stream(seed + game, "ask"));
        let wins = Rng::stream(seed + game, "game").chance(logistic(rating(&trial.point)));
        clop.tell(
            &trial,
            &[if wins {
                TrialResult::Win
            } else {
                TrialResult::Loss
            }],
        );
    }
}

/// Loss of win rate of an estimate.
fn regret(n_dims: usize, params: ClopParams, n_games: u64, seed: u64) -> f64 {
    let mut clop = Clop::new(cube(n_dims), params);
    play(&mut clop, 0..n_games, seed, log_rating);
    let best = logistic(log_rating(&vec![LOG_OPTIMUM; n_dims]));
    best - logistic(log_rating(&clop.estimate().point))
}

#[test]
fn the_log_problem_is_as_published() {
    assert!((logistic(log_rating(&[LOG_OPTIMUM])) - 0.6192).abs() < 5e-5);
    assert!((logistic(log_rating(&[LOG_OPTIMUM; 2])) - 0.7256).abs() < 5e-5);
    for x in [LOG_OPTIMUM - 0.01, LOG_OPTIMUM + 0.01] {
        assert!(log_rating(&[x]) < log_rating(&[LOG_OPTIMUM]));
    }
}

#[test]
fn solves_the_log_problem_in_one_dimension() {
    let regrets: Vec<f64> = (1..=3)
        .map(|seed| regret(1, quick(), 1500, seed << 32))
        .collect();
    assert!(regrets.iter().all(|r| *r < 0.01), "{regrets:?}");
}

#[test]
fn solves_the_log_problem_in_two_dimensions() {
    for has_correlations in [true, false] {
        let params = ClopParams {
            has_correlations,
            ..quick()
        };
        let regrets: Vec<f64> = (1..=3)
            .map(|seed| regret(2, params.clone(), 1500, seed << 32))
            .collect();
        assert!(
            regrets.iter().all(|r| *r < 0.025),
            "{has_correlations}: {regrets:?}"
        );
        assert!(regrets.iter().sum::<f64>() < 0.04, "{regrets:?}");
    }
}

#[test]
fn follows_a_correlated_ridge() {
    // Maximum at (0.4, -0.3), narrow across the diagonal.
    let rating = |x: &[f64]| {
        let (a, b) = (x[0] - 0.4, x[1] + 0.3);
        1.0 - 8.0 * (a + b) * (a + b) - (a - b) * (a - b)
    };
    let mut clop = Clop::new(cube(2), quick());
    play(&mut clop, 0..1500, 77 << 32, rating);
    let estimate = clop.estimate();
    assert!(rating(&estimate.point) > 0.9, "{estimate:?}");
    let peak = estimate.peak.expect("the surface is concave");
    assert!(rating(&peak) > 0.9, "{peak:?}");
}

#[test]
fn weights_are_shares_and_totals_never_rise() {
    let mut clop = Clop::new(cube(2), quick());
    for stage in 0..6 {
        play(&mut clop, stage * 50..(stage + 1) * 50, 5 << 32, log_rating);
        assert!(clop.weights().all(|w| w > 0.0 && w <= 1.0));
        let totals = clop.localise().totals;
        assert!(
            totals.windows(2).all(|pair| pair[1] <= pair[0]),
            "{totals:?}"
        );
        assert!(totals.len() >= 2 && totals.len() <= 8);
    }
    assert!(clop.weights().sum::<f64>() < 0.9 * 300.0);
}

#[test]
fn unlimited_rounds_drop_the_idle_last_one() {
    let mut clop = Clop::new(
        cube(1),
        ClopParams {
            max_rounds: None,
            ..quick()
        },
    );
    play(&mut clop, 0..200, 8 << 32, log_rating);
    let localised = clop.localise();
    assert_eq!(
        localised.localisation.functions.len() + 2,
        localised.totals.len()
    );
}

#[test]
fn identical_outcomes_do_not_diverge() {
    for result in [TrialResult::Loss, TrialResult::Draw, TrialResult::Win] {
        let mut clop = Clop::new(cube(2), quick());
        for game in 0..200 {
            let trial = clop.ask(&mut Rng::from_seed(game));
            clop.tell(&trial, &[result]);
        }
        assert!(clop.weights().all(|w| w == 1.0));
        assert!(clop.estimate().point.iter().all(|x| x.abs() < 0.3));
    }
    // Two of one kind among many of the other: the prior keeps the fit bounded.
    let mut clop = Clop::new(cube(2), quick());
    for game in 0..300 {
        let trial = clop.ask(&mut Rng::from_seed(game));
        let is_loss = game == 3 || game == 100;
        clop.tell(
            &trial,
            &[if is_loss {
                TrialResult::Loss
            } else {
                TrialResult::Win
            }],
        );
        assert!(clop.estimate().point.iter().all(|x| x.is_finite()));
        assert!(clop.weights().all(|w| w > 0.0 && w <= 1.0));
    }
}

#[test]
fn only_the_cube_matters_not_the_units() {
    let run = |low: f64, high: f64, scale: ParameterScale| {
        let parameter = TunedParameter::new("p", low, high, scale);
        let mut clop = Clop::new(
            Space::new(vec![parameter.clone()]).expect("a range"),
            quick(),
        );
        play(&mut clop, 0..300, 3 << 32, |v| {
            log_rating(&[parameter.coordinate(v[0])])
        });
        parameter.coordinate(clop.estimate().point[0])
    };
    let plain = run(-1.0, 1.0, ParameterScale::Linear);
    assert!((run(100.0, 900.0, ParameterScale::Linear) - plain).abs() < 1e-6);
    assert!((run(-0.75, 0.0, ParameterScale::Linear) - plain).abs() < 1e-6);
    assert!((run(0.001, 1000.0, ParameterScale::Gamma) - plain).abs() < 1e-6);
}

#[test]
fn a_whole_number_is_found() {
    let space = Space::new(vec![TunedParameter::new(
        "k",
        1.0,
        9.0,
        ParameterScale::Integer,
    )])
    .expect("a range");
    let mut clop = Clop::new(space, quick());
    play(&mut clop, 0..800, 4 << 32, |v| {
        1.0 - 0.25 * (v[0] - 6.0) * (v[0] - 6.0)
    });
    assert_eq!(clop.estimate().point, [6.0]);
}

#[test]
fn draws_count_half() {
    let params = ClopParams {
        draw_elo: 100.0,
        ..quick()
    };
    let mut clop = Clop::new(cube(1), params);
    for game in 0..1000u64 {
        let trial = clop.ask(&mut Rng::stream(game, "ask"));
        let rating = 1.0 - 4.0 * (trial.point[0] - 0.3) * (trial.point[0] - 0.3);
        let mut rng = Rng::stream(game, "game");
        let result = match (rng.chance(logistic(rating)), rng.chance(logistic(rating))) {
            (true, true) => TrialResult::Win,
            (false, false) => TrialResult::Loss,
            _ => TrialResult::Draw,
        };
        clop.tell(&trial, &[result]);
    }
    let estimate = clop.estimate().point[0];
    assert!((estimate - 0.3).abs() < 0.15, "{estimate}");
}

#[test]
fn the_constant_rating_is_the_likeliest() {
    for draw in [0.0, 0.5] {
        let law = OutcomeLaw { draw };
        for (losses, draws, wins) in [(10.0, 0.0, 30.0), (30.5, 0.2, 4.0), (3.0, 9.0, 5.0)] {
            let counts = Counts {
                losses,
                draws,
                wins,
            };
            let (rating, deviation) = law.constant_rating(counts);
            let slope = (wins + draws) * logistic(draw - rating)
                - (losses + draws) * logistic(draw + rating);
            assert!(slope.abs() < 1e-9, "slope {slope} at {rating}");
            assert!(deviation > 0.0 && deviation < 2.0);
        }
    }
    let (rating, _) = OutcomeLaw { draw: 0.0 }.constant_rating(Counts {
        losses: 2.0,
        draws: 0.0,
        wins: 6.0,
    });
    assert!((rating - libm::log(3.0)).abs() < 1e-12);
}

#[test]
fn refreshes_come_at_every_tenth_more_games() {
    let mut clop = Clop::new(cube(1), quick());
    let mut seen = Vec::new();
    for game in 0..40 {
        let before = clop.next_refresh;
        play(&mut clop, game..game + 1, 1, log_rating);
        if clop.next_refresh != before {
            seen.push(before);
        }
    }
    let expected = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 29, 32, 36,
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_resumed_run_is_the_uninterrupted_one() {
    let fresh = || Clop::new(cube(2), quick());
    let mut whole = fresh();
    play(&mut whole, 0..300, 9 << 32, log_rating);
    let mut part = fresh();
    play(&mut part, 0..123, 9 << 32, log_rating);
    let text = serde_json::to_string(&part).expect("plain data");
    let mut resumed: Clop = serde_json::from_str(&text).expect("what was written");
    assert_eq!(resumed, part);
    play(&mut resumed, 123..300, 9 << 32, log_rating);
    let text = |clop: &Clop| serde_json::to_string(clop).expect("plain data");
    assert_eq!(text(&resumed), text(&whole));
}

#[test]
fn the_quadratic_is_the_same_by_terms_and_directly() {
    let mut rng = Rng::from_seed(1);
    for has_correlations in [true, false] {
        let shape = Shape {
            n_dims: 4,
            has_correlations,
        };
        assert_eq!(shape.n_terms(), if has_correlations { 15 } else { 9 });
        let b: Vec<f64> = (0..shape.n_terms()).map(|_| rng.unit() - 0.5).collect();
        let x: Vec<f64> = (0..4).map(|_| rng.unit() - 0.5).collect();
        let mut terms = Vec::new();
        shape.push_terms(&x, &mut terms);
        let by_terms = hegemon_arena::stats::cholesky::dot(&terms, &b);
        assert!((by_terms - shape.value(&b, &x)).abs() < 1e-12);
    }
}
