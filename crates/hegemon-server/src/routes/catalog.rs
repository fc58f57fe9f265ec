//! What there is to play with.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use hegemon_core::{Map, Rules};
use serde::Serialize;

#[cfg(test)]
use super::openapi::refused;
use crate::app::App;
use crate::error::ApiError;
use crate::levels::{self, Level};
use crate::page_policy;
use crate::reach::Reach;
use crate::wire::{DrawnMapDto, WIRE_VERSION};

/// A map of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MapLine {
    /// Its name.
    name: &'static str,
    /// How many territories it has.
    n_territories: usize,
    /// How many continents it has.
    n_continents: usize,
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
pub(super) async fn maps() -> Json<&'static [MapLine]> {
    // All maps are read and checked for it.
    static LINES: OnceLock<Vec<MapLine>> = OnceLock::new();
    let line = |name| {
        let map = Map::builtin(name)?;
        Some(MapLine {
            name,
            n_territories: map.n_territories(),
            n_continents: map.continents().len(),
        })
    };
    Json(LINES.get_or_init(|| Map::builtin_names().filter_map(line).collect()))
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/maps/{name}",
    operation_id = "map",
    summary = "A map",
    params(("name" = String, Path, description = "Name of the map.")),
    responses((status = 200, description = "The map.", body = DrawnMapDto), refused::NotFound),
))]
pub(super) async fn map(Path(name): Path<String>) -> Result<Json<DrawnMapDto>, ApiError> {
    let map = Map::builtin(&name).ok_or_else(|| ApiError::not_found("such map"))?;
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
    responses((status = 200, description = "The levels.", body = [Level])),
))]
pub(super) async fn levels() -> Json<&'static [Level]> {
    Json(levels::levels())
}
