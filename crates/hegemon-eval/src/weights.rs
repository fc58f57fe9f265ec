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

use serde::{Deserialize, Serialize};

use crate::facts::RatingRule;
use crate::schema::{FEATURE_SCHEMA, Feature, FeatureVector, N_FEATURES};
use crate::weights_file::{self, ReadFile, WeightsError, WeightsKind};

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

const KIND: WeightsKind<3> = WeightsKind {
    what: "weights",
    shipped: [
        ("default", include_str!("../weights/default.toml")),
        (
            "wolf-witness-c",
            include_str!("../weights/wolf-witness-c.toml"),
        ),
        ("paper-v1.1", include_str!("../weights/paper-v1.1.toml")),
    ],
};

impl Weights {
    /// Names of the weights that ship with the program.
    pub fn builtin_names() -> [&'static str; KIND.shipped.len()] {
        KIND.names()
    }

    /// Weights that ship with the program.
    pub fn builtin(name: &str) -> Option<Weights> {
        let place = KIND.place(name)?;
        Weights::from_toml(KIND.shipped[place].1).ok()
    }

    /// Weights by name, or from a file path (with a `/` or ending in `.toml`),
    /// read with `read`.
    ///
    /// # Errors
    ///
    /// If no weights have this name, or the file cannot be read or used.
    pub fn load(name_or_path: &str, read: ReadFile<'_>) -> Result<Weights, WeightsError> {
        Weights::from_toml(&KIND.text(name_or_path, read)?)
    }

    /// Reads the text of a weights file.
    ///
    /// # Errors
    ///
    /// If it is not a weights file, or its features differ from this program's.
    pub fn from_toml(text: &str) -> Result<Weights, WeightsError> {
        let weights: Weights = KIND.parse(text)?;
        KIND.check_kind(&weights.kind, "linear")?;
        KIND.check_schema(&weights.features, FEATURE_SCHEMA)?;
        weights_file::check_names(&weights.weights, &Feature::ALL.map(Feature::name))?;
        Ok(weights)
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
