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

use std::sync::Arc;

use hegemon_core::Game;

use crate::bot::{Bot, PolicyBot, Seating};
use crate::loader::Grants;
use crate::parameter::Parameter;
use crate::registry::BotInfo;
use crate::settings::Settings;
use crate::spec::SpecError;

/// The bot's entry in the registry.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "beam",
    about: "29 evolved numbers that score placements, attacks and movements",
    source: "Gillenwater 2022",
    parameters: &[
        Parameter::weights(
            "weights",
            "evolved",
            || BeamWeights::builtin_names().collect(),
            "initial (the paper's by hand), evolved, cma-es, or the path of a weights file",
        ),
        Parameter::whole(
            "style",
            "off",
            (1, 1_000_000_000),
            "numbers drawn at random around the weights: off, or the seed of the draw",
        )
        .or(&["off"]),
    ],
    build,
};

fn build(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let policy = policy(settings, seating.game, seating.grants)?;
    Ok(Box::new(PolicyBot::new(policy, seating)))
}

/// The agent of a spec's settings.
pub(crate) fn policy(
    settings: &Settings<'_>,
    game: &Arc<Game>,
    grants: &Grants,
) -> Result<BeamPolicy, SpecError> {
    let name = settings.weights("weights").unwrap_or_default();
    let weights = BeamWeights::load(name, &|path| grants.weights(path))
        .map_err(|error| settings.bad_value("weights", &error.to_string()))?;
    let values = match settings.whole_or_word("style") {
        Some(seed) => weights.values.drawn_around(seed),
        None => weights.values,
    };
    Ok(BeamPolicy::new(&values, game))
}
