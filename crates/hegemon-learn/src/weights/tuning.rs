//! Batches of trials and of games.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{Grounds, Plan, deal_seed, play_blocks, play_game, seat_orders, unwatched};
use hegemon_bots::Spec;
use hegemon_core::Rng;
use hegemon_eval::{Evaluator, Feature, FeatureVector, Weights};

use crate::clop::Clop;
use crate::space::{Space, TunedParameter};
use crate::spsa::{Spsa, SpsaParams};
use crate::tuner::{AnyTuner, TrialResult, Tuner as _, TuningTrial};
use crate::weights::agent::{Seat, in_seats};
use crate::weights::positions::Position;
use crate::weights::regression::{WeightsCalibration, calibrate};
use crate::weights::{Method, NORM, TrainError, Training, Trials, anchor, part_seed};

/// The weight that all features would have if they were equal: the norm over the
/// root of 13.
const MEAN_WEIGHT: f64 = NORM / 3.605_551_275_463_989;
/// The range of a weight at a span of 1: its size plus a fifth of the mean
/// weight. A feature of little weight may have much effect (one step of a share
/// of the own territories decides many placements), so equal ranges for all
/// would drown the rest in noise.
fn room(weight: f64) -> f64 {
    weight.abs() + 0.2 * MEAN_WEIGHT
}

/// Games used to calibrate tuned weights.
const N_CALIBRATION_GAMES: u64 = 200;

