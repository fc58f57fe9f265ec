//! Files of nets.

use std::fmt::Write as _;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::correction::{ByAlive, Correction, N_FACTS};
use super::inputs::VALUE_SCHEMA;
use super::net::{NetShape, NetWeights};
use crate::weights_file::{ReadFile, WeightsError, WeightsKind};

/// How a net was made and how good it was measured to be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ValueCard {
    /// What it is, in a line or two.
    pub about: String,
    /// The command that made it.
    pub trained_by: String,
    /// The program that made it.
    pub program: String,
    /// The games it learned from, a line for each kind.
    pub data: Vec<String>,
    /// How good it is in games that it did not learn from, a line for each kind.
    pub held_out: Vec<String>,
    /// How it was corrected, if that was done later: command, program, games, and then how
    /// good it was before and after that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrected: Vec<String>,
}

/// A net as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFile {
    /// Where it comes from.
    pub card: ValueCard,
    /// Names of the territories that are inputs, in the order of the weights; none if
    /// it knows no map.
    pub territories: Vec<String>,
    /// The numbers.
    pub weights: NetWeights,
}

/// The file as TOML. Weights are whole multiples of a step of their part, four
/// hexadecimal digits each: a fifth of the size of decimal fractions, and the same
/// bits after reading.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Stored {
    kind: String,
    inputs: String,
    territories: Vec<String>,
    first: usize,
    second: usize,
    card: ValueCard,
    /// Younger than the format: a file without it is as good, and a program that does not
    /// know it refuses the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    correction: Option<StoredCorrection>,
    part: Vec<StoredPart>,
}

/// Numbers of a correction, a line for each number of living players from two on.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct StoredCorrection {
    of_output: Vec<Vec<f32>>,
    of_chance: Vec<Vec<f32>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct StoredPart {
    name: String,
    step: f32,
    weights: String,
}

const PART_NAMES: [&str; 7] = [
    "rows",
    "first-bias",
    "second",
    "second-bias",
    "output",
    "output-bias",
    "own",
];
/// Weights on a line of the file.
const A_LINE: usize = 32;

/// The shipped nets; those that know a map come first.
const KIND: WeightsKind<2> = WeightsKind {
    what: "value nets",
    shipped: [
        (
            "value-classic",
            include_str!("../../weights/value-classic.toml"),
        ),
        ("value-any", include_str!("../../weights/value-any.toml")),
    ],
};

impl ValueFile {
    /// How many nets ship with the program.
    pub(super) const N_BUILTIN: usize = KIND.shipped.len();

    /// Names of the nets that ship with the program.
    pub fn builtin_names() -> [&'static str; ValueFile::N_BUILTIN] {
        KIND.names()
    }

