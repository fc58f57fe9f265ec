//! Whole games told again: events for those who were away, records, replays.

use std::sync::Arc;

use hegemon_core::{PlayerId, Rules, State, is_visible};
use hegemon_record::{
    GameRecord, Header, RecordEnd, RecordError, RecordFault, RecordWriter, Replay,
};
use serde::Serialize;

use crate::entry::LogEntry;
use crate::error::ApiError;
use crate::game_card::GameCard;
use crate::narrator::Narrator;
use crate::session::battle_cost;
use crate::store::{Desk, GameStore, SavedGame};
use crate::tables::store_failed;
use crate::wire::{DrawnMapDto, GameEvent, ResultDto};

/// Most frames of a replay; the longest games of bots are longer.
const MAX_FRAMES: usize = 40_000;

/// Most steps that checking the battles of an uploaded record may take, as
/// [`battle_cost`] counts them: a fraction of a second.
const MAX_COST: u64 = 30_000_000;

/// About the most bytes of a replay: several are worked on at a time.
const MAX_REPLAY: usize = 32 << 20;

/// What a frame takes besides its words, and for each territory.
const FRAME_BYTES: [usize; 2] = [280, 6];

/// A game to be looked at from beginning to end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Replay"))]
pub(crate) struct ReplayDto {
    /// The map.
    pub map: DrawnMapDto,
    /// The rules.
    pub rules: Rules,
    /// Name of the preset, or `custom`.
    pub rules_name: String,
    /// Who played.
    pub seats: Vec<PlayerDto>,
    /// The seed, in decimal digits.
    pub seed: String,
    /// How many seats there are.
    pub n_players: usize,
    /// How it ended.
    pub result: ResultDto,
    /// Everything that happened.
    pub frames: Vec<GameEvent>,
    /// Territories, armies and income over time.
    pub charts: ChartsDto,
}

impl ReplayDto {
    /// The replay as JSON; takes a while.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Who played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct PlayerDto {
    /// The name shown.
    pub name: String,
    /// The bot's spec, or `human`.
    pub spec: String,
}

/// Curves by round and seat.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct ChartsDto {
    /// Index of the frame at which each round begins.
    pub rounds: Vec<usize>,
    /// Territories.
    pub territories: Vec<Vec<usize>>,
    /// Armies.
    pub armies: Vec<Vec<u32>>,
    /// Income, cards aside.
    pub income: Vec<Vec<u32>>,
}

/// Events of a running game after `seen`, at most `most`, as JSON.
///
/// # Errors
///
/// If the store cannot be read.
pub(crate) fn tell_after(
    store: &GameStore,
    card: &GameCard,
    names: Vec<String>,
    seen: u64,
    most: usize,
) -> Result<Vec<Arc<str>>, ApiError> {
    let entries = store
        .entries(card.stored.number, Desk::Past)
        .map_err(store_failed)?;
    let seed = card.stored.header.seed;
    let mut narrator = Narrator::new(card.start.clone(), names.into(), seed);
    let damaged = |error: crate::narrator::ImpossibleError| ApiError::internal(error.to_string());
    let (old, new) = entries.split_at(entries.len().min(seen as usize));
    for entry in old {
        narrator.apply(entry).map_err(damaged)?;
    }
    let mut events = Vec::new();
    for entry in new.iter().take(most) {
        let event = narrator.tell(entry).map_err(damaged)?;
        events.push(serde_json::to_string(&event).unwrap_or_default().into());
    }
    Ok(events)
}

