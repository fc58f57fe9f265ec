//! Games: make, list, look at, sit down.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use hegemon_core::Rules;
use serde::{Deserialize, Serialize};

use super::{JSON, LargeText, Payload};
use crate::app::App;
use crate::clients::Stake;
use crate::error::{ApiError, sentence};
use crate::new_game::GameRequest;
use crate::origin::{Caller, check_pace};
use crate::packed::accepts_gzip;
use crate::seats::{Seat, SeatKind};
use crate::socket::{self, Arrival, Presence};
use crate::store::{DamagedGame, Listed, StoredGame};
use crate::tables::store_failed;
use crate::wire::{DrawnMapDto, SeatDto, Status};
use crate::workshop::Line;

/// Games in one list.
const MAX_LISTED: u32 = 100;
/// Letters of a bot's spec in it.
const MAX_LISTED_SPEC: usize = 200;

#[derive(Serialize)]
pub(super) struct Created {
    id: String,
    seats: Vec<CreatedSeat>,
    watch_url: String,
}

#[derive(Serialize)]
struct CreatedSeat {
    seat: usize,
    kind: SeatKind,
    name: String,
    token: Option<String>,
}

#[derive(Serialize)]
pub(super) struct GameLine {
    id: String,
    map: String,
    rules_name: String,
    seats: Vec<SeatDto>,
    round: u32,
    status: Status,
    winner: Option<usize>,
    created: String,
}

#[derive(Serialize)]
pub(super) struct GamePage {
    #[serde(flatten)]
    line: GameLine,
    map_object: DrawnMapDto,
    rules: Rules,
}

impl GameLine {
    fn new(app: &App, stored: &StoredGame) -> GameLine {
        let result = stored.result.as_ref();
        GameLine {
            id: stored.id.clone(),
            map: stored.header.map.clone(),
            rules_name: stored.rules_name.clone(),
            seats: stored.seats.iter().map(SeatDto::new).collect(),
            round: stored.round,
            status: match result {
                _ if app.tables.is_damaged(&stored.id) => Status::Damaged,
                Some(_) => Status::Over,
                None => Status::Running,
            },
            winner: result.and_then(crate::wire::ResultDto::winner),
            created: stored.created.clone(),
        }
    }

    /// The line of a game that cannot be read.
    fn damaged(game: &DamagedGame) -> GameLine {
        GameLine {
            id: game.id.clone(),
            map: String::new(),
            rules_name: String::new(),
            seats: Vec::new(),
            round: 0,
            status: Status::Damaged,
            winner: None,
            created: game.created.clone(),
        }
    }
}

/// A seat of the list: specs may be long, and a hundred games are listed.
fn short_seat(seat: &Seat) -> SeatDto {
    let mut short = SeatDto::new(seat);
    if let Some(spec) = &mut short.spec
        && let Some((end, _)) = spec.char_indices().nth(MAX_LISTED_SPEC)
    {
        spec.replace_range(end.., "...");
    }
    short
}

pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let request: GameRequest = serde_json::from_slice(&body).map_err(|error| {
        ApiError::bad_request("bad-json", format!("The request cannot be read: {error}."))
    })?;
    app.tables.check_pace(caller.client)?;
    let limits = app.limits;
    // Trying out a bot may take a moment.
    let prepare = move || request.prepare(&limits, caller.client);
    let prepared = app.workshop.run_in_turn(Line::Making, prepare).await??;
    let tokens = prepared.tokens.clone();
    let table = app.tables.create(caller.client, prepared).await?;
    let stored = &table.card.stored;
    let seats = stored.seats.iter().zip(tokens).enumerate();
    let created = Created {
        seats: seats
            .map(|(seat, (stored, token))| CreatedSeat {
                seat,
                kind: stored.kind,
                name: stored.name.clone(),
                token,
            })
            .collect(),
        watch_url: format!("/#/game/{}", stored.id),
        id: stored.id.clone(),
    };
    Ok((StatusCode::CREATED, Json(created)))
}

