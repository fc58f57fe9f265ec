//! Analyses of finished games and answers about single positions, each on a thread of its
//! own that steps back behind everything else.
//!
//! A client has few of them under way, all together have few more, and each has a deadline.
//! Of the games that wait, the one whose client was served the longest ago is next. Finished
//! analyses are kept packed, and in the store, until newer ones need the room.

mod kept;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use axum::body::Bytes;
use hegemon_analysis::{
    AnalysisError, AnalysisParams, CostlyDecision, Level, analyze, costly_decisions,
};
use hegemon_bots::{Judge, Stop};
use hegemon_core::State;
use hegemon_record::GameRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;

use self::kept::{Kept, KeptAnalyses, MAX_KEPT, MAX_KEPT_OF_SENT};
use crate::analysis_wire::{AnalysisState, GameAnalysisDto, Puzzle};
use crate::bot_threads::step_back;
use crate::chronicle;
use crate::clients::Client;
use crate::entry::LogEntry;
use crate::error::ApiError;
use crate::packed::gzip;
use crate::store::{Desk, GameStore, SavedGame, StoredAnalysis};
use crate::tables::store_failed;

/// Games of a client that wait or are worked on.
const MAX_PER_CLIENT: usize = 2;
/// Games that wait, of everybody.
const MAX_WAITING: usize = 8;
/// Questions about positions that a client has under way.
const MAX_QUESTIONS_PER_CLIENT: usize = 2;
/// The same of everybody.
const MAX_QUESTIONS: usize = 8;
/// Most events of a game: each is a state in memory.
const MAX_EVENTS: usize = 20_000;
/// Puzzles that are kept.
const MAX_PUZZLES: usize = 200;
/// Hints that are remembered.
const MAX_HINTS: usize = 64;
/// Clients of whom it is remembered when they were served.
const MAX_SERVED: usize = 1000;
/// Time for a question about a position.
const QUESTION_TIME: Duration = Duration::from_secs(6);
/// Seed of all samples: the same question gets the same answer.
pub(crate) const SEED: u64 = 1;

/// How long a game of this level may take; what is there by then is the answer.
fn time_for(level: Level) -> Duration {
    Duration::from_secs(match level {
        Level::Fast => 30,
        Level::Normal => 90,
        Level::Deep => 300,
    })
}

