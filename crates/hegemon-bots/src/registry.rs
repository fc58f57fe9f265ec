//! All bots by name.

use std::sync::Arc;

use hegemon_core::Game;

use crate::bot::{Bot, PolicyBot, Seating};
use crate::command;
use crate::demand::{Demand, MAX_SPEC_THREADS};
use crate::draft::{DRAFTED, LUX_ENTRIES};
use crate::loader::Grants;
use crate::parameter::Parameter;
use crate::rules::{Random, program};
use crate::search::SEARCH_BOTS;
use crate::settings::Settings;
use crate::spec::{Spec, SpecError, nearest};

/// A kind of bot.
#[derive(Clone, Copy, Debug)]
pub struct BotInfo {
    /// Its name in spec strings.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    pub parameters: &'static [Parameter],
    pub(crate) build: Build,
}

/// Builds a bot from validated settings.
pub(crate) type Build = fn(&Settings<'_>, &Seating<'_>) -> Result<Box<dyn Bot>, SpecError>;

/// The kinds of bots, in the order of the list.
pub fn bots() -> impl Iterator<Item = &'static BotInfo> {
    RULE_BOTS
        .iter()
        .chain(&SEARCH_BOTS)
        .chain(&EVOLVED_BOTS)
        .chain(&GOAL_BOTS)
        .chain(&CHAMPIONS)
        .chain(&FICKLE_BOTS)
        .chain(&LUX_ENTRIES)
        .chain(DRAFTED_BOTS)
        .chain(&PROGRAMS)
}

/// The kind of bot with this name.
///
/// # Errors
///
/// If there is none; the error suggests the nearest name.
pub fn bot_info(name: &str) -> Result<&'static BotInfo, SpecError> {
    bots()
        .find(|info| info.name == name)
        .ok_or_else(|| SpecError::UnknownBot {
            name: name.to_owned(),
            nearest: nearest(name, bots().map(|info| info.name)),
        })
}

/// The arguments of a spec as typed settings.
///
/// # Errors
///
/// If the bot or a parameter does not exist, or a value is wrong.
pub fn settings(spec: &Spec) -> Result<Settings<'_>, SpecError> {
    let info = bot_info(&spec.name)?;
    Settings::read(spec, info.name, info.parameters)
}

/// Makes the bot of a spec for a seat.
///
/// # Errors
///
/// If the bot or a parameter does not exist, a value is wrong, or the bot
/// cannot play the game.
pub fn build(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let info = bot_info(&spec.name)?;
    let settings = Settings::read(spec, info.name, info.parameters)?;
    (info.build)(&settings, seating)
}

/// Checks a spec against a game without keeping the bot.
///
/// # Errors
///
/// As [`build`], or if the bot needs more than [`MAX_SPEC_THREADS`].
pub fn check(spec: &Spec, game: &Arc<Game>, grants: &Grants) -> Result<(), SpecError> {
    if Demand::of(spec)?.n_threads > MAX_SPEC_THREADS {
        return Err(SpecError::TooManyThreads(spec.name.clone()));
    }
    let seating = Seating {
        game,
        seat: hegemon_core::PlayerId::new(0),
        seed: 0,
        grants,
    };
    build(spec, &seating).map(|_| ())
}

#[cfg(test)]
mod tests;

const EVOLVED_BOTS: [BotInfo; 1] = [crate::beam::INFO];

const GOAL_BOTS: [BotInfo; 1] = [crate::goal::INFO];

const CHAMPIONS: [BotInfo; 1] = [crate::champion::INFO];

const DRAFTED_BOTS: &[BotInfo] = &[DRAFTED];

const PROGRAMS: [BotInfo; 1] = [command::INFO];

const FICKLE_BOTS: [BotInfo; 1] = [crate::fickle::INFO];

/// Whether the bot of a spec wants to be told what happens; see [`Bot::observe`].
pub fn observes(spec: &Spec) -> bool {
    spec.name == crate::champion::INFO.name
}

const RULE_BOTS: [BotInfo; 3] = [
    BotInfo {
        name: "random",
        about: "every legal move is equally likely",
        source: "folklore",
        parameters: &[],
        build: |_, seating| Ok(Box::new(PolicyBot::new(Random, seating))),
    },
    BotInfo {
        name: "simulation",
        about: "the playout policy: one random front, attacks above even odds",
        source: "Brand and Kroon 2014, section 3.1.1",
        parameters: program::SIMULATION_PARAMETERS,
        build: |settings, seating| program::simulation(settings).bot(seating),
    },
    BotInfo {
        name: "baseline",
        about: "all armies on the best front, attacks the weakest neighbour to the end",
        source: "Brand and Kroon 2014, section 3.2.3",
        parameters: program::BASELINE_PARAMETERS,
        build: |settings, seating| program::baseline(settings).bot(seating),
    },
];