#[derive(Deserialize)]
pub(super) struct ListQuery {
    before: Option<String>,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = super::query(query)?;
    let (shared, may_pack) = (Arc::clone(&app), accepts_gzip(&headers));
    // Who asks for lists waits for others who do, and for nobody else.
    let list = move || {
        let games = shared.store.games(query.before.as_deref(), MAX_LISTED)?;
        let line = |listed: &Listed| match listed {
            Ok(stored) => GameLine {
                seats: stored.seats.iter().map(short_seat).collect(),
                ..GameLine::new(&shared, stored)
            },
            Err(damaged) => GameLine::damaged(damaged),
        };
        let lines: Vec<GameLine> = games.iter().map(line).collect();
        let text = serde_json::to_string(&lines).unwrap_or_default();
        Ok(LargeText::new(text, may_pack))
    };
    let listed = app.workshop.run_in_turn(Line::Listing, list).await?;
    Ok(listed.map_err(store_failed)?.answer(JSON, ()))
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<GamePage>, ApiError> {
    let stored = app.tables.stored(&id).await?;
    let shared = Arc::clone(&app);
    let show = move || {
        let game = stored.header.game();
        let game = game.map_err(|error| ApiError::internal(error.to_string()))?;
        Ok(Json(GamePage {
            line: GameLine::new(&shared, &stored),
            map_object: DrawnMapDto::new(game.map()),
            rules: game.rules().clone(),
        }))
    };
    app.workshop.run_in_turn(Line::Listing, show).await?
}

#[derive(Deserialize)]
pub(super) struct SocketQuery {
    token: Option<String>,
    from: Option<u64>,
}

pub(super) async fn socket(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    query: Result<Query<SocketQuery>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = super::query(query)?;
    // Browsers do not say why a socket was refused; a plain request of the same
    // address does, so game and token come first.
    let seat = match &query.token {
        None => None,
        Some(token) => app.tables.seat(&id, caller.client, token).await?,
    };
    if seat.is_none() {
        check_pace(&app, caller)?;
    }
    if query.token.is_some() && seat.is_none() {
        let message = "This link does not open a seat of this game.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "wrong-token", message));
    }
    let table = app.tables.table(&id, caller.client, seat).await?;
    if let Some(seat) = seat {
        // A seat is opened whatever else its client asks, but not again and again.
        if !table.may_open(seat) {
            check_pace(&app, caller)?;
        }
        table.claim(caller.client);
    }
    let upgrade = upgrade.map_err(|error| {
        let message = sentence(&error.to_string());
        ApiError::new(StatusCode::UPGRADE_REQUIRED, "no-socket", message)
    })?;
    let permit = app.take_socket(seat.is_some());
    let presence = match seat {
        Some(seat) => {
            let round = table.board.moment().state.round();
            let id = (table.card.stored.number, seat.index());
            let place = app.clients.sit_down(caller.client, id, round);
            place.map(|place| Presence::Seat(seat, place))
        }
        None => app
            .clients
            .hold(caller.client, Stake::Watcher)
            .map(|held| Presence::Watcher { _held: held }),
    };
    let (Some(permit), Some(presence)) = (permit, presence) else {
        return Err(too_many_sockets());
    };
    if seat.is_some() && !table.seat(&app.store).await {
        return Err(ApiError::not_found("such game"));
    }
    let arrival = Arrival {
        client: caller.client,
        table,
        presence,
        from: query.from,
        permit,
    };
    let limit = app.limits.message;
    Ok(upgrade
        .max_message_size(limit)
        .max_frame_size(limit)
        .read_buffer_size(limit)
        .write_buffer_size(0)
        .on_upgrade(move |socket| socket::serve(app, socket, arrival)))
}

/// What a client hears who has too many windows open.
pub(super) fn too_many_sockets() -> ApiError {
    let message = "Too many connections are open; close some windows.";
    ApiError::too_many("too-many-sockets", message)
}
