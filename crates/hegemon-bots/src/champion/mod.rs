//! The champion: looks ahead with a learned value, and watches its rivals.
//!
//! At every decision the candidates are what `rollout` would try, what each bot of
//! a portfolio would do, and a plan for each goal of goal-uct ([`look::Candidate`]). Each
//! is tried in the same worlds: hidden cards and dice are drawn, the others play as they
//! were seen to play ([`beliefs::Beliefs`]), for some rounds or to the end of the game
//! ([`look::Reach`]), and the value net says on the way what is left. Sequential halving
//! spends most looks on the best.

mod assault;
mod beliefs;
mod bot;
mod clock;
mod forecast;
mod judge;
mod look;
mod stand_in;
mod suspects;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use hegemon_core::Game;
use hegemon_core::rules::Attack;
use hegemon_eval::value::{ValueFile, ValueNet};

use crate::bot::{Bot, Seating};
use crate::parameter::{Cost, Parameter};
use crate::registry::BotInfo;
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};
pub use suspects::met_in_training;

use bot::{ChampionBot, ChampionParams, LookBudget};
use look::{Horizon, Lookout, Reach};
use stand_in::StandIn;
use suspects::Suspects;

pub use forecast::{ContinentForecast, Forecast};
pub use judge::{Guess, Inquiry, Judge, Judged, Judgement, Looks, Rollouts, Watch};

/// The bot's entry in the registry.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "champion",
    about: "looks ahead with a learned value while the others play as they were seen to play",
    source: "our own; docs/champion.md",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter::whole(
        "looks",
        "12",
        (1, 1_000_000),
        "looks a candidate, on average; reproducible",
    )
    .costs(Cost::Budget(1_000_000.0)),
    Parameter::whole(
        "level",
        "off",
        (1, LEVELS.len() as u64),
        "strength from 1 to 10, in place of looks and errs",
    )
    .or(&["off"])
    .costs(Cost::Budget(5_000_000.0)),
    Parameter::whole(
        "ms",
        "off",
        (1, 3_600_000),
        "wall time a turn in place of looks; not reproducible",
    )
    .or(&["off"])
    .costs(Cost::Budget(35_000.0)),
    Parameter::whole(
        "horizon",
        "auto",
        (1, 1000),
        "rounds of a look: a number, end (of the game), or auto by the rules",
    )
    .or(&["auto", "end"])
    .costs(Cost::Times(1.0)),
    Parameter::bots(
        "portfolio",
        "auto",
        "bots whose moves are candidates, the first also plays on: auto by the rules",
    )
    .or(&["auto"]),
    Parameter::word(
        "goals",
        &["auto", "off"],
        "whether plans to take or break a continent, to eliminate a player or to get a card are candidates: auto by the rules",
    ),
    Parameter::bots(
        "suspects",
        "auto",
        "bots that the others may be: auto for all that are quick, known for those that the shipped nets have met",
    )
    .or(&["auto", "known"]),
    Parameter::weights(
        "value",
        "auto",
        || ValueFile::builtin_names().to_vec(),
        "the net: auto by the map, or a shipped one, or the path of a file",
    )
    .or(&["auto"]),
    Parameter::whole("threads", "1", (1, 256), "threads that look; play is the same")
        .costs(Cost::Threads),
    Parameter::real("errs", "0", (0.0, 1.0), "chance to play any of the candidates"),
    Parameter::real(
        "discount",
        "auto",
        (0.5, 1.0),
        "factor for each round of a look: a number, or auto by the rules",
    )
    .or(&["auto"]),
    Parameter::real(
        "lambda",
        "auto",
        (0.0, 1.0),
        "how much the later values of a look count: 1 the last alone, 0 the next turn's alone; auto by the rules",
    )
    .or(&["auto"]),
];

/// Looks and errors of the levels, weakest first.
const LEVELS: [(u32, f64); 10] = [
    (1, 0.9),
    (1, 0.6),
    (1, 0.35),
    (1, 0.15),
    (1, 0.0),
    (2, 0.0),
    (4, 0.0),
    (8, 0.0),
    (16, 0.0),
    (48, 0.0),
];

const PORTFOLIO: [&str; 6] = [
    "killbot",
    "quo",
    "evil-pixie",
    "boscoe",
    "better-pixie",
    "beam",
];
/// Where whole groups of armies meet, for which `beam` was evolved.
const GROUPS_PORTFOLIO: [&str; 4] = ["beam", "killbot", "evil-pixie", "boscoe"];
/// For two players without cards: a base that attacks while it can ends playouts.
const DUEL_PORTFOLIO: [&str; 4] = ["baseline", "killbot", "quo", "evil-pixie"];

fn named(names: &[&str]) -> Vec<Spec> {
    let spec = |name: &&str| {
        name.parse()
            .unwrap_or_else(|_| unreachable!("a bot's name"))
    };
    names.iter().map(spec).collect()
}

fn default_portfolio(game: &Game) -> Vec<Spec> {
    if is_by_groups(game) {
        named(&GROUPS_PORTFOLIO)
    } else if is_bare_duel(game) {
        named(&DUEL_PORTFOLIO)
    } else {
        named(&PORTFOLIO)
    }
}

