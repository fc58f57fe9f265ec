//! The OpenAPI document, generated from the annotations of the handlers and the types
//! that they take and return; and the page's types, generated from the document.

mod typescript;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

use hegemon_protocol::schema::{plain, to_text};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{OpenApi, PartialSchema, ToSchema};

use super::{analysis, arena, catalog, games, map_check, odds, replay};
use crate::analysis_wire::{
    AnalysisState, CampaignDto, GameHintDto, HintsDto, PositionDto, Puzzle, SentRecordDto,
    ThreatDto,
};
use crate::arena::{ArenaDto, ArenaGameDto};
use crate::chronicle::ReplayDto;
use crate::error::ErrorBody;
use crate::levels::BotLevel;
use crate::new_game::GameRequest;
use crate::position::PositionRequest;
use crate::rematch::RematchRequest;
use crate::wire::{DrawnMapDto, FromClient, ToClient, WIRE_VERSION};

/// Why requests are refused. Some reasons hold for every address.
pub(super) mod refused {
    use super::ErrorBody;

    macro_rules! refusal {
        ($name:ident, $status:literal, $about:literal) => {
            #[derive(utoipa::IntoResponses)]
            #[response(status = $status, description = $about)]
            #[expect(dead_code, reason = "only its schema is used")]
            pub(in crate::routes) struct $name(ErrorBody<'static>);
        };
    }

    refusal!(Wrong, 400, "The request is wrong.");
    refusal!(Forbidden, 403, "The token or the origin is wrong.");
    refusal!(NotFound, 404, "There is no such thing.");
    refusal!(TooSlow, 408, "The body did not come in time.");
    refusal!(StillRuns, 409, "The game still runs.");
    refusal!(NotNow, 409, "It is not the seat's turn.");
    refusal!(TooLarge, 413, "The body is too large.");
    refusal!(NoSocket, 426, "The request is no WebSocket handshake.");
    refusal!(TooFast, 429, "Too many games or requests in a short time.");
    refusal!(TooMany, 503, "Too many games, requests or connections.");
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "hegemon play",
        description = "The API of the web app. Maps, rules, views, groups of moves and the notation of moves \
            are those of the bot protocol (docs/protocol.md). Messages of the socket are described by \
            the schemas ToClient and FromClient.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        catalog::about,
        catalog::maps,
        catalog::send_map,
        map_check::check,
        map_check::trial,
        catalog::host_bots,
        catalog::map,
        catalog::rules,
        catalog::bots,
        catalog::levels,
        catalog::openapi,
        games::list,
        games::create,
        games::rematch,
        games::show,
        games::error_output,
        games::remove,
        games::socket,
        replay::record,
        replay::stored,
        replay::uploaded,
        replay::records,
        replay::of_file,
        odds::battle,
        odds::chain,
        odds::need,
        analysis::look,
        analysis::ask,
        analysis::ask_record,
        analysis::cancel,
        analysis::game_hint,
        analysis::position_of_game,
        analysis::position_of_record,
        analysis::position,
        analysis::hint,
        analysis::threat_map,
        analysis::campaign,
        analysis::puzzles,
        arena::show,
        arena::live,
        arena::games,
        arena::replay,
    )
)]
struct Handlers;

/// Lets handlers name types whose schema is made by `schemars`, as that of the
/// bot protocol is: one description for both.
macro_rules! described {
    ($contract:ident: $($type:ty),+ $(,)?) => {
        $(
            impl PartialSchema for $type {
                fn schema() -> RefOr<Schema> {
                    Schema::default().into()
                }
            }

            impl ToSchema for $type {
                fn name() -> Cow<'static, str> {
                    <$type as JsonSchema>::schema_name()
                }
            }
        )+

        fn $contract(generator: &mut SchemaGenerator) {
            $(generator.subschema_for::<$type>();)+
        }
    };
}

