//! The Lux bots and drafted bots in the registry.

use super::{DraftedBot, drafter};
use crate::bot::{Bot, PolicyBot, Seating};
use crate::lux::{LUX_BOTS, LuxBot, LuxKind, LuxOptions};
use crate::parameter::Parameter;
use crate::registry::{BotInfo, build};
use crate::settings::Settings;
use crate::spec::SpecError;

const DRAFT: Parameter = Parameter::drafter(
    "own",
    "own, random, greedy(weights,intercept), uct(sims,c,weights,intercept) or a bot that drafts",
);

const CARDS_PHASE: Parameter = Parameter::word(
    "cards-phase",
    &["on", "off"],
    "whether the cards phase is called where there are no cards: on or off",
);

const LATER_SDK: Parameter = Parameter::word(
    "later-sdk",
    &["off", "on"],
    "whether the helper that was repaired after 2009 is used: on or off",
);

const BORDER_FORCE: Parameter = Parameter::whole(
    "border-force",
    "drawn",
    (1, 200),
    "armies on each border of a continent: drawn (7 to 21), or a number",
)
.or(&["drawn"]);

/// All Lux bots.
pub(crate) const LUX_ENTRIES: [BotInfo; LUX_BOTS.len()] = lux_entries();

const fn lux_entries() -> [BotInfo; LUX_BOTS.len()] {
    let mut entries = [DRAFTED; LUX_BOTS.len()];
    let mut n = 0;
    while n < LUX_BOTS.len() {
        let lux = &LUX_BOTS[n];
        entries[n] = BotInfo {
            name: lux.name,
            about: lux.about,
            source: lux.source,
            parameters: match lux.kind {
                LuxKind::EvilPixie => &[DRAFT, CARDS_PHASE, LATER_SDK, BORDER_FORCE],
                _ => &[DRAFT, CARDS_PHASE],
            },
            build: build_lux,
        };
        n += 1;
    }
    entries
}

fn build_lux(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let name = &settings.spec().name;
    let kind = LuxKind::named(name).ok_or_else(|| SpecError::UnknownBot {
        name: name.clone(),
        nearest: None,
    })?;
    let mut options = LuxOptions {
        cards_phase_without_cards: settings.word("cards-phase") == "on",
        ..LuxOptions::default()
    };
    if kind == LuxKind::EvilPixie {
        options.later_sdk = settings.word("later-sdk") == "on";
        options.border_force = settings.whole_or_word("border-force");
    }
    let player = Box::new(PolicyBot::new(LuxBot::new(kind, options), seating));
    with_drafter(settings, name, player, seating)
}

/// A player with the drafter of the parameter `draft`.
fn with_drafter(
    settings: &Settings<'_>,
    name: &str,
    player: Box<dyn Bot>,
    seating: &Seating<'_>,
) -> Result<Box<dyn Bot>, SpecError> {
    match settings.bot("draft") {
        None => Ok(player),
        Some(draft) => {
            let drafter = drafter(settings, name, draft, seating)?;
            Ok(Box::new(DraftedBot::new(drafter, player)))
        }
    }
}

/// Any bot with any drafter.
pub(crate) const DRAFTED: BotInfo = BotInfo {
    name: "drafted",
    about: "one bot that plays on from the draft of another",
    source: "Gibson, Desai and Zhao 2010",
    parameters: &[
        Parameter::bot("base", "quo", "who plays, as a spec"),
        Parameter {
            default: "uct",
            ..DRAFT
        },
    ],
    build: |settings, seating| {
        let base = settings.declared_bot("base");
        let player = build(base, seating)?;
        with_drafter(settings, &base.name, player, seating)
    },
};
