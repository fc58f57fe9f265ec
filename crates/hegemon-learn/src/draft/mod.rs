//! Learning the value of a draft (Gibson, Desai and Zhao 2010).
//!
//! Random drafts are played out many times by one bot in all seats. Linear
//! regression on the features of that paper gives its evaluator; a small net
//! learns better. A run is a pure function of [`DraftTraining`], regardless of
//! the number of threads and of stops and resumes.

pub mod experiments;
mod figure;
mod log;
mod net;
mod play;
mod regression;
#[cfg(test)]
mod tests;

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{Grounds, Program, play_blocks};
use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{Game, GameError, Map, PlayerId, Rules};
use hegemon_eval::draft::{DRAFT_SCHEMA, DraftMismatch, DraftWeights};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use figure::{figure_3, weights_table};
pub use log::{DraftLog, RowForm};
pub use net::{NetParams, fit_net};
pub use regression::{LinearFit, Recovery, cross_validate, fit_linear, recovery};

use crate::checkpoint::{CheckpointError, claim_checkpoint, write_whole};

/// A draft and how its games ended, players in the order of play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DraftRow {
    /// Owner of each territory; nobody if a drafter forfeited and the draft did
    /// not finish.
    pub owners: Vec<PlayerId>,
    /// Games won by each player, shared ones as fractions.
    pub wins: Vec<f64>,
    /// Games played.
    pub n_games: u32,
    /// Games, or the draft itself, that ended because a bot could not go on.
    pub n_forfeits: u32,
}

impl DraftRow {
    /// Whether the draft was completed, so that there is something to learn.
    pub fn is_drafted(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Share of the games that a player won.
    pub fn share(&self, player: PlayerId) -> f64 {
        self.wins[player.index()] / f64::from(self.n_games.max(1))
    }
}

/// What to learn from.
#[derive(Clone, Debug)]
pub struct DraftTraining {
    /// Map, rules and number of players; must begin with a draft.
    pub game: Arc<Game>,
    /// The bot that plays on after the draft, in all seats.
    pub bot: Spec,
    /// The drafter in all seats, mixed with random picks to a varying degree;
    /// `None`: all picks are random, as in the paper.
    pub drafter: Option<Spec>,
    /// Drafts.
    pub n_drafts: u64,
    /// Games played from each draft.
    pub n_games: u32,
    /// Counts that occur in fewer rows get their weights from their neighbours;
    /// 1 in the paper.
    pub min_rows: u64,
    /// Settings of the net; `None`: only the regression.
    pub net: Option<NetParams>,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads; the result does not depend on it.
    pub n_threads: usize,
    /// The resources the players may use.
    pub grants: Grants,
    /// The command to name in the header.
    pub command: String,
}

impl DraftTraining {
    /// The size and setting of Gibson, Desai and Zhao 2010: 7,364 drafts of 100
    /// games by three Quo on the classic map.
    ///
    /// # Errors
    ///
    /// If the shipped map and rules are broken.
    pub fn paper() -> Result<DraftTraining, DraftTrainError> {
        Ok(DraftTraining {
            game: paper_game(3)?,
            bot: Spec::plain("quo"),
            drafter: None,
            n_drafts: 7364,
            n_games: 100,
            min_rows: 1,
            net: None,
            seed: 1,
            n_threads: 1,
            grants: Grants::sealed(),
            command: "hegemon train draft".to_owned(),
        })
    }
}

/// The game of Gibson, Desai and Zhao 2010 for a number of players.
///
/// # Errors
///
/// If the shipped map and rules do not fit that number.
pub fn paper_game(n_players: usize) -> Result<Arc<Game>, DraftTrainError> {
    let shipped = || Some((Map::builtin("classic-lux")?, Rules::preset("draft")?));
    let (map, rules) =
        shipped().ok_or_else(|| DraftTrainError::Params("map or rules are missing".to_owned()))?;
    Ok(Game::new(map, rules, n_players)?)
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DraftProgress {
    /// After a draft was played.
    Playing {
        /// Drafts so far.
        n_drafts: u64,
        /// Drafts planned.
        of: u64,
    },
    /// After a pass of the net over its data.
    Fitting {
        /// Passes so far.
        n_epochs: u32,
        /// Passes planned.
        of: u32,
        /// Mean cross entropy on the drafts that choose the pass, in nats.
        loss: f64,
    },
}

/// The quality of predicted win shares, in hundredths of a win.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Predictions made.
    pub n: u64,
    /// Share of the variance explained.
    pub r2: f64,
    /// Correlation of prediction and truth.
    pub correlation: f64,
    /// Root of the mean squared error.
    pub rmse: f64,
    /// Absolute error over that of always predicting the mean.
    pub relative_absolute_error: f64,
}

impl Quality {
    /// Of pairs of prediction and truth.
    pub fn of(pairs: &[(f64, f64)]) -> Quality {
        let n = pairs.len() as f64;
        if pairs.is_empty() {
            return Quality::default();
        }
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
        let (mean_x, mean_y) = (mean(&|p| p.0), mean(&|p| p.1));
        let var_x = mean(&|p| (p.0 - mean_x).powi(2));
        let var_y = mean(&|p| (p.1 - mean_y).powi(2));
        let covariance = mean(&|p| (p.0 - mean_x) * (p.1 - mean_y));
        let squared = mean(&|p| (p.0 - p.1).powi(2));
        let absolute = mean(&|p| (p.0 - p.1).abs());
        Quality {
            n: pairs.len() as u64,
            r2: 1.0 - squared / var_y,
            correlation: covariance / (var_x * var_y).sqrt(),
            rmse: squared.sqrt(),
            relative_absolute_error: absolute / mean(&|p| (mean_y - p.1).abs()),
        }
    }
}

/// Statistics of the games without any evaluator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftStatistics {
    /// Drafts played.
    pub n_drafts: u64,
    /// Games played.
    pub n_games: u64,
    /// Games and drafts that ended because a bot could not go on.
    pub n_forfeits: u64,
    /// Share of the wins by place in the order of play.
    pub seat_shares: Vec<f64>,
    /// Standard deviation of the win percentage of a draft and player.
    pub deviation: f64,
    /// The same without the sampling noise of a finite number of games.
    pub true_deviation: f64,
    /// The best R2 that any evaluator can have on such data: the rest is dice.
    pub best_r2: f64,
}

