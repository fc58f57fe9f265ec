//! What there is to play with.

use std::sync::OnceLock;

use axum::Json;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use hegemon_core::{Map, Rules};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::levels::{self, Level};
use crate::page_policy;
use crate::wire::{DrawnMapDto, WIRE_VERSION};

#[derive(Serialize)]
pub(super) struct MapLine {
    name: &'static str,
    n_territories: usize,
    n_continents: usize,
}

#[derive(Serialize)]
pub(super) struct RulesLine {
    name: &'static str,
    about: &'static str,
    rules: Rules,
}

#[derive(Serialize)]
pub(super) struct BotLine {
    name: &'static str,
    about: &'static str,
    parameters: Vec<ParameterLine>,
}

#[derive(Serialize)]
struct ParameterLine {
    name: &'static str,
    default: &'static str,
    about: &'static str,
}

pub(super) async fn about() -> Json<Value> {
    Json(json!({
        "program": "hegemon",
        "version": env!("CARGO_PKG_VERSION"),
        "build": hegemon_record::Program::current(),
        "protocol": WIRE_VERSION,
    }))
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::OPENAPI)
}

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

pub(super) async fn map(Path(name): Path<String>) -> Result<Json<DrawnMapDto>, ApiError> {
    let map = Map::builtin(&name).ok_or_else(|| ApiError::not_found("such map"))?;
    Ok(Json(DrawnMapDto::new(&map)))
}

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

/// Every bot but those that start a program: the page cannot use these.
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

pub(super) async fn levels() -> Json<&'static [Level]> {
    Json(levels::levels())
}
