//! Weights files: what was trained, on which features, for which game.
//!
//! A file is TOML with a header and one number per feature:
//!
//! ```
//! use hegemon_eval::Weights;
//! let weights = Weights::builtin("wolf-witness-c").expect("shipped");
//! let again = Weights::from_toml(&weights.to_toml()).expect("round trip");
//! assert_eq!(again, weights);
//! ```

use std::collections::BTreeMap;

use hegemon_core::toml_fault;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::facts::RatingRule;
use crate::schema::{FEATURE_SCHEMA, Feature, FeatureVector, N_FEATURES};
use crate::weights_file::{self, ReadFile};

/// Which form of the features the weights multiply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Wolf's: some features are negative, some are counts.
    Raw,
    /// Each in `[0, 1]`, with signs in the weights.
    #[default]
    Scaled,
}

/// A weights file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Weights {
    /// The kind of evaluator; only `linear` is known.
    pub kind: String,
    /// Version of the features, [`FEATURE_SCHEMA`].
    pub features: String,
    /// What the weights are, in a line or two.
    pub about: String,
    /// Hash of the map they were trained on, or `any`.
    pub map: String,
    /// Rules they were trained on, or `any`.
    pub rules: String,
    /// The command that trained them, or their source.
    pub trained_by: String,
    /// The program that trained them.
    #[serde(default = "weights_file::before_provenance")]
    pub program: String,
    /// How strong they were measured to be.
    pub strength: String,
    /// Form of the features.
    pub form: Form,
    /// Whether features are disabled by phase, as Wolf does.
    #[serde(default)]
    pub phase_mask: bool,
    /// Whether Continent Safety adds the squared maximum (v1.1 of the program
    /// of Brand and Kroon 2014).
    #[serde(default)]
    pub squared_maximum: bool,
    /// Whether continent ratings count border edges in place of territories.
    #[serde(default)]
    pub edge_ratings: bool,
    /// Factor of evaluations in the exponent of win shares.
    pub value_scale: f64,
    /// Added to that exponent for the player to move.
    #[serde(default)]
    pub tempo: f64,
    /// One weight per feature name.
    weights: BTreeMap<String, f64>,
}

/// A weights file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
#[non_exhaustive]
pub enum WeightsError {
    #[error("there are no weights \"{0}\"; shipped are {names}", names = Weights::builtin_names().join(", "))]
    Unknown(String),
    #[error("{0}")]
    Unreadable(String),
    #[error("not a weights file: {0}")]
    Syntax(String),
    #[error("weights of the kind \"{0}\" are not known; \"linear\" is")]
    Kind(String),
    #[error("the weights are for features \"{0}\", this program has \"{FEATURE_SCHEMA}\"")]
    Schema(String),
    #[error("the weights name a feature \"{0}\" that does not exist")]
    UnknownFeature(String),
    #[error("the weights leave out the feature \"{0}\"")]
    MissingFeature(&'static str),
}

const BUILTIN: [(&str, &str); 3] = [
    ("default", include_str!("../weights/default.toml")),
    (
        "wolf-witness-c",
        include_str!("../weights/wolf-witness-c.toml"),
    ),
    ("paper-v1.1", include_str!("../weights/paper-v1.1.toml")),
];

impl Weights {
    /// Names of the weights that ship with the program.
    pub fn builtin_names() -> [&'static str; BUILTIN.len()] {
        BUILTIN.map(|(name, _)| name)
    }

    /// Weights that ship with the program.
    pub fn builtin(name: &str) -> Option<Weights> {
        let (_, text) = BUILTIN.iter().find(|(known, _)| *known == name)?;
        Weights::from_toml(text).ok()
    }

    /// Weights by name, or from a file path (with a `/` or ending in `.toml`),
    /// read with `read`.
    ///
    /// # Errors
    ///
    /// If no weights have this name, or the file cannot be read or used.
    pub fn load(name_or_path: &str, read: ReadFile<'_>) -> Result<Weights, WeightsError> {
        if let Some(weights) = Weights::builtin(name_or_path) {
            return Ok(weights);
        }
        match weights_file::read(name_or_path, read) {
            None => Err(WeightsError::Unknown(name_or_path.to_owned())),
            Some(Ok(text)) => Weights::from_toml(&text),
            Some(Err(reason)) => Err(WeightsError::Unreadable(reason)),
        }
    }

    /// Reads the text of a weights file.
    ///
    /// # Errors
    ///
    /// If it is not a weights file, or its features differ from this program's.
    pub fn from_toml(text: &str) -> Result<Weights, WeightsError> {
        let weights: Weights =
            toml::from_str(text).map_err(|error| WeightsError::Syntax(toml_fault(text, &error)))?;
        if weights.kind != "linear" {
            return Err(WeightsError::Kind(weights.kind));
        }
        if weights.features != FEATURE_SCHEMA {
            return Err(WeightsError::Schema(weights.features));
        }
        let unknown = |name: &&String| Feature::from_name(name).is_none();
        if let Some(name) = weights.weights.keys().find(unknown) {
            return Err(WeightsError::UnknownFeature(name.clone()));
        }
        match Feature::ALL
            .iter()
            .find(|f| !weights.weights.contains_key(f.name()))
        {
            Some(missing) => Err(WeightsError::MissingFeature(missing.name())),
            None => Ok(weights),
        }
    }

    /// The text of a weights file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Weights for scaled features, with an empty header.
    pub fn scaled(vector: &FeatureVector) -> Weights {
        let mut weights = Weights {
            kind: "linear".to_owned(),
            features: FEATURE_SCHEMA.to_owned(),
            about: String::new(),
            map: "any".to_owned(),
            rules: "any".to_owned(),
            trained_by: String::new(),
            program: String::new(),
            strength: "not measured".to_owned(),
            form: Form::Scaled,
            phase_mask: false,
            squared_maximum: false,
            edge_ratings: false,
            value_scale: 1.0,
            tempo: 0.0,
            weights: BTreeMap::new(),
        };
        weights.set_vector(vector);
        weights
    }

    /// The weights in the order of [`Feature::ALL`].
    pub fn vector(&self) -> FeatureVector {
        let mut vector = FeatureVector([0.0; N_FEATURES]);
        for feature in Feature::ALL {
            vector[feature] = self.weights.get(feature.name()).copied().unwrap_or(0.0);
        }
        vector
    }

    /// Replaces the weights.
    pub fn set_vector(&mut self, vector: &FeatureVector) {
        for feature in Feature::ALL {
            self.weights
                .insert(feature.name().to_owned(), vector[feature]);
        }
    }

    /// The continent rating that the weights were made for.
    pub fn rating(&self) -> RatingRule {
        if self.edge_ratings {
            RatingRule::Edges
        } else {
            RatingRule::Territories
        }
    }
}
