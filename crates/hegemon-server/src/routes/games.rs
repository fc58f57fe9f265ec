//! Games: make, list, look at, sit down.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use hegemon_arena::seat_seed;
use hegemon_core::{PlayerId, Rules};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::openapi::refused;
use super::{JSON, LargeText, Payload};
use crate::app::App;
use crate::clients::Stake;
use crate::error::ApiError;
use crate::new_game::GameRequest;
use crate::origin::{Caller, check_pace};
use crate::packed::accepts_gzip;
use crate::reading;
use crate::rematch::{FormerGame, RematchRequest};
use crate::seats::{Seat, SeatKind, seat_of};
use crate::socket::{self, Arrival, Presence};
use crate::store::{DamagedGame, Listed, SavedGame, Wanted};
use crate::tables::store_failed;
use crate::wire::{DrawnMapDto, SeatDto, Status};
use crate::workshop::WaitingLine;

/// Games in one list.
const MAX_LISTED: u32 = 100;
/// Letters of a bot's spec in it.
const MAX_LISTED_SPEC: usize = 200;

/// A game that was made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CreatedGame"))]
pub(super) struct Created {
    /// Its name in links.
    id: String,
    /// Its seats.
    seats: Vec<CreatedSeat>,
    /// Where everybody may watch it.
    watch_url: String,
}

/// A seat of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct CreatedSeat {
    /// Its number.
    #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
    seat: usize,
    /// Who plays.
    kind: SeatKind,
    /// The name shown.
    name: String,
    /// What opens it; null for a bot, and in a rematch, where people have theirs.
    token: Option<String>,
}

/// A game of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameLine {
    /// Its name in links.
    id: String,
    /// Name of the map.
    map: String,
    /// Name of the preset, or `custom`.
    rules_name: String,
    /// The seats.
    seats: Vec<SeatDto>,
    /// The round.
    round: u32,
    /// Whether it goes on.
    status: Status,
    /// The only winner, if there is one.
    #[cfg_attr(test, schemars(with = "Option<hegemon_core::PlayerId>"))]
    winner: Option<usize>,
    /// When the game was made.
    created: String,
}

/// A game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GamePage {
    #[serde(flatten)]
    line: GameLine,
    /// The map.
    map_object: DrawnMapDto,
    /// The rules.
    rules: Rules,
}

/// What a program of the host wrote to its error output in a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ErrorOutput {
    /// Its seat.
    #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
    seat: usize,
    /// Name of the bot.
    name: String,
    /// The last that it wrote.
    text: String,
}

