//! SPSA: simultaneous perturbation stochastic approximation.
//!
//! Source: J. C. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", IEEE Trans. Automatic
//! Control 37 (1992), with the parametrisation of the chess engines' test farm
//! fishtest: the user states the perturbation and the learning rate at the end
//! of the run, and the schedules follow.

use std::collections::BTreeMap;

use hegemon_core::Rng;
use serde::{Deserialize, Serialize};

use crate::space::Space;
use crate::tuner::{Estimate, TrialResult, Tuner, TuningTrial};

/// Settings of SPSA. All lengths are on the cube, where every range is 2 long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaParams {
    /// Steps planned, N; the schedules depend on it.
    pub n_steps: u64,
    /// Perturbation at the last step, for each parameter.
    pub c_end: Vec<f64>,
    /// Learning rate at the last step, in units of the perturbation squared.
    pub r_end: f64,
    /// Exponent of the learning rate's decay.
    pub alpha: f64,
    /// Exponent of the perturbation's decay.
    pub gamma: f64,
    /// Delay of the learning rate's decay, as a share of the steps.
    pub a_ratio: f64,
    /// Whether the two sides of a step play each other. If not, each plays the
    /// common opponent, and a step takes two trials.
    pub is_duel: bool,
}

impl SpsaParams {
    /// fishtest's settings for `n_steps` steps in `n_dims` dimensions, with a
    /// last perturbation of a tenth of every range.
    pub fn new(n_steps: u64, n_dims: usize) -> SpsaParams {
        SpsaParams {
            n_steps,
            c_end: vec![0.2; n_dims],
            r_end: 0.002,
            alpha: 0.602,
            gamma: 0.101,
            a_ratio: 0.1,
            is_duel: true,
        }
    }
}

/// The SPSA tuner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    space: Space,
    params: SpsaParams,
    /// The current point, on the cube.
    theta: Vec<f64>,
    n_asked: u64,
    /// Steps still waiting for results, by number from 1.
    pending: BTreeMap<u64, SpsaStep>,
    n_games: u64,
    score: f64,
}

/// A step in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SpsaStep {
    /// The plus side is at `theta + shift`, the minus side at `theta - shift`.
    shift: Vec<f64>,
    plus: Vec<f64>,
    minus: Vec<f64>,
    /// Wins less losses of one side, once known, when each plays the opponent.
    first: Option<f64>,
}

impl Spsa {
    /// A tuner that starts from these values.
    ///
    /// # Panics
    ///
    /// If the space, the start and the perturbations differ in dimension.
    pub fn new(space: Space, start: &[f64], params: SpsaParams) -> Spsa {
        assert_eq!(space.n_dims(), start.len(), "a start for every parameter");
        assert_eq!(
            space.n_dims(),
            params.c_end.len(),
            "a perturbation for every parameter"
        );
        let theta = space.coordinates(start);
        Spsa {
            space,
            params,
            theta,
            n_asked: 0,
            pending: BTreeMap::new(),
            n_games: 0,
            score: 0.0,
        }
    }

    /// The parameters that are tuned.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// `c_k` of a step for a parameter.
    fn perturbation(&self, step: u64, parameter: usize) -> f64 {
        let params = &self.params;
        let c = params.c_end[parameter] * libm::pow(params.n_steps as f64, params.gamma);
        c / libm::pow(step as f64, params.gamma)
    }

    /// `R_k` of a step for a parameter.
    fn rate(&self, step: u64, parameter: usize) -> f64 {
        let params = &self.params;
        let (n, c_end) = (params.n_steps as f64, params.c_end[parameter]);
        let delay = params.a_ratio * n;
        let a = params.r_end * c_end * c_end * libm::pow(delay + n, params.alpha);
        let c_k = self.perturbation(step, parameter);
        a / (libm::pow(delay + step as f64, params.alpha) * c_k * c_k)
    }

    fn begin(&mut self, step: u64, rng: &mut Rng) {
        let clip = |x: f64| x.clamp(-1.0, 1.0);
        let shift: Vec<f64> = (0..self.theta.len())
            .map(|i| {
                let c_k = self.perturbation(step, i);
                if rng.below(2) == 0 { c_k } else { -c_k }
            })
            .collect();
        let pairs = || self.theta.iter().zip(&shift);
        let plus = pairs().map(|(t, s)| clip(t + s)).collect();
        let minus = pairs().map(|(t, s)| clip(t - s)).collect();
        let step_state = SpsaStep {
            shift,
            plus,
            minus,
            first: None,
        };
        self.pending.insert(step, step_state);
    }

    /// Moves along a step's direction by `gap`, wins less losses of its plus side.
    fn finish(&mut self, step: u64, shift: &[f64], gap: f64) {
        for (i, &shift) in shift.iter().enumerate() {
            let moved = self.theta[i] + self.rate(step, i) * shift * gap;
            self.theta[i] = moved.clamp(-1.0, 1.0);
        }
    }
}

impl Tuner for Spsa {
    fn ask(&mut self, rng: &mut Rng) -> TuningTrial {
        let number = self.n_asked;
        self.n_asked += 1;
        let (step, is_plus) = if self.params.is_duel {
            (number + 1, true)
        } else {
            (number / 2 + 1, number.is_multiple_of(2))
        };
        if is_plus {
            self.begin(step, rng);
        }
        let sides = &self.pending[&step];
        let values = |x: &[f64]| self.space.values(x);
        TuningTrial {
            number,
            point: values(if is_plus { &sides.plus } else { &sides.minus }),
            rival: self.params.is_duel.then(|| values(&sides.minus)),
        }
    }