/// A game and how thorough it is looked at.
type Key = (String, &'static str);

/// A question about a position that is run on its thread.
type Question = Box<dyn FnOnce() + Send>;

/// Everything that is analysed.
pub(crate) struct Analyses {
    shared: Arc<Shared>,
    questions: Mutex<Option<mpsc::Sender<Question>>>,
    askers: Arc<Mutex<BTreeMap<Client, usize>>>,
    /// The oldest first.
    hints: Mutex<VecDeque<KnownHint>>,
}

/// A hint that was given.
struct KnownHint {
    game: String,
    /// Number of the game's last event.
    seq: u64,
    level: Level,
    hint: Arc<str>,
}

struct Shared {
    store: Arc<GameStore>,
    ledger: Mutex<Ledger>,
    wake: Condvar,
    n_threads: usize,
}

#[derive(Default)]
struct Ledger {
    waiting: Vec<Arc<Task>>,
    running: Option<Arc<Task>>,
    kept: KeptAnalyses<MAX_KEPT>,
    kept_of_sent: KeptAnalyses<MAX_KEPT_OF_SENT>,
    puzzles: VecDeque<KnownPuzzle>,
    /// When each client was last served, in services.
    served: BTreeMap<Client, u64>,
    n_served: u64,
    is_closed: bool,
}

/// A puzzle as it is told.
#[derive(Clone, Deserialize, Serialize)]
struct KnownPuzzle {
    id: String,
    /// The game that it was cut from.
    game: Option<String>,
    puzzle: Value,
}

impl KnownPuzzle {
    fn new(puzzle: &Puzzle) -> KnownPuzzle {
        KnownPuzzle {
            id: puzzle.id.clone(),
            game: puzzle.game.clone(),
            puzzle: serde_json::to_value(puzzle).unwrap_or_default(),
        }
    }
}

/// Where a game comes from.
enum Source {
    /// The store.
    Stored(Box<SavedGame>),
    /// A client sent its record: it is not stored, and no puzzles are cut from it.
    Sent(Box<GameRecord>),
}

/// A game that is to be analysed.
struct Task {
    key: Key,
    level: Level,
    source: Source,
    stop: Stop,
    /// Who waits for it.
    askers: Mutex<BTreeSet<Client>>,
    /// Set once nobody does.
    is_cancelled: AtomicBool,
    n_done: AtomicUsize,
    n_steps: AtomicUsize,
}

/// Where the analysis of a game stands.
pub(crate) enum AnalysisStanding {
    /// It is short to tell.
    Told(AnalysisState),
    /// It is done: the whole answer, packed.
    Done(Bytes),
}

impl Analyses {
    /// What is in the store is known, and nothing is under way.
    pub(crate) fn start(store: Arc<GameStore>, n_threads: usize) -> Analyses {
        let shared = Arc::new(Shared {
            ledger: Mutex::new(Ledger::of(&store)),
            store,
            wake: Condvar::new(),
            n_threads: n_threads.max(1),
        });
        let worker = Arc::clone(&shared);
        let (questions, queue) = mpsc::channel::<Question>();
        // Without a thread nothing is ever done; the client can cancel.
        let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let _ = named("analyst").spawn(move || worker.work());
        let _ = named("adviser").spawn(move || answer_all(&queue));
        Analyses {
            shared,
            questions: Mutex::new(Some(questions)),
            askers: Arc::default(),
            hints: Mutex::default(),
        }
    }

    /// A client wants the analysis of a game that is over.
    ///
    /// # Errors
    ///
    /// If the game goes on, or too many are under way.
    pub(crate) fn ask(
        &self,
        client: Client,
        stored: SavedGame,
        level: Level,
    ) -> Result<AnalysisStanding, ApiError> {
        if stored.result.is_none() {
            let message = "The game is not over; its analysis would show hidden cards.";
            let status = axum::http::StatusCode::CONFLICT;
            return Err(ApiError::new(status, "running", message));
        }
        let key = (stored.id.clone(), level.name());
        self.enqueue(client, &key, level, Source::Stored(Box::new(stored)))
    }

    /// The same for a record that was sent and checked, under a name made from it.
    ///
    /// # Errors
    ///
    /// If it is too long, or too many are under way.
    pub(crate) fn ask_record(
        &self,
        client: Client,
        name: String,
        record: GameRecord,
        level: Level,
    ) -> Result<AnalysisStanding, ApiError> {
        check_length(&record)?;
        let source = Source::Sent(Box::new(record));
        self.enqueue(client, &(name, level.name()), level, source)
    }

    fn enqueue(
        &self,
        client: Client,
        key: &Key,
        level: Level,
        source: Source,
    ) -> Result<AnalysisStanding, ApiError> {
        let mut ledger = self.shared.held();
        // What failed is tried again.
        ledger.kept.forget_failed(key);
        ledger.kept_of_sent.forget_failed(key);
        let known = ledger.tasks().find(|task| task.is_wanted(key));
        if let Some(task) = known {
            held(&task.askers).insert(client);
        } else if ledger.done(key).is_none() {
            ledger.check_room(client)?;
            ledger.waiting.push(Arc::new(Task {
                key: key.clone(),
                level,
                source,
                stop: Stop::new(),
                askers: Mutex::new(BTreeSet::from([client])),
                is_cancelled: AtomicBool::new(false),
                n_done: AtomicUsize::new(0),
                n_steps: AtomicUsize::new(0),
            }));
            self.shared.wake.notify_one();
        }
        Ok(ledger.standing(key))
    }

    /// Where the analysis of a game stands.
    pub(crate) fn look(&self, id: &str, level: Level) -> AnalysisStanding {
        self.shared.held().standing(&(id.to_owned(), level.name()))
    }

    /// A client no longer wants an analysis; it stops when nobody does.
    pub(crate) fn cancel(&self, client: Client, id: &str, level: Level) -> AnalysisStanding {
        let key = (id.to_owned(), level.name());
        let mut ledger = self.shared.held();
        for task in ledger.tasks().filter(|task| task.is_wanted(&key)) {
            let mut askers = held(&task.askers);
            askers.remove(&client);
            if askers.is_empty() {
                task.cancel();
            }
        }
        ledger.waiting.retain(|task| !task.is_cancelled());
        ledger.standing(&key)
    }

    /// A game was removed for good, and with it all that is known of it.
    pub(crate) fn forget(&self, id: &str) {
        let mut ledger = self.shared.held();
        for task in ledger.tasks().filter(|task| task.key.0 == id) {
            task.cancel();
        }
        ledger.waiting.retain(|task| !task.is_cancelled());
        ledger.kept.retain(|(game, _), _| game != id);
        ledger
            .puzzles
            .retain(|puzzle| puzzle.game.as_deref() != Some(id));
        held(&self.hints).retain(|known| known.game != id);
    }

    /// Puzzles cut from the games that were analysed, the newest first; then those that come
    /// with the program.
    pub(crate) fn puzzles(&self) -> Vec<Value> {
        let ledger = self.shared.held();
        let newest_first = ledger.puzzles.iter().rev().map(|known| &known.puzzle);
        newest_first.chain(shipped()).cloned().collect()
    }

    /// The hint of this level that was given at this moment of a game, if one was.
    pub(crate) fn known_hint(&self, game: &str, seq: u64, level: Level) -> Option<Arc<str>> {
        let hints = held(&self.hints);
        let mut known = hints.iter();
        let found =
            known.find(|known| known.game == game && known.seq == seq && known.level == level);
        found.map(|known| Arc::clone(&known.hint))
    }

    /// Remembers the hint of a moment of a game.
    pub(crate) fn keep_hint(&self, game: &str, seq: u64, level: Level, hint: Arc<str>) {
        let mut hints = held(&self.hints);
        hints.push_back(KnownHint {
            game: game.to_owned(),
            seq,
            level,
            hint,
        });
        if hints.len() > MAX_HINTS {
            hints.pop_front();
        }
    }

    /// A place for a question of a client.
    ///
    /// # Errors
    ///
    /// If the client, or everybody, has as many as may be.
    pub(crate) fn enter(&self, client: Client) -> Result<OpenQuestion, ApiError> {
        let mut askers = held(&self.askers);
        let n_all: usize = askers.values().sum();
        let n_own = askers.get(&client).copied().unwrap_or(0);
        if n_own >= MAX_QUESTIONS_PER_CLIENT || n_all >= MAX_QUESTIONS {
            let message = "Too many questions are being answered at the moment; wait a little.";
            return Err(ApiError::too_many("busy", message));
        }
        askers.insert(client, n_own + 1);
        Ok(OpenQuestion {
            client,
            askers: Arc::clone(&self.askers),
        })
    }

    /// Answers a question about a position. The job is told when to stop: in time, and when
    /// nobody waits any more.
    ///
    /// # Errors
    ///
    /// As the job, or if it panicked or the server stops.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        asker: OpenQuestion,
        job: impl FnOnce(&Stop) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let stop = Stop::new();
        let _unwanted = Unwanted(stop.clone());
        let (reply, answer) = oneshot::channel();
        let question: Question = Box::new(move || {
            if !reply.is_closed() {
                stop.arm(QUESTION_TIME);
                let fruit = job(&stop);
                drop(asker);
                // Nobody may wait for it any more.
                let _ = reply.send(fruit);
            }
        });
        let sent = held(&self.questions)
            .as_ref()
            .is_some_and(|questions| questions.send(question).is_ok());
        if !sent {
            return Err(failed());
        }
        answer.await.unwrap_or_else(|_| Err(failed()))
    }

    /// Ends all work and the threads.
    pub(crate) fn close(&self) {
        held(&self.questions).take();
        let mut ledger = self.shared.held();
        ledger.is_closed = true;
        ledger.waiting.clear();
        ledger.running.iter().for_each(|task| task.stop.raise());
        self.shared.wake.notify_all();
    }
}

