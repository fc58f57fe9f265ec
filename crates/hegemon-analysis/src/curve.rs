//! The curve of the chances: the word of the net, moved by what rollouts make of it.
//!
//! Rollouts of one position are few, and those of two players' turns differ by more than the
//! position does. So what counts at a point is the mean over the rollouts of about a round before
//! and after it, and the curve does not jump where rollouts stand beside the net's word.

use crate::game_analysis::Point;

/// Chances below this are as good as none where two words about them are compared.
const LEAST: f64 = 1e-3;

/// Rollouts at a point.
pub(crate) struct RolledPoint {
    /// Number of the point.
    point: usize,
    /// By seat, the logarithm of how many times likelier a win is than the net says.
    correction: Vec<f64>,
    /// Standard errors of the chances by the rollouts.
    errors: Vec<f64>,
}

impl RolledPoint {
    /// A point where the net said `net` and rollouts say `said`.
    pub(crate) fn new(point: usize, net: &[f64], said: &[f64], errors: &[f64]) -> RolledPoint {
        let pairs = net.iter().zip(said);
        let correction = pairs.map(|(net, said)| (said.max(LEAST) / net.max(LEAST)).ln());
        RolledPoint {
            point,
            correction: correction.collect(),
            errors: errors.to_vec(),
        }
    }
}

/// Moves the chances of all points, which are the net's word before. The rolled out ones are in their
/// order; these get the standard errors of the means.
pub(crate) fn correct(points: &mut [Point], rolled: &[RolledPoint]) {
    for (number, point) in points.iter_mut().enumerate() {
        let near = near(rolled, number, point.chances.len());
        let mean = |of: fn(&RolledPoint) -> &[f64], seat: usize| -> f64 {
            near.iter().map(|(found, w)| w * of(found)[seat]).sum()
        };
        let seats = 0..point.chances.len();
        let corrections: Vec<f64> = seats.map(|seat| mean(|a| &a.correction, seat)).collect();
        move_by(&mut point.chances, &corrections);
        if rolled
            .binary_search_by_key(&number, |found| found.point)
            .is_ok()
        {
            let error = |seat: usize| -> f64 {
                let squares = near
                    .iter()
                    .map(|(found, w)| (w * found.errors[seat]).powi(2));
                squares.sum::<f64>().sqrt()
            };
            point.errors = Some((0..point.chances.len()).map(error).collect());
        }
    }
}

/// The rolled out points less than `reach` of them away from a point, with weights that fall
/// evenly with the distance and add up to one; none where nothing was rolled out.
fn near(rolled: &[RolledPoint], point: usize, reach: usize) -> Vec<(&RolledPoint, f64)> {
    let after = rolled.partition_point(|found| found.point <= point);
    // Where the point lies in their row. Before the first one and after the last one
    // nothing else is known.
    let place = match (after.checked_sub(1), rolled.get(after)) {
        (None, _) => 0.0,
        (Some(last), None) => last as f64,
        (Some(from), Some(to)) => {
            let width = (to.point - rolled[from].point) as f64;
            from as f64 + (point - rolled[from].point) as f64 / width
        }
    };
    let first = after.saturating_sub(reach + 1);
    let around = rolled.iter().enumerate().skip(first).take(2 * reach + 2);
    let weighed = around.map(|(number, found)| {
        let distance = (number as f64 - place).abs();
        (found, (1.0 - distance / reach as f64).max(0.0))
    });
    let weighed: Vec<(&RolledPoint, f64)> = weighed.collect();
    let sum: f64 = weighed.iter().map(|(_, w)| w).sum();
    weighed
        .into_iter()
        .map(|(found, w)| (found, w / sum))
        .collect()
}

/// Multiplies the chances by the exponentials; they add up to what they did before.
fn move_by(chances: &mut [f64], logarithms: &[f64]) {
    let before: f64 = chances.iter().sum();
    for (chance, logarithm) in chances.iter_mut().zip(logarithms) {
        *chance *= logarithm.exp();
    }
    let after: f64 = chances.iter().sum();
    if after > 0.0 {
        let scale = before / after;
        chances.iter_mut().for_each(|chance| *chance *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(chances: &[[f64; 3]]) -> Vec<Point> {
        let point = |chances: &[f64; 3]| Point {
            n_events: 0,
            round: 1,
            seat: 0,
            event: String::new(),
            words: String::new(),
            chances: chances.to_vec(),
            errors: None,
            luck: None,
            skill: None,
        };
        chances.iter().map(point).collect()
    }

    #[test]
    fn one_point_with_rollouts_moves_all_and_a_win_is_a_win() {
        let mut curve = points(&[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]);
        let found = RolledPoint::new(1, &[0.5, 0.5, 0.0], &[0.8, 0.2, 0.0], &[0.1, 0.1, 0.0]);
        correct(&mut curve, &[found]);
        for point in &curve[..2] {
            assert!((point.chances[0] - 0.8).abs() < 1e-9, "{point:?}");
            assert_eq!(point.chances[2], 0.0, "who is out stays out");
        }
        assert_eq!(curve[2].chances, [1.0, 0.0, 0.0]);
        assert_eq!(curve[1].errors, Some(vec![0.1, 0.1, 0.0]));
        assert_eq!(curve[0].errors, None);
    }

    #[test]
    fn rollouts_of_a_round_around_are_averaged() {
        // Rollouts of the three players' turns differ, again and again in the same way.
        let net = [0.4, 0.3, 0.3];
        let said = [[0.5, 0.25, 0.25], [0.4, 0.35, 0.25], [0.3, 0.3, 0.4]];
        let mut curve = points(&[net; 60]);
        let rolled: Vec<RolledPoint> = (0..15)
            .map(|n| RolledPoint::new(4 * n, &net, &said[n % 3], &[0.03; 3]))
            .collect();
        correct(&mut curve, &rolled);
        for pair in curve[12..40].windows(2) {
            for seat in 0..3 {
                let change = pair[1].chances[seat] - pair[0].chances[seat];
                assert!(change.abs() < 0.005, "{change}");
            }
            assert!((pair[0].chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let errors = curve[20].errors.clone().expect("rolled out");
        assert!(errors[0] < 0.02, "a mean of several is surer: {errors:?}");
    }

    #[test]
    fn without_rollouts_the_net_has_the_word() {
        let before = points(&[[0.3, 0.7, 0.0], [0.4, 0.6, 0.0]]);
        let mut curve = before.clone();
        correct(&mut curve, &[]);
        assert_eq!(curve, before);
    }
}
