//! Exact odds.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use hegemon_core::battle::{self, BattleLaw};
use hegemon_core::rules::{Rules, Victory};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::openapi::refused;
use crate::app::App;
use crate::error::{ApiError, sentence};
use crate::new_game::rules_named;
use crate::origin::Caller;
use crate::reading;

/// Most armies on a side that the page may ask about.
const MAX_ARMIES: u32 = 1000;
/// Most territories of a chain.
const MAX_CHAIN: usize = 40;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct BattleQuery {
    /// Armies that may fight: all but the one that stays.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    attackers: u32,
    /// Armies of the defender.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    defenders: u32,
    /// The attacker stops when no more than this many may fight; 0 if left out.
    #[cfg_attr(test, param(maximum = 1000, nullable = false))]
    reserve: Option<u32>,
    /// One round only instead of a fight to the end.
    #[cfg_attr(test, param(nullable = false))]
    once: Option<bool>,
    /// Whether a capital is attacked, which some rules defend with one more die.
    #[cfg_attr(test, param(nullable = false))]
    capital: Option<bool>,
    /// Name of a preset; classic if left out.
    #[cfg_attr(test, param(nullable = false))]
    rules: Option<String>,
    /// Name of a game whose rules count instead.
    #[cfg_attr(test, param(nullable = false))]
    game: Option<String>,
}

/// Exact odds of a battle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BattleOdds {
    /// Armies that may fight.
    attackers: u32,
    /// Armies of the defender.
    defenders: u32,
    /// Chance that the attacker conquers.
    win: f64,
    /// Fighting armies left, in the mean.
    expected_attackers_left: f64,
    /// Armies of the defender left, in the mean.
    expected_defenders_left: f64,
    /// Losses of the attacker, in the mean.
    expected_attacker_losses: f64,
    /// Losses of the defender, in the mean.
    expected_defender_losses: f64,
    /// All ends of the battle.
    outcomes: Vec<BattleOutcome>,
}

/// An end of a battle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct BattleOutcome {
    /// Fighting armies left.
    attackers: u32,
    /// Armies of the defender left.
    defenders: u32,
    /// How likely it is.
    probability: f64,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/odds/battle",
    operation_id = "battle_odds",
    summary = "Exact odds of a battle",
    params(BattleQuery),
    responses(
        (status = 200, description = "The odds.", body = BattleOdds),
        refused::Wrong,
        refused::NotFound,
        refused::TooMany,
    ),
))]
pub(super) async fn battle(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<BattleQuery>, QueryRejection>,
) -> Result<Json<BattleOdds>, ApiError> {
    let Query(query) = reading::query(query)?;
    let (attackers, defenders) = (query.attackers, query.defenders);
    check_armies(&[attackers, defenders])?;
    let rules = rules(&app, query.game.as_deref(), query.rules.as_deref()).await?;
    let law = if query.capital == Some(true) {
        capital_law(&rules)
    } else {
        rules.battle.law()
    };
    let is_once = query.once == Some(true);
    let reserve = query.reserve.unwrap_or(0).min(attackers);
    let place = app.workshop.enter(caller.client)?;
    let work = move || match is_once {
        true => round_ends(law, attackers, defenders),
        false => battle_ends(law, attackers, defenders, reserve),
    };
    let outcomes = app.workshop.run(&place, work).await?;
    Ok(Json(BattleOdds::new(attackers, defenders, outcomes)))
}

fn battle_ends(law: BattleLaw, attackers: u32, defenders: u32, reserve: u32) -> Vec<BattleOutcome> {
    let odds = law.distribution_until(attackers, defenders, reserve);
    let end = |end: &battle::BattleEnd| BattleOutcome {
        attackers: end.fighters,
        defenders: end.defenders,
        probability: end.probability,
    };
    odds.outcomes().iter().map(end).collect()
}

fn round_ends(law: BattleLaw, attackers: u32, defenders: u32) -> Vec<BattleOutcome> {
    let round = law.round(attackers, defenders);
    let end = |(losses, probability): (battle::Losses, f64)| BattleOutcome {
        attackers: attackers - losses.attacker,
        defenders: defenders - losses.defender,
        probability,
    };
    round.outcomes().map(end).collect()
}

impl BattleOdds {
    fn new(attackers: u32, defenders: u32, outcomes: Vec<BattleOutcome>) -> BattleOdds {
        let mean = |value: fn(&BattleOutcome) -> u32| {
            let weighted = outcomes
                .iter()
                .map(|end| end.probability * f64::from(value(end)));
            weighted.sum::<f64>()
        };
        let (attackers_left, defenders_left) =
            (mean(|end| end.attackers), mean(|end| end.defenders));
        BattleOdds {
            attackers,
            defenders,
            win: mean(|end| u32::from(end.defenders == 0)),
            expected_attackers_left: attackers_left,
            expected_defenders_left: defenders_left,
            expected_attacker_losses: f64::from(attackers) - attackers_left,
            expected_defender_losses: f64::from(defenders) - defenders_left,
            outcomes,
        }
    }
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct ChainQuery {
    /// Armies that may fight.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    attackers: u32,
    /// Defenders by territory, such as 3,2,4; at most 40 territories.
    defenders: String,
    /// Name of a preset; classic if left out.
    #[cfg_attr(test, param(nullable = false))]
    rules: Option<String>,
    /// Name of a game whose rules count instead.
    #[cfg_attr(test, param(nullable = false))]
    game: Option<String>,
}

/// Exact odds of one territory after another.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ChainOdds {
    /// Chance that all are conquered.
    win: f64,
    /// The territories.
    steps: Vec<ChainStep>,
    /// Armies that arrive at the end, in the mean.
    expected_left: f64,
    /// All numbers of armies that may arrive at the end.
    outcomes: Vec<ChainOutcome>,
}