impl DraftStatistics {
    /// Computes the statistics of rows.
    pub fn of(rows: &[DraftRow]) -> DraftStatistics {
        let n_players = rows.first().map_or(0, |row| row.wins.len());
        let mut sums = vec![0.0; n_players];
        let (mut sum, mut squares, mut noise, mut n) = (0.0, 0.0, 0.0, 0.0);
        for row in rows {
            for player in PlayerId::seats(n_players) {
                let share = row.share(player);
                sums[player.index()] += share;
                sum += share;
                squares += share * share;
                noise += share * (1.0 - share) / f64::from(row.n_games.max(2) - 1);
                n += 1.0;
            }
        }
        let variance = squares / n - (sum / n) * (sum / n);
        let noise = noise / n;
        DraftStatistics {
            n_drafts: rows.len() as u64,
            n_games: rows.iter().map(|row| u64::from(row.n_games)).sum(),
            n_forfeits: rows.iter().map(|row| u64::from(row.n_forfeits)).sum(),
            seat_shares: sums.iter().map(|sum| sum / rows.len() as f64).collect(),
            deviation: 100.0 * variance.sqrt(),
            true_deviation: 100.0 * (variance - noise).max(0.0).sqrt(),
            best_r2: (1.0 - noise / variance).clamp(0.0, 1.0),
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct DraftTrained {
    /// The linear evaluator, with a header and standard errors.
    pub weights: DraftWeights,
    /// How the regression went.
    pub fit: LinearFit,
    /// The regression on drafts that it did not see, by ten-fold
    /// cross-validation.
    pub held_out: Quality,
    /// The net, and its quality on the tenth of the drafts held out for that.
    pub net: Option<(DraftWeights, Quality)>,
    /// Statistics of the games.
    pub statistics: DraftStatistics,
    /// Whether the run was completed. If not, it can be resumed, and the rest
    /// is the result when it was stopped.
    pub is_complete: bool,
}

impl DraftTrained {
    /// Writes weights, table and figure into a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be written to.
    pub fn write(&self, folder: &Path) -> Result<(), CheckpointError> {
        let write = |name: &str, text: String| write_whole(&folder.join(name), &text);
        write("linear.toml", self.weights.to_toml())?;
        if let Some((net, _)) = &self.net {
            write("net.toml", net.to_toml())?;
        }
        if let Some(linear) = &self.weights.linear {
            let authors = DraftWeights::builtin("draft-authors");
            let authors = authors.and_then(|weights| weights.linear.as_ref());
            let figure = figure_3(linear, authors.map(|linear| ("authors", linear)));
            write("figure-3.svg", figure)?;
            write("weights.md", weights_table(linear))?;
        }
        Ok(())
    }
}

/// Why a run failed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum DraftTrainError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Mismatch(#[from] DraftMismatch),
    #[error("{0}")]
    Params(String),
    #[error("a draft was not played elsewhere: {0}")]
    Elsewhere(String),
}

/// Weights that are only evaluated and never written, so that nobody asks where
/// they are from.
fn unsigned_file(kind: &str, map: &Map, n_players: usize) -> DraftWeights {
    DraftWeights {
        kind: kind.to_owned(),
        features: DRAFT_SCHEMA.to_owned(),
        about: String::new(),
        map: map.name().to_owned(),
        rules: String::new(),
        players: n_players,
        trained_by: String::new(),
        program: String::new(),
        strength: String::new(),
        linear: None,
        net: None,
    }
}

/// Plays the drafts and learns from them. Resumes from the checkpoint if there
/// is one, and adds to it as drafts are done.
///
/// # Errors
///
/// If the parameters cannot be used, a bot cannot be built, or the checkpoint
/// cannot be written or belongs to another run.
pub fn run(
    params: &DraftTraining,
    progress: impl FnMut(&DraftProgress),
    stop: &AtomicBool,
    checkpoint: Option<&Path>,
) -> Result<DraftTrained, DraftTrainError> {
    run_by(params, progress, checkpoint, |numbers, consume| {
        play_rows(params, numbers, params.n_threads, stop, consume)
    })
}

/// Receives the rows of drafts in order.
pub type ConsumeRow<'a> = &'a mut dyn FnMut(DraftRow) -> Result<(), DraftTrainError>;

/// The same with drafts that `play` plays, maybe elsewhere: it gets their numbers
/// and delivers their rows in order.
///
/// # Errors
///
/// As [`run`], and those of `play`.
pub fn run_by(
    params: &DraftTraining,
    mut progress: impl FnMut(&DraftProgress),
    checkpoint: Option<&Path>,
    play: impl FnOnce(Range<u64>, ConsumeRow<'_>) -> Result<(), DraftTrainError>,
) -> Result<DraftTrained, DraftTrainError> {
    let rows = collect_by(params, &mut progress, checkpoint, play)?;
    let n_drafted = rows.iter().filter(|row| row.is_drafted()).count();
    if n_drafted < 20 {
        let message = format!("{n_drafted} drafts are too few to learn from; 20 are needed");
        return Err(DraftTrainError::Params(message));
    }
    learn(params, &rows, progress)
}

/// Plays the drafts of a run, or those that are missing in the checkpoint.
///
/// # Errors
///
/// As [`run`].
pub fn collect(
    params: &DraftTraining,
    progress: impl FnMut(&DraftProgress),
    stop: &AtomicBool,
    checkpoint: Option<&Path>,
) -> Result<Vec<DraftRow>, DraftTrainError> {
    collect_by(params, progress, checkpoint, |numbers, consume| {
        play_rows(params, numbers, params.n_threads, stop, consume)
    })
}

fn collect_by(
    params: &DraftTraining,
    mut progress: impl FnMut(&DraftProgress),
    checkpoint: Option<&Path>,
    play: impl FnOnce(Range<u64>, ConsumeRow<'_>) -> Result<(), DraftTrainError>,
) -> Result<Vec<DraftRow>, DraftTrainError> {
    if params.n_drafts == 0 || params.n_games == 0 {
        return Err(DraftTrainError::Params(
            "drafts and games must be at least 1".to_owned(),
        ));
    }
    if !params.game.has_draft() {
        return Err(DraftTrainError::Params(
            "the rules have no draft".to_owned(),
        ));
    }
    check(&params.bot, &params.game, &params.grants)?;
    if let Some(drafter) = &params.drafter {
        check(drafter, &params.game, &params.grants)?;
    }
    let _claim = checkpoint.map(claim_checkpoint).transpose()?;
    let mut log = checkpoint.map(|path| DraftLog::new(path, params));
    let mut rows = match &mut log {
        Some(log) => log.read(params.n_drafts as usize)?,
        None => Vec::new(),
    };
    let n_before = rows.len();
    let mut n_logged = n_before;
    // Rows per write: single rows are slow to write, and rows not yet written are lost when the
    // process is killed.
    const CHUNK: usize = 64;
    let numbers = n_before as u64..params.n_drafts;
    play(numbers, &mut |row| {
        rows.push(row);
        let is_full = rows.len() - n_logged >= CHUNK;
        if let Some(log) = log.as_mut().filter(|_| is_full) {
            log.append(n_logged, &rows[n_logged..])?;
            n_logged = rows.len();
        }
        progress(&DraftProgress::Playing {
            n_drafts: rows.len() as u64,
            of: params.n_drafts,
        });
        Ok(())
    })?;
    if let Some(log) = log.as_mut().filter(|_| rows.len() > n_logged) {
        log.append(n_logged, &rows[n_logged..])?;
    }
    Ok(rows)
}

/// Plays drafts of a run by their numbers. Each is a pure function of the
/// parameters and its number; none once `stop` is set.
///
/// # Errors
///
/// If a bot cannot be built.
pub fn play_drafts(
    params: &DraftTraining,
    numbers: Range<u64>,
    stop: &AtomicBool,
) -> Result<Vec<DraftRow>, DraftTrainError> {
    let mut rows = Vec::new();
    play_rows(params, numbers, 1, stop, &mut |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

fn play_rows(
    params: &DraftTraining,
    numbers: Range<u64>,
    n_threads: usize,
    stop: &AtomicBool,
    consume: ConsumeRow<'_>,
) -> Result<(), DraftTrainError> {
    let grounds = Grounds {
        game: &params.game,
        grants: &params.grants,
        n_threads,
    };
    play_blocks(
        &grounds,
        numbers,
        stop,
        |number| Ok(play::plan(params, number)?),
        |setup, number| Ok::<_, DraftTrainError>(play::play(setup, number)?),
        |block, drafted| {
            let drafted = drafted.into_iter().next().flatten();
            consume(play::row(&block, drafted))?;
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// Learns from rows that were played.
///
/// # Errors
///
/// If the rows do not belong to the game.
pub fn learn(
    params: &DraftTraining,
    rows: &[DraftRow],
    progress: impl FnMut(&DraftProgress),
) -> Result<DraftTrained, DraftTrainError> {
    let map = params.game.map();
    let n_rows = rows.len();
    let n_forfeits = rows.iter().map(|row| u64::from(row.n_forfeits)).sum();
    let drafted: Vec<DraftRow> = rows
        .iter()
        .filter(|row| row.is_drafted())
        .cloned()
        .collect();
    let rows = &drafted[..];
    let fit = fit_linear(map, rows, params.min_rows)?;
    let held_out = cross_validate(map, rows, 10, params.min_rows)?;
    let statistics = DraftStatistics {
        n_forfeits,
        ..DraftStatistics::of(rows)
    };
    let header = |kind: &str, quality: &Quality| DraftWeights {
        kind: kind.to_owned(),
        features: DRAFT_SCHEMA.to_owned(),
        about: format!(
            "what a draft is worth to {} among {}",
            params.bot,
            params.game.n_players()
        ),
        map: map.name().to_owned(),
        rules: format!("{:016x}", params.game.hash()),
        players: params.game.n_players(),
        trained_by: format!(
            "{} ({} drafts of {} games, seed {})",
            params.command,
            rows.len(),
            params.n_games,
            params.seed
        ),
        program: Program::current().to_string(),
        strength: format!("R2 {:.4} on drafts held out", quality.r2),
        linear: None,
        net: None,
    };
    let mut weights = header("draft-linear", &held_out);
    weights.linear = Some(fit.weights.clone());
    let net = match &params.net {
        None => None,
        Some(net) => {
            let (fitted, quality) = fit_net(map, rows, net, progress)?;
            let mut weights = header("draft-net", &quality);
            weights.net = Some(fitted);
            Some((weights, quality))
        }
    };
    let is_complete = n_rows as u64 >= params.n_drafts;
    Ok(DraftTrained {
        weights,
        fit,
        held_out,
        net,
        statistics,
        is_complete,
    })
}