/// Who has a question under way; no longer when dropped.
pub(crate) struct OpenQuestion {
    client: Client,
    askers: Arc<Mutex<BTreeMap<Client, usize>>>,
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        let mut askers = held(&self.askers);
        let left = askers.get(&self.client).copied().unwrap_or(0);
        if left > 1 {
            askers.insert(self.client, left - 1);
        } else {
            askers.remove(&self.client);
        }
    }
}

/// Ends work that nobody waits for any more.
struct Unwanted(Stop);

impl Drop for Unwanted {
    fn drop(&mut self) {
        self.0.raise();
    }
}

fn answer_all(queue: &mpsc::Receiver<Question>) {
    step_back();
    while let Ok(question) = queue.recv() {
        // Callers that wait for it get an error.
        let _ = catch_unwind(AssertUnwindSafe(question));
    }
}

fn failed() -> ApiError {
    ApiError::internal("the request could not be worked on")
}

impl Task {
    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::SeqCst);
        self.stop.raise();
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }

    /// Whether it is this analysis, and somebody waits for it.
    fn is_wanted(&self, key: &Key) -> bool {
        self.key == *key && !self.is_cancelled()
    }
}

impl Ledger {
    /// Knows what was analysed before the program started.
    fn of(store: &GameStore) -> Ledger {
        let mut ledger = Ledger::default();
        // What cannot be read is worked out again when somebody asks for it.
        for stored in store.analyses().unwrap_or_default() {
            let Ok(level) = stored.level.parse::<Level>() else {
                continue;
            };
            ledger.add_puzzles(serde_json::from_str(&stored.puzzles).unwrap_or_default());
            let kept = Kept::Done(stored.answer.into());
            ledger.kept.keep((stored.game, level.name()), kept);
        }
        ledger
    }