/// A territory of a chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct ChainStep {
    /// Its armies.
    defenders: u32,
    /// Chance that it is conquered, and all before it.
    reached: f64,
}

/// An end of a chain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct ChainOutcome {
    /// Armies that arrive.
    attackers: usize,
    /// How likely it is.
    probability: f64,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/odds/chain",
    operation_id = "chain_odds",
    summary = "Exact odds of one territory after another",
    params(ChainQuery),
    responses(
        (status = 200, description = "The odds.", body = ChainOdds),
        refused::Wrong,
        refused::NotFound,
        refused::TooMany,
    ),
))]
pub(super) async fn chain(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<ChainQuery>, QueryRejection>,
) -> Result<Json<ChainOdds>, ApiError> {
    let Query(query) = reading::query(query)?;
    let defenders: Vec<u32> = query
        .defenders
        .split(',')
        .map(|number| number.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| wrong("The defenders are numbers with commas between, such as 3,2,4."))?;
    if defenders.len() > MAX_CHAIN {
        return Err(wrong(&format!(
            "A chain has at most {MAX_CHAIN} territories."
        )));
    }
    check_armies(&defenders)?;
    check_armies(&[query.attackers])?;
    let law = law(&app, query.game.as_deref(), query.rules.as_deref()).await?;
    let (attackers, asked) = (query.attackers, defenders.clone());
    let place = app.workshop.enter(caller.client)?;
    let work = move || battle::chain(law, attackers, &asked, &[]);
    let odds = app.workshop.run(&place, work).await?;
    let odds = odds.map_err(|error| wrong(&sentence(&error.to_string())))?;
    let steps = defenders
        .iter()
        .enumerate()
        .map(|(n, &defenders)| ChainStep {
            defenders,
            reached: odds.prefix(n + 1),
        });
    let survivors = odds.survivors().iter().enumerate();
    Ok(Json(ChainOdds {
        win: odds.success(),
        steps: steps.collect(),
        expected_left: odds.expected_survivors(),
        outcomes: survivors
            .filter(|(_, probability)| **probability > 0.0)
            .map(|(attackers, &probability)| ChainOutcome {
                attackers,
                probability,
            })
            .collect(),
    }))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct NeedQuery {
    /// Armies of the defender.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    defenders: u32,
    /// Chance asked for, from 0 to 1.
    #[cfg_attr(test, param(minimum = 0, maximum = 1))]
    chance: f64,
    /// Name of a preset; classic if left out.
    #[cfg_attr(test, param(nullable = false))]
    rules: Option<String>,
    /// Name of a game whose rules count instead.
    #[cfg_attr(test, param(nullable = false))]
    game: Option<String>,
}

/// The smallest force.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NeedOdds {
    /// Armies that may fight.
    armies: u32,
    /// Their chance to conquer.
    win: f64,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/odds/need",
    operation_id = "need",
    summary = "How many armies it takes",
    params(NeedQuery),
    responses(
        (status = 200, description = "The smallest force.", body = NeedOdds),
        refused::Wrong,
        refused::NotFound,
        refused::TooMany,
    ),
))]
pub(super) async fn need(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<NeedQuery>, QueryRejection>,
) -> Result<Json<NeedOdds>, ApiError> {
    let Query(query) = reading::query(query)?;
    check_armies(&[query.defenders])?;
    let law = law(&app, query.game.as_deref(), query.rules.as_deref()).await?;
    let (defenders, chance) = (query.defenders, query.chance);
    let place = app.workshop.enter(caller.client)?;
    let work = move || {
        let armies = law.smallest_force(defenders, chance)?;
        let win = law.win_probability(armies, defenders);
        Ok::<_, battle::ForceError>(NeedOdds { armies, win })
    };
    let found = app.workshop.run(&place, work).await?;
    Ok(Json(
        found.map_err(|error| wrong(&sentence(&error.to_string())))?,
    ))
}

/// The rules of a game, of a preset, or the classic ones.
async fn rules(app: &App, game: Option<&str>, rules: Option<&str>) -> Result<Rules, ApiError> {
    match (game, rules) {
        (Some(id), _) => Ok(app.tables.stored(id).await?.header.rules),
        (None, name) => rules_named(name.unwrap_or("classic")),
    }
}

/// The dice of a game, of a preset, or of the classic rules.
async fn law(app: &App, game: Option<&str>, name: Option<&str>) -> Result<BattleLaw, ApiError> {
    Ok(rules(app, game, name).await?.battle.law())
}

/// The dice of an attack on a capital.
fn capital_law(rules: &Rules) -> BattleLaw {
    let mut law = rules.battle.law();
    if let Victory::Capitals { extra_die, .. } = rules.victory {
        law.dice = law.dice.with_defender_bonus(u8::from(extra_die));
    }
    law
}

fn check_armies(numbers: &[u32]) -> Result<(), ApiError> {
    let fits = |number: &u32| (1..=MAX_ARMIES).contains(number);
    numbers
        .iter()
        .all(fits)
        .then_some(())
        .ok_or_else(|| wrong(&format!("Numbers of armies are from 1 to {MAX_ARMIES}.")))
}

fn wrong(message: &str) -> ApiError {
    ApiError::bad_request("bad-query", message)
}
