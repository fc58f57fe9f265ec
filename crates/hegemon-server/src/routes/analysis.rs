//! Luck and skill of finished games, hints, threats, the odds of campaigns, and puzzles.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use hegemon_analysis::{Campaign, CampaignError, CampaignGoal, Level, hints, threat};
use hegemon_bots::{Judge, Stop};
use hegemon_core::{Node, PlayerId, Rng, State as GameState, TerritoryId, View};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[cfg(test)]
use super::openapi::refused;
use super::replay::upload;
use super::{JSON, LargeText, Payload, large_answer};
use crate::analyses::{AnalysisStanding, SEED, state_after, unpacked};
use crate::analysis_wire::{
    AnalysisLevel, CampaignDto, GameHintDto, HintsDto, PositionDto, SentRecordDto, ThreatDto,
};
use crate::app::App;
use crate::chronicle::{checked_record, state_in_text};
use crate::command::{CommandError, PlayerCommand};
use crate::error::{ApiError, sentence};
use crate::offers::Offers;
use crate::origin::Caller;
use crate::packed::accepts_gzip;
use crate::position::{PositionRequest, check_record};
use crate::reading;

/// Plans that are asked for if nothing is said.
const PLANS: usize = 3;
/// Most plans of a position.
const MAX_PLANS: usize = 6;
/// Rollouts of a threat map.
const ROLLOUTS: u32 = 200;
/// Most armies of a campaign's stack.
const MAX_STACK: u32 = 200;
/// Most armies that stay in each conquered territory.
const MAX_GARRISON: u32 = 100;
/// Most territories of a route.
const MAX_ROUTE: usize = 30;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct AnalysisQuery {
    /// How thorough: fast, normal or deep; normal if left out.
    #[serde(default)]
    #[cfg_attr(test, param(value_type = String, required = false, nullable = false))]
    level: AnalysisLevel,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}/analysis",
    operation_id = "analysis",
    summary = "Where the analysis of a game stands, or the analysis",
    params(("id" = String, Path, description = "Name of the game."), AnalysisQuery),
    responses(
        (status = 200, description = "Where it stands.", body = crate::analysis_wire::AnalysisState),
        refused::Wrong,
        refused::TooMany,
    ),
))]
pub(super) async fn look(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    query: Result<Query<AnalysisQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = reading::query(query)?;
    let standing = app.analyses.look(&id, query.level.into());
    told(&app, caller, standing, &headers).await
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/games/{id}/analysis",
    operation_id = "analyse",
    summary = "Analyse a game that is over",
    params(("id" = String, Path, description = "Name of the game."), AnalysisQuery),
    responses(
        (status = 200, description = "Where it stands.", body = crate::analysis_wire::AnalysisState),
        refused::Wrong,
        refused::Forbidden,
        refused::NotFound,
        refused::StillRuns,
        refused::TooMany,
    ),
))]
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    query: Result<Query<AnalysisQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = reading::query(query)?;
    let stored = app.tables.stored(&id).await?;
    let standing = app
        .analyses
        .ask(caller.client, stored, query.level.into())?;
    told(&app, caller, standing, &headers).await
}

