//! What there is to play with.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use hegemon_core::{Map, Rules};
use serde::Serialize;

#[cfg(test)]
use super::openapi::refused;
use super::{Payload, map_check};
use crate::app::App;
use crate::error::ApiError;
use crate::levels::{self, BotLevel};
use crate::origin::Caller;
use crate::page_policy;
use crate::reach::Reach;
use crate::wire::{DrawnMapDto, WIRE_VERSION};
use crate::workshop::WaitingLine;

/// A map of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MapLine {
    /// Its name.
    name: String,
    /// How many territories it has.
    n_territories: usize,
    /// How many continents it has.
    n_continents: usize,
}

impl MapLine {
    fn new(map: &Map) -> MapLine {
        MapLine {
            name: map.name().to_owned(),
            n_territories: map.n_territories(),
            n_continents: map.continents().len(),
        }
    }
}

/// A preset of rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RulesPreset"))]
pub(super) struct RulesLine {
    /// Its name.
    name: &'static str,
    /// What it is, in a line.
    about: &'static str,
    /// The rules.
    rules: Rules,
}

/// A bot that a game may have.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "BotInfo"))]
pub(super) struct BotLine {
    /// Its name in specs.
    name: &'static str,
    /// What it is, in a line.
    about: &'static str,
    /// What a spec may say.
    parameters: Vec<ParameterLine>,
}

/// A parameter of a bot.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct ParameterLine {
    /// Its name in specs.
    name: &'static str,
    /// Its value where a spec does not say.
    default: &'static str,
    /// What it does, in a line.
    about: &'static str,
}

/// The program.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct About {
    /// Its name.
    program: &'static str,
    /// Its version.
    version: &'static str,
    /// Version, commit and behaviour signature.
    #[cfg_attr(test, schemars(with = "String"))]
    build: &'static hegemon_record::Program,
    /// Version of this contract.
    protocol: u32,
    /// Where others can reach the server.
    reach: Reach,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/about",
    operation_id = "about",
    summary = "Program and versions",
    responses((status = 200, description = "The program.", body = About)),
))]
pub(super) async fn about(State(app): State<Arc<App>>) -> Json<About> {
    Json(About {
        program: "hegemon",
        version: env!("CARGO_PKG_VERSION"),
        build: hegemon_record::Program::current(),
        protocol: WIRE_VERSION,
        reach: app.reach.clone(),
    })
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/openapi.json",
    operation_id = "openapi",
    summary = "This document",
    responses((status = 200, description = "The document.", body = Object, content_type = "application/json")),
))]
pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::OPENAPI)
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/maps",
    operation_id = "maps",
    summary = "All maps",
    responses((status = 200, description = "The maps.", body = [MapLine])),
))]
pub(super) async fn maps(State(app): State<Arc<App>>) -> Json<Vec<MapLine>> {
    Json(app.offers.each_map(MapLine::new))
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/maps",
    operation_id = "send_map",
    summary = "Offer a map of one's own, until the server stops or others take its place",
    request_body(content = Object, content_type = "application/json"),
    responses(
        (status = 201, description = "The map.", body = MapLine),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooFast,
    ),
))]
pub(super) async fn send_map(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<(StatusCode, Json<MapLine>), ApiError> {
    app.tables.check_pace(caller.client)?;
    let offers = Arc::clone(&app.offers);
    let read = move || {
        let map = map_check::read(&body).map_err(|faults| map_check::faulty(&faults))?;
        let line = MapLine::new(&map);
        offers
            .add_map(map, caller.client)
            .map_err(|message| map_check::faulty(&[message]))?;
        Ok((StatusCode::CREATED, Json(line)))
    };
    app.workshop.run_in_turn(WaitingLine::Making, read).await?
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/host-bots",
    operation_id = "host_bots",
    summary = "Names of the bots that the host offers",
    responses((status = 200, description = "The names.", body = [String])),
))]
pub(super) async fn host_bots(State(app): State<Arc<App>>) -> Json<Vec<String>> {
    Json(app.offers.bot_names().map(str::to_owned).collect())
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/maps/{name}",
    operation_id = "map",
    summary = "A map",
    params(("name" = String, Path, description = "Name of the map.")),
    responses((status = 200, description = "The map.", body = DrawnMapDto), refused::NotFound),
))]
pub(super) async fn map(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<DrawnMapDto>, ApiError> {
    let map = app.offers.map(&name);
    let map = map.ok_or_else(|| ApiError::not_found("such map"))?;
    Ok(Json(DrawnMapDto::new(&map)))
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/rules",
    operation_id = "rules",
    summary = "All presets of rules",
    responses((status = 200, description = "The presets.", body = [RulesLine])),
))]
pub(super) async fn rules() -> Json<Vec<RulesLine>> {
    let line = |name| {
        Some(RulesLine {
            name,
            about: Rules::preset_about(name),
            rules: Rules::preset(name)?,
        })
    };
    Json(Rules::PRESETS.into_iter().filter_map(line).collect())
}

// Every bot but those that start a program: the page cannot use these.
#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/bots",
    operation_id = "bots",
    summary = "All bots that a game may have",
    responses((status = 200, description = "The bots.", body = [BotLine])),
))]
pub(super) async fn bots() -> Json<Vec<BotLine>> {
    let line = |info: &hegemon_bots::BotInfo| BotLine {
        name: info.name,
        about: info.about,
        parameters: info
            .parameters
            .iter()
            .map(|parameter| ParameterLine {
                name: parameter.name,
                default: parameter.default,
                about: parameter.about,
            })
            .collect(),
    };
    let usable = hegemon_bots::bots().filter(|info| page_policy::is_listed(info.name));
    Json(usable.map(line).collect())
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/levels",
    operation_id = "levels",
    summary = "Levels with measured ratings, easiest first",
    responses((status = 200, description = "The levels.", body = [BotLevel])),
))]
pub(super) async fn levels() -> Json<&'static [BotLevel]> {
    Json(levels::levels())
}
