use super::*;
use crate::ratings::PairResult;
use crate::stats::test_rng::TestRng;

#[track_caller]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected} within {tolerance}"
    );
}

fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(SprtParams {
        model,
        elo0,
        elo1,
        ..SprtParams::default()
    })
    .unwrap()
}

use EloModel::{Logistic, Normalized};

/// The table of docs/spec/sampling.md 4.3.
#[test]
fn llr_of_pairs_matches_known_values() {
    for (counts, model, elo0, elo1, llr) in [
        ([365, 16618, 36229, 16974, 390], Normalized, 0.0, 2.0, 2.250),
        (
            [127, 4883, 10712, 5150, 104],
            Normalized,
            -1.75,
            0.25,
            3.010,
        ),
        ([223, 9863, 21279, 10037, 246], Logistic, 0.5, 2.5, -3.074),
        ([871, 26175, 55983, 26678, 821], Logistic, 0.0, 2.0, -4.979),
        (
            [10789, 19328, 33806, 19402, 10543],
            Logistic,
            -3.0,
            1.0,
            2.131,
        ),
    ] {
        close(sprt(model, elo0, elo1).llr(&Pentanomial(counts)), llr, 1e-3);
    }
}

#[test]
fn llr_of_single_games_matches_known_values() {
    close(
        sprt(Normalized, 0.0, 2.0).llr(&Trinomial([36027, 68692, 36433])),
        0.923,
        1e-3,
    );
    // Further expected values of fastchess, given there to two decimals and 1 %.
    for ([wins, losses, draws], model, elo0, elo1, llr) in [
        ([10871, 10650, 20431], Normalized, -1.75, 0.25, 2.30),
        ([21404, 21184, 40708], Logistic, 0.5, 2.5, -1.57),
        ([57433, 57030, 106_593], Logistic, 0.0, 2.0, -2.59),
    ] {
        close(
            sprt(model, elo0, elo1).llr(&Trinomial([losses, draws, wins])),
            llr,
            0.005 + 0.01 * f64::abs(llr),
        );
    }
}

/// Blocks that all scored the same: the most likely law has two points and a closed form.
#[test]
fn llr_of_constant_scores_has_a_closed_form() {
    let test = sprt(Normalized, 0.0, 5.0);
    // All at 1: q at 1, the rest at 0, with q - 1/2 = t sqrt(q (1 - q)).
    let t = 2f64.sqrt() * 5.0 / NELO_PER_SIGMA;
    let q = 0.5 + 0.5 * t / (1.0 + t * t).sqrt();
    close(
        test.llr(&Pentanomial([0, 0, 0, 0, 104])),
        104.0 * (q / 0.5).ln(),
        1e-3,
    );
    // All at 1/2: e at 1, the rest at 1/2, with e/2 = t sqrt(e (1 - e))/2; the empty cells add a
    // little.
    let t = 5.0 / NELO_PER_SIGMA;
    let e = t * t / (1.0 + t * t);
    close(
        test.llr(&Trinomial([0, 16700, 0])),
        16700.0 * (1.0 - e).ln(),
        0.02,
    );
}

#[test]
fn quick_approximation_is_close_for_small_differences() {
    let counts = Pentanomial([871, 26175, 55983, 26678, 821]);
    close(llr_approximate(&counts.cells(), 0.0, 2.0), -4.979, 0.01);
    assert_eq!(
        llr_approximate(&Pentanomial([0, 0, 9, 0, 0]).cells(), 0.0, 2.0),
        0.0
    );
}

#[test]
fn bounds_and_decisions() {
    let test = sprt(Logistic, 0.0, 2.0);
    let (lower, upper) = test.bounds();
    close(lower, -2.9444, 5e-5);
    close(upper, 2.9444, 5e-5);
    assert_eq!(
        test.status(&Pentanomial::default()).decision,
        Decision::Continue
    );
    assert_eq!(test.status(&Pentanomial::default()).llr, 0.0);
    let h0 = test.status(&Pentanomial([871, 26175, 55983, 26678, 821]));
    assert_eq!(h0.decision, Decision::AcceptH0);
    close(h0.llr, -4.979, 1e-3);
    assert_eq!((h0.lower, h0.upper), (lower, upper));
    let h1 = sprt(Normalized, -1.75, 0.25).status(&Pentanomial([127, 4883, 10712, 5150, 104]));
    assert_eq!(h1.decision, Decision::AcceptH1);
    let open = sprt(Normalized, 0.0, 2.0).status(&Pentanomial([365, 16618, 36229, 16974, 390]));
    assert_eq!(open.decision, Decision::Continue);
}