    fn tell(&mut self, trial: &TuningTrial, results: &[TrialResult]) {
        let scores = || results.iter().map(|result| result.score());
        self.n_games += results.len() as u64;
        self.score += scores().sum::<f64>();
        let gap: f64 = scores().map(|score| 2.0 * score - 1.0).sum();
        if self.params.is_duel {
            let step = trial.number + 1;
            if let Some(sides) = self.pending.remove(&step) {
                self.finish(step, &sides.shift, gap);
            }
            return;
        }
        let step = trial.number / 2 + 1;
        let gap = if trial.number.is_multiple_of(2) {
            gap
        } else {
            -gap
        };
        let Some(sides) = self.pending.get_mut(&step) else {
            return;
        };
        let Some(first) = sides.first else {
            sides.first = Some(gap);
            return;
        };
        if let Some(sides) = self.pending.remove(&step) {
            // Two games against a third party are worth one against each other.
            self.finish(step, &sides.shift, (first + gap) / 2.0);
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate {
            point: self.space.values(&self.theta),
            n_games: self.n_games,
            score: self.score / self.n_games.max(1) as f64,
            peak: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::logistic;
    use crate::space::TunedParameter;

    const OPTIMUM: [f64; 4] = [3.0, -2.0, 0.5, 7.0];

    fn strength(point: &[f64]) -> f64 {
        let square = |(x, o): (&f64, &f64)| (x - o) * (x - o);
        -0.02 * point.iter().zip(&OPTIMUM).map(square).sum::<f64>()
    }

    fn drawn(p: f64, rng: &mut Rng) -> TrialResult {
        if rng.chance(p) {
            TrialResult::Win
        } else {
            TrialResult::Loss
        }
    }

    fn climb(is_duel: bool, n_trials: u64, seed: u64) -> Vec<f64> {
        let range = |name| TunedParameter::linear(name, -10.0, 10.0);
        let space = Space::new(["a", "b", "c", "d"].map(range).to_vec()).expect("ranges");
        let n_steps = if is_duel { n_trials } else { n_trials / 2 };
        let params = SpsaParams {
            r_end: 0.02,
            is_duel,
            ..SpsaParams::new(n_steps, 4)
        };
        let mut spsa = Spsa::new(space, &[0.0; 4], params);
        for game in 0..n_trials {
            let trial = spsa.ask(&mut Rng::stream(seed ^ game, "ask"));
            let against = trial.rival.as_deref().map_or(-1.0, strength);
            let p = logistic(strength(&trial.point) - against);
            let result = drawn(p, &mut Rng::stream(seed ^ game, "game"));
            spsa.tell(&trial, &[result]);
        }
        assert!(spsa.pending.is_empty());
        spsa.estimate().point
    }

    #[test]
    fn climbs_a_noisy_quadratic() {
        let start = strength(&[0.0; 4]);
        for seed in [1 << 32, 2 << 32, 3 << 32] {
            let duel = strength(&climb(true, 10_000, seed));
            assert!(duel > 0.06 * start, "duel: {duel} from {start}");
            let opponent = strength(&climb(false, 40_000, seed));
            assert!(opponent > 0.06 * start, "opponent: {opponent} from {start}");
        }
    }

    #[test]
    fn schedules_end_where_the_user_says() {
        let space = Space::new(vec![TunedParameter::linear("a", 0.0, 1.0)]).expect("a range");
        let params = SpsaParams::new(1000, 1);
        let spsa = Spsa::new(space, &[0.5], params);
        assert!((spsa.perturbation(1000, 0) - 0.2).abs() < 1e-12);
        assert!((spsa.rate(1000, 0) - 0.002).abs() < 1e-12);
        assert!(spsa.perturbation(1, 0) > 0.2 && spsa.rate(1, 0) > 0.002);
    }

    #[test]
    fn never_leaves_the_ranges() {
        let space = Space::new(vec![TunedParameter::linear("a", 0.0, 1.0)]).expect("a range");
        let params = SpsaParams {
            r_end: 5.0,
            ..SpsaParams::new(50, 1)
        };
        let mut spsa = Spsa::new(space, &[0.9], params);
        for game in 0..50 {
            let trial = spsa.ask(&mut Rng::from_seed(game));
            let is_higher = trial.point[0] >= trial.rival.as_ref().expect("a duel")[0];
            let result = if is_higher {
                TrialResult::Win
            } else {
                TrialResult::Loss
            };
            assert!((0.0..=1.0).contains(&trial.point[0]));
            spsa.tell(&trial, &[result]);
        }
        assert_eq!(spsa.estimate().point, [1.0]);
    }

    #[test]
    fn a_draw_moves_nothing() {
        let space = Space::new(vec![TunedParameter::linear("a", 0.0, 1.0)]).expect("a range");
        let mut spsa = Spsa::new(space, &[0.25], SpsaParams::new(10, 1));
        let trial = spsa.ask(&mut Rng::from_seed(1));
        spsa.tell(
            &trial,
            &[TrialResult::Draw, TrialResult::Win, TrialResult::Loss],
        );
        assert_eq!(spsa.estimate().point, [0.25]);
    }
}
