//! Weights files of a [`crate::WinShareModel`].

use std::collections::BTreeMap;

use hegemon_core::toml_fault;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::weights_file::{self, ReadFile};
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

/// A weights file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
#[non_exhaustive]
pub enum WinShareWeightsError {
    #[error("there are no contest weights \"{0}\"; shipped are {names}", names = WinShareWeights::builtin_names().join(", "))]
    Unknown(String),
    #[error("{0}")]
    Unreadable(String),
    #[error("not a file of contest weights: {0}")]
    Syntax(String),
    #[error("the weights are of the kind \"{0}\", not \"contest\"")]
    Kind(String),
    #[error("the weights are for features \"{0}\", this program has \"{WIN_SHARE_SCHEMA}\"")]
    Schema(String),
    #[error("the weights name a feature \"{0}\" that does not exist")]
    UnknownFeature(String),
    #[error("the weights leave out the feature \"{0}\"")]
    MissingFeature(&'static str),
}

const BUILTIN: [(&str, &str); 1] = [("contest-lux", include_str!("../weights/contest-lux.toml"))];

impl WinShareWeights {
    /// Names of the weights that ship with the program.
    pub fn builtin_names() -> [&'static str; BUILTIN.len()] {
        BUILTIN.map(|(name, _)| name)
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
    pub fn load(
        name_or_path: &str,
        read: ReadFile<'_>,
    ) -> Result<WinShareWeights, WinShareWeightsError> {
        if let Some((_, text)) = BUILTIN.iter().find(|(known, _)| *known == name_or_path) {
            return WinShareWeights::from_toml(text);
        }
        match weights_file::read(name_or_path, read) {
            None => Err(WinShareWeightsError::Unknown(name_or_path.to_owned())),
            Some(Ok(text)) => WinShareWeights::from_toml(&text),
            Some(Err(reason)) => Err(WinShareWeightsError::Unreadable(reason)),
        }
    }

    /// Reads the text of a weights file.
    ///
    /// # Errors
    ///
    /// If it is not a weights file, or its features differ from this program's.
    pub fn from_toml(text: &str) -> Result<WinShareWeights, WinShareWeightsError> {
        let weights: WinShareWeights = toml::from_str(text)
            .map_err(|error| WinShareWeightsError::Syntax(toml_fault(text, &error)))?;
        if weights.kind != "contest" {
            return Err(WinShareWeightsError::Kind(weights.kind));
        }
        if weights.features != WIN_SHARE_SCHEMA {
            return Err(WinShareWeightsError::Schema(weights.features));
        }
        let unknown = |name: &&String| !WIN_SHARE_FEATURES.contains(&name.as_str());
        if let Some(name) = weights.weights.keys().find(unknown) {
            return Err(WinShareWeightsError::UnknownFeature(name.clone()));
        }
        let missing = |name: &&&str| !weights.weights.contains_key(**name);
        match WIN_SHARE_FEATURES.iter().find(missing) {
            Some(missing) => Err(WinShareWeightsError::MissingFeature(missing)),
            None => Ok(weights),
        }
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
