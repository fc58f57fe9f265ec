//! How good a net is on rows that it did not learn from.

use std::fmt;

use hegemon_core::MAX_PLAYERS;
use hegemon_eval::value::{NetWeights, ValueInputs};
use serde::{Deserialize, Serialize};

use super::population::TableKind;
use super::rows::{Label, Rows};

/// Bins of the table of calibration.
const N_BINS: usize = 10;

/// Chances of one size beside how often they came true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Chances in the bin.
    pub n: u64,
    /// Their mean.
    pub said: f64,
    /// The mean of what happened.
    pub happened: f64,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueCheck {
    /// Rows looked at.
    pub n_rows: u64,
    /// Mean log-loss.
    pub loss: f64,
    /// Mean log-loss of equal shares for all still in the game.
    pub equal_loss: f64,
    /// By tenths of the chance said.
    pub calibration: [CalibrationBin; N_BINS],
}

impl ValueCheck {
    /// The largest distance of a bin with enough chances in it to be told from noise.
    pub fn worst(&self) -> f64 {
        let bins = self.calibration.iter().filter(|bin| bin.n >= 500);
        bins.map(|bin| (bin.said - bin.happened).abs())
            .fold(0.0, f64::max)
    }

    /// The mean distance, each chance counted once.
    pub fn mean_distance(&self) -> f64 {
        let n: u64 = self.calibration.iter().map(|bin| bin.n).sum();
        let distance = |bin: &CalibrationBin| bin.n as f64 * (bin.said - bin.happened).abs();
        self.calibration.iter().map(distance).sum::<f64>() / n.max(1) as f64
    }
}

/// A check as a line of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckLine {
    /// Which positions.
    pub what: String,
    /// How many.
    pub n_rows: u64,
    /// Mean log-loss of the net.
    pub loss: f64,
    /// Mean log-loss of equal shares.
    pub equal_loss: f64,
    /// Mean distance of what was said from what happened, over tenths of the chance.
    pub mean_distance: f64,
    /// The worst tenth that has at least 500 chances.
    pub worst: f64,
    /// By tenths of the chance said.
    pub calibration: [CalibrationBin; N_BINS],
}

impl CheckLine {
    /// What a check of some positions found.
    pub fn new(what: String, check: &ValueCheck) -> CheckLine {
        CheckLine {
            what,
            n_rows: check.n_rows,
            loss: check.loss,
            equal_loss: check.equal_loss,
            mean_distance: check.mean_distance(),
            worst: check.worst(),
            calibration: check.calibration,
        }
    }
}

impl fmt::Display for CheckLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} rows, log-loss {:.4}, equal shares {:.4}, off by {:.1} points on average, {:.1} at worst",
            self.what,
            self.n_rows,
            self.loss,
            self.equal_loss,
            100.0 * self.mean_distance,
            100.0 * self.worst
        )
    }
}

impl ValueCheck {
    /// Counts a row of which this was said.
    fn add(&mut self, inputs: &ValueInputs, chances: &[f32; MAX_PLAYERS], targets: &[f32]) {
        let n_alive = (0..MAX_PLAYERS)
            .filter(|place| inputs.is_alive(*place))
            .count();
        self.n_rows += 1;
        for (place, target) in targets.iter().enumerate() {
            if !inputs.is_alive(place) {
                continue;
            }
            let (chance, target) = (f64::from(chances[place]), f64::from(*target));
            if target > 0.0 {
                self.loss -= target * libm::log(chance.max(1e-9));
                self.equal_loss += target * libm::log(n_alive as f64);
            }
            let bin = ((chance * N_BINS as f64) as usize).min(N_BINS - 1);
            let bin = &mut self.calibration[bin];
            bin.n += 1;
            bin.said += chance;
            bin.happened += target;
        }
    }

    /// Sums become means.
    fn finish(mut self) -> ValueCheck {
        let n = self.n_rows.max(1) as f64;
        self.loss /= n;
        self.equal_loss /= n;
        for bin in &mut self.calibration {
            let n = bin.n.max(1) as f64;
            bin.said /= n;
            bin.happened /= n;
        }
        self
    }
}

/// Which rows a check is about.
pub type IsWanted<'a> = Box<dyn Fn(Label) -> bool + 'a>;

/// Checks a net, once for each question, on the rows whose labels are wanted.
pub fn check(weights: &NetWeights, rows: &Rows, questions: &[IsWanted<'_>]) -> Vec<ValueCheck> {
    let mut found = vec![ValueCheck::default(); questions.len()];
    let mut inputs = Rows::blank();
    for row in 0..rows.len() {
        let label = rows.label(row);
        let wanted: Vec<usize> = (0..questions.len())
            .filter(|n| questions[*n](label))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        rows.read(row, &mut inputs);
        let chances = weights.evaluate(&inputs);
        for n in wanted {
            found[n].add(&inputs, &chances, rows.target(row));
        }
    }
    found.into_iter().map(ValueCheck::finish).collect()
}

/// Checks a net on rows: all of them, by the point of a turn, and by table and number of
/// players.
pub(super) fn check_lines(
    weights: &NetWeights,
    rows: &Rows,
    tables: &[TableKind],
    is_checked: impl Fn(Label) -> bool + Copy,
) -> Vec<CheckLine> {
    let mut names = vec![
        "all".to_owned(),
        "beginnings of turns".to_owned(),
        "within turns".to_owned(),
        "games of the champion".to_owned(),
    ];
    let mut questions: Vec<IsWanted<'_>> = vec![
        Box::new(is_checked),
        Box::new(move |l| is_checked(l) && l.begins_turn),
        Box::new(move |l| is_checked(l) && !l.begins_turn),
        Box::new(move |l| is_checked(l) && l.has_champion),
    ];
    for (n, table) in tables.iter().enumerate() {
        for n_players in 2..=6u8 {
            names.push(format!("{}, {n_players} players", table.name));
            questions.push(Box::new(move |l| {
                let is_there = usize::from(l.table) == n && l.n_players == n_players;
                is_there && !l.has_champion && is_checked(l)
            }));
        }
    }
    let found = check(weights, rows, &questions);
    let lines = names.into_iter().zip(&found);
    lines
        .filter(|(_, found)| found.n_rows > 0)
        .map(|(name, found)| CheckLine::new(name, found))
        .collect()
}
