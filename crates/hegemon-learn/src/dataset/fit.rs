//! The evaluation learned from a data set: a model of the shares
//! of the win (conditional logit).

use hegemon_eval::{
    N_WIN_SHARE_FEATURES, WIN_SHARE_FEATURES, WinShareModel, WinShareWeights, win_share_features,
};
use thiserror::Error;

use super::row::{Row, TurnPhase};
use super::source::DatasetError;
use hegemon_arena::stats::cholesky::{Cholesky, add_outer};

/// One game in this many is held out.
const HELD_OUT: u64 = 5;
/// Most Newton steps.
const MAX_STEPS: usize = 50;
/// The step below which the method has converged.
const TOLERANCE: f64 = 1e-8;

/// A fitted model of the shares of the win.
#[derive(Clone, Debug, PartialEq)]
pub struct WinShareFit {
    /// Weights by feature.
    pub weights: [f64; N_WIN_SHARE_FEATURES],
    /// Their standard errors, with each game as one observation.
    pub std_errors: [f64; N_WIN_SHARE_FEATURES],
    /// Rows fitted.
    pub n_rows: usize,
    /// Games fitted.
    pub n_games: u64,
    /// Mean cross entropy on games held out, in nats.
    pub held_out_loss: f64,
    /// The same for equal shares among the remaining players.
    pub even_loss: f64,
}

impl WinShareFit {
    /// The weights with a header that has the fit's own figures.
    pub fn weights_file(&self) -> WinShareWeights {
        let mut file = WinShareWeights::of(&self.weights);
        file.about = format!(
            "conditional logit of the winner on {} states after a phase of {} games",
            self.n_rows, self.n_games
        );
        file.strength = format!(
            "cross entropy {:.4} on games held out, {:.4} for equal shares",
            self.held_out_loss, self.even_loss
        );
        file
    }

    /// Names, weights and standard errors.
    pub fn table(&self) -> impl Iterator<Item = (&'static str, f64, f64)> + '_ {
        let numbers = self.weights.iter().zip(&self.std_errors);
        let named = WIN_SHARE_FEATURES.into_iter().zip(numbers);
        named.map(|(name, (weight, error))| (name, *weight, *error))
    }
}

/// Why nothing could be fitted.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum FitWinShareError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    #[error("the data set has too few games to fit and to hold some out")]
    TooFew,
    #[error("the features are not independent; give a larger precision")]
    Singular,
}

/// One labelled state: features of the remaining players, and their shares of
/// the win.
struct Case {
    game: u64,
    features: Vec<[f64; N_WIN_SHARE_FEATURES]>,
    scores: Vec<f64>,
}

impl Case {
    fn of(row: &Row) -> Option<Case> {
        let is_alive = |n: &usize| row.after[*n].is_alive;
        let players: Vec<usize> = (0..row.after.len()).filter(is_alive).collect();
        // A state with a single remaining player carries no information.
        if players.len() < 2 {
            return None;
        }
        let all = win_share_features(&row.after);
        Some(Case {
            game: row.game,
            features: players.iter().map(|&n| all[n]).collect(),
            scores: players.iter().map(|&n| row.scores[n]).collect(),
        })
    }

    fn shares(&self, weights: &[f64; N_WIN_SHARE_FEATURES]) -> Vec<f64> {
        WinShareModel::with_weights(*weights)
            .shares(&self.features, &vec![true; self.features.len()])
    }

    fn loss(&self, shares: &[f64]) -> f64 {
        let terms = self.scores.iter().zip(shares);
        -terms
            .map(|(score, share)| score * libm::log(share.max(1e-12)))
            .sum::<f64>()
    }
}