fn is_by_groups(game: &Game) -> bool {
    game.rules().battle.attack == Attack::Groups
}

/// Two players without cards: whoever attacks well wins soon.
fn is_bare_duel(game: &Game) -> bool {
    game.n_players() == 2 && !game.rules().has_cards()
}

/// Whom to expect before anything was seen: in a duel without cards, which its first turns
/// decide, somebody who attacks while it can; elsewhere nobody in particular.
fn expected(suspects: &[Spec], game: &Game) -> Option<usize> {
    let attacker = |spec: &Spec| spec.name == DUEL_PORTFOLIO[0];
    suspects
        .iter()
        .position(attacker)
        .filter(|_| is_bare_duel(game))
}

/// How far looks go where nothing else is asked for: to the end where games are short
/// and playouts say more than the value, else three rounds (docs/champion.md has the
/// measurements).
fn default_horizon(game: &Game) -> Horizon {
    if is_bare_duel(game) {
        Horizon::End
    } else {
        Horizon::Rounds(3)
    }
}

/// The factor for each round where nothing else is asked for: whoever waits where whole
/// groups meet gives the others time to grow.
fn default_discount(game: &Game) -> f64 {
    if is_by_groups(game) { 0.9 } else { 0.98 }
}

/// How much later values count where nothing else is asked for: the end of a game says a
/// little more than a value on the way.
fn default_lambda(horizon: Horizon) -> f64 {
    match horizon {
        Horizon::End => 0.6,
        Horizon::Rounds(_) => 0.5,
    }
}

/// How far looks go in a duel without cards against somebody like none of the suspects: to
/// the end of the game every guess about such a rival would be wrong many times over.
const AMONG_STRANGERS: Reach = Reach {
    horizon: Horizon::Rounds(1),
    lambda: 0.5,
    values_own_turn: true,
};

fn build(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
    let params = params(settings, seating)?;
    let n_players = seating.game.n_players();
    Ok(Box::new(ChampionBot::new(params, n_players, seating.rng())))
}

fn params(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<ChampionParams, SpecError> {
    let Seating { game, grants, .. } = *seating;
    let stand_ins = |specs: &[Spec]| -> Result<Vec<StandIn>, SpecError> {
        specs
            .iter()
            .map(|spec| StandIn::new(spec, game, grants))
            .collect()
    };
    let portfolio = match settings.bots("portfolio") {
        Some(specs) => stand_ins(specs)?,
        None => stand_ins(&default_portfolio(game))?,
    };
    let suspected = match settings.bots("suspects") {
        Some(specs) => specs.to_vec(),
        None if settings.word("suspects") == "known" => named(&suspects::known()),
        None => named(&suspects::all()),
    };
    let suspects = Suspects::alike(stand_ins(&suspected)?);
    let suspects = match expected(&suspected, game) {
        Some(n) => suspects.mostly(n),
        None => suspects,
    };
    let level = settings
        .whole_or_word::<usize>("level")
        .map(|n| LEVELS[n - 1]);
    let horizon = match (settings.word("horizon"), settings.whole_or_word("horizon")) {
        (_, Some(rounds)) => Horizon::Rounds(rounds),
        ("end", _) => Horizon::End,
        _ => default_horizon(game),
    };
    let (looks, errs) = level.unwrap_or_else(|| (settings.whole("looks"), settings.real("errs")));
    Ok(ChampionParams {
        lookout: Lookout {
            me: seating.seat,
            value: value(settings, seating)?,
            reach: Reach {
                horizon,
                lambda: settings
                    .real_or_word("lambda")
                    .unwrap_or_else(|| default_lambda(horizon)),
                // What is known of a rival in a duel without cards, which its first turns
                // decide, is little.
                values_own_turn: is_bare_duel(game) && settings.word("horizon") == "auto",
            },
            discount: settings
                .real_or_word("discount")
                .unwrap_or_else(|| default_discount(game)),
            stop: grants.stop.clone(),
        },
        // Who asks for a horizon gets it.
        among_strangers: (is_bare_duel(game) && settings.word("horizon") == "auto")
            .then_some(AMONG_STRANGERS),
        // Goals plan battles to their end by their odds; groups of armies meet once.
        has_goals: settings.word("goals") == "auto" && !is_by_groups(game),
        effort: match settings.whole_or_word("ms") {
            Some(ms) => LookBudget::Time(Duration::from_millis(ms)),
            None => LookBudget::Looks(looks),
        },
        errs,
        n_threads: settings.whole("threads"),
        portfolio,
        suspects: Arc::new(suspects),
    })
}

fn value(settings: &Settings<'_>, seating: &Seating<'_>) -> Result<Arc<ValueNet>, SpecError> {
    let map = seating.game.map();
    let Some(name) = settings.weights("value") else {
        return Ok(ValueNet::for_map(map));
    };
    let file = ValueFile::load(name, &|path| seating.grants.weights(path));
    let net = file.and_then(|file| ValueNet::new(&file, map));
    net.map(Arc::new)
        .map_err(|error| settings.bad_value("value", &error.to_string()))
}