impl Training<'_> {
    /// Settings of the trials; `None` for regression.
    fn trials(&self) -> Option<&Trials> {
        match &self.params.method {
            Method::Clop { trials, .. } | Method::Spsa { trials, .. } => Some(trials),
            Method::Logistic { .. } => None,
        }
    }

    /// Features whose weights are tuned.
    fn tuned(&self) -> impl Iterator<Item = Feature> + '_ {
        let fixed = anchor(&self.start);
        let names = self.trials().map_or(&[][..], |trials| &trials.features);
        let is_named = move |feature: Feature| {
            names.is_empty() || names.iter().any(|name| name == feature.name())
        };
        Feature::ALL
            .into_iter()
            .filter(move |&feature| feature != fixed && is_named(feature))
    }

    /// The vector at a point of the tuner.
    pub(super) fn vector_at(&self, point: &[f64]) -> FeatureVector {
        let mut vector = self.start;
        for (feature, &weight) in self.tuned().zip(point) {
            vector[feature] = weight;
        }
        vector
    }

    pub(super) fn new_tuner(&self) -> Result<AnyTuner, TrainError> {
        let Some(trials) = self.trials() else {
            return Err(TrainError::Params("regression tunes nothing".to_owned()));
        };
        let range = |feature: Feature| {
            let centre = self.start[feature];
            let reach = trials.span * room(centre);
            TunedParameter::linear(feature.name(), centre - reach, centre + reach)
        };
        let space = Space::new(self.tuned().map(range).collect());
        let space = space.map_err(|error| TrainError::Params(error.to_string()))?;
        let start: Vec<f64> = self.tuned().map(|feature| self.start[feature]).collect();
        Ok(match &self.params.method {
            Method::Spsa {
                r_end,
                c_end,
                is_duel,
                ..
            } => {
                let trials_a_step = if *is_duel { 1 } else { 2 };
                let n_players = self.game.n_players() as u64;
                let games_a_trial = if trials.is_pair { n_players } else { 1 };
                let games_a_step = trials_a_step * games_a_trial;
                let n_steps = self.params.n_games.div_ceil(games_a_step);
                let params = SpsaParams {
                    r_end: *r_end,
                    c_end: vec![*c_end; space.n_dims()],
                    is_duel: *is_duel,
                    ..SpsaParams::new(n_steps, space.n_dims())
                };
                AnyTuner::Spsa(Spsa::new(space, &start, params))
            }
            Method::Clop { params, .. } => AnyTuner::Clop(Clop::new(space, params.clone())),
            Method::Logistic { .. } => unreachable!("it has no trials"),
        })
    }

    /// Requests a batch of trials, plays them in parallel and reports the
    /// results in order.
    pub(super) fn tune_batch(
        &self,
        tuner: &mut AnyTuner,
        n_batches: u64,
    ) -> Result<(), TrainError> {
        let params = self.params;
        let trials: Vec<TuningTrial> = (0..params.batch)
            .map(|n| {
                let number = n_batches * params.batch + n;
                tuner.ask(&mut Rng::stream(part_seed(params.seed, number), "ask"))
            })
            .collect();
        play_blocks(
            &self.grounds(),
            0..params.batch,
            &AtomicBool::new(false),
            |n| Ok(self.trial_plan(&trials[n as usize])),
            unwatched::<_, TrainError>,
            |block, _| {
                let scores = block.games.iter().filter_map(|game| {
                    let seat = game.seat_of(0)?;
                    Some(TrialResult::of_score(game.score(seat)))
                });
                let results: Vec<TrialResult> = scores.collect();
                tuner.tell(&trials[block.number as usize], &results);
                Ok(ControlFlow::Continue(()))
            },
        )
    }

    /// What all games of the run share.
    pub(super) fn grounds(&self) -> Grounds<'_> {
        Grounds {
            game: &self.game,
            grants: &self.params.grants,
            n_threads: self.params.n_threads,
        }
    }

    /// The agent with these weights.
    pub(super) fn agent(&self, weights: &Weights) -> Seat {
        let evaluator = Evaluator::new(Arc::clone(&self.facts), weights);
        Seat::Weighted(self.params.agent.clone(), Arc::new(evaluator))
    }

    /// The opponent as its spec says.
    pub(super) fn opponent(&self) -> Seat {
        Seat::Plain(self.params.opponent.clone())
    }

    /// The games of a trial: the agent at its point, in all other seats the one
    /// at the rival point, or the opponent.
    fn trial_plan(&self, trial: &TuningTrial) -> Plan<Seat> {
        let agent = |point: &[f64]| self.agent(&self.weights_of(&self.vector_at(point)));
        let rival = trial.rival.as_deref();
        let players = [
            agent(&trial.point),
            rival.map_or_else(|| self.opponent(), agent),
        ];
        let n_players = self.game.n_players() as u64;
        let seats = if self.trials().is_some_and(|trials| trials.is_pair) {
            0..n_players
        } else {
            let seat = trial.number % n_players;
            seat..seat + 1
        };
        let deal = deal_seed(self.params.seed, "train", trial.number);
        in_seats(deal, players, seats, n_players)
    }

    /// Positions of the next batch of blocks, and how many games they took.
    pub(super) fn collect_batch(&self, n_games: u64) -> Result<(Vec<Position>, u64), TrainError> {
        let Method::Logistic {
            line_ups, noise, ..
        } = &self.params.method
        else {
            return Ok((Vec::new(), 0));
        };
        let line_ups = line_ups
            .iter()
            .map(|specs| specs.iter().map(|spec| spec.parse()).collect())
            .collect::<Result<Vec<Vec<Spec>>, _>>()?;
        let n_players = self.game.n_players();
        if line_ups.iter().any(|specs| specs.len() != n_players) {
            let message = format!("a line-up needs {n_players} bots");
            return Err(TrainError::Params(message));
        }
        let n_orders = seat_orders(n_players).len() as u64;
        let first = n_games / n_orders;
        let blocks = first..first + self.params.batch;
        let found = self.collect_blocks(blocks, "positions", |block| {
            let mut rng = Rng::stream(part_seed(self.params.seed, block), "noise");
            let agents: Vec<Weights> = (0..n_players)
                .map(|_| self.weights_of(&self.near_start(*noise, &mut rng)))
                .collect();
            if line_ups.is_empty() {
                let is_self_play = block % 2 == 0;
                let seat = |idx: usize| match idx {
                    0 => self.agent(&agents[0]),
                    _ if is_self_play => self.agent(&agents[idx]),
                    _ => self.opponent(),
                };
                (0..n_players).map(seat).collect()
            } else {
                let line_up = &line_ups[(block % line_ups.len() as u64) as usize];
                line_up.iter().cloned().map(Seat::Plain).collect()
            }
        })?;
        Ok((found, self.params.batch * n_orders))
    }

    /// A vector drawn uniformly around the start.
    fn near_start(&self, noise: f64, rng: &mut Rng) -> FeatureVector {
        let near = |weight: f64| weight + noise * room(weight) * (2.0 * rng.unit() - 1.0);
        FeatureVector(self.start.0.map(near))
    }

    /// Positions of the games of some blocks in all seat orders.
    fn collect_blocks(
        &self,
        blocks: Range<u64>,
        label: &str,
        line_up: impl Fn(u64) -> Vec<Seat> + Sync,
    ) -> Result<Vec<Position>, TrainError> {
        let n_orders = seat_orders(self.game.n_players()).len() as u64;
        let mut found = Vec::new();
        play_blocks(
            &self.grounds(),
            blocks,
            &AtomicBool::new(false),
            |block| {
                let deal = deal_seed(self.params.seed, label, block);
                Ok(Plan::rotated(deal, line_up(block)))
            },
            |setup, number| {
                let mut collector = super::Collector::new(&self.facts);
                let played = play_game(setup, &mut collector)?;
                let game = number.block * n_orders + number.game;
                let positions = collector.positions(game, &played);
                Ok::<_, TrainError>((played, positions))
            },
            |_, positions| {
                found.extend(positions.into_iter().flatten());
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(found)
    }

    /// The conversion of weights to win shares, fitted to the collected
    /// positions or else to separate games. `None` except in games for two.
    pub(super) fn calibration(
        &self,
        weights: &Weights,
        positions: &[Position],
    ) -> Result<Option<WeightsCalibration>, TrainError> {
        if self.game.n_players() != 2 {
            return Ok(None);
        }
        let vector = weights.vector();
        if !positions.is_empty() {
            return Ok(Some(calibrate(positions, &vector)?));
        }
        let seats = [self.agent(weights), self.opponent()];
        let blocks = 0..N_CALIBRATION_GAMES / 2;
        let found = self.collect_blocks(blocks, "calibration", |_| seats.to_vec())?;
        Ok(Some(calibrate(&found, &vector)?))
    }
}