// A program may write what it holds: nobody but the host's own machine hears of it.
#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}/error-output",
    operation_id = "error_output",
    summary = "What programs of the host wrote to their error output; on the host's own machine only",
    params(("id" = String, Path, description = "Name of the game.")),
    responses(
        (status = 200, description = "By program; none for others.", body = [ErrorOutput]),
        refused::NotFound,
    ),
))]
pub(super) async fn error_output(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Vec<ErrorOutput>>, ApiError> {
    let stored = app.tables.stored(&id).await?;
    if !caller.client.is_this_machine() {
        return Ok(Json(Vec::new()));
    }
    let written = |(seat, taken): (usize, &Seat)| {
        let name = taken.host_bot.clone()?;
        let seed = seat_seed(stored.header.seed, PlayerId::new(seat));
        let text = app.offers.log().of(seed);
        Some(ErrorOutput { seat, name, text })
    };
    let seats = stored.seats.iter().enumerate();
    Ok(Json(seats.filter_map(written).collect()))
}

impl GameLine {
    fn new(app: &App, stored: &SavedGame) -> GameLine {
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

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/games",
    operation_id = "create_game",
    summary = "Make a game",
    request_body = GameRequest,
    responses(
        (status = 201, description = "The game and the tokens of its seats.", body = Created),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooFast,
        refused::TooMany,
    ),
))]
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let request: GameRequest = reading::from_json("The request", &body)
        .map_err(|message| ApiError::bad_request("bad-json", message))?;
    app.tables.check_pace(caller.client)?;
    let limits = app.limits;
    let offers = Arc::clone(&app.offers);
    // Trying out a bot may take a moment.
    let prepare = move || request.prepare(&limits, &offers, caller.client);
    let prepared = app
        .workshop
        .run_in_turn(WaitingLine::Making, prepare)
        .await??;
    let tokens = prepared.tokens.clone();
    let table = app.tables.create(caller.client, prepared).await?;
    let created = Created::new(&table.card.stored, tokens);
    Ok((StatusCode::CREATED, Json(created)))
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/games/{id}/rematch",
    operation_id = "rematch",
    summary = "Play a game once more: the same map, rules, clock and seats, with another seed. Several people have one \
        rematch together: who asks later gets the same",
    params(("id" = String, Path, description = "Name of the game that is over.")),
    request_body = RematchRequest,
    responses(
        (status = 201, description = "The game; its people have their tokens.", body = Created),
        (status = 200, description = "The rematch that another of its people has made.", body = Created),
        refused::Wrong,
        refused::Forbidden,
        refused::NotFound,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooFast,
        refused::TooMany,
    ),
))]
pub(super) async fn rematch(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Payload(body): Payload,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let request: RematchRequest = reading::from_json("The request", &body)
        .map_err(|message| ApiError::bad_request("bad-json", message))?;
    let former = FormerGame::find(&id, &request, caller.client, &app.tables).await?;
    let shared = former.shared_rematch();
    if let Some(id) = &shared
        && let Ok(stored) = app.tables.stored(id).await
    {
        return Ok((StatusCode::OK, Json(Created::new(&stored, Vec::new()))));
    }
    app.tables.check_pace(caller.client)?;
    let offers = Arc::clone(&app.offers);
    // Trying out a bot may take a moment.
    let prepare = move || former.prepare(&offers);
    let prepared = app
        .workshop
        .run_in_turn(WaitingLine::Making, prepare)
        .await??;
    let table = match (app.tables.create(caller.client, prepared).await, &shared) {
        (Ok(table), _) => table,
        // Another of its people may have asked at the same moment.
        (Err(error), Some(id)) => {
            let stored = app.tables.stored(id).await.map_err(|_| error)?;
            return Ok((StatusCode::OK, Json(Created::new(&stored, Vec::new()))));
        }
        (Err(error), None) => return Err(error),
    };
    if let Some(next) = shared
        && let Some(before) = app.tables.find(&id)
    {
        before.board.show_rematch(next);
    }
    let created = Created::new(&table.card.stored, Vec::new());
    Ok((StatusCode::CREATED, Json(created)))
}

impl Created {
    /// A game and the tokens of its seats; none are known after the last.
    fn new(stored: &SavedGame, tokens: Vec<Option<String>>) -> Created {
        let tokens = tokens.into_iter().chain(std::iter::repeat(None));
        let seats = stored.seats.iter().zip(tokens).enumerate();
        Created {
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
        }
    }
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct ListQuery {
    /// Only games older than this one.
    #[cfg_attr(test, param(nullable = false))]
    before: Option<String>,
    /// Only games with this in the name of a player, the map or the rules.
    #[cfg_attr(test, param(nullable = false))]
    search: Option<String>,
    /// Only games that are over (`true`), or that go on (`false`).
    #[cfg_attr(test, param(nullable = false))]
    over: Option<bool>,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games",
    operation_id = "games",
    summary = "Games, newest first, 100 at a time; the next ones are those before the last",
    params(ListQuery),
    responses(
        (status = 200, description = "The games.", body = [GameLine]),
        refused::Wrong,
    ),
))]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = reading::query(query)?;
    let (shared, may_pack) = (Arc::clone(&app), accepts_gzip(&headers));
    // Who asks for lists waits for others who do, and for nobody else.
    let list = move || {
        let search = query.search.map(|text| text.trim().to_owned());
        let wanted = Wanted {
            before: query.before,
            is_over: query.over,
            search: search.filter(|text| !text.is_empty()),
        };
        let games = shared.store.games(&wanted, MAX_LISTED)?;
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
    let listed = app.workshop.run_in_turn(WaitingLine::Listing, list).await?;
    Ok(listed.map_err(store_failed)?.answer(JSON, ()))
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}",
    operation_id = "game",
    summary = "A game",
    params(("id" = String, Path, description = "Name of the game.")),
    responses((status = 200, description = "The game.", body = GamePage), refused::NotFound),
))]
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
    app.workshop.run_in_turn(WaitingLine::Listing, show).await?
}