/// Fits a model of the shares of the win to the states after one phase.
/// `precision` is that of the prior around zero. Rows come in any order of games; one game in five is held
/// out (whole blocks of four, so that no deal is on both sides).
///
/// # Errors
///
/// If the rows cannot be read, or there are too few games.
pub fn fit_win_share(
    rows: impl Iterator<Item = Result<Row, DatasetError>>,
    phase: TurnPhase,
    precision: f64,
) -> Result<WinShareFit, FitWinShareError> {
    let (mut fitted, mut held_out) = (Vec::new(), Vec::new());
    for row in rows {
        let row = row?;
        if row.phase != phase {
            continue;
        }
        let Some(case) = Case::of(&row) else {
            continue;
        };
        if (case.game / 4) % HELD_OUT == 0 {
            held_out.push(case);
        } else {
            fitted.push(case);
        }
    }
    if fitted.is_empty() || held_out.is_empty() {
        return Err(FitWinShareError::TooFew);
    }
    let (weights, information) = newton(&fitted, precision)?;
    let mean = |losses: Vec<f64>| losses.iter().sum::<f64>() / losses.len() as f64;
    let held_out_loss = mean(
        held_out
            .iter()
            .map(|c| c.loss(&c.shares(&weights)))
            .collect(),
    );
    let even = |case: &Case| vec![1.0 / case.scores.len() as f64; case.scores.len()];
    let even_loss = mean(held_out.iter().map(|c| c.loss(&even(c))).collect());
    Ok(WinShareFit {
        std_errors: robust_errors(&fitted, &weights, &information),
        weights,
        n_rows: fitted.len(),
        n_games: n_games(&fitted),
        held_out_loss,
        even_loss,
    })
}

fn n_games(cases: &[Case]) -> u64 {
    let mut games: Vec<u64> = cases.iter().map(|case| case.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len() as u64
}

/// Newton's method on the penalised likelihood, which is concave; returns the
/// weights and the factored information.
fn newton(
    cases: &[Case],
    precision: f64,
) -> Result<([f64; N_WIN_SHARE_FEATURES], Cholesky), FitWinShareError> {
    let mut weights = [0.0; N_WIN_SHARE_FEATURES];
    for step in 0.. {
        let mut gradient = weights.map(|w| -precision * w).to_vec();
        let mut information = vec![0.0; N_WIN_SHARE_FEATURES * N_WIN_SHARE_FEATURES];
        for n in 0..N_WIN_SHARE_FEATURES {
            information[n * N_WIN_SHARE_FEATURES + n] = precision;
        }
        for case in cases {
            add_case(case, &weights, &mut gradient, &mut information);
        }
        let factored =
            Cholesky::new(&information, N_WIN_SHARE_FEATURES).ok_or(FitWinShareError::Singular)?;
        let change = factored.solve(&gradient);
        for (weight, change) in weights.iter_mut().zip(&change) {
            *weight += change;
        }
        let largest = change.iter().fold(0.0f64, |m, c| m.max(c.abs()));
        if largest < TOLERANCE || step == MAX_STEPS {
            return Ok((weights, factored));
        }
    }
    unreachable!("the loop returns")
}

fn add_case(
    case: &Case,
    weights: &[f64; N_WIN_SHARE_FEATURES],
    gradient: &mut [f64],
    information: &mut [f64],
) {
    let shares = case.shares(weights);
    let mut mean = [0.0; N_WIN_SHARE_FEATURES];
    for (x, share) in case.features.iter().zip(&shares) {
        for (m, x) in mean.iter_mut().zip(x) {
            *m += share * x;
        }
    }
    for ((x, share), score) in case.features.iter().zip(&shares).zip(&case.scores) {
        let centred: [f64; N_WIN_SHARE_FEATURES] = std::array::from_fn(|n| x[n] - mean[n]);
        add_outer(information, &centred, *share);
        for (g, x) in gradient.iter_mut().zip(x) {
            *g += (score - share) * x;
        }
    }
}

/// Standard errors with the scores of each game summed (Liang and Zeger 1986).
fn robust_errors(
    cases: &[Case],
    weights: &[f64; N_WIN_SHARE_FEATURES],
    information: &Cholesky,
) -> [f64; N_WIN_SHARE_FEATURES] {
    let mut by_game: std::collections::BTreeMap<u64, Vec<f64>> = std::collections::BTreeMap::new();
    let mut unused = vec![0.0; N_WIN_SHARE_FEATURES * N_WIN_SHARE_FEATURES];
    for case in cases {
        let sum = by_game
            .entry(case.game)
            .or_insert_with(|| vec![0.0; N_WIN_SHARE_FEATURES]);
        add_case(case, weights, sum, &mut unused);
    }
    let mut variance = [0.0; N_WIN_SHARE_FEATURES];
    for sum in by_game.values() {
        for (v, influence) in variance.iter_mut().zip(information.solve(sum)) {
            *v += influence * influence;
        }
    }
    variance.map(f64::sqrt)
}
