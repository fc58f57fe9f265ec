//! Weights from labelled positions.

use hegemon_eval::{Feature, FeatureVector, N_FEATURES};
use serde::{Deserialize, Serialize};

use crate::logistic::{
    Dataset, Fit, FitError, LabelledPosition, Prior, fit, log_loss, log_loss_of_constant,
};
use crate::weights::positions::{Decided, Position};

/// Share of the games held out to measure a fit.
const HELD_OUT: f64 = 0.2;
/// Precision of the prior of the constants, practically flat.
const FREE: f64 = 1e-6;

/// The model of the logit of the win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegressionModel {
    /// The change of `E(own)` by the decision, given the features before it. All
    /// features correlate with being ahead, so a fit to plain positions credits
    /// features that merely accompany strength (a leader has a hinterland, and
    /// armies in it). What a decision changes is closer to a cause.
    #[default]
    Change,
    /// `E(own)` and a constant for each kind of decision.
    Own,
    /// `E(own) - E(other)` and the tempo: fits win shares.
    Difference,
}

/// How weights are fitted to positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegressionParams {
    pub model: RegressionModel,
    /// Whether features are disabled by phase.
    pub has_phase_mask: bool,
    /// Precision of the prior of every weight.
    pub precision: f64,
    /// Discount of a result for every round before the end; 1 for none. It
    /// makes a quick win worth more than a slow one.
    pub discount: f64,
    /// Mean of the prior of every weight; zero if not given.
    pub prior_mean: Option<Vec<f64>>,
}

impl Default for RegressionParams {
    fn default() -> RegressionParams {
        RegressionParams {
            model: RegressionModel::Change,
            has_phase_mask: false,
            precision: 0.1,
            discount: 0.98,
            prior_mean: None,
        }
    }
}

/// Fitted weights and their quality.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedWeights {
    /// For scaled features, in the order of [`Feature::ALL`].
    pub weights: [f64; N_FEATURES],
    /// Their standard errors, with a game as one observation.
    pub std_errors: [f64; N_FEATURES],
    /// Positions fitted.
    pub n_positions: u64,
    /// Games fitted.
    pub n_games: u64,
    /// Mean cross entropy on the games fitted, in nats.
    pub log_loss: f64,
    /// The same on the games held out.
    pub held_out_log_loss: f64,
    /// The loss of a constant on the games held out.
    pub constant_log_loss: f64,
}

/// Fits weights to positions of games for `n_players`. All games count the same,
/// however long they were.
///
/// # Errors
///
/// If there are no positions, or the prior is flat and features depend on each
/// other (as some of Wolf's do with two players).
pub fn fit_weights(
    positions: &[Position],
    params: &RegressionParams,
    n_players: usize,
    seed: u64,
) -> Result<FittedWeights, FitError> {
    let n_columns = N_FEATURES + n_beside(params);
    let mut data = Dataset::new(n_columns);
    let par = 1.0 / n_players as f64;
    for (position, weight) in weighted(positions) {
        let faded = libm::pow(params.discount, f64::from(position.rounds_left));
        data.push(LabelledPosition {
            features: &columns(position, params),
            label: par + (position.label - par) * faded,
            weight,
            group: position.game,
        });
    }
    let prior = |mean| Prior {
        mean,
        precision: params.precision,
    };
    let mean = |i: usize| params.prior_mean.as_ref().map_or(0.0, |means| means[i]);
    let free = Prior {
        mean: 0.0,
        precision: FREE,
    };
    let mut priors: Vec<Prior> = (0..N_FEATURES).map(|i| prior(mean(i))).collect();
    priors.resize(n_columns, prior(0.0));
    priors[N_FEATURES..N_FEATURES + n_constants(params.model)].fill(free);
    let (fitted, held) = data.split(HELD_OUT, seed);
    let Fit {
        coefficients,
        std_errors,
        log_loss: loss,
        ..
    } = fit(&fitted, &priors)?;
    Ok(FittedWeights {
        weights: std::array::from_fn(|i| coefficients[i]),
        std_errors: std::array::from_fn(|i| std_errors[i]),
        n_positions: fitted.n_rows() as u64,
        n_games: fitted.n_groups() as u64,
        log_loss: loss,
        held_out_log_loss: log_loss(&held, &coefficients),
        constant_log_loss: log_loss_of_constant(&held),
    })
}

