//! Labelled positions.

use hegemon_core::mix;
use serde::{Deserialize, Serialize};

/// Rows of features with the result that followed. Rows of one group (a game)
/// share their luck, so they are never split and count as one observation of
/// the error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    n_columns: usize,
    features: Vec<f64>,
    labels: Vec<f64>,
    weights: Vec<f64>,
    groups: Vec<u64>,
}

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledPosition<'a> {
    pub features: &'a [f64],
    /// Share of the win that followed, in `[0, 1]`.
    pub label: f64,
    /// Its weight; 1 for one position.
    pub weight: f64,
    /// The game it comes from.
    pub group: u64,
}

impl Dataset {
    /// No rows yet.
    pub fn new(n_columns: usize) -> Dataset {
        Dataset {
            n_columns,
            ..Dataset::default()
        }
    }

    /// Adds a position.
    ///
    /// # Panics
    ///
    /// If it has another number of features, the label is not a share, or the
    /// weight is negative.
    pub fn push(&mut self, row: LabelledPosition<'_>) {
        assert_eq!(row.features.len(), self.n_columns, "features of a row");
        assert!(
            (0.0..=1.0).contains(&row.label),
            "a label is a share of the win"
        );
        assert!(row.weight >= 0.0, "a weight is not negative");
        self.features.extend_from_slice(row.features);
        self.labels.push(row.label);
        self.weights.push(row.weight);
        self.groups.push(row.group);
    }

    /// Adds all rows of another set.
    ///
    /// # Panics
    ///
    /// If it has another number of columns.
    pub fn append(&mut self, other: &Dataset) {
        other.rows().for_each(|row| self.push(row));
    }

    /// Number of features.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Number of positions.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// Number of games; rows of a game are assumed to be neighbours.
    pub fn n_groups(&self) -> usize {
        self.groups.chunk_by(|a, b| a == b).count()
    }

    /// Sum of the weights.
    pub fn total_weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// All positions, in order.
    pub fn rows(&self) -> impl Iterator<Item = LabelledPosition<'_>> {
        let rest = self.labels.iter().zip(&self.weights).zip(&self.groups);
        let rows = self.features.chunks_exact(self.n_columns.max(1)).zip(rest);
        rows.map(|(features, ((&label, &weight), &group))| LabelledPosition {
            features,
            label,
            weight,
            group,
        })
    }

    /// Splits the games into a set to fit and one to hold out, of about this
    /// share. A game is always on the same side, regardless of the others.
    pub fn split(&self, held_out: f64, seed: u64) -> (Dataset, Dataset) {
        let limit = (held_out.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64;
        let mut fitted = Dataset::new(self.n_columns);
        let mut held = Dataset::new(self.n_columns);
        for row in self.rows() {
            let is_held = mix(seed ^ mix(row.group)) >> 32 < limit;
            if is_held { &mut held } else { &mut fitted }.push(row);
        }
        (fitted, held)
    }
}