/// The record of a stored game that is over.
///
/// # Errors
///
/// If it is not over, or the store cannot be read.
pub(crate) fn record_of(store: &GameStore, stored: &SavedGame) -> Result<String, ApiError> {
    let running = || {
        let message = "The game is not over; its record would show hidden cards and the seed.";
        ApiError::new(axum::http::StatusCode::CONFLICT, "running", message)
    };
    let end = stored.end.as_ref().ok_or_else(running)?;
    let broken = |error: String| ApiError::internal(error);
    let end: RecordEnd = end
        .parse()
        .map_err(|error: RecordFault| broken(error.to_string()))?;
    let game = stored
        .header
        .game()
        .map_err(|error| broken(error.to_string()))?;
    let start = stored.header.start(&game);
    let mut state = start.map_err(|error| broken(error.to_string()))?;
    let mut writer =
        RecordWriter::new(Vec::new(), &stored.header).map_err(|error| broken(error.to_string()))?;
    for entry in store
        .entries(stored.number, Desk::Past)
        .map_err(store_failed)?
    {
        write_entry(&mut writer, &mut state, &entry).map_err(broken)?;
    }
    let bytes = writer
        .finish(&end)
        .map_err(|error| broken(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write_entry(
    writer: &mut RecordWriter<Vec<u8>>,
    state: &mut State,
    entry: &LogEntry,
) -> Result<(), String> {
    let Some(event) = entry.event() else {
        return Ok(());
    };
    let written = writer.event(state, event);
    written.map_err(|error| error.to_string())?;
    state.apply(event).map_err(|error| error.to_string())
}

/// The replay of a record that somebody sent.
///
/// # Errors
///
/// If the text is not a record or does not replay to its end; with the line.
pub(crate) fn replay_text(text: &str) -> Result<ReplayDto, ApiError> {
    let record = checked_record(text)?;
    let entries: Vec<LogEntry> = record
        .events
        .iter()
        .map(|(event, _)| LogEntry::Event(*event))
        .collect();
    let result = ResultDto {
        ending: record.end.termination.to_string(),
        scores: record.end.score.clone(),
        places: Vec::new(),
    };
    replay(&record.header, &entries, result)
}

/// The state after an event of a record that somebody sent.
///
/// # Errors
///
/// If the text is not a record, or has no such event.
pub(crate) fn state_in_text(text: &str, frame: usize) -> Result<State, ApiError> {
    let record = checked_record(text)?;
    if frame >= record.events.len() {
        return Err(no_such_frame());
    }
    // It was verified: it replays.
    let broken = |error: RecordError| ApiError::internal(error.to_string());
    let mut replay = Replay::new(&record).map_err(broken)?;
    for _ in 0..=frame {
        replay.step().map_err(broken)?;
    }
    Ok(replay.state().clone())
}

/// A game has fewer frames.
pub(crate) fn no_such_frame() -> ApiError {
    ApiError::bad_request("bad-query", "\"frame\" is no frame of this game.")
}

/// A record that anybody may send, read and verified.
///
/// # Errors
///
/// A sentence that says what is wrong with it, or that it is too long.
pub(crate) fn checked_record(text: &str) -> Result<GameRecord, ApiError> {
    let wrong = |error: RecordError| {
        let message = format!(
            "The record is wrong in line {}: {}.",
            error.line, error.fault
        );
        ApiError::bad_request("bad-record", message)
    };
    let record = GameRecord::parse(text).map_err(wrong)?;
    let header = &record.header;
    let mut shown = header.names.iter().chain(&header.players);
    if !shown.all(|text| text.chars().all(is_visible)) {
        let message = "The record is wrong in line 2: a name hides or turns characters around.";
        return Err(ApiError::bad_request("bad-record", message));
    }
    if record.events.len() > MAX_FRAMES {
        return Err(too_long());
    }
    verify(&record).map_err(|error| error.map_or_else(too_costly, wrong))?;
    Ok(record)
}

/// Verifies a record, unless that takes too long; then the error is `None`.
fn verify(record: &GameRecord) -> Result<(), Option<RecordError>> {
    let mut replay = Replay::new(record)?;
    let mut cost = 0;
    while replay.step()?.is_some() {
        cost += battle_cost(replay.state());
        if cost > MAX_COST {
            return Err(None);
        }
    }
    replay.finish()?;
    Ok(())
}

fn too_costly() -> ApiError {
    let message = "The battles of this record are too large to check here; \
                   'hegemon replay' on your own machine has no such limit.";
    ApiError::bad_request("too-costly", message)
}

fn too_long() -> ApiError {
    let message = format!("The game has more than {MAX_FRAMES} events; it is too long to show.");
    ApiError::bad_request("too-long", message)
}

fn too_large() -> ApiError {
    let message = "The replay of this game is too large to show here.";
    ApiError::bad_request("too-long", message)
}

/// About what a frame takes in an answer.
fn bytes_of(event: &GameEvent) -> usize {
    let [frame, territory] = FRAME_BYTES;
    frame + territory * event.after.owners.len() + event.text.len()
}

/// The replay of a stored game that is over, with the notes beside it.
///
/// # Errors
///
/// If it is not over, or the store cannot be read.
pub(crate) fn replay_stored(store: &GameStore, stored: &SavedGame) -> Result<ReplayDto, ApiError> {
    let Some(result) = stored.result.clone() else {
        let message = "The game is not over; its replay would show hidden cards and the seed.";
        return Err(ApiError::new(
            axum::http::StatusCode::CONFLICT,
            "running",
            message,
        ));
    };
    let entries = store
        .entries(stored.number, Desk::Past)
        .map_err(store_failed)?;
    replay(&stored.header, &entries, result)
}

fn replay(header: &Header, entries: &[LogEntry], result: ResultDto) -> Result<ReplayDto, ApiError> {
    if entries.len() > MAX_FRAMES {
        return Err(too_long());
    }
    let broken = |error: String| ApiError::internal(error);
    let game = header.game().map_err(|error| broken(error.to_string()))?;
    let names: Arc<[String]> = names_of(header).into();
    let start = header.start(&game);
    let start = start.map_err(|error| broken(error.to_string()))?;
    let mut narrator = Narrator::new(start, Arc::clone(&names), header.seed).revealing();
    let mut frames = Vec::with_capacity(entries.len());
    let mut charts = ChartsDto::default();
    let mut round = None;
    let mut n_bytes = 0;
    for entry in entries {
        let event = narrator
            .tell(entry)
            .map_err(|error| broken(error.to_string()))?;
        if event.after.round > 0 && round != Some(event.after.round) {
            round = Some(event.after.round);
            charts.add(frames.len(), narrator.state());
        }
        n_bytes += bytes_of(&event);
        if n_bytes > MAX_REPLAY {
            return Err(too_large());
        }
        frames.push(event);
    }
    // The last point of the curves is the end.
    charts.add(frames.len().saturating_sub(1), narrator.state());
    let places = if result.places.is_empty() {
        let places = narrator.state().result().map(|result| result.place);
        let places = places.map(|p| p.as_slice()[..game.n_players()].to_vec());
        places.unwrap_or_default()
    } else {
        result.places.clone()
    };
    let is_same = |name: &&str| Rules::preset(name).as_ref() == Some(game.rules());
    Ok(ReplayDto {
        map: DrawnMapDto::new(game.map()),
        rules: game.rules().clone(),
        rules_name: Rules::PRESETS
            .into_iter()
            .find(is_same)
            .unwrap_or("custom")
            .to_owned(),
        seats: names
            .iter()
            .zip(&header.players)
            .map(|(name, spec)| PlayerDto {
                name: name.clone(),
                spec: spec.clone(),
            })
            .collect(),
        seed: header.seed.to_string(),
        n_players: game.n_players(),
        result: ResultDto { places, ..result },
        frames,
        charts,
    })
}

fn names_of(header: &Header) -> Vec<String> {
    if header.names.len() == header.players.len() {
        header.names.clone()
    } else {
        header.players.clone()
    }
}

impl ChartsDto {
    fn add(&mut self, frame: usize, state: &State) {
        let seats = || state.game().seats();
        let board = state.board();
        let by_seat =
            |count: fn(&State, PlayerId) -> u32| seats().map(|p| count(state, p)).collect();
        self.rounds.push(frame);
        self.territories
            .push(seats().map(|p| board.n_owned(p)).collect());
        self.armies
            .push(by_seat(|state, p| state.board().total_armies(p)));
        self.income.push(by_seat(|state, p| {
            if state.is_alive(p) {
                state.income(p)
            } else {
                0
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hegemon_core::{Event, Game, Map, Node, Streams};

    fn game() -> Arc<Game> {
        let map = Map::builtin("archipelago80").expect("shipped");
        let rules = Rules::preset("lux").expect("shipped");
        Game::new(map, rules, 6).expect("a game")
    }

    fn header(game: &Game) -> Header {
        let mut header = Header::new(game, vec!["human".to_owned(); 6], 5);
        header.names = (0..6).map(|n| format!("{n}{}", "ö".repeat(30))).collect();
        header
    }

    fn result() -> ResultDto {
        ResultDto {
            ending: "conquest".to_owned(),
            scores: vec![0.0; 6],
            places: vec![1; 6],
        }
    }

    fn note(n_bytes: usize) -> LogEntry {
        let text = "x".repeat(n_bytes);
        LogEntry::Note { seat: 0, text }
    }

    /// A frame that is told takes these bytes by our count.
    fn counted(entry: &LogEntry) -> usize {
        let game = game();
        let mut narrator = Narrator::new(game.start(), names_of(&header(&game)).into(), 5);
        bytes_of(&narrator.tell(entry).expect("possible"))
    }

    #[test]
    fn a_replay_beyond_its_limit_is_refused_while_it_is_told() {
        let header = header(&game());
        let long = note(2000);
        let most = MAX_REPLAY / counted(&long);
        assert!(most < MAX_FRAMES, "fewer frames than there may be");
        let within = replay(&header, &vec![long.clone(); most], result());
        let text = within.expect("as large as may be").to_json();
        assert!(text.len() < MAX_REPLAY / 4 * 5, "{} bytes", text.len());
        let beyond = replay(&header, &vec![long; most + 1], result());
        let refused = beyond.expect_err("too large");
        assert_eq!((refused.status.as_u16(), refused.code), (400, "too-long"));
    }

    #[test]
    fn what_a_frame_takes_is_not_counted_too_low() {
        let game = game();
        let header = header(&game);
        let (mut state, mut streams) = (game.start(), Streams::new(5));
        let mut entries = Vec::new();
        while entries.len() < 3000 && state.node() != Node::Terminal {
            if state.node() == Node::Chance {
                let outcome = streams.draw(&state);
                entries.push(LogEntry::Event(Event::Outcome(outcome)));
                state.resolve(outcome).expect("possible");
            } else {
                let moves = state.legal_moves();
                let attack = moves.iter().find(|mv| mv.to_string().starts_with('a'));
                let mv = *attack.unwrap_or(&moves[0]);
                entries.push(LogEntry::Event(Event::Move(mv)));
                state.play(mv).expect("legal");
            }
        }
        let replay = replay(&header, &entries, result()).expect("told");
        let n_counted: usize = replay.frames.iter().map(bytes_of).sum();
        let n_told = serde_json::to_string(&replay.frames).expect("JSON").len();
        assert!(n_told < n_counted / 4 * 5, "{n_told}, not {n_counted}");
    }
}
