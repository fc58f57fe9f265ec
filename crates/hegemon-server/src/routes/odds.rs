//! Exact odds.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use hegemon_core::battle::{self, BattleLaw};
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
    let law = law(&app, query.game.as_deref(), query.rules.as_deref()).await?;
    let place = app.workshop.enter(caller.client)?;
    let work = move || law.distribution(attackers, defenders);
    let odds = app.workshop.run(&place, work).await?;
    let (attacker_losses, defender_losses) = odds.expected_losses();
    let outcome = |outcome: &battle::BattleEnd| BattleOutcome {
        attackers: outcome.fighters,
        defenders: outcome.defenders,
        probability: outcome.probability,
    };
    Ok(Json(BattleOdds {
        attackers,
        defenders,
        win: odds.win(),
        expected_attackers_left: f64::from(attackers) - attacker_losses,
        expected_defenders_left: f64::from(defenders) - defender_losses,
        expected_attacker_losses: attacker_losses,
        expected_defender_losses: defender_losses,
        outcomes: odds.outcomes().iter().map(outcome).collect(),
    }))
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

/// The dice of a game, of a preset, or of the classic rules.
async fn law(app: &App, game: Option<&str>, rules: Option<&str>) -> Result<BattleLaw, ApiError> {
    let rules = match (game, rules) {
        (Some(id), _) => app.tables.stored(id).await?.header.rules,
        (None, name) => rules_named(name.unwrap_or("classic"))?,
    };
    Ok(rules.battle.law())
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