    fn tasks(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.running.iter().chain(&self.waiting)
    }

    fn done(&self, key: &Key) -> Option<&Kept> {
        self.kept.get(key).or_else(|| self.kept_of_sent.get(key))
    }

    fn check_room(&self, client: Client) -> Result<(), ApiError> {
        let own = self
            .tasks()
            .filter(|task| held(&task.askers).contains(&client));
        if own.count() >= MAX_PER_CLIENT {
            let message = "You have as many analyses under way as you may; wait or cancel one.";
            return Err(ApiError::too_many("busy", message));
        }
        if self.waiting.len() >= MAX_WAITING {
            let message = "Too many games wait to be analysed; try again in a few minutes.";
            return Err(ApiError::too_many("busy", message));
        }
        Ok(())
    }

    fn standing(&self, key: &Key) -> AnalysisStanding {
        AnalysisStanding::Told(match self.done(key) {
            Some(Kept::Done(answer)) => return AnalysisStanding::Done(answer.clone()),
            Some(Kept::Failed(error)) => AnalysisState::Failed {
                message: error.message.clone(),
            },
            None => self.state_of_task(key),
        })
    }

    fn state_of_task(&self, key: &Key) -> AnalysisState {
        if let Some(task) = self.running.as_ref().filter(|task| task.is_wanted(key)) {
            return AnalysisState::Running {
                n_done: task.n_done.load(Ordering::Relaxed),
                n_steps: task.n_steps.load(Ordering::Relaxed),
            };
        }
        let place = self.waiting.iter().position(|task| task.is_wanted(key));
        place.map_or(AnalysisState::None, |place| AnalysisState::Waiting {
            n_before: place + usize::from(self.running.is_some()),
        })
    }

    /// The task whose clients were served the longest ago; of several the first.
    fn next(&mut self) -> Option<Arc<Task>> {
        let last = |task: &Arc<Task>| {
            let askers = held(&task.askers);
            let served = askers.iter().map(|client| self.served.get(client).copied());
            served.map(Option::unwrap_or_default).min()
        };
        let place = (0..self.waiting.len()).min_by_key(|&n| last(&self.waiting[n]))?;
        let task = self.waiting.remove(place);
        self.n_served += 1;
        if self.served.len() >= MAX_SERVED {
            self.served.clear();
        }
        for client in held(&task.askers).iter() {
            self.served.insert(*client, self.n_served);
        }
        self.running = Some(Arc::clone(&task));
        Some(task)
    }