#[test]
fn bounds_with_unequal_errors() {
    let params = SprtParams {
        alpha: 0.01,
        beta: 0.2,
        ..SprtParams::default()
    };
    let (lower, upper) = Sprt::new(params).unwrap().bounds();
    close(lower, (0.2f64 / 0.99).ln(), 1e-12);
    close(upper, 80f64.ln(), 1e-12);
}

#[test]
fn nonsense_settings_are_refused() {
    let base = SprtParams::default();
    for (alpha, beta) in [
        (0.0, 0.05),
        (0.05, 0.0),
        (0.5, 0.5),
        (f64::NAN, 0.05),
        (-0.1, 0.2),
    ] {
        assert_eq!(
            Sprt::new(SprtParams {
                alpha,
                beta,
                ..base
            }),
            Err(SprtError::ErrorRates)
        );
    }
    for (elo0, elo1) in [
        (0.0, 0.0),
        (5.0, 0.0),
        (f64::NAN, 1.0),
        (0.0, f64::INFINITY),
    ] {
        assert_eq!(
            Sprt::new(SprtParams { elo0, elo1, ..base }),
            Err(SprtError::Hypotheses)
        );
    }
}

#[test]
fn elo_from_pairs_matches_known_values() {
    for (counts, elo, error, nelo, nelo_error, los) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, 1.0),
        (
            [332, 433, 498, 333, 334],
            -8.64,
            10.33,
            -9.17,
            10.96,
            0.0505,
        ),
        (
            [7895, 8757, 5685, 568, 9999],
            -21.04,
            2.95,
            -19.01,
            2.65,
            0.0,
        ),
    ] {
        let e = elo_estimate(&Pentanomial(counts)).unwrap();
        let s = e.spread.unwrap();
        close(e.elo, elo, 0.005);
        close(s.elo_error, error, 0.005);
        close(s.nelo, nelo, 0.005);
        close(s.nelo_error, nelo_error, 0.005);
        close(s.los, los, 5e-5);
    }
}

#[test]
fn elo_from_single_games_matches_known_values() {
    let e = elo_estimate(&Trinomial([96, 111, 136])).unwrap();
    let s = e.spread.unwrap();
    close(e.elo, 40.70, 0.005);
    close(s.elo_error, 30.43, 0.005);
    close(s.nelo, 49.77, 0.005);
    close(s.nelo_error, 36.77, 0.005);
    close(s.los, 0.9960, 5e-5);
    assert!(s.elo_ci95.contains(e.elo) && s.score_ci95.contains(e.score));
    for ([wins, losses, draws], nelo, nelo_error) in [
        ([76, 89, 123], -20.76, 40.13),
        ([34, 356, 0], -508.44, 34.48),
    ] {
        let s = elo_estimate(&Trinomial([losses, draws, wins]))
            .unwrap()
            .spread
            .unwrap();
        close(s.nelo, nelo, 0.005);
        close(s.nelo_error, nelo_error, 0.005);
    }
}

#[test]
fn elo_without_spread_or_blocks() {
    assert_eq!(elo_estimate(&Pentanomial::default()), None);
    let swept = elo_estimate(&Pentanomial([0, 0, 0, 0, 7])).unwrap();
    assert_eq!((swept.elo, swept.spread), (f64::INFINITY, None));
    let level = elo_estimate(&Pentanomial([0, 0, 3, 0, 0])).unwrap();
    close(level.elo, 0.0, 1e-9);
    assert_eq!(level.spread, None);
    let nearly = elo_estimate(&Pentanomial([0, 0, 1, 0, 7]))
        .unwrap()
        .spread
        .unwrap();
    assert_eq!(nearly.elo_ci95.high, f64::INFINITY);
}

#[test]
fn elo_and_score_are_inverse() {
    for elo in [-700.0, -3.0, 0.0, 55.58, 400.0] {
        close(score_to_elo(elo_to_score(elo)), elo, 1e-9);
    }
    close(elo_to_score(400.0), 10.0 / 11.0, 1e-12);
}

#[test]
fn differences_become_scores_and_both_zeros_are_one() {
    for (difference, score) in [(-6.0, 0.0), (0.0, 0.5), (3.0, 0.75), (6.0, 1.0), (7.0, 1.0)] {
        assert_eq!(score_from_difference(difference, 6.0), score);
    }
    let mut counts = ScoreCounts::new(2);
    [0.0, -0.0]
        .into_iter()
        .for_each(|score| counts.record(score));
    assert_eq!(counts.cells(), [(0.0, 2.0)]);
}

