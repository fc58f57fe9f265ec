//! Exact odds.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use hegemon_core::battle::{self, BattleLaw};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiError, sentence};
use crate::new_game::rules_named;
use crate::origin::Caller;

/// Most armies on a side that the page may ask about.
const MAX_ARMIES: u32 = 1000;
/// Most territories of a chain.
const MAX_CHAIN: usize = 40;

#[derive(Deserialize)]
pub(super) struct BattleQuery {
    attackers: u32,
    defenders: u32,
    rules: Option<String>,
    game: Option<String>,
}

#[derive(Serialize)]
pub(super) struct BattleOdds {
    attackers: u32,
    defenders: u32,
    win: f64,
    expected_attackers_left: f64,
    expected_defenders_left: f64,
    expected_attacker_losses: f64,
    expected_defender_losses: f64,
    outcomes: Vec<BattleOutcome>,
}

#[derive(Serialize)]
struct BattleOutcome {
    attackers: u32,
    defenders: u32,
    probability: f64,
}

pub(super) async fn battle(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<BattleQuery>, QueryRejection>,
) -> Result<Json<BattleOdds>, ApiError> {
    let Query(query) = super::query(query)?;
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
pub(super) struct ChainQuery {
    attackers: u32,
    defenders: String,
    rules: Option<String>,
    game: Option<String>,
}

#[derive(Serialize)]
pub(super) struct ChainOdds {
    win: f64,
    steps: Vec<ChainStep>,
    expected_left: f64,
    outcomes: Vec<ChainOutcome>,
}

#[derive(Serialize)]
struct ChainStep {
    defenders: u32,
    reached: f64,
}

#[derive(Serialize)]
struct ChainOutcome {
    attackers: usize,
    probability: f64,
}

pub(super) async fn chain(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<ChainQuery>, QueryRejection>,
) -> Result<Json<ChainOdds>, ApiError> {
    let Query(query) = super::query(query)?;
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
pub(super) struct NeedQuery {
    defenders: u32,
    chance: f64,
    rules: Option<String>,
    game: Option<String>,
}

#[derive(Serialize)]
pub(super) struct NeedOdds {
    armies: u32,
    win: f64,
}

pub(super) async fn need(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<NeedQuery>, QueryRejection>,
) -> Result<Json<NeedOdds>, ApiError> {
    let Query(query) = super::query(query)?;
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