    fn add_puzzles(&mut self, puzzles: Vec<KnownPuzzle>) {
        for puzzle in puzzles {
            self.puzzles.retain(|known| known.id != puzzle.id);
            self.puzzles.push_back(puzzle);
        }
        let n_old = self.puzzles.len().saturating_sub(MAX_PUZZLES);
        self.puzzles.drain(..n_old);
    }
}

impl Shared {
    fn held(&self) -> MutexGuard<'_, Ledger> {
        held(&self.ledger)
    }

    fn work(&self) {
        step_back();
        while let Some(task) = self.next_task() {
            let done = catch_unwind(AssertUnwindSafe(|| self.analyse(&task)));
            let done = done.unwrap_or_else(|_| Err(failed()));
            let mut ledger = self.held();
            ledger.running = None;
            // What was cancelled is forgotten.
            if task.is_cancelled() {
                continue;
            }
            let kept = match done {
                Ok((answer, puzzles)) => {
                    if matches!(task.source, Source::Stored(_)) {
                        self.store.keep_analysis(StoredAnalysis {
                            game: task.key.0.clone(),
                            level: task.key.1.to_owned(),
                            answer: answer.to_vec(),
                            puzzles: serde_json::to_string(&puzzles).unwrap_or_default(),
                        });
                        ledger.add_puzzles(puzzles);
                    }
                    Kept::Done(answer)
                }
                Err(error) => Kept::Failed(error),
            };
            match &task.source {
                Source::Stored(_) => ledger.kept.keep(task.key.clone(), kept),
                Source::Sent(_) => ledger.kept_of_sent.keep(task.key.clone(), kept),
            }
        }
    }

    fn next_task(&self) -> Option<Arc<Task>> {
        let mut ledger = self.held();
        loop {
            if ledger.is_closed {
                return None;
            }
            if let Some(task) = ledger.next() {
                return Some(task);
            }
            ledger = self
                .wake
                .wait(ledger)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn analyse(&self, task: &Task) -> Result<(Bytes, Vec<KnownPuzzle>), ApiError> {
        let broken = |error: String| ApiError::internal(error);
        let from_store: GameRecord;
        let (record, frames, stand_ins) = match &task.source {
            Source::Stored(stored) => {
                let entries = self.store.entries(stored.number, Desk::Past);
                let entries = entries.map_err(store_failed)?;
                let text = chronicle::record_of(&self.store, stored)?;
                from_store = GameRecord::parse(&text).map_err(|error| broken(error.to_string()))?;
                (&from_store, frames_of(&entries), stand_ins_of(&entries))
            }
            // Its replay has a frame for each event and no notes, and it does not say who
            // stood in for whom.
            Source::Sent(record) => {
                let frames = (0..record.events.len()).collect();
                (&**record, frames, BTreeSet::new())
            }
        };
        check_length(record)?;
        task.stop.arm(time_for(task.level));
        // A cancellation before the handle was armed counts too.
        if task.is_cancelled() {
            task.stop.raise();
        }
        let params = AnalysisParams {
            level: task.level,
            n_threads: self.n_threads,
            seed: SEED,
            stop: task.stop.clone(),
            stand_ins,
        };
        let progress = |n_done, n_steps| {
            task.n_done.store(n_done, Ordering::Relaxed);
            task.n_steps.store(n_steps, Ordering::Relaxed);
        };
        let found = analyze(record, &params, &progress).map_err(|error| match error {
            AnalysisError::Stopped => {
                let message = "The game is too long to be analysed here in time.";
                ApiError::bad_request("too-long", message)
            }
            error => broken(error.to_string()),
        })?;
        let analysis = GameAnalysisDto::new(&found, &frames);
        let puzzles = match &task.source {
            Source::Stored(stored) => puzzles_of(stored, record, &analysis, &found, &task.stop),
            Source::Sent(_) => Vec::new(),
        };
        let state = AnalysisState::Done { analysis };
        let text = serde_json::to_string(&state).unwrap_or_default();
        let packed = gzip(text.as_bytes());
        Ok((packed.unwrap_or_else(|| text.into()), puzzles))
    }
}

/// The frame of each event: notes have frames too.
fn frames_of(entries: &[LogEntry]) -> Vec<usize> {
    let numbered = entries.iter().enumerate();
    let events = numbered.filter(|(_, entry)| entry.event().is_some());
    events.map(|(frame, _)| frame).collect()
}

/// Numbers of the events that are moves of bots for people.
fn stand_ins_of(entries: &[LogEntry]) -> BTreeSet<usize> {
    let events = entries.iter().filter(|entry| entry.event().is_some());
    let stand_ins = events.enumerate();
    stand_ins
        .filter(|(_, entry)| matches!(entry, LogEntry::StandIn(_)))
        .map(|(number, _)| number)
        .collect()
}

fn check_length(record: &GameRecord) -> Result<(), ApiError> {
    if record.events.len() > MAX_EVENTS {
        let message = format!(
            "The game has more than {MAX_EVENTS} events; \
             'hegemon analyze' on your own machine has no such limit."
        );
        return Err(ApiError::bad_request("too-long", message));
    }
    Ok(())
}

/// Most puzzles of a game; each takes about as long as a hint.
const MAX_PUZZLES_A_GAME: usize = 6;

/// The decisions of a game that cost the most, and do so as hints see it, too; as many as there
/// is time for.
fn puzzles_of(
    stored: &SavedGame,
    record: &GameRecord,
    analysis: &GameAnalysisDto,
    found: &hegemon_analysis::GameAnalysis,
    stop: &Stop,
) -> Vec<KnownPuzzle> {
    // The record was verified: it replays.
    let mut costly = costly_decisions(record, found).unwrap_or_default();
    costly.sort_by(|a, b| b.skill.loss.total_cmp(&a.skill.loss));
    let Some(first) = costly.first() else {
        return Vec::new();
    };
    let Ok(judge) = Judge::new(first.before.game(), stop) else {
        return Vec::new();
    };
    let costly = costly.iter().take(MAX_PUZZLES_A_GAME);
    let confirmed = costly.filter_map(|found| found.confirmed(&judge, Level::Fast, SEED));
    let puzzle = |decision: CostlyDecision<'_>| {
        let told = &analysis.points[decision.point];
        KnownPuzzle::new(&Puzzle::of_game(stored, told, &decision))
    };
    confirmed.map(puzzle).collect()
}

