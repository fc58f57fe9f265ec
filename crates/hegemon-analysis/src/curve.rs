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
    /// How many they are.
    n_rollouts: u32,
    /// By seat, the logarithm of how many times likelier a win is than the net says.
    correction: Vec<f64>,
    /// Standard errors of the chances by the rollouts.
    errors: Vec<f64>,
}

impl RolledPoint {
    /// A point where the net said `net` and this many rollouts say `said`.
    pub(crate) fn new(
        point: usize,
        n_rollouts: u32,
        net: &[f64],
        [said, errors]: [Vec<f64>; 2],
    ) -> RolledPoint {
        let pairs = net.iter().zip(said);
        let correction = pairs.map(|(net, said)| (said.max(LEAST) / net.max(LEAST)).ln());
        RolledPoint {
            point,
            n_rollouts,
            correction: correction.collect(),
            errors,
        }
    }
}

/// Moves the chances of all points, which are the net's word before. The rolled out ones are in
/// their order; these get standard errors, of the rollouts' noise and of how far those around
/// differ.
pub(crate) fn correct(points: &mut [Point], rolled: &[RolledPoint]) {
    let places = places(points);
    for (number, point) in points.iter_mut().enumerate() {
        let n_alive = point.chances.iter().filter(|chance| **chance > 0.0).count();
        let near = Near::new(&places, rolled, places[number], n_alive);
        let seats = 0..point.chances.len();
        let corrections: Vec<f64> = seats.clone().map(|seat| near.correction(seat)).collect();
        move_by(&mut point.chances, &corrections);
        let is_rolled = rolled.binary_search_by_key(&number, |found| found.point);
        if is_rolled.is_ok() {
            let chances = &point.chances;
            let errors = seats.map(|seat| near.error(seat, chances[seat], corrections[seat]));
            point.errors = Some(errors.collect());
        }
    }
}

/// Where each point lies, in turns: the last event of a turn is where the next one begins.
fn places(points: &[Point]) -> Vec<f64> {
    let mut places = Vec::with_capacity(points.len());
    let turns = points.chunk_by(|a, b| (a.seat, a.round) == (b.seat, b.round));
    for (turn, events) in turns.enumerate() {
        let n = events.len() as f64;
        places.extend((1..=events.len()).map(|k| turn as f64 + k as f64 / n));
    }
    places
}

/// The rollouts around a point.
struct Near<'a> {
    /// With weights that add up to one; none where nothing was rolled out.
    weighed: Vec<(&'a RolledPoint, f64)>,
    /// How much of their mean counts: farther away than a turn ever less, since the net's word
    /// is known everywhere.
    part: f64,
}

impl<'a> Near<'a> {
    /// Those less than `reach` turns away. Weights fall evenly with the distance, and are as
    /// many times larger as there are more rollouts.
    fn new(places: &[f64], rolled: &'a [RolledPoint], place: f64, reach: usize) -> Near<'a> {
        let reach = reach.max(1) as f64;
        let first = rolled.partition_point(|found| places[found.point] <= place - reach);
        let around = rolled[first..].iter();
        let around = around.take_while(|found| places[found.point] < place + reach);
        let mut nearest = f64::INFINITY;
        let mut weighed: Vec<(&RolledPoint, f64)> = Vec::new();
        for found in around {
            let distance = (places[found.point] - place).abs();
            nearest = nearest.min(distance);
            weighed.push((
                found,
                (1.0 - distance / reach) * f64::from(found.n_rollouts),
            ));
        }
        let sum: f64 = weighed.iter().map(|(_, w)| w).sum();
        weighed.iter_mut().for_each(|(_, w)| *w /= sum);
        Near {
            weighed,
            part: (1.0 - (nearest - 1.0) / reach).clamp(0.0, 1.0),
        }
    }

    fn correction(&self, seat: usize) -> f64 {
        let weighed = self.weighed.iter();
        self.part
            * weighed
                .map(|(found, w)| w * found.correction[seat])
                .sum::<f64>()
    }

    fn error(&self, seat: usize, chance: f64, mean: f64) -> f64 {
        let (mut noise, mut spread) = (0.0, 0.0);
        for (found, w) in &self.weighed {
            noise += (w * found.errors[seat]).powi(2);
            spread += w * (found.correction[seat] - mean).powi(2);
        }
        if chance > 0.0 {
            // A small change of the logarithm of the odds changes the chance by this factor.
            (noise + (chance * (1.0 - chance)).powi(2) * spread).sqrt()
        } else {
            0.0
        }
    }
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

    /// Turns of this many events with the same word of the net.
    fn points(n_turns: usize, n_events: usize, net: [f64; 3]) -> Vec<Point> {
        let point = |number: usize| Point {
            n_events: number,
            round: 1,
            seat: number / n_events,
            event: String::new(),
            words: String::new(),
            chances: net.to_vec(),
            errors: None,
            luck: None,
            skill: None,
        };
        (0..n_turns * n_events).map(point).collect()
    }

    fn rolled(point: usize, net: [f64; 3], said: [f64; 3]) -> RolledPoint {
        RolledPoint::new(point, 24, &net, [said.to_vec(), vec![0.03; 3]])
    }

    #[test]
    fn rollouts_move_what_is_near_and_a_win_is_a_win() {
        let net = [0.5, 0.5, 0.0];
        let mut curve = points(12, 1, net);
        curve[2].chances = vec![1.0, 0.0, 0.0];
        correct(&mut curve, &[rolled(1, net, [0.8, 0.2, 0.0])]);
        assert!((curve[1].chances[0] - 0.8).abs() < 1e-9, "{:?}", curve[1]);
        assert_eq!(curve[1].chances[2], 0.0, "who is out stays out");
        let errors = curve[1].errors.as_deref().expect("rolled out");
        assert!((errors[0] - 0.03).abs() < 1e-9 && errors[2] == 0.0);
        assert_eq!(curve[2].chances, [1.0, 0.0, 0.0]);
        assert!(curve[0].chances[0] > 0.5 && curve[0].errors.is_none());
        assert_eq!(curve[11].chances, net, "far away the net has the word");
    }

    #[test]
    fn rollouts_of_a_round_around_are_averaged() {
        // Rollouts of the three players' turns differ, again and again in the same way; those of
        // every event as well as those of every turn.
        let net = [0.4, 0.3, 0.3];
        let said = [[0.5, 0.25, 0.25], [0.4, 0.35, 0.25], [0.3, 0.3, 0.4]];
        for every in [1, 4] {
            let mut curve = points(15, 4, net);
            let of_turn = |n: usize| rolled(n, net, said[n / 4 % 3]);
            let rolled: Vec<RolledPoint> = (0..60).skip(3).step_by(every).map(of_turn).collect();
            correct(&mut curve, &rolled);
            for pair in curve[16..40].windows(2) {
                for seat in 0..3 {
                    let change = pair[1].chances[seat] - pair[0].chances[seat];
                    assert!(change.abs() < 0.01, "{every}: {change}");
                }
                assert!((pair[0].chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
            let errors = curve[19].errors.clone().expect("rolled out");
            assert!(errors[0] > 0.03, "they differ: {errors:?}");
        }
    }

    #[test]
    fn without_rollouts_the_net_has_the_word() {
        let before = points(2, 3, [0.3, 0.7, 0.0]);
        let mut curve = before.clone();
        correct(&mut curve, &[]);
        assert_eq!(curve, before);
    }
}