/// A request to remove a game.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct RemoveRequest {
    /// Tokens of all its people.
    #[serde(default)]
    tokens: Vec<String>,
}

impl RemoveRequest {
    /// Whether these are the tokens of everybody at these seats.
    fn opens_all(&self, seats: &[Seat]) -> bool {
        let tokens = self.tokens.iter().take(seats.len());
        let open: Vec<usize> = tokens.filter_map(|token| seat_of(seats, token)).collect();
        let mut people = seats
            .iter()
            .enumerate()
            .filter(|(_, seat)| seat.is_person());
        people.all(|(n, _)| open.contains(&n))
    }
}

#[cfg_attr(test, utoipa::path(
    delete,
    path = "/api/games/{id}",
    operation_id = "remove_game",
    summary = "Remove a game for good: with the tokens of all its people, or, if it has none or is damaged, \
        from the machine of the server",
    params(("id" = String, Path, description = "Name of the game.")),
    request_body = RemoveRequest,
    responses(
        (status = 204, description = "It is removed."),
        refused::Wrong,
        refused::Forbidden,
        refused::NotFound,
        refused::TooSlow,
        refused::TooLarge,
    ),
))]
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Payload(body): Payload,
) -> Result<StatusCode, ApiError> {
    let request: RemoveRequest = reading::from_json("The request", &body)
        .map_err(|message| ApiError::bad_request("bad-json", message))?;
    let is_allowed = match app.tables.stored(&id).await {
        Ok(stored) if stored.seats.iter().any(Seat::is_person) => request.opens_all(&stored.seats),
        Err(error) if error.status == StatusCode::NOT_FOUND => return Err(error),
        _ => caller.client.is_this_machine(),
    };
    if !is_allowed {
        let message = "Only who has the links of all its people may remove a game, and one without \
                       people only who sits at the server's machine.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "wrong-token", message));
    }
    app.tables.remove(&id).await?;
    app.analyses.forget(&id);
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct SocketQuery {
    /// Token of the seat.
    #[cfg_attr(test, param(nullable = false))]
    token: Option<String>,
    /// Number of the last event seen.
    #[cfg_attr(test, param(nullable = false))]
    from: Option<u64>,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}/socket",
    operation_id = "socket",
    summary = "WebSocket of a seat, or of a watcher without a token",
    params(("id" = String, Path, description = "Name of the game."), SocketQuery),
    responses(
        (status = 101, description = "The socket: ToClient from the server, FromClient to it."),
        refused::Wrong,
        refused::Forbidden,
        refused::NotFound,
        refused::NoSocket,
        refused::TooFast,
        refused::TooMany,
    ),
))]
pub(super) async fn socket(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    query: Result<Query<SocketQuery>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = reading::query(query)?;
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
    let upgrade = upgrade.map_err(|refused| no_socket(&refused))?;
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

/// What a client hears that does not ask for a WebSocket as it should.
fn no_socket(refused: &WebSocketUpgradeRejection) -> ApiError {
    let fault = match refused {
        WebSocketUpgradeRejection::MethodNotGet(_) => "its method is not GET",
        WebSocketUpgradeRejection::InvalidConnectionHeader(_) => {
            "its field \"Connection\" does not say \"upgrade\""
        }
        WebSocketUpgradeRejection::InvalidUpgradeHeader(_) => {
            "its field \"Upgrade\" does not say \"websocket\""
        }
        WebSocketUpgradeRejection::InvalidWebSocketVersionHeader(_) => {
            "its field \"Sec-WebSocket-Version\" does not say 13"
        }
        WebSocketUpgradeRejection::WebSocketKeyHeaderMissing(_) => {
            "it has no field \"Sec-WebSocket-Key\""
        }
        _ => "its connection cannot become one",
    };
    let message = format!("This address is a WebSocket, and the request opens none: {fault}.");
    ApiError::new(StatusCode::UPGRADE_REQUIRED, "no-socket", message)
}

/// What a client hears who has too many windows open.
pub(super) fn too_many_sockets() -> ApiError {
    let message = "Too many connections are open; close some windows.";
    ApiError::too_many("too-many-sockets", message)
}
