//! Maps under construction: what is wrong with one, and what self-play says about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use hegemon_arena::{MapTrial, MapTrialReport, WinShare};
use hegemon_bots::{Grants, Spec, Stop};
use hegemon_core::{Game, Map, MapError, Rules};
use serde::{Deserialize, Serialize};

use super::Payload;
#[cfg(test)]
use super::openapi::refused;
use crate::analyses::SEED;
use crate::app::App;
use crate::error::{ApiError, sentence};
use crate::origin::Caller;
use crate::reading;

/// Faults of a map that are named; who mends them hears of the others.
const MAX_FAULTS: usize = 20;
/// Games of a trial, if they are over in time.
const MAX_GAMES: u64 = 120;
/// Rounds of a game of a trial: on some maps two bots never finish.
const MAX_ROUNDS: u32 = 200;
/// The bot in all seats: quick, and it plays for continents.
const BOT: &str = "quo";

/// What is wrong with a map.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MapCheck {
    /// A sentence for each fault; none if the map can be played.
    faults: Vec<String>,
}

/// What self-play says about a map.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "MapTrial"))]
pub(super) struct Trial {
    /// The bot in all seats.
    bot: &'static str,
    /// Games played in time.
    games: u64,
    /// Games without a single winner.
    undecided: u64,
    /// Mean rounds of a game.
    rounds: f64,
    /// Share of the wins by place in the order of play.
    order: Vec<TrialShare>,
    /// By continent.
    continents: Vec<TrialContinent>,
}

/// A share of the wins.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "MapTrialShare"))]
struct TrialShare {
    /// The share.
    share: f64,
    /// Lower end of its 95 % interval.
    low: f64,
    /// Upper end.
    high: f64,
}

impl TrialShare {
    fn new(found: &WinShare) -> TrialShare {
        TrialShare {
            share: found.share,
            low: found.ci95.low,
            high: found.ci95.high,
        }
    }
}

/// What a continent was worth.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct TrialContinent {
    /// Its name.
    name: String,
    /// Games in which somebody began a turn with all of it.
    held: u64,
    /// The mean round in which that first happened.
    first_round: Option<f64>,
    /// Share of the wins of the first who held it.
    holder: Option<TrialShare>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct TrialQuery {
    /// Number of players.
    players: usize,
    /// Name of a preset of rules.
    rules: String,
}

/// The map of a request's body.
///
/// # Errors
///
/// A sentence for each fault.
pub(super) fn read(body: &[u8]) -> Result<Map, Vec<String>> {
    let text = std::str::from_utf8(body).map_err(|_| vec!["A map is text in UTF-8.".to_owned()])?;
    Map::from_json(text).map_err(|error| faults(&error))
}

fn faults(error: &MapError) -> Vec<String> {
    let said = error
        .faults
        .iter()
        .map(|fault| sentence(&fault.to_string()));
    said.take(MAX_FAULTS).collect()
}

/// The refusal of a faulty map, with a line for each fault.
pub(super) fn faulty(faults: &[String]) -> ApiError {
    ApiError::bad_request("bad-map", faults.join("\n"))
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/maps/check",
    operation_id = "check_map",
    summary = "What is wrong with a map; it is not kept",
    request_body(content = Object, content_type = "application/json"),
    responses(
        (status = 200, description = "The faults.", body = MapCheck),
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn check(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<Json<MapCheck>, ApiError> {
    // Not in the line of those who make games, who would wait for a flood of maps.
    let place = app.workshop.enter(caller.client)?;
    let look = move || MapCheck {
        faults: read(&body).err().unwrap_or_default(),
    };
    app.workshop.run(&place, look).await.map(Json)
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/maps/trial",
    operation_id = "try_map",
    summary = "What self-play of a few seconds says about a map; it is not kept",
    params(TrialQuery),
    request_body(content = Object, content_type = "application/json"),
    responses(
        (status = 200, description = "What was seen.", body = Trial),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn trial(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<TrialQuery>, QueryRejection>,
    Payload(body): Payload,
) -> Result<Json<Trial>, ApiError> {
    let Query(query) = reading::query(query)?;
    let asker = app.analyses.enter(caller.client)?;
    let job = move |stop: &Stop| {
        let map = read(&body).map_err(|faults| faulty(&faults))?;
        try_out(map, &query, stop)
    };
    app.analyses.answer(asker, job).await.map(Json)
}

fn try_out(map: Map, query: &TrialQuery, stop: &Stop) -> Result<Trial, ApiError> {
    let wrong = |message: &str| ApiError::bad_request("bad-trial", sentence(message));
    let rules = Rules::preset(&query.rules);
    let mut rules = rules.ok_or_else(|| wrong("there is no such preset of rules"))?;
    rules.end.round_cap = rules.end.round_cap.min(MAX_ROUNDS);
    let game = Game::new(map, rules, query.players).map_err(|error| wrong(&error.to_string()))?;
    let trial = MapTrial {
        game,
        bot: Spec::plain(BOT),
        n_games: MAX_GAMES,
        seed: SEED,
        n_threads: 1,
        grants: Grants {
            stop: stop.clone(),
            ..Grants::sealed()
        },
    };
    let is_late = AtomicBool::new(false);
    let look_at_clock = |_| {
        if stop.is_raised() {
            is_late.store(true, Ordering::Relaxed);
        }
    };
    let report = trial.run(&is_late, look_at_clock);
    let report = report.map_err(|error| wrong(&error.to_string()))?;
    let report = report.ok_or_else(|| wrong("no game was over in time"))?;
    Ok(Trial::new(trial.game.map(), &report))
}

impl Trial {
    fn new(map: &Map, report: &MapTrialReport) -> Trial {
        let continents = report.continents.iter().map(|found| TrialContinent {
            name: map.continent_name(found.continent).to_owned(),
            held: found.n_held,
            first_round: found.first_round,
            holder: found.holder.as_ref().map(TrialShare::new),
        });
        Trial {
            bot: BOT,
            games: report.n_games,
            undecided: report.n_undecided,
            rounds: report.rounds.mean,
            order: report.by_order.iter().map(TrialShare::new).collect(),
            continents: continents.collect(),
        }
    }
}