#[cfg_attr(test, utoipa::path(
    delete,
    path = "/api/games/{id}/analysis",
    operation_id = "cancel_analysis",
    summary = "Cancel an analysis; it stops when nobody else waits for it",
    params(("id" = String, Path, description = "Name of the game."), AnalysisQuery),
    responses(
        (status = 200, description = "Where it stands.", body = crate::analysis_wire::AnalysisState),
        refused::Wrong,
        refused::Forbidden,
        refused::TooMany,
    ),
))]
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    query: Result<Query<AnalysisQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = reading::query(query)?;
    let standing = app.analyses.cancel(caller.client, &id, query.level.into());
    told(&app, caller, standing, &headers).await
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/analysis",
    operation_id = "analyse_record",
    summary = "Analyse a record that is sent; it is not stored",
    params(AnalysisQuery),
    request_body(content = String, content_type = "text/plain"),
    responses(
        (status = 200, description = "Its name.", body = SentRecordDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn ask_record(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<AnalysisQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<SentRecordDto>, ApiError> {
    let Query(query) = reading::query(query)?;
    let (text, upload) = upload(&app, caller, request).await?;
    let place = app.workshop.enter(caller.client)?;
    drop(upload);
    // No game of the store has such a name.
    let id = format!("record-{}", &blake3::hash(text.as_bytes()).to_hex()[..32]);
    let job = move || {
        let record = checked_record(&text)?;
        check_record(&record).map(|()| record)
    };
    let record = app.workshop.run(&place, job).await??;
    let name = id.clone();
    app.analyses
        .ask_record(caller.client, name, record, query.level.into())?;
    Ok(Json(SentRecordDto { id }))
}

async fn told(
    app: &Arc<App>,
    caller: Caller,
    standing: AnalysisStanding,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let bytes = match standing {
        AnalysisStanding::Told(state) => return Ok(Json(state).into_response()),
        AnalysisStanding::Done(bytes) => bytes,
    };
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let is_packed = bytes.starts_with(&GZIP);
    if !is_packed || accepts_gzip(headers) {
        return Ok(LargeText { bytes, is_packed }.answer(JSON, ()));
    }
    // Packed, all share it; unpacked, it is megabytes for each who takes it.
    let place = app.workshop.enter(caller.client)?;
    let unpack = move || unpacked(&bytes);
    let bytes = app.workshop.run(&place, unpack).await?.into();
    Ok(LargeText {
        bytes,
        is_packed: false,
    }
    .answer(JSON, place))
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct FrameQuery {
    /// Index of a frame of the replay.
    frame: usize,
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/games/{id}/position",
    operation_id = "position_of_game",
    summary = "The position after a frame of a game that is over",
    params(("id" = String, Path, description = "Name of the game."), FrameQuery),
    responses(
        (status = 200, description = "The position.", body = PositionDto),
        refused::Wrong,
        refused::NotFound,
        refused::StillRuns,
        refused::TooMany,
    ),
))]
pub(super) async fn position_of_game(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    query: Result<Query<FrameQuery>, QueryRejection>,
) -> Result<Json<PositionDto>, ApiError> {
    let Query(query) = reading::query(query)?;
    let place = app.workshop.enter(caller.client)?;
    let stored = app.tables.stored(&id).await?;
    let store = Arc::clone(&app.store);
    let job = move || state_after(&store, &stored, query.frame).map(|s| PositionDto::new(&s));
    app.workshop.run(&place, job).await?.map(Json)
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/replay/position",
    operation_id = "position_of_record",
    summary = "The position after a frame of the replay of a record that is sent",
    params(FrameQuery),
    request_body(content = String, content_type = "text/plain"),
    responses(
        (status = 200, description = "The position.", body = PositionDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn position_of_record(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: Result<Query<FrameQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<PositionDto>, ApiError> {
    let Query(query) = reading::query(query)?;
    let (text, upload) = upload(&app, caller, request).await?;
    let place = app.workshop.enter(caller.client)?;
    drop(upload);
    let job = move || state_in_text(&text, query.frame).map(|s| PositionDto::new(&s));
    app.workshop.run(&place, job).await?.map(Json)
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/position",
    operation_id = "position",
    summary = "Check a position",
    request_body = PositionRequest,
    responses(
        (status = 200, description = "The position.", body = PositionDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn position(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<Json<PositionDto>, ApiError> {
    let request: PositionRequest = read(&body)?;
    let place = app.workshop.enter(caller.client)?;
    let offers = Arc::clone(&app.offers);
    let job = move || request.state(&offers).map(|state| PositionDto::new(&state));
    app.workshop.run(&place, job).await?.map(Json)
}

/// A question for the best plans.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct HintRequest {
    /// Where.
    position: PositionRequest,
    /// How thorough.
    #[serde(default)]
    level: AnalysisLevel,
    /// How many plans, 1 to 6.
    #[serde(default)]
    plans: Option<usize>,
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/hint",
    operation_id = "hint",
    summary = "The best plans of a position",
    request_body = HintRequest,
    responses(
        (status = 200, description = "The plans.", body = HintsDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn hint(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<Json<HintsDto>, ApiError> {
    let request: HintRequest = read(&body)?;
    let n_plans = request.plans.unwrap_or(PLANS);
    if !(1..=MAX_PLANS).contains(&n_plans) {
        return Err(wrong(&format!(
            "\"plans\" is a number from 1 to {MAX_PLANS}."
        )));
    }
    let asker = app.analyses.enter(caller.client)?;
    let offers = Arc::clone(&app.offers);
    let job = move |stop: &Stop| {
        let state = request.position.decision(&offers)?;
        plans(&state, request.level.into(), n_plans, stop)
    };
    app.analyses.answer(asker, job).await.map(Json)
}

fn plans(
    state: &GameState,
    level: Level,
    n_plans: usize,
    stop: &Stop,
) -> Result<HintsDto, ApiError> {
    let judge = judge(state, stop)?;
    let found = hints(&judge, state, &judge.strangers(), level, n_plans, SEED);
    found.map(HintsDto::new).ok_or_else(too_slow)
}

fn judge(state: &GameState, stop: &Stop) -> Result<Judge, ApiError> {
    let judge = Judge::new(state.game(), stop);
    judge.map_err(|error| ApiError::bad_request("bad-game", sentence(&error.to_string())))
}

fn too_slow() -> ApiError {
    let message = "There was no time to look at this position; ask again, or at a faster level.";
    ApiError::too_many("busy", message)
}

/// A question for a threat map.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct ThreatRequest {
    /// Where.
    position: PositionRequest,
    /// Whose territories.
    #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
    seat: usize,
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/threat",
    operation_id = "threat",
    summary = "How likely each territory of a player holds until its next turn",
    request_body = ThreatRequest,
    responses(
        (status = 200, description = "The threat map.", body = ThreatDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn threat_map(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<Json<ThreatDto>, ApiError> {
    let request: ThreatRequest = read(&body)?;
    let asker = app.analyses.enter(caller.client)?;
    let offers = Arc::clone(&app.offers);
    let job = move |stop: &Stop| {
        let state = request.position.decision(&offers)?;
        let seats = state.game().seats();
        let mut alive = seats.filter(|seat| state.is_alive(*seat));
        let seat = alive.find(|seat| seat.index() == request.seat);
        let seat = seat.ok_or_else(|| wrong("\"seat\" is no player of this position."))?;
        threat_to(&state, seat, stop)
    };
    app.analyses.answer(asker, job).await.map(Json)
}

fn threat_to(state: &GameState, seat: PlayerId, stop: &Stop) -> Result<ThreatDto, ApiError> {
    let judge = judge(state, stop)?;
    let guess = judge.strangers();
    let found = threat(&judge, state, seat, &guess, ROLLOUTS, SEED, stop);
    if found.n_rollouts == 0 {
        return Err(too_slow());
    }
    Ok(ThreatDto::new(seat.index(), &found))
}

/// A question for the odds of a campaign.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct CampaignRequest {
    /// Where.
    position: PositionRequest,
    /// Where the stack stands.
    #[cfg_attr(test, schemars(with = "hegemon_core::TerritoryId"))]
    from: usize,
    /// What it takes.
    #[cfg_attr(test, schemars(with = "GoalRequest"))]
    goal: Value,
    /// Armies of the stack; those that stand there if left out.
    #[serde(default)]
    armies: Option<u32>,
    /// Armies that each conquered territory keeps; 1 if left out.
    #[serde(default)]
    garrison: Option<u32>,
    /// How many armies does this chance need?
    #[serde(default)]
    need: Option<f64>,
}

/// What a campaign takes. [`reading::tagged`] reads it, so that a fault names its field.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline, tag = "kind"))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum GoalRequest {
    /// All of a continent.
    Continent {
        /// Its number.
        continent: usize,
    },
    /// All that a player owns.
    Player {
        /// Which.
        #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
        player: usize,
    },
    /// These, in this order.
    Route {
        /// The territories.
        #[cfg_attr(test, schemars(with = "Vec<hegemon_core::TerritoryId>"))]
        territories: Vec<usize>,
    },
}

impl CampaignRequest {
    fn check(&self) -> Result<(), ApiError> {
        if self
            .garrison
            .is_some_and(|n| !(1..=MAX_GARRISON).contains(&n))
        {
            return Err(wrong(&format!(
                "\"garrison\" is a number from 1 to {MAX_GARRISON}."
            )));
        }
        if self.armies.is_some_and(|n| !(1..=MAX_STACK).contains(&n)) {
            return Err(wrong(&format!(
                "\"armies\" is a number from 1 to {MAX_STACK}."
            )));
        }
        if self
            .need
            .is_some_and(|chance| !(chance > 0.0 && chance < 1.0))
        {
            return Err(wrong("\"need\" is a chance between 0 and 1."));
        }
        Ok(())
    }

    fn goal(&self) -> Result<GoalRequest, ApiError> {
        let text = self.goal.to_string();
        reading::tagged("\"goal\" of the request", "kind", text.as_bytes())
            .map_err(|message| ApiError::bad_request("bad-json", message))
    }

    fn odds(&self, offers: &Offers, stop: &Stop) -> Result<CampaignDto, ApiError> {
        let state = self.position.state(offers)?;
        let from = territory(&state, "from", self.from)?;
        let goal = self.goal()?.read(&state)?;
        let refused = |error: CampaignError| wrong(&sentence(&error.to_string()));
        let campaign = Campaign::new(&state, from, &goal, self.garrison.unwrap_or(1));
        let campaign = campaign.map_err(refused)?.until(stop);
        let armies = self.armies.unwrap_or_else(|| state.board().armies(from));
        if armies > MAX_STACK {
            return Err(wrong(&format!(
                "A campaign has at most {MAX_STACK} armies here."
            )));
        }
        let campaign = campaign.with_armies(armies);
        let need = self.need.map(|chance| campaign.armies_for(chance));
        let need = need.transpose().map_err(refused)?;
        let odds = campaign.odds().map_err(refused)?;
        Ok(CampaignDto::new(&odds, need))
    }
}

impl GoalRequest {
    fn read(&self, state: &GameState) -> Result<CampaignGoal, ApiError> {
        let map = state.game().map();
        Ok(match self {
            GoalRequest::Continent { continent } => {
                let found = map.continents().find(|known| known.index() == *continent);
                let missing = || wrong("\"goal.continent\" is no continent of this map.");
                CampaignGoal::Continent(found.ok_or_else(missing)?)
            }
            GoalRequest::Player { player } => {
                let mut seats = state.game().seats();
                let found = seats.find(|seat| seat.index() == *player);
                let missing = || wrong("\"goal.player\" is no player of this game.");
                CampaignGoal::Player(found.ok_or_else(missing)?)
            }
            GoalRequest::Route { territories } => {
                if territories.len() > MAX_ROUTE {
                    return Err(wrong(&format!(
                        "\"goal.territories\" has at most {MAX_ROUTE} territories."
                    )));
                }
                let read = |index: &usize| territory(state, "goal.territories", *index);
                let route: Vec<TerritoryId> =
                    territories.iter().map(read).collect::<Result<_, _>>()?;
                if (1..route.len()).any(|n| route[..n].contains(&route[n])) {
                    return Err(wrong("\"goal.territories\" names a territory twice."));
                }
                CampaignGoal::Route(route)
            }
        })
    }
}

fn territory(state: &GameState, field: &str, index: usize) -> Result<TerritoryId, ApiError> {
    let mut all = state.game().map().territories();
    all.find(|t| t.index() == index)
        .ok_or_else(|| wrong(&format!("\"{field}\" names no territory of this map.")))
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/odds/campaign",
    operation_id = "campaign_odds",
    summary = "Exact odds of a campaign, the best order, and how many armies it needs",
    request_body = CampaignRequest,
    responses(
        (status = 200, description = "The odds.", body = CampaignDto),
        refused::Wrong,
        refused::Forbidden,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn campaign(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Payload(body): Payload,
) -> Result<Json<CampaignDto>, ApiError> {
    let request: CampaignRequest = read(&body)?;
    request.check()?;
    let asker = app.analyses.enter(caller.client)?;
    let offers = Arc::clone(&app.offers);
    let job = move |stop: &Stop| request.odds(&offers, stop);
    app.analyses.answer(asker, job).await.map(Json)
}

/// A question for a hint in a game.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct GameHintRequest {
    /// Token of the seat.
    token: String,
    /// How thorough.
    #[serde(default)]
    level: AnalysisLevel,
}

#[cfg_attr(test, utoipa::path(
    post,
    path = "/api/games/{id}/hint",
    operation_id = "game_hint",
    summary = "A hint in a game against bots; the log says that it was given",
    params(("id" = String, Path, description = "Name of the game.")),
    request_body = GameHintRequest,
    responses(
        (status = 200, description = "The hint.", body = GameHintDto),
        refused::Wrong,
        refused::Forbidden,
        refused::NotFound,
        refused::NotNow,
        refused::TooSlow,
        refused::TooLarge,
        refused::TooMany,
    ),
))]
pub(super) async fn game_hint(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Payload(body): Payload,
) -> Result<Response, ApiError> {
    let request: GameHintRequest = read(&body)?;
    let forbidden = |code, message: &str| ApiError::new(StatusCode::FORBIDDEN, code, message);
    let seat = app.tables.seat(&id, caller.client, &request.token).await?;
    let seat = seat.ok_or_else(|| {
        forbidden(
            "wrong-token",
            "\"token\" does not open a seat of this game.",
        )
    })?;
    let table = app.tables.table(&id, caller.client, Some(seat)).await?;
    let seats = &table.card.stored.seats;
    if seats.iter().filter(|seat| seat.is_person()).count() > 1 {
        let message = "Hints are for games in which you play against bots alone.";
        return Err(forbidden("no-hints", message));
    }
    let moment = table.board.moment();
    if moment.result.is_some() || moment.state.node() != Node::Decision(seat) {
        return Err(not_now("not-your-turn", "It is not your turn."));
    }
    let level = Level::from(request.level);
    if let Some(known) = app.analyses.known_hint(&id, moment.seq, level) {
        return Ok(json(known.to_string()));
    }
    let asker = app.analyses.enter(caller.client)?;
    let noted = table.command(seat, moment.seq, PlayerCommand::TakeHint);
    noted
        .await
        .map_err(|error: CommandError| not_now(error.code(), &error.to_string()))?;
    let moment = table.board.moment();
    let seq = moment.seq;
    let job = move |stop: &Stop| {
        // Nothing that the seat cannot see may shine through.
        let mut rng = Rng::from_seed(SEED);
        let state = View::new(&moment.state, seat).sample_state(&mut rng);
        let hints = plans(&state, level, PLANS, stop)?;
        let threat = threat_to(&state, seat, stop)?;
        let hint = GameHintDto { seq, hints, threat };
        Ok(serde_json::to_string(&hint).unwrap_or_default())
    };
    let hint = app.analyses.answer(asker, job).await?;
    app.analyses
        .keep_hint(&id, seq, level, hint.as_str().into());
    Ok(json(hint))
}

fn json(text: String) -> Response {
    ([(axum::http::header::CONTENT_TYPE, JSON)], text).into_response()
}

fn not_now(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, code, message)
}

#[cfg_attr(test, utoipa::path(
    get,
    path = "/api/puzzles",
    operation_id = "puzzles",
    summary = "Puzzles cut from games that were analysed, the newest first, then those of the program",
    responses((status = 200, description = "The puzzles.", body = [crate::analysis_wire::Puzzle]), refused::TooMany),
))]
pub(super) async fn puzzles(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let place = app.workshop.enter(caller.client)?;
    let puzzles: Vec<Value> = app.analyses.puzzles();
    let job = move || Ok(serde_json::to_string(&puzzles).unwrap_or_default());
    large_answer(&app, place, &headers, JSON, job).await
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    reading::from_json("The request", body)
        .map_err(|message| ApiError::bad_request("bad-json", message))
}

fn wrong(message: &str) -> ApiError {
    ApiError::bad_request("bad-query", message)
}
