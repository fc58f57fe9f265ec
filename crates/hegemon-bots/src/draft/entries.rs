//! The Lux bots and drafted bots in the registry.

use super::{DraftedBot, drafter, on_off};
use crate::bot::{Bot, PolicyBot, Seating};
use crate::lux::{LUX_BOTS, LuxBot, LuxKind, LuxOptions};
use crate::registry::{BotInfo, Parameter, build};
use crate::spec::{Spec, SpecError};

const DRAFT: Parameter = Parameter {
    name: "draft",
    default: "own",
    about: "own, random, greedy(weights,intercept), uct(sims,c,weights,intercept) or a bot that drafts",
};

const CARDS_PHASE: Parameter = Parameter {
    name: "cards-phase",
    default: "on",
    about: "whether the cards phase is called where there are no cards: on or off",
};

const LATER_SDK: Parameter = Parameter {
    name: "later-sdk",
    default: "off",
    about: "whether the helper that was repaired after 2009 is used: on or off",
};

const BORDER_FORCE: Parameter = Parameter {
    name: "border-force",
    default: "drawn",
    about: "armies on each border of a continent: drawn (7 to 21), or a number",
};

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

fn build_lux(spec: &Spec, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let kind = LuxKind::named(&spec.name).ok_or_else(|| SpecError::UnknownBot {
        name: spec.name.clone(),
        nearest: None,
    })?;
    let options = LuxOptions {
        cards_phase_without_cards: on_off(spec, "cards-phase", true)?,
        later_sdk: on_off(spec, "later-sdk", false)?,
        border_force: match spec.value("border-force") {
            None | Some("drawn") => None,
            Some(_) => Some(spec.number("border-force", 0, 1..=200)?),
        },
        ..LuxOptions::default()
    };
    let player = Box::new(PolicyBot::new(LuxBot::new(kind, options), seating));
    match spec.value("draft") {
        None | Some("own") => Ok(player),
        Some(text) => Ok(Box::new(DraftedBot::new(
            drafter(spec, &spec.name, text, seating)?,
            player,
        ))),
    }
}

/// Any bot with any drafter.
pub(crate) const DRAFTED: BotInfo = BotInfo {
    name: "drafted",
    about: "one bot that plays on from the draft of another",
    source: "Gibson, Desai and Zhao 2010",
    parameters: &[
        Parameter {
            name: "base",
            default: "quo",
            about: "who plays, as a spec",
        },
        Parameter {
            default: "uct",
            about: "random, greedy(weights,intercept), uct(sims,c,weights,intercept) or a bot that drafts",
            ..DRAFT
        },
    ],
    build: |spec, seating| {
        let base: Spec = spec.value("base").unwrap_or("quo").parse()?;
        let player = build(&base, seating)?;
        let text = spec.value("draft").unwrap_or("uct");
        if text == "own" {
            return Ok(player);
        }
        Ok(Box::new(DraftedBot::new(
            drafter(spec, &base.name, text, seating)?,
            player,
        )))
    },
};
