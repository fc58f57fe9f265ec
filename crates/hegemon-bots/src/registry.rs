//! All bots by name, with their parameters.

use std::sync::Arc;

use hegemon_core::Game;

use crate::bot::{Bot, PolicyBot, Seating};
use crate::command;
use crate::draft::{DRAFTED, LUX_ENTRIES};
use crate::loader::Grants;
use crate::rules::{Baseline, Random, Simulation};
use crate::search::SEARCH_BOTS;
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
    /// Its parameters.
    pub parameters: &'static [Parameter],
    pub(crate) build: Build,
}

/// A parameter of a bot.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in spec strings.
    pub name: &'static str,
    /// Its value where none is given.
    pub default: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

/// Makes a bot from a spec whose parameters are known to exist.
pub(crate) type Build = fn(&Spec, &Seating<'_>) -> Result<Box<dyn Bot>, SpecError>;

/// The kinds of bots, in the order of the list.
pub fn bots() -> impl Iterator<Item = &'static BotInfo> {
    RULE_BOTS
        .iter()
        .chain(&SEARCH_BOTS)
        .chain(&EVOLVED_BOTS)
        .chain(&GOAL_BOTS)
        .chain(&LUX_ENTRIES)
        .chain(DRAFTED_BOTS)
        .chain(&PROGRAMS)
}

/// The kind of bot with this name.
///
/// # Errors
///
/// If there is none; the error names the nearest.
pub fn bot_info(name: &str) -> Result<&'static BotInfo, SpecError> {
    bots()
        .find(|info| info.name == name)
        .ok_or_else(|| SpecError::UnknownBot {
            name: name.to_owned(),
            nearest: nearest(name, bots().map(|info| info.name)),
        })
}

/// Makes the bot of a spec for a seat.
///
/// # Errors
///
/// If the spec names no bot or parameter, a value is wrong, or the bot cannot
/// play the game.
pub fn build(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let info = bot_info(&spec.name)?;
    check_parameters(spec, info)?;
    (info.build)(spec, seating)
}

/// Checks a spec against a game without keeping the bot.
///
/// # Errors
///
/// As [`build`].
pub fn check(spec: &Spec, game: &Arc<Game>, grants: &Grants) -> Result<(), SpecError> {
    let seating = Seating {
        game,
        seat: hegemon_core::PlayerId::new(0),
        seed: 0,
        grants,
    };
    build(spec, &seating).map(|_| ())
}

fn check_parameters(spec: &Spec, info: &BotInfo) -> Result<(), SpecError> {
    for (n, (key, _)) in spec.parameters.iter().enumerate() {
        if !info.parameters.iter().any(|known| known.name == key) {
            return Err(SpecError::UnknownParameter {
                bot: spec.name.clone(),
                key: key.clone(),
                nearest: nearest(key, info.parameters.iter().map(|known| known.name)),
            });
        }
        if spec.parameters[..n].iter().any(|(other, _)| other == key) {
            return Err(SpecError::DuplicateParameter {
                bot: spec.name.clone(),
                key: key.clone(),
            });
        }
    }
    Ok(())
}

const EVOLVED_BOTS: [BotInfo; 1] = [crate::beam::INFO];

const GOAL_BOTS: [BotInfo; 1] = [crate::goal::INFO];

const DRAFTED_BOTS: &[BotInfo] = &[DRAFTED];

const PROGRAMS: [BotInfo; 1] = [command::INFO];

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
        source: "paper 000, section 3.1.1",
        parameters: &[],
        build: |_, seating| Ok(Box::new(PolicyBot::new(Simulation, seating))),
    },
    BotInfo {
        name: "baseline",
        about: "all armies on the best front, attacks the weakest neighbour to the end",
        source: "paper 000, section 3.2.3",
        parameters: &[],
        build: |_, seating| Ok(Box::new(PolicyBot::new(Baseline, seating))),
    },
];
