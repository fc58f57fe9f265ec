//! What all weights files have in common. Weights are named by a shipped name or a file
//! path. This crate opens no files: the caller passes a function that reads a path.

use hegemon_core::toml_fault;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A weights file that cannot be used. `what` is what the file should hold, as in "draft
/// weights".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
#[non_exhaustive]
pub enum WeightsError {
    #[error("there are no {what} \"{name}\"; shipped are {shipped}")]
    Unknown {
        what: &'static str,
        name: String,
        shipped: String,
    },
    #[error("{0}")]
    Unreadable(String),
    #[error("not a file of {what}: {reason}")]
    Syntax { what: &'static str, reason: String },
    #[error("the {what} are of the kind \"{found}\", not \"{wanted}\"")]
    Kind {
        what: &'static str,
        found: String,
        wanted: &'static str,
    },
    #[error("the {what} are for features \"{found}\", this program has \"{wanted}\"")]
    Schema {
        what: &'static str,
        found: String,
        wanted: &'static str,
    },
    #[error("the weights name a feature \"{0}\" that does not exist")]
    UnknownFeature(String),
    #[error("the weights leave out the feature \"{0}\"")]
    MissingFeature(&'static str),
    #[error("the net's sizes and its numbers do not agree")]
    Sizes,
    #[error("the net does not know the map {0}")]
    Map(String),
}

/// A kind of weights file: its name for people, and its shipped files by name.
pub(crate) struct WeightsKind<const N: usize> {
    pub(crate) what: &'static str,
    pub(crate) shipped: [(&'static str, &'static str); N],
}

impl<const N: usize> WeightsKind<N> {
    /// Names of the weights that ship with the program.
    pub(crate) fn names(&self) -> [&'static str; N] {
        self.shipped.map(|(name, _)| name)
    }

    /// Number of the shipped file of a name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.shipped.iter().position(|(known, _)| *known == name)
    }

    /// Text of the shipped file of a name, or of the file at a path.
    pub(crate) fn text(
        &self,
        name_or_path: &str,
        read: ReadFile<'_>,
    ) -> Result<std::borrow::Cow<'static, str>, WeightsError> {
        if let Some(place) = self.place(name_or_path) {
            return Ok(self.shipped[place].1.into());
        }
        if is_weights_path(name_or_path) {
            let text = read(name_or_path).map_err(WeightsError::Unreadable)?;
            return Ok(text.into());
        }
        Err(WeightsError::Unknown {
            what: self.what,
            name: name_or_path.to_owned(),
            shipped: self.names().join(", "),
        })
    }

    /// The content of a file.
    pub(crate) fn parse<T: DeserializeOwned>(&self, text: &str) -> Result<T, WeightsError> {
        toml::from_str(text).map_err(|error| self.syntax(toml_fault(text, &error)))
    }

    pub(crate) fn syntax(&self, reason: String) -> WeightsError {
        WeightsError::Syntax {
            what: self.what,
            reason,
        }
    }

    /// Refuses weights of another kind.
    pub(crate) fn check_kind(&self, found: &str, wanted: &'static str) -> Result<(), WeightsError> {
        let fault = || WeightsError::Kind {
            what: self.what,
            found: found.to_owned(),
            wanted,
        };
        (found == wanted).then_some(()).ok_or_else(fault)
    }

    /// Refuses weights of other features.
    pub(crate) fn check_schema(
        &self,
        found: &str,
        wanted: &'static str,
    ) -> Result<(), WeightsError> {
        let fault = || WeightsError::Schema {
            what: self.what,
            found: found.to_owned(),
            wanted,
        };
        (found == wanted).then_some(()).ok_or_else(fault)
    }
}

/// Refuses weights by name that are not exactly those of the features.
pub(crate) fn check_names(
    weights: &std::collections::BTreeMap<String, f64>,
    features: &[&'static str],
) -> Result<(), WeightsError> {
    let unknown = |name: &&String| !features.contains(&name.as_str());
    if let Some(name) = weights.keys().find(unknown) {
        return Err(WeightsError::UnknownFeature(name.clone()));
    }
    let missing = |name: &&&'static str| !weights.contains_key(**name);
    match features.iter().find(missing) {
        Some(name) => Err(WeightsError::MissingFeature(name)),
        None => Ok(()),
    }
}

/// Reads the text of the file at a path, or returns the reason it cannot.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Whether a name of weights is a file path: it contains a slash or ends in
/// `.toml`.
pub fn is_weights_path(name: &str) -> bool {
    name.contains(['/', '\\'])
        || std::path::Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "toml")
}

/// The program named for a file that does not name one.
pub fn before_provenance() -> String {
    "made before provenance".to_owned()
}