described! {
    answers:
    ErrorBody<'_>,
    catalog::About,
    catalog::MapLine,
    map_check::MapCheck,
    map_check::Trial,
    catalog::RulesLine,
    catalog::BotLine,
    DrawnMapDto,
    BotLevel,
    games::Created,
    games::GameLine,
    games::GamePage,
    games::ErrorOutput,
    ToClient,
    ReplayDto,
    odds::BattleOdds,
    odds::ChainOdds,
    odds::NeedOdds,
    ArenaDto,
    ArenaGameDto,
    AnalysisState,
    PositionDto,
    SentRecordDto,
    HintsDto,
    ThreatDto,
    CampaignDto,
    GameHintDto,
    Puzzle,
}
described! {
    requests:
    GameRequest,
    RematchRequest,
    games::RemoveRequest,
    FromClient,
    PositionRequest,
    analysis::HintRequest,
    analysis::ThreatRequest,
    analysis::CampaignRequest,
    analysis::GameHintRequest,
}

/// The whole document.
fn document() -> Value {
    let mut document = serde_json::to_value(Handlers::openapi()).expect("plain data");
    document["info"]["version"] = json!(WIRE_VERSION.to_string());
    // Our manifests name no author.
    document["info"]
        .as_object_mut()
        .map(|info| info.remove("contact"));
    document["components"] = json!({"schemas": schemas()});
    document
}

/// Every schema by its name.
fn schemas() -> Map<String, Value> {
    let settings = || {
        let mut settings = SchemaSettings::draft2020_12().with_transform(plain);
        settings.definitions_path = "/components/schemas".into();
        settings
    };
    let mut asked = settings().into_generator();
    requests(&mut asked);
    let mut given = settings().for_serialize().into_generator();
    answers(&mut given);
    // What is both taken and given is described as it is given: with all its fields.
    let mut schemas = asked.take_definitions(true);
    schemas.append(&mut given.take_definitions(true));
    // Bots are never asked when a game is over, but people look at it then.
    let phases = &mut schemas["View"]["properties"]["phase"]["enum"];
    phases.as_array_mut().expect("a list").push(json!("over"));
    for (kind, name) in [("hello", "Hello"), ("state", "State")] {
        let messages = schemas["ToClient"]["oneOf"].as_array_mut().expect("a list");
        let is_it = |message: &&mut Value| message["properties"]["type"]["const"] == kind;
        let message = messages.iter_mut().find(is_it).expect("a message");
        let reference = json!({"$ref": format!("#/components/schemas/{name}")});
        let message = std::mem::replace(message, reference);
        schemas.insert(name.to_owned(), message);
    }
    schemas
}

/// Compares a file with what it should say; with `UPDATE_DOCS=1` writes it.
fn compare(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).expect("writable");
    } else {
        let written = std::fs::read_to_string(&path).expect("a file");
        assert!(
            written == text,
            "{file} is stale: run `cargo xtask generate`"
        );
    }
}

#[test]
fn the_openapi_document_is_what_handlers_and_types_say() {
    compare("openapi.json", &to_text(&document()));
}

#[test]
fn the_types_of_the_page_are_those_of_the_server() {
    compare("../../web/src/lib/wire.ts", &typescript::module(&schemas()));
}

#[test]
fn the_openapi_document_names_exactly_the_routes() {
    let document = document();
    let mut documented = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            documented.insert((path.clone(), method.clone()));
        }
    }
    let owned = |(path, method, _): super::Route| (path.to_owned(), method.to_owned());
    let served: BTreeSet<_> = super::routes().into_iter().map(owned).collect();
    assert_eq!(documented, served);
}

#[test]
fn references_and_operations_of_the_openapi_document_are_unique_and_exist() {
    let document = document();
    let text = document.to_string();
    for part in text.split("\"$ref\":\"#").skip(1) {
        let pointer = part.split('"').next().expect("a quoted text");
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    let names: Vec<&str> = text.split("\"operationId\":\"").skip(1).collect();
    let names: Vec<_> = names
        .iter()
        .filter_map(|part| part.split('"').next())
        .collect();
    let unique: BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
}
