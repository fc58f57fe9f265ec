//! Weights files: the numbers of an agent and their origin.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use hegemon_core::toml_fault;
use hegemon_eval::{ReadFile, before_provenance, is_weights_path};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::characteristics::{Category, Characteristics, Key};

/// A weights file of an agent, as TOML.
///
/// ```
/// use hegemon_bots::beam::BeamWeights;
/// let weights = BeamWeights::named("initial").expect("the paper's own");
/// let again = BeamWeights::from_toml(&weights.to_toml()).expect("round trip");
/// assert_eq!(again, weights);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BeamWeights {
    /// What the weights are, in a line or two.
    pub about: String,
    /// The command that evolved them, or their source.
    pub trained_by: String,
    /// The program that evolved them.
    pub program: String,
    /// How strong they were measured to be.
    pub strength: String,
    /// The numbers.
    pub values: Characteristics,
}

/// Weights that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum BeamWeightsError {
    #[error("there are no beam weights \"{0}\"; shipped are {names}", names = BeamWeights::builtin_names().collect::<Vec<_>>().join(", "))]
    Unknown(String),
    #[error("{0}")]
    Unreadable(String),
    #[error("not a beam weights file: {0}")]
    Syntax(String),
    #[error("the weights name \"{0}\", which is not a characteristic")]
    UnknownCharacteristic(String),
    #[error("the weights leave out \"{0}\"")]
    MissingCharacteristic(String),
    #[error("{0} is outside its limits")]
    OutsideLimits(String),
}

/// Our evolved weights, by their name in specs.
const EVOLVED: [(&str, &str); 2] = [
    (
        "evolved",
        include_str!("../../../hegemon-eval/weights/beam-evolved.toml"),
    ),
    (
        "cma-es",
        include_str!("../../../hegemon-eval/weights/beam-cma-es.toml"),
    ),
];

const KIND: &str = "beam";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct WeightsFile {
    kind: String,
    about: String,
    trained_by: String,
    #[serde(default = "before_provenance")]
    program: String,
    strength: String,
    #[serde(flatten)]
    values: BTreeMap<String, BTreeMap<String, f64>>,
}

impl BeamWeights {
    /// Names of the weights that need no file.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        ["initial"].into_iter().chain(EVOLVED.map(|(name, _)| name))
    }

    /// The paper's hand-made values.
    pub fn initial() -> BeamWeights {
        BeamWeights {
            about: "the initial values by hand".to_owned(),
            trained_by: "Gillenwater 2022, table 3".to_owned(),
            program: "none, they are the paper's".to_owned(),
            strength: "see docs/beam.md".to_owned(),
            values: Characteristics::INITIAL,
        }
    }

    /// Weights that ship with the program.
    ///
    /// # Errors
    ///
    /// If no weights have this name.
    pub fn named(name: &str) -> Result<BeamWeights, BeamWeightsError> {
        if name == "initial" {
            return Ok(BeamWeights::initial());
        }
        // Every champion asks for them.
        static READ: [OnceLock<BeamWeights>; EVOLVED.len()] =
            [const { OnceLock::new() }; EVOLVED.len()];
        let shipped = EVOLVED.iter().zip(&READ);
        let mut named = shipped.filter(|((known, _), _)| *known == name);
        let Some(((_, text), read)) = named.next() else {
            return Err(BeamWeightsError::Unknown(name.to_owned()));
        };
        if let Some(weights) = read.get() {
            return Ok(weights.clone());
        }
        let weights = BeamWeights::from_toml(text)?;
        Ok(read.get_or_init(|| weights).clone())
    }

    /// Weights by name, or from a file path (with a `/` or ending in `.toml`),
    /// read with `read`.
    ///
    /// # Errors
    ///
    /// If no weights have this name, or the file cannot be read or used.
    pub fn load(name_or_path: &str, read: ReadFile<'_>) -> Result<BeamWeights, BeamWeightsError> {
        if !is_weights_path(name_or_path) {
            return BeamWeights::named(name_or_path);
        }
        let text = read(name_or_path).map_err(BeamWeightsError::Unreadable)?;
        BeamWeights::from_toml(&text)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it has the wrong structure, a characteristic is unknown or missing,
    /// or a value is outside its limits.
    pub fn from_toml(text: &str) -> Result<BeamWeights, BeamWeightsError> {
        let file: WeightsFile = toml::from_str(text)
            .map_err(|error| BeamWeightsError::Syntax(toml_fault(text, &error)))?;
        if file.kind != KIND {
            let reason = format!("it is of the kind \"{}\"", file.kind);
            return Err(BeamWeightsError::Syntax(reason));
        }
        let mut values = Characteristics::INITIAL;
        let mut is_given = [false; super::N_CHARACTERISTICS];
        for (category, named) in &file.values {
            for (name, &value) in named {
                let full = format!("{category}.{name}");
                let Some(key) = Key::find(category, name) else {
                    return Err(BeamWeightsError::UnknownCharacteristic(full));
                };
                if !value.is_finite() || key.data().clamp(value) != value {
                    return Err(BeamWeightsError::OutsideLimits(full));
                }
                values[key] = value;
                is_given[key.index()] = true;
            }
        }
        match Key::all().find(|key| !is_given[key.index()]) {
            Some(key) => Err(BeamWeightsError::MissingCharacteristic(
                key.data().full_name(),
            )),
            None => Ok(BeamWeights {
                about: file.about,
                trained_by: file.trained_by,
                program: file.program,
                strength: file.strength,
                values,
            }),
        }
    }

    /// The file as text, in the order of the paper.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = format!("kind = \"{KIND}\"\n");
        for (name, value) in [
            ("about", &self.about),
            ("trained-by", &self.trained_by),
            ("program", &self.program),
            ("strength", &self.strength),
        ] {
            text += &format!("{name} = {}\n", quoted(value));
        }
        for category in Category::ALL {
            text += &format!("\n[{}]\n", category.name());
            for key in category.keys() {
                text += &format!("{} = {:?}\n", key.data().name, self.values[key]);
            }
        }
        text
    }
}