/// The puzzles that come with the program, as they are told.
fn shipped() -> &'static [Value] {
    static SHIPPED: OnceLock<Vec<Value>> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        let told = |entry: &hegemon_analysis::PuzzleEntry| {
            serde_json::to_value(Puzzle::shipped(entry)?).ok()
        };
        let entries = hegemon_analysis::shipped_puzzles();
        entries.iter().filter_map(told).collect()
    })
}

/// The state after the event of a frame of a game that is over.
///
/// # Errors
///
/// If the game goes on or has no such frame, or the store cannot be read.
pub(crate) fn state_after(
    store: &GameStore,
    stored: &SavedGame,
    frame: usize,
) -> Result<State, ApiError> {
    let broken = |error: String| ApiError::internal(error);
    if stored.result.is_none() {
        let message = "The game is not over; its positions would show hidden cards.";
        let status = axum::http::StatusCode::CONFLICT;
        return Err(ApiError::new(status, "running", message));
    }
    let game = stored
        .header
        .game()
        .map_err(|error| broken(error.to_string()))?;
    let start = stored.header.start(&game);
    let mut state = start.map_err(|error| broken(error.to_string()))?;
    let entries = store.entries(stored.number, Desk::Past);
    let entries = entries.map_err(store_failed)?;
    let Some(entries) = entries.get(..=frame) else {
        return Err(chronicle::no_such_frame());
    };
    for entry in entries {
        if let Some(event) = entry.event() {
            let applied = state.apply(event);
            applied.map_err(|error| broken(error.to_string()))?;
        }
    }
    Ok(state)
}

/// The text of a packed answer.
pub(crate) fn unpacked(answer: &[u8]) -> String {
    let mut text = String::new();
    match flate2::read::GzDecoder::new(answer).read_to_string(&mut text) {
        Ok(_) => text,
        // Short answers are not packed.
        Err(_) => String::from_utf8_lossy(answer).into_owned(),
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // All of it is changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