fn n_constants(model: RegressionModel) -> usize {
    match model {
        RegressionModel::Change | RegressionModel::Own => Decided::ALL.len(),
        RegressionModel::Difference => 1,
    }
}

/// Number of columns besides the features.
fn n_beside(params: &RegressionParams) -> usize {
    let n_before = match params.model {
        RegressionModel::Change => Decided::ALL.len() * N_FEATURES,
        RegressionModel::Own | RegressionModel::Difference => 0,
    };
    let n_off = if params.has_phase_mask { N_FEATURES } else { 0 };
    n_constants(params.model) + n_before + n_off
}

/// The features, then the columns that are fitted but not kept: constants, the
/// features before the decision, and under a mask the features in the stages in
/// which they are off. (If left out, their effect would be credited to the
/// features that are on.)
fn columns(position: &Position, params: &RegressionParams) -> Vec<f64> {
    let stage = position.decided.stage();
    let value = |feature: Feature| match params.model {
        RegressionModel::Change => position.own[feature] - position.before[feature],
        RegressionModel::Own => position.own[feature],
        RegressionModel::Difference => position.own[feature] - position.other[feature],
    };
    let is_off = |feature: Feature| params.has_phase_mask && !feature.is_on(stage);
    let when = |is_so: bool, x: f64| if is_so { x } else { 0.0 };
    let kept = |feature| when(!is_off(feature), value(feature));
    let is_decided = Decided::ALL.map(|decided| decided == position.decided);
    let mut columns: Vec<f64> = Feature::ALL.into_iter().map(kept).collect();
    match params.model {
        RegressionModel::Change | RegressionModel::Own => {
            columns.extend(is_decided.map(|is| when(is, 1.0)));
        }
        RegressionModel::Difference => columns.push(tempo_sign(position)),
    }
    if params.model == RegressionModel::Change {
        for is in is_decided {
            columns.extend(position.before.0.map(|x| when(is, x)));
        }
    }
    if params.has_phase_mask {
        columns.extend(Feature::ALL.map(|feature| when(is_off(feature), value(feature))));
    }
    columns
}

/// Positions with the weights that make all games equal, 1 on average.
fn weighted(positions: &[Position]) -> impl Iterator<Item = (&Position, f64)> {
    let games = positions.chunk_by(|a, b| a.game == b.game);
    let n_games = games.clone().count() as f64;
    let mean = positions.len() as f64 / n_games.max(1.0);
    games.flat_map(move |game| {
        let weight = mean / game.len() as f64;
        game.iter().map(move |position| (position, weight))
    })
}

/// Who is on turn: the player who decided, or after fortifying the next one.
fn tempo_sign(position: &Position) -> f64 {
    match position.decided {
        Decided::Place | Decided::Attack => 1.0,
        Decided::Fortify => -1.0,
    }
}

/// Conversion of weights to win shares: factor of the evaluation and tempo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightsCalibration {
    /// Factor of `E(own) - E(other)` in the logit of the win.
    pub value_scale: f64,
    /// Added for the player to move.
    pub tempo: f64,
    /// Mean cross entropy that the win shares reach, in nats.
    pub log_loss: f64,
}

/// Fits the calibration of given weights to positions.
///
/// # Errors
///
/// If there are no positions.
pub fn calibrate(
    positions: &[Position],
    weights: &FeatureVector,
) -> Result<WeightsCalibration, FitError> {
    let mut data = Dataset::new(2);
    for (position, weight) in weighted(positions) {
        let gap = weights.dot(&position.own.minus(&position.other));
        data.push(LabelledPosition {
            features: &[gap, tempo_sign(position)],
            label: position.label,
            weight,
            group: position.game,
        });
    }
    let priors = [Prior {
        mean: 0.0,
        precision: FREE,
    }; 2];
    let fit = fit(&data, &priors)?;
    Ok(WeightsCalibration {
        value_scale: fit.coefficients[0],
        tempo: fit.coefficients[1],
        log_loss: fit.log_loss,
    })
}
