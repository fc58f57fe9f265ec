//! Agents of 29 numbers, evolved by stochastic beam search (Gillenwater 2022;
//! docs/spec/beam.md 2).
//!
//! [`CHARACTERISTICS`] are the paper's tables, [`BeamPolicy`] plays by such
//! numbers, [`BeamWeights`] is their file. `hegemon-learn` evolves them.

mod characteristics;
mod policy;
#[cfg(test)]
mod tests;
mod weights;

pub use characteristics::{
    CHARACTERISTICS, Category, Characteristic, Characteristics, Key, N_CHARACTERISTICS,
};
pub use policy::BeamPolicy;
pub use weights::{BeamWeights, BeamWeightsError};

use crate::bot::{Bot, PolicyBot, Seating};
use crate::parameter::Parameter;
use crate::registry::BotInfo;
use crate::settings::Settings;
use crate::spec::SpecError;

/// The bot's entry in the registry.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "beam",
    about: "29 evolved numbers that score placements, attacks and movements",
    source: "Gillenwater 2022",
    parameters: &[Parameter::weights(
        "weights",
        "evolved",
        || BeamWeights::builtin_names().collect(),
        "initial (the paper's by hand), evolved, cma-es, or the path of a weights file",
    )],
    build,
};

fn build(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let name = settings.weights("weights").unwrap_or_default();
    let weights = BeamWeights::load(name, &|path| seating.grants.weights(path))
        .map_err(|error| settings.bad_value("weights", &error.to_string()))?;
    let policy = BeamPolicy::new(&weights.values, seating.game);
    Ok(Box::new(PolicyBot::new(policy, seating)))
}