    /// A net that ships with the program, read once.
    pub(super) fn builtin(name: &str) -> Option<&'static ValueFile> {
        static READ: [OnceLock<ValueFile>; ValueFile::N_BUILTIN] =
            [const { OnceLock::new() }; ValueFile::N_BUILTIN];
        let place = KIND.place(name)?;
        let read = || {
            let file = ValueFile::from_toml(KIND.shipped[place].1);
            file.unwrap_or_else(|error| unreachable!("shipped and tested: {error}"))
        };
        Some(READ[place].get_or_init(read))
    }

    /// A net by name, or from the file of a path (which has a `/` or ends in `.toml`),
    /// as far as `read` lets through.
    ///
    /// # Errors
    ///
    /// If there is none of this name, or the file cannot be read or used.
    pub fn load(name_or_path: &str, read: ReadFile<'_>) -> Result<ValueFile, WeightsError> {
        if let Some(file) = ValueFile::builtin(name_or_path) {
            return Ok(file.clone());
        }
        ValueFile::from_toml(&KIND.text(name_or_path, read)?)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is not one, or is for other inputs than this program has.
    pub fn from_toml(text: &str) -> Result<ValueFile, WeightsError> {
        let stored: Stored = KIND.parse(text)?;
        KIND.check_kind(&stored.kind, "value")?;
        KIND.check_schema(&stored.inputs, VALUE_SCHEMA)?;
        let shape = NetShape {
            n_territories: stored.territories.len(),
            first: stored.first,
            second: stored.second,
        };
        if !shape.is_sound() || shape.n_territories > hegemon_core::MAX_TERRITORIES {
            return Err(WeightsError::Sizes);
        }
        let mut weights = NetWeights::zero(shape);
        let parts = weights.parts_mut();
        if stored.part.len() != parts.len() {
            return Err(WeightsError::Sizes);
        }
        for ((part, name), stored) in parts.into_iter().zip(PART_NAMES).zip(&stored.part) {
            let read = stored
                .read()
                .ok_or_else(|| KIND.syntax("a weight is not four digits".to_owned()))?;
            if stored.name != name || read.len() != part.len() {
                return Err(WeightsError::Sizes);
            }
            *part = read;
        }
        let correction = stored.correction.map(StoredCorrection::read);
        weights.correction = correction.transpose()?;
        Ok(ValueFile {
            card: stored.card,
            territories: stored.territories,
            weights,
        })
    }

    /// The file as text. Weights are rounded to their steps.
    pub fn to_toml(&self) -> String {
        let parts = self.weights.parts().into_iter().zip(PART_NAMES);
        let stored = Stored {
            kind: "value".to_owned(),
            inputs: VALUE_SCHEMA.to_owned(),
            territories: self.territories.clone(),
            first: self.weights.shape.first,
            second: self.weights.shape.second,
            card: self.card.clone(),
            correction: self.weights.correction.as_ref().map(StoredCorrection::of),
            part: parts
                .map(|(part, name)| StoredPart::of(name, part))
                .collect(),
        };
        toml::to_string(&stored).unwrap_or_else(|error| unreachable!("plain data: {error}"))
    }

    /// The net as it will be read again.
    pub fn rounded(&self) -> ValueFile {
        ValueFile::from_toml(&self.to_toml()).unwrap_or_else(|_| unreachable!("just written"))
    }
}

impl StoredCorrection {
    fn of(correction: &Correction) -> StoredCorrection {
        StoredCorrection {
            of_output: correction.of_output.map(|line| line.to_vec()).to_vec(),
            of_chance: correction.of_chance.map(|line| line.to_vec()).to_vec(),
        }
    }

    fn read(self) -> Result<Correction, WeightsError> {
        let sized = |lines: Vec<Vec<f32>>| -> Option<ByAlive> {
            let line = |line: Vec<f32>| <[f32; N_FACTS]>::try_from(line).ok();
            let lines: Option<Vec<_>> = lines.into_iter().map(line).collect();
            lines?.try_into().ok()
        };
        let correction = Correction {
            of_output: sized(self.of_output).ok_or(WeightsError::Sizes)?,
            of_chance: sized(self.of_chance).ok_or(WeightsError::Sizes)?,
        };
        match correction.is_sound() {
            true => Ok(correction),
            false => Err(KIND.syntax("a number of the correction is not finite".to_owned())),
        }
    }
}

impl StoredPart {
    fn of(name: &str, weights: &[f32]) -> StoredPart {
        let largest = weights.iter().fold(0.0f32, |most, w| most.max(w.abs()));
        let step = (largest / f32::from(i16::MAX)).max(f32::MIN_POSITIVE);
        let mut text = String::with_capacity(4 * weights.len() + weights.len() / A_LINE + 1);
        for line in weights.chunks(A_LINE) {
            text.push('\n');
            for weight in line {
                let multiple = (weight / step).round().clamp(-32767.0, 32767.0) as i16;
                let _ = write!(text, "{:04x}", multiple as u16);
            }
        }
        StoredPart {
            name: name.to_owned(),
            step,
            weights: text,
        }
    }

    fn read(&self) -> Option<Vec<f32>> {
        let digits: Vec<u8> = self
            .weights
            .bytes()
            .filter(|b| !b.is_ascii_whitespace())
            .collect();
        if !digits.len().is_multiple_of(4) || !self.step.is_finite() {
            return None;
        }
        let weight = |word: &[u8]| {
            let mut bits = 0u16;
            for digit in word {
                let digit = char::from(*digit).to_digit(16)?;
                bits = bits << 4 | digit as u16;
            }
            Some(f32::from(bits as i16) * self.step)
        };
        digits.chunks_exact(4).map(weight).collect()
    }
}