#[test]
fn counts_record_add_and_reverse() {
    use PairResult::{Draw, Loss, Win};
    let mut pairs = Pentanomial::default();
    for (a, b) in [
        (Loss, Loss),
        (Draw, Loss),
        (Win, Loss),
        (Draw, Draw),
        (Win, Draw),
        (Win, Win),
        (Loss, Win),
    ] {
        pairs.record(a, b);
    }
    assert_eq!(pairs, Pentanomial([1, 1, 3, 1, 1]));
    pairs += Pentanomial([10, 0, 0, 0, 0]);
    assert_eq!(
        (pairs.reversed(), pairs.n_pairs()),
        (Pentanomial([1, 1, 3, 1, 11]), 17)
    );
    let mut games = Trinomial::default();
    [Win, Win, Draw].into_iter().for_each(|o| games.record(o));
    games += Trinomial([5, 0, 0]);
    assert_eq!(
        (games, games.n_games(), games.reversed()),
        (Trinomial([5, 1, 2]), 8, Trinomial([2, 1, 5]))
    );
}

#[test]
fn llr_changes_sign_with_the_point_of_view() {
    let counts = Pentanomial([34, 54, 63, 64, 75]);
    for model in [Logistic, Normalized] {
        let llr = sprt(model, -3.0, 7.0).llr(&counts);
        close(sprt(model, -7.0, 3.0).llr(&counts.reversed()), -llr, 1e-9);
    }
}

#[test]
fn general_scores_agree_with_pairs() {
    let pairs = Pentanomial([34, 54, 63, 64, 75]);
    let mut scores = ScoreCounts::new(2);
    let mut other = ScoreCounts::new(2);
    for (i, &n) in pairs.0.iter().enumerate() {
        for k in 0..n {
            let score = score_from_difference(i as f64 - 2.0, 2.0);
            if k % 3 == 0 { &mut scores } else { &mut other }.record(score);
        }
    }
    scores.merge(&other);
    assert_eq!((scores.n_blocks(), scores.cells()), (290, pairs.cells()));
    for model in [Logistic, Normalized] {
        close(
            sprt(model, 0.0, 5.0).llr(&scores),
            sprt(model, 0.0, 5.0).llr(&pairs),
            1e-9,
        );
    }
    assert_eq!(elo_estimate(&scores), elo_estimate(&pairs));
}

#[test]
fn general_scores_survive_every_degenerate_list() {
    for model in [Logistic, Normalized] {
        let test = sprt(model, 0.0, 5.0);
        for values in [
            &[][..],
            &[0.5],
            &[0.0],
            &[1.0],
            &[0.5; 500],
            &[1.0; 500],
            &[0.3; 50],
            &[0.49, 0.51],
            &[-0.0, 2.0],
        ] {
            let mut counts = ScoreCounts::new(6);
            values.iter().for_each(|&v| counts.record(v));
            assert!(test.llr(&counts).is_finite(), "{model:?} {values:?}");
        }
    }
    // No law fits a thousand normalised Elo points in blocks of six; the test continues.
    let mut counts = ScoreCounts::new(6);
    counts.record(0.7);
    assert_eq!(
        sprt(Normalized, 0.0, 1e4).status(&counts).decision,
        Decision::Continue
    );
}

#[test]
fn many_different_scores_agree_with_the_normal_approximation() {
    let mut rng = TestRng(5);
    let mut counts = ScoreCounts::new(4);
    for _ in 0..4000 {
        counts.record((0.5 + 0.15 * rng.normal()).clamp(0.0, 1.0));
    }
    let test = sprt(Logistic, -5.0, 5.0);
    close(
        test.llr(&counts),
        llr_approximate(&counts.cells(), -5.0, 5.0),
        0.05,
    );
}

/// Error rates of the whole test on simulated pairs whose true difference is one of the hypotheses.
#[test]
fn error_rates_are_kept() {
    let mut rng = TestRng(77);
    let test = sprt(Logistic, 0.0, 40.0);
    for (elo, wrong) in [(0.0, Decision::AcceptH1), (40.0, Decision::AcceptH0)] {
        let win = elo_to_score(elo);
        let n_runs = 1000;
        let mut n_wrong = 0;
        for _ in 0..n_runs {
            let mut pairs = Pentanomial::default();
            let decision = loop {
                let mut game = || {
                    if rng.uniform() < win {
                        PairResult::Win
                    } else {
                        PairResult::Loss
                    }
                };
                let (a, b) = (game(), game());
                pairs.record(a, b);
                let status = test.status(&pairs);
                if status.decision != Decision::Continue {
                    break status.decision;
                }
            };
            n_wrong += usize::from(decision == wrong);
        }
        assert!(
            n_wrong * 1000 <= 65 * n_runs,
            "{n_wrong} wrong of {n_runs} at {elo}"
        );
        assert!(n_wrong > 0, "an error rate of 5 % shows in {n_runs} runs");
    }
}
