//! Weights files of a [`crate::WinShareModel`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::weights_file::{self, ReadFile, WeightsError, WeightsKind};
use crate::win_share::{N_WIN_SHARE_FEATURES, WIN_SHARE_FEATURES, WIN_SHARE_SCHEMA};

/// A weights file: a header, and one number per feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WinShareWeights {
    /// The kind of evaluator: `contest`.
    pub kind: String,
    /// Version of the features, [`WIN_SHARE_SCHEMA`].
    pub features: String,
    /// What the weights are, in a line or two.
    pub about: String,
    /// Hash of the map they were fitted on, or `any`.
    pub map: String,
    /// Rules they were fitted on, or `any`.
    pub rules: String,
    /// The command that fitted them.
    pub trained_by: String,
    /// The program that fitted them.
    #[serde(default = "weights_file::before_provenance")]
    pub program: String,
    /// How good they were measured to be.
    pub strength: String,
    weights: BTreeMap<String, f64>,
}

const KIND: WeightsKind<1> = WeightsKind {
    what: "contest weights",
    shipped: [("contest-lux", include_str!("../weights/contest-lux.toml"))],
};

impl WinShareWeights {
    /// Names of the weights that ship with the program.
    pub fn builtin_names() -> [&'static str; KIND.shipped.len()] {
        KIND.names()
    }

    /// Weights with an empty header.
    pub fn of(vector: &[f64; N_WIN_SHARE_FEATURES]) -> WinShareWeights {
        let named = WIN_SHARE_FEATURES.iter().zip(vector);
        WinShareWeights {
            kind: "contest".to_owned(),
            features: WIN_SHARE_SCHEMA.to_owned(),
            about: String::new(),
            map: "any".to_owned(),
            rules: "any".to_owned(),
            trained_by: String::new(),
            program: String::new(),
            strength: "not measured".to_owned(),
            weights: named.map(|(name, w)| ((*name).to_owned(), *w)).collect(),
        }
    }

    /// Weights by name, or from a file path (with a `/` or ending in `.toml`),
    /// read with `read`.
    ///
    /// # Errors
    ///
    /// If no weights have this name, or the file cannot be read or used.
    pub fn load(name_or_path: &str, read: ReadFile<'_>) -> Result<WinShareWeights, WeightsError> {
        WinShareWeights::from_toml(&KIND.text(name_or_path, read)?)
    }

    /// Reads the text of a weights file.
    ///
    /// # Errors
    ///
    /// If it is not a weights file, or its features differ from this program's.
    pub fn from_toml(text: &str) -> Result<WinShareWeights, WeightsError> {
        let weights: WinShareWeights = KIND.parse(text)?;
        KIND.check_kind(&weights.kind, "contest")?;
        KIND.check_schema(&weights.features, WIN_SHARE_SCHEMA)?;
        weights_file::check_names(&weights.weights, &WIN_SHARE_FEATURES)?;
        Ok(weights)
    }

    /// The text of a weights file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The weights in the order of [`WIN_SHARE_FEATURES`].
    pub fn vector(&self) -> [f64; N_WIN_SHARE_FEATURES] {
        WIN_SHARE_FEATURES.map(|name| self.weights.get(name).copied().unwrap_or(0.0))
    }
}
